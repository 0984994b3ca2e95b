/* SPDX-License-Identifier: BSD-3-Clause */
/* Record fields that hold a buffer: array, points and buffer. */
#include "record/orrery-field-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message-private.h"
#include "base/orrery-random.h"

#include <math.h>
#include <string.h>

/* From this size on it is cheaper to hold a buffer where it lies than to copy it. */
#define HELD_BYTES 16384

G_STATIC_ASSERT (sizeof (OrreryArray) == sizeof (OrreryBuffer *));
G_STATIC_ASSERT (sizeof (OrreryPoints) == sizeof (OrreryBuffer *));

/* --- forms --- */

gboolean
orrery_field_class_takes_form (const OrreryFieldClass *klass, const OrreryBufferForm *form)
{
  if (!klass->holds_buffer || form->element > ORRERY_ELEMENT_DOUBLE ||
      form->n_dimensions > ORRERY_BUFFER_MAX_DIMENSIONS)
    return FALSE;
  /* Arrays and points are buffers of doubles, of one dimension and of rows of three. */
  return klass->n_dimensions == 0 ||
         (form->element == ORRERY_ELEMENT_DOUBLE && form->n_dimensions == klass->n_dimensions &&
          (form->n_dimensions == 1 || form->shape[1] == 3));
}

/* Counts the bytes without creating them. */
static gboolean
measure (const OrreryBufferForm *form, gsize *size)
{
  *size = orrery_element_get_size ((OrreryElement) form->element);
  for (guint i = 0; i < form->n_dimensions; i++)
    if (form->shape[i] > G_MAXSIZE / 2 || !g_size_checked_mul (size, *size, form->shape[i]))
      return FALSE;
  return TRUE;
}

/* --- clear, copy, hash --- */

static void
clear_buffer (gpointer field)
{
  g_clear_pointer ((OrreryBuffer **) field, orrery_buffer_unref);
}

static void
copy_buffer (gpointer to, gconstpointer from)
{
  OrreryBuffer *source = *(OrreryBuffer *const *) from;
  OrreryBuffer **target = to;

  if (*target != source)
    orrery_buffer_swap (target, source != NULL ? orrery_buffer_ref (source) : NULL);
}

static guint64
hash_buffer (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  OrreryBuffer *buffer = *(OrreryBuffer *const *) field;
  OrreryBufferForm form = orrery_buffer_get_form (buffer);

  hash = orrery_hash_word (hash, form.n_dimensions);
  if (buffer == NULL)
    return hash;
  for (guint i = 0; i < form.n_dimensions; i++)
    hash = orrery_hash_word (hash, form.shape[i]);
  hash = orrery_hash_word (hash, form.element);
  return orrery_hash_bytes (hash, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer));
}

/* --- as a variant --- */

static void
release_buffer (gpointer buffer)
{
  orrery_buffer_unref (buffer);
}

static GVariant *
buffer_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  OrreryBuffer *buffer = *(OrreryBuffer *const *) field;
  OrreryBufferForm form = orrery_buffer_get_form (buffer);
  GVariant *bytes, *shape;

  /* The variant shares the bytes; a buffer with two owners is never written to. */
  if (buffer != NULL)
    bytes = g_variant_new_from_data (G_VARIANT_TYPE ("ay"), orrery_buffer_get_data (buffer),
                                     orrery_buffer_get_size (buffer), TRUE, release_buffer,
                                     orrery_buffer_ref (buffer));
  else
    bytes = g_variant_new_array (G_VARIANT_TYPE_BYTE, NULL, 0);
  shape = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, form.shape, form.n_dimensions,
                                     sizeof *form.shape);
  return g_variant_new ("(s@ax@ay)", orrery_element_get_name ((OrreryElement) form.element), shape,
                        bytes);
}

static gboolean
refuse_buffer (const char *reason, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "needs a buffer: %s", reason);
}

static gboolean
read_shape (GVariant *value, OrreryBufferForm *form, GError **error)
{
  g_autoptr (GVariant) list = g_variant_get_child_value (value, 1);
  const gint64 *lengths = g_variant_get_fixed_array (list, &form->n_dimensions, sizeof *lengths);

  if (form->n_dimensions > ORRERY_BUFFER_MAX_DIMENSIONS)
    return refuse_buffer ("more than four dimensions", error);
  for (gsize i = 0; i < form->n_dimensions; i++) {
    if (lengths[i] < 0)
      return refuse_buffer ("a length below 0", error);
    form->shape[i] = (gsize) lengths[i];
  }
  return TRUE;
}

static gboolean
read_buffer (GVariant *value, OrreryBuffer **buffer, GError **error)
{
  g_autoptr (GVariant) name = g_variant_get_child_value (value, 0);
  g_autoptr (GVariant) list = g_variant_get_child_value (value, 2);
  gsize n_bytes, size;
  gconstpointer bytes = g_variant_get_fixed_array (list, &n_bytes, 1);
  OrreryElement element;
  OrreryBufferForm form;

  if (!orrery_element_from_name (g_variant_get_string (name, NULL), &element))
    return refuse_buffer ("no such type of elements", error);
  if (!read_shape (value, &form, error))
    return FALSE;
  if (form.n_dimensions == 0 && n_bytes == 0)
    return TRUE;
  form.element = element;
  if (form.n_dimensions == 0 || !measure (&form, &size) || size != n_bytes)
    return refuse_buffer ("the number of bytes is not that of the shape", error);
  *buffer = orrery_buffer_find_room (NULL, &form);
  if (*buffer == NULL)
    return refuse_buffer ("no memory for it", error);
  if (n_bytes > 0)
    memcpy (orrery_buffer_get_data (*buffer), bytes, n_bytes);
  return TRUE;
}

static gboolean
buffer_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  OrreryBuffer *buffer = NULL;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("(saxay)")))
    return orrery_field_refuse ("a buffer as (element, shape, bytes)", value, error);
  if (!read_buffer (value, &buffer, error))
    return FALSE;
  orrery_buffer_swap (field, buffer);
  return TRUE;
}

/* --- as JSON --- */

/* The types of elements that are written as integers, but for bytes, which are base64 */
#define INTEGERS(ROW)                                                                              \
  ROW (INT8, gint8, int, G_MININT8, G_MAXINT8)                                                     \
  ROW (UINT16, guint16, int, 0, G_MAXUINT16)                                                       \
  ROW (INT16, gint16, int, G_MININT16, G_MAXINT16)                                                 \
  ROW (UINT32, guint32, int, 0, G_MAXUINT32)                                                       \
  ROW (INT32, gint32, int, G_MININT32, G_MAXINT32)                                                 \
  ROW (UINT64, guint64, uint, 0, G_MAXINT64)                                                       \
  ROW (INT64, gint64, int, G_MININT64, G_MAXINT64)

static void
write_element (OrreryWriter *writer, OrreryElement element, const void *data, gsize i)
{
#define WRITE(NAME, Type, kind, least, most)                                                       \
  case ORRERY_ELEMENT_##NAME:                                                                      \
    orrery_writer_append_##kind (writer, ((const Type *) data)[i]);                                \
    break;

  switch (element) {
    INTEGERS (WRITE)
  case ORRERY_ELEMENT_FLOAT:
    orrery_writer_append_json_double (writer, (double) ((const float *) data)[i]);
    break;
  case ORRERY_ELEMENT_DOUBLE:
    orrery_writer_append_json_double (writer, ((const double *) data)[i]);
    break;
  default:
    g_assert_not_reached ();
  }
}

/* The lists of one dimension and those within. Returns: the index of the next element */
static gsize
write_dimension (OrreryWriter *writer, OrreryBuffer *buffer, guint dimension, gsize index)
{
  gsize n = orrery_buffer_get_length (buffer, dimension);
  gboolean is_last = dimension + 1 == orrery_buffer_get_n_dimensions (buffer);

  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n; i++) {
    orrery_json_write_separator (writer, i);
    if (is_last)
      write_element (writer, orrery_buffer_get_element (buffer), orrery_buffer_get_data (buffer),
                     index++);
    else
      index = write_dimension (writer, buffer, dimension + 1, index);
  }
  orrery_writer_append_char (writer, ']');
  return index;
}

static void
write_base64 (OrreryWriter *writer, const guint8 *data, gsize size)
{
  int state = 0, save = 0;
  char *out = orrery_writer_reserve (writer, (size / 3 + 1) * 4 + 4);
  gsize length = g_base64_encode_step (data, size, FALSE, out, &state, &save);

  length += g_base64_encode_close (FALSE, out + length, &state, &save);
  orrery_writer_advance (writer, length);
}

static void
write_buffer (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  OrreryBuffer *buffer = *(OrreryBuffer *const *) field;

  if (buffer == NULL) {
    orrery_json_write_null (writer);
  } else if (orrery_buffer_get_element (buffer) == ORRERY_ELEMENT_UINT8) {
    orrery_writer_append_char (writer, '"');
    write_base64 (writer, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer));
    orrery_writer_append_char (writer, '"');
  } else {
    write_dimension (writer, buffer, 0, 0);
  }
}

typedef struct {
  OrreryBufferForm form; /* without dimensions: null */
  gsize data;            /* in the scratch */
} FoundBuffer;

static gboolean
in_range (OrreryTake *take, gint64 value, gint64 least, gint64 most)
{
  if (value >= least && value <= most)
    return TRUE;
  return orrery_take_fail (take,
                           "%" G_GINT64_FORMAT " beyond %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                           value, least, most);
}

/* Stores the number that was just read as an element at @out. */
static gboolean
store_float (OrreryTake *take, OrreryElement element, gpointer out)
{
  double number = take->json.number;

  if (element == ORRERY_ELEMENT_DOUBLE) {
    *(double *) out = number;
    return TRUE;
  }
  *(float *) out = (float) number;
  return isfinite (*(float *) out) ||
         orrery_take_fail (take, "a number beyond the range of a float");
}

static gboolean
store_int (OrreryTake *take, OrreryElement element, gint64 value, gpointer out)
{
#define STORE(NAME, Type, kind, least, most)                                                       \
  case ORRERY_ELEMENT_##NAME:                                                                      \
    *(Type *) out = (Type) value;                                                                  \
    return in_range (take, value, least, most);

  switch (element) {
    INTEGERS (STORE)
  default:
    g_assert_not_reached ();
  }
}

static gboolean
take_element (OrreryTake *take, OrreryJsonToken token, OrreryElement element)
{
  guint64 value = 0;
  gint64 integer;
  gsize offset;

  if (element == ORRERY_ELEMENT_FLOAT || element == ORRERY_ELEMENT_DOUBLE) {
    if (!orrery_take_check_number (take, token) || !store_float (take, element, &value))
      return FALSE;
  } else if (!orrery_take_int (take, token, &integer) ||
             !store_int (take, element, integer, &value)) {
    return FALSE;
  }
  offset = orrery_take_push (take, orrery_element_get_size (element));
  memcpy (orrery_take_at (take, offset), &value, orrery_element_get_size (element));
  return TRUE;
}

/* The list of one dimension, whose bracket was read. The first list of each dimension says its
 * length (G_MAXSIZE: not known yet), the first element says how many dimensions there are. */
static gboolean
take_dimension (OrreryTake *take, FoundBuffer *found, guint dimension)
{
  gsize n = 0;
  OrreryJsonToken token;

  if (dimension >= ORRERY_BUFFER_MAX_DIMENSIONS)
    return orrery_take_fail (take, "lists of more than %d dimensions",
                             ORRERY_BUFFER_MAX_DIMENSIONS);
  for (; (token = orrery_json_next (&take->json)) != ORRERY_JSON_LIST_END; n++) {
    gboolean is_list = token == ORRERY_JSON_LIST;

    if (!is_list && token != ORRERY_JSON_ERROR && found->form.n_dimensions == 0)
      found->form.n_dimensions = dimension + 1;
    if (found->form.n_dimensions > 0 && is_list != (dimension + 1 < found->form.n_dimensions))
      return orrery_take_fail_type (take, token, is_list ? "a number" : "a list");
    if (is_list ? !take_dimension (take, found, dimension + 1)
                : !take_element (take, token, (OrreryElement) found->form.element))
      return FALSE;
  }
  if (found->form.shape[dimension] == G_MAXSIZE)
    found->form.shape[dimension] = n;
  if (found->form.shape[dimension] != n)
    return orrery_take_fail (take,
                             "lists of unequal length: %" G_GSIZE_FORMAT " and %" G_GSIZE_FORMAT,
                             found->form.shape[dimension], n);
  return TRUE;
}

/* Dimensions behind an empty one are those that were seen. */
static void
complete_shape (FoundBuffer *found)
{
  guint n = 0;

  while (n < ORRERY_BUFFER_MAX_DIMENSIONS && found->form.shape[n] != G_MAXSIZE)
    n++;
  found->form.n_dimensions = n;
}

static gboolean
take_lists (OrreryTake *take, FoundBuffer *found)
{
  for (guint i = 0; i < ORRERY_BUFFER_MAX_DIMENSIONS; i++)
    found->form.shape[i] = G_MAXSIZE;
  found->form.n_dimensions = 0;
  found->data = orrery_take_push_aligned (take, 0);
  if (!take_dimension (take, found, 0))
    return FALSE;
  complete_shape (found);
  return TRUE;
}

static gboolean
is_base64 (const char *text, gsize length)
{
  gsize digits = length;

  while (digits > 0 && length - digits < 2 && text[digits - 1] == '=')
    digits--;
  for (gsize i = 0; i < digits; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '+' && text[i] != '/')
      return FALSE;
  return length % 4 == 0;
}

/* Bytes as base64: of the shape that the field has where that is their number, else a row. */
static gboolean
take_bytes (OrreryTake *take, FoundBuffer *found, OrreryBuffer *present)
{
  int state = 0;
  guint save = 0;
  gsize size;

  if (!is_base64 (take->json.text, take->json.length))
    return orrery_take_fail (take, "a text that is not base64");
  found->data = orrery_take_push (take, take->json.length + 3);
  size = g_base64_decode_step (take->json.text, take->json.length,
                               orrery_take_at (take, found->data), &state, &save);
  found->form.n_dimensions = 1;
  found->form.shape[0] = size;
  if (present == NULL || size != orrery_buffer_get_size (present))
    return TRUE;
  found->form = orrery_buffer_get_form (present);
  return TRUE;
}

/* The element type is that of the present buffer of the field; without one it is bytes or
 * doubles. */
static gboolean
take_buffer (OrreryTake *take, gconstpointer field, OrreryTakeSlot *slot)
{
  OrreryBuffer *present = *(OrreryBuffer *const *) field;
  OrreryJsonToken token = orrery_json_next (&take->json);
  gboolean is_bytes = token == ORRERY_JSON_TEXT;
  FoundBuffer found = { 0 };

  found.form.element = present != NULL ? orrery_buffer_get_element (present)
                       : is_bytes      ? ORRERY_ELEMENT_UINT8
                                       : ORRERY_ELEMENT_DOUBLE;
  slot->offset = orrery_take_push_aligned (take, sizeof found);
  if (token != ORRERY_JSON_NULL) {
    gboolean takes_bytes = found.form.element == ORRERY_ELEMENT_UINT8;

    if (is_bytes != takes_bytes || (!is_bytes && token != ORRERY_JSON_LIST))
      return orrery_take_fail_type (take, token, takes_bytes ? "a text of base64" : "a list");
    if (is_bytes ? !take_bytes (take, &found, present) : !take_lists (take, &found))
      return FALSE;
  }
  memcpy (orrery_take_at (take, slot->offset), &found, sizeof found);
  return TRUE;
}

static void
put_buffer (OrreryTake *take, const OrreryTakeSlot *slot, gpointer field)
{
  const FoundBuffer *found = orrery_take_at (take, slot->offset);
  OrreryBuffer **place = field;

  if (found->form.n_dimensions == 0) {
    orrery_buffer_swap (place, NULL);
    return;
  }
  orrery_buffer_swap (place, orrery_buffer_find_room (*place, &found->form));
  if (*place != NULL && orrery_buffer_get_size (*place) > 0)
    memcpy (orrery_buffer_get_data (*place), orrery_take_at (take, found->data),
            orrery_buffer_get_size (*place));
}

/* --- as flat bytes --- */

static gboolean
write_flat_buffer (OrreryFlatWriter *writer, gconstpointer field)
{
  OrreryBuffer *buffer = *(OrreryBuffer *const *) field;
  OrreryBufferForm form = orrery_buffer_get_form (buffer);

  orrery_flat_put (writer, &form, sizeof form);
  if (buffer != NULL)
    orrery_flat_put (writer, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer));
  return TRUE;
}

static gboolean
store_flat (OrreryFlatReader *reader, const OrreryBufferForm *form, gconstpointer bytes, gsize size,
            OrreryBuffer **field)
{
  OrreryBuffer *room = NULL;

  if (reader->hold != NULL && size >= HELD_BYTES)
    room = reader->hold (reader->owner, (OrreryElement) form->element, (guint) form->n_dimensions,
                         form->shape, bytes);
  if (room == NULL) {
    room = orrery_buffer_find_room (*field, form);
    if (room == NULL)
      return orrery_flat_fail (reader, "no memory for its buffer");
    if (size > 0)
      memcpy (orrery_buffer_get_data (room), bytes, size);
  }
  orrery_buffer_swap (field, room);
  return TRUE;
}

static gboolean
read_flat_buffer (const OrreryFieldClass *klass, OrreryFlatReader *reader, gpointer field)
{
  OrreryBufferForm form;
  gconstpointer bytes;
  gsize size;

  if (!orrery_flat_take (reader, &form, sizeof form))
    return FALSE;
  if (form.n_dimensions == 0) {
    if (reader->writes)
      clear_buffer (field);
    return TRUE;
  }
  if (!orrery_field_class_takes_form (klass, &form) || !measure (&form, &size))
    return orrery_flat_fail (reader, "a buffer of a form that is none");
  bytes = orrery_flat_look (reader, size);
  return bytes != NULL && (!reader->writes || store_flat (reader, &form, bytes, size, field));
}

#define HOLDS(title, Type)                                                                         \
  .name = title, PLACE (Type), .holds_buffer = TRUE, .clear = clear_buffer, .copy = copy_buffer,   \
  .write_flat = write_flat_buffer, .read_flat = read_flat_buffer

const OrreryFieldClass orrery_buffer_field_class = {
  HOLDS ("buffer", OrreryBuffer *), .hash = hash_buffer,
  .to_variant = buffer_to_variant,  .from_variant = buffer_from_variant,
  .write_json = write_buffer,       .take_json = take_buffer,
  .put_json = put_buffer,
};

/* --- array --- */

static guint64
hash_array (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  gsize n;
  const double *values = orrery_array_get (field, &n);

  return orrery_hash_bytes (hash, values, n * sizeof *values);
}

static GVariant *
array_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  gsize n;
  const double *values = orrery_array_get (field, &n);

  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, values, n, sizeof *values);
}

static gboolean
array_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  if (!orrery_field_is_list (value))
    return orrery_field_refuse ("a list of numbers", value, error);

  gsize n = g_variant_n_children (value);
  g_autofree double *values = g_new (double, n);
  if (!orrery_field_read_list (value, values, n, error))
    return FALSE;
  orrery_array_set (field, values, n);
  return TRUE;
}

static void
write_array (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  gsize n;
  const double *values = orrery_array_get (field, &n);

  orrery_json_write_numbers (writer, values, n);
}

static gboolean
take_array (OrreryTake *take, gconstpointer field, OrreryTakeSlot *slot)
{
  OrreryJsonToken token;

  if (!orrery_take_token (take, ORRERY_JSON_LIST, "a list"))
    return FALSE;
  slot->offset = orrery_take_push_aligned (take, 0);
  while ((token = orrery_json_next (&take->json)) != ORRERY_JSON_LIST_END) {
    gsize offset;

    if (!orrery_take_check_number (take, token))
      return FALSE;
    offset = orrery_take_push (take, sizeof (double));
    *(double *) orrery_take_at (take, offset) = take->json.number;
    slot->count++;
  }
  return TRUE;
}

static void
put_array (OrreryTake *take, const OrreryTakeSlot *slot, gpointer field)
{
  orrery_array_set (field, orrery_take_at (take, slot->offset), slot->count);
}

const OrreryFieldClass orrery_array_field_class = {
  HOLDS ("array", OrreryArray),
  .n_dimensions = 1,
  .hash = hash_array,
  .to_variant = array_to_variant,
  .from_variant = array_from_variant,
  .write_json = write_array,
  .take_json = take_array,
  .put_json = put_array,
};

/* --- points --- */

static guint64
hash_points (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  gsize n;
  const double *xyz = orrery_points_get (field, &n);

  return orrery_hash_bytes (hash, xyz, n * 3 * sizeof *xyz);
}

static GVariant *
points_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  gsize n;
  const double *xyz = orrery_points_get (field, &n);

  return orrery_field_rows_to_variant (xyz, n, 3);
}

static gboolean
points_from_variant (const OrreryFieldClass *klass, gpointer field, GVariant *value, GError **error)
{
  if (!orrery_field_is_list (value))
    return orrery_field_refuse ("a list of points", value, error);

  gsize n = g_variant_n_children (value);
  g_autofree double *xyz = g_new (double, 3 * n);
  if (!orrery_field_read_rows (value, xyz, n, 3, error))
    return FALSE;
  orrery_points_set (field, xyz, n);
  return TRUE;
}

static void
write_points (const OrreryFieldClass *klass, OrreryWriter *writer, gconstpointer field)
{
  gsize n;
  const double *xyz = orrery_points_get (field, &n);

  orrery_json_write_rows (writer, xyz, n, 3);
}

static gboolean
take_points (OrreryTake *take, gconstpointer field, OrreryTakeSlot *slot)
{
  OrreryJsonToken token;
  double point[3];

  if (!orrery_take_token (take, ORRERY_JSON_LIST, "a list of points"))
    return FALSE;
  slot->offset = orrery_take_push_aligned (take, 0);
  while ((token = orrery_json_next (&take->json)) != ORRERY_JSON_LIST_END) {
    gsize offset;

    if (token != ORRERY_JSON_LIST)
      return orrery_take_fail_type (take, token, "a list of 3 numbers");
    if (!orrery_take_items (take, point, 3))
      return FALSE;
    offset = orrery_take_push (take, sizeof point);
    memcpy (orrery_take_at (take, offset), point, sizeof point);
    slot->count++;
  }
  return TRUE;
}

static void
put_points (OrreryTake *take, const OrreryTakeSlot *slot, gpointer field)
{
  orrery_points_set (field, orrery_take_at (take, slot->offset), slot->count);
}

const OrreryFieldClass orrery_points_field_class = {
  HOLDS ("points", OrreryPoints),
  .n_dimensions = 2,
  .hash = hash_points,
  .to_variant = points_to_variant,
  .from_variant = points_from_variant,
  .write_json = write_points,
  .take_json = take_points,
  .put_json = put_points,
};
