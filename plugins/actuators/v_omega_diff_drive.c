/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives a robot on wheels at a speed forwards and a turn rate. */
#include "speed.h"

/*
 * Turns the wheels of its robot, every step, also without a message: at rest they hold. It has no
 * properties: those that a script gives it, as the ControlType of its kin, are the object's alone.
 */
typedef struct {
  OrreryActuator parent_instance;
} OrreryMotionVWDiff;
ORRERY_DEFINE_CLASS (OrreryMotionVWDiff, orrery_motion_vw_diff, OrreryActuator, orrery_actuator)

static void
orrery_motion_vw_diff_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  if (!orrery_robot_has_wheels (ORRERY_ROBOT (robot)))
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "%s: its robot %s has no wheels to drive; take MotionVW for it",
                      orrery_part_get_name (part), orrery_part_get_classpath (ORRERY_PART (robot)));
  orrery_setup_add_command (setup, orrery_component_get_object (robot), ORRERY_COMMAND_WHEEL);
}

static void
orrery_motion_vw_diff_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (actuator));
  const SpeedData *in = orrery_record_data (record);

  orrery_robot_drive_wheels (ORRERY_ROBOT (robot), tick, in->v, in->w);
}

static void
orrery_motion_vw_diff_class_init (OrreryMotionVWDiffClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_motion_vw_diff_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_motion_vw_diff_act;
  speed_class_init (ORRERY_ACTUATOR_CLASS (klass));
  orrery_part_class_allow_other_options (ORRERY_PART_CLASS (klass));
}

ORRERY_PLUGIN ("Speed forwards and turn rate of a robot on wheels", "BSD-3-Clause",
               ORRERY_CLASS (MotionVWDiff, OrreryMotionVWDiff, orrery_motion_vw_diff))
