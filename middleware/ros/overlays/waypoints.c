/* SPDX-License-Identifier: BSD-3-Clause */
/* The action move_base of a waypoint actuator, as MORSE has it. */
#define G_LOG_DOMAIN "orrery.middleware.ros.overlays.waypoints"
#include <orrery.h>

typedef struct {
  OrreryOverlay parent_instance;
} OrreryROSWaypoint;
ORRERY_DEFINE_CLASS (OrreryROSWaypoint, orrery_ros_waypoint, OrreryOverlay, orrery_overlay)

/* The answer to a goal is empty. */
static GVariant *
drop (OrreryOverlay *overlay, GVariant *value, gpointer user_data)
{
  return NULL;
}

static void
move_base (OrreryPart *part, OrreryCall *call, GError **error)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  for (guint i = 0; i < 3; i++)
    g_variant_builder_add (&list, "v", g_variant_new_double (orrery_call_get_double (call, i)));
  orrery_overlay_chain (ORRERY_OVERLAY (part), call, "goto", g_variant_builder_end (&list), drop,
                        NULL, NULL);
}

static const OrreryService services[] = {
  { "move_base", move_base, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "x:d y:d z:d",
    "Drives to a place; its orientation and frame are not used" },
};

static void
orrery_ros_waypoint_class_init (OrreryROSWaypointClass *klass)
{
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

ORRERY_PLUGIN ("The action move_base for waypoint actuators", "BSD-3-Clause",
               ORRERY_CLASS (WayPoint, OrreryROSWaypoint, orrery_ros_waypoint))
