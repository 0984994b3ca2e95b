/* SPDX-License-Identifier: BSD-3-Clause */
/* Drag that grows with the square of the speed. */
#include <orrery.h>

#include <math.h>

/*
 * Slows its robot down as air or water do: against each of the robot's axes a force of
 * coefficient times the square of the speed along it. Has no record: nothing is sent to it.
 */
typedef struct {
  OrreryActuator parent_instance;
  OrreryVec3 k; /* N s2/m2 */
} OrreryDrag;
ORRERY_DEFINE_CLASS (OrreryDrag, orrery_drag, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryDrag, k.x, "DragCoeffX", 0, 1e6, 0.09, "Drag along x, N at 1 m/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryDrag, k.y, "DragCoeffY", 0, 1e6, 0.09, "Drag along y, N at 1 m/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryDrag, k.z, "DragCoeffZ", 0, 1e6, 0.5, "Drag along z, N at 1 m/s"),
};

static void
orrery_drag_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (actuator));
  OrreryObject *object = orrery_component_get_object (robot);
  const OrreryQuat *rotation = &orrery_component_get_pose (robot)->rotation;
  const OrreryVec3 *k = &((OrreryDrag *) actuator)->k;
  OrreryVec3 v, force;

  orrery_quat_rotate_back (rotation,
                           orrery_snapshot_get_linear_velocity (orrery_tick_get_snapshot (tick),
                                                                orrery_object_get_index (object)),
                           &v);
  force =
      (OrreryVec3){ -k->x * v.x * fabs (v.x), -k->y * v.y * fabs (v.y), -k->z * v.z * fabs (v.z) };
  orrery_quat_rotate (rotation, &force, &force);
  orrery_commands_add_force (orrery_tick_get_commands (tick), object, &force, &(OrreryVec3){ 0 });
}

static void
orrery_drag_class_init (OrreryDragClass *klass)
{
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_drag_act;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Drag that grows with the square of the speed", "BSD-3-Clause",
               ORRERY_CLASS (Drag, OrreryDrag, orrery_drag))
