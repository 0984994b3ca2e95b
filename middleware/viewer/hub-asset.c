/* SPDX-License-Identifier: BSD-3-Clause */
/* The operation fetchAsset: meshes of the scene, by their content. */
#include "hub-private.h"

#include <string.h>

#define SHA256_DIGITS 64
/* What may wait for a client with one more asset: beyond max_control it would be closed. */
#define MAX_ASSETS ((gsize) 12 * 1024 * 1024)

/* The name is looked up among those that were made: it is never a path of a file. */
GBytes *
hub_find_asset (Hub *hub, const char *name)
{
  g_autofree char *sha256 = NULL;

  if (strlen (name) != SHA256_DIGITS + strlen (".glb") || !g_str_has_suffix (name, ".glb"))
    return NULL;
  sha256 = g_strndup (name, SHA256_DIGITS);
  return view_find_asset (hub->view, sha256);
}

/* @why: (nullable): NULL: it is there */
static void
answer (HubSession *self, gint64 request, const char *why, GBytes *asset)
{
  guint8 head[10] = { HUB_OP_ASSET };
  guint32 id = GUINT32_TO_LE ((guint32) request);
  guint32 n = GUINT32_TO_LE (why != NULL ? (guint32) strlen (why) : 0);
  GByteArray *frame = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  gsize length;

  memcpy (head + 1, &id, sizeof id);
  head[5] = why != NULL;
  memcpy (head + 6, &n, sizeof n);
  g_byte_array_append (frame, head, sizeof head);
  if (why != NULL) {
    g_byte_array_append (frame, (const guint8 *) why, (guint) strlen (why));
  } else {
    const guint8 *data = g_bytes_get_data (asset, &length);

    g_byte_array_append (frame, data, (guint) length);
  }
  bytes = g_byte_array_free_to_bytes (frame);
  web_client_send (self->client, WEB_BINARY, bytes);
}

/* Returns: (nullable): the name of an asset in an address */
static const char *
find_name (const char *uri)
{
  static const char *const places[] = { "/assets/", "package://orrery/assets/" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (g_str_has_prefix (uri, places[i]))
      return uri + strlen (places[i]);
  return NULL;
}

void
hub_session_fetch_asset (HubSession *self, OrreryNode *message)
{
  OrreryNode *node = orrery_node_find (message, "uri");
  gint64 request = hub_node_get_int (orrery_node_find (message, "requestId"));
  gboolean is_text = node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT;
  const char *name = is_text ? find_name (orrery_node_get_text (node)) : NULL;
  GBytes *asset = name != NULL ? hub_find_asset (self->hub, name) : NULL;

  if (!is_text || request < 0 || request > G_MAXUINT32)
    hub_session_tell (self, 2, NULL, "fetchAsset needs a text 'uri' and a number 'requestId'");
  else if (asset == NULL)
    answer (self, request,
            "there is no such asset: those of the scene are /assets/SHA256.glb, as in /scene.json",
            NULL);
  else if (g_bytes_get_size (asset) > MAX_ASSETS ||
           web_client_get_waiting (self->client) > MAX_ASSETS - g_bytes_get_size (asset))
    answer (self, request, "more than 12 MiB would wait for this client: ask again, or by HTTP",
            NULL);
  else
    answer (self, request, NULL, asset);
}
