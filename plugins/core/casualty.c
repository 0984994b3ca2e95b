/* SPDX-License-Identifier: BSD-3-Clause */
/* A person who needs help. */
#include <orrery.h>

/*
 * A person who needs help. What is wrong is in properties of the scene object, where rescuers look:
 * Injured, Severity (points of help that are still needed) and Requirements (kinds of help).
 */
typedef struct {
  OrreryRobot parent_instance;
  OrreryWorld *world;
} OrreryCasualty;
ORRERY_DEFINE_CLASS (OrreryCasualty, orrery_casualty, OrreryRobot, orrery_robot)

static gint64
get_severity (OrreryObject *object)
{
  GVariant *value = orrery_object_get_value (object, "Severity");

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)
             ? g_variant_get_int64 (value)
             : 0;
}

static void
heal (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryCasualty *self = (OrreryCasualty *) part;
  OrreryCommands *commands = orrery_world_get_commands (self->world);
  OrreryObject *object = orrery_component_get_object (ORRERY_COMPONENT (part));
  gint64 severity = MAX (get_severity (object) - 1, 0);

  orrery_commands_set_value (commands, object, "Severity", g_variant_new_int64 (severity));
  if (severity == 0)
    orrery_commands_set_value (commands, object, "Injured", g_variant_new_boolean (FALSE));
}

static const OrreryService services[] = {
  { "heal", heal, ORRERY_SERVICE_IMMEDIATE, "",
    "Takes one from Severity; at 0 the person is no longer injured" },
};

static void
orrery_casualty_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ORRERY_PART_CLASS (orrery_casualty_parent_class)->setup (part, setup, error);
  g_set_object (&((OrreryCasualty *) part)->world, orrery_setup_get_world (setup));
}

static void
orrery_casualty_class_init (OrreryCasualtyClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_casualty_setup;
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_OWNS (klass, OrreryCasualty, world, g_object_unref);
}

ORRERY_PLUGIN ("A person who needs help", "BSD-3-Clause",
               ORRERY_CLASS (Casualty, OrreryCasualty, orrery_casualty))
