/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives the robot at a speed forwards, a speed sideways and a turn rate. */
#include <orrery.h>

typedef struct {
  double x;
  double y;
  double w;
} MotionXYWData;

static const OrreryField fields[] = {
  ORRERY_FIELD (MotionXYWData, x, "m/s", "Speed forwards"),
  ORRERY_FIELD (MotionXYWData, y, "m/s", "Speed to the left"),
  ORRERY_FIELD (MotionXYWData, w, "rad/s", "Turn rate about the robot's z axis"),
};

/* Drives its robot forwards and sideways and turns it, every step, also without a message. */
typedef struct {
  OrreryActuator parent_instance;
  OrreryControl control;
} OrreryMotionXYW;
ORRERY_DEFINE_CLASS (OrreryMotionXYW, orrery_motion_xyw, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_ENUM (OrreryMotionXYW, control, "ControlType", orrery_control_get_type,
                        ORRERY_CONTROL_VELOCITY, "How the robot is moved"),
};

static void
orrery_motion_xyw_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                       GError **error)
{
  OrreryMotionXYW *self = (OrreryMotionXYW *) actuator;
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  const MotionXYWData *in = orrery_record_data (record);
  OrreryVec3 linear = { in->x, in->y, 0 };
  OrreryVec3 angular = { 0, 0, in->w };
  double period = orrery_component_get_period (component);

  orrery_robot_apply_speed (ORRERY_ROBOT (orrery_component_get_robot (component)), tick,
                            self->control, &linear, &angular, period);
}

static void
orrery_motion_xyw_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  orrery_robot_declare_speed (ORRERY_ROBOT (robot), setup, ((OrreryMotionXYW *) part)->control);
}

static void
orrery_motion_xyw_class_init (OrreryMotionXYWClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_motion_xyw_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_motion_xyw_act;
  ORRERY_CLASS_SET_DATA (klass, MotionXYWData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Speed forwards, speed sideways and turn rate", "BSD-3-Clause",
               ORRERY_CLASS (MotionXYW, OrreryMotionXYW, orrery_motion_xyw))
