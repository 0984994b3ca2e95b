/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in Python's notation. */
#include "text/orrery-literal-private.h"

#include <string.h>

#include "base/orrery-number-private.h"

static char
peek (const OrreryLiteral *literal, gsize ahead)
{
  return (gsize) (literal->end - literal->at) > ahead ? literal->at[ahead] : '\0';
}

gboolean
orrery_literal_is_number (const OrreryLiteral *literal)
{
  char c = peek (literal, 0);

  return g_ascii_isdigit (c) || (c == '.' && g_ascii_isdigit (peek (literal, 1)));
}

static gboolean
is_digit (char c, int radix)
{
  int value = g_ascii_xdigit_value (c);

  return value >= 0 && value < radix;
}

/* Digits with single underscores between them; none is fine. */
static gboolean
take_digits (OrreryLiteral *literal, int radix, GString *digits)
{
  for (;;) {
    while (is_digit (peek (literal, 0), radix))
      g_string_append_c (digits, *literal->at++);
    if (peek (literal, 0) != '_')
      return TRUE;
    if (!is_digit (peek (literal, 1), radix) || digits->len == 0)
      return orrery_literal_fail (literal, literal->at,
                                  "an underscore that stands between no two digits");
    literal->at++;
  }
}

/* Nothing of a name may touch a number. */
static gboolean
check_end (OrreryLiteral *literal)
{
  char c = peek (literal, 0);

  if (c == 'j' || c == 'J')
    return orrery_literal_fail (literal, literal->at,
                                "a complex number; only integers and floats are read");
  if (!g_ascii_isalnum (c) && c != '_' && (guchar) c < 0x80)
    return TRUE;
  return orrery_literal_fail (literal, literal->at, "letters or digits after a number");
}

static OrreryNode *
make_int (OrreryLiteral *literal, const char *start, gboolean negative, const char *digits,
          int radix)
{
  guint64 value = 0;
  gboolean fits = TRUE;
  OrreryNode *node;

  for (; *digits != '\0'; digits++)
    fits = fits && !__builtin_mul_overflow (value, (guint64) radix, &value) &&
           !__builtin_add_overflow (value, (guint64) g_ascii_xdigit_value (*digits), &value);
  if (!fits || value > (guint64) G_MAXINT64 + (guint64) negative) {
    orrery_literal_fail (literal, start,
                         "an integer beyond -9223372036854775808 to 9223372036854775807; "
                         "write a float");
    return NULL;
  }
  node = orrery_node_new (ORRERY_NODE_INT, literal->file, orrery_literal_locate (literal, start));
  orrery_node_set_int (node, (gint64) (negative ? 0 - value : value));
  return node;
}

static OrreryNode *
make_double (OrreryLiteral *literal, const char *start, gboolean negative, const GString *digits)
{
  double value;
  OrreryNode *node;

  if (!orrery_number_parse (digits->str, digits->len, &value)) {
    orrery_literal_fail (literal, start, "a float beyond the range of a double");
    return NULL;
  }
  node =
      orrery_node_new (ORRERY_NODE_DOUBLE, literal->file, orrery_literal_locate (literal, start));
  orrery_node_set_double (node, negative ? -value : value);
  return node;
}

static OrreryNode *
take_radix (OrreryLiteral *literal, const char *start, gboolean negative, int radix)
{
  g_autoptr (GString) digits = g_string_new ("0");

  literal->at += 2;
  if (!take_digits (literal, radix, digits))
    return NULL;
  if (digits->len == 1) {
    orrery_literal_fail (literal, literal->at, "0%c without digits", literal->at[-1]);
    return NULL;
  }
  return check_end (literal) ? make_int (literal, start, negative, digits->str, radix) : NULL;
}

/* The point and the exponent, if there are any. */
static gboolean
take_fraction (OrreryLiteral *literal, GString *digits, gboolean *is_float)
{
  g_autoptr (GString) part = g_string_new (NULL);
  char sign;

  if (peek (literal, 0) == '.') {
    *is_float = TRUE;
    literal->at++;
    if (!take_digits (literal, 10, part))
      return FALSE;
    g_string_append_printf (digits, ".%s", part->str);
    g_string_truncate (part, 0);
  }
  sign = peek (literal, 1);
  if ((peek (literal, 0) | 0x20) != 'e')
    return TRUE;
  *is_float = TRUE;
  literal->at += sign == '+' || sign == '-' ? 2 : 1;
  if (!take_digits (literal, 10, part))
    return FALSE;
  if (part->len == 0)
    return orrery_literal_fail (literal, literal->at, "a number without a digit in its exponent");
  g_string_append_printf (digits, "e%s%s", sign == '-' ? "-" : "", part->str);
  return TRUE;
}

static OrreryNode *
take_decimal (OrreryLiteral *literal, const char *start, gboolean negative)
{
  g_autoptr (GString) digits = g_string_new (NULL);
  const char *first = literal->at;
  gboolean is_float = FALSE;

  if (!take_digits (literal, 10, digits) || !take_fraction (literal, digits, &is_float) ||
      !check_end (literal))
    return NULL;
  if (is_float)
    return make_double (literal, start, negative, digits);
  if (digits->str[0] == '0' && digits->str[strspn (digits->str, "0")] != '\0') {
    orrery_literal_fail (literal, first, "an integer with a leading zero; write 0o17 for octal");
    return NULL;
  }
  return make_int (literal, start, negative, digits->str, 10);
}

OrreryNode *
orrery_literal_take_number (OrreryLiteral *literal, const char *start, gboolean negative)
{
  if (*literal->at == '0') {
    char letter = peek (literal, 1) | 0x20;

    if (letter == 'x')
      return take_radix (literal, start, negative, 16);
    if (letter == 'o')
      return take_radix (literal, start, negative, 8);
    if (letter == 'b')
      return take_radix (literal, start, negative, 2);
  }
  return take_decimal (literal, start, negative);
}
