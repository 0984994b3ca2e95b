/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the fields of messages into records. */
#include "incoming.h"

#include "assign.h"

#include <math.h>
#include <string.h>

#define MAX_FIELDS 64

/* --- the names in expressions --- */

#define LOADER(name, Type)                                                                         \
  static gboolean name (const MapNode *node, MapValue *value, GError **error)                      \
  {                                                                                                \
    value->number = (double) *(const Type *) node->place;                                          \
    return TRUE;                                                                                   \
  }

LOADER (load_int8, gint8)
LOADER (load_uint8, guint8)
LOADER (load_int16, gint16)
LOADER (load_uint16, guint16)
LOADER (load_int32, gint32)
LOADER (load_uint32, guint32)
LOADER (load_int64, gint64)
LOADER (load_uint64, guint64)
LOADER (load_float32, float)
LOADER (load_float64, double)

static const struct {
  MapEval load;
  OrreryElement element;
} numbers[] = {
  [ORRERY_MESSAGE_BOOL] = { load_uint8, ORRERY_ELEMENT_UINT8 },
  [ORRERY_MESSAGE_INT8] = { load_int8, ORRERY_ELEMENT_INT8 },
  [ORRERY_MESSAGE_UINT8] = { load_uint8, ORRERY_ELEMENT_UINT8 },
  [ORRERY_MESSAGE_INT16] = { load_int16, ORRERY_ELEMENT_INT16 },
  [ORRERY_MESSAGE_UINT16] = { load_uint16, ORRERY_ELEMENT_UINT16 },
  [ORRERY_MESSAGE_INT32] = { load_int32, ORRERY_ELEMENT_INT32 },
  [ORRERY_MESSAGE_UINT32] = { load_uint32, ORRERY_ELEMENT_UINT32 },
  [ORRERY_MESSAGE_INT64] = { load_int64, ORRERY_ELEMENT_INT64 },
  [ORRERY_MESSAGE_UINT64] = { load_uint64, ORRERY_ELEMENT_UINT64 },
  [ORRERY_MESSAGE_FLOAT32] = { load_float32, ORRERY_ELEMENT_FLOAT },
  [ORRERY_MESSAGE_FLOAT64] = { load_float64, ORRERY_ELEMENT_DOUBLE },
};

static gboolean
load_sequence (const MapNode *node, MapValue *value, GError **error)
{
  const OrreryMessageArray *array = node->place;

  value->numbers.data = array->data;
  value->numbers.n = array->length;
  value->numbers.element = (OrreryElement) node->type;
  return TRUE;
}

static gboolean
load_fixed_array (const MapNode *node, MapValue *value, GError **error)
{
  value->numbers.data = node->place;
  value->numbers.n = (gsize) node->number;
  value->numbers.element = (OrreryElement) node->type;
  return TRUE;
}

static gboolean
load_text (const MapNode *node, MapValue *value, GError **error)
{
  const OrreryMessageText *text = node->place;

  value->text.data = text->data;
  value->text.length = text->length;
  return TRUE;
}

static gboolean
load_time (const MapNode *node, MapValue *value, GError **error)
{
  const guint8 *stamp = node->place;
  gint32 sec;
  guint32 nanosec;

  memcpy (&sec, stamp, sizeof sec);
  memcpy (&nanosec, stamp + sizeof sec, sizeof nanosec);
  value->time = sec * G_GINT64_CONSTANT (1000000000) + nanosec;
  return TRUE;
}

static gboolean
load_row (const MapNode *node, MapValue *value, GError **error)
{
  guint n = node->kind == MAP_QUATERNION ? 4 : 3;

  for (guint i = 0; i < n; i++)
    value->v[i] = node->type == ORRERY_MESSAGE_FLOAT64 ? ((const double *) node->place)[i]
                                                       : ((const float *) node->place)[i];
  return TRUE;
}

static MapNode *
make_source (MapKind kind, MapEval eval, gconstpointer place, int type)
{
  MapNode *node = map_node_new (kind, eval);

  node->place = place;
  node->type = type;
  return node;
}

static MapNode *
make_nested (const OrreryMessageType *type, gconstpointer place)
{
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);

  if (map_type_is_time (type))
    return make_source (MAP_TIME, load_time, place, 0);
  if (map_type_is_vector (type))
    return make_source (MAP_VECTOR, load_row, place, (int) fields->kind);
  if (map_type_is_quaternion (type))
    return make_source (MAP_QUATERNION, load_row, place, (int) fields->kind);
  return NULL;
}

static MapNode *
make_value (const OrreryMessageField *field, gconstpointer place)
{
  gboolean is_number = field->kind < ORRERY_MESSAGE_TEXT;
  MapNode *node = NULL;

  if (is_number && field->shape == ORRERY_MESSAGE_SINGLE)
    return make_source (MAP_NUMBER, numbers[field->kind].load, place, 0);
  if (is_number)
    node = make_source (MAP_NUMBERS,
                        field->shape == ORRERY_MESSAGE_SEQUENCE ? load_sequence : load_fixed_array,
                        place, (int) numbers[field->kind].element);
  else if (field->shape == ORRERY_MESSAGE_SINGLE && field->kind == ORRERY_MESSAGE_TEXT)
    return make_source (MAP_TEXT, load_text, place, 0);
  else if (field->shape == ORRERY_MESSAGE_SINGLE && field->kind == ORRERY_MESSAGE_NESTED)
    return make_nested (field->type, place);
  if (node != NULL)
    node->number = (double) field->count;
  return node;
}

MapNode *
map_message_resolve (gpointer data, const char *const *names, guint *n_used, GError **error)
{
  MapMessage *message = data;
  g_autofree char *path = g_strjoinv (".", (char **) names);
  const OrreryMessageField *field;
  gsize offset = 0;
  MapNode *node;

  *n_used = g_strv_length ((char **) names);
  if (g_str_equal (path, "message")) {
    node = make_nested (message->type, message->message);
  } else {
    field = orrery_message_type_find (message->type, path, &offset, error);
    if (field == NULL)
      return NULL;
    node = make_value (field, (const char *) message->message + offset);
  }
  if (node == NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "'%s' is neither a number, a text, a vector nor a list of numbers", path);
  return node;
}

/* --- the fields of records --- */

typedef struct {
  const OrreryField *field;
  gpointer place;
  MapNode *node;
} Command;

struct _MapCommands {
  OrreryRecord *record; /* borrowed: it lives longer than its codecs */
  GArray *commands;     /* (element-type Command) */
};

static void
command_clear (gpointer data)
{
  map_node_free (((Command *) data)->node);
}

void
map_commands_free (MapCommands *commands)
{
  g_array_unref (commands->commands);
  orrery_record_unref (commands->record);
  g_free (commands);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MapCommands, map_commands_free)

static const struct {
  OrreryFieldType type;
  MapKind kinds[2];
} fitting[] = {
  { ORRERY_FIELD_BOOL, { MAP_NUMBER, MAP_NUMBER } },
  { ORRERY_FIELD_INT64, { MAP_NUMBER, MAP_NUMBER } },
  { ORRERY_FIELD_DOUBLE, { MAP_NUMBER, MAP_NUMBER } },
  { ORRERY_FIELD_TIME, { MAP_TIME, MAP_TIME } },
  { ORRERY_FIELD_TEXT, { MAP_TEXT, MAP_TEXT } },
  { ORRERY_FIELD_VEC3, { MAP_VECTOR, MAP_VECTOR } },
  { ORRERY_FIELD_EULER, { MAP_EULER, MAP_QUATERNION } },
  { ORRERY_FIELD_QUAT, { MAP_QUATERNION, MAP_EULER } },
  { ORRERY_FIELD_ARRAY, { MAP_NUMBERS, MAP_NUMBERS } },
};

static gboolean
can_take (OrreryFieldType type, MapKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (fitting); i++)
    if (fitting[i].type == type)
      return fitting[i].kinds[0] == kind || fitting[i].kinds[1] == kind;
  return FALSE;
}

static gboolean
refuse_field (OrrerySchema *schema, const char *name, GError **error)
{
  guint n = orrery_schema_get_n_fields (schema);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < n; i++)
    names[i] = orrery_schema_get_field (schema, i)->name;
  nearest = orrery_nearest_names (name, names);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "the record has no field '%s'%s", name,
                           nearest);
}

static gboolean
add_command (MapCommands *self, const char *name, GVariant *value, MapMessage *message,
             GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (self->record);
  Command command = { NULL, NULL, NULL };
  g_autoptr (MapNode) node = NULL;

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++)
    if (g_str_equal (orrery_schema_get_field (schema, i)->name, name))
      command.field = orrery_schema_get_field (schema, i);
  if (command.field == NULL)
    return refuse_field (schema, name, error);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: expected an expression, a text",
                             name);
  node = map_expression_parse (g_variant_get_string (value, NULL), map_message_resolve, message,
                               error);
  if (node == NULL)
    return FALSE;
  if (!can_take (command.field->type, node->kind))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s cannot be %s", name,
                             map_kind_get_name (node->kind));
  command.place = (char *) orrery_record_data (self->record) + command.field->offset;
  command.node = g_steal_pointer (&node);
  g_array_append_val (self->commands, command);
  return self->commands->len <= MAX_FIELDS ||
         orrery_set_error (error, ORRERY_ERROR_CONFIG, "at most %d fields", MAX_FIELDS);
}

static gboolean
has_field (OrreryRecord *record, const char *name)
{
  OrrerySchema *schema = orrery_record_get_schema (record);

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++)
    if (g_str_equal (orrery_schema_get_field (schema, i)->name, name))
      return TRUE;
  return FALSE;
}

MapCommands *
map_commands_new (OrreryRecord *record, GVariant *fields, gboolean optional, MapMessage *message,
                  GError **error)
{
  g_autoptr (MapCommands) self = g_new0 (MapCommands, 1);
  GVariantIter iter;
  const char *name;
  GVariant *value;

  self->record = orrery_record_ref (record);
  self->commands = g_array_new (FALSE, FALSE, sizeof (Command));
  g_array_set_clear_func (self->commands, command_clear);
  g_variant_iter_init (&iter, fields);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &value)) {
    g_autoptr (GVariant) owned = value;

    if ((!optional || has_field (record, name)) && !add_command (self, name, owned, message, error))
      return NULL;
  }
  if (optional && self->commands->len == 0) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "the record has none of the fields of %s",
                      orrery_message_type_get_name (message->type));
    return NULL;
  }
  return g_steal_pointer (&self);
}

/* --- applying --- */

static gboolean
is_finite (const MapNode *node, const MapValue *value)
{
  guint n = node->kind == MAP_QUATERNION ? 4 : node->kind == MAP_NUMBER ? 1 : 3;

  if (node->kind == MAP_TIME || node->kind == MAP_TEXT)
    return TRUE;
  if (node->kind == MAP_NUMBERS) {
    for (gsize i = 0; i < value->numbers.n; i++)
      if (!isfinite (map_numbers_get (value, i)))
        return FALSE;
    return TRUE;
  }
  for (guint i = 0; i < n; i++)
    if (!isfinite (value->v[i]))
      return FALSE;
  return TRUE;
}

static void
set_rotation (const Command *command, const MapValue *value)
{
  OrreryQuat q = { .x = value->v[0], .y = value->v[1], .z = value->v[2], .w = value->v[3] };
  OrreryEuler *euler = command->place;

  if (command->field->type == ORRERY_FIELD_QUAT && command->node->kind == MAP_EULER)
    orrery_quat_from_euler (value->v[0], value->v[1], value->v[2], command->place);
  else if (command->field->type == ORRERY_FIELD_QUAT)
    *(OrreryQuat *) command->place = q;
  else if (command->node->kind == MAP_QUATERNION)
    orrery_quat_to_euler (&q, &euler->roll, &euler->pitch, &euler->yaw);
  else
    memcpy (command->place, value->v, sizeof (OrreryEuler));
}

static void
set_array (OrreryArray *array, const MapValue *value)
{
  double *to = orrery_array_prepare (array, value->numbers.n);

  for (gsize i = 0; to != NULL && i < value->numbers.n; i++)
    to[i] = map_numbers_get (value, i);
}

static void
set_text (OrreryText *to, const MapValue *value)
{
  g_autofree char *text = g_utf8_make_valid (value->text.data, (gssize) value->text.length);

  orrery_text_set (to, text);
}

static void
apply (const Command *command, const MapValue *value)
{
  switch (command->field->type) {
  case ORRERY_FIELD_BOOL:
    *(OrreryBool *) command->place = value->number != 0;
    break;
  case ORRERY_FIELD_INT64:
    *(gint64 *) command->place = (gint64) CLAMP (value->number, -0x1p62, 0x1p62);
    break;
  case ORRERY_FIELD_DOUBLE:
    *(double *) command->place = value->number;
    break;
  case ORRERY_FIELD_TIME:
    ((OrreryStamp *) command->place)->ns = value->time;
    break;
  case ORRERY_FIELD_TEXT:
    set_text (command->place, value);
    break;
  case ORRERY_FIELD_VEC3:
    memcpy (command->place, value->v, sizeof (OrreryVec3));
    break;
  case ORRERY_FIELD_ARRAY:
    set_array (command->place, value);
    break;
  default:
    set_rotation (command, value);
  }
}

gboolean
map_commands_apply (const MapCommands *self, GError **error)
{
  MapValue values[MAX_FIELDS];

  for (guint i = 0; i < self->commands->len; i++) {
    const Command *command = &g_array_index (self->commands, Command, i);

    if (!map_node_eval (command->node, &values[i], error)) {
      g_prefix_error (error, "%s: ", command->field->name);
      return FALSE;
    }
    if (!is_finite (command->node, &values[i]))
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s is not finite",
                               command->field->name);
  }
  for (guint i = 0; i < self->commands->len; i++)
    apply (&g_array_index (self->commands, Command, i), &values[i]);
  return TRUE;
}
