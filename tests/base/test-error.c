/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-error.h"

#include <gio/gio.h>
#include <string.h>

static void
check_nearest (const char *name, const char *list, const char *expected)
{
  g_auto (GStrv) names = g_strsplit (list, " ", -1);
  g_autofree char *words = orrery_nearest_names (name, (const char *const *) names);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_exit_codes (void)
{
  static const struct {
    int code, exit_code;
  } cases[] = {
    { ORRERY_ERROR_CONFIG, 65 },    { ORRERY_ERROR_NO_FILE, 66 }, { ORRERY_ERROR_NOT_FOUND, 69 },
    { ORRERY_ERROR_PLUGIN, 69 },    { ORRERY_ERROR_INVALID, 65 }, { ORRERY_ERROR_BUSY, 70 },
    { ORRERY_ERROR_PREEMPTED, 70 }, { ORRERY_ERROR_STATE, 70 },   { ORRERY_ERROR_IO, 74 },
    { ORRERY_ERROR_INTERNAL, 70 },
  };

  g_test_summary ("each code of ours has the exit code of the documentation");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = g_error_new_literal (ORRERY_ERROR, cases[i].code, "x");

    g_assert_cmpint (orrery_error_get_exit_code (error), ==, cases[i].exit_code);
  }
  g_assert_cmpstr (g_quark_to_string (ORRERY_ERROR), ==, "orrery-error");
}

static void
check_real_error (GError *error, int exit_code)
{
  g_assert_nonnull (error);
  g_assert_cmpint (orrery_error_get_exit_code (error), ==, exit_code);
  g_error_free (error);
}

static void
test_foreign_domains (void)
{
  g_autoptr (GFile) none = g_file_new_for_path ("/nonexistent/file");
  g_autoptr (GFile) folder = g_file_new_for_path ("/");
  g_autoptr (GVariant) number = NULL;
  GError *error = NULL;

  g_test_summary ("errors of GLib and GIO, as they really come, have an exit code too");
  g_assert_false (g_file_get_contents ("/nonexistent/file", &(char *){ NULL }, NULL, &error));
  check_real_error (g_steal_pointer (&error), 66);
  g_assert_false (g_file_get_contents ("/", &(char *){ NULL }, NULL, &error));
  check_real_error (g_steal_pointer (&error), 74);
  g_assert_null (g_file_read (none, NULL, &error));
  check_real_error (g_steal_pointer (&error), 66);
  g_assert_false (g_file_load_contents (folder, NULL, &(char *){ NULL }, NULL, NULL, &error));
  check_real_error (g_steal_pointer (&error), 74);
  number = g_variant_parse (NULL, "{", NULL, NULL, &error);
  g_assert_null (number);
  check_real_error (g_steal_pointer (&error), 70);
}

static void
test_near (void)
{
  g_test_summary ("slips of the pen, exchanged letters and other cases are found, nearest first");
  check_nearest ("poze", "odometry pose gyroscope", "; did you mean pose");
  check_nearest ("opse", "odometry pose gyroscope", "; did you mean pose");
  check_nearest ("POSE", "odometry pose gyroscope", "; did you mean pose");
  check_nearest ("odometri", "odo odometry odometers", "; did you mean odometry, odometers or odo");
  check_nearest ("pose", "pise pase pose1 pse post", "; did you mean pise, pase or pose1");
  check_nearest ("pose", "pise Pose pase post", "; did you mean Pose, pise or pase");
  check_nearest ("pose", "pise pise pise post", "; did you mean pise or post");
}

static void
test_parts_of_names (void)
{
  g_test_summary ("the last dotted element and contained texts resemble; short ones do not");
  check_nearest ("Pose", "orrery.robots.atrv.ATRV orrery.sensors.pose.Pose",
                 "; did you mean orrery.sensors.pose.Pose");
  check_nearest ("robot.pose", "pose clock", "; did you mean pose");
  check_nearest ("frequency", "simulator_frequency scale", "; did you mean simulator_frequency");
  check_nearest ("or", "horizon corner", "; there is: horizon, corner");
  check_nearest ("q", "x y z", "; there is: x, y, z");
  check_nearest ("", "x y z", "; there is: x, y, z");
}

static void
test_listed (void)
{
  g_autofree char *nothing = orrery_nearest_names ("a", NULL);

  g_test_summary ("where nothing resembles, up to eight names are listed");
  g_assert_cmpstr (nothing, ==, "");
  check_nearest ("wheel", "", "");
  check_nearest ("wheel", "a b c d e f g h", "; there is: a, b, c, d, e, f, g, h");
  check_nearest ("wheel", "a b c d e f g h i j", "; there is: a, b, c, d, e, f, g, h, ...");
}

static void
test_long_names (void)
{
  g_autofree char *name = g_strnfill (1 << 20, 'a');
  g_autofree char *other = g_strnfill ((1 << 20) + 1, 'a');
  const char *names[] = { other, NULL };

  g_test_summary ("names of absurd length from outside cost no more than their length");
  g_autofree char *words = orrery_nearest_names (name, names);
  g_assert_true (g_str_has_prefix (words, "; there is: aaa"));
  g_assert_cmpuint (strlen (words), ==, strlen ("; there is: ") + strlen (other));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/error/exit-codes", test_exit_codes);
  g_test_add_func ("/error/foreign-domains", test_foreign_domains);
  g_test_add_func ("/error/near", test_near);
  g_test_add_func ("/error/parts-of-names", test_parts_of_names);
  g_test_add_func ("/error/listed", test_listed);
  g_test_add_func ("/error/long-names", test_long_names);
  return g_test_run ();
}
