/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * The two radars that MORSE mounts beside a waypoint's path: cones along x, looked through every 20
 * ticks, and what they saw stays until they look again. MORSE's Waypoint reads properties, which
 * are set by pulses of the radars, every 20 ticks; its SearchAndRescue asks its radar itself, in
 * each step.
 */
typedef struct {
  OrreryRaycaster *rays; /* borrowed; NULL: no radars; for what is made of triangles */
  GArray *things;        /* (element-type RadarThing): all else that is solid */
  guint n_objects;       /* of the world, that were looked through for them */
  OrreryWorld *world;    /* borrowed */
  OrreryObject *below;   /* borrowed; NULL: none: what is not among them, as all below it */
  OrreryObject *carrier; /* borrowed */
  guint robot;           /* index of what is not seen */
  gint64 next;           /* tick in which they look again */
  gint64 left;           /* index of the object that is nearest there, or -1 */
  gint64 right;
} Radars;

/* How far they see, m. */
#define RADAR_RANGE 3.0

typedef struct {
  OrreryObject *object;
  double radius; /* m, about its origin */
} RadarThing;

gboolean radars_set_up (Radars *radars, OrrerySetup *setup, OrreryComponent *carrier,
                        GError **error);
/* Looks, if it is time. */
gboolean radars_look (Radars *radars, OrreryTick *tick, GError **error);
/* They have not looked yet. */
void radars_forget (Radars *radars);
