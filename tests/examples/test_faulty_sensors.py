# SPDX-License-Identifier: BSD-3-Clause
"""The robot of the examples whose sensors fail: how they do, and the same each time."""

import json
import math
import os
import re
import socket
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

SCENE = os.path.join(SOURCE, "examples/faulty_sensors.py")


class FaultySensors(ProgramCase):
    def call(self, *arguments):
        done = self.orrery("call", "--port", self.port, *arguments)
        self.check(done, 0)
        return json.loads(done.stdout or "null")

    def data(self, name):
        return self.call("robot." + name, "get_local_data")

    def messages(self, name, n):
        """The next messages of a stream."""
        place = ("127.0.0.1", self.call("simulation", "get_stream_port", "robot." + name))
        with socket.create_connection(place, timeout=60) as stream, stream.makefile() as lines:
            return [json.loads(next(lines)) for _ in range(n)]

    def test_drive(self):
        process = self.start("run", SCENE, "--fast")
        self.port = self.services_port(process)
        drive = ("127.0.0.1", self.call("simulation", "get_stream_port", "robot.drive"))
        with socket.create_connection(drive, timeout=60) as stream:
            stream.sendall(b'{"v": 1.0, "w": 0.1}\n')
            while math.hypot(self.data("truth")["x"], self.data("truth")["y"]) < 5:
                self.call("time", "sleep", "1.0")
        # Odometry goes astray; the service brings it back to where it is.
        truth, wheels = self.data("truth"), self.data("wheels")
        self.assertGreater(math.hypot(truth["x"] - wheels["x"], truth["y"] - wheels["y"]), 0.01)
        self.call("robot.wheels", "reset_noise")
        # Clients of MORSE learn from the details which services there are.
        parts = self.call("simulation", "details")["robots"][0]["components"]
        self.assertIn("reset_noise", parts["robot.wheels"]["services"])
        self.assertIn("get_local_data", parts["robot.wheels"]["services"])
        self.assertNotIn("reset_noise", parts["robot.truth"]["services"])

        # The chance that it never drops out in so many is 2e-9.
        fixes = self.messages("gps", 1000)
        self.assertEqual({fix["altitude"] % 0.5 for fix in fixes}, {0.0})
        times = [fix["timestamp"] for fix in fixes]
        gaps = [after - before for before, after in zip(times, times[1:])]
        self.assertGreater(max(gaps), 0.9)
        self.assertGreaterEqual(min(gaps), 0.0)

        shocks = [abs(sample["linear_acceleration"][2] - 9.81) for sample in self.messages("imu", 5000)]
        self.assertLess(sum(shocks) / len(shocks), 1.0)
        self.assertGreater(max(shocks), 3.0)

        # It failed when 30 s had gone: 14.5 to 15 % less, in whole per cents.
        self.call("time", "sleep", "60.0")
        self.assertEqual(self.data("battery")["charge"], 85.0)
        self.call("simulation", "quit")
        self.assertEqual(process.wait(60), 0)

    def test_same_again(self):
        def run(*more):
            done = self.orrery("run", SCENE, "--fast", "--start=0", "--for=20", "--hash", *more)
            self.check(done, 0)
            return re.search(r"\b[0-9a-f]{16}\b", done.stdout + done.stderr).group()

        self.assertEqual(run(), run())
        self.assertNotEqual(run(), run("--seed=8"))


if __name__ == "__main__":
    tap.main()
