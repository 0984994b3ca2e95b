/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry-test.h"

/* What is refused when it is opened, with the words that say why. */
static const struct {
  const char *fixture;
  const char *class_name;
  const char *words;
} broken[] = {
  { "broken_none", "None",
    "it exports no orrery_plugin_desc: it is not a plugin, or lacks ORRERY_PLUGIN" },
  { "broken_empty", "Empty", "its table of classes is empty or has no end" },
  { "broken_major", "Major", "built for plugin ABI 3.0, this host has 2.3: build it again" },
  { "broken_minor", "Minor", "needs plugin ABI 2.4, this host has 2.3: a newer Orrery runs it" },
  { "broken_size", "Size", "its descriptor has a size of 32 bytes, at least 40 are expected" },
  { "broken_host_type", "Stolen",
    "class Stolen: the type name OrreryRobot is used by the host or one of its libraries" },
  { "broken_no_type", "NoType", "class NoType has no get-type function" },
  { "broken_far_type", "FarType", "class FarType: its get-type function lies outside the file" },
  { "broken_no_role", "NoRole",
    "class NoRole has no role: its type derives from none of Orrery's roles directly; say .role = "
    "ORRERY_ROLE_... in its entry" },
  { "broken_level", "Level", "class Level: level raw: there is no class Raw in this file" },
  { "broken_twice", "Twice", "class Twice is listed twice" },
  { "broken_symbol", "Symbol", "it cannot be loaded: undefined symbol: orrery_no_such_function" },
};

static void
test_refused (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);

  g_test_summary ("each broken plugin is refused when it is found, with the reason");
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++) {
    g_autofree char *name = g_strconcat ("acme/", broken[i].fixture, ".so", NULL);
    g_autofree char *classpath =
        g_strconcat ("acme.", broken[i].fixture, ".", broken[i].class_name, NULL);
    g_autofree char *fixture = test_fixture_path (broken[i].fixture);
    g_autofree char *real = realpath (fixture, NULL);
    g_autofree char *message =
        g_strdup_printf ("%s: %s: refused: %s", classpath, real, broken[i].words);
    g_autoptr (GError) error = NULL;

    test_dir_link (&dir, name, broken[i].fixture);
    g_assert_null (orrery_registry_find_class (registry, classpath, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
    g_assert_cmpstr (error->message, ==, message);
  }
}

static void
check_not_made (OrreryRegistry *registry, const char *classpath, OrreryRole role,
                const char *pattern)
{
  g_autoptr (GError) error = NULL;
  const OrreryClass *klass = orrery_registry_find_class (registry, classpath, &error);

  g_assert_no_error (error);
  g_assert_null (orrery_registry_create (registry, klass, role, &error));
  test_expect (&error, ORRERY_ERROR_PLUGIN, pattern, NULL);
}

static void
test_refused_when_made (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);

  g_test_summary ("what only the class itself shows is refused before a part is made");
  test_dir_link (&dir, "acme/name.so", "broken_other_name");
  test_dir_link (&dir, "acme/role.so", "broken_wrong_role");
  check_not_made (registry, "acme.name.OtherName", ORRERY_ROLE_SENSOR,
                  "acme.name.OtherName: */broken_other_name.so: refused: class OtherName: its "
                  "get-type function gives the type BrokenOtherName, the descriptor says "
                  "BrokenSomething");
  check_not_made (registry, "acme.role.WrongRole", ORRERY_ROLE_ACTUATOR,
                  "acme.role.WrongRole: */broken_wrong_role.so: refused: class WrongRole: its "
                  "descriptor says the role actuator, but BrokenWrongRole does not derive from "
                  "OrreryActuator");
}

/* What the class of all_roles.c lacks; NULL: its role asks for nothing. */
static const struct {
  const char *name;
  OrreryRole role;
  const char *missing;
} roles[] = {
  { "Sensor", ORRERY_ROLE_SENSOR, "sense" },
  { "Actuator", ORRERY_ROLE_ACTUATOR, "act" },
  { "Robot", ORRERY_ROLE_ROBOT, NULL },
  { "Modifier", ORRERY_ROLE_MODIFIER, "modify or a named method" },
  { "Datastream", ORRERY_ROLE_DATASTREAM, "encode or decode" },
  { "Publisher", ORRERY_ROLE_DATASTREAM, "encode to go OUT" },
  { "Reader", ORRERY_ROLE_DATASTREAM, "decode to go IN" },
  { "Manager", ORRERY_ROLE_DATASTREAM_MANAGER, "send, send_messages or intake" },
  { "Requests", ORRERY_ROLE_REQUEST_MANAGER, "intake" },
  { "Overlay", ORRERY_ROLE_OVERLAY, NULL },
  { "Physics", ORRERY_ROLE_PHYSICS, "read" },
  { "Script", ORRERY_ROLE_SCRIPT, NULL },
  { "Importer", ORRERY_ROLE_IMPORTER, "load" },
  { "Raycaster", ORRERY_ROLE_RAYCASTER, "cast" },
  { "Renderer", ORRERY_ROLE_RENDERER, "render" },
  { "Observer", ORRERY_ROLE_OBSERVER, "record or tick" },
};

static OrreryPart *
make (OrreryRegistry *registry, const char *kind, guint index, GError **error)
{
  g_autofree char *classpath = g_strconcat ("acme.all_roles.", kind, roles[index].name, NULL);
  const OrreryClass *klass = orrery_registry_find_class (registry, classpath, error);

  g_assert_nonnull (klass);
  return orrery_registry_create (registry, klass, roles[index].role, error);
}

static void
test_required_functions (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);

  g_test_summary ("a class without a function that its role needs is refused, with it is made");
  test_dir_link (&dir, "acme/all_roles.so", "all_roles");
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OrreryPart) right = make (registry, "Right", i, &error);
    g_autoptr (OrreryPart) lacking = NULL;
    g_autofree char *pattern =
        g_strdup_printf ("*: refused: the role %s needs %s, class Lacking%s has not",
                         orrery_role_get_name (roles[i].role), roles[i].missing, roles[i].name);

    g_assert_no_error (error);
    g_assert_nonnull (right);
    lacking = make (registry, "Lacking", i, &error);
    g_assert_true ((lacking != NULL) == (roles[i].missing == NULL));
    if (roles[i].missing != NULL)
      test_expect (&error, ORRERY_ERROR_PLUGIN, pattern, NULL);
  }
}

static void
test_types_have_one_owner (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a type name belongs to the file that had it first; a link is the same file");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_link (&dir, "acme/same.so", "sonar");
  test_dir_copy (&dir, "acme/copy.so", "sonar");
  test_dir_link (&dir, "acme/thief.so", "broken_stolen");
  g_assert_nonnull (orrery_registry_find_class (registry, "acme.sonar.Sonar", &error));
  g_assert_no_error (error);
  g_assert_nonnull (orrery_registry_find_class (registry, "acme.same.Sonar", &error));
  g_assert_no_error (error);
  g_assert_null (orrery_registry_find_class (registry, "acme.thief.Stolen", &error));
  test_expect (&error, ORRERY_ERROR_PLUGIN,
               "acme.thief.Stolen: */broken_stolen.so: refused: class Stolen: the type name "
               "AcmeSonar is used by */sonar.so; a type name can be used only once in a process",
               NULL);
  g_assert_null (orrery_registry_find_class (registry, "acme.copy.Sonar", &error));
  test_expect (&error, ORRERY_ERROR_PLUGIN, "*DIR/acme/copy.so: refused: * is used by */sonar.so*",
               &dir);
}

static void
test_larger (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryPart) part = NULL;
  const OrreryClass *klass;

  g_test_summary ("descriptions of classes with more members than this host knows are read");
  test_dir_link (&dir, "acme/larger.so", "larger");
  klass = orrery_registry_find_class (registry, "acme.larger.B", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (klass->desc->frequency, ==, 7);
  part = orrery_registry_create (registry, klass, ORRERY_ROLE_SENSOR, &error);
  g_assert_no_error (error);
}

static void
check_mode (OrreryRegistry *registry, TestDir *dir, const char *name, guint mode, guint safe,
            const char *pattern)
{
  g_autofree char *path = test_dir_path (dir, name);
  g_autoptr (GError) error = NULL;

  g_assert_no_errno (g_chmod (path, mode));
  g_assert_null (orrery_registry_find_class (registry, "acme.thing.Thing", &error));
  test_expect (&error, ORRERY_ERROR_PLUGIN, pattern, dir);
  g_assert_no_errno (g_chmod (path, safe));
}

static void
test_writable (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *sticky = test_dir_path (&dir, "acme");

  g_test_summary ("what anybody may write to is refused: file, directory, search path");
  test_dir_copy (&dir, "acme/thing.so", "thing");
  check_mode (registry, &dir, "acme/thing.so", 0777, 0755,
              "acme.thing.Thing: DIR/acme/thing.so: refused: it is writable by everybody; "
              "use chmod o-w DIR/acme/thing.so");
  check_mode (registry, &dir, "acme/thing.so", 01777, 0755,
              "*DIR/acme/thing.so: refused: it is writable*");
  check_mode (registry, &dir, "acme", 0777, 0755,
              "*DIR/acme: refused: it is writable by everybody*");
  check_mode (registry, &dir, ".", 0777, 0700, "*DIR: refused: it is writable by everybody*");
  g_assert_no_errno (g_chmod (dir.path, 0777));
  g_assert_false (orrery_registry_add_directory (registry, dir.path, &error));
  test_expect (&error, ORRERY_ERROR_PLUGIN, "DIR: refused: it is writable by everybody*", &dir);
  g_assert_no_errno (g_chmod (dir.path, 0700));
  /* The control: safe again, and with the sticky bit others cannot replace what is there. */
  g_assert_no_errno (g_chmod (sticky, 01777));
  g_assert_nonnull (orrery_registry_find_class (registry, "acme.thing.Thing", &error));
  g_assert_no_error (error);
}

static void
test_writable_behind_a_link (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_auto (TestDir) far = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autofree char *target = test_dir_path (&far, "json/thing.json");
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *link = test_dir_path (&dir, "acme/thing.json");
  g_autoptr (GError) error = NULL;

  g_test_summary ("a link is judged by where it leads");
  test_dir_write (&far, "json/thing.json", "{\"classes\": {}}");
  g_assert_no_errno (symlink (target, link));
  g_assert_no_errno (g_chmod (folder, 0777));
  g_assert_null (orrery_registry_find_class (registry, "acme.thing.Thing", &error));
  test_expect (&error, ORRERY_ERROR_PLUGIN, "*DIR/json: refused: it is writable by everybody*",
               &far);
  g_assert_no_errno (g_chmod (folder, 0755));
  g_assert_null (orrery_registry_find_class (registry, "acme.thing.Thing", &error));
  test_expect (&error, ORRERY_ERROR_NOT_FOUND, "*has no class Thing", NULL);
}

static void
test_owner (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autofree char *path = test_dir_path (&dir, "acme/thing.json");
  g_autoptr (GError) error = NULL;

  g_test_summary ("what belongs to neither root nor the user is refused");
  if (geteuid () != 0) {
    g_test_skip ("only root can give a file away");
    return;
  }
  test_dir_write (&dir, "acme/thing.json", "{\"classes\": {}}");
  g_assert_no_errno (chown (path, 12345, 12345));
  g_assert_null (orrery_registry_find_class (registry, "acme.thing.Thing", &error));
  test_expect (
      &error, ORRERY_ERROR_PLUGIN,
      "*DIR/acme/thing.json: refused: it belongs to user 12345, neither to root nor to you "
      "(user 0)",
      &dir);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  g_test_add_func ("/plugins/refused", test_refused);
  g_test_add_func ("/plugins/refused-when-made", test_refused_when_made);
  g_test_add_func ("/plugins/required-functions", test_required_functions);
  g_test_add_func ("/plugins/types-have-one-owner", test_types_have_one_owner);
  g_test_add_func ("/plugins/larger", test_larger);
  g_test_add_func ("/plugins/writable", test_writable);
  g_test_add_func ("/plugins/writable-behind-a-link", test_writable_behind_a_link);
  g_test_add_func ("/plugins/owner", test_owner);
  return g_test_run ();
}
