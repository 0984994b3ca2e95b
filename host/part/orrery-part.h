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
 *   @state is %NULL if the class has tables and no @save. A state that it refuses with an error
 *   should change nothing: the tables get back what they held. A reset restores the state after
 * setup
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
/**
 * ORRERY_CLASS_SET_PROPERTIES: (skip)
 * @klass: a class, in its class_init
 * @table: an array of #OrreryProperty, whose length is taken from its type
 *
 * orrery_part_class_add_properties() for a table over the struct of the part.
 */
#define ORRERY_CLASS_SET_PROPERTIES(klass, table)                                                  \
  orrery_part_class_add_properties (ORRERY_PART_CLASS (klass), table, G_N_ELEMENTS (table), 0)
/**
 * ORRERY_CLASS_SET_PRIVATE_PROPERTIES: (skip)
 * @klass: a class, in its class_init
 * @table: an array of #OrreryProperty
 *
 * The same for a table over the private data that G_DEFINE_TYPE_WITH_PRIVATE() adds.
 */
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
/**
 * ORRERY_CLASS_SET_STATE: (skip)
 * @klass: a class, in its class_init
 * @Struct: the struct of the part
 * @table: an array of #OrreryField
 *
 * orrery_part_class_add_state() for a table over the struct of the part, made of ORRERY_STATE().
 */
#define ORRERY_CLASS_SET_STATE(klass, Struct, table)                                               \
  orrery_part_class_add_state (ORRERY_PART_CLASS (klass), table, G_N_ELEMENTS (table),             \
                               sizeof (Struct), 0)
/**
 * ORRERY_STATE: (skip)
 * @Struct: the struct of the part
 * @member: one of its members, or a member of a member, of a type that a field can have
 *
 * One entry of a table of states; the type follows from the member.
 */
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
/**
 * ORRERY_CLASS_OWNS: (skip)
 * @klass: a class, in its class_init
 * @Struct: the struct of the part
 * @member: one of its members
 * @free: frees what the member points at, unless that is %NULL; a function of another pointer does
 *   not compile
 *
 * orrery_part_class_add_owned() for a member that is a pointer, as in
 * `ORRERY_CLASS_OWNS (klass, AcmeSonar, world, g_object_unref)`.
 */
#define ORRERY_CLASS_OWNS(klass, Struct, member, free)                                             \
  ((void) sizeof (((free) (((Struct *) 0)->member), 0)),                                           \
   orrery_part_class_add_owned (ORRERY_PART_CLASS (klass), offsetof (Struct, member),              \
                                (GDestroyNotify) (void (*) (void)) (free), FALSE))
/**
 * ORRERY_CLASS_OWNS_IN_PLACE: (skip)
 * @klass: a class, in its class_init
 * @Struct: the struct of the part
 * @member: one of its members
 * @clear: clears the member at the address that it is given
 *
 * orrery_part_class_add_owned() for a member that is a struct, as in
 * `ORRERY_CLASS_OWNS_IN_PLACE (klass, AcmeSonar, list, list_clear)`.
 */
#define ORRERY_CLASS_OWNS_IN_PLACE(klass, Struct, member, clear)                                   \
  ((void) sizeof (((clear) (&((Struct *) 0)->member), 0)),                                         \
   orrery_part_class_add_owned (ORRERY_PART_CLASS (klass), offsetof (Struct, member),              \
                                (GDestroyNotify) (void (*) (void)) (clear), TRUE))

/**
 * orrery_part_save_state: (skip)
 * @part: a part, after its setup
 *
 * Asks the part for what it remembers from step to step, as orrery_simulation_save() asks all
 * parts. Properties, the record and the random stream are not in it.
 *
 * Returns: (transfer full) (nullable): what it remembers, by the tables and the `save` of its
 *   class; %NULL: nothing
 */
ORRERY_API GVariant *orrery_part_save_state (OrreryPart *part);
/**
 * orrery_part_restore_state: (skip)
 * @part: a part, after its setup
 * @state: (nullable): what orrery_part_save_state() gave; %NULL: nothing
 * @error: return location for %ORRERY_ERROR_INVALID: it was saved from another class, or is
 *   damaged; or for what the `restore` of the class sets
 *
 * Gives a part its state back. Without @state, and for a class without one, nothing is done. The
 * tables are restored before `restore`. Where @error is set, they hold what they held before;
 * whatever else a `restore` has changed before it set its error is not taken back.
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
 * ORRERY_INPUT_MAX_SIZE:
 *
 * Bytes of one input of orrery_part_take_input() that can be kept and fed, at most: 16 MiB.
 */
#define ORRERY_INPUT_MAX_SIZE (16 * 1024 * 1024)
/**
 * orrery_part_take_input:
 * @self: a part, in its step or in one of its callbacks with a tick
 * @tick: that tick
 * @data: (array length=size) (nullable): what the part has read or received from outside since its
 *   last tick, as bytes in a form of its own; %NULL: nothing
 * @size: length of @data; 0: nothing. What is longer than %ORRERY_INPUT_MAX_SIZE reaches the part,
 *   but is not kept, and a replay says so
 * @taken: (out): length of what is returned; 0: nothing has come
 *
 * Whatever reaches a part from outside by a way of its own, as a device that it reads or a
 * connection that it has, passes through here before the part uses it, so that a recorded run can
 * be run again. In a run the part gets @data itself, which an observer may keep. In a replay it
 * gets what was kept for this call: the first call of a part in a tick gets what its first call in
 * that tick was given, and so on. A tick without any has nothing for it, and the same code then
 * goes on with what it remembers; what it remembers of earlier inputs belongs to its state.
 *
 * In a replay nothing is there to read: orrery_setup_is_offline() says so in the setup, and the
 * part opens no device and no connection.
 *
 * Bytes of a recording may come from anywhere: a part checks their length and their content as it
 * checks what a device says. Allocates nothing where nobody records or replays. Thread of the step.
 *
 * Returns: (transfer none) (nullable) (array length=taken) (element-type guint8): what the part
 *   goes on with; %NULL: nothing. Valid until the end of the tick, if it is not @data
 */
ORRERY_API const guint8 *orrery_part_take_input (OrreryPart *self, OrreryTick *tick,
                                                 const guint8 *data, gsize size, gsize *taken);

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
/**
 * ORRERY_CLASS_SET_SERVICES: (skip)
 * @klass: a class, in its class_init
 * @table: an array of #OrreryService, whose length is taken from its type
 *
 * orrery_part_class_add_services() for a static array.
 */
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
 * The name that orrery_part_set_service_type() was given, for request managers whose services have
 * types. Whether there is such a service, or such a type, is not checked.
 *
 * Returns: (nullable): the type; %NULL: none was set. Valid until another is set
 */
ORRERY_API const char *orrery_part_get_service_type (OrreryPart *part, const char *service);
/**
 * orrery_part_get_service_names:
 *
 * What can be called of the part, with the services that every part of its role has. The names
 * belong to the class and stay; only the array is freed, with g_free().
 *
 * Returns: (transfer container) (array zero-terminated=1): names of its services in order, those of
 *   its base first
 */
ORRERY_API const char **orrery_part_get_service_names (OrreryPart *part);
/**
 * orrery_part_get_service_flags:
 * @name: as callers say it
 *
 * Tells how a service answers before it is called: at once, or later.
 *
 * Returns: the kind of the service; %ORRERY_SERVICE_IMMEDIATE where there is none of that name
 */
ORRERY_API OrreryServiceFlags orrery_part_get_service_flags (OrreryPart *part, const char *name);

/**
 * orrery_part_get_name:
 *
 * The full name, by which users and the log know the part and on which its random stream depends:
 * `robot.pose`, of a modifier `robot.pose/Class#0`. The host gives it after the instance init and
 * before the properties of the scene.
 *
 * Returns: the name, valid as long as the part; %NULL before the host has given it
 */
ORRERY_API const char *orrery_part_get_name (OrreryPart *part);
/**
 * orrery_part_get_classpath:
 *
 * The class that the scene names, or the one that realises the level that it asks for.
 *
 * Returns: the classpath, as `orrery.sensors.pose.Pose`, valid as long as the part; %NULL before
 *   the host has given it one
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
 * orrery_part_set_option_member:
 * @name: name of a property as users write it (nick), or its GObject name
 * @index: of the member, from 0
 * @value: the member
 *
 * Sets one member of a property that is a list, as it is now; the others stay. The list is then set
 * as by orrery_part_set_option().
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_NOT_FOUND (no such property; the nearest are named)
 *   or %ORRERY_ERROR_INVALID (no list, or one without such a member; else as of
 *   orrery_part_set_option())
 */
ORRERY_API gboolean orrery_part_set_option_member (OrreryPart *part, const char *name, guint index,
                                                   GVariant *value, GError **error);
/**
 * orrery_part_get_option:
 * @name: name of a property as users write it (nick), or its GObject name
 *
 * Reads a property as services and bindings see it: a boolean as `b`, an integer as `x` (of 64 bits
 * without a sign as `t`), a number as `d`, a text or the nick of an enumeration's value as `s`, and
 * a variant as itself. A text that is %NULL is read as empty, a variant that is none as `nothing`
 * of type `mv`.
 *
 * Returns: (transfer full) (nullable): its value, or %NULL if there is no such property
 */
ORRERY_API GVariant *orrery_part_get_option (OrreryPart *part, const char *name);
/**
 * orrery_part_is_option_fixed:
 * @name: name of a property
 *
 * Tells a property that may change while the simulation runs from one that is read at the start or
 * has no effect; see #OrreryPropertyFlags. The answer is the same before and after the setup.
 *
 * Returns: whether it takes no other value from the end of the setup on; %FALSE where there is no
 *   such property
 */
ORRERY_API gboolean orrery_part_is_option_fixed (OrreryPart *part, const char *name);
/**
 * orrery_part_get_option_names:
 *
 * Lists the properties that scenes may give, which are those that can be read and written at any
 * time. Others, which orrery_part_class_allow_other_options() lets scenes give, are not among them.
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
 * The stream from which a part draws in its step. Several calls in one tick go on in the same
 * stream; the next tick begins another one. It depends on the seed, the full name and the number of
 * the tick, so that neither other parts nor threads change what is drawn.
 *
 * Returns: the part's random stream, valid in this step
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
