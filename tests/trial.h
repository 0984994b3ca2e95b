/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* A scene of a test's own, run by the real host with the plugins of the build tree. */

#include <glib/gstdio.h>
#include <math.h>
#include <orrery.h>

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

/* Text with ' for ". */
static inline char *
trial_quote (const char *text)
{
  return g_strdelimit (g_strdup (text), "'", '"');
}

/* A warning that the test wants: a part of its words; NULL once it came. */
static const char *trial_expected;

/* The host's chatter is dropped, and what it says of a machine that is busy with other things. */
static inline GLogWriterOutput
trial_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  const char *message = "";

  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      message = fields[i].value;
  if (level & (G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG))
    return G_LOG_WRITER_HANDLED;
  if ((level & G_LOG_LEVEL_WARNING) && strstr (message, " ms for a step") != NULL)
    return G_LOG_WRITER_HANDLED;
  if ((level & G_LOG_LEVEL_WARNING) && trial_expected != NULL &&
      strstr (message, trial_expected) != NULL) {
    trial_expected = NULL;
    return G_LOG_WRITER_HANDLED;
  }
  return g_log_writer_default (level, fields, n_fields, data);
}

static inline void
trial_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_log_set_writer_func (trial_log, NULL, NULL);
}

/* Plugins of the test's own: @directory in the build tree. */
static inline void
trial_add_plugins (const char *directory)
{
  g_autofree char *path = g_build_filename (g_getenv ("ORRERY_TEST_BUILDDIR"), directory, NULL);

  g_setenv ("ORRERY_PLUGIN_PATH", path, TRUE);
}

/* @text: members of the scene, in JSON with ' for "; @start: s; nothing listens. */
static inline OrrerySimulation *
trial_try_load_at (const char *text, double start, GError **error)
{
  g_autofree char *dir = g_dir_make_tmp ("orrery-trial-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "scene.json", NULL);
  g_autofree char *plain = g_strconcat ("{'orrery': 1, ", text, "}", NULL);
  g_autofree char *json = trial_quote (plain);
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  OrrerySimulation *simulation;

  g_object_set (options, "start", start, "listen", FALSE, NULL);
  g_assert_true (g_file_set_contents (path, json, -1, NULL));
  simulation = orrery_simulation_load_with_options (registry, path, options, error);
  g_remove (path);
  g_rmdir (dir);
  return simulation;
}

static inline OrrerySimulation *
trial_try_load (const char *text, GError **error)
{
  return trial_try_load_at (text, 0, error);
}

static inline OrrerySimulation *
trial_load_at (const char *text, double start)
{
  g_autoptr (GError) error = NULL;
  OrrerySimulation *simulation = trial_try_load_at (text, start, &error);

  g_assert_no_error (error);
  return simulation;
}

static inline OrrerySimulation *
trial_load (const char *text)
{
  return trial_load_at (text, 0);
}

/* The scene must be refused, and the message must hold @words. */
static inline void
trial_refuse (const char *text, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySimulation) simulation = trial_try_load (text, &error);

  g_assert_null (simulation);
  g_assert_nonnull (error);
  if (error == NULL)
    return;
  if (strstr (error->message, words) == NULL)
    g_test_message ("'%s' is not in: %s", words, error->message);
  g_assert_nonnull (strstr (error->message, words));
}

/* @objects: the objects; the rest as most tests want it: 60 Hz, robots that go as they are told. */
#define TRIAL_KINEMATIC(objects)                                                                   \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic'}, "            \
  "'objects': [" objects "]"
#define TRIAL_BODY "'body': {'type': 'rigid', 'mass': 10}, "
#define TRIAL_ROBOT "'name': 'robot', 'classpath': 'orrery.core.robot.Robot', "

/* Whether @engine of orrery.physics, as in "bullet.Bullet", is there; else the test is skipped. */
static inline gboolean
trial_has_engine (const char *engine)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autofree char *name = g_strconcat ("orrery.physics.", engine, NULL);

  if (orrery_registry_find_class (registry, name, NULL) != NULL)
    return TRUE;
  g_test_skip ("built without this engine");
  return FALSE;
}

static inline gboolean
trial_has_bullet (void)
{
  return trial_has_engine ("bullet.Bullet");
}

/* A scene that names Bullet, with another engine. */
static inline char *
trial_with_engine (const char *scene, const char *engine)
{
  g_auto (GStrv) parts = g_strsplit (scene, "bullet.Bullet", -1);

  return g_strjoinv (engine, parts);
}

static inline void
trial_step (OrrerySimulation *simulation, guint n)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_step (simulation, n, &error);
  g_assert_no_error (error);
}

static inline OrreryComponent *
trial_find (OrrerySimulation *simulation, const char *name)
{
  OrreryComponent *component = orrery_simulation_find_component (simulation, name);

  g_assert_nonnull (component);
  return component;
}

static inline double
trial_get (OrrerySimulation *simulation, const char *name, const char *field)
{
  return orrery_record_get_double (orrery_component_get_record (trial_find (simulation, name)),
                                   field);
}

static inline OrreryVec3
trial_get_vec3 (OrrerySimulation *simulation, const char *name, const char *field)
{
  OrreryVec3 v = { NAN, NAN, NAN };

  g_assert_true (
      orrery_record_get (orrery_component_get_record (trial_find (simulation, name)), field, &v));
  return v;
}

static inline const OrreryTransform *
trial_pose (OrrerySimulation *simulation, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (simulation);
  OrreryObject *object = orrery_world_find_object (world, name);

  g_assert_nonnull (object);
  return orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                   orrery_object_get_index (object));
}

static inline void
trial_write (OrrerySimulation *simulation, const char *name, const char *field, double value)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_write (simulation, trial_find (simulation, name), field,
                           g_variant_new_double (value), &error);
  g_assert_no_error (error);
}

/* @arguments: NULL, or a tuple in GVariant's text form, as "(1.0, 2.0)" */
static inline OrreryCall *
trial_call (OrrerySimulation *simulation, const char *part, const char *service,
            const char *arguments)
{
  g_autoptr (GVariant) tuple = NULL;
  GVariantBuilder builder;

  if (arguments == NULL)
    return orrery_simulation_call (simulation, part, service, NULL);
  tuple = g_variant_parse (NULL, arguments, NULL, NULL, NULL);
  g_assert_nonnull (tuple);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("av"));
  for (gsize i = 0; i < g_variant_n_children (tuple); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (tuple, i);

    g_variant_builder_add (&builder, "v", child);
  }
  return orrery_simulation_call (simulation, part, service, g_variant_builder_end (&builder));
}

/* The answer of an immediate call, in GVariant's text form; "" for none, else "fault N". */
static inline char *
trial_ask (OrrerySimulation *simulation, const char *part, const char *service,
           const char *arguments)
{
  g_autoptr (OrreryCall) call = trial_call (simulation, part, service, arguments);
  GVariant *result;

  g_assert_true (orrery_call_is_done (call));
  if (orrery_call_get_fault (call) != ORRERY_CALL_OK)
    return g_strdup_printf ("fault %d", orrery_call_get_fault (call));
  result = orrery_call_get_result (call, NULL);
  return result != NULL ? g_variant_print (result, FALSE) : g_strdup ("");
}

#define trial_assert_answer(simulation, part, service, arguments, answer)                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *answer_ = trial_ask (simulation, part, service, arguments);                   \
    g_assert_cmpstr (answer_, ==, answer);                                                         \
  }                                                                                                \
  G_STMT_END

/* @expected: names of the fields in order, with blanks between */
static inline void
trial_assert_fields (OrrerySimulation *simulation, const char *name, const char *expected)
{
  OrreryRecord *record = orrery_component_get_record (trial_find (simulation, name));
  g_autofree const char **names = orrery_schema_get_names (orrery_record_get_schema (record));
  g_autofree char *joined = g_strjoinv (" ", (char **) names);

  g_assert_cmpstr (joined, ==, expected);
}
