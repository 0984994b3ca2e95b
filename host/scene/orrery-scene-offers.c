/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The key `interfaces` of an object: the managers that publish components of an imported file below
 * it. The author of the scene could not name these components; each becomes entries of two tables
 * of a component_config.
 */
#include "scene/orrery-scene-private.h"

#include "registry/orrery-classpath-private.h"
#include "text/orrery-node-private.h"

/* --- the key --- */

static void
check_role (OrreryScene *scene, OrreryNode *place, OrreryRole role)
{
  g_autoptr (GError) error = NULL;
  const OrreryClass *klass;

  if (place == NULL)
    return;
  if (orrery_node_get_kind (place) != ORRERY_NODE_TEXT) {
    orrery_keys_refuse (scene->problems, place, "a class is given by its classpath, not by %s",
                        orrery_node_get_kind_name (place));
    return;
  }
  klass = orrery_registry_find_class (scene->registry, orrery_node_get_text (place), &error);
  if (klass == NULL)
    orrery_keys_take_error (scene->problems, place, g_steal_pointer (&error));
  else if (klass->desc->role != role)
    orrery_keys_refuse (scene->problems, place, "%s has the role %s; wanted is a %s",
                        klass->classpath, orrery_role_get_name (klass->desc->role),
                        orrery_role_get_name (role));
}

static gboolean
check_key (OrreryScene *scene, OrreryNode *codecs, guint i)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *classpath = orrery_classpath_read (orrery_node_get_key (codecs, i), &error);

  if (classpath == NULL)
    orrery_problems_take (scene->problems,
                          orrery_node_key_error (codecs, i, error->code, "%s", error->message));
  return classpath != NULL;
}

static gboolean
check_interface (OrreryScene *scene, OrreryNode *item)
{
  guint before = scene->problems->n;
  OrreryInterfaceKeys keys;

  orrery_keys_read (scene->problems, item, &orrery_interface_keys, &keys);
  check_role (scene, keys.streams, ORRERY_ROLE_DATASTREAM_MANAGER);
  check_role (scene, keys.out, ORRERY_ROLE_DATASTREAM);
  check_role (scene, keys.in, ORRERY_ROLE_DATASTREAM);
  check_role (scene, keys.services, ORRERY_ROLE_REQUEST_MANAGER);
  for (guint i = 0; keys.codecs != NULL && i < orrery_node_get_length (keys.codecs); i++)
    if (check_key (scene, keys.codecs, i))
      check_role (scene, orrery_node_get_item (keys.codecs, i), ORRERY_ROLE_DATASTREAM);
  return scene->problems->n == before;
}

void
orrery_scene_read_interfaces (OrreryScene *scene, OrreryNode *list, OrreryObject *object)
{
  gboolean good = list != NULL;

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_keys_get_item (scene->problems, list, i, &orrery_interface_keys);

    good &= item != NULL && check_interface (scene, item);
  }
  if (good)
    g_hash_table_insert (scene->interfaces, object, list);
}

/* --- what it makes of a component --- */

/* Returns NULL if there is none for this class. */
static OrreryNode *
find_codec (OrreryNode *item, const OrreryClass *klass)
{
  OrreryNode *codecs = orrery_node_find (item, "codecs");

  for (guint i = 0; codecs != NULL && i < orrery_node_get_length (codecs); i++) {
    g_autofree char *classpath = orrery_classpath_read (orrery_node_get_key (codecs, i), NULL);

    if (g_strcmp0 (classpath, klass->classpath) == 0)
      return orrery_node_get_item (codecs, i);
  }
  return orrery_node_find (item, klass->desc->role == ORRERY_ROLE_ACTUATOR ? "in" : "out");
}

/* Of two entries for the same manager, that of the nearer object applies. */
static void
offer_stream (GPtrArray *managers, OrreryNode *item, const OrreryClass *klass, OrreryNode *entries)
{
  OrreryNode *manager = orrery_node_find (item, "streams");
  OrreryNode *codec = manager != NULL ? find_codec (item, klass) : NULL;
  const char *name = orrery_keys_text (manager, NULL);
  OrreryNode *entry;

  if (codec == NULL || g_ptr_array_find_with_equal_func (managers, name, g_str_equal, NULL))
    return;
  g_ptr_array_add (managers, (gpointer) name);
  entry = orrery_node_new_at (ORRERY_NODE_LIST, manager);
  orrery_node_append (entry, orrery_node_ref (manager));
  orrery_node_append (entry, orrery_node_ref (codec));
  orrery_node_append (entries, entry);
}

static void
enter (OrreryScene *scene, OrreryNode **table, OrreryObject *object, OrreryNode *entries)
{
  if (orrery_node_get_length (entries) > 0)
    orrery_scene_enter (scene, table, object, orrery_node_ref (entries));
}

void
orrery_scene_offer (OrreryScene *scene, OrreryObject *object, const OrreryClass *klass)
{
  g_autoptr (GPtrArray) managers = g_ptr_array_new ();
  g_autoptr (OrreryNode) streams = orrery_node_new_at (ORRERY_NODE_LIST, scene->root);
  g_autoptr (OrreryNode) services = orrery_node_new_at (ORRERY_NODE_LIST, scene->root);

  for (OrreryObject *above = object; above != NULL; above = orrery_object_get_parent (above)) {
    OrreryNode *list = g_hash_table_lookup (scene->interfaces, above);

    for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
      OrreryNode *item = orrery_node_get_item (list, i);
      OrreryNode *manager = orrery_node_find (item, "services");

      if (manager != NULL)
        orrery_node_append (services, orrery_node_ref (manager));
      offer_stream (managers, item, klass, streams);
    }
  }
  enter (scene, &scene->imported.streams, object, streams);
  enter (scene, &scene->imported.services, object, services);
}
