/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of components as columns of numbers. */
#include "vector/orrery-vector-columns-private.h"

#include "record/orrery-field-private.h"

#include <math.h>
#include <string.h>

/* Doubles count whole numbers up to here. */
#define MAX_WHOLE 9007199254740992.0

void
orrery_columns_clear (gpointer columns)
{
  g_free (((OrreryColumns *) columns)->name);
}

/* --- finding them --- */

/* `robot.poze.x` is no field of `robot`, and nor is `robot.pose`, if that is a component. */
static gboolean
may_have_field (OrreryComponent *component, const char *rest, gboolean is_component)
{
  g_autofree char *field = g_strndup (rest, strcspn (rest, "."));
  OrreryRecord *record = orrery_component_get_record (component);

  return (strchr (rest, '.') == NULL && !is_component) ||
         orrery_schema_find_field (orrery_record_get_schema (record), field) != NULL;
}

/* Of a name that is no field of a component. */
static void
refuse_name (OrrerySimulation *simulation, const char *name, GError **error)
{
  OrreryComponent *whole = orrery_simulation_find_component (simulation, name);
  g_autofree const char **names = NULL;
  g_autofree char *nearest = NULL, *begin = NULL;

  if (whole != NULL) {
    names =
        orrery_schema_get_names (orrery_record_get_schema (orrery_component_get_record (whole)));
    nearest = orrery_nearest_names ("", names);
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%.200s: a component; a field is %.200s.FIELD%s",
                      name, name, nearest);
    return;
  }
  names = orrery_simulation_get_component_names (simulation);
  begin =
      strchr (name, '.') != NULL ? g_strndup (name, strrchr (name, '.') - name) : g_strdup (name);
  nearest = orrery_nearest_names (begin, names);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%.200s: no component of that name%s", name,
                    nearest);
}

/* The component whose full name @name begins with, and what follows that name. */
static OrreryComponent *
find_component (OrrerySimulation *simulation, const char *name, const char **rest, GError **error)
{
  const gboolean is_component = orrery_simulation_find_component (simulation, name) != NULL;

  for (const char *dot = strrchr (name, '.'); dot != NULL;
       dot = g_strrstr_len (name, dot - name, ".")) {
    g_autofree char *first = g_strndup (name, dot - name);
    OrreryComponent *component = orrery_simulation_find_component (simulation, first);

    *rest = dot + 1;
    if (component != NULL && may_have_field (component, *rest, is_component))
      return component;
  }
  refuse_name (simulation, name, error);
  return NULL;
}

static void
add_members (GArray *places, OrreryRecord *record, const OrreryField *field)
{
  const OrreryFieldClass *klass = orrery_field_get_class (field);

  for (guint i = 0; i < klass->n_members; i++) {
    OrreryColumnPlace place = {
      .number = { record,
                  (char *) orrery_record_data (record) + field->offset + klass->members[i].offset,
                  ORRERY_FIELD_DOUBLE, orrery_double_field_class.to_double },
      .width = 1,
    };

    g_array_append_val (places, place);
  }
}

static void
add_buffer (GArray *places, OrreryRecord *record, const OrreryField *field)
{
  OrreryColumnPlace place = {
    .number = { .record = record },
    .buffer = (OrreryBuffer *const *) ((char *) orrery_record_data (record) + field->offset),
  };

  g_array_append_val (places, place);
}

gboolean
orrery_columns_find (OrrerySimulation *simulation, const char *name, GArray *places,
                     OrreryComponent **component, GError **error)
{
  const char *rest = NULL;
  OrreryColumnPlace place = { .width = 1 };
  const OrreryField *field;
  OrreryRecord *record;

  *component = find_component (simulation, name, &rest, error);
  if (*component == NULL)
    return FALSE;
  record = orrery_component_get_record (*component);
  field = orrery_schema_find_field (orrery_record_get_schema (record), rest);
  if (field != NULL && orrery_field_get_class (field)->n_members > 0) {
    add_members (places, record, field);
    return TRUE;
  }
  if (field != NULL && (field->type == ORRERY_FIELD_ARRAY || field->type == ORRERY_FIELD_POINTS)) {
    add_buffer (places, record, field);
    return TRUE;
  }
  if (!orrery_number_place_find (&place.number, record,
                                 orrery_part_get_name (ORRERY_PART (*component)), rest, error))
    return FALSE;
  g_array_append_val (places, place);
  return TRUE;
}

/* --- reading and writing --- */

static gsize
count_doubles (OrreryBuffer *buffer)
{
  return buffer != NULL ? orrery_buffer_get_size (buffer) / sizeof (double) : 0;
}

gboolean
orrery_columns_measure (GArray *places, guint begin, guint *width)
{
  *width = 0;
  for (guint i = begin; i < places->len; i++) {
    OrreryColumnPlace *place = &g_array_index (places, OrreryColumnPlace, i);

    if (place->buffer != NULL)
      place->width = MIN (count_doubles (*place->buffer), G_MAXINT);
    if (place->width == 0)
      return FALSE;
    *width += place->width;
  }
  return TRUE;
}

void
orrery_columns_read (GArray *places, double *row)
{
  for (guint i = 0; i < places->len; i++) {
    const OrreryColumnPlace *place = &g_array_index (places, OrreryColumnPlace, i);

    if (place->buffer == NULL) {
      *row++ = orrery_number_place_get (&place->number);
      continue;
    }
    const gsize n = MIN (count_doubles (*place->buffer), place->width);

    if (n > 0)
      memcpy (row, orrery_buffer_get_data (*place->buffer), n * sizeof (double));
    for (gsize k = n; k < place->width; k++)
      row[k] = NAN;
    row += place->width;
  }
}

int
orrery_columns_check (GArray *places, const double *row)
{
  for (guint i = 0; i < places->len; i++) {
    const OrreryFieldType type = g_array_index (places, OrreryColumnPlace, i).number.type;

    if (!isfinite (row[i]) ||
        (type == ORRERY_FIELD_INT64 && (row[i] != rint (row[i]) || fabs (row[i]) > MAX_WHOLE)))
      return (int) i;
  }
  return -1;
}

void
orrery_columns_write (GArray *places, const double *row)
{
  for (guint i = 0; i < places->len; i++) {
    const OrreryNumberPlace *number = &g_array_index (places, OrreryColumnPlace, i).number;

    switch (number->type) {
    case ORRERY_FIELD_DOUBLE:
      *(double *) number->place = row[i];
      break;
    case ORRERY_FIELD_INT64:
      *(gint64 *) number->place = (gint64) row[i];
      break;
    case ORRERY_FIELD_BOOL:
      *(OrreryBool *) number->place = row[i] != 0;
      break;
    default: /* orrery_vector_new() takes no others */
      break;
    }
  }
}
