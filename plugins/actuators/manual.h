/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "device.h"

/* What Keyboard and Joystick share: robots that somebody's hands drive. */

typedef enum { MANUAL_VELOCITY, MANUAL_POSITION, MANUAL_DIFFERENTIAL } ManualControl;

/* Where the hands hold six axes, linear and angular: as sticks and keys say it. */
enum { MANUAL_AXES = 6 };

typedef struct {
  ManualControl control;
  double speed; /* m/s and rad/s, with a key pressed or a stick at its end */
  char *path;   /* of the device; NULL: the default */
  Device *device;
  /* What it remembers: */
  OrreryVec3 linear, angular; /* the axes as they were taken last */
  OrreryBool moved;
} Manual;

/* Entries of a table of states, for a struct with a member `manual`. */
#define MANUAL_STATES(Struct)                                                                      \
  ORRERY_STATE (Struct, manual.linear), ORRERY_STATE (Struct, manual.angular),                     \
      ORRERY_STATE (Struct, manual.moved)

/* ControlType, registered under that name, which is of the module's own. */
GType manual_get_control_type (const char *name);
/* The properties ControlType, Speed, Device. @place: offset of the Manual in the struct. */
void manual_class_init (OrreryPartClass *klass, gssize place, GType (*get_control_type) (void),
                        ManualControl control, const char *device_words);
/* Opens the device; only one that the scene names must be there. */
void manual_open (Manual *manual, OrrerySetup *setup, const char *path, gboolean raw,
                  DeviceFunc func, gpointer user_data, GError **error);
/* Takes where the axes are now: of the device, or, where the run is a replay, as they were. */
void manual_take (Manual *manual, OrreryComponent *component, OrreryTick *tick,
                  const gint16 axes[MANUAL_AXES]);
/* Moves the robot; says once that it is to stand still, then nothing, so that others may. */
void manual_move (Manual *manual, OrreryComponent *component, OrreryTick *tick,
                  const OrreryVec3 *linear, const OrreryVec3 *angular);
