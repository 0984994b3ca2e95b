/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the fields of messages. */
#include "assign.h"

#include <math.h>
#include <string.h>

#define MAX_FIELDS 256
#define MAX_LIST 4096
#define MAX_DEPTH 8

typedef struct _Assignment Assignment;
typedef gboolean (*AssignFunc) (const Assignment *assignment, char *message, GError **error);

struct _Assignment {
  AssignFunc assign;
  gsize offset; /* in the message, or in the element of the list that it belongs to */
  const OrreryMessageField *field;
  MapNode *node;
  char *path;
  GPtrArray *elements; /* (element-type MapFields) or (element-type MapNode): of a list */
  GVariant *item;      /* borrowed: of a list in free form, while it is read */
};

/* Assignments stay where they are, and lie next to each other for the tick. */
struct _MapFields {
  guint n;
  guint room;
  Assignment assignments[];
};

static void
assignment_clear (Assignment *assignment)
{
  map_node_free (assignment->node);
  g_clear_pointer (&assignment->elements, g_ptr_array_unref);
  g_free (assignment->path);
}

/* How many assignments a description may need. */
static guint
count_fields (GVariant *fields, guint depth)
{
  GVariantIter iter;
  GVariant *value;
  guint n = 0;

  g_variant_iter_init (&iter, fields);
  while (n <= MAX_FIELDS && g_variant_iter_next (&iter, "{&sv}", NULL, &value)) {
    n += depth < MAX_DEPTH && g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT)
             ? count_fields (value, depth + 1)
             : 1;
    g_variant_unref (value);
  }
  return n;
}

static MapFields *
fields_new (GVariant *description)
{
  guint room = MIN (count_fields (description, 0), MAX_FIELDS) + 1;
  MapFields *fields = g_malloc0 (sizeof *fields + room * sizeof *fields->assignments);

  fields->room = room;
  return fields;
}

void
map_fields_free (MapFields *fields)
{
  for (guint i = 0; i < fields->n; i++)
    assignment_clear (&fields->assignments[i]);
  g_free (fields);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MapFields, map_fields_free)

/* --- numbers --- */

#define SATURATE(Type, least, greatest)                                                            \
  *(Type *) place = (Type) (number >= (greatest) ? (greatest) : number > (least) ? number : (least))

/* A whole number that its field cannot hold becomes the nearest that it can; NaN becomes 0. */
static void
store (OrreryMessageKind kind, gpointer place, double number)
{
  if (kind != ORRERY_MESSAGE_FLOAT32 && kind != ORRERY_MESSAGE_FLOAT64 && isnan (number))
    number = 0;
  switch (kind) {
  case ORRERY_MESSAGE_BOOL:
    *(guint8 *) place = number != 0;
    break;
  case ORRERY_MESSAGE_INT8:
    SATURATE (gint8, G_MININT8, G_MAXINT8);
    break;
  case ORRERY_MESSAGE_UINT8:
    SATURATE (guint8, 0, G_MAXUINT8);
    break;
  case ORRERY_MESSAGE_INT16:
    SATURATE (gint16, G_MININT16, G_MAXINT16);
    break;
  case ORRERY_MESSAGE_UINT16:
    SATURATE (guint16, 0, G_MAXUINT16);
    break;
  case ORRERY_MESSAGE_INT32:
    SATURATE (gint32, G_MININT32, G_MAXINT32);
    break;
  case ORRERY_MESSAGE_UINT32:
    SATURATE (guint32, 0, G_MAXUINT32);
    break;
  case ORRERY_MESSAGE_INT64:
    /* 2^63 - 1 is no double. */
    *(gint64 *) place = number >= 0x1p63    ? G_MAXINT64
                        : number <= -0x1p63 ? G_MININT64
                                            : (gint64) number;
    break;
  case ORRERY_MESSAGE_UINT64:
    *(guint64 *) place = number >= 0x1p64 ? G_MAXUINT64 : number > 0 ? (guint64) number : 0;
    break;
  case ORRERY_MESSAGE_FLOAT32:
    *(float *) place = (float) number;
    break;
  case ORRERY_MESSAGE_FLOAT64:
    *(double *) place = number;
    break;
  case ORRERY_MESSAGE_TEXT:
  case ORRERY_MESSAGE_WTEXT:
  case ORRERY_MESSAGE_NESTED:
    break;
  }
}

static gsize
get_size (OrreryMessageKind kind)
{
  static const guint8 sizes[] = {
    [ORRERY_MESSAGE_BOOL] = 1,    [ORRERY_MESSAGE_INT8] = 1,    [ORRERY_MESSAGE_UINT8] = 1,
    [ORRERY_MESSAGE_INT16] = 2,   [ORRERY_MESSAGE_UINT16] = 2,  [ORRERY_MESSAGE_INT32] = 4,
    [ORRERY_MESSAGE_UINT32] = 4,  [ORRERY_MESSAGE_INT64] = 8,   [ORRERY_MESSAGE_UINT64] = 8,
    [ORRERY_MESSAGE_FLOAT32] = 4, [ORRERY_MESSAGE_FLOAT64] = 8,
  };

  return sizes[kind];
}

static gboolean
has_element (OrreryMessageKind kind, OrreryElement element)
{
  static const OrreryMessageKind kinds[] = {
    [ORRERY_ELEMENT_UINT8] = ORRERY_MESSAGE_UINT8,
    [ORRERY_ELEMENT_INT8] = ORRERY_MESSAGE_INT8,
    [ORRERY_ELEMENT_UINT16] = ORRERY_MESSAGE_UINT16,
    [ORRERY_ELEMENT_INT16] = ORRERY_MESSAGE_INT16,
    [ORRERY_ELEMENT_UINT32] = ORRERY_MESSAGE_UINT32,
    [ORRERY_ELEMENT_INT32] = ORRERY_MESSAGE_INT32,
    [ORRERY_ELEMENT_UINT64] = ORRERY_MESSAGE_UINT64,
    [ORRERY_ELEMENT_INT64] = ORRERY_MESSAGE_INT64,
    [ORRERY_ELEMENT_FLOAT] = ORRERY_MESSAGE_FLOAT32,
    [ORRERY_ELEMENT_DOUBLE] = ORRERY_MESSAGE_FLOAT64,
  };

  return kinds[element] == kind;
}

static gboolean
assign_number (const Assignment *self, char *message, GError **error)
{
  MapValue value;

  if (!map_node_eval (self->node, &value, error))
    return FALSE;
  store (self->field->kind, message + self->offset, value.number);
  return TRUE;
}

/* --- times --- */

/* builtin_interfaces/Time and Duration in memory, in both dialects. */
typedef struct {
  gint32 sec;
  guint32 nanosec;
} Stamp;

static gboolean
assign_time (const Assignment *self, char *message, GError **error)
{
  Stamp *stamp = (Stamp *) (gpointer) (message + self->offset);
  MapValue value;
  OrreryTime time;

  if (!map_node_eval (self->node, &value, error))
    return FALSE;
  time = self->node->kind == MAP_TIME ? value.time : orrery_time_from_seconds (value.number);
  stamp->sec = (gint32) (time / G_GINT64_CONSTANT (1000000000));
  stamp->nanosec = 0;
  if (time % G_GINT64_CONSTANT (1000000000) < 0)
    stamp->sec--;
  stamp->nanosec = (guint32) (time - stamp->sec * G_GINT64_CONSTANT (1000000000));
  return TRUE;
}

/* --- texts --- */

static gboolean
assign_text (const Assignment *self, char *message, GError **error)
{
  OrreryMessageText *text = (OrreryMessageText *) (gpointer) (message + self->offset);
  MapValue value;

  if (!map_node_eval (self->node, &value, error))
    return FALSE;
  if (self->node->is_brief)
    orrery_message_text_set (text, value.text.data, (gssize) value.text.length);
  else
    *text = (OrreryMessageText){ (char *) value.text.data, value.text.length, 0 };
  return TRUE;
}

/* --- vectors and rotations --- */

/* Three or four numbers of 64 or 32 bits, one after the other. */
static void
store_row (const Assignment *self, char *message, const double *v, guint n)
{
  const OrreryMessageField *first =
      orrery_message_type_get_fields (self->field->type, &(guint){ 0 });

  for (guint i = 0; i < n; i++)
    store (first->kind, message + self->offset + i * get_size (first->kind), v[i]);
}

static gboolean
assign_vector (const Assignment *self, char *message, GError **error)
{
  MapValue value;

  if (!map_node_eval (self->node, &value, error))
    return FALSE;
  store_row (self, message, value.v, 3);
  return TRUE;
}

static gboolean
assign_quaternion (const Assignment *self, char *message, GError **error)
{
  MapValue value;
  OrreryQuat q;

  if (!map_node_eval (self->node, &value, error))
    return FALSE;
  if (self->node->kind == MAP_EULER) {
    orrery_quat_from_euler (value.v[0], value.v[1], value.v[2], &q);
    memcpy (value.v, (double[]){ q.x, q.y, q.z, q.w }, sizeof value.v);
  }
  store_row (self, message, value.v, 4);
  return TRUE;
}

/* --- many numbers --- */

/* As numbers in a row: also a vector and a buffer. @v: room for a vector */
static gboolean
eval_row (const MapNode *node, MapValue *value, double v[4], GError **error)
{
  if (!map_node_eval (node, value, error))
    return FALSE;
  if (node->kind == MAP_BUFFER)
    map_numbers_from_buffer (value, value->buffer);
  if (node->kind != MAP_VECTOR && node->kind != MAP_EULER && node->kind != MAP_QUATERNION)
    return TRUE;
  memcpy (v, value->v, 4 * sizeof *v);
  value->numbers.data = v;
  value->numbers.n = node->kind == MAP_QUATERNION ? 4 : 3;
  value->numbers.element = ORRERY_ELEMENT_DOUBLE;
  return TRUE;
}

static void
store_all (OrreryMessageKind kind, char *to, const MapValue *value, gsize n)
{
  if (has_element (kind, value->numbers.element) && n > 0)
    memcpy (to, value->numbers.data, n * get_size (kind));
  else
    for (gsize i = 0; i < n; i++)
      store (kind, to + i * get_size (kind), map_numbers_get (value, i));
}

/* Numbers that are of the right type and stay where they are, as a picture, are not copied. */
static gboolean
assign_sequence (const Assignment *self, char *message, GError **error)
{
  OrreryMessageArray *array = (OrreryMessageArray *) (gpointer) (message + self->offset);
  OrreryMessageKind kind = self->field->kind;
  MapValue value;
  double v[4];

  if (!eval_row (self->node, &value, v, error))
    return FALSE;
  if (array->room == 0 && value.numbers.data != v && has_element (kind, value.numbers.element)) {
    *array = (OrreryMessageArray){ (gpointer) value.numbers.data, value.numbers.n, 0 };
    return TRUE;
  }
  orrery_message_array_resize (array, self->field, value.numbers.n);
  store_all (kind, array->data, &value, value.numbers.n);
  return TRUE;
}

static gboolean
assign_fixed_array (const Assignment *self, char *message, GError **error)
{
  MapValue value;
  double v[4];

  if (!eval_row (self->node, &value, v, error))
    return FALSE;
  if (value.numbers.n != self->field->count)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s has %" G_GSIZE_FORMAT " numbers, not %" G_GSIZE_FORMAT, self->path,
                             self->field->count, value.numbers.n);
  store_all (self->field->kind, message + self->offset, &value, self->field->count);
  return TRUE;
}

/* --- lists --- */

/* Room for the elements of a list. */
static char *
make_room (const Assignment *self, char *message, gsize n)
{
  OrreryMessageArray *array = (OrreryMessageArray *) (gpointer) (message + self->offset);

  if (self->field->shape == ORRERY_MESSAGE_FIXED_ARRAY)
    return message + self->offset;
  if (array->length != n || array->room == 0)
    orrery_message_array_resize (array, self->field, n);
  return array->data;
}

static gboolean
assign_messages (const Assignment *self, char *message, GError **error)
{
  gsize size = orrery_message_type_get_size (self->field->type);
  char *to = make_room (self, message, self->elements->len);

  for (guint i = 0; i < self->elements->len; i++)
    if (!map_fields_fill (self->elements->pdata[i], to + i * size, error))
      return FALSE;
  return TRUE;
}

static gboolean
assign_numbers (const Assignment *self, char *message, GError **error)
{
  gsize size = get_size (self->field->kind);
  char *to = make_room (self, message, self->elements->len);
  MapValue value;

  for (guint i = 0; i < self->elements->len; i++) {
    if (!map_node_eval (self->elements->pdata[i], &value, error))
      return FALSE;
    store (self->field->kind, to + i * size, value.number);
  }
  return TRUE;
}

static gboolean
assign_texts (const Assignment *self, char *message, GError **error)
{
  OrreryMessageText *to =
      (OrreryMessageText *) (gpointer) make_room (self, message, self->elements->len);
  MapValue value;

  for (guint i = 0; i < self->elements->len; i++) {
    if (!map_node_eval (self->elements->pdata[i], &value, error))
      return FALSE;
    to[i] = (OrreryMessageText){ (char *) value.text.data, value.text.length, 0 };
  }
  return TRUE;
}

/* Texts that the setup has found, as names of joints. */
static gboolean
assign_known_texts (const Assignment *self, char *message, GError **error)
{
  OrreryMessageText *to;
  MapValue value;
  guint n;

  if (!map_node_eval (self->node, &value, error))
    return FALSE;
  n = g_strv_length ((char **) value.texts);
  to = (OrreryMessageText *) (gpointer) make_room (self, message, n);
  for (guint i = 0; i < n; i++)
    to[i] = (OrreryMessageText){ (char *) value.texts[i], strlen (value.texts[i]), 0 };
  return TRUE;
}

/* A message for each element of a list that the record has in free form. */
static gboolean
assign_each (const Assignment *self, char *message, GError **error)
{
  gsize size = orrery_message_type_get_size (self->field->type);
  gboolean is_right = TRUE;
  MapValue value;
  gsize n = 0;
  char *to;

  if (!map_node_eval (self->node, &value, error))
    return FALSE;
  if (value.variant != NULL && g_variant_is_of_type (value.variant, G_VARIANT_TYPE_ARRAY))
    n = MIN (g_variant_n_children (value.variant), MAX_LIST);
  to = make_room (self, message, n);
  for (gsize i = 0; i < n && is_right; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value.variant, i);

    ((Assignment *) self)->item = item;
    is_right = map_fields_fill (self->elements->pdata[0], to + i * size, error);
  }
  return is_right;
}

/* --- which assignment a field takes --- */

static gboolean
is_number_kind (OrreryMessageKind kind)
{
  return kind < ORRERY_MESSAGE_TEXT;
}

/* Whether it consists of floating-point numbers of these names. */
static gboolean
is_row_of (const OrreryMessageType *type, const char *const *names, guint n)
{
  const OrreryMessageField *fields;
  guint n_fields;

  if (type == NULL)
    return FALSE;
  fields = orrery_message_type_get_fields (type, &n_fields);
  for (guint i = 0; i < n && n_fields == n; i++)
    if ((fields[i].kind != ORRERY_MESSAGE_FLOAT64 && fields[i].kind != ORRERY_MESSAGE_FLOAT32) ||
        fields[i].shape != ORRERY_MESSAGE_SINGLE || !g_str_equal (fields[i].name, names[i]))
      return FALSE;
  return n_fields == n;
}

gboolean
map_type_is_vector (const OrreryMessageType *type)
{
  return is_row_of (type, (const char *const[]){ "x", "y", "z" }, 3);
}

gboolean
map_type_is_quaternion (const OrreryMessageType *type)
{
  return is_row_of (type, (const char *const[]){ "x", "y", "z", "w" }, 4);
}

gboolean
map_type_is_time (const OrreryMessageType *type)
{
  const char *name = type != NULL ? orrery_message_type_get_name (type) : "";

  return g_str_equal (name, "builtin_interfaces/msg/Time") ||
         g_str_equal (name, "builtin_interfaces/msg/Duration");
}

static AssignFunc
find_single (const OrreryMessageField *field, MapKind kind)
{
  if (is_number_kind (field->kind))
    return kind == MAP_NUMBER ? assign_number : NULL;
  if (field->kind == ORRERY_MESSAGE_TEXT)
    return kind == MAP_TEXT ? assign_text : NULL;
  if (map_type_is_time (field->type))
    return kind == MAP_TIME || kind == MAP_NUMBER ? assign_time : NULL;
  if (map_type_is_vector (field->type))
    return kind == MAP_VECTOR || kind == MAP_EULER ? assign_vector : NULL;
  if (map_type_is_quaternion (field->type))
    return kind == MAP_QUATERNION || kind == MAP_EULER ? assign_quaternion : NULL;
  return NULL;
}

static AssignFunc
find_assign (const OrreryMessageField *field, MapKind kind)
{
  gboolean is_row = kind == MAP_NUMBERS || kind == MAP_BUFFER || kind == MAP_VECTOR ||
                    kind == MAP_EULER || kind == MAP_QUATERNION;

  if (field->shape == ORRERY_MESSAGE_SINGLE)
    return find_single (field, kind);
  if (field->kind == ORRERY_MESSAGE_TEXT && field->shape == ORRERY_MESSAGE_SEQUENCE)
    return kind == MAP_TEXTS ? assign_known_texts : NULL;
  if (!is_number_kind (field->kind) || !is_row)
    return NULL;
  return field->shape == ORRERY_MESSAGE_SEQUENCE ? assign_sequence : assign_fixed_array;
}

/* --- reading the description --- */

typedef struct {
  MapSources *sources;
  guint depth;
} Reading;

static gboolean add_fields (MapFields *self, const OrreryMessageType *type, gsize offset,
                            GVariant *fields, Reading *reading, GError **error);

static MapNode *
read_node (GVariant *value, Reading *reading, GError **error)
{
  g_autofree char *shown = NULL;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return map_number_new (g_variant_get_boolean (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return map_number_new ((double) g_variant_get_int64 (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return map_number_new (g_variant_get_double (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return map_expression_parse (g_variant_get_string (value, NULL), map_sources_resolve,
                                 reading->sources, error);
  shown = orrery_variant_describe (value);
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "expected a number, a truth value or an expression, not %s", shown);
  return NULL;
}

static gboolean
read_value (Assignment *self, GVariant *value, Reading *reading, GError **error)
{
  self->node = read_node (value, reading, error);
  if (self->node == NULL)
    return FALSE;
  self->assign = find_assign (self->field, self->node->kind);
  if (self->assign == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s cannot be %s", self->field->spelling,
                             map_kind_get_name (self->node->kind));
  return TRUE;
}

static gboolean
read_message (Assignment *self, GVariant *item, Reading *reading, GError **error)
{
  g_autoptr (MapFields) fields = NULL;

  if (!g_variant_is_of_type (item, G_VARIANT_TYPE_VARDICT))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "an element of a list of %s is a "
                             "dictionary of its fields",
                             self->field->spelling);
  fields = fields_new (item);
  if (!add_fields (fields, self->field->type, 0, item, reading, error))
    return FALSE;
  g_ptr_array_add (self->elements, g_steal_pointer (&fields));
  return TRUE;
}

static gboolean
read_element (Assignment *self, GVariant *item, Reading *reading, GError **error)
{
  MapKind wanted = is_number_kind (self->field->kind) ? MAP_NUMBER : MAP_TEXT;
  g_autoptr (MapNode) node = NULL;

  if (self->field->kind == ORRERY_MESSAGE_NESTED)
    return read_message (self, item, reading, error);
  node = read_node (item, reading, error);
  if (node == NULL)
    return FALSE;
  if (node->kind != wanted)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "an element of %s cannot be %s",
                             self->field->spelling, map_kind_get_name (node->kind));
  g_ptr_array_add (self->elements, g_steal_pointer (&node));
  return TRUE;
}

static GVariant *
unbox (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (value)
                                                              : g_variant_ref (value);
}

/* {"each": EXPRESSION, "fields": {...}}: a message for each element of a list in free form. */
static gboolean
read_each (Assignment *self, GVariant *dict, Reading *reading, GError **error)
{
  gboolean is_dict = g_variant_is_of_type (dict, G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) fields =
      is_dict ? g_variant_lookup_value (dict, "fields", G_VARIANT_TYPE_VARDICT) : NULL;
  g_autoptr (GVariant) each =
      is_dict ? g_variant_lookup_value (dict, "each", G_VARIANT_TYPE_STRING) : NULL;
  MapSources *sources = reading->sources;
  GVariant **outer = sources->item;
  gboolean is_right;

  if (fields == NULL || each == NULL || g_variant_n_children (dict) != 2)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s is a list, or a dictionary of 'each', an expression, and 'fields'",
                             self->field->spelling);
  self->node = read_node (each, reading, error);
  if (self->node != NULL && self->node->kind != MAP_VARIANT)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "'each' is %s, not a free-form value",
                             map_kind_get_name (self->node->kind));
  if (self->node == NULL)
    return FALSE;
  self->assign = assign_each;
  self->elements = g_ptr_array_new_with_free_func ((GDestroyNotify) map_fields_free);
  sources->item = &self->item;
  is_right = read_message (self, fields, reading, error);
  sources->item = outer;
  return is_right;
}

static gboolean
read_list (Assignment *self, GVariant *list, Reading *reading, GError **error)
{
  gboolean is_nested = self->field->kind == ORRERY_MESSAGE_NESTED;
  gsize n = g_variant_n_children (list);

  if (self->field->shape == ORRERY_MESSAGE_SINGLE || n > MAX_LIST ||
      (self->field->shape == ORRERY_MESSAGE_FIXED_ARRAY && n != self->field->count))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s cannot be a list of %" G_GSIZE_FORMAT " items",
                             self->field->spelling, n);
  self->elements = g_ptr_array_new_with_free_func (is_nested ? (GDestroyNotify) map_fields_free
                                                             : (GDestroyNotify) map_node_free);
  self->assign = is_nested                                  ? assign_messages
                 : self->field->kind == ORRERY_MESSAGE_TEXT ? assign_texts
                                                            : assign_numbers;
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) item = unbox (child);

    if (!read_element (self, item, reading, error)) {
      g_prefix_error (error, "[%" G_GSIZE_FORMAT "]: ", i);
      return FALSE;
    }
  }
  return TRUE;
}

/* Of `K|k` the one counts that the type has: ROS 1 and ROS 2 spell some names differently. */
static const OrreryMessageField *
find_field (const OrreryMessageType *type, const char *path, gsize *place, GError **error)
{
  g_auto (GStrv) names = g_strsplit (path, "|", 2);
  const OrreryMessageField *field = NULL;

  if (names[0] != NULL && names[1] != NULL)
    field = orrery_message_type_find (type, names[0], place, NULL);
  if (field != NULL)
    return field;
  return orrery_message_type_find (type, names[0] != NULL && names[1] != NULL ? names[1] : path,
                                   place, error);
}

static gboolean
add_field (MapFields *self, const OrreryMessageType *type, gsize offset, const char *path,
           GVariant *value, Reading *reading, GError **error)
{
  Assignment *assignment;
  gsize place = 0;
  const OrreryMessageField *field = find_field (type, path, &place, error);

  if (field == NULL)
    return FALSE;
  if (field->kind == ORRERY_MESSAGE_NESTED && field->shape == ORRERY_MESSAGE_SINGLE &&
      g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    return add_fields (self, field->type, offset + place, value, reading, error);
  if (self->n == MAX_FIELDS)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "a message has at most %d assignments",
                             MAX_FIELDS);
  g_assert (self->n < self->room);
  assignment = &self->assignments[self->n++];
  assignment->offset = offset + place;
  assignment->field = field;
  assignment->path = g_strdup (path);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE ("av")))
    return read_list (assignment, value, reading, error);
  if (field->kind == ORRERY_MESSAGE_NESTED && field->shape == ORRERY_MESSAGE_SEQUENCE)
    return read_each (assignment, value, reading, error);
  return read_value (assignment, value, reading, error);
}

static gboolean
add_fields (MapFields *self, const OrreryMessageType *type, gsize offset, GVariant *fields,
            Reading *reading, GError **error)
{
  GVariantIter iter;
  const char *path;
  GVariant *value;

  if (++reading->depth > MAX_DEPTH)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "lists and dictionaries are too deep");
  g_variant_iter_init (&iter, fields);
  while (g_variant_iter_next (&iter, "{&sv}", &path, &value)) {
    g_autoptr (GVariant) owned = value;

    if (!add_field (self, type, offset, path, owned, reading, error)) {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  }
  reading->depth--;
  return TRUE;
}

MapFields *
map_fields_new (const OrreryMessageType *type, GVariant *fields, MapSources *sources,
                GError **error)
{
  g_autoptr (MapFields) self = fields_new (fields);
  Reading reading = { sources, 0 };

  if (!add_fields (self, type, 0, fields, &reading, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
map_fields_fill (const MapFields *fields, gpointer message, GError **error)
{
  const Assignment *end = fields->assignments + fields->n;

  /* Far from the processor, all at once are as near as one. */
  for (const Assignment *assignment = fields->assignments; assignment < end; assignment++)
    __builtin_prefetch (assignment->node);
  for (const Assignment *assignment = fields->assignments; assignment < end; assignment++)
    if (!assignment->assign (assignment, message, error))
      return FALSE;
  return TRUE;
}

gboolean
map_fields_have (const MapFields *fields, const char *path)
{
  for (guint i = 0; i < fields->n; i++)
    if (g_str_has_prefix (fields->assignments[i].path, path))
      return TRUE;
  return FALSE;
}
