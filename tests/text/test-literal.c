/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/orrery-error.h"
#include "base/orrery-message.h"
#include "text/orrery-node.h"

#define TAIL "; only literals are read here, nothing is executed"

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
  { "x = dict()", "f:1:5: a call of dict" TAIL },
  { "x = os.environ", "f:1:5: an attribute of os" TAIL },
  { "x = a[0]", "f:1:5: an item of a" TAIL },
  { "x = [a]", "f:1:6: the name a" TAIL },
  { "x = (a := 1)", "f:1:6: an assignment to a within a value" TAIL },
  { "x = ur'a'", "f:1:5: the name ur" TAIL },
  { "x = nan", "f:1:5: the name nan" TAIL },
  { "x = lambda: 1", "f:1:5: a lambda" TAIL },
  { "x = not True", "f:1:5: the operator not" TAIL },
  { "x = [1 for i in y]", "f:1:8: a loop or comprehension" TAIL },
  { "x = 1 if y else 2", "f:1:7: a condition" TAIL },
  { "x = 1 and 2", "f:1:7: the operator and" TAIL },
  { "x = 'a' % 1", "f:1:9: the operator %" TAIL },
  { "x = [1] * 3", "f:1:9: the operator *" TAIL },
  { "x = 1 + 2", "f:1:7: the operator +" TAIL },
  { "x = 1 << 2", "f:1:7: the operator <<" TAIL },
  { "x = 1 == 2", "f:1:7: the operator ==" TAIL },
  { "x = ~1", "f:1:5: the operator ~" TAIL },
  { "x = -y", "f:1:5: a sign before what is no number" },
  { "x = -True", "f:1:5: a sign before what is no number" },
  { "x = 'a'.join([])", "f:1:8: an attribute of a value" TAIL },
  { "x = [1](2)", "f:1:8: a call" TAIL },
  { "x = [1][0]", "f:1:8: an item of a value" TAIL },
  { "x = [*y]", "f:1:6: an unpacking" TAIL },
  { "x = {**y}", "f:1:6: an unpacking" TAIL },
  { "x = ...", "f:1:5: an ellipsis" TAIL },
  { "import os", "f:1:1: an import" TAIL },
  { "from os import *", "f:1:1: an import" TAIL },
  { "\n\ndef f(): pass", "f:3:1: a function" TAIL },
  { "class A: pass", "f:1:1: a class" TAIL },
  { "if True: x = 1", "f:1:1: a condition" TAIL },
  { "for i in []: pass", "f:1:1: a loop or comprehension" TAIL },
  { "while 1: pass", "f:1:1: a loop" TAIL },
  { "with a: pass", "f:1:1: a with statement" TAIL },
  { "try: pass", "f:1:1: an exception handler" TAIL },
  { "del x", "f:1:1: a deletion" TAIL },
  { "@d\n", "f:1:1: a decorator" TAIL },
  { "print('x')", "f:1:1: a call of print" TAIL },
  { "x.y = 1", "f:1:1: an attribute of x" TAIL },
  { "x['y'] = 1", "f:1:1: an item of x" TAIL },
  { "x += 1", "f:1:3: the operator +=" TAIL },
  { "x == 1", "f:1:3: the operator ==" TAIL },
  { "x", "f:1:1: the name x" TAIL },
  { "pass; import os", "f:1:7: an import" TAIL },
  { "x = 1, z", "f:1:8: the name z" TAIL },
  { "x = y = z", "f:1:9: the name z" TAIL },
  /* statements */
  { "x: dict = {}", "f:1:2: a colon behind the name x; write x = literal" },
  { "x, y = 1, 2", "f:1:2: a comma behind the name x; write x = literal" },
  { "True = 1", "f:1:1: True where a name is expected" },
  { "1", "f:1:1: 1 where a name is expected" },
  { "[1]", "f:1:1: [ where a name is expected" },
  { "'a' = 1", "f:1:5: = where the end of the line is expected" },
  { "x = 1 = 2", "f:1:7: = where the end of the line is expected" },
  { "x = 1 y = 2", "f:1:7: y where the end of the line is expected" },
  { "pass x", "f:1:6: x where the end of the line is expected" },
  { "x =", "f:1:4: the file ends where a value is expected" },
  { "x =\n1", "f:1:4: the line ends where a value is expected" },
  { "x = # 1", "f:1:5: the line ends where a value is expected" },
  { " x = 1", "f:1:2: an indented line; assignments begin at column 1" },
  { "y = 1\n\tx = 1", "f:2:2: an indented line; assignments begin at column 1" },
  { ";", "f:1:1: ; where a name is expected" },
  { "x = 1;;", "f:1:7: ; where a name is expected" },
  { "x = \\ 1", "f:1:5: a backslash that joins no lines" },
  { "x = \\", "f:1:5: a backslash that joins no lines" },
  { "x = $", "f:1:5: $ where a value is expected" },
  { "x = \xe2\x82\xac", "f:1:5: the character U+20AC where a value is expected" },
  { "x = \x01", "f:1:5: the character U+0001 where a value is expected" },
  { "x = 1\ny = 2\nx = 3", "f:3:1: x is assigned a second time; first at line 1" },
  { "x = x = 1", "f:1:5: x is assigned a second time; first at line 1" },
  /* brackets */
  { "x = [1, [2]", "f:1:5: [ that nothing closes" },
  { "x = [1,\n", "f:1:5: [ that nothing closes" },
  { "x = (", "f:1:5: ( that nothing closes" },
  { "x = (1", "f:1:5: ( that nothing closes" },
  { "x = {", "f:1:5: { that nothing closes" },
  { "x = {'a': 1", "f:1:5: { that nothing closes" },
  { "x = [1}", "f:1:7: } where a comma or ] is expected" },
  { "x = (1]", "f:1:7: ] where a comma or ) is expected" },
  { "x = [1 2]", "f:1:8: 2 where a comma or ] is expected" },
  { "x = [,]", "f:1:6: , where a value is expected" },
  { "x = [1,,]", "f:1:8: , where a value is expected" },
  { "x = {'a': 1 'b': 2}", "f:1:13: ' where a comma or } is expected" },
  { "x = {'a' 1}", "f:1:10: 1 where a colon is expected" },
  { "x = {'a': }", "f:1:11: } where a value is expected" },
  { "x = {'a'", "f:1:9: the file ends where a colon is expected" },
  { "x = {1}", "f:1:5: a set; write a list, or a value behind each key" },
  { "x = {'a', 'b'}", "f:1:5: a set; write a list, or a value behind each key" },
  { "x = {1: 2}", "f:1:6: an integer as a key; keys are texts" },
  { "x = {None: 2}", "f:1:6: null as a key; keys are texts" },
  { "x = {('a',): 2}", "f:1:6: a list as a key; keys are texts" },
  { "x = {'a': 1,\n     'a': 2}", "f:2:6: the key 'a' a second time; first at line 1, column 6" },
  /* numbers */
  { "x = 9223372036854775808",
    "f:1:5: an integer beyond -9223372036854775808 to 9223372036854775807; write a float" },
  { "x = 0x1__0", "f:1:8: an underscore that stands between no two digits" },
  { "x = 1e5_", "f:1:8: an underscore that stands between no two digits" },
  { "x = [-9223372036854775809]",
    "f:1:6: an integer beyond -9223372036854775808 to 9223372036854775807; write a float" },
  { "x = 0x10000000000000000",
    "f:1:5: an integer beyond -9223372036854775808 to 9223372036854775807; write a float" },
  { "x = 0777", "f:1:5: an integer with a leading zero; write 0o17 for octal" },
  { "x = 0x", "f:1:7: 0x without digits" },
  { "x = 0o8", "f:1:7: 0o without digits" },
  { "x = 0b12", "f:1:8: letters or digits that belong to no number" },
  { "x = 12ab", "f:1:7: letters or digits that belong to no number" },
  { "x = 1__0", "f:1:6: an underscore that stands between no two digits" },
  { "x = 1_", "f:1:6: an underscore that stands between no two digits" },
  { "x = 1._0", "f:1:7: an underscore that stands between no two digits" },
  { "x = 1e", "f:1:7: a number without a digit in its exponent" },
  { "x = 1e+", "f:1:8: a number without a digit in its exponent" },
  { "x = 3j", "f:1:6: a complex number; only integers and floats are read" },
  { "x = 1.5J", "f:1:8: a complex number; only integers and floats are read" },
  { "x = 1e999", "f:1:5: a float beyond the range of a double" },
  { "x = -1e999", "f:1:5: a float beyond the range of a double" },
  /* texts */
  { "x = 'a", "f:1:5: a text that nothing closes" },
  { "x = 'a\n'", "f:1:5: a text that its line does not close" },
  { "x = '''a'", "f:1:5: a text that nothing closes" },
  { "x = r'a\\'", "f:1:5: a text that nothing closes" },
  { "x = 'a\\", "f:1:5: a text that nothing closes" },
  { "x = r'a\\", "f:1:5: a text that nothing closes" },
  { "x = b'a'", "f:1:5: bytes; write a text, without the b" },
  { "x = Rb'a'", "f:1:5: bytes; write a text, without the b" },
  { "x = f'a'", "f:1:5: an f-string, which is executed; write a text, without the f" },
  { "x = 'a' rF'b'", "f:1:9: an f-string, which is executed; write a text, without the f" },
  { "x = 'a\\N{DASH}'", "f:1:7: \\N{...}: characters are not read by name; write \\uXXXX" },
  { "x = '\\x4'", "f:1:6: \\x without 2 hexadecimal digits" },
  { "x = '\\u12'", "f:1:6: \\u without 4 hexadecimal digits" },
  { "x = '\\U0001'", "f:1:6: \\U without 8 hexadecimal digits" },
  { "x = '\\U00110000'", "f:1:6: no character: the last is \\U0010ffff" },
  { "x = '\\ud83d\\ude80'",
    "f:1:6: half of a surrogate pair; write the character itself or \\UXXXXXXXX" },
  { "x = '\\0'", "f:1:6: an escaped NUL; a text holds none" },
  { "x = '\\x00'", "f:1:6: an escaped NUL; a text holds none" },
  /* the file */
  { "x = '\xff'", "f:1:6: byte 0xff is no UTF-8; save the file as UTF-8" },
  { "# \xc3\xa9\n# \xc3\xa9\xe9", "f:2:4: byte 0xe9 is no UTF-8; save the file as UTF-8" },
};

static void
check_refused (const char *text, gsize length, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_python (text, length, "f", &error);

  g_assert_null (node);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_cmpstr (error != NULL ? error->message : NULL, ==, message);
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
  check_refused ("x = 'a\0b'", 10, "f:1:7: a NUL byte; this is no text");
}

static void
test_too_large (void)
{
  gsize length = ORRERY_NODE_MAX_BYTES + 1;
  g_autofree char *text = g_malloc (length);

  memset (text, '\n', length);
  check_refused (text, length, "f:1:1: a file of 67108865 bytes; at most 67108864 are read");
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
  check_refused (deeper, strlen (deeper), "f:1:205: more than 200 brackets within each other");
  check_refused (source, strlen (source), "f:1:205: more than 200 brackets within each other");
  deeper[strlen (deeper) / 2 + 2] = '{';
  check_refused (deeper, strlen (deeper), "f:1:205: more than 200 brackets within each other");
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
