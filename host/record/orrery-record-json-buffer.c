/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the elements of a buffer field from JSON. */
#include "record/orrery-record-json-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  gboolean is_null;
  OrreryElement element;
  guint n_dimensions;
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
  gsize data; /* in the scratch */
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
  switch (element) {
  case ORRERY_ELEMENT_INT8:
    *(gint8 *) out = (gint8) value;
    return in_range (take, value, G_MININT8, G_MAXINT8);
  case ORRERY_ELEMENT_UINT16:
    *(guint16 *) out = (guint16) value;
    return in_range (take, value, 0, G_MAXUINT16);
  case ORRERY_ELEMENT_INT16:
    *(gint16 *) out = (gint16) value;
    return in_range (take, value, G_MININT16, G_MAXINT16);
  case ORRERY_ELEMENT_UINT32:
    *(guint32 *) out = (guint32) value;
    return in_range (take, value, 0, G_MAXUINT32);
  case ORRERY_ELEMENT_INT32:
    *(gint32 *) out = (gint32) value;
    return in_range (take, value, G_MININT32, G_MAXINT32);
  case ORRERY_ELEMENT_UINT64:
    *(guint64 *) out = (guint64) value;
    return in_range (take, value, 0, G_MAXINT64);
  case ORRERY_ELEMENT_INT64:
    *(gint64 *) out = value;
    return TRUE;
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

    if (!is_list && token != ORRERY_JSON_ERROR && found->n_dimensions == 0)
      found->n_dimensions = dimension + 1;
    if (found->n_dimensions > 0 && is_list != (dimension + 1 < found->n_dimensions))
      return orrery_take_fail_type (take, token, is_list ? "a number" : "a list");
    if (is_list ? !take_dimension (take, found, dimension + 1)
                : !take_element (take, token, found->element))
      return FALSE;
  }
  if (found->shape[dimension] == G_MAXSIZE)
    found->shape[dimension] = n;
  if (found->shape[dimension] != n)
    return orrery_take_fail (take,
                             "lists of unequal length: %" G_GSIZE_FORMAT " and %" G_GSIZE_FORMAT,
                             found->shape[dimension], n);
  return TRUE;
}

/* Dimensions behind an empty one are those that were seen. */
static void
complete_shape (FoundBuffer *found)
{
  guint n = 0;

  while (n < ORRERY_BUFFER_MAX_DIMENSIONS && found->shape[n] != G_MAXSIZE)
    n++;
  found->n_dimensions = n;
}

static gboolean
take_lists (OrreryTake *take, FoundBuffer *found)
{
  for (guint i = 0; i < ORRERY_BUFFER_MAX_DIMENSIONS; i++)
    found->shape[i] = G_MAXSIZE;
  found->n_dimensions = 0;
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
    return orrery_take_fail (take, "a text that is no base64");
  found->data = orrery_take_push (take, take->json.length + 3);
  size = g_base64_decode_step (take->json.text, take->json.length,
                               orrery_take_at (take, found->data), &state, &save);
  found->n_dimensions = 1;
  found->shape[0] = size;
  if (present == NULL || size != orrery_buffer_get_size (present))
    return TRUE;
  found->n_dimensions = orrery_buffer_get_n_dimensions (present);
  for (guint i = 0; i < found->n_dimensions; i++)
    found->shape[i] = orrery_buffer_get_length (present, i);
  return TRUE;
}

gboolean
orrery_take_buffer (OrreryTake *take, OrreryBuffer *present, OrreryTakeSlot *slot)
{
  OrreryJsonToken token = orrery_json_next (&take->json);
  FoundBuffer found = { .is_null = token == ORRERY_JSON_NULL };
  gboolean is_bytes = token == ORRERY_JSON_TEXT;

  found.element = present != NULL ? orrery_buffer_get_element (present)
                  : is_bytes      ? ORRERY_ELEMENT_UINT8
                                  : ORRERY_ELEMENT_DOUBLE;
  slot->offset = orrery_take_push_aligned (take, sizeof found);
  if (!found.is_null) {
    if (is_bytes != (found.element == ORRERY_ELEMENT_UINT8) ||
        (!is_bytes && token != ORRERY_JSON_LIST))
      return orrery_take_fail_type (take, token,
                                    found.element == ORRERY_ELEMENT_UINT8 ? "a text of base64"
                                                                          : "a list");
    if (is_bytes ? !take_bytes (take, &found, present) : !take_lists (take, &found))
      return FALSE;
  }
  memcpy (orrery_take_at (take, slot->offset), &found, sizeof found);
  return TRUE;
}

void
orrery_put_buffer (OrreryTake *take, const OrreryTakeSlot *slot, OrreryBuffer **field)
{
  const FoundBuffer *found = orrery_take_at (take, slot->offset);
  OrreryBuffer *buffer = *field;
  gboolean fits = buffer != NULL && !found->is_null && orrery_buffer_is_writable (buffer) &&
                  orrery_buffer_get_element (buffer) == found->element &&
                  orrery_buffer_get_n_dimensions (buffer) == found->n_dimensions;

  for (guint i = 0; fits && i < found->n_dimensions; i++)
    fits = orrery_buffer_get_length (buffer, i) == found->shape[i];
  if (!fits) {
    g_clear_pointer (field, orrery_buffer_unref);
    if (found->is_null)
      return;
    *field = orrery_buffer_new (found->element, found->n_dimensions, found->shape);
  }
  if (orrery_buffer_get_size (*field) > 0)
    memcpy (orrery_buffer_get_data (*field), orrery_take_at (take, found->data),
            orrery_buffer_get_size (*field));
}
