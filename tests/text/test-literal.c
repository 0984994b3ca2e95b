/* SPDX-License-Identifier: BSD-3-Clause */
#include "../words.h"

#include <string.h>

#include "base/orrery-error.h"
#include "base/orrery-message.h"
#include "text/orrery-node.h"

#define TAIL " literals executed"

/* --- what is read: the value of x as JSON --- */

typedef struct {
  const char *text;
  const char *json;
} Good;

static const Good goods[] = {
  { "True", "true" },
  { "False", "false" },
  { "None", "null" },
  { "0", "0" },
  { "00_0", "0" },
  { "1_000", "1000" },
  { "+7", "7" },
  { "-7", "-7" },
  { "- -7", "7" },
  { "-0", "0" },
  { "0x_fF", "255" },
  { "0XFF", "255" },
  { "0o17", "15" },
  { "0b1_01", "5" },
  { "9223372036854775807", "9223372036854775807" },
  { "-9223372036854775808", "-9223372036854775808" },
  { "-0x8000000000000000", "-9223372036854775808" },
  { "1.5", "1.5" },
  { ".5", "0.5" },
  { "5.", "5.0" },
  { "1e5", "100000.0" },
  { "1E+1_6", "1e+16" },
  { "1_0.2_5e-1", "1.025" },
  { "01.5", "1.5" },
  { "0e0", "0.0" },
  { "-0.0", "-0.0" },
  { "1e-400", "0.0" },
  { "1.7976931348623157e308", "1.7976931348623157e+308" },
  { "'a'", "\"a\"" },
  { "\"it's\"", "\"it's\"" },
  { "''", "\"\"" },
  { "''''''", "\"\"" },
  { "'''a'b''c'''", "\"a'b''c\"" },
  { "\"\"\"two\nlines\"\"\"", "\"two\\nlines\"" },
  { "\"\"\"two\r\nlines\rthree\"\"\"", "\"two\\nlines\\nthree\"" },
  { "'a\\\nb'", "\"ab\"" },
  { "'a\\\r\nb'", "\"ab\"" },
  { "u'a'", "\"a\"" },
  { "U\"a\"", "\"a\"" },
  { "r'\\n\\''", "\"\\\\n\\\\'\"" },
  { "R'''\\\n'''", "\"\\\\\\n\"" },
  { "'\\\\\\'\\\"\\a\\b\\f\\n\\r\\t\\v'", "\"\\\\'\\\"\\u0007\\b\\f\\n\\r\\t\\u000b\"" },
  { "'\\101\\60\\7\\777'", "\"A0\\u0007\\u01ff\"" },
  { "'\\x41\\u00e9\\U0001f680'", "\"A\\u00e9\\ud83d\\ude80\"" },
  { "'\\q\\8'", "\"\\\\q\\\\8\"" },
  { "'\xc3\xa9'", "\"\\u00e9\"" },
  { "'a' \"b\" r'\\\\' u'd'", "\"ab\\\\\\\\d\"" },
  { "'a' 'b'\\\n 'c'", "\"abc\"" },
  { "('a'\n 'b' # why\n 'c')", "\"abc\"" },
  { "[]", "[]" },
  { "[1, 2,]", "[1, 2]" },
  { "[ # first\n  1,\r\n\t2\r, 3\\\n]", "[1, 2, 3]" },
  { "()", "[]" },
  { "(1)", "1" },
  { "((1))", "1" },
  { "(1,)", "[1]" },
  { "(1, 2)", "[1, 2]" },
  { "1, 2", "[1, 2]" },
  { "1,", "[1]" },
  { "{}", "{}" },
  { "{'a': 1, \"b\": {'c': [None]},}", "{\"a\": 1, \"b\": {\"c\": [null]}}" },
  { "{('a'): 1, 'b' 'c': 2}", "{\"a\": 1, \"bc\": 2}" },
  { "1 # said", "1" },
  { "1;", "1" },
};

static char *
read_value (const char *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_python (source, strlen (source), "f", &error);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GVariant) value = NULL;
  gsize length;

  g_assert_no_error (error);
  if (node == NULL || orrery_node_find (node, "x") == NULL)
    return g_strdup ("nothing");
  value = orrery_node_to_variant (orrery_node_find (node, "x"));
  orrery_writer_append_json_variant (writer, value);
  orrery_writer_get_data (writer, &length);
  return g_strndup (orrery_writer_get_data (writer, NULL), length);
}

static void
test_values (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (goods); i++) {
    g_autofree char *source = g_strdup_printf ("x = %s", goods[i].text);
    g_autofree char *json = read_value (source);

    g_assert_cmpstr (json, ==, goods[i].json);
  }
}

/* --- what is refused --- */

typedef struct {
  const char *text;
  const char *message;
} Bad;

static const Bad bads[] = {
  /* code */
  { "x = dict()", "f:1:5: call dict" TAIL },
  { "x = os.environ", "f:1:5: attribute os" TAIL },
  { "x = a[0]", "f:1:5: item of a" TAIL },
  { "x = [a]", "f:1:6: the name a" TAIL },
  { "x = (a := 1)", "f:1:6: assignment within value" TAIL },
  { "x = ur'a'", "f:1:5: name ur" TAIL },
  { "x = nan", "f:1:5: name nan" TAIL },
  { "x = lambda: 1", "f:1:5: lambda" TAIL },
  { "x = not True", "f:1:5: operator not" TAIL },
  { "x = [1 for i in y]", "f:1:8: loop comprehension" TAIL },
  { "x = 1 if y else 2", "f:1:7: condition" TAIL },
  { "x = 1 and 2", "f:1:7: operator and" TAIL },
  { "x = 'a' % 1", "f:1:9: operator %" TAIL },
  { "x = [1] * 3", "f:1:9: operator *" TAIL },
  { "x = 1 + 2", "f:1:7: operator +" TAIL },
  { "x = 1 << 2", "f:1:7: operator <<" TAIL },
  { "x = 1 == 2", "f:1:7: operator ==" TAIL },
  { "x = ~1", "f:1:5: operator ~" TAIL },
  { "x = -y", "f:1:5: sign before something not number" },
  { "x = -True", "f:1:5: sign before something not number" },
  { "x = 'a'.join([])", "f:1:8: attribute value" TAIL },
  { "x = [1](2)", "f:1:8: call" TAIL },
  { "x = [1][0]", "f:1:8: item value" TAIL },
  { "x = [*y]", "f:1:6: unpacking" TAIL },
  { "x = {**y}", "f:1:6: unpacking" TAIL },
  { "x = ...", "f:1:5: ellipsis" TAIL },
  { "import os", "f:1:1: import" TAIL },
  { "from os import *", "f:1:1: import" TAIL },
  { "\n\ndef f(): pass", "f:3:1: function" TAIL },
  { "class A: pass", "f:1:1: class" TAIL },
  { "if True: x = 1", "f:1:1: condition" TAIL },
  { "for i in []: pass", "f:1:1: loop comprehension" TAIL },
  { "while 1: pass", "f:1:1: loop" TAIL },
  { "with a: pass", "f:1:1: with statement" TAIL },
  { "try: pass", "f:1:1: exception handler" TAIL },
  { "del x", "f:1:1: deletion" TAIL },
  { "@d\n", "f:1:1: decorator" TAIL },
  { "print('x')", "f:1:1: call print" TAIL },
  { "x.y = 1", "f:1:1: attribute x" TAIL },
  { "x['y'] = 1", "f:1:1: item x" TAIL },
  { "x += 1", "f:1:3: operator +=" TAIL },
  { "x == 1", "f:1:3: operator ==" TAIL },
  { "x", "f:1:1: name x" TAIL },
  { "pass; import os", "f:1:7: import" TAIL },
  { "x = 1, z", "f:1:8: name z" TAIL },
  { "x = y = z", "f:1:9: name z" TAIL },
  /* statements */
  { "x: dict = {}", "f:1:2: colon name x x = literal" },
  { "x, y = 1, 2", "f:1:2: comma name x x = literal" },
  { "True = 1", "f:1:1: True name" },
  { "1", "f:1:1: 1 name" },
  { "[1]", "f:1:1: [ name" },
  { "'a' = 1", "f:1:5: = end line" },
  { "x = 1 = 2", "f:1:7: = end line" },
  { "x = 1 y = 2", "f:1:7: y end line" },
  { "pass x", "f:1:6: x end line" },
  { "x =", "f:1:4: file ends value" },
  { "x =\n1", "f:1:4: line ends value" },
  { "x = # 1", "f:1:5: line ends value" },
  { " x = 1", "f:1:2: indented line assignments begin column 1" },
  { "y = 1\n\tx = 1", "f:2:2: indented line assignments begin column 1" },
  { ";", "f:1:1: ; name" },
  { "x = 1;;", "f:1:7: ; name" },
  { "x = \\ 1", "f:1:5: backslash end line" },
  { "x = \\", "f:1:5: backslash end line" },
  { "x = $", "f:1:5: $ value" },
  { "x = \xe2\x82\xac", "f:1:5: character U+20AC value" },
  { "x = \x01", "f:1:5: character U+0001 value" },
  { "x = 1\ny = 2\nx = 3", "f:3:1: x assigned second time first line 1" },
  { "x = x = 1", "f:1:5: x assigned second time first line 1" },
  /* brackets */
  { "x = [1, [2]", "f:1:5: [ closed" },
  { "x = [1,\n", "f:1:5: [ closed" },
  { "x = (", "f:1:5: ( closed" },
  { "x = (1", "f:1:5: ( closed" },
  { "x = {", "f:1:5: { closed" },
  { "x = {'a': 1", "f:1:5: { closed" },
  { "x = [1}", "f:1:7: } comma ]" },
  { "x = (1]", "f:1:7: ] comma )" },
  { "x = [1 2]", "f:1:8: 2 comma ]" },
  { "x = [,]", "f:1:6: , value" },
  { "x = [1,,]", "f:1:8: , value" },
  { "x = {'a': 1 'b': 2}", "f:1:13: ' comma }" },
  { "x = {'a' 1}", "f:1:10: 1 colon" },
  { "x = {'a': }", "f:1:11: } value" },
  { "x = {'a'", "f:1:9: file ends colon" },
  { "x = {1}", "f:1:5: set list value key" },
  { "x = {'a', 'b'}", "f:1:5: set list value key" },
  { "x = {1: 2}", "f:1:6: integer key keys texts" },
  { "x = {None: 2}", "f:1:6: null key keys texts" },
  { "x = {('a',): 2}", "f:1:6: list key keys texts" },
  { "x = {'a': 1,\n     'a': 2}", "f:2:6: key 'a' second time first line 1 column 6" },
  /* numbers */
  { "x = 9223372036854775808",
    "f:1:5: integer beyond -9223372036854775808 9223372036854775807 float" },
  { "x = 0x1__0", "f:1:8: underscore between no two digits" },
  { "x = 1e5_", "f:1:8: underscore between no two digits" },
  { "x = [-9223372036854775809]",
    "f:1:6: integer beyond -9223372036854775808 9223372036854775807 float" },
  { "x = 0x10000000000000000",
    "f:1:5: integer beyond -9223372036854775808 9223372036854775807 float" },
  { "x = 0777", "f:1:5: integer with leading zero 0o17 octal" },
  { "x = 0x", "f:1:7: 0x without digits" },
  { "x = 0o8", "f:1:7: 0o without digits" },
  { "x = 0b12", "f:1:8: letters digits number" },
  { "x = 12ab", "f:1:7: letters digits number" },
  { "x = 1__0", "f:1:6: underscore between no two digits" },
  { "x = 1_", "f:1:6: underscore between no two digits" },
  { "x = 1._0", "f:1:7: underscore between no two digits" },
  { "x = 1e", "f:1:7: number without digit exponent" },
  { "x = 1e+", "f:1:8: number without digit exponent" },
  { "x = 3j", "f:1:6: complex number integers floats" },
  { "x = 1.5J", "f:1:8: complex number integers floats" },
  { "x = 1e999", "f:1:5: float beyond range double" },
  { "x = -1e999", "f:1:5: float beyond range double" },
  /* texts */
  { "x = 'a", "f:1:5: text closed" },
  { "x = 'a\n'", "f:1:5: text closed line" },
  { "x = '''a'", "f:1:5: text closed" },
  { "x = r'a\\'", "f:1:5: text closed" },
  { "x = 'a\\", "f:1:5: text closed" },
  { "x = r'a\\", "f:1:5: text closed" },
  { "x = b'a'", "f:1:5: bytes text without b" },
  { "x = Rb'a'", "f:1:5: bytes text without b" },
  { "x = f'a'", "f:1:5: f-string executed text without f" },
  { "x = 'a' rF'b'", "f:1:9: f-string executed text without f" },
  { "x = 'a\\N{DASH}'", "f:1:7: \\N{...}: characters by name \\uXXXX" },
  { "x = '\\x4'", "f:1:6: \\x without 2 hexadecimal digits" },
  { "x = '\\u12'", "f:1:6: \\u without 4 hexadecimal digits" },
  { "x = '\\U0001'", "f:1:6: \\U without 8 hexadecimal digits" },
  { "x = '\\U00110000'", "f:1:6: no character: last \\U0010ffff" },
  { "x = '\\ud83d\\ude80'", "f:1:6: half surrogate pair character itself \\UXXXXXXXX" },
  { "x = '\\0'", "f:1:6: escaped NUL text none" },
  { "x = '\\x00'", "f:1:6: escaped NUL text none" },
  /* the file */
  { "x = '\xff'", "f:1:6: byte 0xff no UTF-8 file UTF-8" },
  { "# \xc3\xa9\n# \xc3\xa9\xe9", "f:2:4: byte 0xe9 no UTF-8 file UTF-8" },
};

static void
check_refused (const char *text, gsize length, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_python (text, length, "f", &error);

  g_assert_null (node);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  assert_words (error != NULL ? error->message : NULL, message);
}

static void
test_refusals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bads); i++)
    check_refused (bads[i].text, strlen (bads[i].text), bads[i].message);
}

static void
test_nul (void)
{
  check_refused ("x = 'a\0b'", 10, "f:1:7: NUL byte no text");
}

static void
test_too_large (void)
{
  gsize length = ORRERY_NODE_MAX_BYTES + 1;
  g_autofree char *text = g_malloc (length);

  memset (text, '\n', length);
  check_refused (text, length, "f:1:1: file 67108865 bytes most 67108864");
}

static char *
nest (guint depth)
{
  g_autofree char *open = g_strnfill (depth, '[');
  g_autofree char *close = g_strnfill (depth, ']');

  return g_strconcat ("x = ", open, close, NULL);
}

static void
test_depth (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *deep = nest (ORRERY_NODE_MAX_DEPTH);
  g_autofree char *deeper = nest (ORRERY_NODE_MAX_DEPTH + 1);
  g_autofree char *endless = g_strnfill (1000000, '(');
  g_autofree char *source = g_strconcat ("x = ", endless, NULL);
  g_autoptr (OrreryNode) node = orrery_node_parse_python (deep, strlen (deep), "f", &error);
  g_autoptr (GVariant) value = NULL;

  g_assert_no_error (error);
  value = orrery_node_to_variant (node);
  g_assert_nonnull (value);
  check_refused (deeper, strlen (deeper), "f:1:205: more than 200 brackets within other");
  check_refused (source, strlen (source), "f:1:205: more than 200 brackets within other");
  deeper[strlen (deeper) / 2 + 2] = '{';
  check_refused (deeper, strlen (deeper), "f:1:205: more than 200 brackets within other");
}

/* --- the file as a whole --- */

static const char config[] = "\xef\xbb\xbf"
                             "# -*- coding: utf-8 -*-\r\n"
                             "\"\"\"Doc\r\n"
                             "string\"\"\"\r\n"
                             "\r\n"
                             "component_datastream = {\r\n"
                             "  'robot.pose': [['a.b', 'c']]}\r\n"
                             "   # a comment of its own\r\n"
                             "pass\r\n"
                             "a = b = [1]; \xc3\xa9t\xc3\xa9 = 2 ;\r\n"
                             "overlays = {} # end";

static void
test_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_python (config, strlen (config), "f", &error);
  OrreryNode *streams;

  g_assert_no_error (error);
  g_assert_cmpuint (orrery_node_get_length (node), ==, 5);
  g_assert_cmpstr (orrery_node_get_key (node, 0), ==, "component_datastream");
  g_assert_cmpstr (orrery_node_get_key (node, 3), ==, "\xc3\xa9t\xc3\xa9");
  g_assert_cmpuint (orrery_node_get_key_line (node, 3), ==, 9);
  g_assert_cmpuint (orrery_node_get_key_column (node, 3), ==, 14);
  g_assert_true (orrery_node_find (node, "a") == orrery_node_find (node, "b"));

  streams = orrery_node_find (node, "component_datastream");
  g_assert_cmpuint (orrery_node_get_line (streams), ==, 5);
  g_assert_cmpuint (orrery_node_get_column (streams), ==, 24);
  g_assert_cmpuint (orrery_node_get_key_line (streams, 0), ==, 6);
  g_assert_cmpuint (orrery_node_get_key_column (streams, 0), ==, 3);
  g_assert_cmpuint (orrery_node_get_column (orrery_node_get_item (streams, 0)), ==, 17);
}

static void
test_empty (void)
{
  static const char *const texts[] = { "",     "\n", "# words", "  # words\n\t\n",
                                       "pass", "''", "\\\npass" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OrreryNode) node =
        orrery_node_parse_python (texts[i], strlen (texts[i]), "f", &error);

    g_assert_no_error (error);
    g_assert_cmpuint (orrery_node_get_length (node), ==, 0);
  }
}

static void
test_many_keys (void)
{
  g_autoptr (GString) source = g_string_new ("x = {");
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (source, "'k%u': %u,", i, i);
  g_string_append (source, "}\n");
  node = orrery_node_parse_python (source->str, source->len, "f", &error);
  g_assert_no_error (error);
  g_assert_cmpint (orrery_node_get_int (orrery_node_find (orrery_node_find (node, "x"), "k77777")),
                   ==, 77777);

  g_string_truncate (source, source->len - 2);
  g_string_append (source, "'k5': 0}\n");
  check_refused (source->str, source->len,
                 "f:1:1577786: the key 'k5' a second time; first at line 1, column 46");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  g_test_add_func ("/literal/values", test_values);
  g_test_add_func ("/literal/refusals", test_refusals);
  g_test_add_func ("/literal/nul", test_nul);
  g_test_add_func ("/literal/too-large", test_too_large);
  g_test_add_func ("/literal/depth", test_depth);
  g_test_add_func ("/literal/file", test_file);
  g_test_add_func ("/literal/empty", test_empty);
  g_test_add_func ("/literal/many-keys", test_many_keys);
  return g_test_run ();
}
