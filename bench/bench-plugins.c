/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to list 100 modules, beside opening them all in one child, which is the least that
 * keeps a crash away from the host. The limit is 150 ms. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <orrery.h>
#include <string.h>

#define N_MODULES 100
#define N_RUNS 5
/* A module of the build tree and its type; copies of it get other letters in their places. */
#define ORIGINAL "lib/orrery-1/plugins/orrery/sensors/clock.so"
#define CLASSPATH "orrery.sensors.clock.Clock"

static char *
find_type_name (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (GError) error = NULL;
  const OrreryClass *klass = orrery_registry_find_class (registry, CLASSPATH, &error);

  if (klass == NULL)
    g_error ("%s", error->message);
  return g_strdup (klass->desc->type_name);
}

/* Types have one owner: each copy has a name of its own, of the same length. */
static void
rename_type (char *bytes, gsize length, const char *type_name, guint number)
{
  gsize name_length = strlen (type_name);
  g_autofree char *name = g_strdup (type_name);

  name[name_length - 2] = 'A' + number / 26;
  name[name_length - 1] = 'a' + number % 26;
  for (char *at = bytes; at + name_length < bytes + length; at++)
    if (memcmp (at, type_name, name_length) == 0)
      memcpy (at, name, name_length);
}

static char *
make_modules (const char *original, GPtrArray *files)
{
  char *directory = g_dir_make_tmp ("orrery-bench-XXXXXX", NULL);
  g_autofree char *type_name = find_type_name ();

  for (guint i = 0; i < N_MODULES; i++) {
    g_autofree char *name = g_strdup_printf ("m%u.so", i);
    char *file = g_build_filename (directory, name, NULL);
    g_autofree char *bytes = NULL;
    gsize length;

    if (!g_file_get_contents (original, &bytes, &length, NULL))
      g_error ("%s: cannot be read", original);
    rename_type (bytes, length, type_name, i);
    g_file_set_contents (file, bytes, length, NULL);
    g_chmod (file, 0755);
    g_ptr_array_add (files, file);
  }
  return directory;
}

static double
list_once (OrreryRegistry *registry)
{
  gint64 start = g_get_monotonic_time ();
  g_autofree char *json = orrery_registry_list (registry);

  if (strstr (json, "\"errors\": []") == NULL)
    g_error ("not all modules were listed: %s", strstr (json, "\"errors\""));
  return (g_get_monotonic_time () - start) * 1e-3;
}

static double
open_once (const char *program, GPtrArray *files)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *out = NULL;
  gint64 start = g_get_monotonic_time ();

  g_ptr_array_add (argv, (gpointer) program);
  for (guint i = 0; i < files->len; i++) {
    g_ptr_array_add (argv, "m");
    g_ptr_array_add (argv, files->pdata[i]);
  }
  g_ptr_array_add (argv, NULL);
  if (!g_spawn_sync (NULL, (char **) argv->pdata, NULL, 0, NULL, NULL, &out, NULL, NULL, NULL))
    g_error ("%s: cannot be started", program);
  return (g_get_monotonic_time () - start) * 1e-3;
}

static void
remove_modules (const char *directory, GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    g_remove (files->pdata[i]);
  g_rmdir (directory);
}

int
main (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *original = orrery_get_prefix_path (ORIGINAL);
  g_autofree char *program = orrery_get_prefix_path ("lib/orrery-1/orrery-inspect");
  g_autofree char *directory = make_modules (original, files);
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  double listed = G_MAXDOUBLE, opened = G_MAXDOUBLE;

  orrery_registry_add_directory (registry, directory, NULL);
  for (guint i = 0; i < N_RUNS; i++) {
    listed = MIN (listed, list_once (registry));
    opened = MIN (opened, open_once (program, files));
  }
  g_print ("plugins-list-100 %.1f ms\n", listed);
  g_print ("plugins-open-100-in-one-child %.1f ms\n", opened);
  g_print ("plugins-list-over-open %.2f ratio\n", listed / opened);
  remove_modules (directory, files);
  return 0;
}
