/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the poses of objects, as /orrery/poses has them. */
#include "compare.h"

#include <math.h>
#include <string.h>

/* Objects whose poses are compared; a message with others is one like any other. */
#define MAX_OBJECTS 65536

void
compare_object_free (gpointer data)
{
  CompareObject *object = data;

  g_free (object->name);
  g_free (object->parent[0]);
  g_free (object->parent[1]);
  g_free (object);
}

/* --- messages --- */

static OrreryNode *
find_member (OrreryNode *node, const char *key, OrreryNodeKind kind)
{
  OrreryNode *found = node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_DICT
                          ? orrery_node_find (node, key)
                          : NULL;

  return found != NULL && orrery_node_get_kind (found) == kind ? found : NULL;
}

static gboolean
read_numbers (OrreryNode *node, const char *const *keys, double *const *values)
{
  for (guint i = 0; keys[i] != NULL; i++) {
    OrreryNode *integer = find_member (node, keys[i], ORRERY_NODE_INT);
    OrreryNode *number = find_member (node, keys[i], ORRERY_NODE_DOUBLE);

    if (integer == NULL && number == NULL)
      return FALSE;
    *values[i] =
        number != NULL ? orrery_node_get_double (number) : (double) orrery_node_get_int (integer);
  }
  return TRUE;
}

static gboolean
read_pose (OrreryNode *node, OrreryTransform *pose)
{
  static const char *const names[] = { "x", "y", "z", "w", NULL };
  static const char *const axes[] = { "x", "y", "z", NULL };
  OrreryVec3 *position = &pose->position;
  OrreryQuat *rotation = &pose->rotation;
  double *const places[] = { &position->x, &position->y, &position->z };
  double *const turns[] = { &rotation->x, &rotation->y, &rotation->z, &rotation->w };

  return read_numbers (find_member (node, "translation", ORRERY_NODE_DICT), axes, places) &&
         read_numbers (find_member (node, "rotation", ORRERY_NODE_DICT), names, turns) &&
         orrery_transform_is_finite (pose);
}

static gboolean
is_transform (OrreryNode *node)
{
  OrreryTransform pose;

  return find_member (node, "child_frame_id", ORRERY_NODE_TEXT) != NULL &&
         find_member (node, "parent_frame_id", ORRERY_NODE_TEXT) != NULL && read_pose (node, &pose);
}

/* Returns: (nullable): NULL if it has another form */
static OrreryNode *
find_transforms (OrreryNode *message)
{
  OrreryNode *list = find_member (message, "transforms", ORRERY_NODE_LIST);

  if (list == NULL || orrery_node_get_length (message) != 1)
    return NULL;
  for (guint i = 0; i < orrery_node_get_length (list); i++)
    if (!is_transform (orrery_node_get_item (list, i)))
      return NULL;
  return list;
}

/* --- objects --- */

static CompareObject *
find_object (CompareTopic *topic, const char *name)
{
  CompareObject *object = g_hash_table_lookup (topic->objects, name);

  if (object != NULL)
    return object;
  object = g_new0 (CompareObject, 1);
  object->name = g_strdup (name);
  g_hash_table_insert (topic->objects, object->name, object);
  g_ptr_array_add (topic->object_order, object);
  return object;
}

/* Whether the objects of a message would not be too many. */
static gboolean
has_room (CompareTopic *topic, OrreryNode *list)
{
  guint n = topic->object_order->len;

  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *child =
        find_member (orrery_node_get_item (list, i), "child_frame_id", ORRERY_NODE_TEXT);

    n += g_hash_table_contains (topic->objects, orrery_node_get_text (child)) ? 0 : 1;
  }
  return n <= MAX_OBJECTS;
}

static void
take_transform (Compare *compare, OrreryNode *node, guint which)
{
  OrreryNode *child = find_member (node, "child_frame_id", ORRERY_NODE_TEXT);
  OrreryNode *parent = find_member (node, "parent_frame_id", ORRERY_NODE_TEXT);
  CompareObject *object = find_object (compare->present, orrery_node_get_text (child));

  read_pose (node, &object->pose[which]);
  object->known[which] = TRUE;
  if (g_strcmp0 (object->parent[which], orrery_node_get_text (parent)) != 0) {
    g_free (object->parent[which]);
    object->parent[which] = g_strdup (orrery_node_get_text (parent));
  }
  g_ptr_array_add (compare->moved, object);
}

gboolean
compare_take_poses (Compare *compare, OrreryNode *message, guint which)
{
  OrreryNode *list = find_transforms (message);

  if (list == NULL || !has_room (compare->present, list))
    return FALSE;
  compare->present->has_poses[which] = TRUE;
  for (guint i = 0; i < orrery_node_get_length (list); i++)
    take_transform (compare, orrery_node_get_item (list, i), which);
  return TRUE;
}

/* --- differences --- */

static double
get_distance (const OrreryTransform *a, const OrreryTransform *b)
{
  return hypot (hypot (a->position.x - b->position.x, a->position.y - b->position.y),
                a->position.z - b->position.z);
}

static double
get_quat_distance (const OrreryQuat *a, const OrreryQuat *b, double sign)
{
  return hypot (hypot (a->w - sign * b->w, a->x - sign * b->x),
                hypot (a->y - sign * b->y, a->z - sign * b->z));
}

/* q and -q are one rotation. The distance of unit quaternions is 2 sin (angle / 4): unlike the
 * cosine of their product, it is exact where the angle is small. */
static double
get_angle (const OrreryQuat *a, const OrreryQuat *b)
{
  double distance = MIN (get_quat_distance (a, b, 1), get_quat_distance (a, b, -1));

  return 4 * asin (MIN (distance / 2, 1));
}

typedef struct {
  const char *name;
  double a, b;
} Component;

/* The first difference of a pose is named by the component that differs most. */
static void
note_component (Compare *compare, const CompareObject *object, const Component *components, guint n)
{
  const Component *most = &components[0];
  g_autofree char *name = NULL;

  for (guint i = 1; i < n; i++)
    if (fabs (components[i].a - components[i].b) > fabs (most->a - most->b))
      most = &components[i];
  name = g_strconcat (object->name, ".", most->name, NULL);
  compare_note (compare, name, compare_print_double (most->a), compare_print_double (most->b));
}

static void
note_pose (Compare *compare, CompareObject *object, double distance)
{
  const OrreryTransform *a = &object->pose[0], *b = &object->pose[1];
  const Component position[] = {
    { "translation.x", a->position.x, b->position.x },
    { "translation.y", a->position.y, b->position.y },
    { "translation.z", a->position.z, b->position.z },
  };
  const Component rotation[] = {
    { "rotation.x", a->rotation.x, b->rotation.x },
    { "rotation.y", a->rotation.y, b->rotation.y },
    { "rotation.z", a->rotation.z, b->rotation.z },
    { "rotation.w", a->rotation.w, b->rotation.w },
  };

  object->differs = TRUE;
  if (compare->present->has_first)
    compare->differs = TRUE;
  else if (distance > compare->tolerance)
    note_component (compare, object, position, G_N_ELEMENTS (position));
  else
    note_component (compare, object, rotation, G_N_ELEMENTS (rotation));
}

/* It is in one recording alone. */
static void
note_absence (Compare *compare, CompareObject *object)
{
  char *values[2] = { NULL };

  for (guint i = 0; i < 2; i++)
    if (object->known[i])
      values[i] = compare_print_text ("there");
  object->differs = TRUE;
  compare_note (compare, object->name, values[0], values[1]);
}

static void
note_parents (Compare *compare, CompareObject *object)
{
  g_autofree char *name = g_strconcat (object->name, ".parent_frame_id", NULL);

  object->differs = TRUE;
  compare_note (compare, name, compare_print_text (object->parent[0]),
                compare_print_text (object->parent[1]));
}

static void
compare_object (Compare *compare, CompareObject *object)
{
  double distance, angle;

  if (!object->known[0] || !object->known[1]) {
    note_absence (compare, object);
    return;
  }
  if (strcmp (object->parent[0], object->parent[1]) != 0) {
    note_parents (compare, object);
    return;
  }
  distance = get_distance (&object->pose[0], &object->pose[1]);
  angle = get_angle (&object->pose[0].rotation, &object->pose[1].rotation);
  if (distance > object->distance) {
    object->distance = distance;
    object->time_of_distance = compare->time;
  }
  if (angle > object->angle) {
    object->angle = angle;
    object->time_of_angle = compare->time;
  }
  if (distance > compare->tolerance || angle > compare->tolerance)
    note_pose (compare, object, distance);
}

void
compare_poses (Compare *compare)
{
  for (guint i = 0; i < compare->moved->len; i++)
    compare_object (compare, g_ptr_array_index (compare->moved, i));
}
