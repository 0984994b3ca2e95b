/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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
/* @record must have the fields of the one that was written. It is unchanged if the bytes are
   refused; they may be any, and may even change meanwhile. */
gboolean orrery_flat_read (OrreryRecord *record, gconstpointer bytes, gsize size, GError **error);

G_END_DECLS
