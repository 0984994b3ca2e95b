/* SPDX-License-Identifier: BSD-3-Clause */
/* A robot without anything of its own: what robots described in JSON are based on. */
#include <orrery.h>

typedef struct {
  OrreryRobot parent_instance;
} OrreryPlainRobot;
ORRERY_DEFINE_CLASS (OrreryPlainRobot, orrery_plain_robot, OrreryRobot, orrery_robot)

static void
orrery_plain_robot_class_init (OrreryPlainRobotClass *klass)
{
}

ORRERY_PLUGIN ("What carries sensors and actuators", "BSD-3-Clause",
               ORRERY_CLASS (Robot, OrreryPlainRobot, orrery_plain_robot))
