/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives the robot at a speed forwards and a turn rate. */
#include "speed.h"

/* Drives its robot forwards and turns it, every step, also without a message: at rest it holds. */
typedef struct {
  OrreryActuator parent_instance;
  OrreryControl control;
} OrreryMotionVW;
ORRERY_DEFINE_CLASS (OrreryMotionVW, orrery_motion_vw, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_ENUM (OrreryMotionVW, control, "ControlType", orrery_control_get_type,
                        ORRERY_CONTROL_VELOCITY, "How the robot is moved"),
};

static void
orrery_motion_vw_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                      GError **error)
{
  OrreryMotionVW *self = (OrreryMotionVW *) actuator;
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  const SpeedData *in = orrery_record_data (record);
  OrreryVec3 linear = { in->v, 0, 0 };
  OrreryVec3 angular = { 0, 0, in->w };
  double period = orrery_component_get_period (component);

  orrery_robot_apply_speed (ORRERY_ROBOT (orrery_component_get_robot (component)), tick,
                            self->control, &linear, &angular, period);
}

static void
orrery_motion_vw_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  orrery_robot_declare_speed (ORRERY_ROBOT (robot), setup, ((OrreryMotionVW *) part)->control);
}

static void
orrery_motion_vw_class_init (OrreryMotionVWClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_motion_vw_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_motion_vw_act;
  speed_class_init (ORRERY_ACTUATOR_CLASS (klass));
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Speed forwards and turn rate", "BSD-3-Clause",
               ORRERY_CLASS (MotionVW, OrreryMotionVW, orrery_motion_vw))
