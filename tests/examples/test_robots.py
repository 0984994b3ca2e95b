# SPDX-License-Identifier: BSD-3-Clause
"""The robots of the examples, from a URDF and an MJCF file: driven by services, seen by their joints."""

import json
import math
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

MUJOCO = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/physics/mujoco.so"))


@unittest.skipUnless(MUJOCO, "built without MuJoCo")
class Robots(ProgramCase):
    def begin(self, scene):
        process = self.start("run", os.path.join(SOURCE, "examples", scene), "--fast", "--paused")
        self.port = self.services_port(process)
        return process

    def call(self, *arguments):
        done = self.orrery("call", "--port", self.port, *arguments)
        self.check(done, 0)
        return json.loads(done.stdout or "null")

    def leave(self, process):
        self.call("simulation", "quit")
        self.assertEqual(process.wait(60), 0)

    def test_arm(self):
        process = self.begin("urdf_arm.json")
        names = ["shoulder_pan", "shoulder_lift", "elbow", "finger"]
        self.assertEqual(self.call("arm.joints", "get_joints"), names)
        self.call("arm.lift", "set_position", "0.8", "1.0")
        self.call("arm.bend", "set_position", "9")
        self.call("arm.grip", "set_position", "0.03")
        self.call("arm.pan", "set_velocity", "0.5")
        self.call("simulation", "step", "30")
        # No faster than it was told.
        self.assertAlmostEqual(self.call("arm.lift", "get_state")["position"], 0.5, delta=0.05)
        self.call("simulation", "step", "210")
        record = self.call("arm.joints", "get_local_data")
        self.assertEqual(record["names"].split(), names)
        pan, lift, elbow, finger = record["position"]
        self.assertAlmostEqual(pan, 2, delta=0.05)
        self.assertAlmostEqual(lift, 0.8, delta=0.01)
        # Its limit.
        self.assertAlmostEqual(elbow, 2.4, delta=0.02)
        self.assertAlmostEqual(finger, 0.03, delta=0.001)
        # It holds its own weight.
        self.assertGreater(abs(record["effort"][1]), 1)
        self.leave(process)

    def test_cart(self):
        process = self.begin("mjcf_cart.json")
        self.call("simulation", "step", "60")
        self.call("pilot.left", "set_velocity", "5")
        self.call("pilot.right", "set_velocity", "5")
        self.call("pilot.lean", "set_position", "0.3")
        self.call("simulation", "step", "240")
        record = self.call("pilot.joints", "get_local_data")
        self.assertEqual(record["names"], "left right")
        # The motors give way to what slows them: they have gains.
        for velocity in record["velocity"]:
            self.assertGreater(velocity, 2)
            self.assertLess(velocity, 5.1)
        for way in record["position"]:
            self.assertGreater(way, 8)
        self.assertAlmostEqual(self.call("pilot.lean", "get_state")["position"], 0.3, delta=0.1)
        self.leave(process)

    def test_same_again(self):
        hashes = [self.orrery("run", os.path.join(SOURCE, "examples/mjcf_cart.json"), "--fast", "--offline", "--hash",
                              "--for", "2").stdout.split("hash ")[-1].strip() for _ in range(2)]
        self.assertEqual(len(hashes[0]), 16)
        self.assertEqual(hashes[0], hashes[1])


if __name__ == "__main__":
    tap.main()
