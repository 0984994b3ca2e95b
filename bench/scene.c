/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes scenes of parts that do nothing and times what the host takes for them. */
#include "scene.h"

#include <orrery-test.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void
fail (GError *error)
{
  fprintf (stderr, "%s\n", error->message);
  exit (EXIT_FAILURE);
}

void
bench_scene_init (BenchScene *scene, const char *physics)
{
  *scene = (BenchScene){ g_string_new (NULL),
                         g_string_new (NULL),
                         g_string_new (NULL),
                         g_string_new (NULL),
                         g_string_new (NULL),
                         g_string_new (NULL),
                         physics };
}

static void
add (GString *list, const char *format, va_list values)
{
  if (list->len > 0)
    g_string_append (list, ",\n");
  g_string_append_vprintf (list, format, values);
}

#define DEFINE_ADD(what, list)                                                                     \
  void bench_scene_add_##what (BenchScene *scene, const char *format, ...)                         \
  {                                                                                                \
    va_list values;                                                                                \
    va_start (values, format);                                                                     \
    add (scene->list, format, values);                                                             \
    va_end (values);                                                                               \
  }

DEFINE_ADD (object, objects)
DEFINE_ADD (modifier, modifiers)
DEFINE_ADD (script, add_ons)
DEFINE_ADD (spawnable, spawnables)
DEFINE_ADD (variation, variations)
DEFINE_ADD (stream, streams)

static char *
list_modifiers (guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s[\"bench.idle.Modifier\", {}]", i > 0 ? ", " : "");
  return g_string_free (text, FALSE);
}

void
bench_scene_add_idle (BenchScene *scene, guint n, guint n_modifiers, const char *codec,
                      const char *actuator)
{
  g_autoptr (GString) children = g_string_new (NULL);
  g_autofree char *modifiers = list_modifiers (n_modifiers);

  for (guint i = 0; i < n; i++) {
    g_string_append_printf (children, "%s{\"name\": \"s%u\", \"classpath\": \"bench.idle.Sensor\"}",
                            i > 0 ? ", " : "", i);
    if (n_modifiers > 0)
      bench_scene_add_modifier (scene, "\"robot.s%u\": [%s]", i, modifiers);
    if (codec != NULL)
      bench_scene_add_stream (
          scene, "\"robot.s%u\": [[\"bench.idle.Manager\", \"bench.idle.%s\", \"OUT\", {}]]", i,
          codec);
  }
  if (actuator != NULL)
    g_string_append_printf (children, "%s{\"name\": \"a\", \"classpath\": \"bench.idle.%s\"}",
                            n > 0 ? ", " : "", actuator);
  bench_scene_add_object (
      scene, "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", \"objects\": [%s]}",
      children->str);
}

static void
scene_clear (BenchScene *scene)
{
  g_string_free (scene->objects, TRUE);
  g_string_free (scene->modifiers, TRUE);
  g_string_free (scene->streams, TRUE);
  g_string_free (scene->add_ons, TRUE);
  g_string_free (scene->spawnables, TRUE);
  g_string_free (scene->variations, TRUE);
}

void
bench_begin_log (void)
{
  static gboolean begun;

  if (!begun)
    g_log_writer_default_set_use_stderr (TRUE);
  begun = TRUE;
}

char *
bench_scene_write (BenchScene *scene)
{
  g_autofree char *directory = g_dir_make_tmp ("orrery-bench-XXXXXX", NULL);
  g_autofree char *text = g_strdup_printf (
      "{\"orrery\": 1, \"environment\": {\"physics\": \"%s\", \"import\": \"empty\", "
      "\"add_ons\": [%s]},\n"
      "\"objects\": [%s], \"spawnables\": [%s], \"randomisation\": [%s],\n"
      "\"component_modifier\": "
      "{%s},\n\"component_datastream\": {%s},\n"
      "\"component_service\": {}, \"overlays\": {}, \"stream_manager\": {}}\n",
      scene->physics, scene->add_ons->str, scene->objects->str, scene->spawnables->str,
      scene->variations->str, scene->modifiers->str, scene->streams->str);

  bench_begin_log ();
  orrery_test_add_plugins ("bench/plugins");
  scene_clear (scene);
  return orrery_test_write_scene (directory, "scene.json", text);
}

static OrrerySimulation *
load (OrreryRegistry *registry, const char *path, guint n_threads)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  OrrerySimulation *simulation;
  GError *error = NULL;

  g_object_set (options, "start", 0.0, "listen", FALSE, "threads", MAX (1, n_threads), NULL);
  simulation = orrery_simulation_load_with_options (registry, path, options, &error);
  if (simulation == NULL)
    fail (error);
  return simulation;
}

OrrerySimulation *
bench_load (OrreryRegistry *registry, const char *path)
{
  return load (registry, path, 1);
}

void
bench_scene_remove (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);

  g_remove (path);
  g_rmdir (directory);
}

OrrerySimulation *
bench_scene_load (BenchScene *scene)
{
  g_autofree char *path = bench_scene_write (scene);
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  OrrerySimulation *simulation = load (registry, path, scene->n_threads);

  bench_scene_remove (path);
  return simulation;
}

gint64
bench_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

double
bench_ticks (OrrerySimulation *simulation, guint n)
{
  gint64 before = bench_now ();
  GError *error = NULL;

  if (!orrery_simulation_step (simulation, n, &error))
    fail (error);
  return (double) (bench_now () - before) / n;
}

double
bench_least (const double *values, guint n)
{
  double least = values[0];

  for (guint i = 1; i < n; i++)
    least = MIN (least, values[i]);
  return least;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_median (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare);
  return values[n / 2];
}

void
bench_print (const char *name, double value, const char *unit)
{
  printf ("%s %.4g %s\n", name, value, unit);
  fflush (stdout);
}
