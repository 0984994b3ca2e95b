/* SPDX-License-Identifier: BSD-3-Clause */
/* What clients of the viewer command: services, messages to actuators, parameters. */
#include "control.h"
#include "hub-private.h"

#include <string.h>

/* Bytes of descriptions of services that are sent to a client that comes. */
#define MAX_OFFER ((gsize) 8 * 1024 * 1024)
/* Bytes of what is wrong with a request. */
#define MAX_WORDS 400

/* --- what is offered --- */

static void
append_pair (OrreryWriter *out, const char *key, const char *value)
{
  orrery_writer_append_text (out, key);
  orrery_writer_append_json_text (out, value);
}

/* Our own page makes a form of the signature. */
static void
append_own (OrreryWriter *out, const ControlService *service)
{
  append_pair (out, ",\"part\":", service->part);
  append_pair (out, ",\"service\":", service->name);
  append_pair (out, ",\"signature\":", service->signature);
  append_pair (out, ",\"words\":", service->words);
}

static void
append_schema (OrreryWriter *out, const char *key, const char *name, const char *schema)
{
  orrery_writer_append_text (out, key);
  append_pair (out, "{\"encoding\":\"json\",\"schemaName\":", name);
  append_pair (out, ",\"schemaEncoding\":\"jsonschema\",\"schema\":", schema);
  orrery_writer_append_char (out, '}');
}

static void
append_schemas (OrreryWriter *out, const ControlService *service)
{
  g_autoptr (OrreryWriter) schema = orrery_writer_new ();
  g_autofree char *request = g_strconcat (service->type, ".request", NULL);
  g_autofree char *response = g_strconcat (service->type, ".response", NULL);
  g_autofree char *text = NULL;
  const char *data;
  gsize length;

  control_service_write_schema (service, schema);
  data = orrery_writer_get_data (schema, &length);
  text = g_strndup (data, length);
  append_schema (out, ",\"request\":", request, text);
  append_schema (out, ",\"response\":", response, control_answer_schema);
}

void
hub_session_offer (HubSession *self)
{
  Control *control = self->view->control;
  guint n = control_get_n_services (control), left = 0;
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  gsize length;

  orrery_writer_append_text (out, "{\"op\":\"advertiseServices\",\"services\":[");
  for (guint i = 0; i < n; i++) {
    const ControlService *service = control_get_service (control, i);

    orrery_writer_get_data (out, &length);
    if (length > MAX_OFFER) {
      left = n - i;
      break;
    }
    orrery_writer_append_text (out, i > 0 ? ",{\"id\":" : "{\"id\":");
    orrery_writer_append_int (out, i + 1);
    append_pair (out, ",\"name\":", service->topic);
    append_pair (out, ",\"type\":", service->type);
    if (self->is_own)
      append_own (out, service);
    else
      append_schemas (out, service);
    orrery_writer_append_char (out, '}');
  }
  orrery_writer_append_text (out, "]}");
  hub_session_send_text (self, out);
  if (left > 0)
    hub_session_tell (self, 1, "services",
                      "the last %u services are not offered here: there are too many", left);
}

/* --- calls --- */

static void
fail_call (HubSession *self, guint32 service, guint32 call, const char *why)
{
  g_autoptr (OrreryWriter) out = orrery_writer_new ();

  orrery_writer_append_text (out, "{\"op\":\"serviceCallFailure\",\"serviceId\":");
  orrery_writer_append_int (out, service);
  orrery_writer_append_text (out, ",\"callId\":");
  orrery_writer_append_int (out, call);
  append_pair (out, ",\"message\":", why);
  orrery_writer_append_char (out, '}');
  hub_session_send_text (self, out);
}

static ControlRequest *
make_request (HubSession *self, ControlKind kind, gsize size)
{
  ControlRequest *request =
      control_request_new (kind, self->hub, web_client_get_number (self->client));

  request->size = size;
  return request;
}

static guint32
read_word (const char *at)
{
  guint32 word;

  memcpy (&word, at, sizeof word);
  return GUINT32_FROM_LE (word);
}

static void
submit_call (HubSession *self, guint32 id, guint32 call, const char *json, gsize length)
{
  const ControlService *service = id > 0 ? control_get_service (self->view->control, id - 1) : NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *some = NULL;
  GVariant *arguments = NULL;
  ControlRequest *request;
  const char *why;

  if (service == NULL) {
    fail_call (self, id, call, "there is no such service");
    return;
  }
  if (self->n_calls >= HUB_MAX_CALLS) {
    fail_call (self, id, call, "1000 calls of this client wait for an answer, which is the limit");
    return;
  }
  arguments = control_service_read (service, json, length, &error);
  if (arguments == NULL) {
    some = g_strndup (error->message, MAX_WORDS);
    fail_call (self, id, call, some);
    return;
  }
  request = make_request (self, CONTROL_CALL, length);
  request->service = id;
  request->call = call;
  request->part = service->part;
  request->name = service->name;
  request->arguments = arguments;
  why = control_post (self->view->control, request);
  if (why != NULL)
    fail_call (self, id, call, why);
  else
    self->n_calls++;
}

/* Service, call, the name of the encoding with its length, the request. */
static void
take_call (HubSession *self, const char *data, gsize length)
{
  static const char json[] = "json";
  guint32 service, call, n;

  if (length < 12 || (n = read_word (data + 8)) > length - 12) {
    hub_session_tell (self, 2, NULL, "a call of a service is cut short");
    return;
  }
  service = read_word (data);
  call = read_word (data + 4);
  if (n != strlen (json) || memcmp (data + 12, json, n) != 0)
    fail_call (self, service, call, "the encoding of a call is json");
  else
    submit_call (self, service, call, data + 12 + n, length - 12 - n);
}

/* --- messages to actuators --- */

/* 0: there is none. */
static guint
find_actuator (HubSession *self, const char *topic)
{
  for (guint i = 0; i < self->view->n_parts; i++) {
    const ViewPart *part = &self->view->parts[i];

    if (g_str_equal (part->topic, topic))
      return g_str_equal (part->role, "actuator") && part->schema != NULL ? i + 1 : 0;
  }
  return 0;
}

/* (nullable): a text of an object */
static const char *
find_text (OrreryNode *dict, const char *key)
{
  OrreryNode *node =
      orrery_node_get_kind (dict) == ORRERY_NODE_DICT ? orrery_node_find (dict, key) : NULL;

  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT
             ? orrery_node_get_text (node)
             : NULL;
}

static void
advertise (HubSession *self, OrreryNode *channel)
{
  const char *topic = find_text (channel, "topic");
  const char *encoding = find_text (channel, "encoding");
  gint64 id = topic != NULL ? hub_node_get_int (orrery_node_find (channel, "id")) : -1;
  guint part = topic != NULL ? find_actuator (self, topic) : 0;

  if (topic == NULL || encoding == NULL || id < 0 || id > G_MAXUINT32)
    hub_session_tell (self, 2, NULL, "a channel has an id, a topic and an encoding");
  else if (part == 0)
    hub_session_tell (self, 2, NULL, "'%.*s' is the topic of no actuator", HUB_QUOTED, topic);
  else if (!g_str_equal (encoding, "json"))
    hub_session_tell (self, 2, NULL, "messages to %s are json, not '%.*s'", topic, HUB_QUOTED,
                      encoding);
  else if (g_hash_table_contains (self->published, GUINT_TO_POINTER ((guint) id)))
    hub_session_tell (self, 2, NULL, "channel %" G_GINT64_FORMAT " is advertised already", id);
  else if (g_hash_table_size (self->published) >= HUB_MAX_NAMES)
    hub_session_tell (self, 2, NULL, "a client has at most %d channels", HUB_MAX_NAMES);
  else
    g_hash_table_insert (self->published, GUINT_TO_POINTER ((guint) id), GUINT_TO_POINTER (part));
}

static void
take_advertise (HubSession *self, OrreryNode *message)
{
  OrreryNode *list = hub_session_find_list (self, message, "channels");

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++)
    advertise (self, orrery_node_get_item (list, i));
}

static void
take_unadvertise (HubSession *self, OrreryNode *message)
{
  OrreryNode *list = hub_session_find_list (self, message, "channelIds");

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    gint64 id = hub_node_get_int (orrery_node_get_item (list, i));

    if (id < 0 || id > G_MAXUINT32 ||
        !g_hash_table_remove (self->published, GUINT_TO_POINTER ((guint) id)))
      hub_session_tell (self, 2, NULL, "no channel %" G_GINT64_FORMAT " was advertised", id);
  }
}

/* Channel, then fields of the record. */
static void
take_publish (HubSession *self, const char *data, gsize length)
{
  guint channel = length >= 4 ? read_word (data) : 0;
  guint part = GPOINTER_TO_UINT (g_hash_table_lookup (self->published, GUINT_TO_POINTER (channel)));
  g_autoptr (OrreryNode) node = NULL;
  g_autoptr (GError) error = NULL;
  ControlRequest *request;
  const char *why;

  if (length < 4 || part == 0) {
    hub_session_tell (self, 2, NULL, "no channel %u was advertised", channel);
    return;
  }
  node = orrery_node_parse_json (data + 4, length - 4, "message", &error);
  if (node == NULL || orrery_node_get_kind (node) != ORRERY_NODE_DICT) {
    hub_session_tell (self, 2, "publish", "%s: %.200s", self->view->parts[part - 1].topic,
                      error != NULL ? error->message
                                    : "a message is an object of fields and their values");
    return;
  }
  request = make_request (self, CONTROL_WRITE, length);
  request->owned = g_strdup (self->view->parts[part - 1].name);
  request->arguments = orrery_node_to_variant (node);
  why = control_post (self->view->control, request);
  if (why != NULL)
    hub_session_tell (self, 2, "publish", "%s", why);
}

/* --- parameters --- */

/* (transfer full) (nullable): names of a list of texts, or of objects with a name */
static char **
read_names (HubSession *self, OrreryNode *list, gboolean are_objects)
{
  guint n = orrery_node_get_length (list);
  g_auto (GStrv) names = g_new0 (char *, MIN (n, HUB_MAX_NAMES) + 1);

  for (guint i = 0; i < MIN (n, HUB_MAX_NAMES); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    const char *name = are_objects ? find_text (item, "name")
                       : orrery_node_get_kind (item) == ORRERY_NODE_TEXT
                           ? orrery_node_get_text (item)
                           : NULL;

    names[i] = g_strdup (name);
    if (name == NULL) {
      hub_session_tell (self, 2, NULL, "a parameter has a name, a text");
      return NULL;
    }
  }
  if (n <= HUB_MAX_NAMES)
    return g_steal_pointer (&names);
  hub_session_tell (self, 2, NULL, "an operation names at most %d parameters", HUB_MAX_NAMES);
  return NULL;
}

/* (transfer full) (nullable): what the client knows its request by, as JSON */
static char *
read_id (OrreryNode *message)
{
  const char *id = find_text (message, "id");
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  const char *data;
  gsize length;

  if (id == NULL)
    return NULL;
  orrery_writer_append_json_text (out, id);
  data = orrery_writer_get_data (out, &length);
  return g_strndup (data, length);
}

static void
post_parameters (HubSession *self, ControlRequest *request)
{
  const char *why;

  /* Its answer counts as that of a call. */
  if (self->n_calls >= HUB_MAX_CALLS) {
    control_request_free (request);
    why = "too many requests of this client wait already";
  } else {
    self->n_calls++;
    why = control_post (self->view->control, request);
    self->n_calls -= why != NULL;
  }
  if (why != NULL)
    hub_session_tell (self, 2, "parameters", "%s", why);
}

static void
take_get_parameters (HubSession *self, OrreryNode *message)
{
  OrreryNode *list = hub_session_find_list (self, message, "parameterNames");
  char **names = list != NULL ? read_names (self, list, FALSE) : NULL;
  ControlRequest *request;

  if (names == NULL)
    return;
  request = make_request (self, CONTROL_GET, 0);
  request->names = names;
  request->id = read_id (message);
  post_parameters (self, request);
}

static void
take_set_parameters (HubSession *self, OrreryNode *message)
{
  OrreryNode *list = hub_session_find_list (self, message, "parameters");
  char **names = list != NULL ? read_names (self, list, TRUE) : NULL;
  GVariantBuilder values = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  ControlRequest *request;

  for (guint i = 0; names != NULL && names[i] != NULL; i++) {
    OrreryNode *node = orrery_node_find (orrery_node_get_item (list, i), "value");
    g_autoptr (GVariant) value = node != NULL ? orrery_node_to_variant (node) : NULL;

    if (value == NULL) {
      hub_session_tell (self, 2, NULL, "%.*s: a parameter cannot be unset", HUB_QUOTED, names[i]);
      g_clear_pointer (&names, g_strfreev);
      break;
    }
    g_variant_builder_add (&values, "v", value);
  }
  if (names == NULL) {
    g_variant_builder_clear (&values);
    return;
  }
  request = make_request (self, CONTROL_SET, 0);
  request->names = names;
  request->arguments = g_variant_ref_sink (g_variant_builder_end (&values));
  request->size = g_variant_get_size (request->arguments);
  request->id = read_id (message);
  post_parameters (self, request);
}

/* The run looks at what is set only for those who want to know of something. */
static void
update_following (HubSession *self)
{
  gboolean follows = self->knows_all || g_hash_table_size (self->known) > 0;
  const char *why = NULL;

  if (follows != self->follows)
    why = control_post (self->view->control,
                        make_request (self, follows ? CONTROL_FOLLOW : CONTROL_UNFOLLOW, 0));
  if (why != NULL)
    hub_session_tell (self, 2, "parameters", "%s", why);
  else
    self->follows = follows;
}

static void
take_know (HubSession *self, OrreryNode *message, gboolean on)
{
  OrreryNode *list = hub_session_find_list (self, message, "parameterNames");
  g_auto (GStrv) names = list != NULL ? read_names (self, list, FALSE) : NULL;

  if (names == NULL)
    return;
  if (names[0] == NULL)
    self->knows_all = on;
  if (names[0] == NULL && !on)
    g_hash_table_remove_all (self->known);
  for (guint i = 0; names[i] != NULL; i++)
    if (!on)
      g_hash_table_remove (self->known, names[i]);
    else if (g_hash_table_size (self->known) < HUB_MAX_NAMES)
      g_hash_table_add (self->known, g_strdup (names[i]));
  update_following (self);
}

/* --- cancelling --- */

/* Foxglove's protocol has no such operation. A call that was answered meanwhile stays as it is. */
static void
take_cancel (HubSession *self, OrreryNode *message)
{
  gint64 call = hub_node_get_int (orrery_node_find (message, "callId"));
  ControlRequest *request;
  const char *why;

  if (call < 0 || call > G_MAXUINT32) {
    hub_session_tell (self, 2, NULL, "the operation needs the number 'callId' of a call");
    return;
  }
  request = make_request (self, CONTROL_CANCEL, 0);
  request->call = (guint32) call;
  why = control_post (self->view->control, request);
  if (why != NULL)
    hub_session_tell (self, 2, "services", "%s", why);
}

/* --- all of them --- */

gboolean
hub_session_command (HubSession *self, const char *op, OrreryNode *message)
{
  if (g_str_equal (op, "advertise"))
    take_advertise (self, message);
  else if (g_str_equal (op, "unadvertise"))
    take_unadvertise (self, message);
  else if (g_str_equal (op, "getParameters"))
    take_get_parameters (self, message);
  else if (g_str_equal (op, "setParameters"))
    take_set_parameters (self, message);
  else if (g_str_equal (op, "subscribeParameterUpdates"))
    take_know (self, message, TRUE);
  else if (g_str_equal (op, "unsubscribeParameterUpdates"))
    take_know (self, message, FALSE);
  else if (g_str_equal (op, "cancelServiceCall"))
    take_cancel (self, message);
  else
    return FALSE;
  return TRUE;
}

void
hub_session_take_bytes (HubSession *self, const char *data, gsize length)
{
  if (length > 0 && data[0] == HUB_OP_PUBLISH)
    take_publish (self, data + 1, length - 1);
  else if (length > 0 && data[0] == HUB_OP_CALL)
    take_call (self, data + 1, length - 1);
  else
    hub_session_tell (self, 2, NULL,
                      "a binary message is a message to an actuator (1) or a call (2)");
}

void
hub_session_leave (HubSession *self)
{
  control_post (self->view->control, make_request (self, CONTROL_GONE, 0));
}

/* --- answers --- */

/* (nullable): it has gone */
static HubSession *
find_session (Hub *hub, guint64 number)
{
  WebClient *client = web_server_find_client (hub->server, number);

  return client != NULL ? web_client_get_data (client) : NULL;
}

static void
deliver (const WebMail *mail, WebKind kind, gboolean ends_call)
{
  HubSession *session = find_session (mail->data, mail->number);
  g_autoptr (GBytes) bytes = session != NULL ? web_mail_dup_bytes (mail) : NULL;

  if (session == NULL)
    return;
  session->n_calls -= ends_call && session->n_calls > 0;
  web_client_send (session->client, kind, bytes);
}

static void
deliver_text (const WebMail *mail)
{
  deliver (mail, WEB_TEXT, FALSE);
}

static void
deliver_failure (const WebMail *mail)
{
  deliver (mail, WEB_TEXT, TRUE);
}

static void
deliver_answer (const WebMail *mail)
{
  deliver (mail, WEB_BINARY, TRUE);
}

static void
deliver_parameter (const WebMail *mail)
{
  Hub *hub = mail->data;
  g_autoptr (OrreryNode) node = orrery_node_parse_json (mail->text, mail->length, "", NULL);
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  const char *name = node != NULL ? find_text (node, "name") : NULL;

  if (name == NULL)
    return;
  orrery_writer_append_text (out, "{\"op\":\"parameterValues\",\"parameters\":[");
  orrery_writer_append (out, mail->text, mail->length);
  orrery_writer_append_text (out, "]}");
  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];

    if (session->knows_all || g_hash_table_contains (session->known, name))
      hub_session_send_text (session, out);
  }
}

void
hub_answer (Hub *hub, HubAnswer kind, guint64 client, GBytes *bytes)
{
  static const WebMailFunc funcs[] = {
    [HUB_ANSWER_TEXT] = deliver_text,
    [HUB_ANSWER_FAILED] = deliver_failure,
    [HUB_ANSWER_CALL] = deliver_answer,
    [HUB_ANSWER_PARAMETER] = deliver_parameter,
  };

  if (hub->server != NULL)
    web_server_mail_bytes (hub->server, funcs[kind], hub, client, bytes, TRUE);
}

void
hub_flush (Hub *hub)
{
  if (hub->server != NULL)
    web_server_flush (hub->server);
}
