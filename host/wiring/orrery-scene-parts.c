/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include "base/orrery-message.h"
#include "roles/orrery-importer-private.h"

#include <string.h>

/* What a file that is imported has besides objects: components and scripts. */

#define ROBOT "orrery.core.robot.Robot"

/* --- as the scene would have it --- */

static GVariant *
make_vector (const OrreryVec3 *v)
{
  const double numbers[] = { v->x, v->y, v->z };

  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, 3, sizeof (double));
}

OrreryNode *
orrery_scene_make_node (OrreryScene *scene, GVariantDict *values)
{
  g_autoptr (GVariant) dict = g_variant_ref_sink (g_variant_dict_end (values));
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GError) error = NULL;
  const char *text;
  OrreryNode *node;
  gsize length;

  orrery_writer_append_json_variant (writer, dict);
  text = orrery_writer_get_data (writer, &length);
  node = orrery_node_parse_json (text, length, "import", &error);
  if (node == NULL) {
    orrery_problems_take (scene->problems, g_steal_pointer (&error));
    return NULL;
  }
  g_ptr_array_add (scene->nodes, node);
  return node;
}

/* --- components --- */

static gboolean
has_child (OrreryObject *object, const char *name)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++)
    if (g_str_equal (orrery_object_get_basename (children->pdata[i]), name))
      return TRUE;
  return FALSE;
}

/* Whether the scene has a part of that name at the same place. */
static gboolean
is_given (OrreryNode *node, const char *name)
{
  OrreryNode *list = node != NULL ? orrery_node_find (node, "objects") : NULL;

  if (list == NULL || orrery_node_get_kind (list) != ORRERY_NODE_LIST)
    return FALSE;
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    OrreryNode *given =
        orrery_node_get_kind (item) == ORRERY_NODE_DICT ? orrery_node_find (item, "name") : NULL;

    if (given != NULL && orrery_node_get_kind (given) == ORRERY_NODE_TEXT &&
        g_str_equal (orrery_node_get_text (given), name))
      return TRUE;
  }
  return FALSE;
}

/* Names of the file may be anything: dots part names, and siblings differ. */
static char *
choose_name (OrreryNode *node, const OrreryImportPart *part)
{
  g_autofree char *mended = g_strdup (*part->name != '\0' ? part->name : "part");
  char *name;

  g_strdelimit (mended, ".", '_');
  if (is_given (node, mended))
    return NULL;
  name = g_strdup (mended);
  for (guint i = 2; has_child (part->object, name) || is_given (node, name); i++) {
    g_free (name);
    name = g_strdup_printf ("%s_%u", mended, i);
  }
  return name;
}

static void
require_robot (OrreryScene *scene, OrreryObject *object)
{
  const OrreryClass *klass = orrery_registry_find_class (scene->registry, ROBOT, NULL);
  GVariantDict values;
  OrreryNode *node;

  while (orrery_object_get_parent (object) != NULL)
    object = orrery_object_get_parent (object);
  for (guint i = 0; i < scene->placements->len; i++)
    if (g_array_index (scene->placements, OrreryPlacement, i).object == object)
      return;
  g_variant_dict_init (&values, NULL);
  node = orrery_scene_make_node (scene, &values);
  if (klass != NULL && node != NULL && !g_hash_table_contains (scene->refused, object))
    orrery_scene_place (scene, node, klass, object);
}

/* As a table of modifiers of a component_config has them. */
static void
add_modifiers (OrreryScene *scene, const OrreryImportPart *part, OrreryObject *object)
{
  GVariantBuilder entries;
  GVariantDict table;
  OrreryNode *node;

  g_variant_builder_init (&entries, G_VARIANT_TYPE ("av"));
  for (guint i = 0; i < part->modifiers->len; i++) {
    g_autoptr (GVariant) options = g_variant_get_child_value (part->modifiers->pdata[i], 1);
    const char *classpath;

    g_variant_get_child (part->modifiers->pdata[i], 0, "&s", &classpath);
    g_variant_builder_add (&entries, "v",
                           g_variant_new_parsed ("[<%s>, <'OUT'>, <%@a{sv}>]", classpath, options));
  }
  g_variant_dict_init (&table, NULL);
  g_variant_dict_insert_value (&table, orrery_object_get_name (object),
                               g_variant_builder_end (&entries));
  node = orrery_scene_make_node (scene, &table);
  if (node != NULL)
    g_ptr_array_add (scene->imported_modifiers, node);
}

/* Nobody could name it before the file was read. */
static void
note_component (OrreryScene *scene, const OrreryImportPart *part, OrreryObject *object)
{
  const OrreryClass *klass = orrery_registry_find_class (scene->registry, part->classpath, NULL);

  g_ptr_array_add (scene->imported, object);
  if (part->modifiers != NULL)
    add_modifiers (scene, part, object);
  if (klass != NULL)
    orrery_scene_offer (scene, object, klass);
}

static void
add_component (OrreryScene *scene, const OrreryImportPart *part, OrreryNode *above)
{
  g_autofree char *name = choose_name (above, part);
  GVariantDict values;
  OrreryVec3 rotation;
  OrreryNode *node;
  guint n;

  if (name == NULL)
    return;
  orrery_quat_to_euler (&part->pose.rotation, &rotation.x, &rotation.y, &rotation.z);
  g_variant_dict_init (&values, NULL);
  g_variant_dict_insert (&values, "name", "s", name);
  g_variant_dict_insert (&values, "classpath", "s", part->classpath);
  g_variant_dict_insert_value (&values, "position", make_vector (&part->pose.position));
  g_variant_dict_insert_value (&values, "rotation", make_vector (&rotation));
  if (part->frequency > 0)
    g_variant_dict_insert (&values, "frequency", "d", part->frequency);
  g_variant_dict_insert_value (&values, "properties", part->properties);
  node = orrery_scene_make_node (scene, &values);
  if (node == NULL)
    return;
  require_robot (scene, part->object);
  n = orrery_world_get_n_objects (scene->world);
  orrery_scene_add_object (scene, node, part->object);
  if (orrery_world_get_n_objects (scene->world) > n)
    note_component (scene, part, orrery_world_get_object (scene->world, n));
}

static void
add_script (OrreryScene *scene, const OrreryImportPart *part)
{
  GVariantDict script, values;
  GVariantBuilder list;
  OrreryNode *node;

  g_variant_dict_init (&script, NULL);
  g_variant_dict_insert (&script, "type", "s", "child");
  g_variant_dict_insert (&script, "classpath", "s", part->classpath);
  g_variant_dict_insert_value (&script, "properties", part->properties);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_add_value (&list, g_variant_dict_end (&script));
  g_variant_dict_init (&values, NULL);
  g_variant_dict_insert_value (&values, "scripts", g_variant_builder_end (&list));
  node = orrery_scene_make_node (scene, &values);
  if (node != NULL)
    orrery_scene_read_object_scripts (scene, node, part->object);
}

void
orrery_scene_add_parts (OrreryScene *scene, OrreryImport *import, gboolean components,
                        OrreryNode *node)
{
  GArray *parts = orrery_import_get_parts (import);

  for (guint i = 0; i < parts->len; i++) {
    const OrreryImportPart *part = &g_array_index (parts, OrreryImportPart, i);

    if (part->name == NULL)
      add_script (scene, part);
    else if (components)
      add_component (scene, part, node);
  }
}

/* --- one body of several objects --- */

static gboolean
has_solid (OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_is_solid (shapes->pdata[i]))
      return TRUE;
  for (guint i = 0; i < children->len; i++)
    if (has_solid (children->pdata[i]))
      return TRUE;
  return FALSE;
}

/* As engines have it in a body that moves. */
static OrreryShape *
make_solid (OrreryShape *shape)
{
  OrreryShapeKind kind = orrery_shape_get_kind (shape);
  OrreryShape *made =
      orrery_shape_get_points (shape) != NULL
          ? orrery_shape_new_points (ORRERY_SHAPE_HULL, orrery_shape_get_points (shape), NULL,
                                     orrery_shape_get_pose (shape))
          : orrery_shape_new (kind, orrery_shape_get_size (shape), orrery_shape_get_pose (shape));

  orrery_shape_set_visible (made, FALSE);
  return made;
}

/* A mesh is still seen as it is, and no longer solid; shapes are shared, so it is made anew. */
static OrreryShape *
make_seen (OrreryShape *shape)
{
  OrreryShape *made =
      orrery_shape_new_points (ORRERY_SHAPE_MESH, orrery_shape_get_points (shape),
                               orrery_shape_get_triangles (shape), orrery_shape_get_pose (shape));

  orrery_shape_set_solid (made, FALSE);
  for (guint i = 0; i < orrery_shape_get_n_materials (shape); i++)
    orrery_shape_add_material (made, orrery_shape_get_material (shape, i));
  if (orrery_shape_get_triangle_materials (shape) != NULL)
    orrery_shape_set_triangle_materials (made, orrery_shape_get_triangle_materials (shape));
  if (orrery_shape_get_texture_coordinates (shape) != NULL)
    orrery_shape_set_texture_coordinates (made, orrery_shape_get_texture_coordinates (shape));
  return made;
}

void
orrery_scene_harden_shapes (OrreryObject *object, gboolean all)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  guint n = shapes->len;

  for (guint i = 0; i < n; i++) {
    OrreryShape *shape = shapes->pdata[i];
    gboolean is_mesh = orrery_shape_get_kind (shape) == ORRERY_SHAPE_MESH;
    g_autoptr (OrreryShape) solid = NULL;

    if (orrery_shape_is_solid (shape) ? !is_mesh : !all)
      continue;
    solid = make_solid (shape);
    orrery_object_add_shape (object, solid);
    if (orrery_shape_is_solid (shape)) {
      shapes->pdata[i] = make_seen (shape);
      orrery_shape_unref (shape);
    }
  }
}

/* @all: nothing of it is solid, so that everything is to be. */
static void
harden (OrreryObject *object, gboolean all)
{
  GPtrArray *children = orrery_object_get_children (object);

  orrery_object_get_body (object)->type = ORRERY_BODY_NONE;
  orrery_scene_harden_shapes (object, all);
  for (guint i = 0; i < children->len; i++)
    harden (children->pdata[i], all);
}

void
orrery_scene_gather_body (OrreryObject *object)
{
  OrreryBodyType type = orrery_object_get_body (object)->type;
  GPtrArray *children = orrery_object_get_children (object);
  gboolean all = !has_solid (object);

  if ((type != ORRERY_BODY_RIGID && type != ORRERY_BODY_DYNAMIC) ||
      orrery_object_get_shapes (object)->len > 0)
    return;
  for (guint i = 0; i < children->len; i++)
    if (orrery_object_get_joint (children->pdata[i]) != NULL)
      return;
  for (guint i = 0; i < children->len; i++)
    harden (children->pdata[i], all);
}
