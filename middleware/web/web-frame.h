/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Frames of a WebSocket (RFC 6455) as a server reads and writes them, without extensions. Knows no
 * socket. */

#define WEB_FRAME_MAX_HEADER 10
#define WEB_FRAME_MAX_CONTROL 125

typedef enum {
  WEB_OPCODE_CONTINUATION = 0,
  WEB_OPCODE_TEXT = 1,
  WEB_OPCODE_BINARY = 2,
  WEB_OPCODE_CLOSE = 8,
  WEB_OPCODE_PING = 9,
  WEB_OPCODE_PONG = 10,
} WebOpcode;

/* Why a connection is closed. */
enum {
  WEB_CLOSE_NORMAL = 1000,
  WEB_CLOSE_GOING_AWAY = 1001,
  WEB_CLOSE_PROTOCOL = 1002,
  WEB_CLOSE_NO_STATUS = 1005, /* is never sent */
  WEB_CLOSE_NOT_TEXT = 1007,
  WEB_CLOSE_POLICY = 1008,
  WEB_CLOSE_TOO_LARGE = 1009,
};

/* A whole message or a control frame. Returns FALSE: no more of what comes is wanted. @data: valid
 * in the call; a text ends in NUL, which is not counted */
typedef gboolean (*WebFrameFunc) (gpointer data, WebOpcode opcode, const guint8 *bytes,
                                  gsize length);

typedef struct {
  gsize max_message;
  WebFrameFunc func;
  gpointer data;

  guint8 header[14];
  guint n_header;
  gboolean in_payload;
  WebOpcode opcode;
  gboolean is_last;
  guint8 mask[4];
  guint64 at;     /* bytes of the payload that were read */
  guint64 left;   /* and that come */
  WebOpcode kind; /* of a message that came in part; 0: none has */
  GByteArray *message;
  guint8 control[WEB_FRAME_MAX_CONTROL + 1];
} WebFrames;

void web_frames_init (WebFrames *frames, gsize max_message, WebFrameFunc func, gpointer data);
void web_frames_clear (WebFrames *frames);
/* Reads what came. Memory is taken for bytes that are there, not for what a header promises.
 * Returns: 0, or the code to close with */
guint web_frames_feed (WebFrames *frames, const guint8 *data, gsize length);
/* Returns: bytes of the header of a whole frame of a server */
guint web_frame_write_header (guint8 header[WEB_FRAME_MAX_HEADER], WebOpcode opcode, gsize length);
