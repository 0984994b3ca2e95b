/* SPDX-License-Identifier: BSD-3-Clause */
/* A node of ROS 1, as the thread of the simulation uses it. */
#define _GNU_SOURCE
#include "ros-name.h"
#include "ros-node-private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 128
#define ROUND_MS 60000
/* How long listeners rest when there is no descriptor for one more connection. */
#define REST_MS 100

void
ros_node_options_init (RosNodeOptions *options)
{
  *options = (RosNodeOptions){
    .name = "orrery",
    .max_message = (gsize) 256 * 1024 * 1024,
    .max_request = (gsize) 2 * 1024 * 1024,
    .max_links = 256,
    .call_limit = 3000,
    .header_limit = 5000,
  };
}

void
ros_node_log (RosNode *node, RosLogLevel level, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list list;

  if (node->options.log == NULL)
    return;
  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  node->options.log (node->options.log_data, level, text);
}

/* --- listening --- */

static gboolean
find_address (RosNode *node, struct sockaddr_in *address, GError **error)
{
  struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *list = NULL;
  char number[INET_ADDRSTRLEN];
  g_autofree char *why = NULL;
  int status = getaddrinfo (node->host, NULL, &hints, &list);

  if (status == 0)
    memcpy (address, list->ai_addr, sizeof *address);
  if (list != NULL)
    freeaddrinfo (list);
  if (status != 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND, "ROS: the host '%s' to announce: %s",
                 node->host, gai_strerror (status));
  else if (address->sin_addr.s_addr == INADDR_ANY)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "ROS: '%s' is no host that others could connect to; name one address", node->host);
  else if (!line_access_covers (node->options.access,
                                inet_ntop (AF_INET, &address->sin_addr, number, sizeof number),
                                &why))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "ROS: %s", why);
  else
    return TRUE;
  return FALSE;
}

static gboolean
listen_on (RosWatch *watch, struct sockaddr_in address, guint16 *port, GError **error)
{
  socklen_t size = sizeof address;

  address.sin_port = 0;
  watch->fd = socket (AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (watch->fd < 0 || bind (watch->fd, (struct sockaddr *) &address, size) < 0 ||
      listen (watch->fd, BACKLOG) < 0 ||
      getsockname (watch->fd, (struct sockaddr *) &address, &size) < 0) {
    char number[INET_ADDRSTRLEN];

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "ROS: listening on %s: %s",
                 inet_ntop (AF_INET, &address.sin_addr, number, sizeof number), g_strerror (errno));
    return FALSE;
  }
  *port = ntohs (address.sin_port);
  return TRUE;
}

static void
watch_listeners (gpointer data)
{
  RosNode *node = data;

  ros_loop_watch (node->loop, &node->slave, EPOLLIN);
  ros_loop_watch (node->loop, &node->tcpros, EPOLLIN);
}

static void
rest (RosNode *node)
{
  ros_loop_watch (node->loop, &node->slave, EPOLLPRI);
  ros_loop_watch (node->loop, &node->tcpros, EPOLLPRI);
  ros_loop_set_timer (node->loop, &node->rest, REST_MS);
}

int
ros_node_accept (RosNode *node, RosWatch *listener, int *turned, char **why)
{
  int fd = accept4 (listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  gboolean is_local;

  if (fd < 0) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
      rest (node);
    return -1;
  }
  if (node->peers->len + node->slave_links->len >= node->options.max_links) {
    close (fd);
    return -1;
  }
  if (line_access_admits (node->options.access, node->diag, fd, &is_local, why))
    return fd;
  *turned = fd;
  return -1;
}

/* --- the I/O thread --- */

static void
tend_stop (RosNode *node)
{
  if (node->stopping &&
      (ros_master_is_done (node->master) || ros_loop_get_now (node->loop) >= node->deadline))
    node->done = TRUE;
}

static void
close_all (RosNode *node)
{
  node->done = TRUE;
  ros_calls_close (node);
  g_clear_pointer (&node->master, ros_master_free);
  for (guint i = 0; i < node->subscribers->len; i++)
    ros_subscriber_close (g_ptr_array_index (node->subscribers, i));
  while (node->peers->len > 0)
    ros_peer_close (g_ptr_array_index (node->peers, 0));
  for (guint i = 0; i < node->slave_links->len; i++)
    ros_link_close (g_ptr_array_index (node->slave_links, i));
  g_ptr_array_set_size (node->slave_links, 0);
  ros_loop_clear_timer (node->loop, &node->rest);
  ros_loop_unwatch (node->loop, &node->slave);
  ros_loop_unwatch (node->loop, &node->tcpros);
}

static gpointer
io_main (gpointer data)
{
  RosNode *node = data;

  watch_listeners (node);
  while (!node->done) {
    gint64 limit = node->stopping ? node->deadline - ros_loop_get_now (node->loop) : ROUND_MS;

    ros_loop_round (node->loop, (int) MAX (limit, 0));
    ros_publishers_forward (node);
    tend_stop (node);
  }
  close_all (node);
  return NULL;
}

static gboolean
start_thread (RosNode *node, GError **error)
{
  sigset_t all, before;

  /* Signals are for the main thread. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  node->thread = g_thread_try_new ("orrery-ros", io_main, node, error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return node->thread != NULL;
}

/* --- making and ending --- */

static const char *
from_environment (const char *said, const char *variable, const char *otherwise)
{
  const char *value = said != NULL ? said : g_getenv (variable);

  return value != NULL && *value != '\0' ? value : otherwise;
}

static gboolean
read_names (RosNode *node, GError **error)
{
  const char *space = from_environment (node->options.name_space, "ROS_NAMESPACE", "/");
  const char *host = from_environment (NULL, "ROS_IP", "127.0.0.1");

  node->host = g_strdup (from_environment (node->options.host, "ROS_HOSTNAME", host));
  node->master_uri = g_strdup (
      from_environment (node->options.master_uri, "ROS_MASTER_URI", "http://localhost:11311"));
  if (!ros_uri_parse (node->master_uri, "http://", &node->master_host, &node->master_port)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "ROS: '%.200s' is no address of a master; one is http://HOST:PORT",
                 node->master_uri);
    return FALSE;
  }
  if (strcspn (space, "/") < strlen (space) && g_str_has_suffix (space, "/") && space[1] != '\0')
    node->name_space = g_strndup (space, strlen (space) - 1);
  else
    node->name_space = g_strdup (space);
  if (*node->name_space != '/') {
    char *global = g_strconcat ("/", node->name_space, NULL);

    g_free (node->name_space);
    node->name_space = global;
  }
  node->name = ros_name_resolve (node->name_space, "/", node->options.name, error);
  return node->name != NULL;
}

static gboolean
open_node (RosNode *node, GError **error)
{
  struct sockaddr_in address = { 0 };

  if (!read_names (node, error) || !find_address (node, &address, error) ||
      (node->loop = ros_loop_new (error)) == NULL ||
      !listen_on (&node->slave, address, &node->slave_port, error) ||
      !listen_on (&node->tcpros, address, &node->tcpros_port, error))
    return FALSE;
  node->diag = line_peer_open ();
  node->uri = g_strdup_printf ("http://%s:%u/", node->host, node->slave_port);
  node->service_uri = g_strdup_printf ("rosrpc://%s:%u", node->host, node->tcpros_port);
  node->master = ros_master_new (node);
  node->running = start_thread (node, error);
  return node->running;
}

RosNode *
ros_node_new (const RosNodeOptions *options, GError **error)
{
  RosNode *node = g_new0 (RosNode, 1);

  node->options = *options;
  node->diag = -1;
  node->slave = (RosWatch){ -1, 0, ros_slave_accept, node };
  node->tcpros = (RosWatch){ -1, 0, ros_peer_accept, node };
  node->rest = (RosTimer){ .func = watch_listeners, .data = node };
  node->last_dirty = &node->dirty;
  g_mutex_init (&node->lock);
  g_cond_init (&node->told);
  node->publishers = g_ptr_array_new ();
  node->subscribers = g_ptr_array_new ();
  node->services = g_ptr_array_new ();
  node->params = g_ptr_array_new ();
  node->peers = g_ptr_array_new ();
  node->slave_links = g_ptr_array_new ();
  node->calls = g_ptr_array_new ();
  node->own_publishers = g_ptr_array_new_with_free_func (ros_publisher_free);
  node->own_subscribers = g_ptr_array_new_with_free_func (ros_subscriber_free);
  node->own_services = g_ptr_array_new_with_free_func (ros_service_free);
  if (open_node (node, error))
    return node;
  ros_node_free (node);
  return NULL;
}

typedef struct {
  RosNode *node;
  guint timeout_ms;
} Stop;

static void
begin_stop (gpointer data)
{
  Stop *stop = data;
  RosNode *node = stop->node;

  ros_publishers_forward (node);
  node->stopping = TRUE;
  node->deadline = ros_loop_get_now (node->loop) + stop->timeout_ms;
  ros_master_stop (node->master);
  g_free (stop);
}

void
ros_node_stop (RosNode *node, guint timeout_ms)
{
  Stop *stop;

  if (!node->running)
    return;
  stop = g_new0 (Stop, 1);
  *stop = (Stop){ node, timeout_ms };
  ros_loop_do (node->loop, begin_stop, stop);
  g_thread_join (g_steal_pointer (&node->thread));
  node->running = FALSE;
}

static void
free_param (gpointer data)
{
  RosParam *param = data;

  g_variant_unref (param->entry.value);
  g_free (param->name);
  g_free (param);
}

void
ros_node_free (RosNode *node)
{
  ros_node_stop (node, 0);
  node->stopping = TRUE;
  if (node->master != NULL)
    g_clear_pointer (&node->master, ros_master_free);
  if (node->loop != NULL) {
    ros_loop_unwatch (node->loop, &node->slave);
    ros_loop_unwatch (node->loop, &node->tcpros);
    ros_loop_free (node->loop);
  }
  if (node->diag >= 0)
    close (node->diag);
  g_ptr_array_unref (node->own_publishers);
  g_ptr_array_unref (node->own_subscribers);
  g_ptr_array_unref (node->own_services);
  g_ptr_array_set_free_func (node->params, free_param);
  g_ptr_array_unref (node->publishers);
  g_ptr_array_unref (node->subscribers);
  g_ptr_array_unref (node->services);
  g_ptr_array_unref (node->params);
  g_ptr_array_unref (node->peers);
  g_ptr_array_unref (node->slave_links);
  g_ptr_array_unref (node->calls);
  line_access_free (node->options.access);
  g_mutex_clear (&node->lock);
  g_cond_clear (&node->told);
  g_free (node->name);
  g_free (node->name_space);
  g_free (node->host);
  g_free (node->uri);
  g_free (node->service_uri);
  g_free (node->master_uri);
  g_free (node->master_host);
  g_free (node);
}

const char *
ros_node_get_name (RosNode *node)
{
  return node->name;
}

const char *
ros_node_get_uri (RosNode *node)
{
  return node->uri;
}

guint16
ros_node_get_tcpros_port (RosNode *node)
{
  return node->tcpros_port;
}

char *
ros_node_resolve (RosNode *node, const char *name, GError **error)
{
  return ros_name_resolve (node->name_space, node->name, name, error);
}

void
ros_node_flush (RosNode *node)
{
  if (!node->untold)
    return;
  node->untold = FALSE;
  if (node->running)
    ros_loop_wake (node->loop);
}

/* Has the I/O thread change what the master should know. */
static void
change (RosNode *node, void (*func) (gpointer data), gpointer data)
{
  atomic_fetch_add (&node->n_changes, 1);
  ros_loop_do (node->loop, func, data);
}

static void
end_change (RosNode *node, RosEntry *entry, gboolean wanted)
{
  if (node->master != NULL && wanted && !node->stopping)
    ros_master_add (node->master, entry);
  else if (node->master != NULL && !node->stopping)
    ros_master_drop (node->master, entry);
  atomic_fetch_sub (&node->n_changes, 1);
}

/* --- topics --- */

RosPublisher *
ros_node_find_publisher (RosNode *node, const char *topic)
{
  for (guint i = 0; i < node->publishers->len; i++) {
    RosPublisher *publisher = g_ptr_array_index (node->publishers, i);

    if (g_str_equal (publisher->topic, topic))
      return publisher;
  }
  return NULL;
}

RosSubscriber *
ros_node_find_subscriber (RosNode *node, const char *topic)
{
  for (guint i = 0; i < node->subscribers->len; i++) {
    RosSubscriber *subscriber = g_ptr_array_index (node->subscribers, i);

    if (g_str_equal (subscriber->topic, topic))
      return subscriber;
  }
  return NULL;
}

static void
add_publisher (gpointer data)
{
  RosPublisher *publisher = data;

  g_ptr_array_add (publisher->node->publishers, publisher);
  end_change (publisher->node, &publisher->entry, TRUE);
}

static gboolean
is_taken (RosNode *node, const char *what, const char *name, gboolean taken, GError **error)
{
  if (taken)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, "%s has the %s %s already", node->name, what,
                 name);
  return taken;
}

static gboolean
publishes (RosNode *node, const char *topic)
{
  for (guint i = 0; i < node->own_publishers->len; i++) {
    RosPublisher *publisher = g_ptr_array_index (node->own_publishers, i);

    if (!publisher->gone && g_str_equal (publisher->topic, topic))
      return TRUE;
  }
  return FALSE;
}

RosPublisher *
ros_node_advertise (RosNode *node, const RosTopic *topic, guint queue_length, gboolean latched,
                    RosListeningFunc listening, gpointer data, GError **error)
{
  g_autofree char *name = ros_node_resolve (node, topic->topic, error);
  RosPublisher *publisher;

  if (name == NULL || is_taken (node, "topic", name, publishes (node, name), error))
    return NULL;
  publisher = g_new0 (RosPublisher, 1);
  publisher->node = node;
  publisher->topic = g_steal_pointer (&name);
  publisher->type = g_strdup (topic->type);
  publisher->md5 = g_strdup (topic->md5);
  publisher->definition = g_strdup (topic->definition);
  publisher->queue_length = MAX (queue_length, 1);
  publisher->latched = latched;
  publisher->listening = listening;
  publisher->data = data;
  publisher->last = &publisher->first;
  publisher->links = g_ptr_array_new ();
  g_mutex_init (&publisher->pool.lock);
  publisher->entry = (RosEntry){ .set_method = "registerPublisher",
                                 .clear_method = "unregisterPublisher",
                                 .name = publisher->topic,
                                 .type = publisher->type };
  g_ptr_array_add (node->own_publishers, publisher);
  change (node, add_publisher, publisher);
  return publisher;
}

static void
remove_publisher (gpointer data)
{
  RosPublisher *publisher = data;

  publisher->listening = NULL;
  g_ptr_array_remove (publisher->node->publishers, publisher);
  while (publisher->links->len > 0)
    ros_peer_close (g_ptr_array_index (publisher->links, 0));
  end_change (publisher->node, &publisher->entry, FALSE);
}

void
ros_publisher_unadvertise (RosPublisher *publisher)
{
  if (publisher->gone)
    return;
  publisher->gone = TRUE;
  change (publisher->node, remove_publisher, publisher);
}

static void
on_publishers (gpointer data, GVariant *uris)
{
  ros_subscriber_update (data, uris);
}

static void
add_subscriber (gpointer data)
{
  RosSubscriber *subscriber = data;

  g_ptr_array_add (subscriber->node->subscribers, subscriber);
  end_change (subscriber->node, &subscriber->entry, TRUE);
}

static gboolean
subscribes (RosNode *node, const char *topic)
{
  for (guint i = 0; i < node->own_subscribers->len; i++) {
    RosSubscriber *subscriber = g_ptr_array_index (node->own_subscribers, i);

    if (!subscriber->gone && g_str_equal (subscriber->topic, topic))
      return TRUE;
  }
  return FALSE;
}

RosSubscriber *
ros_node_subscribe (RosNode *node, const RosTopic *topic, RosMessageFunc func, gpointer data,
                    GError **error)
{
  g_autofree char *name = ros_node_resolve (node, topic->topic, error);
  RosSubscriber *subscriber;

  if (name == NULL || is_taken (node, "subscription of", name, subscribes (node, name), error))
    return NULL;
  subscriber = g_new0 (RosSubscriber, 1);
  subscriber->node = node;
  subscriber->topic = g_steal_pointer (&name);
  subscriber->type = g_strdup (topic->type);
  subscriber->md5 = g_strdup (topic->md5);
  subscriber->definition = g_strdup (topic->definition);
  subscriber->func = func;
  subscriber->data = data;
  subscriber->sources = g_ptr_array_new ();
  subscriber->entry = (RosEntry){ .set_method = "registerSubscriber",
                                  .clear_method = "unregisterSubscriber",
                                  .name = subscriber->topic,
                                  .type = subscriber->type,
                                  .on_set = on_publishers,
                                  .data = subscriber };
  g_ptr_array_add (node->own_subscribers, subscriber);
  change (node, add_subscriber, subscriber);
  return subscriber;
}

static void
remove_subscriber (gpointer data)
{
  RosSubscriber *subscriber = data;

  g_ptr_array_remove (subscriber->node->subscribers, subscriber);
  ros_subscriber_close (subscriber);
  end_change (subscriber->node, &subscriber->entry, FALSE);
}

void
ros_subscriber_unsubscribe (RosSubscriber *subscriber)
{
  if (subscriber->gone)
    return;
  subscriber->gone = TRUE;
  change (subscriber->node, remove_subscriber, subscriber);
}

/* --- services --- */

static void
add_service (gpointer data)
{
  RosService *service = data;

  g_ptr_array_add (service->node->services, service);
  end_change (service->node, &service->entry, TRUE);
}

static gboolean
serves (RosNode *node, const char *name)
{
  for (guint i = 0; i < node->own_services->len; i++)
    if (g_str_equal (((RosService *) g_ptr_array_index (node->own_services, i))->name, name))
      return TRUE;
  return FALSE;
}

RosService *
ros_node_advertise_service (RosNode *node, const char *name, const char *type, const char *md5,
                            RosRequestFunc func, gpointer data, GError **error)
{
  g_autofree char *global = ros_node_resolve (node, name, error);
  RosService *service;

  if (global == NULL || is_taken (node, "service", global, serves (node, global), error))
    return NULL;
  service = g_new0 (RosService, 1);
  service->node = node;
  service->name = g_steal_pointer (&global);
  service->type = g_strdup (type);
  service->md5 = g_strdup (md5);
  service->func = func;
  service->data = data;
  service->entry = (RosEntry){ .set_method = "registerService",
                               .clear_method = "unregisterService",
                               .name = service->name,
                               .uri = g_strdup (node->service_uri) };
  g_ptr_array_add (node->own_services, service);
  change (node, add_service, service);
  return service;
}

/* --- parameters --- */

typedef struct {
  RosNode *node;
  char *name;
  GVariant *value;
  RosParamFunc func;
  gpointer data;
} ParamJob;

static void
free_job (ParamJob *job)
{
  g_clear_pointer (&job->value, g_variant_unref);
  g_free (job->name);
  g_free (job);
}

static RosParam *
find_param (RosNode *node, const char *name)
{
  for (guint i = 0; i < node->params->len; i++) {
    RosParam *param = g_ptr_array_index (node->params, i);

    if (g_str_equal (param->name, name))
      return param;
  }
  return NULL;
}

static void
set_param (gpointer data)
{
  ParamJob *job = data;
  RosParam *param = find_param (job->node, job->name);

  if (param == NULL) {
    param = g_new0 (RosParam, 1);
    param->name = g_strdup (job->name);
    param->entry =
        (RosEntry){ .set_method = "setParam", .clear_method = "deleteParam", .name = param->name };
    g_ptr_array_add (job->node->params, param);
  }
  g_clear_pointer (&param->entry.value, g_variant_unref);
  param->entry.value = g_steal_pointer (&job->value);
  end_change (job->node, &param->entry, TRUE);
  free_job (job);
}

static void
delete_param (gpointer data)
{
  ParamJob *job = data;
  RosParam *param = find_param (job->node, job->name);

  if (param != NULL)
    end_change (job->node, &param->entry, FALSE);
  else
    atomic_fetch_sub (&job->node->n_changes, 1);
  free_job (job);
}

static ParamJob *
new_job (RosNode *node, const char *name, GError **error)
{
  char *global = ros_node_resolve (node, name, error);
  ParamJob *job = global != NULL ? g_new0 (ParamJob, 1) : NULL;

  if (job != NULL)
    *job = (ParamJob){ .node = node, .name = global };
  return job;
}

gboolean
ros_node_set_param (RosNode *node, const char *name, GVariant *value, GError **error)
{
  g_autoptr (GVariant) own = g_variant_ref_sink (value);
  ParamJob *job = new_job (node, name, error);

  if (job == NULL)
    return FALSE;
  job->value = g_steal_pointer (&own);
  change (node, set_param, job);
  return TRUE;
}

gboolean
ros_node_delete_param (RosNode *node, const char *name, GError **error)
{
  ParamJob *job = new_job (node, name, error);

  if (job != NULL)
    change (node, delete_param, job);
  return job != NULL;
}

static void
on_param (gpointer data, GVariant *answer, const GError *failure)
{
  ParamJob *job = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = answer != NULL ? ros_answer_get_value (answer, &error) : NULL;

  job->func (job->data, value, value != NULL ? NULL : answer != NULL ? error : failure);
  free_job (job);
}

static void
get_param (gpointer data)
{
  ParamJob *job = data;
  g_autoptr (GError) error = NULL;
  char *global = ros_node_resolve (job->node, job->name, &error);

  if (global == NULL || job->node->stopping) {
    if (error == NULL)
      error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "the node stops");
    g_free (global);
    job->func (job->data, NULL, error);
    free_job (job);
    return;
  }
  g_free (job->name);
  job->name = global;
  ros_master_ask (job->node->master, "getParam", g_variant_new ("(ss)", job->node->name, global),
                  on_param, job);
}

void
ros_node_get_param (RosNode *node, const char *name, RosParamFunc func, gpointer data)
{
  ParamJob *job = g_new0 (ParamJob, 1);

  *job = (ParamJob){ .node = node, .name = g_strdup (name), .func = func, .data = data };
  ros_loop_do (node->loop, get_param, job);
}
