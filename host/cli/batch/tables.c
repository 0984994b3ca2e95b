/* SPDX-License-Identifier: BSD-3-Clause */
/* The two tables of a batch: results.csv, which depends on scene and options alone, and runs.csv,
 * which tells what the runs cost. */
#include "plan.h"

#include "../support/cli.h"

#include <string.h>

/* As --cases reads it: a word without quotes, all else as JSON. */
void
batch_append_value (GString *text, const char *json)
{
  g_autoptr (OrreryNode) node = NULL;

  if (*json == '"')
    node = orrery_node_parse_json (json, strlen (json), "a value", NULL);
  if (node != NULL && batch_is_word (orrery_node_get_text (node)))
    g_string_append (text, orrery_node_get_text (node));
  else
    cli_append_csv (text, json);
}

static gboolean
is_in_plan (BatchPlan *plan, const char *path)
{
  for (guint i = 0; i < batch_plan_get_n_paths (plan); i++)
    if (g_str_equal (batch_plan_get_path (plan, i), path))
      return TRUE;
  return FALSE;
}

/* What the scene draws; a value that it is drawn from may vary as well. */
static void
append_drawn_head (GString *text, Batch *batch)
{
  for (char **path = batch->drawn_paths; path != NULL && *path != NULL; path++) {
    g_autofree char *name =
        g_strconcat (*path, is_in_plan (batch->plan, *path) ? " (drawn)" : "", NULL);

    g_string_append_c (text, ',');
    cli_append_csv (text, name);
  }
}

static void
append_drawn (GString *text, Batch *batch, guint64 run)
{
  if (batch->drawn[run] != NULL)
    g_string_append (text, batch->drawn[run]);
  else
    for (char **path = batch->drawn_paths; path != NULL && *path != NULL; path++)
      g_string_append_c (text, ',');
}

static void
append_head (GString *text, Batch *batch)
{
  BatchPlan *plan = batch->plan;
  char **metrics = batch->options->metrics;

  g_string_append (text, "run");
  for (guint i = 0; i < batch_plan_get_n_paths (plan); i++) {
    if (batch_plan_is_seed (plan, i))
      continue;
    g_string_append_c (text, ',');
    cli_append_csv (text, batch_plan_get_path (plan, i));
  }
  append_drawn_head (text, batch);
  g_string_append (text, ",seed,exit,ticks,hash");
  for (char **each = metrics; each != NULL && *each != NULL; each++) {
    g_autofree char *name = cli_metric_cut_name (*each);

    g_string_append_printf (text, ",%s", name);
  }
  g_string_append_c (text, '\n');
}

static void
append_row (GString *text, Batch *batch, guint64 run)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT, run);
  for (guint i = 0; i < batch_plan_get_n_paths (batch->plan); i++) {
    g_autofree char *value = NULL;

    if (batch_plan_is_seed (batch->plan, i))
      continue;
    value = batch_plan_print_value (batch->plan, i, run);
    g_string_append_c (text, ',');
    batch_append_value (text, value);
  }
  append_drawn (text, batch, run);
  g_string_append_printf (text, ",%" G_GUINT64_FORMAT ",%s\n",
                          batch_plan_get_seed (batch->plan, run), batch->cells[run]);
}

/* Whole or not at all, whatever ends this program. */
static int
write_table (Batch *batch, const char *name, const GString *text)
{
  g_autofree char *path = g_build_filename (batch->options->directory, name, NULL);
  g_autoptr (GError) error = NULL;

  return orrery_output_replace (path, text->str, (gssize) text->len, NULL, &error)
             ? CLI_OK
             : cli_fail (error);
}

static int
write_results (Batch *batch)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_head (text, batch);
  for (guint64 run = 0; run < batch_plan_get_n_runs (batch->plan); run++)
    if (batch->cells[run] != NULL)
      append_row (text, batch, run);
  return write_table (batch, "results.csv", text);
}

static int
write_runs (Batch *batch)
{
  g_autoptr (GString) text = g_string_new ("run,tries,exit,signal,cause,wall,cpu,memory,host\n");

  for (guint64 run = 0; run < batch_plan_get_n_runs (batch->plan); run++) {
    g_autofree char *cells = batch_tries_print (batch, run);

    if (cells != NULL)
      g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%s\n", run, cells);
  }
  return write_table (batch, "runs.csv", text);
}

int
batch_write_tables (Batch *batch)
{
  gboolean failed;
  int status, runs_status;

  /* Runs of an earlier command, which this one did not come to. */
  for (guint64 run = 0; run < batch_plan_get_n_runs (batch->plan); run++)
    if (batch->cells[run] == NULL)
      batch_find_result (batch, run, &failed);
  status = write_results (batch);
  runs_status = write_runs (batch);
  if (status == CLI_OK)
    status = batch_arrays_write (batch);
  return status != CLI_OK ? status : runs_status;
}
