/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

/* Defines the functions that take and drop a reference to a struct, by a gatomicrefcount in it.
 * @destroy: frees the struct when the last reference is dropped */
#define ORRERY_DEFINE_COUNTED(Type, prefix, count, destroy)                                        \
  Type *prefix##_ref (Type *self)                                                                  \
  {                                                                                                \
    g_return_val_if_fail (self != NULL, NULL);                                                     \
    g_atomic_ref_count_inc (&self->count);                                                         \
    return self;                                                                                   \
  }                                                                                                \
                                                                                                   \
  void prefix##_unref (Type *self)                                                                 \
  {                                                                                                \
    g_return_if_fail (self != NULL);                                                               \
    if (g_atomic_ref_count_dec (&self->count))                                                     \
      destroy (self);                                                                              \
  }

/* Defines the boxed type of a struct that holds nothing but numbers. */
#define ORRERY_DEFINE_VALUE_TYPE(Type, prefix)                                                     \
  static Type *prefix##_copy (Type *self)                                                          \
  {                                                                                                \
    return g_memdup2 (self, sizeof *self);                                                         \
  }                                                                                                \
                                                                                                   \
  G_DEFINE_BOXED_TYPE (Type, prefix, prefix##_copy, g_free)
