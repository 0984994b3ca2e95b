/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the robot at a pose. */
#include <orrery.h>

typedef struct {
  double x, y, z;
  double yaw, pitch, roll;
} TeleportData;

static const OrreryField fields[] = {
  ORRERY_FIELD (TeleportData, x, "m", "Where the actuator is put in the world frame, x"),
  ORRERY_FIELD (TeleportData, y, "m", "Where the actuator is put in the world frame, y"),
  ORRERY_FIELD (TeleportData, z, "m", "Where the actuator is put in the world frame, z"),
  ORRERY_FIELD (TeleportData, yaw, "rad", "Its rotation about z"),
  ORRERY_FIELD (TeleportData, pitch, "rad", "Its rotation about y"),
  ORRERY_FIELD (TeleportData, roll, "rad", "Its rotation about x"),
};

/*
 * Puts its robot where the actuator itself is at the pose of the record, and takes the robot's
 * velocity away: every step, so the robot stays pinned until the actuator is deactivated. At first
 * the record is the pose at the start.
 */
typedef struct {
  OrreryActuator parent_instance;
  OrreryTransform robot; /* pose of the robot in the actuator's frame */
} OrreryTeleport;
ORRERY_DEFINE_CLASS (OrreryTeleport, orrery_teleport, OrreryActuator, orrery_actuator)

static void
translate (OrreryPart *part, OrreryCall *call, GError **error)
{
  TeleportData *data = orrery_component_get_data (part);

  data->x += orrery_call_get_double (call, 0);
  data->y += orrery_call_get_double (call, 1);
  data->z += orrery_call_get_double (call, 2);
}

static void
rotate (OrreryPart *part, OrreryCall *call, GError **error)
{
  TeleportData *data = orrery_component_get_data (part);

  data->roll += orrery_call_get_double (call, 0);
  data->pitch += orrery_call_get_double (call, 1);
  data->yaw += orrery_call_get_double (call, 2);
}

static const OrreryService services[] = {
  { "translate", translate, ORRERY_SERVICE_IMMEDIATE, "x:d y:d=0.0 z:d=0.0",
    "Adds to the position, along the axes of the world" },
  { "rotate", rotate, ORRERY_SERVICE_IMMEDIATE, "roll:d pitch:d=0.0 yaw:d=0.0",
    "Adds to the three angles" },
};

static void
orrery_teleport_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *component = ORRERY_COMPONENT (part);
  const OrreryTransform *pose = orrery_component_get_pose (component);
  TeleportData *data = orrery_component_get_data (part);

  orrery_transform_invert (orrery_component_get_mounting (component),
                           &((OrreryTeleport *) part)->robot);
  data->x = pose->position.x;
  data->y = pose->position.y;
  data->z = pose->position.z;
  orrery_quat_to_euler (&pose->rotation, &data->roll, &data->pitch, &data->yaw);
  orrery_robot_declare_speed (ORRERY_ROBOT (orrery_component_get_robot (component)), setup,
                              ORRERY_CONTROL_POSITION);
}

static void
orrery_teleport_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                     GError **error)
{
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  const TeleportData *in = orrery_record_data (record);
  OrreryTransform pose = { { in->x, in->y, in->z }, { 0 } };

  orrery_quat_from_euler (in->roll, in->pitch, in->yaw, &pose.rotation);
  orrery_transform_multiply (&pose, &((OrreryTeleport *) actuator)->robot, &pose);
  orrery_robot_force_pose (ORRERY_ROBOT (orrery_component_get_robot (component)), tick,
                           &pose.position, &pose.rotation);
}

/* It stands where it was put. */
static void
orrery_teleport_halt (OrreryActuator *actuator, OrreryRecord *record)
{
}

static void
orrery_teleport_class_init (OrreryTeleportClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_teleport_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_teleport_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_teleport_halt;
  ORRERY_CLASS_SET_DATA (klass, TeleportData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

ORRERY_PLUGIN ("Puts the robot anywhere", "BSD-3-Clause",
               ORRERY_CLASS (Teleport, OrreryTeleport, orrery_teleport))
