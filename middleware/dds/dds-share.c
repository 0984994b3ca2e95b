/* SPDX-License-Identifier: BSD-3-Clause */
/* The context of ROS 2 that the managers of a world share. */
#include "dds-share.h"

#include "dds-node-private.h"

#include <orrery.h>

#define DEFAULT_DISTRO "jazzy"

struct _DdsShare {
  guint references;
  GObject *owner;
  DdsContext *context;
  char *distro;
  char *name_space;
  GPtrArray *nodes; /* (element-type DdsNode): borrowed from the context */
  GAsyncQueue *log; /* (element-type utf8): level and text */
};

static char *
name_shared (void)
{
  return g_strdup_printf ("orrery-dds-context-" ORRERY_VERSION "-%zu-%zu", sizeof (DdsContext),
                          sizeof (DdsShare));
}

DdsShare *
dds_share_get (gpointer world)
{
  g_autofree char *name = name_shared ();
  DdsShare *share = g_object_get_data (world, name);

  if (share != NULL) {
    share->references++;
    return share;
  }
  share = g_new0 (DdsShare, 1);
  share->references = 1;
  share->nodes = g_ptr_array_new ();
  share->log = g_async_queue_new_full (g_free);
  share->owner = world;
  g_object_add_weak_pointer (world, (gpointer *) &share->owner);
  g_object_set_data (world, name, share);
  return share;
}

void
dds_share_release (DdsShare *share)
{
  g_autofree char *name = name_shared ();

  if (share->context != NULL)
    dds_context_settle (share->context);
  if (--share->references > 0)
    return;
  if (share->owner != NULL) {
    g_object_set_data (share->owner, name, NULL);
    g_object_remove_weak_pointer (share->owner, (gpointer *) &share->owner);
  }
  g_clear_pointer (&share->context, dds_context_free);
  g_ptr_array_unref (share->nodes);
  g_async_queue_unref (share->log);
  g_free (share->distro);
  g_free (share->name_space);
  g_free (share);
}

/* On any thread. */
static void
note_log (gpointer data, DdsLogLevel level, const char *text)
{
  DdsShare *share = data;

  g_async_queue_push (share->log,
                      g_strdup_printf ("%c%s", level == DDS_LOG_WARNING ? 'w' : 'i', text));
}

void
dds_share_report (DdsShare *share, gpointer part, const char *domain)
{
  char *line;

  if (g_async_queue_length (share->log) <= 0)
    return;
  while ((line = g_async_queue_try_pop (share->log)) != NULL) {
    orrery_part_log_plain_in (part, domain,
                              *line == 'w' ? G_LOG_LEVEL_WARNING : G_LOG_LEVEL_MESSAGE, "%s",
                              line + 1);
    g_free (line);
  }
}

/* --- starting --- */

static gboolean
parse_range (const char *text, DdsRange *range, GError **error)
{
  static const char *const names[] = { "off", "localhost", "subnet" };

  *range = DDS_RANGE_DEFAULT;
  if (text == NULL || *text == '\0')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (text, names[i])) {
      *range = (DdsRange) (DDS_RANGE_OFF + i);
      return TRUE;
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "discovery is '%.40s', not localhost, subnet or off", text);
  return FALSE;
}

static gboolean
check_same (DdsShare *share, const DdsShareOptions *options, GError **error)
{
  int domain = (int) dds_context_get_domain (share->context);

  if (options->domain >= 0 && options->domain != domain)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "ROS 2: streams and services share one participant: its domain is %d and %d",
                 domain, options->domain);
  else if (options->distro != NULL && !g_str_equal (share->distro, options->distro))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "ROS 2: streams and services share one participant: its distro is '%s' and '%s'",
                 share->distro, options->distro);
  else
    return TRUE;
  return FALSE;
}

gboolean
dds_share_start (DdsShare *share, const DdsShareOptions *options, GError **error)
{
  g_auto (GStrv) directories = NULL;
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  DdsContextOptions own;

  if (share->name_space == NULL)
    share->name_space = g_strdup (options->name_space);
  if (share->context != NULL)
    return check_same (share, options, error);
  share->distro = g_strdup (options->distro != NULL ? options->distro : DEFAULT_DISTRO);
  directories = orrery_list_message_directories ();
  catalogue = orrery_message_catalogue_new ((const char *const *) directories, share->distro);
  dds_context_options_init (&own);
  own.domain = options->domain;
  own.interface = options->interface;
  own.peers = options->peers;
  own.is_open = g_strcmp0 (options->allowed_users, "any") == 0;
  own.catalogue = catalogue;
  own.log = note_log;
  own.log_data = share;
  if (!parse_range (options->discovery, &own.range, error))
    return FALSE;
  share->context = dds_context_new (&own, error);
  return share->context != NULL;
}

const char *
dds_share_get_name_space (DdsShare *share)
{
  return share->name_space;
}

DdsContext *
dds_share_get_context (DdsShare *share)
{
  return share->context;
}

DdsNode *
dds_share_get_node (DdsShare *share, const char *robot, const char *name_space)
{
  const char *name = robot != NULL ? robot : "orrery";
  DdsNode *node;

  g_autofree char *space = g_strconcat ("/", name_space, NULL);
  g_autofree char *part = dds_name_make_valid_part (name), *valid = dds_name_make_valid (space);
  g_autofree char *full = g_strconcat (valid, g_str_has_suffix (valid, "/") ? "" : "/", part, NULL);

  for (guint i = 0; i < share->nodes->len; i++)
    if (g_str_equal (dds_node_get_name (share->nodes->pdata[i]), full))
      return share->nodes->pdata[i];
  node = dds_node_new (share->context, name, name_space);
  g_ptr_array_add (share->nodes, node);
  return node;
}
