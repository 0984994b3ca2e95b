# SPDX-License-Identifier: BSD-3-Clause
from orrery.builder import ATRV, AbstractComponent, Environment, Pose, Robot


def add_pose(robot: Robot, height: float) -> Pose:
    pose = Pose()
    pose.translate(z=height)
    robot.append(pose)
    return pose


robot = ATRV()
name: int = add_pose(robot, 1.0).name  # WRONG
add_pose(Pose(), 1.0)  # WRONG
robot.location = [1.0, 2.0, 3.0]
parts: list[AbstractComponent] = robot.children
robot.location = 1.0, "two", 3.0  # WRONG
ticks: str = Environment("empty").load().ticks  # WRONG
