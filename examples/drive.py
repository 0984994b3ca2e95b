# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's own client reads and drives the robot of first_scene.py, which runs meanwhile."""

import pymorse

sim = pymorse.Morse("127.0.0.1")
print(sim.robot.pose.get())
goal = sim.robot.waypoint.goto(2.0, 0.0, 0.0)
print(goal.result())
print(sim.robot.pose.get())
sim.rpc("simulation", "quit")
