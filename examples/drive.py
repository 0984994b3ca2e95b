# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's own client reads and drives the robot of first_scene.py, which runs meanwhile."""

import pymorse

# The pymorse of Debian 12 needs this to end `with` under Python 3.11; `orrery python` does it by itself.
pymorse.Component.__dir__ = lambda self: list(vars(self))

with pymorse.Morse("127.0.0.1") as sim:
    print(sim.robot.pose.get())
    goal = sim.robot.waypoint.goto(2.0, 0.0, 0.0)
    print(goal.result())
    print(sim.robot.pose.get())
    sim.rpc("simulation", "quit")
