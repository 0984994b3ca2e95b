/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "device.h"

G_BEGIN_DECLS

/* What Keyboard and Joystick share: robots that somebody's hands drive. */

typedef enum { MANUAL_VELOCITY, MANUAL_POSITION, MANUAL_DIFFERENTIAL } ManualControl;

typedef struct {
  ManualControl control;
  double speed; /* m/s and rad/s, with a key pressed or a stick at its end */
  char *path;   /* of the device; NULL: the default */
  gboolean moved;
  Device *device;
} Manual;

enum { MANUAL_PROP_CONTROL = 1, MANUAL_PROP_SPEED, MANUAL_PROP_DEVICE, MANUAL_N_PROPERTIES };

/* Installs the three properties; those of the class itself begin at MANUAL_N_PROPERTIES. @type: the
 * name of the enumeration, of the module's own. */
void manual_class_init (GObjectClass *klass, const char *type, ManualControl control,
                        const char *device_words);
void manual_init (Manual *manual, ManualControl control);
void manual_clear (Manual *manual);
gboolean manual_set_property (Manual *manual, guint id, const GValue *value);
gboolean manual_get_property (Manual *manual, guint id, GValue *value);
/* Opens the device; only one that the scene names must be there. */
void manual_open (Manual *manual, OrrerySetup *setup, const char *path, gboolean raw,
                  DeviceFunc func, gpointer user_data, GError **error);
/* Moves the robot; says once that it is to stand still, then nothing, so that others may. */
void manual_move (Manual *manual, OrreryComponent *component, OrreryTick *tick,
                  const OrreryVec3 *linear, const OrreryVec3 *angular);

G_END_DECLS
