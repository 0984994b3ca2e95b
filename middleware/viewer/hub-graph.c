/* SPDX-License-Identifier: BSD-3-Clause */
/* The connection graph: who publishes, who subscribes, who has services. */
#include "control.h"
#include "hub-private.h"

#include <string.h>

/* Bytes of services in a graph; there are as many as clients are told of at most. */
#define MAX_SERVICES ((gsize) 4 * 1024 * 1024)
/* The place of what changed of a channel: a newer one takes its place. No channel has it. */
#define PLACE(channel) (((guint64) 1 << 32) + (channel))
/* The publisher of what no component says. */
#define SIMULATION "simulation"

/* --- channels, by what all clients call them --- */

/* The same for both kinds of a part. */
static guint
find_common (guint channel)
{
  return channel < HUB_FIRST_PART ? channel : HUB_CHANNEL (HUB_PART (channel), HUB_TEXT);
}

/* Returns: (nullable): NULL: clients of this protocol have no such channel */
static const char *
find_topic (const View *view, guint channel)
{
  if (channel >= HUB_FIRST_PART)
    return view->parts[HUB_PART (channel)].topic;
  return channel == HUB_FRAMES ? "/tf" : channel == HUB_SCENE ? "/scene" : NULL;
}

/* A component whose record clients may write. */
static gboolean
is_written (const View *view, guint channel)
{
  return channel >= HUB_FIRST_PART && view->control != NULL &&
         g_str_equal (view->parts[HUB_PART (channel)].role, "actuator");
}

/* --- lists --- */

static void
append_comma (OrreryWriter *out, guint *n)
{
  if ((*n)++ > 0)
    orrery_writer_append_char (out, ',');
}

static void
append_name (OrreryWriter *out, guint *n, const char *name)
{
  append_comma (out, n);
  orrery_writer_append_text (out, "{\"name\":");
  orrery_writer_append_json_text (out, name);
}

static void
append_published (OrreryWriter *out, const View *view, guint *n, guint channel)
{
  append_name (out, n, find_topic (view, channel));
  orrery_writer_append_text (out, ",\"publisherIds\":[");
  orrery_writer_append_json_text (out, channel < HUB_FIRST_PART
                                           ? SIMULATION
                                           : view->parts[HUB_PART (channel)].name);
  orrery_writer_append_text (out, "]}");
}

static gboolean
reads (HubSession *session, guint channel)
{
  guint other = channel < HUB_FIRST_PART ? channel : HUB_CHANNEL (HUB_PART (channel), HUB_BINARY);

  return g_hash_table_contains (session->by_channel, GUINT_TO_POINTER (channel)) ||
         g_hash_table_contains (session->by_channel, GUINT_TO_POINTER (other));
}

/* Returns: whether there are any */
static gboolean
append_readers (OrreryWriter *out, Hub *hub, guint channel)
{
  guint n = 0;

  if (is_written (hub->view, channel)) {
    append_comma (out, &n);
    orrery_writer_append_json_text (out, hub->view->parts[HUB_PART (channel)].name);
  }
  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];
    g_autofree char *name = NULL;

    if (session->view != hub->view || !reads (session, channel))
      continue;
    name = g_strdup_printf ("client-%" G_GUINT64_FORMAT, web_client_get_number (session->client));
    append_comma (out, &n);
    orrery_writer_append_json_text (out, name);
  }
  return n > 0;
}

static void
append_subscribed (OrreryWriter *out, Hub *hub, guint *n, guint channel, gboolean none)
{
  g_autoptr (OrreryWriter) readers = orrery_writer_new ();
  gboolean any = append_readers (readers, hub, channel);
  const char *text;
  gsize length;

  if (!any && !none)
    return;
  text = orrery_writer_get_data (readers, &length);
  append_name (out, n, find_topic (hub->view, channel));
  orrery_writer_append_text (out, ",\"subscriberIds\":[");
  orrery_writer_append (out, text, length);
  orrery_writer_append_text (out, "]}");
}

static void
append_services (OrreryWriter *out, const View *view)
{
  guint n = view->control != NULL ? control_get_n_services (view->control) : 0, written = 0;
  gsize begin, length;

  orrery_writer_get_data (out, &begin);
  for (guint i = 0; i < n; i++) {
    const ControlService *service = control_get_service (view->control, i);

    orrery_writer_get_data (out, &length);
    if (length - begin > MAX_SERVICES)
      return;
    append_name (out, &written, service->topic);
    orrery_writer_append_text (out, ",\"providerIds\":[");
    orrery_writer_append_json_text (out, service->part);
    orrery_writer_append_text (out, "]}");
  }
}

/* --- what is sent --- */

static const char begin[] = "{\"op\":\"connectionGraphUpdate\",\"publishedTopics\":[";
static const char end[] = "],\"removedTopics\":[],\"removedServices\":[]}";

static void
send_all (HubSession *self)
{
  View *view = self->view;
  guint last = HUB_CHANNEL (view->n_parts, HUB_TEXT), n = 0;
  g_autoptr (OrreryWriter) out = orrery_writer_new ();

  orrery_writer_append_text (out, begin);
  for (guint i = HUB_FRAMES; i < last; i++)
    if (i == find_common (i) && find_topic (view, i) != NULL &&
        (i < HUB_FIRST_PART || view->parts[HUB_PART (i)].schema != NULL))
      append_published (out, view, &n, i);
  orrery_writer_append_text (out, "],\"subscribedTopics\":[");
  n = 0;
  for (guint i = HUB_FRAMES; i < last; i++)
    if (i == find_common (i) && find_topic (view, i) != NULL)
      append_subscribed (out, self->hub, &n, i, FALSE);
  orrery_writer_append_text (out, "],\"advertisedServices\":[");
  append_services (out, view);
  orrery_writer_append_text (out, end);
  hub_session_send_text (self, out);
}

void
hub_session_follow_graph (HubSession *self, gboolean follows)
{
  if (self->sees_graph == follows) {
    hub_session_tell (self, 2, NULL, "the connection graph is %s",
                      follows ? "subscribed to already" : "not subscribed to");
    return;
  }
  self->sees_graph = follows;
  if (follows)
    send_all (self);
}

void
hub_tell_graph (Hub *hub, guint channel)
{
  g_autoptr (GBytes) bytes = NULL;

  channel = find_common (channel);
  if (find_topic (hub->view, channel) == NULL)
    return;
  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];
    guint n = 0;

    if (!session->sees_graph || session->view != hub->view)
      continue;
    if (bytes == NULL) {
      g_autoptr (OrreryWriter) out = orrery_writer_new ();

      orrery_writer_append_text (out, begin);
      orrery_writer_append_text (out, "],\"subscribedTopics\":[");
      append_subscribed (out, hub, &n, channel, TRUE);
      orrery_writer_append_text (out, "],\"advertisedServices\":[");
      orrery_writer_append_text (out, end);
      bytes = orrery_writer_dup_bytes (out);
    }
    web_client_send_newest (session->client, WEB_TEXT, bytes, PLACE (channel), 1);
  }
}
