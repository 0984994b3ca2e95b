/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `spawnables`: objects that are made with the scene, and wait outside of the world. */
#include "scene/orrery-scene-private.h"

#include "text/orrery-node-private.h"
#include "world/orrery-world-private.h"

/* A few lines of a file must not fill the memory. */
#define MAX_OBJECTS 100000

/* The object of the table with another name. Returns: borrowed; the scene owns it */
static OrreryNode *
make_slot (OrreryScene *scene, OrreryNode *object, const char *name)
{
  OrreryNode *node = orrery_node_new_at (ORRERY_NODE_DICT, object);

  g_ptr_array_add (scene->nodes, node);
  for (guint i = 0; i < orrery_node_get_length (object); i++) {
    OrreryNode *item = orrery_node_get_item (object, i);
    gboolean is_name = g_str_equal (orrery_node_get_key (object, i), "name");

    orrery_node_add_pair (node, object, i,
                          is_name ? orrery_node_new_text_at (name, item) : orrery_node_ref (item));
  }
  return node;
}

static gboolean
is_known (GArray *spawnables, const char *name)
{
  for (guint i = 0; i < spawnables->len; i++)
    if (g_str_equal (g_array_index (spawnables, OrrerySpawnable, i).name, name))
      return TRUE;
  return FALSE;
}

static void
clear_spawnable (gpointer data)
{
  OrrerySpawnable *spawnable = data;

  g_clear_pointer (&spawnable->name, g_free);
  g_clear_pointer (&spawnable->objects, g_ptr_array_unref);
}

/* Several objects with the same mistake are told once. */
static gboolean
add_slots (OrreryScene *scene, const OrrerySpawnableKeys *keys, OrrerySpawnable *spawnable)
{
  guint first = orrery_world_get_n_objects (scene->world);

  for (guint i = 0; i < keys->count; i++) {
    g_autofree char *name = g_strdup_printf ("%s_%u", spawnable->name, i + 1);
    guint before = scene->problems->n;
    OrreryObject *object;

    orrery_scene_add_object (scene, make_slot (scene, keys->object, name), NULL);
    object = orrery_world_find_object (scene->world, name);
    if (object == NULL || scene->problems->n > before)
      return FALSE;
    g_ptr_array_add (spawnable->objects, object);
    if (orrery_world_get_n_objects (scene->world) - first > MAX_OBJECTS)
      return orrery_keys_refuse (scene->problems, keys->object,
                                 "'%s' times %u are more than %d objects", spawnable->name,
                                 keys->count, MAX_OBJECTS);
  }
  return TRUE;
}

static void
make_list (OrreryScene *scene)
{
  if (scene->spawnables != NULL)
    return;
  scene->spawnables = g_array_new (FALSE, FALSE, sizeof (OrrerySpawnable));
  g_array_set_clear_func (scene->spawnables, clear_spawnable);
}

void
orrery_scene_add_spawnable (OrreryScene *scene, OrreryNode *node)
{
  OrrerySpawnable spawnable = { .place = node };
  OrrerySpawnableKeys keys;
  OrreryObjectKeys object;

  if (!orrery_keys_read (scene->problems, node, &orrery_spawnable_keys, &keys) ||
      !orrery_keys_read (scene->problems, keys.object, &orrery_object_keys, &object))
    return;
  make_list (scene);
  if (is_known (scene->spawnables, orrery_node_get_text (object.name))) {
    orrery_keys_refuse (scene->problems, object.name,
                        "two spawnables are named '%s'; give one another name",
                        orrery_node_get_text (object.name));
    return;
  }
  spawnable.name = g_strdup (orrery_node_get_text (object.name));
  spawnable.objects = g_ptr_array_new ();
  if (add_slots (scene, &keys, &spawnable))
    g_array_append_val (scene->spawnables, spawnable);
  else
    clear_spawnable (&spawnable);
}

void
orrery_scene_add_spawnables (OrreryScene *scene)
{
  OrreryNode *list = scene->keys.spawnables;

  if (list == NULL)
    return;
  make_list (scene);
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_keys_get_item (scene->problems, list, i, &orrery_spawnable_keys);

    if (item != NULL)
      orrery_scene_add_spawnable (scene, item);
  }
}

/* --- what cannot be spawned yet --- */

static gboolean
is_within (OrreryObject *object, OrreryObject *root)
{
  while (object != NULL && object != root)
    object = object->parent;
  return object != NULL;
}

/* Which bodies do not touch each other is said once for all; a joint that follows another one comes
 * and goes with it. */
static gboolean
holds (GArray *constraints, OrreryObject *root)
{
  for (guint i = 0; constraints != NULL && i < constraints->len; i++) {
    const OrreryConstraint *one = &g_array_index (constraints, OrreryConstraint, i);

    if (one->kind != ORRERY_CONSTRAINT_EXCLUDE &&
        (one->kind != ORRERY_CONSTRAINT_COUPLING || !is_within (one->other, root)))
      return TRUE;
  }
  return FALSE;
}

/* Returns: (nullable): what an object or something below it is or has */
static const char *
find_obstacle (OrreryObject *object, OrreryObject *root)
{
  if (holds (object->constraints, root))
    return "a constraint";
  for (guint i = 0; i < object->children->len; i++) {
    const char *obstacle = find_obstacle (object->children->pdata[i], root);

    if (obstacle != NULL)
      return obstacle;
  }
  return NULL;
}

static gboolean
has_script (OrreryScene *scene, OrreryObject *root)
{
  GArray *places = scene->scripts.places;

  for (guint i = 0; i < places->len; i++) {
    OrreryObject *object = g_array_index (places, OrreryScriptPlace, i).object;

    if (object != NULL && is_within (object, root))
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_placement (OrreryScene *scene, OrreryObject *root)
{
  for (guint i = 0; i < scene->members->len; i++) {
    const OrreryMember *member = &g_array_index (scene->members, OrreryMember, i);

    if (is_within (member->object, root) &&
        !g_str_equal (orrery_keys_text (member->keys.placement, "host"), "host"))
      return TRUE;
  }
  return FALSE;
}

/* All objects of a spawnable are alike. */
static void
check_spawnable (OrreryScene *scene, const OrrerySpawnable *spawnable)
{
  OrreryObject *root = spawnable->objects->pdata[0];
  const char *obstacle = find_obstacle (root, root);

  if (obstacle == NULL && has_script (scene, root))
    obstacle = "a script";
  if (obstacle == NULL && has_placement (scene, root))
    obstacle = "a component in a worker";
  if (root->joint != NULL)
    orrery_keys_refuse (scene->problems, spawnable->place,
                        "'%s' cannot be spawned: its own joint holds it to the world; make it a "
                        "part of an object without one",
                        spawnable->name);
  if (obstacle != NULL)
    orrery_keys_refuse (scene->problems, spawnable->place,
                        "'%s' cannot be spawned: it, or something below it, has %s",
                        spawnable->name, obstacle);
}

void
orrery_scene_pool_spawnable (OrreryScene *scene, guint i)
{
  const OrrerySpawnable *spawnable = &g_array_index (scene->spawnables, OrrerySpawnable, i);

  check_spawnable (scene, spawnable);
  for (guint k = 0; k < spawnable->objects->len; k++)
    orrery_world_pool (scene->world, spawnable->objects->pdata[k]);
}

void
orrery_scene_pool_spawnables (OrreryScene *scene)
{
  for (guint i = 0; scene->spawnables != NULL && i < scene->spawnables->len; i++)
    orrery_scene_pool_spawnable (scene, i);
}
