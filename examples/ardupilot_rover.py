# SPDX-License-Identifier: BSD-3-Clause
"""A rover that ArduPilot drives: it is held until an autopilot sends to UDP port 9002.

    orrery run examples/ardupilot_rover.py

docs/mavlink.md says how to start ArduPilot.
"""

from morse.builder import *

RATE = 100

rover = ATRV()

drive = MotionVW()
drive.add_stream("ardupilot", max_speed=2.0, max_turn=1.0)
drive.frequency(RATE)
rover.append(drive)

imu = IMU()
imu.properties(Compass=False)
pose = Pose()
velocity = Velocity()
for sensor in imu, pose, velocity:
    sensor.add_stream("ardupilot")
    sensor.frequency(RATE)
    rover.append(sensor)

env = Environment("empty", fastmode=True)
env.simulator_frequency(RATE)
