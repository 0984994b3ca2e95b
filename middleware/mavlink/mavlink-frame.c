/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds frames of MAVLink in bytes, and writes them. */
#include "mavlink-frame.h"

#include <string.h>

#define MAGIC_1 0xfe
#define MAGIC_2 0xfd
#define HEAD_1 6
#define HEAD_2 10
#define SUM 2
#define SIGNATURE 13
#define FLAG_SIGNED 0x01

typedef enum {
  FOUND_NOTHING,
  FOUND_PART, /* of what may become a frame */
  FOUND_FRAME,
  FOUND_UNKNOWN,
  FOUND_REFUSED,
} Found;

static gboolean
is_sum_right (const guint8 *at, gsize head, const MavMessage *message)
{
  gsize end = head + at[1];
  guint16 crc = mav_crc (0xffff, at + 1, end - 1);

  crc = mav_crc (crc, &message->extra, 1);
  return at[end] == (crc & 0xff) && at[end + 1] == crc >> 8;
}

static void
read_frame (const guint8 *at, gsize head, const MavMessage *message, MavFrame *frame)
{
  const guint8 *from = at + head - (head == HEAD_1 ? 4 : 6);

  *frame = (MavFrame){ .message = message,
                       .version = head == HEAD_1 ? 1 : 2,
                       .sequence = from[0],
                       .system = from[1],
                       .component = from[2],
                       .length = at[1] };
  /* Longer than the message: of a newer definition, whose extensions are not known here. */
  memcpy (frame->payload, at + head, MIN (at[1], message->length));
}

/* @whole: (out): bytes of what was found */
static Found
look (const guint8 *at, gsize length, MavFrame *frame, gsize *whole)
{
  gsize head = at[0] == MAGIC_1 ? HEAD_1 : HEAD_2;
  gboolean is_signed;
  const MavMessage *message;
  guint32 id;

  if (at[0] != MAGIC_1 && at[0] != MAGIC_2)
    return FOUND_NOTHING;
  if (length < head)
    return FOUND_PART;
  is_signed = head == HEAD_2 && (at[2] & FLAG_SIGNED) != 0;
  *whole = head + at[1] + SUM + (is_signed ? SIGNATURE : 0);
  if (length < *whole)
    return FOUND_PART;
  id = head == HEAD_1 ? at[5] : at[7] | (guint32) at[8] << 8 | (guint32) at[9] << 16;
  message = mav_message_find (id);
  if (message == NULL)
    return FOUND_UNKNOWN;
  if (!is_sum_right (at, head, message))
    return FOUND_NOTHING;
  if (head == HEAD_2 && at[2] != 0)
    return FOUND_REFUSED;
  if (head == HEAD_1 && at[1] < message->base_length)
    return FOUND_NOTHING;
  read_frame (at, head, message, frame);
  return FOUND_FRAME;
}

static void
drop (MavParser *parser, gsize n)
{
  parser->length -= n;
  parser->unknown -= MIN (parser->unknown, n);
  memmove (parser->bytes, parser->bytes + n, parser->length);
}

static void
drop_garbage (MavParser *parser, gsize n)
{
  parser->counts[MAV_COUNT_GARBAGE] += n - MIN (n, parser->unknown);
  drop (parser, n);
}

/* The beginning may wait for bytes that never come, since it is garbage that looks like a frame:
 * then a whole frame behind it counts. */
static gboolean
find_later (MavParser *parser, MavFrame *frame)
{
  gsize whole;

  for (gsize i = 1; i < parser->length; i++)
    if (look (parser->bytes + i, parser->length - i, frame, &whole) == FOUND_FRAME) {
      drop_garbage (parser, i);
      drop (parser, whole);
      return TRUE;
    }
  return FALSE;
}

/* The check sum of a message that is not known here cannot be checked: it may be garbage, so frames
 * are looked for within it. */
static void
pass_unknown (MavParser *parser, gsize whole)
{
  if (parser->unknown == 0) {
    parser->counts[MAV_COUNT_UNKNOWN]++;
    parser->unknown = whole;
  }
  drop (parser, 1);
}

/* One look at the beginning. *more: whether another look may find something */
static gboolean
take (MavParser *parser, MavFrame *frame, gboolean *more)
{
  gsize whole = 0;

  *more = TRUE;
  switch (look (parser->bytes, parser->length, frame, &whole)) {
  case FOUND_FRAME:
    drop (parser, whole);
    return TRUE;
  case FOUND_UNKNOWN:
    pass_unknown (parser, whole);
    return FALSE;
  case FOUND_REFUSED:
    parser->counts[MAV_COUNT_REFUSED]++;
    drop (parser, whole);
    return FALSE;
  case FOUND_PART:
    *more = FALSE;
    return find_later (parser, frame);
  default:
    drop_garbage (parser, 1);
    return FALSE;
  }
}

gboolean
mav_parser_next (MavParser *parser, const guint8 **data, gsize *length, MavFrame *frame)
{
  do {
    gsize n = MIN (*length, sizeof parser->bytes - parser->length);
    gboolean more = TRUE;

    if (n > 0)
      memcpy (parser->bytes + parser->length, *data, n);
    parser->length += n;
    *data += n;
    *length -= n;
    while (parser->length > 0 && more)
      if (take (parser, frame, &more)) {
        parser->counts[MAV_COUNT_FRAMES]++;
        return TRUE;
      }
  } while (*length > 0);
  return FALSE;
}

void
mav_parser_begin (MavParser *parser)
{
  drop_garbage (parser, parser->length);
  parser->unknown = 0;
}

gsize
mav_frame_write (const MavFrame *frame, guint8 bytes[MAV_MAX_FRAME])
{
  const MavMessage *message = frame->message;
  gsize head = frame->version == 1 ? HEAD_1 : HEAD_2;
  guint8 length = frame->version == 1 ? message->base_length : message->length;
  guint8 *from = bytes + head - (head == HEAD_1 ? 4 : 6);
  guint16 crc;

  /* The first byte stays, also if it is zero. */
  while (frame->version != 1 && length > 1 && frame->payload[length - 1] == 0)
    length--;
  memset (bytes, 0, head);
  bytes[0] = frame->version == 1 ? MAGIC_1 : MAGIC_2;
  bytes[1] = length;
  from[0] = frame->sequence;
  from[1] = frame->system;
  from[2] = frame->component;
  for (gsize i = 3; from + i < bytes + head; i++)
    from[i] = (guint8) (message->id >> 8 * (i - 3));
  memcpy (bytes + head, frame->payload, length);
  crc = mav_crc (0xffff, bytes + 1, head - 1 + length);
  crc = mav_crc (crc, &message->extra, 1);
  bytes[head + length] = (guint8) crc;
  bytes[head + length + 1] = (guint8) (crc >> 8);
  return head + length + SUM;
}
