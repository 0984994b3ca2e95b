/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a file in a child process, so that a crash of the reader does not affect this one. */
#define _GNU_SOURCE
#include "file-reader.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <string.h>

/* The limit is one of processor time; on a busy machine this takes longer. */
#define WALL_TIMES 3
#define MAX_BYTES (512u * 1024 * 1024)
/* Limit of the error text of a reader, bytes. */
#define MAX_TEXT 2000
/* What is kept of a process for further scenes with the same files: of one reader, and the files
 * whose contents are compared for it. Bytes. */
#define MAX_KEPT (64u << 20)
#define MAX_COMPARED (16u << 20)
#define MAX_OUTPUTS 100

typedef struct {
  char *sum;
  GBytes *output;
} Kept;
static GMutex kept_lock;
static GQueue kept = G_QUEUE_INIT; /* (element-type Kept): the newest first */
static gsize kept_size;

static char *
find_program (const char *name)
{
  g_autofree char *folder = NULL;
  Dl_info info;

  if (dladdr ((gpointer) find_program, &info) == 0 || info.dli_fname == NULL)
    return NULL;
  folder = g_path_get_dirname (info.dli_fname);
  return g_build_filename (folder, name, NULL);
}

static gboolean
took_too_long (const char *end)
{
  return strstr (end, "SIGXCPU") != NULL || strstr (end, "no answer within") != NULL;
}

static void
set_error (OrreryChild *child, const char *path, GBytes *output, guint limit, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (output, &size);
  g_autofree char *text = NULL;

  if (orrery_child_get_status (child) > 0 && size > 0 && size < MAX_TEXT) {
    text = g_strndup (data, size);
    /* An error is one line. */
    for (char *c = text; *c != '\0'; c++)
      *c = (guchar) *c < ' ' ? ' ' : *c;
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: %s", path, text);
    return;
  }
  text = orrery_child_describe_end (child);
  if (took_too_long (text)) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "%s: takes more than %u s to read: the file is damaged, or so large that it "
                      "needs more time, which the option --read-limit gives",
                      path, limit);
    return;
  }
  orrery_set_error (
      error, ORRERY_ERROR_CONFIG,
      "%s: the program that reads it %s: the file is damaged, or larger than it may be", path,
      text);
}

GBytes *
file_reader_run (const FileReader *reader, const char *path, OrreryImport *import, GError **error)
{
  guint limit = orrery_import_get_read_limit (import);
  g_autofree char *program = find_program (reader->program);
  const char *argv[] = { program, path, NULL };
  const OrreryChildSpec spec = {
    .argv = argv,
    .flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP | ORRERY_CHILD_NO_CORE,
    .max_memory = reader->max_memory,
    .max_cpu = limit,
  };
  g_autoptr (OrreryChild) child = NULL;
  g_autoptr (GBytes) output = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "there is no file %s", path);
    return NULL;
  }
  orrery_import_note_file (import, path);
  if (program == NULL || !g_file_test (program, G_FILE_TEST_IS_EXECUTABLE)) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s: %s", path, reader->missing);
    return NULL;
  }
  child = orrery_child_new (&spec, error);
  if (child == NULL || !orrery_child_start (child, error))
    return NULL;
  output = orrery_child_collect (child, WALL_TIMES * limit * ORRERY_SECOND, MAX_BYTES,
                                 orrery_import_get_cancellable (import));
  if (orrery_child_get_status (child) == 0)
    return g_steal_pointer (&output);
  set_error (child, path, output, limit, error);
  return NULL;
}

/* --- outputs that are kept --- */

/* Returns: (transfer full) (nullable): of the contents of all of them; %NULL: they are too large,
 * or one is no regular file */
static char *
sum_files (const char *path, GPtrArray *files)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize left = MAX_COMPARED;

  g_checksum_update (sum, (const guchar *) path, (gssize) strlen (path) + 1);
  for (guint i = 0; i < files->len; i++) {
    const char *name = files->pdata[i];
    g_autofree char *text = NULL;
    GStatBuf status;
    gsize length;

    if (g_stat (name, &status) != 0 || !S_ISREG (status.st_mode) || (gsize) status.st_size > left ||
        !g_file_get_contents (name, &text, &length, NULL) || length > left)
      return NULL;
    left -= length;
    g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
    g_checksum_update (sum, (const guchar *) &length, sizeof length);
    g_checksum_update (sum, (const guchar *) text, (gssize) length);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static void
forget_last (void)
{
  Kept *last = g_queue_pop_tail (&kept);

  kept_size -= g_bytes_get_size (last->output);
  g_bytes_unref (last->output);
  g_free (last->sum);
  g_free (last);
}

/* Returns: (transfer full) (nullable) */
static GBytes *
find_kept (const char *sum)
{
  GBytes *found = NULL;

  g_mutex_lock (&kept_lock);
  for (GList *link = kept.head; link != NULL && found == NULL; link = link->next)
    if (g_str_equal (((Kept *) link->data)->sum, sum))
      found = g_bytes_ref (((Kept *) link->data)->output);
  g_mutex_unlock (&kept_lock);
  return found;
}

static void
keep (const char *sum, GBytes *output)
{
  Kept *one;

  if (g_bytes_get_size (output) > MAX_KEPT)
    return;
  one = g_new (Kept, 1);
  *one = (Kept){ g_strdup (sum), g_bytes_ref (output) };
  g_mutex_lock (&kept_lock);
  g_queue_push_head (&kept, one);
  kept_size += g_bytes_get_size (output);
  while (kept_size > MAX_KEPT || kept.length > MAX_OUTPUTS)
    forget_last ();
  g_mutex_unlock (&kept_lock);
}

GBytes *
file_reader_run_once (const FileReader *reader, const char *path, GPtrArray *files,
                      OrreryImport *import, GError **error)
{
  g_autofree char *before = sum_files (path, files);
  g_autofree char *after = NULL;
  GBytes *output = before != NULL ? find_kept (before) : NULL;

  if (output != NULL) {
    orrery_import_note_file (import, path);
    return output;
  }
  output = file_reader_run (reader, path, import, error);
  if (output == NULL || before == NULL)
    return output;
  /* A file may have changed while the program read it. */
  after = sum_files (path, files);
  if (g_strcmp0 (before, after) == 0)
    keep (before, output);
  return output;
}
