/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives the robot from a terminal. */
#include "manual.h"

#include <string.h>

/* A terminal tells of keys that are pressed, and of held ones again and again; never of a release:
 * us, that a key counts as held. */
#define HELD (300 * 1000)

/* What the keys move: along x, y, z, about x, y, z; each up and down. */
enum { N_AXES = MANUAL_AXES, N_KEYS = 2 * N_AXES };

/*
 * Drives the robot from a terminal: arrows ahead, back, left, right; t g up and down; u o left and
 * right; j l roll, i k pitch.
 */
typedef struct {
  OrreryActuator parent_instance;
  Manual manual;
  gssize held[N_KEYS]; /* us of the monotonic clock; atomic */
  guint escape;        /* of the thread: how much of ESC [ was read */
} OrreryKeyboard;
ORRERY_DEFINE_CLASS (OrreryKeyboard, orrery_keyboard, OrreryActuator, orrery_actuator)

static const OrreryField states[] = { MANUAL_STATES (OrreryKeyboard) };

static int
find_key (guint8 key, gboolean escaped)
{
  /* Pairs of up and down for each axis. */
  static const char plain[] = "\1\1uotglj"
                              "ik\1\1";

  if (escaped) {
    static const char arrows[] = "AB\1\1\1\1\1\1\1\1DC";
    const char *found = memchr (arrows, key, N_KEYS);

    return key != '\1' && found != NULL ? (int) (found - arrows) : -1;
  }
  for (int i = 0; i < N_KEYS; i++)
    if (key != '\1' && plain[i] == g_ascii_tolower ((char) key))
      return i;
  return -1;
}

static void
take_bytes (const guint8 *bytes, gsize n, gpointer user_data)
{
  OrreryKeyboard *self = user_data;

  for (gsize i = 0; i < n; i++) {
    gboolean escaped = self->escape == 2;
    int key;

    if (bytes[i] == 0x1b || (self->escape == 1 && (bytes[i] == '[' || bytes[i] == 'O'))) {
      self->escape = bytes[i] == 0x1b ? 1 : 2;
      continue;
    }
    self->escape = 0;
    key = find_key (bytes[i], escaped);
    if (key >= 0)
      g_atomic_pointer_set (&self->held[key], (gssize) (g_get_monotonic_time () + HELD));
  }
}

static gint16
get_axis (OrreryKeyboard *self, guint axis, gint64 now)
{
  gssize up = g_atomic_pointer_get (&self->held[2 * axis]);
  gssize down = g_atomic_pointer_get (&self->held[2 * axis + 1]);

  return (gint16) ((up > now) - (down > now));
}

static void
orrery_keyboard_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                     GError **error)
{
  OrreryKeyboard *self = (OrreryKeyboard *) actuator;
  double speed = self->manual.speed;
  gint64 now = g_get_monotonic_time ();
  gint16 axes[N_AXES];
  OrreryVec3 linear, angular;

  for (guint i = 0; i < N_AXES; i++)
    axes[i] = get_axis (self, i, now);
  manual_take (&self->manual, ORRERY_COMPONENT (actuator), tick, axes);
  linear = orrery_vec3_scale (&self->manual.linear, speed);
  angular = orrery_vec3_scale (&self->manual.angular, speed);
  manual_move (&self->manual, ORRERY_COMPONENT (actuator), tick, &linear, &angular);
}

static void
orrery_keyboard_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryKeyboard *self = (OrreryKeyboard *) part;

  manual_open (&self->manual, setup, "/dev/tty", TRUE, take_bytes, self, error);
}

static GType
get_control_type (void)
{
  return manual_get_control_type ("OrreryKeyboardControl");
}

static void
orrery_keyboard_class_init (OrreryKeyboardClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_keyboard_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_keyboard_act;
  manual_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryKeyboard, manual), get_control_type,
                     MANUAL_POSITION, "Terminal to read; that of the program if not given");
  ORRERY_CLASS_SET_STATE (klass, OrreryKeyboard, states);
  ORRERY_CLASS_OWNS (klass, OrreryKeyboard, manual.device, device_close);
}

ORRERY_PLUGIN ("Drives the robot from a terminal", "BSD-3-Clause",
               ORRERY_CLASS (Keyboard, OrreryKeyboard, orrery_keyboard))
