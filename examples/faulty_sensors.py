# SPDX-License-Identifier: BSD-3-Clause
"""A robot whose sensors fail as real ones do, beside one that tells the truth.

    orrery run examples/faulty_sensors.py &
    orrery echo robot.gps
    orrery call robot.wheels reset_noise

A line of JSON on the stream of robot.drive, as {"v": 1.0, "w": 0.2}, makes it drive in a circle.
docs/noise.md says what there is.
"""

from morse.builder import *

robot = ATRV()

drive = MotionVW()
drive.add_interface("socket")
robot.append(drive)

truth = Pose()
truth.add_interface("socket")
robot.append(truth)

# Wheels that are larger than they are taken to be, and a heading that drifts.
wheels = Odometry()
wheels.alter("OdometryNoise", factor=1.03, factor_sigma=0.01, gyro_drift_sigma=2e-4)
wheels.add_interface("socket")
robot.append(wheels)

# Late, coarse, a few metres off, and away for a second now and then.
gps = GPS()
gps.level("raw")
gps.frequency(10)
gps.alter("Gaussian", field="longitude, latitude", sigma=2e-5)  # degrees: some 2 m
gps.alter("Quantisation", field="altitude", step=0.5)  # m
gps.alter("Delay", delay=0.15, jitter=0.1)  # s
gps.alter("DropOut", probability=0.02, duration=1.0)
gps.add_interface("socket")
robot.append(gps)

# White noise, a bias that is another in each run and drifts, and spikes.
imu = IMU()
imu.alter("Gaussian", field="angular_velocity", sigma=0.002)
imu.alter("Gaussian", field="linear_acceleration", sigma=0.03)
imu.alter("Bias", field="linear_acceleration", spread=0.05)
imu.alter("RandomWalk", field="angular_velocity", sigma=1e-4)
imu.alter("Outliers", field="linear_acceleration.z", probability=0.002, sigma=20)
imu.add_interface("socket")
robot.append(imu)

# Whole per cents, until it fails after half a minute.
battery = Battery()
battery.properties(DischargingRate=0.5)
battery.alter("Quantisation", field="charge", step=1)
battery.alter("StuckValue", field="charge", start=30.0)
battery.add_interface("socket")
robot.append(battery)

env = Environment("empty", fastmode=True)
env.properties(longitude=1.4442, latitude=43.6043, altitude=150.0)
env.set_seed(7)
