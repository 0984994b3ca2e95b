/* SPDX-License-Identifier: BSD-3-Clause */
/* The hand of a robot: finds, takes and lets go of things. */
#include "hand.h"

#include <math.h>

/* m, where a hand does not say: what make_grasper() sets. */
#define DISTANCE 5.0
/* What can be taken, where a hand does not say. */
#define TAG "Graspable"

/* --- the hand --- */

/* The first below @object that is a grasper, or, where @name is given, that has the name. */
static OrreryObject *
find_below (OrreryObject *object, const char *name)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    OrreryObject *child = children->pdata[i];
    gboolean is_it = name == NULL ? orrery_object_is_set (child, "Grasper")
                                  : g_str_equal (orrery_object_get_basename (child), name);
    OrreryObject *found = is_it ? child : find_below (child, name);

    if (found != NULL)
      return found;
  }
  return NULL;
}

static const char *
get_tag (const Hand *hand)
{
  GVariant *tag = orrery_object_get_value (hand->object, "Tag");

  return tag != NULL && g_variant_is_of_type (tag, G_VARIANT_TYPE_STRING)
             ? g_variant_get_string (tag, NULL)
             : TAG;
}

static double
get_distance (const Hand *hand)
{
  GVariant *value = orrery_object_get_value (hand->object, "Distance");
  double distance = DISTANCE;

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    distance = g_variant_get_double (value);
  else if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    distance = (double) g_variant_get_int64 (value);
  return isfinite (distance) && distance >= 0 ? distance : DISTANCE;
}

static gboolean
is_on (OrreryObject *object, OrreryObject *robot)
{
  while (object != NULL && object != robot)
    object = orrery_object_get_parent (object);
  return object != NULL;
}

/* The world may have got more objects since the last time. */
static void
find_things (Hand *hand)
{
  for (; hand->n_objects < orrery_world_get_n_objects (hand->world); hand->n_objects++) {
    OrreryObject *object = orrery_world_get_object (hand->world, hand->n_objects);

    if (orrery_object_get_parent (object) == NULL && !is_on (object, hand->robot) &&
        orrery_object_get_body (object)->type != ORRERY_BODY_NONE)
      g_ptr_array_add (hand->things, object);
  }
}

void
hand_setup (Hand *hand, OrrerySetup *setup)
{
  OrreryObject *robot = orrery_setup_get_object (setup);

  g_set_object (&hand->world, orrery_setup_get_world (setup));
  hand->held = NULL;
  hand->robot = robot;
  hand->object = find_below (robot, NULL);
  if (hand->object == NULL && *hand->name != '\0')
    hand->object = find_below (robot, hand->name);
  g_clear_pointer (&hand->things, g_ptr_array_unref);
  hand->things = g_ptr_array_new ();
  hand->n_objects = 0;
  find_things (hand);
}

void
hand_clear (Hand *hand)
{
  g_clear_object (&hand->world);
  g_clear_pointer (&hand->things, g_ptr_array_unref);
}

/* --- things --- */

/* m, from the hand to the surface. */
static double
measure (const Hand *hand, OrreryObject *thing)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (hand->world);
  const OrreryVec3 *a =
      &orrery_snapshot_get_pose (snapshot, orrery_object_get_index (hand->object))->position;
  const OrreryVec3 *b =
      &orrery_snapshot_get_pose (snapshot, orrery_object_get_index (thing))->position;

  return fmax (orrery_vec3_distance (a, b) - orrery_object_get_inner_radius (thing), 0);
}

static OrreryObject *
find_nearest (Hand *hand)
{
  OrreryObject *nearest = NULL;
  double least = get_distance (hand);

  find_things (hand);
  for (guint i = 0; i < hand->things->len; i++) {
    OrreryObject *thing = hand->things->pdata[i];
    double distance =
        orrery_object_is_present (thing) && orrery_object_is_set (thing, get_tag (hand))
            ? measure (hand, thing)
            : INFINITY;

    if (distance > least || (nearest != NULL && distance == least))
      continue;
    nearest = thing;
    least = distance;
  }
  return nearest;
}

static OrreryObject *
find_named (Hand *hand, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  find_things (hand);
  for (guint i = 0; i < hand->things->len; i++) {
    OrreryObject *thing = hand->things->pdata[i];

    if (!orrery_object_is_present (thing) || !orrery_object_is_set (thing, get_tag (hand)))
      continue;
    g_ptr_array_add (names, (gpointer) orrery_object_get_name (thing));
    if (!g_str_equal (orrery_object_get_name (thing), name))
      continue;
    if (measure (hand, thing) <= get_distance (hand))
      return thing;
    orrery_set_error (error, ORRERY_ERROR_STATE,
                      "%.60s is out of reach: it is %.3g m from %s, which reaches %g m", name,
                      measure (hand, thing), orrery_object_get_name (hand->object),
                      get_distance (hand));
    return NULL;
  }
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                    "there is nothing called %.60s with the property %.60s%s", name, get_tag (hand),
                    nearest);
  return NULL;
}

/* --- the service --- */

static void
take (Hand *hand, OrreryObject *thing)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (hand->world);
  OrreryTransform pose;

  orrery_transform_relative (orrery_snapshot_get_pose (snapshot,
                                                       orrery_object_get_index (hand->object)),
                             orrery_snapshot_get_pose (snapshot, orrery_object_get_index (thing)),
                             &pose);
  if (orrery_commands_attach (orrery_world_get_commands (hand->world), thing, hand->object, &pose))
    hand->held = thing;
}

static void
let_go (Hand *hand)
{
  if (hand->held != NULL)
    orrery_commands_attach (orrery_world_get_commands (hand->world), hand->held, NULL, NULL);
  hand->held = NULL;
}

/* The text of an argument that may be null; FALSE: it is something else. */
static gboolean
read_name (OrreryCall *call, char **name, GError **error)
{
  g_autoptr (GVariant) value = g_variant_get_variant (orrery_call_get_argument (call, 1));
  g_autofree char *given = NULL;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE))
    return TRUE;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)) {
    *name = g_variant_dup_string (value, NULL);
    return TRUE;
  }
  given = orrery_variant_describe (value);
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "obj_name is %s, not the name of an object or null", given);
}

void
hand_grasp (Hand *hand, OrreryPart *robot, OrreryCall *call, GError **error)
{
  g_autofree char *name = NULL;
  OrreryObject *thing;

  if (!read_name (call, &name, error))
    return;
  if (hand->object == NULL) {
    orrery_set_error (
        error, ORRERY_ERROR_STATE,
        "%s has no hand: no object on it is called '%.60s' (property Hand), and none has "
        "the property Grasper",
        orrery_part_get_name (robot), hand->name != NULL ? hand->name : "");
    return;
  }
  if (!orrery_call_get_bool (call, 0)) {
    let_go (hand);
    return;
  }
  if (hand->held != NULL) {
    if (name != NULL && !g_str_equal (orrery_object_get_name (hand->held), name))
      orrery_set_error (error, ORRERY_ERROR_STATE, "%s already holds %s",
                        orrery_part_get_name (robot), orrery_object_get_name (hand->held));
    return;
  }
  thing = name != NULL ? find_named (hand, name, error) : find_nearest (hand);
  if (thing != NULL)
    take (hand, thing);
}

/* --- state --- */

GVariant *
hand_save (Hand *hand)
{
  return g_variant_new_string (hand->held != NULL ? orrery_object_get_name (hand->held) : "");
}

void
hand_restore (Hand *hand, GVariant *state)
{
  const char *name = g_variant_get_string (state, NULL);

  hand->held = *name != '\0' ? orrery_world_find_object (hand->world, name) : NULL;
}

void
hand_class_init (OrreryPartClass *klass, gssize place)
{
  static const OrreryProperty properties[] = {
    ORRERY_PROPERTY_STRING (Hand, name, "Hand", "",
                            "Object on the robot that grasps, where none has the property Grasper",
                            .flags = ORRERY_PROPERTY_AT_START),
  };

  orrery_part_class_add_properties (klass, properties, G_N_ELEMENTS (properties), place);
  klass->state_type = "s";
}
