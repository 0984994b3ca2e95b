/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* A world and an engine, without the rest of the host: what the tests of physics step by hand. */

#include <orrery.h>

typedef struct {
  OrreryWorld *world;
  OrreryPhysics *physics;
  double frequency; /* Hz, 60 */
  guint substeps;   /* 2 */
  gint64 stepping;  /* us, of the last tick's substeps */
} Scene;

/* @environment: file of data/orrery/environments without its ending, or NULL for nothing */
Scene *scene_new (GType engine, const char *environment);
void scene_free (Scene *scene);
/* A robot of data/orrery/robots, moved by @x, @y, @z from where its class has it. */
OrreryObject *scene_add_robot (Scene *scene, const char *name, const char *file, double x, double y,
                               double z);
/* A box of full size @size; rigid, of mass 1, margin 0; the test changes what it likes. */
OrreryObject *scene_add_box (Scene *scene, const char *name, const OrreryVec3 *size, double x,
                             double y, double z);
/* After the last object; fails the test where it cannot be built. */
void scene_build (Scene *scene);
gboolean scene_try_build (Scene *scene, GError **error);

/* One tick; in the second form an error fails the test. */
gboolean scene_try_tick (Scene *scene, GError **error);
void scene_tick (Scene *scene);
/* A tick; returns the us that its substeps took. */
gint64 scene_time_tick (Scene *scene);
void scene_run (Scene *scene, double seconds);

/* Stages what a ground robot does with a speed in its own axes. */
void scene_drive (Scene *scene, OrreryObject *robot, double v, double w);
void scene_push (Scene *scene, OrreryObject *object, double fx, double fy, double fz);
OrreryCommands *scene_commands (Scene *scene);

const OrreryTransform *scene_pose (Scene *scene, OrreryObject *object);
const OrreryVec3 *scene_velocity (Scene *scene, OrreryObject *object);
/* rad, between the body's z axis and that of the world */
double scene_tilt (Scene *scene, OrreryObject *object);
double scene_yaw (Scene *scene, OrreryObject *object);
gboolean scene_touch (Scene *scene, const char *a, const char *b);
guint64 scene_hash (Scene *scene);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)
