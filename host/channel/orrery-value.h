/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryValue:
 *
 * An interface for types of your own that are sent through channels.
 */
#define ORRERY_TYPE_VALUE (orrery_value_get_type ())
ORRERY_API
G_DECLARE_INTERFACE (OrreryValue, orrery_value, ORRERY, VALUE, GObject)

/**
 * OrreryValueInterface:
 * @get_size: bytes of the value
 * @write: writes exactly as many at the address given, which is aligned to 64; or refuses
 * @read: takes the value from bytes, which may be any: they come from another process; or refuses
 * @get_parameters: (nullable): what a reader needs besides: type and shape of an array
 *
 * The four functions.
 */
struct _OrreryValueInterface {
  GTypeInterface parent_iface;

  /**
   * OrreryValueInterface::get_size:
   * @value: a value
   *
   * Returns: its bytes
   */
  gsize (*get_size) (OrreryValue *value);

  /**
   * OrreryValueInterface::write:
   * @value: a value
   * @data: (array length=size) (element-type guint8): where to
   * @size: what get_size said
   * @error: return location
   *
   * Returns: %TRUE, or %FALSE with an error
   */
  gboolean (*write) (OrreryValue *value, gpointer data, gsize size, GError **error);

  /**
   * OrreryValueInterface::read:
   * @value: a value
   * @parameters: (nullable): what get_parameters said
   * @data: (array length=size) (element-type guint8): the bytes, until it returns
   * @size: how many
   * @error: return location
   *
   * Returns: %TRUE, or %FALSE with an error and @value unchanged
   */
  gboolean (*read) (OrreryValue *value, GVariant *parameters, gconstpointer data, gsize size,
                    GError **error);

  /**
   * OrreryValueInterface::get_parameters:
   * @value: a value
   *
   * Returns: (transfer full) (nullable): the parameters, or %NULL
   */
  GVariant *(*get_parameters) (OrreryValue *value);

  gpointer _reserved[4];
};

/**
 * orrery_value_get_size:
 *
 * Asks the type, each time; the emitter calls it before each value.
 *
 * Returns: the bytes that orrery_value_write() writes
 */
ORRERY_API gsize orrery_value_get_size (OrreryValue *value);

/**
 * orrery_value_write: (skip)
 * @data: where to, orrery_value_get_size() bytes
 * @size: how many
 *
 * Called by orrery_emitter_emit_value(), with room that is aligned to 64.
 *
 * Returns: %TRUE, or %FALSE with the error of the type
 */
ORRERY_API gboolean orrery_value_write (OrreryValue *value, gpointer data, gsize size,
                                        GError **error);

/**
 * orrery_value_read: (skip)
 * @parameters: (nullable): what orrery_value_get_parameters() said of the one that was written
 * @data: the bytes
 * @size: how many
 *
 * Called by orrery_receiver_get_value(). The bytes may be any, and are valid during the call.
 *
 * Returns: %TRUE, or %FALSE with the error of the type
 */
ORRERY_API gboolean orrery_value_read (OrreryValue *value, GVariant *parameters, gconstpointer data,
                                       gsize size, GError **error);

/**
 * orrery_value_get_parameters:
 *
 * Called by orrery_emitter_emit_value(). A type without such a function has none. A floating
 * variant that the function of a type returns is sunk.
 *
 * Returns: (transfer full) (nullable): what a reader needs besides the bytes, or %NULL
 */
ORRERY_API GVariant *orrery_value_get_parameters (OrreryValue *value);

G_END_DECLS
