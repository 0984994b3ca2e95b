# SPDX-License-Identifier: BSD-3-Clause
"""A quadrotor that PX4 flies: it is held until an autopilot connects to TCP port 4560.

    orrery run examples/px4_quadrotor.py

docs/mavlink.md says how to start PX4, and which of its parameters fit this quadrotor.
"""

from morse.builder import *

RATE = 250

drone = Quadrotor()
drone.translate(z=0.3)

motors = QuadrotorDynamicControl()
motors.properties(Configuration="x")
motors.add_stream("px4", max_rate=1100.0)
motors.frequency(RATE)
drone.append(motors)

imu = IMU()
imu.properties(WorldAxes=True)
barometer = Barometer()
gps = GPS()
gps.level("raw")
pose = Pose()
for sensor, rate in (imu, RATE), (barometer, 50), (gps, 10), (pose, RATE):
    sensor.add_stream("px4")
    sensor.frequency(rate)
    drone.append(sensor)

env = Environment("empty", fastmode=True)
env.properties(longitude=8.5456, latitude=47.3977, altitude=488.0, angle_against_north=90.0)
env.simulator_frequency(RATE)
