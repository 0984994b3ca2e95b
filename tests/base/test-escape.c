/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-name-private.h"

#include <orrery.h>
#include <string.h>

static void
check (const char *text, gboolean indent, const char *expected)
{
  g_autofree char *once = orrery_escape_text (text, indent);
  g_autofree char *twice = orrery_escape_text (once, indent);

  g_assert_cmpstr (once, ==, expected);
  g_assert_cmpstr (twice, ==, expected);
}

static void
test_texts (void)
{
  g_test_summary ("what a terminal acts on is escaped, once; all else stays");
  check ("", FALSE, "");
  check ("plain caf\xc3\xa9 \xe6\x9c\xba \t.", FALSE, "plain caf\xc3\xa9 \xe6\x9c\xba \t.");
  check ("\033[31m\r\a\177", FALSE, "\\x1b[31m\\x0d\\x07\\x7f");
  check ("\xc2\x9b"
         "31m",
         FALSE, "\\x9b31m");
  check ("\xe2\x80\xae"
         "abc\xe2\x81\xa6"
         "d\xe2\x80\xa8",
         FALSE, "\\u202eabc\\u2066d\\u2028");
  check ("\xff\xc3(\xe6\x9c", FALSE, "\\xff\\xc3(\\xe6\\x9c");
  check ("soft\xc2\xadhyphen", FALSE, "soft\xc2\xadhyphen");
}

static void
test_lines (void)
{
  g_test_summary ("lines after the first are indented, or left as they are");
  check ("a\n[ERROR] b\n", TRUE, "a\n    [ERROR] b\n");
  check ("a\n\nb", TRUE, "a\n    \n    b");
  check ("a\n[ERROR] b\n", FALSE, "a\n[ERROR] b\n");
}

static void
test_errors (void)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("the message of an error is safe whatever is put into it");
  orrery_set_error (&error, ORRERY_ERROR_CONFIG, "no '%s'", "x\n[ERROR] y\033");
  g_assert_cmpstr (error->message, ==, "no 'x\n    [ERROR] y\\x1b'");
}

static void
test_names (void)
{
  static const char *const refused[] = { "", "a\nb", "a\tb", "\033", "\xff", "\xe2\x80\xae", NULL };
  static const char *const allowed[] = { "a", "a b", "caf\xc3\xa9", "a/b", "a'b", NULL };
  g_autofree char *longest = g_strnfill (255, 'n');
  g_autofree char *longer = g_strnfill (256, 'n');

  g_test_summary ("a name has a length and no control characters, and one message says so");
  for (guint i = 0; refused[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (orrery_name_check (ORRERY_NAME_OBJECT, refused[i], &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
    g_assert_nonnull (strstr (error->message, "is not a valid name of an object: 1 to 255 bytes"));
    g_assert_null (strpbrk (error->message, "\n\t\033"));
  }
  for (guint i = 0; allowed[i] != NULL; i++)
    g_assert_true (orrery_name_check (ORRERY_NAME_OBJECT, allowed[i], NULL));
  g_assert_true (orrery_name_check (ORRERY_NAME_OBJECT, longest, NULL));
  g_assert_false (orrery_name_check (ORRERY_NAME_OBJECT, longer, NULL));
  g_assert_true (orrery_name_check (ORRERY_NAME_STATE, "", NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/escape/texts", test_texts);
  g_test_add_func ("/escape/lines", test_lines);
  g_test_add_func ("/escape/errors", test_errors);
  g_test_add_func ("/escape/names", test_names);
  return g_test_run ();
}
