/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

typedef struct {
  double v;
  double w;
} MotionVWDiffData;

static const OrreryField fields[] = {
  ORRERY_FIELD (MotionVWDiffData, v, "m/s", "Speed forwards"),
  ORRERY_FIELD (MotionVWDiffData, w, "rad/s", "Turn rate about the robot's z axis"),
};

/* Turns the wheels of its robot, every step, also without a message: at rest they hold. */
G_DECLARE_FINAL_TYPE (OrreryMotionVWDiff, orrery_motion_vw_diff, ORRERY, MOTION_VW_DIFF,
                      OrreryActuator)
struct _OrreryMotionVWDiff {
  OrreryActuator parent_instance;
};
G_DEFINE_FINAL_TYPE (OrreryMotionVWDiff, orrery_motion_vw_diff, ORRERY_TYPE_ACTUATOR)

static MotionVWDiffData *
get_data (gpointer self)
{
  return orrery_record_data (orrery_component_get_record (ORRERY_COMPONENT (self)));
}

static void
set_speed (OrreryPart *part, OrreryCall *call, GError **error)
{
  *get_data (part) =
      (MotionVWDiffData){ orrery_call_get_double (call, 0), orrery_call_get_double (call, 1) };
}

static void
stop (OrreryPart *part, OrreryCall *call, GError **error)
{
  *get_data (part) = (MotionVWDiffData){ 0, 0 };
}

static const OrreryService services[] = {
  { "set_speed", set_speed, ORRERY_SERVICE_IMMEDIATE, "v:d w:d", "Sets both speeds" },
  { "stop", stop, ORRERY_SERVICE_IMMEDIATE, "", "Sets both speeds to zero" },
};

static void
orrery_motion_vw_diff_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  if (!orrery_robot_has_wheels (ORRERY_ROBOT (robot)))
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s: its robot %s has no wheels to drive; take MotionVW for it",
                 orrery_part_get_name (part), orrery_part_get_classpath (ORRERY_PART (robot)));
}

static void
orrery_motion_vw_diff_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (actuator));
  const MotionVWDiffData *in = orrery_record_data (record);

  orrery_robot_drive_wheels (ORRERY_ROBOT (robot), tick, in->v, in->w);
}

static void
orrery_motion_vw_diff_class_init (OrreryMotionVWDiffClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_motion_vw_diff_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_motion_vw_diff_act;
  ORRERY_CLASS_SET_DATA (klass, MotionVWDiffData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
orrery_motion_vw_diff_init (OrreryMotionVWDiff *self)
{
}

ORRERY_PLUGIN ("Speed forwards and turn rate of a robot on wheels", "BSD-3-Clause",
               ORRERY_CLASS (MotionVWDiff, OrreryMotionVWDiff, orrery_motion_vw_diff))
