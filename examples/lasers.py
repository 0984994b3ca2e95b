# SPDX-License-Identifier: BSD-3-Clause
"""A robot with laser scanners among boxes; it steers clear of what is in its way.

    orrery run examples/lasers.py &
    orrery echo robot.sick
    orrery call robot.waypoint goto -- -14 0 0
    orrery call communication distance_and_view robot cat
"""

from math import pi

from morse.builder import *

robot = ATRV()
robot.rotate(z=pi)

sick = Sick()
sick.translate(x=0.18, z=0.9)
sick.add_interface("socket")
robot.append(sick)

# Four layers, a little down; the level rssi tells how much of each ray comes back, too.
layers = SickLDMRS()
layers.translate(x=0.18, z=1.0)
layers.rotate(y=0.1)
layers.level("rssi")
layers.add_interface("socket")
robot.append(layers)

# To the side, fine, over a small angle: properties make any scanner of the family.
side = Hokuyo()
side.translate(y=0.3, z=0.5)
side.rotate(z=pi / 2)
side.properties(scan_window=30, resolution=0.125, laser_range=20)
side.create_laser_arc()
side.add_interface("socket")
robot.append(side)

height = RadarAltimeter()
height.translate(x=0.7, z=0.3)
height.add_interface("socket")
robot.append(height)

near = Proximity()
near.properties(Range=10)
near.add_interface("socket")
robot.append(near)

waypoint = Waypoint()
waypoint.add_service("socket")
robot.append(waypoint)

pose = Pose()
pose.add_interface("socket")
robot.append(pose)

cat = ATRV()
cat.translate(x=-12, y=0.5)

env = Environment("indoors-1/boxes", fastmode=True)
