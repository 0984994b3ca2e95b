# SPDX-License-Identifier: BSD-3-Clause
"""The patrol of the examples: a script drives a robot, and services drive the simulation."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

SCENE = os.path.join(SOURCE, "examples/patrol.json")
PLUGINS = os.path.join(BUILD, "examples/plugins")
# A side of 2 m at 1 m/s, and a second for the corner.
SIDE = 180


class Patrol(ProgramCase):
    def begin(self, *options):
        process = self.start("run", SCENE, "--plugin-dir", PLUGINS, "--fast", *options)
        self.port = self.services_port(process)
        return process

    def call(self, *arguments):
        done = self.orrery("call", "--port", self.port, *arguments)
        self.check(done, 0)
        return json.loads(done.stdout or "null")

    def leave(self, process):
        self.call("simulation", "quit")
        self.assertEqual(process.wait(60), 0)

    def test_runs(self):
        """The example as it stands."""
        done = self.orrery("run", SCENE, "--plugin-dir", PLUGINS, "--fast", "--ticks", "800")
        self.check(done, 0, "guard/child", "guard/customization")
        self.assertIn("guard/customization init tick 0", done.stderr)
        self.assertIn("guard/customization cleanup tick 799", done.stderr)

    def test_steps(self):
        """From stopped, in steps: corner by corner around the square, then again from its start."""
        process = self.begin("--stopped")
        self.assertEqual(self.call("simulation", "state"), "stopped")
        corners = [(2, 0), (2, 2), (0, 2), (0, 0)]
        for number, (x, y) in enumerate(corners, 1):
            self.assertEqual(self.call("simulation", "step", str(SIDE)), number * SIDE)
            pose = self.call("guard.pose", "get_local_data")
            self.assertLess(abs(pose["x"] - x) + abs(pose["y"] - y), 1e-4)
        self.call("simulation", "step", "1")
        self.assertEqual(self.call("patrol", "corners"), 4)
        # It has done what it had to: it stands.
        self.call("simulation", "step", "100")
        self.assertLess(abs(self.call("guard.pose", "get_local_data")["x"]), 1e-4)
        self.assertEqual(self.call("simulation", "reset"), "paused")
        self.assertEqual(self.call("patrol", "corners"), 0)
        self.assertEqual(self.call("simulation", "step", str(SIDE)), SIDE)
        self.assertLess(abs(self.call("guard.pose", "get_local_data")["x"] - 2), 1e-4)
        self.leave(process)

    def test_states(self):
        process = self.begin("--paused")
        self.assertEqual(self.call("simulation", "state"), "paused")
        self.assertEqual(self.call("simulation", "resume"), "running")
        self.assertEqual(self.call("simulation", "pause"), "paused")
        self.assertEqual(self.call("simulation", "stop"), "stopped")
        self.check(self.orrery("call", "--port", self.port, "simulation", "pause"), 69, "is stopped")
        self.assertEqual(self.call("simulation", "start"), "running")
        self.call("time", "sleep", "5")
        self.assertGreater(self.call("patrol", "corners"), 0)
        self.leave(process)

    def test_another_scene(self):
        """Whoever asks for it is told before his connection ends; one that is none changes nothing."""
        other = self.write("other.json", json.dumps({
            "orrery": 1, "environment": {"start": 0, "physics": "orrery.physics.kinematic.Kinematic"},
            "objects": [{"name": "other", "classpath": "orrery.core.robot.Robot"}]}))
        process = self.begin("--root", self.directory)
        self.check(self.orrery("call", "--port", self.port, "simulation", "load", "other.jsonx"), 69, "other.jsonx")
        self.assertEqual(self.call("simulation", "list_robots"), ["guard"])
        self.assertEqual(self.call("simulation", "load", os.path.basename(other)), "stopped")
        line = self.wait_for(process, "Socket service manager now listening on port ")
        self.port = line.rstrip(".\n").split()[-1]
        self.assertEqual(self.call("simulation", "list_robots"), ["other"])
        self.assertEqual(self.call("simulation", "state"), "stopped")
        self.assertEqual(self.call("simulation", "step", "10"), 10)
        self.leave(process)


if __name__ == "__main__":
    tap.main()
