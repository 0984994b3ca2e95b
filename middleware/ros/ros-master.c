/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the master what the node has, and tells it again when it has forgotten. */
#include "ros-node-private.h"

#define BEAT_MS 1000
#define MAX_ASKS 1024

typedef struct {
  char *method;
  GVariant *parameters;
  XmlrpcFunc func;
  gpointer data;
} Ask;

struct _RosMaster {
  RosNode *node;
  RosTimer timer;
  XmlrpcCall *call;
  gboolean busy;      /* a call is under way */
  GPtrArray *entries; /* (element-type RosEntry) */
  GQueue asks;        /* (element-type Ask) */
  RosEntry *entry;    /* that is being set or cleared */
  gboolean setting;
  gboolean renewed; /* it changed meanwhile */
  Ask *ask;
  gboolean here; /* it answered last time */
  gboolean said; /* that it does not */
  gboolean left; /* we were told to go */
  gint32 pid;    /* of the master; -1: not known */
  gint64 next_beat;
};

static void tend (gpointer data);

static void
begin_call (RosMaster *master, const char *method, GVariant *parameters, XmlrpcFunc func)
{
  RosNode *node = master->node;

  master->busy = TRUE;
  master->call = xmlrpc_call_new (node->loop, node->master_host, node->master_port, method,
                                  parameters, node->options.call_limit, func, master);
}

/* What follows is done in a step of its own. */
static void
end_call (RosMaster *master)
{
  master->busy = FALSE;
  master->call = NULL;
  ros_loop_set_timer (master->node->loop, &master->timer, 0);
}

/* --- who waits --- */

void
ros_node_set_registered (RosNode *node, gboolean registered)
{
  g_mutex_lock (&node->lock);
  node->registered = registered;
  if (registered)
    g_cond_broadcast (&node->told);
  g_mutex_unlock (&node->lock);
}

/* A change that is on the way is followed by another look at what the master knows. */
gboolean
ros_node_wait_registered (RosNode *node, guint timeout_ms)
{
  gint64 end = g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND;
  gboolean registered;

  g_mutex_lock (&node->lock);
  while (atomic_load (&node->n_changes) > 0 || !node->registered)
    if (!g_cond_wait_until (&node->told, &node->lock, end))
      break;
  registered = atomic_load (&node->n_changes) == 0 && node->registered;
  g_mutex_unlock (&node->lock);
  return registered;
}

/* --- whether it is there --- */

static void
forget_all (RosMaster *master)
{
  for (guint i = 0; i < master->entries->len; i++)
    ((RosEntry *) g_ptr_array_index (master->entries, i))->known = FALSE;
  if (master->entry != NULL)
    master->renewed = TRUE;
  ros_node_set_registered (master->node, FALSE);
}

static void
note_absent (RosMaster *master, const GError *error)
{
  master->here = FALSE;
  master->next_beat = ros_loop_get_now (master->node->loop) + BEAT_MS;
  forget_all (master);
  if (!master->said)
    ros_node_log (master->node, ROS_LOG_WARNING,
                  "no ROS master at %s (%s); the run goes on, and registers when one comes",
                  master->node->master_uri, error->message);
  master->said = TRUE;
}

static void
note_here (RosMaster *master)
{
  if (!master->here && !master->left)
    ros_node_log (master->node, ROS_LOG_INFO, "the ROS master at %s is there",
                  master->node->master_uri);
  master->here = TRUE;
  master->said = FALSE;
}

static void
on_pid (gpointer data, GVariant *answer, const GError *error)
{
  RosMaster *master = data;
  g_autoptr (GVariant) value = answer != NULL ? ros_answer_get_value (answer, NULL) : NULL;
  gint32 pid = -1;

  end_call (master);
  if (answer == NULL) {
    note_absent (master, error);
    return;
  }
  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT32))
    pid = g_variant_get_int32 (value);
  if (master->pid != pid && master->pid != -1) {
    if (master->here)
      ros_node_log (master->node, ROS_LOG_INFO,
                    "another ROS master is at %s now, and everything is registered there",
                    master->node->master_uri);
    forget_all (master);
    master->left = FALSE;
  }
  master->pid = pid;
  note_here (master);
}

static void
on_lookup (gpointer data, GVariant *answer, const GError *error)
{
  RosMaster *master = data;
  g_autoptr (GVariant) value = answer != NULL ? ros_answer_get_value (answer, NULL) : NULL;

  end_call (master);
  if (answer == NULL) {
    note_absent (master, error);
    return;
  }
  if (value == NULL || !g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ||
      !g_str_equal (g_variant_get_string (value, NULL), master->node->uri))
    forget_all (master);
  begin_call (master, "getPid", g_variant_new ("(s)", master->node->name), on_pid);
}

static void
begin_beat (RosMaster *master)
{
  const char *name = master->node->name;

  master->next_beat = ros_loop_get_now (master->node->loop) + BEAT_MS;
  begin_call (master, "lookupNode", g_variant_new ("(ss)", name, name), on_lookup);
}

/* --- what it should know --- */

static void
note_set (RosMaster *master, RosEntry *entry, GVariant *answer, const GError *error)
{
  g_autoptr (GError) refused = NULL;
  g_autoptr (GVariant) value = ros_answer_get_value (answer, &refused);

  entry->known = master->setting && !master->renewed;
  if (value == NULL && master->setting)
    ros_node_log (master->node, ROS_LOG_WARNING, "the ROS master refuses %s: %s", entry->name,
                  refused->message);
  else if (value != NULL && entry->known && entry->wanted && entry->on_set != NULL)
    entry->on_set (entry->data, value);
}

static void
on_entry (gpointer data, GVariant *answer, const GError *error)
{
  RosMaster *master = data;
  RosEntry *entry = g_steal_pointer (&master->entry);

  end_call (master);
  if (answer == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED)) {
    /* A fault: it is there, but would not have this. */
    entry->known = master->setting;
    ros_node_log (master->node, ROS_LOG_WARNING, "the ROS master refuses %s: %s", entry->name,
                  error->message);
  } else if (answer == NULL)
    note_absent (master, error);
  else
    note_set (master, entry, answer, error);
}

static GVariant *
make_parameters (RosMaster *master, RosEntry *entry)
{
  RosNode *node = master->node;

  if (entry->value != NULL && master->setting)
    return g_variant_new ("(ssv)", node->name, entry->name, entry->value);
  if (entry->value != NULL)
    return g_variant_new ("(ss)", node->name, entry->name);
  if (entry->uri != NULL && master->setting)
    return g_variant_new ("(ssss)", node->name, entry->name, entry->uri, node->uri);
  if (entry->uri != NULL)
    return g_variant_new ("(sss)", node->name, entry->name, entry->uri);
  if (master->setting)
    return g_variant_new ("(ssss)", node->name, entry->name, entry->type, node->uri);
  return g_variant_new ("(sss)", node->name, entry->name, node->uri);
}

static gboolean
begin_entry (RosMaster *master)
{
  for (guint i = 0; i < master->entries->len; i++) {
    RosEntry *entry = g_ptr_array_index (master->entries, i);

    if (entry->wanted == entry->known)
      continue;
    master->entry = entry;
    master->setting = entry->wanted;
    master->renewed = FALSE;
    begin_call (master, master->setting ? entry->set_method : entry->clear_method,
                make_parameters (master, entry), on_entry);
    return TRUE;
  }
  return FALSE;
}

/* --- questions --- */

static void
free_ask (Ask *ask)
{
  g_free (ask->method);
  g_variant_unref (ask->parameters);
  g_free (ask);
}

static void
on_ask (gpointer data, GVariant *answer, const GError *error)
{
  RosMaster *master = data;
  Ask *ask = g_steal_pointer (&master->ask);

  end_call (master);
  if (answer == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED))
    note_absent (master, error);
  ask->func (ask->data, answer, error);
  free_ask (ask);
}

static gboolean
begin_ask (RosMaster *master)
{
  master->ask = g_queue_pop_head (&master->asks);
  if (master->ask == NULL)
    return FALSE;
  begin_call (master, master->ask->method, master->ask->parameters, on_ask);
  return TRUE;
}

void
ros_master_ask (RosMaster *master, const char *method, GVariant *parameters, XmlrpcFunc func,
                gpointer data)
{
  Ask *ask;

  if (master->asks.length >= MAX_ASKS || master->node->stopping) {
    g_autoptr (GVariant) own = g_variant_ref_sink (parameters);
    g_autoptr (GError) error =
        g_error_new_literal (G_IO_ERROR, G_IO_ERROR_BUSY, "too many questions wait for the master");

    func (data, NULL, error);
    return;
  }
  ask = g_new0 (Ask, 1);
  *ask = (Ask){ g_strdup (method), g_variant_ref_sink (parameters), func, data };
  g_queue_push_tail (&master->asks, ask);
  ros_loop_set_timer (master->node->loop, &master->timer, 0);
}

/* --- the next step --- */

static gboolean
knows_all (RosMaster *master)
{
  for (guint i = 0; i < master->entries->len; i++) {
    RosEntry *entry = g_ptr_array_index (master->entries, i);

    if (entry->wanted != entry->known)
      return FALSE;
  }
  return master->here && !master->left;
}

static void
tend (gpointer data)
{
  RosMaster *master = data;
  gint64 now = ros_loop_get_now (master->node->loop);

  ros_node_set_registered (master->node, knows_all (master));
  if (master->busy || begin_ask (master))
    return;
  if (master->here && !master->left && begin_entry (master))
    return;
  if (now >= master->next_beat)
    begin_beat (master);
  else
    ros_loop_set_timer (master->node->loop, &master->timer, master->next_beat - now);
}

RosMaster *
ros_master_new (RosNode *node)
{
  RosMaster *master = g_new0 (RosMaster, 1);

  master->node = node;
  master->timer = (RosTimer){ .func = tend, .data = master };
  master->entries = g_ptr_array_new ();
  master->pid = -1;
  g_queue_init (&master->asks);
  ros_loop_set_timer (node->loop, &master->timer, 0);
  return master;
}

static void
fail_ask (Ask *ask)
{
  g_autoptr (GError) error =
      g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "the node stops");

  ask->func (ask->data, NULL, error);
  free_ask (ask);
}

void
ros_master_free (RosMaster *master)
{
  Ask *ask;

  if (master->call != NULL)
    xmlrpc_call_cancel (master->call);
  ros_loop_clear_timer (master->node->loop, &master->timer);
  if (master->ask != NULL)
    fail_ask (master->ask);
  while ((ask = g_queue_pop_head (&master->asks)) != NULL)
    fail_ask (ask);
  g_ptr_array_unref (master->entries);
  g_free (master);
}

void
ros_master_add (RosMaster *master, RosEntry *entry)
{
  entry->wanted = TRUE;
  entry->known = FALSE;
  if (master->entry == entry)
    master->renewed = TRUE;
  if (!g_ptr_array_find (master->entries, entry, NULL))
    g_ptr_array_add (master->entries, entry);
  ros_node_set_registered (master->node, FALSE);
  ros_loop_set_timer (master->node->loop, &master->timer, 0);
}

void
ros_master_drop (RosMaster *master, RosEntry *entry)
{
  entry->wanted = FALSE;
  ros_node_set_registered (master->node, FALSE);
  ros_loop_set_timer (master->node->loop, &master->timer, 0);
}

void
ros_master_leave (RosMaster *master, const char *why)
{
  if (master->left)
    return;
  ros_node_log (master->node, ROS_LOG_WARNING,
                "node %s was told to shut down (%s); the run goes on, but is not registered until "
                "there is another master",
                master->node->name, why);
  master->left = TRUE;
  forget_all (master);
}

void
ros_master_stop (RosMaster *master)
{
  for (guint i = 0; i < master->entries->len; i++)
    ((RosEntry *) g_ptr_array_index (master->entries, i))->wanted = FALSE;
  ros_loop_set_timer (master->node->loop, &master->timer, 0);
}

gboolean
ros_master_is_done (RosMaster *master)
{
  if (!master->here && !master->busy)
    return TRUE;
  for (guint i = 0; i < master->entries->len; i++)
    if (((RosEntry *) g_ptr_array_index (master->entries, i))->known)
      return FALSE;
  return master->entry == NULL;
}
