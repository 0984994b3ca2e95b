# SPDX-License-Identifier: BSD-3-Clause
"""The lasers of the examples see boxes and walls where they are; MORSE's client reads them."""

import json
import math
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

try:
    import pymorse
except ImportError:
    pymorse = None


DATA = "/usr/share/morse/data/environments/indoors-1/indoor-1.blend"
SOCKET = "morse.middleware.socket_datastream."
INDOORS = """{"orrery": 1,
  "environment": {"physics": "orrery.physics.kinematic.Kinematic", "import": "indoors-1/indoor-1",
                  "raycaster": "orrery.raycasters.%s"},
  "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "position": [-4, 1, 0.3],
    "objects": [{"name": "sick", "classpath": "orrery.sensors.sick.Sick", "position": [0.2, 0, 0.4]}]}],
  "component_datastream": {"robot.sick": [["%sSocketDatastreamManager", "%sSocketPublisher", {}]]}}"""


@unittest.skipIf(pymorse is None, "no pymorse; Debian has it as python3-morse-simulator")
@unittest.skipUnless(os.path.exists(DATA), "no environments of MORSE; Debian has them as morse-simulator-data")
class Indoors(ProgramCase):
    def scan(self, caster):
        scene = self.write("scene.json", INDOORS % (caster, SOCKET, SOCKET))
        process = self.start("run", scene)
        morse = pymorse.Morse("127.0.0.1", int(self.services_port(process)))
        try:
            return morse.robot.sick.get(60)["range_list"]
        finally:
            morse.close(True, wait_publishers=False)
            self.end(process)

    def test_furniture(self):
        """What MORSE's own client reads of MORSE's own rooms, by either caster."""
        exact = self.scan("exact.Exact")
        self.assertEqual(len(exact), 181)
        self.assertTrue(all(0 < distance <= 30 for distance in exact))
        self.assertGreater(sum(distance < 20 for distance in exact), 60)
        if os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/raycasters/embree.so")):
            for one, other in zip(self.scan("embree.Embree"), exact):
                self.assertAlmostEqual(one, other, delta=1e-6)


class Lasers(ProgramCase):
    def setUp(self):
        super().setUp()
        process = self.start("run", os.path.join(SOURCE, "examples/lasers.py"), "--fast")
        self.port = self.services_port(process)

    def call(self, *arguments):
        done = self.orrery("call", "--port", self.port, *arguments)
        self.check(done, 0)
        return json.loads(done.stdout or "null")

    def test_sees(self):
        """The robot looks along -x, with a box of 1 m ahead and a wall behind that."""
        self.call("time", "sleep", "1.0")
        scan = self.call("robot.sick", "get_local_data")
        self.assertEqual(list(scan), ["timestamp", "point_list", "range_list"])
        self.assertEqual((len(scan["range_list"]), len(scan["point_list"])), (181, 181))
        self.assertAlmostEqual(scan["range_list"][90], 7 - 0.18, delta=0.05)
        for (x, y, _), distance in zip(scan["point_list"], scan["range_list"]):
            self.assertTrue(distance == 30.0 or abs(math.hypot(x, y) - distance) < 0.01)
        # To the right, where its -y is, are the wall at y = 14.05 and nothing before it.
        self.assertAlmostEqual(scan["range_list"][0], 14.05, delta=0.3)

        layers = self.call("robot.layers", "get_local_data")
        self.assertEqual(len(layers["remission_list"]), 1604)
        self.assertTrue(all(0 <= share <= 1 for share in layers["remission_list"]))
        self.assertEqual(len(self.call("robot.side", "get_local_data")["range_list"]), 241)
        self.assertAlmostEqual(self.call("robot.height", "get_local_data")["z"], 0.4, delta=0.05)
        self.assertEqual(self.call("robot.near", "get_local_data")["near_robots"], {})
        self.call("robot.near", "set_range", "100")
        self.call("time", "sleep", "0.5")
        near = self.call("robot.near", "get_local_data")["near_robots"]
        self.assertEqual(list(near), ["cat"])
        distance, view = self.call("communication", "distance_and_view", "robot", "cat")
        self.assertAlmostEqual(distance, near["cat"], delta=0.01)
        self.assertIs(view, False)

    def test_steers_clear(self):
        """On the straight way to the goal stands the box."""
        self.assertEqual(self.call("robot.waypoint", "goto", "--", "-14", "0", "0"), "Arrived")
        place = self.call("robot.pose", "get_local_data")
        self.assertLess(math.hypot(place["x"] + 14, place["y"]), 0.7)
        boxes = self.call("simulation", "get_scene_objects")
        self.assertAlmostEqual(boxes["RedBox"][1][0], -7.5, delta=0.05)

    @unittest.skipIf(pymorse is None, "no pymorse; Debian has it as python3-morse-simulator")
    def test_pymorse(self):
        morse = pymorse.Morse("127.0.0.1", int(self.port))
        try:
            scan = morse.robot.sick.get(30)
            self.assertEqual(len(scan["range_list"]), 181)
            self.assertAlmostEqual(scan["range_list"][90], 7 - 0.18, delta=0.05)
        finally:
            morse.close(True, wait_publishers=False)


if __name__ == "__main__":
    tap.main()
