/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"
#include "record/orrery-record.h"

G_BEGIN_DECLS

/**
 * OrreryComponent:
 *
 * A robot, sensor or actuator placed in the scene: object, record, frequency. Every component has
 * the services get_properties, set_property, get_configurations.
 */
#define ORRERY_TYPE_COMPONENT (orrery_component_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryComponent, orrery_component, ORRERY, COMPONENT, OrreryPart)

/**
 * OrreryMorseOrder: (skip)
 * @ORRERY_MORSE_ORDER_NEWEST: the newest first
 * @ORRERY_MORSE_ORDER_MODEL: after those; the oldest first, as what is appended from a file
 * @ORRERY_MORSE_ORDER_TOUCH: after those; the newest first, as what an event manager of its own
 *   calls
 *
 * Where MORSE calls the components of a class within a phase; see docs/order.md.
 */
typedef enum {
  ORRERY_MORSE_ORDER_NEWEST,
  ORRERY_MORSE_ORDER_MODEL,
  ORRERY_MORSE_ORDER_TOUCH,
} OrreryMorseOrder;

/**
 * OrreryComponentClass:
 * @schema: (skip): private; see orrery_component_class_set_fields()
 * @morse_order: (skip): private; see orrery_component_class_set_morse_order()
 */
struct _OrreryComponentClass {
  OrreryPartClass parent_class;

  /*< private >*/
  OrrerySchema *schema;
  OrreryMorseOrder morse_order;
  gpointer _reserved[7];
};

/**
 * orrery_component_class_set_fields: (skip)
 * @klass: a class, in its class_init
 * @fields: (array length=n_fields): static table over the struct that is the record
 * @n_fields: its length
 * @size: size of that struct
 */
ORRERY_API void orrery_component_class_set_fields (OrreryComponentClass *klass,
                                                   const OrreryField *fields, guint n_fields,
                                                   gsize size);
/**
 * ORRERY_CLASS_SET_DATA: (skip)
 * @klass: a class, in its class_init
 * @Struct: the struct that is the record
 * @fields: an array of #OrreryField, whose length is taken from its type
 *
 * orrery_component_class_set_fields() for a static array.
 */
#define ORRERY_CLASS_SET_DATA(klass, Struct, fields)                                               \
  orrery_component_class_set_fields (ORRERY_COMPONENT_CLASS (klass), fields,                       \
                                     G_N_ELEMENTS (fields), sizeof (Struct))
/**
 * orrery_component_class_set_schema:
 * @klass: a class, before its first instance
 * @schema: (transfer none): the fields of its records
 *
 * The same for classes that are not written in C.
 */
ORRERY_API void orrery_component_class_set_schema (OrreryComponentClass *klass,
                                                   OrrerySchema *schema);
/**
 * orrery_component_class_get_schema: (skip)
 *
 * Returns: (nullable): the schema of its records
 */
ORRERY_API OrrerySchema *orrery_component_class_get_schema (OrreryComponentClass *klass);

/**
 * orrery_component_class_set_morse_order: (skip)
 * @klass: a class, in its class_init; classes that derive from it have the same order
 * @order: where MORSE calls its components, if a scene asks for MORSE's order
 */
ORRERY_API void orrery_component_class_set_morse_order (OrreryComponentClass *klass,
                                                        OrreryMorseOrder order);

/**
 * orrery_component_get_object:
 *
 * The object at which the component is placed. It is known from the setup on and never changes.
 *
 * Returns: (transfer none): its object in the scene; as long as the component
 */
ORRERY_API OrreryObject *orrery_component_get_object (OrreryComponent *component);
/**
 * orrery_component_get_pose:
 *
 * The world pose in the present snapshot, which the next tick replaces. Known from the setup on. Do
 * not keep the pointer.
 *
 * Returns: (transfer none): the pose, valid in the step
 */
ORRERY_API const OrreryTransform *orrery_component_get_pose (OrreryComponent *component);
/**
 * orrery_component_get_mounting:
 *
 * Where the component was mounted at the start, as joints between it and the robot stood then. It
 * does not follow what moves later.
 *
 * Returns: (transfer none): its pose in its robot's frame; the identity for a robot. As long as the
 *   component
 */
ORRERY_API const OrreryTransform *orrery_component_get_mounting (OrreryComponent *component);
/**
 * orrery_component_get_record:
 *
 * The record that a sensor fills and an actuator follows. It is the same for the whole run, but for
 * orrery_setup_set_schema() in the setup; others read in it what the last step and its modifiers
 * have left.
 *
 * Returns: (transfer none): its data; as long as the component
 */
ORRERY_API OrreryRecord *orrery_component_get_record (OrreryComponent *component);
/**
 * orrery_component_get_data: (skip)
 * @component: (type OrreryComponent): a component
 *
 * For a class in C with a table of fields: its data in the struct that the table describes.
 *
 * Returns: (transfer none): the struct that its record holds, as orrery_record_data() has it; as
 *   long as the record
 */
ORRERY_API gpointer orrery_component_get_data (gpointer component);
/**
 * orrery_component_get_robot:
 *
 * The nearest robot above it in the scene. Known from the setup on.
 *
 * Returns: (transfer none) (nullable): the robot that carries it; a robot carries itself
 */
ORRERY_API OrreryComponent *orrery_component_get_robot (OrreryComponent *component);
/**
 * orrery_component_set_axes:
 * @component: a component, in its instance init
 * @axes: from the axes that are shown to the component's own frame; a unit quaternion
 *
 * For a component that MORSE's clients know in other axes than those of its frame, as a camera in
 * optical ones: `get_configurations`, `get_scene_objects` and `set_object_position` return and take
 * its rotation in these axes. Nothing else changes.
 */
ORRERY_API void orrery_component_set_axes (OrreryComponent *component, const OrreryQuat *axes);
/**
 * orrery_component_get_frequency:
 *
 * How often it is asked to run, in simulated time: the frequency that the scene gives it, else its
 * class's, else %ORRERY_DEFAULT_FREQUENCY; of a robot for which nobody says one, the simulation's.
 * One above the simulation's is returned as it is, though the component then runs every tick. Known
 * from the setup on.
 *
 * Returns: Hz, above 0
 */
ORRERY_API double orrery_component_get_frequency (OrreryComponent *component);
/**
 * orrery_component_get_period:
 *
 * The nominal time between two steps, for formulas that divide by it as MORSE does: the inverse of
 * the frequency that was set, even if it does not divide the simulation's frequency or is above it.
 * The time that really passes between two steps is counted in ticks, or by the robot's clock.
 *
 * Returns: 1/orrery_component_get_frequency(), s, known from setup on: cheap in each step; the
 * tick's length for what has no frequency
 */
ORRERY_API double orrery_component_get_period (OrreryComponent *component);
/**
 * orrery_component_get_level:
 *
 * A class with levels is realised by one of them, which the scene names or which is its default.
 *
 * Returns: (nullable): the name of the level that it was made for; %NULL: its class has none
 */
ORRERY_API const char *orrery_component_get_level (OrreryComponent *component);
/**
 * orrery_component_is_active:
 *
 * A component is active at first, and again after a reset.
 *
 * Returns: whether it takes part in the ticks
 */
ORRERY_API gboolean orrery_component_is_active (OrreryComponent *component);
/**
 * orrery_component_set_active:
 * @active: whether it takes part in the ticks; while it does not, nothing of it runs and messages
 * to it wait, the last one winning
 *
 * What the services `activate` and `deactivate` of `simulation` do. Its record keeps what the last
 * step has left. Tick thread.
 */
ORRERY_API void orrery_component_set_active (OrreryComponent *component, gboolean active);
/**
 * orrery_component_is_stale:
 *
 * Whether its record was not updated by its last step: a free-running component in a worker had no
 * new record, or its worker is down. A component that runs in the host is never stale.
 *
 * Returns: whether it is
 */
ORRERY_API gboolean orrery_component_is_stale (OrreryComponent *component);
/**
 * orrery_component_is_wanted:
 *
 * Whether anybody reads the record that this step makes: a client of a stream, a subscriber,
 * another component, a modifier, a script, the hash of the run. A component that called
 * orrery_setup_set_on_demand() asks in each step, and saves the work where nobody does. The answer
 * is found once in a tick, and is %TRUE for all others. Thread of the step.
 *
 * Returns: whether the record is wanted
 */
ORRERY_API gboolean orrery_component_is_wanted (OrreryComponent *component);
/**
 * orrery_component_get_call:
 *
 * The call of a service of %ORRERY_SERVICE_LONG that the part has not answered; concurrent calls
 * are not kept here. A part that runs in a worker knows it in the host, too.
 *
 * Returns: (transfer none) (nullable): the long-running call that it is busy with
 */
ORRERY_API OrreryCall *orrery_component_get_call (OrreryComponent *component);
/**
 * orrery_component_was_commanded:
 *
 * For an actuator in its step: tells a new command from one that stands. A message counts if
 * neither its codec nor a modifier refuses it. The step in which the `timeout` of an actuator halts
 * it counts, too, as its record was changed.
 *
 * Returns: whether its record was changed from outside for this step
 */
ORRERY_API gboolean orrery_component_was_commanded (OrreryComponent *component);

G_END_DECLS
