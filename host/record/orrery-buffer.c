/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference-counted buffers with a shape and an element type, and the array fields built on them.
 */
#include "record/orrery-buffer.h"

#include "base/orrery-counted-private.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

struct _OrreryBuffer {
  gatomicrefcount ref_count;
  OrreryElement element;
  guint n_dimensions;
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
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
  buffer->element = element;
  buffer->n_dimensions = n_dimensions;
  memcpy (buffer->shape, shape, n_dimensions * sizeof *shape);
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
  return buffer->element;
}

guint
orrery_buffer_get_n_dimensions (OrreryBuffer *buffer)
{
  return buffer->n_dimensions;
}

gsize
orrery_buffer_get_length (OrreryBuffer *buffer, guint dimension)
{
  return dimension < buffer->n_dimensions ? buffer->shape[dimension] : 0;
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

gboolean
orrery_buffer_equal (OrreryBuffer *a, OrreryBuffer *b)
{
  return a->element == b->element && a->n_dimensions == b->n_dimensions &&
         memcmp (a->shape, b->shape, a->n_dimensions * sizeof *a->shape) == 0 &&
         memcmp (a->data, b->data, a->size) == 0;
}

static gboolean
has_shape (OrreryBuffer *buffer, guint n_dimensions, const gsize *shape)
{
  return buffer->element == ORRERY_ELEMENT_DOUBLE && buffer->n_dimensions == n_dimensions &&
         memcmp (buffer->shape, shape, n_dimensions * sizeof *shape) == 0;
}

/* Returns the buffer to write into: the present one, or a new one that the caller swaps in. */
static OrreryBuffer *
find_room (OrreryBuffer *present, guint n_dimensions, const gsize *shape)
{
  if (present != NULL && has_shape (present, n_dimensions, shape) &&
      orrery_buffer_is_writable (present))
    return present;
  return orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, n_dimensions, shape);
}

static void
swap_in (OrreryBuffer **place, OrreryBuffer *buffer)
{
  if (*place == buffer)
    return;
  g_clear_pointer (place, orrery_buffer_unref);
  *place = buffer;
}

static double *
prepare (OrreryBuffer **place, guint n_dimensions, const gsize *shape)
{
  if (shape[0] == 0) {
    g_clear_pointer (place, orrery_buffer_unref);
    return NULL;
  }

  OrreryBuffer *room = find_room (*place, n_dimensions, shape);
  if (room == NULL)
    return NULL;
  swap_in (place, room);
  return room->data;
}

static void
set (OrreryBuffer **place, guint n_dimensions, const gsize *shape, const double *values)
{
  g_return_if_fail (values != NULL || shape[0] == 0);

  if (shape[0] == 0) {
    g_clear_pointer (place, orrery_buffer_unref);
    return;
  }

  OrreryBuffer *room = find_room (*place, n_dimensions, shape);
  g_return_if_fail (room != NULL);
  /* Copy before the old buffer is released, because the values may lie in it. */
  memmove (room->data, values, room->size);
  swap_in (place, room);
}

static const double *
get (OrreryBuffer *buffer, guint n_dimensions, gsize *n)
{
  if (n != NULL)
    *n = 0;
  if (buffer == NULL || buffer->size == 0)
    return NULL;
  g_return_val_if_fail (buffer->element == ORRERY_ELEMENT_DOUBLE, NULL);
  g_return_val_if_fail (buffer->n_dimensions == n_dimensions, NULL);
  g_return_val_if_fail (n_dimensions == 1 || buffer->shape[1] == 3, NULL);

  if (n != NULL)
    *n = buffer->shape[0];
  return buffer->data;
}

double *
orrery_array_prepare (OrreryArray *array, gsize n)
{
  return prepare (&array->buffer, 1, &n);
}

void
orrery_array_set (OrreryArray *array, const double *values, gsize n)
{
  set (&array->buffer, 1, &n, values);
}

const double *
orrery_array_get (const OrreryArray *array, gsize *n)
{
  return get (array->buffer, 1, n);
}

double *
orrery_points_prepare (OrreryPoints *points, gsize n)
{
  return prepare (&points->buffer, 2, (gsize[]){ n, 3 });
}

void
orrery_points_set (OrreryPoints *points, const double *xyz, gsize n)
{
  set (&points->buffer, 2, (gsize[]){ n, 3 }, xyz);
}

const double *
orrery_points_get (const OrreryPoints *points, gsize *n)
{
  return get (points->buffer, 2, n);
}
