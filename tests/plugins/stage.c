/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes of tests with the plugins of tests/plugins/probe, and the log that they leave. */
#include "stage.h"

/* --- the log --- */

typedef struct {
  GLogLevelFlags level;
  char *text;
} Message;

static GMutex log_lock; /* plugins log from their threads, too */
static GArray *log_messages;

static GLogWriterOutput
keep_message (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  Message message = { level, NULL };

  if ((level & G_LOG_LEVEL_MASK) <= G_LOG_LEVEL_CRITICAL)
    return g_log_writer_default (level, fields, n_fields, data);
  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      message.text = g_strdup (fields[i].value);
  g_mutex_lock (&log_lock);
  g_array_append_val (log_messages, message);
  g_mutex_unlock (&log_lock);
  return G_LOG_WRITER_HANDLED;
}

static gboolean
is_asked_for (const Message *message, GLogLevelFlags level, const char *pattern)
{
  return (message->level & G_LOG_LEVEL_MASK) <= level && message->text != NULL &&
         g_pattern_match_simple (pattern, message->text);
}

char **
stage_log_list (GLogLevelFlags level, const char *pattern)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  g_mutex_lock (&log_lock);
  for (guint i = 0; i < log_messages->len; i++) {
    Message *message = &g_array_index (log_messages, Message, i);

    if (is_asked_for (message, level, pattern))
      g_ptr_array_add (list, g_strdup (message->text));
  }
  g_mutex_unlock (&log_lock);
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
}

guint
stage_log_count (GLogLevelFlags level, const char *pattern)
{
  guint n = 0;

  g_mutex_lock (&log_lock);
  for (guint i = 0; i < log_messages->len; i++)
    n += is_asked_for (&g_array_index (log_messages, Message, i), level, pattern);
  g_mutex_unlock (&log_lock);
  return n;
}

static void
clear_message (gpointer data)
{
  g_free (((Message *) data)->text);
}

void
stage_log_clear (void)
{
  g_mutex_lock (&log_lock);
  g_array_set_size (log_messages, 0);
  g_mutex_unlock (&log_lock);
}

void
stage_init (int *argc, char ***argv)
{
  g_unsetenv ("ORRERY_PLUGIN_PATH");
  g_setenv ("XDG_DATA_HOME", "/nonexistent/data", TRUE);
  g_test_init (argc, argv, NULL);
  g_test_set_nonfatal_assertions ();
  log_messages = g_array_new (FALSE, FALSE, sizeof (Message));
  g_array_set_clear_func (log_messages, clear_message);
  g_log_set_writer_func (keep_message, NULL, NULL);
}

/* --- the scene --- */

char *
stage_scene (const char *environment, const char *tables, const char *objects)
{
  return g_strdup_printf ("{'orrery': 1, 'environment': %s, %s 'objects': [%s]}", environment,
                          tables, objects);
}

OrreryOptions *
stage_options (void)
{
  OrreryOptions *options = orrery_options_new ();

  g_object_set (options, "pacing", ORRERY_PACING_FAST, "hash", TRUE, "listen", FALSE, NULL);
  return options;
}

char *
stage_add_scene (Stage *stage, const char *scene)
{
  return orrery_test_write_scene (stage->directory, "other.json", scene);
}

static OrreryRegistry *
open_registry (void)
{
  const char *build = g_getenv ("ORRERY_TEST_BUILDDIR");
  g_autofree char *tree =
      g_build_filename (build != NULL ? build : ".", "tests", "plugins", "tree", NULL);
  OrreryRegistry *registry = orrery_registry_new ();
  g_autoptr (GError) error = NULL;

  orrery_registry_add_directory (registry, tree, &error);
  g_assert_no_error (error);
  return registry;
}

Stage *
stage_try (const char *scene, OrreryOptions *options, GError **error)
{
  g_autoptr (Stage) stage = g_new0 (Stage, 1);
  g_autoptr (OrreryOptions) usual = stage_options ();
  g_autoptr (GError) local = NULL;
  g_autofree char *path = NULL;

  stage->directory = g_dir_make_tmp ("orrery-test-XXXXXX", &local);
  g_assert_no_error (local);
  path = orrery_test_write_scene (stage->directory, "scene.json", scene);
  stage->registry = open_registry ();
  stage->simulation =
      orrery_simulation_load_with_options (stage->registry, stage->directory,
                                           options != NULL ? options : usual, error);
  return stage->simulation != NULL ? g_steal_pointer (&stage) : NULL;
}

Stage *
stage_new (const char *scene, OrreryOptions *options)
{
  g_autoptr (GError) error = NULL;
  Stage *stage = stage_try (scene, options, &error);

  /* Without a scene nothing can be tried: this one may end the program. */
  if (stage == NULL)
    g_error ("%s", error->message);
  return stage;
}

static void
remove_directory (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, NULL);

    g_remove (file);
  }
  g_rmdir (path);
}

void
stage_free (Stage *stage)
{
  g_clear_object (&stage->simulation);
  g_clear_object (&stage->registry);
  if (stage->directory != NULL)
    remove_directory (stage->directory);
  g_free (stage->directory);
  g_free (stage);
}

/* --- what a test does with it --- */

void
stage_step (Stage *stage, guint64 n)
{
  orrery_test_step (stage->simulation, n);
}

/* --- the world --- */

OrreryWorld *
stage_get_world (Stage *stage)
{
  return orrery_simulation_get_world (stage->simulation);
}

OrrerySnapshot *
stage_get_snapshot (Stage *stage)
{
  return orrery_world_get_snapshot (stage_get_world (stage));
}

OrreryObject *
stage_find_object (Stage *stage, const char *name)
{
  OrreryObject *object = orrery_world_find_object (stage_get_world (stage), name);

  if (object == NULL)
    g_test_message ("there is no object '%s'", name);
  g_assert_nonnull (object);
  return object;
}

const OrreryVec3 *
stage_get_place (Stage *stage, const char *name)
{
  guint index = orrery_object_get_index (stage_find_object (stage, name));

  return &orrery_snapshot_get_pose (stage_get_snapshot (stage), index)->position;
}

static void
set (Stage *stage, const char *path, const double *numbers, gsize n)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_set_quantity (stage->simulation, path, numbers, n, &error));
  g_assert_no_error (error);
}

void
stage_set (Stage *stage, const char *path, double value)
{
  set (stage, path, &value, 1);
}

void
stage_set_vec3 (Stage *stage, const char *path, double x, double y, double z)
{
  set (stage, path, (double[]){ x, y, z }, 3);
}

char *
stage_spawn (Stage *stage, const char *kind, double x, double y, double z)
{
  OrreryTransform pose = { .position = { x, y, z }, .rotation = { .w = 1 } };
  g_autoptr (GError) error = NULL;
  char *name = orrery_simulation_spawn (stage->simulation, kind, &pose, &error);

  g_assert_no_error (error);
  return name;
}

void
stage_remove (Stage *stage, const char *name)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_remove (stage->simulation, name, &error));
  g_assert_no_error (error);
}

/* --- components --- */

OrreryComponent *
stage_find (Stage *stage, const char *name)
{
  return orrery_test_find (stage->simulation, name);
}

double
stage_get (Stage *stage, const char *component, const char *field)
{
  return orrery_test_get (stage->simulation, component, field);
}

char *
stage_json (Stage *stage, const char *component)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gsize length;
  const char *data;

  orrery_record_write_json (orrery_component_get_record (stage_find (stage, component)), writer);
  data = orrery_writer_get_data (writer, &length);
  return g_strndup (data, length);
}

OrreryCall *
stage_start (Stage *stage, const char *part, const char *service, const char *arguments)
{
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GError) error = NULL;

  if (arguments != NULL)
    value = g_variant_parse (G_VARIANT_TYPE ("av"), arguments, NULL, NULL, &error);
  g_assert_no_error (error);
  return orrery_simulation_call (stage->simulation, part, service, value);
}

GVariant *
stage_call (Stage *stage, const char *part, const char *service, const char *arguments)
{
  g_autoptr (OrreryCall) call = stage_start (stage, part, service, arguments);
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);

  g_assert_no_error (error);
  return value != NULL ? g_variant_ref (value) : NULL;
}

void
stage_call_fails (Stage *stage, const char *part, const char *service, const char *arguments,
                  OrreryCallFault fault, const char *pattern)
{
  g_autoptr (OrreryCall) call = stage_start (stage, part, service, arguments);
  g_autoptr (GError) error = NULL;

  g_assert_null (orrery_call_get_result (call, &error));
  g_assert_nonnull (error);
  if (error == NULL)
    return;
  g_assert_cmpint (orrery_call_get_fault (call), ==, fault);
  if (!g_pattern_match_simple (pattern, error->message))
    g_test_message ("'%s' does not match '%s'", error->message, pattern);
  g_assert_true (g_pattern_match_simple (pattern, error->message));
}

gint64
stage_runs (Stage *stage, const char *modifier)
{
  g_autoptr (GVariant) runs = stage_call (stage, modifier, "runs", NULL);

  return runs != NULL ? g_variant_get_int64 (runs) : -1;
}

void
stage_put (Stage *stage, const char *component, int stream, int source, const char *json)
{
  g_autofree char *text = g_strdelimit (g_strdup (json), "'", '"');
  g_autofree char *arguments =
      g_strdup_printf ("[<'%s'>, <int64 %d>, <int64 %d>, <'%s'>]", component, stream, source, text);
  g_autoptr (GVariant) none = stage_call (stage, "loop", "put", arguments);

  g_assert_null (none);
}

char **
stage_sent (Stage *stage, const char *component, int stream)
{
  g_autofree char *arguments = g_strdup_printf ("[<'%s'>, <int64 %d>]", component, stream);
  g_autoptr (GVariant) list = stage_call (stage, "loop", "sent", arguments);

  return list != NULL ? g_variant_dup_strv (list, NULL) : g_new0 (char *, 1);
}

GVariant *
stage_report (Stage *stage, const char *key, const char *type)
{
  g_autoptr (GVariant) report = orrery_simulation_get_report (stage->simulation);
  GVariant *value = g_variant_lookup_value (report, key, G_VARIANT_TYPE (type));

  if (value == NULL)
    g_error ("the report has no %s of type %s", key, type);
  return value;
}

GBytes *
stage_save (Stage *stage)
{
  g_autoptr (GError) error = NULL;
  GBytes *state = orrery_simulation_save (stage->simulation, &error);

  g_assert_no_error (error);
  return state;
}

void
stage_restore (Stage *stage, GBytes *state)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_restore (stage->simulation, state, &error);
  g_assert_no_error (error);
}
