/* SPDX-License-Identifier: BSD-3-Clause */
/* A robot without anything of its own: what robots described in JSON are based on. */
#include <orrery.h>

G_DECLARE_FINAL_TYPE (OrreryPlainRobot, orrery_plain_robot, ORRERY, PLAIN_ROBOT, OrreryRobot)
struct _OrreryPlainRobot {
  OrreryRobot parent_instance;
};
ORRERY_DEFINE_FINAL_TYPE (OrreryPlainRobot, orrery_plain_robot, ORRERY_TYPE_ROBOT)

static void
orrery_plain_robot_class_init (OrreryPlainRobotClass *klass)
{
}

ORRERY_PLUGIN ("What carries sensors and actuators", "BSD-3-Clause",
               ORRERY_CLASS (Robot, OrreryPlainRobot, orrery_plain_robot))
