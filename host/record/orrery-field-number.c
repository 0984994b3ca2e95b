/* SPDX-License-Identifier: BSD-3-Clause */
/* Record fields made of numbers: scalars, times, vectors, rotations and matrices. */
#include "record/orrery-field-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message-private.h"
#include "base/orrery-random.h"

#include <math.h>
#include <string.h>

#define MAX_SECONDS 9.2e9

/* --- bool --- */

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

static void
write_bool (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  orrery_writer_append_text (writer, *(const OrreryBool *) field ? "true" : "false");
}

static gboolean
take_bool (const OrreryFieldClass *klass, OrreryTake *take, gpointer field)
{
  if (!orrery_take_token (take, ORRERY_JSON_BOOL, "a bool"))
    return FALSE;
  *(OrreryBool *) field = take->json.boolean;
  return TRUE;
}

/* Any byte other than 0 becomes 1. */
static gboolean
read_flat_bool (const OrreryFieldClass *klass, OrreryFlatReader *reader, gpointer field)
{
  const guint8 *byte = orrery_flat_look (reader, sizeof (OrreryBool));

  if (byte != NULL && reader->writes)
    *(OrreryBool *) field = *byte != 0;
  return byte != NULL;
}

const OrreryFieldClass orrery_bool_field_class = {
  .name = "bool",
  PLACE (OrreryBool),
  .hash = hash_bool,
  .to_variant = bool_to_variant,
  .from_variant = bool_from_variant,
  .to_double = bool_to_double,
  .write_json = write_bool,
  .take_plain = take_bool,
  .read_flat = read_flat_bool,
};

/* --- int64 --- */

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
  return orrery_field_read_integer (value, field, error);
}

static double
int64_to_double (gconstpointer field)
{
  return (double) *(const gint64 *) field;
}

static void
write_int64 (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  orrery_writer_append_int (writer, *(const gint64 *) field);
}

static gboolean
take_int64 (const OrreryFieldClass *klass, OrreryTake *take, gpointer field)
{
  return orrery_take_int (take, orrery_json_next (&take->json), field);
}

const OrreryFieldClass orrery_int64_field_class = {
  .name = "int64",
  PLACE (gint64),
  .hash = hash_int64,
  .to_variant = int64_to_variant,
  .from_variant = int64_from_variant,
  .to_double = int64_to_double,
  .write_json = write_int64,
  .take_plain = take_int64,
};

/* --- double and time --- */

/* Of all types that are nothing but doubles */
static guint64
hash_doubles (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  const double *numbers = field;

  for (gsize i = 0; i < klass->size / sizeof *numbers; i++)
    hash = orrery_hash_double (hash, numbers[i]);
  return hash;
}

static double
double_to_double (gconstpointer field)
{
  return *(const double *) field;
}

static GVariant *
number_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  return g_variant_new_double (klass->to_double (field));
}

static gboolean
double_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  return orrery_field_read_double (value, field, error);
}

static void
write_number (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  orrery_writer_append_json_double (writer, klass->to_double (field));
}

static gboolean
take_double (const OrreryFieldClass *klass, OrreryTake *take, gpointer field)
{
  if (!orrery_take_check_number (take, orrery_json_next (&take->json)))
    return FALSE;
  *(double *) field = take->json.number;
  return TRUE;
}

const OrreryFieldClass orrery_double_field_class = {
  .name = "double",
  PLACE (double),
  .hash = hash_doubles,
  .to_variant = number_to_variant,
  .from_variant = double_from_variant,
  .to_double = double_to_double,
  .write_json = write_number,
  .take_plain = take_double,
};

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

static gboolean
time_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  double seconds;

  if (!orrery_field_read_double (value, &seconds, error))
    return FALSE;
  if (fabs (seconds) > MAX_SECONDS)
    return orrery_field_refuse_value ("a time within +-9.2e9 s", value, error);
  ((OrreryStamp *) field)->ns = orrery_time_from_seconds (seconds);
  return TRUE;
}

static gboolean
take_time (const OrreryFieldClass *klass, OrreryTake *take, gpointer field)
{
  double seconds;

  if (!take_double (klass, take, &seconds))
    return FALSE;
  if (fabs (seconds) > MAX_SECONDS)
    return orrery_take_fail (take, "a time beyond +-%g seconds", MAX_SECONDS);
  ((OrreryStamp *) field)->ns = orrery_time_from_seconds (seconds);
  return TRUE;
}

const OrreryFieldClass orrery_time_field_class = {
  .name = "time",
  PLACE (OrreryStamp),
  .hash = hash_time,
  .to_variant = number_to_variant,
  .from_variant = time_from_variant,
  .to_double = time_to_double,
  .write_json = write_number,
  .take_plain = take_time,
};

/* --- angles and quaternions: each number under its name --- */

static inline double *
get_member (gconstpointer field, const OrreryFieldMember *member)
{
  return (double *) ((char *) field + member->offset);
}

static GVariant *
members_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sd}"));
  for (guint i = 0; i < klass->n_members; i++) {
    const OrreryFieldMember *member = &klass->members[i];

    g_variant_builder_add (&builder, "{sd}", member->name, *get_member (field, member));
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
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "no key %s", member->name);
  if (!orrery_field_read_double (number, get_member (field, member), error))
    return orrery_prefix_error (error, "%s: ", member->name);
  return TRUE;
}

static gboolean
members_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value,
                      GError **error)
{
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}")) ||
      g_variant_n_children (value) != klass->n_members)
    return refuse_members (klass, value, error);
  for (guint i = 0; i < klass->n_members; i++)
    if (!read_member (&klass->members[i], value, field, error))
      return FALSE;
  return TRUE;
}

static void
write_members (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  orrery_writer_append_char (writer, '{');
  for (guint i = 0; i < klass->n_members; i++) {
    orrery_json_write_separator (writer, i);
    orrery_json_write_key (writer, klass->members[i].name);
    orrery_writer_append_json_double (writer, *get_member (field, &klass->members[i]));
  }
  orrery_writer_append_char (writer, '}');
}

static int
find_member (const OrreryJson *json, const OrreryFieldClass *klass)
{
  for (guint i = 0; i < klass->n_members; i++) {
    const char *name = klass->members[i].name;

    if (strlen (name) == json->length && memcmp (name, json->text, json->length) == 0)
      return (int) i;
  }
  return -1;
}

/* What an object has besides is ignored. */
static gboolean
take_members (const OrreryFieldClass *klass, OrreryTake *take, gpointer field)
{
  OrreryJsonToken token;
  guint found = 0;

  if (!orrery_take_token (take, ORRERY_JSON_OBJECT, "an object"))
    return FALSE;
  while ((token = orrery_json_next (&take->json)) == ORRERY_JSON_KEY) {
    int i = find_member (&take->json, klass);

    if (i < 0) {
      orrery_reader_note_unknown (take->reader, take->json.text, take->json.length);
      if (!orrery_json_skip (&take->json, orrery_json_next (&take->json)))
        return orrery_take_fail_json (take);
    } else if (!take_double (klass, take, get_member (field, &klass->members[i]))) {
      return orrery_prefix_error (take->error, "%s: ", klass->members[i].name);
    } else {
      found |= 1u << i;
    }
  }
  if (token == ORRERY_JSON_ERROR)
    return orrery_take_fail_json (take);
  for (guint i = 0; i < klass->n_members; i++)
    if ((found >> i & 1) == 0)
      return orrery_take_fail (take, "an object without %s", klass->members[i].name);
  return TRUE;
}

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

#define NAMED(title, Type, table)                                                                  \
  .name = title, PLACE (Type), MEMBERS (table), .hash = hash_doubles,                              \
  .to_variant = members_to_variant, .from_variant = members_from_variant,                          \
  .write_json = write_members, .take_plain = take_members

const OrreryFieldClass orrery_euler_field_class = { NAMED ("euler", OrreryEuler, euler_members) };
const OrreryFieldClass orrery_quat_field_class = { NAMED ("quat", OrreryQuat, quat_members) };

/* --- vectors and matrices: a list of numbers, or of rows of numbers --- */

static GVariant *
vec3_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  const OrreryVec3 *v = field;

  return g_variant_new ("(ddd)", v->x, v->y, v->z);
}

static GVariant *
rows_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  return orrery_field_rows_to_variant (field, klass->rows, klass->columns);
}

static gboolean
list_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  gsize n = klass->rows > 0 ? klass->rows : klass->columns;

  if (klass->members != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY))
    return members_from_variant (klass, field, value, error);
  if (!orrery_field_is_list (value) || g_variant_n_children (value) != n)
    return orrery_field_refuse (klass->needed, value, error);
  return klass->rows > 0 ? orrery_field_read_rows (value, field, n, klass->columns, error)
                         : orrery_field_read_list (value, field, n, error);
}

static void
write_list (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  if (klass->rows > 0)
    orrery_json_write_rows (writer, field, klass->rows, klass->columns);
  else
    orrery_json_write_numbers (writer, field, klass->columns);
}

static gboolean
take_list (const OrreryFieldClass *klass, OrreryTake *take, gpointer field)
{
  if (klass->rows > 0)
    return orrery_take_rows (take, field, klass->rows, klass->columns);
  return orrery_take_token (take, ORRERY_JSON_LIST, "a list") &&
         orrery_take_items (take, field, klass->columns);
}

#define LISTED(title, Type, n_rows, n_columns, words)                                              \
  .name = title, PLACE (Type), .rows = n_rows, .columns = n_columns, .needed = words,              \
  .hash = hash_doubles, .from_variant = list_from_variant, .write_json = write_list,               \
  .take_plain = take_list

static const OrreryFieldMember vec3_members[] = {
  { "x", offsetof (OrreryVec3, x) },
  { "y", offsetof (OrreryVec3, y) },
  { "z", offsetof (OrreryVec3, z) },
};

const OrreryFieldClass orrery_vec3_field_class = {
  LISTED ("vec3", OrreryVec3, 0, 3, "a list of three numbers"),
  MEMBERS (vec3_members),
  .to_variant = vec3_to_variant,
};

const OrreryFieldClass orrery_mat3_field_class = {
  LISTED ("mat3", OrreryMat3, 3, 3, "three rows of three numbers"),
  .to_variant = rows_to_variant,
};

const OrreryFieldClass orrery_mat4_field_class = {
  LISTED ("mat4", OrreryMat4, 4, 4, "four rows of four numbers"),
  .to_variant = rows_to_variant,
};
