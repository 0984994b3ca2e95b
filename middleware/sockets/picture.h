/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* What the publishers of pictures share: each writes one line of JSON, bytes in base64. */

void picture_begin (OrreryWriter *writer, OrreryRecord *record);
void picture_add_int (OrreryWriter *writer, const char *name, gint64 value);
void picture_add_bytes (OrreryWriter *writer, const char *name, gconstpointer bytes, gsize n);
void picture_add_buffer (OrreryWriter *writer, const char *name, OrreryBuffer *buffer);
void picture_add_matrix (OrreryWriter *writer, const char *name, const OrreryMat3 *matrix);
void picture_end (OrreryWriter *writer);
