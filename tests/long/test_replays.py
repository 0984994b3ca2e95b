# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of all examples and of all environments of MORSE are run again, with equal hashes."""

import glob
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("", "cli", "importers")]

import support  # noqa: E402
import tap  # noqa: E402
from test_environments import ENVIRONMENTS, list_environments  # noqa: E402

# What is no scene by itself: clients, programs that embed one, and what needs more than its name.
OTHERS = ("cameras.py", "drive.py", "embed.py", "hybrid_loop.py", "rounds.py", "ardupilot_rover.py",
          "px4_quadrotor.py")


def list_examples():
    paths = glob.glob(os.path.join(support.SOURCE, "examples", "*.py")) + glob.glob(os.path.join(support.SOURCE, "examples", "*.json"))
    return sorted(path for path in paths if os.path.basename(path) not in OTHERS)


class Replays(support.ProgramCase):
    def run_again(self, scene, seconds):
        plugins = os.path.join(support.BUILD, "examples/plugins")
        done = self.orrery("run", scene, "--for", str(seconds), "--fast", "--offline", "--hash", "--plugin-dir", plugins,
                           "--record", self.path("run.mcap"))
        self.check(done, 0)
        value = done.stdout.split("hash ")[-1].split()[0]
        done = self.orrery("replay", self.path("run.mcap"), "--hash", "--plugin-dir", plugins)
        self.check(done, 0, "goes as it went", value)

    def test_examples(self):
        paths = list_examples()
        self.assertGreaterEqual(len(paths), 10)
        for path in paths:
            with self.subTest(os.path.basename(path)):
                self.run_again(path, 4)

    @unittest.skipUnless(os.path.isdir(ENVIRONMENTS), "without Debian's morse-simulator-data")
    def test_environments(self):
        for name in list_environments():
            with self.subTest(name):
                scene = self.write("scene.json", json.dumps({
                    "orrery": 1, "environment": {"import": os.path.join(ENVIRONMENTS, name), "time_strategy": "fixed_step"},
                    "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [0, 0, 0.5], "objects": [
                        {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
                        {"name": "laser", "classpath": "orrery.sensors.sick.Sick", "position": [0.2, 0, 0.9]}]}]}))
                self.run_again(scene, 3)


if __name__ == "__main__":
    tap.main()
