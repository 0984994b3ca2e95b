/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mavlink-message.h"

/* Frames of MAVLink 1 and 2, in a stream of bytes and alone. Nothing here is signed: a frame that
 * is cannot be checked, and is refused. */

/* Bytes of a frame: head, payload, check sum, signature. */
#define MAV_MAX_FRAME (10 + MAV_MAX_PAYLOAD + 2 + 13)

typedef struct {
  const MavMessage *message;
  guint8 version; /* 1 or 2 */
  guint8 sequence;
  guint8 system;
  guint8 component;
  guint8 length;                   /* of the payload, as it was sent */
  guint8 payload[MAV_MAX_PAYLOAD]; /* zeros follow what was sent */
} MavFrame;

typedef enum {
  MAV_COUNT_FRAMES,
  MAV_COUNT_GARBAGE, /* bytes that belong to no frame */
  MAV_COUNT_UNKNOWN, /* frames of messages that are not known here */
  MAV_COUNT_REFUSED, /* signed frames, and those with flags that are not known */
  MAV_N_COUNTS,
} MavCount;

/* A stream that comes in. All zeros at first. */
typedef struct {
  guint8 bytes[2 * MAV_MAX_FRAME];
  gsize length;
  gsize unknown; /* bytes from the first one on that a frame of an unknown message may have */
  guint64 counts[MAV_N_COUNTS];
} MavParser;

/*
 * Takes bytes from *data until a frame is complete; both are moved on. A frame behind garbage is
 * found as soon as it is complete, however long the frame would be that the garbage looks like.
 * FALSE: all was taken, and there is no other frame.
 */
gboolean mav_parser_next (MavParser *parser, const guint8 **data, gsize *length, MavFrame *frame);
/* Another stream begins: a connection, a datagram. */
void mav_parser_begin (MavParser *parser);

/* Writes a frame of version 1 or 2, with its message, sequence, system, component and payload;
 * zeros at the end of the payload are cut in version 2. Returns its length. */
gsize mav_frame_write (const MavFrame *frame, guint8 bytes[MAV_MAX_FRAME]);
