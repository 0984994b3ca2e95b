/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * What varies from run to run of a batch. A point is one row of the cases with one value of each
 * sweep; all points are run once, in the order in which the last sweep varies fastest, then all of
 * them again, as often as --runs says. Draws have a value of their own in each run.
 */

#include "batch.h"

/* One path has so many values at most, and no batch more runs. */
#define BATCH_MAX_PARAMETERS 256

/* What `range(...)` says, in units of 10^-decimals, so that its values are the nearest doubles. */
typedef struct {
  gint64 first;
  gint64 step;
  guint decimals;
} BatchRange;

typedef enum {
  BATCH_LIST,
  BATCH_RANGE,
  BATCH_UNIFORM,
  BATCH_NORMAL,
  BATCH_CHOICE,
} BatchKind;

typedef struct {
  char *path;
  const char *option; /* that named it */
  BatchKind kind;
  GPtrArray *values; /* (element-type utf8): JSON; of lists and choices */
  BatchRange range;
  double a;        /* least, or mean */
  double b;        /* greatest, or deviation */
  guint64 n;       /* values; of a draw 0 */
  guint64 stride;  /* the points after which the next value comes */
  guint32 *strata; /* (nullable): of a Latin hypercube, the stratum of each run */
} BatchParameter;

BatchParameter *batch_parameter_new (const char *option, const char *path);
void batch_parameter_free (BatchParameter *parameter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BatchParameter, batch_parameter_free)
/* Returns: (transfer full): PATH of a text `PATH=...`; "simulation.seed" is "seed" */
char *batch_cut_path (const char *text);

/* --- sweep.c: --sweep PATH=[...] and PATH=range(...) --- */

BatchParameter *batch_sweep_parse (const char *text, GError **error);
/* Adds the items of a list of JSON. @text: spaces may stand before it, so that columns in errors
 * are those of what the user wrote */
gboolean batch_parameter_add_items (BatchParameter *parameter, const char *text, GError **error);
/* Returns: (transfer full) (nullable): a node, or NULL with ORRERY_ERROR_INVALID */
OrreryNode *batch_read_json (const char *text, const char *place, GError **error);
/* Returns: (transfer full) (nullable): a node as JSON, numbers in their shortest form; NULL: one of
 * them is not finite */
char *batch_print_json (OrreryNode *node);
/* Appends a value in JSON to a row as --cases reads it: a word without quotes. */
void batch_append_value (GString *text, const char *json);
/* Returns: (transfer full): a double in the same form */
char *batch_print_double (double value);
/* Returns: (transfer full) */
char *batch_range_print (const BatchRange *range, guint64 index);

/* --- draw.c: --draw PATH=uniform(a,b), normal(m,s), choice([...]) --- */

BatchParameter *batch_draw_parse (const char *text, GError **error);
/* One stratum for each of @n_runs, in an order that depends on seed and path alone. */
void batch_draw_stratify (BatchParameter *draw, guint64 seed, guint64 n_runs);
/* Returns: (transfer full): JSON; by seed, path and number of the run alone */
char *batch_draw_print (const BatchParameter *draw, guint64 seed, guint64 run, guint64 n_runs);

/* --- cases.c: --cases FILE.csv --- */

/* What may stand without quotes: fast, morse.sensors.pose.Pose, but no misspelled number. */
gboolean batch_is_word (const char *text);
/* Appends a parameter for each column of the file. */
gboolean batch_cases_read (const char *path, GPtrArray *parameters, GError **error);
