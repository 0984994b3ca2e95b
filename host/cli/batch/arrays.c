/* SPDX-License-Identifier: BSD-3-Clause */
/* results.npz and results.parquet, which Python makes of results.csv. */
#include "batch.h"

#include "../support/cli.h"

#include <string.h>

gboolean
batch_arrays_parse (BatchOptions *options)
{
  static const char *const formats[] = { "csv", "npz", "parquet", NULL };
  g_auto (GStrv) words =
      g_strsplit (options->table_text != NULL ? options->table_text : "", ",", -1);
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();

  for (char **word = words; *word != NULL; word++) {
    if (!g_strv_contains (formats, *word)) {
      cli_usage ("batch", "--table: '%.40s' is none of csv, npz, parquet", *word);
      return FALSE;
    }
    if (!g_str_equal (*word, "csv") &&
        !g_ptr_array_find_with_equal_func (tables, *word, g_str_equal, NULL))
      g_ptr_array_add (tables, g_strdup (*word));
  }
  g_ptr_array_add (tables, NULL);
  options->tables = (char **) g_ptr_array_free (g_steal_pointer (&tables), FALSE);
  return TRUE;
}

/* @directory: (nullable): NULL: only whether it could */
static int
run_python (Batch *batch, const char *directory)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (argv, batch->program);
  g_ptr_array_add (argv, (gpointer) "python");
  g_ptr_array_add (argv, (gpointer) "-m");
  g_ptr_array_add (argv, (gpointer) "orrery._batch_tables");
  if (directory != NULL)
    g_ptr_array_add (argv, (gpointer) directory);
  for (char **each = batch->options->tables; directory != NULL && *each != NULL; each++)
    g_ptr_array_add (argv, *each);
  g_ptr_array_add (argv, NULL);
  child = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_NONE, &error);
  if (child == NULL || !g_subprocess_wait (child, NULL, &error))
    return cli_fail (error);
  return g_subprocess_get_if_exited (child) ? g_subprocess_get_exit_status (child) : CLI_INTERNAL;
}

int
batch_arrays_check (Batch *batch)
{
  if (*batch->options->tables == NULL || run_python (batch, NULL) == CLI_OK)
    return CLI_OK;
  fprintf (stderr,
           "orrery batch: --table %s is written by NumPy, which is not installed (Debian: "
           "the package python3-numpy)\n",
           batch->options->table_text);
  return CLI_MISSING;
}

int
batch_arrays_write (Batch *batch)
{
  int status =
      *batch->options->tables != NULL ? run_python (batch, batch->options->directory) : CLI_OK;

  return status == CLI_OK || status == CLI_IO ? status : CLI_INTERNAL;
}
