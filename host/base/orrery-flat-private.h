/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-buffer.h"
#include "base/orrery-record.h"

G_BEGIN_DECLS

/*
 * A record as bytes without pointers, for another process of the same machine and build: all
 * fields in order, each at a multiple of 8, and what they refer to in its place. Numbers go bit by
 * bit.
 */

/* FALSE: records refer to records without an end */
gboolean orrery_flat_measure (OrreryRecord *record, gsize *size, GError **error);
/* @size: what was measured, and nothing changed since */
void orrery_flat_write (OrreryRecord *record, gpointer bytes, gsize size);
/* The same without what its record fields refer to, which stays as it is where it is read. */
gsize orrery_flat_measure_shallow (OrreryRecord *record);
void orrery_flat_write_shallow (OrreryRecord *record, gpointer bytes, gsize size);
/* @record must have the fields of the one that was written. It is unchanged if the bytes are
   refused; they may be any, and may even change meanwhile. */
gboolean orrery_flat_read (OrreryRecord *record, gconstpointer bytes, gsize size, GError **error);

/* A read-only buffer over @data, which lies where the record is read from; or NULL: copy it. */
typedef OrreryBuffer *(*OrreryFlatHold) (gpointer owner, OrreryElement element, guint n_dimensions,
                                         const gsize *shape, gconstpointer data);
/* As orrery_flat_read(); large buffers are not copied but held. */
gboolean orrery_flat_read_in_place (OrreryRecord *record, gconstpointer bytes, gsize size,
                                    OrreryFlatHold hold, gpointer owner, GError **error);

G_END_DECLS
