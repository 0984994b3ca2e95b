/* SPDX-License-Identifier: BSD-3-Clause */
/* Several messages in one writer, and memory that goes to those who keep a message. */
#include "base/orrery-message.h"

#include "base/orrery-message-private.h"

#include <string.h>

/* Below this size a copy costs less than memory that changes hands. */
#define SHARED_SIZE (16 * 1024)

/* A block of memory that was given away and came back. */
typedef struct {
  gsize allocated;
  char *data;
} Block;

struct _OrreryWriterSpare {
  gatomicrefcount references; /* of the writer, and of each block that is away */
  Block *block;               /* atomic (nullable) */
};

/* What frees a block that was given away. */
typedef struct {
  OrreryWriterSpare *spare;
  Block *block;
} Loan;

/* --- memory that is given away --- */

static void
block_free (Block *block)
{
  if (block == NULL)
    return;
  g_free (block->data);
  g_free (block);
}

static void
spare_unref (OrreryWriterSpare *spare)
{
  if (!g_atomic_ref_count_dec (&spare->references))
    return;
  block_free (spare->block);
  g_free (spare);
}

/* Any thread. */
static void
give_back (gpointer data)
{
  Loan *loan = data;
  Block *none = NULL;

  if (!__atomic_compare_exchange_n (&loan->spare->block, &none, loan->block, FALSE,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    block_free (loan->block);
  spare_unref (loan->spare);
  g_free (loan);
}

static void
give_away (OrreryWriter *writer)
{
  Loan *loan = g_new (Loan, 1);

  if (writer->spare == NULL) {
    writer->spare = g_new0 (OrreryWriterSpare, 1);
    g_atomic_ref_count_init (&writer->spare->references);
  }
  g_atomic_ref_count_inc (&writer->spare->references);
  loan->spare = writer->spare;
  loan->block = g_new (Block, 1);
  loan->block->data = writer->data;
  loan->block->allocated = writer->allocated;
  writer->shared = g_bytes_new_with_free_func (writer->data, writer->length, give_back, loan);
}

void
orrery_writer_own_memory (OrreryWriter *writer, gboolean keep)
{
  g_autoptr (GBytes) shared = g_steal_pointer (&writer->shared);
  Block *block;

  if (shared == NULL)
    return;
  block = __atomic_exchange_n (&writer->spare->block, NULL, __ATOMIC_ACQ_REL);
  if (block != NULL && block->allocated >= writer->allocated) {
    writer->data = g_steal_pointer (&block->data);
    writer->allocated = block->allocated;
  } else {
    writer->data = g_malloc (writer->allocated);
  }
  block_free (block);
  if (keep)
    memcpy (writer->data, g_bytes_get_data (shared, NULL), writer->length);
}

void
orrery_writer_forget_messages (OrreryWriter *writer)
{
  if (writer->shared != NULL)
    writer->data = NULL;
  g_clear_pointer (&writer->shared, g_bytes_unref);
  g_clear_pointer (&writer->spare, spare_unref);
  g_clear_pointer (&writer->marks, g_free);
}

/* --- messages --- */

void
orrery_writer_begin (OrreryWriter *writer, guint topic)
{
  g_return_if_fail (writer != NULL);
  g_return_if_fail (topic < ORRERY_MAX_TOPICS);

  orrery_writer_own_memory (writer, TRUE);
  if (writer->n_marks == writer->n_marks_allocated) {
    writer->n_marks_allocated = MAX (8, 2 * writer->n_marks_allocated);
    writer->marks = g_renew (OrreryWriterMark, writer->marks, writer->n_marks_allocated);
  }
  writer->marks[writer->n_marks++] = (OrreryWriterMark){ writer->length, topic };
}

gboolean
orrery_writer_wants (OrreryWriter *writer, guint topic)
{
  g_return_val_if_fail (writer != NULL, FALSE);
  return topic < ORRERY_MAX_TOPICS && (writer->wanted >> topic & 1) != 0;
}

gsize
orrery_writer_get_start (const OrreryWriter *writer)
{
  return writer->n_marks > 0 ? writer->marks[writer->n_marks - 1].start : 0;
}

guint
orrery_writer_get_n_messages (OrreryWriter *writer)
{
  g_return_val_if_fail (writer != NULL, 0);
  return writer->n_marks > 0 ? writer->n_marks : writer->length > 0;
}

static void
find_range (const OrreryWriter *writer, guint i, gsize *start, gsize *length)
{
  *start = writer->n_marks > 0 ? writer->marks[i].start : 0;
  *length = (i + 1 < writer->n_marks ? writer->marks[i + 1].start : writer->length) - *start;
}

guint
orrery_writer_get_message (OrreryWriter *writer, guint i, const char **data, gsize *length)
{
  gsize start;

  g_return_val_if_fail (writer != NULL, 0);
  g_return_val_if_fail (i < orrery_writer_get_n_messages (writer), 0);

  find_range (writer, i, &start, length);
  *data = writer->data + start;
  return writer->n_marks > 0 ? writer->marks[i].topic : 0;
}

GBytes *
orrery_writer_dup_message (OrreryWriter *writer, guint i)
{
  gsize start, length;

  g_return_val_if_fail (writer != NULL, NULL);
  g_return_val_if_fail (i < orrery_writer_get_n_messages (writer), NULL);

  find_range (writer, i, &start, &length);
  if (length < SHARED_SIZE)
    return g_bytes_new (writer->data + start, length);
  if (writer->shared == NULL)
    give_away (writer);
  return g_bytes_new_from_bytes (writer->shared, start, length);
}
