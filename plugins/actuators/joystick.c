/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives the robot with a joystick. */
#include "manual.h"

#include <string.h>

/* The joystick interface of Linux (Documentation/input/joydev/joystick-api.rst). */
typedef struct {
  guint32 time; /* ms */
  gint16 value;
  guint8 type;
  guint8 number;
} JoystickEvent;

#define EVENT_AXIS 0x02
#define EVENT_INIT 0x80
#define STICK_END 32767.0

enum { AXIS_TURN, AXIS_AHEAD, N_AXES };
/* Drives the robot by the first two axes of a joystick: left and right, ahead and back. */
typedef struct {
  OrreryActuator parent_instance;
  Manual manual;
  guint index;
  gint axes[N_AXES];                   /* atomic */
  guint8 rest[sizeof (JoystickEvent)]; /* of the thread: an event that is not whole */
  gsize n_rest;
} OrreryJoystick;
ORRERY_DEFINE_CLASS (OrreryJoystick, orrery_joystick, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_UINT (OrreryJoystick, index, "Index", 0, 7, 0, "Which of the joysticks",
                        .flags = ORRERY_PROPERTY_AT_START),
};

static const OrreryField states[] = { MANUAL_STATES (OrreryJoystick) };

static void
take_event (OrreryJoystick *self)
{
  JoystickEvent event;

  memcpy (&event, self->rest, sizeof event);
  if ((event.type & ~EVENT_INIT) == EVENT_AXIS && event.number < N_AXES)
    g_atomic_int_set (&self->axes[event.number], event.value);
}

static void
take_bytes (const guint8 *bytes, gsize n, gpointer user_data)
{
  OrreryJoystick *self = user_data;

  for (gsize i = 0; i < n; i++) {
    self->rest[self->n_rest++] = bytes[i];
    if (self->n_rest < sizeof self->rest)
      continue;
    take_event (self);
    self->n_rest = 0;
  }
}

static void
orrery_joystick_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                     GError **error)
{
  OrreryJoystick *self = (OrreryJoystick *) actuator;
  double scale = -self->manual.speed / STICK_END;
  const gint16 axes[MANUAL_AXES] = { [0] = (gint16) g_atomic_int_get (&self->axes[AXIS_AHEAD]),
                                     [5] = (gint16) g_atomic_int_get (&self->axes[AXIS_TURN]) };
  OrreryVec3 linear = { 0 }, angular = { 0 };

  manual_take (&self->manual, ORRERY_COMPONENT (actuator), tick, axes);
  /* 0 - 0 is 0, and not -0. */
  linear.x = 0 + scale * self->manual.linear.x;
  angular.z = 0 + scale * self->manual.angular.z;
  manual_move (&self->manual, ORRERY_COMPONENT (actuator), tick, &linear, &angular);
}

static void
orrery_joystick_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryJoystick *self = (OrreryJoystick *) part;
  g_autofree char *path = g_strdup_printf ("/dev/input/js%u", self->index);

  manual_open (&self->manual, setup, path, FALSE, take_bytes, self, error);
}

static GType
get_control_type (void)
{
  return manual_get_control_type ("OrreryJoystickControl");
}

static void
orrery_joystick_class_init (OrreryJoystickClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_joystick_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_joystick_act;
  manual_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryJoystick, manual), get_control_type,
                     MANUAL_VELOCITY, "Device to read; /dev/input/js and Index if not given");
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryJoystick, states);
  ORRERY_CLASS_OWNS (klass, OrreryJoystick, manual.device, device_close);
}

ORRERY_PLUGIN ("Drives the robot by a joystick", "BSD-3-Clause",
               ORRERY_CLASS (Joystick, OrreryJoystick, orrery_joystick))
