/* SPDX-License-Identifier: BSD-3-Clause */
/* Where candidates come from: plugins, scenes, recordings and running simulations. */
#include "help.h"

#include "../support/client.h"

#include <string.h>

/* --- plugins --- */

static OrreryNode *
list_plugins (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autofree char *json = orrery_registry_list (registry);

  return orrery_node_parse_json (json, strlen (json), "plugins", NULL);
}

/* @role: (nullable): of which they are; @name: what of each is wanted, classpath or role */
static void
add_classes (CliCandidates *candidates, const CliLine *line, const char *role, const char *name)
{
  g_autoptr (OrreryNode) document = list_plugins ();
  OrreryNode *modules = document != NULL ? orrery_node_find (document, "modules") : NULL;

  for (guint i = 0; modules != NULL && i < orrery_node_get_length (modules); i++) {
    OrreryNode *module = orrery_node_get_item (modules, i);
    OrreryNode *classes = orrery_node_find (module, "classes");

    for (guint j = 0; j < orrery_node_get_length (classes); j++) {
      OrreryNode *class = orrery_node_get_item (classes, j);
      const char *text = cli_node_get_text (class, name);
      g_autofree char *morse =
          g_str_has_prefix (line->last, "morse.") && g_str_has_prefix (text, "orrery.")
              ? g_strconcat ("morse.", text + strlen ("orrery."), NULL)
              : NULL;

      if (role == NULL || g_str_equal (cli_node_get_text (class, "role"), role))
        cli_candidates_add (candidates, morse != NULL ? morse : text,
                            g_str_equal (name, "role") ? NULL
                                                       : cli_node_get_text (module, "summary"));
    }
  }
}

/* --- scenes --- */

static void
add_properties (CliCandidates *candidates, const char *part, const char *classpath)
{
  const char *classpaths[] = { classpath, NULL };
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autofree char *json = orrery_registry_describe (registry, classpaths, NULL);
  g_autoptr (OrreryNode) document =
      json != NULL ? orrery_node_parse_json (json, strlen (json), "plugins", NULL) : NULL;
  OrreryNode *classes = document != NULL ? orrery_node_find (document, "classes") : NULL;
  OrreryNode *properties = classes != NULL && orrery_node_get_length (classes) > 0
                               ? orrery_node_find (orrery_node_get_item (classes, 0), "properties")
                               : NULL;

  for (guint i = 0; properties != NULL && i < orrery_node_get_length (properties); i++) {
    OrreryNode *property = orrery_node_get_item (properties, i);
    g_autofree char *path = g_strdup_printf ("%s.%s=", part, cli_node_get_text (property, "name"));

    cli_candidates_add (candidates, path, cli_node_get_text (property, "words"));
  }
}

/* `robot.pose.` of each part, and the properties of that which was written already. */
static void
add_paths (CliCandidates *candidates, const CliLine *line)
{
  g_autoptr (GPtrArray) classpaths = NULL;
  g_autoptr (GPtrArray) names =
      cli_parts_list (line->places->len > 0 ? line->places->pdata[0] : "", &classpaths);

  cli_candidates_add (candidates, "seed=", "Where random numbers start");
  cli_candidates_add (candidates, "simulation.", NULL);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_strconcat (names->pdata[i], ".", NULL);
    const char *classpath = classpaths->pdata[i];

    cli_candidates_add (candidates, path, *classpath != '\0' ? classpath : NULL);
    if (g_str_has_prefix (line->last, path) && *classpath != '\0')
      add_properties (candidates, names->pdata[i], classpath);
  }
}

static void
add_objects (CliCandidates *candidates, const CliLine *line)
{
  g_autoptr (GPtrArray) classpaths = NULL;
  g_autoptr (GPtrArray) names =
      cli_parts_list (line->places->len > 0 ? line->places->pdata[0] : "", &classpaths);

  for (guint i = 0; i < names->len; i++)
    cli_candidates_add (candidates, names->pdata[i], NULL);
}

/* --- messages and recordings --- */

static void
add_types (CliCandidates *candidates)
{
  g_auto (GStrv) directories = orrery_list_message_directories ();
  g_autoptr (OrreryMessageCatalogue) catalogue =
      orrery_message_catalogue_new ((const char *const *) directories, NULL);
  g_auto (GStrv) names = orrery_message_catalogue_list (catalogue);

  for (guint i = 0; names[i] != NULL; i++)
    cli_candidates_add (candidates, names[i], NULL);
}

static void
add_topics (CliCandidates *candidates, const CliLine *line)
{
  g_autoptr (OrreryRecordingReader) reader =
      line->places->len > 0 ? orrery_recording_reader_open (line->places->pdata[0], NULL) : NULL;

  for (guint i = 0; reader != NULL && i < orrery_recording_reader_get_n_channels (reader); i++)
    cli_candidates_add (candidates, orrery_recording_reader_get_channel (reader, i)->topic, NULL);
}

/* --- running simulations --- */

/* @component: (nullable): NULL: the components that have services, else the services of one */
static void
add_running (CliCandidates *candidates, const CliLine *line, gboolean streams,
             const char *component)
{
  g_autoptr (CliClient) client = cli_client_new (line->host, line->port, NULL, NULL);
  g_autoptr (GPtrArray) names = NULL;

  if (client == NULL)
    return;
  names = streams ? cli_list_streams (client) : cli_list_services (client, component);
  for (guint i = 0; i < names->len; i++)
    cli_candidates_add (candidates, names->pdata[i], NULL);
}

/* --- what a placeholder of the help stands for --- */

static void
add_choices (CliCandidates *candidates, const char *const *words)
{
  for (; *words != NULL; words++)
    cli_candidates_add (candidates, *words, NULL);
}

static gboolean
add_files (CliCandidates *candidates, const char *wanted)
{
  static const char *const files[] = { "FILE", "SCRIPT", "A", "B", NULL };
  g_autofree char *word = g_strndup (wanted, strcspn (wanted, ".]"));
  const char *suffix = wanted + strlen (word);

  if (g_str_equal (word, "DIR"))
    cli_candidates_ask_shell (candidates, ":directories");
  else if (g_strv_contains (files, word) && g_ascii_isalnum (*suffix != '\0' ? suffix[1] : '\0')) {
    g_autofree char *directive = g_strconcat (":files ", suffix, NULL);

    cli_candidates_ask_shell (candidates, directive);
  } else if (g_strv_contains (files, word))
    cli_candidates_ask_shell (candidates, ":files");
  else
    return FALSE;
  return TRUE;
}

/* Paths, and after them classpaths where the path names a class. */
static void
add_assignment (CliCandidates *candidates, const CliLine *line)
{
  if (strchr (line->last, '=') == NULL)
    add_paths (candidates, line);
}

static void
add_commands (CliCandidates *candidates)
{
  for (const CliCommand *command = cli_get_commands (); command->name != NULL; command++)
    cli_candidates_add (candidates, command->name, command->words);
}

void
cli_sources_add (CliCandidates *candidates, const CliLine *line)
{
  static const char *const languages[] = { "c", "python", NULL };
  const char *wanted = line->wanted;
  gboolean is_new = g_str_equal (line->command, "new");

  if (add_files (candidates, wanted))
    return;
  if (g_str_has_prefix (wanted, "PATH="))
    add_assignment (candidates, line);
  else if (g_str_equal (wanted, "ROLE") && is_new)
    add_choices (candidates, cli_new_get_roles ());
  else if (g_str_equal (wanted, "ROLE"))
    add_classes (candidates, line, NULL, "role");
  else if (g_str_equal (wanted, "[PART...]"))
    add_choices (candidates, cli_doctor_get_parts ());
  else if (g_str_equal (wanted, "LANGUAGE"))
    add_choices (candidates, languages);
  else if (g_str_has_prefix (wanted, "CLASSPATH [") && !is_new)
    add_classes (candidates, line, "observer", "classpath");
  /* A new plugin has a name that there is not yet. */
  else if (strstr (wanted, "CLASSPATH") != NULL && strchr (wanted, '=') == NULL && !is_new)
    add_classes (candidates, line, NULL, "classpath");
  else if (g_str_equal (wanted, "[TYPE]"))
    add_types (candidates);
  else if (g_str_equal (wanted, "TOPIC"))
    add_topics (candidates, line);
  else if (g_str_equal (wanted, "OBJECT"))
    add_objects (candidates, line);
  else if (g_str_equal (wanted, "STREAM"))
    add_running (candidates, line, TRUE, NULL);
  else if (g_str_equal (wanted, "COMPONENT"))
    add_running (candidates, line, FALSE, NULL);
  else if (g_str_equal (wanted, "SERVICE"))
    add_running (candidates, line, FALSE, line->places->pdata[0]);
  else if (strstr (wanted, "COMMAND") != NULL)
    add_commands (candidates);
}
