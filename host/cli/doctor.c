/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery doctor`: what is installed, what works and what is missing. */
#include "doctor/doctor.h"
#include "commands.h"
#include "support/cli.h"

#include <string.h>

#define MAX_SPEED 600

typedef struct {
  char **plugin_dirs;
  char *speed_text;
  double speed;
  gboolean json;
  char *probe;
} DoctorOptions;

static const char *const parts[] = { "program", "plugins",     "python", "graphics", "ports",
                                     "limits",  "directories", "speed",  NULL };

const char *const *
cli_doctor_get_parts (void)
{
  return parts;
}

static gboolean
parse_options (DoctorOptions *options, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "benchmark", 0, 0, G_OPTION_ARG_STRING, &options->speed_text,
      "How long the speed is measured; 3", "SECONDS" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print JSON, for programs", NULL },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { "probe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &options->probe, NULL, NULL },
    { NULL },
  };

  if (!cli_parse ("doctor", "[PART...]",
                  "Says what is installed, what works, what is missing and which package brings "
                  "it.\nPARTs are program, plugins, python, graphics, ports, limits, directories "
                  "and speed; without\none, all. Each line begins with ok, note, missing or "
                  "wrong. Exit code 69 if something is\nwrong, or missing in a part that was "
                  "named.",
                  entries, FALSE, 0, G_MAXINT, argc, argv) ||
      !cli_read_seconds ("doctor", "--benchmark", options->speed_text, &options->speed))
    return FALSE;
  if (options->speed > MAX_SPEED) {
    cli_usage ("doctor", "--benchmark: at most %d s", MAX_SPEED);
    return FALSE;
  }
  for (int i = 0; i < *argc; i++)
    if (!g_strv_contains (parts, (*argv)[i])) {
      g_autofree char *nearest = orrery_nearest_names ((*argv)[i], parts);

      cli_usage ("doctor", "no part '%s'%s", (*argv)[i], nearest);
      return FALSE;
    }
  return TRUE;
}

static int
run_probe (const char *what)
{
  if (strcmp (what, "graphics") == 0)
    return doctor_probe_graphics ();
  if (g_str_has_prefix (what, "speed:"))
    return doctor_probe_speed (g_ascii_strtod (what + strlen ("speed:"), NULL));
  return cli_usage ("doctor", "--probe: nothing is called '%s'", what);
}

static void
check_part (DoctorReport *report, const DoctorOptions *options, const char *part)
{
  if (strcmp (part, "program") == 0)
    doctor_check_program (report);
  else if (strcmp (part, "plugins") == 0)
    doctor_check_plugins (report, options->plugin_dirs);
  else if (strcmp (part, "python") == 0)
    doctor_check_python (report);
  else if (strcmp (part, "graphics") == 0)
    doctor_check_graphics (report);
  else if (strcmp (part, "ports") == 0)
    doctor_check_ports (report);
  else if (strcmp (part, "limits") == 0)
    doctor_check_limits (report);
  else if (strcmp (part, "directories") == 0)
    doctor_check_directories (report);
  else
    doctor_check_speed (report, options->speed);
}

static int
judge (DoctorReport *report, char **named)
{
  if (doctor_report_has (report, NULL, DOCTOR_WRONG))
    return CLI_MISSING;
  for (; *named != NULL; named++)
    if (doctor_report_has (report, *named, DOCTOR_MISSING))
      return CLI_MISSING;
  return CLI_OK;
}

int
cli_doctor (int argc, char **argv)
{
  static DoctorOptions options = { .speed = 3 }; /* as long as the program */
  g_autoptr (DoctorReport) report = doctor_report_new ();
  int status;

  if (!parse_options (&options, &argc, &argv))
    return CLI_USAGE;
  if (options.probe != NULL)
    return run_probe (options.probe);
  for (const char *const *part = parts; *part != NULL; part++)
    if (argc == 0 || g_strv_contains ((const char *const *) argv, *part))
      check_part (report, &options, *part);
  status = judge (report, argv);
  if (options.json)
    doctor_report_print_json (report, status);
  else
    doctor_report_print (report);
  return status;
}
