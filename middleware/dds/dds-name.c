/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes names that ROS 2 allows, resolves them, and spells types as DDS does. */
#include "dds-name.h"

#include <string.h>

/* With the prefix and the suffix that DDS sees: rq/...Request. */
#define MAX_NAME 237

static void
append_char (GString *text, char c)
{
  char last = text->len > 0 ? text->str[text->len - 1] : '\0';

  if ((c == '/' || c == '_') && last == c)
    return;
  if (g_ascii_isdigit (c) && (last == '/' || last == '\0'))
    g_string_append_c (text, 'n');
  g_string_append_c (text, c);
}

/* Whether a dot is followed by a number that is the rest of its part. */
static gboolean
joins_number (const char *dot)
{
  gsize digits = strspn (dot + 1, "0123456789");

  return digits > 0 && strchr ("./", dot[1 + digits]) != NULL;
}

static char *
make_valid (const char *name, char slash)
{
  GString *text = g_string_new (NULL);

  for (const char *at = name; *at != '\0'; at++)
    if (*at == '.' && joins_number (at))
      continue;
    else if (*at == '.' || *at == '/')
      append_char (text, slash);
    else
      append_char (text, g_ascii_isalnum (*at) ? *at : '_');
  if (text->len > 0 && text->str[text->len - 1] == '/')
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

char *
dds_name_make_valid (const char *name)
{
  return make_valid (name, '/');
}

char *
dds_name_make_valid_part (const char *name)
{
  return make_valid (name, '_');
}

char *
dds_name_resolve (const char *name_space, const char *node, const char *name, GError **error)
{
  g_autofree char *whole = NULL, *valid = NULL;

  if (*name == '/')
    whole = g_strdup (name);
  else if (*name == '~')
    whole = g_strconcat (node, "/", name + 1, NULL);
  else if (*name != '\0')
    whole = g_strconcat (name_space, "/", name, NULL);
  valid = dds_name_make_valid (whole != NULL ? whole : "");
  if (*valid == '/' && strlen (valid) <= MAX_NAME)
    return g_steal_pointer (&valid);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               *valid == '/' ? "'%.80s' is too long for a name of ROS 2, which has at most %d bytes"
                             : "'%.80s' is no name for ROS 2, which has 1 to %d bytes",
               name, MAX_NAME);
  return NULL;
}

static gboolean
is_word (const char *word)
{
  if (word == NULL || !g_ascii_isalpha (*word))
    return FALSE;
  for (; *word != '\0'; word++)
    if (!g_ascii_isalnum (*word) && *word != '_')
      return FALSE;
  return TRUE;
}

char *
dds_name_of_type (const char *type, const char *kind, const char *suffix, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (type, "/", 4);
  guint n = g_strv_length (parts);

  /* Actions have topics and services. */
  if (n == 3 && g_str_equal (parts[1], "action"))
    kind = "action";
  if ((n == 2 || (n == 3 && g_str_equal (parts[1], kind))) && is_word (parts[0]) &&
      is_word (parts[n - 1]) && strlen (type) <= MAX_NAME)
    return g_strconcat (parts[0], "::", kind, "::dds_::", parts[n - 1], suffix, NULL);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "'%.80s' is no type of ROS 2, which is PACKAGE/%s/NAME", type, kind);
  return NULL;
}
