/* SPDX-License-Identifier: BSD-3-Clause */
/* Record fields that hold a buffer: array, points and buffer. */
#include "record/orrery-field-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-random.h"
#include "record/orrery-buffer.h"

#include <string.h>

G_STATIC_ASSERT (sizeof (OrreryArray) == sizeof (OrreryBuffer *));
G_STATIC_ASSERT (sizeof (OrreryPoints) == sizeof (OrreryBuffer *));

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

  if (*target == source)
    return;
  g_clear_pointer (target, orrery_buffer_unref);
  if (source != NULL)
    *target = orrery_buffer_ref (source);
}

static guint64
hash_buffer (const OrreryFieldClass *klass, guint64 hash, gconstpointer field, OrreryTime start)
{
  OrreryBuffer *buffer = *(OrreryBuffer *const *) field;

  if (buffer == NULL)
    return orrery_hash_word (hash, 0);
  hash = orrery_hash_word (hash, orrery_buffer_get_n_dimensions (buffer));
  for (guint i = 0; i < orrery_buffer_get_n_dimensions (buffer); i++)
    hash = orrery_hash_word (hash, orrery_buffer_get_length (buffer, i));
  hash = orrery_hash_word (hash, orrery_buffer_get_element (buffer));
  return orrery_hash_bytes (hash, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer));
}

static void
release_buffer (gpointer buffer)
{
  orrery_buffer_unref (buffer);
}

static GVariant *
buffer_to_variant (const OrreryFieldClass *klass, gconstpointer field)
{
  OrreryBuffer *buffer = *(OrreryBuffer *const *) field;
  GVariantBuilder shape;

  g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
  if (buffer == NULL)
    return g_variant_new ("(sax@ay)", orrery_element_get_name (ORRERY_ELEMENT_UINT8), &shape,
                          g_variant_new_from_data (G_VARIANT_TYPE ("ay"), NULL, 0, TRUE, NULL,
                                                   NULL));
  for (guint i = 0; i < orrery_buffer_get_n_dimensions (buffer); i++)
    g_variant_builder_add (&shape, "x", (gint64) orrery_buffer_get_length (buffer, i));
  /* The variant shares the bytes; a buffer with two owners is never written to. */
  return g_variant_new ("(sax@ay)", orrery_element_get_name (orrery_buffer_get_element (buffer)),
                        &shape,
                        g_variant_new_from_data (G_VARIANT_TYPE ("ay"),
                                                 orrery_buffer_get_data (buffer),
                                                 orrery_buffer_get_size (buffer), TRUE,
                                                 release_buffer, orrery_buffer_ref (buffer)));
}

static gboolean
refuse_buffer (const char *reason, GError **error)
{
  return orrery_fail (error, ORRERY_ERROR_INVALID, "needs a buffer: %s", reason);
}

static gboolean
read_shape (GVariant *value, gsize *shape, gsize *n_dimensions, GError **error)
{
  g_autoptr (GVariant) list = g_variant_get_child_value (value, 1);
  const gint64 *lengths = g_variant_get_fixed_array (list, n_dimensions, sizeof *lengths);

  if (*n_dimensions > ORRERY_BUFFER_MAX_DIMENSIONS)
    return refuse_buffer ("more than four dimensions", error);
  for (gsize i = 0; i < *n_dimensions; i++) {
    if (lengths[i] < 0)
      return refuse_buffer ("a length below 0", error);
    shape[i] = (gsize) lengths[i];
  }
  return TRUE;
}

/* Checks the number of bytes without creating them. */
static gboolean
needs_bytes (OrreryElement element, const gsize *shape, gsize n_dimensions, gsize n_bytes)
{
  gsize size = orrery_element_get_size (element);

  for (gsize i = 0; i < n_dimensions; i++)
    if (!g_size_checked_mul (&size, size, shape[i]))
      return FALSE;
  return size == n_bytes;
}

static gboolean
read_buffer (GVariant *value, OrreryBuffer **buffer, GError **error)
{
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS], n_dimensions, n_bytes;
  g_autoptr (GVariant) name = g_variant_get_child_value (value, 0);
  g_autoptr (GVariant) list = g_variant_get_child_value (value, 2);
  gconstpointer bytes = g_variant_get_fixed_array (list, &n_bytes, 1);
  OrreryElement element;

  if (!orrery_element_from_name (g_variant_get_string (name, NULL), &element))
    return refuse_buffer ("no such type of elements", error);
  if (!read_shape (value, shape, &n_dimensions, error))
    return FALSE;
  if (n_dimensions == 0 && n_bytes == 0)
    return TRUE;
  if (n_dimensions == 0 || !needs_bytes (element, shape, n_dimensions, n_bytes))
    return refuse_buffer ("the number of bytes is not that of the shape", error);
  *buffer = orrery_buffer_new (element, (guint) n_dimensions, shape);
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
  clear_buffer (field);
  *(OrreryBuffer **) field = buffer;
  return TRUE;
}

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

const OrreryFieldClass orrery_array_field_class = {
  .name = "array",
  PLACE (OrreryArray),
  .clear = clear_buffer,
  .copy = copy_buffer,
  .hash = hash_array,
  .to_variant = array_to_variant,
  .from_variant = array_from_variant,
};

const OrreryFieldClass orrery_points_field_class = {
  .name = "points",
  PLACE (OrreryPoints),
  .clear = clear_buffer,
  .copy = copy_buffer,
  .hash = hash_points,
  .to_variant = points_to_variant,
  .from_variant = points_from_variant,
};

const OrreryFieldClass orrery_buffer_field_class = {
  .name = "buffer",
  PLACE (OrreryBuffer *),
  .clear = clear_buffer,
  .copy = copy_buffer,
  .hash = hash_buffer,
  .to_variant = buffer_to_variant,
  .from_variant = buffer_from_variant,
};
