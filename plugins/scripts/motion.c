/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.scripts.motion.Motion: keeps its object moving and turning at constant rates, whatever
 * physics does with it. What Blender's game engine calls an always sensor with a motion actuator.
 */
#include <orrery.h>

typedef struct {
  OrreryScript parent_instance;
  OrreryVec3 linear;  /* m/s */
  OrreryVec3 angular; /* rad/s */
  gboolean local_v;
  gboolean local_w;
} OrreryMotionScript;
ORRERY_DEFINE_CLASS (OrreryMotionScript, orrery_motion_script, OrreryScript, orrery_script)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryMotionScript, linear.x, "vx", -1e9, 1e9, 0, "Speed along x, m/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryMotionScript, linear.y, "vy", -1e9, 1e9, 0, "Speed along y, m/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryMotionScript, linear.z, "vz", -1e9, 1e9, 0, "Speed along z, m/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryMotionScript, angular.x, "wx", -1e9, 1e9, 0,
                          "Turn rate about x, rad/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryMotionScript, angular.y, "wy", -1e9, 1e9, 0,
                          "Turn rate about y, rad/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryMotionScript, angular.z, "wz", -1e9, 1e9, 0,
                          "Turn rate about z, rad/s"),
  ORRERY_PROPERTY_BOOLEAN (OrreryMotionScript, local_v, "local_v", TRUE,
                           "Whether it moves along its own axes, not those of its parent"),
  ORRERY_PROPERTY_BOOLEAN (OrreryMotionScript, local_w, "local_w", TRUE,
                           "Whether it turns about its own axes, not those of its parent"),
};

/* Where the object is against its parent, a root against the world. */
static void
get_pose (OrrerySnapshot *snapshot, OrreryObject *object, OrreryTransform *pose)
{
  OrreryObject *parent = orrery_object_get_parent (object);
  const OrreryTransform *own =
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object));

  if (parent == NULL)
    *pose = *own;
  else
    orrery_transform_relative (orrery_snapshot_get_pose (snapshot,
                                                         orrery_object_get_index (parent)),
                               own, pose);
}

/* In the parent's axes. */
static void
add_rate (const OrreryVec3 *rate, gboolean local, const OrreryQuat *own, double dt, OrreryVec3 *out)
{
  *out = orrery_vec3_scale (rate, dt);
  if (local)
    orrery_quat_rotate (own, out, out);
}

static void
orrery_motion_script_actuation (OrreryScript *script, OrreryTick *tick, GError **error)
{
  OrreryMotionScript *self = (OrreryMotionScript *) script;
  OrreryObject *object = orrery_script_get_object (script);
  double dt = orrery_tick_get_dt (tick);
  OrreryVec3 way, turn;
  OrreryTransform pose;

  if (object == NULL)
    return;
  get_pose (orrery_tick_get_snapshot (tick), object, &pose);
  add_rate (&self->linear, self->local_v, &pose.rotation, dt, &way);
  add_rate (&self->angular, self->local_w, &pose.rotation, dt, &turn);
  pose.position = orrery_vec3_add (&pose.position, &way);
  orrery_quat_turn (&pose.rotation, &turn);
  orrery_commands_move (orrery_tick_get_commands (tick), object, &pose);
}

static void
orrery_motion_script_class_init (OrreryMotionScriptClass *klass)
{
  ORRERY_SCRIPT_CLASS (klass)->actuation = orrery_motion_script_actuation;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Keeps an object moving at constant rates", "BSD-3-Clause",
               ORRERY_CLASS (Motion, OrreryMotionScript, orrery_motion_script))
