/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings in Python's notation, with prefixes and escapes. */
#include "text/orrery-literal-private.h"

#include <string.h>

typedef struct {
  OrreryLiteral *literal;
  GString *out;
  const char *start; /* the opening quote */
  char quote;
  gboolean triple;
  gboolean raw;
} Piece;

/* Returns: letters of a prefix before a quote (0 for none), or -1 if no text begins here */
static int
measure_prefix (const OrreryLiteral *literal)
{
  static const char *const prefixes[] = { "", "r", "u", "b", "f", "br", "rb", "fr", "rf" };
  gsize left = literal->end - literal->at;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++) {
    gsize length = strlen (prefixes[i]);

    if (left > length && g_ascii_strncasecmp (literal->at, prefixes[i], length) == 0 &&
        (literal->at[length] == '\'' || literal->at[length] == '"'))
      return (int) length;
  }
  return -1;
}

gboolean
orrery_literal_is_text (const OrreryLiteral *literal)
{
  return measure_prefix (literal) >= 0;
}

static gboolean
at_quotes (const Piece *piece)
{
  const char *at = piece->literal->at;

  if (*at != piece->quote)
    return FALSE;
  return !piece->triple ||
         (piece->literal->end - at >= 3 && at[1] == piece->quote && at[2] == piece->quote);
}

/* @escape: the backslash */
static gboolean
append_character (Piece *piece, gunichar c, const char *escape)
{
  if (c != 0 && g_unichar_validate (c)) {
    g_string_append_unichar (piece->out, c);
    return TRUE;
  }
  if (c == 0)
    orrery_literal_fail (piece->literal, escape, "an escaped NUL; a text holds none");
  else if (c >= 0xd800 && c <= 0xdfff)
    orrery_literal_fail (piece->literal, escape,
                         "half of a surrogate pair; write the character itself or \\UXXXXXXXX");
  else
    orrery_literal_fail (piece->literal, escape, "no character: the last is \\U0010ffff");
  return FALSE;
}

static gboolean
take_hex (Piece *piece, const char *escape, guint digits)
{
  OrreryLiteral *literal = piece->literal;
  guint64 value = 0;

  for (guint i = 0; i < digits; i++, literal->at++) {
    int digit = literal->at < literal->end ? g_ascii_xdigit_value (*literal->at) : -1;

    if (digit < 0)
      return orrery_literal_fail (literal, escape, "\\%c without %u hexadecimal digits", escape[1],
                                  digits);
    value = 16 * value + (guint64) digit;
  }
  return append_character (piece, (gunichar) value, escape);
}

static gboolean
take_octal (Piece *piece, const char *escape)
{
  OrreryLiteral *literal = piece->literal;
  gunichar value = 0;

  literal->at = escape + 1;
  for (guint i = 0; i < 3 && literal->at < literal->end; i++, literal->at++) {
    if (*literal->at < '0' || *literal->at > '7')
      break;
    value = 8 * value + (gunichar) (*literal->at - '0');
  }
  return append_character (piece, value, escape);
}

/* A backslash outside a raw text. */
static gboolean
take_escape (Piece *piece)
{
  static const char letters[] = "\\'\"abfnrtv";
  static const char characters[] = "\\'\"\a\b\f\n\r\t\v";
  OrreryLiteral *literal = piece->literal;
  const char *escape = literal->at++;
  const char *found;
  char c;

  if (literal->at == literal->end)
    return TRUE;
  if (orrery_literal_is_newline (literal)) {
    orrery_literal_skip_newline (literal);
    return TRUE;
  }
  c = *literal->at;
  if (c >= '0' && c <= '7')
    return take_octal (piece, escape);
  if (c == 'N')
    return orrery_literal_fail (literal, escape,
                                "\\N{...}: characters are not read by name; write \\uXXXX");
  if (c == 'x' || c == 'u' || c == 'U') {
    literal->at++;
    return take_hex (piece, escape, c == 'x' ? 2 : c == 'u' ? 4 : 8);
  }
  found = strchr (letters, c);
  /* Python keeps a backslash that escapes nothing; the character is then read as any other. */
  g_string_append_c (piece->out, found != NULL ? characters[found - letters] : '\\');
  literal->at += found != NULL;
  return TRUE;
}

static gboolean
take_newline (Piece *piece)
{
  if (!piece->triple)
    return orrery_literal_fail (piece->literal, piece->start,
                                "a text that is not closed in its line");
  orrery_literal_skip_newline (piece->literal);
  g_string_append_c (piece->out, '\n');
  return TRUE;
}

/* In a raw text a backslash stands for itself, and still keeps a quote from closing. */
static void
take_raw_backslash (Piece *piece)
{
  OrreryLiteral *literal = piece->literal;

  g_string_append_c (piece->out, *literal->at++);
  if (literal->at == literal->end)
    return;
  if (orrery_literal_is_newline (literal)) {
    orrery_literal_skip_newline (literal);
    g_string_append_c (piece->out, '\n');
  } else if (*literal->at == '\\' || *literal->at == piece->quote) {
    g_string_append_c (piece->out, *literal->at++);
  }
}

static gboolean
take_body (Piece *piece)
{
  OrreryLiteral *literal = piece->literal;

  while (literal->at < literal->end && !at_quotes (piece)) {
    if (orrery_literal_is_newline (literal)) {
      if (!take_newline (piece))
        return FALSE;
    } else if (*literal->at != '\\') {
      g_string_append_c (piece->out, *literal->at++);
    } else if (piece->raw) {
      take_raw_backslash (piece);
    } else if (!take_escape (piece)) {
      return FALSE;
    }
  }
  if (literal->at < literal->end)
    return TRUE;
  return orrery_literal_fail (literal, piece->start, "a text that is not closed");
}

static gboolean
take_piece (OrreryLiteral *literal, GString *out)
{
  gsize prefix = (gsize) measure_prefix (literal);
  Piece piece = { .literal = literal, .out = out, .start = literal->at };
  const char *quote = literal->at + prefix;

  for (gsize i = 0; i < prefix; i++) {
    char letter = g_ascii_tolower (literal->at[i]);

    if (letter == 'b' || letter == 'f')
      return orrery_literal_fail (
          literal, literal->at,
          letter == 'b' ? "bytes; write a text, without the b"
                        : "an f-string, which is executed; write a text, without the f");
    piece.raw = piece.raw || letter == 'r';
  }
  piece.quote = *quote;
  piece.triple = literal->end - quote >= 3 && quote[1] == *quote && quote[2] == *quote;
  literal->at = quote + (piece.triple ? 3 : 1);
  if (!take_body (&piece))
    return FALSE;
  literal->at += piece.triple ? 3 : 1;
  return TRUE;
}

char *
orrery_literal_take_text (OrreryLiteral *literal)
{
  g_autoptr (GString) out = g_string_new (NULL);

  do {
    if (!take_piece (literal, out))
      return NULL;
    orrery_literal_skip_blanks (literal);
  } while (orrery_literal_is_text (literal));
  return g_string_free (g_steal_pointer (&out), FALSE);
}
