/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a file in a child process, so that a crash of the reader does not affect this one. */
#define _GNU_SOURCE
#include "file-reader.h"

#include <dlfcn.h>
#include <string.h>

/* The limit is one of processor time; on a busy machine this takes longer. */
#define WALL_TIMES 3
#define MAX_BYTES (512u * 1024 * 1024)
/* Limit of the error text of a reader, bytes. */
#define MAX_TEXT 2000

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
