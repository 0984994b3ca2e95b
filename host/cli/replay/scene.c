/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from a recording which run it holds, and takes the files of its scene out of it. */
#include "replay.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define PREFIX "scene/"
/* Of all files of the scene together. */
#define MAX_BYTES ((guint64) 1 << 30)
#define MAX_FILES 10000
#define MAX_DEPTH 32

void
replay_run_clear (ReplayRun *run)
{
  g_clear_pointer (&run->path, g_free);
  g_clear_pointer (&run->scene, g_free);
  g_clear_pointer (&run->config, g_free);
  g_clear_pointer (&run->version, g_free);
  g_clear_pointer (&run->settings, g_strfreev);
  g_clear_pointer (&run->plugins, g_variant_unref);
  g_clear_pointer (&run->cancelled, g_array_unref);
}

/* --- metadata --- */

static GVariant *
find_metadata (OrreryRecordingReader *reader, const char *name)
{
  for (guint i = 0; i < orrery_recording_reader_get_n_metadata (reader); i++) {
    const OrreryRecordingMetadata *metadata = orrery_recording_reader_get_metadata (reader, i);

    if (strcmp (metadata->name, name) == 0)
      return metadata->values;
  }
  return NULL;
}

static gboolean
read_settings (ReplayRun *run, const char *text, GError **error)
{
  g_autoptr (OrreryNode) list = orrery_node_parse_json (text, strlen (text), "settings", error);
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func (g_free);

  if (list == NULL)
    return FALSE;
  for (guint i = 0;
       orrery_node_get_kind (list) == ORRERY_NODE_LIST && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_TEXT)
      g_ptr_array_add (settings, g_strdup (orrery_node_get_text (item)));
  }
  g_ptr_array_add (settings, NULL);
  run->settings = (char **) g_ptr_array_free (g_steal_pointer (&settings), FALSE);
  return TRUE;
}

static gboolean
is_number (const char *text, guint64 *out)
{
  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, out, NULL);
}

static gboolean
is_time (const char *text, OrreryTime *out)
{
  return text != NULL && g_ascii_string_to_signed (text, 10, G_MININT64 + 1, G_MAXINT64, out, NULL);
}

/* A name from outside is that of a file in the directory, and nothing else. */
static gboolean
is_plain (const char *name)
{
  return name != NULL && *name != '\0' && strchr (name, '/') == NULL && strcmp (name, ".") != 0 &&
         strcmp (name, "..") != 0;
}

gboolean
replay_run_read (ReplayRun *run, OrreryRecordingReader *reader, GError **error)
{
  GVariant *values = find_metadata (reader, "orrery");
  const char *path = orrery_recording_reader_get_path (reader), *fault;
  const char *scene = NULL, *seed = NULL, *start = NULL, *ticks = NULL, *frequency = NULL,
             *version = NULL, *config = NULL, *settings = NULL, *inputs = NULL;

  if (values == NULL)
    return orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "%s: a recording, but of no run of Orrery: it has no metadata 'orrery'", path);
  g_variant_lookup (values, "scene", "&s", &scene);
  g_variant_lookup (values, "seed", "&s", &seed);
  g_variant_lookup (values, "start", "&s", &start);
  g_variant_lookup (values, "ticks", "&s", &ticks);
  g_variant_lookup (values, "frequency", "&s", &frequency);
  g_variant_lookup (values, "version", "&s", &version);
  g_variant_lookup (values, "config", "&s", &config);
  g_variant_lookup (values, "settings", "&s", &settings);
  g_variant_lookup (values, "inputs", "&s", &inputs);
  fault = !is_plain (scene)                      ? "scene"
          : !is_number (seed, &run->seed)        ? "seed"
          : !is_number (ticks, &run->first_tick) ? "ticks"
          : !is_time (start, &run->start)        ? "start"
          : frequency == NULL                    ? "frequency"
                                                 : NULL;
  if (fault != NULL) {
    const char *value = NULL;

    g_variant_lookup (values, fault, "&s", &value);
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: it cannot be run again: its metadata have %s '%s'%s%.40s; it was "
                             "recorded by an older version, or is no recording of a run",
                             path, value != NULL ? "a wrong" : "no", fault,
                             value != NULL ? ": " : "", value != NULL ? value : "");
  }
  if (g_strcmp0 (inputs, "yes") != 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: it has no inputs, and so cannot be run again: it was recorded by "
                             "`orrery replay --open-loop`, or with the recorder's property "
                             "'inputs' off",
                             path);
  run->frequency = g_ascii_strtod (frequency, NULL);
  if (!(run->frequency > 0 && run->frequency <= 1e9))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: a frequency of %.40s", path,
                             frequency);
  run->scene = g_strdup (scene);
  run->config = is_plain (config) ? g_strdup (config) : NULL;
  run->version = g_strdup (version != NULL ? version : "");
  values = find_metadata (reader, "end");
  if (values != NULL && g_variant_lookup (values, "ticks", "&s", &ticks) &&
      !is_number (ticks, &run->n_ticks))
    run->n_ticks = 0;
  values = find_metadata (reader, "plugins");
  run->plugins = values != NULL ? g_variant_ref (values) : NULL;
  return settings == NULL || read_settings (run, settings, error);
}

/* --- attachments --- */

static gboolean
refuse (OrreryRecordingReader *reader, const char *name, const char *why, GError **error)
{
  g_autofree char *shown = g_strescape (name, NULL);

  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: the attachment '%.100s' %s",
                           orrery_recording_reader_get_path (reader), shown, why);
}

/* Below the directory, with no way out of it. */
static gboolean
is_safe (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", MAX_DEPTH + 1);
  guint n = g_strv_length (parts);

  for (guint i = 0; i < n; i++)
    if (!is_plain (parts[i]))
      return FALSE;
  return n > 0 && n <= MAX_DEPTH && g_utf8_validate (name, -1, NULL);
}

/* The directory is new and ours, so that nobody has put a link there. */
static gboolean
write_file (const char *directory, const char *name, GBytes *content, GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) local = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", folder, g_strerror (errno));
  if (g_file_set_contents_full (path, g_bytes_get_data (content, NULL),
                                (gssize) g_bytes_get_size (content), G_FILE_SET_CONTENTS_NONE, 0600,
                                &local))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s", local->message);
}

gboolean
replay_run_extract (ReplayRun *run, OrreryRecordingReader *reader, const char *directory,
                    GError **error)
{
  guint n = orrery_recording_reader_get_n_attachments (reader), n_files = 0;
  guint64 total = 0;

  run->path = g_build_filename (directory, run->scene, NULL);
  for (guint i = 0; i < n; i++) {
    const OrreryRecordingAttachment *attachment =
        orrery_recording_reader_get_attachment (reader, i);
    g_autoptr (GBytes) content = NULL;
    const char *name = attachment->name;

    if (!g_str_has_prefix (name, PREFIX))
      continue;
    if (!is_safe (name + strlen (PREFIX)))
      return refuse (reader, name, "has a name that is no path below the scene", error);
    total += MIN (attachment->size, MAX_BYTES);
    if (total > MAX_BYTES || ++n_files > MAX_FILES)
      return refuse (reader, name, "is too much: a scene has at most 1 GiB in 10,000 files", error);
    content = orrery_recording_reader_read_attachment (reader, i, error);
    if (content == NULL || !write_file (directory, name + strlen (PREFIX), content, error))
      return FALSE;
  }
  if (g_file_test (run->path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: it does not hold its scene, %.100s",
                           orrery_recording_reader_get_path (reader), run->scene);
}

/* --- what runs it --- */

static gboolean take_change (gboolean changed, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
take_change (gboolean changed, GError **error, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list list;

  va_start (list, format);
  words = g_strdup_vprintf (format, list);
  va_end (list);
  if (changed)
    g_warning ("%s", words);
  else
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s; --changed runs it all the same", words);
  return changed;
}

gboolean
replay_run_check (const ReplayRun *run, gboolean changed, GError **error)
{
  g_autoptr (GVariant) loaded = orrery_registry_list_loaded ();
  const char *name = NULL, *sum = NULL, *recorded = NULL;
  GVariantIter iter;

  if (strcmp (run->version, ORRERY_VERSION) != 0 &&
      !take_change (changed, error, "the run was made by Orrery %.40s, and this is " ORRERY_VERSION,
                    run->version))
    return FALSE;
  g_variant_iter_init (&iter, loaded);
  while (run->plugins != NULL && g_variant_iter_next (&iter, "{&s&s}", &name, &sum))
    if (g_variant_lookup (run->plugins, name, "&s", &recorded) && strcmp (recorded, sum) != 0 &&
        !take_change (changed, error,
                      "the plugin %s is another one than in the run that was recorded", name))
      return FALSE;
  return TRUE;
}

/* --- states --- */

/* Returns: (nullable): the bytes, of which @text has two digits each */
static GBytes *
read_hex (const char *text)
{
  gsize size = strlen (text) / 2;
  g_autofree guint8 *bytes = g_malloc (size + 1);

  if (text[strspn (text, "0123456789abcdefABCDEF")] != '\0' || text[2 * size] != '\0')
    return NULL;
  for (gsize i = 0; i < size; i++)
    bytes[i] =
        (guint8) (g_ascii_xdigit_value (text[2 * i]) * 16 + g_ascii_xdigit_value (text[2 * i + 1]));
  return g_bytes_new_take (g_steal_pointer (&bytes), size);
}

/* Returns: (nullable): what the present message holds */
static GBytes *
read_state (OrreryRecordingReader *reader, guint64 *ticks)
{
  gsize length;
  const char *text = (const char *) orrery_recording_reader_get_message_data (reader, &length);
  g_autoptr (OrreryNode) message = orrery_node_parse_json (text, length, "state", NULL);
  OrreryNode *state, *n;

  if (message == NULL || orrery_node_get_kind (message) != ORRERY_NODE_DICT)
    return NULL;
  state = orrery_node_find (message, "state");
  n = orrery_node_find (message, "ticks");
  if (state == NULL || n == NULL || orrery_node_get_kind (state) != ORRERY_NODE_TEXT ||
      orrery_node_get_kind (n) != ORRERY_NODE_INT || orrery_node_get_int (n) < 0)
    return NULL;
  *ticks = (guint64) orrery_node_get_int (n);
  return read_hex (orrery_node_get_text (state));
}

GBytes *
replay_run_find_state (ReplayRun *run, OrreryRecordingReader *reader, guint64 tick, guint64 *found,
                       gboolean *passed, GError **error)
{
  static const char *const topics[] = { "/orrery/states", NULL };
  double until = ((double) tick + 1) / run->frequency;
  OrreryTime last = run->start + orrery_time_from_seconds (MIN (until, 1e9));
  /* States are a second apart, or as far as the recorder was told: older ones come next. */
  OrreryTime from = run->first_tick > 0 ? 0 : MAX (last - 10 * ORRERY_SECOND, 0);
  g_autoptr (GBytes) best = NULL;
  gboolean is_passed = FALSE;
  GError *local = NULL;

  *found = 0;
  if (!replay_run_read_calls (run, reader, error))
    return NULL;
  for (;;) {
    orrery_recording_reader_select (reader, topics, from, last);
    while (orrery_recording_reader_next (reader, &local)) {
      guint64 ticks = 0;
      GBytes *state = read_state (reader, &ticks);

      gboolean is_needed = run->first_tick > 0 && best == NULL;
      gboolean is_amid = replay_run_is_in_call (run, ticks);

      if (state == NULL || ((ticks > tick || is_amid) && !is_needed)) {
        is_passed |= state != NULL && ticks <= tick;
        g_clear_pointer (&state, g_bytes_unref);
        continue;
      }
      is_passed = FALSE;
      g_clear_pointer (&best, g_bytes_unref);
      best = state;
      *found = ticks;
    }
    if (local != NULL) {
      g_propagate_error (error, local);
      return NULL;
    }
    if (passed != NULL)
      *passed = is_passed;
    if (best != NULL || from == 0)
      return g_steal_pointer (&best);
    from = 0;
  }
}

gboolean
replay_jump (OrrerySimulation *simulation, guint64 tick, GBytes *state, guint64 found,
             gboolean *jumped, GError **error)
{
  guint64 now = orrery_simulation_get_n_ticks (simulation);
  gboolean is_nearer = state != NULL && found <= tick && (now > tick || found > now);

  *jumped = is_nearer || now > tick;
  if (!*jumped)
    return TRUE;
  return is_nearer ? orrery_simulation_restore (simulation, state, error)
                   : orrery_simulation_reset (simulation, error);
}

char *
replay_run_find_reason (const ReplayRun *run, OrreryRecordingReader *reader, guint64 tick)
{
  static const char *const topics[] = { "/orrery/log", NULL };
  static const char words[] = "no states are recorded: ", again[] = "states are recorded again";
  g_autofree char *reason = NULL;
  double until = ((double) tick + 1) / run->frequency;
  OrreryTime last = run->start + orrery_time_from_seconds (MIN (until, 1e9));

  orrery_recording_reader_select (reader, topics, 0, last);
  while (orrery_recording_reader_next (reader, NULL)) {
    gsize length;
    const char *text = (const char *) orrery_recording_reader_get_message_data (reader, &length);
    g_autoptr (OrreryNode) line = orrery_node_parse_json (text, length, topics[0], NULL);
    OrreryNode *message = line != NULL && orrery_node_get_kind (line) == ORRERY_NODE_DICT
                              ? orrery_node_find (line, "message")
                              : NULL;

    if (message == NULL || orrery_node_get_kind (message) != ORRERY_NODE_TEXT)
      continue;
    text = orrery_node_get_text (message);
    if (g_str_has_prefix (text, words) || g_str_equal (text, again)) {
      g_free (reason);
      reason = *text == *words ? g_strdup (text + strlen (words)) : NULL;
    }
  }
  return g_steal_pointer (&reason);
}
