/* SPDX-License-Identifier: BSD-3-Clause */
/* The program itself, and its plugins: which load, and what keeps the others from it. */
#define _GNU_SOURCE
#include "doctor.h"

#include <dlfcn.h>
#include <string.h>

/* --- the program --- */

static void
check_part_of_installation (DoctorReport *report, const char *relative, const char *what)
{
  g_autofree char *path = orrery_get_prefix_path (relative);

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    doctor_report_add (report, DOCTOR_WRONG, "install Orrery again, as a whole",
                       "%s: there is no such directory, where %s should be", path, what);
}

void
doctor_check_program (DoctorReport *report)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *prefix = orrery_get_prefix_path ("");
  g_autofree char *found = g_find_program_in_path ("orrery");
  g_autofree char *real = found != NULL ? realpath (found, NULL) : NULL;
  Dl_info info = { 0 };

  doctor_report_begin (report, "program");
  doctor_report_add (report, DOCTOR_OK, NULL, "orrery %s, %s", ORRERY_VERSION,
                     program != NULL ? program : "?");
  if (dladdr ((gpointer) orrery_get_python, &info) != 0)
    doctor_report_add (report, DOCTOR_OK, NULL, "library %s", info.dli_fname);
  doctor_report_add (report, DOCTOR_OK, NULL, "prefix %s", prefix);
  if (real != NULL && g_strcmp0 (real, program) != 0)
    doctor_report_add (report, DOCTOR_NOTE, NULL, "`orrery` of the PATH is another one: %s", real);
  check_part_of_installation (report, "share/orrery-1/python", "the builder");
  check_part_of_installation (report, "share/orrery-1/templates", "what `orrery new` fills in");
  check_part_of_installation (report, "share/orrery-1/messages", "definitions of messages");
}

/* --- plugins that do not load --- */

#define NOT_FOUND ": cannot open shared object file"

/* Returns: (nullable) (transfer full): the library that the linker did not find */
static char *
find_lost_library (const char *message)
{
  const char *end = strstr (message, NOT_FOUND);
  const char *begin = end;

  while (begin != NULL && begin > message && begin[-1] != ' ')
    begin--;
  return end != NULL ? g_strndup (begin, (gsize) (end - begin)) : NULL;
}

static void
add_refusal (DoctorReport *report, const char *file, const char *message)
{
  g_autofree char *library = find_lost_library (message);
  g_autofree char *remedy = library != NULL ? doctor_make_remedy (library) : NULL;
  /* A message that already begins with the file does not need it twice. */
  const char *said = g_str_has_prefix (message, file) && message[strlen (file)] == ':'
                         ? message + strlen (file) + 2
                         : message;

  if (library != NULL)
    doctor_report_add (report, DOCTOR_MISSING, remedy, "%s: there is no %s", file, library);
  else
    doctor_report_add (report, DOCTOR_WRONG, NULL, "%s: %s", file, said);
}

static void
add_refusals (DoctorReport *report, OrreryNode *errors)
{
  for (guint i = 0; i < orrery_node_get_length (errors); i++) {
    OrreryNode *pair = orrery_node_get_item (errors, i);

    add_refusal (report, orrery_node_get_text (orrery_node_get_item (pair, 0)),
                 orrery_node_get_text (orrery_node_get_item (pair, 1)));
  }
}

/* --- plugins that are there, and those that could be --- */

static guint
count_modules (OrreryNode *modules, const char *directory)
{
  g_autofree char *prefix = g_strconcat (directory, "/", NULL);
  guint n = 0;

  for (guint i = 0; i < orrery_node_get_length (modules); i++)
    n += g_str_has_prefix (cli_node_get_text (orrery_node_get_item (modules, i), "file"), prefix);
  return n;
}

static void
add_directories (DoctorReport *report, OrreryNode *document)
{
  OrreryNode *directories = orrery_node_find (document, "directories");
  OrreryNode *modules = orrery_node_find (document, "modules");

  for (guint i = 0; i < orrery_node_get_length (directories); i++) {
    const char *directory = orrery_node_get_text (orrery_node_get_item (directories, i));

    if (g_file_test (directory, G_FILE_TEST_IS_DIR))
      doctor_report_add (report, DOCTOR_OK, NULL, "%s: %u plugins load", directory,
                         count_modules (modules, directory));
    else
      doctor_report_add (report, DOCTOR_NOTE, NULL, "%s: there is no such directory, which is fine",
                         directory);
  }
}

static gboolean
has_module (OrreryNode *modules, const char *name)
{
  for (guint i = 0; i < orrery_node_get_length (modules); i++)
    if (g_str_equal (cli_node_get_text (orrery_node_get_item (modules, i), "module"), name))
      return TRUE;
  return FALSE;
}

static gboolean
is_refused (OrreryNode *errors, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ".", -1);
  g_autofree char *path = g_strjoinv ("/", parts);

  for (guint i = 0; i < orrery_node_get_length (errors); i++) {
    OrreryNode *file = orrery_node_get_item (orrery_node_get_item (errors, i), 0);

    if (strstr (orrery_node_get_text (file), path) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* What a build leaves out where a library is not there, and packages of their own bring. */
static void
add_optional (DoctorReport *report, OrreryNode *modules, OrreryNode *errors)
{
  static const struct {
    const char *module;
    const char *use;
    const char *needs; /* packages with headers */
  } optional[] = {
    { "orrery.physics.bullet", "dynamics by Bullet", "libbullet-dev" },
    { "orrery.physics.mujoco", "dynamics by MuJoCo", "libmujoco-dev" },
    { "orrery.renderers.mujoco", "cameras, orrery render", "libmujoco-dev and libegl-dev" },
    { "orrery.raycasters.embree", "fast rays of lasers in large scenes", "libembree-dev" },
    { "orrery.middleware.ros2_datastream", "ROS 2",
      "libfastcdr-dev and libfastrtps-dev (with Fast DDS 3: libfastdds-dev)" },
    { "orrery.middleware.mqtt_datastream", "MQTT", "libmosquitto-dev" },
    { "orrery.middleware.rosbridge_datastream", "rosbridge", "libsoup-3.0-dev" },
    { "orrery.middleware.viewer", "orrery run --view", "libsoup-3.0-dev" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (optional); i++) {
    g_autofree char *package = orrery_find_package (optional[i].module);
    g_autofree char *remedy =
        package != NULL ? g_strdup_printf ("apt install %s", package)
                        : g_strdup_printf ("build Orrery where %s is installed", optional[i].needs);

    if (!has_module (modules, optional[i].module) && !is_refused (errors, optional[i].module))
      doctor_report_add (report, DOCTOR_MISSING, remedy,
                         package != NULL ? "%s (%s) is not installed"
                                         : "%s (%s) is not part of this build",
                         optional[i].module, optional[i].use);
  }
}

/* --- programs that plugins run --- */

/* The status with which a dynamic linker ends a program that it cannot start. */
#define NOT_LINKED "exited with status 127"

/* @module: that runs the program and is in the same package */
static void
check_reader (DoctorReport *report, OrreryRegistry *registry, const char *name, const char *use,
              const char *library, const char *module)
{
  g_autofree char *relative = g_strconcat ("orrery/importers/", name, NULL);
  g_autofree char *path = orrery_registry_find_file (registry, relative);
  const char *const argv[] = { path, NULL };
  g_autofree char *end = NULL;
  g_autofree char *output = NULL;
  g_autofree char *remedy = doctor_make_remedy (library);
  g_autofree char *package = NULL;
  g_autofree char *missing = NULL;

  if (path == NULL) {
    package = orrery_find_package (module);
    if (package != NULL)
      missing = g_strdup_printf ("apt install %s", package);
    doctor_report_add (report, DOCTOR_MISSING, missing,
                       package != NULL ? "%s (%s) is not installed"
                                       : "%s (%s) is not part of this build",
                       name, use);
    return;
  }
  output = doctor_run (argv, 10, &end);
  if (end != NULL && g_str_equal (end, NOT_LINKED))
    doctor_report_add (report, DOCTOR_MISSING, remedy, "%s (%s): there is no %s", path, use,
                       library);
}

static void
check_film (DoctorReport *report)
{
  g_autofree char *path = g_find_program_in_path ("ffmpeg");

  if (path != NULL)
    doctor_report_add (report, DOCTOR_OK, NULL, "%s makes films", path);
  else
    doctor_report_add (report, DOCTOR_MISSING, "apt install ffmpeg",
                       "ffmpeg, which makes films for --video and orrery render");
}

void
doctor_check_plugins (DoctorReport *report, char **plugin_dirs)
{
  g_autoptr (OrreryRegistry) registry = NULL;
  g_autofree char *json = NULL;
  g_autoptr (OrreryNode) document = NULL;
  g_autoptr (GError) error = NULL;

  doctor_report_begin (report, "plugins");
  registry = orrery_registry_new ();
  for (guint i = 0; plugin_dirs != NULL && plugin_dirs[i] != NULL; i++) {
    if (!orrery_registry_add_directory (registry, plugin_dirs[i], &error))
      doctor_report_add (report, DOCTOR_WRONG, NULL, "%s", error->message);
    g_clear_error (&error);
  }
  json = orrery_registry_list (registry);
  document = orrery_node_parse_json (json, strlen (json), "plugins", &error);
  if (document == NULL) {
    doctor_report_add (report, DOCTOR_WRONG, NULL, "they cannot be listed: %s", error->message);
    return;
  }
  add_directories (report, document);
  add_refusals (report, orrery_node_find (document, "errors"));
  add_optional (report, orrery_node_find (document, "modules"),
                orrery_node_find (document, "errors"));
  check_reader (report, registry, "read-mesh", "meshes of robots and worlds", "libassimp.so.5",
                "orrery.importers.stl");
  check_reader (report, registry, "read-mjcf", "models in MJCF", "libmujoco.so.2.2.2",
                "orrery.importers.mjcf");
  check_film (report);
}
