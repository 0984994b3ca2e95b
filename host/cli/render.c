/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery render`: draws a scene from a free camera. */
#include "commands.h"
#include "support/cli.h"

#include <math.h>
#include <string.h>

#define FILM_SECONDS 5

typedef struct {
  char **plugin_dirs;
  char *config;
  char *output;
  char *time_text;
  char *for_text;
  char *from;
  char *at;
  char *follow;
  char *size;
  char *rate;
  char *fov;
  char *seed_text;
  char *continued;
  gboolean quiet;
  double time;
  double length;
  guint64 seed;
  GVariant *properties; /* of the observer */
} RenderOptions;

static gboolean
parse_options (RenderOptions *options, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
      "A picture, .png or .ppm, or a film, .mp4, .mkv, .webm or .gif; scene.png", "FILE" },
    { "time", 0, 0, G_OPTION_ARG_STRING, &options->time_text,
      "When the picture is taken, or the film begins, in simulated time from the start; 0",
      "SECONDS" },
    { "for", 0, 0, G_OPTION_ARG_STRING, &options->for_text, "Length of the film; 5", "SECONDS" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options->from,
      "Where the camera stands; by default where the robots are in the picture", "X,Y,Z" },
    { "at", 0, 0, G_OPTION_ARG_STRING, &options->at,
      "What it looks at; by default the robots, or what --follow names", "X,Y,Z" },
    { "follow", 0, 0, G_OPTION_ARG_STRING, &options->follow,
      "The object with which the camera moves; --from and --at are measured from it", "OBJECT" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &options->size, "Of the picture, in pixels; 1280x720",
      "WIDTHxHEIGHT" },
    { "rate", 0, 0, G_OPTION_ARG_STRING, &options->rate,
      "Pictures of a film in a second of simulated time; 25", "HZ" },
    { "fov", 0, 0, G_OPTION_ARG_STRING, &options->fov,
      "Angle between the upper and the lower edge; 45", "DEGREES" },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &options->config,
      "A component_config that takes the place of the scene's", "FILE" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &options->seed_text, "Where random numbers start", "N" },
    { "quiet", 0, 0, G_OPTION_ARG_NONE, &options->quiet, "Print warnings and errors only", NULL },
    CLI_READ_LIMIT_ENTRY,
    CLI_DEBUG_ENTRY,
    { "continue", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &options->continued, NULL, NULL },
    { NULL },
  };

  return cli_parse ("render", "FILE [-- SCRIPT-ARGUMENT...]",
                    "Runs a scene as fast as it goes, without ports, and draws it.", entries, FALSE,
                    1, 1, argc, argv);
}

/* --- what was given --- */

static gboolean
read_number (const char *text, double *out)
{
  char *end = NULL;

  *out = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*out);
}

static gboolean
add_place (GVariantBuilder *properties, const char *name, const char *text)
{
  g_auto (GStrv) words = text != NULL ? g_strsplit (text, ",", 4) : NULL;
  double xyz[3];

  if (text == NULL)
    return TRUE;
  if (g_strv_length (words) != 3 || !read_number (words[0], &xyz[0]) ||
      !read_number (words[1], &xyz[1]) || !read_number (words[2], &xyz[2])) {
    cli_usage ("render", "--%s: three numbers with commas, as 3,-2,1.5, not %.40s", name, text);
    return FALSE;
  }
  g_variant_builder_add (properties, "{sv}", name,
                         g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, xyz, 3,
                                                    sizeof (double)));
  return TRUE;
}

static gboolean
add_number (GVariantBuilder *properties, const char *name, const char *text)
{
  double value;

  if (text == NULL)
    return TRUE;
  if (!read_number (text, &value)) {
    cli_usage ("render", "--%s: a number, not %.40s", name, text);
    return FALSE;
  }
  g_variant_builder_add (properties, "{sv}", name, g_variant_new_double (value));
  return TRUE;
}

static gboolean
add_size (GVariantBuilder *properties, const char *text)
{
  g_auto (GStrv) words = text != NULL ? g_strsplit (text, "x", 3) : NULL;
  guint64 size[2];

  if (text == NULL)
    return TRUE;
  for (guint i = 0; i < 2; i++)
    if (g_strv_length (words) != 2 ||
        !g_ascii_string_to_unsigned (words[i], 10, 1, G_MAXINT32, &size[i], NULL)) {
      cli_usage ("render", "--size: two numbers of pixels, as 1280x720, not %.40s", text);
      return FALSE;
    }
  g_variant_builder_add (properties, "{sv}", "width", g_variant_new_int64 ((gint64) size[0]));
  g_variant_builder_add (properties, "{sv}", "height", g_variant_new_int64 ((gint64) size[1]));
  return TRUE;
}

static gboolean
is_film (const char *path)
{
  const char *dot = strrchr (path, '.');

  return dot == NULL ||
         (g_ascii_strcasecmp (dot, ".png") != 0 && g_ascii_strcasecmp (dot, ".ppm") != 0);
}

static gboolean
check_options (RenderOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_auto (GVariantBuilder) properties = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  if (options->output == NULL)
    options->output = g_strdup ("scene.png");
  options->length = is_film (options->output) ? FILM_SECONDS : 0;
  if (options->for_text != NULL && !is_film (options->output)) {
    cli_usage ("render", "--for is the length of a film; --time says when a picture is taken");
    return FALSE;
  }
  if (!cli_read_seconds ("render", "--time", options->time_text, &options->time) ||
      !cli_read_seconds ("render", "--for", options->for_text, &options->length) ||
      !add_place (&properties, "from", options->from) ||
      !add_place (&properties, "at", options->at) || !add_size (&properties, options->size) ||
      !add_number (&properties, "rate", options->rate) ||
      !add_number (&properties, "fov", options->fov))
    return FALSE;
  if (is_film (options->output) && options->length <= 0) {
    cli_usage ("render", "--for: a number above 0, not %.40s", options->for_text);
    return FALSE;
  }
  if (options->seed_text != NULL &&
      !cli_parse_count ("--seed", options->seed_text, &options->seed, &error)) {
    cli_usage ("render", "%s", error->message);
    return FALSE;
  }
  if (options->follow != NULL)
    g_variant_builder_add (&properties, "{sv}", "follow", g_variant_new_string (options->follow));
  g_variant_builder_add (&properties, "{sv}", "file", g_variant_new_string (options->output));
  g_variant_builder_add (&properties, "{sv}", "time", g_variant_new_double (options->time));
  g_variant_builder_add (&properties, "{sv}", "length", g_variant_new_double (options->length));
  options->properties = g_variant_ref_sink (g_variant_builder_end (&properties));
  return TRUE;
}

/* --- drawing --- */

static int
draw (const RenderOptions *options, OrrerySimulation *simulation)
{
  double end = options->time + options->length;
  guint64 n = (guint64) ceil (end * orrery_simulation_get_frequency (simulation) - 1e-9);
  g_autoptr (GVariant) report = NULL;
  g_autofree const char **lost = NULL;
  g_autoptr (GError) error = NULL;

  if (!cli_film_add (simulation, options->properties, &error))
    return cli_fail (error);
  if (n > 0 && !orrery_simulation_run (simulation, n, 0, &error))
    return cli_fail (error);
  orrery_simulation_close (simulation);
  report = orrery_simulation_get_report (simulation);
  if (!g_variant_lookup (report, "lost", "^a&s", &lost) || lost[0] == NULL)
    return CLI_OK;
  return CLI_IO;
}

static int
render_scene (const RenderOptions *options, OrreryRegistry *registry, const CliScene *scene)
{
  g_autoptr (OrreryOptions) settings = orrery_options_new ();
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_object_set (settings, "config-file", options->config, "offline", TRUE, "on-demand", TRUE,
                "pacing", ORRERY_PACING_FAST, "read-limit", cli_get_read_limit (), NULL);
  if (options->seed_text != NULL)
    g_object_set (settings, "seed", options->seed, NULL);
  simulation = orrery_simulation_load_with_options (registry, scene->path, settings, &error);
  if (simulation == NULL && cli_python_is_needed (registry))
    return cli_python_continue ("render", scene->temporary != NULL ? scene->temporary : "");
  if (simulation == NULL)
    return cli_fail (error);
  cli_control_set_simulation (simulation);
  status = cli_control_get_exit_code (draw (options, simulation));
  cli_control_set_simulation (NULL);
  return status;
}

int
cli_render (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  static RenderOptions options; /* as long as the program */
  g_auto (CliScene) scene = { NULL };
  g_autoptr (OrreryRegistry) registry = NULL;
  int status = CLI_USAGE;

  if (!parse_options (&options, &argc, &argv) || !check_options (&options))
    return CLI_USAGE;
  cli_log_start (options.quiet);
  cli_control_start ();
  registry = cli_registry_new (options.plugin_dirs, &status);
  if (registry == NULL)
    return status;
  status = cli_scene_open (&scene, registry, argv[0], arguments, options.continued);
  return status == CLI_OK ? render_scene (&options, registry, &scene) : status;
}
