/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry-test.h"

static const OrreryClass *
find (OrreryRegistry *registry, const char *classpath)
{
  g_autoptr (GError) error = NULL;
  const OrreryClass *klass = orrery_registry_find_class (registry, classpath, &error);

  g_assert_no_error (error);
  g_assert_nonnull (klass);
  return klass;
}

static void
check_none (OrreryRegistry *registry, const char *classpath, int code, const char *pattern,
            TestDir *dir)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (orrery_registry_find_class (registry, classpath, &error));
  test_expect (&error, code, pattern, dir);
}

static void
test_found (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autofree char *fixture = test_fixture_path ("sonar");
  g_autofree char *real = realpath (fixture, NULL);
  const OrreryClass *klass;

  g_test_summary ("a class is found by its place and told by what its file says of it");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  klass = find (registry, "acme.sonar.Sonar");
  g_assert_cmpstr (klass->classpath, ==, "acme.sonar.Sonar");
  g_assert_cmpstr (klass->module, ==, "acme.sonar");
  g_assert_cmpstr (klass->file, ==, real);
  g_assert_cmpstr (klass->desc->type_name, ==, "AcmeSonar");
  g_assert_cmpint (klass->desc->role, ==, ORRERY_ROLE_SENSOR);
  g_assert_null (klass->base);
  g_assert_null (klass->node);
  g_assert_true (find (registry, "acme.sonar.Sonar") == klass);
}

static void
test_morse (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  const OrreryClass *klass;

  g_test_summary ("morse. is read as orrery., and only at the start");
  test_dir_link (&dir, "orrery/sensors/thing.so", "thing");
  klass = find (registry, "morse.sensors.thing.Thing");
  g_assert_cmpstr (klass->classpath, ==, "orrery.sensors.thing.Thing");
  g_assert_true (find (registry, "orrery.sensors.thing.Thing") == klass);
  check_none (registry, "x.morse.sensors.thing.Thing", ORRERY_ERROR_NOT_FOUND,
              "*no module x/morse/sensors/thing.so*", &dir);
}

static void
test_family (void)
{
  g_auto (TestDir) first = test_dir_new ();
  g_auto (TestDir) second = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&first, &second);
  g_autoptr (OrreryRegistry) without = test_registry_new (&first, NULL);

  g_test_summary ("one file carries a family; the longer path goes before the earlier directory");
  test_dir_link (&first, "acme.so", "family");
  test_dir_link (&second, "acme/sonar.so", "sonar");
  g_assert_cmpstr (find (registry, "acme.depth.Depth")->module, ==, "acme");
  g_assert_cmpstr (find (registry, "acme.depth.Depth")->desc->name, ==, "depth.Depth");
  g_assert_cmpstr (find (registry, "acme.sonar.Sonar")->module, ==, "acme.sonar");
  check_none (
      registry, "acme.sonar.Echo", ORRERY_ERROR_NOT_FOUND,
      "acme.sonar.Echo: */sonar.so has no class Echo; there is: Sonar, RawSonar, FullSonar, "
      "Other, SonarNoise",
      NULL);
  /* The control: without the longer path the family has it. */
  g_assert_cmpstr (find (without, "acme.sonar.Echo")->module, ==, "acme");
}

static void
test_order_of_directories (void)
{
  g_auto (TestDir) first = test_dir_new ();
  g_auto (TestDir) second = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&first, &second);
  g_autoptr (OrreryRegistry) turned = test_registry_new (&second, &first);

  g_test_summary ("the earlier directory wins, whatever kind of file it has");
  test_dir_link (&second, "acme/thing.so", "thing");
  test_dir_link (&second, "acme/sonar.so", "sonar");
  test_dir_write (&first, "acme/thing.json",
                  "{\"classes\": {\"Thing\": {\"base\": \"acme.sonar.Sonar\"}}}");
  g_assert_nonnull (find (registry, "acme.thing.Thing")->base);
  g_assert_null (find (turned, "acme.thing.Thing")->base);
}

static void
test_order_of_suffixes (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  static const char json[] = "{\"classes\": {\"Thing\": {\"base\": \"acme.sonar.Sonar\"}}}";

  g_test_summary ("in one directory .so goes before .py before .json");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_link (&dir, "all/thing.so", "thing");
  test_dir_write (&dir, "all/thing.py", "raise SystemExit\n");
  test_dir_write (&dir, "all/thing.json", json);
  test_dir_write (&dir, "two/thing.py", "raise SystemExit\n");
  test_dir_write (&dir, "two/thing.json", json);
  test_dir_write (&dir, "one/thing.json", json);
  g_assert_null (find (registry, "all.thing.Thing")->node);
  check_none (registry, "two.thing.Thing", ORRERY_ERROR_PLUGIN,
              "two.thing.Thing: DIR/two/thing.py: a class in Python runs in Python only: under "
              "`orrery run`, or in a program that imports orrery",
              &dir);
  g_assert_true (orrery_registry_needs_python (registry));
  g_assert_nonnull (find (registry, "one.thing.Thing")->node);
}

static void
test_no_classpath (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autofree char *long_name = g_strnfill (256, 'a');
  g_autofree char *many = g_strdup ("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.Q");
  static const char *const wrong[] = {
    "",          "Pose",      ".Pose",    "a.",      "a..Pose",       "a/b.Pose",
    "../a.Pose", "a.1b.Pose", "a b.Pose", "a.Pose ", "\xc3\xa4.Pose", "a.b\n.Pose",
    "a-b.Pose",
  };

  g_test_summary ("what is no classpath is refused before anything is looked up");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    check_none (registry, wrong[i], ORRERY_ERROR_CONFIG, "'*' is no classpath: *", NULL);
  check_none (registry, many, ORRERY_ERROR_CONFIG, "'*' is no classpath: *", NULL);
  long_name[3] = '.';
  check_none (registry, long_name, ORRERY_ERROR_CONFIG,
              "aaa.aaa*...: a classpath has at most 255 letters, this one has 256", NULL);
  long_name[255] = '\0';
  check_none (registry, long_name, ORRERY_ERROR_NOT_FOUND, "*", NULL);
}

static void
test_not_found (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  const char *const *directories = orrery_registry_get_directories (registry);
  g_autofree char *looked = g_strjoinv (":", (char **) directories);
  g_autofree char *pattern = NULL;

  g_test_summary ("what is not there: where was looked, and the nearest classes");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_write (&dir, "acme/preset.json", "{\"classes\": {\"Preset\": {\"base\": \"a.B\"}}}");
  pattern = g_strdup_printf ("acme.sonnar.Sonar: no module acme/sonnar.so (nor .py, .json) in %s; "
                             "nor is acme.sonnar on Python's search path (PYTHONPATH); "
                             "did you mean acme.sonar.Sonar*",
                             looked);
  check_none (registry, "acme.sonnar.Sonar", ORRERY_ERROR_NOT_FOUND, pattern, NULL);
  check_none (registry, "acme.presets.Preset", ORRERY_ERROR_NOT_FOUND,
              "*; did you mean acme.preset.Preset", NULL);
  check_none (registry, "acme.sonar.Sonarr", ORRERY_ERROR_NOT_FOUND,
              "acme.sonar.Sonarr: */sonar.so has no class Sonarr; did you mean Sonar*", NULL);
  check_none (registry, "acme.preset.Presett", ORRERY_ERROR_NOT_FOUND,
              "acme.preset.Presett: DIR/acme/preset.json has no class Presett; did you mean Preset",
              &dir);
}

static void
test_no_crash_by_nearness (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);

  g_test_summary ("a look-up that fails loads what is near in a child: a crash there is nobody's");
  test_dir_link (&dir, "acme/crash.so", "broken_crash");
  test_dir_link (&dir, "acme/crush.so", "family");
  check_none (registry, "acme.crish.Crash", ORRERY_ERROR_NOT_FOUND,
              "*no module acme/crish.so*; there is: acme.crush.sonar.Echo, *", NULL);
}

static void
check_level (OrreryRegistry *registry, const OrreryClass *klass, const char *asked,
             const char *name, const char *type_name)
{
  g_autoptr (GError) error = NULL;
  const char *found = "unset";
  const OrreryClass *level = orrery_registry_find_level (registry, klass, asked, &found, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, name);
  g_assert_cmpstr (level->desc->type_name, ==, type_name);
}

static void
test_levels (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (GError) error = NULL;
  const OrreryClass *sonar, *other;

  g_test_summary ("a level is a class of the same file; absent it is the default one");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  sonar = find (registry, "acme.sonar.Sonar");
  other = find (registry, "acme.sonar.Other");
  check_level (registry, sonar, "raw", "raw", "AcmeRawSonar");
  check_level (registry, sonar, "smooth", "smooth", "AcmeSonar");
  check_level (registry, sonar, NULL, "full", "AcmeFullSonar");
  check_level (registry, sonar, "default", "full", "AcmeFullSonar");
  check_level (registry, other, NULL, NULL, "AcmeOther");
  check_level (registry, other, "default", NULL, "AcmeOther");
  g_assert_true (orrery_registry_find_level (registry, sonar, "raw", NULL, NULL) ==
                 find (registry, "acme.sonar.RawSonar"));
  g_assert_null (orrery_registry_find_level (registry, sonar, "rwa", NULL, &error));
  test_expect (&error, ORRERY_ERROR_NOT_FOUND,
               "acme.sonar.Sonar has no level 'rwa'; did you mean raw", NULL);
  g_assert_null (orrery_registry_find_level (registry, other, "raw", NULL, &error));
  test_expect (&error, ORRERY_ERROR_NOT_FOUND, "acme.sonar.Other has no level 'raw', it has none",
               NULL);
}

static void
test_fits (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  const OrreryClass *sonar, *raw, *full, *other;

  g_test_summary ("what fits a class fits its levels and what derives from it, and no other");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  sonar = find (registry, "acme.sonar.Sonar");
  raw = find (registry, "acme.sonar.RawSonar");
  full = find (registry, "acme.sonar.FullSonar");
  other = find (registry, "acme.sonar.Other");
  g_assert_true (orrery_registry_class_fits (registry, sonar, "acme.sonar.Sonar"));
  g_assert_true (orrery_registry_class_fits (registry, raw, "acme.sonar.Sonar"));
  g_assert_true (orrery_registry_class_fits (registry, full, "acme.sonar.Sonar"));
  g_assert_false (orrery_registry_class_fits (registry, other, "acme.sonar.Sonar"));
  g_assert_false (orrery_registry_class_fits (registry, sonar, "acme.sonar.RawSonar"));
  g_assert_false (orrery_registry_class_fits (registry, full, "acme.sonar.RawSonar"));
  g_assert_false (orrery_registry_class_fits (registry, sonar, "acme.depth.Depth"));
  g_assert_false (orrery_registry_class_fits (registry, sonar, "no classpath"));
  g_assert_false (orrery_registry_class_fits (registry, sonar, "acme.sonar.Missing"));
}

static void
test_create (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryPart) part = NULL;
  g_autoptr (GError) error = NULL;
  const OrreryClass *klass;

  g_test_summary ("a part is made of the class that was found, in the role that is needed");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  klass = find (registry, "acme.sonar.Sonar");
  part = orrery_registry_create (registry, klass, ORRERY_ROLE_SENSOR, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (part), ==, "AcmeSonar");
  g_assert_null (orrery_registry_create (registry, klass, ORRERY_ROLE_ACTUATOR, &error));
  test_expect (&error, ORRERY_ERROR_PLUGIN,
               "acme.sonar.Sonar has the role sensor, actuator is needed here", NULL);
}

static void
test_search_path (void)
{
  g_auto (TestDir) added = test_dir_new ();
  g_auto (TestDir) listed = test_dir_new ();
  g_auto (TestDir) last = test_dir_new ();
  g_autofree char *variable =
      g_strconcat ("", ":", listed.path, ":", listed.path, ":", last.path, NULL);
  g_autofree char *plugins = orrery_get_prefix_path ("lib/orrery-1/plugins");
  g_autoptr (OrreryRegistry) registry = NULL;
  g_autoptr (GError) error = NULL;
  const char *const *directories;

  g_test_summary ("the search path: what is added, the variable, the user's, the installed one");
  g_setenv ("ORRERY_PLUGIN_PATH", variable, TRUE);
  registry = test_registry_new (&added, NULL);
  g_unsetenv ("ORRERY_PLUGIN_PATH");
  directories = orrery_registry_get_directories (registry);
  g_assert_cmpuint (g_strv_length ((char **) directories), ==, 5);
  g_assert_cmpstr (directories[0], ==, added.path);
  g_assert_cmpstr (directories[1], ==, listed.path);
  g_assert_cmpstr (directories[2], ==, last.path);
  g_assert_cmpstr (directories[3], ==, "/nonexistent/data/orrery/plugins");
  g_assert_cmpstr (directories[4], ==, plugins);
  g_assert_false (orrery_registry_add_directory (registry, "/nonexistent/dir", &error));
  test_expect (&error, ORRERY_ERROR_NO_FILE, "/nonexistent/dir: *", NULL);
  g_assert_false (orrery_registry_add_directory (registry, "/etc/passwd", &error));
  test_expect (&error, ORRERY_ERROR_NO_FILE, "/etc/passwd: not a directory", NULL);

  /* One that is there already comes forward, and stays when it is added again. */
  for (guint i = 0; i < 2; i++) {
    g_assert_true (orrery_registry_add_directory (registry, i == 0 ? last.path : added.path, NULL));
    directories = orrery_registry_get_directories (registry);
    g_assert_cmpuint (g_strv_length ((char **) directories), ==, 5);
    g_assert_cmpstr (directories[0], ==, added.path);
    g_assert_cmpstr (directories[1], ==, last.path);
    g_assert_cmpstr (directories[2], ==, listed.path);
  }
}

static void
test_prefix (void)
{
  g_autofree char *real = realpath (g_getenv ("ORRERY_TEST_BUILDDIR"), NULL);
  g_autofree char *expected = g_build_filename (real, "share", "x", NULL);
  g_autofree char *path = orrery_get_prefix_path ("share/x");

  g_test_summary ("the prefix is where the library lies, in the build tree, too");
  g_assert_cmpstr (path, ==, expected);
}

static void
check_file (OrreryRegistry *registry, const char *name, const char *expected)
{
  g_autofree char *path = orrery_registry_find_file (registry, name);

  g_assert_cmpstr (path, ==, expected);
}

static void
test_files (void)
{
  g_auto (TestDir) first = test_dir_new ();
  g_auto (TestDir) second = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&first, &second);
  g_autofree char *a = g_build_filename (first.path, "x/a.json", NULL);
  g_autofree char *b = g_build_filename (second.path, "x/b.json", NULL);
  g_autofree char *upward = g_strdup ("x/../x/a.json");

  g_test_summary ("files of the search path, the first one; nothing outside, nothing unsafe");
  test_dir_write (&first, "x/a.json", "{}");
  test_dir_write (&second, "x/a.json", "{}");
  test_dir_write (&second, "x/b.json", "{}");
  check_file (registry, "x/a.json", a);
  check_file (registry, "x/b.json", b);
  check_file (registry, "x/c.json", NULL);
  check_file (registry, "x", NULL);
  check_file (registry, upward, NULL);
  check_file (registry, a, NULL);
  g_assert_no_errno (g_chmod (b, 0666));
  check_file (registry, "x/b.json", NULL);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  g_test_add_func ("/classes/found", test_found);
  g_test_add_func ("/classes/morse", test_morse);
  g_test_add_func ("/classes/family", test_family);
  g_test_add_func ("/classes/order-of-directories", test_order_of_directories);
  g_test_add_func ("/classes/order-of-suffixes", test_order_of_suffixes);
  g_test_add_func ("/classes/no-classpath", test_no_classpath);
  g_test_add_func ("/classes/not-found", test_not_found);
  g_test_add_func ("/classes/no-crash-by-nearness", test_no_crash_by_nearness);
  g_test_add_func ("/classes/levels", test_levels);
  g_test_add_func ("/classes/fits", test_fits);
  g_test_add_func ("/classes/create", test_create);
  g_test_add_func ("/classes/search-path", test_search_path);
  g_test_add_func ("/classes/prefix", test_prefix);
  g_test_add_func ("/classes/files", test_files);
  return g_test_run ();
}
