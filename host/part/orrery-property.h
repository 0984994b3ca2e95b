/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <stddef.h>

G_BEGIN_DECLS

/**
 * OrreryPropertyValue: (skip)
 * @number: of a double
 * @integer: of a boolean, an integer, a value of an enumeration
 * @text: of a string; of a variant in the text format of GVariant; %NULL: none
 *
 * A bound or the default of a property.
 */
typedef union {
  double number;
  gint64 integer;
  const char *text;
} OrreryPropertyValue;

/**
 * OrreryPropertyFlags: (skip)
 * @ORRERY_PROPERTY_AT_START: it is read when the simulation starts: another value is refused from
 *   the end of the setup on, with these words
 * @ORRERY_PROPERTY_UNUSED: scenes may give it, and it has no effect: refused later, too
 *
 * When a property has an effect. A property without flags may change while the simulation runs; the
 * part uses the new value from the next step on.
 */
typedef enum {
  ORRERY_PROPERTY_AT_START = 1 << 0,
  ORRERY_PROPERTY_UNUSED = 1 << 1,
} OrreryPropertyFlags;

/**
 * OrreryProperty: (skip)
 * @nick: as users write it: `ControlType`, `pos_std`
 * @type: of the member: the fundamental type of GObject
 * @offset: place of the member in the struct, bytes
 * @from_text: of a double: whether a text that is a number is taken for it, too
 * @flags: #OrreryPropertyFlags
 * @low: the least value of a number
 * @high: the greatest value of a number
 * @fallback: the default
 * @enum_type: of an enumeration: its type
 * @check: (nullable): of others: judges a value of the right type and range before it is taken,
 *   before and after the setup; refuses it with an error that says what there is instead. The value
 *   is of the property's type
 * @words: what it means, with its unit, one line
 * @name: GObject's name; %NULL: made of @nick, `ControlType` and `control_type` become
 *   `control-type`
 * @changed: (nullable): called when the property was set, after the member was written; not for
 *   the default
 *
 * One property of a part: a member of its struct that scenes and services set. Made by
 * ORRERY_PROPERTY_DOUBLE() and the like.
 */
typedef struct {
  const char *nick;
  GType type;
  gint32 offset;
  gint16 from_text;
  guint16 flags;
  OrreryPropertyValue low;
  OrreryPropertyValue high;
  OrreryPropertyValue fallback;
  union {
    GType (*enum_type) (void);
    gboolean (*check) (OrreryPart *part, GVariant *value, GError **error);
  };
  const char *words;
  const char *name;
  void (*changed) (OrreryPart *part);
} OrreryProperty;

#ifndef __GI_SCANNER__
#ifndef __cplusplus
/* A member of any other type than the list allows does not compile: that is meant. */
#define ORRERY_PROPERTY_PLACE(Type, member, ...)                                                   \
  ((gint32) (offsetof (Type, member) + 0 * sizeof (_Generic(((Type *) 0)->member, __VA_ARGS__))))

/**
 * ORRERY_PROPERTY_DOUBLE: (skip)
 * @Type: the struct of the part
 * @member: one of its members, a double; may be one of a struct or array in it: `limits.x`
 * @nick: as users write it
 * @least: the least value
 * @greatest: the greatest value
 * @standard: the default
 * @...: what it means, with its unit; then, if need be, `.name = `, `.changed = `, `.flags = `,
 *   `.check = ` and, of a double, `.from_text = TRUE`
 *
 * One entry of a table of properties.
 */
#define ORRERY_PROPERTY_DOUBLE(Type, member, nick, least, greatest, standard, ...)                 \
  {                                                                                                \
    nick, G_TYPE_DOUBLE, ORRERY_PROPERTY_PLACE (Type, member, double : 0),                         \
        .low = { .number = least }, .high = { .number = greatest },                                \
        .fallback = { .number = standard }, .words = __VA_ARGS__                                   \
  }

#define ORRERY_PROPERTY_INTEGER(Type, member, nick, gtype, ctype, least, greatest, standard, ...)  \
  {                                                                                                \
    nick, gtype, ORRERY_PROPERTY_PLACE (Type, member, ctype : 0),                                  \
        .low = { .integer = least }, .high = { .integer = greatest },                              \
        .fallback = { .integer = standard }, .words = __VA_ARGS__                                  \
  }

/**
 * ORRERY_PROPERTY_INT: (skip)
 *
 * As ORRERY_PROPERTY_DOUBLE(), of an int.
 */
#define ORRERY_PROPERTY_INT(Type, member, nick, least, greatest, standard, ...)                    \
  ORRERY_PROPERTY_INTEGER (Type, member, nick, G_TYPE_INT, int, least, greatest, standard,         \
                           __VA_ARGS__)

/**
 * ORRERY_PROPERTY_UINT: (skip)
 *
 * As ORRERY_PROPERTY_DOUBLE(), of a guint.
 */
#define ORRERY_PROPERTY_UINT(Type, member, nick, least, greatest, standard, ...)                   \
  ORRERY_PROPERTY_INTEGER (Type, member, nick, G_TYPE_UINT, guint, least, greatest, standard,      \
                           __VA_ARGS__)

/**
 * ORRERY_PROPERTY_INT64: (skip)
 *
 * As ORRERY_PROPERTY_DOUBLE(), of a gint64.
 */
#define ORRERY_PROPERTY_INT64(Type, member, nick, least, greatest, standard, ...)                  \
  ORRERY_PROPERTY_INTEGER (Type, member, nick, G_TYPE_INT64, gint64, least, greatest, standard,    \
                           __VA_ARGS__)

/**
 * ORRERY_PROPERTY_BOOLEAN: (skip)
 * @Type: the struct of the part
 * @member: one of its members, a gboolean
 * @nick: as users write it
 * @standard: the default
 * @...: what it means, as for ORRERY_PROPERTY_DOUBLE()
 */
#define ORRERY_PROPERTY_BOOLEAN(Type, member, nick, standard, ...)                                 \
  ORRERY_PROPERTY_INTEGER (Type, member, nick, G_TYPE_BOOLEAN, gboolean, FALSE, TRUE, standard,    \
                           __VA_ARGS__)

/**
 * ORRERY_PROPERTY_ENUM: (skip)
 * @Type: the struct of the part
 * @member: one of its members, of an enumeration
 * @nick: as users write it
 * @get_type: function that returns the GType of the enumeration; users write the nicks of its
 *   values
 * @standard: the default
 * @...: what it means, as for ORRERY_PROPERTY_DOUBLE()
 */
#define ORRERY_PROPERTY_ENUM(Type, member, nick, get_type, standard, ...)                          \
  {                                                                                                \
    nick, G_TYPE_ENUM, ORRERY_PROPERTY_PLACE (Type, member, int : 0, guint : 0),                   \
        .fallback = { .integer = standard }, .enum_type = get_type, .words = __VA_ARGS__           \
  }

/**
 * ORRERY_PROPERTY_STRING: (skip)
 * @Type: the struct of the part
 * @member: one of its members, a char pointer; the string is its own, and freed with the part
 * @nick: as users write it
 * @standard: the default; where it is a text, the member is never %NULL
 * @...: what it means, as for ORRERY_PROPERTY_DOUBLE()
 */
#define ORRERY_PROPERTY_STRING(Type, member, nick, standard, ...)                                  \
  {                                                                                                \
    nick, G_TYPE_STRING, ORRERY_PROPERTY_PLACE (Type, member, char * : 0),                         \
        .fallback = { .text = standard }, .words = __VA_ARGS__                                     \
  }

/**
 * ORRERY_PROPERTY_VARIANT: (skip)
 * @Type: the struct of the part
 * @member: one of its members, a pointer to a GVariant of any type; a reference of its own, given
 *   back with the part
 * @nick: as users write it
 * @standard: the default in the text format of GVariant, or %NULL
 * @...: what it means, as for ORRERY_PROPERTY_DOUBLE()
 */
#define ORRERY_PROPERTY_VARIANT(Type, member, nick, standard, ...)                                 \
  {                                                                                                \
    nick, G_TYPE_VARIANT, ORRERY_PROPERTY_PLACE (Type, member, GVariant * : 0),                    \
        .fallback = { .text = standard }, .words = __VA_ARGS__                                     \
  }
#endif
#endif

/**
 * orrery_properties_check: (skip)
 * @properties: (array length=n_properties): a table
 * @n_properties: its length
 *
 * Judges a table of properties before it is used: names, words and types given, no name twice,
 * bounds in order with the default between them, a default that its type has.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_PLUGIN
 */
ORRERY_API gboolean orrery_properties_check (const OrreryProperty *properties, guint n_properties,
                                             GError **error);

G_END_DECLS
