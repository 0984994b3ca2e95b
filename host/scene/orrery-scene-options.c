/* SPDX-License-Identifier: BSD-3-Clause */
/* What imported files say of the simulation as a whole: gravity, time steps, engine options. */
#include "scene/orrery-scene-private.h"

#include "part/orrery-log.h"
#include "roles/orrery-importer-private.h"
#include "scene/orrery-settings-private.h"

#include <math.h>

/* The keys of the environment that come before what a file says. */
static const struct {
  const char *name;
  const char *key;
} keys[] = { { "gravity", "gravity" }, { "timestep", "physics_substeps" } };

void
orrery_scene_clear_option (gpointer data)
{
  OrrerySceneOption *option = data;

  g_free (option->name);
  g_variant_unref (option->value);
  g_free (option->place);
}

static const char *
find_key (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (name, keys[i].name))
      return keys[i].key;
  return NULL;
}

/* The scene says it itself, or a setting in place of the scene. */
static gboolean
is_given (OrreryScene *scene, const char *name)
{
  const char *key = find_key (name);

  if (key == NULL)
    return FALSE;
  return orrery_scene_sets_key (scene, key) ||
         (scene->keys.environment != NULL &&
          orrery_node_find (scene->keys.environment, key) != NULL);
}

static gboolean
take_option (OrreryScene *scene, const char *name, GVariant *value, const char *place,
             GError **error)
{
  OrrerySceneOption made;

  if (is_given (scene, name)) {
    g_message ("%s: its %s is left out: the scene has the key '%s'", place, name, find_key (name));
    return TRUE;
  }
  for (guint i = 0; i < scene->options->len; i++) {
    const OrrerySceneOption *known = &g_array_index (scene->options, OrrerySceneOption, i);
    g_autofree char *before = NULL;
    g_autofree char *now = NULL;

    if (!g_str_equal (known->name, name))
      continue;
    if (g_variant_equal (known->value, value))
      return TRUE;
    before = g_variant_print (known->value, FALSE);
    now = g_variant_print (value, FALSE);
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: its %s is %s, that of %s is %s; %s%s%s", place, name, now,
                             known->place, before,
                             find_key (name) != NULL ? "the key '" : "a simulation has one",
                             find_key (name) != NULL ? find_key (name) : "",
                             find_key (name) != NULL ? "' of the environment decides" : "");
  }
  made = (OrrerySceneOption){ g_strdup (name), g_variant_ref (value), g_strdup (place) };
  g_array_append_val (scene->options, made);
  return TRUE;
}

gboolean
orrery_scene_take_options (OrreryScene *scene, OrreryImport *import, GError **error)
{
  g_autoptr (GVariant) options = orrery_import_get_options (import);
  gsize n = g_variant_n_children (options);

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) boxed = NULL;
    g_autoptr (GVariant) value = NULL;
    const char *name;
    const char *place;

    g_variant_get_child (options, i, "{&sv}", &name, &boxed);
    g_variant_get (boxed, "(&sv)", &place, &value);
    if (!take_option (scene, name, value, place, error))
      return FALSE;
  }
  return TRUE;
}

const OrrerySceneOption *
orrery_scene_find_option (OrreryScene *scene, const char *name)
{
  for (guint i = 0; i < scene->options->len; i++)
    if (g_str_equal (g_array_index (scene->options, OrrerySceneOption, i).name, name))
      return &g_array_index (scene->options, OrrerySceneOption, i);
  return NULL;
}

void
orrery_scene_apply_gravity (OrreryScene *scene)
{
  const OrrerySceneOption *option = orrery_scene_find_option (scene, "gravity");
  OrreryVec3 gravity;

  if (option == NULL)
    return;
  g_variant_get (option->value, "(ddd)", &gravity.x, &gravity.y, &gravity.z);
  orrery_scene_settle_gravity (scene, &gravity);
  orrery_world_set_gravity (scene->world, &gravity);
  g_message ("%s: gravity is %g, %g, %g m/s2", option->place, gravity.x, gravity.y, gravity.z);
}

guint
orrery_scene_find_substeps (OrreryScene *scene, double frequency)
{
  const OrrerySceneOption *option = orrery_scene_find_option (scene, "timestep");
  double step, n;

  if (option == NULL)
    return scene->environment.substeps;
  step = g_variant_get_double (option->value);
  n = ceil (1 / (frequency * step) - 1e-6);
  if (n <= ORRERY_MAX_SUBSTEPS) {
    g_message ("%s: a time step of %g s: %.0f steps of physics per tick", option->place, step,
               fmax (n, 1));
    return (guint) fmax (n, 1);
  }
  orrery_problems_take (
      scene->problems,
      g_error_new (ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                   "%s: a time step of %g s is more than %d steps of physics per tick; the key "
                   "'physics_substeps' of the environment decides",
                   option->place, step, ORRERY_MAX_SUBSTEPS));
  return scene->environment.substeps;
}
