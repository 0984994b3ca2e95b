/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of objects that can be written into a channel. */
#include "channel/orrery-value.h"

G_DEFINE_INTERFACE (OrreryValue, orrery_value, G_TYPE_OBJECT)

static void
orrery_value_default_init (OrreryValueInterface *iface)
{
}

gsize
orrery_value_get_size (OrreryValue *value)
{
  g_return_val_if_fail (ORRERY_IS_VALUE (value), 0);

  return ORRERY_VALUE_GET_IFACE (value)->get_size (value);
}

gboolean
orrery_value_write (OrreryValue *value, gpointer data, gsize size, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_VALUE (value) && data != NULL, FALSE);

  return ORRERY_VALUE_GET_IFACE (value)->write (value, data, size, error);
}

gboolean
orrery_value_read (OrreryValue *value, GVariant *parameters, gconstpointer data, gsize size,
                   GError **error)
{
  g_return_val_if_fail (ORRERY_IS_VALUE (value) && data != NULL, FALSE);

  return ORRERY_VALUE_GET_IFACE (value)->read (value, parameters, data, size, error);
}

GVariant *
orrery_value_get_parameters (OrreryValue *value)
{
  OrreryValueInterface *iface;
  GVariant *parameters;

  g_return_val_if_fail (ORRERY_IS_VALUE (value), NULL);

  iface = ORRERY_VALUE_GET_IFACE (value);
  parameters = iface->get_parameters != NULL ? iface->get_parameters (value) : NULL;
  return parameters != NULL ? g_variant_take_ref (parameters) : NULL;
}
