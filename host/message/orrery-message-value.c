/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages in memory: structs that their types lay out. */
#include "message/orrery-message-value.h"

#include <string.h>

#include "message/orrery-message-type-private.h"

gpointer
orrery_message_new (const OrreryMessageType *type)
{
  g_return_val_if_fail (type != NULL, NULL);
  return g_malloc0 (type->size);
}

void
orrery_message_free (const OrreryMessageType *type, gpointer message)
{
  g_return_if_fail (type != NULL);

  if (message == NULL)
    return;
  orrery_message_clear (type, message);
  g_free (message);
}

/* --- clearing --- */

static void
clear_elements (const OrreryMessageField *field, gpointer data, gsize n)
{
  OrreryMessageText *texts = data;
  gboolean is_text = field->kind == ORRERY_MESSAGE_TEXT || field->kind == ORRERY_MESSAGE_WTEXT;

  for (gsize i = 0; is_text && i < n; i++)
    if (texts[i].room > 0)
      g_free (texts[i].data);
  for (gsize i = 0; field->kind == ORRERY_MESSAGE_NESTED && i < n; i++)
    orrery_message_clear (field->type, (char *) data + i * field->type->size);
}

static void
clear_array (const OrreryMessageField *field, OrreryMessageArray *array)
{
  if (array->room == 0)
    return;
  clear_elements (field, array->data, array->length);
  g_free (array->data);
}

void
orrery_message_clear (const OrreryMessageType *type, gpointer message)
{
  g_return_if_fail (type != NULL);
  g_return_if_fail (message != NULL);

  for (guint i = 0; !type->is_plain && i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];
    gpointer place = (char *) message + field->offset;

    if (field->shape == ORRERY_MESSAGE_SEQUENCE)
      clear_array (field, place);
    else
      clear_elements (field, place, field->shape == ORRERY_MESSAGE_SINGLE ? 1 : field->count);
  }
  memset (message, 0, type->size);
}

/* --- filling --- */

void
orrery_message_text_set (OrreryMessageText *text, const char *data, gssize length)
{
  gsize n = length < 0 ? strlen (data) : (gsize) length;

  g_return_if_fail (text != NULL);
  g_return_if_fail (data != NULL || n == 0);

  if (n > text->room) {
    char *bigger = g_malloc (n);

    if (text->room > 0)
      g_free (text->data);
    text->data = bigger;
    text->room = n;
  }
  if (n > 0)
    memcpy (text->data, data, n);
  text->length = n;
}

/* Elements that point at memory have one owner. */
static gboolean
is_copied (const OrreryMessageField *field)
{
  return field->kind < ORRERY_MESSAGE_TEXT ||
         (field->kind == ORRERY_MESSAGE_NESTED && field->type->is_plain);
}

void
orrery_message_array_resize (OrreryMessageArray *array, const OrreryMessageField *field, gsize n)
{
  gsize size;

  g_return_if_fail (array != NULL);
  g_return_if_fail (field != NULL && field->shape == ORRERY_MESSAGE_SEQUENCE);

  size = orrery_message_get_element_size (field);
  if (array->room > 0 && n < array->length)
    clear_elements (field, (char *) array->data + n * size, array->length - n);
  if (n > array->room) {
    gsize kept = array->room > 0 || is_copied (field) ? MIN (n, array->length) : 0;
    char *bigger = g_malloc_n (n, size);

    if (kept > 0)
      memcpy (bigger, array->data, kept * size);
    if (array->room > 0)
      g_free (array->data);
    array->data = bigger;
    array->room = n;
    array->length = kept;
  }
  if (n > array->length)
    memset ((char *) array->data + array->length * size, 0, (n - array->length) * size);
  array->length = n;
}

/* --- comparing --- */

static gboolean
are_equal (const OrreryMessageField *field, gconstpointer a, gconstpointer b, gsize n)
{
  const OrreryMessageText *first = a, *second = b;
  gsize size = orrery_message_get_element_size (field);

  if (field->kind < ORRERY_MESSAGE_TEXT)
    return n == 0 || memcmp (a, b, n * size) == 0;
  for (gsize i = 0; i < n; i++) {
    if (field->kind == ORRERY_MESSAGE_NESTED) {
      if (!orrery_message_equal (field->type, (const char *) a + i * size,
                                 (const char *) b + i * size))
        return FALSE;
    } else if (first[i].length != second[i].length ||
               (first[i].length > 0 &&
                memcmp (first[i].data, second[i].data, first[i].length) != 0)) {
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
orrery_message_equal (const OrreryMessageType *type, gconstpointer a, gconstpointer b)
{
  g_return_val_if_fail (type != NULL, FALSE);

  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];
    gconstpointer first = (const char *) a + field->offset;
    gconstpointer second = (const char *) b + field->offset;
    gsize n = field->shape == ORRERY_MESSAGE_FIXED_ARRAY ? field->count : 1;

    if (field->shape == ORRERY_MESSAGE_SEQUENCE) {
      const OrreryMessageArray *one = first, *other = second;

      if (one->length != other->length)
        return FALSE;
      n = one->length;
      first = one->data;
      second = other->data;
    }
    if (!are_equal (field, first, second, n))
      return FALSE;
  }
  return TRUE;
}
