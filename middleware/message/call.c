/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of services as messages, by the tables of `services.json`. */
#include "call.h"

#include "variant.h"

#include <string.h>

#define FILE_NAME "services.json"
#define MAX_FILE (4 * 1024 * 1024)

/* A field by its path, for an argument or for a part of the answer. */
typedef struct {
  const OrreryMessageField *field; /* NULL: the whole message */
  gsize offset;
  char *answer;       /* path in the answer, "" for all of it */
  GVariant *constant; /* an argument that is no field */
} Place;

typedef struct {
  gboolean given;
  GArray *places; /* (element-type Place) */
} Places;

struct _MessageCall {
  const OrreryMessageService *service;
  const OrreryMessageAction *action;
  const OrreryMessageType *request, *response, *feedback;
  gboolean is_json; /* arguments and answer are texts of JSON */
  Places arguments, result, progress;
};

struct _MessageCalls {
  OrreryMessageCatalogue *catalogue;
  OrreryMessageDialect dialect;
  GPtrArray *tables; /* (element-type OrreryNode): services by class, the first counts */
  GHashTable *calls; /* (element-type utf8 MessageCall): by class and service */
};

/* --- places --- */

static void
clear_place (gpointer data)
{
  Place *place = data;

  g_free (place->answer);
  g_clear_pointer (&place->constant, g_variant_unref);
}

static void
places_init (Places *places)
{
  places->places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_array_set_clear_func (places->places, clear_place);
}

static gboolean
find_place (const OrreryMessageType *type, const char *path, Place *place, GError **error)
{
  if (*path == '\0')
    return TRUE;
  place->field = orrery_message_type_find (type, path, &place->offset, error);
  return place->field != NULL;
}

static gboolean
wrong (OrreryNode *node, const GError *why, GError **error)
{
  g_propagate_error (error, orrery_node_error (node, ORRERY_ERROR_CONFIG, "%s", why->message));
  return FALSE;
}

/* A list of paths of fields; what is no text is an argument itself. */
static gboolean
read_arguments (Places *places, const OrreryMessageType *type, OrreryNode *list, GError **error)
{
  if (list == NULL)
    return TRUE;
  places->given = TRUE;
  if (orrery_node_get_kind (list) != ORRERY_NODE_LIST) {
    g_propagate_error (error, orrery_node_error (list, ORRERY_ERROR_CONFIG,
                                                 "arguments are a list of names of fields"));
    return FALSE;
  }
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    g_autoptr (GError) why = NULL;
    Place place = { 0 };

    if (orrery_node_get_kind (item) != ORRERY_NODE_TEXT)
      place.constant = orrery_node_to_variant (item);
    else if (!find_place (type, orrery_node_get_text (item), &place, &why))
      return wrong (item, why, error);
    g_array_append_val (places->places, place);
  }
  return TRUE;
}

/* A dictionary: field -> path in the answer. */
static gboolean
read_results (Places *places, const OrreryMessageType *type, OrreryNode *dict, GError **error)
{
  if (dict == NULL)
    return TRUE;
  places->given = TRUE;
  for (guint i = 0;
       orrery_node_get_kind (dict) == ORRERY_NODE_DICT && i < orrery_node_get_length (dict); i++) {
    OrreryNode *item = orrery_node_get_item (dict, i);
    g_autoptr (GError) why = NULL;
    Place place = { 0 };

    if (orrery_node_get_kind (item) == ORRERY_NODE_TEXT)
      place.answer = g_strdup (orrery_node_get_text (item));
    else
      place.constant = orrery_node_to_variant (item);
    g_array_append_val (places->places, place);
    if (!find_place (type, orrery_node_get_key (dict, i), &g_array_index (places->places, Place, i),
                     &why))
      return wrong (item, why, error);
  }
  if (orrery_node_get_kind (dict) == ORRERY_NODE_DICT)
    return TRUE;
  g_propagate_error (error, orrery_node_error (dict, ORRERY_ERROR_CONFIG,
                                               "a dictionary of fields is expected"));
  return FALSE;
}

/* --- making --- */

static void
call_free (gpointer data)
{
  MessageCall *call = data;

  g_array_unref (call->arguments.places);
  g_array_unref (call->result.places);
  g_array_unref (call->progress.places);
  g_free (call);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MessageCall, call_free)

static MessageCall *
call_new (MessageCalls *calls, const char *type, gboolean is_long, GError **error)
{
  MessageCall *call = g_new0 (MessageCall, 1);

  places_init (&call->arguments);
  places_init (&call->result);
  places_init (&call->progress);
  if (is_long)
    call->action =
        orrery_message_catalogue_find_action (calls->catalogue, type, calls->dialect, error);
  else
    call->service =
        orrery_message_catalogue_find_service (calls->catalogue, type, calls->dialect, error);
  if (call->action != NULL) {
    call->request = call->action->goal;
    call->response = call->action->result;
    call->feedback = call->action->feedback;
  } else if (call->service != NULL) {
    call->request = call->service->request;
    call->response = call->service->response;
  } else {
    g_clear_pointer (&call, call_free);
  }
  return call;
}

/* Without a row of a table. */
static MessageCall *
make_general (MessageCalls *calls, const OrreryService *service, GError **error)
{
  static const char json[] = "arguments";
  const char *signature = service->signature != NULL ? service->signature : "";
  g_autofree char *own = g_strstrip (g_strdup (signature));
  const char *colon = strchr (own, ':');
  gboolean is_long = (service->flags & ORRERY_SERVICE_LONG) != 0;
  gboolean is_bool = colon != NULL && colon[1] == 'b' && strchr (own, ' ') == NULL;
  const char *type = "orrery_interfaces/Call";
  Place place = { 0 };
  MessageCall *call;

  if (!is_long && *own == '\0')
    type = "std_srvs/Trigger";
  else if (!is_long && is_bool)
    type = "std_srvs/SetBool";
  call = call_new (calls, type, is_long, error);
  if (call == NULL)
    return NULL;
  call->is_json = g_str_equal (type, "orrery_interfaces/Call");
  if (call->is_json || is_bool) {
    place.field = orrery_message_type_find (call->request, call->is_json ? json : "data",
                                            &place.offset, NULL);
    g_array_append_val (call->arguments.places, place);
  }
  return call;
}

static gboolean
check_keys (OrreryNode *row, GError **error)
{
  static const char *const known[] = { "type", "arguments", "result", "feedback", NULL };

  for (guint i = 0; i < orrery_node_get_length (row); i++) {
    const char *key = orrery_node_get_key (row, i);
    g_autofree char *nearest = orrery_nearest_names (key, known);

    if (g_strv_contains (known, key))
      continue;
    g_propagate_error (error, orrery_node_key_error (row, i, ORRERY_ERROR_CONFIG,
                                                     "unknown key '%s'%s", key, nearest));
    return FALSE;
  }
  return TRUE;
}

static MessageCall *
make_from_row (MessageCalls *calls, OrreryNode *row, const OrreryService *service, GError **error)
{
  gboolean is_long = (service->flags & ORRERY_SERVICE_LONG) != 0;
  gboolean is_dict = orrery_node_get_kind (row) == ORRERY_NODE_DICT;
  OrreryNode *type = is_dict ? orrery_node_find (row, "type") : NULL;
  g_autoptr (MessageCall) call = NULL;
  g_autoptr (GError) why = NULL;

  if (type == NULL || orrery_node_get_kind (type) != ORRERY_NODE_TEXT) {
    g_propagate_error (error, orrery_node_error (row, ORRERY_ERROR_CONFIG,
                                                 "a service is a dictionary with a 'type'"));
    return NULL;
  }
  if (!check_keys (row, error))
    return NULL;
  call = call_new (calls, orrery_node_get_text (type), is_long, &why);
  if (call == NULL) {
    wrong (type, why, error);
    return NULL;
  }
  if (!read_arguments (&call->arguments, call->request, orrery_node_find (row, "arguments"),
                       error) ||
      !read_results (&call->result, call->response, orrery_node_find (row, "result"), error) ||
      (call->feedback != NULL &&
       !read_results (&call->progress, call->feedback, orrery_node_find (row, "feedback"), error)))
    return NULL;
  return g_steal_pointer (&call);
}

static OrreryNode *
find_member (OrreryNode *node, const char *name)
{
  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_DICT
             ? orrery_node_find (node, name)
             : NULL;
}

/* Of a part that knows the type. */
static MessageCall *
make_typed (MessageCalls *calls, const OrreryService *service, const char *type, GError **error)
{
  gboolean is_long = (service->flags & ORRERY_SERVICE_LONG) != 0;
  MessageCall *call = call_new (calls, type, is_long, error);
  Place goal = { 0 };

  if (call != NULL && is_long)
    g_array_append_val (call->arguments.places, goal);
  return call;
}

const MessageCall *
message_calls_find (MessageCalls *calls, const char *classpath, const OrreryService *service,
                    const char *type, GError **error)
{
  g_autofree char *key = g_strconcat (classpath, " ", service->name, NULL);
  MessageCall *call = g_hash_table_lookup (calls->calls, key);
  OrreryNode *row = NULL;

  if (call != NULL)
    return call;
  for (guint i = 0; i < calls->tables->len && row == NULL; i++)
    row = find_member (find_member (calls->tables->pdata[i], classpath), service->name);
  if (row != NULL)
    call = make_from_row (calls, row, service, error);
  else if (type != NULL)
    call = make_typed (calls, service, type, error);
  else
    call = make_general (calls, service, error);
  if (call != NULL)
    g_hash_table_insert (calls->calls, g_steal_pointer (&key), call);
  return call;
}

/* --- tables --- */

static gboolean
load_table (MessageCalls *calls, const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, FILE_NAME, NULL);
  g_autofree char *text = NULL;
  g_autoptr (OrreryNode) node = NULL;
  g_autoptr (GError) why = NULL;
  OrreryNode *services;
  gsize length;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  if (!g_file_get_contents (path, &text, &length, &why))
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s", why->message);
  if (length > MAX_FILE)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: more than %d bytes", path, MAX_FILE);
  node = orrery_node_parse_json (text, length, path, error);
  if (node == NULL)
    return FALSE;
  services = find_member (node, "services");
  if (services == NULL || orrery_node_get_kind (services) != ORRERY_NODE_DICT) {
    g_propagate_error (error, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                 "a dictionary with 'services' is expected"));
    return FALSE;
  }
  g_ptr_array_add (calls->tables, orrery_node_ref (services));
  return TRUE;
}

MessageCalls *
message_calls_new (OrreryMessageCatalogue *catalogue, OrreryMessageDialect dialect, GError **error)
{
  const char *const *directories = orrery_message_catalogue_get_directories (catalogue);
  g_autoptr (MessageCalls) calls = g_new0 (MessageCalls, 1);

  calls->catalogue = orrery_message_catalogue_ref (catalogue);
  calls->dialect = dialect;
  calls->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_node_unref);
  calls->calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, call_free);
  for (guint i = 0; directories[i] != NULL; i++)
    if (!load_table (calls, directories[i], error))
      return NULL;
  return g_steal_pointer (&calls);
}

void
message_calls_free (MessageCalls *calls)
{
  g_hash_table_unref (calls->calls);
  g_ptr_array_unref (calls->tables);
  orrery_message_catalogue_unref (calls->catalogue);
  g_free (calls);
}

/* --- calling --- */

const OrreryMessageService *
message_call_get_service (const MessageCall *call)
{
  return call->service;
}

const OrreryMessageAction *
message_call_get_action (const MessageCall *call)
{
  return call->action;
}

static GVariant *
parse_arguments (const OrreryMessageText *text, GError **error)
{
  g_autoptr (OrreryNode) node = NULL;

  if (text->length == 0)
    return g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_VARIANT, NULL, 0));
  node = orrery_node_parse_json (text->data, text->length, "arguments", error);
  if (node == NULL)
    return NULL;
  if (orrery_node_get_kind (node) == ORRERY_NODE_LIST)
    return orrery_node_to_variant (node);
  orrery_set_error (error, ORRERY_ERROR_INVALID, "arguments: a list is expected, not %s",
                    orrery_node_get_kind_name (node));
  return NULL;
}

static GVariant *
get_argument (const MessageCall *call, const Place *place, gconstpointer request)
{
  if (place->constant != NULL)
    return place->constant;
  if (place->field == NULL)
    return message_to_variant (call->request, request);
  return message_field_to_variant (place->field, (const guint8 *) request + place->offset);
}

/* Without a list of places, the fields of the request by place. */
static void
add_all_fields (const MessageCall *call, gconstpointer request, GVariantBuilder *list)
{
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (call->request, &n);

  for (guint i = 0; i < n; i++)
    g_variant_builder_add (list, "v",
                           message_field_to_variant (&fields[i],
                                                     (const guint8 *) request + fields[i].offset));
}

GVariant *
message_call_get_arguments (const MessageCall *call, gconstpointer request, GError **error)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  const GArray *places = call->arguments.places;

  if (call->is_json)
    return parse_arguments ((const void *) ((const guint8 *) request +
                                            g_array_index (places, Place, 0).offset),
                            error);
  if (!call->arguments.given && places->len == 0)
    add_all_fields (call, request, &list);
  for (guint i = 0; i < places->len; i++)
    g_variant_builder_add (&list, "v",
                           get_argument (call, &g_array_index (places, Place, i), request));
  return g_variant_ref_sink (g_variant_builder_end (&list));
}

/* --- answers --- */

static gpointer
find_field (const OrreryMessageType *type, gpointer message, const char *name,
            OrreryMessageKind kind)
{
  gsize offset;
  const OrreryMessageField *field = orrery_message_type_find (type, name, &offset, NULL);

  return field != NULL && field->kind == kind && field->shape == ORRERY_MESSAGE_SINGLE
             ? (guint8 *) message + offset
             : NULL;
}

static void
set_success (const MessageCall *call, gpointer response, gboolean success)
{
  guint8 *place = find_field (call->response, response, "success", ORRERY_MESSAGE_BOOL);

  if (place != NULL)
    *place = success ? 1 : 0;
}

/* Texts as they are, where they stand for people; other values as JSON. */
static void
set_words (OrreryMessageText *text, GVariant *value, gboolean is_json)
{
  g_autoptr (GVariant) inner = value != NULL ? message_variant_unbox (value) : NULL;
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *data;
  gsize length;

  if (inner == NULL) {
    orrery_message_text_set (text, is_json ? "null" : "", -1);
    return;
  }
  if (!is_json && g_variant_is_of_type (inner, G_VARIANT_TYPE_STRING)) {
    orrery_message_text_set (text, g_variant_get_string (inner, NULL), -1);
    return;
  }
  orrery_writer_append_json_variant (writer, inner);
  data = orrery_writer_get_data (writer, &length);
  orrery_message_text_set (text, data, (gssize) length);
}

static GVariant *
find_path (GVariant *value, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, ".", -1);
  GVariant *at = message_variant_unbox (value);

  for (guint i = 0; at != NULL && names[i] != NULL; i++) {
    GVariant *next = message_variant_find (at, names[i]);

    g_variant_unref (at);
    at = next;
  }
  return at;
}

static gboolean
fill_place (const OrreryMessageType *type, const Place *place, gpointer message, GVariant *value,
            GError **error)
{
  g_autoptr (GVariant) part = NULL;

  if (place->constant != NULL)
    part = g_variant_ref (place->constant);
  else if (value != NULL)
    part = find_path (value, place->answer);
  if (part == NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "the answer has no '%s'", place->answer);
  if (place->field == NULL)
    return message_from_variant (type, message, part, error);
  return message_field_from_variant (place->field, (guint8 *) message + place->offset, part, error);
}

static gboolean
fill_places (const OrreryMessageType *type, const Places *places, gpointer message, GVariant *value,
             GError **error)
{
  for (guint i = 0; i < places->places->len; i++)
    if (!fill_place (type, &g_array_index (places->places, Place, i), message, value, error))
      return FALSE;
  return TRUE;
}

/* A dictionary has the names of fields; another value is the words, or the only field. */
static gboolean
fill_by_names (const OrreryMessageType *type, gpointer message, GVariant *value, GError **error)
{
  g_autoptr (GVariant) inner = message_variant_unbox (value);
  OrreryMessageText *words = find_field (type, message, "message", ORRERY_MESSAGE_TEXT);
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);

  if (words != NULL &&
      !(g_variant_is_of_type (inner, G_VARIANT_TYPE_VARDICT) && g_variant_n_children (inner) == n))
    set_words (words, inner, FALSE);
  else if (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARDICT))
    return message_from_variant (type, message, inner, error);
  else if (n == 1)
    return message_field_from_variant (&fields[0], (guint8 *) message + fields[0].offset, inner,
                                       error);
  return TRUE;
}

gboolean
message_call_fill_response (const MessageCall *call, gpointer response, GVariant *value,
                            GError **error)
{
  set_success (call, response, TRUE);
  if (call->is_json) {
    set_words (find_field (call->response, response, "result", ORRERY_MESSAGE_TEXT), value, TRUE);
    return TRUE;
  }
  if (call->result.given)
    return fill_places (call->response, &call->result, response, value, error);
  return value == NULL || fill_by_names (call->response, response, value, error);
}

gboolean
message_call_fill_failure (const MessageCall *call, gpointer response, const char *why)
{
  OrreryMessageText *words = find_field (call->response, response,
                                         call->is_json ? "result" : "message", ORRERY_MESSAGE_TEXT);

  if (words == NULL ||
      find_field (call->response, response, "success", ORRERY_MESSAGE_BOOL) == NULL)
    return FALSE;
  set_success (call, response, FALSE);
  orrery_message_text_set (words, why, -1);
  return TRUE;
}

gboolean
message_call_fill_feedback (const MessageCall *call, gpointer feedback, GVariant *value,
                            GError **error)
{
  if (call->is_json) {
    set_words (find_field (call->feedback, feedback, "feedback", ORRERY_MESSAGE_TEXT), value, TRUE);
    return TRUE;
  }
  if (call->progress.given)
    return fill_places (call->feedback, &call->progress, feedback, value, error);
  return fill_by_names (call->feedback, feedback, value, error);
}
