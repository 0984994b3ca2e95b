/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-random.h"
#include "part/orrery-property.h"
#include "part/orrery-service.h"
#include "record/orrery-schema.h"
#include "world/orrery-tick.h"

G_BEGIN_DECLS

/**
 * OrreryPart:
 *
 * Anything that a plugin class makes; the common base of all roles: name, properties, services,
 * state. Tick thread only.
 *
 * Properties configure a part: GObject properties, writable, whose nick is the name that users
 * write (`ControlType`, `pos_std`); type, range, default and words come from the property itself.
 * A class declares them by a table, see orrery_part_class_add_properties(), or by hand.
 */
#define ORRERY_TYPE_PART (orrery_part_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryPart, orrery_part, ORRERY, PART, GObject)

/**
 * OrreryPartClass:
 * @setup: called once, after properties are set and before the first tick; everything that has a
 *   name is looked up here
 * @call: runs a service; by default the function of the class's table
 * @cancel: stops what it does for a long-running call; the host then ends the call as preempted
 * @save: what it remembers beyond properties, record and the tables of
 *   orrery_part_class_add_state(); %NULL: nothing
 * @restore: (nullable): takes what @save gave, with the members of the tables restored already;
 *   @state is %NULL if the class has tables and no @save. A reset restores the state after setup
 * @state_type: (nullable): the type of variant that @save gives; any other is refused before
 *   @restore; %NULL: any
 * @services: (skip): private; see orrery_part_class_add_services()
 * @other_options: (skip): private; see orrery_part_class_allow_other_options()
 * @properties: (skip): private; see orrery_part_class_add_properties()
 * @states: (skip): private; see orrery_part_class_add_state()
 * @stands_for: (skip): private; the class whose parts run in another process
 */
struct _OrreryPartClass {
  GObjectClass parent_class;

  void (*setup) (OrreryPart *self, OrrerySetup *setup, GError **error);
  void (*call) (OrreryPart *self, const char *service, OrreryCall *call, GError **error);
  void (*cancel) (OrreryPart *self, OrreryCall *call);
  GVariant *(*save) (OrreryPart *self);
  void (*restore) (OrreryPart *self, GVariant *state, GError **error);
  const char *state_type;

  /*< private >*/
  GPtrArray *services;
  gboolean other_options;
  GArray *properties;
  GArray *states;
  GArray *owned;
  OrreryPartClass *stands_for;
  gpointer _reserved[2];
};

/**
 * orrery_part_class_add_properties: (skip)
 * @klass: a class, in its class_init
 * @properties: (array length=n_properties): a table that orrery_properties_check() accepts; it is
 *   copied, the texts and functions that it names are borrowed
 * @n_properties: its length
 * @base: bytes from the instance to the struct that the table describes; 0 for the struct of the
 *   part, less for private data
 *
 * Adds to the properties that the class inherits, whether those are of a table or by hand; one of
 * the same name replaces the inherited one. They are GObject's, with notification, and are read
 * and written by their place; a class with a table has no `set_property` and `get_property` of its
 * own. Members have their defaults before the class's instance init runs, and strings and variants
 * are freed after its finalize. A class may add several tables.
 *
 * As any property they are set before the setup, and later on the tick thread, between steps; the
 * part itself reads its members.
 */
ORRERY_API void orrery_part_class_add_properties (OrreryPartClass *klass,
                                                  const OrreryProperty *properties,
                                                  guint n_properties, gssize base);
#define ORRERY_CLASS_SET_PROPERTIES(klass, table)                                                  \
  orrery_part_class_add_properties (ORRERY_PART_CLASS (klass), table, G_N_ELEMENTS (table), 0)
/* The same for a table of the private data that G_DEFINE_TYPE_WITH_PRIVATE() adds. */
#define ORRERY_CLASS_SET_PRIVATE_PROPERTIES(klass, table)                                          \
  orrery_part_class_add_properties (ORRERY_PART_CLASS (klass), table, G_N_ELEMENTS (table),        \
                                    g_type_class_get_instance_private_offset (klass))

/**
 * orrery_part_class_add_state: (skip)
 * @klass: a class, in its class_init
 * @fields: (array length=n_fields): a static table that orrery_fields_check() accepts; borrowed
 * @n_fields: its length
 * @size: size of the struct that the table describes, bytes
 * @base: bytes from the instance to that struct; 0 for the struct of the part
 *
 * Adds to what parts of the class remember from step to step: members that are saved and restored
 * by their place, bit by bit. Set them in the setup; a reset gives them the values that they had
 * after it. What members of type text, array, points, buffer and variant own is freed after the
 * finalize of the class. What a member of type record refers to is not saved. A class may add
 * several tables, and has those of its base; @save and @restore add what no table can say.
 *
 * A state that was saved from other tables is refused with %ORRERY_ERROR_INVALID.
 */
ORRERY_API void orrery_part_class_add_state (OrreryPartClass *klass, const OrreryField *fields,
                                             guint n_fields, gsize size, gssize base);
#define ORRERY_CLASS_SET_STATE(klass, Struct, table)                                               \
  orrery_part_class_add_state (ORRERY_PART_CLASS (klass), table, G_N_ELEMENTS (table),             \
                               sizeof (Struct), 0)
/* One entry of such a table: a member, or a member of a member, of a type that a field can have. */
#define ORRERY_STATE(Struct, member) ORRERY_FIELD (Struct, member, "", "")

/**
 * orrery_part_class_add_owned: (skip)
 * @klass: a class, in its class_init
 * @place: bytes from the instance to the member
 * @free: a function of one pointer
 * @in_place: whether the member itself is cleared, and not a pointer in it freed
 *
 * Frees a member with the part: @free is called with the pointer in it unless that is %NULL, or
 * with its address. That is after the class's finalize, if it has one, in the order of the calls.
 */
ORRERY_API void orrery_part_class_add_owned (OrreryPartClass *klass, gsize place,
                                             GDestroyNotify free, gboolean in_place);
/* A member that is a pointer: `ORRERY_CLASS_OWNS (klass, AcmeSonar, world, g_object_unref)`. A
 * function of another pointer does not compile. */
#define ORRERY_CLASS_OWNS(klass, Struct, member, free)                                             \
  ((void) sizeof (((free) (((Struct *) 0)->member), 0)),                                           \
   orrery_part_class_add_owned (ORRERY_PART_CLASS (klass), offsetof (Struct, member),              \
                                (GDestroyNotify) (void (*) (void)) (free), FALSE))
/* A member that is a struct: `ORRERY_CLASS_OWNS_IN_PLACE (klass, AcmeSonar, list, list_clear)`. */
#define ORRERY_CLASS_OWNS_IN_PLACE(klass, Struct, member, clear)                                   \
  ((void) sizeof (((clear) (&((Struct *) 0)->member), 0)),                                         \
   orrery_part_class_add_owned (ORRERY_PART_CLASS (klass), offsetof (Struct, member),              \
                                (GDestroyNotify) (void (*) (void)) (clear), TRUE))

/**
 * orrery_part_save_state: (skip)
 * @part: a part, after its setup
 *
 * Returns: (transfer full) (nullable): what it remembers, by the tables and the `save` of its
 *   class; %NULL: nothing
 */
ORRERY_API GVariant *orrery_part_save_state (OrreryPart *part);
/**
 * orrery_part_restore_state: (skip)
 * @part: a part, after its setup
 * @state: (nullable): what orrery_part_save_state() gave; %NULL: nothing
 * @error: return location for %ORRERY_ERROR_INVALID: it was saved from another class, or is damaged
 */
ORRERY_API void orrery_part_restore_state (OrreryPart *part, GVariant *state, GError **error);
/**
 * orrery_part_refuse_state: (skip)
 *
 * For a `restore` that finds a state of the right type to be none of its own: sets
 * %ORRERY_ERROR_INVALID.
 */
ORRERY_API void orrery_part_refuse_state (OrreryPart *part, GError **error);

/**
 * orrery_part_class_add_services: (skip)
 * @klass: a class, in its class_init
 * @services: (array length=n_services): a static table; borrowed
 * @n_services: its length
 *
 * Adds to the services that the class inherits; one of the same name replaces the inherited one.
 */
ORRERY_API void orrery_part_class_add_services (OrreryPartClass *klass,
                                                const OrreryService *services, guint n_services);
#define ORRERY_CLASS_SET_SERVICES(klass, table)                                                    \
  orrery_part_class_add_services (ORRERY_PART_CLASS (klass), table, G_N_ELEMENTS (table))

/**
 * orrery_part_class_declare_services:
 * @klass: a class, before its first instance
 * @table: `a(ssus)`: of each service its name, signature, #OrreryServiceFlags, words
 *
 * The same for classes that are not written in C, which answer in their `call`. A floating @table
 * is consumed.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: another kind of variant, a name given
 *   twice, a name or signature that is none
 */
ORRERY_API gboolean orrery_part_class_declare_services (OrreryPartClass *klass, GVariant *table,
                                                        GError **error);
/**
 * orrery_part_class_read_at_start:
 * @klass: a class, before its first instance
 * @name: name of one of its properties as users write it (nick), or its GObject name
 *
 * For properties by hand and for bindings, what `.flags = ORRERY_PROPERTY_AT_START` says in a
 * table: the part reads the property in its setup, and another value is refused later.
 *
 * Returns: whether there is such a property
 */
ORRERY_API gboolean orrery_part_class_read_at_start (OrreryPartClass *klass, const char *name);
/**
 * orrery_part_class_allow_other_options:
 * @klass: a class, before its first instance
 *
 * Lets scenes and configs give parts of the class properties that it does not declare. It finds
 * them in orrery_setup_get_options(), and those of a component on its scene object, too.
 */
ORRERY_API void orrery_part_class_allow_other_options (OrreryPartClass *klass);
/**
 * orrery_part_class_find_service: (skip)
 * @klass: a class
 * @name: as callers say it
 *
 * Returns: (nullable): the service of that name, its own or inherited
 */
ORRERY_API const OrreryService *orrery_part_class_find_service (OrreryPartClass *klass,
                                                                const char *name);
/**
 * orrery_part_class_get_services: (skip)
 * @klass: a class
 *
 * Returns: its services (OrreryService) in order, those of its base first
 */
ORRERY_API GPtrArray *orrery_part_class_get_services (OrreryPartClass *klass);

/**
 * orrery_part_set_service_type:
 * @part: a part, in its setup
 * @service: name of one of its services
 * @type: (nullable): PACKAGE/NAME of the type of service or action that it has where messages have
 *   types; the fields of a request are its arguments, a goal is its only one
 *
 * For classes that know the type of a service; request managers may know another.
 */
ORRERY_API void orrery_part_set_service_type (OrreryPart *part, const char *service,
                                              const char *type);
/**
 * orrery_part_get_service_type:
 * @service: name of one of its services
 *
 * Returns: (nullable): the type that was set
 */
ORRERY_API const char *orrery_part_get_service_type (OrreryPart *part, const char *service);
/**
 * orrery_part_get_service_names:
 *
 * Returns: (transfer container) (array zero-terminated=1): names of its services in order, those of
 *   its base first
 */
ORRERY_API const char **orrery_part_get_service_names (OrreryPart *part);
/**
 * orrery_part_get_service_flags:
 * @name: as callers say it
 *
 * Returns: the kind of the service; an immediate one where there is none of that name
 */
ORRERY_API OrreryServiceFlags orrery_part_get_service_flags (OrreryPart *part, const char *name);

/**
 * orrery_part_get_name:
 *
 * Returns: the full name: `robot.pose`, of a modifier `robot.pose/Class#0`
 */
ORRERY_API const char *orrery_part_get_name (OrreryPart *part);
/**
 * orrery_part_get_classpath:
 *
 * Returns: the classpath that it was made from, as `orrery.sensors.pose.Pose`
 */
ORRERY_API const char *orrery_part_get_classpath (OrreryPart *part);

/**
 * orrery_part_set_option:
 * @name: name of a property as users write it (nick), or its GObject name
 * @value: the value; numbers are converted where nothing is lost
 *
 * From the end of its setup on the part takes no other value of a property that is read at the
 * start. A text is at most 64 KiB, any other value 1 MiB long.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_NOT_FOUND (no such property; the nearest are named)
 *   or %ORRERY_ERROR_INVALID (wrong type, out of range: the range is named, not finite, too long,
 *   too late)
 */
ORRERY_API gboolean orrery_part_set_option (OrreryPart *part, const char *name, GVariant *value,
                                            GError **error);
/**
 * orrery_part_get_option:
 * @name: name of a property
 *
 * Returns: (transfer full) (nullable): its value, or %NULL if there is no such property
 */
ORRERY_API GVariant *orrery_part_get_option (OrreryPart *part, const char *name);
/**
 * orrery_part_is_option_fixed:
 * @name: name of a property
 *
 * Returns: whether it takes no other value from the end of the setup on; %FALSE where there is no
 *   such property
 */
ORRERY_API gboolean orrery_part_is_option_fixed (OrreryPart *part, const char *name);
/**
 * orrery_part_get_option_names:
 *
 * Returns: (transfer full) (array zero-terminated=1): names as users write them, base class first
 */
ORRERY_API char **orrery_part_get_option_names (OrreryPart *part);
/**
 * orrery_part_class_list_options: (skip)
 * @klass: a class
 * @n: (out): how many
 *
 * Returns: the properties that users may set, in order; free the array with g_free()
 */
ORRERY_API GParamSpec **orrery_part_class_list_options (OrreryPartClass *klass, guint *n);

/**
 * orrery_part_get_random: (skip)
 * @tick: the present tick
 *
 * Returns: the part's random stream of this tick: depends on seed, full name and tick only; valid
 *   in this step
 */
ORRERY_API OrreryRandom *orrery_part_get_random (OrreryPart *part, OrreryTick *tick);
/**
 * orrery_part_draw_uniform:
 * @tick: the present tick
 *
 * For bindings: the next number of orrery_part_get_random().
 *
 * Returns: a double in [0, 1)
 */
ORRERY_API double orrery_part_draw_uniform (OrreryPart *part, OrreryTick *tick);
/**
 * orrery_part_draw_gaussian:
 * @tick: the present tick
 *
 * For bindings: the next normal deviate of orrery_part_get_random().
 *
 * Returns: a double of mean 0 and deviation 1
 */
ORRERY_API double orrery_part_draw_gaussian (OrreryPart *part, OrreryTick *tick);

G_END_DECLS
