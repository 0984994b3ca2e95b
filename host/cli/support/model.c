/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a scene of a model alone: a robot on an empty floor, or the world that the file has. */
#include "cli.h"

#include <math.h>
#include <string.h>

/* What the importer of MJCF calls the world's own shapes. */
#define WORLD "_world"

/* --- is it one --- */

static char *
find_importer (const char *file)
{
  const char *dot = strrchr (file, '.');
  g_autofree char *suffix = dot != NULL ? g_ascii_strdown (dot + 1, -1) : NULL;

  if (suffix == NULL || *suffix == '\0' ||
      strspn (suffix, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen (suffix))
    return NULL;
  return g_strdup_printf ("orrery.importers.%s.Importer", suffix);
}

gboolean
cli_model_is (OrreryRegistry *registry, const char *file)
{
  g_autofree char *classpath = find_importer (file);

  return classpath != NULL && g_file_test (file, G_FILE_TEST_IS_REGULAR) &&
         orrery_registry_find_class (registry, classpath, NULL) != NULL;
}

/* --- what it has --- */

typedef struct {
  gboolean has_floor;
  gboolean stands; /* something of it moves freely: it has to begin above the floor */
  double lowest;   /* m */
} Model;

static double
find_lowest (OrreryShape *shape, const OrreryTransform *pose)
{
  const OrreryVec3 *size = orrery_shape_get_size (shape);
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryShapeKind kind = orrery_shape_get_kind (shape);
  OrreryMat3 m;
  double lowest = INFINITY;

  if (points != NULL) {
    const OrreryVec3 *all = orrery_buffer_get_data (points);

    for (gsize i = 0; i < orrery_buffer_get_length (points, 0); i++) {
      OrreryVec3 p;

      orrery_transform_apply (pose, &all[i], &p);
      lowest = fmin (lowest, p.z);
    }
    return lowest;
  }
  orrery_quat_to_matrix (&pose->rotation, &m);
  if (kind == ORRERY_SHAPE_BOX)
    return pose->position.z - fabs (m.m[6]) * size->x - fabs (m.m[7]) * size->y -
           fabs (m.m[8]) * size->z;
  if (kind == ORRERY_SHAPE_SPHERE)
    return pose->position.z - size->x;
  if (kind == ORRERY_SHAPE_CAPSULE)
    return pose->position.z - fabs (m.m[8]) * size->z - size->x;
  return pose->position.z - fabs (m.m[8]) * size->z -
         sqrt (fmax (1 - m.m[8] * m.m[8], 0)) * size->x;
}

static void
look_at_object (OrreryWorld *world, OrreryObject *object, gboolean is_place, Model *model)
{
  const OrreryTransform *pose = orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                                          orrery_object_get_index (object));
  GPtrArray *shapes = orrery_object_get_shapes (object);
  gboolean is_free = orrery_object_get_body (object)->type == ORRERY_BODY_RIGID &&
                     orrery_object_get_joint (object) == NULL;

  model->stands |= is_free;
  model->has_floor |= shapes->len > 0 && strcmp (orrery_object_get_name (object), WORLD) == 0;
  model->has_floor |=
      shapes->len > 0 && is_place && orrery_object_get_body (object)->type == ORRERY_BODY_STATIC;
  for (guint i = 0; i < shapes->len; i++) {
    OrreryTransform place;

    if (!orrery_shape_is_solid (shapes->pdata[i]))
      continue;
    orrery_transform_multiply (pose, orrery_shape_get_pose (shapes->pdata[i]), &place);
    model->lowest = fmin (model->lowest, find_lowest (shapes->pdata[i], &place));
  }
}

/* --- the scene --- */

static GVariant *
describe (const char *file, const Model *model)
{
  g_autofree char *base = g_path_get_basename (file);
  g_autofree char *name = NULL;
  GVariantDict environment, object, import, scene;
  double up = model != NULL && model->stands ? fmax (0, -model->lowest) : 0;

  *strrchr (base, '.') = '\0';
  g_strcanon (base, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", '_');
  name = *base == '\0' || *base == '_' ? g_strconcat ("model", base, NULL) : g_strdup (base);
  g_variant_dict_init (&scene, NULL);
  g_variant_dict_insert (&scene, "orrery", "x", (gint64) 1);
  g_variant_dict_init (&environment, NULL);
  /* Until it is known what the file has, it is the world. */
  if (model == NULL)
    g_variant_dict_insert (&environment, "physics", "s", "orrery.physics.kinematic.Kinematic");
  g_variant_dict_insert (&environment, "import", "s",
                         model == NULL || model->has_floor ? file : "empty");
  g_variant_dict_insert_value (&scene, "environment", g_variant_dict_end (&environment));
  if (model != NULL && !model->has_floor) {
    GVariant *objects;

    g_variant_dict_init (&import, NULL);
    g_variant_dict_insert (&import, "file", "s", file);
    g_variant_dict_init (&object, NULL);
    g_variant_dict_insert (&object, "name", "s", name);
    g_variant_dict_insert_value (&object, "import", g_variant_dict_end (&import));
    g_variant_dict_insert (&object, "position", "(ddd)", 0.0, 0.0, up);
    objects = g_variant_dict_end (&object);
    g_variant_dict_insert_value (&scene, "objects", g_variant_new_array (NULL, &objects, 1));
  }
  return g_variant_ref_sink (g_variant_dict_end (&scene));
}

static gboolean
write_scene (const char *directory, GVariant *scene, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "scene.json", NULL);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *text;
  gsize length;

  orrery_writer_append_json_variant (writer, scene);
  text = orrery_writer_get_data (writer, &length);
  return g_file_set_contents (path, text, (gssize) length, error);
}

/* Loads the model as a world of its own. Its messages come again with the scene. */
static gboolean
look_at_model (OrreryRegistry *registry, const char *directory, const char *file, Model *model,
               GError **error)
{
  /* What stands still in a file of Blender is a place; elsewhere it is the foot of a robot. */
  gboolean is_place = g_str_has_suffix (file, ".blend");
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (OrrerySimulation) simulation = NULL;
  OrreryWorld *world;

  *model = (Model){ .lowest = INFINITY };
  g_object_set (options, "check-only", TRUE, NULL);
  cli_log_mute (TRUE);
  simulation = orrery_simulation_load_with_options (registry, directory, options, error);
  if (simulation != NULL) {
    world = orrery_simulation_get_world (simulation);
    for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
      look_at_object (world, orrery_world_get_object (world, i), is_place, model);
    g_clear_object (&simulation);
  }
  cli_log_mute (FALSE);
  return *error == NULL;
}

static gboolean
make_scene (OrreryRegistry *registry, const char *directory, const char *file, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (file, NULL);
  g_autoptr (GVariant) world = NULL;
  g_autoptr (GVariant) scene = NULL;
  Model model;

  if (!g_utf8_validate (path, -1, NULL))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: its name is not UTF-8", file);
  world = describe (path, NULL);
  if (!write_scene (directory, world, error) ||
      !look_at_model (registry, directory, file, &model, error))
    return FALSE;
  if (model.has_floor)
    g_message ("%s: a model alone, with a floor of its own", file);
  else
    g_message ("%s: a model alone, on an empty floor", file);
  scene = describe (path, &model);
  return write_scene (directory, scene, error);
}

/* Without the place in the scene that was made for it, which is gone when its user reads this. */
static int
fail_without_scene (const char *directory, const GError *error)
{
  g_autofree char *begin = g_strconcat (directory, "/scene.json:", NULL);
  g_auto (GStrv) lines = g_strsplit (error->message, "\n", -1);
  g_autoptr (GString) message = g_string_new (NULL);
  g_autoptr (GError) shown = NULL;

  for (char **line = lines; *line != NULL; line++) {
    const char *words = g_str_has_prefix (*line, begin) ? strstr (*line, ": ") : NULL;

    g_string_append_printf (message, "%s%s", line == lines ? "" : "\n",
                            words != NULL ? words + strlen (": ") : *line);
  }
  shown = g_error_new_literal (error->domain, error->code, message->str);
  return cli_fail (shown);
}

int
cli_model_open (CliScene *scene, OrreryRegistry *registry, const char *file)
{
  g_autoptr (GError) error = NULL;

  scene->temporary = cli_temporary_make (&error);
  if (error != NULL)
    return cli_fail (error);
  scene->path = g_strdup (scene->temporary);
  if (!make_scene (registry, scene->temporary, file, &error))
    return fail_without_scene (scene->temporary, error);
  return CLI_OK;
}
