/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

/* A robot without anything of its own: what robots described in JSON are based on. */
G_DECLARE_FINAL_TYPE (OrreryPlainRobot, orrery_plain_robot, ORRERY, PLAIN_ROBOT, OrreryRobot)
struct _OrreryPlainRobot {
  OrreryRobot parent_instance;
};
G_DEFINE_FINAL_TYPE (OrreryPlainRobot, orrery_plain_robot, ORRERY_TYPE_ROBOT)

static void
orrery_plain_robot_class_init (OrreryPlainRobotClass *klass)
{
}

static void
orrery_plain_robot_init (OrreryPlainRobot *self)
{
}

ORRERY_PLUGIN ("What carries sensors and actuators", "BSD-3-Clause",
               ORRERY_CLASS (Robot, OrreryPlainRobot, orrery_plain_robot))
