/* SPDX-License-Identifier: BSD-3-Clause */
/* In steady state a tick of physics allocates nothing. */
#include "../allocations.h"
#include "scene.h"

#include <stdlib.h>

GType orrery_bullet_get_type (void);

/* Allocations of 300 ticks of ten robots that drive in circles, @apart m from each other. */
static guint
count (double apart, gboolean allocate)
{
  g_autoptr (Scene) scene = scene_new (orrery_bullet_get_type (), "empty");
  OrreryObject *robots[10];
  guint before = 0;

  for (guint i = 0; i < G_N_ELEMENTS (robots); i++) {
    g_autofree char *name = g_strdup_printf ("robot%u", i);
    robots[i] = scene_add_robot (scene, name, "atrv", apart * (i % 4), apart * (i / 4.0), 0);
  }
  scene_build (scene);
  for (int t = 0; t < 900; t++) {
    if (t == 600)
      before = n_allocations;
    for (guint i = 0; i < G_N_ELEMENTS (robots); i++)
      scene_drive (scene, robots[i], 0.5, 0.6);
    scene_tick (scene);
    if (allocate)
      g_free (g_malloc (100));
  }
  return n_allocations - before;
}

static void
test_steady (void)
{
  if (!CAN_COUNT) {
    g_test_skip ("the sanitizer has the allocator");
    return;
  }
  g_assert_cmpuint (count (3, FALSE), ==, 0);
  g_assert_cmpuint (count (3, TRUE), >=, 300);
}

/* Robots that push each other come and go: pairs may be new, but not in each tick. */
static void
test_touching (void)
{
  if (CAN_COUNT)
    g_assert_cmpuint (count (1, FALSE), <, 30);
  else
    g_test_skip ("the sanitizer has the allocator");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  is_counting = TRUE;
  g_test_add_func ("/physics/steady/apart", test_steady);
  g_test_add_func ("/physics/steady/touching", test_touching);
  return g_test_run ();
}
