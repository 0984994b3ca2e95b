/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of clients that come in fragments. */
#include "bridge-private.h"

#include <string.h>

typedef struct {
  GList link;
  char *id;
  guint total, n;
  char **parts;
  gsize length;
} Fragments;

static void
fragments_free (BridgeSession *self, Fragments *fragments)
{
  g_queue_unlink (&self->fragments, &fragments->link);
  self->n_fragment_bytes -= fragments->length;
  for (guint i = 0; i < fragments->total; i++)
    g_free (fragments->parts[i]);
  g_free (fragments->parts);
  g_free (fragments->id);
  g_free (fragments);
}

void
bridge_drop_fragments (BridgeSession *self)
{
  while (self->fragments.length > 0)
    fragments_free (self, self->fragments.head->data);
}

static Fragments *
find_fragments (BridgeSession *self, const char *id)
{
  for (GList *at = self->fragments.head; at != NULL; at = at->next)
    if (g_str_equal (((Fragments *) at->data)->id, id))
      return at->data;
  return NULL;
}

/* One too many takes the place of the oldest, which will not be whole any more. */
static Fragments *
begin_fragments (BridgeSession *self, const char *id, guint total)
{
  Fragments *fragments = g_new0 (Fragments, 1);

  if (self->fragments.length >= BRIDGE_MAX_OPEN_FRAGMENTS) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, NULL,
                        "fragment: more than %u messages come in fragments; one is dropped",
                        BRIDGE_MAX_OPEN_FRAGMENTS);
    fragments_free (self, self->fragments.head->data);
  }
  fragments->link.data = fragments;
  fragments->id = g_strdup (id);
  fragments->total = total;
  fragments->parts = g_new0 (char *, total);
  g_queue_push_tail_link (&self->fragments, &fragments->link);
  return fragments;
}

static void
finish (BridgeSession *self, Fragments *fragments)
{
  g_autoptr (GString) whole = g_string_sized_new (fragments->length);

  for (guint i = 0; i < fragments->total; i++)
    g_string_append (whole, fragments->parts[i]);
  fragments_free (self, fragments);
  bridge_session_read (self, whole->str, whole->len, TRUE);
}

static void
add_part (BridgeSession *self, Fragments *fragments, guint i, const char *text)
{
  gsize length = strlen (text);

  if (fragments->parts[i] != NULL) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, NULL, "fragment: number %u comes twice", i);
    return;
  }
  if (self->n_fragment_bytes + length > BRIDGE_MAX_MESSAGE) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, NULL,
                        "fragment: more than %d bytes wait for the rest of their message; this "
                        "message is dropped",
                        BRIDGE_MAX_MESSAGE);
    fragments_free (self, fragments);
    return;
  }
  fragments->parts[i] = g_strdup (text);
  fragments->length += length;
  self->n_fragment_bytes += length;
  if (++fragments->n == fragments->total)
    finish (self, fragments);
}

void
bridge_read_fragment (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  const char *text = bridge_read_text (self, operation, "data");
  guint i = G_MAXUINT, total = 0;
  Fragments *fragments;

  if (text == NULL || !bridge_check_id (self, operation, id) ||
      !bridge_read_number (self, operation, "total", BRIDGE_MAX_FRAGMENTS, &total) ||
      !bridge_read_number (self, operation, "num", BRIDGE_MAX_FRAGMENTS, &i))
    return;
  fragments = id != NULL ? find_fragments (self, id) : NULL;
  if (id == NULL || i >= total || (fragments != NULL && fragments->total != total)) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                        "fragment: it has an 'id', and a 'num' below a 'total' that stays the "
                        "same");
    return;
  }
  if (fragments == NULL)
    fragments = begin_fragments (self, id, total);
  add_part (self, fragments, i, text);
}
