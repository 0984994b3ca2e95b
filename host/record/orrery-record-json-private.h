/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-message.h"
#include "record/orrery-buffer-private.h"
#include "record/orrery-record.h"
#include "text/orrery-json-private.h"

G_BEGIN_DECLS

/* --- writing --- */

/* ", " in front of all items but the first */
void orrery_json_write_separator (OrreryWriter *writer, gsize index);
void orrery_json_write_key (OrreryWriter *writer, const char *key);
void orrery_json_write_null (OrreryWriter *writer);
void orrery_json_write_numbers (OrreryWriter *writer, const double *values, gsize n);
/* @rows lists of @columns numbers each */
void orrery_json_write_rows (OrreryWriter *writer, const double *values, gsize rows, gsize columns);

/*
 * A message is read into a record in two steps. take_ functions read it once and leave what they
 * found in the scratch of the reader; nothing is changed and anything may be refused. put_
 * functions then move it into the record and cannot fail.
 */

/* Deep enough for any data, and within the limit of GVariant, which counts three levels for each of
 * ours. */
#define ORRERY_TAKE_MAX_DEPTH 32

typedef struct {
  OrreryJson json;
  const char *message;
  gsize length;
  OrreryReader *reader;
  GError **error;
  char *scratch;
  gsize top; /* of what is used of the scratch; things in it are named by their place */
  gsize room;
} OrreryTake;

/* What was found for a field; of a record, a row of these. */
typedef struct {
  gsize offset; /* of the value in the scratch; 0: the field is missing */
  gsize count;  /* numbers of an array, points; of a variant its place in the message */
} OrreryTakeSlot;

/* Returns: the place of @size bytes more, right behind the last */
gsize orrery_take_push (OrreryTake *take, gsize size);
gsize orrery_take_push_aligned (OrreryTake *take, gsize size);

static inline gpointer
orrery_take_at (OrreryTake *take, gsize offset)
{
  return take->scratch + offset;
}

/* Each sets the error and returns FALSE. */
gboolean orrery_take_fail (OrreryTake *take, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean orrery_take_fail_json (OrreryTake *take);
gboolean orrery_take_fail_type (OrreryTake *take, OrreryJsonToken token, const char *expected);

gboolean orrery_take_token (OrreryTake *take, OrreryJsonToken token, const char *expected);
/* Whether a token is a number that is finite. */
gboolean orrery_take_check_number (OrreryTake *take, OrreryJsonToken token);
/* An integer, or a double that is one. */
gboolean orrery_take_int (OrreryTake *take, OrreryJsonToken token, gint64 *out);
/* A list of @n numbers, whose bracket was read. */
gboolean orrery_take_items (OrreryTake *take, double *out, guint n);
/* A list of @rows lists of @columns numbers each. */
gboolean orrery_take_rows (OrreryTake *take, double *out, guint rows, guint columns);

/* The pairs of an object, whose bracket was read. @frame: out, a slot for each field */
gboolean orrery_take_record (OrreryTake *take, OrreryRecord *record, gsize *frame);
void orrery_put_record (OrreryTake *take, OrreryRecord *record, gsize frame);

G_END_DECLS
