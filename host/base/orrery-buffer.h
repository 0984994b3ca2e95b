/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryElement:
 *
 * The type of the elements of a buffer.
 */
typedef enum {
  ORRERY_ELEMENT_UINT8,
  ORRERY_ELEMENT_INT8,
  ORRERY_ELEMENT_UINT16,
  ORRERY_ELEMENT_INT16,
  ORRERY_ELEMENT_UINT32,
  ORRERY_ELEMENT_INT32,
  ORRERY_ELEMENT_UINT64,
  ORRERY_ELEMENT_INT64,
  ORRERY_ELEMENT_FLOAT,
  ORRERY_ELEMENT_DOUBLE,
} OrreryElement;

#define ORRERY_BUFFER_MAX_DIMENSIONS 4

/**
 * OrreryBuffer:
 *
 * Counted bytes with a shape and an element type: images, clouds, arrays. Elements lie in C order
 * without gaps, aligned to 64 bytes. Who holds a reference may read it for as long as it likes;
 * only who holds the only reference may write. Thread-safe reference count.
 */
#define ORRERY_TYPE_BUFFER (orrery_buffer_get_type ())
ORRERY_API GType orrery_buffer_get_type (void);

/**
 * orrery_buffer_new:
 * @element: type of the elements
 * @n_dimensions: 1 to 4
 * @shape: (array length=n_dimensions): number of elements along each dimension, slowest first
 *
 * Returns: (transfer full) (nullable): a buffer of zeros; %NULL if its size does not fit in memory
 */
ORRERY_API OrreryBuffer *orrery_buffer_new (OrreryElement element, guint n_dimensions, const gsize *shape);

/**
 * orrery_buffer_new_wrapped: (skip)
 * @data: bytes that outlive the buffer
 * @free_func: (nullable): called with @owner when the last reference goes
 */
ORRERY_API OrreryBuffer *orrery_buffer_new_wrapped (OrreryElement element, guint n_dimensions, const gsize *shape,
                                                    gpointer data, GDestroyNotify free_func, gpointer owner);
ORRERY_API OrreryBuffer *orrery_buffer_ref (OrreryBuffer *buffer);
ORRERY_API void orrery_buffer_unref (OrreryBuffer *buffer);
/** orrery_buffer_is_writable: whether the caller's reference is the only one */
ORRERY_API gboolean orrery_buffer_is_writable (OrreryBuffer *buffer);
ORRERY_API OrreryElement orrery_buffer_get_element (OrreryBuffer *buffer);
ORRERY_API gsize orrery_element_get_size (OrreryElement element);
ORRERY_API guint orrery_buffer_get_n_dimensions (OrreryBuffer *buffer);
/** orrery_buffer_get_length: elements along @dimension; 0 for one that it has not */
ORRERY_API gsize orrery_buffer_get_length (OrreryBuffer *buffer, guint dimension);
/** orrery_buffer_get_size: number of bytes */
ORRERY_API gsize orrery_buffer_get_size (OrreryBuffer *buffer);
/** orrery_buffer_get_data: (skip): the bytes */
ORRERY_API gpointer orrery_buffer_get_data (OrreryBuffer *buffer);
/** orrery_buffer_get_address: the address of the bytes as a number, for views that hold the buffer */
ORRERY_API guint64 orrery_buffer_get_address (OrreryBuffer *buffer);

/**
 * orrery_array_set: (skip)
 * @array: a field
 * @values: (array length=n): what it becomes
 *
 * Writes in place where the buffer is the field's alone and has the size, else swaps a new one in.
 */
ORRERY_API void orrery_array_set (OrreryArray *array, const double *values, gsize n);
/** orrery_array_get: (skip): the values; %NULL and 0 when empty */
ORRERY_API const double *orrery_array_get (const OrreryArray *array, gsize *n);
ORRERY_API void orrery_points_set (OrreryPoints *points, const double *xyz, gsize n);
ORRERY_API const double *orrery_points_get (const OrreryPoints *points, gsize *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryBuffer, orrery_buffer_unref)

G_END_DECLS
