/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference-counted buffers with a shape and an element type, and the array fields built on them.
 */
#include "record/orrery-buffer-private.h"

#include "base/orrery-counted-private.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

struct _OrreryBuffer {
  gatomicrefcount ref_count;
  OrreryBufferForm form;
  gsize size;
  gpointer data;
  GDestroyNotify free_func;
  gpointer owner;
  gboolean read_only;
};

static const struct {
  const char *name;
  gsize size;
} elements[] = {
  [ORRERY_ELEMENT_UINT8] = { "uint8", 1 },   [ORRERY_ELEMENT_INT8] = { "int8", 1 },
  [ORRERY_ELEMENT_UINT16] = { "uint16", 2 }, [ORRERY_ELEMENT_INT16] = { "int16", 2 },
  [ORRERY_ELEMENT_UINT32] = { "uint32", 4 }, [ORRERY_ELEMENT_INT32] = { "int32", 4 },
  [ORRERY_ELEMENT_UINT64] = { "uint64", 8 }, [ORRERY_ELEMENT_INT64] = { "int64", 8 },
  [ORRERY_ELEMENT_FLOAT] = { "float32", 4 }, [ORRERY_ELEMENT_DOUBLE] = { "float64", 8 },
};

G_DEFINE_BOXED_TYPE (OrreryBuffer, orrery_buffer, orrery_buffer_ref, orrery_buffer_unref)

static gboolean
is_element (OrreryElement element)
{
  return (guint) element < G_N_ELEMENTS (elements);
}

gsize
orrery_element_get_size (OrreryElement element)
{
  g_return_val_if_fail (is_element (element), 0);

  return elements[element].size;
}

const char *
orrery_element_get_name (OrreryElement element)
{
  g_return_val_if_fail (is_element (element), NULL);

  return elements[element].name;
}

gboolean
orrery_element_from_name (const char *name, OrreryElement *element)
{
  g_return_val_if_fail (name != NULL && element != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strcmp (elements[i].name, name) == 0) {
      *element = (OrreryElement) i;
      return TRUE;
    }
  return FALSE;
}

double
orrery_element_read (OrreryElement element, gconstpointer data, gsize i)
{
  switch (element) {
  case ORRERY_ELEMENT_UINT8:
    return ((const guint8 *) data)[i];
  case ORRERY_ELEMENT_INT8:
    return ((const gint8 *) data)[i];
  case ORRERY_ELEMENT_UINT16:
    return ((const guint16 *) data)[i];
  case ORRERY_ELEMENT_INT16:
    return ((const gint16 *) data)[i];
  case ORRERY_ELEMENT_UINT32:
    return ((const guint32 *) data)[i];
  case ORRERY_ELEMENT_INT32:
    return ((const gint32 *) data)[i];
  case ORRERY_ELEMENT_UINT64:
    return (double) ((const guint64 *) data)[i];
  case ORRERY_ELEMENT_INT64:
    return (double) ((const gint64 *) data)[i];
  case ORRERY_ELEMENT_FLOAT:
    return ((const float *) data)[i];
  case ORRERY_ELEMENT_DOUBLE:
    return ((const double *) data)[i];
  }
  g_return_val_if_reached (0);
}

static gboolean
find_size (OrreryElement element, guint n_dimensions, const gsize *shape, gsize *size)
{
  gboolean empty = FALSE;

  *size = elements[element].size;
  /* A length of 0 makes the buffer empty, however long the others are. */
  for (guint i = 0; i < n_dimensions; i++)
    empty = empty || shape[i] == 0;
  for (guint i = 0; i < n_dimensions && !empty; i++)
    if (!g_size_checked_mul (size, *size, shape[i]))
      return FALSE;
  if (empty)
    *size = 0;
  return *size <= G_MAXSSIZE - 2 * sizeof (OrreryBuffer) - 2 * ALIGNMENT;
}

static void
buffer_init (OrreryBuffer *buffer, OrreryElement element, guint n_dimensions, const gsize *shape,
             gsize size)
{
  g_atomic_ref_count_init (&buffer->ref_count);
  buffer->form.element = element;
  buffer->form.n_dimensions = n_dimensions;
  memcpy (buffer->form.shape, shape, n_dimensions * sizeof *shape);
  buffer->size = size;
}

OrreryBuffer *
orrery_buffer_new (OrreryElement element, guint n_dimensions, const gsize *shape)
{
  OrreryBuffer *buffer;
  gsize size;

  g_return_val_if_fail (is_element (element), NULL);
  g_return_val_if_fail (n_dimensions >= 1 && n_dimensions <= ORRERY_BUFFER_MAX_DIMENSIONS, NULL);
  g_return_val_if_fail (shape != NULL, NULL);

  if (!find_size (element, n_dimensions, shape, &size))
    return NULL;
  /* Header and bytes are one allocation; for large buffers calloc() gets zeroed pages from the
   * kernel. */
  buffer = calloc (1, sizeof *buffer + ALIGNMENT - 1 + size);
  if (buffer == NULL)
    return NULL;
  buffer_init (buffer, element, n_dimensions, shape, size);
  guintptr address = (guintptr) (buffer + 1);
  buffer->data = (char *) (buffer + 1) + (-address & (ALIGNMENT - 1));
  return buffer;
}

OrreryBuffer *
orrery_buffer_new_wrapped (OrreryElement element, guint n_dimensions, const gsize *shape,
                           gpointer data, GDestroyNotify free_func, gpointer owner)
{
  OrreryBuffer *buffer;
  gsize size;

  g_return_val_if_fail (is_element (element), NULL);
  g_return_val_if_fail (n_dimensions >= 1 && n_dimensions <= ORRERY_BUFFER_MAX_DIMENSIONS, NULL);
  g_return_val_if_fail (shape != NULL && data != NULL, NULL);
  g_return_val_if_fail ((guintptr) data % elements[element].size == 0, NULL);

  if (!find_size (element, n_dimensions, shape, &size))
    return NULL;
  buffer = calloc (1, sizeof *buffer);
  if (buffer == NULL)
    return NULL;
  buffer_init (buffer, element, n_dimensions, shape, size);
  buffer->data = data;
  buffer->free_func = free_func;
  buffer->owner = owner;
  return buffer;
}

OrreryBuffer *
orrery_buffer_new_read_only (OrreryElement element, guint n_dimensions, const gsize *shape,
                             gconstpointer data, GDestroyNotify free_func, gpointer owner)
{
  OrreryBuffer *buffer =
      orrery_buffer_new_wrapped (element, n_dimensions, shape, (gpointer) data, free_func, owner);

  if (buffer != NULL)
    buffer->read_only = TRUE;
  return buffer;
}

static void
buffer_free (OrreryBuffer *buffer)
{
  if (buffer->free_func != NULL)
    buffer->free_func (buffer->owner);
  free (buffer);
}

ORRERY_DEFINE_COUNTED (OrreryBuffer, orrery_buffer, ref_count, buffer_free)

gboolean
orrery_buffer_is_writable (OrreryBuffer *buffer)
{
  return !buffer->read_only && g_atomic_ref_count_compare (&buffer->ref_count, 1);
}

OrreryElement
orrery_buffer_get_element (OrreryBuffer *buffer)
{
  return (OrreryElement) buffer->form.element;
}

guint
orrery_buffer_get_n_dimensions (OrreryBuffer *buffer)
{
  return (guint) buffer->form.n_dimensions;
}

gsize
orrery_buffer_get_length (OrreryBuffer *buffer, guint dimension)
{
  return dimension < buffer->form.n_dimensions ? buffer->form.shape[dimension] : 0;
}

gsize
orrery_buffer_get_size (OrreryBuffer *buffer)
{
  return buffer->size;
}

gpointer
orrery_buffer_get_data (OrreryBuffer *buffer)
{
  return buffer->data;
}

guint64
orrery_buffer_get_address (OrreryBuffer *buffer)
{
  return (guintptr) buffer->data;
}

static gboolean
has_form (OrreryBuffer *buffer, const OrreryBufferForm *form)
{
  return buffer->form.element == form->element && buffer->form.n_dimensions == form->n_dimensions &&
         memcmp (buffer->form.shape, form->shape, form->n_dimensions * sizeof *form->shape) == 0;
}

gboolean
orrery_buffer_equal (OrreryBuffer *a, OrreryBuffer *b)
{
  return has_form (a, &b->form) && memcmp (a->data, b->data, a->size) == 0;
}

OrreryBufferForm
orrery_buffer_get_form (OrreryBuffer *buffer)
{
  return buffer != NULL ? buffer->form : (OrreryBufferForm){ 0 };
}

OrreryBuffer *
orrery_buffer_find_room (OrreryBuffer *present, const OrreryBufferForm *form)
{
  if (present != NULL && has_form (present, form) && orrery_buffer_is_writable (present))
    return present;
  return orrery_buffer_new ((OrreryElement) form->element, (guint) form->n_dimensions, form->shape);
}

void
orrery_buffer_swap (OrreryBuffer **place, OrreryBuffer *room)
{
  if (*place == room)
    return;
  g_clear_pointer (place, orrery_buffer_unref);
  *place = room;
}

/* --- arrays and points: rows of @width doubles; without rows no buffer --- */

static OrreryBuffer *
find_rows (OrreryBuffer *present, gsize n, guint width)
{
  const OrreryBufferForm form = { ORRERY_ELEMENT_DOUBLE, width > 1 ? 2 : 1, { n, width } };

  return n > 0 ? orrery_buffer_find_room (present, &form) : NULL;
}

static double *
prepare (OrreryBuffer **place, gsize n, guint width)
{
  OrreryBuffer *room = find_rows (*place, n, width);

  if (room == NULL && n > 0)
    return NULL;
  orrery_buffer_swap (place, room);
  return room != NULL ? room->data : NULL;
}

static void
set (OrreryBuffer **place, gsize n, guint width, const double *values)
{
  OrreryBuffer *room = NULL;

  g_return_if_fail (values != NULL || n == 0);

  room = find_rows (*place, n, width);
  g_return_if_fail (room != NULL || n == 0);
  /* Copy before the old buffer is released, because the values may lie in it. */
  if (room != NULL)
    memmove (room->data, values, room->size);
  orrery_buffer_swap (place, room);
}

static const double *
get (OrreryBuffer *buffer, guint width, gsize *n)
{
  if (n != NULL)
    *n = 0;
  if (buffer == NULL || buffer->size == 0)
    return NULL;
  g_return_val_if_fail (buffer->form.element == ORRERY_ELEMENT_DOUBLE, NULL);
  g_return_val_if_fail (buffer->form.n_dimensions == (width > 1 ? 2 : 1), NULL);
  g_return_val_if_fail (width == 1 || buffer->form.shape[1] == width, NULL);

  if (n != NULL)
    *n = buffer->form.shape[0];
  return buffer->data;
}

double *
orrery_array_prepare (OrreryArray *array, gsize n)
{
  return prepare (&array->buffer, n, 1);
}

void
orrery_array_set (OrreryArray *array, const double *values, gsize n)
{
  set (&array->buffer, n, 1, values);
}

const double *
orrery_array_get (const OrreryArray *array, gsize *n)
{
  return get (array->buffer, 1, n);
}

double *
orrery_points_prepare (OrreryPoints *points, gsize n)
{
  return prepare (&points->buffer, n, 3);
}

void
orrery_points_set (OrreryPoints *points, const double *xyz, gsize n)
{
  set (&points->buffer, n, 3, xyz);
}

const double *
orrery_points_get (const OrreryPoints *points, gsize *n)
{
  return get (points->buffer, 3, n);
}
