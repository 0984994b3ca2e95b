/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of a scene and puts its objects into the world. */
#include "scene/orrery-scene-private.h"

#include "base/orrery-file-private.h"
#include "base/orrery-hash-private.h"
#include "roles/orrery-importer-private.h"
#include "scene/orrery-settings-private.h"
#include "text/orrery-node-private.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

/* Of classes, to one object of the scene: classes that hold each other twice double with each. */
#define MAX_EXPANDED 10000

static void
clear_member (gpointer data)
{
  OrreryMember *member = data;

  g_clear_pointer (&member->node, orrery_node_unref);
}

OrreryScene *
orrery_scene_new (OrreryRegistry *registry, OrreryWorld *world, OrreryProblems *problems)
{
  OrreryScene *scene = g_new0 (OrreryScene, 1);

  scene->registry = registry;
  scene->read_limit = ORRERY_IMPORT_READ_LIMIT;
  scene->world = world;
  scene->problems = problems;
  scene->log_levels = orrery_scene_create_log_levels ();
  scene->members = g_array_new (FALSE, FALSE, sizeof (OrreryMember));
  g_array_set_clear_func (scene->members, clear_member);
  scene->refused = g_hash_table_new (NULL, NULL);
  scene->expanding = g_ptr_array_new ();
  scene->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_node_unref);
  scene->sources = g_ptr_array_new_with_free_func (g_free);
  scene->options = g_array_new (FALSE, FALSE, sizeof (OrrerySceneOption));
  g_array_set_clear_func (scene->options, orrery_scene_clear_option);
  scene->settings = g_array_new (FALSE, FALSE, sizeof (OrrerySetting));
  g_array_set_clear_func (scene->settings, orrery_setting_clear);
  scene->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  scene->texts =
      g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  scene->imported_components = g_ptr_array_new ();
  scene->interfaces = g_hash_table_new (NULL, NULL);
  scene->models = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free,
                                         (GDestroyNotify) orrery_import_unref);
  orrery_scene_init_scripts (scene);
  orrery_keys_init (&orrery_scene_keys, &scene->keys);
  orrery_keys_init (&orrery_environment_keys, &scene->environment);
  return scene;
}

void
orrery_scene_free (OrreryScene *scene)
{
  g_clear_pointer (&scene->members, g_array_unref);
  g_clear_pointer (&scene->spawnables, g_array_unref);
  g_clear_pointer (&scene->refused, g_hash_table_unref);
  g_clear_pointer (&scene->expanding, g_ptr_array_unref);
  g_clear_pointer (&scene->nodes, g_ptr_array_unref);
  g_clear_pointer (&scene->sources, g_ptr_array_unref);
  g_clear_pointer (&scene->options, g_array_unref);
  g_clear_pointer (&scene->settings, g_array_unref);
  g_clear_pointer (&scene->models, g_hash_table_unref);
  g_clear_pointer (&scene->visuals, g_array_unref);
  g_clear_pointer (&scene->paints, g_array_unref);
  g_clear_pointer (&scene->materials, g_hash_table_unref);
  g_clear_pointer (&scene->imported_components, g_ptr_array_unref);
  g_clear_pointer (&scene->interfaces, g_hash_table_unref);
  orrery_scene_clear_scripts (scene);
  orrery_log_levels_unref (scene->log_levels);
  g_clear_pointer (&scene->texts, g_hash_table_unref);
  g_clear_pointer (&scene->files, g_hash_table_unref);
  g_clear_object (&scene->cancellable);
  g_free (scene->import_path);
  g_clear_pointer (&scene->root, orrery_node_unref);
  g_free (scene->file);
  g_free (scene->directory);
  g_free (scene);
}

/* --- files --- */

void
orrery_scene_note_file (OrreryScene *scene, const char *path)
{
  g_hash_table_add (scene->files, g_canonicalize_filename (path, NULL));
}

/* A worker builds the same scene from the same texts, even if the files have changed since. */
OrreryNode *
orrery_scene_read_json (OrreryScene *scene, const char *path, GError **error)
{
  GBytes *text = g_hash_table_lookup (scene->texts, path);
  gsize length;

  orrery_scene_note_file (scene, path);
  if (text == NULL) {
    char *read = orrery_file_read (path, ORRERY_NODE_MAX_BYTES, &length, error);

    if (read == NULL)
      return NULL;
    text = g_bytes_new_take (read, length);
    g_hash_table_insert (scene->texts, g_strdup (path), text);
  }
  return orrery_node_parse_json_kept (g_bytes_get_data (text, NULL), g_bytes_get_size (text), path,
                                      scene->cancellable, error);
}

static gboolean
check_version (OrreryScene *scene, GError **error)
{
  g_autofree char *shown = NULL;
  OrreryNode *version;

  if (orrery_node_get_kind (scene->root) != ORRERY_NODE_DICT) {
    g_propagate_error (error, orrery_node_error (scene->root, ORRERY_ERROR_CONFIG,
                                                 "a scene is a dictionary, not %s",
                                                 orrery_node_get_kind_name (scene->root)));
    return FALSE;
  }
  version = orrery_node_find (scene->root, "orrery");
  if (version == NULL) {
    g_propagate_error (error, orrery_node_error (scene->root, ORRERY_ERROR_CONFIG,
                                                 "no scene: \"orrery\": 1 is missing"));
    return FALSE;
  }
  if (orrery_node_get_kind (version) == ORRERY_NODE_INT && orrery_node_get_int (version) == 1)
    return TRUE;
  shown = orrery_keys_show (version);
  g_propagate_error (error,
                     orrery_node_error (version, ORRERY_ERROR_CONFIG,
                                        "a scene of version %s; this host reads version 1", shown));
  return FALSE;
}

gboolean
orrery_scene_is_one (OrreryScene *scene)
{
  return scene->root != NULL && orrery_node_get_kind (scene->root) == ORRERY_NODE_DICT &&
         orrery_node_find (scene->root, "orrery") != NULL;
}

gboolean
orrery_scene_read (OrreryScene *scene, const char *path, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    scene->directory = g_strdup (path);
    scene->file = g_build_filename (path, "scene.json", NULL);
  } else {
    scene->directory = g_path_get_dirname (path);
    scene->file = g_strdup (path);
  }
  scene->root = orrery_scene_read_json (scene, scene->file, error);
  return scene->root != NULL && check_version (scene, error);
}

gboolean
orrery_scene_read_text (OrreryScene *scene, const char *file, const char *directory, GError **error)
{
  scene->directory = g_strdup (directory);
  scene->file = g_strdup (file);
  scene->root = orrery_scene_read_json (scene, file, error);
  return scene->root != NULL && check_version (scene, error);
}

/* --- environment --- */

void
orrery_scene_read_values (OrreryScene *scene, OrreryNode *dict, OrreryObject *object)
{
  for (guint i = 0; dict != NULL && i < orrery_node_get_length (dict); i++) {
    GVariant *value = orrery_node_to_variant (orrery_node_get_item (dict, i));

    if (object != NULL)
      orrery_object_set_value (object, orrery_node_get_key (dict, i), value);
    else
      orrery_world_set_value (scene->world, orrery_node_get_key (dict, i), value);
    g_variant_unref (value);
  }
}

static void
read_environment (OrreryScene *scene)
{
  OrreryEnvironment *env = &scene->environment;

  if (scene->keys.environment != NULL)
    orrery_keys_read (scene->problems, scene->keys.environment, &orrery_environment_keys, env);
  orrery_scene_set_environment (scene);
  orrery_scene_read_values (scene, env->properties, NULL);
  orrery_scene_read_program_scripts (scene);
  orrery_world_set_gravity (scene->world, &env->gravity);
}

/* --- objects --- */

/* Applies the keys that classes and scenes have in common; properties come last. */
static void
apply_form (OrreryScene *scene, const OrreryObjectKeys *keys, OrreryObject *object)
{
  orrery_scene_read_body (scene->problems, keys->body, object);
  orrery_scene_read_shapes (scene->problems, keys->shapes, object);
  orrery_scene_read_visual (scene, keys->visual, object);
}

static void
apply_rest (OrreryScene *scene, const OrreryObjectKeys *keys, OrreryObject *object,
            OrreryVec3 *position, OrreryVec3 *rotation)
{
  orrery_scene_read_joint (scene->problems, keys->joint, object);
  orrery_scene_read_lamp (scene->problems, keys->lamp, object);
  *position = orrery_vec3_add (position, &keys->position);
  *rotation = orrery_vec3_add (rotation, &keys->rotation);
  orrery_scene_read_values (scene, keys->properties, object);
}

/* Applies what a class gives to its object, the base class first. */
static void
apply_class (OrreryScene *scene, const OrreryClass *klass, OrreryObject *object,
             OrreryVec3 *position, OrreryVec3 *rotation)
{
  OrreryObjectKeys keys;

  if (klass->base != NULL)
    apply_class (scene, klass->base, object, position, rotation);
  if (klass->node == NULL)
    return;
  /* The keys of the class itself were checked when it was loaded. */
  orrery_keys_init (&orrery_object_keys, &keys);
  orrery_keys_get (scene->problems, klass->node, &orrery_object_keys, &keys);
  apply_form (scene, &keys, object);
  apply_rest (scene, &keys, object, position, rotation);
}

static void
add_class_objects (OrreryScene *scene, const OrreryClass *klass, OrreryObject *object)
{
  OrreryNode *list;

  if (klass->base != NULL)
    add_class_objects (scene, klass->base, object);
  list = klass->node != NULL ? orrery_node_find (klass->node, "objects") : NULL;
  if (list == NULL)
    return;
  if (scene->expanding->len == 0)
    scene->n_expanded = 0;
  g_ptr_array_add (scene->expanding, (gpointer) klass);
  orrery_scene_add_objects (scene, list, object);
  g_ptr_array_set_size (scene->expanding, (int) scene->expanding->len - 1);
}

void
orrery_scene_note_source (OrreryScene *scene, const char *what, const char *from)
{
  for (guint i = 0; i < scene->sources->len; i += 2)
    if (g_str_equal (scene->sources->pdata[i], what))
      return;
  g_ptr_array_add (scene->sources, g_strdup (what));
  g_ptr_array_add (scene->sources, g_strdup (from));
}

static const OrreryClass *
find_class (OrreryScene *scene, OrreryNode *place)
{
  const OrreryClass *klass;
  GError *error = NULL;

  if (place == NULL)
    return NULL;
  klass = orrery_registry_find_class (scene->registry, orrery_node_get_text (place), &error);
  if (klass == NULL) {
    orrery_keys_take_error (scene->problems, place, error);
    return NULL;
  }
  if (klass->desc->role != ORRERY_ROLE_ROBOT && klass->desc->role != ORRERY_ROLE_SENSOR &&
      klass->desc->role != ORRERY_ROLE_ACTUATOR) {
    orrery_keys_refuse (scene->problems, place,
                        "%s has the role %s; objects are robots, sensors or "
                        "actuators",
                        klass->classpath, orrery_role_get_name (klass->desc->role));
    return NULL;
  }
  if (g_ptr_array_find (scene->expanding, klass, NULL)) {
    orrery_keys_refuse (scene->problems, place, "%s contains itself", klass->classpath);
    return NULL;
  }
  return klass;
}

/* Nothing turns by more than a whole turn on purpose. */
static void
warn_of_degrees (OrreryNode *node, const OrreryVec3 *rotation)
{
  double most = MAX (fabs (rotation->x), MAX (fabs (rotation->y), fabs (rotation->z)));
  OrreryNode *place = orrery_node_find (node, "rotation");
  g_autoptr (GError) error = NULL;

  if (most < 6.3 || place == NULL)
    return;
  error = orrery_node_error (place, ORRERY_ERROR_CONFIG,
                             "a rotation of %g rad is more than a whole turn: rotations are in "
                             "radians, not degrees",
                             most);
  g_warning ("%s", error->message);
}

/* Keys of components would be ignored on an object that is none, so they are refused. */
static void
check_plain_object (OrreryScene *scene, OrreryNode *node)
{
  for (guint i = 0; i < orrery_node_get_length (node); i++)
    if (orrery_keys_has_flag (&orrery_object_keys, orrery_node_get_key (node, i),
                              ORRERY_KEY_OF_COMPONENT))
      orrery_problems_take (scene->problems,
                            orrery_node_key_error (node, i, ORRERY_ERROR_CONFIG,
                                                   "'%s' without a 'classpath': components have "
                                                   "one, plain objects have not",
                                                   orrery_node_get_key (node, i)));
}

void
orrery_scene_place (OrreryScene *scene, OrreryNode *node, const OrreryObjectKeys *keys,
                    const OrreryClass *klass, OrreryObject *object)
{
  OrreryMember member = { .object = object, .klass = klass, .keys = *keys };
  GError *error = NULL;

  member.realised =
      orrery_registry_find_level (scene->registry, klass, orrery_keys_text (keys->level, NULL),
                                  &member.level, &error);
  if (member.realised == NULL) {
    orrery_keys_refuse (scene->problems, keys->level != NULL ? keys->level : node, "%s: %s",
                        orrery_object_get_name (object), error->message);
    g_error_free (error);
    g_hash_table_add (scene->refused, object);
    return;
  }
  g_free (object->classpath);
  object->classpath = g_strdup (member.realised->classpath);
  object->is_robot = member.realised->desc->role == ORRERY_ROLE_ROBOT;
  member.node = orrery_node_ref (orrery_scene_settle_member (scene, node, object, &member.keys));
  g_array_append_val (scene->members, member);
}

/* Applies what a file gives to its object, as a class does: body, shapes, values and pose. */
static void
apply_import (OrreryScene *scene, OrreryNode *node, OrreryNode *import, OrreryObject *object,
              OrreryVec3 *position, OrreryVec3 *rotation)
{
  const OrreryTransform *start = orrery_object_get_start (object);
  OrreryImportKeys keys;
  OrreryVec3 turn;

  if (import == NULL || !orrery_keys_read (scene->problems, import, &orrery_import_keys, &keys))
    return;
  orrery_scene_import_object (scene, node, &keys, object);
  orrery_quat_to_euler (&start->rotation, &turn.x, &turn.y, &turn.z);
  if (keys.keep_pose && keys.keep_position)
    *position = orrery_vec3_add (position, &start->position);
  if (keys.keep_pose && keys.keep_rotation)
    *rotation = orrery_vec3_add (rotation, &turn);
}

static OrreryObject *
create_object (OrreryScene *scene, OrreryNode *name, OrreryObject *parent)
{
  GError *error = NULL;
  OrreryObject *object;

  if (scene->expanding->len > 0 && ++scene->n_expanded > MAX_EXPANDED) {
    orrery_keys_refuse (scene->problems, name, "classes give more than %d objects to one object",
                        MAX_EXPANDED);
    scene->full = TRUE;
    return NULL;
  }
  object = orrery_world_add_object (scene->world, orrery_node_get_text (name), parent, &error);

  if (object == NULL)
    orrery_keys_take_error (scene->problems, name, error);
  scene->full = object == NULL && orrery_world_is_full (scene->world);
  return object;
}

void
orrery_scene_add_object (OrreryScene *scene, OrreryNode *node, OrreryObject *parent)
{
  OrreryVec3 position = { 0 };
  OrreryVec3 rotation = { 0 };
  OrreryTransform start;
  const OrreryClass *klass;
  OrreryObjectKeys keys;
  OrreryObject *object;

  if (!orrery_keys_read (scene->problems, node, &orrery_object_keys, &keys))
    return;
  object = create_object (scene, keys.name, parent);
  if (object == NULL)
    return;
  orrery_scene_settle_pose (scene, object, &keys);
  orrery_scene_settle_class (scene, object, &keys);
  klass = keys.classpath != NULL ? find_class (scene, keys.classpath) : NULL;
  if (klass != NULL) {
    orrery_scene_place (scene, node, &keys, klass, object);
    apply_class (scene, klass, object, &position, &rotation);
    if (klass->desc->role == ORRERY_ROLE_ROBOT)
      orrery_scene_note_source (scene, klass->classpath, klass->file);
  } else if (orrery_node_find (node, "classpath") != NULL) {
    g_hash_table_add (scene->refused, object);
  } else {
    check_plain_object (scene, node);
  }
  orrery_scene_read_interfaces (scene, keys.interfaces, object);
  apply_import (scene, node, keys.import, object, &position, &rotation);
  apply_form (scene, &keys, object);
  orrery_scene_read_paint (scene, &keys.color, object);
  if (keys.import != NULL)
    orrery_scene_gather_body (object);
  apply_rest (scene, &keys, object, &position, &rotation);
  warn_of_degrees (node, &keys.rotation);
  orrery_scene_read_object_scripts (scene, &keys, object);
  start.position = position;
  orrery_quat_from_euler (rotation.x, rotation.y, rotation.z, &start.rotation);
  orrery_object_set_start (object, &start);

  if (klass != NULL)
    add_class_objects (scene, klass, object);
  orrery_scene_note_own_children (scene, object);
  orrery_scene_note_painted_children (scene, object);
  orrery_scene_read_material (scene, keys.material, object);
  orrery_scene_add_objects (scene, keys.objects, object);
}

void
orrery_scene_add_objects (OrreryScene *scene, OrreryNode *list, OrreryObject *parent)
{
  /* Classes that hold each other twice would go on for 2^depth objects. */
  for (guint i = 0; list != NULL && !scene->full && i < orrery_node_get_length (list); i++) {
    OrreryNode *item;

    if (g_cancellable_is_cancelled (scene->cancellable))
      return;
    item = orrery_keys_get_item (scene->problems, list, i, &orrery_object_keys);
    if (item != NULL)
      orrery_scene_add_object (scene, item, parent);
  }
}

void
orrery_scene_build (OrreryScene *scene)
{
  orrery_keys_read (scene->problems, scene->root, &orrery_scene_keys, &scene->keys);
  orrery_scene_read_log_levels (scene);
  read_environment (scene);
  orrery_scene_import_environment (scene);
  /* Keys of the scene override those of the environment. */
  orrery_scene_read_values (scene, scene->environment.properties, NULL);
  orrery_scene_change_environment (scene);
  /* Objects name them. */
  orrery_scene_read_materials (scene);
  orrery_scene_add_objects (scene, scene->keys.objects, NULL);
  orrery_scene_add_spawnables (scene);
  orrery_scene_set_objects (scene, 0);
  orrery_scene_pool_spawnables (scene);
  orrery_scene_apply_gravity (scene);
  /* Objects have their own references to imports by now. */
  g_hash_table_remove_all (scene->models);
}
