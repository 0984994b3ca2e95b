/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-error.h"
#include "record/orrery-expression.h"

#include <math.h>
#include <string.h>

typedef struct {
  OrreryBool flag;
  gint64 count;
  double x;
  OrreryStamp when;
  OrreryText words;
  OrreryVec3 place;
  OrreryEuler turn;
  OrreryArray ranges;
  OrreryBuffer *image;
  OrreryPoints points;
} Data;

static const OrreryField fields[] = {
  ORRERY_FIELD (Data, flag, "", ""),  ORRERY_FIELD (Data, count, "", ""),
  ORRERY_FIELD (Data, x, "", ""),     ORRERY_FIELD (Data, when, "", ""),
  ORRERY_FIELD (Data, words, "", ""), ORRERY_FIELD (Data, place, "", ""),
  ORRERY_FIELD (Data, turn, "", ""),  ORRERY_FIELD (Data, ranges, "", ""),
  ORRERY_FIELD (Data, image, "", ""), ORRERY_FIELD (Data, points, "", ""),
};

typedef struct {
  OrreryRecord *record;
  Data *data;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (fields, G_N_ELEMENTS (fields), sizeof (Data));

  fixture->record = orrery_record_new (schema);
  fixture->data = orrery_record_data (fixture->record);
  fixture->data->flag = TRUE;
  fixture->data->count = 7;
  fixture->data->x = 0.5;
  fixture->data->when.ns = 1500000000;
  fixture->data->place = (OrreryVec3){ 2, 3, 6 };
  fixture->data->turn.yaw = 0.25;
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  g_clear_pointer (&fixture->record, orrery_record_unref);
}

static OrreryRecord *
find (const char *name, gpointer user_data)
{
  return g_str_equal (name, "robot.part") || g_str_equal (name, "robot-1.or") ? user_data : NULL;
}

static OrreryExpression *
compile (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;
  OrreryExpression *expression = orrery_expression_new (text, find, fixture->record, &error);

  g_assert_no_error (error);
  return expression;
}

static double
evaluate (Fixture *fixture, const char *text)
{
  g_autoptr (OrreryExpression) expression = compile (fixture, text);

  g_assert_true (isnan (orrery_expression_get_value (expression)));
  return orrery_expression_step (expression, 4);
}

static void
test_values (Fixture *fixture, gconstpointer user_data)
{
  static const struct {
    const char *text;
    double value;
  } cases[] = {
    { "1", 1 },
    { " 2.5e-1 ", 0.25 },
    { ".5", 0.5 },
    { "3.", 3 },
    { "1 + 2 * 3", 7 },
    { "(1 + 2) * 3", 9 },
    { "7 - 2 - 1", 4 },
    { "8 / 4 / 2", 1 },
    { "-2 * -3", 6 },
    { "1 - -+1", 2 },
    { "1 < 2", 1 },
    { "2 <= 2 and 2 >= 2", 1 },
    { "1 == 2 or 1 != 2", 1 },
    { "1 > 2", 0 },
    { "not 1 > 2 and not 0", 1 },
    { "1 or 0 and 0", 1 },
    { "not 3", 0 },
    { "0 / 0 or 0", 0 },
    { "not (0 / 0)", 1 },
    { "0 / 0 == 0 / 0", 0 },
    { "abs(-2) + sqrt(16)", 6 },
    { "min(3, 1, 2) + max(3, 1, 2) * 10", 31 },
    { "hypot(3, 4)", 5 },
    { "norm(-2)", 2 },
    { "norm(2, 3, 6)", 7 },
    { "clip(5, 0, 2) + clip(-5, -1, 2) * 10 + clip(1, 0, 2) * 100", 92 },
    { "sin(pi / 2) + cos(0)", 2 },
    { "time", 4 },
    { "robot.part.x", 0.5 },
    { "robot.part.flag + robot.part.count", 8 },
    { "robot.part.when", 1.5 },
    { "robot.part.place.y", 3 },
    { "robot.part.turn.yaw", 0.25 },
    { "norm(robot.part.place)", 7 },
    { "norm(robot.part.place.x, robot.part.place.y, 6)", 7 },
    { "norm(robot.part.place.x - 2)", 0 },
    { "'robot-1.or.place.z'", 6 },
  };

  g_test_summary ("operators, functions and fields have the values and the order of arithmetic");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    double value = evaluate (fixture, cases[i].text);

    if (value != cases[i].value)
      g_error ("%s is %.17g, not %.17g", cases[i].text, value, cases[i].value);
  }
  g_assert_true (isnan (evaluate (fixture, "min(0 / 0, 1)")));
  g_assert_true (isnan (evaluate (fixture, "max(1, 0 / 0)")));
  g_assert_true (isnan (evaluate (fixture, "clip(0 / 0, 1, 2)")));
}

/* 4, 1, 3 and an image of two rows with 1, 2, 3 and 4, 5, 250 */
static void
fill_arrays (Fixture *fixture)
{
  static const double ranges[] = { 4, 1, 3 };
  static const guint8 pixels[] = { 1, 2, 3, 4, 5, 250 };
  const gsize n = G_N_ELEMENTS (ranges), shape[] = { 2, 3 };
  OrreryBuffer *buffer = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 1, &n);

  memcpy (orrery_buffer_get_data (buffer), ranges, sizeof ranges);
  memcpy (&fixture->data->ranges, &buffer, sizeof buffer);
  fixture->data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 2, shape);
  memcpy (orrery_buffer_get_data (fixture->data->image), pixels, sizeof pixels);
}

static void
test_arrays (Fixture *fixture, gconstpointer user_data)
{
  static const struct {
    const char *text;
    double value;
  } cases[] = {
    { "robot.part.ranges[0]", 4 },
    { "robot.part.ranges [ 2 ] * 2", 6 },
    { "robot.part.ranges[-1] + robot.part.ranges[-3]", 7 },
    { "robot.part.image[1, 2]", 250 },
    { "robot.part.image[-2,-3]", 1 },
    { "min(robot.part.ranges)", 1 },
    { "max(robot.part.ranges)", 4 },
    { "sum(robot.part.ranges)", 8 },
    { "mean(robot.part.ranges) * 3", 8 },
    { "count(robot.part.ranges)", 3 },
    { "count(robot.part.image)", 6 },
    { "max(robot.part.image)", 250 },
    { "min(robot.part.ranges, 0.5)", 0.5 },
    { "max(7, robot.part.ranges, robot.part.x)", 7 },
    { "sum(robot.part.ranges, robot.part.image)", 273 },
    { "min(robot.part.ranges[0], robot.part.x)", 0.5 },
    { "count(min(robot.part.ranges), 1)", 2 },
    { "count(min(robot.part.ranges))", 1 },
    { "mean(min(robot.part.ranges), 3)", 2 },
    { "max(sum(robot.part.ranges) - 1, mean(robot.part.ranges))", 7 },
    { "sum(1, 2, 3) + mean(2, 4) + count(1, 1)", 11 },
    { "max_over(min('robot-1.or.ranges'[1], 9))", 1 },
    { "count(robot.part.points)", 0 },
    { "sum(robot.part.points)", 0 },
  };
  static const char *const none[] = {
    "robot.part.ranges[3]",   "robot.part.ranges[-4]",   "robot.part.image[2, 0]",
    "robot.part.image[0, 3]", "robot.part.image[0]",     "robot.part.points[0, 0]",
    "min(robot.part.points)", "mean(robot.part.points)", "max(robot.part.points, 1)",
  };

  g_test_summary ("elements of arrays and what is said over all of them");
  fill_arrays (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    double value = evaluate (fixture, cases[i].text);

    if (value != cases[i].value)
      g_error ("%s is %.17g, not %.17g", cases[i].text, value, cases[i].value);
  }
  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    if (!isnan (evaluate (fixture, none[i])))
      g_error ("%s is a number", none[i]);
}

static void
test_arrays_change (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (OrreryExpression) least = compile (fixture, "min(robot.part.ranges)");
  g_autoptr (OrreryExpression) sum = compile (fixture, "sum(robot.part.ranges)");
  double *ranges;

  g_test_summary ("each tick reads the array that there is then; NaN in it stays");
  g_assert_true (isnan (orrery_expression_step (least, 0)));
  fill_arrays (fixture);
  g_assert_cmpfloat (orrery_expression_step (least, 0), ==, 1);
  ranges = orrery_buffer_get_data (*(OrreryBuffer **) (gpointer) &fixture->data->ranges);
  ranges[2] = -2;
  g_assert_cmpfloat (orrery_expression_step (least, 0), ==, -2);
  ranges[0] = NAN;
  g_assert_true (isnan (orrery_expression_step (least, 0)));
  g_assert_true (isnan (orrery_expression_step (sum, 0)));
}

static void
test_over_time (Fixture *fixture, gconstpointer user_data)
{
  static const double xs[] = { 4, 1, 7, 2 };
  static const struct {
    const char *text;
    double values[4];
  } cases[] = {
    { "first(robot.part.x)", { 4, 4, 4, 4 } },
    { "last(robot.part.x)", { 4, 1, 7, 2 } },
    { "min_over(robot.part.x)", { 4, 1, 1, 1 } },
    { "max_over(robot.part.x)", { 4, 4, 7, 7 } },
    { "mean_over(robot.part.x)", { 4, 2.5, 4, 3.5 } },
    { "max_over(abs(robot.part.x - first(robot.part.x)))", { 0, 3, 3, 3 } },
    { "max_over(robot.part.x > 6) and 1", { 0, 0, 1, 1 } },
    /* Both sides of `or` and `and` see every tick. */
    { "1 and min_over(robot.part.x) == 1", { 0, 1, 1, 1 } },
    { "max_over(robot.part.x / (robot.part.x != 1))", { 4, INFINITY, INFINITY, INFINITY } },
  };

  g_test_summary ("what is said over time sees each tick, and a reset forgets them");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OrreryExpression) expression = compile (fixture, cases[i].text);

    for (guint round = 0; round < 2; round++) {
      for (guint tick = 0; tick < G_N_ELEMENTS (xs); tick++) {
        fixture->data->x = xs[tick];
        g_assert_cmpfloat (orrery_expression_step (expression, 0), ==, cases[i].values[tick]);
        g_assert_cmpfloat (orrery_expression_get_value (expression), ==, cases[i].values[tick]);
      }
      orrery_expression_reset (expression);
      g_assert_true (isnan (orrery_expression_get_value (expression)));
    }
  }
}

static void
test_not_a_number_stays (Fixture *fixture, gconstpointer user_data)
{
  static const char *const texts[] = { "min_over(robot.part.x)", "max_over(robot.part.x)",
                                       "mean_over(robot.part.x)" };

  g_test_summary ("a tick without a number is not passed over in silence");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (OrreryExpression) expression = compile (fixture, texts[i]);

    fixture->data->x = 1;
    g_assert_false (isnan (orrery_expression_step (expression, 0)));
    fixture->data->x = NAN;
    g_assert_true (isnan (orrery_expression_step (expression, 0)));
    fixture->data->x = 1;
    g_assert_true (isnan (orrery_expression_step (expression, 0)));
  }
}

static void
test_record_outlives (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (OrreryExpression) expression = compile (fixture, "robot.part.x");

  g_test_summary ("an expression keeps the records that it reads");
  g_clear_pointer (&fixture->record, orrery_record_unref);
  g_assert_cmpfloat (orrery_expression_step (expression, 0), ==, 0.5);
}

static void
assert_refused (Fixture *fixture, const char *text, const char *begin, const char *words)
{
  g_autoptr (GError) error = NULL;
  OrreryExpression *expression = orrery_expression_new (text, find, fixture->record, &error);

  g_assert_null (expression);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  if (!g_str_has_prefix (error->message, begin) || strstr (error->message, words) == NULL)
    g_error ("'%s': %s; not '%s' and '%s'", text, error->message, begin, words);
}

static void
test_mistakes (Fixture *fixture, gconstpointer user_data)
{
  static const char *const cases[][3] = {
    { "", "column 1: ", "a value is missing" },
    { "1 +", "column 4: ", "a value is missing" },
    { "1 2", "column 3: ", "an operator" },
    { "(1", "column 3: ", "has to be closed" },
    { "1)", "column 2: ", "an operator" },
    { "abs(1", "column 6: ", "the parenthesis of abs() has to be closed" },
    { "abs()", "column 5: ", "here a value has to stand" },
    { "abs(1, 2)", "column 1: ", "takes 1 argument, not 2" },
    { "1 + clip(1)", "column 5: ", "takes 3 arguments, not 1" },
    { "mim(1)", "column 1: ", "did you mean min" },
    { "norm(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", "column 1: ", "at most 16" },
    { "1 < 2 < 3", "column 7: ", "write a < b and b < c" },
    { "1 = 2", "column 3: ", "an operator" },
    { "3x", "column 1: ", "goes on with 'x'" },
    { "1..2", "column 1: ", "goes on with '.'" },
    { ".", "column 1: ", "a point alone" },
    { "2 * 1e999", "column 5: ", "too large" },
    { "x", "column 1: ", "COMPONENT.FIELD" },
    { "robot.pose.x", "column 1: ", "no such component" },
    { "1 + robot.part.z", "column 5: ", "no field 'z'" },
    { "robot.part.words", "column 1: ", "words is not a number" },
    { "robot.part.place", "column 1: ", "name a part of it" },
    { "robot.part.place.w", "column 1: ", "place.w is not a number" },
    { "robot.part.x.y", "column 1: ", "x.y is not a number" },
    { "robot.part.x.", "column 1: ", "ends in a point" },
    { "robot.part", "column 1: ", "robot.part is a component" },
    { "'robot.part.x", "column 1: ", "never closed" },
    { "'\303\244' + $", "column 1: ", "no such component" },
    { "(1) + (\303\244)", "column 8: ", "a value has to stand" },
    { "abs(1) \303\244\303\244", "column 8: ", "an operator" },
    { "\377", "column 1: ", "not UTF-8" },
    { "notrue.x", "column 1: ", "no such component" },
    { "robot.part.ranges", "column 1: ", "write ranges[0] or one of min()" },
    { "abs(robot.part.ranges)", "column 5: ", "many numbers" },
    { "max(robot.part.ranges + 1)", "column 5: ", "many numbers" },
    { "max(abs(robot.part.ranges), 1)", "column 9: ", "many numbers" },
    { "norm(robot.part.ranges)", "column 6: ", "many numbers" },
    { "mean(robot.part.ranges, 1)", "column 1: ", "one array alone" },
    { "1 + count(1, robot.part.image)", "column 5: ", "one array alone" },
    { "robot.part.ranges[]", "column 19: ", "an index" },
    { "robot.part.ranges[x]", "column 19: ", "an index" },
    { "robot.part.ranges[0", "column 20: ", "the bracket has to be closed" },
    { "robot.part.ranges[0.5]", "column 20: ", "the bracket has to be closed" },
    { "robot.part.ranges[99999999999999999999]", "column 19: ", "an index" },
    { "robot.part.ranges[0, 1]", "column 1: ", "ranges has 1 index, not 2" },
    { "robot.part.points[0]", "column 1: ", "points has 2 indexes, not 1" },
    { "robot.part.image[0,0,0,0,0]", "column 26: ", "more than 4 indexes" },
    { "robot.part.x[0]", "column 13: ", "an operator" },
    { "robot.part.ranges.x", "column 1: ", "ranges.x is not a number" },
  };

  g_test_summary ("what is wrong is told with its column");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_refused (fixture, cases[i][0], cases[i][1], cases[i][2]);
}

/* @n copies of @part, and then @last */
static char *
repeat (const char *part, guint n, const char *last)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
  g_string_append (text, last);
  return g_string_free (text, FALSE);
}

static void
test_limits (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *deep = repeat ("(", 64, "1");
  g_autofree char *signs = repeat ("-", 64, "1");
  g_autofree char *good = repeat ("-", 62, "1");
  g_autofree char *nots = repeat ("not ", 64, "1");
  g_autofree char *longest = repeat ("1+", 511, "1");
  g_autofree char *longer = repeat ("1+", 512, "1");
  g_autofree char *bytes = repeat (" ", 4096, "1");

  g_test_summary ("length, depth and number of operations have limits");
  g_assert_cmpfloat (evaluate (fixture, good), ==, 1);
  g_assert_cmpfloat (evaluate (fixture, longest), ==, 512);
  assert_refused (fixture, deep, "column 65: ", "nested more than 64 deep");
  assert_refused (fixture, signs, "column 65: ", "nested more than 64 deep");
  assert_refused (fixture, nots, "column 256: ", "nested more than 64 deep");
  assert_refused (fixture, longer, "column 1026: ", "more than 1024");
  assert_refused (fixture, bytes, "column 1: ", "more than 4096 bytes");
}

#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("/expression/values", test_values);
  ADD ("/expression/arrays", test_arrays);
  ADD ("/expression/arrays-change", test_arrays_change);
  ADD ("/expression/over-time", test_over_time);
  ADD ("/expression/not-a-number-stays", test_not_a_number_stays);
  ADD ("/expression/record-outlives", test_record_outlives);
  ADD ("/expression/mistakes", test_mistakes);
  ADD ("/expression/limits", test_limits);
  return g_test_run ();
}
