/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * What a test of a plugin needs, on top of GLib's GTest: a scene of the test's own, run by the real
 * host. Nothing is to be linked beside liborrery-1; what cannot be done fails the test and says
 * why.
 *
 * Scenes are JSON with ' in place of ", either whole or the members alone: "'objects': [...]".
 */

#include <glib/gstdio.h>
#include <math.h>
#include <orrery.h>

#define ORRERY_TEST_ROBOT "'name': 'robot', 'classpath': 'orrery.core.robot.Robot', "
#define ORRERY_TEST_BODY "'body': {'type': 'rigid', 'mass': 10}, "
/* @objects: the objects; the rest as most tests want it: 60 Hz, robots that go as they are told. */
#define ORRERY_TEST_KINEMATIC(objects)                                                             \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic'}, "            \
  "'objects': [" objects "]"

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

/* A warning that the test wants: a part of its words; NULL once it came. */
static const char *orrery_test_expected G_GNUC_UNUSED;

/* Drops what is no warning, and what the host says of a machine that is busy with other things. */
static inline GLogWriterOutput
orrery_test_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  const char *message = "";

  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      message = (const char *) fields[i].value;
  if (level & (G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG))
    return G_LOG_WRITER_HANDLED;
  if ((level & G_LOG_LEVEL_WARNING) && strstr (message, " ms for a step") != NULL)
    return G_LOG_WRITER_HANDLED;
  if ((level & G_LOG_LEVEL_WARNING) && orrery_test_expected != NULL &&
      strstr (message, orrery_test_expected) != NULL) {
    orrery_test_expected = NULL;
    return G_LOG_WRITER_HANDLED;
  }
  return g_log_writer_default (level, fields, n_fields, data);
}

/* In place of g_test_init(): one case that fails does not end the others. */
static inline void
orrery_test_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_log_set_writer_func (orrery_test_log, NULL, NULL);
}

/* Plugins of the test's own, before those that are installed: a directory below the present one, or
 * else below $ORRERY_TEST_BUILDDIR. */
static inline void
orrery_test_add_plugins (const char *directory)
{
  const char *build = g_getenv ("ORRERY_TEST_BUILDDIR");
  gboolean is_here = build == NULL || g_file_test (directory, G_FILE_TEST_IS_DIR);
  g_autofree char *here = g_get_current_dir ();
  g_autofree char *path = g_build_filename (is_here ? here : build, directory, NULL);

  g_setenv ("ORRERY_PLUGIN_PATH", path, TRUE);
}

/* --- the scene --- */

/* Returns: (transfer full): the file that was written into @directory */
static inline char *
orrery_test_write_scene (const char *directory, const char *name, const char *text)
{
  char *path = g_build_filename (directory, name, NULL);
  g_autofree char *whole =
      *text == '{' ? g_strdup (text) : g_strconcat ("{'orrery': 1, ", text, "}", NULL);

  g_assert_true (g_file_set_contents (path, g_strdelimit (whole, "'", '"'), -1, NULL));
  return path;
}

/* @options: NULL: time begins at 0, nothing listens.
 * Returns: (transfer full): a simulation, or NULL with @error */
static inline OrrerySimulation *
orrery_test_try_load (const char *text, OrreryOptions *options, GError **error)
{
  g_autofree char *directory = g_dir_make_tmp ("orrery-test-XXXXXX", NULL);
  g_autofree char *path = orrery_test_write_scene (directory, "scene.json", text);
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (OrreryOptions) usual = orrery_options_new ();
  OrrerySimulation *simulation;

  g_object_set (usual, "start", 0.0, "listen", FALSE, NULL);
  simulation = orrery_simulation_load_with_options (registry, path,
                                                    options != NULL ? options : usual, error);
  g_remove (path);
  g_rmdir (directory);
  return simulation;
}

/* @start: s
 * Returns: (transfer full): a simulation */
static inline OrrerySimulation *
orrery_test_load_at (const char *text, double start)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (GError) error = NULL;
  OrrerySimulation *simulation;

  g_object_set (options, "start", start, "listen", FALSE, NULL);
  simulation = orrery_test_try_load (text, options, &error);
  g_assert_no_error (error);
  return simulation;
}

static inline OrrerySimulation *
orrery_test_load (const char *text)
{
  return orrery_test_load_at (text, 0);
}

/* The scene must be refused, and the message must hold @words. */
static inline void
orrery_test_refuse (const char *text, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySimulation) simulation = orrery_test_try_load (text, NULL, &error);

  if (simulation != NULL)
    g_test_fail_printf ("the scene was not refused; wanted: %s", words);
  else if (strstr (error->message, words) == NULL)
    g_test_fail_printf ("'%s' is not in: %s", words, error->message);
}

/* Whether @engine of orrery.physics, as in "bullet.Bullet", is there; else the test is skipped. */
static inline gboolean
orrery_test_has_engine (const char *engine)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autofree char *name = g_strconcat ("orrery.physics.", engine, NULL);

  if (orrery_registry_find_class (registry, name, NULL) != NULL)
    return TRUE;
  g_test_skip ("built without this engine");
  return FALSE;
}

/* --- what a test does with it --- */

static inline void
orrery_test_step (OrrerySimulation *simulation, guint64 n)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_step (simulation, n, &error);
  g_assert_no_error (error);
}

/* Returns: (transfer none): the component, or NULL after the test has failed */
static inline OrreryComponent *
orrery_test_find (OrrerySimulation *simulation, const char *name)
{
  OrreryComponent *component = orrery_simulation_find_component (simulation, name);

  if (component == NULL)
    g_test_message ("no component %s", name);
  g_assert_nonnull (component);
  return component;
}

/* Fails the test if the record of @name has no such field, and says which it has.
 * Returns: (transfer none) (nullable): the record */
static inline OrreryRecord *
orrery_test_find_field (OrrerySimulation *simulation, const char *name, const char *field)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (simulation, name));
  OrrerySchema *schema = record != NULL ? orrery_record_get_schema (record) : NULL;
  g_autofree const char **names = schema != NULL ? orrery_schema_get_names (schema) : NULL;
  g_autofree char *joined = names != NULL ? g_strjoinv (", ", (char **) names) : g_strdup ("");

  /* The timestamp can be read of every record. */
  if (record != NULL && (orrery_schema_find_field (schema, field) != NULL ||
                         !isnan (orrery_record_get_double (record, field))))
    return record;
  g_test_message ("%s: no field %s; there are: %s", name, field, joined);
  g_test_fail_printf ("%s: no field %s; there are: %s", name, field, joined);
  return NULL;
}

/* Returns: a number of the record, or NaN after the test has failed */
static inline double
orrery_test_get (OrrerySimulation *simulation, const char *name, const char *field)
{
  OrreryRecord *record = orrery_test_find_field (simulation, name, field);

  return record != NULL ? orrery_record_get_double (record, field) : NAN;
}

/* Returns: a vector of the record, or NaNs after the test has failed */
static inline OrreryVec3
orrery_test_get_vec3 (OrrerySimulation *simulation, const char *name, const char *field)
{
  OrreryRecord *record = orrery_test_find_field (simulation, name, field);
  OrreryVec3 v = { NAN, NAN, NAN };

  if (record != NULL)
    g_assert_true (orrery_record_get (record, field, &v));
  return v;
}

/* Of a field that is missing nothing else is said. */
static inline void
orrery_test_check_field (OrrerySimulation *simulation, const char *name, const char *field,
                         double wanted, double tolerance, const char *place)
{
  OrreryRecord *record = orrery_test_find_field (simulation, name, field);
  double value = record != NULL ? orrery_record_get_double (record, field) : wanted;

  if (fabs (value - wanted) <= tolerance)
    return;
  g_test_message ("%s: %s of %s is %.9g, not %.9g", place, field, name, value, wanted);
  g_test_fail_printf ("%s: %s of %s is %.9g, not %.9g", place, field, name, value, wanted);
}
#define orrery_test_assert_field(simulation, name, field, wanted, tolerance)                       \
  orrery_test_check_field (simulation, name, field, wanted, tolerance, G_STRLOC)

/* @expected: names of the fields in order, with blanks between */
static inline void
orrery_test_assert_fields (OrrerySimulation *simulation, const char *name, const char *expected)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (simulation, name));
  g_autofree const char **names = orrery_schema_get_names (orrery_record_get_schema (record));
  g_autofree char *joined = g_strjoinv (" ", (char **) names);

  g_assert_cmpstr (joined, ==, expected);
}

/* Returns: (transfer none): where an object is */
static inline const OrreryTransform *
orrery_test_get_pose (OrrerySimulation *simulation, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (simulation);
  OrreryObject *object = orrery_world_find_object (world, name);

  g_assert_nonnull (object);
  return orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                   orrery_object_get_index (object));
}

static inline void
orrery_test_write (OrrerySimulation *simulation, const char *name, const char *field, double value)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_write (simulation, orrery_test_find (simulation, name), field,
                           g_variant_new_double (value), &error);
  g_assert_no_error (error);
}

/* @arguments: NULL, or a tuple in GVariant's text form, as "(1.0, 2.0)"
 * Returns: (transfer full): the call */
static inline OrreryCall *
orrery_test_call (OrrerySimulation *simulation, const char *part, const char *service,
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

/* Returns: (transfer full): the answer of an immediate call, in GVariant's text form; "" for none,
 *   else "fault N" */
static inline char *
orrery_test_ask (OrrerySimulation *simulation, const char *part, const char *service,
                 const char *arguments)
{
  g_autoptr (OrreryCall) call = orrery_test_call (simulation, part, service, arguments);
  GVariant *result;

  g_assert_true (orrery_call_is_done (call));
  if (orrery_call_get_fault (call) != ORRERY_CALL_OK)
    return g_strdup_printf ("fault %d", orrery_call_get_fault (call));
  result = orrery_call_get_result (call, NULL);
  return result != NULL ? g_variant_print (result, FALSE) : g_strdup ("");
}

#define orrery_test_assert_answer(simulation, part, service, arguments, answer)                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *answer_ = orrery_test_ask (simulation, part, service, arguments);             \
    g_assert_cmpstr (answer_, ==, answer);                                                         \
  }                                                                                                \
  G_STMT_END
