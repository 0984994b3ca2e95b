/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules of names, and texts from outside made safe to print. */
#include "base/orrery-escape.h"

#include <string.h>

#include "base/orrery-error-private.h"
#include "base/orrery-name-private.h"

#define INDENT "    "
#define MAX_SHOWN 40

/* --- texts --- */

/* What a terminal acts on, or what makes one line look like two, or like another. */
static gboolean
is_unsafe (gunichar c)
{
  switch (g_unichar_type (c)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_LINE_SEPARATOR:
  case G_UNICODE_PARAGRAPH_SEPARATOR:
    return TRUE;
  case G_UNICODE_FORMAT:
    /* Marks and overrides of direction; others, as the soft hyphen and joiners, belong to texts. */
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
  default:
    return FALSE;
  }
}

/* Returns: how many bytes of @at it was */
static gsize
append_character (GString *out, const char *at, gsize left, gboolean indent)
{
  gunichar c = g_utf8_get_char_validated (at, (gssize) left);
  gsize length = (guchar) *at < 0x80 ? 1 : (gsize) (g_utf8_next_char (at) - at);

  if (c == (gunichar) -1 || c == (gunichar) -2) {
    g_string_append_printf (out, "\\x%02x", (guchar) *at);
    return 1;
  }
  if (c == '\n' && indent && !g_str_has_prefix (at + 1, INDENT) && at[1] != '\0')
    g_string_append (out, "\n" INDENT);
  else if (c == '\n' || c == '\t' || !is_unsafe (c))
    g_string_append_len (out, at, (gssize) length);
  else
    g_string_append_printf (out, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
  return length;
}

char *
orrery_escape_text (const char *text, gboolean indent)
{
  const char *end;
  GString *out;

  g_return_val_if_fail (text != NULL, NULL);

  end = text + strlen (text);
  out = g_string_sized_new ((gsize) (end - text) + 1);
  while (text < end)
    text += append_character (out, text, (gsize) (end - text), indent);
  return g_string_free (out, FALSE);
}

/* --- names --- */

static const struct {
  const char *what;
  gsize min, max; /* bytes */
  OrreryError code;
} rules[ORRERY_N_NAMES] = {
  [ORRERY_NAME_OBJECT] = { "an object", 1, 255, ORRERY_ERROR_CONFIG },
  [ORRERY_NAME_STATE] = { "a saved state", 0, 255, ORRERY_ERROR_INVALID },
  [ORRERY_NAME_OF_LOG_LEVEL] = { "a part or class", 0, 1000, ORRERY_ERROR_INVALID },
};

static gboolean
is_safe (const char *name)
{
  for (; *name != '\0'; name = g_utf8_next_char (name))
    if (is_unsafe (g_utf8_get_char (name)))
      return FALSE;
  return TRUE;
}

gboolean
orrery_name_check (OrreryNameKind kind, const char *name, GError **error)
{
  gsize length = strlen (name);
  g_autofree char *start = NULL;
  g_autofree char *shown = NULL;

  if (length >= rules[kind].min && length <= rules[kind].max &&
      g_utf8_validate (name, (gssize) length, NULL) && is_safe (name))
    return TRUE;
  start = g_strndup (name, MAX_SHOWN);
  g_strdelimit (start, "\n\t", ' ');
  shown = orrery_escape_text (start, FALSE);
  return orrery_set_error (error, rules[kind].code,
                           "'%s' is not a valid name of %s: %" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT
                           " bytes of UTF-8 without control characters",
                           shown, rules[kind].what, rules[kind].min, rules[kind].max);
}
