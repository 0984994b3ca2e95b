# SPDX-License-Identifier: BSD-3-Clause
"""Each environment of MORSE's models is run with a robot, twice the same, bit for bit."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import ProgramCase  # noqa: E402

import tap  # noqa: E402

ENVIRONMENTS = "/usr/share/morse/data/environments"


def list_environments():
    names = []
    for folder, _, files in os.walk(ENVIRONMENTS):
        names += [os.path.relpath(os.path.join(folder, file), ENVIRONMENTS)
                  for file in files if file.endswith(".blend")]
    return sorted(names)


@unittest.skipUnless(os.path.isdir(ENVIRONMENTS), "without Debian's morse-simulator-data")
class Environments(ProgramCase):
    def scene(self, name):
        """An ATRV with a laser, that falls on what is below it."""
        path = self.write("scene.json", json.dumps({
            "orrery": 1, "environment": {"import": os.path.join(ENVIRONMENTS, name), "time_strategy": "fixed_step"},
            "objects": [{
                "name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [0, 0, 0.5],
                "objects": [
                    {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
                    {"name": "laser", "classpath": "orrery.sensors.sick.Sick", "position": [0.2, 0, 0.9]}]}]}))
        return path

    def hash(self, name):
        done = self.orrery("run", self.scene(name), "--fast", "--offline", "--hash", "--for", "10")
        self.check(done, 0)
        self.assertIn("600 ticks", done.stdout)
        return done.stdout.split("hash ")[-1].split()[0]

    def test_same_again(self):
        names = list_environments()
        self.assertGreaterEqual(len(names), 15)
        hashes = {}
        for name in names:
            with self.subTest(name):
                hashes[name] = self.hash(name)
                self.assertEqual(len(hashes[name]), 16)
                self.assertEqual(self.hash(name), hashes[name])
        # They differ from each other: it is no hash of nothing.
        self.assertEqual(len(set(hashes.values())), len(names))


if __name__ == "__main__":
    tap.main()
