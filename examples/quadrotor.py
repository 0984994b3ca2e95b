# SPDX-License-Identifier: BSD-3-Clause
"""A quadrotor that flies to where it is told, in a wind that pushes it aside.

    orrery run examples/quadrotor.py &
    orrery call drone.fly goto 5 0 3 1.57
    orrery echo drone.pose

A line of JSON on the stream of the wind, as {"force": [0, 1, 0], "torque": [0, 0, 0]}, blows.
"""

from morse.builder import *

drone = Quadrotor()
drone.translate(z=2)

fly = RotorcraftWaypoint()
fly.add_service("socket")
drone.append(fly)

wind = ExternalForce()
wind.add_stream("socket")
drone.append(wind)

drag = Drag()
drone.append(drag)

pose = Pose()
pose.add_interface("socket")
drone.append(pose)

env = Environment("empty", fastmode=True)
