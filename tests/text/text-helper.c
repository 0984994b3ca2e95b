/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "base/orrery-message.h"
#include "text/orrery-node.h"

/*
 * What test_text_peers.py asks of the library, many cases in one process. Standard input is a row
 * of cases, each a length of 4 bytes (little-endian) and that many bytes; standard output is a line
 * for each. double   8 bytes of a double -> the text that the writer makes of it json     JSON   ->
 * the same as the node parser and the writer give it back, or ! and the error python   Python ->
 * the names and values as JSON, or ! and the error
 */

typedef void (*Answer) (const char *data, guint32 length, OrreryWriter *writer);

static void
answer_double (const char *data, guint32 length, OrreryWriter *writer)
{
  double value;

  g_assert_cmpuint (length, ==, sizeof value);
  memcpy (&value, data, sizeof value);
  orrery_writer_append_double (writer, value);
}

static void
answer_node (OrreryNode *node, const GError *error, OrreryWriter *writer)
{
  g_autoptr (GVariant) value = NULL;

  if (node == NULL) {
    orrery_writer_append_char (writer, '!');
    orrery_writer_append_json_text (writer, error->message);
    return;
  }
  value = orrery_node_to_variant (node);
  orrery_writer_set_names_not_finite (writer, TRUE);
  orrery_writer_append_json_variant (writer, value);
}

static void
answer_json (const char *data, guint32 length, OrreryWriter *writer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_json (data, length, "f", &error);

  answer_node (node, error, writer);
}

static void
answer_python (const char *data, guint32 length, OrreryWriter *writer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_python (data, length, "f", &error);

  answer_node (node, error, writer);
}

static Answer
find_answer (const char *name)
{
  if (g_str_equal (name, "double"))
    return answer_double;
  if (g_str_equal (name, "json"))
    return answer_json;
  return g_str_equal (name, "python") ? answer_python : NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *data = NULL;
  Answer answer = argc == 2 ? find_answer (argv[1]) : NULL;
  guint32 length;
  gsize size;

  g_assert_nonnull (answer);
  while (fread (&length, sizeof length, 1, stdin) == 1) {
    length = GUINT32_FROM_LE (length);
    data = g_realloc (data, (gsize) length + 1);
    g_assert_cmpuint (fread (data, 1, length, stdin), ==, length);
    orrery_writer_clear (writer);
    answer (data, length, writer);
    orrery_writer_append_char (writer, '\n');
    orrery_writer_get_data (writer, &size);
    fwrite (orrery_writer_get_data (writer, NULL), 1, size, stdout);
  }
  return 0;
}
