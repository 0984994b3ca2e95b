/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/mavlink/mavlink-frame.c middleware/mavlink/mavlink-message.c */
#include "fuzz.h"

#include "../../middleware/mavlink/mavlink-frame.h"

#include <string.h>

/* The frames are the same however the bytes are cut, and each is written as what is read again. */
static void
check_again (const MavFrame *frame)
{
  guint8 bytes[MAV_MAX_FRAME];
  const guint8 *at = bytes;
  MavParser parser = { 0 };
  MavFrame again;
  gsize length = mav_frame_write (frame, bytes);

  g_assert_cmpuint (length, <=, sizeof bytes);
  g_assert_true (mav_parser_next (&parser, &at, &length, &again));
  g_assert_cmpuint (length, ==, 0);
  g_assert_true (again.message == frame->message && again.version == frame->version);
  for (const MavField *field = frame->message->fields; field->name != NULL; field++)
    if (frame->version == 2 || !field->extension)
      for (guint i = 0; i < MAX (field->count, 1); i++) {
        double value = mav_field_get (field, i, frame->payload);

        mav_field_put (field, i, again.payload, value);
      }
}

static guint
count (const guint8 *data, gsize size, gsize step)
{
  MavParser parser = { 0 };
  MavFrame frame;
  guint n = 0;

  while (size > 0) {
    gsize piece = MIN (step, size);
    const guint8 *at = data;
    gsize left = piece;

    while (mav_parser_next (&parser, &at, &left, &frame)) {
      check_again (&frame);
      n++;
    }
    g_assert_cmpuint (left, ==, 0);
    g_assert_cmpuint (parser.length, <=, sizeof parser.bytes);
    data += piece;
    size -= piece;
  }
  g_assert_cmpuint (parser.counts[MAV_COUNT_FRAMES], ==, n);
  return n;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  count (data, size, MAX (size, 1));
  count (data, size, 1);
  count (data, size, 7);
  return 0;
}
