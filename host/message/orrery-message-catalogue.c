/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds definitions of messages in directories, and keeps their types. */
#include "message/orrery-message-catalogue.h"

#include <string.h>

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-file-private.h"
#include "message/orrery-message-type-private.h"

typedef struct {
  const char *suffix; /* of a file, and its folder */
  guint n_parts;
  const char *parts[3]; /* behind the name of the type */
} Category;

static const Category messages = { "msg", 1, { "" } };
static const Category services = { "srv", 2, { "_Request", "_Response" } };
static const Category actions = { "action", 3, { "_Goal", "_Result", "_Feedback" } };
static const Category *const categories[] = { &messages, &services, &actions };

struct _OrreryMessageCatalogue {
  gatomicrefcount references;
  char **directories;
  char *distro;
  GRecMutex lock;
  GHashTable *types; /* guarded by lock; (element-type utf8 Found): by dialect and full name */
};

/* What a definition has become; while it is read, the parts are NULL. */
typedef struct {
  char *name;
  OrreryMessageType *parts[3];
  char *md5;
  OrreryMessageService service;
  OrreryMessageAction action;
} Found;

/* One look-up, for types inside. */
typedef struct {
  OrreryMessageCatalogue *catalogue;
  OrreryMessageDialect dialect;
} Search;

G_DEFINE_BOXED_TYPE (OrreryMessageCatalogue, orrery_message_catalogue, orrery_message_catalogue_ref,
                     orrery_message_catalogue_unref)

static void
found_free (gpointer data)
{
  Found *found = data;

  for (guint i = 0; i < G_N_ELEMENTS (found->parts); i++)
    orrery_message_type_free (found->parts[i]);
  g_free (found->name);
  g_free (found->md5);
  g_free (found);
}

OrreryMessageCatalogue *
orrery_message_catalogue_new (const char *const *directories, const char *distro)
{
  OrreryMessageCatalogue *catalogue;

  g_return_val_if_fail (directories != NULL, NULL);

  catalogue = g_new0 (OrreryMessageCatalogue, 1);
  g_atomic_ref_count_init (&catalogue->references);
  g_rec_mutex_init (&catalogue->lock);
  catalogue->directories = g_strdupv ((char **) directories);
  catalogue->distro = g_strdup (distro);
  catalogue->types = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, found_free);
  return catalogue;
}

static void
catalogue_free (OrreryMessageCatalogue *catalogue)
{
  g_hash_table_unref (catalogue->types);
  g_rec_mutex_clear (&catalogue->lock);
  g_strfreev (catalogue->directories);
  g_free (catalogue->distro);
  g_free (catalogue);
}

ORRERY_DEFINE_COUNTED (OrreryMessageCatalogue, orrery_message_catalogue, references, catalogue_free)

const char *const *
orrery_message_catalogue_get_directories (OrreryMessageCatalogue *catalogue)
{
  g_return_val_if_fail (catalogue != NULL, NULL);
  return (const char *const *) catalogue->directories;
}

/* --- files --- */

static gboolean
is_part_of_name (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_')
      return FALSE;
  return *text != '\0';
}

/* PACKAGE/NAME or PACKAGE/CATEGORY/NAME. Returns: (transfer full) (nullable): the parts */
static gboolean
split_name (const char *name, const Category *category, char **package, char **own, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", 4);
  guint n = g_strv_length (parts);

  if ((n == 2 || (n == 3 && g_str_equal (parts[1], category->suffix))) &&
      is_part_of_name (parts[0]) && is_part_of_name (parts[n - 1])) {
    *package = g_strdup (parts[0]);
    *own = g_strdup (parts[n - 1]);
    return TRUE;
  }
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "'%.120s' is no name of a type: PACKAGE/NAME or PACKAGE/%s/NAME", name,
                           category->suffix);
}

static char *
find_variant (OrreryMessageCatalogue *catalogue, const char *directory, const char *package,
              const char *own, const Category *category, const char *variant)
{
  g_autofree char *file = g_strdup_printf ("%s.%s.%s", own, variant, category->suffix);
  g_autofree char *path = g_build_filename (directory, package, category->suffix, file, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

static char *
find_in (OrreryMessageCatalogue *catalogue, const char *directory, const char *package,
         const char *own, const Category *category, OrreryMessageDialect dialect)
{
  g_autofree char *file = g_strdup_printf ("%s.%s", own, category->suffix);
  g_autofree char *path = g_build_filename (directory, package, category->suffix, file, NULL);
  char *variant = NULL;

  if (dialect == ORRERY_MESSAGE_ROS1)
    variant = find_variant (catalogue, directory, package, own, category, "ros1");
  else if (catalogue->distro != NULL && is_part_of_name (catalogue->distro))
    variant = find_variant (catalogue, directory, package, own, category, catalogue->distro);
  if (variant != NULL)
    return variant;
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

static char *
find_file (OrreryMessageCatalogue *catalogue, const char *package, const char *own,
           const Category *category, OrreryMessageDialect dialect)
{
  char *path = NULL;

  for (guint i = 0; path == NULL && catalogue->directories[i] != NULL; i++)
    path = find_in (catalogue, catalogue->directories[i], package, own, category, dialect);
  return path;
}

static void
no_file (OrreryMessageCatalogue *catalogue, const char *package, const char *own,
         const Category *category, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s/%s/%s", package, category->suffix, own);
  g_autofree char *searched = g_strjoinv (":", catalogue->directories);
  g_auto (GStrv) all = orrery_message_catalogue_list (catalogue);
  g_autofree char *nearest = orrery_nearest_names (name, (const char *const *) all);

  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no type %s: there is no %s/%s/%s.%s in %s%s",
                    name, package, category->suffix, own, category->suffix, searched, nearest);
}

/* --- types --- */

static const OrreryMessageType *
find_inside (gpointer data, const char *name, GError **error)
{
  Search *search = data;

  return orrery_message_catalogue_find (search->catalogue, name, search->dialect, error);
}

static char *
make_key (const char *package, const char *own, const Category *category,
          OrreryMessageDialect dialect)
{
  return g_strdup_printf ("%u:%s/%s/%s", dialect, package, category->suffix, own);
}

/* --- actions ---
 *
 * An action is carried by messages that ROS derives from its definition.
 */

typedef struct {
  OrreryMessageDialect dialect;
  const char *suffix; /* of the name of the message, behind that of the action */
  int part;           /* of the definition of the action; -1: @text */
  const char *text;   /* `%s`: the action's name */
} Derived;

#define ID "unique_identifier_msgs/UUID goal_id\n"

static const Derived derived[] = {
  { ORRERY_MESSAGE_ROS1, "ActionGoal", -1,
    "std_msgs/Header header\nactionlib_msgs/GoalID goal_id\n%sGoal goal\n" },
  { ORRERY_MESSAGE_ROS1, "ActionResult", -1,
    "std_msgs/Header header\nactionlib_msgs/GoalStatus status\n%sResult result\n" },
  { ORRERY_MESSAGE_ROS1, "ActionFeedback", -1,
    "std_msgs/Header header\nactionlib_msgs/GoalStatus status\n%sFeedback feedback\n" },
  { ORRERY_MESSAGE_ROS1, "Action", -1,
    "%sActionGoal action_goal\n%sActionResult action_result\n"
    "%sActionFeedback action_feedback\n" },
  { ORRERY_MESSAGE_ROS1, "Goal", 0, NULL },
  { ORRERY_MESSAGE_ROS1, "Result", 1, NULL },
  { ORRERY_MESSAGE_ROS1, "Feedback", 2, NULL },
  { ORRERY_MESSAGE_ROS2, "_SendGoal_Request", -1, ID "%s_Goal goal\n" },
  { ORRERY_MESSAGE_ROS2, "_SendGoal_Response", -1,
    "bool accepted\nbuiltin_interfaces/Time stamp\n" },
  { ORRERY_MESSAGE_ROS2, "_GetResult_Request", -1, ID },
  { ORRERY_MESSAGE_ROS2, "_GetResult_Response", -1, "int8 status\n%s_Result result\n" },
  { ORRERY_MESSAGE_ROS2, "_FeedbackMessage", -1, ID "%s_Feedback feedback\n" },
  { ORRERY_MESSAGE_ROS2, "_Goal", 0, NULL },
  { ORRERY_MESSAGE_ROS2, "_Result", 1, NULL },
  { ORRERY_MESSAGE_ROS2, "_Feedback", 2, NULL },
};

/* The action's file. Returns: (transfer full) (nullable): its path */
static char *
find_action_file (OrreryMessageCatalogue *catalogue, const char *package, const char *own,
                  const Derived *from, char **action)
{
  gsize length = strlen (own), suffix = strlen (from->suffix);

  if (length <= suffix || !g_str_has_suffix (own, from->suffix))
    return NULL;
  g_free (*action);
  *action = g_strndup (own, length - suffix);
  return find_file (catalogue, package, *action, &actions, from->dialect);
}

/* Returns: (transfer full) (nullable): the text of one part of an action's definition */
static char *
cut_part (const char *text, int part)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *cut = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++) {
    g_autofree char *line = g_strstrip (g_strdup (lines[i]));

    if (g_str_equal (line, "---"))
      part--;
    else if (part == 0)
      g_string_append_printf (cut, "%s\n", lines[i]);
  }
  return g_string_free (cut, FALSE);
}

static char *
read_definition (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  text = orrery_file_read (path, ORRERY_MESSAGE_MAX_TEXT, &length, error);
  if (text != NULL && strlen (text) != length) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: has a zero byte", path);
    return NULL;
  }
  return g_steal_pointer (&text);
}

/* Returns: (transfer full) (nullable): the text of a message of an action; NULL without an error:
 * there is none of that name */
static char *
derive (OrreryMessageCatalogue *catalogue, const char *package, const char *own,
        OrreryMessageDialect dialect, char **path, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (derived); i++) {
    g_autofree char *action = NULL;
    g_autofree char *text = NULL;

    if (derived[i].dialect != dialect)
      continue;
    *path = find_action_file (catalogue, package, own, &derived[i], &action);
    if (*path == NULL)
      continue;
    if (derived[i].part < 0) {
      g_auto (GStrv) pieces = g_strsplit (derived[i].text, "%s", -1);

      return g_strjoinv (action, pieces);
    }
    text = read_definition (*path, error);
    return text != NULL ? cut_part (text, derived[i].part) : NULL;
  }
  return NULL;
}

static gboolean
make_parts (OrreryMessageCatalogue *catalogue, Found *found, const char *path, const char *text,
            const char *package, const char *own, const Category *category,
            OrreryMessageDialect dialect, GError **error)
{
  Search search = { catalogue, dialect };
  g_autoptr (GPtrArray) definitions =
      orrery_message_definition_parse (text, path, package, dialect, category->n_parts, error);

  if (definitions == NULL)
    return FALSE;
  for (guint i = category->n_parts; i-- > 0;) {
    g_autofree char *name =
        g_strdup_printf ("%s/%s/%s%s", package, category->suffix, own, category->parts[i]);

    found->parts[i] =
        orrery_message_type_new (name, dialect, g_ptr_array_steal_index (definitions, i), path,
                                 find_inside, &search, error);
    if (found->parts[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

/* The views of a found definition that the API gives. */
static void
complete (Found *found, const Category *category)
{
  if (category == &services) {
    g_autofree char *request = orrery_message_write_md5_text (found->parts[0]);
    g_autofree char *response = orrery_message_write_md5_text (found->parts[1]);
    g_autofree char *both = g_strconcat (request, response, NULL);

    found->md5 = g_compute_checksum_for_string (G_CHECKSUM_MD5, both, -1);
    found->service =
        (OrreryMessageService){ found->name, found->parts[0], found->parts[1], found->md5 };
  } else if (category == &actions) {
    found->action =
        (OrreryMessageAction){ found->name, found->parts[0], found->parts[1], found->parts[2] };
  }
}

/* Under the lock. */
static Found *
find_known (OrreryMessageCatalogue *catalogue, const char *key, GError **error)
{
  Found *found = g_hash_table_lookup (catalogue->types, key);

  if (found == NULL || found->parts[0] != NULL)
    return found;
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: is inside itself", found->name);
  return NULL;
}

/* Returns: (transfer full) (nullable): the text of a definition, and the file that it is from */
static char *
find_text (OrreryMessageCatalogue *catalogue, const char *package, const char *own,
           const Category *category, OrreryMessageDialect dialect, char **path, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text = NULL;

  *path = find_file (catalogue, package, own, category, dialect);
  if (*path != NULL)
    return read_definition (*path, error);
  if (category == &messages)
    text = derive (catalogue, package, own, dialect, path, &local);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (text == NULL)
    no_file (catalogue, package, own, category, error);
  return text;
}

/* Under the lock. While its file is read, the type is known and empty, so that one that is inside
 * itself is found out. */
static Found *
make (OrreryMessageCatalogue *catalogue, const char *key, const char *package, const char *own,
      const Category *category, OrreryMessageDialect dialect, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *text = find_text (catalogue, package, own, category, dialect, &path, error);
  Found *found;

  if (text == NULL)
    return NULL;
  found = g_new0 (Found, 1);
  found->name = g_strdup_printf ("%s/%s/%s", package, category->suffix, own);
  g_hash_table_insert (catalogue->types, g_strdup (key), found);
  if (!make_parts (catalogue, found, path, text, package, own, category, dialect, error)) {
    g_hash_table_remove (catalogue->types, key);
    return NULL;
  }
  complete (found, category);
  return found;
}

static const Found *
find (OrreryMessageCatalogue *catalogue, const char *name, const Category *category,
      OrreryMessageDialect dialect, GError **error)
{
  g_autofree char *package = NULL;
  g_autofree char *own = NULL;
  g_autofree char *key = NULL;
  g_autoptr (GError) local = NULL;
  Found *found;

  if (!split_name (name, category, &package, &own, error))
    return NULL;
  key = make_key (package, own, category, dialect);
  g_rec_mutex_lock (&catalogue->lock);
  found = find_known (catalogue, key, &local);
  if (found == NULL && local == NULL)
    found = make (catalogue, key, package, own, category, dialect, &local);
  g_rec_mutex_unlock (&catalogue->lock);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return found;
}

const OrreryMessageType *
orrery_message_catalogue_find (OrreryMessageCatalogue *catalogue, const char *name,
                               OrreryMessageDialect dialect, GError **error)
{
  const Found *found;

  g_return_val_if_fail (catalogue != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  found = find (catalogue, name, &messages, dialect, error);
  return found != NULL ? found->parts[0] : NULL;
}

const OrreryMessageService *
orrery_message_catalogue_find_service (OrreryMessageCatalogue *catalogue, const char *name,
                                       OrreryMessageDialect dialect, GError **error)
{
  const Found *found;

  g_return_val_if_fail (catalogue != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  found = find (catalogue, name, &services, dialect, error);
  return found != NULL ? &found->service : NULL;
}

const OrreryMessageAction *
orrery_message_catalogue_find_action (OrreryMessageCatalogue *catalogue, const char *name,
                                      OrreryMessageDialect dialect, GError **error)
{
  const Found *found;

  g_return_val_if_fail (catalogue != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  found = find (catalogue, name, &actions, dialect, error);
  return found != NULL ? &found->action : NULL;
}

/* --- listing --- */

static void
list_files (const char *directory, const char *package, const Category *category, GHashTable *names)
{
  g_autofree char *path = g_build_filename (directory, package, category->suffix, NULL);
  g_autofree char *suffix = g_strconcat (".", category->suffix, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL) {
    gsize length = strlen (file) - MIN (strlen (file), strlen (suffix));
    g_autofree char *own = g_strndup (file, length);

    if (g_str_has_suffix (file, suffix) && is_part_of_name (own))
      g_hash_table_add (names, g_strdup_printf ("%s/%s/%s", package, category->suffix, own));
  }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
orrery_message_catalogue_list (OrreryMessageCatalogue *catalogue)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_return_val_if_fail (catalogue != NULL, NULL);

  for (guint i = 0; catalogue->directories[i] != NULL; i++) {
    g_autoptr (GDir) dir = g_dir_open (catalogue->directories[i], 0, NULL);
    const char *package;

    while (dir != NULL && (package = g_dir_read_name (dir)) != NULL)
      for (guint j = 0; is_part_of_name (package) && j < G_N_ELEMENTS (categories); j++)
        list_files (catalogue->directories[i], package, categories[j], names);
  }
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (list, g_strdup (name));
  g_ptr_array_sort (list, compare_texts);
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (list, FALSE);
}
