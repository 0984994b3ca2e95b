/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html: what the tables say, as a page that needs nothing from elsewhere. */
#include "plan.h"

#include "../support/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_METRICS 16
#define MAX_PATHS 8     /* that metrics are plotted over */
#define MAX_POINTS 4000 /* of a plot; of more runs, as many that are spread over all */
#define MAX_ROWS 500
/* Of results.csv, before the first metric: exit, ticks, hash. */
#define N_FIRST_CELLS 3

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<title>Report of a batch</title>\n<style>\n"
    ":root{color-scheme:light dark;--ground:#fff;--ink:#1c2024;--soft:#5d6670;--line:#d9dee3;"
    "--mark:#2563a8;--stripe:#f5f7f9;--bad:#b3261e}\n"
    "@media (prefers-color-scheme:dark){:root{--ground:#15181b;--ink:#e4e7ea;--soft:#9aa4ae;"
    "--line:#343a40;--mark:#6fb1f0;--stripe:#1c2024;--bad:#ff8a80}}\n"
    "body{background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,sans-serif;"
    "margin:0 auto;padding:1.5rem;max-width:1320px}\n"
    "h1{font-size:1.5rem;margin:0 0 1rem}h2{font-size:1.15rem;margin:2rem 0 .6rem}"
    "h3{font-size:1rem;margin:1.4rem 0 .4rem;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:.25rem .7rem;border-bottom:1px solid var(--line);"
    "vertical-align:top;overflow-wrap:break-word}th{color:var(--soft);font-weight:600;"
    "overflow-wrap:normal}"
    ".n{text-align:right}.wide{overflow-x:auto}.tall{overflow:auto;max-height:32rem}"
    ".tall th{position:sticky;top:0;background:var(--ground)}"
    "tr.command td{border-bottom:2px solid var(--line);padding-top:0}"
    "code,pre{font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}"
    "pre{background:var(--stripe);padding:.7rem;margin:0}.bad{color:var(--bad)}"
    ".plots{display:flex;flex-wrap:wrap;gap:1rem}"
    "svg{width:420px;max-width:100%;height:auto;background:var(--stripe)}"
    "svg text{font:11px system-ui,sans-serif;fill:var(--soft)}svg .name{fill:var(--ink)}"
    "svg .grid{stroke:var(--line)}svg .axis{stroke:var(--soft)}"
    "svg .bar{fill:var(--mark)}svg .point{fill:var(--mark);fill-opacity:.55}\n"
    "</style></head><body>\n";

static const char *
find_cell (const char *cells, guint i)
{
  for (; i > 0 && cells != NULL; i--) {
    cells = strchr (cells, ',');
    cells = cells != NULL ? cells + 1 : NULL;
  }
  return cells;
}

static double
get_metric (Batch *batch, guint64 run, guint metric)
{
  const char *cell = find_cell (batch->cells[run], N_FIRST_CELLS + metric);
  char *end = NULL;
  double value = cell != NULL ? g_ascii_strtod (cell, &end) : NAN;

  return end != NULL && end != cell ? value : NAN;
}

/* A number or a truth value; else NaN. */
static double
get_parameter (Batch *batch, guint path, guint64 run)
{
  g_autofree char *text = batch_plan_print_value (batch->plan, path, run);
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);

  if (g_str_equal (text, "true") || g_str_equal (text, "false"))
    return *text == 't';
  return end != text && *end == '\0' ? value : NAN;
}

/* --- the runs in numbers --- */

static void
append_count (GString *html, const char *words, guint64 n, gboolean is_bad)
{
  g_string_append_printf (html,
                          "<tr><td>%s</td><td class=\"n%s\">%" G_GUINT64_FORMAT "</td></tr>\n",
                          words, is_bad && n > 0 ? " bad" : "", n);
}

static void
append_summary (GString *html, Batch *batch)
{
  guint64 n = batch_plan_get_n_runs (batch->plan);
  g_autofree char *path = g_build_filename (batch->options->directory, "batch.txt", NULL);
  g_autofree char *text = NULL;
  guint64 well = 0, wrong = 0;

  for (guint64 run = 0; run < n; run++) {
    well += batch->cells[run] != NULL && g_str_has_prefix (batch->cells[run], "0,");
    wrong += batch->cells[run] != NULL && !g_str_has_prefix (batch->cells[run], "0,");
  }
  g_string_append (html, "<h1>Batch of ");
  batch_append_escaped (html, batch->scene);
  g_string_append (html, "</h1>\n<table>\n");
  append_count (html, "runs", n, FALSE);
  append_count (html, "ended well", well, FALSE);
  append_count (html, "failed", wrong, TRUE);
  append_count (html, "without a result", n - well - wrong, TRUE);
  g_string_append (html, "</table>\n");
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  g_string_append (html, "<h2>What all runs have in common</h2>\n<pre>");
  batch_append_escaped (html, text);
  g_string_append (html, "</pre>\n");
}

/* --- metrics --- */

static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* @values: finite ones, sorted here */
static void
append_statistics (GString *html, const char *name, double *values, guint64 n)
{
  double mean = 0, squares = 0;
  double numbers[6];

  qsort (values, n, sizeof *values, compare_numbers);
  for (guint64 i = 0; i < n; i++) {
    double step = values[i] - mean;

    mean += step / (double) (i + 1);
    squares += step * (values[i] - mean);
  }
  numbers[0] = n > 0 ? mean : NAN;
  numbers[1] = n > 1 ? sqrt (squares / (double) (n - 1)) : NAN;
  numbers[2] = n > 0 ? values[0] : NAN;
  numbers[3] = n > 0 ? values[(n - 1) / 2] / 2 + values[n / 2] / 2 : NAN;
  numbers[4] = n > 0 ? values[(guint64) ((double) (n - 1) * 0.95 + 0.5)] : NAN;
  numbers[5] = n > 0 ? values[n - 1] : NAN;
  g_string_append (html, "<tr><td>");
  batch_append_escaped (html, name);
  g_string_append_printf (html, "</td><td class=\"n\">%" G_GUINT64_FORMAT "</td>", n);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_string_append (html, "<td class=\"n\">");
    batch_append_number (html, numbers[i]);
    g_string_append (html, "</td>");
  }
  g_string_append (html, "</tr>\n");
}

static void
append_points (GString *html, Batch *batch, guint path, const char *name, const double *values)
{
  guint64 n = batch_plan_get_n_runs (batch->plan);
  guint64 n_points = MIN (n, MAX_POINTS);
  g_autofree double *x = g_new (double, n_points);
  g_autofree double *y = g_new (double, n_points);

  for (guint64 i = 0; i < n_points; i++) {
    guint64 run = i * n / n_points;

    y[i] = values[run];
    x[i] = isfinite (y[i]) ? get_parameter (batch, path, run) : NAN;
  }
  batch_plot_points (html, batch_plan_get_path (batch->plan, path), name, x, y, n_points);
}

static void
append_metric (GString *statistics, GString *plots, Batch *batch, guint metric, const char *name)
{
  guint64 n = batch_plan_get_n_runs (batch->plan);
  guint n_paths = MIN (batch_plan_get_n_paths (batch->plan), MAX_PATHS);
  g_autofree double *values = g_new (double, n);
  g_autofree double *finite = g_new (double, n);
  guint64 n_finite = 0;

  for (guint64 run = 0; run < n; run++) {
    values[run] = get_metric (batch, run, metric);
    if (isfinite (values[run]))
      finite[n_finite++] = values[run];
  }
  append_statistics (statistics, name, finite, n_finite);
  if (n_finite == 0)
    return;
  g_string_append (plots, "<h3>");
  batch_append_escaped (plots, name);
  g_string_append (plots, "</h3>\n<div class=\"plots\">\n");
  batch_plot_histogram (plots, name, values, n);
  for (guint path = 0; path < n_paths; path++)
    append_points (plots, batch, path, name, values);
  g_string_append (plots, "</div>\n");
}

static void
append_metrics (GString *html, Batch *batch)
{
  g_autoptr (GString) plots = g_string_new (NULL);
  char **metrics = batch->options->metrics;
  guint n = metrics != NULL ? g_strv_length (metrics) : 0;

  if (n == 0)
    return;
  g_string_append (html, "<h2>Metrics</h2>\n<div class=\"wide\"><table><tr><th>metric</th>"
                         "<th class=\"n\">runs</th><th class=\"n\">mean</th>"
                         "<th class=\"n\">deviation</th><th class=\"n\">least</th>"
                         "<th class=\"n\">median</th><th class=\"n\">95 %</th>"
                         "<th class=\"n\">greatest</th></tr>\n");
  for (guint i = 0; i < MIN (n, MAX_METRICS); i++) {
    g_autofree char *name = cli_metric_cut_name (metrics[i]);

    append_metric (html, plots, batch, i, name);
  }
  g_string_append (html, "</table></div>\n");
  if (n > MAX_METRICS)
    g_string_append_printf (html, "<p>results.csv has %u metrics more.</p>\n", n - MAX_METRICS);
  g_string_append (html, plots->str);
  if (batch_plan_get_n_runs (batch->plan) > MAX_POINTS)
    g_string_append_printf (html, "<p>Plots over a parameter show %d of the runs.</p>\n",
                            MAX_POINTS);
}

/* --- the first rows --- */

static void
append_header (GString *html, const char *name, const char *begin)
{
  g_string_append (html, begin);
  batch_append_escaped (html, name);
  g_string_append (html, "</th>");
}

static void
append_row (GString *html, Batch *batch, guint64 run)
{
  g_auto (GStrv) cells = g_strsplit (batch->cells[run], ",", -1);

  g_string_append_printf (html, "<tr><td class=\"n\">%" G_GUINT64_FORMAT "</td>", run);
  for (guint i = 0; i < batch_plan_get_n_paths (batch->plan); i++) {
    g_autofree char *value = batch_plan_print_value (batch->plan, i, run);

    if (batch_plan_is_seed (batch->plan, i))
      continue;
    g_string_append (html, "<td>");
    batch_append_escaped (html, value);
    g_string_append (html, "</td>");
  }
  g_string_append_printf (html, "<td class=\"n\">%" G_GUINT64_FORMAT "</td>",
                          batch_plan_get_seed (batch->plan, run));
  for (guint i = 0; cells[i] != NULL; i++)
    g_string_append_printf (html, "<td class=\"n%s\">%s</td>",
                            i == 0 && !g_str_equal (cells[i], "0") ? " bad" : "", cells[i]);
  g_string_append (html, "</tr>\n");
}

static void
append_rows (GString *html, Batch *batch)
{
  guint n_rows = 0;

  g_string_append (html, "<h2>Results</h2>\n<div class=\"tall\"><table><tr><th>run</th>");
  for (guint i = 0; i < batch_plan_get_n_paths (batch->plan); i++)
    if (!batch_plan_is_seed (batch->plan, i))
      append_header (html, batch_plan_get_path (batch->plan, i), "<th>");
  g_string_append (html, "<th class=\"n\">seed</th><th class=\"n\">exit</th><th "
                         "class=\"n\">ticks</th><th class=\"n\">hash</th>");
  for (char **each = batch->options->metrics; each != NULL && *each != NULL; each++) {
    g_autofree char *name = cli_metric_cut_name (*each);

    append_header (html, name, "<th class=\"n\">");
  }
  g_string_append (html, "</tr>\n");
  for (guint64 run = 0; run < batch_plan_get_n_runs (batch->plan) && n_rows < MAX_ROWS; run++) {
    if (batch->cells[run] == NULL)
      continue;
    append_row (html, batch, run);
    n_rows++;
  }
  g_string_append (html, "</table></div>\n");
  if (n_rows == MAX_ROWS)
    g_string_append_printf (html, "<p>The first %d; results.csv has all.</p>\n", MAX_ROWS);
}

int
batch_write_report (Batch *batch)
{
  g_autofree char *path = g_build_filename (batch->options->directory, "report.html", NULL);
  g_autoptr (GString) html = g_string_new (head);
  g_autoptr (GError) error = NULL;

  append_summary (html, batch);
  append_metrics (html, batch);
  batch_append_failures (html, batch);
  append_rows (html, batch);
  g_string_append (html, "</body></html>\n");
  return orrery_output_replace (path, html->str, (gssize) html->len, NULL, &error)
             ? CLI_OK
             : cli_fail (error);
}
