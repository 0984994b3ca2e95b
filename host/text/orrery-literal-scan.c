/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions, blanks and names in the text of a Python literal. */
#include "text/orrery-literal-private.h"

#include <string.h>

/* --- places and blanks --- */

const OrreryPlace *
orrery_literal_locate (OrreryLiteral *literal, const char *at)
{
  if (at < literal->place.at)
    orrery_place_init (&literal->place, literal->text, literal->end - literal->text);
  orrery_place_move (&literal->place, at);
  return &literal->place;
}

gboolean
orrery_literal_fail (OrreryLiteral *literal, const char *at, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_propagate_error (literal->error, orrery_place_error (orrery_literal_locate (literal, at),
                                                         literal->file, "%s", what));
  return FALSE;
}

gboolean
orrery_literal_is_newline (const OrreryLiteral *literal)
{
  return literal->at < literal->end && (*literal->at == '\n' || *literal->at == '\r');
}

void
orrery_literal_skip_newline (OrreryLiteral *literal)
{
  if (*literal->at++ == '\r' && literal->at < literal->end && *literal->at == '\n')
    literal->at++;
}

gboolean
orrery_literal_is_blank (const OrreryLiteral *literal)
{
  return literal->at < literal->end &&
         (*literal->at == ' ' || *literal->at == '\t' || *literal->at == '\f');
}

void
orrery_literal_skip_comment (OrreryLiteral *literal)
{
  while (literal->at < literal->end && !orrery_literal_is_newline (literal))
    literal->at++;
}

/* A backslash at the end of a line joins it with the next. */
static gboolean
skip_join (OrreryLiteral *literal)
{
  if (*literal->at != '\\')
    return FALSE;
  literal->at++;
  if (orrery_literal_is_newline (literal)) {
    orrery_literal_skip_newline (literal);
    return TRUE;
  }
  literal->at--;
  return FALSE;
}

void
orrery_literal_skip_blanks (OrreryLiteral *literal)
{
  while (literal->at < literal->end) {
    if (orrery_literal_is_blank (literal))
      literal->at++;
    else if (literal->depth > 0 && orrery_literal_is_newline (literal))
      orrery_literal_skip_newline (literal);
    else if (literal->depth > 0 && *literal->at == '#')
      orrery_literal_skip_comment (literal);
    else if (!skip_join (literal))
      return;
  }
}

gboolean
orrery_literal_at (const OrreryLiteral *literal, char c)
{
  return literal->at < literal->end && *literal->at == c;
}

gboolean
orrery_literal_at_pair (const OrreryLiteral *literal, const char *pair)
{
  return literal->end - literal->at >= 2 && memcmp (literal->at, pair, 2) == 0;
}

gboolean
orrery_literal_is_statement_end (const OrreryLiteral *literal)
{
  return literal->at == literal->end || orrery_literal_is_newline (literal) ||
         orrery_literal_at (literal, ';') || orrery_literal_at (literal, '#');
}

/* --- names --- */

static gboolean
is_letter (const char *at, const char *end, gboolean first)
{
  gunichar c;

  if (at >= end)
    return FALSE;
  c = g_utf8_get_char (at);
  if (c < 0x80)
    return c == '_' || g_ascii_isalpha ((char) c) || (!first && g_ascii_isdigit ((char) c));
  return g_unichar_isalpha (c) || (!first && (g_unichar_isalnum (c) || g_unichar_ismark (c)));
}

gboolean
orrery_literal_is_name (const OrreryLiteral *literal)
{
  return is_letter (literal->at, literal->end, TRUE);
}

/* Returns: (transfer full) (nullable): the name that begins here, without moving on */
char *
orrery_literal_peek_name (const OrreryLiteral *literal, const char **behind)
{
  const char *start = literal->at;
  const char *at = start;

  while (is_letter (at, literal->end, at == start))
    at = g_utf8_next_char (at);
  *behind = at;
  /* Python compares names in this form. */
  return at == start ? NULL : g_utf8_normalize (start, at - start, G_NORMALIZE_NFKC);
}

/* Returns: (nullable): what a word of Python's grammar begins; NULL for a name */
const char *
orrery_literal_describe_keyword (const char *word)
{
  static const struct {
    const char *word;
    const char *what;
  } keywords[] = {
    { "and", "the operator and" },
    { "as", "the word as" },
    { "assert", "an assertion" },
    { "async", "the word async" },
    { "await", "the word await" },
    { "break", "the word break" },
    { "class", "a class" },
    { "continue", "the word continue" },
    { "def", "a function" },
    { "del", "a deletion" },
    { "elif", "a condition" },
    { "else", "a condition" },
    { "except", "an exception handler" },
    { "finally", "an exception handler" },
    { "for", "a loop or comprehension" },
    { "from", "an import" },
    { "global", "the word global" },
    { "if", "a condition" },
    { "import", "an import" },
    { "in", "the operator in" },
    { "is", "the operator is" },
    { "lambda", "a lambda" },
    { "nonlocal", "the word nonlocal" },
    { "not", "the operator not" },
    { "or", "the operator or" },
    { "raise", "the word raise" },
    { "return", "the word return" },
    { "try", "an exception handler" },
    { "while", "a loop" },
    { "with", "a with statement" },
    { "yield", "the word yield" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (strcmp (word, keywords[i].word) == 0)
      return keywords[i].what;
  return NULL;
}

gboolean
orrery_literal_is_constant (const char *word)
{
  return strcmp (word, "True") == 0 || strcmp (word, "False") == 0 || strcmp (word, "None") == 0;
}

/* --- what stands where a literal should --- */

/* A name in a value: says what is done with it. */
void
orrery_literal_fail_at_name (OrreryLiteral *literal)
{
  const char *start = literal->at;
  g_autofree char *name = orrery_literal_peek_name (literal, &literal->at);
  const char *keyword = orrery_literal_describe_keyword (name);

  orrery_literal_skip_blanks (literal);
  if (keyword != NULL)
    orrery_literal_fail (literal, start, "%s" ORRERY_LITERAL_NOT_EXECUTED, keyword);
  else if (orrery_literal_at (literal, '('))
    orrery_literal_fail (literal, start, "a call of %s" ORRERY_LITERAL_NOT_EXECUTED, name);
  else if (orrery_literal_at (literal, '.'))
    orrery_literal_fail (literal, start, "an attribute of %s" ORRERY_LITERAL_NOT_EXECUTED, name);
  else if (orrery_literal_at (literal, '['))
    orrery_literal_fail (literal, start, "an item of %s" ORRERY_LITERAL_NOT_EXECUTED, name);
  else if (orrery_literal_at_pair (literal, ":="))
    orrery_literal_fail (literal, start,
                         "an assignment to %s within a value" ORRERY_LITERAL_NOT_EXECUTED, name);
  else
    orrery_literal_fail (literal, start, "the name %s" ORRERY_LITERAL_NOT_EXECUTED, name);
}

gboolean
orrery_literal_fail_at_operator (OrreryLiteral *literal)
{
  static const char *const operators[] = { "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->",
                                           ":=", "+=", "-=", "*=", "/=", "%=", "+",  "-",  "*",
                                           "/",  "%",  "@",  "&",  "|",  "^",  "~",  "<",  ">" };

  for (guint i = 0; i < G_N_ELEMENTS (operators); i++) {
    gsize length = strlen (operators[i]);

    if ((gsize) (literal->end - literal->at) >= length &&
        memcmp (literal->at, operators[i], length) == 0) {
      orrery_literal_fail (literal, literal->at, "the operator %s" ORRERY_LITERAL_NOT_EXECUTED,
                           operators[i]);
      return TRUE;
    }
  }
  return FALSE;
}

void
orrery_literal_fail_at_other (OrreryLiteral *literal, const char *expected)
{
  gunichar c;

  if (literal->at == literal->end) {
    orrery_literal_fail (literal, literal->at, "the file ends where %s is expected", expected);
    return;
  }
  c = g_utf8_get_char (literal->at);
  if (orrery_literal_is_newline (literal) || c == '#')
    orrery_literal_fail (literal, literal->at, "the line ends where %s is expected", expected);
  else if (c == '\\')
    orrery_literal_fail (literal, literal->at, "a backslash that is not at the end of a line");
  else if (c > ' ' && c < 0x7f)
    orrery_literal_fail (literal, literal->at, "%c where %s is expected", (char) c, expected);
  else
    orrery_literal_fail (literal, literal->at, "the character U+%04X where %s is expected", c,
                         expected);
}

void
orrery_literal_fail_at_value (OrreryLiteral *literal)
{
  if (orrery_literal_is_name (literal))
    orrery_literal_fail_at_name (literal);
  else if (literal->end - literal->at >= 3 && memcmp (literal->at, "...", 3) == 0)
    orrery_literal_fail (literal, literal->at, "an ellipsis" ORRERY_LITERAL_NOT_EXECUTED);
  else if (orrery_literal_at_pair (literal, "**") || orrery_literal_at (literal, '*'))
    orrery_literal_fail (literal, literal->at, "an unpacking" ORRERY_LITERAL_NOT_EXECUTED);
  else if (!orrery_literal_fail_at_operator (literal))
    orrery_literal_fail_at_other (literal, "a value");
}

void
orrery_literal_fail_behind_value (OrreryLiteral *literal, const char *expected)
{
  const char *behind;
  g_autofree char *name = orrery_literal_peek_name (literal, &behind);
  const char *keyword = name != NULL ? orrery_literal_describe_keyword (name) : NULL;

  if (keyword != NULL)
    orrery_literal_fail (literal, literal->at, "%s" ORRERY_LITERAL_NOT_EXECUTED, keyword);
  else if (orrery_literal_at (literal, '('))
    orrery_literal_fail (literal, literal->at, "a call" ORRERY_LITERAL_NOT_EXECUTED);
  else if (orrery_literal_at (literal, '['))
    orrery_literal_fail (literal, literal->at, "an item of a value" ORRERY_LITERAL_NOT_EXECUTED);
  else if (orrery_literal_at (literal, '.'))
    orrery_literal_fail (literal, literal->at,
                         "an attribute of a value" ORRERY_LITERAL_NOT_EXECUTED);
  else if (!orrery_literal_fail_at_operator (literal))
    orrery_literal_fail_at_other (literal, expected);
}
