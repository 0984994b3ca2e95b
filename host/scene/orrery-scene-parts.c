/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the components and scripts of an imported file to the scene. */
#include "scene/orrery-scene-private.h"

#include "part/orrery-part-private.h"
#include "roles/orrery-importer-private.h"
#include "text/orrery-node-private.h"

#define ROBOT "orrery.core.robot.Robot"

/* --- as nodes of a scene --- */

static OrreryNode *
make_number (double value, OrreryNode *place)
{
  OrreryNode *node = orrery_node_new_at (ORRERY_NODE_DOUBLE, place);

  orrery_node_set_double (node, value);
  return node;
}

static OrreryNode *
make_vector (const OrreryVec3 *v, OrreryNode *place)
{
  OrreryNode *list = orrery_node_new_at (ORRERY_NODE_LIST, place);

  orrery_node_append (list, make_number (v->x, place));
  orrery_node_append (list, make_number (v->y, place));
  orrery_node_append (list, make_number (v->z, place));
  return list;
}

static OrreryNode *make_value (GVariant *any, OrreryNode *place);

/* Of a dictionary, a list or a tuple. */
static OrreryNode *
make_items (GVariant *value, OrreryNode *place)
{
  gboolean is_dict = g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY);
  OrreryNode *node = orrery_node_new_at (is_dict ? ORRERY_NODE_DICT : ORRERY_NODE_LIST, place);

  for (gsize i = 0; i < g_variant_n_children (value); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) key = is_dict ? g_variant_get_child_value (child, 0) : NULL;
    g_autoptr (GVariant) item = is_dict ? g_variant_get_child_value (child, 1) : NULL;

    if (is_dict)
      orrery_node_add_here (node, g_variant_get_string (key, NULL), make_value (item, place));
    else
      orrery_node_append (node, make_value (child, place));
  }
  return node;
}

/* Converts what an importer gives to the form that a scene file would have. */
static OrreryNode *
make_value (GVariant *any, OrreryNode *place)
{
  g_autoptr (GVariant) value = orrery_variant_widen (any);
  g_autoptr (GVariant) inner = NULL;
  OrreryNode *node;

  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_VARIANT:
    inner = g_variant_get_variant (value);
    return make_value (inner, place);
  case G_VARIANT_CLASS_MAYBE:
    inner = g_variant_get_maybe (value);
    return inner != NULL ? make_value (inner, place) : orrery_node_new_at (ORRERY_NODE_NULL, place);
  case G_VARIANT_CLASS_STRING:
    return orrery_node_new_text_at (g_variant_get_string (value, NULL), place);
  case G_VARIANT_CLASS_DOUBLE:
    return make_number (g_variant_get_double (value), place);
  case G_VARIANT_CLASS_INT64:
    node = orrery_node_new_at (ORRERY_NODE_INT, place);
    orrery_node_set_int (node, g_variant_get_int64 (value));
    return node;
  case G_VARIANT_CLASS_BOOLEAN:
    node = orrery_node_new_at (ORRERY_NODE_BOOL, place);
    orrery_node_set_bool (node, g_variant_get_boolean (value));
    return node;
  default:
    return make_items (value, place);
  }
}

/* Returns a dictionary that the scene owns. */
static OrreryNode *
make_dict (OrreryScene *scene, OrreryNode *place)
{
  OrreryNode *dict = orrery_node_new_at (ORRERY_NODE_DICT, place);

  g_ptr_array_add (scene->nodes, dict);
  return dict;
}

void
orrery_scene_enter (OrreryScene *scene, OrreryNode **table, OrreryObject *object,
                    OrreryNode *entries)
{
  if (*table == NULL)
    *table = make_dict (scene, scene->root);
  orrery_node_add_here (*table, orrery_object_get_name (object), entries);
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

/* Names in the file may be anything; here dots separate names, and siblings must have different
 * ones. */
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
require_robot (OrreryScene *scene, OrreryObject *object, OrreryNode *place)
{
  const OrreryClass *klass = orrery_registry_find_class (scene->registry, ROBOT, NULL);
  OrreryObjectKeys keys;

  while (orrery_object_get_parent (object) != NULL)
    object = orrery_object_get_parent (object);
  for (guint i = 0; i < scene->members->len; i++)
    if (g_array_index (scene->members, OrreryMember, i).object == object)
      return;
  orrery_keys_init (&orrery_object_keys, &keys);
  if (klass != NULL && !g_hash_table_contains (scene->refused, object))
    orrery_scene_place (scene, make_dict (scene, place), &keys, klass, object);
}

static void
enter_modifiers (OrreryScene *scene, const OrreryImportPart *part, OrreryObject *object,
                 OrreryNode *place)
{
  OrreryNode *entries = orrery_node_new_at (ORRERY_NODE_LIST, place);

  for (guint i = 0; i < part->modifiers->len; i++) {
    g_autoptr (GVariant) options = g_variant_get_child_value (part->modifiers->pdata[i], 1);
    OrreryNode *entry = orrery_node_new_at (ORRERY_NODE_LIST, place);
    const char *classpath;

    g_variant_get_child (part->modifiers->pdata[i], 0, "&s", &classpath);
    orrery_node_append (entry, orrery_node_new_text_at (classpath, place));
    orrery_node_append (entry, orrery_node_new_text_at ("OUT", place));
    orrery_node_append (entry, make_value (options, place));
    orrery_node_append (entries, entry);
  }
  orrery_scene_enter (scene, &scene->imported.modifiers, object, entries);
}

/* The component could not be named in a config before the file was read. */
static void
note_component (OrreryScene *scene, const OrreryImportPart *part, OrreryObject *object,
                OrreryNode *place)
{
  const OrreryClass *klass = orrery_registry_find_class (scene->registry, part->classpath, NULL);

  g_ptr_array_add (scene->imported_components, object);
  if (part->modifiers != NULL)
    enter_modifiers (scene, part, object, place);
  if (klass != NULL)
    orrery_scene_offer (scene, object, klass);
}

static void
add_component (OrreryScene *scene, const OrreryImportPart *part, OrreryNode *above,
               OrreryNode *place)
{
  g_autofree char *name = choose_name (above, part);
  OrreryVec3 rotation;
  OrreryNode *node;
  guint n;

  if (name == NULL)
    return;
  orrery_quat_to_euler (&part->pose.rotation, &rotation.x, &rotation.y, &rotation.z);
  node = make_dict (scene, place);
  orrery_node_add_here (node, "name", orrery_node_new_text_at (name, place));
  orrery_node_add_here (node, "classpath", orrery_node_new_text_at (part->classpath, place));
  orrery_node_add_here (node, "position", make_vector (&part->pose.position, place));
  orrery_node_add_here (node, "rotation", make_vector (&rotation, place));
  if (part->frequency > 0)
    orrery_node_add_here (node, "frequency", make_number (part->frequency, place));
  orrery_node_add_here (node, "properties", make_value (part->properties, place));
  require_robot (scene, part->object, place);
  n = orrery_world_get_n_objects (scene->world);
  orrery_scene_add_object (scene, node, part->object);
  if (orrery_world_get_n_objects (scene->world) > n)
    note_component (scene, part, orrery_world_get_object (scene->world, n), place);
}

static void
add_script (OrreryScene *scene, const OrreryImportPart *part, OrreryNode *place)
{
  g_autoptr (OrreryNode) list = orrery_node_new_at (ORRERY_NODE_LIST, place);
  OrreryNode *script = orrery_node_new_at (ORRERY_NODE_DICT, place);

  orrery_node_add_here (script, "type", orrery_node_new_text_at ("child", place));
  orrery_node_add_here (script, "classpath", orrery_node_new_text_at (part->classpath, place));
  orrery_node_add_here (script, "properties", make_value (part->properties, place));
  orrery_node_append (list, script);
  orrery_scene_add_scripts (scene, list, part->object);
}

void
orrery_scene_add_parts (OrreryScene *scene, OrreryImport *import, gboolean components,
                        OrreryNode *node)
{
  OrreryNode *place = node != NULL ? node : scene->environment.import;
  GArray *parts = orrery_import_get_parts (import);

  for (guint i = 0; i < parts->len; i++) {
    const OrreryImportPart *part = &g_array_index (parts, OrreryImportPart, i);

    if (part->name == NULL)
      add_script (scene, part, place);
    else if (components)
      add_component (scene, part, node, place);
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

/* Makes a shape as engines need it in a body that moves: a mesh becomes its hull. */
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

/* Makes a copy of a mesh that is visible and not solid. The original is shared and cannot be
 * changed. */
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
orrery_scene_use_hulls (OrreryObject *object, gboolean all)
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

/* Makes an object and all below it parts of the body above. @all: no shape of the body is solid, so
 * all of them become solid. */
static void
join_body (OrreryObject *object, gboolean all)
{
  GPtrArray *children = orrery_object_get_children (object);

  orrery_object_get_body (object)->type = ORRERY_BODY_NONE;
  orrery_scene_use_hulls (object, all);
  for (guint i = 0; i < children->len; i++)
    join_body (children->pdata[i], all);
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
    join_body (children->pdata[i], all);
}
