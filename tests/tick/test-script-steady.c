/* SPDX-License-Identifier: BSD-3-Clause */
/* In steady state scripts cost the tick no allocation: a hundred of them, with all callbacks. */
#include "../allocations.h"
#include "../plugins/stage.h"

#include <stdlib.h>
#include <unistd.h>

#define N_OBJECTS 50
#define WARM_UP 100
#define WINDOW 100

/* --- the scene --- */

/* Boxes in a row, each of which touches the next; two scripts on each. */
static Stage *
load (const char *class)
{
  g_autoptr (GString) objects = g_string_new (NULL);
  g_autofree char *scene = NULL;

  for (guint i = 0; i < N_OBJECTS; i++)
    g_string_append_printf (
        objects,
        "%s{'name': 'o%u', 'position': [%f, 0, 0], 'body': {'type': 'rigid', 'mass': 1}, "
        "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], 'scripts': ["
        "{'type': 'child', 'classpath': 'probe.scripts.Mover'}, "
        "{'type': 'customization', 'classpath': '%s'}]}",
        i > 0 ? ", " : "", i, 0.99 * i, class);
  scene = stage_scene ("{'physics': 'orrery.physics.bullet.Bullet', 'gravity': [0, 0, 0]}", "",
                       objects->str);
  return stage_new (scene, NULL);
}

static guint
count (const char *class)
{
  g_autoptr (Stage) stage = load (class);
  guint least = G_MAXUINT;

  stage_step (stage, WARM_UP);
  /* Boxes that come to touch anew may find their lists too short, now and then. */
  for (guint i = 0; i < 10 && least > 0; i++) {
    n_allocations = 0;
    is_counting = TRUE;
    orrery_simulation_step (stage->simulation, WINDOW, NULL);
    is_counting = FALSE;
    g_test_message ("%u allocations in %u ticks", n_allocations, WINDOW);
    least = MIN (least, n_allocations);
  }
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), >=, WARM_UP + WINDOW);
  return least;
}

static void
test_steady (void)
{
  g_test_summary ("a hundred scripts, and no allocation");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL)
    g_test_skip ("allocations cannot be counted in this build");
  else
    g_assert_cmpuint (count ("probe.scripts.Probe"), ==, 0);
}

static void
test_wasteful (void)
{
  g_test_summary ("scripts that allocate are seen");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL)
    g_test_skip ("allocations cannot be counted in this build");
  else
    g_assert_cmpuint (count ("orrery.scripts.trace.Trace"), >=, WINDOW);
}

int
main (int argc, char **argv)
{
  /* GLib's own pools would hide what is allocated from them; it asks once, at the start. */
  if (g_setenv ("G_SLICE", "always-malloc", FALSE) && g_getenv ("TRIAL_STEADY") == NULL) {
    g_setenv ("TRIAL_STEADY", "1", TRUE);
    execv ("/proc/self/exe", argv);
  }
  stage_init (&argc, &argv);
  g_test_add_func ("/scripts/steady/no-allocation", test_steady);
  g_test_add_func ("/scripts/steady/scripts-that-allocate", test_wasteful);
  return g_test_run ();
}
