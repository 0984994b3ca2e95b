/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "hybrid-trial.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* --- what loops do; most emit one number first --- */

static gboolean
emit (OrreryLoop *loop, gint64 number, GError **error)
{
  OrreryEmitter *emitter = orrery_loop_find_emitter (loop, "pipe", error);

  return emitter != NULL && orrery_emitter_emit_variant (emitter, g_variant_new_int64 (number),
                                                         orrery_loop_get_time (loop), error);
}

static gpointer
begin_count (OrreryLoop *loop, GError **error)
{
  return g_new0 (gint64, 1);
}

/* 1, 2, 3 ..., a millisecond apart */
static OrreryNext
count (OrreryLoop *loop, gpointer data, GError **error)
{
  gint64 *number = data;

  emit (loop, ++*number, error);
  return orrery_next_sleep_seconds (0.001);
}

static OrreryNext
say_pid (OrreryLoop *loop, gpointer data, GError **error)
{
  emit (loop, getpid (), error);
  return orrery_next_done ();
}

static OrreryNext
fail (OrreryLoop *loop, gpointer data, GError **error)
{
  if (emit (loop, getpid (), error))
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "the lens fell off");
  return orrery_next_done ();
}

static OrreryNext
sleep_long (OrreryLoop *loop, gpointer data, GError **error)
{
  emit (loop, getpid (), error);
  return orrery_next_sleep_seconds (1e6);
}

static OrreryNext
rest (OrreryLoop *loop, gpointer data, GError **error)
{
  return orrery_next_sleep_seconds (1e6);
}

static OrreryNext
hang (OrreryLoop *loop, gpointer data, GError **error)
{
  emit (loop, getpid (), error);
  while (pause () != 0)
    continue;
  return orrery_next_done ();
}

static OrreryNext
leave (OrreryLoop *loop, gpointer data, GError **error)
{
  emit (loop, getpid (), error);
  _exit (3);
}

/* At the place that the arguments name. */
static gpointer
begin_crash (OrreryLoop *loop, GError **error)
{
  if (g_str_equal (g_variant_get_string (orrery_loop_get_arguments (loop), NULL), "begin"))
    kill (getpid (), SIGKILL);
  return g_object_ref (loop);
}

static OrreryNext
crash (OrreryLoop *loop, gpointer data, GError **error)
{
  const char *place = g_variant_get_string (orrery_loop_get_arguments (loop), NULL);
  OrreryEmitter *emitter = orrery_loop_find_emitter (loop, "pipe", error);

  if (g_str_equal (place, "step"))
    kill (getpid (), SIGKILL);
  if (g_str_equal (place, "emit")) {
    orrery_emitter_begin (emitter, 1000, NULL, NULL);
    kill (getpid (), SIGKILL);
  }
  emit (loop, getpid (), error);
  if (g_str_equal (place, "emitted"))
    kill (getpid (), SIGKILL);
  return orrery_next_done ();
}

static void
end_crash (gpointer data)
{
  OrreryLoop *loop = data;

  if (g_str_equal (g_variant_get_string (orrery_loop_get_arguments (loop), NULL), "end"))
    kill (getpid (), SIGKILL);
  g_object_unref (loop);
}

static OrreryNext
stop (OrreryLoop *loop, gpointer data, GError **error)
{
  orrery_loop_stop (loop);
  return orrery_next_sleep_seconds (1e6);
}

static gpointer
begin_broken (OrreryLoop *loop, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "no such device");
  return NULL;
}

static OrreryNext
measure (OrreryLoop *loop, gpointer data, GError **error)
{
  emit (loop, (gint64) g_variant_get_size (orrery_loop_get_arguments (loop)), error);
  return orrery_next_sleep_seconds (1e6);
}

static OrreryNext
no_pipe (OrreryLoop *loop, gpointer data, GError **error)
{
  orrery_loop_find_emitter (loop, "pepi", error);
  return orrery_next_done ();
}

static OrreryNext
no_command (OrreryLoop *loop, gpointer data, GError **error)
{
  return orrery_next_sleep_seconds (-1.0);
}

/* Every pipe of many gets its own number. */
static OrreryNext
many (OrreryLoop *loop, gpointer data, GError **error)
{
  for (guint i = 0; i < ORRERY_LOOP_MAX_CHANNELS; i++) {
    g_autofree char *name = g_strdup_printf ("pipe %u", i);
    OrreryEmitter *emitter = orrery_loop_find_emitter (loop, name, error);

    if (emitter == NULL)
      return orrery_next_done ();
    orrery_emitter_emit_variant (emitter, g_variant_new_int64 (i), 0, error);
  }
  return orrery_next_sleep_seconds (1e6);
}

static const OrreryLoopFuncs table[] = {
  { "count", count, begin_count, g_free },
  { "say-pid", say_pid, NULL, NULL },
  { "fail", fail, NULL, NULL },
  { "sleep", sleep_long, NULL, NULL },
  { "rest", rest, NULL, NULL },
  { "hang", hang, NULL, NULL },
  { "leave", leave, NULL, NULL },
  { "crash", crash, begin_crash, end_crash },
  { "stop", stop, NULL, NULL },
  { "broken", measure, begin_broken, NULL },
  { "measure", measure, NULL, NULL },
  { "no-pipe", no_pipe, NULL, NULL },
  { "no-command", no_command, NULL, NULL },
  { "many", many, NULL, NULL },
};

gboolean
hybrid_trial_main (int argc, char **argv, int *code)
{
  return orrery_loop_main (argc, argv, table, G_N_ELEMENTS (table), code);
}

const OrreryLoopFuncs *
hybrid_trial_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (table[i].name, name))
      return &table[i];
  g_assert_not_reached ();
}

/* --- a watcher in front --- */

typedef struct {
  guint n;
  GArray *values;
} Watch;

static void
watch (OrreryTask *task, gpointer data, GError **error)
{
  OrreryLoop *loop = data;
  Watch *self = g_object_get_data (G_OBJECT (loop), "watch");
  OrreryReceiver *receiver = orrery_loop_find_receiver (loop, "pipe", error);

  if (receiver == NULL)
    return;
  while (orrery_receiver_read (receiver) == ORRERY_READING_FRESH) {
    g_autoptr (GVariant) value = orrery_receiver_dup_variant (receiver);
    gint64 number = g_variant_get_int64 (value);

    g_array_append_val (self->values, number);
  }
  orrery_task_sleep (task, 0.001);
  if (self->n > 0 && self->values->len >= self->n)
    orrery_loop_stop (loop);
}

static void
start_watch (OrreryTask *task, gpointer data, GError **error)
{
  OrreryLoop **loop = data;

  watch (task, *loop, error);
}

OrreryLoop *
hybrid_trial_add_watch (HybridTrial *trial, OrreryChannel *pipe, guint n, GArray *values)
{
  OrreryLoop **place = g_new0 (OrreryLoop *, 1);
  Watch *self = g_new (Watch, 1);

  *self = (Watch){ n, values };
  *place = orrery_hybrid_add_loop_func (trial->world, "watch", start_watch, place, g_free);
  g_object_set_data_full (G_OBJECT (*place), "watch", self, g_free);
  orrery_loop_add_receiver (*place, pipe);
  return *place;
}

/* --- worlds --- */

static gboolean
on_message (OrreryHybrid *world, const char *text, HybridTrial *trial)
{
  g_ptr_array_add (trial->said, g_strdup (text));
  return TRUE;
}

static gboolean
on_failed (OrreryHybrid *world, OrreryLoop *loop, GError *error, HybridTrial *trial)
{
  g_ptr_array_add (trial->said, g_strconcat ("failed: ", error->message, NULL));
  return TRUE;
}

void
hybrid_trial_init (HybridTrial *trial, OrreryClock *clock, const char *parallelism)
{
  g_autoptr (GError) error = NULL;

  trial->said = g_ptr_array_new_with_free_func (g_free);
  trial->world = orrery_hybrid_new (clock, parallelism, &error);
  g_assert_no_error (error);
  /* On a loaded machine too: nothing is killed by a test but what it wants to be. */
  orrery_hybrid_set_start_limit (trial->world, 600.0);
  orrery_hybrid_set_limit (trial->world, 60.0);
  g_signal_connect (trial->world, "message", G_CALLBACK (on_message), trial);
  g_signal_connect (trial->world, "failed", G_CALLBACK (on_failed), trial);
}

void
hybrid_trial_clear (HybridTrial *trial)
{
  g_clear_object (&trial->world);
  g_clear_pointer (&trial->said, g_ptr_array_unref);
}

OrreryChannel *
hybrid_trial_add_pipe (HybridTrial *trial, const char *name, OrreryTransport transport)
{
  g_autoptr (GError) error = NULL;
  OrreryChannel *pipe = orrery_hybrid_add_pipe (trial->world, name, transport, &error);

  g_assert_no_error (error);
  return pipe;
}

OrreryLoop *
hybrid_trial_add (HybridTrial *trial, const char *what, OrreryChannel *pipe, GVariant *arguments)
{
  OrreryLoop *loop =
      orrery_hybrid_add_background (trial->world, what, hybrid_trial_find (what), arguments);

  if (pipe != NULL)
    orrery_loop_add_emitter (loop, pipe);
  return loop;
}

void
hybrid_trial_run (HybridTrial *trial)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_hybrid_run (trial->world, &error));
  g_assert_no_error (error);
}

guint
hybrid_trial_count (HybridTrial *trial, const char *pattern)
{
  guint n = 0;

  for (guint i = 0; i < trial->said->len; i++)
    n += g_pattern_match_simple (pattern, g_ptr_array_index (trial->said, i));
  return n;
}

GArray *
hybrid_trial_get_pids (HybridTrial *trial)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (GPid));

  for (guint i = 0; i < trial->said->len; i++) {
    const char *text = g_ptr_array_index (trial->said, i);
    const char *number = strstr (text, "(process ");
    GPid pid = number != NULL ? (GPid) g_ascii_strtoll (number + 9, NULL, 10) : 0;

    if (g_str_has_prefix (text, "background process started: "))
      g_array_append_val (pids, pid);
  }
  return pids;
}

/* --- what is left --- */

static gboolean
has_mark (const char *pid, const char *mark)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "environ", NULL);
  g_autofree char *variables = NULL;
  gsize size = 0;

  /* That of a zombie is empty. */
  return g_file_get_contents (path, &variables, &size, NULL) &&
         memmem (variables, size, mark, strlen (mark)) != NULL;
}

guint
hybrid_trial_count_processes (const char *mark)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_ascii_isdigit (name[0]) && has_mark (name, mark);
  return n;
}

guint
hybrid_trial_count_fds (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
hybrid_trial_list_shm (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open ("/dev/shm", 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (strstr (name, "orrery") != NULL)
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}
