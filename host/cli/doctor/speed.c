/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast a small scene runs here. */
#include "doctor.h"

#include <string.h>

#define FREQUENCY 60
/* Ticks between two looks at the clock, and those that are not measured. */
#define STRIDE 60

/* A robot that drives, with a laser scanner; each of @physics and @classes is there or not. */
static const char scene[] =
    "{\"orrery\": 1,\n"
    " \"environment\": {\"frequency\": 60, \"seed\": 1, \"physics\": \"%s\"},\n"
    " \"objects\": [{\"name\": \"robot\", \"classpath\": \"orrery.robots.atrv.ATRV\", \"objects\": "
    "[\n"
    "   {\"name\": \"pose\", \"classpath\": \"orrery.sensors.pose.Pose\"},\n"
    "   {\"name\": \"odometry\", \"classpath\": \"orrery.sensors.odometry.Odometry\"},\n"
    "   {\"name\": \"laser\", \"classpath\": \"orrery.sensors.sick.Sick\"},\n"
    "   {\"name\": \"motion\", \"classpath\": \"orrery.actuators.v_omega.MotionVW\"}]}]}\n";

/* --- in a process of its own --- */

/* To the doctor, who reads the standard output. */
static int
tell (const GError *error)
{
  fprintf (stdout, "%s\n", error->message);
  return orrery_error_get_exit_code (error);
}

static OrrerySimulation *
load (const char *physics, GError **error)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autofree char *directory = cli_temporary_make (error);
  g_autofree char *path = NULL;
  g_autofree char *text = g_strdup_printf (scene, physics);

  if (directory == NULL)
    return NULL;
  path = g_build_filename (directory, "scene.json", NULL);
  if (!g_file_set_contents (path, text, -1, error))
    return NULL;
  g_object_set (options, "offline", TRUE, "pacing", ORRERY_PACING_FAST, NULL);
  return orrery_simulation_load_with_options (registry, path, options, error);
}

static int
measure (OrrerySimulation *simulation, double seconds)
{
  g_autoptr (GError) error = NULL;
  gint64 begin, now;
  guint64 n = 0;

  if (!orrery_simulation_step (simulation, STRIDE, &error))
    return tell (error);
  begin = g_get_monotonic_time ();
  do {
    if (!orrery_simulation_step (simulation, STRIDE, &error))
      return tell (error);
    n += STRIDE;
    now = g_get_monotonic_time ();
  } while (now - begin < seconds * G_USEC_PER_SEC);
  fprintf (stdout, "%.0f\n", (double) n * G_USEC_PER_SEC / (double) (now - begin));
  return CLI_OK;
}

int
doctor_probe_speed (double seconds)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  gboolean has_bullet =
      orrery_registry_find_class (registry, "orrery.physics.bullet.Bullet", NULL) != NULL;
  g_autoptr (OrrerySimulation) simulation = NULL;
  int status;

  cli_log_start (TRUE);
  simulation =
      load (has_bullet ? "orrery.physics.bullet.Bullet" : "orrery.physics.kinematic.Kinematic",
            &error);
  status = simulation != NULL ? measure (simulation, seconds) : tell (error);
  g_clear_object (&simulation);
  cli_temporary_remove ();
  return status;
}

/* --- in that of the doctor --- */

void
doctor_check_speed (DoctorReport *report, double seconds)
{
  g_autofree char *what = g_strdup_printf ("speed:%.3f", seconds);
  g_autofree char *end = NULL;
  g_autofree char *line = NULL;
  double rate;

  doctor_report_begin (report, "speed");
  line = doctor_probe (what, (guint) seconds + 60, &end);
  rate = end == NULL ? g_ascii_strtod (line, NULL) : 0;
  line[strcspn (line, "\n")] = '\0';
  if (end != NULL || rate <= 0)
    doctor_report_add (report, DOCTOR_WRONG, NULL, "the process that runs a small scene %s%s%s",
                       end != NULL ? end : "measured nothing", *line != '\0' ? ": " : "", line);
  else
    doctor_report_add (report, DOCTOR_OK, NULL,
                       "a robot with a laser scanner: %.0f ticks per second, %.0f times as fast as "
                       "real time (measured for %g s)",
                       rate, rate / FREQUENCY, seconds);
}
