/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * The hand of a robot: what the service `grasp` of MORSE's robots with hands does. It is an object
 * on the robot: the one with the property Grasper (which a script's make_grasper() sets), else the
 * one that the robot's property Hand names. It takes things with the property Graspable, no farther
 * than its property Distance.
 */

typedef struct {
  char *name; /* of the object, where no other is a grasper; empty: none */

  OrreryWorld *world;
  OrreryObject *robot;  /* borrowed */
  OrreryObject *object; /* borrowed; NULL: the robot has no hand */
  GPtrArray *things;    /* (element-type OrreryObject), that may be Graspable, in scene order */
  guint n_objects;      /* of the world, that were looked through for them */
  OrreryObject *held;   /* borrowed; NULL: nothing */
} Hand;

/* Of the service: whether to take, and the name of what. */
#define HAND_SERVICE                                                                               \
  {                                                                                                \
    "grasp", grasp, ORRERY_SERVICE_IMMEDIATE, "grab:b obj_name:v=null",                            \
        "Takes hold of the nearest thing in reach, or of the one of that name; false lets go"      \
  }

void hand_setup (Hand *hand, OrrerySetup *setup);
void hand_clear (Hand *hand);
void hand_grasp (Hand *hand, OrreryPart *robot, OrreryCall *call, GError **error);
GVariant *hand_save (Hand *hand);
void hand_restore (Hand *hand, GVariant *state);
/* The property Hand. @place: offset of the Hand in the struct. */
void hand_class_init (OrreryPartClass *klass, gssize place);
