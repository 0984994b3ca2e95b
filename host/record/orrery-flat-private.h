/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-buffer.h"
#include "record/orrery-record.h"

G_BEGIN_DECLS

/*
 * A record as bytes without pointers, for another process of the same machine and build: all
 * fields in order, each at a multiple of 8, and what they refer to in its place. Numbers go bit by
 * bit.
 */

/* Returns FALSE if records refer to each other in a cycle. */
gboolean orrery_flat_measure (OrreryRecord *record, gsize *size, GError **error);
/* @size: as measured; the record must not have changed since */
void orrery_flat_write (OrreryRecord *record, gpointer bytes, gsize size);
/* The same without the records that its fields refer to; the reader leaves those unchanged. */
gsize orrery_flat_measure_shallow (OrreryRecord *record);
void orrery_flat_write_shallow (OrreryRecord *record, gpointer bytes, gsize size);
/* @record must have the fields of the one that was written. It is unchanged if the bytes are
   refused; they may be any, and may even change meanwhile. */
gboolean orrery_flat_read (OrreryRecord *record, gconstpointer bytes, gsize size, GError **error);

/* Whether orrery_flat_read() would take the bytes. */
gboolean orrery_flat_check (OrreryRecord *record, gconstpointer bytes, gsize size, GError **error);

/* Returns a read-only buffer over @data, which lies in the memory that is read, or NULL to copy
 * it. */
typedef OrreryBuffer *(*OrreryFlatHold) (gpointer owner, OrreryElement element, guint n_dimensions,
                                         const gsize *shape, gconstpointer data);
/* As orrery_flat_read(); large buffers are not copied but held. */
gboolean orrery_flat_read_in_place (OrreryRecord *record, gconstpointer bytes, gsize size,
                                    OrreryFlatHold hold, gpointer owner, GError **error);

/* --- for the classes of fields --- */

typedef struct {
  guint8 *bytes; /* NULL: measure */
  gsize at;
  guint depth;
  gboolean shallow;
  GError **error;
} OrreryFlatWriter;

void orrery_flat_put (OrreryFlatWriter *writer, gconstpointer data, gsize n);
void orrery_flat_put_word (OrreryFlatWriter *writer, guint64 word);
gboolean orrery_flat_put_record (OrreryFlatWriter *writer, OrreryRecord *record);

/* Reads twice: first everything is checked, then it is written to the record. */
typedef struct {
  const guint8 *bytes;
  gsize size;
  gsize at;
  gboolean writes;
  guint depth;
  OrreryFlatHold hold; /* NULL: copy */
  gpointer owner;
  GError **error;
} OrreryFlatReader;

/* Sets the error and returns FALSE. */
gboolean orrery_flat_fail (OrreryFlatReader *reader, const char *what);
/* Where the next @n bytes are, or NULL with an error. */
gconstpointer orrery_flat_look (OrreryFlatReader *reader, gsize n);
gboolean orrery_flat_take (OrreryFlatReader *reader, gpointer to, gsize n);
/* The same, of bytes behind a word that counts them */
gconstpointer orrery_flat_look_counted (OrreryFlatReader *reader, guint64 *n);
gboolean orrery_flat_take_record (OrreryFlatReader *reader, OrreryRecord *record);

G_END_DECLS
