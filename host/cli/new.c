/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery new`: writes a new plugin with its test and its Makefile from templates. */
#include "commands.h"
#include "support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* Writes a plugin that builds, passes its test and does something: templates of
 * share/orrery-1/templates with words between @ replaced. */

static const char *const roles[] = { "sensor",          "actuator", "modifier", "datastream",
                                     "request_manager", "overlay",  "robot",    "physics",
                                     "script",          NULL };

const char *const *
cli_new_get_roles (void)
{
  return roles;
}

typedef struct {
  char *directory;
  const char *role;
  const char *suffix; /* of source, test and template: c, json, py */
  GHashTable *words;  /* (element-type utf8 utf8): placeholder to what takes its place */
} Skeleton;

static void
skeleton_clear (Skeleton *skeleton)
{
  g_clear_pointer (&skeleton->directory, g_free);
  g_clear_pointer (&skeleton->words, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Skeleton, skeleton_clear)

static const char *
word (const Skeleton *skeleton, const char *name)
{
  return g_hash_table_lookup (skeleton->words, name);
}

static void
set_word (Skeleton *skeleton, const char *name, char *value)
{
  g_hash_table_insert (skeleton->words, (gpointer) name, value);
}

/* --- names: acme.sonar.RawSonar gives AcmeRawSonar, acme_raw_sonar, RAW_SONAR --- */

static gboolean
is_name (const char *part)
{
  if (!g_ascii_isalpha (*part))
    return FALSE;
  for (; *part != '\0'; part++) {
    if (!g_ascii_isalnum (*part) && *part != '_')
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_classpath (char **parts, const char *classpath)
{
  guint n = g_strv_length (parts);
  gboolean ok = n >= 3;

  for (guint i = 0; i < n; i++)
    ok = ok && is_name (parts[i]);
  ok = ok && g_ascii_isupper (*parts[n - 1]);
  if (!ok)
    cli_usage ("new",
               "'%s' is no classpath: expected PACKAGE.MODULE.Class, as acme.sonar.Sonar; parts "
               "begin with a letter, the class with a capital",
               classpath);
  return ok;
}

/* A dash of low line before each capital that begins a word. */
static char *
to_snake (const char *camel)
{
  GString *out = g_string_new (NULL);

  for (const char *p = camel; *p != '\0'; p++) {
    if (p > camel && g_ascii_isupper (*p) && (!g_ascii_isupper (p[-1]) || g_ascii_islower (p[1])))
      g_string_append_c (out, '_');
    g_string_append_c (out, g_ascii_tolower (*p));
  }
  return g_string_free (out, FALSE);
}

static char *
to_camel (const char *snake)
{
  g_auto (GStrv) parts = g_strsplit (snake, "_", -1);

  for (char **part = parts; *part != NULL; part++)
    **part = g_ascii_toupper (**part);
  return g_strjoinv (NULL, parts);
}

static void
name_types (Skeleton *skeleton, const char *package, const char *class_name)
{
  g_autofree char *camel = to_camel (package);
  g_autofree char *snake = to_snake (class_name);
  g_autofree char *first = g_ascii_strdown (package, -1);

  set_word (skeleton, "TYPE", g_strconcat (camel, class_name, NULL));
  set_word (skeleton, "PREFIX", g_strconcat (first, "_", snake, NULL));
}

/* The place of the module: its path is that of the classpath, without the class. */
static void
name_place (Skeleton *skeleton, char **parts)
{
  const char *suffix = strcmp (skeleton->suffix, "c") == 0 ? "so" : skeleton->suffix;
  g_autofree char *path = g_strjoinv ("/", parts);

  set_word (skeleton, "MODULEPATH", g_strdup_printf ("%s.%s", path, suffix));
  set_word (skeleton, "PACKAGEPATH", g_path_get_dirname (path));
}

static gboolean
name_all (Skeleton *skeleton, const char *classpath)
{
  g_auto (GStrv) parts = g_strsplit (classpath, ".", -1);
  guint n = g_strv_length (parts);
  char *class_name = NULL;

  if (!check_classpath (parts, classpath))
    return FALSE;
  class_name = g_steal_pointer (&parts[n - 1]);
  set_word (skeleton, "CLASSPATH", g_strdup (classpath));
  set_word (skeleton, "CLASS", class_name);
  set_word (skeleton, "MODULE", g_strdup (parts[n - 2]));
  name_types (skeleton, parts[0], class_name);
  name_place (skeleton, parts);
  return TRUE;
}

/* --- templates --- */

static gboolean
is_placeholder (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++) {
    if (!g_ascii_isupper (text[i]))
      return FALSE;
  }
  return length > 0;
}

/* An @ that begins no placeholder of ours is one of the text: make has many. */
static char *
fill (const Skeleton *skeleton, const char *template)
{
  GString *out = g_string_new (NULL);
  const char *rest = template;
  const char *at = NULL;

  while ((at = strchr (rest, '@')) != NULL) {
    const char *end = strchr (at + 1, '@');
    g_autofree char *name = end != NULL ? g_strndup (at + 1, end - at - 1) : g_strdup ("");
    const char *value = is_placeholder (name, strlen (name)) ? word (skeleton, name) : NULL;

    g_string_append_len (out, rest, at - rest);
    g_string_append (out, value != NULL ? value : "@");
    rest = value != NULL ? end + 1 : at + 1;
  }
  g_string_append (out, rest);
  return g_string_free (out, FALSE);
}

static char *
read_template (const char *name, GError **error)
{
  g_autofree char *relative = g_strdup_printf ("share/orrery-1/templates/%s.in", name);
  g_autofree char *path = orrery_get_prefix_path (relative);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, error);
  return text;
}

static gboolean
write_file (const Skeleton *skeleton, const char *template, const char *name, GError **error)
{
  g_autofree char *text = read_template (template, error);
  g_autofree char *filled = text != NULL ? fill (skeleton, text) : NULL;
  g_autofree char *path = g_build_filename (skeleton->directory, name, NULL);

  if (filled == NULL)
    return FALSE;
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return orrery_set_error (error, ORRERY_ERROR_IO,
                             "%s: exists already; files that exist are not overwritten", path);
  if (!orrery_output_replace (path, filled, -1, NULL, error))
    return FALSE;
  fprintf (stdout, "%s\n", path);
  return TRUE;
}

/* Of a robot in JSON the test is in C. */
static const char *
get_test_suffix (const Skeleton *skeleton)
{
  return strcmp (skeleton->suffix, "py") == 0 ? "py" : "c";
}

/* The test of a role is put in the frame that all of them share. */
static gboolean
read_test (Skeleton *skeleton, GError **error)
{
  g_autofree char *name =
      g_strdup_printf ("%s-test.%s", skeleton->role, get_test_suffix (skeleton));
  g_autofree char *text = read_template (name, error);

  if (text != NULL)
    set_word (skeleton, "TEST", fill (skeleton, text));
  return text != NULL;
}

static gboolean
write_all (Skeleton *skeleton, GError **error)
{
  const char *module = word (skeleton, "MODULE");
  const char *test_suffix = get_test_suffix (skeleton);
  gboolean python = strcmp (skeleton->suffix, "py") == 0;
  g_autofree char *template = g_strdup_printf ("%s.%s", skeleton->role, skeleton->suffix);
  g_autofree char *source = g_strdup_printf ("%s.%s", module, skeleton->suffix);
  g_autofree char *frame = g_strdup_printf ("common-test.%s", test_suffix);
  g_autofree char *test =
      g_strdup_printf (python ? "test_%s.%s" : "test-%s.%s", module, test_suffix);

  if (g_mkdir_with_parents (skeleton->directory, 0777) != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", skeleton->directory,
                             g_strerror (errno));
  return read_test (skeleton, error) && write_file (skeleton, template, source, error) &&
         write_file (skeleton, frame, test, error) &&
         write_file (skeleton, python ? "common-py.mk" : "common.mk", "Makefile", error);
}

static gboolean
check_role (const char *role)
{
  g_autofree char *nearest = NULL;

  if (g_strv_contains (roles, role))
    return TRUE;
  nearest = orrery_nearest_names (role, roles);
  cli_usage ("new", "no role '%s'%s", role, nearest);
  return FALSE;
}

/* Chooses the templates by role and language. */
static gboolean
choose (Skeleton *skeleton, const char *language)
{
  static const char *const languages[] = { "c", "python", NULL };
  g_autofree char *nearest = NULL;

  if (language == NULL || strcmp (language, "c") == 0) {
    skeleton->suffix = strcmp (skeleton->role, "robot") == 0 ? "json" : "c";
    return check_role (skeleton->role);
  }
  if (strcmp (language, "python") == 0) {
    skeleton->suffix = "py";
    return check_role (skeleton->role);
  }
  nearest = orrery_nearest_names (language, languages);
  cli_usage ("new", "no language '%s'%s", language, nearest);
  return FALSE;
}

int
cli_new (int argc, char **argv)
{
  g_auto (Skeleton)
      skeleton = { .words = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free) };
  g_autoptr (GError) error = NULL;
  g_autofree char *language = NULL;
  const GOptionEntry entries[] = {
    { "language", 'l', 0, G_OPTION_ARG_STRING, &language,
      "What it is written in: c, which is the default, or python", "LANGUAGE" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &skeleton.directory,
      "Where the files are written; by default a directory named after the module", "DIR" },
    { NULL },
  };

  if (!cli_parse (
          "new", "ROLE CLASSPATH",
          "Writes a plugin that can be built, tried and installed: source, test, Makefile.\n"
          "ROLE is sensor, actuator, modifier, datastream, request_manager, overlay, robot,\n"
          "physics or script.\n"
          "CLASSPATH is its name, as acme.sonar.Sonar.",
          entries, FALSE, 2, 2, &argc, &argv))
    return CLI_USAGE;
  skeleton.role = argv[0];
  if (!choose (&skeleton, language) || !name_all (&skeleton, argv[1]))
    return CLI_USAGE;
  if (skeleton.directory == NULL)
    skeleton.directory = g_strdup (word (&skeleton, "MODULE"));
  return write_all (&skeleton, &error) ? CLI_OK : cli_fail (error);
}
