/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of nodes: questions about properties of components, which their services answer. */
#include "parameters.h"

#include "../message/variant.h"
#include "parameter-events.h"

#include <string.h>

/* Names that one request may have. */
#define MAX_NAMES 1000

/* rcl_interfaces/msg/ParameterType, by the types of values. */
static const struct {
  const char *type, *field;
} kinds[] = {
  { NULL, NULL },
  { "b", "bool_value" },
  { "x", "integer_value" },
  { "d", "double_value" },
  { "s", "string_value" },
  { NULL, "byte_array_value" },
  { "ab", "bool_array_value" },
  { "ax", "integer_array_value" },
  { "ad", "double_array_value" },
  { "as", "string_array_value" },
};

static const struct {
  const char *name, *type;
} services[] = {
  { "list_parameters", "rcl_interfaces/srv/ListParameters" },
  { "describe_parameters", "rcl_interfaces/srv/DescribeParameters" },
  { "get_parameter_types", "rcl_interfaces/srv/GetParameterTypes" },
  { "get_parameters", "rcl_interfaces/srv/GetParameters" },
  { "set_parameters", "rcl_interfaces/srv/SetParameters" },
  { "set_parameters_atomically", "rcl_interfaces/srv/SetParametersAtomically" },
};

struct _Ros2Parameters {
  guint references;
  OrreryRequestManager *manager; /* borrowed */
  char *robot;
  const OrreryMessageService *types[ROS2_N_QUESTIONS];
  GPtrArray *parts; /* (element-type utf8) */
  OrreryWriter *writer;
  Ros2ParameterEvents *events; /* (nullable) */
  gboolean is_closed;
  gboolean warned;
};

/* A request that waits for calls of services. */
typedef struct {
  guint references;
  Ros2Parameters *parameters;
  Ros2Question question;
  DdsServiceCall *call;
  GVariant *request;
  guint n_waiting;
  GVariantDict *values; /* by name: the description of a property, or why it was not set */
} Query;

/* One call of a service for a query. */
typedef struct {
  Query *query;
  char *prefix;        /* of the names of a part's parameters */
  char *name;          /* the place of the parameter that is set among the others */
  GVariant *parameter; /* (nullable): the one that is set */
} Step;

static void
parameters_unref (Ros2Parameters *self)
{
  if (--self->references > 0)
    return;
  g_ptr_array_unref (self->parts);
  orrery_writer_unref (self->writer);
  g_free (self->robot);
  g_free (self);
}

static void
query_unref (Query *query)
{
  if (--query->references > 0)
    return;
  g_variant_unref (query->request);
  g_variant_dict_unref (query->values);
  parameters_unref (query->parameters);
  g_free (query);
}

static void
step_free (gpointer data)
{
  Step *step = data;

  query_unref (step->query);
  g_free (step->prefix);
  g_free (step->name);
  g_clear_pointer (&step->parameter, g_variant_unref);
  g_free (step);
}

/* --- answers --- */

static void
warn (Ros2Parameters *self, const char *why)
{
  if (!self->warned)
    orrery_part_log_plain (
        self->manager, G_LOG_LEVEL_WARNING,
        "parameters of %s: a request from ROS 2 is not answered: %s (further ones "
        "are not told)",
        self->robot, why);
  self->warned = TRUE;
}

/* @value: (transfer floating): what the response holds */
static void
answer (Query *query, GVariant *value)
{
  Ros2Parameters *self = query->parameters;
  const OrreryMessageType *type = self->types[query->question]->response;
  gpointer response = orrery_message_new (type);
  g_autoptr (GVariant) sunk = g_variant_ref_sink (value);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  orrery_writer_clear (self->writer);
  if (message_from_variant (type, response, sunk, &error) &&
      orrery_message_write (type, response, ORRERY_MESSAGE_ENCODING_CDR, self->writer, &error))
    bytes = orrery_writer_dup_bytes (self->writer);
  else
    warn (self, error->message);
  dds_service_call_return (query->call, bytes);
  orrery_message_free (type, response);
}

/* Returns: (transfer full) (nullable): the value of a property, from its description */
static GVariant *
get_value (GVariant *description)
{
  g_autoptr (GVariant) plain = message_variant_unbox (description);
  g_autoptr (GVariant) first = message_variant_find (plain, "0");

  return first != NULL ? message_variant_unbox (first) : NULL;
}

static guint
find_kind (GVariant *value)
{
  for (guint i = 1; value != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].type != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE (kinds[i].type)))
      return i;
  return 0;
}

/* What ROS 2 has no type for is shown as a text. Returns: (transfer full) (nullable) */
static GVariant *
get_typed_value (Query *query, const char *name, guint *kind)
{
  g_autoptr (GVariant) description = g_variant_dict_lookup_value (query->values, name, NULL);
  GVariant *value = description != NULL ? get_value (description) : NULL;

  *kind = find_kind (value);
  if (value != NULL && *kind == 0) {
    g_autofree char *shown = orrery_variant_show (value);

    g_variant_unref (value);
    value = g_variant_ref_sink (g_variant_new_string (shown));
    *kind = find_kind (value);
  }
  return value;
}

/* Floating: a rcl_interfaces/ParameterValue */
static GVariant *
make_value (Query *query, const char *name)
{
  guint kind;
  g_autoptr (GVariant) value = get_typed_value (query, name, &kind);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "type", "x", (gint64) kind);
  if (kind != 0)
    g_variant_dict_insert_value (&dict, kinds[kind].field, value);
  return g_variant_dict_end (&dict);
}

/* Floating: a rcl_interfaces/ParameterDescriptor */
static GVariant *
make_descriptor (Query *query, const char *name)
{
  g_autoptr (GVariant) description = g_variant_dict_lookup_value (query->values, name, NULL);
  g_autoptr (GVariant) plain = description != NULL ? message_variant_unbox (description) : NULL;
  g_autoptr (GVariant) words = plain != NULL ? message_variant_find (plain, "2") : NULL;
  g_autoptr (GVariant) text = words != NULL ? message_variant_unbox (words) : NULL;
  guint kind;
  g_autoptr (GVariant) value = get_typed_value (query, name, &kind);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", name);
  g_variant_dict_insert (&dict, "type", "x", (gint64) kind);
  if (text != NULL && g_variant_is_of_type (text, G_VARIANT_TYPE_STRING))
    g_variant_dict_insert_value (&dict, "description", text);
  return g_variant_dict_end (&dict);
}

static GVariant *
make_type (Query *query, const char *name)
{
  guint kind;
  g_autoptr (GVariant) value = get_typed_value (query, name, &kind);

  return g_variant_new_int64 (kind);
}

/* Floating: a rcl_interfaces/SetParametersResult; the text is empty if it was set */
static GVariant *
make_set_result (Query *query, const char *place)
{
  const char *why = "";
  GVariantDict dict;

  g_variant_dict_lookup (query->values, place, "&s", &why);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "successful", "b", *why == '\0');
  g_variant_dict_insert (&dict, "reason", "s", why);
  return g_variant_dict_end (&dict);
}

/* --- requests --- */

/* Returns: (transfer full): a list of the request; empty if it has none */
static GVariant *
get_list (Query *query, const char *name)
{
  g_autoptr (GVariant) found = message_variant_find (query->request, name);
  g_autoptr (GVariant) list = found != NULL ? message_variant_unbox (found) : NULL;

  if (list != NULL && g_variant_type_is_array (g_variant_get_type (list)))
    return g_steal_pointer (&list);
  return g_variant_ref_sink (g_variant_new ("av", NULL));
}

/* Returns: (transfer full): an element, as a text */
static char *
get_text (GVariant *list, gsize i)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
  g_autoptr (GVariant) value = message_variant_unbox (child);

  return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string (value, NULL)
                                                             : g_strdup ("");
}

typedef GVariant *(*MakeFunc) (Query *query, const char *name);

static void
answer_by_names (Query *query, const char *field, MakeFunc make)
{
  g_autoptr (GVariant) names = get_list (query, "names");
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  GVariantDict dict;

  for (gsize i = 0; i < g_variant_n_children (names); i++) {
    g_autofree char *name = get_text (names, i);

    g_variant_builder_add (&list, "v", make (query, name));
  }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, field, g_variant_builder_end (&list));
  answer (query, g_variant_dict_end (&dict));
}

static guint64
count_dots (const char *name)
{
  guint64 n = 0;

  for (; *name != '\0'; name++)
    n += *name == '.';
  return n;
}

/* Depth counts from the prefix on; 0: all. */
static gboolean
is_below (const char *name, const char *prefix, guint64 depth)
{
  gsize length = strlen (prefix);

  if (g_str_equal (name, prefix))
    return TRUE;
  if (length > 0 && (!g_str_has_prefix (name, prefix) || name[length] != '.'))
    return FALSE;
  return depth == 0 || count_dots (length > 0 ? name + length + 1 : name) < depth;
}

static gboolean
is_listed (const char *name, GVariant *prefixes, guint64 depth)
{
  gsize n = g_variant_n_children (prefixes);

  for (gsize i = 0; i < n; i++) {
    g_autofree char *prefix = get_text (prefixes, i);

    if (is_below (name, prefix, depth))
      return TRUE;
  }
  return n == 0 && is_below (name, "", depth);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns: (element-type utf8): the names that are asked for, sorted */
static GPtrArray *
find_names (Query *query)
{
  g_autoptr (GVariant) all = g_variant_ref_sink (g_variant_dict_end (query->values));
  g_autoptr (GVariant) prefixes = get_list (query, "prefixes");
  g_autoptr (GVariant) depth = message_variant_find (query->request, "depth");
  g_autoptr (GVariant) plain = depth != NULL ? message_variant_unbox (depth) : NULL;
  gint64 limit = plain != NULL && g_variant_is_of_type (plain, G_VARIANT_TYPE_INT64)
                     ? g_variant_get_int64 (plain)
                     : 0;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GVariantIter iter;
  const char *name;

  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "{&sv}", &name, NULL))
    if (is_listed (name, prefixes, limit < 0 ? 0 : (guint64) limit))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_texts);
  return names;
}

static void
answer_list (Query *query)
{
  g_autoptr (GPtrArray) found = find_names (query);
  GVariantBuilder names = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  GVariantBuilder prefixes = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  g_autofree char *last = g_strdup ("");
  GVariantDict dict, result;

  for (guint i = 0; i < found->len; i++) {
    const char *name = found->pdata[i], *dot = strrchr (name, '.');

    g_variant_builder_add (&names, "v", g_variant_new_string (name));
    if (dot == NULL || (strlen (last) == (gsize) (dot - name) && g_str_has_prefix (name, last)))
      continue;
    g_free (last);
    last = g_strndup (name, (gsize) (dot - name));
    g_variant_builder_add (&prefixes, "v", g_variant_new_string (last));
  }
  g_variant_dict_init (&result, NULL);
  g_variant_dict_insert_value (&result, "names", g_variant_builder_end (&names));
  g_variant_dict_insert_value (&result, "prefixes", g_variant_builder_end (&prefixes));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "result", g_variant_dict_end (&result));
  answer (query, g_variant_dict_end (&dict));
}

static void
answer_set (Query *query)
{
  g_autoptr (GVariant) asked = get_list (query, "parameters");
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  GVariantDict dict;

  for (gsize i = 0; i < g_variant_n_children (asked); i++) {
    g_autofree char *place = g_strdup_printf ("%zu", i);

    g_variant_builder_add (&list, "v", make_set_result (query, place));
  }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "results", g_variant_builder_end (&list));
  answer (query, g_variant_dict_end (&dict));
}

static void
answer_set_together (Query *query)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "result", make_set_result (query, "0"));
  answer (query, g_variant_dict_end (&dict));
}

static void
finish (Query *query)
{
  if (query->parameters->is_closed) {
    dds_service_call_drop (query->call);
    return;
  }
  switch (query->question) {
  case ROS2_LIST_PARAMETERS:
    answer_list (query);
    break;
  case ROS2_DESCRIBE_PARAMETERS:
    answer_by_names (query, "descriptors", make_descriptor);
    break;
  case ROS2_GET_PARAMETER_TYPES:
    answer_by_names (query, "types", make_type);
    break;
  case ROS2_GET_PARAMETERS:
    answer_by_names (query, "values", make_value);
    break;
  case ROS2_SET_PARAMETERS:
    answer_set (query);
    break;
  default:
    answer_set_together (query);
  }
}

/* --- calls --- */

static void
end_step (Query *query)
{
  if (--query->n_waiting == 0)
    finish (query);
}

static void
on_properties (OrreryCall *call, gpointer data)
{
  Step *step = data;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);
  g_autoptr (GVariant) found = value != NULL ? message_variant_find (value, "properties") : NULL;
  g_autoptr (GVariant) properties = found != NULL ? message_variant_unbox (found) : NULL;
  GVariantIter iter;
  GVariant *description;
  const char *name;

  if (properties != NULL && g_variant_is_of_type (properties, G_VARIANT_TYPE_VARDICT)) {
    g_variant_iter_init (&iter, properties);
    while (g_variant_iter_next (&iter, "{&sv}", &name, &description)) {
      g_autofree char *full = g_strconcat (step->prefix, name, NULL);

      g_variant_dict_insert_value (step->query->values, full, description);
      g_variant_unref (description);
    }
  }
  end_step (step->query);
}

static void
tell_change (Ros2Parameters *self, GVariant *parameter)
{
  g_autoptr (GError) error = NULL;

  if (self->events != NULL && !self->is_closed &&
      !ros2_parameter_events_send (self->events, orrery_request_manager_get_time (self->manager),
                                   parameter, &error))
    warn (self, error->message);
}

static void
on_set (OrreryCall *call, gpointer data)
{
  Step *step = data;
  g_autoptr (GError) error = NULL;

  orrery_call_get_result (call, &error);
  if (error != NULL)
    g_variant_dict_insert (step->query->values, step->name, "s", error->message);
  else
    tell_change (step->query->parameters, step->parameter);
  end_step (step->query);
}

static Step *
step_new (Query *query, const char *prefix, const char *name, GVariant *parameter)
{
  Step *step = g_new (Step, 1);

  query->references++;
  query->n_waiting++;
  *step = (Step){ query, g_strdup (prefix), g_strdup (name),
                  parameter != NULL ? g_variant_ref (parameter) : NULL };
  return step;
}

/* `motion.` of `robot.motion`; nothing for the robot itself. */
static char *
make_prefix (Ros2Parameters *self, const char *part)
{
  gsize length = strlen (self->robot);

  if (g_str_equal (part, self->robot))
    return g_strdup ("");
  return g_strconcat (g_str_has_prefix (part, self->robot) && part[length] == '.'
                          ? part + length + 1
                          : part,
                      ".", NULL);
}

static void
ask_parts (Query *query)
{
  Ros2Parameters *self = query->parameters;

  for (guint i = 0; i < self->parts->len; i++) {
    const char *part = self->parts->pdata[i];
    g_autofree char *prefix = make_prefix (self, part);
    g_autoptr (OrreryCall) call =
        orrery_request_manager_submit (self->manager, part, "get_properties", NULL, on_properties,
                                       step_new (query, prefix, NULL, NULL), step_free);
  }
}

/* Returns: (nullable): the part that a parameter belongs to */
static const char *
find_part (Ros2Parameters *self, const char *name, const char **property)
{
  for (guint i = 0; i < self->parts->len; i++) {
    g_autofree char *prefix = make_prefix (self, self->parts->pdata[i]);

    *property = name + strlen (prefix);
    if (g_str_has_prefix (name, prefix) && strchr (*property, '.') == NULL)
      return self->parts->pdata[i];
  }
  return NULL;
}

/* Returns: (transfer full) (nullable): what a rcl_interfaces/ParameterValue holds */
static GVariant *
read_value (GVariant *parameter)
{
  g_autoptr (GVariant) boxed = message_variant_find (parameter, "value");
  g_autoptr (GVariant) value = boxed != NULL ? message_variant_unbox (boxed) : NULL;
  g_autoptr (GVariant) number = value != NULL ? message_variant_find (value, "type") : NULL;
  g_autoptr (GVariant) kind = number != NULL ? message_variant_unbox (number) : NULL;
  gint64 i = kind != NULL && g_variant_is_of_type (kind, G_VARIANT_TYPE_INT64)
                 ? g_variant_get_int64 (kind)
                 : 0;
  g_autoptr (GVariant) found = NULL;

  if (i < 1 || i >= (gint64) G_N_ELEMENTS (kinds))
    return NULL;
  found = message_variant_find (value, kinds[i].field);
  return found != NULL ? message_variant_unbox (found) : NULL;
}

static void
set_one (Query *query, gsize i, GVariant *parameter)
{
  Ros2Parameters *self = query->parameters;
  g_autofree char *place = g_strdup_printf ("%zu", i);
  g_autoptr (GVariant) boxed = message_variant_find (parameter, "name");
  g_autoptr (GVariant) text = boxed != NULL ? message_variant_unbox (boxed) : NULL;
  const char *name = text != NULL && g_variant_is_of_type (text, G_VARIANT_TYPE_STRING)
                         ? g_variant_get_string (text, NULL)
                         : "";
  const char *property;
  const char *part = find_part (self, name, &property);
  g_autoptr (GVariant) value = read_value (parameter);

  if (part == NULL || value == NULL) {
    g_autofree char *why =
        part == NULL ? g_strdup_printf ("%.120s has no parameter %.120s", self->robot, name)
                     : g_strdup_printf ("parameter %.120s cannot be deleted", name);

    g_variant_dict_insert (query->values, place, "s", why);
  } else {
    GVariant *arguments[] = { g_variant_new_variant (g_variant_new_string (property)),
                              g_variant_new_variant (value) };
    g_autoptr (OrreryCall) call =
        orrery_request_manager_submit (self->manager, part, "set_property",
                                       g_variant_new_array (G_VARIANT_TYPE_VARIANT, arguments,
                                                            G_N_ELEMENTS (arguments)),
                                       on_set, step_new (query, NULL, place, parameter), step_free);
  }
}

/* Several at once could fail in the middle. */
static void
set_all (Query *query)
{
  g_autoptr (GVariant) list = get_list (query, "parameters");
  gsize n = g_variant_n_children (list);

  if (query->question == ROS2_SET_PARAMETERS_ATOMICALLY && n > 1) {
    g_variant_dict_insert (query->values, "0", "s",
                           "parameters are set one by one here: use set_parameters");
    return;
  }
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) parameter = message_variant_unbox (child);

    set_one (query, i, parameter);
  }
}

/* Returns: (transfer full) (nullable) */
static GVariant *
read_request (Ros2Parameters *self, Ros2Question question, GBytes *request, GError **error)
{
  const OrreryMessageType *type = self->types[question]->request;
  gpointer message = orrery_message_new (type);
  GVariant *value = NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (request, &length);

  if (orrery_message_read (type, message, ORRERY_MESSAGE_ENCODING_CDR, bytes, length, error))
    value = g_variant_ref_sink (message_to_variant (type, message));
  orrery_message_free (type, message);
  return value;
}

static gboolean
has_too_many (Query *query)
{
  g_autoptr (GVariant) names = get_list (query, "names"),
                       parameters = get_list (query, "parameters"),
                       prefixes = get_list (query, "prefixes");

  return g_variant_n_children (names) > MAX_NAMES ||
         g_variant_n_children (parameters) > MAX_NAMES ||
         g_variant_n_children (prefixes) > MAX_NAMES;
}

void
ros2_parameters_take (Ros2Parameters *parameters, Ros2Question question, DdsServiceCall *call,
                      GBytes *request)
{
  g_autoptr (GError) error = NULL;
  GVariant *value = read_request (parameters, question, request, &error);
  Query *query;

  if (value == NULL) {
    warn (parameters, error->message);
    dds_service_call_drop (call);
    return;
  }
  query = g_new0 (Query, 1);
  *query = (Query){ 1, parameters, question, call, value, 1, g_variant_dict_new (NULL) };
  parameters->references++;
  if (has_too_many (query)) {
    warn (parameters, "more than 1000 names");
    dds_service_call_drop (call);
  } else {
    if (question == ROS2_SET_PARAMETERS || question == ROS2_SET_PARAMETERS_ATOMICALLY)
      set_all (query);
    else
      ask_parts (query);
    end_step (query);
  }
  query_unref (query);
}

/* --- making --- */

const char *
ros2_parameters_get_service (Ros2Question question, const char **type)
{
  *type = services[question].type;
  return services[question].name;
}

const char *
ros2_parameters_get_robot (Ros2Parameters *parameters)
{
  return parameters->robot;
}

void
ros2_parameters_add (Ros2Parameters *parameters, const char *part)
{
  g_ptr_array_add (parameters->parts, g_strdup (part));
}

Ros2Parameters *
ros2_parameters_new (OrreryRequestManager *manager, OrreryMessageCatalogue *messages,
                     const char *robot, GError **error)
{
  Ros2Parameters *self = g_new0 (Ros2Parameters, 1);

  self->references = 1;
  self->manager = manager;
  self->robot = g_strdup (robot);
  self->parts = g_ptr_array_new_with_free_func (g_free);
  self->writer = orrery_writer_new ();
  for (guint i = 0; i < ROS2_N_QUESTIONS; i++) {
    self->types[i] = orrery_message_catalogue_find_service (messages, services[i].type,
                                                            ORRERY_MESSAGE_ROS2, error);
    if (self->types[i] == NULL) {
      parameters_unref (self);
      return NULL;
    }
  }
  return self;
}

gboolean
ros2_parameters_open (Ros2Parameters *parameters, DdsNode *node, OrreryMessageCatalogue *messages,
                      GError **error)
{
  parameters->events = ros2_parameter_events_new (node, messages, error);
  return parameters->events != NULL;
}

void
ros2_parameters_close (Ros2Parameters *parameters)
{
  g_clear_pointer (&parameters->events, ros2_parameter_events_free);
  parameters->is_closed = TRUE;
}

void
ros2_parameters_free (Ros2Parameters *parameters)
{
  parameters_unref (parameters);
}
