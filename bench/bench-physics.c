/* SPDX-License-Identifier: BSD-3-Clause */
/* What a tick of physics costs, without the rest of the host: n ATRVs that drive arcs. */
#include "../tests/physics/scene.h"

#include <math.h>

/* ENGINE is bullet or mujoco: two modules do not go into one program. */
#define NAME_OF(engine) #engine
#define TYPE_OF(engine) orrery_##engine##_get_type
#define NAME(engine) NAME_OF (engine)
#define TYPE(engine) TYPE_OF (engine)

GType TYPE (ENGINE) (void);

/* ns of one robot and tick; @apart: m between neighbours; @share: of it inside the substeps */
static double
measure (guint n, double apart, guint ticks, double *share)
{
  g_autoptr (Scene) scene = scene_new (TYPE (ENGINE) (), "empty");
  g_autofree OrreryObject **robots = g_new (OrreryObject *, n);
  guint side = ceil (sqrt (n));
  gint64 start, inside = 0;

  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("robot%u", i);
    robots[i] = scene_add_robot (scene, name, "atrv", apart * (i % side - side / 2.0),
                                 apart * (i / side - side / 2.0), 0);
  }
  scene_build (scene);
  scene_run (scene, 0.5);

  start = g_get_monotonic_time ();
  for (guint t = 0; t < ticks; t++) {
    for (guint i = 0; i < n; i++)
      scene_drive (scene, robots[i], 0.5, 0.6);
    inside += scene_time_tick (scene);
  }
  *share = inside / (double) (g_get_monotonic_time () - start);
  return (g_get_monotonic_time () - start) * 1e3 / ticks / n;
}

static void
report (const char *name, guint n, double apart, guint ticks)
{
  double runs[5], share = 0;
  guint best = 0;

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++) {
    runs[i] = measure (n, apart, ticks, &share);
    best = runs[i] < runs[best] ? i : best;
  }
  g_print ("physics.%s.%u %.0f ns/robot-tick\n", name, n, runs[best]);
  g_print ("physics.%s.%u.inside %.3f share\n", name, n, share);
}

int
main (void)
{
  report (NAME (ENGINE) ".apart", 1, 3.5, 6000);
  report (NAME (ENGINE) ".apart", 10, 3.5, 1200);
  report (NAME (ENGINE) ".apart", 100, 3.5, 60);
  report (NAME (ENGINE) ".touching", 10, 1.0, 600);
  report (NAME (ENGINE) ".touching", 100, 1.0, 30);
  return 0;
}
