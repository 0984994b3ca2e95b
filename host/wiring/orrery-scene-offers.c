/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include "wiring/orrery-classpath-private.h"

/*
 * The key `interfaces` of an object: where components are offered that a file brings below it.
 * Whoever wrote the scene could not name them; each becomes entries of two tables of a
 * component_config.
 */

static const char *const interface_keys[] = { "streams", "out", "in", "codecs", "services", NULL };

/* --- the key --- */

static gboolean
check_role (OrreryScene *scene, OrreryNode *place, OrreryRole role)
{
  GError *error = NULL;
  const OrreryClass *klass;

  if (place == NULL)
    return TRUE;
  if (orrery_node_get_kind (place) != ORRERY_NODE_TEXT) {
    orrery_problems_take (scene->problems,
                          orrery_node_error (place, ORRERY_ERROR_CONFIG,
                                             "a class is named by its classpath, not by %s",
                                             orrery_node_get_kind_name (place)));
    return FALSE;
  }
  klass = orrery_registry_find_class (scene->registry, orrery_node_get_text (place), &error);
  if (klass == NULL) {
    orrery_problems_take (scene->problems,
                          orrery_node_error (place, error->code, "%s", error->message));
    g_error_free (error);
    return FALSE;
  }
  if (klass->desc->role == role)
    return TRUE;
  orrery_problems_take (scene->problems,
                        orrery_node_error (place, ORRERY_ERROR_CONFIG,
                                           "%s has the role %s; wanted is a %s", klass->classpath,
                                           orrery_role_get_name (klass->desc->role),
                                           orrery_role_get_name (role)));
  return FALSE;
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
  gboolean good = orrery_scene_check_keys (scene->problems, item, interface_keys, "an interface");
  OrreryNode *codecs = orrery_scene_find (scene->problems, item, "codecs", ORRERY_NODE_DICT);

  good &= codecs != NULL || orrery_node_find (item, "codecs") == NULL;
  good &= check_role (scene, orrery_node_find (item, "streams"), ORRERY_ROLE_DATASTREAM_MANAGER);
  good &= check_role (scene, orrery_node_find (item, "out"), ORRERY_ROLE_DATASTREAM);
  good &= check_role (scene, orrery_node_find (item, "in"), ORRERY_ROLE_DATASTREAM);
  good &= check_role (scene, orrery_node_find (item, "services"), ORRERY_ROLE_REQUEST_MANAGER);
  for (guint i = 0; codecs != NULL && i < orrery_node_get_length (codecs); i++)
    good &= check_key (scene, codecs, i) &&
            check_role (scene, orrery_node_get_item (codecs, i), ORRERY_ROLE_DATASTREAM);
  return good;
}

void
orrery_scene_read_interfaces (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  OrreryNode *list = orrery_scene_find (scene->problems, node, "interfaces", ORRERY_NODE_LIST);
  gboolean good = list != NULL;

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_DICT)
      good &= check_interface (scene, item);
    else {
      orrery_problems_take (scene->problems,
                            orrery_node_error (item, ORRERY_ERROR_CONFIG,
                                               "an interface is a dictionary, not %s",
                                               orrery_node_get_kind_name (item)));
      good = FALSE;
    }
  }
  if (good)
    g_hash_table_insert (scene->interfaces, object, list);
}

/* --- what it makes of a component --- */

static const char *
find_text (OrreryNode *node, const char *key)
{
  OrreryNode *found = node != NULL ? orrery_node_find (node, key) : NULL;

  return found != NULL ? orrery_node_get_text (found) : NULL;
}

/* NULL: there is none for this class. */
static const char *
find_codec (OrreryNode *item, const OrreryClass *klass)
{
  OrreryNode *codecs = orrery_node_find (item, "codecs");

  for (guint i = 0; codecs != NULL && i < orrery_node_get_length (codecs); i++) {
    g_autofree char *classpath = orrery_classpath_read (orrery_node_get_key (codecs, i), NULL);

    if (g_strcmp0 (classpath, klass->classpath) == 0)
      return orrery_node_get_text (orrery_node_get_item (codecs, i));
  }
  return find_text (item, klass->desc->role == ORRERY_ROLE_ACTUATOR ? "in" : "out");
}

/* A table of one component, as a component_config has it. */
static void
add_table (OrreryScene *scene, GPtrArray *tables, OrreryObject *object, GVariant *entries)
{
  g_autoptr (GVariant) list = g_variant_ref_sink (entries);
  GVariantDict table;
  OrreryNode *node;

  if (g_variant_n_children (list) == 0)
    return;
  g_variant_dict_init (&table, NULL);
  g_variant_dict_insert_value (&table, orrery_object_get_name (object), list);
  node = orrery_scene_make_node (scene, &table);
  if (node != NULL)
    g_ptr_array_add (tables, node);
}

void
orrery_scene_offer (OrreryScene *scene, OrreryObject *object, const OrreryClass *klass)
{
  g_autoptr (GPtrArray) managers = g_ptr_array_new ();
  GVariantBuilder streams, services;

  g_variant_builder_init (&streams, G_VARIANT_TYPE ("aav"));
  g_variant_builder_init (&services, G_VARIANT_TYPE ("as"));
  for (OrreryObject *above = object; above != NULL; above = orrery_object_get_parent (above)) {
    OrreryNode *list = g_hash_table_lookup (scene->interfaces, above);

    for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
      OrreryNode *item = orrery_node_get_item (list, i);
      const char *manager = find_text (item, "streams");
      const char *codec = manager != NULL ? find_codec (item, klass) : NULL;

      if (find_text (item, "services") != NULL)
        g_variant_builder_add (&services, "s", find_text (item, "services"));
      /* One of the same manager that is nearer goes before. */
      if (codec == NULL || g_ptr_array_find_with_equal_func (managers, manager, g_str_equal, NULL))
        continue;
      g_ptr_array_add (managers, (gpointer) manager);
      g_variant_builder_add (&streams, "@av",
                             g_variant_new_parsed ("[<%s>, <%s>]", manager, codec));
    }
  }
  add_table (scene, scene->imported_streams, object, g_variant_builder_end (&streams));
  add_table (scene, scene->imported_services, object, g_variant_builder_end (&services));
}
