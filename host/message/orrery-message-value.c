/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages in memory: structs that their types lay out. */
#include "message/orrery-message-value.h"

#include <string.h>

#include "message/orrery-message-type-private.h"

gpointer
orrery_message_new (const OrreryMessageType *type)
{
  gpointer message;

  g_return_val_if_fail (type != NULL, NULL);

  message = g_malloc0 (type->size);
  if (type->has_defaults)
    orrery_message_clear (type, message);
  return message;
}

/* Elements that point at memory have one owner. */
static gboolean
is_copied (const OrreryMessageField *field)
{
  return field->kind < ORRERY_MESSAGE_TEXT ||
         (field->kind == ORRERY_MESSAGE_NESTED && field->type->is_plain);
}

static gsize
count_elements (const OrreryMessageField *field)
{
  return field->shape == ORRERY_MESSAGE_FIXED_ARRAY ? field->count : 1;
}

/* --- freeing --- */

static void release (const OrreryMessageType *type, char *message);

static void
release_elements (const OrreryMessageField *field, gpointer data, gsize n)
{
  OrreryMessageText *texts = data;

  if (is_copied (field))
    return;
  for (gsize i = 0; i < n; i++) {
    if (field->kind == ORRERY_MESSAGE_NESTED)
      release (field->type, (char *) data + i * field->type->size);
    else if (texts[i].room > 0)
      g_free (texts[i].data);
  }
}

static void
release_field (const OrreryMessageField *field, gpointer place)
{
  OrreryMessageArray *array = place;

  if (field->shape != ORRERY_MESSAGE_SEQUENCE) {
    release_elements (field, place, count_elements (field));
  } else if (array->room > 0) {
    release_elements (field, array->data, array->room);
    g_free (array->data);
  }
}

static void
release (const OrreryMessageType *type, char *message)
{
  for (guint i = 0; !type->is_plain && i < type->n_fields; i++)
    release_field (&type->fields[i], message + type->fields[i].offset);
}

void
orrery_message_drop_nested (const OrreryMessageType *type, char *message)
{
  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];
    gsize size = field->shape == ORRERY_MESSAGE_SEQUENCE
                     ? sizeof (OrreryMessageArray)
                     : count_elements (field) * orrery_message_get_element_size (field);

    if (field->kind != ORRERY_MESSAGE_NESTED)
      continue;
    release_field (field, message + field->offset);
    memset (message + field->offset, 0, size);
  }
}

void
orrery_message_free_defaults (const OrreryMessageType *type)
{
  for (guint i = 0; type->defaults != NULL && i < type->n_fields; i++)
    if (type->fields[i].kind != ORRERY_MESSAGE_NESTED)
      release_field (&type->fields[i], (char *) type->defaults + type->fields[i].offset);
  g_free (type->defaults);
}

void
orrery_message_free (const OrreryMessageType *type, gpointer message)
{
  g_return_if_fail (type != NULL);

  if (message == NULL)
    return;
  release (type, message);
  g_free (message);
}

/* --- clearing --- */

static void
empty_text (OrreryMessageText *text)
{
  if (text->room == 0)
    text->data = NULL;
  text->length = 0;
}

static void
empty_array (OrreryMessageArray *array)
{
  if (array->room == 0)
    array->data = NULL;
  array->length = 0;
}

static void
clear_elements (const OrreryMessageField *field, gpointer data, gsize n)
{
  OrreryMessageText *texts = data;

  if (n > 0 && is_copied (field) && (field->type == NULL || !field->type->has_defaults)) {
    memset (data, 0, n * orrery_message_get_element_size (field));
    return;
  }
  for (gsize i = 0; i < n; i++) {
    if (field->kind == ORRERY_MESSAGE_NESTED)
      orrery_message_clear (field->type, (char *) data + i * field->type->size);
    else
      empty_text (&texts[i]);
  }
}

static void
copy_elements (const OrreryMessageField *field, gpointer to, gconstpointer from, gsize n)
{
  const OrreryMessageText *texts = from;
  OrreryMessageText *copies = to;

  if (field->kind < ORRERY_MESSAGE_TEXT)
    memcpy (to, from, n * orrery_message_get_element_size (field));
  for (gsize i = 0; field->kind >= ORRERY_MESSAGE_TEXT && i < n; i++)
    orrery_message_text_set (&copies[i], texts[i].data, (gssize) texts[i].length);
}

/* @from: (nullable): the default of a field that is no message */
static void
clear_field (const OrreryMessageField *field, gpointer place, gconstpointer from)
{
  const OrreryMessageArray *list = from;
  OrreryMessageArray *array = place;

  if (field->shape != ORRERY_MESSAGE_SEQUENCE) {
    clear_elements (field, place, count_elements (field));
    if (from != NULL)
      copy_elements (field, place, from, count_elements (field));
    return;
  }
  empty_array (array);
  if (list != NULL && list->length > 0) {
    orrery_message_array_prepare (array, field, list->length);
    copy_elements (field, array->data, list->data, list->length);
  }
}

void
orrery_message_clear (const OrreryMessageType *type, gpointer message)
{
  g_return_if_fail (type != NULL);
  g_return_if_fail (message != NULL);

  if (type->is_plain && !type->has_defaults) {
    memset (message, 0, type->size);
    return;
  }
  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];
    gboolean has_default = type->defaults != NULL && field->kind != ORRERY_MESSAGE_NESTED;

    clear_field (field, (char *) message + field->offset,
                 has_default ? (const char *) type->defaults + field->offset : NULL);
  }
}

/* --- filling --- */

void
orrery_message_text_reserve (OrreryMessageText *text, gsize length)
{
  if (length <= text->room)
    return;
  if (text->room > 0)
    g_free (text->data);
  text->data = g_malloc (length);
  text->room = length;
}

void
orrery_message_text_set (OrreryMessageText *text, const char *data, gssize length)
{
  gsize n = length < 0 ? strlen (data) : (gsize) length;

  g_return_if_fail (text != NULL);
  g_return_if_fail (data != NULL || n == 0);

  orrery_message_text_reserve (text, n);
  if (n > 0)
    memcpy (text->data, data, n);
  text->length = n;
}

void
orrery_message_array_prepare (OrreryMessageArray *array, const OrreryMessageField *field, gsize n)
{
  gsize size = orrery_message_get_element_size (field);
  gboolean copied = is_copied (field);
  gsize kept = copied ? MIN (n, array->length) : array->room;

  if (n > array->room) {
    char *bigger = g_malloc_n (n, size);

    if (kept > 0)
      memcpy (bigger, array->data, kept * size);
    if (!copied)
      memset (bigger + kept * size, 0, (n - kept) * size);
    if (array->room > 0)
      g_free (array->data);
    array->data = bigger;
    array->room = n;
  }
  array->length = n;
}

void
orrery_message_array_resize (OrreryMessageArray *array, const OrreryMessageField *field, gsize n)
{
  gsize kept;

  g_return_if_fail (array != NULL);
  g_return_if_fail (field != NULL && field->shape == ORRERY_MESSAGE_SEQUENCE);

  kept = array->room > 0 || is_copied (field) ? array->length : 0;
  orrery_message_array_prepare (array, field, n);
  if (n > kept)
    clear_elements (field, (char *) array->data + kept * orrery_message_get_element_size (field),
                    n - kept);
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
