/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-types.h"

#include <math.h>

static void
test_text (void)
{
  OrreryText text = { NULL, 0 };

  g_test_summary ("a text grows, is written in place, and may be set to a part of itself");
  g_assert_cmpstr (orrery_text_get (&text), ==, "");
  orrery_text_set (&text, "Transit");
  const char *place = orrery_text_get (&text);
  orrery_text_set (&text, "Arrived");
  g_assert_true (orrery_text_get (&text) == place);
  g_assert_cmpstr (place, ==, "Arrived");
  orrery_text_set (&text, text.str + 3);
  g_assert_cmpstr (orrery_text_get (&text), ==, "ived");
  orrery_text_set (&text, "a text that does not fit into sixteen bytes");
  g_assert_cmpstr (orrery_text_get (&text), ==, "a text that does not fit into sixteen bytes");
  g_assert_cmpuint (text.allocated, >=, 44);
  orrery_text_set (&text, NULL);
  g_assert_cmpstr (orrery_text_get (&text), ==, "");
  g_free (text.str);
}

static void
test_time (void)
{
  g_test_summary ("seconds become the nearest nanosecond, also where a product would lose digits");
  g_assert_cmpint (orrery_time_from_seconds (0), ==, 0);
  g_assert_cmpint (orrery_time_from_seconds (1.5), ==, 1500000000);
  g_assert_cmpint (orrery_time_from_seconds (-1.5), ==, -1500000000);
  g_assert_cmpint (orrery_time_from_seconds (0.1), ==, 100000000);
  g_assert_cmpint (orrery_time_from_seconds (1e-9), ==, 1);
  g_assert_cmpint (orrery_time_from_seconds (0.4e-9), ==, 0);
  g_assert_cmpint (orrery_time_from_seconds (-0.6e-9), ==, -1);
  /* 1700000000.25 is a double; times 1e9 it needs 61 bits */
  g_assert_cmpint (orrery_time_from_seconds (1700000000.25), ==,
                   G_GINT64_CONSTANT (1700000000250000000));
  g_assert_cmpint (orrery_time_from_seconds (9.2e9), ==, G_GINT64_CONSTANT (9200000000000000000));
  g_assert_cmpfloat (orrery_time_to_seconds (1), ==, 1e-9);
  g_assert_cmpfloat (orrery_time_to_seconds (16666666), ==, 0.016666666);
  g_assert_cmpfloat (orrery_time_to_seconds (-1500000000), ==, -1.5);
  g_assert_cmpfloat (orrery_time_to_seconds (G_GINT64_CONSTANT (1700000000250000000)), ==,
                     1700000000.25);
}

static void
test_time_round_trip (void)
{
  g_test_summary ("within 2^53 ns a time survives the way to seconds and back");
  for (gint64 time = 1; time < (G_GINT64_CONSTANT (1) << 53); time += time / 3 + 7) {
    g_assert_cmpint (orrery_time_from_seconds (orrery_time_to_seconds (time)), ==, time);
    g_assert_cmpint (orrery_time_from_seconds (orrery_time_to_seconds (-time)), ==, -time);
  }
}

static void
refuse_seconds (double seconds)
{
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*fabs (seconds)*");
  g_assert_cmpint (orrery_time_from_seconds (seconds), ==, 0);
  g_test_assert_expected_messages ();
}

static void
test_time_range (void)
{
  g_test_summary ("a time that is none is the caller's bug");
  if (!g_test_undefined ()) {
    g_test_skip ("undefined behaviour is not tested");
    return;
  }
  refuse_seconds (G_MAXDOUBLE);
  refuse_seconds (-9.3e9);
  refuse_seconds (NAN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/types/text", test_text);
  g_test_add_func ("/types/time", test_time);
  g_test_add_func ("/types/time-round-trip", test_time_round_trip);
  g_test_add_func ("/types/time-range", test_time_range);
  return g_test_run ();
}
