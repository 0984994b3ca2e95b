# SPDX-License-Identifier: BSD-3-Clause
"""Components written for MORSE, seen by MORSE's own client library over sockets."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../middleware"))
from clients import BUILD, IN, OUT, REQUESTS, SOCKET, ClientCase, Lines  # noqa: E402

import tap  # noqa: E402
from support import SOURCE  # noqa: E402

try:
    import pymorse
except ImportError:
    pymorse = None

READY = os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib"))
OBJECTS = [
    {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
    {"name": "odometer", "classpath": "lab.sensors.odometer.Odometer", "placement": "worker"},
    {"name": "pilot", "classpath": "lab.actuators.pilot.Pilot"},
    {"name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint", "properties": {"ControlType": "Position"}},
    {"name": "place", "classpath": "morse.sensors.pose.Pose"},
]
TABLES = {
    "component_datastream": {"robot.pose": [OUT], "robot.odometer": [OUT], "robot.pilot": [[SOCKET, "lab.plugs.Pair", {}]],
                             "robot.place": [[SOCKET, "lab.plugs.Short", {}]]},
    "component_service": {"robot.odometer": [REQUESTS], "robot.pilot": [REQUESTS]},
    "overlays": {REQUESTS: {"robot.pilot": ["lab.plugs.Captain", {"prefix": "acme"}],
                            "robot.waypoint": ["lab.plugs.Navigator", {"prefix": "sea"}]}},
}


@unittest.skipUnless(READY, "no typelib")
@unittest.skipIf(pymorse is None, "no pymorse; Debian has it as python3-morse-simulator")
class Clients(ClientCase):
    plugins = os.path.join(SOURCE, "tests/python/fixtures")

    def setUp(self):
        super().setUp()
        self.process, self.port = self.run_scene(self.scene(OBJECTS, **TABLES))
        self.morse = pymorse.Morse("127.0.0.1", self.port)
        self.addCleanup(self.morse.close, True, wait_publishers=False)
        self.robot = self.morse.robot

    def test_stream(self):
        record = self.robot.odometer.get(60)
        self.assertEqual(list(record), ["timestamp", "distance", "position", "note", "seen"])
        self.assertGreater(self.robot.odometer.get(60)["seen"]["n"], record["seen"]["n"])

    def test_goto(self):
        self.assertEqual(self.robot.pilot.goto(1.0, 0.0).result(60), "Arrived")
        self.assertIn(self.robot.pilot.state().result(60), ("Arrived", "Stop"))
        self.assertLess(abs(self.robot.pose.get(60)["x"] - 1), 0.5)
        with self.assertRaises(pymorse.MorseServiceFailed) as failed:
            self.robot.pilot.goto(1.0, 0.0, -1.0).result(60)
        self.assertIn("the speed is -1, not above 0", str(failed.exception))
        with self.assertRaisesRegex(TypeError, "goto takes 2 to 3 arguments, not 1"):
            self.robot.pilot.goto(1.0).result(60)

    def test_cancel(self):
        goal = self.robot.pilot.goto(50.0, 0.0)
        self.morse.sleep(0.3)
        goal.cancel()
        with self.assertRaises(pymorse.MorseServicePreempted):
            goal.result(60)
        self.morse.sleep(0.1)
        place = self.robot.pose.get(60)["x"]
        self.morse.sleep(0.2)
        self.assertEqual(self.robot.pose.get(60)["x"], place)

    def test_preempt(self):
        first = self.robot.pilot.goto(50.0, 0.0)
        self.morse.sleep(0.1)
        second = self.robot.pilot.goto(0.5, 0.0)
        with self.assertRaises(pymorse.MorseServicePreempted):
            first.result(60)
        self.assertEqual(second.result(60), "Arrived")

    def test_worker(self):
        """Services of a component in a process of its own."""
        waiting = self.robot.odometer.wait_for(0.5)
        self.robot.pilot.goto(2.0, 0.0)
        self.assertGreaterEqual(waiting.result(60), 0.5)
        waiting = self.robot.odometer.wait_for(500.0)
        self.morse.sleep(0.1)
        waiting.cancel()
        with self.assertRaises(pymorse.MorseServicePreempted):
            waiting.result(60)

    def test_overlays(self):
        """Over a component of MORSE and over one in C."""
        for name, state in (("acme.captain", "Stop"), ("sea.captain", "Arrived")):
            with self.subTest(name), Lines(self.port) as client:
                self.assertEqual(client.ask(name, "State"), "<%s>" % state)
                self.assertEqual(client.ask(name, "Sail", 0.6, 0.0), {"end": "Arrived"})
                with self.assertRaisesRegex(RuntimeError, 'FAILED "we do not sink"'):
                    client.ask(name, "Sink")
                client.send("a %s Sail [50.0, 0.0]\nb %s Sail [60.0, 0.0]\n" % (name, name))
                self.assertEqual(client.line(), "a PREEMPTED")
                client.send("b cancel\n")
                self.assertEqual(client.line(), "b PREEMPTED")

    def test_own_messages(self):
        """What a datastream of the user's own writes and reads."""
        with Lines(self.morse.get_stream_port("robot.place")) as place, \
                Lines(self.morse.get_stream_port("robot.pilot")) as pilot:
            self.assertEqual(place.line(), "robot.place 0.00")
            pilot.send("rubbish\n0.7 0.0\n")
            while float(place.line().split()[1]) < 0.45:
                pass


if __name__ == "__main__":
    tap.main()
