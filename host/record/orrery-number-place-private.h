/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-record.h"

G_BEGIN_DECLS

/* Where one number of a record lies, found once by its name and read flat from then on. */
typedef struct {
  OrreryRecord *record; /* borrowed */
  gpointer place;       /* NULL: the timestamp */
  OrreryFieldType type; /* of a member of a vector: ORRERY_FIELD_DOUBLE */
  double (*to_double) (gconstpointer place);
} OrreryNumberPlace;

/* @name: a field of a record of @component: a number, true or false, a time; `timestamp`; of a
 * vector one member, as `position.x`. Fails with ORRERY_ERROR_NOT_FOUND or ORRERY_ERROR_INVALID. */
gboolean orrery_number_place_find (OrreryNumberPlace *number, OrreryRecord *record,
                                   const char *component, const char *name, GError **error);

/* True is 1; times are seconds. */
static inline double
orrery_number_place_get (const OrreryNumberPlace *number)
{
  if (number->place == NULL)
    return orrery_time_to_seconds (orrery_record_get_timestamp (number->record));
  return number->to_double (number->place);
}

G_END_DECLS
