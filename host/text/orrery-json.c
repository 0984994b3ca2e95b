/* SPDX-License-Identifier: BSD-3-Clause */
/* A scanner of JSON that allocates nothing. */
#include "text/orrery-json-private.h"

#include <math.h>
#include <string.h>

#include "base/orrery-number-private.h"

enum {
  EXPECT_VALUE,
  EXPECT_VALUE_OR_END,
  EXPECT_KEY_OR_END,
  EXPECT_NEXT, /* a comma or the end of what is open */
  EXPECT_NOTHING,
};

void
orrery_json_init (OrreryJson *json, const char *text, gsize length, guint max_depth)
{
  g_assert (max_depth <= ORRERY_JSON_MAX_DEPTH);

  json->at = text;
  json->end = text + length;
  json->start = text;
  json->depth = 0;
  json->max_depth = max_depth;
  json->expect = EXPECT_VALUE;
  json->wrong = NULL;
  json->truncated = FALSE;
  json->what[0] = '\0';
}

G_GNUC_PRINTF (3, 4)
static OrreryJsonToken
fail (OrreryJson *json, const char *where, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_vsnprintf (json->what, sizeof json->what, format, args);
  va_end (args);
  json->wrong = where;
  json->expect = EXPECT_NOTHING;
  return ORRERY_JSON_ERROR;
}

static gboolean
in_object (const OrreryJson *json)
{
  guint level = json->depth - 1;

  return json->depth > 0 && (json->objects[level / 64] >> (level % 64) & 1) != 0;
}

static inline void
skip_blanks (OrreryJson *json)
{
  while (json->at < json->end &&
         (*json->at == ' ' || *json->at == '\n' || *json->at == '\r' || *json->at == '\t'))
    json->at++;
}

/* What to say of a byte that begins nothing that may stand here. */
static OrreryJsonToken
fail_at_byte (OrreryJson *json, const char *expected)
{
  guchar c;

  if (json->at >= json->end) {
    json->truncated = TRUE;
    return fail (json, json->at, "the text ends where %s is expected", expected);
  }
  c = (guchar) *json->at;
  if (c == '\0')
    return fail (json, json->at, "a NUL byte where %s is expected", expected);
  if (c == '\'')
    return fail (json, json->at, "a text in single quotes; JSON has double quotes only");
  if (c == '/' || c == '#')
    return fail (json, json->at, "a comment; JSON has none");
  if (c >= 0x80 && g_utf8_get_char_validated (json->at, json->end - json->at) >= (gunichar) -2)
    return fail (json, json->at, "a byte that is no UTF-8 (0x%02x)", c);
  if (c < ' ' || c > '~')
    return fail (json, json->at, "a character that JSON does not have where %s is expected",
                 expected);
  return fail (json, json->at, "%c where %s is expected", c, expected);
}

/* --- numbers --- */

static inline gboolean
is_digit (const OrreryJson *json, const char *at)
{
  return at < json->end && *at >= '0' && *at <= '9';
}

/* The fraction and the exponent. Returns: their end, or NULL after an error */
static const char *
scan_fraction (OrreryJson *json, const char *at)
{
  if (at < json->end && *at == '.') {
    at++;
    if (!is_digit (json, at)) {
      fail (json, at, "a number without a digit after its point; write 1.0");
      return NULL;
    }
    while (is_digit (json, at))
      at++;
  }
  if (at < json->end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < json->end && (*at == '+' || *at == '-'))
      at++;
    if (!is_digit (json, at)) {
      fail (json, at, "a number without a digit in its exponent");
      return NULL;
    }
    while (is_digit (json, at))
      at++;
  }
  return at;
}

static OrreryJsonToken
take_double (OrreryJson *json, const char *end)
{
  if (!orrery_number_parse (json->start, end - json->start, &json->number))
    return fail (json, json->start, "a number beyond the range of a double");
  json->at = end;
  return ORRERY_JSON_DOUBLE;
}

static OrreryJsonToken
scan_number (OrreryJson *json)
{
  gboolean negative = *json->at == '-';
  const char *at = json->at + negative;
  const char *digits = at;
  guint64 value = 0;
  gboolean fits = TRUE;

  if (!is_digit (json, at))
    return fail (json, at, "a minus without a number");
  for (; is_digit (json, at); at++)
    fits = fits && !__builtin_mul_overflow (value, 10, &value) &&
           !__builtin_add_overflow (value, (guint64) (*at - '0'), &value);
  if (*digits == '0' && at > digits + 1)
    return fail (json, digits, "a number with a leading zero");

  if (at < json->end && (*at == '.' || *at == 'e' || *at == 'E')) {
    at = scan_fraction (json, at);
    return at == NULL ? ORRERY_JSON_ERROR : take_double (json, at);
  }
  if (!fits || value > (guint64) G_MAXINT64 + negative)
    return take_double (json, at);
  json->integer = (gint64) (negative ? 0 - value : value);
  json->number = (double) json->integer;
  json->at = at;
  return ORRERY_JSON_INT;
}

/* --- words --- */

static gboolean
take_word (OrreryJson *json, const char *word)
{
  gsize length = strlen (word);

  if ((gsize) (json->end - json->at) < length || memcmp (json->at, word, length) != 0)
    return FALSE;
  if (json->at + length < json->end && g_ascii_isalnum (json->at[length]))
    return FALSE;
  json->at += length;
  return TRUE;
}

static OrreryJsonToken
scan_word (OrreryJson *json)
{
  if (take_word (json, "true") || take_word (json, "false")) {
    json->boolean = *json->start == 't';
    return ORRERY_JSON_BOOL;
  }
  if (take_word (json, "null"))
    return ORRERY_JSON_NULL;
  if (take_word (json, "NaN")) {
    json->number = NAN;
    return ORRERY_JSON_DOUBLE;
  }
  if (take_word (json, "Infinity")) {
    json->number = INFINITY;
    return ORRERY_JSON_DOUBLE;
  }
  if (take_word (json, "-Infinity")) {
    json->number = -INFINITY;
    return ORRERY_JSON_DOUBLE;
  }
  if (take_word (json, "True") || take_word (json, "False") || take_word (json, "None"))
    return fail (json, json->start, "a word of Python; JSON has true, false, null");
  return fail (json, json->start, "a word that JSON does not have; write texts in double quotes");
}

/* --- texts --- */

/* Returns: the number of four hexadecimal digits, or -1 */
static int
read_hex (const char *at, const char *end)
{
  int value = 0;

  if (end - at < 4)
    return -1;
  for (guint i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value (at[i]);
    if (digit < 0)
      return -1;
    value = 16 * value + digit;
  }
  return value;
}

/* @at: behind \u. Returns: the character, 0 if it is none, and how far it reaches */
static gunichar
read_unicode (const char *at, const char *end, const char **next)
{
  int high = read_hex (at, end);
  int low;

  *next = at + 4;
  if (high < 0xd800 || high > 0xdfff)
    return high < 0 ? 0 : (gunichar) high;
  if (high > 0xdbff || end - at < 10 || at[4] != '\\' || at[5] != 'u')
    return 0;
  low = read_hex (at + 6, end);
  if (low < 0xdc00 || low > 0xdfff)
    return 0;
  *next = at + 10;
  return 0x10000 + (((gunichar) high - 0xd800) << 10) + ((gunichar) low - 0xdc00);
}

/* @at: a backslash. Returns: what follows its escape, or NULL after an error */
static const char *
scan_escape (OrreryJson *json, const char *at)
{
  const char *next = at + 2;
  char c;

  if (next > json->end)
    return json->end;
  c = at[1];
  json->escaped = TRUE;
  if (c != 'u') {
    if (strchr ("\"\\/bfnrt", c) != NULL && c != '\0')
      return next;
    fail (json, at, "a backslash that escapes nothing; write two for one");
    return NULL;
  }
  if (read_hex (at + 2, json->end) < 0) {
    fail (json, at, "\\u without four hexadecimal digits");
    return NULL;
  }
  if (read_hex (at + 2, json->end) == 0) {
    fail (json, at, "\\u0000; a text holds no NUL");
    return NULL;
  }
  if (read_unicode (at + 2, json->end, &next) == 0) {
    fail (json, at, "half of a surrogate pair");
    return NULL;
  }
  return next;
}

/* @at: a byte of a text that is not plain. Returns: what follows, or NULL after an error */
static const char *
scan_special (OrreryJson *json, const char *at)
{
  guchar c = (guchar) *at;

  if (c == '\\')
    return scan_escape (json, at);
  if (c >= 0x80) {
    if (g_utf8_get_char_validated (at, json->end - at) < (gunichar) -2)
      return g_utf8_next_char (at);
    fail (json, at, "a byte that is no UTF-8 (0x%02x)", c);
  } else if (c == '\n' || c == '\r') {
    fail (json, json->start, "a text that is not closed in its line; write \\n for a new line");
  } else if (c == '\0') {
    fail (json, at, "a NUL byte in a text");
  } else {
    fail (json, at, "a control character in a text; write \\u%04x", c);
  }
  return NULL;
}

static inline gboolean
is_plain (char c)
{
  return c >= ' ' && c != '"' && c != '\\' && (guchar) c < 0x80;
}

static gboolean
scan_text (OrreryJson *json)
{
  const char *at = json->at + 1;

  json->escaped = FALSE;
  json->text = at;
  for (;;) {
    while (at < json->end && is_plain (*at))
      at++;
    if (at >= json->end) {
      json->truncated = TRUE;
      fail (json, json->start, "a text that is not closed");
      return FALSE;
    }
    if (*at == '"')
      break;
    at = scan_special (json, at);
    if (at == NULL)
      return FALSE;
  }
  json->length = at - json->text;
  json->at = at + 1;
  return TRUE;
}

gsize
orrery_json_unescape (const OrreryJson *json, char *out)
{
  static const char letters[] = "bfnrt";
  static const char characters[] = "\b\f\n\r\t";
  const char *at = json->text;
  const char *end = at + json->length;
  char *start = out;

  while (at < end) {
    const char *found;

    if (*at != '\\') {
      *out++ = *at++;
    } else if (at[1] == 'u') {
      out += g_unichar_to_utf8 (read_unicode (at + 2, end, &at), out);
    } else {
      found = strchr (letters, at[1]);
      *out++ = found != NULL ? characters[found - letters] : at[1];
      at += 2;
    }
  }
  return out - start;
}

/* --- structure --- */

static OrreryJsonToken
open_level (OrreryJson *json, gboolean is_object)
{
  guint level = json->depth;
  guint64 bit = G_GUINT64_CONSTANT (1) << (level % 64);

  if (level >= json->max_depth)
    return fail (json, json->at, "more than %u lists and objects within each other",
                 json->max_depth);
  if (is_object)
    json->objects[level / 64] |= bit;
  else
    json->objects[level / 64] &= ~bit;
  json->depth++;
  json->at++;
  json->expect = is_object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
  return is_object ? ORRERY_JSON_OBJECT : ORRERY_JSON_LIST;
}

static OrreryJsonToken
close_level (OrreryJson *json)
{
  gboolean is_object = in_object (json);

  json->depth--;
  json->at++;
  json->expect = EXPECT_NEXT;
  return is_object ? ORRERY_JSON_OBJECT_END : ORRERY_JSON_LIST_END;
}

static OrreryJsonToken
scan_value (OrreryJson *json)
{
  char c = json->at < json->end ? *json->at : '\0';

  if (c == '{' || c == '[')
    return open_level (json, c == '{');

  json->expect = EXPECT_NEXT;
  if (c == '"')
    return scan_text (json) ? ORRERY_JSON_TEXT : ORRERY_JSON_ERROR;
  if (c == '-' && json->at + 1 < json->end && json->at[1] == 'I')
    return scan_word (json);
  if (c == '-' || (c >= '0' && c <= '9'))
    return scan_number (json);
  if (g_ascii_isalpha (c))
    return scan_word (json);
  if (c == '+')
    return fail (json, json->at, "a number with a sign of plus; leave it out");
  if (c == '.')
    return fail (json, json->at, "a number without a digit before its point; write 0.5");
  return fail_at_byte (json, "a value");
}

static OrreryJsonToken
scan_key (OrreryJson *json)
{
  if (json->at >= json->end || *json->at != '"')
    return fail_at_byte (json, "a key in double quotes");
  if (!scan_text (json))
    return ORRERY_JSON_ERROR;
  skip_blanks (json);
  if (json->at >= json->end || *json->at != ':')
    return fail_at_byte (json, "a colon");
  json->at++;
  json->expect = EXPECT_VALUE;
  return ORRERY_JSON_KEY;
}

/* What follows a value: the end, a closing bracket, or a comma and what comes then. */
static OrreryJsonToken
scan_next (OrreryJson *json)
{
  gboolean is_object = in_object (json);
  char closing = is_object ? '}' : ']';

  if (json->depth == 0) {
    if (json->at == json->end)
      return ORRERY_JSON_END;
    return fail (json, json->at, "more text after the end of the value");
  }
  if (json->at < json->end && *json->at == closing)
    return close_level (json);
  if (json->at >= json->end || *json->at != ',')
    return fail_at_byte (json, is_object ? "a comma or }" : "a comma or ]");

  json->at++;
  skip_blanks (json);
  json->start = json->at;
  if (json->at < json->end && *json->at == closing)
    return fail (json, json->at, "a comma before %c; remove it", closing);
  return is_object ? scan_key (json) : scan_value (json);
}

OrreryJsonToken
orrery_json_next (OrreryJson *json)
{
  skip_blanks (json);
  json->start = json->at;
  switch (json->expect) {
  case EXPECT_NEXT:
    return scan_next (json);
  case EXPECT_VALUE:
    return scan_value (json);
  case EXPECT_VALUE_OR_END:
    if (json->at < json->end && *json->at == ']')
      return close_level (json);
    return scan_value (json);
  case EXPECT_KEY_OR_END:
    if (json->at < json->end && *json->at == '}')
      return close_level (json);
    return scan_key (json);
  default:
    return ORRERY_JSON_ERROR;
  }
}

gboolean
orrery_json_skip (OrreryJson *json, OrreryJsonToken token)
{
  guint depth = json->depth;

  if (token != ORRERY_JSON_OBJECT && token != ORRERY_JSON_LIST)
    return token != ORRERY_JSON_ERROR;
  while (json->depth >= depth)
    if (orrery_json_next (json) == ORRERY_JSON_ERROR)
      return FALSE;
  return TRUE;
}

const char *
orrery_json_token_get_name (OrreryJsonToken token)
{
  switch (token) {
  case ORRERY_JSON_OBJECT:
    return "an object";
  case ORRERY_JSON_LIST:
    return "a list";
  case ORRERY_JSON_TEXT:
    return "a text";
  case ORRERY_JSON_INT:
    return "an integer";
  case ORRERY_JSON_DOUBLE:
    return "a number";
  case ORRERY_JSON_BOOL:
    return "a bool";
  case ORRERY_JSON_NULL:
    return "null";
  default:
    return "the end";
  }
}

char *
orrery_json_dup_text (const OrreryJson *json)
{
  char *text = g_malloc (json->length + 1);

  text[orrery_json_unescape (json, text)] = '\0';
  return text;
}
