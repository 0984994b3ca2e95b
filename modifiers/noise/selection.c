/* SPDX-License-Identifier: BSD-3-Clause */
/* Which fields of a record a noise modifier changes. */
#include "selection.h"

#include <math.h>
#include <string.h>

/* Doubles within which every whole number is one of theirs. */
#define MOST_WHOLE 0x1p53

typedef struct {
  OrreryRecord *record;
  OrrerySensor *sensor; /* or NULL */
  SelectionKinds kinds;
  GPtrArray *values; /* (element-type double) */
  GPtrArray *fields; /* (element-type OrreryField), of the values */
  GPtrArray *turns;  /* (element-type OrreryQuat) */
  GArray *wholes;    /* (element-type Whole) */
  GArray *targets;   /* (element-type Target) */
} Found;

static const char *const vec3_axes[] = { "x", "y", "z", NULL };
static const char *const euler_axes[] = { "roll", "pitch", "yaw", NULL };
static const char *const point_parts[] = { "x", "y", "z", "range", "depth", NULL };

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

static gpointer
get_place (Found *found, const OrreryField *field)
{
  return orrery_record_find (found->record, field->name, field->type);
}

/* --- single numbers --- */

static void
add_value (Found *found, const OrreryField *field, double *value)
{
  g_ptr_array_add (found->values, value);
  g_ptr_array_add (found->fields, (gpointer) field);
}

static void
add_values (Found *found, const OrreryField *field, double *values, guint n)
{
  for (guint i = 0; i < n; i++)
    add_value (found, field, values + i);
}

static void
add_whole (Found *found, const OrreryField *field)
{
  Whole whole = { get_place (found, field), g_new0 (double, 1) };

  g_array_append_val (found->wholes, whole);
  add_value (found, field, whole.value);
}

static void
add_turn (Found *found, const OrreryField *field)
{
  g_ptr_array_add (found->turns, get_place (found, field));
  add_values (found, field, get_place (found, field), 4);
}

/* Returns whether the field holds numbers at a place of their own. */
static gboolean
add_doubles (Found *found, const OrreryField *field)
{
  gpointer place = get_place (found, field);

  switch (field->type) {
  case ORRERY_FIELD_DOUBLE:
    add_value (found, field, place);
    return TRUE;
  case ORRERY_FIELD_VEC3:
  case ORRERY_FIELD_EULER:
    for (guint i = 0; i < 3; i++)
      add_value (found, field, get_axis (place, field->type, i));
    return TRUE;
  case ORRERY_FIELD_MAT3:
    add_values (found, field, place, 9);
    return TRUE;
  case ORRERY_FIELD_MAT4:
    add_values (found, field, place, 16);
    return TRUE;
  case ORRERY_FIELD_QUAT:
    if (found->kinds != SELECT_DOUBLES)
      add_turn (found, field);
    return found->kinds != SELECT_DOUBLES;
  case ORRERY_FIELD_INT64:
    if (found->kinds != SELECT_DOUBLES)
      add_whole (found, field);
    return found->kinds != SELECT_DOUBLES;
  default:
    return FALSE;
  }
}

/* --- many numbers --- */

static gboolean
is_cloud (const OrreryField *field)
{
  return field->type == ORRERY_FIELD_POINTS ||
         (field->type == ORRERY_FIELD_BUFFER && g_str_has_suffix (field->name, "points"));
}

/* Returns whether the field is of a type that holds many numbers. */
static gboolean
add_target (Found *found, const OrreryField *field, TargetPart part)
{
  Target target = { .field = field, .is_cloud = is_cloud (field), .part = part };
  gpointer place = get_place (found, field);

  switch (field->type) {
  case ORRERY_FIELD_ARRAY:
    target.place = &((OrreryArray *) place)->buffer;
    break;
  case ORRERY_FIELD_POINTS:
    target.place = &((OrreryPoints *) place)->buffer;
    break;
  case ORRERY_FIELD_BUFFER:
    target.place = place;
    break;
  case ORRERY_FIELD_VARIANT:
    target.variant = place;
    break;
  default:
    return FALSE;
  }
  if (found->kinds == SELECT_EVERYTHING)
    g_array_append_val (found->targets, target);
  return found->kinds == SELECT_EVERYTHING;
}

/* --- by name --- */

static void
set_no_field (OrreryRecord *record, const char *name, GError **error)
{
  g_autofree const char **names = orrery_schema_get_names (orrery_record_get_schema (record));
  g_autofree char *nearest = orrery_nearest_names (name, names);

  orrery_set_error (error, ORRERY_ERROR_CONFIG, "the record has no field '%.60s'%s", name, nearest);
}

static int
find_name (const char *const *names, const char *name)
{
  for (int i = 0; names != NULL && names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return i;
  return -1;
}

static gboolean
add_axis (Found *found, const OrreryField *field, const char *axis, GError **error)
{
  int of_vector = find_name (get_axes (field->type), axis);
  int of_points = is_cloud (field) ? find_name (point_parts, axis) : -1;

  if (of_points >= 0 && add_target (found, field, TARGET_X + of_points))
    return TRUE;
  if (of_vector < 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "the field '%s', of type %s, has no '%.60s'%s", field->name,
                             orrery_field_type_get_name (field->type), axis,
                             is_cloud (field) && of_points < 0
                                 ? "; points have x, y, z, range, depth"
                                 : "");
  add_value (found, field, get_axis (get_place (found, field), field->type, (guint) of_vector));
  return TRUE;
}

static gboolean
refuse (const OrreryField *field, SelectionKinds kinds, GError **error)
{
  if (field->type == ORRERY_FIELD_RECORD)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "the field '%s' is the record of that sensor: alter that one",
                             field->name);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "the field '%s' is of type %s; this works on double, vec3, euler%s",
                           field->name, orrery_field_type_get_name (field->type),
                           kinds == SELECT_EVERYTHING ? ", array, points, buffer and other numbers"
                           : kinds == SELECT_NUMBERS  ? " and other single numbers"
                                                      : " and matrices");
}

static gboolean
add_name (Found *found, const char *name, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (found->record);
  const OrreryField *field = orrery_schema_find_field (schema, name);
  const char *dot = strrchr (name, '.');

  if (field == NULL && dot != NULL) {
    g_autofree char *stem = g_strndup (name, (gsize) (dot - name));

    field = orrery_schema_find_field (schema, stem);
    if (field != NULL)
      return add_axis (found, field, dot + 1, error);
  }
  if (field == NULL) {
    set_no_field (found->record, name, error);
    return FALSE;
  }
  return add_doubles (found, field) || add_target (found, field, TARGET_ALL) ||
         refuse (field, found->kinds, error);
}

static gboolean
add_names (Found *found, const char *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", 0);

  for (guint i = 0; names[i] != NULL; i++)
    if (!add_name (found, g_strstrip (names[i]), error))
      return FALSE;
  return TRUE;
}

/* --- without a name --- */

/* Counts, orientations and matrices of a camera are no measurements of a unit: who wants noise on
 * them names them. */
static gboolean
is_measured (Found *found, const OrreryField *field)
{
  OrreryFieldLimits limits = { .follows = FALSE };

  if (found->sensor != NULL)
    orrery_sensor_get_limits (found->sensor, field, &limits);
  return !limits.follows && field->type != ORRERY_FIELD_INT64 && field->type != ORRERY_FIELD_QUAT &&
         field->type != ORRERY_FIELD_MAT3 && field->type != ORRERY_FIELD_MAT4 &&
         field->type != ORRERY_FIELD_VARIANT;
}

static gboolean
add_all (Found *found, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (found->record);
  gboolean any = FALSE;

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    if (is_measured (found, field))
      any |= add_doubles (found, field) || add_target (found, field, TARGET_ALL);
  }
  if (!any)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the record has no field to work on: none of type double, vec3, euler%s",
                      found->kinds == SELECT_EVERYTHING ? ", array, points or buffer" : "");
  return any;
}

gboolean
selection_find (Selection *self, OrreryRecord *record, OrrerySensor *sensor, const char *names,
                SelectionKinds kinds, GError **error)
{
  Found found = { .record = record,
                  .sensor = sensor,
                  .kinds = kinds,
                  .values = g_ptr_array_new (),
                  .fields = g_ptr_array_new (),
                  .turns = g_ptr_array_new (),
                  .wholes = g_array_new (FALSE, FALSE, sizeof (Whole)),
                  .targets = g_array_new (FALSE, FALSE, sizeof (Target)) };
  gboolean fine = *names != '\0' ? add_names (&found, names, error) : add_all (&found, error);

  selection_clear (self);
  self->n_values = found.values->len;
  self->n_turns = found.turns->len;
  self->n_wholes = found.wholes->len;
  self->n_targets = found.targets->len;
  self->values = (double **) g_ptr_array_free (found.values, FALSE);
  self->fields = (const OrreryField **) g_ptr_array_free (found.fields, FALSE);
  self->turns = (OrreryQuat **) g_ptr_array_free (found.turns, FALSE);
  self->wholes = (Whole *) (gpointer) g_array_free (found.wholes, FALSE);
  self->targets = (Target *) (gpointer) g_array_free (found.targets, FALSE);
  return fine;
}

void
selection_clear (Selection *self)
{
  for (guint i = 0; i < self->n_wholes; i++)
    g_free (self->wholes[i].value);
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->fields, g_free);
  g_clear_pointer (&self->turns, g_free);
  g_clear_pointer (&self->wholes, g_free);
  g_clear_pointer (&self->targets, g_free);
  self->n_values = self->n_turns = self->n_wholes = self->n_targets = 0;
}

/* --- in a step --- */

void
selection_open (Selection *self)
{
  for (guint i = 0; i < self->n_wholes; i++)
    *self->wholes[i].value = (double) *self->wholes[i].place;
}

void
selection_close (Selection *self)
{
  for (guint i = 0; i < self->n_wholes; i++) {
    double value = *self->wholes[i].value;

    if (value != (double) *self->wholes[i].place && !isnan (value))
      *self->wholes[i].place = (gint64) rint (CLAMP (value, -MOST_WHOLE, MOST_WHOLE));
  }
  for (guint i = 0; i < self->n_turns; i++)
    orrery_quat_normalise (self->turns[i]);
}
