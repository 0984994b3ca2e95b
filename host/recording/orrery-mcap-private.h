/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/*
 * The container format MCAP: records of an opcode, a length and a content, little endian. A file is
 * magic, header, data, end of data, summary, footer, magic.
 */

#define ORRERY_MCAP_MAGIC "\211MCAP0\r\n"
#define ORRERY_MCAP_MAGIC_SIZE 8
/* Opcode and length */
#define ORRERY_MCAP_HEAD_SIZE 9
#define ORRERY_MCAP_FOOTER_SIZE 20
/* Of a message before its data; of a chunk before its compression and its records */
#define ORRERY_MCAP_MESSAGE_SIZE 22
#define ORRERY_MCAP_CHUNK_SIZE 28

/* What a file may hold. */
#define ORRERY_MCAP_MAX_CHUNK ((gsize) 256 * 1024 * 1024)
#define ORRERY_MCAP_MAX_ATTACHMENT ((guint64) 4 * 1024 * 1024 * 1024)
#define ORRERY_MCAP_MAX_SUMMARY ((guint64) 1024 * 1024 * 1024)
#define ORRERY_MCAP_MAX_METADATA ((guint64) 64 * 1024 * 1024)
#define ORRERY_MCAP_MAX_TEXT 65536

typedef enum {
  ORRERY_MCAP_HEADER = 0x01,
  ORRERY_MCAP_FOOTER = 0x02,
  ORRERY_MCAP_SCHEMA = 0x03,
  ORRERY_MCAP_CHANNEL = 0x04,
  ORRERY_MCAP_MESSAGE = 0x05,
  ORRERY_MCAP_CHUNK = 0x06,
  ORRERY_MCAP_MESSAGE_INDEX = 0x07,
  ORRERY_MCAP_CHUNK_INDEX = 0x08,
  ORRERY_MCAP_ATTACHMENT = 0x09,
  ORRERY_MCAP_ATTACHMENT_INDEX = 0x0A,
  ORRERY_MCAP_STATISTICS = 0x0B,
  ORRERY_MCAP_METADATA = 0x0C,
  ORRERY_MCAP_METADATA_INDEX = 0x0D,
  ORRERY_MCAP_SUMMARY_OFFSET = 0x0E,
  ORRERY_MCAP_DATA_END = 0x0F,
} OrreryMcapOp;

/* --- writing --- */

void orrery_mcap_put_u16 (GByteArray *out, guint16 value);
void orrery_mcap_put_u32 (GByteArray *out, guint32 value);
void orrery_mcap_put_u64 (GByteArray *out, guint64 value);
void orrery_mcap_put_text (GByteArray *out, const char *text);
/* @map: (nullable): `a{ss}` */
void orrery_mcap_put_map (GByteArray *out, GVariant *map);
/* A record, or a list: begin() leaves room for its length, which end() fills in. Returns: the place
 * that end() takes */
gsize orrery_mcap_begin (GByteArray *out, OrreryMcapOp op);
void orrery_mcap_end (GByteArray *out, gsize place);
gsize orrery_mcap_begin_list (GByteArray *out);
void orrery_mcap_end_list (GByteArray *out, gsize place);

/* --- reading --- */

/* Once a value is not there, all further ones are 0 and @failed says so. */
typedef struct {
  const guint8 *at;
  gsize left;
  gboolean failed;
} OrreryMcapCursor;

guint16 orrery_mcap_take_u16 (OrreryMcapCursor *cursor);
guint32 orrery_mcap_take_u32 (OrreryMcapCursor *cursor);
guint64 orrery_mcap_take_u64 (OrreryMcapCursor *cursor);
/* Returns: (nullable): @length bytes */
const guint8 *orrery_mcap_take (OrreryMcapCursor *cursor, guint64 length);
/* Returns: (transfer full) (nullable): UTF-8 without zero bytes, ORRERY_MCAP_MAX_TEXT at most */
char *orrery_mcap_take_text (OrreryMcapCursor *cursor);
/* Returns: (transfer full) (nullable): `a{ss}` */
GVariant *orrery_mcap_take_map (OrreryMcapCursor *cursor);

guint32 orrery_mcap_sum (guint32 sum, gconstpointer data, gsize length);
/* The sum of what @sum is of with @length bytes behind it, of which @next is the sum. */
guint32 orrery_mcap_join_sums (guint32 sum, guint32 next, gsize length);

G_END_DECLS
