/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-message.h"

#include <string.h>

G_BEGIN_DECLS

/* The beginning of one message in a writer. */
typedef struct {
  gsize start;
  guint topic;
} OrreryWriterMark;

/* Memory that a writer gave away comes back to this place, if it is empty. */
typedef struct _OrreryWriterSpare OrreryWriterSpare;

/* Open to the tick, which empties a writer before every encoding and reads it after. */
struct _OrreryWriter {
  char *data;
  gsize length;
  gsize allocated;
  gatomicrefcount references;
  guint64 n_not_finite;      /* numbers of JSON, since it was emptied */
  gboolean names_not_finite; /* as NaN, Infinity, -Infinity in place of null */
  gboolean has_null;         /* in place of one of them */

  guint64 wanted;          /* a bit for each topic that somebody listens to */
  OrreryWriterMark *marks; /* of the messages that were begun; none: one message of topic 0 */
  guint n_marks;
  guint n_marks_allocated;
  GBytes *shared;           /* (nullable): owns data, which is only read as long as it is there */
  OrreryWriterSpare *spare; /* (nullable) */
};

/* Where the next bytes go, with room for @size of them; they count once they are advanced over. */
char *orrery_writer_reserve (OrreryWriter *writer, gsize size);
void orrery_writer_advance (OrreryWriter *writer, gsize size);
void orrery_writer_append_uint (OrreryWriter *writer, guint64 value);

/* As orrery_writer_append(), in place of a call: for codecs, which append a few bytes at a time. */
static inline void
orrery_writer_put (OrreryWriter *writer, gconstpointer data, gsize size)
{
  char *at;

  if (size == 0)
    return;
  if (G_UNLIKELY (size > writer->allocated - writer->length))
    at = orrery_writer_reserve (writer, size);
  else
    at = writer->data + writer->length;
  memcpy (at, data, size);
  writer->length += size;
}

static inline void
orrery_writer_put_char (OrreryWriter *writer, char c)
{
  orrery_writer_put (writer, &c, 1);
}

/* Where the message that is being written begins in the writer's data. */
gsize orrery_writer_get_start (const OrreryWriter *writer);
/* Parts the writer from memory that it gave away; @keep: with a copy of what was written. */
void orrery_writer_own_memory (OrreryWriter *writer, gboolean keep);
/* Frees what belongs to messages, before the writer itself. */
void orrery_writer_forget_messages (OrreryWriter *writer);

/* FALSE: @value is no integer. An unsigned one above the range of gint64 wraps to a negative one
 * and sets @beyond. */
gboolean orrery_variant_get_integer (GVariant *value, gint64 *out, gboolean *beyond);

/* Room of at least @size bytes that lives with the reader, for a decoder that works before it
 * commits; a second call may move it. Its content is undefined. */
gpointer orrery_reader_get_scratch (OrreryReader *reader, gsize size);

G_END_DECLS
