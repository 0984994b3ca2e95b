/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the services that each simulation has as JSON, `reference services`, or message-types.md,
 * `reference messages DIRECTORY`, from the tables of services and the definitions of messages. */
#include "message/orrery-message-catalogue.h"
#include "registry/orrery-describe-private.h"
#include "simulation/orrery-system-part-private.h"

#include <stdio.h>
#include <string.h>

/* --- services --- */

/* As `orrery plugins --json` describes those of a class. */
static char *
write_services (void)
{
  g_autoptr (GError) error = NULL;
  GVariantBuilder dict;

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  orrery_dict_open_list (&dict, "parts", "aa{sv}");
  for (const OrrerySystemPartDesc *desc = orrery_system_parts; desc->name != NULL; desc++) {
    g_autoptr (GTypeClass) klass = g_type_class_ref (desc->get_type ());

    g_variant_builder_open (&dict, G_VARIANT_TYPE_VARDICT);
    orrery_dict_add_text (&dict, "name", desc->name);
    orrery_describe_services (&dict, klass, &error);
    g_assert_no_error (error);
    g_variant_builder_close (&dict);
  }
  orrery_dict_close_list (&dict);
  return orrery_dict_to_json (&dict);
}

/* --- messages --- */

/* What ROS 1 and ROS 2 know a type by; one of them may lack it. */
static void
append_sums (GString *page, const OrreryMessageType *one, const OrreryMessageType *two,
             const char *title)
{
  if (one != NULL)
    g_string_append_printf (page, "%sROS 1: `%s`", title, orrery_message_type_get_md5 (one));
  if (two != NULL)
    g_string_append_printf (page, "%sROS 2: `%s`", one != NULL ? "\\\n" : title,
                            orrery_message_type_get_hash (two));
  g_string_append (page, "\n");
}

/* The fields of a type alone: behind a line of `=` come those of the types that it uses, and lines
 * of comments are the licence's. */
static char *
print_fields (const OrreryMessageType *type)
{
  g_auto (GStrv) lines = g_strsplit (orrery_message_type_get_definition (type), "\n", -1);
  GString *text = g_string_new (NULL);

  for (char **line = lines; *line != NULL && !g_str_has_prefix (*line, "====="); line++)
    if (**line != '\0' && **line != '#')
      g_string_append_printf (text, "%s\n", *line);
  return g_string_free (text, FALSE);
}

/* Links to the types that fields have: `geometry_msgs/Point[] points` is one of
 * geometry_msgs/msg/Point. */
static void
append_uses (GString *page, const char *fields)
{
  g_auto (GStrv) lines = g_strsplit (fields, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (char **line = lines; *line != NULL; line++) {
    char *slash = strchr (*line, '/');
    gsize length = strcspn (*line, " []<");
    char *name;

    if (slash == NULL || slash > *line + length)
      continue;
    name = g_strdup_printf ("%.*s/msg/%.*s", (int) (slash - *line), *line,
                            (int) (*line + length - slash - 1), slash + 1);
    if (g_hash_table_contains (seen, name)) {
      g_free (name);
    } else {
      g_auto (GStrv) parts = g_strsplit (name, "/", -1);
      g_autofree char *joined = g_strjoinv ("", parts);
      g_autofree char *anchor = g_ascii_strdown (joined, -1);

      g_string_append_printf (page, "%s[%s](#%s)", g_hash_table_size (seen) == 0 ? "\nUses " : ", ",
                              name, anchor);
      g_hash_table_add (seen, name);
    }
  }
  if (g_hash_table_size (seen) > 0)
    g_string_append (page, ".\n");
}

static void
append_block (GString *page, const OrreryMessageType *const *types, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    g_autofree char *fields = print_fields (types[i]);

    g_string_append_printf (text, "%s%s", i > 0 ? "---\n" : "", fields);
  }
  g_string_append_printf (page, "\n```\n%s```\n", text->str);
  append_uses (page, text->str);
}

static gboolean
are_alike (const OrreryMessageType *one, const OrreryMessageType *two)
{
  g_autofree char *first = print_fields (one);
  g_autofree char *second = print_fields (two);

  return g_str_equal (first, second);
}

/* Where the definitions differ both are shown. */
static void
append_message (GString *page, OrreryMessageCatalogue *catalogue, const char *name)
{
  const OrreryMessageType *one =
      orrery_message_catalogue_find (catalogue, name, ORRERY_MESSAGE_ROS1, NULL);
  const OrreryMessageType *two =
      orrery_message_catalogue_find (catalogue, name, ORRERY_MESSAGE_ROS2, NULL);

  append_sums (page, one, two, "");
  if (two != NULL)
    append_block (page, &two, 1);
  if (one != NULL && (two == NULL || !are_alike (one, two))) {
    g_string_append (page, two != NULL ? "\nIn ROS 1:\n" : "");
    append_block (page, &one, 1);
  }
}

static void
append_service_type (GString *page, OrreryMessageCatalogue *catalogue, const char *name)
{
  const OrreryMessageService *one =
      orrery_message_catalogue_find_service (catalogue, name, ORRERY_MESSAGE_ROS1, NULL);
  const OrreryMessageService *two =
      orrery_message_catalogue_find_service (catalogue, name, ORRERY_MESSAGE_ROS2, NULL);
  const OrreryMessageService *any = two != NULL ? two : one;

  if (one != NULL)
    g_string_append_printf (page, "ROS 1: `%s`\n", one->md5);
  if (any != NULL)
    append_block (page, (const OrreryMessageType *[]){ any->request, any->response }, 2);
}

static void
append_action_type (GString *page, OrreryMessageCatalogue *catalogue, const char *name)
{
  const OrreryMessageAction *action =
      orrery_message_catalogue_find_action (catalogue, name, ORRERY_MESSAGE_ROS2, NULL);

  if (action == NULL)
    action = orrery_message_catalogue_find_action (catalogue, name, ORRERY_MESSAGE_ROS1, NULL);
  if (action != NULL)
    append_block (page,
                  (const OrreryMessageType *[]){ action->goal, action->result, action->feedback },
                  3);
}

static char *
write_messages (const char *directory)
{
  const char *directories[] = { directory, NULL };
  g_autoptr (OrreryMessageCatalogue) catalogue = orrery_message_catalogue_new (directories, NULL);
  g_auto (GStrv) names = orrery_message_catalogue_list (catalogue);
  g_autofree char *package = NULL;
  GString *page = g_string_new (
      "# All message types\n\n"
      "The types of messages, services and actions that Orrery brings, with the md5 sum by which "
      "ROS 1 knows them and the hash by which ROS 2 does. [Message types](messages.md) explains "
      "definitions, and where those of users are looked for; `orrery messages TYPE` shows one.\n");

  for (char **name = names; *name != NULL; name++) {
    gsize length = strcspn (*name, "/");

    if (package == NULL || strncmp (package, *name, length) != 0 || package[length] != '\0') {
      g_free (package);
      package = g_strndup (*name, length);
      g_string_append_printf (page, "\n## %s\n", package);
    }
    g_string_append_printf (page, "\n### %s\n\n", *name);
    if (strstr (*name, "/srv/") != NULL)
      append_service_type (page, catalogue, *name);
    else if (strstr (*name, "/action/") != NULL)
      append_action_type (page, catalogue, *name);
    else
      append_message (page, catalogue, *name);
  }
  return g_string_free (page, FALSE);
}

int
main (int argc, char **argv)
{
  g_autofree char *page =
      argc > 2 && strcmp (argv[1], "messages") == 0 ? write_messages (argv[2]) : write_services ();

  return fputs (page, stdout) >= 0 && fflush (stdout) == 0 ? 0 : 1;
}
