/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* The camera of whoever looks on. */

#define IDENTITY                                                                                   \
  "[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]"
#define MOVED                                                                                      \
  "[[1.0, 0.0, 0.0, 7.0], [0.0, 1.0, 0.0, 8.0], [0.0, 0.0, 1.0, 9.0], [0.0, 0.0, 0.0, 1.0]]"

static void
test_camera (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'objects': []}"));

  g_test_summary ("what a viewer says of its camera is kept");
  orrery_test_assert_answer (sim, "simulation", "get_camarafp_transform", NULL, IDENTITY);
  orrery_test_assert_answer (sim, "simulation", "set_camarafp_transform", "(" MOVED ",)", MOVED);
  orrery_test_assert_answer (sim, "simulation", "get_camarafp_position", NULL, "[7.0, 8.0, 9.0]");
  orrery_test_assert_answer (sim, "simulation", "set_camarafp_position", "([1.0, 2.0, 3.0],)",
                             "[1.0, 2.0, 3.0]");
  orrery_test_assert_answer (sim, "simulation", "set_camarafp_projection_matrix", "(" MOVED ",)",
                             MOVED);
  orrery_test_assert_answer (sim, "simulation", "get_camarafp_projection_matrix", NULL, MOVED);
  orrery_test_assert_answer (sim, "simulation", "set_camarafp_transform", "([[1.0]],)", "fault 4");
  orrery_test_assert_answer (sim, "simulation", "set_camarafp_position", "([1.0, 2.0],)",
                             "fault 4");
  orrery_test_assert_answer (sim, "simulation", "set_camarafp_far_clip", "(50.0,)", "50.0");
  orrery_test_assert_answer (sim, "simulation", "set_camarafp_far_clip", "(-1.0,)", "0.0");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/simulation/viewer/camera", test_camera);
  return g_test_run ();
}
