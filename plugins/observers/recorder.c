/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.observers.recorder.Recorder: keeps a run in a file that other programs read: the records
 * of all components, the poses of all objects, and the scene itself.
 */
#define G_LOG_DOMAIN "orrery.observers.recorder"

#include "recorder-file.h"
#include "recorder-save.h"

#include <string.h>

/* How often the writer looks by itself, and how often what it has must be in the file */
#define LOOK_MS 50
#define FLUSH_US G_USEC_PER_SEC
/* Models of a scene that are kept in the file, each and together */
#define MAX_MODEL_BYTES (32 * 1024 * 1024)
#define MAX_MODELS_BYTES (256 * 1024 * 1024)
/* From one state to the next. They are most of a file without records. */
#define STATES_S 1
#define STATES_OF_INPUTS_S 10

typedef struct {
  OrreryObserver parent_instance;

  char *path, *compression, *contents, *only, *encoding, *format;
  gboolean pictures, precise, derived, waits, logs, inputs, draws;
  double rate, pose_rate, state_period, hash_rate, split_period, last_length, largest_input;
  guint split, n_kept, n_slots, last_size;

  RecorderQueue *queue; /* NULL: not open */
  RecorderFile file;
  GHashTable *index; /* component -> 1 + source */
  guint expected;    /* the source of the next record, most probably */
  guint poses;       /* its source; n_sources: none */
  OrreryTime now, period, pose_period;
  gboolean said_dropped;
  GThread *thread;
  RecorderSaver *saver; /* NULL: all goes to files at once */
  guint n_files;        /* of all epochs */
  RecorderKept *made;   /* files of all epochs */
} OrreryRecorder;
ORRERY_DEFINE_CLASS (OrreryRecorder, orrery_recorder, OrreryObserver, orrery_observer)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryRecorder, path, "file", "run.mcap",
                          "The file; others of the run are called NAME-1.mcap and so on",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRecorder, compression, "compression", "auto",
                          "zstd, lz4 or none; auto: the first of these that there is",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRecorder, contents, "contents", "all",
                          "all; or inputs: only what a replay needs, without records and poses",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRecorder, only, "only", "",
                          "Components that are recorded, separated by blanks: full names, or parts "
                          "of them between dots; empty: all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRecorder, pictures, "pictures", FALSE,
                           "Whether components with pictures are recorded, too",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRecorder, precise, "precise", FALSE,
                           "Whether what is measured along rays is recorded with all digits, "
                           "rather than as float32",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRecorder, derived, "derived", FALSE,
                           "Whether points that a sensor computes from other fields of its record "
                           "are recorded, too",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRecorder, draws, "foxglove", FALSE,
                           "Whether poses, scans, clouds of points, pictures and places on the "
                           "Earth are recorded once more in messages that Foxglove draws",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRecorder, encoding, "foxglove_encoding", "json",
                          "What these messages are if they are large, scans, clouds and pictures: "
                          "json, or cdr with definitions of ROS 2, which is smaller and faster",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRecorder, format, "foxglove_pictures", "raw",
                          "raw, or png or jpeg: pictures in colours or grey of these messages are "
                          "compressed",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRecorder, rate, "rate", 0, 1e6, 0,
                          "Records of each component in a second of simulated time at most, Hz; "
                          "0: all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRecorder, pose_rate, "poses", 0, 1e6, 10,
                          "How often the poses of all objects are recorded, Hz; 0: never",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRecorder, logs, "log", TRUE,
                           "Whether what parts log is recorded, too",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRecorder, inputs, "inputs", TRUE,
                           "Whether what comes to the run from outside is recorded, so that it can "
                           "be run again",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRecorder, largest_input, "input_size", 0, 16, 1,
                          "Size of what a part takes from outside at once, or a worker that runs "
                          "freely sends, MB: what is larger is not recorded",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRecorder, hash_rate, "hashes", 0, 1e6, 10,
                          "How often a hash of all records and poses is recorded with the inputs, "
                          "Hz; 0: never",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRecorder, state_period, "states", -1, 1e6, -1,
                          "Simulated time between states from which the run can go on, s; 0: none; "
                          "below: 1, with the contents inputs 10",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryRecorder, split, "split", 0, 1000000, 0,
                        "Size after which another file begins, MB; 0: never",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRecorder, split_period, "split_time", 0, 1e9, 0,
                          "Simulated time after which another file begins, s; 0: never",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryRecorder, n_kept, "keep", 0, 1000000, 0,
                        "Files that are left on the disk, the newest ones; older ones of this "
                        "recorder are removed; 0: all are left",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryRecorder, last_length, "keep_last", 0, 1e6, 0,
                          "Simulated time of which all is kept in memory, s, and is written to a "
                          "file when the service save_last asks for it; 0: all goes to files at "
                          "once",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryRecorder, last_size, "keep_size", 1, 65536, 256,
                        "Memory for keep_last, MB: the oldest messages are dropped",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryRecorder, n_slots, "queue", 2, 65536, 128,
                        "Records of each component that wait to be written at most",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryRecorder, waits, "wait", FALSE,
                           "Whether the simulation waits where the queue is full, rather than that "
                           "records are dropped",
                           .flags = ORRERY_PROPERTY_AT_START),
};

/* --- what is recorded --- */

static gboolean
is_named (const char *name, char **words)
{
  g_auto (GStrv) parts = g_strsplit (name, ".", -1);
  gboolean found = FALSE, any = FALSE;

  for (guint i = 0; words[i] != NULL; i++) {
    any |= *words[i] != '\0';
    found |= *words[i] != '\0' && (strcmp (words[i], name) == 0 ||
                                   g_strv_contains ((const char *const *) parts, words[i]));
  }
  return found || !any;
}

static gboolean
has_only_inputs (OrreryRecorder *self)
{
  return g_str_equal (self->contents, "inputs");
}

static gboolean
check_contents (OrreryRecorder *self, GError **error)
{
  if (!has_only_inputs (self) && !g_str_equal (self->contents, "all"))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "contents: '%.60s' is none of all, inputs",
                             self->contents);
  if (has_only_inputs (self) && !self->inputs)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "contents: inputs, but the property inputs says that none are "
                             "recorded");
  if (has_only_inputs (self) && (*self->only != '\0' || self->pictures || self->draws))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "contents: with inputs no records are recorded, and only, pictures "
                             "and foxglove have nothing to choose from");
  return TRUE;
}

static gboolean
has_picture (OrrerySchema *schema)
{
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++)
    if (orrery_schema_get_field (schema, i)->type == ORRERY_FIELD_BUFFER)
      return TRUE;
  return FALSE;
}

static gboolean
is_wanted (OrreryRecorder *self, OrreryComponent *component, char **words)
{
  OrreryRecord *record = orrery_component_get_record (component);
  OrrerySchema *schema = record != NULL ? orrery_record_get_schema (record) : NULL;

  return !has_only_inputs (self) && schema != NULL && orrery_schema_get_n_fields (schema) > 0 &&
         is_named (orrery_part_get_name (ORRERY_PART (component)), words) &&
         (self->pictures || !has_picture (schema));
}

static char *
make_topic (const char *name)
{
  char *topic = g_strconcat ("/", name, NULL);

  return g_strdelimit (topic, ".", '/');
}

/* A word that names nothing is a mistake. */
static gboolean
check_words (const OrreryObserved *observed, char **words, GError **error)
{
  g_autofree const char **names = g_new0 (const char *, observed->n_components + 1);

  for (guint i = 0; i < observed->n_components; i++)
    names[i] = orrery_part_get_name (ORRERY_PART (observed->components[i]));
  for (guint k = 0; words[k] != NULL; k++) {
    char *one[] = { words[k], NULL };
    gboolean found = *words[k] == '\0';

    for (guint i = 0; names[i] != NULL; i++)
      found |= is_named (names[i], one);
    if (!found) {
      g_autofree char *near = orrery_nearest_names (words[k], names);

      return orrery_set_error (error, ORRERY_ERROR_CONFIG, "only: no component '%s'%s", words[k],
                               near);
    }
  }
  return TRUE;
}

static gboolean
read_kind (OrreryRecorder *self, RecorderDrawnKind *kind, GError **error)
{
  static const char *const encodings[] = { "json", "cdr", NULL };
  static const char *const formats[] = { "raw", "png", "jpeg", NULL };

  if (!g_strv_contains (encodings, self->encoding)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "foxglove_encoding: '%.60s' is none of json, cdr", self->encoding);
    return FALSE;
  }
  if (!g_strv_contains (formats, self->format)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "foxglove_pictures: '%.60s' is none of raw, png, jpeg", self->format);
    return FALSE;
  }
  kind->packed = g_str_equal (self->encoding, "cdr");
  kind->format = g_str_equal (self->format, "raw") ? NULL : self->format;
  if (recorder_drawn_check (kind, error))
    return TRUE;
  g_prefix_error (error, "foxglove: ");
  return FALSE;
}

static gboolean
make_queue (OrreryRecorder *self, const OrreryObserved *observed, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (self->only, " ,", -1);
  g_autoptr (GArray) sources = g_array_new (FALSE, TRUE, sizeof (RecorderSource));
  guint n_objects = orrery_world_get_n_objects (observed->world), n;
  RecorderDrawnKind kind = { FALSE, NULL, NULL };

  if (!check_contents (self, error) || !check_words (observed, words, error) ||
      !read_kind (self, &kind, error))
    return FALSE;
  for (guint i = 0; i < observed->n_components; i++) {
    OrreryComponent *component = observed->components[i];
    RecorderSource source = { .component = component };

    if (!is_wanted (self, component, words))
      continue;
    source.topic = make_topic (orrery_part_get_name (ORRERY_PART (component)));
    source.classpath = g_strdup (orrery_part_get_classpath (ORRERY_PART (component)));
    recorder_form_init (&source.form, component, self->precise, self->derived);
    source.schema = orrery_recording_describe_record (orrery_component_get_record (component),
                                                      source.form.form, source.classpath);
    kind.form = source.form.form;
    if (self->draws)
      source.drawn = recorder_drawn_new (component, &kind);
    g_array_append_val (sources, source);
    g_hash_table_insert (self->index, component, GUINT_TO_POINTER (sources->len));
  }
  self->poses = sources->len;
  if (self->pose_rate > 0 && !has_only_inputs (self)) {
    RecorderSource source = { .topic = g_strdup ("/orrery/poses") };

    g_array_append_val (sources, source);
  }
  n = sources->len;
  self->queue =
      recorder_queue_new ((RecorderSource *) g_array_free (g_steal_pointer (&sources), FALSE), n,
                          self->n_slots, n_objects);
  self->queue->waits = self->waits;
  return TRUE;
}

/* --- what the file says of the run --- */

/* A list in JSON, of those that fit into a text of metadata. */
static char *
list_settings (const char *const *settings)
{
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  gsize length;
  const char *text;

  orrery_writer_append_char (out, '[');
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    orrery_writer_append_json_text (out, settings[i]);
  }
  orrery_writer_append_char (out, ']');
  text = orrery_writer_get_data (out, &length);
  return g_strndup (text, length);
}

static GVariant *
describe_run (OrreryRecorder *self, const OrreryObserved *observed)
{
  g_autofree char *name = g_path_get_basename (observed->scene != NULL ? observed->scene : "");
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, observed->seed);
  g_autofree char *epoch = g_strdup_printf ("%" G_GUINT64_FORMAT, observed->epoch);
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, observed->start);
  g_autofree char *ticks = g_strdup_printf ("%" G_GUINT64_FORMAT, observed->n_ticks);
  g_autofree char *settings = list_settings (observed->settings);
  char frequency[G_ASCII_DTOSTR_BUF_SIZE];
  GVariantBuilder builder;

  g_ascii_dtostr (frequency, sizeof frequency, observed->frequency);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_add (&builder, "{ss}", "version", ORRERY_VERSION);
  g_variant_builder_add (&builder, "{ss}", "scene", name);
  g_variant_builder_add (&builder, "{ss}", "seed", seed);
  g_variant_builder_add (&builder, "{ss}", "epoch", epoch);
  g_variant_builder_add (&builder, "{ss}", "frequency", frequency);
  g_variant_builder_add (&builder, "{ss}", "start", start);
  g_variant_builder_add (&builder, "{ss}", "ticks", ticks);
  g_variant_builder_add (&builder, "{ss}", "inputs", self->inputs ? "yes" : "no");
  if (has_only_inputs (self))
    g_variant_builder_add (&builder, "{ss}", "contents", "inputs");
  if (observed->config != NULL) {
    g_autofree char *config = g_path_get_basename (observed->config);

    g_variant_builder_add (&builder, "{ss}", "config", config);
  }
  if (strcmp (settings, "[]") != 0)
    g_variant_builder_add (&builder, "{ss}", "settings", settings);
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

/* Below the directory of the scene, files keep their way; others have their name alone. */
static char *
name_attachment (const char *path, const char *directory)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *base = g_path_get_basename (whole);
  gsize length = strlen (directory);
  gboolean below = g_str_has_prefix (whole, directory) && whole[length] == '/';

  return g_strconcat ("scene/", below ? whole + length + 1 : base, NULL);
}

/* Models are attached as they are now, which is before the first tick. */
static void
attach_models (OrreryRecorder *self, const OrreryObserved *observed, const char *directory,
               GHashTable *names)
{
  gsize left = MAX_MODELS_BYTES;

  for (guint i = 0; observed->files[i] != NULL; i++) {
    char *name = name_attachment (observed->files[i], directory);
    g_autoptr (GMappedFile) file = NULL;
    g_autoptr (GBytes) content = NULL;

    if (!g_hash_table_add (names, name))
      continue;
    file = g_mapped_file_new (observed->files[i], FALSE, NULL);
    if (file == NULL || g_mapped_file_get_length (file) > MIN (left, MAX_MODEL_BYTES))
      continue;
    /* A copy, since somebody may cut the file while the run lasts. */
    content = g_bytes_new (g_mapped_file_get_contents (file), g_mapped_file_get_length (file));
    left -= g_bytes_get_size (content);
    recorder_file_attach (&self->file, name, content);
  }
}

static void
attach_texts (OrreryRecorder *self, const OrreryObserved *observed, const char *directory,
              GHashTable *names)
{
  g_autoptr (GList) paths =
      observed->texts != NULL ? g_hash_table_get_keys (observed->texts) : NULL;

  paths = g_list_sort (g_steal_pointer (&paths), (GCompareFunc) strcmp);
  for (GList *item = paths; item != NULL; item = item->next) {
    char *name = name_attachment (item->data, directory);

    if (g_hash_table_add (names, name))
      recorder_file_attach (&self->file, name, g_hash_table_lookup (observed->texts, item->data));
  }
}

static void
attach_scene (OrreryRecorder *self, const OrreryObserved *observed)
{
  g_autofree char *scene =
      g_canonicalize_filename (observed->scene != NULL ? observed->scene : ".", NULL);
  g_autofree char *directory = g_path_get_dirname (scene);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  attach_texts (self, observed, directory, names);
  attach_models (self, observed, directory, names);
  for (guint i = 0; observed->files[i] != NULL; i++)
    g_ptr_array_add (kept, g_strdup (observed->files[i]));
  if (observed->scene != NULL)
    g_ptr_array_add (kept, g_strdup (observed->scene));
  g_ptr_array_add (kept, NULL);
  self->file.kept = (char **) g_ptr_array_free (g_steal_pointer (&kept), FALSE);
}

static OrreryTime
to_period (double rate)
{
  return rate > 0 ? orrery_time_from_seconds (1 / rate) : 0;
}

static void
describe (OrreryRecorder *self, const OrreryObserved *observed)
{
  g_autofree const char **objects = orrery_world_get_names (observed->world);
  RecorderClock clock = { observed->start, (guint64) (observed->frequency * 1e6 + 0.5) };
  double states = self->state_period;

  if (states < 0)
    states = has_only_inputs (self) ? STATES_OF_INPUTS_S : STATES_S;

  self->file.path = g_strdup (self->path);
  self->file.compression = g_strdup (self->compression);
  self->file.split = (guint64) self->split * 1000000;
  self->file.n_kept = self->n_kept;
  if (self->made == NULL)
    self->made = recorder_kept_new ();
  self->file.made = self->made;
  self->file.n_files = self->n_files;
  self->file.run = describe_run (self, observed);
  self->file.plugins = orrery_registry_list_loaded ();
  self->file.objects = g_strdupv ((char **) objects);
  if (self->logs)
    self->file.log = recorder_log_new (ORRERY_PART (self));
  self->file.clock = clock;
  self->file.faults = recorder_faults_new (clock);
  if (self->last_length > 0)
    self->file.sink.last = recorder_last_new (orrery_time_from_seconds (self->last_length),
                                              (gsize) self->last_size * 1000000);
  if (self->inputs)
    self->file.replay =
        recorder_replay_new (ORRERY_OBSERVER (self), clock, to_period (self->hash_rate),
                             self->waits, (gsize) (self->largest_input * 1e6));
  if (states > 0 || self->split > 0 || self->split_period > 0)
    self->file.states =
        recorder_states_new (ORRERY_OBSERVER (self), orrery_time_from_seconds (states),
                             orrery_time_from_seconds (self->split_period), self->waits);
  attach_scene (self, observed);
}

/* --- the writer's thread --- */

/* What fails once fails again: the rest of the run is not recorded, and does not wait. */
static void
give_up (OrreryRecorder *self, const GError *error)
{
  orrery_part_warning (self, "nothing more is recorded: %s", error->message);
  orrery_observer_note_loss (&self->parent_instance, error->message);
  recorder_file_give_up (&self->file);
}

static gboolean
write_entry (OrreryRecorder *self, const RecorderEntry *entry, OrreryTime *last, GError **error)
{
  if (entry->time != *last &&
      !recorder_file_write_others (&self->file, self->queue, entry->time, error))
    return FALSE;
  *last = entry->time;
  return recorder_file_write (&self->file, self->queue, entry, error);
}

/* Somebody asks for the last seconds, and a message of a later time comes next: with that, the
 * first of them might go. */
static gboolean
serve (OrreryRecorder *self, OrreryTime next, GError **error)
{
  OrreryTime until;

  if (self->saver == NULL || !recorder_saver_is_asked (self->saver, &until) || next <= until)
    return TRUE;
  if (!recorder_file_write_others (&self->file, self->queue, until, error))
    return FALSE;
  recorder_saver_serve (self->saver);
  return TRUE;
}

static gpointer
run_writer (gpointer data)
{
  OrreryRecorder *self = data;
  RecorderQueue *queue = self->queue;
  gint64 flush_due = g_get_monotonic_time () + FLUSH_US;
  g_autoptr (GError) error = NULL;
  gboolean ends = FALSE;
  OrreryTime last = G_MININT64; /* that was written */

  while (!ends) {
    RecorderEntry entry;
    OrreryTime until, now;
    gboolean asked;

    ends = g_atomic_int_get (&queue->stop);
    now = ends ? G_MAXINT64 : recorder_queue_get_time (queue);
    asked = self->saver != NULL && recorder_saver_is_asked (self->saver, &until);
    while (recorder_queue_get (queue, &entry)) {
      if (error == NULL &&
          (!serve (self, entry.time, &error) || !write_entry (self, &entry, &last, &error)))
        give_up (self, error);
      recorder_queue_release (queue, &entry);
    }
    /* All that was published before somebody asked is there. */
    if (asked && error == NULL && !serve (self, G_MAXINT64, &error))
      give_up (self, error);
    /* Also where nothing else is recorded. */
    if (error == NULL && !recorder_file_write_others (&self->file, queue, now, &error))
      give_up (self, error);
    if (error == NULL && g_get_monotonic_time () >= flush_due) {
      if (!recorder_file_flush (&self->file, &error))
        give_up (self, error);
      flush_due = g_get_monotonic_time () + FLUSH_US;
    }
    if (!ends)
      recorder_queue_wait (queue, LOOK_MS);
  }
  if (error == NULL && !recorder_file_close (&self->file, &error))
    give_up (self, error);
  return NULL;
}

/* --- the observer --- */

static void
forget (OrreryRecorder *self)
{
  g_clear_pointer (&self->saver, recorder_saver_free);
  self->n_files = self->file.n_files;
  recorder_file_clear (&self->file);
  self->file = (RecorderFile){ NULL };
  g_clear_pointer (&self->queue, recorder_queue_free);
  g_clear_pointer (&self->index, g_hash_table_unref);
}

static gboolean
orrery_recorder_open (OrreryObserver *observer, const OrreryObserved *observed, GError **error)
{
  OrreryRecorder *self = (OrreryRecorder *) observer;

  if (self->last_length > 0 && (self->split > 0 || self->split_period > 0))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "keep_last has no file that split or split_time could split");
  self->index = g_hash_table_new (NULL, NULL);
  self->now = 0;
  self->expected = 0;
  self->said_dropped = FALSE;
  self->period = to_period (self->rate);
  self->pose_period = to_period (self->pose_rate);
  describe (self, observed);
  if (!make_queue (self, observed, error) ||
      !recorder_file_open (&self->file, self->queue, error)) {
    forget (self);
    return FALSE;
  }
  for (guint i = 0; i < self->queue->n_sources; i++)
    if (self->queue->sources[i].component != NULL)
      orrery_observer_watch (observer, self->queue->sources[i].component, TRUE);
  if (self->last_length > 0)
    self->saver = recorder_saver_new (observer, &self->file, self->queue);
  self->thread = g_thread_try_new ("recorder", run_writer, self, error);
  if (self->thread == NULL)
    forget (self);
  return self->thread != NULL;
}

/* Whether a source is due, so that the rate on average is the one that was asked for. */
static gboolean
take_turn (OrreryRecorder *self, RecorderSource *source, OrreryTime period)
{
  if (self->now < source->due)
    return FALSE;
  source->due = source->due + period > self->now ? source->due + period : self->now + period;
  return TRUE;
}

static void
say_dropped (OrreryRecorder *self)
{
  if (!self->said_dropped)
    orrery_part_warning (self,
                         "records come faster than they are written, and some are dropped; see the "
                         "properties queue, rate, only and wait");
  self->said_dropped = TRUE;
}

/* Returns: 1 + the source of a component, 0: it is not recorded. Records come in the order of the
 * components, in each tick. */
static guint
find_source (OrreryRecorder *self, OrreryComponent *component)
{
  guint index = self->expected + 1;

  if (index > self->queue->n_sources || self->queue->sources[self->expected].component != component)
    index = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, component));
  if (index > 0)
    self->expected = index < self->queue->n_sources ? index : 0;
  return index;
}

static void
orrery_recorder_record (OrreryObserver *observer, OrreryComponent *component)
{
  OrreryRecorder *self = (OrreryRecorder *) observer;
  guint index = find_source (self, component);
  RecorderSource *source;
  gint slot;

  if (index == 0)
    return;
  source = &self->queue->sources[index - 1];
  if (self->period > 0 && !take_turn (self, source, self->period))
    return;
  slot = recorder_queue_take (self->queue, index - 1);
  if (slot < 0) {
    say_dropped (self);
    return;
  }
  orrery_record_copy_whole (recorder_queue_get_record (self->queue, index - 1, (guint) slot),
                            orrery_component_get_record (component));
  recorder_queue_put (self->queue, index - 1, (guint) slot);
}

static void
record_poses (OrreryRecorder *self, OrrerySnapshot *snapshot)
{
  guint n = MIN (self->queue->n_objects, orrery_snapshot_get_n_objects (snapshot));
  gint slot = recorder_queue_take (self->queue, self->poses);
  OrreryTransform *poses;

  if (slot < 0) {
    say_dropped (self);
    return;
  }
  poses = recorder_queue_get_poses (self->queue, (guint) slot);
  for (guint i = 0; i < n; i++)
    poses[i] = *orrery_snapshot_get_pose (snapshot, i);
  recorder_queue_put (self->queue, self->poses, (guint) slot);
}

static void
orrery_recorder_tick (OrreryObserver *observer, OrreryTick *tick)
{
  OrreryRecorder *self = (OrreryRecorder *) observer;
  gboolean has_state;

  self->now = orrery_tick_get_time (tick);
  self->file.n_ticks = orrery_tick_get_number (tick) + 1;
  if (self->file.log != NULL)
    recorder_log_set_time (self->file.log, self->now, orrery_tick_get_number (tick));
  if (self->poses < self->queue->n_sources &&
      take_turn (self, &self->queue->sources[self->poses], self->pose_period))
    record_poses (self, orrery_tick_get_snapshot (tick));
  has_state = self->file.states != NULL && recorder_states_take (self->file.states, tick);
  recorder_queue_publish (self->queue, self->now);
  if (has_state)
    recorder_queue_wake (self->queue);
  if (self->file.replay != NULL)
    recorder_replay_end_tick (self->file.replay, tick);
}

static void
orrery_recorder_input (OrreryObserver *observer, const OrreryRunInput *input)
{
  OrreryRecorder *self = (OrreryRecorder *) observer;

  if (self->file.replay != NULL)
    recorder_replay_take_input (self->file.replay, input);
}

static void
orrery_recorder_fault (OrreryObserver *observer, const OrreryRunFault *fault)
{
  OrreryRecorder *self = (OrreryRecorder *) observer;

  recorder_faults_take (self->file.faults, fault, self->now);
}

static void
say_left (OrreryRecorder *self)
{
  guint n = recorder_kept_take_failures (self->made);

  if (n > 0)
    orrery_part_warning (self, "keep: %u older files could not be removed", n);
}

static void
save_last (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRecorder *self = (OrreryRecorder *) part;
  g_autofree char *path = NULL;

  if (self->saver == NULL) {
    orrery_set_error (error, ORRERY_ERROR_STATE, "%s",
                      self->queue == NULL
                          ? "nothing is recorded now"
                          : "with the property keep_last, which is 0, the last seconds are kept");
    return;
  }
  path = recorder_saver_ask (self->saver, self->now, error);
  if (path != NULL)
    orrery_call_return (call, g_variant_new_string (path));
}

static void
is_saving (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRecorder *self = (OrreryRecorder *) part;

  orrery_call_return (call, g_variant_new_boolean (self->saver != NULL &&
                                                   recorder_saver_is_busy (self->saver)));
}

static const OrreryService services[] = {
  { "save_last", save_last, ORRERY_SERVICE_RESTRICTED, "",
    "Has the last seconds written to a file, while the run goes on: its name" },
  { "is_saving", is_saving, ORRERY_SERVICE_IMMEDIATE, "",
    "Whether that file is being written; then it is whole, or the log says why it is not" },
};

static void
say_done (OrreryRecorder *self)
{
  guint n_dropped = (guint) g_atomic_int_get ((gint *) &self->queue->n_dropped);

  if (n_dropped > 0)
    orrery_part_warning (self, "%s: %" G_GUINT64_FORMAT " messages were recorded, %u dropped",
                         self->path, self->file.n_messages, n_dropped);
  else if (self->saver == NULL)
    orrery_part_message (self, "%s: %" G_GUINT64_FORMAT " messages were recorded", self->path,
                         self->file.n_messages);
}

static void
orrery_recorder_close (OrreryObserver *observer)
{
  OrreryRecorder *self = (OrreryRecorder *) observer;

  recorder_queue_stop (self->queue);
  g_thread_join (g_steal_pointer (&self->thread));
  say_done (self);
  g_clear_pointer (&self->saver, recorder_saver_free);
  say_left (self);
  forget (self);
}

static void
orrery_recorder_finalize (GObject *object)
{
  OrreryRecorder *self = (OrreryRecorder *) object;

  g_clear_pointer (&self->made, recorder_kept_free);
  G_OBJECT_CLASS (orrery_recorder_parent_class)->finalize (object);
}

static void
orrery_recorder_class_init (OrreryRecorderClass *klass)
{
  OrreryObserverClass *observer_class = ORRERY_OBSERVER_CLASS (klass);

  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  G_OBJECT_CLASS (klass)->finalize = orrery_recorder_finalize;
  observer_class->open = orrery_recorder_open;
  observer_class->record = orrery_recorder_record;
  observer_class->tick = orrery_recorder_tick;
  observer_class->close = orrery_recorder_close;
  observer_class->input = orrery_recorder_input;
  observer_class->fault = orrery_recorder_fault;
}

ORRERY_PLUGIN ("Keeps a run in a file that other programs read", "BSD-3-Clause",
               ORRERY_CLASS (Recorder, OrreryRecorder, orrery_recorder))
