# SPDX-License-Identifier: BSD-3-Clause
"""The site of the examples with a sensor that was written for MORSE: its commands do what they say."""

import json
import os
import re
import shlex
import socket
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

SITE = os.path.join(SOURCE, "examples/depot")
READY = os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib"))


@unittest.skipUnless(READY, "no typelib")
class Depot(ProgramCase):
    def environment(self):
        return dict(super().environment(), PYTHONPATH=os.path.join(SITE, "src"))

    def call(self, *arguments):
        done = self.orrery("call", "--port", self.port, *arguments)
        self.check(done, 0)
        return json.loads(done.stdout or "null")

    def test_commands(self):
        with open(os.path.join(SITE, "default.py"), encoding="utf-8") as file:
            told = re.findall(r"^    orrery call (.*)$", file.read(), re.M)
        process = self.start("run", os.path.join(SITE, "default.py"), "--fast")
        self.port = self.services_port(process)
        before = self.call("robot.dock", "get_local_data")
        self.assertEqual(list(before), ["timestamp", "distance", "bearing", "position", "docked"])
        self.assertAlmostEqual(before["distance"], 1.5, places=3)
        self.assertAlmostEqual(before["position"][0], 1.5, places=3)
        self.assertFalse(before["docked"])
        self.assertAlmostEqual(self.call("robot.dock", "get_reach"), 0.4, places=6)
        # One after the other on one connection: it must not be there before somebody waits.
        with socket.create_connection(("127.0.0.1", int(self.port)), timeout=60) as client, client.makefile() as lines:
            for number, command in enumerate(told):
                part, service, *arguments = shlex.split(command.rstrip(" &"))
                client.sendall(("%d %s %s [%s]\n" % (number, part, service, ", ".join(arguments))).encode())
            answers = sorted(next(lines).split() for _ in told)
        self.assertEqual([answer[:2] for answer in answers], [["0", "SUCCESS"], ["1", "SUCCESS"]])
        self.assertTrue(0.3 < float(answers[0][2]) < 0.4, answers)


if __name__ == "__main__":
    tap.main()
