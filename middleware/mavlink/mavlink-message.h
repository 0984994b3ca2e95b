/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The messages of MAVLink that are known here, as data: names and types of their fields, and where
 * these lie in the payload. */

/* Bytes of a payload. */
#define MAV_MAX_PAYLOAD 255

typedef enum {
  MAV_NONE,
  MAV_U8,
  MAV_I8,
  MAV_U16,
  MAV_I16,
  MAV_U32,
  MAV_I32,
  MAV_U64,
  MAV_F32,
} MavType;

/* In the order of the published definition. */
typedef struct {
  const char *name;
  MavType type;
  guint8 count;     /* elements; 0: it is no array */
  guint8 extension; /* of MAVLink 2: not in a payload of MAVLink 1 */
  guint16 offset;   /* in the payload, bytes */
} MavField;

#define MAV_MAX_FIELDS 20

typedef struct {
  guint32 id;
  const char *name;
  MavField fields[MAV_MAX_FIELDS]; /* ends with a field without a name */
  guint8 extra;                    /* what its check sum takes in at the end */
  guint8 base_length;              /* of the payload in MAVLink 1 */
  guint8 length;                   /* in MAVLink 2, before zeros are cut */
} MavMessage;

/* Both any thread; NULL: it is not known here. */
const MavMessage *mav_message_find (guint32 id);
const MavMessage *mav_message_find_by_name (const char *name);
guint mav_message_get_n_known (void);
const MavMessage *mav_message_get_known (guint i);

const MavField *mav_message_find_field (const MavMessage *message, const char *name);

/* Element @i of a field. An integer is rounded to the nearest and kept in its range, 0 for what is
 * no number. */
void mav_field_put (const MavField *field, guint i, guint8 *payload, double value);
void mav_field_put_time (const MavField *field, guint8 *payload, guint64 value);
double mav_field_get (const MavField *field, guint i, const guint8 *payload);
guint64 mav_field_get_time (const MavField *field, const guint8 *payload);

/* The same by name, for a field that the message has. */
void mav_message_put (const MavMessage *message, const char *name, guint i, guint8 *payload,
                      double value);
double mav_message_get (const MavMessage *message, const char *name, guint i,
                        const guint8 *payload);

/* CRC-16/MCRF4XX; begins with 0xffff. */
guint16 mav_crc (guint16 crc, gconstpointer data, gsize length);
