/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-vec3.h"
#include "text/orrery-keys-private.h"

#include <math.h>
#include <stddef.h>

/* Macros for the rows of tables of keys, for files that hold such tables. */

/* The place of a member; one of another type does not compile. */
#define AT(T, m, type) offsetof (T, m) + 0 * sizeof (&((T *) 0)->m - (type *) 0)
/* Of an enumeration, which has the size of an int. */
#define AT_ENUM(T, m)                                                                              \
  offsetof (T, m) + 0 * sizeof (char[sizeof ((T *) 0)->m == sizeof (int) ? 1 : -1])

#define NONE                                                                                       \
  {                                                                                                \
    NAN                                                                                            \
  }
#define ROW(name, kind, place, what, ...)                                                          \
  {                                                                                                \
    name, what, .type = ORRERY_KEY_##kind, .member = place, __VA_ARGS__                            \
  }
#define NUMBER(name, T, m, least, most, def, what, ...)                                            \
  ROW (name, NUMBER, AT (T, m, double), what, .low = least, .high = most, .value = { def },        \
       ##__VA_ARGS__)
#define COUNT(name, T, m, least, most, def, what, ...)                                             \
  ROW (name, COUNT, AT (T, m, guint), what, .low = least, .high = most, .value = { def },          \
       ##__VA_ARGS__)
#define BOOL(name, T, m, def, what, ...)                                                           \
  ROW (name, BOOL, AT (T, m, gboolean), what, .value = { def }, ##__VA_ARGS__)
#define WORD(name, T, m, list, def, what, ...)                                                     \
  ROW (name, WORD, AT_ENUM (T, m), what, .words = list, .value = { def }, ##__VA_ARGS__)
#define VECTOR(name, T, m, x, y, z, what)                                                          \
  ROW (name, VECTOR, AT (T, m, OrreryVec3), what, .value = { x, y, z })
#define COLOR(name, T, m, x, y, z, what, ...)                                                      \
  ROW (name, COLOR, AT (T, m, OrreryVec3), what, .value = { x, y, z }, ##__VA_ARGS__)
#define PAIR(name, T, m, least, most, a, b, what)                                                  \
  ROW (name, PAIR, AT (T, m, double), what, .low = least, .high = most, .value = { a, b })
#define NODE(name, kind, T, m, what, ...)                                                          \
  ROW (name, kind, AT (T, m, OrreryNode *), what, .value = NONE, ##__VA_ARGS__)
#define REQUIRED .flags = ORRERY_KEY_REQUIRED
