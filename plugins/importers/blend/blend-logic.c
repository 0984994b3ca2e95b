/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns logic bricks that need no Python into scripts and properties of an object. */
#include "blend-logic.h"

#include <math.h>

#define MAX_BRICKS 200

/* bSensor.type, bController.type, bActuator.type */
#define SENSOR_ALWAYS 0
#define SENSOR_PROPERTY 4
#define SENSOR_COLLISION 6
#define SENSOR_RADAR 7
#define CONTROLLER_AND 0
#define CONTROLLER_OR 1
#define ACTUATOR_MOTION 0
/* bObjectActuator.flag: of forces and torques first, then what is read here */
#define MOTION_LOCAL_MOVE (1 << 2)
#define MOTION_LOCAL_TURN (1 << 3)

/* --- whether a motion is always on --- */

/* Whether a property has the value that the brick asks for, as saved in the file. */
static gboolean
is_met (const BlendObject *self, const BlendStruct *sensor)
{
  BlendStruct data;
  g_autofree char *name = NULL;
  g_autofree char *wanted = NULL;
  GVariant *value;

  if (blend_struct_get_int (sensor, "type") == SENSOR_ALWAYS)
    return TRUE;
  if (blend_struct_get_int (sensor, "type") != SENSOR_PROPERTY ||
      !blend_struct_follow (sensor, "data", &data) || blend_struct_get_int (&data, "type") != 0)
    return FALSE;
  name = blend_struct_get_text (&data, "name");
  wanted = blend_struct_get_text (&data, "value");
  value = orrery_object_get_value (self->out, name);
  if (value == NULL || !g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return FALSE;
  return g_variant_get_boolean (value) == (g_ascii_strcasecmp (wanted, "true") == 0);
}

static gboolean
is_linked (const BlendStruct *from, guint i, gconstpointer to)
{
  BlendStruct linked;

  return blend_struct_follow_list (from, "links", i, &linked) &&
         blend_struct_get_key (&linked) == to;
}

static gboolean
has_link (const BlendStruct *from, gconstpointer to)
{
  gint64 n = CLAMP (blend_struct_get_int (from, "totlinks"), 0, MAX_BRICKS);

  for (guint i = 0; i < (guint) n; i++)
    if (is_linked (from, i, to))
      return TRUE;
  return FALSE;
}

/* All sensors that lead to the controller, or one of them, are on from the start. */
static gboolean
is_on (const BlendObject *self, const BlendStruct *controller, GArray *sensors)
{
  gint64 type = blend_struct_get_int (controller, "type");
  guint n = 0, n_met = 0;

  for (guint i = 0; i < sensors->len && i < MAX_BRICKS; i++) {
    const BlendStruct *sensor = &g_array_index (sensors, BlendStruct, i);

    if (!has_link (sensor, blend_struct_get_key (controller)))
      continue;
    n++;
    n_met += is_met (self, sensor) ? 1 : 0;
  }
  return (type == CONTROLLER_AND && n > 0 && n_met == n) || (type == CONTROLLER_OR && n_met > 0);
}

static gboolean
is_always (const BlendObject *self, const BlendStruct *actuator, GArray *sensors,
           GArray *controllers)
{
  for (guint i = 0; i < controllers->len && i < MAX_BRICKS; i++) {
    const BlendStruct *controller = &g_array_index (controllers, BlendStruct, i);

    if (has_link (controller, blend_struct_get_key (actuator)) && is_on (self, controller, sensors))
      return TRUE;
  }
  return FALSE;
}

/* --- what it does --- */

static gboolean
read_vector (const BlendStruct *s, const char *field, double factor, OrreryVec3 *out)
{
  *out = (OrreryVec3){ factor * blend_struct_get_number (s, field, 0),
                       factor * blend_struct_get_number (s, field, 1),
                       factor * blend_struct_get_number (s, field, 2) };
  if (!(fabs (out->x) <= 1e6 && fabs (out->y) <= 1e6 && fabs (out->z) <= 1e6))
    *out = (OrreryVec3){ 0 };
  return out->x != 0 || out->y != 0 || out->z != 0;
}

/* The axes of an object may be mirrored in Blender; ours are not. */
static void
unmirror (const BlendObject *self, OrreryVec3 *v)
{
  double *parts[] = { &v->x, &v->y, &v->z };
  gboolean odd = FALSE;

  for (guint i = 0; i < 3; i++)
    odd ^= blend_struct_get_number (&self->object, "size", i) < 0;
  for (guint i = 0; i < 3; i++)
    if (blend_struct_get_number (&self->object, "size", i) < 0 && !(odd && i == 2))
      *parts[i] = -*parts[i];
}

static void
insert_vector (GVariantDict *values, const char *prefix, const OrreryVec3 *v)
{
  const double numbers[] = { v->x, v->y, v->z };

  for (guint i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf ("%s%c", prefix, (char) ('x' + i));

    g_variant_dict_insert (values, name, "d", numbers[i]);
  }
}

/* FALSE: the brick does nothing that is known. */
static gboolean
add_motion (const BlendObject *self, const BlendStruct *actuator, OrreryImport *import, double rate)
{
  GVariantDict values;
  BlendStruct data;
  OrreryVec3 move, turn;
  gint64 flag;
  gboolean moves, turns;

  if (blend_struct_get_int (actuator, "type") != ACTUATOR_MOTION ||
      !blend_struct_follow (actuator, "data", &data))
    return FALSE;
  flag = blend_struct_get_int (&data, "flag");
  moves = read_vector (&data, "dloc", rate, &move);
  turns = read_vector (&data, "drot", rate, &turn);
  if (!moves && !turns)
    return FALSE;
  if ((flag & MOTION_LOCAL_MOVE) != 0)
    unmirror (self, &move);
  if ((flag & MOTION_LOCAL_TURN) != 0)
    unmirror (self, &turn);
  g_variant_dict_init (&values, NULL);
  insert_vector (&values, "v", &move);
  insert_vector (&values, "w", &turn);
  g_variant_dict_insert (&values, "local_v", "b", (flag & MOTION_LOCAL_MOVE) != 0);
  g_variant_dict_insert (&values, "local_w", "b", (flag & MOTION_LOCAL_TURN) != 0);
  orrery_import_add_script (import, self->out, "orrery.scripts.motion.Motion",
                            g_variant_dict_end (&values));
  return TRUE;
}

static void
set_number (const BlendObject *self, const BlendStruct *data, const char *field, const char *name)
{
  double value = blend_struct_get_number (data, field, 0);

  if (value >= 0 && value <= 1e6)
    orrery_object_set_value (self->out, name, g_variant_new_double (value));
}

/* FALSE: the brick does nothing that is known. */
static gboolean
read_sensor (const BlendObject *self, const BlendStruct *sensor)
{
  gint64 type = blend_struct_get_int (sensor, "type");
  BlendStruct data;

  if (type == SENSOR_ALWAYS || type == SENSOR_PROPERTY)
    return TRUE;
  if (!blend_struct_follow (sensor, "data", &data))
    return FALSE;
  if (type == SENSOR_COLLISION) {
    g_autofree char *name = blend_struct_get_text (&data, "name");

    if (*name != '\0')
      orrery_object_set_value (self->out, "only_objects_with_property",
                               g_variant_new_string (name));
    return TRUE;
  }
  if (type != SENSOR_RADAR)
    return FALSE;
  set_number (self, &data, "angle", "Angle");
  set_number (self, &data, "range", "Distance");
  return TRUE;
}

guint
blend_logic_read (const BlendObject *self, OrreryImport *import, double rate)
{
  g_autoptr (GArray) sensors = blend_struct_get_list (&self->object, "sensors");
  g_autoptr (GArray) controllers = blend_struct_get_list (&self->object, "controllers");
  g_autoptr (GArray) actuators = blend_struct_get_list (&self->object, "actuators");
  guint n_left = 0;
  gboolean moves = FALSE;

  for (guint i = 0; i < sensors->len && i < MAX_BRICKS; i++)
    n_left += read_sensor (self, &g_array_index (sensors, BlendStruct, i)) ? 0 : 1;
  for (guint i = 0; i < actuators->len && i < MAX_BRICKS; i++) {
    const BlendStruct *actuator = &g_array_index (actuators, BlendStruct, i);

    if (!moves && is_always (self, actuator, sensors, controllers) &&
        add_motion (self, actuator, import, rate))
      moves = TRUE;
    else
      n_left++;
  }
  return n_left;
}
