/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what --sweep says: the values of a path, as a list of JSON or as a range. */
#include "plan.h"

#include "../support/cli.h"

#include <string.h>

/* Doubles hold all whole numbers up to here. */
#define MAX_WHOLE ((gint64) 1 << 53)
#define MAX_DIGITS 15

/* --- parameters --- */

BatchParameter *
batch_parameter_new (const char *option, const char *path)
{
  BatchParameter *parameter = g_new0 (BatchParameter, 1);

  parameter->option = option;
  parameter->path = g_strdup (path);
  parameter->values = g_ptr_array_new_with_free_func (g_free);
  return parameter;
}

void
batch_parameter_free (BatchParameter *parameter)
{
  g_free (parameter->path);
  g_ptr_array_unref (parameter->values);
  g_free (parameter->strata);
  g_free (parameter);
}

char *
batch_cut_path (const char *text)
{
  g_autofree char *path = g_strndup (text, strcspn (text, "="));

  return g_strdup (g_str_equal (path, "simulation.seed") ? "seed" : path);
}

static char *
take_text (OrreryWriter *writer)
{
  gsize length;
  const char *text = orrery_writer_get_data (writer, &length);

  return g_strndup (text, length);
}

char *
batch_print_json (OrreryNode *node)
{
  g_autoptr (GVariant) value = orrery_node_to_variant (node);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  orrery_writer_append_json_variant (writer, value);
  return orrery_writer_get_n_not_finite (writer) == 0 ? take_text (writer) : NULL;
}

OrreryNode *
batch_read_json (const char *text, const char *place, GError **error)
{
  g_autoptr (GError) local = NULL;
  OrreryNode *node = orrery_node_parse_json (text, strlen (text), place, &local);

  if (node == NULL)
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s", local->message);
  return node;
}

char *
batch_print_double (double value)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  orrery_writer_append_double (writer, value);
  return take_text (writer);
}

gboolean
batch_parameter_add_items (BatchParameter *parameter, const char *text, GError **error)
{
  g_autofree char *place = g_strdup_printf ("%s %s", parameter->option, parameter->path);
  g_autoptr (OrreryNode) list = batch_read_json (text, place, error);
  guint n;

  if (list == NULL)
    return FALSE;
  if (orrery_node_get_kind (list) != ORRERY_NODE_LIST)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: a list is needed, [...], not %s",
                             place, orrery_node_get_kind_name (list));
  n = orrery_node_get_length (list);
  if (n == 0 || n > BATCH_MAX_RUNS)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s: a list of %u values; 1 to %d are possible", place, n,
                             BATCH_MAX_RUNS);
  for (guint i = 0; i < n; i++) {
    char *value = batch_print_json (orrery_node_get_item (list, i));

    if (value == NULL)
      return orrery_set_error (error, ORRERY_ERROR_INVALID,
                               "%s: value %u is not finite, or has a number that is not", place,
                               i + 1);
    g_ptr_array_add (parameter->values, value);
  }
  parameter->n = n;
  return TRUE;
}

/* --- ranges --- */

typedef struct {
  gint64 digits;
  guint decimals;
} Decimal;

/* Reads -12.50 up to the end of @text, spaces around it. */
static gboolean
read_decimal (const char *text, Decimal *out)
{
  g_autofree char *word = g_strstrip (g_strdup (text));
  gboolean negative = *word == '-';
  gboolean point = FALSE;
  guint n = 0;

  *out = (Decimal){ 0 };
  for (const char *c = word + (negative ? 1 : 0); *c != '\0'; c++) {
    if (*c == '.' && !point && n > 0) {
      point = TRUE;
      continue;
    }
    if (!g_ascii_isdigit (*c) || ++n > MAX_DIGITS)
      return FALSE;
    out->digits = out->digits * 10 + (*c - '0');
    out->decimals += point ? 1 : 0;
  }
  out->digits *= negative ? -1 : 1;
  return n > 0;
}

static gboolean
scale (const Decimal *number, guint decimals, gint64 *out)
{
  *out = number->digits;
  for (guint i = number->decimals; i < decimals; i++)
    if (__builtin_mul_overflow (*out, 10, out))
      return FALSE;
  return ABS (*out) <= MAX_WHOLE;
}

static gboolean
set_range (BatchParameter *parameter, const Decimal *from, const Decimal *to, const Decimal *step,
           GError **error)
{
  guint decimals = MAX (MAX (from->decimals, to->decimals), step->decimals);
  gint64 a, b, s, span, n;

  if (!scale (from, decimals, &a) || !scale (to, decimals, &b) || !scale (step, decimals, &s))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s %s: too many digits",
                             parameter->option, parameter->path);
  if (s == 0)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s %s: a step of 0 leads nowhere",
                             parameter->option, parameter->path);
  span = s > 0 ? b - a : a - b;
  n = span > 0 ? (span - 1) / ABS (s) + 1 : 0;
  if (n == 0 || n > BATCH_MAX_RUNS)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s %s: a range of %" G_GINT64_FORMAT " values; 1 to %d are possible",
                             parameter->option, parameter->path, n, BATCH_MAX_RUNS);
  parameter->kind = BATCH_RANGE;
  parameter->range = (BatchRange){ .first = a, .step = s, .decimals = decimals };
  parameter->n = (guint64) n;
  return TRUE;
}

/* @text: `range(FROM, TO)` or with a step; the end does not belong to it, as in Python */
static gboolean
read_range (BatchParameter *parameter, const char *text, GError **error)
{
  g_autofree char *inner = g_strdup (text + strlen ("range("));
  char *end = strrchr (inner, ')');
  Decimal numbers[3] = { { 0 }, { 0 }, { .digits = 1 } };
  g_auto (GStrv) words = NULL;
  gboolean good = end != NULL && *g_strstrip (end + 1) == '\0';
  guint n = 0;

  if (good)
    *end = '\0';
  words = g_strsplit (inner, ",", G_N_ELEMENTS (numbers) + 1);
  n = g_strv_length (words);
  for (guint i = 0; good && i < MIN (n, G_N_ELEMENTS (numbers)); i++)
    good = read_decimal (words[i], &numbers[i]);
  if (good && (n == 2 || n == 3))
    return set_range (parameter, &numbers[0], &numbers[1], &numbers[2], error);
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "%s %s: '%.80s' is no range; write range(FROM,TO) or "
                           "range(FROM,TO,STEP), with decimal numbers of at most %d digits",
                           parameter->option, parameter->path, text, MAX_DIGITS);
}

char *
batch_range_print (const BatchRange *range, guint64 index)
{
  gint64 digits = range->first + range->step * (gint64) index;
  double unit = 1;

  if (range->decimals == 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT, digits);
  /* Both are exact, so that the quotient is the double nearest to the decimal number. */
  for (guint i = 0; i < range->decimals; i++)
    unit *= 10;
  return batch_print_double ((double) digits / unit);
}

/* One value, several without brackets, a distribution. */
static gboolean
refuse_values (const BatchParameter *sweep, const char *text, GError **error)
{
  static const char *const words[] = { "uniform(", "normal(", "choice(" };
  const char *option = "--sweep", *values = "[1,2,3] or PATH=range(0,10)";

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (text, words[i])) {
      option = "--draw";
      values = text;
    }
  return orrery_set_error (
      error, ORRERY_ERROR_INVALID,
      "--sweep %s: '%.80s' is no list of values and no range; write %s %s=%.80s", sweep->path, text,
      option, values == text ? sweep->path : "PATH", values);
}

BatchParameter *
batch_sweep_parse (const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *path = batch_cut_path (text);
  g_autoptr (BatchParameter) sweep = batch_parameter_new ("--sweep", path);
  gboolean good;

  if (!g_utf8_validate (text, -1, NULL)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "--sweep: the text is not UTF-8");
    return NULL;
  }
  if (equals == NULL) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "--sweep: '%.200s' has no values; write PATH=[1,2,3] or PATH=range(0,10)",
                      text);
    return NULL;
  }
  if (g_str_has_prefix (equals + 1, "range("))
    good = read_range (sweep, equals + 1, error);
  else if (equals[1 + strspn (equals + 1, " \t")] == '[')
    good = batch_parameter_add_items (sweep, equals + 1, error);
  else
    good = refuse_values (sweep, equals + 1, error);
  return good ? g_steal_pointer (&sweep) : NULL;
}
