/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of expressions, and the members of values. */
#include "expression.h"

#include <math.h>
#include <string.h>

/* --- numbers in a row --- */

double
map_numbers_get (const MapValue *value, gsize i)
{
  return orrery_element_read (value->numbers.element, value->numbers.data, i);
}

void
map_numbers_from_buffer (MapValue *value, OrreryBuffer *buffer)
{
  OrreryElement element =
      buffer != NULL ? orrery_buffer_get_element (buffer) : ORRERY_ELEMENT_DOUBLE;

  value->numbers.data = buffer != NULL ? orrery_buffer_get_data (buffer) : NULL;
  value->numbers.n =
      buffer != NULL ? orrery_buffer_get_size (buffer) / orrery_element_get_size (element) : 0;
  value->numbers.element = element;
}

/* The first argument, a buffer or numbers, as numbers. */
static gboolean
eval_numbers (const MapNode *node, MapValue *value, GError **error)
{
  const MapNode *of = node->arguments[0];

  if (!map_node_eval (of, value, error))
    return FALSE;
  if (of->kind == MAP_BUFFER)
    map_numbers_from_buffer (value, value->buffer);
  return TRUE;
}

/* --- of numbers --- */

#define FUNCTION_OF_ONE(name, expression)                                                          \
  static gboolean name (const MapNode *node, MapValue *value, GError **error)                      \
  {                                                                                                \
    double x;                                                                                      \
                                                                                                   \
    if (!map_node_eval (node->arguments[0], value, error))                                         \
      return FALSE;                                                                                \
    x = value->number;                                                                             \
    value->number = (expression);                                                                  \
    return TRUE;                                                                                   \
  }

FUNCTION_OF_ONE (eval_minus, -x)
FUNCTION_OF_ONE (eval_abs, fabs (x))
FUNCTION_OF_ONE (eval_sqrt, sqrt (x))
FUNCTION_OF_ONE (eval_radians, x *(G_PI / 180))
FUNCTION_OF_ONE (eval_degrees, x *(180 / G_PI))
FUNCTION_OF_ONE (eval_not, x == 0)

#define FUNCTION_OF_TWO(name, expression)                                                          \
  static gboolean name (const MapNode *node, MapValue *value, GError **error)                      \
  {                                                                                                \
    MapValue second;                                                                               \
    double x, y;                                                                                   \
                                                                                                   \
    if (!map_node_eval (node->arguments[0], value, error) ||                                       \
        !map_node_eval (node->arguments[1], &second, error))                                       \
      return FALSE;                                                                                \
    x = value->number;                                                                             \
    y = second.number;                                                                             \
    value->number = (expression);                                                                  \
    return TRUE;                                                                                   \
  }

FUNCTION_OF_TWO (eval_min, x < y ? x : y)
FUNCTION_OF_TWO (eval_max, x > y ? x : y)
/* What is left of x beyond a band of y around 0. */
FUNCTION_OF_TWO (eval_beyond, x > y ? x - y : x < -y ? x + y : 0)

static gboolean
eval_seconds (const MapNode *node, MapValue *value, GError **error)
{
  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  value->number = orrery_time_to_seconds (value->time);
  return TRUE;
}

/* --- of many numbers --- */

static gboolean
eval_least (const MapNode *node, MapValue *value, GError **error)
{
  double least = INFINITY;

  if (!eval_numbers (node, value, error))
    return FALSE;
  for (gsize i = 0; i < value->numbers.n; i++)
    least = MIN (least, map_numbers_get (value, i));
  value->number = least;
  return TRUE;
}

static gboolean
eval_length (const MapNode *node, MapValue *value, GError **error)
{
  if (!eval_numbers (node, value, error))
    return FALSE;
  value->number = (double) value->numbers.n;
  return TRUE;
}

static gboolean
eval_dimension (const MapNode *node, MapValue *value, guint dimension, GError **error)
{
  OrreryBuffer *buffer;

  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  buffer = value->buffer;
  value->number = 0;
  if (buffer != NULL && dimension < orrery_buffer_get_n_dimensions (buffer))
    value->number = (double) orrery_buffer_get_length (buffer, dimension);
  return TRUE;
}

/* Whether there is a buffer: a camera that takes no picture has none. */
static gboolean
eval_has (const MapNode *node, MapValue *value, GError **error)
{
  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  value->number = value->buffer != NULL;
  return TRUE;
}

static gboolean
eval_rows (const MapNode *node, MapValue *value, GError **error)
{
  return eval_dimension (node, value, 0, error);
}

static gboolean
eval_columns (const MapNode *node, MapValue *value, GError **error)
{
  return eval_dimension (node, value, 1, error);
}

static GArray *
get_array (const MapNode *node, gsize element, gsize n)
{
  MapNode *mutable = (MapNode *) node;

  if (node->scratch == NULL) {
    mutable->scratch = g_array_new (FALSE, FALSE, (guint) element);
    mutable->free_scratch = (GDestroyNotify) g_array_unref;
  }
  g_array_set_size (node->scratch, (guint) n);
  return node->scratch;
}

/* Bytes of points: three numbers of 32 bits each, as sensor_msgs/PointCloud2 has them. */
static gboolean
eval_floats (const MapNode *node, MapValue *value, GError **error)
{
  GArray *array;
  float *to;
  gsize n;

  if (!eval_numbers (node, value, error))
    return FALSE;
  n = value->numbers.n;
  if (value->numbers.element != ORRERY_ELEMENT_FLOAT && n > 0) {
    array = get_array (node, sizeof (float), n);
    to = (float *) (gpointer) array->data;
    for (gsize i = 0; i < n; i++)
      to[i] = (float) map_numbers_get (value, i);
    value->numbers.data = to;
  }
  value->numbers.n = n * sizeof (float);
  value->numbers.element = ORRERY_ELEMENT_UINT8;
  return TRUE;
}

/* Numbers as they lie in memory. */
static gboolean
eval_bytes (const MapNode *node, MapValue *value, GError **error)
{
  if (!eval_numbers (node, value, error))
    return FALSE;
  value->numbers.n *= orrery_element_get_size (value->numbers.element);
  value->numbers.element = ORRERY_ELEMENT_UINT8;
  return TRUE;
}

static gboolean
eval_zeros (const MapNode *node, MapValue *value, GError **error)
{
  value->numbers.data = ((GArray *) node->scratch)->data;
  value->numbers.n = ((GArray *) node->scratch)->len;
  value->numbers.element = ORRERY_ELEMENT_DOUBLE;
  return TRUE;
}

/* The matrix of a camera, 3 x 3, with a column of zeros. */
static gboolean
eval_projection (const MapNode *node, MapValue *value, GError **error)
{
  double *to;

  if (!eval_numbers (node, value, error))
    return FALSE;
  to = (double *) (gpointer) get_array (node, sizeof (double), 12)->data;
  for (gsize i = 0; i < 12; i++)
    to[i] = i % 4 < 3 && value->numbers.n == 9 ? map_numbers_get (value, i / 4 * 3 + i % 4) : 0;
  value->numbers.data = to;
  value->numbers.n = 12;
  value->numbers.element = ORRERY_ELEMENT_DOUBLE;
  return TRUE;
}

/* --- of vectors and rotations --- */

static gboolean
eval_vector (const MapNode *node, MapValue *value, GError **error)
{
  double v[3];

  for (guint i = 0; i < 3; i++) {
    if (!map_node_eval (node->arguments[i], value, error))
      return FALSE;
    v[i] = value->number;
  }
  memcpy (value->v, v, sizeof v);
  return TRUE;
}

/* The same of plain numbers of a record. */
static gboolean
eval_plain_vector (const MapNode *node, MapValue *value, GError **error)
{
  for (guint i = 0; i < 3; i++)
    value->v[i] = *node->numbers[i];
  return TRUE;
}

static void
prepare_vector (MapNode *node)
{
  for (guint i = 0; i < 3; i++) {
    node->numbers[i] = map_source_get_number (node->arguments[i]);
    if (node->numbers[i] == NULL)
      return;
  }
  node->eval = eval_plain_vector;
}

static gboolean
eval_euler (const MapNode *node, MapValue *value, GError **error)
{
  OrreryQuat q;

  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  q = (OrreryQuat){ .x = value->v[0], .y = value->v[1], .z = value->v[2], .w = value->v[3] };
  orrery_quat_to_euler (&q, &value->v[0], &value->v[1], &value->v[2]);
  return TRUE;
}

/* --- of records --- */

static OrreryWriter *
get_writer (const MapNode *node)
{
  MapNode *mutable = (MapNode *) node;

  if (node->scratch == NULL) {
    mutable->scratch = orrery_writer_new ();
    mutable->free_scratch = (GDestroyNotify) orrery_writer_unref;
  }
  orrery_writer_clear (node->scratch);
  return node->scratch;
}

static gboolean
eval_json (const MapNode *node, MapValue *value, GError **error)
{
  const MapNode *of = node->arguments[0];
  OrreryWriter *writer = get_writer (node);

  if (!map_node_eval (of, value, error))
    return FALSE;
  if (of->kind == MAP_RECORD)
    orrery_record_write_json (value->record, writer);
  else if (value->variant != NULL)
    orrery_writer_append_json_variant (writer, value->variant);
  else
    orrery_writer_append_text (writer, "null");
  value->text.data = orrery_writer_get_data (writer, &value->text.length);
  return TRUE;
}

/* Names in a text with spaces between; split again only when the text is another one. */
typedef struct {
  char *text;
  char **words;
} Words;

static void
words_free (gpointer data)
{
  Words *words = data;

  g_free (words->text);
  g_strfreev (words->words);
  g_free (words);
}

static gboolean
eval_words (const MapNode *node, MapValue *value, GError **error)
{
  MapNode *mutable = (MapNode *) node;
  Words *words;

  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  if (node->scratch == NULL) {
    mutable->scratch = g_new0 (Words, 1);
    mutable->free_scratch = words_free;
  }
  words = node->scratch;
  if (words->text == NULL || strlen (words->text) != value->text.length ||
      memcmp (words->text, value->text.data, value->text.length) != 0) {
    g_free (words->text);
    g_strfreev (words->words);
    words->text = g_strndup (value->text.data, value->text.length);
    words->words = g_strsplit (words->text, " ", -1);
  }
  value->texts = (const char *const *) words->words;
  return TRUE;
}

static gboolean
eval_lisp (const MapNode *node, MapValue *value, GError **error)
{
  OrreryWriter *writer = get_writer (node);

  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  map_write_lisp (writer, value->variant);
  value->text.data = orrery_writer_get_data (writer, &value->text.length);
  return TRUE;
}

static gboolean
eval_python (const MapNode *node, MapValue *value, GError **error)
{
  OrreryWriter *writer = get_writer (node);

  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  map_write_python (writer, value->record);
  value->text.data = orrery_writer_get_data (writer, &value->text.length);
  return TRUE;
}

/* --- the table --- */

/* Kinds of arguments: n number, t time, a numbers or buffer, b buffer, q quaternion, r record,
 * j record or free form; v free form; w text. */
typedef struct {
  const char *name;
  const char *arguments;
  MapKind kind;
  MapEval eval;
} Function;

static const Function functions[] = {
  { "abs", "n", MAP_NUMBER, eval_abs },
  { "beyond", "nn", MAP_NUMBER, eval_beyond },
  { "bytes", "a", MAP_NUMBERS, eval_bytes },
  { "columns", "b", MAP_NUMBER, eval_columns },
  { "degrees", "n", MAP_NUMBER, eval_degrees },
  { "euler", "q", MAP_EULER, eval_euler },
  { "euler", "nnn", MAP_EULER, eval_vector },
  { "floats", "a", MAP_NUMBERS, eval_floats },
  { "has", "b", MAP_NUMBER, eval_has },
  { "json", "j", MAP_TEXT, eval_json },
  { "least", "a", MAP_NUMBER, eval_least },
  { "length", "a", MAP_NUMBER, eval_length },
  { "lisp", "v", MAP_TEXT, eval_lisp },
  { "max", "nn", MAP_NUMBER, eval_max },
  { "min", "nn", MAP_NUMBER, eval_min },
  { "minus", "n", MAP_NUMBER, eval_minus },
  { "not", "n", MAP_NUMBER, eval_not },
  { "python", "r", MAP_TEXT, eval_python },
  { "projection", "a", MAP_NUMBERS, eval_projection },
  { "radians", "n", MAP_NUMBER, eval_radians },
  { "rows", "b", MAP_NUMBER, eval_rows },
  { "seconds", "t", MAP_NUMBER, eval_seconds },
  { "sqrt", "n", MAP_NUMBER, eval_sqrt },
  { "vector", "nnn", MAP_VECTOR, eval_vector },
  { "words", "w", MAP_TEXTS, eval_words },
  { "zeros", "n", MAP_NUMBERS, eval_zeros },
};

static gboolean
fits (char wanted, const MapNode *argument)
{
  switch (wanted) {
  case 'n':
    return argument->kind == MAP_NUMBER;
  case 't':
    return argument->kind == MAP_TIME;
  case 'a':
    return argument->kind == MAP_NUMBERS || argument->kind == MAP_BUFFER;
  case 'b':
    return argument->kind == MAP_BUFFER;
  case 'q':
    return argument->kind == MAP_QUATERNION;
  case 'v':
    return argument->kind == MAP_VARIANT;
  case 'w':
    return argument->kind == MAP_TEXT;
  case 'j':
    return argument->kind == MAP_RECORD || argument->kind == MAP_VARIANT;
  default:
    return argument->kind == MAP_RECORD;
  }
}

static gboolean
fit (const Function *function, MapNode **arguments, guint n)
{
  if (strlen (function->arguments) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!fits (function->arguments[i], arguments[i]))
      return FALSE;
  return TRUE;
}

static void
refuse_call (const char *name, MapNode **arguments, guint n, GError **error)
{
  const char *names[G_N_ELEMENTS (functions) + 1] = { NULL };
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *nearest = NULL;
  gboolean is_known = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    names[i] = functions[i].name;
    is_known |= g_str_equal (names[i], name);
  }
  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "",
                            map_kind_get_name (arguments[i]->kind));
  nearest = orrery_nearest_names (name, names);
  if (is_known)
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "the function %s does not take (%s)", name,
                      list->str);
  else
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "there is no function '%s'%s", name, nearest);
}

/* The most that zeros() makes. */
#define MAX_ZEROS 4096

static gboolean
prepare (MapNode *node, GError **error)
{
  MapValue n = { .number = 0 };

  if (node->eval == eval_vector)
    prepare_vector (node);
  if (node->eval != eval_zeros)
    return TRUE;
  if (!map_node_eval (node->arguments[0], &n, NULL) || !(n.number >= 0 && n.number <= MAX_ZEROS))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "zeros () makes 0 to %d numbers",
                             MAX_ZEROS);
  memset (get_array (node, sizeof (double), (gsize) n.number)->data, 0,
          (gsize) n.number * sizeof (double));
  return TRUE;
}

MapNode *
map_function_new (const char *name, MapNode **arguments, guint n_arguments, GError **error)
{
  MapNode *node = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (functions) && node == NULL; i++)
    if (g_str_equal (functions[i].name, name) && fit (&functions[i], arguments, n_arguments))
      node = map_node_new (functions[i].kind, functions[i].eval);
  if (node == NULL) {
    refuse_call (name, arguments, n_arguments, error);
    for (guint i = 0; i < n_arguments; i++)
      map_node_free (arguments[i]);
    return NULL;
  }
  memcpy (node->arguments, arguments, n_arguments * sizeof *arguments);
  node->n_arguments = n_arguments;
  if (!prepare (node, error))
    g_clear_pointer (&node, map_node_free);
  return node;
}

/* --- members --- */

static gboolean
eval_member (const MapNode *node, MapValue *value, GError **error)
{
  if (!map_node_eval (node->arguments[0], value, error))
    return FALSE;
  value->number = value->v[(guint) node->number];
  return TRUE;
}

static MapNode *
make_part (MapNode *of, MapEval eval, double number)
{
  MapNode *node = map_node_new (MAP_NUMBER, eval);

  node->arguments[0] = of;
  node->n_arguments = 1;
  node->number = number;
  return node;
}

MapNode *
map_member_new (MapNode *of, const char *name, GError **error)
{
  static const char *const members[N_MAP_KINDS][5] = {
    [MAP_VECTOR] = { "x", "y", "z" },
    [MAP_EULER] = { "roll", "pitch", "yaw" },
    [MAP_QUATERNION] = { "x", "y", "z", "w" },
  };
  g_autofree char *nearest = orrery_nearest_names (name, members[of->kind]);

  for (guint i = 0; members[of->kind][i] != NULL; i++)
    if (g_str_equal (members[of->kind][i], name))
      return make_part (of, eval_member, i);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s has no member '%s'%s",
                    map_kind_get_name (of->kind), name,
                    members[of->kind][0] != NULL ? nearest : "");
  map_node_free (of);
  return NULL;
}

static gboolean
eval_element (const MapNode *node, MapValue *value, GError **error)
{
  if (!eval_numbers (node, value, error))
    return FALSE;
  if (node->number >= (double) value->numbers.n)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "element %.0f is missing: there are %" G_GSIZE_FORMAT, node->number,
                             value->numbers.n);
  value->number = map_numbers_get (value, (gsize) node->number);
  return TRUE;
}

MapNode *
map_element_new (MapNode *of, guint index, GError **error)
{
  if (fits ('a', of))
    return make_part (of, eval_element, index);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s has no elements", map_kind_get_name (of->kind));
  map_node_free (of);
  return NULL;
}
