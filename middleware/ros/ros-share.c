/* SPDX-License-Identifier: BSD-3-Clause */
/* The node that the managers of a world share, and the topics that several of them write. */
#include "ros-share.h"

#include "ros-node-private.h"

#include <orrery.h>
#include <string.h>

#define STOP_MS 500

/* Someone who is told how many listen to a topic. */
typedef struct {
  gpointer owner; /* NULL: gone */
  RosListeningFunc func;
  gpointer data;
} User;

typedef struct {
  RosShare *share;
  RosPublisher *publisher;
  char *topic, *md5;
  GArray *users; /* (element-type User) */
  guint n;       /* who listens */
  gboolean told; /* that messages are dropped */
} Shared;

typedef struct {
  RosShare *share;
  gpointer owner; /* NULL: gone */
  RosMessageFunc func;
  gpointer data;
} Subscription;

typedef struct {
  RosShare *share;
  gpointer owner; /* NULL: gone */
  RosRequestFunc func;
  gpointer data;
} Served;

typedef struct {
  RosShare *share;
  gpointer owner; /* NULL: gone, or it has ended the call */
  guint64 key;
  guint64 number; /* of the node */
  const RosAnswerFuncs *funcs;
  gpointer data;
} Asked;

struct _RosShare {
  guint references;
  GObject *owner;
  RosNode *node;
  char *name;
  GMutex lock; /* of the users and owners, which the I/O thread reads */
  GPtrArray *topics;
  GPtrArray *subscriptions;
  GPtrArray *services; /* (element-type Served) */
  GPtrArray *asked;    /* [lock] (element-type Asked): calls that the node has */
  GAsyncQueue *log;    /* (element-type utf8): level and text */
};

static char *
name_shared (void)
{
  return g_strdup_printf ("orrery-ros-node-" ORRERY_VERSION "-%zu-%zu-%zu", sizeof (RosNode),
                          sizeof (RosShare), sizeof (Shared));
}

static void
shared_free (gpointer data)
{
  Shared *shared = data;

  g_array_unref (shared->users);
  g_free (shared->topic);
  g_free (shared->md5);
  g_free (shared);
}

RosShare *
ros_share_get (gpointer world)
{
  g_autofree char *name = name_shared ();
  RosShare *share = g_object_get_data (world, name);

  if (share != NULL) {
    share->references++;
    return share;
  }
  share = g_new0 (RosShare, 1);
  share->references = 1;
  g_mutex_init (&share->lock);
  share->topics = g_ptr_array_new_with_free_func (shared_free);
  share->subscriptions = g_ptr_array_new_with_free_func (g_free);
  share->services = g_ptr_array_new_with_free_func (g_free);
  share->asked = g_ptr_array_new_with_free_func (g_free);
  share->log = g_async_queue_new_full (g_free);
  share->owner = world;
  g_object_add_weak_pointer (world, (gpointer *) &share->owner);
  g_object_set_data (world, name, share);
  return share;
}

static void
leave_users (RosShare *share, gpointer owner)
{
  g_mutex_lock (&share->lock);
  for (guint i = 0; i < share->topics->len; i++) {
    GArray *users = ((Shared *) share->topics->pdata[i])->users;

    for (guint j = 0; j < users->len; j++)
      if (g_array_index (users, User, j).owner == owner)
        g_array_index (users, User, j).owner = NULL;
  }
  for (guint i = 0; i < share->subscriptions->len; i++)
    if (((Subscription *) share->subscriptions->pdata[i])->owner == owner)
      ((Subscription *) share->subscriptions->pdata[i])->owner = NULL;
  for (guint i = 0; i < share->services->len; i++)
    if (((Served *) share->services->pdata[i])->owner == owner)
      ((Served *) share->services->pdata[i])->owner = NULL;
  for (guint i = 0; i < share->asked->len; i++)
    if (((Asked *) share->asked->pdata[i])->owner == owner)
      ((Asked *) share->asked->pdata[i])->owner = NULL;
  g_mutex_unlock (&share->lock);
}

void
ros_share_release (RosShare *share, gpointer owner)
{
  g_autofree char *name = name_shared ();

  leave_users (share, owner);
  if (--share->references > 0)
    return;
  if (share->owner != NULL) {
    g_object_set_data (share->owner, name, NULL);
    g_object_remove_weak_pointer (share->owner, (gpointer *) &share->owner);
  }
  if (share->node != NULL) {
    ros_node_stop (share->node, STOP_MS);
    ros_node_free (share->node);
  }
  g_ptr_array_unref (share->topics);
  g_ptr_array_unref (share->subscriptions);
  g_ptr_array_unref (share->services);
  g_ptr_array_unref (share->asked);
  g_async_queue_unref (share->log);
  g_mutex_clear (&share->lock);
  g_free (share->name);
  g_free (share);
}

/* On any thread. */
static void
note_log (gpointer data, RosLogLevel level, const char *text)
{
  RosShare *share = data;

  g_async_queue_push (share->log,
                      g_strdup_printf ("%c%s", level == ROS_LOG_WARNING ? 'w' : 'i', text));
}

void
ros_share_report (RosShare *share, gpointer part, const char *domain)
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

/* A slash at either end means nothing, neither of a namespace nor of the address of a master. */
static gboolean
is_same (const char *used, const char *asked)
{
  gsize n, m;

  used += strspn (used, "/");
  asked += strspn (asked, "/");
  n = strlen (used);
  m = strlen (asked);
  while (n > 0 && used[n - 1] == '/')
    n--;
  while (m > 0 && asked[m - 1] == '/')
    m--;
  return n == m && memcmp (used, asked, n) == 0;
}

/* @asked: (nullable): whatever the node has */
static gboolean
agrees (const char *option, const char *used, const char *asked, GError **error)
{
  if (asked == NULL || *asked == '\0' || is_same (used, asked))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "ROS: streams and services share one node: its %s is '%s' and '%s'", option, used,
               asked);
  return FALSE;
}

gboolean
ros_share_start (RosShare *share, const RosNodeOptions *options, GError **error)
{
  RosNodeOptions own = *options;
  RosNode *node = share->node;

  own.log = note_log;
  own.log_data = share;
  if (own.name == NULL)
    own.name = "morse";
  if (node == NULL) {
    share->node = ros_node_new (&own, error);
    g_free (share->name);
    share->name = g_strdup (own.name);
    return share->node != NULL;
  }
  line_access_free (options->access);
  return agrees ("name", share->name, options->name, error) &&
         agrees ("master_uri", node->master_uri, options->master_uri, error) &&
         agrees ("namespace", node->name_space, options->name_space, error) &&
         agrees ("host", node->host, options->host, error);
}

RosNode *
ros_share_get_node (RosShare *share)
{
  return share->node;
}

/* --- topics --- */

static void
tell_users (gpointer data, guint n)
{
  Shared *shared = data;

  g_mutex_lock (&shared->share->lock);
  shared->n = n;
  for (guint i = 0; i < shared->users->len; i++) {
    User *user = &g_array_index (shared->users, User, i);

    if (user->owner != NULL && user->func != NULL)
      user->func (user->data, n);
  }
  g_mutex_unlock (&shared->share->lock);
}

static Shared *
find_shared (RosShare *share, const char *topic)
{
  for (guint i = 0; i < share->topics->len; i++)
    if (g_str_equal (((Shared *) share->topics->pdata[i])->topic, topic))
      return share->topics->pdata[i];
  return NULL;
}

static Shared *
share_topic (RosShare *share, const RosTopic *topic, const char *name, guint queue_length,
             gboolean latched, GError **error)
{
  Shared *shared = g_new0 (Shared, 1);

  shared->share = share;
  shared->topic = g_strdup (name);
  shared->md5 = g_strdup (topic->md5);
  shared->users = g_array_new (FALSE, FALSE, sizeof (User));
  g_ptr_array_add (share->topics, shared);
  shared->publisher =
      ros_node_advertise (share->node, topic, queue_length, latched, tell_users, shared, error);
  return shared->publisher != NULL ? shared : NULL;
}

char *
ros_share_take_loss (RosShare *share)
{
  for (guint i = 0; i < share->topics->len; i++) {
    Shared *shared = share->topics->pdata[i];
    guint64 n = 0;

    if (!shared->told && shared->publisher != NULL)
      n = ros_publisher_get_n_dropped (shared->publisher);
    if (n == 0)
      continue;
    shared->told = TRUE;
    return g_strdup_printf (
        "ROS: a subscriber of %s reads too slowly and loses the oldest messages "
        "(%" G_GUINT64_FORMAT " so far)",
        shared->topic, n);
  }
  return NULL;
}

RosPublisher *
ros_share_advertise (RosShare *share, gpointer owner, const RosTopic *topic, guint queue_length,
                     gboolean latched, RosListeningFunc listening, gpointer data, GError **error)
{
  g_autofree char *name = ros_node_resolve (share->node, topic->topic, error);
  User user = { owner, listening, data };
  Shared *shared;

  if (name == NULL)
    return NULL;
  shared = find_shared (share, name);
  if (shared != NULL && !g_str_equal (shared->md5, topic->md5)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "ROS: the topic %s cannot have two types, of which one is %s", name, topic->type);
    return NULL;
  }
  if (shared == NULL)
    shared = share_topic (share, topic, name, queue_length, latched, error);
  if (shared == NULL)
    return NULL;
  g_mutex_lock (&share->lock);
  g_array_append_val (shared->users, user);
  if (shared->n > 0 && listening != NULL)
    listening (data, shared->n);
  g_mutex_unlock (&share->lock);
  return shared->publisher;
}

static void
take_message (gpointer data, const RosMessageInfo *info, GBytes *message)
{
  Subscription *subscription = data;

  g_mutex_lock (&subscription->share->lock);
  if (subscription->owner != NULL)
    subscription->func (subscription->data, info, message);
  g_mutex_unlock (&subscription->share->lock);
}

gboolean
ros_share_subscribe (RosShare *share, gpointer owner, const RosTopic *topic, RosMessageFunc func,
                     gpointer data, GError **error)
{
  Subscription *subscription = g_new (Subscription, 1);

  *subscription = (Subscription){ share, owner, func, data };
  g_ptr_array_add (share->subscriptions, subscription);
  return ros_node_subscribe (share->node, topic, take_message, subscription, error) != NULL;
}

/* --- services --- */

static void
take_request (gpointer data, RosServiceCall *call, GBytes *request)
{
  Served *served = data;

  g_mutex_lock (&served->share->lock);
  if (served->owner != NULL)
    served->func (served->data, call, request);
  else
    ros_service_call_fail (call, "the service has ended");
  g_mutex_unlock (&served->share->lock);
}

gboolean
ros_share_advertise_service (RosShare *share, gpointer owner, const char *name, const char *type,
                             const char *md5, RosRequestFunc func, gpointer data, GError **error)
{
  Served *served = g_new (Served, 1);

  *served = (Served){ share, owner, func, data };
  g_ptr_array_add (share->services, served);
  return ros_node_advertise_service (share->node, name, type, md5, take_request, served, error) !=
         NULL;
}

/* --- services of others --- */

static void
note_sent (gpointer data)
{
  Asked *asked = data;
  RosShare *share = asked->share;

  g_mutex_lock (&share->lock);
  if (asked->owner != NULL)
    asked->funcs->sent (asked->data, asked->key);
  g_mutex_unlock (&share->lock);
}

static void
take_answer (gpointer data, GBytes *response, const GError *error)
{
  Asked *asked = data;
  RosShare *share = asked->share;

  g_mutex_lock (&share->lock);
  if (asked->owner != NULL)
    asked->funcs->answered (asked->data, asked->key, response, error);
  g_ptr_array_remove_fast (share->asked, asked);
  g_mutex_unlock (&share->lock);
}

/* The answer cannot come before the number is known, since the lock is held. */
void
ros_share_call_service (RosShare *share, gpointer owner, guint64 key, const RosCallOptions *options,
                        GBytes *request, const RosAnswerFuncs *funcs, gpointer data)
{
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked){ share, owner, key, 0, funcs, data };
  g_mutex_lock (&share->lock);
  g_ptr_array_add (share->asked, asked);
  asked->number =
      ros_node_call_service (share->node, options, request, note_sent, take_answer, asked);
  g_mutex_unlock (&share->lock);
}

void
ros_share_end_call (RosShare *share, gpointer owner, guint64 key)
{
  g_mutex_lock (&share->lock);
  for (guint i = 0; i < share->asked->len; i++) {
    Asked *asked = share->asked->pdata[i];

    if (asked->owner == owner && asked->key == key) {
      asked->owner = NULL;
      ros_node_end_call (share->node, asked->number);
      break;
    }
  }
  g_mutex_unlock (&share->lock);
}
