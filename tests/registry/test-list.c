/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry-test.h"

/* What the list or the description says, as nodes that can be walked. */
static OrreryNode *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  OrreryNode *node;

  g_assert_nonnull (json);
  node = orrery_node_parse_json (json, strlen (json), "list", &error);
  g_assert_no_error (error);
  return node;
}

static OrreryNode *
list (OrreryRegistry *registry)
{
  g_autofree char *json = orrery_registry_list (registry);

  return parse (json);
}

/* The item of a list of dictionaries whose @key is @value; NULL if there is none. */
static OrreryNode *
pick (OrreryNode *node, const char *name, const char *key, const char *value)
{
  OrreryNode *items = orrery_node_find (node, name);

  g_assert_nonnull (items);
  for (guint i = 0; items != NULL && i < orrery_node_get_length (items); i++) {
    OrreryNode *item = orrery_node_get_item (items, i);

    if (g_strcmp0 (orrery_node_get_text (orrery_node_find (item, key)), value) == 0)
      return item;
  }
  return NULL;
}

static void
check_text (OrreryNode *node, const char *key, const char *expected)
{
  OrreryNode *item = orrery_node_find (node, key);

  g_assert_cmpstr (item != NULL ? orrery_node_get_text (item) : NULL, ==, expected);
}

static void
check_number (OrreryNode *node, const char *key, double expected)
{
  OrreryNode *item = orrery_node_find (node, key);

  g_assert_nonnull (item);
  if (item != NULL)
    g_assert_cmpfloat (orrery_node_get_double (item), ==, expected);
}

static void
check_bool (OrreryNode *node, const char *key, gboolean expected)
{
  OrreryNode *item = orrery_node_find (node, key);

  g_assert_cmpint (item != NULL && orrery_node_get_bool (item), ==, expected);
}

static OrreryNode *
pick_class (OrreryNode *document, const char *module, const char *classpath)
{
  OrreryNode *found = pick (document, "modules", "module", module);

  g_assert_nonnull (found);
  return found != NULL ? pick (found, "classes", "classpath", classpath) : NULL;
}

static void
check_error (OrreryNode *document, TestDir *dir, const char *file, const char *pattern)
{
  g_autofree char *path = g_build_filename (dir->path, file, NULL);
  OrreryNode *line = pick (document, "errors", "file", path);

  g_assert_nonnull (line);
  if (line != NULL)
    test_match (orrery_node_get_text (orrery_node_find (line, "message")), pattern, dir);
}

static void
test_described (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) document = NULL;
  OrreryNode *module, *sonar, *level, *alias;

  g_test_summary ("the list says of each class what its descriptor says");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  document = list (registry);
  module = pick (document, "modules", "module", "acme.sonar");
  sonar = pick_class (document, "acme.sonar", "acme.sonar.Sonar");
  check_number (document, "orrery", 1);
  check_text (module, "kind", "so");
  check_text (module, "summary", "Hears how far things are");
  check_text (module, "licence", "BSD-3-Clause");
  g_assert_cmpint (orrery_node_get_int (orrery_node_get_item (orrery_node_find (module, "abi"), 0)),
                   ==, ORRERY_ABI_MAJOR);
  check_text (sonar, "role", "sensor");
  check_text (sonar, "type", "AcmeSonar");
  check_number (sonar, "frequency", 25);
  check_bool (sonar, "thread_safe", TRUE);
  level = pick (sonar, "levels", "name", "raw");
  check_text (level, "classpath", "acme.sonar.RawSonar");
  check_bool (level, "default", FALSE);
  check_text (pick (sonar, "levels", "name", "smooth"), "classpath", "acme.sonar.Sonar");
  check_bool (pick (sonar, "levels", "name", "full"), "default", TRUE);
  check_number (pick_class (document, "acme.sonar", "acme.sonar.Other"), "frequency", 60);
  alias = pick_class (document, "acme.sonar", "acme.sonar.SonarNoise");
  g_assert_null (orrery_node_find (alias, "frequency"));
  alias = pick (alias, "aliases", "component", "orrery.sensors.thing.Thing");
  check_text (alias, "alias", "Noise");
  check_text (alias, "level", "raw");
  g_assert_null (orrery_node_find (alias, "shadowed"));
}

static void
test_broken (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) document = NULL;
  gint64 start;

  g_test_summary ("a module that crashes, hangs or ends the process is one line; all others stay");
  test_dir_link (&dir, "acme/a.so", "family");
  test_dir_link (&dir, "acme/b.so", "broken_crash");
  test_dir_link (&dir, "acme/c.so", "thing");
  test_dir_link (&dir, "acme/d.so", "broken_hang");
  test_dir_link (&dir, "acme/e.so", "broken_exit");
  test_dir_link (&dir, "acme/f.so", "broken_major");
  test_dir_link (&dir, "acme/g.so", "sonar");
  test_dir_write (&dir, "acme/h.so", "no shared object");
  start = g_get_monotonic_time ();
  document = list (registry);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 120 * G_USEC_PER_SEC);
  g_assert_cmpint (orrery_node_get_length (orrery_node_find (document, "errors")), ==, 5);
  g_assert_nonnull (pick (document, "modules", "module", "acme.a"));
  g_assert_nonnull (pick (document, "modules", "module", "acme.c"));
  g_assert_nonnull (pick (document, "modules", "module", "acme.g"));
  g_assert_null (pick (document, "modules", "module", "acme.b"));
}

static void
test_messages (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) document = NULL;

  g_test_summary ("each line of errors says the file and what is wrong with it");
  test_dir_link (&dir, "acme/b.so", "broken_crash");
  test_dir_link (&dir, "acme/d.so", "broken_hang");
  test_dir_link (&dir, "acme/e.so", "broken_exit");
  test_dir_link (&dir, "acme/f.so", "broken_major");
  test_dir_link (&dir, "acme/g.so", "broken_symbol");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_link (&dir, "acme/thief.so", "broken_stolen");
  test_dir_write (&dir, "acme/j.json", "{\n \"clases\": {}}");
  test_dir_write (&dir, "acme/k.json", "{\"classes\": {\"K\": {\"base\": \"acme.sonar.Sonr\"}}}");
  test_dir_write (
      &dir, "acme/l.json",
      "{\"classes\": {\"L\": {\"base\": \"acme.l.M\"}, \"M\": {\"base\": \"acme.l.L\"}}}");
  test_dir_write (&dir, "acme/n.json",
                  "{\"classes\": {\"N\": {\"base\": \"acme.sonar.Sonar\", \"level\": \"rwa\"}}}");
  document = list (registry);
  check_error (document, &dir, "acme/b.so", "the process in which it is loaded was killed by SIG*");
  check_error (document, &dir, "acme/d.so",
               "the process in which it is loaded gave no answer within 5 s");
  check_error (document, &dir, "acme/e.so",
               "the process in which it is loaded exited with status 3");
  check_error (document, &dir, "acme/f.so", "refused: built for plugin ABI 3.0, this host *");
  check_error (document, &dir, "acme/g.so",
               "refused: it cannot be loaded: undefined symbol: orrery_no_such_function");
  check_error (document, &dir, "acme/thief.so",
               "the type name AcmeSonar is used by DIR/acme/sonar.so");
  check_error (document, &dir, "acme/j.json",
               "DIR/acme/j.json:2:2: a file of classes has no key 'clases'*needs a 'classes'");
  check_error (document, &dir, "acme/k.json",
               "DIR/acme/k.json:1:28: class acme.k.K is based on no class; did you mean "
               "acme.sonar.Sonar*");
  check_error (document, &dir, "acme/l.json", "the bases of acme.l.L never come to an end");
  check_error (document, &dir, "acme/n.json",
               "DIR/acme/n.json:1:57: acme.sonar.Sonar has no level 'rwa'");
}

static void
test_noise_of_modules (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) document = NULL;

  g_test_summary ("what a module prints while it is loaded does not get into the list");
  test_dir_link (&dir, "acme/thing.so", "thing");
  g_setenv ("FIXTURE_SHOUTS", "1", TRUE);
  document = list (registry);
  g_unsetenv ("FIXTURE_SHOUTS");
  g_assert_nonnull (pick_class (document, "acme.thing", "acme.thing.Thing"));
  g_assert_cmpint (orrery_node_get_length (orrery_node_find (document, "errors")), ==, 0);
}

static void
test_order (void)
{
  g_auto (TestDir) first = test_dir_new ();
  g_auto (TestDir) second = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&first, &second);
  g_autoptr (OrreryNode) document = NULL;
  g_autofree char *hidden = test_dir_path (&second, "acme/thing.so");
  OrreryNode *modules;

  g_test_summary ("in search order, in a directory by name; what is hidden is told apart");
  test_dir_link (&first, "b/thing.so", "thing");
  test_dir_write (&first, "acme/thing.json",
                  "{\"classes\": {\"Thing\": {\"base\": \"b.thing.Thing\"}}}");
  test_dir_link (&second, "acme/thing.so", "broken_crash");
  test_dir_link (&second, "acme.so", "family");
  test_dir_link (&second, "acme/depth.so", "sonar");
  test_dir_write (&second, "orrery/environments/flat.json", "{}");
  test_dir_write (&second, "orrery/environments/indoors-1/room.json", "{}");
  test_dir_write (&first, "orrery/environments/flat.json", "{}");
  document = list (registry);
  modules = orrery_node_find (document, "modules");
  check_text (orrery_node_get_item (modules, 0), "module", "acme.thing");
  check_text (orrery_node_get_item (modules, 1), "module", "b.thing");
  check_text (orrery_node_get_item (modules, 2), "module", "acme");
  check_text (orrery_node_get_item (modules, 3), "module", "acme.depth");
  check_text (pick (document, "shadowed", "module", "acme.thing"), "file", hidden);
  check_bool (pick_class (document, "acme", "acme.depth.Depth"), "shadowed", TRUE);
  check_bool (pick_class (document, "acme", "acme.sonar.Echo"), "shadowed", FALSE);
  g_assert_cmpint (orrery_node_get_length (orrery_node_find (document, "errors")), ==, 0);
}

static gboolean
has_text (OrreryNode *items, const char *text)
{
  guint found = 0;

  for (guint i = 0; i < orrery_node_get_length (items); i++)
    found += g_str_equal (orrery_node_get_text (orrery_node_get_item (items, i)), text) ? 1 : 0;
  g_assert_cmpuint (found, <=, 1);
  return found == 1;
}

static void
test_environments (void)
{
  g_auto (TestDir) first = test_dir_new ();
  g_auto (TestDir) second = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&first, &second);
  g_autoptr (OrreryNode) document = NULL;
  OrreryNode *names;

  g_test_summary ("environments are listed by name, once, and are no modules");
  test_dir_write (&first, "orrery/environments/flat.json", "{}");
  test_dir_write (&second, "orrery/environments/flat.json", "{}");
  test_dir_write (&second, "orrery/environments/indoors-1/room.json", "{}");
  test_dir_write (&second, "orrery/environments/notes.txt", "");
  document = list (registry);
  names = orrery_node_find (document, "environments");
  g_assert_true (has_text (names, "flat"));
  g_assert_true (has_text (names, "indoors-1/room"));
  g_assert_false (has_text (names, "notes"));
  g_assert_null (pick (document, "modules", "module", "orrery.environments.flat"));
  g_assert_cmpint (orrery_node_get_length (orrery_node_find (document, "errors")), ==, 0);
}

static void
test_aliases (void)
{
  g_auto (TestDir) first = test_dir_new ();
  g_auto (TestDir) second = test_dir_new ();
  g_autoptr (OrreryRegistry) apart = test_registry_new (&first, &second);
  g_autoptr (OrreryNode) document = NULL;
  OrreryNode *other;

  g_test_summary ("of an alias offered twice the first in search order wins, the other is marked");
  test_dir_link (&first, "acme/sonar.so", "sonar");
  test_dir_link (&second, "acme/noise.so", "other_noise");
  document = list (apart);
  other = pick_class (document, "acme.noise", "acme.noise.OtherNoise");
  check_bool (pick (other, "aliases", "alias", "Noise"), "shadowed", TRUE);
  check_bool (pick (other, "aliases", "alias", "Quiet"), "shadowed", FALSE);
  g_assert_cmpint (orrery_node_get_length (orrery_node_find (document, "errors")), ==, 0);
}

static void
test_aliases_in_one_directory (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) document = NULL;

  g_test_summary ("an alias offered twice in one directory is an error");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_link (&dir, "acme/tnoise.so", "other_noise");
  document = list (registry);
  check_error (document, &dir, "acme/tnoise.so",
               "the alias Noise of acme.sonar.Sonar is offered by DIR/acme/sonar.so, too, in the "
               "same directory");
  g_assert_cmpint (orrery_node_get_length (orrery_node_find (document, "errors")), ==, 1);
}

static void
test_refused_directory (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) document = NULL;

  g_test_summary ("what lies in a directory that anybody may write to is not opened");
  test_dir_link (&dir, "acme/crash.so", "broken_crash");
  g_assert_no_errno (g_chmod (dir.path, 0777));
  document = list (registry);
  check_error (document, &dir, "acme/crash.so", "DIR: refused: it is writable by everybody*");
  g_assert_no_errno (g_chmod (dir.path, 0700));
}

static void
test_json_classes (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) document = NULL;
  OrreryNode *klass;

  g_test_summary ("a JSON class is listed with its base, its values and what it inherits");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_write (&dir, "acme/preset.json",
                  "{\"summary\": \"Presets\", \"classes\": {"
                  "\"Near\": {\"base\": \"acme.sonar.Sonar\", \"level\": \"raw\", "
                  "\"properties\": {\"Reach\": 0.1}},"
                  "\"Fast\": {\"base\": \"acme.preset.Near\", \"frequency\": 50}}}");
  document = list (registry);
  check_text (pick (document, "modules", "module", "acme.preset"), "kind", "json");
  check_text (pick (document, "modules", "module", "acme.preset"), "summary", "Presets");
  klass = pick_class (document, "acme.preset", "acme.preset.Near");
  check_text (klass, "base", "acme.sonar.Sonar");
  check_text (klass, "role", "sensor");
  check_number (klass, "frequency", 25);
  check_number (orrery_node_find (klass, "properties"), "Reach", 0.1);
  klass = pick_class (document, "acme.preset", "acme.preset.Fast");
  check_text (klass, "base", "acme.preset.Near");
  check_number (klass, "frequency", 50);
  check_bool (pick (klass, "levels", "name", "raw"), "default", TRUE);
  check_bool (pick (klass, "levels", "name", "full"), "default", FALSE);
}

/* --- descriptions --- */

static OrreryNode *
describe (OrreryRegistry *registry, const char *classpath)
{
  const char *classpaths[] = { classpath, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *json = orrery_registry_describe (registry, classpaths, &error);
  g_autoptr (OrreryNode) document = NULL;

  g_assert_no_error (error);
  document = parse (json);
  return orrery_node_ref (orrery_node_get_item (orrery_node_find (document, "classes"), 0));
}

static void
check_properties (OrreryNode *klass, double reach)
{
  OrreryNode *item = pick (klass, "properties", "name", "Reach");

  check_text (item, "property", "reach");
  check_text (item, "type", "float");
  check_number (item, "minimum", 0);
  check_number (item, "maximum", 100);
  check_number (item, "default", reach);
  check_text (item, "words", "How far it hears, m");
  item = pick (klass, "properties", "name", "Mode");
  check_text (item, "default", "narrow");
  g_assert_cmpint (orrery_node_get_length (orrery_node_find (item, "choices")), ==, 2);
  check_number (pick (klass, "properties", "name", "n_echoes"), "maximum", 9);
}

static void
test_class (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) klass = NULL;
  OrreryNode *fields, *ping;

  g_test_summary ("a description has fields, properties and services of the class");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  klass = describe (registry, "acme.sonar.Sonar");
  check_text (klass, "classpath", "acme.sonar.Sonar");
  fields = orrery_node_find (klass, "fields");
  check_text (orrery_node_get_item (fields, 0), "name", "timestamp");
  check_text (pick (klass, "fields", "name", "range"), "type", "double");
  check_text (pick (klass, "fields", "name", "range"), "unit", "m");
  check_text (pick (klass, "fields", "name", "range"), "words", "Distance to what is nearest");
  check_properties (klass, 5);
  ping = pick (klass, "services", "name", "ping");
  check_text (ping, "kind", "long");
  check_bool (ping, "interruptible", TRUE);
  check_text (pick (ping, "arguments", "name", "times"), "type", "x");
  g_assert_null (orrery_node_find (pick (ping, "arguments", "name", "times"), "default"));
  check_number (pick (ping, "arguments", "name", "strength"), "default", 0.5);
  check_text (pick (ping, "arguments", "name", "label"), "default", "loud");
  g_assert_nonnull (pick (klass, "services", "name", "get_properties"));
  g_assert_null (orrery_node_find (klass, "methods"));
}

static void
test_modifier (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) klass = NULL;

  g_test_summary ("a modifier has methods and no fields");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  klass = describe (registry, "acme.sonar.SonarNoise");
  check_text (pick (klass, "methods", "name", "half"), "words", "Half of it");
  g_assert_null (orrery_node_find (klass, "fields"));
}

static void
test_preset (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (OrreryNode) klass = NULL;

  g_test_summary ("of a JSON class the defaults are those that it gives, or a base of it");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_write (&dir, "acme/preset.json",
                  "{\"classes\": {\"Near\": {\"base\": \"acme.sonar.Sonar\", \"level\": \"raw\", "
                  "\"properties\": {\"Reach\": 0.1}},"
                  "\"Fast\": {\"base\": \"acme.preset.Near\", \"frequency\": 50}}}");
  klass = describe (registry, "acme.preset.Fast");
  check_text (klass, "base", "acme.preset.Near");
  check_number (klass, "frequency", 50);
  check_bool (pick (klass, "levels", "name", "raw"), "default", TRUE);
  check_properties (klass, 0.1);
}

static void
test_description_fails (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  const char *classpaths[] = { "acme.sonar.Sonar", "acme.sonar.Sonra", NULL };
  g_autoptr (GError) error = NULL;

  g_test_summary ("one class that is not there fails the whole description");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  g_assert_null (orrery_registry_describe (registry, classpaths, &error));
  test_expect (&error, ORRERY_ERROR_NOT_FOUND, "*has no class Sonra; did you mean Sonar*", NULL);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  g_test_add_func ("/list/described", test_described);
  g_test_add_func ("/list/broken", test_broken);
  g_test_add_func ("/list/messages", test_messages);
  g_test_add_func ("/list/noise-of-modules", test_noise_of_modules);
  g_test_add_func ("/list/order", test_order);
  g_test_add_func ("/list/environments", test_environments);
  g_test_add_func ("/list/aliases", test_aliases);
  g_test_add_func ("/list/aliases-in-one-directory", test_aliases_in_one_directory);
  g_test_add_func ("/list/refused-directory", test_refused_directory);
  g_test_add_func ("/list/json-classes", test_json_classes);
  g_test_add_func ("/describe/class", test_class);
  g_test_add_func ("/describe/modifier", test_modifier);
  g_test_add_func ("/describe/preset", test_preset);
  g_test_add_func ("/describe/fails", test_description_fails);
  return g_test_run ();
}
