/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes result.json: the report of a run, with names instead of columns. */
#define _GNU_SOURCE
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a result begins with. */
#define HEAD "{\n  \"orrery\": "
/* A scene has a number there. */
#define MARK HEAD "\""

static gboolean leaves_unsynced;

/* A table of the report, and what its columns are called here. */
typedef struct {
  const char *key;
  const char *const *columns;
} Table;

static const char *const added_columns[] = { "name", "tick", "ms", NULL };
static const char *const component_columns[] = { "name", "steps", "seconds", "budget", NULL };
static const char *const disabled_columns[] = { "name", "why", NULL };
static const char *const script_columns[] = { "name", "ticks", "seconds", "budget", NULL };
static const char *const fault_columns[] = { "name", "refused", "displaced", "failed", NULL };
static const char *const failure_columns[] = { "name", "class", "phase", "tick", "why", NULL };
static const char *const not_finite_columns[] = { "name", "numbers", NULL };
static const char *const phase_columns[] = { "name", "seconds", NULL };
static const char *const source_columns[] = { "name", "source", NULL };

static const Table tables[] = {
  { "added", added_columns },       { "components", component_columns },
  { "disabled", disabled_columns }, { "failures", failure_columns },
  { "faults", fault_columns },      { "not-finite", not_finite_columns },
  { "phases", phase_columns },      { "scripts", script_columns },
  { "sources", source_columns },
};

static const Table *
find_table (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].key, key))
      return &tables[i];
  return NULL;
}

static void write_value (OrreryWriter *writer, GVariant *value, const Table *table);

/* Whole numbers above 2^63 - 1, which readers of JSON cut, become texts. */
static void
write_plain (OrreryWriter *writer, GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64) &&
      g_variant_get_uint64 (value) > G_MAXINT64) {
    g_autofree char *text = orrery_variant_print (value);

    orrery_writer_append_json_text (writer, text);
  } else {
    orrery_writer_append_json_variant (writer, value);
  }
}

static void
write_key (OrreryWriter *writer, const char *separator, const char *key)
{
  orrery_writer_append_text (writer, separator);
  orrery_writer_append_json_text (writer, key);
  orrery_writer_append_text (writer, ": ");
}

static void
write_row (OrreryWriter *writer, GVariant *row, const Table *table)
{
  orrery_writer_append_char (writer, '{');
  for (gsize i = 0; i < g_variant_n_children (row) && table->columns[i] != NULL; i++) {
    g_autoptr (GVariant) value = g_variant_get_child_value (row, i);

    write_key (writer, i > 0 ? ", " : "", table->columns[i]);
    write_value (writer, value, NULL);
  }
  orrery_writer_append_char (writer, '}');
}

static void
write_list (OrreryWriter *writer, GVariant *list, const Table *table)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);

    orrery_writer_append_text (writer, i > 0 ? ", " : "");
    write_value (writer, item, table);
  }
  orrery_writer_append_char (writer, ']');
}

static void
write_dictionary (OrreryWriter *writer, GVariant *dictionary)
{
  const char *separator = "";
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  orrery_writer_append_char (writer, '{');
  g_variant_iter_init (&iter, dictionary);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value)) {
    write_key (writer, separator, key);
    write_value (writer, value, NULL);
    separator = ", ";
  }
  orrery_writer_append_char (writer, '}');
}

static void
write_value (OrreryWriter *writer, GVariant *value, const Table *table)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_TUPLE) && table != NULL)
    write_row (writer, value, table);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    write_dictionary (writer, value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY) ||
           g_variant_is_of_type (value, G_VARIANT_TYPE_TUPLE))
    write_list (writer, value, table);
  else
    write_plain (writer, value);
}

static void
write_report (OrreryWriter *writer, GVariant *report)
{
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  g_variant_iter_init (&iter, report);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value)) {
    g_autofree char *name = g_strdelimit (g_strdup (key), "-", '_');

    write_key (writer, ",\n  ", name);
    write_value (writer, value, find_table (key));
  }
}

static void
write_head (OrreryWriter *writer, const char *scene)
{
  orrery_writer_append_text (writer, HEAD);
  orrery_writer_append_json_text (writer, ORRERY_VERSION);
  write_key (writer, ",\n  ", "scene");
  orrery_writer_append_json_text (writer, scene);
  write_key (writer, ",\n  ", "exit");
}

void
cli_result_leave_unsynced (void)
{
  leaves_unsynced = TRUE;
}

/* Under another name first; GLib syncs it only if there is an older one. */
static gboolean
write_unsynced (const char *path, const char *text, gsize length, GError **error)
{
  g_autoptr (GError) local = NULL;

  return g_file_set_contents_full (path, text, (gssize) length,
                                   G_FILE_SET_CONTENTS_CONSISTENT |
                                       G_FILE_SET_CONTENTS_ONLY_EXISTING,
                                   0666, &local) ||
         orrery_set_error (error, ORRERY_ERROR_IO, "%s", local->message);
}

gboolean
cli_result_write (const char *path, const char *scene, const char *const *files, GVariant *report,
                  int status, const char *message, GError **error)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *text = NULL;
  gsize length = 0;

  cli_result_prepare (NULL, NULL);
  write_head (writer, scene);
  orrery_writer_append_int (writer, status);
  if (message != NULL) {
    write_key (writer, ",\n  ", "error");
    orrery_writer_append_json_text (writer, message);
  }
  if (report != NULL)
    write_report (writer, report);
  orrery_writer_append_text (writer, "\n}\n");
  text = orrery_writer_get_data (writer, &length);
  if (leaves_unsynced && strchr (path, '/') == NULL &&
      faccessat (AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
    return write_unsynced (path, text, length, error);
  /* Whole or not at all: who finds the file counts the run as done. */
  return cli_output_replace (path, text, length, scene, files, error);
}

/* --- where the program ends by a fault: everything is prepared, and written by system calls --- */

typedef struct _Prepared Prepared;
struct _Prepared {
  Prepared *before;
  char *path;
  char *temporary;
  char *head;
  gsize head_length;
};

/* Atomic. NULL: no result is asked for, or it is written. Never freed, since another thread may be
 * writing by it; a program prepares one or two. */
static Prepared *prepared;
static Prepared *latest;

/* Which files belong to the scene is not known then: nothing is written through a link, nor in
 * place of what is no older result. */
static gboolean
may_replace (const char *path)
{
  char start[sizeof MARK - 1];
  struct stat there;
  gssize n;
  int fd;

  if (lstat (path, &there) != 0 || (S_ISREG (there.st_mode) && there.st_size == 0))
    return TRUE;
  if (!S_ISREG (there.st_mode))
    return FALSE;
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  n = fd >= 0 ? TEMP_FAILURE_RETRY (read (fd, start, sizeof start)) : -1;
  if (fd >= 0)
    close (fd);
  return n == (gssize) sizeof start && memcmp (start, MARK, sizeof start) == 0;
}

void
cli_result_prepare (const char *path, const char *scene)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *head;
  Prepared *result;

  __atomic_store_n (&prepared, NULL, __ATOMIC_RELEASE);
  if (path == NULL || !may_replace (path))
    return;
  write_head (writer, scene);
  result = g_new0 (Prepared, 1);
  head = orrery_writer_get_data (writer, &result->head_length);
  result->head = g_memdup2 (head, result->head_length);
  result->temporary = g_strdup_printf ("%s.%d", path, (int) getpid ());
  result->path = g_strdup (path);
  result->before = latest;
  latest = result;
  __atomic_store_n (&prepared, result, __ATOMIC_RELEASE);
}

/* Returns: whether all was written */
static gboolean
put (int fd, const char *text, gsize length)
{
  gssize n;

  while (length > 0 && (n = TEMP_FAILURE_RETRY (write (fd, text, length))) > 0) {
    text += n;
    length -= (gsize) n;
  }
  return length == 0;
}

static gboolean
put_number (int fd, guint number)
{
  char digits[12];
  char *at = digits + sizeof digits;

  do {
    *--at = (char) ('0' + number % 10);
    number /= 10;
  } while (number > 0);
  return put (fd, at, (gsize) (digits + sizeof digits - at));
}

static gboolean
put_json (int fd, const char *text)
{
  gboolean fine = put (fd, "\"", 1);

  for (; fine && *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      fine = put (fd, "\\", 1);
    fine = fine && put (fd, (guchar) *text < ' ' ? "?" : text, 1);
  }
  return fine && put (fd, "\"", 1);
}

void
cli_result_write_fault (int status, const char *message)
{
  static const char error[] = ",\n  \"error\": ";
  static const char end[] = "\n}\n";
  const Prepared *result = __atomic_load_n (&prepared, __ATOMIC_ACQUIRE);
  gboolean fine;
  int fd;

  if (result == NULL)
    return;
  fd = open (result->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0)
    return;
  fine = put (fd, result->head, result->head_length) && put_number (fd, (guint) status) &&
         put (fd, error, sizeof error - 1) && put_json (fd, message) &&
         put (fd, end, sizeof end - 1);
  if (close (fd) == 0 && fine)
    rename (result->temporary, result->path);
  else
    unlink (result->temporary);
}
