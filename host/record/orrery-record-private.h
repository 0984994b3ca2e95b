/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-record.h"

/* The struct is public within the host, because the tick sets the timestamp of every record in
 * every step. */
struct _OrreryRecord {
  gpointer data;
  OrreryTime timestamp;
  gboolean has_timestamp;
  gboolean held;
  OrrerySchema *schema;
  gpointer defaults; /* (nullable): as data; NULL is all zero */
  gatomicrefcount ref_count;
};

/* Returns: (nullable): the first field with a number that is not finite; not for each step */
const char *orrery_record_find_not_finite (OrreryRecord *record);
/* Returns: (nullable): the first field with a NaN; arrays and pictures are not looked at */
const char *orrery_record_find_nan (OrreryRecord *record);

static inline gpointer
orrery_record_place (OrreryRecord *record, const OrreryField *field)
{
  return (char *) record->data + field->offset;
}

/* Frees what the fields of a struct own and zeroes them. */
void orrery_schema_clear_struct (OrrerySchema *schema, gpointer data);
