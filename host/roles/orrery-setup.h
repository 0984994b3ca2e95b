/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-catalogue.h"
#include "record/orrery-record.h"
#include "world/orrery-commands.h"
#include "world/orrery-world.h"

G_BEGIN_DECLS

/**
 * OrrerySetup:
 *
 * Gives a part access to what it may look up in its setup. Valid only during `setup`.
 */
#define ORRERY_TYPE_SETUP (orrery_setup_get_type ())
ORRERY_API GType orrery_setup_get_type (void);
/**
 * orrery_setup_ref:
 * @setup: a setup
 *
 * Takes a reference. It keeps the memory, as bindings need it: after `setup` it no longer gives
 * access to the scene.
 *
 * Returns: (transfer full): @setup
 */
ORRERY_API OrrerySetup *orrery_setup_ref (OrrerySetup *setup);
/**
 * orrery_setup_unref:
 * @setup: a setup
 *
 * Drops a reference.
 */
ORRERY_API void orrery_setup_unref (OrrerySetup *setup);
/**
 * orrery_setup_get_world:
 *
 * The world of the scene with all of its objects. Physics has not been built yet, so that bodies
 * may still be changed.
 *
 * Returns: (transfer none): the world; as long as the simulation
 */
ORRERY_API OrreryWorld *orrery_setup_get_world (OrrerySetup *setup);
/**
 * orrery_setup_get_object:
 *
 * Where the part is in the scene.
 *
 * Returns: (transfer none) (nullable): the scene object of the component, of the one that the part
 *   belongs to, or of the script; %NULL: a part without a place, as a manager
 */
ORRERY_API OrreryObject *orrery_setup_get_object (OrrerySetup *setup);
/**
 * orrery_setup_get_component:
 *
 * The component that the setup is about.
 *
 * Returns: (transfer none) (nullable): the component itself, or the one that a modifier, datastream
 *   or overlay belongs to; %NULL for other parts
 */
ORRERY_API OrreryComponent *orrery_setup_get_component (OrrerySetup *setup);
/**
 * orrery_setup_get_record:
 *
 * The record in which modifiers and datastreams find their fields. orrery_setup_set_schema() in the
 * component's own setup, which comes first, replaces it.
 *
 * Returns: (transfer none) (nullable): the record of orrery_setup_get_component(); %NULL for other
 *   parts
 */
ORRERY_API OrreryRecord *orrery_setup_get_record (OrrerySetup *setup);
/**
 * orrery_setup_find_component:
 * @name: full name
 *
 * Looks a component up by its full name, also one whose setup comes later. Whoever finds a
 * component counts as a reader of its record from then on, unless orrery_setup_read_none() says
 * otherwise; see orrery_component_is_wanted().
 *
 * Returns: (transfer none) (nullable): a component of the scene; %NULL: there is none of that name
 */
ORRERY_API OrreryComponent *orrery_setup_find_component (OrrerySetup *setup, const char *name);
/**
 * orrery_setup_add_source:
 * @setup: a setup of a component
 * @component: whose record it reads
 *
 * Declares that the component reads the record of @component. If both have the same role, it then
 * runs after it in each tick, whatever their priorities; components that read each other are
 * refused.
 */
ORRERY_API void orrery_setup_add_source (OrrerySetup *setup, OrreryComponent *component);
/**
 * orrery_setup_set_on_demand:
 * @setup: a setup of a component
 *
 * Declares that the component asks orrery_component_is_wanted() in each step, and that in a step
 * where nobody wants its record it reads no other records either: what it finds in its setup is
 * then wanted on its account only while its own record is.
 */
ORRERY_API void orrery_setup_set_on_demand (OrrerySetup *setup);
/**
 * orrery_setup_read_none:
 * @setup: a setup
 *
 * Declares that the part reads no records of sensors that it finds in its setup, as who looks for
 * joints or robots among all objects: they need not work on its account. Sources are read.
 */
ORRERY_API void orrery_setup_read_none (OrrerySetup *setup);
/**
 * orrery_setup_add_command:
 * @setup: a setup of an actuator
 * @object: what it commands, as its robot's object
 * @kind: how
 *
 * Declares what the actuator commands in its steps, so that a warning can name two that command the
 * same of one object: the last command of a tick replaces those before it. Forces add up and need
 * no declaration. What is declared beyond 1000 is ignored.
 */
ORRERY_API void orrery_setup_add_command (OrrerySetup *setup, OrreryObject *object,
                                          OrreryCommandKind kind);
/**
 * orrery_setup_set_schema:
 * @setup: a setup of a component
 * @schema: (transfer none): fields that are known only now: joints of an armature
 *
 * Replaces the record of the component; the old one, and pointers into it, become invalid.
 */
ORRERY_API void orrery_setup_set_schema (OrrerySetup *setup, OrrerySchema *schema);
/**
 * orrery_setup_get_rays:
 *
 * Requests rays. The ray caster of the scene is created by the first request, and builds its
 * geometry before the first tick.
 *
 * Returns: (transfer none): the ray caster, there as long as the simulation; or %NULL with
 *   %ORRERY_ERROR_PLUGIN or %ORRERY_ERROR_NOT_FOUND: there is none, and why
 */
ORRERY_API OrreryRaycaster *orrery_setup_get_rays (OrrerySetup *setup, GError **error);
/**
 * orrery_setup_reckon_inertia:
 *
 * Physics is built when all parts are set up. Who needs to know before what
 * orrery_object_get_inertia() tells has it reckoned here, once for all, from the bodies as they
 * are.
 *
 * Returns: whether it could be; else %FALSE with %ORRERY_ERROR_STATE: this process has no physics,
 *   as a worker, or with what the engine does not like about the bodies
 */
ORRERY_API gboolean orrery_setup_reckon_inertia (OrrerySetup *setup, GError **error);
/**
 * orrery_setup_measure:
 * @what: what physics is to measure from the first tick on
 * @object: of which object: the one with the joint; of contacts one with a body
 *
 * Where nobody asks, physics spends no time on it.
 *
 * Returns: whether it is measured; else %FALSE with %ORRERY_ERROR_STATE: this process has no
 *   physics, as a worker, or with %ORRERY_ERROR_CONFIG and why the engine cannot
 */
ORRERY_API gboolean orrery_setup_measure (OrrerySetup *setup, OrreryMeasurement what,
                                          OrreryObject *object, GError **error);
/**
 * orrery_setup_get_options:
 *
 * All that the config says of this part, as it is written, also what
 * orrery_part_class_allow_other_options() lets in. Those that are properties are set already.
 *
 * Returns: (transfer none): a dictionary, `a{sv}`; an empty one if it says nothing
 */
ORRERY_API GVariant *orrery_setup_get_options (OrrerySetup *setup);
/**
 * orrery_setup_has_option:
 * @name: an option as the config writes it
 *
 * Tells a value that is given from a default that is the same. The name has to be the one that is
 * written there: another name of the same property is not found.
 *
 * Returns: whether the config or scene gives it
 */
ORRERY_API gboolean orrery_setup_has_option (OrrerySetup *setup, const char *name);
/**
 * orrery_setup_get_renderer:
 * @setup: a setup of a component
 *
 * The renderer of this world in this process; created by the first call. A scene without such calls
 * loads no graphics library.
 *
 * Returns: (transfer none): the renderer, valid as long as the component, or %NULL: none is
 *   installed, or it found no way to draw
 */
ORRERY_API OrreryRenderer *orrery_setup_get_renderer (OrrerySetup *setup, GError **error);
/**
 * orrery_setup_is_offline:
 * @setup: a setup of a manager
 *
 * Whether this run is to open no port and no connection, as with `orrery run --offline`. A manager
 * that would do so is set up all the same, and then idles.
 *
 * Returns: whether it is
 */
ORRERY_API gboolean orrery_setup_is_offline (OrrerySetup *setup);
/**
 * orrery_setup_get_allowed_users:
 * @setup: a setup of a manager that listens
 *
 * Whose processes may connect, beside those of the user of this process and of root: the value of
 * `allow-users` of #OrreryOptions.
 *
 * Returns: (nullable): "any", or numbers of users with commas between; %NULL: nobody else. Valid
 *   while the setup lasts
 */
ORRERY_API const char *orrery_setup_get_allowed_users (OrrerySetup *setup);
/**
 * orrery_setup_get_token_file:
 * @setup: a setup of a manager that listens
 *
 * Another way to be let in: the first line of this file is a secret, and who sends it may connect.
 *
 * Returns: (nullable): the path; %NULL: there is none. Valid while the setup lasts
 */
ORRERY_API const char *orrery_setup_get_token_file (OrrerySetup *setup);
/**
 * orrery_setup_wants_not_finite_words:
 * @setup: a setup of a codec or of a manager that writes JSON
 *
 * How the scene wants numbers in JSON that are not finite: as `NaN`, `Infinity` and `-Infinity`,
 * which clients of MORSE expect, or as `null`. See orrery_writer_set_names_not_finite().
 *
 * Returns: whether it wants the words
 */
ORRERY_API gboolean orrery_setup_wants_not_finite_words (OrrerySetup *setup);
/**
 * orrery_setup_get_messages:
 *
 * The types of messages, services and actions of ROS that this run knows. Reading one may take a
 * file: look them up in the setup or in `start`, not in ticks.
 *
 * Returns: (transfer none): the catalogue; as long as the simulation
 */
ORRERY_API OrreryMessageCatalogue *orrery_setup_get_messages (OrrerySetup *setup);
/**
 * orrery_setup_publish:
 * @setup: a setup of a part that is no component
 * @name: a name that callers use, as `simulation`
 *
 * Publishes the services of the part under @name, on every request manager.
 */
ORRERY_API void orrery_setup_publish (OrrerySetup *setup, const char *name);

G_END_DECLS
