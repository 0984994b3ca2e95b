/* SPDX-License-Identifier: BSD-3-Clause */
/* Why runs failed, grouped by cause, and the command that does one of them again. */
#include "plan.h"

#include "../support/cli.h"

#include <string.h>

#define MAX_CAUSES 50
#define MAX_NAMED 12      /* runs of a cause */
#define MAX_READ 10000    /* runs whose result is read for it */
#define MAX_COMPARED 4096 /* bytes of a message */
#define MAX_MESSAGE 300   /* of it, that are shown */

typedef struct {
  char *end; /* "exit 70", "signal 11", "time limit" */
  char *class;
  char *component;
  char *callback;
  char *message;
  guint64 n;
  GArray *runs; /* (element-type guint64): the first of them */
} Cause;

static void
cause_free (gpointer data)
{
  Cause *cause = data;

  g_free (cause->end);
  g_free (cause->class);
  g_free (cause->component);
  g_free (cause->callback);
  g_free (cause->message);
  g_array_unref (cause->runs);
  g_free (cause);
}

/* What the last try says: "exit 70"; NULL: it was well, or there was none. */
static char *
read_end (Batch *batch, guint64 run)
{
  g_autofree char *text = batch_tries_print (batch, run);
  g_auto (GStrv) cells = g_strsplit (text != NULL ? text : "", ",", 5);

  /* tries, exit, signal, cause */
  if (g_strv_length (cells) < 4 || g_str_equal (cells[1], "0"))
    return NULL;
  if (*cells[3] != '\0')
    return g_strdup (cells[3]);
  return g_strdup_printf ("%s %s", *cells[1] != '\0' ? "exit" : "signal",
                          *cells[1] != '\0' ? cells[1] : cells[2]);
}

/* Returns: (transfer full): `error` of its result, as valid UTF-8, or "" */
static char *
read_message (Batch *batch, guint64 run)
{
  g_autofree char *directory = batch_get_run_directory (batch, run);
  g_autofree char *path = g_build_filename (directory, "result.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (OrreryNode) root = NULL;
  OrreryNode *error = NULL;
  gsize length = 0;

  if (g_file_get_contents (path, &text, &length, NULL))
    root = orrery_node_parse_json (text, length, path, NULL);
  if (root != NULL && orrery_node_get_kind (root) == ORRERY_NODE_DICT)
    error = orrery_node_find (root, "error");
  if (error == NULL || orrery_node_get_kind (error) != ORRERY_NODE_TEXT)
    return g_strdup ("");
  return g_utf8_make_valid (orrery_node_get_text (error),
                            (gssize) MIN (strlen (orrery_node_get_text (error)), MAX_COMPARED));
}

/* "SIGSEGV (...) in sense of robot.pose (a.b.Class), tick 5", and the same of a step with --strict:
 * where it happened. */
static void
find_place (Cause *cause)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("\\bin ([\\w-]+) of (.+?) \\(([\\w.]+)\\), tick \\d+", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, cause->message, 0, &match))
    return;
  cause->callback = g_match_info_fetch (match, 1);
  cause->component = g_match_info_fetch (match, 2);
  cause->class = g_match_info_fetch (match, 3);
}

/* Of two runs that failed alike, numbers differ: of ticks, lines, values. Those in the name of a
 * component tell two components apart.
 * Returns: (transfer full): what runs of one cause have in common */
static char *
make_key (const Cause *cause)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("0[xX][0-9a-fA-F]+|[-+]?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?", 0, 0, NULL);
  g_autofree char *words = g_regex_replace_literal (regex, cause->message, -1, 0, "0", 0, NULL);

  return g_strjoin ("\n", cause->end, cause->component != NULL ? cause->component : "",
                    words != NULL ? words : cause->message, NULL);
}

/* On a whole character. */
static void
cut_message (Cause *cause)
{
  char *end = cause->message + MAX_MESSAGE;

  if (strlen (cause->message) > MAX_MESSAGE)
    *g_utf8_find_prev_char (cause->message, end + 1) = '\0';
}

/* @message: (transfer full) */
static Cause *
cause_new (const char *end, char *message)
{
  Cause *cause = g_new0 (Cause, 1);

  cause->end = g_strdup (end);
  cause->message = message;
  cause->runs = g_array_new (FALSE, FALSE, sizeof (guint64));
  find_place (cause);
  return cause;
}

static void
note_failure (Batch *batch, GHashTable *causes, GPtrArray *order, guint64 run, const char *end)
{
  Cause *found = cause_new (end, read_message (batch, run));
  g_autofree char *key = make_key (found);
  Cause *cause = g_hash_table_lookup (causes, key);

  if (cause == NULL) {
    cause = found;
    cut_message (cause);
    g_hash_table_insert (causes, g_steal_pointer (&key), cause);
    g_ptr_array_add (order, cause);
  } else {
    cause_free (found);
  }
  cause->n++;
  if (cause->runs->len < MAX_NAMED)
    g_array_append_val (cause->runs, run);
}

/* Most runs first; of as many, the one whose first run is earlier. */
static gint
compare_causes (gconstpointer a, gconstpointer b)
{
  const Cause *x = *(Cause *const *) a, *y = *(Cause *const *) b;
  guint64 first = g_array_index (x->runs, guint64, 0), second = g_array_index (y->runs, guint64, 0);

  if (x->n != y->n)
    return x->n > y->n ? -1 : 1;
  return first < second ? -1 : 1;
}

static GPtrArray *
find_causes (Batch *batch, guint64 *n_left_out)
{
  g_autoptr (GHashTable) causes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *order = g_ptr_array_new_with_free_func (cause_free);
  guint64 n_read = 0;

  for (guint64 run = 0; run < batch_plan_get_n_runs (batch->plan); run++) {
    g_autofree char *end = NULL;

    if (batch->cells[run] != NULL && g_str_has_prefix (batch->cells[run], "0,"))
      continue;
    end = read_end (batch, run);
    if (end == NULL)
      continue;
    if (n_read++ < MAX_READ)
      note_failure (batch, causes, order, run, end);
    else
      ++*n_left_out;
  }
  g_ptr_array_sort (order, compare_causes);
  return order;
}

/* As a shell takes it, without what only a batch wants. */
static char *
print_command (Batch *batch, guint64 run)
{
  g_autoptr (GPtrArray) command = batch_make_command (batch, run);
  g_autoptr (GString) text = g_string_new ("orrery");

  for (guint i = 1; command->pdata[i] != NULL; i++) {
    const char *word = command->pdata[i];
    g_autofree char *quoted = NULL;

    if (g_str_equal (word, "--result") || g_str_equal (word, "--read-limit") ||
        g_str_equal (word, "--record") || g_str_equal (word, "--record-only") ||
        g_str_has_prefix (word, "--checkpoint")) {
      i++;
      continue;
    }
    if (g_str_equal (word, "--record-full"))
      continue;
    quoted =
        strspn (word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,") ==
                strlen (word)
            ? g_strdup (word)
            : g_shell_quote (word);
    g_string_append_printf (text, " %s", quoted);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
append_cell (GString *html, const char *text)
{
  g_string_append (html, "<td>");
  batch_append_escaped (html, text != NULL ? text : "");
  g_string_append (html, "</td>");
}

static void
append_cause (GString *html, Batch *batch, const Cause *cause)
{
  g_autofree char *command = print_command (batch, g_array_index (cause->runs, guint64, 0));

  g_string_append_printf (html, "<tr><td class=\"n\">%" G_GUINT64_FORMAT "</td>", cause->n);
  append_cell (html, cause->end);
  append_cell (html, cause->class);
  append_cell (html, cause->component);
  append_cell (html, cause->callback);
  append_cell (html, cause->message);
  g_string_append (html, "<td>");
  for (guint i = 0; i < cause->runs->len; i++)
    g_string_append_printf (html, "%s%" G_GUINT64_FORMAT, i > 0 ? ", " : "",
                            g_array_index (cause->runs, guint64, i));
  g_string_append (html, cause->n > cause->runs->len ? ", \u2026</td></tr>\n" : "</td></tr>\n");
  g_string_append (html, "<tr class=\"command\"><td></td><td colspan=\"6\"><code>");
  batch_append_escaped (html, command);
  g_string_append (html, "</code></td></tr>\n");
}

void
batch_append_failures (GString *html, Batch *batch)
{
  guint64 n_left_out = 0;
  g_autoptr (GPtrArray) causes = find_causes (batch, &n_left_out);

  g_string_append (html, "<h2>Failures</h2>\n");
  if (causes->len == 0) {
    g_string_append (html, "<p>None.</p>\n");
    return;
  }
  g_string_append (html, "<div class=\"wide\"><table><tr><th>runs</th><th>end</th><th>class</th>"
                         "<th>component</th><th>callback</th><th>first message</th><th>which</th>"
                         "</tr>\n");
  for (guint i = 0; i < MIN (causes->len, MAX_CAUSES); i++)
    append_cause (html, batch, causes->pdata[i]);
  g_string_append (html, "</table></div>\n<p>The command below a cause does the first of its runs "
                         "again.");
  if (causes->len > MAX_CAUSES)
    g_string_append_printf (html, " There are %u causes more.", causes->len - MAX_CAUSES);
  if (n_left_out > 0)
    g_string_append_printf (html, " %" G_GUINT64_FORMAT " failed runs more were not looked at.",
                            n_left_out);
  g_string_append (html, "</p>\n");
}
