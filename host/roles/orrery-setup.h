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
ORRERY_API OrrerySetup *orrery_setup_ref (OrrerySetup *setup);
ORRERY_API void orrery_setup_unref (OrrerySetup *setup);
/**
 * orrery_setup_get_world:
 *
 * Returns: (transfer none): the world, complete
 */
ORRERY_API OrreryWorld *orrery_setup_get_world (OrrerySetup *setup);
/**
 * orrery_setup_get_object:
 *
 * Returns: (transfer none) (nullable): the scene object of the component, or of the script
 */
ORRERY_API OrreryObject *orrery_setup_get_object (OrrerySetup *setup);
/**
 * orrery_setup_get_component:
 *
 * Returns: (transfer none) (nullable): the component itself, or the one that a modifier, datastream
 *   or overlay belongs to
 */
ORRERY_API OrreryComponent *orrery_setup_get_component (OrrerySetup *setup);
/**
 * orrery_setup_get_record:
 *
 * Returns: (transfer none) (nullable): the record of that component
 */
ORRERY_API OrreryRecord *orrery_setup_get_record (OrrerySetup *setup);
/**
 * orrery_setup_find_component:
 * @name: full name
 *
 * Returns: (transfer none) (nullable): a component of the scene
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
 * Returns: (transfer none): what the config says of this part, `a{sv}`; its properties are set
 * already
 */
ORRERY_API GVariant *orrery_setup_get_options (OrrerySetup *setup);
/**
 * orrery_setup_has_option:
 * @name: an option as the config writes it
 *
 * Returns: whether the config or scene gives it (and not the default)
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
 * Returns: whether this run is to open no port and no connection: a manager that would do so idles
 */
ORRERY_API gboolean orrery_setup_is_offline (OrrerySetup *setup);
/**
 * orrery_setup_get_allowed_users:
 * @setup: a setup of a manager that listens
 *
 * Returns: (nullable): whose processes may connect, beside those of the user of this process and of
 *   root: "any", or numbers of users with commas between; valid while the setup lasts
 */
ORRERY_API const char *orrery_setup_get_allowed_users (OrrerySetup *setup);
/**
 * orrery_setup_get_token_file:
 * @setup: a setup of a manager that listens
 *
 * Returns: (nullable): a file whose first line lets in whoever sends it; valid while the setup
 * lasts
 */
ORRERY_API const char *orrery_setup_get_token_file (OrrerySetup *setup);
/**
 * orrery_setup_wants_not_finite_words:
 * @setup: a setup of a codec or of a manager that writes JSON
 *
 * Returns: whether the scene wants `NaN`, `Infinity` and `-Infinity` in place of `null`, as clients
 *   of MORSE expect it; see orrery_writer_set_names_not_finite()
 */
ORRERY_API gboolean orrery_setup_wants_not_finite_words (OrrerySetup *setup);
/**
 * orrery_setup_get_messages:
 *
 * Returns: (transfer none): the message types of this run, as ROS defines them; there as long as
 *   the simulation
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
