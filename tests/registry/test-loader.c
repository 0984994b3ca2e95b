/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry-test.h"

/* A loader in C: what it says of modules stands in a table, and its classes are types of this file.
 * What Python does beyond that is tested in tests/python. */

/* --- a class that declares by variants, as Python does --- */

G_DECLARE_FINAL_TYPE (FakeSensor, fake_sensor, FAKE, SENSOR, OrrerySensor)
struct _FakeSensor {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (FakeSensor, fake_sensor, ORRERY_TYPE_SENSOR)

static void
fake_sensor_sense (OrrerySensor *self, OrreryTick *tick, OrreryRecord *record, GError **error)
{
}

static OrrerySchema *
new_schema (const char *description)
{
  g_autoptr (GError) error = NULL;
  OrrerySchema *schema =
      orrery_schema_new_from_variant (g_variant_new_parsed (description), &error);

  g_assert_no_error (error);
  return schema;
}

static void
fake_sensor_class_init (FakeSensorClass *klass)
{
  g_autoptr (OrrerySchema) schema = new_schema ("[('range', 'double', 'm', 'How far')]");

  ORRERY_SENSOR_CLASS (klass)->sense = fake_sensor_sense;
  orrery_component_class_set_schema (ORRERY_COMPONENT_CLASS (klass), schema);
  g_assert_true (orrery_part_class_declare_services (
      ORRERY_PART_CLASS (klass), g_variant_new_parsed ("[('aim', 'x:d=0.5', @u 1, 'Aims')]"),
      NULL));
}

static void
fake_sensor_init (FakeSensor *self)
{
}

G_DECLARE_FINAL_TYPE (FakeModifier, fake_modifier, FAKE, MODIFIER, OrreryModifier)
struct _FakeModifier {
  OrreryModifier parent_instance;
};
G_DEFINE_FINAL_TYPE (FakeModifier, fake_modifier, ORRERY_TYPE_MODIFIER)

static void
fake_modifier_class_init (FakeModifierClass *klass)
{
  g_assert_true (
      orrery_modifier_class_declare_methods (ORRERY_MODIFIER_CLASS (klass),
                                             g_variant_new_parsed ("[('turn', 'Turns')]"), NULL));
}

static void
fake_modifier_init (FakeModifier *self)
{
}

/* --- the loader --- */

static const char *said;    /* a{sv} as GVariant writes it; NULL: there is no such module */
static const char *refused; /* the words of an error */
static guint n_loads;
static char *last_file;

G_DECLARE_FINAL_TYPE (FakeLoader, fake_loader, FAKE, LOADER, OrreryLoader)
struct _FakeLoader {
  OrreryLoader parent_instance;
};
G_DEFINE_FINAL_TYPE (FakeLoader, fake_loader, ORRERY_TYPE_LOADER)

static GVariant *
fake_loader_load (OrreryLoader *self, const char *module, const char *file, GError **error)
{
  n_loads++;
  g_free (last_file);
  last_file = g_strdup (file);
  if (refused != NULL)
    g_set_error_literal (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN, refused);
  if (refused != NULL || said == NULL || (file == NULL && strcmp (module, "own.thing") != 0))
    return NULL;
  return g_variant_ref_sink (g_variant_new_parsed (said));
}

static void
fake_loader_class_init (FakeLoaderClass *klass)
{
  ORRERY_LOADER_CLASS (klass)->load = fake_loader_load;
}

static void
fake_loader_init (FakeLoader *self)
{
}

typedef struct {
  TestDir dir;
  OrreryRegistry *registry;
} Case;

static void
case_clear (Case *self)
{
  orrery_loader_set_default (NULL);
  said = refused = NULL;
  g_clear_object (&self->registry);
  test_dir_clear (&self->dir);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* A registry with acme/sonar.py, of which the loader says @words. */
static Case
case_new (const char *words)
{
  g_autoptr (OrreryLoader) loader = g_object_new (fake_loader_get_type (), NULL);
  Case self = { test_dir_new (), NULL };

  g_type_ensure (fake_sensor_get_type ());
  g_type_ensure (fake_modifier_get_type ());
  self.registry = test_registry_new (&self.dir, NULL);
  test_dir_write (&self.dir, "acme/sonar.py", "");
  test_dir_write (&self.dir, "acme/family/__init__.py", "");
  orrery_loader_set_default (loader);
  said = words;
  n_loads = 0;
  return self;
}

#define SENSOR "{'name': <'Sonar'>, 'type': <'FakeSensor'>"
#define WHOLE                                                                                      \
  "{'summary': <'Sonars'>, 'licence': <'MIT'>, 'classes': <[" SENSOR ", 'frequency': <20.0>, "     \
  "'levels': <[('raw', 'Raw', false), ('fine', '', true)]>, "                                      \
  "'aliases': <[('Noise', 'orrery.sensors.pose.Pose', '')]>}, "                                    \
  "{'name': <'Raw'>, 'type': <'FakeSensor'>}]>}"

static void
test_class (void)
{
  g_auto (Case) self = case_new (WHOLE);
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryPart) part = NULL;
  const OrreryClass *klass;
  const OrreryClass *raw;
  const char *level;

  g_test_summary ("a class that a loader told of is one like any other");
  klass = orrery_registry_find_class (self.registry, "acme.sonar.Sonar", &error);
  g_assert_no_error (error);
  g_assert_cmpint (klass->desc->role, ==, ORRERY_ROLE_SENSOR);
  g_assert_cmpfloat (klass->desc->frequency, ==, 20.0);
  g_assert_cmpstr (klass->desc->aliases[0].name, ==, "Noise");
  g_assert_null (klass->desc->aliases[0].level);
  g_assert_true (g_str_has_suffix (last_file, "/acme/sonar.py"));
  raw = orrery_registry_find_level (self.registry, klass, "raw", &level, &error);
  g_assert_cmpstr (raw->classpath, ==, "acme.sonar.Raw");
  g_assert_true (orrery_registry_find_level (self.registry, klass, NULL, &level, &error) == klass);
  g_assert_cmpstr (level, ==, "fine");
  part = orrery_registry_create (self.registry, klass, ORRERY_ROLE_SENSOR, &error);
  g_assert_no_error (error);
  g_assert_true (FAKE_IS_SENSOR (part));
  g_assert_cmpuint (n_loads, ==, 1);
}

static void
test_description (void)
{
  g_auto (Case) self = case_new (WHOLE);
  const char *const classpaths[] = { "acme.sonar.Sonar", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *json = orrery_registry_describe (self.registry, classpaths, &error);
  g_autofree char *file = test_dir_path (&self.dir, "acme/sonar.py");
  g_autofree char *line = orrery_inspect_module ("acme.sonar", file);

  g_test_summary ("fields and services are described as those of a class in C");
  g_assert_no_error (error);
  g_assert_nonnull (strstr (json, "\"name\": \"range\", \"type\": \"double\", \"unit\": \"m\""));
  g_assert_nonnull (strstr (json, "\"name\": \"aim\", \"kind\": \"long\""));
  g_assert_nonnull (strstr (line, "\"summary\": \"Sonars\", \"licence\": \"MIT\", \"classes\": "));
  g_assert_null (strstr (line, "abi"));
}

static void
test_places (void)
{
  g_auto (Case) self = case_new ("{'classes': <[" SENSOR "}]>}");
  g_autoptr (GError) error = NULL;

  g_test_summary ("packages, and what Python finds itself, which comes last");
  g_assert_nonnull (orrery_registry_find_class (self.registry, "acme.family.Sonar", &error));
  g_assert_true (g_str_has_suffix (last_file, "/acme/family/__init__.py"));
  g_assert_nonnull (orrery_registry_find_class (self.registry, "own.thing.Sonar", &error));
  g_assert_no_error (error);
  g_assert_null (last_file);
  g_assert_null (orrery_registry_find_class (self.registry, "own.things.Sonar", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  n_loads = 0;
  g_assert_null (orrery_registry_find_class (self.registry, "orrery.things.Sonar", NULL));
  g_assert_cmpuint (n_loads, ==, 0);
}

static void
check_refused (const char *words, const char *pattern)
{
  g_auto (Case) self = case_new (words);
  g_autoptr (GError) error = NULL;

  g_assert_null (orrery_registry_find_class (self.registry, "acme.sonar.Sonar", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  if (!g_pattern_match_simple (pattern, error->message))
    g_assert_cmpstr (error->message, ==, pattern);
}

static void
test_refused (void)
{
  g_test_summary ("what a loader says is judged as what a shared object says");
  check_refused (NULL, "acme.sonar.Sonar: */acme/sonar.py: there is no description of it");
  check_refused ("{'classes': <[{'type': <'FakeSensor'>}]>}", "*class number 0 has no name");
  check_refused ("{'classes': <[{'name': <'Sonar'>, 'type': <'Nobody'>}]>}",
                 "*class number 0 has no type that is registered");
  check_refused ("{'classes': <[{'name': <'Sonar'>, 'type': <'GObject'>}]>}",
                 "*class Sonar has no role*");
  check_refused ("{'classes': <[{'name': <'Son ar'>, 'type': <'FakeSensor'>}]>}",
                 "*class number 0: its name is no identifier");
  check_refused ("{'classes': <[" SENSOR ", 'frequency': <-1.0>}]>}",
                 "*class Sonar: a frequency is 0 to 1000000 Hz");
  check_refused ("{'classes': <[" SENSOR ", 'levels': <[('raw', 'Nobody', true)]>}]>}",
                 "*class Sonar: level raw: there is no class Nobody in this file");
  check_refused ("{'classes': <[" SENSOR ", 'aliases': <[('Noise', 'Pose', '')]>}]>}",
                 "*class Sonar: alias Noise names no classpath");
  check_refused ("{'classes': <[" SENSOR ", 'stream': <'socket'>}]>}",
                 "*class Sonar: the role sensor has no stream; managers have");
}

static void
test_loader_error (void)
{
  g_auto (Case) self = case_new (NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("what goes wrong in Python is what is said");
  refused = "sonar.py:7: NameError: no name";
  g_assert_null (orrery_registry_find_class (self.registry, "acme.sonar.Sonar", &error));
  g_assert_cmpstr (error->message, ==, "acme.sonar.Sonar: sonar.py:7: NameError: no name");
  g_clear_error (&error);
  g_assert_null (orrery_registry_find_class (self.registry, "own.thing.Sonar", &error));
  g_assert_cmpstr (error->message, ==, "own.thing.Sonar: sonar.py:7: NameError: no name");
  g_assert_false (orrery_registry_needs_python (self.registry));
}

static void
test_no_modify (void)
{
  g_auto (Case) self = case_new ("{'classes': <[{'name': <'Turn'>, 'type': <'FakeModifier'>}]>}");
  const OrreryClass *klass = orrery_registry_find_class (self.registry, "acme.sonar.Turn", NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("methods that are declared run in modify, so that has to be there");
  g_assert_null (orrery_registry_create (self.registry, klass, ORRERY_ROLE_MODIFIER, &error));
  g_assert_nonnull (strstr (error->message, "needs modify, which runs its named methods"));
}

static void
check_services (const char *table, const char *words)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (fake_sensor_get_type ());
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_part_class_declare_services (ORRERY_PART_CLASS (klass),
                                                      g_variant_new_parsed (table), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (error != NULL ? error->message : "none", ==, words);
}

static void
test_tables (void)
{
  static const char *const defaults[] = { "x:d=nan", "x:d=-inf", "x:x=0.5", "x:b=" };
  g_autoptr (GTypeClass) klass = g_type_class_ref (fake_modifier_get_type ());
  g_autoptr (GError) error = NULL;

  g_test_summary ("tables of services and methods that are none");
  check_services ("[('a b', '', @u 0, '')]", "service 'a b': no identifier");
  check_services ("[('a', '', @u 0, ''), ('a', '', @u 0, '')]",
                  "service a: there are two of that name");
  check_services ("[('a', 'x:q', @u 0, '')]",
                  "service a: 'x:q' in a signature is not name:TYPE with a type of b x d s v");
  check_services ("[('a', ':d', @u 0, '')]",
                  "service a: ':d' in a signature is not name:TYPE with a type of b x d s v");
  check_services ("[('a', 'x:v=5', @u 0, '')]",
                  "service a: 'x:v=5' in a signature: the default of a v is null");
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++) {
    g_autofree char *services = g_strdup_printf ("[('a', '%s', @u 0, '')]", defaults[i]);
    g_autofree char *words =
        g_strdup_printf ("service a: '%s' in a signature: the default is no value of its type, as "
                         "true, 5, 0.5 and 'text' are",
                         defaults[i]);

    check_services (services, words);
  }
  check_services ("['a']", "a table of services is an array of (name, signature, flags, words), "
                           "a(ssus), not as");
  g_assert_false (orrery_modifier_class_declare_methods (ORRERY_MODIFIER_CLASS (klass),
                                                         g_variant_new_parsed ("['a']"), &error));
  g_assert_cmpstr (error->message, ==,
                   "a table of methods is an array of (name, words), a(ss), not as");
}

static void
test_no_function (void)
{
  g_auto (Case) self = case_new (WHOLE);
  const OrreryClass *klass = orrery_registry_find_class (self.registry, "acme.sonar.Sonar", NULL);
  g_autoptr (OrreryPart) part =
      orrery_registry_create (self.registry, klass, ORRERY_ROLE_SENSOR, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a service without a function fails, and nothing else");
  ORRERY_PART_GET_CLASS (part)->call (part, "aim", NULL, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INTERNAL);
  g_assert_nonnull (strstr (error->message, ": the class has no function for the service aim"));
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  g_test_add_func ("/loader/class", test_class);
  g_test_add_func ("/loader/description", test_description);
  g_test_add_func ("/loader/places", test_places);
  g_test_add_func ("/loader/refused", test_refused);
  g_test_add_func ("/loader/error", test_loader_error);
  g_test_add_func ("/loader/no-modify", test_no_modify);
  g_test_add_func ("/loader/tables", test_tables);
  g_test_add_func ("/loader/no-function", test_no_function);
  return g_test_run ();
}
