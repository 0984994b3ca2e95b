/* SPDX-License-Identifier: BSD-3-Clause */
/* Which fields of a record a noise modifier changes. */
#include "selection.h"

#include <string.h>

typedef struct {
  GPtrArray *values;
  GPtrArray *arrays;
} Found;

static const char *const vec3_axes[] = { "x", "y", "z", NULL };
static const char *const euler_axes[] = { "roll", "pitch", "yaw", NULL };

static const char *const *
get_axes (OrreryFieldType type)
{
  switch (type) {
  case ORRERY_FIELD_VEC3:
    return vec3_axes;
  case ORRERY_FIELD_EULER:
    return euler_axes;
  default:
    return NULL;
  }
}

static double *
get_axis (gpointer field, OrreryFieldType type, guint axis)
{
  OrreryVec3 *v = field;
  OrreryEuler *e = field;

  if (type == ORRERY_FIELD_VEC3)
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
  return axis == 0 ? &e->roll : axis == 1 ? &e->pitch : &e->yaw;
}

/* Returns whether the field is of a type that holds numbers to work on. */
static gboolean
add_field (Found *found, OrreryRecord *record, const OrreryField *field, gboolean arrays)
{
  gpointer place = orrery_record_find (record, field->name, field->type);

  switch (field->type) {
  case ORRERY_FIELD_DOUBLE:
    g_ptr_array_add (found->values, place);
    return TRUE;
  case ORRERY_FIELD_VEC3:
  case ORRERY_FIELD_EULER:
    for (guint i = 0; i < 3; i++)
      g_ptr_array_add (found->values, get_axis (place, field->type, i));
    return TRUE;
  case ORRERY_FIELD_ARRAY:
    if (arrays)
      g_ptr_array_add (found->arrays, &((OrreryArray *) place)->buffer);
    return arrays;
  case ORRERY_FIELD_POINTS:
    if (arrays)
      g_ptr_array_add (found->arrays, &((OrreryPoints *) place)->buffer);
    return arrays;
  default:
    return FALSE;
  }
}

static void
set_no_field (OrreryRecord *record, const char *name, GError **error)
{
  g_autofree const char **names = orrery_schema_get_names (orrery_record_get_schema (record));
  g_autofree char *nearest = orrery_nearest_names (name, names);

  orrery_set_error (error, ORRERY_ERROR_CONFIG, "the record has no field '%.60s'%s", name, nearest);
}

static gboolean
add_axis (Found *found, OrreryRecord *record, const OrreryField *field, const char *axis,
          GError **error)
{
  const char *const *axes = get_axes (field->type);

  for (guint i = 0; axes != NULL && axes[i] != NULL; i++) {
    if (!g_str_equal (axes[i], axis))
      continue;
    g_ptr_array_add (found->values, get_axis (orrery_record_find (record, field->name, field->type),
                                              field->type, i));
    return TRUE;
  }
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "the field '%s', of type %s, has no '%.60s'",
                           field->name, orrery_field_type_get_name (field->type), axis);
}

static gboolean
add_name (Found *found, OrreryRecord *record, const char *name, gboolean arrays, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  const OrreryField *field = orrery_schema_find_field (schema, name);
  const char *dot = strrchr (name, '.');

  if (field == NULL && dot != NULL) {
    g_autofree char *stem = g_strndup (name, (gsize) (dot - name));

    field = orrery_schema_find_field (schema, stem);
    if (field != NULL)
      return add_axis (found, record, field, dot + 1, error);
  }
  if (field == NULL) {
    set_no_field (record, name, error);
    return FALSE;
  }
  if (add_field (found, record, field, arrays))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "the field '%s' is of type %s; this works on double, vec3, euler%s",
                           field->name, orrery_field_type_get_name (field->type),
                           arrays ? ", array and points" : "");
}

static gboolean
add_names (Found *found, OrreryRecord *record, const char *text, gboolean arrays, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", 0);

  for (guint i = 0; names[i] != NULL; i++)
    if (!add_name (found, record, g_strstrip (names[i]), arrays, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_all (Found *found, OrreryRecord *record, gboolean arrays, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  gboolean any = FALSE;

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++)
    any |= add_field (found, record, orrery_schema_get_field (schema, i), arrays);
  if (!any)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the record has no field to work on: none of type double, vec3, euler%s",
                      arrays ? ", array or points" : "");
  return any;
}

gboolean
selection_find (Selection *self, OrreryRecord *record, const char *names, gboolean arrays,
                GError **error)
{
  Found found = { g_ptr_array_new (), g_ptr_array_new () };
  gboolean fine = *names != '\0' ? add_names (&found, record, names, arrays, error)
                                 : add_all (&found, record, arrays, error);

  selection_clear (self);
  self->n_values = found.values->len;
  self->n_arrays = found.arrays->len;
  self->values = (double **) g_ptr_array_free (found.values, FALSE);
  self->arrays = (OrreryBuffer ***) g_ptr_array_free (found.arrays, FALSE);
  return fine;
}

void
selection_clear (Selection *self)
{
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->arrays, g_free);
  self->n_values = self->n_arrays = 0;
}

static OrreryBuffer *
copy_buffer (OrreryBuffer *buffer)
{
  guint n = orrery_buffer_get_n_dimensions (buffer);
  gsize shape[2] = { 0 };
  OrreryBuffer *copy;

  for (guint i = 0; i < MIN (n, 2); i++)
    shape[i] = orrery_buffer_get_length (buffer, i);
  copy = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, n, shape);
  if (copy != NULL && orrery_buffer_get_size (copy) > 0)
    memcpy (orrery_buffer_get_data (copy), orrery_buffer_get_data (buffer),
            orrery_buffer_get_size (copy));
  return copy;
}

double *
selection_get_array (Selection *self, guint index, gsize *n)
{
  OrreryBuffer **place = self->arrays[index];

  *n = 0;
  if (*place == NULL)
    return NULL;
  if (!orrery_buffer_is_writable (*place)) {
    OrreryBuffer *copy = copy_buffer (*place);

    if (copy == NULL)
      return NULL;
    orrery_buffer_unref (*place);
    *place = copy;
  }
  *n = orrery_buffer_get_size (*place) / sizeof (double);
  return orrery_buffer_get_data (*place);
}
