/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of actuators that a person drives with. */
#include "manual.h"

GType
manual_get_control_type (const char *name)
{
  static const GEnumValue values[] = {
    { MANUAL_VELOCITY, "MANUAL_VELOCITY", "Velocity" },
    { MANUAL_POSITION, "MANUAL_POSITION", "Position" },
    { MANUAL_DIFFERENTIAL, "MANUAL_DIFFERENTIAL", "Differential" },
    { 0, NULL, NULL },
  };

  GType type = g_type_from_name (name);

  return type != 0 ? type : g_enum_register_static (name, values);
}

void
manual_class_init (OrreryPartClass *klass, gssize place, GType (*get_control_type) (void),
                   ManualControl control, const char *device_words)
{
  const OrreryProperty properties[] = {
    ORRERY_PROPERTY_ENUM (Manual, control, "ControlType", get_control_type, control,
                          "How the robot is moved"),
    ORRERY_PROPERTY_DOUBLE (Manual, speed, "Speed", 0, 1e6, 1,
                            "Speed of one key, or at the end of a stick: m/s, rad/s"),
    ORRERY_PROPERTY_STRING (Manual, path, "Device", NULL, device_words,
                            .flags = ORRERY_PROPERTY_AT_START),
  };

  orrery_part_class_add_properties (klass, properties, G_N_ELEMENTS (properties), place);
}

void
manual_open (Manual *manual, OrrerySetup *setup, const char *path, gboolean raw, DeviceFunc func,
             gpointer user_data, GError **error)
{
  OrreryComponent *component = orrery_setup_get_component (setup);
  OrreryComponent *robot = orrery_component_get_robot (component);
  gboolean named = manual->path != NULL && *manual->path != '\0';
  g_autoptr (GError) local = NULL;

  g_clear_pointer (&manual->device, device_close);
  manual->moved = FALSE;
  manual->linear = manual->angular = (OrreryVec3){ 0 };
  if (manual->control == MANUAL_DIFFERENTIAL && !orrery_robot_has_wheels (ORRERY_ROBOT (robot))) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "ControlType: Differential is for robots with wheels, and %s has none",
                      orrery_part_get_classpath (ORRERY_PART (robot)));
    return;
  }
  if (manual->control == MANUAL_DIFFERENTIAL)
    orrery_setup_add_command (setup, orrery_component_get_object (robot), ORRERY_COMMAND_WHEEL);
  else
    orrery_robot_declare_speed (ORRERY_ROBOT (robot), setup,
                                manual->control == MANUAL_POSITION ? ORRERY_CONTROL_POSITION
                                                                   : ORRERY_CONTROL_VELOCITY);
  if (orrery_setup_is_offline (setup))
    return;
  manual->device = device_open (named ? manual->path : path, raw, func, user_data, &local);
  if (manual->device == NULL && named)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (manual->device == NULL)
    orrery_part_message (component, "nobody drives: %s", local->message);
}

/* How the axes are written in a recording: six numbers of 16 bits, the low byte first. */
static void
write_axes (const gint16 axes[MANUAL_AXES], guint8 bytes[2 * MANUAL_AXES])
{
  for (guint i = 0; i < MANUAL_AXES; i++) {
    bytes[2 * i] = (guint8) ((guint16) axes[i] & 0xff);
    bytes[2 * i + 1] = (guint8) ((guint16) axes[i] >> 8);
  }
}

static double
read_axis (const guint8 *bytes, guint axis)
{
  return (gint16) (guint16) (bytes[2 * axis] | bytes[2 * axis + 1] << 8);
}

static gboolean
have_changed (const Manual *manual, const gint16 axes[MANUAL_AXES])
{
  return axes[0] != manual->linear.x || axes[1] != manual->linear.y ||
         axes[2] != manual->linear.z || axes[3] != manual->angular.x ||
         axes[4] != manual->angular.y || axes[5] != manual->angular.z;
}

void
manual_take (Manual *manual, OrreryComponent *component, OrreryTick *tick,
             const gint16 axes[MANUAL_AXES])
{
  guint8 bytes[2 * MANUAL_AXES];
  gboolean changed = manual->device != NULL && have_changed (manual, axes);
  const guint8 *taken;
  gsize size;

  write_axes (axes, bytes);
  taken = orrery_part_take_input (ORRERY_PART (component), tick, bytes, changed ? sizeof bytes : 0,
                                  &size);
  if (size != sizeof bytes)
    return;
  manual->linear = (OrreryVec3){ read_axis (taken, 0), read_axis (taken, 1), read_axis (taken, 2) };
  manual->angular =
      (OrreryVec3){ read_axis (taken, 3), read_axis (taken, 4), read_axis (taken, 5) };
}

static gboolean
is_zero (const OrreryVec3 *v)
{
  return v->x == 0 && v->y == 0 && v->z == 0;
}

void
manual_move (Manual *manual, OrreryComponent *component, OrreryTick *tick, const OrreryVec3 *linear,
             const OrreryVec3 *angular)
{
  OrreryRobot *robot = ORRERY_ROBOT (orrery_component_get_robot (component));
  double period = orrery_component_get_period (component);
  gboolean moves = !is_zero (linear) || !is_zero (angular);
  /* As users of MORSE know it. */
  OrreryVec3 halved = { angular->x, angular->y, angular->z / 2 };

  if (!moves && !manual->moved)
    return;
  manual->moved = moves;
  if (manual->control == MANUAL_DIFFERENTIAL)
    orrery_robot_drive_wheels (robot, tick, linear->x, angular->z);
  else
    orrery_robot_apply_speed (robot, tick,
                              manual->control == MANUAL_POSITION ? ORRERY_CONTROL_POSITION
                                                                 : ORRERY_CONTROL_VELOCITY,
                              linear, &halved, period);
}
