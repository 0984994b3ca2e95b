/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolves names of ROS, and takes addresses apart. */
#include "ros-name.h"

#include <string.h>

#define MAX_NAME 255
#define MAX_HOST 255

/* Letters, digits, underscores and slashes; a part begins with a letter or an underscore. */
static gboolean
is_good (const char *name)
{
  gboolean begins = TRUE;

  if (*name != '/' || strlen (name) > MAX_NAME)
    return FALSE;
  for (const char *at = name + 1; *at != '\0'; at++) {
    if (*at == '/' ? begins : !(g_ascii_isalnum (*at) || *at == '_'))
      return FALSE;
    if (begins && g_ascii_isdigit (*at))
      return FALSE;
    begins = *at == '/';
  }
  return !begins;
}

char *
ros_name_resolve (const char *name_space, const char *node, const char *name, GError **error)
{
  const char *before = g_str_equal (name_space, "/") ? "" : name_space;
  g_autofree char *found = NULL;

  if (*name == '/')
    found = g_strdup (name);
  else if (*name == '~')
    found = g_strconcat (node, name[1] == '/' ? "" : "/", name + 1, NULL);
  else
    found = g_strconcat (before, "/", name, NULL);
  if (is_good (found))
    return g_steal_pointer (&found);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "'%.80s' is no name for ROS: it has letters, digits, '_' and '/', and no part of it "
               "begins with a digit",
               name);
  return NULL;
}

gboolean
ros_uri_parse (const char *uri, const char *scheme, char **host, guint16 *port)
{
  const char *at, *colon;
  g_autofree char *number = NULL;
  guint64 value;

  if (!g_str_has_prefix (uri, scheme))
    return FALSE;
  at = uri + strlen (scheme);
  colon = strchr (at, ':');
  if (colon == NULL || colon == at || colon - at > MAX_HOST ||
      strcspn (at, "/") < strcspn (at, ":"))
    return FALSE;
  number = g_strndup (colon + 1, strcspn (colon + 1, "/"));
  if (!g_ascii_string_to_unsigned (number, 10, 1, G_MAXUINT16, &value, NULL))
    return FALSE;
  *host = g_strndup (at, (gsize) (colon - at));
  *port = (guint16) value;
  return TRUE;
}
