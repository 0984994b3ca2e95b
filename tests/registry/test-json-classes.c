/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry-test.h"

/* What is wrong with a file of classes: where (DIR is the file) and why. */
static const struct {
  const char *text;
  int code;
  const char *pattern;
} wrong[] = {
  { "", ORRERY_ERROR_CONFIG, "DIR:1:1: *" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",}}}", ORRERY_ERROR_CONFIG, "DIR:1:*" },
  { "[]", ORRERY_ERROR_CONFIG, "DIR:1:1: a file of classes is a dictionary, not a list" },
  { "{}", ORRERY_ERROR_CONFIG, "DIR:1:1: a file of classes needs a 'classes'" },
  { "{\"classes\": []}", ORRERY_ERROR_CONFIG, "DIR:1:13: 'classes' is a list, not a dictionary" },
  { "{\"classes\": {},\n \"sumary\": \"\"}", ORRERY_ERROR_CONFIG,
    "DIR:2:2: a file of classes has no key 'sumary'; did you mean summary" },
  { "{\"orrery\": 2, \"classes\": {}}", ORRERY_ERROR_CONFIG,
    "DIR:1:12: 'orrery' is 2; this host reads version 1" },
  { "{\"classes\": {\"A b\": {}}}", ORRERY_ERROR_CONFIG, "DIR:1:14: 'A b' is no name of a class" },
  { "{\"classes\": {\"A\": 1}}", ORRERY_ERROR_CONFIG,
    "DIR:1:19: a class is a dictionary, not an integer" },
  { "{\"classes\": {\"A\": {}}}", ORRERY_ERROR_CONFIG, "DIR:1:19: a class needs a 'base'" },
  { "{\"classes\": {\"A\":\n{\"base\": \"Sonar\"}}}", ORRERY_ERROR_CONFIG,
    "DIR:2:10: 'Sonar' is no classpath*" },
  { "{\"classes\": {\"A\": {\"base\": 7}}}", ORRERY_ERROR_CONFIG,
    "DIR:1:28: 'base' is an integer, not a text" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"propertys\": {}}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:1: a class has no key 'propertys'; did you mean properties" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"properties\": []}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:15: 'properties' is a list, not a dictionary" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"frequency\": 0}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:14: 'frequency' is 0, out of range: 1e-06 to 1e+06" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"frequency\": NaN}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:14: 'frequency' is NaN, out of range: 1e-06 to 1e+06" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"position\": [0, 0]}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:13: 'position' is [0, 0], not a list of three finite numbers" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"rotation\": [0, 0, 0, 0, 0]}}}",
    ORRERY_ERROR_CONFIG,
    "DIR:2:13: 'rotation' is [0, 0, 0, 0, 0], not a list of three finite numbers" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"position\": [0, \"1\", 2]}}}",
    ORRERY_ERROR_CONFIG,
    "DIR:2:13: 'position' is [0, \"1\", 2], not a list of three finite numbers" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"level\": \"rwa\"}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:10: acme.sonar.Sonar has no level 'rwa'; did you mean raw" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"aliases\": [{\"alias\": "
    "\"ros\"}]}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:13: an alias needs a 'component'" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.sonar.Sonar\",\n\"aliases\": [{\"alias\": "
    "\"ros\", \"component\": \"a.B\", \"levle\": \"x\"}]}}}",
    ORRERY_ERROR_CONFIG, "DIR:2:*: an alias has no key 'levle'; did you mean level" },
  { "{\"classes\": {\"A\": {\n\"base\": \"acme.sonnar.Sonar\"}}}", ORRERY_ERROR_NOT_FOUND,
    "DIR:2:9: acme.sonnar.Sonar: no module acme/sonnar.so *; did you mean acme.sonar.Sonar*" },
  { "{\"classes\": {\"A\": {\n\"base\": \"acme.sonar.Sonra\"}}}", ORRERY_ERROR_NOT_FOUND,
    "DIR:2:9: acme.sonar.Sonra: *has no class Sonra; did you mean Sonar*" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.preset.A\"}}}", ORRERY_ERROR_CONFIG,
    "*DIR:1:28: the bases never come to an end: acme.preset.A -> acme.preset.A" },
  { "{\"classes\": {\"A\": {\"base\": \"acme.preset.B\"},\n\"B\": {\"base\": "
    "\"acme.preset.C\"},\n\"C\": "
    "{\"base\": \"acme.preset.A\"}}}",
    ORRERY_ERROR_CONFIG,
    "DIR:1:28: DIR:2:15: DIR:3:15: DIR:1:28: the bases never come to an end: acme.preset.A -> "
    "acme.preset.B -> acme.preset.C -> "
    "acme.preset.A" },
  { "{\"classes\": {\"B\": {\"base\": \"acme.sonar.Sonar\"}}}", ORRERY_ERROR_NOT_FOUND,
    "acme.preset.A: DIR has no class A; there is: B" },
};

static void
test_wrong (void)
{
  g_test_summary ("each mistake of a file of classes is an error with its place");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_auto (TestDir) dir = test_dir_new ();
    g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
    g_autoptr (GError) error = NULL;
    TestDir file = { test_dir_path (&dir, "acme/preset.json") };

    test_dir_link (&dir, "acme/sonar.so", "sonar");
    test_dir_write (&dir, "acme/preset.json", wrong[i].text);
    g_assert_null (orrery_registry_find_class (registry, "acme.preset.A", &error));
    test_expect (&error, wrong[i].code, wrong[i].pattern, &file);
    g_free (file.path);
  }
}

static const char presets[] =
    "{\"orrery\": 1, \"summary\": \"Presets\", \"licence\": \"BSD-3-Clause\",\n"
    " \"classes\": {\n"
    "  \"Near\": {\"base\": \"acme.sonar.Sonar\", \"frequency\": 10, \"level\": \"raw\",\n"
    "           \"properties\": {\"Reach\": 2.5}, \"position\": [0, 0, 1], \"rotation\": [0, 0, "
    "0]},\n"
    "  \"Nearer\": {\"base\": \"morse.preset.Near\", \"body\": {\"mass\": 1}, \"shapes\": [],\n"
    "             \"objects\": []},\n"
    "  \"Other\": {\"base\": \"acme.sonar.Other\"}}}\n";

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
add_presets (TestDir *dir)
{
  test_dir_link (dir, "acme/sonar.so", "sonar");
  test_dir_write (dir, "orrery/preset.json", presets);
}

static void
test_right (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autofree char *file = test_dir_path (&dir, "orrery/preset.json");
  const OrreryClass *nearer;

  g_test_summary ("a JSON class leads through its bases to a C class and keeps what it says");
  add_presets (&dir);
  nearer = find (registry, "orrery.preset.Nearer");
  g_assert_cmpstr (nearer->classpath, ==, "orrery.preset.Nearer");
  g_assert_cmpstr (nearer->module, ==, "orrery.preset");
  g_assert_cmpstr (nearer->file, ==, file);
  g_assert_cmpstr (nearer->desc->type_name, ==, "AcmeSonar");
  g_assert_nonnull (orrery_node_find (nearer->node, "body"));
  g_assert_true (nearer->base == find (registry, "orrery.preset.Near"));
  g_assert_true (nearer->base->base == find (registry, "acme.sonar.Sonar"));
  g_assert_null (nearer->base->base->base);
}

static void
check_level (OrreryRegistry *registry, const OrreryClass *klass, const char *asked,
             const char *name, const char *type_name)
{
  g_autoptr (GError) error = NULL;
  const char *found = NULL;
  const OrreryClass *level = orrery_registry_find_level (registry, klass, asked, &found, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, name);
  g_assert_cmpstr (level->classpath, ==, klass->classpath);
  g_assert_cmpstr (level->desc->type_name, ==, type_name);
  g_assert_true (level->node == klass->node);
}

static void
test_levels (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  const OrreryClass *nearer, *level;
  g_autoptr (OrreryPart) part = NULL;

  g_test_summary ("a JSON class has the levels of its C class, and may choose its default");
  add_presets (&dir);
  nearer = find (registry, "orrery.preset.Nearer");
  check_level (registry, nearer, NULL, "raw", "AcmeRawSonar");
  check_level (registry, nearer, "full", "full", "AcmeFullSonar");
  check_level (registry, nearer, "smooth", "smooth", "AcmeSonar");
  level = orrery_registry_find_level (registry, nearer, "raw", NULL, NULL);
  g_assert_cmpstr (level->base->classpath, ==, "orrery.preset.Near");
  g_assert_cmpstr (level->base->desc->type_name, ==, "AcmeRawSonar");
  g_assert_cmpstr (level->base->base->classpath, ==, "acme.sonar.RawSonar");
  g_assert_true (orrery_registry_find_level (registry, nearer, "raw", NULL, NULL) == level);
  part = orrery_registry_create (registry, level, ORRERY_ROLE_SENSOR, NULL);
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (part), ==, "AcmeRawSonar");
}

static void
test_fits (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  const OrreryClass *nearer, *raw, *other;

  g_test_summary ("what fits a class fits the JSON classes made of it, at each level");
  add_presets (&dir);
  nearer = find (registry, "orrery.preset.Nearer");
  other = find (registry, "orrery.preset.Other");
  raw = orrery_registry_find_level (registry, nearer, "raw", NULL, NULL);
  g_assert_true (orrery_registry_class_fits (registry, nearer, "acme.sonar.Sonar"));
  g_assert_true (orrery_registry_class_fits (registry, nearer, "orrery.preset.Near"));
  g_assert_true (orrery_registry_class_fits (registry, nearer, "morse.preset.Nearer"));
  g_assert_true (orrery_registry_class_fits (registry, raw, "acme.sonar.Sonar"));
  g_assert_true (orrery_registry_class_fits (registry, raw, "acme.sonar.RawSonar"));
  g_assert_true (orrery_registry_class_fits (registry, raw, "orrery.preset.Near"));
  g_assert_false (orrery_registry_class_fits (registry, nearer, "acme.sonar.RawSonar"));
  g_assert_false (orrery_registry_class_fits (registry, other, "acme.sonar.Sonar"));
  g_assert_false (orrery_registry_class_fits (registry, other, "orrery.preset.Near"));
}

static void
test_long_chain (void)
{
  g_auto (TestDir) dir = test_dir_new ();
  g_autoptr (OrreryRegistry) registry = test_registry_new (&dir, NULL);
  g_autoptr (GString) text =
      g_string_new ("{\"classes\": {\"A0\": {\"base\": \"acme.sonar.Sonar\"}");
  g_autoptr (GError) error = NULL;

  g_test_summary ("a chain of bases has a limit, also where it is no ring");
  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (text, ",\n\"A%u\": {\"base\": \"acme.chain.A%u\"}", i, i - 1);
  g_string_append (text, "}}");
  test_dir_link (&dir, "acme/sonar.so", "sonar");
  test_dir_write (&dir, "acme/chain.json", text->str);
  g_assert_null (orrery_registry_find_class (registry, "acme.chain.A40", &error));
  test_expect (&error, ORRERY_ERROR_CONFIG, "*the bases never come to an end*", NULL);
  g_assert_nonnull (orrery_registry_find_class (registry, "acme.chain.A20", &error));
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  g_test_add_func ("/json-classes/wrong", test_wrong);
  g_test_add_func ("/json-classes/right", test_right);
  g_test_add_func ("/json-classes/levels", test_levels);
  g_test_add_func ("/json-classes/fits", test_fits);
  g_test_add_func ("/json-classes/long-chain", test_long_chain);
  return g_test_run ();
}
