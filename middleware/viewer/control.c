/* SPDX-License-Identifier: BSD-3-Clause */
/* The queue of what clients of the viewer ask of a run, and the services that there are. */
#include "control.h"

#include <string.h>

/* Bytes of what waits for the tick, from all clients. */
#define MAX_WAITING ((gsize) 16 * 1024 * 1024)

struct _Control {
  gatomicrefcount refs;
  GPtrArray *services;   /* (element-type ControlService) */
  GPtrArray *components; /* (element-type OrreryComponent): borrowed; the tick's thread's */

  GMutex lock;
  GQueue requests;              /* [lock] (element-type ControlRequest) */
  GHashTable *writes;           /* [lock] (element-type utf8 ControlRequest): those in the queue */
  gsize n_bytes;                /* [lock] */
  void (*wake) (gpointer data); /* [lock] (nullable): nobody takes requests */
  gpointer wake_data;           /* [lock] */
};

/* --- requests --- */

ControlRequest *
control_request_new (ControlKind kind, Hub *hub, guint64 client)
{
  ControlRequest *request = g_new0 (ControlRequest, 1);

  request->kind = kind;
  request->hub = hub_ref (hub);
  request->client = client;
  request->link.data = request;
  return request;
}

void
control_request_free (ControlRequest *request)
{
  if (request->hub != NULL)
    hub_unref (request->hub);
  g_free (request->owned);
  g_free (request->id);
  g_strfreev (request->names);
  g_clear_pointer (&request->arguments, g_variant_unref);
  g_free (request);
}

/* --- services --- */

static void
clear_argument (gpointer data)
{
  ControlArgument *argument = data;

  g_free (argument->name);
  g_clear_pointer (&argument->fallback, g_variant_unref);
}

static void
service_free (gpointer data)
{
  ControlService *service = data;

  g_free (service->part);
  g_free (service->name);
  g_free (service->topic);
  g_free (service->type);
  g_array_unref (service->arguments);
  g_free (service);
}

static GVariant *
read_fallback (const char *text, char type)
{
  const char name[] = { type, '\0' };

  /* Of a value of any type, the host knows no other default. */
  if (type == 'v')
    return g_variant_ref_sink (g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL));
  return g_variant_parse (G_VARIANT_TYPE (name), text, NULL, NULL, NULL);
}

/* `name:T` or `name:T=default`; the host has refused signatures that are none. */
static void
read_signature (ControlService *service)
{
  g_auto (GStrv) words = g_strsplit (service->signature, " ", -1);

  for (guint i = 0; words[i] != NULL; i++) {
    char *colon = strchr (words[i], ':');
    ControlArgument argument = { NULL };

    if (colon == NULL || colon[1] == '\0')
      continue;
    argument.name = g_strndup (words[i], (gsize) (colon - words[i]));
    argument.type = colon[1];
    if (colon[2] == '=')
      argument.fallback = read_fallback (colon + 3, colon[1]);
    g_array_append_val (service->arguments, argument);
  }
}

static void
add_service (Control *self, OrreryRequestManager *manager, const char *part, const char *name)
{
  const char *classpath = NULL;
  const OrreryService *found =
      orrery_request_manager_find_service (manager, part, name, &classpath, NULL);
  g_autofree char *base = g_strdelimit (g_strdup (part), ".", '/');
  ControlService *service;

  if (found == NULL)
    return;
  service = g_new0 (ControlService, 1);
  *service = (ControlService){
    .part = g_strdup (part),
    .name = g_strdup (name),
    .topic = g_strconcat ("/", base, "/", name, NULL),
    .type = g_strconcat (classpath != NULL ? classpath : part, ".", name, NULL),
    .signature = found->signature != NULL ? found->signature : "",
    .words = found->words != NULL ? found->words : "",
    .arguments = g_array_new (FALSE, FALSE, sizeof (ControlArgument)),
  };
  g_array_set_clear_func (service->arguments, clear_argument);
  read_signature (service);
  g_ptr_array_add (self->services, service);
}

static gboolean
is_of_system (const char *part)
{
  return g_str_equal (part, "simulation") || g_str_equal (part, "time") ||
         g_str_equal (part, "communication");
}

/* Those of the system come first: if there are too many for a client, others are left out. */
void
control_set_services (Control *self, OrreryRequestManager *manager)
{
  g_autoptr (GVariant) all = orrery_request_manager_list_services (manager);
  const char *part, *name;
  GVariantIter iter;

  for (guint i = 0; i < 2; i++) {
    g_variant_iter_init (&iter, all);
    while (g_variant_iter_next (&iter, "(&s&su)", &part, &name, NULL))
      if (is_of_system (part) == (i == 0))
        add_service (self, manager, part, name);
  }
}

guint
control_get_n_services (Control *self)
{
  return self->services->len;
}

const ControlService *
control_get_service (Control *self, guint i)
{
  return i < self->services->len ? self->services->pdata[i] : NULL;
}

/* --- arguments --- */

static gboolean
has_argument (const ControlService *service, const char *name)
{
  for (guint i = 0; i < service->arguments->len; i++)
    if (g_str_equal (g_array_index (service->arguments, ControlArgument, i).name, name))
      return TRUE;
  return FALSE;
}

static gboolean
knows_names (const ControlService *service, OrreryNode *dict, GError **error)
{
  for (guint i = 0; i < orrery_node_get_length (dict); i++)
    if (!has_argument (service, orrery_node_get_key (dict, i))) {
      g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                   "%s has no argument '%.60s'; its arguments are: %s", service->name,
                   orrery_node_get_key (dict, i), service->signature);
      return FALSE;
    }
  return TRUE;
}

/* Up to the last one that is given; the host has the defaults of those behind it. */
static GVariant *
read_by_name (const ControlService *service, OrreryNode *dict, GError **error)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  guint left = orrery_node_get_length (dict);

  for (guint i = 0; i < service->arguments->len && left > 0; i++) {
    const ControlArgument *argument = &g_array_index (service->arguments, ControlArgument, i);
    OrreryNode *node = orrery_node_find (dict, argument->name);

    if (node != NULL) {
      g_autoptr (GVariant) value = orrery_node_to_variant (node);

      left--;
      g_variant_builder_add (&list, "v", value);
    } else if (argument->fallback != NULL) {
      g_variant_builder_add (&list, "v", argument->fallback);
    } else {
      g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "the argument '%s' is missing",
                   argument->name);
      g_variant_builder_clear (&list);
      return NULL;
    }
  }
  return g_variant_ref_sink (g_variant_builder_end (&list));
}

GVariant *
control_service_read (const ControlService *service, const char *json, gsize length, GError **error)
{
  g_autoptr (OrreryNode) node = NULL;

  if (length == 0)
    return g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_VARIANT, NULL, 0));
  node = orrery_node_parse_json (json, length, "request", error);
  if (node == NULL)
    return NULL;
  if (orrery_node_get_kind (node) == ORRERY_NODE_LIST)
    return orrery_node_to_variant (node);
  if (orrery_node_get_kind (node) == ORRERY_NODE_DICT)
    return knows_names (service, node, error) ? read_by_name (service, node, error) : NULL;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
               "arguments are an object, by name, or a list, by place; not %s",
               orrery_node_get_kind_name (node));
  return NULL;
}

/* --- schemas --- */

const char control_answer_schema[] =
    "{\"type\":\"object\",\"properties\":{\"result\":{}},\"required\":[\"result\"]}";

static const char *
get_json_type (char type)
{
  return type == 'b' ? "boolean" : type == 'x' ? "integer" : type == 's' ? "string" : "number";
}

static void
write_argument (const ControlArgument *argument, OrreryWriter *out)
{
  orrery_writer_append_json_text (out, argument->name);
  orrery_writer_append_text (out, ":{");
  if (argument->type != 'v') {
    orrery_writer_append_text (out, "\"type\":");
    orrery_writer_append_json_text (out, get_json_type (argument->type));
  }
  if (argument->fallback != NULL && argument->type != 'v') {
    orrery_writer_append_text (out, ",\"default\":");
    orrery_writer_append_json_variant (out, argument->fallback);
  }
  orrery_writer_append_char (out, '}');
}

void
control_service_write_schema (const ControlService *service, OrreryWriter *out)
{
  gboolean is_first = TRUE;

  orrery_writer_append_text (out, "{\"type\":\"object\",\"description\":");
  orrery_writer_append_json_text (out, service->words);
  orrery_writer_append_text (out, ",\"properties\":{");
  for (guint i = 0; i < service->arguments->len; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    write_argument (&g_array_index (service->arguments, ControlArgument, i), out);
  }
  orrery_writer_append_text (out, "},\"required\":[");
  for (guint i = 0; i < service->arguments->len; i++) {
    const ControlArgument *argument = &g_array_index (service->arguments, ControlArgument, i);

    if (argument->fallback != NULL)
      continue;
    if (!is_first)
      orrery_writer_append_char (out, ',');
    orrery_writer_append_json_text (out, argument->name);
    is_first = FALSE;
  }
  orrery_writer_append_text (out, "]}");
}

/* --- the queue --- */

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("orrery-viewer-control");
}

Control *
control_new (OrreryWorld *world)
{
  Control *self = g_new0 (Control, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  g_queue_init (&self->requests);
  self->services = g_ptr_array_new_with_free_func (service_free);
  self->components = g_ptr_array_new ();
  self->writes = g_hash_table_new (g_str_hash, g_str_equal);
  g_object_set_qdata_full (G_OBJECT (world), get_quark (), control_ref (self),
                           (GDestroyNotify) control_unref);
  return self;
}

Control *
control_find (OrreryWorld *world)
{
  Control *found = g_object_get_qdata (G_OBJECT (world), get_quark ());

  return found != NULL ? control_ref (found) : NULL;
}

Control *
control_ref (Control *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
control_unref (Control *self)
{
  GList *at;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  while ((at = g_queue_pop_head_link (&self->requests)) != NULL)
    control_request_free (at->data);
  g_hash_table_unref (self->writes);
  g_ptr_array_unref (self->services);
  g_ptr_array_unref (self->components);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
control_set_components (Control *self, OrreryComponent *const *components, guint n)
{
  /* Each viewer of the scene knows the same ones. */
  g_ptr_array_set_size (self->components, 0);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->components, components[i]);
}

GPtrArray *
control_get_components (Control *self)
{
  return self->components;
}

void
control_set_wake (Control *self, void (*wake) (gpointer data), gpointer data)
{
  g_mutex_lock (&self->lock);
  self->wake = wake;
  self->wake_data = data;
  g_mutex_unlock (&self->lock);
}

/* With the lock held. */
static void
queue (Control *self, ControlRequest *request)
{
  ControlRequest *older =
      request->kind == CONTROL_WRITE ? g_hash_table_lookup (self->writes, request->owned) : NULL;

  if (older != NULL) {
    g_hash_table_remove (self->writes, older->owned);
    g_queue_unlink (&self->requests, &older->link);
    self->n_bytes -= older->size;
    control_request_free (older);
  }
  if (request->kind == CONTROL_WRITE)
    g_hash_table_insert (self->writes, request->owned, request);
  g_queue_push_tail_link (&self->requests, &request->link);
  self->n_bytes += request->size;
  self->wake (self->wake_data);
}

/* Arguments as bytes take a tenth of what they take as a tree, whose size nobody knows. */
static void
measure (ControlRequest *request)
{
  request->size += sizeof *request;
  if (request->arguments == NULL)
    return;
  g_variant_get_data (request->arguments);
  request->size += g_variant_get_size (request->arguments);
}

const char *
control_post (Control *self, ControlRequest *request)
{
  const char *why = NULL;

  measure (request);
  g_mutex_lock (&self->lock);
  if (self->wake == NULL)
    why = "the run has ended";
  else if (request->kind != CONTROL_GONE && self->n_bytes + request->size > MAX_WAITING)
    why = "requests of 16 MiB wait for the run, which is the limit";
  else
    queue (self, request);
  g_mutex_unlock (&self->lock);
  if (why != NULL)
    control_request_free (request);
  return why;
}

ControlRequest *
control_take (Control *self)
{
  ControlRequest *request = NULL;
  GList *at;

  g_mutex_lock (&self->lock);
  at = g_queue_pop_head_link (&self->requests);
  if (at != NULL) {
    request = at->data;
    self->n_bytes -= request->size;
    if (request->kind == CONTROL_WRITE)
      g_hash_table_remove (self->writes, request->owned);
  }
  g_mutex_unlock (&self->lock);
  return request;
}
