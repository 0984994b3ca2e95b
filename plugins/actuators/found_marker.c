/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves a marker to the place where a camera found it. */
#include <orrery.h>

typedef struct {
  double x, y, z;
  double roll, pitch, yaw;
} MarkerData;

static const OrreryField fields[] = {
  ORRERY_FIELD (MarkerData, x, "m", "To the right of the camera that sees the marker"),
  ORRERY_FIELD (MarkerData, y, "m", "Down from the camera"),
  ORRERY_FIELD (MarkerData, z, "m", "Ahead of the camera"),
  ORRERY_FIELD (MarkerData, roll, "rad", "Rotation about x, after the other two"),
  ORRERY_FIELD (MarkerData, pitch, "rad", "Rotation about y, first"),
  ORRERY_FIELD (MarkerData, yaw, "rad", "Rotation about z, after that about y"),
};

/*
 * A marker that is put where a camera on the robot would have found it: the record is in the axes
 * of a camera (x right, y down, z ahead), from the robot's origin and the offsets.
 */
typedef struct {
  OrreryActuator parent_instance;
  OrreryVec3 offset; /* m */
} OrreryMarker;
ORRERY_DEFINE_CLASS (OrreryMarker, orrery_marker, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryMarker, offset.x, "xoffset", -1e7, 1e7, 0,
                          "Added along the world's x axis, m"),
  ORRERY_PROPERTY_DOUBLE (OrreryMarker, offset.y, "yoffset", -1e7, 1e7, 0,
                          "Added along the world's y axis, m"),
  ORRERY_PROPERTY_DOUBLE (OrreryMarker, offset.z, "zoffset", -1e7, 1e7, 0,
                          "Added along the world's z axis, m"),
};

/* --- services --- */

static void
get_local (OrreryPart *part, OrreryTransform *pose)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  orrery_transform_relative (orrery_component_get_pose (robot),
                             orrery_component_get_pose (ORRERY_COMPONENT (part)), pose);
}

static void
return_position (OrreryCall *call, const OrreryTransform *pose)
{
  orrery_call_return (call, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &pose->position, 3,
                                                       sizeof (double)));
}

static void
return_orientation (OrreryCall *call, const OrreryTransform *pose)
{
  GVariantBuilder rows;
  OrreryMat3 m;

  orrery_quat_to_matrix (&pose->rotation, &m);
  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aad"));
  for (guint i = 0; i < 3; i++)
    g_variant_builder_add_value (&rows, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE,
                                                                   &((double *) &m)[3 * i], 3,
                                                                   sizeof (double)));
  orrery_call_return (call, g_variant_builder_end (&rows));
}

static void
get_local_position (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryTransform pose;

  get_local (part, &pose);
  return_position (call, &pose);
}

static void
get_world_position (OrreryPart *part, OrreryCall *call, GError **error)
{
  return_position (call, orrery_component_get_pose (ORRERY_COMPONENT (part)));
}

static void
get_local_orientation (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryTransform pose;

  get_local (part, &pose);
  return_orientation (call, &pose);
}

static void
get_world_orientation (OrreryPart *part, OrreryCall *call, GError **error)
{
  return_orientation (call, orrery_component_get_pose (ORRERY_COMPONENT (part)));
}

static const OrreryService services[] = {
  { "get_local_position", get_local_position, ORRERY_SERVICE_IMMEDIATE, "",
    "Where it is in the robot's frame: [x, y, z], m" },
  { "get_world_position", get_world_position, ORRERY_SERVICE_IMMEDIATE, "",
    "Where it is in the world: [x, y, z], m" },
  { "get_local_orientation", get_local_orientation, ORRERY_SERVICE_IMMEDIATE, "",
    "How it is turned in the robot's frame: 3 rows of a matrix" },
  { "get_world_orientation", get_world_orientation, ORRERY_SERVICE_IMMEDIATE, "",
    "How it is turned in the world: 3 rows of a matrix" },
};

/* --- the law --- */

static void
orrery_marker_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  const OrreryVec3 *p = &orrery_component_get_pose (ORRERY_COMPONENT (part))->position;
  MarkerData *data = orrery_record_data (orrery_setup_get_record (setup));

  *data = (MarkerData){ .x = p->x, .y = p->y, .z = p->z };
}

/* Y first, then Z, then X. */
static void
get_rotation (const MarkerData *in, OrreryQuat *out)
{
  OrreryQuat x, y, z;

  orrery_quat_from_euler (in->roll, 0, 0, &x);
  orrery_quat_from_euler (0, in->pitch, 0, &y);
  orrery_quat_from_euler (0, 0, in->yaw, &z);
  orrery_quat_multiply (&x, &z, out);
  orrery_quat_multiply (out, &y, out);
}

static void
orrery_marker_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryMarker *self = (OrreryMarker *) actuator;
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  OrreryObject *object = orrery_component_get_object (component);
  const OrreryVec3 *robot =
      &orrery_component_get_pose (orrery_component_get_robot (component))->position;
  OrreryObject *parent = orrery_object_get_parent (object);
  const MarkerData *in = orrery_record_data (record);
  OrreryTransform pose;

  pose.position =
      (OrreryVec3){ robot->x + in->z + self->offset.x, robot->y + in->x + self->offset.y,
                    robot->z - in->y + self->offset.z };
  get_rotation (in, &pose.rotation);
  if (parent != NULL)
    orrery_transform_relative (orrery_snapshot_get_pose (orrery_tick_get_snapshot (tick),
                                                         orrery_object_get_index (parent)),
                               &pose, &pose);
  orrery_commands_set_pose (orrery_tick_get_commands (tick), object, &pose);
}

/* The marker was seen there, last. */
static void
orrery_marker_halt (OrreryActuator *actuator, OrreryRecord *record)
{
}

static void
orrery_marker_class_init (OrreryMarkerClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_marker_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_marker_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_marker_halt;
  ORRERY_CLASS_SET_DATA (klass, MarkerData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("A marker that is put where a camera found it", "BSD-3-Clause",
               ORRERY_CLASS (FoundMarker, OrreryMarker, orrery_marker))
