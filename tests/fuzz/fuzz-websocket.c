/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/web/web-frame.c */
#include "fuzz.h"

#include "../../middleware/web/web-frame.h"

#define MAX_MESSAGE 1000

typedef struct {
  guint sum; /* of what came out */
  gboolean closed;
} Seen;

static gboolean
on_frame (gpointer data, WebOpcode opcode, const guint8 *bytes, gsize length)
{
  Seen *seen = data;

  g_assert_cmpuint (length, <=,
                    opcode >= WEB_OPCODE_CLOSE ? WEB_FRAME_MAX_CONTROL : (gsize) MAX_MESSAGE);
  g_assert_true (opcode != WEB_OPCODE_TEXT ||
                 g_utf8_validate_len ((const char *) bytes, length, NULL));
  g_assert_cmpuint (bytes[length], ==, 0);
  g_assert_false (seen->closed);
  seen->sum = seen->sum * 31 + opcode + (guint) length;
  seen->closed = opcode == WEB_OPCODE_CLOSE;
  return !seen->closed;
}

/* Returns: the code, and @sum */
static guint
feed (const uint8_t *data, size_t size, gsize cut, guint *sum)
{
  WebFrames frames;
  Seen seen = { 0 };
  guint code = 0;

  web_frames_init (&frames, MAX_MESSAGE, on_frame, &seen);
  for (gsize at = 0; at < size && code == 0 && !seen.closed; at += cut)
    code = web_frames_feed (&frames, data + at, MIN (cut, size - at));
  web_frames_clear (&frames);
  *sum = seen.sum;
  return code;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  guint whole, cut;
  guint8 header[WEB_FRAME_MAX_HEADER];

  /* However the bytes are cut, it is the same. */
  if (size > 0) {
    g_assert_cmpuint (feed (data, size, size, &whole), ==, feed (data, size, 7, &cut));
    g_assert_cmpuint (whole, ==, cut);
  }
  g_assert_cmpuint (web_frame_write_header (header, WEB_OPCODE_TEXT, size), <=, sizeof header);
  return 0;
}
