/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery messages`: lists message types, and shows one. */
#include "commands.h"
#include "support/cli.h"

#include <string.h>

typedef struct {
  char *distro;
  char *package;
  gboolean ros1;
} MessageOptions;

static void
message_options_clear (MessageOptions *options)
{
  g_free (options->distro);
  g_free (options->package);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MessageOptions, message_options_clear)

static void
list_types (OrreryMessageCatalogue *catalogue)
{
  g_auto (GStrv) names = orrery_message_catalogue_list (catalogue);

  for (guint i = 0; names[i] != NULL; i++)
    fprintf (stdout, "%s\n", names[i]);
}

static void
print_type (const OrreryMessageType *type, const char *title)
{
  gboolean ros1 = orrery_message_type_get_dialect (type) == ORRERY_MESSAGE_ROS1;

  fprintf (stdout, "# %s%s, %s\n%s", title, orrery_message_type_get_name (type),
           ros1 ? orrery_message_type_get_md5 (type) : orrery_message_type_get_hash (type),
           orrery_message_type_get_definition (type));
}

static void
print_service (const OrreryMessageService *service)
{
  if (orrery_message_type_get_dialect (service->request) == ORRERY_MESSAGE_ROS1)
    fprintf (stdout, "# %s, %s\n", service->name, service->md5);
  print_type (service->request, "request: ");
  fputs ("---\n", stdout);
  print_type (service->response, "response: ");
}

static void
print_action (const OrreryMessageAction *action)
{
  print_type (action->goal, "goal: ");
  fputs ("---\n", stdout);
  print_type (action->result, "result: ");
  fputs ("---\n", stdout);
  print_type (action->feedback, "feedback: ");
}

/* PACKAGE/NAME is a message. */
static gboolean
show_type (OrreryMessageCatalogue *catalogue, const char *name, OrreryMessageDialect dialect,
           GError **error)
{
  gboolean is_service = strstr (name, "/srv/") != NULL;
  gboolean is_action = strstr (name, "/action/") != NULL;
  const OrreryMessageService *service =
      is_service ? orrery_message_catalogue_find_service (catalogue, name, dialect, error) : NULL;
  const OrreryMessageAction *action =
      is_action ? orrery_message_catalogue_find_action (catalogue, name, dialect, error) : NULL;
  const OrreryMessageType *type =
      !is_service && !is_action ? orrery_message_catalogue_find (catalogue, name, dialect, error)
                                : NULL;

  if (service != NULL)
    print_service (service);
  if (action != NULL)
    print_action (action);
  if (type != NULL)
    print_type (type, "");
  return service != NULL || action != NULL || type != NULL;
}

/* Where the definitions of a package are, for those who generate classes of them. */
static gboolean
show_package (const char *const *directories, const char *package, GError **error)
{
  for (guint i = 0; directories[i] != NULL && strchr (package, G_DIR_SEPARATOR) == NULL; i++) {
    g_autofree char *path = g_build_filename (directories[i], package, NULL);

    if (*package != '\0' && *package != '.' && g_file_test (path, G_FILE_TEST_IS_DIR)) {
      fprintf (stdout, "%s\n", path);
      return TRUE;
    }
  }
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
               "no package %s among the definitions of messages; `orrery messages` lists them",
               package);
  return FALSE;
}

int
cli_messages (int argc, char **argv)
{
  g_auto (MessageOptions) options = { NULL };
  const GOptionEntry entries[] = {
    { "ros1", 0, 0, G_OPTION_ARG_NONE, &options.ros1, "As ROS 1 has it, with its md5 sum", NULL },
    { "distro", 0, 0, G_OPTION_ARG_STRING, &options.distro,
      "A distribution of ROS 2 with definitions of its own, as humble", "NAME" },
    { "package", 0, 0, G_OPTION_ARG_STRING, &options.package,
      "Where the definitions of this package are, in place of a type", "NAME" },
    { NULL },
  };
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  g_auto (GStrv) directories = NULL;
  g_autoptr (GError) error = NULL;

  if (!cli_parse ("messages", "[TYPE]",
                  "Lists the message, service and action types that there are, or shows the\n"
                  "definition of one and the hash by which ROS 2 knows it.",
                  entries, FALSE, 0, 1, &argc, &argv))
    return CLI_USAGE;
  if (options.package != NULL && argc > 0)
    return cli_usage ("messages", "--package and a type exclude each other");
  directories = orrery_list_message_directories ();
  if (options.package != NULL)
    return show_package ((const char *const *) directories, options.package, &error)
               ? CLI_OK
               : cli_fail (error);
  catalogue = orrery_message_catalogue_new ((const char *const *) directories, options.distro);
  if (argc == 0)
    list_types (catalogue);
  else if (!show_type (catalogue, argv[0], options.ros1 ? ORRERY_MESSAGE_ROS1 : ORRERY_MESSAGE_ROS2,
                       &error))
    return cli_fail (error);
  return CLI_OK;
}
