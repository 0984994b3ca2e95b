/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the frames of a WebSocket. */
#include "web-frame.h"

#include <string.h>

/* A buffer that a large message has left behind is not kept. */
#define MAX_KEPT ((gsize) 64 * 1024)

#define FIN 0x80
#define RESERVED 0x70
#define OPCODE 0x0f
#define MASKED 0x80
#define LENGTH 0x7f

void
web_frames_init (WebFrames *frames, gsize max_message, WebFrameFunc func, gpointer data)
{
  *frames = (WebFrames){ .max_message = max_message, .func = func, .data = data };
  frames->message = g_byte_array_new ();
}

void
web_frames_clear (WebFrames *frames)
{
  g_clear_pointer (&frames->message, g_byte_array_unref);
}

static gboolean
is_control (WebOpcode opcode)
{
  return opcode >= WEB_OPCODE_CLOSE;
}

/* How long the header is, as far as is known. */
static guint
header_size (const WebFrames *frames)
{
  guint length;

  if (frames->n_header < 2)
    return 2;
  length = frames->header[1] & LENGTH;
  return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + (guint) sizeof frames->mask;
}

static guint64
read_length (const guint8 *header)
{
  guint length = header[1] & LENGTH;
  guint n = length == 126 ? 2 : length == 127 ? 8 : 0;
  guint64 value = n > 0 ? 0 : length;

  for (guint i = 0; i < n; i++)
    value = value << 8 | header[2 + i];
  return value;
}

/* What its first two bytes tell. */
static guint
judge_start (WebFrames *frames)
{
  frames->opcode = frames->header[0] & OPCODE;
  frames->is_last = (frames->header[0] & FIN) != 0;
  if ((frames->header[0] & RESERVED) != 0 || (frames->header[1] & MASKED) == 0)
    return WEB_CLOSE_PROTOCOL;
  switch (frames->opcode) {
  case WEB_OPCODE_CONTINUATION:
    return frames->kind != 0 ? 0 : WEB_CLOSE_PROTOCOL;
  case WEB_OPCODE_TEXT:
  case WEB_OPCODE_BINARY:
    return frames->kind == 0 ? 0 : WEB_CLOSE_PROTOCOL;
  case WEB_OPCODE_CLOSE:
  case WEB_OPCODE_PING:
  case WEB_OPCODE_PONG:
    return frames->is_last && (frames->header[1] & LENGTH) <= WEB_FRAME_MAX_CONTROL
               ? 0
               : WEB_CLOSE_PROTOCOL;
  default:
    return WEB_CLOSE_PROTOCOL;
  }
}

static guint
begin_payload (WebFrames *frames)
{
  memcpy (frames->mask, frames->header + frames->n_header - sizeof frames->mask,
          sizeof frames->mask);
  frames->left = read_length (frames->header);
  frames->at = 0;
  frames->n_header = 0;
  frames->in_payload = TRUE;
  if (is_control (frames->opcode))
    return 0;
  if (frames->opcode != WEB_OPCODE_CONTINUATION)
    frames->kind = frames->opcode;
  return frames->left > frames->max_message - frames->message->len ? WEB_CLOSE_TOO_LARGE : 0;
}

static gboolean
give_message (WebFrames *frames, guint *code)
{
  WebOpcode kind = frames->kind;
  gsize length = frames->message->len;
  gboolean wanted;

  g_byte_array_append (frames->message, (const guint8 *) "", 1);
  frames->kind = 0;
  /* A zero character is refused as well: no text that is read here may hold one. */
  if (kind == WEB_OPCODE_TEXT &&
      !g_utf8_validate_len ((const char *) frames->message->data, length, NULL)) {
    *code = WEB_CLOSE_NOT_TEXT;
    return FALSE;
  }
  wanted = frames->func (frames->data, kind, frames->message->data, length);
  g_byte_array_set_size (frames->message, 0);
  if (length > MAX_KEPT) {
    g_byte_array_unref (frames->message);
    frames->message = g_byte_array_new ();
  }
  return wanted;
}

/* Returns: whether to go on */
static gboolean
end_frame (WebFrames *frames, guint *code)
{
  frames->in_payload = FALSE;
  if (is_control (frames->opcode)) {
    frames->control[frames->at] = '\0';
    return frames->func (frames->data, frames->opcode, frames->control, frames->at);
  }
  return !frames->is_last || give_message (frames, code);
}

static void
unmask (WebFrames *frames, guint8 *to, const guint8 *from, gsize n)
{
  for (gsize i = 0; i < n; i++)
    to[i] = from[i] ^ frames->mask[(frames->at + i) % sizeof frames->mask];
}

/* Returns: how many bytes were used */
static gsize
feed_payload (WebFrames *frames, const guint8 *data, gsize length)
{
  gsize n = (gsize) MIN (frames->left, length);

  if (is_control (frames->opcode)) {
    unmask (frames, frames->control + frames->at, data, n);
  } else {
    guint start = frames->message->len;

    g_byte_array_set_size (frames->message, start + (guint) n);
    unmask (frames, frames->message->data + start, data, n);
  }
  frames->at += n;
  frames->left -= n;
  return n;
}

static gsize
feed_header (WebFrames *frames, const guint8 *data, guint *code)
{
  frames->header[frames->n_header++] = *data;
  if (frames->n_header == 2)
    *code = judge_start (frames);
  if (*code == 0 && frames->n_header == header_size (frames))
    *code = begin_payload (frames);
  return 1;
}

guint
web_frames_feed (WebFrames *frames, const guint8 *data, gsize length)
{
  gboolean wanted = TRUE;
  guint code = 0;

  while (length > 0 && code == 0 && wanted) {
    gsize n = frames->in_payload ? feed_payload (frames, data, length)
                                 : feed_header (frames, data, &code);

    data += n;
    length -= n;
    if (code == 0 && frames->in_payload && frames->left == 0)
      wanted = end_frame (frames, &code);
  }
  return code;
}

guint
web_frame_write_header (guint8 header[WEB_FRAME_MAX_HEADER], WebOpcode opcode, gsize length)
{
  guint n = length < 126 ? 0 : length <= G_MAXUINT16 ? 2 : 8;

  header[0] = (guint8) (FIN | opcode);
  header[1] = n == 0 ? (guint8) length : n == 2 ? 126 : 127;
  for (guint i = 0; i < n; i++)
    header[2 + i] = (guint8) (length >> (8 * (n - 1 - i)));
  return 2 + n;
}
