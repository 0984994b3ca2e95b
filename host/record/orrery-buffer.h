/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryElement:
 * @ORRERY_ELEMENT_UINT8: unsigned, 8 bits
 * @ORRERY_ELEMENT_INT8: signed, 8 bits
 * @ORRERY_ELEMENT_UINT16: unsigned, 16 bits
 * @ORRERY_ELEMENT_INT16: signed, 16 bits
 * @ORRERY_ELEMENT_UINT32: unsigned, 32 bits
 * @ORRERY_ELEMENT_INT32: signed, 32 bits
 * @ORRERY_ELEMENT_UINT64: unsigned, 64 bits
 * @ORRERY_ELEMENT_INT64: signed, 64 bits
 * @ORRERY_ELEMENT_FLOAT: IEEE 754, 32 bits
 * @ORRERY_ELEMENT_DOUBLE: IEEE 754, 64 bits
 *
 * The type of the elements of a buffer, in the byte order of the machine.
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

/**
 * ORRERY_BUFFER_MAX_DIMENSIONS:
 *
 * A buffer has one to this many dimensions.
 */
#define ORRERY_BUFFER_MAX_DIMENSIONS 4

/**
 * orrery_element_get_size:
 * @element: a type
 *
 * 1, 2, 4 or 8; elements are aligned to it. An invalid type is logged, and has 0.
 *
 * Returns: bytes of one element
 */
ORRERY_API gsize orrery_element_get_size (OrreryElement element);

/**
 * orrery_element_get_name:
 * @element: a type
 *
 * The text is static.
 *
 * Returns: (transfer none): its name as NumPy has it: "uint8", "int32", "float32", "float64" ...
 */
ORRERY_API const char *orrery_element_get_name (OrreryElement element);

/**
 * orrery_element_from_name:
 * @name: a name as of orrery_element_get_name()
 * @element: (out): the type; untouched if there is none of that name
 *
 * Upper and lower case differ.
 *
 * Returns: whether there is a type of that name
 */
ORRERY_API gboolean orrery_element_from_name (const char *name, OrreryElement *element);

/**
 * orrery_element_read: (skip)
 * @element: the type of the elements
 * @data: elements, aligned for their type
 * @i: which of them
 *
 * Integers of 64 bits are rounded to the nearest double. Any thread.
 *
 * Returns: the element as a number
 */
ORRERY_API double orrery_element_read (OrreryElement element, gconstpointer data, gsize i);

/**
 * OrreryBuffer:
 *
 * Counted bytes with a shape and an element type: images, clouds, arrays. Elements lie in C order
 * without gaps, aligned to 64 bytes (wrapped memory: as its owner has it). Who holds a reference
 * may read it for as long as it likes; only who holds the only reference may write. The count may
 * be changed from any thread.
 */
#define ORRERY_TYPE_BUFFER (orrery_buffer_get_type ())
ORRERY_API GType orrery_buffer_get_type (void);

/**
 * orrery_buffer_new: (constructor)
 * @element: type of the elements
 * @n_dimensions: 1 to 4
 * @shape: (array length=n_dimensions): number of elements along each dimension, slowest first; may
 * be 0
 *
 * The bytes are aligned to 64. A buffer with a length of 0 in its shape has no bytes.
 *
 * Returns: (transfer full) (nullable): a buffer of zeros; %NULL if its size does not fit in memory
 */
ORRERY_API OrreryBuffer *orrery_buffer_new (OrreryElement element, guint n_dimensions,
                                            const gsize *shape);

/**
 * orrery_buffer_new_wrapped: (skip)
 * @element: type of the elements
 * @n_dimensions: 1 to 4
 * @shape: (array length=n_dimensions): number of elements along each dimension, slowest first
 * @data: bytes that outlive the buffer, aligned for @element
 * @free_func: (nullable): called with @owner when the last reference goes, on whichever thread
 * @owner: what keeps @data alive
 *
 * Nothing is copied. The buffer may be written like any other, while the caller holds the only
 * reference. @data is not %NULL, even for a buffer without bytes.
 *
 * Returns: (transfer full) (nullable): a buffer over @data; %NULL if the size does not fit in a
 *   gsize, then @free_func is not called
 */
ORRERY_API OrreryBuffer *orrery_buffer_new_wrapped (OrreryElement element, guint n_dimensions,
                                                    const gsize *shape, gpointer data,
                                                    GDestroyNotify free_func, gpointer owner);

/**
 * orrery_buffer_new_read_only: (skip)
 * @element: type of the elements
 * @n_dimensions: 1 to 4
 * @shape: (array length=n_dimensions): number of elements along each dimension, slowest first
 * @data: bytes that outlive the buffer, aligned for @element
 * @free_func: (nullable): called with @owner when the last reference goes, on whichever thread
 * @owner: what keeps @data alive
 *
 * orrery_buffer_new_wrapped() over bytes that nobody may write: the buffer is never writable.
 *
 * Returns: (transfer full) (nullable): a buffer over @data; %NULL if the size does not fit in a
 *   gsize, then @free_func is not called
 */
ORRERY_API OrreryBuffer *orrery_buffer_new_read_only (OrreryElement element, guint n_dimensions,
                                                      const gsize *shape, gconstpointer data,
                                                      GDestroyNotify free_func, gpointer owner);

/**
 * orrery_buffer_ref:
 * @buffer: a buffer
 *
 * Takes a reference, with which the buffer is not writable any more. Any thread.
 *
 * Returns: (transfer full): @buffer
 */
ORRERY_API OrreryBuffer *orrery_buffer_ref (OrreryBuffer *buffer);

/**
 * orrery_buffer_unref:
 * @buffer: (transfer full): a buffer; freed with its last reference
 *
 * The function that frees wrapped memory is called on this thread. Any thread.
 */
ORRERY_API void orrery_buffer_unref (OrreryBuffer *buffer);

/**
 * orrery_buffer_is_writable:
 *
 * One of orrery_buffer_new_read_only() never is. The answer holds until the caller passes a
 * reference on.
 *
 * Returns: whether the caller may write
 */
ORRERY_API gboolean orrery_buffer_is_writable (OrreryBuffer *buffer);

/**
 * orrery_buffer_get_element:
 *
 * The same for the life of the buffer.
 *
 * Returns: the type of its elements
 */
ORRERY_API OrreryElement orrery_buffer_get_element (OrreryBuffer *buffer);

/**
 * orrery_buffer_get_n_dimensions:
 *
 * The same for the life of the buffer.
 *
 * Returns: 1 to 4
 */
ORRERY_API guint orrery_buffer_get_n_dimensions (OrreryBuffer *buffer);

/**
 * orrery_buffer_get_length:
 * @dimension: from 0, slowest first
 *
 * Elements are counted, not bytes.
 *
 * Returns: elements along @dimension; 0 for one that it has not
 */
ORRERY_API gsize orrery_buffer_get_length (OrreryBuffer *buffer, guint dimension);

/**
 * orrery_buffer_get_size:
 *
 * The product of the lengths and the size of an element; 0 if a length is.
 *
 * Returns: number of bytes
 */
ORRERY_API gsize orrery_buffer_get_size (OrreryBuffer *buffer);

/**
 * orrery_buffer_get_data: (skip)
 *
 * Valid as long as the buffer. Of a buffer without bytes the address must not be read.
 *
 * Returns: (transfer none): the bytes, orrery_buffer_get_size() of them; to be written only while
 *   orrery_buffer_is_writable()
 */
ORRERY_API gpointer orrery_buffer_get_data (OrreryBuffer *buffer);

/**
 * orrery_buffer_get_address:
 *
 * What orrery_buffer_get_data() returns, for bindings that know no pointers.
 *
 * Returns: the address of the bytes as a number, for views that hold the buffer
 */
ORRERY_API guint64 orrery_buffer_get_address (OrreryBuffer *buffer);

/**
 * orrery_buffer_equal:
 * @a: a buffer
 * @b: another
 *
 * Bits are compared, not numbers: 0.0 and -0.0 differ, and a NaN is equal to itself.
 *
 * Returns: whether element type, shape and bytes are the same
 */
ORRERY_API gboolean orrery_buffer_equal (OrreryBuffer *a, OrreryBuffer *b);

/**
 * orrery_array_prepare: (skip)
 * @array: a field
 * @n: number of doubles
 *
 * Gives room to write: the field's own buffer where it is the field's alone and has the size, else
 * a new one, swapped in. So a producer of steady size allocates once, and a view that somebody
 * took of an earlier value keeps that value.
 *
 * Returns: (nullable): @n doubles, all of which the caller writes; %NULL if @n is 0 (the array is
 *   then empty) or does not fit in memory (the array is unchanged)
 */
ORRERY_API double *orrery_array_prepare (OrreryArray *array, gsize n);

/**
 * orrery_array_set: (skip)
 * @array: a field
 * @values: (array length=n) (nullable): what it becomes; may lie in @array; %NULL if @n is 0
 * @n: number of doubles
 *
 * orrery_array_prepare(), and copies.
 */
ORRERY_API void orrery_array_set (OrreryArray *array, const double *values, gsize n);

/**
 * orrery_array_get: (skip)
 * @array: a field
 * @n: (out) (optional): number of doubles
 *
 * Nothing is copied. To keep the values, take a reference of the buffer of @array.
 *
 * Returns: (nullable) (array length=n): the values; %NULL and 0 when empty. Valid until the field
 * changes
 */
ORRERY_API const double *orrery_array_get (const OrreryArray *array, gsize *n);

/**
 * orrery_points_prepare: (skip)
 * @points: a field
 * @n: number of points
 *
 * As orrery_array_prepare().
 *
 * Returns: (nullable): 3 @n doubles, x y z of each point, all of which the caller writes
 */
ORRERY_API double *orrery_points_prepare (OrreryPoints *points, gsize n);

/**
 * orrery_points_set: (skip)
 * @points: a field
 * @xyz: (nullable): x y z of each point; may lie in @points; %NULL if @n is 0
 * @n: number of points
 *
 * orrery_points_prepare(), and copies.
 */
ORRERY_API void orrery_points_set (OrreryPoints *points, const double *xyz, gsize n);

/**
 * orrery_points_get: (skip)
 * @points: a field
 * @n: (out) (optional): number of points
 *
 * Nothing is copied. To keep the points, take a reference of the buffer of @points.
 *
 * Returns: (nullable): x y z of each point; %NULL and 0 when empty. Valid until the field changes
 */
ORRERY_API const double *orrery_points_get (const OrreryPoints *points, gsize *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryBuffer, orrery_buffer_unref)

G_END_DECLS
