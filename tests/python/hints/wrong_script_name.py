# SPDX-License-Identifier: BSD-3-Clause
from morse.builder import *

robot = ATRV()
robot.apend(Pose())  # WRONG
camera = VideoCamera()
camera.hide_mash()  # WRONG
arm = Kinect()
arm.video_camera.frequenzy(10)  # WRONG
laser = Sikc()  # WRONG
env = Environment("empty")
env.set_time_strategy(TimeStrategies.Fastest)  # WRONG
