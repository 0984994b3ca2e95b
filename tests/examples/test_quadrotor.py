# SPDX-License-Identifier: BSD-3-Clause
"""The quadrotor of the examples flies where it is called to, against a wind."""

import json
import os
import socket
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402


class Quadrotor(ProgramCase):
    def test_flies(self):
        process = self.start("run", os.path.join(SOURCE, "examples/quadrotor.py"), "--fast")
        port = self.services_port(process)

        def call(*arguments):
            done = self.orrery("call", "--port", port, *arguments)
            self.check(done, 0)
            return json.loads(done.stdout or "null")

        self.assertEqual(call("drone.fly", "get_status"), "Arrived")
        self.assertEqual(call("drone.fly", "goto", "5", "0", "3", "1.57"), "Arrived")
        pose = call("drone.pose", "get_local_data")
        self.assertLess(abs(pose["x"] - 5) + abs(pose["y"]) + abs(pose["z"] - 3), 0.5)

        # A steady wind holds it aside, by as much as gives the tilt that withstands it.
        wind = ("127.0.0.1", call("simulation", "get_stream_port", "drone.wind"))
        with socket.create_connection(wind, timeout=60) as stream:
            stream.sendall(b'{"force": [0.0, 1.0, 0.0], "torque": [0.0, 0.0, 0.0]}\n')
            while call("drone.pose", "get_local_data")["y"] < 0.4:
                call("time", "sleep", "1.0")
        call("time", "sleep", "20.0")
        self.assertLess(abs(call("drone.pose", "get_local_data")["y"] - 0.5), 0.1)
        call("simulation", "quit")
        self.assertEqual(process.wait(60), 0)


if __name__ == "__main__":
    tap.main()
