/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"

G_BEGIN_DECLS

/**
 * OrreryModifier:
 *
 * Changes the record of one component in place: after a sensor or a robot has filled it, or before
 * an actuator reads it, then only on a step with a new message. It finds its fields in `setup`
 * (orrery_setup_get_record(), orrery_record_find()) and keeps the pointers.
 */
#define ORRERY_TYPE_MODIFIER (orrery_modifier_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryModifier, orrery_modifier, ORRERY, MODIFIER, OrreryPart)

/**
 * OrreryModifierFunc: (skip)
 * @self: the modifier
 * @tick: the present tick
 * @error: return location
 *
 * Changes the record of the modifier's component in place. An error is a fault of the step of a
 * sensor or robot; it refuses the message of an actuator, whose record stays as it was. Thread of
 * the component's step.
 */
typedef void (*OrreryModifierFunc) (OrreryModifier *self, OrreryTick *tick, GError **error);

/**
 * OrreryMethod: (skip)
 * @name: as a config entry names it
 * @func: (nullable): what it does; %NULL: what the class's `modify` does
 * @words: one line
 *
 * A named method beside the class's own `modify`: the second element of a config entry names it.
 */
typedef struct {
  const char *name;
  OrreryModifierFunc func;
  const char *words;
} OrreryMethod;

/**
 * OrreryModifierClass:
 * @modify: changes the record
 * @release: (nullable): of a modifier that holds the records of a sensor back: writes into the
 * record one that is due by now, and says whether there was one. It is called in every tick, also
 * while the sensor is not due or is not active, until it returns %FALSE; each time the modifiers
 * after it run, and the record is sent. In a tick in which the sensor steps, its step comes first
 * @methods: (skip): private; see orrery_modifier_class_set_methods()
 * @n_methods: (skip): private
 */
struct _OrreryModifierClass {
  OrreryPartClass parent_class;

  void (*modify) (OrreryModifier *self, OrreryTick *tick, GError **error);

  /*< private >*/
  const OrreryMethod *methods;
  guint n_methods;

  /*< public >*/
  gboolean (*release) (OrreryModifier *self, OrreryTick *tick, GError **error);

  /*< private >*/
  gpointer _reserved[7];
};

/**
 * orrery_modifier_class_set_methods: (skip)
 * @klass: a class, in its class_init
 * @methods: (array length=n_methods): a static table; borrowed
 * @n_methods: its length
 *
 * Declares the named methods of a class, which a config entry can name.
 */
ORRERY_API void orrery_modifier_class_set_methods (OrreryModifierClass *klass,
                                                   const OrreryMethod *methods, guint n_methods);
/**
 * ORRERY_CLASS_SET_METHODS: (skip)
 * @klass: a class, in its class_init
 * @table: an array of #OrreryMethod, whose length is taken from its type
 *
 * orrery_modifier_class_set_methods() for a static array.
 */
#define ORRERY_CLASS_SET_METHODS(klass, table)                                                     \
  orrery_modifier_class_set_methods (ORRERY_MODIFIER_CLASS (klass), table, G_N_ELEMENTS (table))
/**
 * orrery_modifier_class_declare_methods:
 * @klass: a class, before its first instance
 * @table: `a(ss)`: of each method its name and words
 *
 * The same for classes that are not written in C: their `modify` runs what
 * orrery_modifier_get_method() names. A floating @table is consumed.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: another kind of variant
 */
ORRERY_API gboolean orrery_modifier_class_declare_methods (OrreryModifierClass *klass,
                                                           GVariant *table, GError **error);
/**
 * orrery_modifier_get_method:
 *
 * The method that its entry of the config names, where `modify` does what it says: one of
 * orrery_modifier_class_declare_methods(), or of a table without a function for it. Known from the
 * setup on.
 *
 * Returns: (nullable): its name, which is the class's; %NULL: the entry names none, or one that has
 *   a function
 */
ORRERY_API const char *orrery_modifier_get_method (OrreryModifier *modifier);
/**
 * orrery_modifier_class_find_method: (skip)
 * @name: as a config entry names it
 *
 * Returns: (nullable): the method of that name
 */
ORRERY_API const OrreryMethod *orrery_modifier_class_find_method (OrreryModifierClass *klass,
                                                                  const char *name);

G_END_DECLS
