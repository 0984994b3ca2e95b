# SPDX-License-Identifier: BSD-3-Clause
"""Two actuators that command the same of one robot: a warning names them, and who wins."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import ProgramCase  # noqa: E402

import tap  # noqa: E402

V_OMEGA = "morse.actuators.v_omega.MotionVW"
WAYPOINT = "morse.actuators.waypoint.Waypoint"


class Rivals(ProgramCase):
    def told(self, *actuators, command=("check",), **environment):
        """What is told of a robot with these actuators: a class, or a class and more keys of the object."""
        objects = []
        for i, each in enumerate(actuators):
            classpath, more = each if isinstance(each, tuple) else (each, {})
            objects.append(dict({"name": "a%d" % i, "classpath": classpath}, **more))
        robot = {"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": objects}
        scene = {"orrery": 1, "environment": dict({"physics": "orrery.physics.kinematic.Kinematic"}, **environment),
                 "objects": [robot, dict(robot, name="other", objects=objects[:1])]}
        done = self.orrery(*command, self.write("scene.json", json.dumps(scene, indent=1)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split("warning: ")[1] for line in done.stderr.splitlines() if " command " in line]

    def test_both_names_and_who_wins(self):
        told = self.told(V_OMEGA, WAYPOINT)
        self.assertEqual(len(told), 1, told)
        self.assertIn("scene.json:", told[0])
        self.assertIn("robot.a0 and robot.a1 command the velocity of robot: in a tick the one that acts last wins, "
                      "which is robot.a1", told[0])

    def test_who_wins_follows_the_order(self):
        told = self.told((V_OMEGA, {"priority": "last"}), WAYPOINT)
        self.assertIn("robot.a1 and robot.a0 command the velocity of robot", told[0])
        told = self.told((V_OMEGA, {"created": 1}), (WAYPOINT, {"created": 2}), component_order="morse")
        self.assertIn("which is robot.a0", told[0])

    def test_several(self):
        told = self.told(V_OMEGA, WAYPOINT, "morse.actuators.destination.Destination")
        self.assertEqual(len(told), 1, told)
        self.assertIn("robot.a0, robot.a1 and robot.a2 command the velocity of robot", told[0])
        told = self.told("morse.actuators.teleport.Teleport", "morse.actuators.orientation.Orientation")
        self.assertIn("robot.a0 and robot.a1 command the pose of robot", told[0])

    def test_of_many_ten_are_named(self):
        told = self.told(*[V_OMEGA] * 30)
        self.assertEqual(len(told), 1, told)
        self.assertIn("robot.a8, robot.a9 and 20 more command the velocity of robot", told[0])
        self.assertIn("which is robot.a29", told[0])
        self.assertNotIn("robot.a10", told[0])

    def test_in_a_run_also_of_a_worker(self):
        worker = {"placement": "worker"}
        told = self.told((V_OMEGA, worker), WAYPOINT, command=("run", "--fast", "--offline", "--ticks", "1"))
        self.assertEqual(len(told), 1, told)
        self.assertIn("robot.a0 and robot.a1 command the velocity of robot", told[0])

    def test_what_is_not_the_same_is_not_told_of(self):
        for pair in ((V_OMEGA,), (V_OMEGA, "morse.actuators.teleport.Teleport"),
                     ("morse.actuators.force_torque.ForceTorque", "morse.actuators.external_force.ExternalForce"),
                     (V_OMEGA, "morse.actuators.light.Light"), (V_OMEGA, "morse.actuators.keyboard.Keyboard"),
                     (V_OMEGA, (WAYPOINT, {"properties": {"ControlType": "Position"}}))):
            with self.subTest(pair):
                self.assertEqual(self.told(*pair), [])


if __name__ == "__main__":
    tap.main()
