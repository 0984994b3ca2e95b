/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulation beside the loops of a program: its ticks are one task of the program's scheduler.
 * What follows simulated time is the same in each run, what follows the loop's clock is not. The
 * same as embed.py.
 *
 *   cc embed.c $(pkg-config --cflags --libs orrery-1) -o embed
 *   ./embed rounds.json
 */
#include <orrery.h>
#include <stdio.h>

typedef struct {
  OrrerySimulation *simulation;
  guint n_shown;
} Program;

/* Every second of simulated time, at the same ticks in each run; at the third it ends the run. */
static OrreryNext
inspect (OrreryTask *task, gpointer data, GError **error)
{
  Program *program = data;

  printf ("%.2f s: tick %u\n", orrery_simulation_get_time (program->simulation) * 1e-9,
          (guint) orrery_simulation_get_n_ticks (program->simulation));
  if (++program->n_shown < 4)
    return orrery_next_period_seconds (1.0);
  orrery_simulation_quit (program->simulation);
  return orrery_next_done ();
}

/* A loop of the program's own, between two ticks whenever it is due; it ends with the simulation.
 */
static OrreryNext
watch (OrreryTask *task, gpointer data, GError **error)
{
  Program *program = data;

  if (orrery_simulation_is_quitting (program->simulation)) {
    printf ("the loop saw the end\n");
    return orrery_next_done ();
  }
  return orrery_next_sleep_seconds (0.01);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (OrreryOptions) options =
      g_object_new (ORRERY_TYPE_OPTIONS, "pacing", ORRERY_PACING_FAST, "offline", TRUE, NULL);
  g_autoptr (OrreryScheduler) scheduler = orrery_scheduler_new (NULL, NULL);
  Program program = { 0 };

  program.simulation =
      orrery_simulation_load_with_options (registry, argc > 1 ? argv[1] : "rounds.json", options,
                                           &error);
  if (program.simulation == NULL) {
    fprintf (stderr, "embed: %s\n", error->message);
    return 1;
  }
  orrery_scheduler_add (orrery_simulation_get_tasks (program.simulation), "inspect", inspect,
                        &program, NULL);
  orrery_scheduler_add (scheduler, "watch", watch, &program, NULL);
  orrery_simulation_attach (program.simulation, scheduler);
  orrery_scheduler_run (scheduler);
  orrery_simulation_close (program.simulation);
  g_object_unref (program.simulation);
  return orrery_scheduler_get_n_failed (scheduler) > 0;
}
