/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters for clients of the viewer: properties of components, read and set by their services.
 */
#include "commands.h"

#include <string.h>

/* A request that waits for calls of services. */
typedef struct {
  guint references;
  OrreryViewerControl *manager;
  ControlRequest *request;
  GHashTable *wanted; /* (element-type utf8) (nullable): names; NULL: all */
  GPtrArray *found;   /* (element-type utf8): parameters, as JSON, in the order of the parts */
} Query;

/* One call for a query. */
typedef struct {
  Query *query;
  char *part;
} Step;

/* --- one parameter --- */

static GVariant *
unbox (GVariant *value)
{
  while (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    GVariant *inner = g_variant_get_variant (value);

    g_variant_unref (value);
    value = inner;
  }
  return value;
}

/* The protocol has words for what JSON does not say. */
static const char *
get_type (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)   ? ",\"type\":\"float64\""
         : g_variant_is_of_type (value, G_VARIANT_TYPE ("ad")) ? ",\"type\":\"float64_array\""
                                                               : "";
}

void
commands_write_parameter (OrreryWriter *out, const char *name, GVariant *value)
{
  g_autoptr (GVariant) plain = unbox (g_variant_ref (value));

  orrery_writer_append_text (out, "{\"name\":");
  orrery_writer_append_json_text (out, name);
  orrery_writer_append_text (out, ",\"value\":");
  orrery_writer_append_json_variant (out, plain);
  orrery_writer_append_text (out, get_type (plain));
  orrery_writer_append_char (out, '}');
}

/* @description: what get_properties says of it: value, type, words, name */
static char *
make_parameter (OrreryWriter *out, const char *name, GVariant *description)
{
  g_autoptr (GVariant) list = unbox (g_variant_ref (description));
  g_autoptr (GVariant) value = NULL;
  const char *data;
  gsize length;

  if (!g_variant_is_container (list) || g_variant_n_children (list) == 0)
    return NULL;
  value = g_variant_get_child_value (list, 0);
  orrery_writer_clear (out);
  commands_write_parameter (out, name, value);
  data = orrery_writer_get_data (out, &length);
  return g_strndup (data, length);
}

/* --- the answer --- */

static void
answer (Query *query)
{
  OrreryWriter *out = query->manager->writer;
  const ControlRequest *request = query->request;

  orrery_writer_clear (out);
  orrery_writer_append_text (out, "{\"op\":\"parameterValues\",\"parameters\":[");
  for (guint i = 0; i < query->found->len; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    orrery_writer_append_text (out, query->found->pdata[i]);
  }
  orrery_writer_append_char (out, ']');
  if (request->id != NULL) {
    orrery_writer_append_text (out, ",\"id\":");
    orrery_writer_append_text (out, request->id);
  }
  orrery_writer_append_char (out, '}');
  commands_answer (query->manager, request->hub, HUB_ANSWER_FAILED, request->client, out);
}

static void
query_unref (Query *query)
{
  if (--query->references > 0)
    return;
  answer (query);
  control_request_free (query->request);
  g_clear_pointer (&query->wanted, g_hash_table_unref);
  g_ptr_array_unref (query->found);
  g_object_unref (query->manager);
  g_free (query);
}

static void
step_free (gpointer data)
{
  Step *step = data;

  query_unref (step->query);
  g_free (step->part);
  g_free (step);
}

/* --- calls --- */

static void
submit (Query *query, const char *part, const char *service, GVariant *arguments,
        OrreryCallFunc func)
{
  Step *step = g_new0 (Step, 1);
  OrreryRequestManager *manager = ORRERY_REQUEST_MANAGER (query->manager);

  *step = (Step){ query, g_strdup (part) };
  query->references++;
  g_object_unref (
      orrery_request_manager_submit (manager, part, service, arguments, func, step, step_free));
}

static void
on_set (OrreryCall *call, gpointer data)
{
  Query *query = ((Step *) data)->query;
  g_autoptr (GError) error = NULL;

  orrery_call_get_result (call, &error);
  if (error != NULL)
    commands_tell (query->manager, query->request->hub, query->request->client, "parameters",
                   error->message);
}

static void
add_found (Step *step, const char *property, GVariant *description)
{
  Query *query = step->query;
  g_autofree char *name = g_strconcat (step->part, ".", property, NULL);
  char *text = query->wanted == NULL || g_hash_table_contains (query->wanted, name)
                   ? make_parameter (query->manager->writer, name, description)
                   : NULL;

  if (text != NULL)
    g_ptr_array_add (query->found, text);
}

static void
on_properties (OrreryCall *call, gpointer data)
{
  GVariant *result = orrery_call_get_result (call, NULL);
  g_autoptr (GVariant) found =
      result != NULL && g_variant_is_of_type (result, G_VARIANT_TYPE_VARDICT)
          ? g_variant_lookup_value (result, "properties", G_VARIANT_TYPE_VARDICT)
          : NULL;
  const char *name;
  GVariant *description;
  GVariantIter iter;

  if (found == NULL)
    return;
  g_variant_iter_init (&iter, found);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &description)) {
    add_found (data, name, description);
    g_variant_unref (description);
  }
}

/* Returns: (transfer full) (nullable): the part of a parameter, up to the last dot */
static char *
cut_part (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL ? g_strndup (name, (gsize) (dot - name)) : NULL;
}

static void
set_all (Query *query)
{
  for (guint i = 0; query->request->names[i] != NULL; i++) {
    const char *name = query->request->names[i];
    g_autofree char *part = cut_part (name);
    g_autoptr (GVariant) value = g_variant_get_child_value (query->request->arguments, i);
    GVariant *boxed[2];

    if (part == NULL) {
      commands_tell (query->manager, query->request->hub, query->request->client, "parameters",
                     "a parameter is PART.PROPERTY");
      continue;
    }
    boxed[0] = g_variant_new_variant (g_variant_new_string (strrchr (name, '.') + 1));
    boxed[1] = value;
    submit (query, part, "set_property",
            g_variant_new_array (G_VARIANT_TYPE_VARIANT, boxed, G_N_ELEMENTS (boxed)), on_set);
  }
}

static gboolean
is_wanted_part (GHashTable *parts, const char *part)
{
  return parts == NULL || g_hash_table_contains (parts, part);
}

/* Parts have an order; names that are asked for need none. */
static void
ask_all (Query *query, GHashTable *parts)
{
  Control *control = query->manager->control;

  for (guint i = 0; i < control_get_n_services (control); i++) {
    const ControlService *service = control_get_service (control, i);

    if (g_str_equal (service->name, "get_properties") && is_wanted_part (parts, service->part))
      submit (query, service->part, "get_properties", NULL, on_properties);
  }
}

void
commands_ask_parameters (OrreryViewerControl *self, ControlRequest *request)
{
  Query *query = g_new0 (Query, 1);
  g_autoptr (GHashTable) parts = NULL;

  *query = (Query){ .references = 1,
                    .manager = g_object_ref (self),
                    .request = request,
                    .found = g_ptr_array_new_with_free_func (g_free) };
  if (request->kind == CONTROL_SET || request->names[0] != NULL) {
    query->wanted = g_hash_table_new (g_str_hash, g_str_equal);
    parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  }
  for (guint i = 0; parts != NULL && request->names[i] != NULL; i++) {
    char *part = cut_part (request->names[i]);

    g_hash_table_add (query->wanted, request->names[i]);
    if (part != NULL)
      g_hash_table_add (parts, part);
  }
  if (request->kind == CONTROL_SET)
    set_all (query);
  ask_all (query, parts);
  query_unref (query);
}
