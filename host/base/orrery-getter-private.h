/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Defines a public function that takes @self, of a type that @check tests, and returns a member of
 * it; where the check fails, zero. */
#define ORRERY_DEFINE_GETTER(result, name, type, check, member)                                    \
  result name (type *self)                                                                         \
  {                                                                                                \
    g_return_val_if_fail (check (self), (result) 0);                                               \
    return member;                                                                                 \
  }

/* The check of a struct that knows no type. */
#define ORRERY_IS_STRUCT(self) ((self) != NULL)
