/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-error.h"
#include "record/orrery-schema.h"

#include <string.h>

typedef struct {
  OrreryBool flag;
  gint64 count;
  double x;
  OrreryStamp time;
  OrreryText text;
  OrreryVec3 position;
  OrreryEuler angles;
  OrreryQuat rotation;
  OrreryMat3 intrinsic;
  OrreryMat4 pose;
  OrreryArray ranges;
  OrreryPoints points;
  OrreryBuffer *image;
  OrreryRecord *other;
  GVariant *anything;
} All;

static const OrreryField all_fields[] = {
  ORRERY_FIELD (All, flag, "", "flag"),         ORRERY_FIELD (All, count, "", "count"),
  ORRERY_FIELD (All, x, "m", "place"),          ORRERY_FIELD (All, time, "s", "time"),
  ORRERY_FIELD (All, text, "", "text"),         ORRERY_FIELD (All, position, "m", "position"),
  ORRERY_FIELD (All, angles, "rad", "angles"),  ORRERY_FIELD (All, rotation, "", "rotation"),
  ORRERY_FIELD (All, intrinsic, "", "matrix"),  ORRERY_FIELD (All, pose, "", "matrix"),
  ORRERY_FIELD (All, ranges, "m", "ranges"),    ORRERY_FIELD (All, points, "m", "points"),
  ORRERY_FIELD (All, image, "", "image"),       ORRERY_FIELD (All, other, "", "another record"),
  ORRERY_FIELD (All, anything, "", "anything"),
};

static void
test_types (void)
{
  g_test_summary ("the compiler finds the type of every member, and its size is the member's");
  for (guint i = 0; i < G_N_ELEMENTS (all_fields); i++) {
    const OrreryField *field = &all_fields[i];
    gsize end = i + 1 < G_N_ELEMENTS (all_fields) ? all_fields[i + 1].offset : sizeof (All);

    g_assert_cmpint (field->type, ==, ORRERY_FIELD_BOOL + i);
    g_assert_cmpuint (field->offset + orrery_field_type_get_size (field->type), <=, end);
    /* only the bool is followed by a gap */
    g_assert_cmpuint (end - field->offset - orrery_field_type_get_size (field->type), ==,
                      i == 0 ? 7 : 0);
    const char *name = orrery_field_type_get_name (field->type);
    g_assert_cmpint (orrery_field_type_from_name (name), ==, field->type);
  }
  g_assert_cmpint (orrery_field_type_from_name ("float"), ==, ORRERY_FIELD_NONE);
  g_assert_cmpint (orrery_field_type_from_name ("none"), ==, ORRERY_FIELD_NONE);
  g_assert_cmpstr (orrery_field_type_get_name (ORRERY_FIELD_NONE), ==, "none");
  g_assert_cmpuint (orrery_field_type_get_size (ORRERY_FIELD_NONE), ==, 0);
  g_assert_cmpuint (orrery_field_type_get_size (ORRERY_FIELD_VARIANT + 1), ==, 0);
}

static void
test_static (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (all_fields, G_N_ELEMENTS (all_fields), sizeof (All));
  g_autofree const char **names = orrery_schema_get_names (schema);
  g_autoptr (OrrerySchema) none = orrery_schema_new (NULL, 0, 0);

  g_test_summary ("a schema borrows a static table and finds fields by name");
  g_assert_cmpuint (orrery_schema_get_n_fields (schema), ==, 15);
  g_assert_cmpuint (orrery_schema_get_size (schema), ==, sizeof (All));
  g_assert_true (orrery_schema_get_field (schema, 3) == &all_fields[3]);
  g_assert_true (orrery_schema_find_field (schema, "rotation") == &all_fields[7]);
  g_assert_null (orrery_schema_find_field (schema, "rotatio"));
  g_assert_cmpuint (g_strv_length ((char **) names), ==, 15);
  g_assert_cmpstr (names[14], ==, "anything");
  g_assert_cmpuint (orrery_schema_get_n_fields (none), ==, 0);
  g_assert_null (orrery_schema_find_field (none, "x"));
}

static void
check_refused (const OrreryField *fields, guint n_fields, gsize size, const char *pattern)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_fields_check (fields, n_fields, size, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  if (!g_pattern_match_simple (pattern, error->message))
    g_test_fail_printf ("%s is not %s", error->message, pattern);
}

#define REFUSED(size, pattern, ...)                                                                \
  check_refused ((const OrreryField[]){ __VA_ARGS__ },                                             \
                 G_N_ELEMENTS (((const OrreryField[]){ __VA_ARGS__ })), size, pattern)

static void
test_refused (void)
{
  const OrreryField x = { "x", ORRERY_FIELD_DOUBLE, 0, "", "" };
  const OrreryField y = { "y", ORRERY_FIELD_DOUBLE, 8, "", "" };

  g_test_summary ("each rule for a table of fields that is broken is named");
  g_assert_true (orrery_fields_check ((const OrreryField[]){ y, x }, 2, 16, NULL));
  REFUSED (16, "field x: there are two*", x, { "x", ORRERY_FIELD_DOUBLE, 8, "", "" });
  REFUSED (16, "field 1: no name", x, { NULL, ORRERY_FIELD_DOUBLE, 8, "", "" });
  REFUSED (16, "field 1: no name", x, { "", ORRERY_FIELD_DOUBLE, 8, "", "" });
  REFUSED (16, "field 0: its name is not UTF-8", { "\xff", ORRERY_FIELD_DOUBLE, 8, "", "" });
  REFUSED (16, "field timestamp: *", { "timestamp", ORRERY_FIELD_TIME, 8, "", "" });
  REFUSED (16, "field y: 0 is no type", x, { "y", ORRERY_FIELD_NONE, 8, "", "" });
  REFUSED (16, "field y: 99 is no type", x, { "y", (OrreryFieldType) 99, 8, "", "" });
  REFUSED (15, "field y: no double at offset 8 of a struct of 15 bytes", x, y);
  REFUSED (8, "field y: no double at offset 8 *", x, y);
  REFUSED (32, "field y: no double at offset 12 *", x, { "y", ORRERY_FIELD_DOUBLE, 12, "", "" });
  REFUSED (16, "field y: no double at offset 4294967288 *", x,
           { "y", ORRERY_FIELD_DOUBLE, 0xfffffff8, "", "" });
  REFUSED (16, "field b: lies on field x", { "b", ORRERY_FIELD_BOOL, 7, "", "" }, x, y);
  REFUSED (16, "field y: no unit*", x, { "y", ORRERY_FIELD_DOUBLE, 8, NULL, "" });
  REFUSED (16, "field y: no unit*", x, { "y", ORRERY_FIELD_DOUBLE, 8, "", NULL });
  check_refused (&x, ORRERY_SCHEMA_MAX_FIELDS + 1, 16, "65537 fields, more than 65536");
}

static void
test_refused_is_a_bug (void)
{
  static const OrreryField fields[] = { { "x", ORRERY_FIELD_NONE, 0, "", "" } };

  g_test_summary ("a schema of a table that was not checked is the caller's bug");
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*field x: 0 is no type*");
  g_assert_null (orrery_schema_new (fields, 1, 8));
  g_test_assert_expected_messages ();
}

static GVariant *
describe_all (void)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ssss)"));
  for (guint i = 0; i < G_N_ELEMENTS (all_fields); i++)
    g_variant_builder_add (&builder, "(ssss)", all_fields[i].name,
                           orrery_field_type_get_name (all_fields[i].type), all_fields[i].unit,
                           all_fields[i].words);
  return g_variant_builder_end (&builder);
}

static void
test_from_variant (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySchema) schema = orrery_schema_new_from_variant (describe_all (), &error);

  g_test_summary ("a schema from a description is laid out as the compiler lays out a struct");
  g_assert_no_error (error);
  g_assert_cmpuint (orrery_schema_get_size (schema), ==, sizeof (All));
  for (guint i = 0; i < G_N_ELEMENTS (all_fields); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    g_assert_cmpstr (field->name, ==, all_fields[i].name);
    g_assert_true (field->name != all_fields[i].name);
    g_assert_cmpuint (field->offset, ==, all_fields[i].offset);
    g_assert_cmpint (field->type, ==, all_fields[i].type);
    g_assert_cmpstr (field->unit, ==, all_fields[i].unit);
    g_assert_cmpstr (field->words, ==, all_fields[i].words);
    g_assert_true (orrery_schema_find_field (schema, all_fields[i].name) == field);
  }
  /* what it describes passes the rules of a table, and describes itself again */
  g_assert_true (orrery_fields_check (orrery_schema_get_field (schema, 0), 15, sizeof (All), NULL));
  g_autoptr (GVariant) again = orrery_schema_to_variant (schema);
  g_autoptr (GVariant) before = g_variant_ref_sink (describe_all ());
  g_assert_true (g_variant_equal (again, before));
}

static void
refuse_description (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (orrery_schema_new_from_variant (g_variant_new_parsed (text), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_from_variant_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a wrong description is refused with the field and what there is");
  refuse_description ("[('x', 'doble', '', '')]", "field x: no type doble; did you mean double");
  refuse_description ("[('x', 'none', '', '')]",
                      "field x: no type none; there is: bool, int64, double, time, text, vec3, "
                      "euler, quat, ...");
  refuse_description ("[('x', 'bool', '', ''), ('x', 'bool', '', '')]",
                      "field x: there are two of that name");
  refuse_description ("[('', 'bool', '', '')]", "field 0: no name");
  refuse_description (
      "[('timestamp', 'time', '', '')]",
      "field timestamp: the name is reserved; the host sets the time of every sensor");
  refuse_description ("[('x', 'bool', '')]",
                      "a description of fields is an array of at most 65536 (name, type, unit, "
                      "words), a(ssss), not a(sss)");
  refuse_description ("5",
                      "a description of fields is an array of at most 65536 (name, type, unit, "
                      "words), a(ssss), not i");
  g_autoptr (OrrerySchema) none =
      orrery_schema_new_from_variant (g_variant_new_parsed ("@a(ssss) []"), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (orrery_schema_get_size (none), ==, 0);
}

static void
test_boxed (void)
{
  g_autoptr (OrrerySchema) schema = orrery_schema_new (all_fields, 1, sizeof (All));
  g_auto (GValue) value = G_VALUE_INIT;

  g_test_summary ("boxed, a copy is a reference");
  g_value_init (&value, ORRERY_TYPE_SCHEMA);
  g_value_set_boxed (&value, schema);
  g_assert_true (g_value_get_boxed (&value) == schema);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/schema/types", test_types);
  g_test_add_func ("/schema/static", test_static);
  g_test_add_func ("/schema/refused", test_refused);
  g_test_add_func ("/schema/refused-is-a-bug", test_refused_is_a_bug);
  g_test_add_func ("/schema/from-variant", test_from_variant);
  g_test_add_func ("/schema/from-variant-refused", test_from_variant_refused);
  g_test_add_func ("/schema/boxed", test_boxed);
  return g_test_run ();
}
