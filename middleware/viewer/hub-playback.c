/* SPDX-License-Identifier: BSD-3-Clause */
/* How clients of the viewer move a run that is played: playback control of Foxglove's protocol. */
#include "hub-private.h"

#include <string.h>

/* Bytes of a request before its id: command, speed, whether it seeks, time, length of the id. */
#define REQUEST_HEAD 18
#define MAX_ID 256

/* --- states, to clients --- */

static void
append_word (GByteArray *out, guint32 word)
{
  word = GUINT32_TO_LE (word);
  g_byte_array_append (out, (const guint8 *) &word, sizeof word);
}

static GBytes *
make_frame (const OrreryPlaybackState *state)
{
  GByteArray *out = g_byte_array_new ();
  guint8 head[2] = { HUB_OP_PLAYBACK };
  guint64 time = GUINT64_TO_LE ((guint64) MAX (state->time, 0));
  guint8 sought = state->sought;
  gsize length = state->id != NULL ? strlen (state->id) : 0;
  float speed = (float) state->speed;
  guint32 bits;

  switch (state->status) {
  case ORRERY_PLAYBACK_PLAYING:
    head[1] = 0;
    break;
  case ORRERY_PLAYBACK_PAUSED:
    head[1] = 1;
    break;
  case ORRERY_PLAYBACK_SEEKING:
    head[1] = 2;
    break;
  case ORRERY_PLAYBACK_ENDED:
    head[1] = 3;
    break;
  }
  memcpy (&bits, &speed, sizeof bits);
  g_byte_array_append (out, head, sizeof head);
  g_byte_array_append (out, (const guint8 *) &time, sizeof time);
  append_word (out, bits);
  g_byte_array_append (out, &sought, 1);
  append_word (out, (guint32) length);
  g_byte_array_append (out, (const guint8 *) state->id, (guint) length);
  return g_byte_array_free_to_bytes (out);
}

static void
take_playback (const WebMail *mail)
{
  Hub *hub = mail->data;
  g_autoptr (GBytes) bytes = web_mail_dup_bytes (mail);

  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];

    if (session->view->playback != NULL)
      web_client_send (session->client, WEB_BINARY, bytes);
  }
}

/* An OrreryPlaybackFunc. */
void
hub_send_playback (const OrreryPlaybackState *state, gpointer data)
{
  Hub *hub = data;
  g_autoptr (GBytes) bytes = make_frame (state);

  web_server_mail_bytes (hub->server, take_playback, hub, 0, bytes, TRUE);
  web_server_flush (hub->server);
}

void
hub_session_send_playback (HubSession *self)
{
  OrreryPlayback *playback = self->view->playback;
  OrreryPlaybackState state;
  g_autoptr (GBytes) bytes = NULL;

  orrery_playback_get_state (playback, &state);
  /* While it plays, the state is as old as its beginning. */
  if (state.status == ORRERY_PLAYBACK_PLAYING)
    state.time = MAX (state.time, self->hub->time);
  bytes = make_frame (&state);
  web_client_send (self->client, WEB_BINARY, bytes);
}

/* --- requests, of clients --- */

static guint32
read_word (const char *at)
{
  guint32 word;

  memcpy (&word, at, sizeof word);
  return GUINT32_FROM_LE (word);
}

void
hub_session_take_playback (HubSession *self, const char *data, gsize length)
{
  OrreryPlaybackRequest request;
  g_autofree char *id = NULL;
  g_autoptr (GError) error = NULL;
  guint32 bits, n;
  guint64 time;
  float speed;

  if (length < REQUEST_HEAD || (n = read_word (data + 14)) != length - REQUEST_HEAD) {
    hub_session_tell (self, 2, "playback", "a request for playback is cut short");
    return;
  }
  id = g_strndup (data + REQUEST_HEAD, n);
  if (n > MAX_ID || strlen (id) != n || !g_utf8_validate (id, (gssize) n, NULL)) {
    hub_session_tell (self, 2, "playback",
                      "the id of a request for playback is a text of at most %d bytes", MAX_ID);
    return;
  }
  bits = read_word (data + 1);
  memcpy (&speed, &bits, sizeof speed);
  memcpy (&time, data + 6, sizeof time);
  request = (OrreryPlaybackRequest){
    .plays = data[0] == 0,
    .speed = speed,
    .seeks = data[5] != 0,
    .time = (OrreryTime) MIN (GUINT64_FROM_LE (time), (guint64) G_MAXINT64),
    .id = n > 0 ? id : NULL,
  };
  if ((guint8) data[0] > 1)
    hub_session_tell (self, 2, "playback", "a request for playback is to play (0) or to pause (1)");
  else if (!orrery_playback_post (self->view->playback, &request, &error))
    hub_session_tell (self, 2, "playback", "%s", error->message);
}
