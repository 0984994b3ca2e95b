/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include "base/orrery-file-private.h"
#include "roles/orrery-importer-private.h"

#include <math.h>
#include <string.h>

#define DEFAULT_PHYSICS "orrery.physics.bullet.Bullet"
#define DEFAULT_RENDERER "orrery.renderers.mujoco.MuJoCo"

static const char *const scene_keys[] = { "orrery",
                                          "environment",
                                          "objects",
                                          "component_config",
                                          "component_datastream",
                                          "component_modifier",
                                          "component_service",
                                          "overlays",
                                          "stream_manager",
                                          "workers",
                                          "log_levels",
                                          NULL };
static const char *const environment_keys[] = { "frequency",      "time_strategy",
                                                "logic_step_max", "physics_step_max",
                                                "time_scale",     "use_relative_time",
                                                "auto_tune",      "gravity",
                                                "seed",           "start",
                                                "physics",        "physics_substeps",
                                                "import",         "properties",
                                                "script_order",   "add_ons",
                                                "sandbox",        "raycaster",
                                                "renderer",       "import_components",
                                                "changes",        NULL };
static const char *const object_keys[] = { "name",
                                           "classpath",
                                           "position",
                                           "rotation",
                                           "frequency",
                                           "level",
                                           "placement",
                                           "properties",
                                           "objects",
                                           "body",
                                           "shapes",
                                           "scripts",
                                           "scripts_inactive",
                                           "priority",
                                           "transport",
                                           "free_running",
                                           "joint",
                                           "lamp",
                                           "import",
                                           "visual",
                                           "color",
                                           "interfaces",
                                           NULL };

static void
clear_placement (gpointer data)
{
  OrreryPlacement *placement = data;

  g_clear_pointer (&placement->node, orrery_node_unref);
}

OrreryScene *
orrery_scene_new (OrreryRegistry *registry, OrreryWorld *world, OrreryProblems *problems)
{
  OrreryScene *scene = g_new0 (OrreryScene, 1);

  scene->registry = registry;
  scene->world = world;
  scene->problems = problems;
  scene->log_levels = orrery_scene_create_log_levels ();
  scene->placements = g_array_new (FALSE, FALSE, sizeof (OrreryPlacement));
  g_array_set_clear_func (scene->placements, clear_placement);
  scene->refused = g_hash_table_new (NULL, NULL);
  scene->expanding = g_ptr_array_new ();
  scene->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_node_unref);
  scene->sources = g_ptr_array_new_with_free_func (g_free);
  scene->texts =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  scene->imported = g_ptr_array_new ();
  scene->imported_modifiers = g_ptr_array_new ();
  scene->imported_streams = g_ptr_array_new ();
  scene->imported_services = g_ptr_array_new ();
  scene->interfaces = g_hash_table_new (NULL, NULL);
  scene->models =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) orrery_import_unref);
  orrery_scene_init_scripts (scene);
  scene->environment = (OrreryEnvironment){
    .logic_step_max = 20,
    .physics_step_max = 20,
    .time_scale = 1.0,
    .auto_tune = TRUE,
    .gravity = { 0, 0, -9.81 },
    .substeps = 2,
    .start = NAN,
    .import_components = TRUE,
  };
  return scene;
}

void
orrery_scene_free (OrreryScene *scene)
{
  g_clear_pointer (&scene->placements, g_array_unref);
  g_clear_pointer (&scene->refused, g_hash_table_unref);
  g_clear_pointer (&scene->expanding, g_ptr_array_unref);
  g_clear_pointer (&scene->nodes, g_ptr_array_unref);
  g_clear_pointer (&scene->sources, g_ptr_array_unref);
  g_clear_pointer (&scene->models, g_hash_table_unref);
  g_clear_pointer (&scene->visuals, g_array_unref);
  g_clear_pointer (&scene->paints, g_array_unref);
  g_clear_pointer (&scene->imported, g_ptr_array_unref);
  g_clear_pointer (&scene->imported_modifiers, g_ptr_array_unref);
  g_clear_pointer (&scene->imported_streams, g_ptr_array_unref);
  g_clear_pointer (&scene->imported_services, g_ptr_array_unref);
  g_clear_pointer (&scene->interfaces, g_hash_table_unref);
  orrery_scene_clear_scripts (scene);
  orrery_log_levels_unref (scene->log_levels);
  g_clear_pointer (&scene->texts, g_hash_table_unref);
  g_free (scene->import_path);
  g_clear_pointer (&scene->root, orrery_node_unref);
  g_free (scene->environment.import);
  g_free (scene->environment.physics);
  g_free (scene->environment.raycaster);
  g_free (scene->environment.renderer);
  g_free (scene->file);
  g_free (scene->directory);
  g_free (scene);
}

/* --- files --- */

/* A worker builds the same from the same texts, whatever has become of the files. */
OrreryNode *
orrery_scene_read_json (OrreryScene *scene, const char *path, GError **error)
{
  GBytes *text = g_hash_table_lookup (scene->texts, path);
  gsize length;

  if (text == NULL) {
    char *read = orrery_file_read (path, ORRERY_NODE_MAX_BYTES, &length, error);

    if (read == NULL)
      return NULL;
    text = g_bytes_new_take (read, length);
    g_hash_table_insert (scene->texts, g_strdup (path), text);
  }
  return orrery_node_parse_json (g_bytes_get_data (text, NULL), g_bytes_get_size (text), path,
                                 error);
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
  shown = orrery_scene_show (version);
  g_propagate_error (error,
                     orrery_node_error (version, ORRERY_ERROR_CONFIG,
                                        "a scene of version %s; this host reads version 1", shown));
  return FALSE;
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
orrery_scene_read_values (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  OrreryNode *dict = orrery_scene_find (scene->problems, node, "properties", ORRERY_NODE_DICT);

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
read_strategy (OrreryScene *scene, OrreryNode *node)
{
  const char *text = orrery_scene_get_text (scene->problems, node, "time_strategy");

  if (text == NULL)
    return;
  scene->environment.fixed_step = g_str_equal (text, "fixed_step");
  if (!scene->environment.fixed_step && !g_str_equal (text, "best_effort"))
    orrery_problems_take (scene->problems,
                          orrery_node_error (orrery_node_find (node, "time_strategy"),
                                             ORRERY_ERROR_CONFIG,
                                             "no time strategy '%.40s'; there is: best_effort, "
                                             "fixed_step",
                                             text));
}

static void
read_seed (OrreryScene *scene, OrreryNode *node)
{
  OrreryNode *seed = orrery_scene_find (scene->problems, node, "seed", ORRERY_NODE_INT);

  if (seed != NULL && orrery_node_get_int (seed) < 0)
    orrery_problems_take (scene->problems,
                          orrery_node_error (seed, ORRERY_ERROR_CONFIG,
                                             "'seed' is %" G_GINT64_FORMAT ", below 0",
                                             orrery_node_get_int (seed)));
  else if (seed != NULL)
    scene->environment.seed = (guint64) orrery_node_get_int (seed);
}

static void
read_environment (OrreryScene *scene)
{
  OrreryEnvironment *env = &scene->environment;
  OrreryProblems *problems = scene->problems;
  OrreryNode *node = orrery_scene_find (problems, scene->root, "environment", ORRERY_NODE_DICT);

  env->physics = g_strdup (DEFAULT_PHYSICS);
  env->renderer = g_strdup (DEFAULT_RENDERER);
  if (node == NULL)
    return;
  orrery_scene_check_keys (problems, node, environment_keys, "the environment");
  orrery_scene_get_double (problems, node, "frequency", 1e-3, 1e5, &env->frequency);
  read_strategy (scene, node);
  orrery_scene_get_uint (problems, node, "logic_step_max", 1, 100000, &env->logic_step_max);
  orrery_scene_get_uint (problems, node, "physics_step_max", 1, 100000, &env->physics_step_max);
  orrery_scene_get_double (problems, node, "time_scale", 1e-6, 1e6, &env->time_scale);
  orrery_scene_get_bool (problems, node, "use_relative_time", &env->relative_time);
  orrery_scene_get_bool (problems, node, "auto_tune", &env->auto_tune);
  orrery_scene_get_vec3 (problems, node, "gravity", &env->gravity);
  read_seed (scene, node);
  orrery_scene_get_double (problems, node, "start", -9e9, 9e9, &env->start);
  orrery_scene_get_uint (problems, node, "physics_substeps", 1, 10000, &env->substeps);
  orrery_scene_get_bool (problems, node, "import_components", &env->import_components);
  if (orrery_scene_get_text (problems, node, "physics") != NULL) {
    env->physics_node = orrery_node_find (node, "physics");
    g_free (env->physics);
    env->physics = g_strdup (orrery_node_get_text (env->physics_node));
  }
  if (orrery_scene_get_text (problems, node, "raycaster") != NULL) {
    env->raycaster_node = orrery_node_find (node, "raycaster");
    env->raycaster = g_strdup (orrery_node_get_text (env->raycaster_node));
  }
  if (orrery_scene_get_text (problems, node, "renderer") != NULL) {
    g_free (env->renderer);
    env->renderer = g_strdup (orrery_scene_get_text (problems, node, "renderer"));
  }
  if (orrery_scene_get_text (problems, node, "import") != NULL) {
    env->import_node = orrery_node_find (node, "import");
    env->import = g_strdup (orrery_node_get_text (env->import_node));
  }
  orrery_scene_read_values (scene, node, NULL);
  orrery_scene_read_program_scripts (scene, node);
  orrery_world_set_gravity (scene->world, &env->gravity);
}

/* --- objects --- */

static void
add_vec3 (OrreryVec3 *sum, const OrreryVec3 *v)
{
  *sum = (OrreryVec3){ sum->x + v->x, sum->y + v->y, sum->z + v->z };
}

static void
add_pose (OrreryProblems *problems, OrreryNode *node, OrreryVec3 *position, OrreryVec3 *rotation)
{
  OrreryVec3 p = { 0 };
  OrreryVec3 r = { 0 };

  orrery_scene_get_vec3 (problems, node, "position", &p);
  orrery_scene_get_vec3 (problems, node, "rotation", &r);
  add_vec3 (position, &p);
  add_vec3 (rotation, &r);
}

/* What a class gives to its object, the base class first. */
static void
apply_class (OrreryScene *scene, const OrreryClass *klass, OrreryObject *object,
             OrreryVec3 *position, OrreryVec3 *rotation)
{
  if (klass->base != NULL)
    apply_class (scene, klass->base, object, position, rotation);
  if (klass->node == NULL)
    return;
  orrery_scene_read_body (scene->problems, klass->node, object);
  orrery_scene_read_shapes (scene->problems, klass->node, object);
  orrery_scene_read_visual (scene, klass->node, object);
  orrery_scene_read_joint (scene->problems, klass->node, object);
  orrery_scene_read_lamp (scene->problems, klass->node, object);
  add_pose (scene->problems, klass->node, position, rotation);
  orrery_scene_read_values (scene, klass->node, object);
}

static void
add_class_objects (OrreryScene *scene, const OrreryClass *klass, OrreryObject *object)
{
  OrreryNode *list;

  if (klass->base != NULL)
    add_class_objects (scene, klass->base, object);
  if (klass->node == NULL)
    return;
  list = orrery_scene_find (scene->problems, klass->node, "objects", ORRERY_NODE_LIST);
  if (list == NULL)
    return;
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
find_class (OrreryScene *scene, OrreryNode *node)
{
  OrreryNode *place = orrery_scene_find (scene->problems, node, "classpath", ORRERY_NODE_TEXT);
  const OrreryClass *klass;
  GError *error = NULL;

  if (place == NULL)
    return NULL;
  klass = orrery_registry_find_class (scene->registry, orrery_node_get_text (place), &error);
  if (klass == NULL) {
    orrery_problems_take (scene->problems,
                          orrery_node_error (place, error->code, "%s", error->message));
    g_error_free (error);
    return NULL;
  }
  if (klass->desc->role != ORRERY_ROLE_ROBOT && klass->desc->role != ORRERY_ROLE_SENSOR &&
      klass->desc->role != ORRERY_ROLE_ACTUATOR) {
    orrery_problems_take (scene->problems,
                          orrery_node_error (place, ORRERY_ERROR_CONFIG,
                                             "%s has the role %s; objects are robots, sensors or "
                                             "actuators",
                                             klass->classpath,
                                             orrery_role_get_name (klass->desc->role)));
    return NULL;
  }
  if (g_ptr_array_find (scene->expanding, klass, NULL)) {
    orrery_problems_take (scene->problems,
                          orrery_node_error (place, ORRERY_ERROR_CONFIG, "%s contains itself",
                                             klass->classpath));
    return NULL;
  }
  return klass;
}

/* What only a component has, on an object that is none, would be passed over. */
static void
check_plain_object (OrreryScene *scene, OrreryNode *node)
{
  static const char *const keys[] = { "level",     "frequency",    "placement",
                                      "transport", "free_running", NULL };

  for (guint i = 0; i < orrery_node_get_length (node); i++)
    if (g_strv_contains (keys, orrery_node_get_key (node, i)))
      orrery_problems_take (scene->problems,
                            orrery_node_key_error (node, i, ORRERY_ERROR_CONFIG,
                                                   "'%s' without a 'classpath': components have "
                                                   "one, plain objects have not",
                                                   orrery_node_get_key (node, i)));
}

void
orrery_scene_place (OrreryScene *scene, OrreryNode *node, const OrreryClass *klass,
                    OrreryObject *object)
{
  const char *level = orrery_scene_get_text (scene->problems, node, "level");
  OrreryPlacement placement = { .object = object, .klass = klass };
  GError *error = NULL;

  placement.realised =
      orrery_registry_find_level (scene->registry, klass, level, &placement.level, &error);
  if (placement.realised == NULL) {
    orrery_problems_take (scene->problems,
                          orrery_node_error (level != NULL ? orrery_node_find (node, "level")
                                                           : node,
                                             ORRERY_ERROR_CONFIG, "%s: %s",
                                             orrery_object_get_name (object), error->message));
    g_error_free (error);
    g_hash_table_add (scene->refused, object);
    return;
  }
  placement.node = orrery_node_ref (node);
  g_array_append_val (scene->placements, placement);
}

/* What a file gives to its object, of body, shapes, values and pose, as a class does. */
static void
apply_import (OrreryScene *scene, OrreryNode *node, OrreryObject *object, OrreryVec3 *position,
              OrreryVec3 *rotation)
{
  const OrreryTransform *start = orrery_object_get_start (object);
  OrreryNode *import = orrery_node_find (node, "import");
  gboolean keep_position = TRUE;
  gboolean keep_rotation = TRUE;
  OrreryVec3 turn;

  if (!orrery_scene_import_object (scene, node, object))
    return;
  orrery_scene_get_bool (scene->problems, import, "keep_position", &keep_position);
  orrery_scene_get_bool (scene->problems, import, "keep_rotation", &keep_rotation);
  orrery_quat_to_euler (&start->rotation, &turn.x, &turn.y, &turn.z);
  if (keep_position)
    add_vec3 (position, &start->position);
  if (keep_rotation)
    add_vec3 (rotation, &turn);
}

void
orrery_scene_add_object (OrreryScene *scene, OrreryNode *node, OrreryObject *parent)
{
  const char *name = orrery_scene_get_text (scene->problems, node, "name");
  OrreryVec3 position = { 0 };
  OrreryVec3 rotation = { 0 };
  OrreryTransform start;
  const OrreryClass *klass;
  OrreryObject *object;
  OrreryNode *children;
  GError *error = NULL;

  orrery_scene_check_keys (scene->problems, node, object_keys, "an object");
  if (name == NULL) {
    if (orrery_node_find (node, "name") == NULL)
      orrery_problems_take (scene->problems, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                                "an object needs a 'name'"));
    return;
  }
  object = orrery_world_add_object (scene->world, name, parent, &error);
  if (object == NULL) {
    orrery_problems_take (scene->problems, orrery_node_error (orrery_node_find (node, "name"),
                                                              error->code, "%s", error->message));
    g_error_free (error);
    return;
  }
  klass = find_class (scene, node);
  if (klass != NULL) {
    orrery_scene_place (scene, node, klass, object);
    apply_class (scene, klass, object, &position, &rotation);
    if (klass->desc->role == ORRERY_ROLE_ROBOT)
      orrery_scene_note_source (scene, klass->classpath, klass->file);
  } else if (orrery_node_find (node, "classpath") != NULL) {
    g_hash_table_add (scene->refused, object);
  } else {
    check_plain_object (scene, node);
  }
  orrery_scene_read_interfaces (scene, node, object);
  apply_import (scene, node, object, &position, &rotation);
  orrery_scene_read_body (scene->problems, node, object);
  orrery_scene_read_shapes (scene->problems, node, object);
  orrery_scene_read_visual (scene, node, object);
  orrery_scene_read_paint (scene, node, object);
  if (orrery_node_find (node, "import") != NULL)
    orrery_scene_gather_body (object);
  orrery_scene_read_joint (scene->problems, node, object);
  orrery_scene_read_lamp (scene->problems, node, object);
  add_pose (scene->problems, node, &position, &rotation);
  orrery_scene_read_values (scene, node, object);
  orrery_scene_read_object_scripts (scene, node, object);
  start.position = position;
  orrery_quat_from_euler (rotation.x, rotation.y, rotation.z, &start.rotation);
  orrery_object_set_start (object, &start);

  if (klass != NULL)
    add_class_objects (scene, klass, object);
  orrery_scene_note_own_children (scene, object);
  orrery_scene_note_painted_children (scene, object);
  children = orrery_scene_find (scene->problems, node, "objects", ORRERY_NODE_LIST);
  if (children != NULL)
    orrery_scene_add_objects (scene, children, object);
}

void
orrery_scene_add_objects (OrreryScene *scene, OrreryNode *list, OrreryObject *parent)
{
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_DICT)
      orrery_scene_add_object (scene, item, parent);
    else
      orrery_problems_take (scene->problems, orrery_node_error (item, ORRERY_ERROR_CONFIG,
                                                                "an object is a dictionary, not %s",
                                                                orrery_node_get_kind_name (item)));
  }
}

void
orrery_scene_build (OrreryScene *scene)
{
  OrreryNode *list;

  orrery_scene_check_keys (scene->problems, scene->root, scene_keys, "a scene");
  orrery_scene_read_log_levels (scene);
  read_environment (scene);
  orrery_scene_import_environment (scene);
  /* What the scene says of the environment outweighs what the environment says of itself. */
  list = orrery_node_find (scene->root, "environment");
  if (list != NULL && orrery_node_get_kind (list) == ORRERY_NODE_DICT) {
    orrery_scene_read_values (scene, list, NULL);
    orrery_scene_change_environment (scene, list);
  }
  list = orrery_scene_find (scene->problems, scene->root, "objects", ORRERY_NODE_LIST);
  if (list != NULL)
    orrery_scene_add_objects (scene, list, NULL);
  /* What objects are made of has its own references now. */
  g_hash_table_remove_all (scene->models);
}
