/* SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/orrery-message.h"
#include "text/orrery-node.h"

static char *
dup_text (OrreryWriter *writer)
{
  gsize length;
  const char *data = orrery_writer_get_data (writer, &length);

  return g_strndup (data, length);
}

static void
test_pieces (void)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (OrreryWriter) second = orrery_writer_ref (writer);
  g_autofree char *text = NULL;
  g_autoptr (GBytes) bytes = NULL;

  orrery_writer_append_text (writer, "a");
  orrery_writer_append_char (second, ' ');
  orrery_writer_append (writer, "b\0c", 3);
  orrery_writer_append (writer, NULL, 0);
  orrery_writer_append_int (writer, G_MININT64);
  bytes = orrery_writer_dup_bytes (writer);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   "a b\0c-9223372036854775808", 25);

  orrery_writer_clear (writer);
  text = dup_text (writer);
  g_assert_cmpstr (text, ==, "");
}

/* Once it has grown, a writer keeps its room: the data stay where they are. */
static void
test_growth (void)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *large = g_strnfill (100000, 'x');
  const char *data;
  gsize length;

  for (guint i = 0; i < 10; i++)
    orrery_writer_append_text (writer, large);
  data = orrery_writer_get_data (writer, &length);
  g_assert_cmpuint (length, ==, 1000000);
  g_assert_cmpint (data[999999], ==, 'x');

  orrery_writer_clear (writer);
  for (guint i = 0; i < 10; i++)
    orrery_writer_append_text (writer, large);
  g_assert_true (orrery_writer_get_data (writer, NULL) == data);
}

static void
assert_message (OrreryWriter *writer, guint i, guint topic, const char *text)
{
  const char *data;
  gsize length;

  g_assert_cmpuint (orrery_writer_get_message (writer, i, &data, &length), ==, topic);
  g_assert_cmpmem (data, length, text, strlen (text));
}

static void
test_messages (void)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  g_assert_cmpuint (orrery_writer_get_n_messages (writer), ==, 0);
  orrery_writer_append_text (writer, "plain");
  g_assert_cmpuint (orrery_writer_get_n_messages (writer), ==, 1);
  assert_message (writer, 0, 0, "plain");
  orrery_writer_clear (writer);
  for (guint i = 0; i < 20; i++) {
    orrery_writer_begin (writer, i);
    orrery_writer_append_int (writer, i);
  }
  orrery_writer_begin (writer, 7);
  g_assert_cmpuint (orrery_writer_get_n_messages (writer), ==, 21);
  assert_message (writer, 0, 0, "0");
  assert_message (writer, 13, 13, "13");
  assert_message (writer, 20, 7, "");
  orrery_writer_clear (writer);
  g_assert_cmpuint (orrery_writer_get_n_messages (writer), ==, 0);
}

/* A message that was given away stays as it was, whatever is written afterwards. */
static void
test_given_away (void)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *large = g_strnfill (100000, 'x');
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) small = NULL;
  const char *place;
  gsize length;

  orrery_writer_begin (writer, 0);
  orrery_writer_append_text (writer, large);
  orrery_writer_begin (writer, 1);
  orrery_writer_append_text (writer, "small");
  place = orrery_writer_get_data (writer, NULL);
  first = orrery_writer_dup_message (writer, 0);
  small = orrery_writer_dup_message (writer, 1);
  g_assert_true (g_bytes_get_data (first, NULL) == place);
  g_assert_true (g_bytes_get_data (small, NULL) != place + 100000);
  orrery_writer_begin (writer, 2);
  orrery_writer_append_text (writer, "more");
  assert_message (writer, 1, 1, "small");
  assert_message (writer, 2, 2, "more");
  orrery_writer_clear (writer);
  orrery_writer_append_text (writer, "y");
  g_assert_cmpmem (g_bytes_get_data (first, &length), 100000, large, 100000);
  g_assert_cmpuint (length, ==, 100000);
}

/* Once nobody keeps it, its memory serves the next large message. */
static void
test_used_again (void)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *large = g_strnfill (100000, 'x');
  gconstpointer places[4];

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autoptr (GBytes) bytes = NULL;

    orrery_writer_clear (writer);
    orrery_writer_append_text (writer, large);
    bytes = orrery_writer_dup_message (writer, 0);
    places[i] = g_bytes_get_data (bytes, NULL);
    orrery_writer_clear (writer);
  }
  g_assert_true (places[2] == places[0]);
  g_assert_true (places[3] == places[1]);
}

static const struct {
  double value;
  const char *text;
} doubles[] = {
  { 0.0, "0.0" },
  { -0.0, "-0.0" },
  { 1.0, "1.0" },
  { -1.0, "-1.0" },
  { 0.1, "0.1" },
  { 1.0 / 3, "0.3333333333333333" },
  { 123456.789, "123456.789" },
  { 100.0, "100.0" },
  { 0.0001, "0.0001" },
  { 0.00001, "1e-05" },
  { 0.000123, "0.000123" },
  { 1.25e-5, "1.25e-05" },
  { 1e15, "1000000000000000.0" },
  { 1e16, "1e+16" },
  { 9007199254740993.0, "9007199254740992.0" },
  { 1234567890123456.7, "1234567890123456.8" },
  { 12345678901234567.0, "1.2345678901234568e+16" },
  { 1e22, "1e+22" },
  { 1e100, "1e+100" },
  { 5e-324, "5e-324" },
  { 2.2250738585072014e-308, "2.2250738585072014e-308" },
  { 1.7976931348623157e308, "1.7976931348623157e+308" },
  { -1.2345678901234568e-300, "-1.2345678901234568e-300" },
  { NAN, "NaN" },
  { INFINITY, "Infinity" },
  { -INFINITY, "-Infinity" },
};

static void
test_doubles (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (doubles); i++) {
    g_autoptr (OrreryWriter) writer = orrery_writer_new ();
    g_autofree char *text = NULL;

    orrery_writer_append_double (writer, doubles[i].value);
    text = dup_text (writer);
    g_assert_cmpstr (text, ==, doubles[i].text);
  }
}

static const struct {
  double value;
  guint decimals;
  const char *text;
} fixeds[] = {
  { 0.0, 0, "0" },
  { 2.5, 0, "2" },
  { 3.5, 0, "4" },
  { 0.125, 2, "0.12" },
  { 1.005, 2, "1.00" },
  { -1.0, 3, "-1.000" },
  { 0.1, 17, "0.10000000000000001" },
  { 1e22, 1, "10000000000000000000000.0" },
  { NAN, 3, "NaN" },
  { -INFINITY, 3, "-Infinity" },
};

static void
test_fixed (void)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (fixeds); i++) {
    g_autofree char *text = NULL;

    orrery_writer_clear (writer);
    orrery_writer_append_fixed (writer, fixeds[i].value, fixeds[i].decimals);
    text = dup_text (writer);
    g_assert_cmpstr (text, ==, fixeds[i].text);
  }

  orrery_writer_clear (writer);
  orrery_writer_append_fixed (writer, -1.7976931348623157e308, 17);
  orrery_writer_get_data (writer, &length);
  g_assert_cmpuint (length, ==, 1 + 309 + 1 + 17);
}

/* Makes a locale that writes a comma where others write a point, and enters it. */
static gboolean
enter_comma_locale (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "de_DE.UTF-8", NULL);
  const char *const command[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", path, NULL };

  g_setenv ("LOCPATH", folder, TRUE);
  return g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                       NULL, NULL) &&
         setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
}

static void
remove_folder (const char *folder)
{
  const char *const command[] = { "rm", "-r", folder, NULL };

  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

static void
test_locale (void)
{
  static const char json[] = "[0.5, 1.5e3]";
  g_autofree char *folder = g_dir_make_tmp ("orrery-locale-XXXXXX", NULL);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (OrreryNode) node = NULL;
  g_autofree char *control = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("numbers are written and read with a point in every locale");
  if (!enter_comma_locale (folder)) {
    g_test_skip ("no locale with a comma can be made");
    remove_folder (folder);
    return;
  }
  control = g_strdup_printf ("%.1f", 0.5);
  g_assert_cmpstr (control, ==, "0,5");

  orrery_writer_append_double (writer, 0.5);
  orrery_writer_append_char (writer, ' ');
  orrery_writer_append_fixed (writer, 0.5, 1);
  text = dup_text (writer);
  g_assert_cmpstr (text, ==, "0.5 0.5");
  node = orrery_node_parse_json (json, strlen (json), "f", NULL);
  g_assert_cmpfloat (orrery_node_get_double (orrery_node_get_item (node, 0)), ==, 0.5);
  g_assert_cmpfloat (orrery_node_get_double (orrery_node_get_item (node, 1)), ==, 1500);
  setlocale (LC_ALL, "C");
  remove_folder (folder);
}

static const struct {
  const char *text;
  const char *json;
} texts[] = {
  { "", "\"\"" },
  { "plain ~", "\"plain ~\"" },
  { "\"\\/\b\f\n\r\t", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
  { "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"" },
  { "\xc3\xa9\xe2\x82\xac", "\"\\u00e9\\u20ac\"" },
  { "\xf0\x9f\x9a\x80", "\"\\ud83d\\ude80\"" },
  { "a\xff\xe2\x82", "\"a\\ufffd\\ufffd\\ufffd\"" },
};

static void
test_json_text (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (OrreryWriter) writer = orrery_writer_new ();
    g_autofree char *json = NULL;

    orrery_writer_append_json_text (writer, texts[i].text);
    json = dup_text (writer);
    g_assert_cmpstr (json, ==, texts[i].json);
  }
}

typedef struct {
  const char *variant;
  const char *json;
} Variant;

static const Variant variants[] = {
  { "true", "true" },
  { "false", "false" },
  { "byte 0xff", "255" },
  { "int16 -5", "-5" },
  { "uint16 5", "5" },
  { "int32 -5", "-5" },
  { "uint32 4000000000", "4000000000" },
  { "int64 -9223372036854775808", "-9223372036854775808" },
  { "uint64 18446744073709551615", "18446744073709551615" },
  { "handle 3", "3" },
  { "0.1", "0.1" },
  { "'t\"'", "\"t\\\"\"" },
  { "objectpath '/a'", "\"/a\"" },
  { "signature 'ad'", "\"ad\"" },
  { "<<1.0>>", "1.0" },
  { "@mi nothing", "null" },
  { "just 5", "5" },
  { "@ad []", "[]" },
  { "[1, 2]", "[1, 2]" },
  { "(1, 'a', [true])", "[1, \"a\", [true]]" },
  { "@a{sv} {}", "{}" },
  { "{'b': <1>, 'a': <[2.0]>}", "{\"b\": 1, \"a\": [2.0]}" },
  { "{1: 'a', 2: 'b'}", "{\"1\": \"a\", \"2\": \"b\"}" },
  { "{true: 'a'}", "{\"true\": \"a\"}" },
};

static void
test_json_variant (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++) {
    g_autoptr (GVariant) value = g_variant_parse (NULL, variants[i].variant, NULL, NULL, NULL);
    g_autoptr (OrreryWriter) writer = orrery_writer_new ();
    g_autofree char *json = NULL;

    g_assert_nonnull (value);
    orrery_writer_append_json_variant (writer, value);
    json = dup_text (writer);
    g_assert_cmpstr (json, ==, variants[i].json);
  }
}

/* As a script or a file has it, and no more of it than a line of a message holds. */
static const Variant shown[] = {
  { "1.5", "1.5" },
  { "'a'", "'a'" },
  { "<<'a'>>", "'a'" },
  { "[<1.0>, <'a'>]", "[1.0, \"a\"]" },
  { "{'b': <1>, 'a': <[<2.0>]>}", "{\"b\": 1, \"a\": [2.0]}" },
  { "'1234567890123456789012345678901234567890123456789012345678'",
    "'1234567890123456789012345678901234567890123456789012345678'" },
  { "'12345678901234567890123456789012345678901234567890123456789'",
    "'12345678901234567890123456789012345678901234567890123456..." },
  { "'\u00e4234567890123456789012345678901234567890123456789012345\u00e4\u00e4789'",
    "'\u00e4234567890123456789012345678901234567890123456789012345\u00e4..." },
};

static void
test_shown_variant (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++) {
    g_autoptr (GVariant) value = g_variant_parse (NULL, shown[i].variant, NULL, NULL, NULL);
    g_autofree char *text = NULL;

    g_assert_nonnull (value);
    text = orrery_variant_show (value);
    g_assert_cmpstr (text, ==, shown[i].json);
  }
}

/* Whole, however long; and what it is, in words. */
static void
test_described_variant (void)
{
  static const Variant described[] = {
    { "1.5", "a number" },
    { "byte 7", "a number" },
    { "<<'a'>>", "a text" },
    { "true", "a truth value" },
    { "@mv nothing", "nothing" },
    { "@av []", "an empty list" },
    { "[<1>]", "a list of 1 item" },
    { "(1, 'a', [2])", "a list of 3 items" },
    { "@a{sv} {}", "an empty dictionary" },
    { "{'b': <1>, 'a': <2>}", "a dictionary of b, a" },
    { "{3: 'c'}", "a dictionary of 3" },
    { "{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9}", "a dictionary of 9 keys" },
  };
  g_autoptr (GVariant) list = NULL;
  g_autofree char *whole = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (described); i++) {
    g_autoptr (GVariant) value = g_variant_parse (NULL, described[i].variant, NULL, NULL, NULL);
    g_autofree char *text = NULL;

    g_assert_nonnull (value);
    text = orrery_variant_describe (value);
    g_assert_cmpstr (text, ==, described[i].json);
  }
  list = g_variant_ref_sink (g_variant_new_parsed (
      "[<'1234567890123456789012345678901234567890123456789012345678901234567890'>]"));
  whole = orrery_variant_print (list);
  g_assert_cmpstr (whole, ==,
                   "[\"1234567890123456789012345678901234567890123456789012345678901234567890\"]");
}

static void
test_reader (void)
{
  g_autoptr (OrreryReader) reader = orrery_reader_new ();
  g_autoptr (OrreryReader) second = orrery_reader_ref (reader);
  g_autoptr (GBytes) bytes = NULL;
  gsize length;

  g_assert_null (orrery_reader_get_missing (reader));
  g_assert_null (orrery_reader_get_unknown (reader));

  orrery_reader_set_data (reader, "abc", 3);
  g_assert_cmpmem (orrery_reader_get_data (second, &length), length, "abc", 3);
  bytes = orrery_reader_dup_bytes (reader);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "abc", 3);

  orrery_reader_note_missing (reader, "x");
  orrery_reader_note_missing (reader, "y");
  orrery_reader_note_unknown (reader, "zeta", 1);
  g_assert_cmpstr (orrery_reader_get_missing (reader), ==, "x");
  g_assert_cmpstr (orrery_reader_get_unknown (reader), ==, "z");
  g_assert_cmpuint (orrery_reader_get_n_missing (reader), ==, 2);
  g_assert_cmpuint (orrery_reader_get_n_unknown (reader), ==, 1);

  orrery_reader_set_data (reader, NULL, 0);
  g_assert_null (orrery_reader_get_missing (reader));
  g_assert_cmpuint (orrery_reader_get_n_unknown (reader), ==, 0);
}

/* A long name is cut between characters: what is kept is a text still. */
static void
test_long_name (void)
{
  g_autoptr (OrreryReader) reader = orrery_reader_new ();
  g_autoptr (GString) name = g_string_new ("x");

  for (guint i = 0; i < 1000; i++)
    g_string_append (name, "\xe2\x82\xac");
  orrery_reader_note_unknown (reader, name->str, name->len);
  g_assert_true (g_utf8_validate (orrery_reader_get_unknown (reader), -1, NULL));
  g_assert_cmpuint (strlen (orrery_reader_get_unknown (reader)), ==, 127);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  g_test_add_func ("/message/messages", test_messages);
  g_test_add_func ("/message/given-away", test_given_away);
  g_test_add_func ("/message/used-again", test_used_again);
  g_test_add_func ("/message/pieces", test_pieces);
  g_test_add_func ("/message/growth", test_growth);
  g_test_add_func ("/message/doubles", test_doubles);
  g_test_add_func ("/message/fixed", test_fixed);
  g_test_add_func ("/message/locale", test_locale);
  g_test_add_func ("/message/json-text", test_json_text);
  g_test_add_func ("/message/json-variant", test_json_variant);
  g_test_add_func ("/message/shown-variant", test_shown_variant);
  g_test_add_func ("/message/described-variant", test_described_variant);
  g_test_add_func ("/message/reader", test_reader);
  g_test_add_func ("/message/long-name", test_long_name);
  return g_test_run ();
}
