/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Scenes for benchmarks: written to a directory of their own, loaded by the real host, stepped. */

/* Text of a scene to which objects and entries are added. */
typedef struct {
  GString *objects;
  GString *modifiers;
  GString *streams;
  GString *add_ons; /* scripts of the program */
  GString *spawnables;
  GString *variations; /* entries of the key `randomisation` */
  const char *physics;
  guint n_threads; /* that sense; 0: one */
} BenchScene;

void bench_scene_init (BenchScene *scene, const char *physics);
/* Components that do nothing on one robot, with so many modifiers; codec: Idle, Chatty or NULL;
 * actuator: Actuator, Mover or NULL, one more. */
void bench_scene_add_idle (BenchScene *scene, guint n, guint n_modifiers, const char *codec,
                           const char *actuator);
/* One object, as JSON; commas are put between them. */
void bench_scene_add_object (BenchScene *scene, const char *format, ...) G_GNUC_PRINTF (2, 3);
void bench_scene_add_modifier (BenchScene *scene, const char *format, ...) G_GNUC_PRINTF (2, 3);
void bench_scene_add_script (BenchScene *scene, const char *format, ...) G_GNUC_PRINTF (2, 3);
void bench_scene_add_spawnable (BenchScene *scene, const char *format, ...) G_GNUC_PRINTF (2, 3);
void bench_scene_add_variation (BenchScene *scene, const char *format, ...) G_GNUC_PRINTF (2, 3);
void bench_scene_add_stream (BenchScene *scene, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Log to the standard error, beside the figures. GLib allows it only before there is a thread: for
 * programs that make one before they load a scene. */
void bench_begin_log (void);
/* Writes, loads and forgets it; time begins at 0, nothing listens. A mistake ends the program. */
OrrerySimulation *bench_scene_load (BenchScene *scene);
/* The same in steps, to load it several times. Returns: (transfer full): the path of its file,
 * which is in a directory of its own */
char *bench_scene_write (BenchScene *scene);
OrrerySimulation *bench_load (OrreryRegistry *registry, const char *path);
void bench_scene_remove (const char *path);

gint64 bench_now (void); /* ns */
/* ns of one tick, over so many. */
double bench_ticks (OrrerySimulation *simulation, guint n);
double bench_least (const double *values, guint n);
double bench_median (double *values, guint n);
void bench_print (const char *name, double value, const char *unit);
