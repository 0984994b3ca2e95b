/* SPDX-License-Identifier: BSD-3-Clause */
/* Which requests are let in. */
#include "web-server-private.h"

#include <string.h>

static const char *const own_names[] = { "localhost", "127.0.0.1", "::1", NULL };

/* --- the token --- */

/* What a request sends to be let in; of two places both are looked at. */
typedef struct {
  const char *header; /* (nullable) */
  char *word;         /* (nullable) */
} Said;

static void
said_init (Said *said, SoupServerMessage *message)
{
  static const char bearer[] = "Bearer ";
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *header = soup_message_headers_get_one (headers, "Authorization");
  const char *query = g_uri_get_query (soup_server_message_get_uri (message));
  g_autoptr (GHashTable) words = NULL;

  said->header =
      header != NULL && g_str_has_prefix (header, bearer) ? header + strlen (bearer) : NULL;
  words = query != NULL ? g_uri_parse_params (query, -1, "&", G_URI_PARAMS_NONE, NULL) : NULL;
  said->word = words != NULL ? g_strdup (g_hash_table_lookup (words, "token")) : NULL;
}

static void
said_clear (Said *said)
{
  g_free (said->word);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Said, said_clear)

static gboolean
is_token (WebServer *server, const char *text)
{
  return text != NULL && line_access_get_token (server->options.access) != NULL &&
         line_access_is_token (server->options.access, text, strlen (text));
}

/* Takes as long whatever the texts have in common. */
static gboolean
is_key (WebServer *server, const char *text)
{
  gsize length = strlen (server->key);
  guint differs = 0;

  if (text == NULL || strlen (text) != length)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    differs |= (guint) (text[i] ^ server->key[i]);
  return differs == 0;
}

static gboolean
has_token (WebServer *server, SoupServerMessage *message)
{
  g_auto (Said) said = { NULL };

  said_init (&said, message);
  return is_token (server, said.header) || is_token (server, said.word);
}

gboolean
web_server_opens (WebServer *server, const char *key)
{
  return server->key == NULL || is_token (server, key) || is_key (server, key);
}

gboolean
web_request_has_key (WebServer *server, SoupServerMessage *message)
{
  g_auto (Said) said = { NULL };

  said_init (&said, message);
  return web_server_opens (server, said.header) || web_server_opens (server, said.word);
}

/* --- names --- */

/* Nothing, or a colon and digits. */
static gboolean
is_port (const char *text)
{
  return *text == '\0' || (*text == ':' && text[1 + strspn (text + 1, "0123456789")] == '\0');
}

/* Cuts the name out of NAME, NAME:PORT, [ADDRESS] or [ADDRESS]:PORT. NULL: it is none of these. */
static char *
cut_port (const char *text)
{
  gboolean is_bracketed = *text == '[';
  const char *start = is_bracketed ? text + 1 : text;
  const char *end = start + strcspn (start, is_bracketed ? "]" : ":");

  if (is_bracketed && *end != ']')
    return NULL;
  return is_port (is_bracketed ? end + 1 : end) ? g_strndup (start, (gsize) (end - start)) : NULL;
}

static gboolean
is_among (const char *name, const char *const *names)
{
  for (; names != NULL && *names != NULL; names++)
    if (g_ascii_strcasecmp (name, *names) == 0)
      return TRUE;
  return FALSE;
}

/* An address of a number cannot be made to lead elsewhere. */
static gboolean
is_own_address (SoupServerMessage *message, const char *name)
{
  GSocketAddress *own = soup_server_message_get_local_address (message);
  g_autoptr (GInetAddress) said = g_inet_address_new_from_string (name);

  return said != NULL && G_IS_INET_SOCKET_ADDRESS (own) &&
         g_inet_address_equal (said,
                               g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (own)));
}

static gboolean
names_this_machine (WebServer *server, SoupServerMessage *message, const char *text)
{
  g_autofree char *name = cut_port (text);

  return name != NULL &&
         (is_among (name, own_names) || is_among (name, (const char *const *) server->hosts) ||
          is_own_address (message, name));
}

static gboolean
is_own_page (WebServer *server, SoupServerMessage *message, const char *origin)
{
  const char *place = g_str_has_prefix (origin, "http://")    ? origin + strlen ("http://")
                      : g_str_has_prefix (origin, "https://") ? origin + strlen ("https://")
                                                              : NULL;

  return place != NULL && names_this_machine (server, message, place);
}

static gboolean
is_good_origin (WebServer *server, SoupServerMessage *message, const char *origin)
{
  const char *const *origins = (const char *const *) server->origins;

  return is_among ("*", origins) || is_among (origin, origins) ||
         is_own_page (server, message, origin);
}

/* --- all together --- */

/* A header that comes twice could be read as two different ones. */
static const char *
get_once (SoupServerMessage *message, const char *name, gboolean *twice)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *list = soup_message_headers_get_list (headers, name);

  *twice = list != NULL && strchr (list, ',') != NULL;
  return soup_message_headers_get_one (headers, name);
}

gboolean
web_request_is_admitted (WebServer *server, SoupServerMessage *message, WebDoor *door, char **why)
{
  gboolean two_hosts, two_origins;
  const char *host = get_once (message, "Host", &two_hosts);
  const char *origin = get_once (message, "Origin", &two_origins);

  if (has_token (server, message))
    return TRUE;
  if (host == NULL || two_hosts || !names_this_machine (server, message, host))
    *why =
        g_strdup_printf ("the name '%.80s' is not one of this machine\n", host != NULL ? host : "");
  else if (origin != NULL && (two_origins || !is_good_origin (server, message, origin)))
    *why = g_strdup_printf ("pages of '%.80s' are not allowed here\n", origin);
  else if (door->why != NULL)
    *why = g_strconcat (door->why, "\n", NULL);
  return *why == NULL;
}
