/* SPDX-License-Identifier: BSD-3-Clause */
/* Record fields made of numbers: scalars, times, vectors, rotations and matrices. */
#include "record/orrery-field-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-random.h"

#include <math.h>
#include <string.h>

/* --- numbers --- */

static guint64
hash_bool (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  return orrery_hash_word (hash, *(const OrreryBool *) field);
}

static GVariant *
bool_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  return g_variant_new_boolean (*(const OrreryBool *) field);
}

static gboolean
bool_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return orrery_field_refuse ("a truth value", value, error);
  *(OrreryBool *) field = g_variant_get_boolean (value);
  return TRUE;
}

static double
bool_to_double (gconstpointer field)
{
  return *(const OrreryBool *) field;
}

static guint64
hash_int64 (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  return orrery_hash_word (hash, (guint64) * (const gint64 *) field);
}

static GVariant *
int64_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  return g_variant_new_int64 (*(const gint64 *) field);
}

static gboolean
int64_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  gint64 integer;

  if (!orrery_field_read_integer (value, &integer, error))
    return FALSE;
  *(gint64 *) field = integer;
  return TRUE;
}

static double
int64_to_double (gconstpointer field)
{
  return (double) *(const gint64 *) field;
}

/* Of all types that are nothing but doubles */
static guint64
hash_doubles (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  const double *numbers = field;

  for (gsize i = 0; i < klass->size / sizeof *numbers; i++)
    hash = orrery_hash_double (hash, numbers[i]);
  return hash;
}

static GVariant *
double_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  return g_variant_new_double (*(const double *) field);
}

static gboolean
double_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  double number;

  if (!orrery_field_read_double (value, &number, error))
    return FALSE;
  *(double *) field = number;
  return TRUE;
}

static double
double_to_double (gconstpointer field)
{
  return *(const double *) field;
}

static guint64
hash_time (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  /* As unsigned numbers, for which overflow is defined. */
  return orrery_hash_word (hash, (guint64) ((const OrreryStamp *) field)->ns - (guint64) start);
}

static double
time_to_double (gconstpointer field)
{
  return orrery_time_to_seconds (((const OrreryStamp *) field)->ns);
}

static GVariant *
time_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  return g_variant_new_double (time_to_double (field));
}

static gboolean
time_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  double seconds;

  if (!orrery_field_read_double (value, &seconds, error))
    return FALSE;
  if (fabs (seconds) > 9.2e9)
    return orrery_field_refuse_value ("a time within +-9.2e9 s", value, error);
  ((OrreryStamp *) field)->ns = orrery_time_from_seconds (seconds);
  return TRUE;
}

const OrreryFieldClass orrery_bool_field_class = {
  .name = "bool",
  PLACE (OrreryBool),
  .hash = hash_bool,
  .to_variant = bool_to_variant,
  .from_variant = bool_from_variant,
  .to_double = bool_to_double,
};

const OrreryFieldClass orrery_int64_field_class = {
  .name = "int64",
  PLACE (gint64),
  .hash = hash_int64,
  .to_variant = int64_to_variant,
  .from_variant = int64_from_variant,
  .to_double = int64_to_double,
};

const OrreryFieldClass orrery_double_field_class = {
  .name = "double",
  PLACE (double),
  .hash = hash_doubles,
  .to_variant = double_to_variant,
  .from_variant = double_from_variant,
  .to_double = double_to_double,
};

const OrreryFieldClass orrery_time_field_class = {
  .name = "time",
  PLACE (OrreryStamp),
  .hash = hash_time,
  .to_variant = time_to_variant,
  .from_variant = time_from_variant,
  .to_double = time_to_double,
};

/* --- vectors, rotations, matrices --- */

static GVariant *
vec3_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  const OrreryVec3 *v = field;

  return g_variant_new ("(ddd)", v->x, v->y, v->z);
}

static GVariant *
members_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sd}"));
  for (guint i = 0; i < klass->n_members; i++) {
    const OrreryFieldMember *member = &klass->members[i];

    g_variant_builder_add (&builder, "{sd}", member->name,
                           *(const double *) ((const char *) field + member->offset));
  }
  return g_variant_builder_end (&builder);
}

static gboolean
refuse_members (const OrreryFieldClass *klass, GVariant *value, GError **error)
{
  g_autoptr (GString) needed = g_string_new ("a dictionary with exactly");

  for (guint i = 0; i < klass->n_members; i++)
    g_string_append_printf (needed, "%s %s", i > 0 ? "," : "", klass->members[i].name);
  return orrery_field_refuse (needed->str, value, error);
}

static gboolean
read_member (const OrreryFieldMember *member, GVariant *value, gpointer field, GError **error)
{
  g_autoptr (GVariant) number = g_variant_lookup_value (value, member->name, NULL);

  if (number == NULL)
    return orrery_fail (error, ORRERY_ERROR_INVALID, "no key %s", member->name);
  if (!orrery_field_read_double (number, (double *) ((char *) field + member->offset), error))
    return orrery_fail_at (error, "%s: ", member->name);
  return TRUE;
}

static gboolean
members_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value,
                      GError **error)
{
  double numbers[4];

  g_assert (klass->size <= sizeof numbers);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}")) ||
      g_variant_n_children (value) != klass->n_members)
    return refuse_members (klass, value, error);
  for (guint i = 0; i < klass->n_members; i++)
    if (!read_member (&klass->members[i], value, numbers, error))
      return FALSE;
  memcpy (field, numbers, klass->size);
  return TRUE;
}

static gboolean
vec3_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  double numbers[3];

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY))
    return members_from_variant (klass, field, value, error);
  if (!orrery_field_is_list (value) || g_variant_n_children (value) != G_N_ELEMENTS (numbers))
    return orrery_field_refuse ("a list of three numbers", value, error);
  if (!orrery_field_read_list (value, numbers, G_N_ELEMENTS (numbers), error))
    return FALSE;
  memcpy (field, numbers, sizeof numbers);
  return TRUE;
}

static gsize
matrix_side (const OrreryFieldClass *klass)
{
  return klass->size == sizeof (OrreryMat3) ? 3 : 4;
}

static GVariant *
matrix_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  return orrery_field_rows_to_variant (field, matrix_side (klass), matrix_side (klass));
}

static gboolean
matrix_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  gsize side = matrix_side (klass);
  OrreryMat4 room;

  if (!orrery_field_is_list (value) || g_variant_n_children (value) != side)
    return orrery_field_refuse (side == 3 ? "three rows of three numbers"
                                          : "four rows of four numbers",
                                value, error);
  if (!orrery_field_read_rows (value, room.m, side, side, error))
    return FALSE;
  memcpy (field, room.m, klass->size);
  return TRUE;
}

static const OrreryFieldMember vec3_members[] = {
  { "x", offsetof (OrreryVec3, x) },
  { "y", offsetof (OrreryVec3, y) },
  { "z", offsetof (OrreryVec3, z) },
};

static const OrreryFieldMember euler_members[] = {
  { "yaw", offsetof (OrreryEuler, yaw) },
  { "pitch", offsetof (OrreryEuler, pitch) },
  { "roll", offsetof (OrreryEuler, roll) },
};

static const OrreryFieldMember quat_members[] = {
  { "x", offsetof (OrreryQuat, x) },
  { "y", offsetof (OrreryQuat, y) },
  { "z", offsetof (OrreryQuat, z) },
  { "w", offsetof (OrreryQuat, w) },
};

const OrreryFieldClass orrery_vec3_field_class = {
  .name = "vec3",
  PLACE (OrreryVec3),
  MEMBERS (vec3_members),
  .hash = hash_doubles,
  .to_variant = vec3_to_variant,
  .from_variant = vec3_from_variant,
};

const OrreryFieldClass orrery_euler_field_class = {
  .name = "euler",
  PLACE (OrreryEuler),
  MEMBERS (euler_members),
  .hash = hash_doubles,
  .to_variant = members_to_variant,
  .from_variant = members_from_variant,
};

const OrreryFieldClass orrery_quat_field_class = {
  .name = "quat",
  PLACE (OrreryQuat),
  MEMBERS (quat_members),
  .hash = hash_doubles,
  .to_variant = members_to_variant,
  .from_variant = members_from_variant,
};

const OrreryFieldClass orrery_mat3_field_class = {
  .name = "mat3",
  PLACE (OrreryMat3),
  .hash = hash_doubles,
  .to_variant = matrix_to_variant,
  .from_variant = matrix_from_variant,
};

const OrreryFieldClass orrery_mat4_field_class = {
  .name = "mat4",
  PLACE (OrreryMat4),
  .hash = hash_doubles,
  .to_variant = matrix_to_variant,
  .from_variant = matrix_from_variant,
};
