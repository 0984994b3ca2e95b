/* SPDX-License-Identifier: BSD-3-Clause */
#include "../words.h"

#include <math.h>
#include <string.h>

#include "base/orrery-error.h"
#include "base/orrery-message.h"
#include "text/orrery-node-private.h"

typedef struct {
  const char *text;
  const char *expected; /* the same as JSON again, or the message */
} Case;

static const Case goods[] = {
  { "null", "null" },
  { "true", "true" },
  { " false\r\n", "false" },
  { "0", "0" },
  { "-0", "0" },
  { "-12", "-12" },
  { "9223372036854775807", "9223372036854775807" },
  { "-9223372036854775808", "-9223372036854775808" },
  { "9223372036854775808", "9.223372036854776e+18" },
  { "-9223372036854775809", "-9.223372036854776e+18" },
  { "0.1", "0.1" },
  { "-0.0", "-0.0" },
  { "1e3", "1000.0" },
  { "1E+3", "1000.0" },
  { "1.5e-7", "1.5e-07" },
  { "1e-999", "0.0" },
  { "0e999999999999999999999", "0.0" },
  { "NaN", "NaN" },
  { "[Infinity, -Infinity]", "[Infinity, -Infinity]" },
  { "\"\"", "\"\"" },
  { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
  { "\"\\u00e9\\uD83D\\uDE80\"", "\"\\u00e9\\ud83d\\ude80\"" },
  { "\"\xc3\xa9\x7f\"", "\"\\u00e9\\u007f\"" },
  { "[]", "[]" },
  { "[ 1,[ ] , {\n} ]", "[1, [], {}]" },
  { "{}", "{}" },
  { "{\"b\":1,\"a\" : {\"c\":null}}", "{\"b\": 1, \"a\": {\"c\": null}}" },
  { "\xef\xbb\xbf[1]", "[1]" },
};

static const Case bads[] = {
  { "", "f:1:1: text ends value" },
  { " \n ", "f:2:2: text ends value" },
  { "[", "f:1:2: text ends value list begins line 1 column 1" },
  { "{\"a\":\n[1", "f:2:3: text ends comma ] list begins line 2 column 1" },
  { "{\"a\": 1", "f:1:8: text ends comma } object begins line 1 column 1" },
  { "{\"a\"", "f:1:5: text ends colon object begins line 1 column 1" },
  { "{\"a\": ", "f:1:7: text ends value object begins line 1 column 1" },
  { "{", "f:1:2: text ends key double quotes object begins line 1 column 1" },
  { "\"a", "f:1:1: text closed" },
  { "\"a\\", "f:1:1: text closed" },
  { "\"a\nb\"", "f:1:1: text closed line \\n new line" },
  { "\"a\tb\"", "f:1:3: control character text \\u0009" },
  { "\"\\q\"", "f:1:2: backslash escapes nothing two one" },
  { "\"\\u12g4\"", "f:1:2: \\u without four hexadecimal digits" },
  { "\"\\u12", "f:1:2: \\u without four hexadecimal digits" },
  { "\"\\u0000\"", "f:1:2: \\u0000 text no NUL" },
  { "\"\xc3\xa9\\ud83d\"", "f:1:3: half surrogate pair" },
  { "\"\\ude80\"", "f:1:2: half surrogate pair" },
  { "\"\\ud83d\\u0041\"", "f:1:2: half surrogate pair" },
  { "\"\\ud83dxxxxxx\"", "f:1:2: half surrogate pair" },
  { "[1,]", "f:1:4: comma before ]" },
  { "{\"a\": 1, }", "f:1:10: comma before }" },
  { "[1 2]", "f:1:4: 2 comma ]" },
  { "[1}", "f:1:3: } comma ]" },
  { "[,]", "f:1:2: , value" },
  { "{\"a\" 1}", "f:1:6: 1 colon" },
  { "{\"a\": }", "f:1:7: } value" },
  { "{a: 1}", "f:1:2: key double quotes" },
  { "{1: 1}", "f:1:2: 1 key double quotes" },
  { "{'a': 1}", "f:1:2: text single quotes JSON double quotes" },
  { "[1, // why\n]", "f:1:5: comment JSON none" },
  { "# why\n[]", "f:1:1: comment JSON none" },
  { "[\xe2\x82\xac]", "f:1:2: character JSON value" },
  { "\x01", "f:1:1: character JSON value" },
  { "[1] x", "f:1:5: more text after end value" },
  { "01", "f:1:1: number with leading zero" },
  { "-012", "f:1:2: number with leading zero" },
  { "+1", "f:1:1: number with sign plus leave" },
  { ".5", "f:1:1: number without digit before point 0.5" },
  { "1.", "f:1:3: number without digit after point 1.0" },
  { "1.e5", "f:1:3: number without digit after point 1.0" },
  { "[1e]", "f:1:4: number without digit exponent" },
  { "-", "f:1:2: minus without number" },
  { "-x", "f:1:2: minus without number" },
  { "1e999", "f:1:1: number beyond range double" },
  { "-1e309", "f:1:1: number beyond range double" },
  { "True", "f:1:1: word Python JSON true false null" },
  { "[None]", "f:1:2: word Python JSON true false null" },
  { "-Inf", "f:1:1: word JSON texts double quotes" },
  { "nulls", "f:1:1: word JSON texts double quotes" },
  { "{\"a\": 1,\n \"\\u0061\": 2}", "f:2:2: key \"a\" second time first line 1 column 2" },
  { "[\"\xff\"]", "f:1:3: byte 0xff no UTF-8 file UTF-8" },
  { "[\n\r\n\"\xe2\x82\"]", "f:3:2: byte 0xe2 no UTF-8 file UTF-8" },
};

static char *
write_back (OrreryNode *node)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GVariant) value = orrery_node_to_variant (node);
  gsize length;

  orrery_writer_set_names_not_finite (writer, TRUE);
  orrery_writer_append_json_variant (writer, value);
  orrery_writer_get_data (writer, &length);
  return g_strndup (orrery_writer_get_data (writer, NULL), length);
}

static void
test_values (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (goods); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OrreryNode) node =
        orrery_node_parse_json (goods[i].text, strlen (goods[i].text), "f", &error);
    g_autofree char *json = node != NULL ? write_back (node) : NULL;

    g_assert_no_error (error);
    g_assert_cmpstr (json, ==, goods[i].expected);
  }
}

static void
check_refused (const char *text, gsize length, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, length, "f", &error);

  g_assert_null (node);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  assert_words (error != NULL ? error->message : NULL, message);
}

static void
test_refusals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bads); i++)
    check_refused (bads[i].text, strlen (bads[i].text), bads[i].expected);
}

static void
test_nul (void)
{
  check_refused ("[1,\0]", 5, "f:1:4: NUL byte no text");
}

static void
test_too_large (void)
{
  gsize length = ORRERY_NODE_MAX_BYTES + 1;
  g_autofree char *text = g_malloc (length);

  memset (text, ' ', length);
  check_refused (text, length, "f:1:1: file 67108865 bytes most 67108864");
}

static void
test_depth (void)
{
  g_autofree char *open = g_strnfill (ORRERY_NODE_MAX_DEPTH, '[');
  g_autofree char *close = g_strnfill (ORRERY_NODE_MAX_DEPTH, ']');
  g_autofree char *deep = g_strconcat (open, close, NULL);
  g_autofree char *deeper = g_strconcat (open, "{}", close, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_json (deep, strlen (deep), "f", &error);
  g_autofree char *json = write_back (node);

  g_assert_no_error (error);
  g_assert_cmpstr (json, ==, deep);
  check_refused (deeper, strlen (deeper),
                 "f:1:201: more than 200 lists and objects within each other");
}

static void
test_places (void)
{
  static const char text[] = "{\n  \"\xc3\xa9\": [1,\r\n   true],\r  \"b\": \"x\"\n}";
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, strlen (text), "scene.json", NULL);
  g_autoptr (GError) at_value = NULL;
  g_autoptr (GError) at_key = NULL;
  OrreryNode *list = orrery_node_get_item (node, 0);
  OrreryNode *truth = orrery_node_get_item (list, 1);

  g_assert_cmpuint (orrery_node_get_line (list), ==, 2);
  g_assert_cmpuint (orrery_node_get_column (list), ==, 8);
  g_assert_cmpuint (orrery_node_get_line (truth), ==, 3);
  g_assert_cmpuint (orrery_node_get_column (truth), ==, 4);
  g_assert_cmpuint (orrery_node_get_key_line (node, 1), ==, 4);
  g_assert_cmpuint (orrery_node_get_key_column (node, 1), ==, 3);
  g_assert_cmpstr (orrery_node_get_file (truth), ==, "scene.json");

  at_value = orrery_node_error (truth, ORRERY_ERROR_NOT_FOUND, "no %s here", "thing");
  g_assert_error (at_value, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  g_assert_cmpstr (at_value->message, ==, "scene.json:3:4: no thing here");
  at_key = orrery_node_key_error (node, 1, ORRERY_ERROR_CONFIG, "key %d", 1);
  g_assert_error (at_key, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_cmpstr (at_key->message, ==, "scene.json:4:3: key 1");
}

static void
test_tree (void)
{
  static const char text[] = "[null, true, -3, 2.5, \"t\", [], {\"k\": 7}]";
  static const char *const names[] = { "null",   "a bool", "an integer",  "a number",
                                       "a text", "a list", "a dictionary" };
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, strlen (text), "f", NULL);
  g_autoptr (OrreryNode) kept = NULL;
  g_autoptr (GVariant) value = NULL;

  g_assert_cmpuint (orrery_node_get_length (node), ==, 7);
  for (guint i = 0; i < 7; i++) {
    g_assert_cmpint (orrery_node_get_kind (orrery_node_get_item (node, i)), ==, (int) i);
    g_assert_cmpstr (orrery_node_get_kind_name (orrery_node_get_item (node, i)), ==, names[i]);
  }
  g_assert_true (orrery_node_get_bool (orrery_node_get_item (node, 1)));
  g_assert_cmpint (orrery_node_get_int (orrery_node_get_item (node, 2)), ==, -3);
  g_assert_cmpfloat (orrery_node_get_double (orrery_node_get_item (node, 2)), ==, -3.0);
  g_assert_cmpfloat (orrery_node_get_double (orrery_node_get_item (node, 3)), ==, 2.5);
  g_assert_cmpstr (orrery_node_get_text (orrery_node_get_item (node, 4)), ==, "t");

  value = orrery_node_to_variant (node);
  g_assert_cmpstr (g_variant_get_type_string (value), ==, "av");
  g_assert_false (g_variant_is_floating (value));

  /* An item outlives its tree. */
  kept = orrery_node_ref (orrery_node_get_item (node, 6));
  g_clear_pointer (&node, orrery_node_unref);
  g_assert_cmpint (orrery_node_get_int (orrery_node_find (kept, "k")), ==, 7);
  g_assert_null (orrery_node_find (kept, "K"));
  g_assert_cmpstr (orrery_node_get_key (kept, 0), ==, "k");
}

static OrreryNode *
parse_kept (const char *text, const char *file)
{
  g_autoptr (GError) error = NULL;
  OrreryNode *node = orrery_node_parse_json_kept (text, strlen (text), file, NULL, &error);

  g_assert_no_error (error);
  return node;
}

/* The tree of a file is that of its present bytes, and names the file. */
static void
test_kept (void)
{
  g_autoptr (OrreryNode) first = parse_kept ("[1]", "a.json");
  g_autoptr (OrreryNode) again = parse_kept ("[1]", "a.json");
  g_autoptr (OrreryNode) other = parse_kept ("[1]", "b.json");
  g_autoptr (OrreryNode) changed = parse_kept ("[2]", "a.json");
  g_autoptr (OrreryNode) back = parse_kept ("[1]", "a.json");
  g_autoptr (GError) error = NULL;

  g_assert_true (first == again);
  g_assert_cmpstr (orrery_node_get_file (other), ==, "b.json");
  g_assert_cmpint (orrery_node_get_int (orrery_node_get_item (changed, 0)), ==, 2);
  g_assert_cmpint (orrery_node_get_int (orrery_node_get_item (back, 0)), ==, 1);
  g_assert_true (back != first);
  g_assert_null (orrery_node_parse_json_kept ("[", 1, "a.json", NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
}

/* Not more than a megabyte of text, nor many files: what was not asked for longest goes first. */
static void
test_kept_bounds (void)
{
  g_autofree char *large = g_strnfill ((1 << 20) + 1, ' ');
  g_autoptr (OrreryNode) first = parse_kept ("[1]", "first.json");
  g_autoptr (OrreryNode) again = NULL;

  large[0] = '3';
  for (guint i = 0; i < 2; i++) {
    g_autoptr (OrreryNode) one = parse_kept (large, "large.json");
    g_autoptr (OrreryNode) two = parse_kept (large, "large.json");

    g_assert_true (one != two);
  }
  again = parse_kept ("[1]", "first.json");
  g_assert_true (first == again);
  for (guint i = 0; i < 100; i++) {
    g_autofree char *name = g_strdup_printf ("%u.json", i);
    g_autoptr (OrreryNode) node = parse_kept ("[1]", name);
  }
  g_clear_pointer (&again, orrery_node_unref);
  again = parse_kept ("[1]", "first.json");
  g_assert_true (first != again);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  g_test_add_func ("/node-json/values", test_values);
  g_test_add_func ("/node-json/refusals", test_refusals);
  g_test_add_func ("/node-json/nul", test_nul);
  g_test_add_func ("/node-json/too-large", test_too_large);
  g_test_add_func ("/node-json/depth", test_depth);
  g_test_add_func ("/node-json/places", test_places);
  g_test_add_func ("/node-json/tree", test_tree);
  g_test_add_func ("/node-json/kept", test_kept);
  g_test_add_func ("/node-json/kept-bounds", test_kept_bounds);
  return g_test_run ();
}
