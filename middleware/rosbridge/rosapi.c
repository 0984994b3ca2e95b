/* SPDX-License-Identifier: BSD-3-Clause */
/* The services of rosapi, which tell what there is. */
#include "bridge-private.h"

#include <string.h>

#define NODE "/orrery"
#define PREFIX "/rosapi/"
#define CALL_TYPE "orrery_interfaces/srv/Call"
/* Types inside a type that are told. */
#define MAX_TYPES 100

/* What is asked, and where the answer goes. */
typedef struct {
  BridgeSession *session;
  Bridge *bridge;
  OrreryNode *args;
  OrreryWriter *writer;
  GPtrArray *texts; /* (element-type utf8): of a list */
} Question;

/* --- writing --- */

static void
append_key (OrreryWriter *writer, const char *key)
{
  gsize length;
  const char *text = orrery_writer_get_data (writer, &length);

  if (length > 0 && text[length - 1] != '{' && text[length - 1] != '[')
    orrery_writer_append_char (writer, ',');
  orrery_writer_append_json_text (writer, key);
  orrery_writer_append_char (writer, ':');
}

static void
append_texts (OrreryWriter *writer, const char *key, GPtrArray *texts)
{
  append_key (writer, key);
  orrery_writer_append_char (writer, '[');
  for (guint i = 0; i < texts->len; i++) {
    if (i > 0)
      orrery_writer_append_char (writer, ',');
    orrery_writer_append_json_text (writer, texts->pdata[i]);
  }
  orrery_writer_append_char (writer, ']');
}

static const char *
get_argument (Question *question, const char *key)
{
  OrreryNode *node = NULL;

  if (question->args != NULL && orrery_node_get_kind (question->args) == ORRERY_NODE_DICT)
    node = orrery_node_find (question->args, key);
  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT
             ? orrery_node_get_text (node)
             : "";
}

static const char *
name_type (const BridgeTopic *topic)
{
  return topic->type != NULL ? orrery_message_type_get_name (topic->type) : "";
}

/* --- topics --- */

static void
list_topics (Question *question)
{
  g_autoptr (GPtrArray) types = g_ptr_array_new ();

  for (guint i = 0; i < question->bridge->topics->len; i++) {
    BridgeTopic *topic = question->bridge->topics->pdata[i];

    g_ptr_array_add (question->texts, topic->name);
    g_ptr_array_add (types, (gpointer) name_type (topic));
  }
  append_texts (question->writer, "topics", question->texts);
  append_texts (question->writer, "types", types);
}

static void
list_topics_for_type (Question *question)
{
  const char *type = get_argument (question, "type");

  for (guint i = 0; i < question->bridge->topics->len; i++) {
    BridgeTopic *topic = question->bridge->topics->pdata[i];

    if (topic->type != NULL && bridge_is_type (topic->type, type))
      g_ptr_array_add (question->texts, topic->name);
  }
  append_texts (question->writer, "topics", question->texts);
}

static void
tell_topic_type (Question *question)
{
  BridgeTopic *topic = bridge_find_topic (question->bridge, get_argument (question, "topic"));

  append_key (question->writer, "type");
  orrery_writer_append_json_text (question->writer, topic != NULL ? name_type (topic) : "");
}

static void
list_publishers (Question *question)
{
  BridgeTopic *topic = bridge_find_topic (question->bridge, get_argument (question, "topic"));

  if (topic != NULL && topic->writers->len > 0)
    g_ptr_array_add (question->texts, (gpointer) NODE);
  append_texts (question->writer, "publishers", question->texts);
}

static void
list_subscribers (Question *question)
{
  BridgeTopic *topic = bridge_find_topic (question->bridge, get_argument (question, "topic"));

  if (topic != NULL && topic->readers->len > 0)
    g_ptr_array_add (question->texts, (gpointer) NODE);
  append_texts (question->writer, "subscribers", question->texts);
}

/* --- services --- */

/* Returns: (transfer full) */
static char **
get_services (Bridge *bridge)
{
  char **services;

  g_mutex_lock (&bridge->lock);
  services = bridge->services != NULL ? g_strdupv (bridge->services) : g_new0 (char *, 1);
  g_mutex_unlock (&bridge->lock);
  return services;
}

static void
list_all_services (Question *question, gboolean wanted)
{
  g_auto (GStrv) services = get_services (question->bridge);

  for (guint i = 0; wanted && services[i] != NULL; i++)
    g_ptr_array_add (question->texts, services[i]);
  append_texts (question->writer, "services", question->texts);
}

static void
list_services (Question *question)
{
  list_all_services (question, TRUE);
}

static void
list_services_for_type (Question *question)
{
  const char *type = get_argument (question, "type");

  list_all_services (question,
                     g_str_equal (type, CALL_TYPE) || g_str_equal (type, "orrery_interfaces/Call"));
}

static void
tell_service_type (Question *question)
{
  g_auto (GStrv) services = get_services (question->bridge);
  g_autofree char *name = bridge_resolve (get_argument (question, "service"));
  gboolean is_there = g_strv_contains ((const char *const *) services, name);

  append_key (question->writer, "type");
  orrery_writer_append_json_text (question->writer, is_there ? CALL_TYPE : "");
}

/* --- types --- */

static void
append_lengths (OrreryWriter *writer, const OrreryMessageField *fields, guint n)
{
  append_key (writer, "fieldarraylen");
  orrery_writer_append_char (writer, '[');
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      orrery_writer_append_char (writer, ',');
    orrery_writer_append_int (writer, fields[i].shape == ORRERY_MESSAGE_SINGLE ? -1
                                      : fields[i].shape == ORRERY_MESSAGE_FIXED_ARRAY
                                          ? (gint64) fields[i].count
                                          : 0);
  }
  orrery_writer_append_char (writer, ']');
}

/* The type of an element, as it is written in a definition. */
static char *
name_element (const OrreryMessageField *field)
{
  if (field->type != NULL)
    return g_strdup (orrery_message_type_get_name (field->type));
  return g_strndup (field->spelling, strcspn (field->spelling, "[<"));
}

static void
append_definition (OrreryWriter *writer, const OrreryMessageType *type)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) types = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) empty = g_ptr_array_new ();
  g_autoptr (GPtrArray) constants = g_ptr_array_new ();
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  guint n, n_constants;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);
  const OrreryMessageConstant *known = orrery_message_type_get_constants (type, &n_constants);

  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (names, (gpointer) fields[i].name);
    g_ptr_array_add (types, name_element (&fields[i]));
    g_ptr_array_add (empty, (gpointer) "");
  }
  for (guint i = 0; i < n_constants; i++) {
    g_ptr_array_add (constants, (gpointer) known[i].name);
    g_ptr_array_add (values, (gpointer) known[i].value);
  }
  orrery_writer_append_char (writer, '{');
  append_key (writer, "type");
  orrery_writer_append_json_text (writer, orrery_message_type_get_name (type));
  append_texts (writer, "fieldnames", names);
  append_texts (writer, "fieldtypes", types);
  append_lengths (writer, fields, n);
  append_texts (writer, "examples", empty);
  append_texts (writer, "constnames", constants);
  append_texts (writer, "constvalues", values);
  orrery_writer_append_char (writer, '}');
}

static void
add_types (GPtrArray *types, const OrreryMessageType *type)
{
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);

  if (types->len >= MAX_TYPES || g_ptr_array_find (types, type, NULL))
    return;
  g_ptr_array_add (types, (gpointer) type);
  for (guint i = 0; i < n; i++)
    if (fields[i].type != NULL)
      add_types (types, fields[i].type);
}

static void
tell_message (Question *question)
{
  g_autoptr (GPtrArray) types = g_ptr_array_new ();
  const OrreryMessageType *type = NULL;

  if (question->bridge->messages != NULL)
    type =
        orrery_message_catalogue_find (question->bridge->messages, get_argument (question, "type"),
                                       ORRERY_MESSAGE_ROS2, NULL);
  if (type != NULL)
    add_types (types, type);
  append_key (question->writer, "typedefs");
  orrery_writer_append_char (question->writer, '[');
  for (guint i = 0; i < types->len; i++) {
    if (i > 0)
      orrery_writer_append_char (question->writer, ',');
    append_definition (question->writer, types->pdata[i]);
  }
  orrery_writer_append_char (question->writer, ']');
}

/* --- the rest --- */

static void
list_nodes (Question *question)
{
  g_ptr_array_add (question->texts, (gpointer) NODE);
  append_texts (question->writer, "nodes", question->texts);
}

static void
tell_time (Question *question)
{
  gint64 now = atomic_load_explicit (&question->bridge->time, memory_order_relaxed);

  append_key (question->writer, "time");
  orrery_writer_append_text (question->writer, "{\"sec\":");
  orrery_writer_append_int (question->writer, now / 1000000000);
  orrery_writer_append_text (question->writer, ",\"nanosec\":");
  orrery_writer_append_int (question->writer, now % 1000000000);
  orrery_writer_append_char (question->writer, '}');
}

static void
list_parameters (Question *question)
{
  append_texts (question->writer, "names", question->texts);
}

static const struct {
  const char *name;
  void (*func) (Question *question);
} services[] = {
  { "topics", list_topics },
  { "topics_for_type", list_topics_for_type },
  { "topic_type", tell_topic_type },
  { "publishers", list_publishers },
  { "subscribers", list_subscribers },
  { "services", list_services },
  { "services_for_type", list_services_for_type },
  { "service_type", tell_service_type },
  { "nodes", list_nodes },
  { "message_details", tell_message },
  { "get_time", tell_time },
  { "get_param_names", list_parameters },
};

static void
answer (BridgeSession *self, guint i, const char *service, OrreryNode *args, const char *id)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  Question question = { self, self->bridge, args, writer, texts };
  g_autofree char *values = NULL;
  gsize length;
  const char *text;

  orrery_writer_append_char (writer, '{');
  services[i].func (&question);
  orrery_writer_append_char (writer, '}');
  text = orrery_writer_get_data (writer, &length);
  values = g_strndup (text, length);
  bridge_answer_here (self, service, id, values, TRUE);
}

gboolean
bridge_answer_rosapi (BridgeSession *self, const char *service, OrreryNode *args, const char *id)
{
  if (!g_str_has_prefix (service, PREFIX))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (services); i++)
    if (g_str_equal (service + strlen (PREFIX), services[i].name)) {
      answer (self, i, service, args, id);
      return TRUE;
    }
  bridge_answer_here (self, service, id, "this service of rosapi is not provided", FALSE);
  return TRUE;
}
