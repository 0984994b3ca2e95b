/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/orrery-buffer.h"

#include <string.h>

static void
test_shapes (void)
{
  gsize shape[4] = { 2, 3, 4, 5 };

  g_test_summary ("every element type and number of dimensions has its size, zeroed and aligned");
  for (int element = ORRERY_ELEMENT_UINT8; element <= ORRERY_ELEMENT_DOUBLE; element++)
    for (guint n = 1; n <= 4; n++) {
      g_autoptr (OrreryBuffer) buffer = orrery_buffer_new (element, n, shape);
      gsize expected = orrery_element_get_size (element);

      for (guint i = 0; i < n; i++) {
        expected *= shape[i];
        g_assert_cmpuint (orrery_buffer_get_length (buffer, i), ==, shape[i]);
      }
      g_assert_cmpuint (orrery_buffer_get_length (buffer, n), ==, 0);
      g_assert_cmpuint (orrery_buffer_get_size (buffer), ==, expected);
      g_assert_cmpuint (orrery_buffer_get_n_dimensions (buffer), ==, n);
      g_assert_cmpint (orrery_buffer_get_element (buffer), ==, element);
      guint8 *bytes = orrery_buffer_get_data (buffer);
      g_assert_cmpuint (orrery_buffer_get_address (buffer) % 64, ==, 0);
      g_assert_true ((guintptr) bytes == orrery_buffer_get_address (buffer));
      for (gsize i = 0; i < expected; i++)
        g_assert_cmpuint (bytes[i], ==, 0);
      memset (bytes, 0xff, expected);
    }
}

static void
test_elements (void)
{
  static const gsize sizes[] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };
  OrreryElement element, untouched = ORRERY_ELEMENT_INT16;

  g_test_summary ("element types have a size and a name that leads back");
  for (int i = ORRERY_ELEMENT_UINT8; i <= ORRERY_ELEMENT_DOUBLE; i++) {
    g_assert_cmpuint (orrery_element_get_size (i), ==, sizes[i]);
    g_assert_true (orrery_element_from_name (orrery_element_get_name (i), &element));
    g_assert_cmpint (element, ==, i);
  }
  g_assert_cmpstr (orrery_element_get_name (ORRERY_ELEMENT_FLOAT), ==, "float32");
  g_assert_false (orrery_element_from_name ("float", &untouched));
  g_assert_cmpint (untouched, ==, ORRERY_ELEMENT_INT16);
}

static void
refuse_shape (OrreryElement element, gsize a, gsize b, gsize c)
{
  gsize shape[] = { a, b, c };

  g_assert_null (orrery_buffer_new (element, 3, shape));
  g_assert_null (orrery_buffer_new_wrapped (element, 3, shape, shape, NULL, NULL));
}

static void
test_too_large (void)
{
  gsize shape[] = { G_MAXSIZE, 0, G_MAXSIZE };

  g_test_summary ("a size that overflows is refused, an empty one with long sides is not");
  refuse_shape (ORRERY_ELEMENT_UINT8, G_MAXSIZE, 1, 1);
  refuse_shape (ORRERY_ELEMENT_UINT8, G_MAXSSIZE, 1, 1);
  refuse_shape (ORRERY_ELEMENT_DOUBLE, G_MAXSIZE / 8 + 1, 1, 1);
  refuse_shape (ORRERY_ELEMENT_UINT8, G_MAXSIZE / 2, 2, 2);
  refuse_shape (ORRERY_ELEMENT_UINT16, (gsize) 1 << 32, (gsize) 1 << 31, 1);
  g_autoptr (OrreryBuffer) empty = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 3, shape);
  g_assert_nonnull (empty);
  g_assert_cmpuint (orrery_buffer_get_size (empty), ==, 0);
#ifndef __SANITIZE_ADDRESS__
  /* more than any machine has, though it fits in a number; the sanitizer would end the program */
  shape[0] = (gsize) 1 << 60;
  g_assert_null (orrery_buffer_new (ORRERY_ELEMENT_UINT8, 1, shape));
#endif
}

static void
count_free (gpointer counter)
{
  ++*(int *) counter;
}

static void
test_wrapped (void)
{
  double numbers[6] = { 1, 2, 3, 4, 5, 6 };
  gsize shape[] = { 2, 3 };
  int freed = 0;

  g_test_summary ("wrapped bytes are used where they lie and given back once");
  OrreryBuffer *buffer =
      orrery_buffer_new_wrapped (ORRERY_ELEMENT_DOUBLE, 2, shape, numbers, count_free, &freed);
  g_assert_true (orrery_buffer_get_data (buffer) == numbers);
  g_assert_cmpuint (orrery_buffer_get_size (buffer), ==, sizeof numbers);
  g_assert_true (orrery_buffer_is_writable (buffer));
  orrery_buffer_ref (buffer);
  g_assert_false (orrery_buffer_is_writable (buffer));
  orrery_buffer_unref (buffer);
  g_assert_cmpint (freed, ==, 0);
  g_assert_true (orrery_buffer_is_writable (buffer));
  orrery_buffer_unref (buffer);
  g_assert_cmpint (freed, ==, 1);
}

static gpointer
ref_many_times (gpointer buffer)
{
  for (int i = 0; i < 20000; i++) {
    orrery_buffer_ref (buffer);
    orrery_buffer_unref (buffer);
  }
  orrery_buffer_unref (buffer);
  return NULL;
}

static void
test_threads (void)
{
  double number = 0;
  int freed = 0;
  GThread *threads[4];

  g_test_summary ("references may be taken and dropped on any thread");
  OrreryBuffer *buffer = orrery_buffer_new_wrapped (ORRERY_ELEMENT_DOUBLE, 1, (gsize[]){ 1 },
                                                    &number, count_free, &freed);
  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("ref", ref_many_times, orrery_buffer_ref (buffer));
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  g_assert_true (orrery_buffer_is_writable (buffer));
  orrery_buffer_unref (buffer);
  g_assert_cmpint (freed, ==, 1);
}

static void
test_equal (void)
{
  gsize flat[] = { 6 }, square[] = { 2, 3 };
  g_autoptr (OrreryBuffer) a = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 1, flat);
  g_autoptr (OrreryBuffer) b = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 1, flat);
  g_autoptr (OrreryBuffer) shaped = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 2, square);
  g_autoptr (OrreryBuffer) typed = orrery_buffer_new (ORRERY_ELEMENT_INT32, 1, flat);

  g_test_summary ("equal is the same type, shape and bytes");
  g_assert_true (orrery_buffer_equal (a, b));
  g_assert_false (orrery_buffer_equal (a, shaped));
  g_assert_false (orrery_buffer_equal (a, typed));
  ((float *) orrery_buffer_get_data (b))[5] = 1;
  g_assert_false (orrery_buffer_equal (a, b));
}

static void
test_array (void)
{
  double values[] = { 1, 2, 3, 4 };
  OrreryArray array = { NULL };
  const double *got;
  gsize n = 9;

  g_test_summary ("an array is written in place while it is the field's alone");
  g_assert_null (orrery_array_get (&array, &n));
  g_assert_cmpuint (n, ==, 0);
  orrery_array_set (&array, values, 4);
  OrreryBuffer *first = array.buffer;
  values[0] = 7;
  orrery_array_set (&array, values, 4);
  g_assert_true (array.buffer == first);
  got = orrery_array_get (&array, &n);
  g_assert_cmpmem (got, n * sizeof *got, values, sizeof values);

  /* a view keeps what it saw */
  g_autoptr (OrreryBuffer) view = orrery_buffer_ref (array.buffer);
  values[0] = 8;
  orrery_array_set (&array, values, 4);
  g_assert_true (array.buffer != view);
  g_assert_cmpfloat (((double *) orrery_buffer_get_data (view))[0], ==, 7);
  g_assert_cmpfloat (orrery_array_get (&array, NULL)[0], ==, 8);

  /* values out of the array itself, in place and with another size */
  orrery_array_set (&array, orrery_array_get (&array, NULL) + 1, 3);
  got = orrery_array_get (&array, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (got[0], ==, 2);
  orrery_array_set (&array, NULL, 0);
  g_assert_null (array.buffer);
}

static void
test_prepare (void)
{
  OrreryArray array = { NULL };
  OrreryPoints points = { NULL };

  g_test_summary ("room for writing stays the same room until somebody holds it");
  double *room = orrery_array_prepare (&array, 100);
  room[99] = 1;
  g_assert_true (orrery_array_prepare (&array, 100) == room);
  g_autoptr (OrreryBuffer) view = orrery_buffer_ref (array.buffer);
  g_assert_true (orrery_array_prepare (&array, 100) != room);
  g_assert_cmpfloat (room[99], ==, 1);
  room = orrery_array_prepare (&array, 100);
  g_assert_null (orrery_array_prepare (&array, G_MAXSIZE / 4));
  g_assert_true (orrery_array_prepare (&array, 100) == room);
  g_assert_null (orrery_array_prepare (&array, 0));
  g_assert_null (array.buffer);

  room = orrery_points_prepare (&points, 5);
  room[14] = 2;
  g_assert_true (orrery_points_prepare (&points, 5) == room);
  g_assert_null (orrery_points_prepare (&points, 0));
}

static void
test_points (void)
{
  double xyz[] = { 1, 2, 3, 4, 5, 6 };
  OrreryPoints points = { NULL };
  gsize n = 9;

  g_test_summary ("points are n x 3 doubles");
  g_assert_null (orrery_points_get (&points, &n));
  orrery_points_set (&points, xyz, 2);
  OrreryBuffer *first = points.buffer;
  orrery_points_set (&points, xyz, 2);
  g_assert_true (points.buffer == first);
  g_assert_cmpuint (orrery_buffer_get_length (points.buffer, 1), ==, 3);
  g_assert_cmpmem (orrery_points_get (&points, &n), sizeof xyz, xyz, sizeof xyz);
  g_assert_cmpuint (n, ==, 2);
  orrery_points_set (&points, xyz, 1);
  orrery_points_get (&points, &n);
  g_assert_cmpuint (n, ==, 1);
  orrery_points_set (&points, NULL, 0);
  g_assert_null (points.buffer);
}

static void
test_wrong_use (void)
{
  gsize shape[5] = { 1, 1, 1, 1, 1 };
  g_autoptr (OrreryBuffer) bytes = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 1, shape);
  OrreryArray array = { bytes };
  gsize n;

  g_test_summary ("no dimension, too many, no element type, or bytes as doubles: the caller's bug");
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*n_dimensions*");
  g_assert_null (orrery_buffer_new (ORRERY_ELEMENT_UINT8, 0, shape));
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*n_dimensions*");
  g_assert_null (orrery_buffer_new (ORRERY_ELEMENT_UINT8, 5, shape));
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*is_element*");
  g_assert_null (orrery_buffer_new (ORRERY_ELEMENT_DOUBLE + 1, 1, shape));
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*ORRERY_ELEMENT_DOUBLE*");
  g_assert_null (orrery_array_get (&array, &n));
  g_test_assert_expected_messages ();
}

static void
test_boxed (void)
{
  g_autoptr (OrreryBuffer) buffer = orrery_buffer_new (ORRERY_ELEMENT_INT8, 1, (gsize[]){ 3 });
  g_auto (GValue) value = G_VALUE_INIT;

  g_test_summary ("boxed, a copy is a reference");
  g_value_init (&value, ORRERY_TYPE_BUFFER);
  g_value_set_boxed (&value, buffer);
  g_assert_true (g_value_get_boxed (&value) == buffer);
  g_assert_false (orrery_buffer_is_writable (buffer));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/buffer/shapes", test_shapes);
  g_test_add_func ("/buffer/elements", test_elements);
  g_test_add_func ("/buffer/too-large", test_too_large);
  g_test_add_func ("/buffer/wrapped", test_wrapped);
  g_test_add_func ("/buffer/threads", test_threads);
  g_test_add_func ("/buffer/equal", test_equal);
  g_test_add_func ("/buffer/array", test_array);
  g_test_add_func ("/buffer/prepare", test_prepare);
  g_test_add_func ("/buffer/points", test_points);
  g_test_add_func ("/buffer/wrong-use", test_wrong_use);
  g_test_add_func ("/buffer/boxed", test_boxed);
  return g_test_run ();
}
