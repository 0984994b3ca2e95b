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

/* Returns a read-only buffer over @data, which lies in the memory that is read, or NULL to copy
 * it. */
typedef OrreryBuffer *(*OrreryFlatHold) (gpointer owner, OrreryElement element, guint n_dimensions,
                                         const gsize *shape, gconstpointer data);
/* As orrery_flat_read(); large buffers are not copied but held. */
gboolean orrery_flat_read_in_place (OrreryRecord *record, gconstpointer bytes, gsize size,
                                    OrreryFlatHold hold, gpointer owner, GError **error);

G_END_DECLS
