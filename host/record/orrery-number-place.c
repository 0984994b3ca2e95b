/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds single numbers of records by their names. */
#include "record/orrery-number-place-private.h"

#include "base/orrery-error.h"
#include "record/orrery-field-private.h"

#include <string.h>

static gboolean
find_in_field (OrreryNumberPlace *number, const OrreryField *field, const char *member)
{
  const OrreryFieldClass *klass = orrery_field_class_get (field->type);
  char *place = (char *) orrery_record_data (number->record) + field->offset;

  number->place = place;
  number->type = field->type;
  number->to_double = klass->to_double;
  if (klass->to_double != NULL)
    return *member == '\0';
  number->type = ORRERY_FIELD_DOUBLE;
  number->to_double = orrery_double_field_class.to_double;
  for (guint i = 0; i < klass->n_members; i++) {
    number->place = place + klass->members[i].offset;
    if (strcmp (klass->members[i].name, member) == 0)
      return TRUE;
  }
  return FALSE;
}

gboolean
orrery_number_place_find (OrreryNumberPlace *number, OrreryRecord *record, const char *component,
                          const char *name, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  const char *dot = strchr (name, '.');
  g_autofree char *first = dot != NULL ? g_strndup (name, dot - name) : g_strdup (name);
  const OrreryField *field;

  *number = (OrreryNumberPlace){ .record = record, .type = ORRERY_FIELD_TIME };
  if (strcmp (name, "timestamp") == 0 && orrery_record_has_timestamp (record))
    return TRUE;
  field = orrery_schema_find_field (schema, first);
  if (field == NULL) {
    g_autofree const char **names = orrery_schema_get_names (schema);
    g_autofree char *nearest = orrery_nearest_names (first, names);

    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s: no field %.60s%s", component,
                             first, nearest);
  }
  if (find_in_field (number, field, dot != NULL ? dot + 1 : ""))
    return TRUE;
  return orrery_set_error (
      error, ORRERY_ERROR_INVALID,
      "%s: %.60s is not a number; name an element of a vector, such as %.60s.x", component, name,
      first);
}
