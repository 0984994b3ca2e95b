# SPDX-License-Identifier: BSD-3-Clause
from morse.builder import *

robot = ATRV()
pose = Pose()
pose.translate("far")  # WRONG
pose.add_stream(60000)  # WRONG
robot.append(pose, 1)  # WRONG
robot.append("pose")  # WRONG
env = Environment("empty", colour="red")  # WRONG
env.set_gravity()
env.set_time_scale(2, "twice")  # WRONG
