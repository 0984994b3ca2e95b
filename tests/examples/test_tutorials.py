# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial scenes: an arm with a gripper; robots with zones, communication and somebody to help."""

import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import PYTHON, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

try:
    import pymorse  # noqa: F401
    HAS_PYMORSE = True
except ImportError:
    HAS_PYMORSE = False


def blocks(name):
    """What a page tells its readers to type, block by block."""
    with open(os.path.join(SOURCE, "docs", name), encoding="utf-8") as file:
        return re.findall(r"^```sh\n(.*?)^```$", file.read(), re.S | re.M)


class Tutorials(ProgramCase):
    def type_in(self, block):
        """A block of the page, line by line, from beside the examples; the answers."""
        first, *lines = block.strip().split("\n")
        self.assertTrue(first.startswith("orrery run ") and first.endswith(" &"), first)
        process = self.start("run", "--fast", os.path.join(SOURCE, first.split()[2]))
        if self.services_port(process) != "4000":
            self.skipTest("another simulation runs on this machine")
        answers = []
        for line in lines:
            words = shlex.split(line)
            if words[0] == "python3":
                done = subprocess.run([PYTHON, os.path.join(SOURCE, words[1])], capture_output=True, text=True, timeout=120)
            else:
                done = self.orrery(*words[1:])
            self.assertEqual(done.returncode, 0, "%s: %s" % (line, done.stderr))
            answers.append(done.stdout.strip())
        self.assertEqual(process.wait(60), 0)
        return answers

    def test_the_page_as_it_stands(self):
        """Each block runs as it is printed, one after the other, on the usual ports."""
        ground, arm, quadrotor, team, faulty = blocks("tutorials.md")
        if HAS_PYMORSE:
            self.assertIn("Arrived", self.type_in(ground)[0])
        self.assertEqual(self.type_in(arm)[1], '"ball"')
        self.assertEqual(self.type_in(quadrotor)[0], '"Arrived"')
        self.assertIn("4.0", self.type_in(team)[0])
        self.assertEqual(len(self.type_in(faulty)[0].split("\n")), 5)

    def begin(self, name, *options):
        process = self.start("run", os.path.join(SOURCE, "examples", name), "--fast", *options)
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
        """The arm reaches over the ball, takes it, lifts it and puts it down elsewhere."""
        process = self.begin("arm.json")
        self.call("bench.arm", "move_IK_target", '"kuka_7"', "[0.4, 0.3, 0.6]", "[-1.570796326794897, 0, 0]", "false")
        self.assertEqual(self.call("bench.arm.gripper", "grab"), "ball")
        before = self.call("ball.pose", "get_local_data")
        self.call("bench.arm", "move_IK_target", '"kuka_7"', "[0, -0.4, 0.2]", "[0, 0, 0]", "true", "2.0")
        self.call("time", "sleep", "0.1")
        after = self.call("ball.pose", "get_local_data")
        self.assertAlmostEqual(after["y"] - before["y"], -0.4, delta=0.01)
        self.assertAlmostEqual(after["z"] - before["z"], 0.2, delta=0.01)
        self.assertIs(self.call("bench.arm.gripper", "release"), True)
        self.call("bench.arm", "rotate", '"kuka_1"', "0.5", "2.0")
        self.call("time", "sleep", "0.1")
        self.assertEqual(self.call("ball.pose", "get_local_data")["y"], after["y"])
        self.leave(process)

    def test_team(self):
        """A wall stands between two robots until one drives past it; its battery runs low outside the charger."""
        process = self.begin("team.json", "--paused")
        self.call("simulation", "step", "60")
        self.assertEqual(self.call("scout.battery", "get_local_data")["charge"], 100)
        distance, view = self.call("communication", "distance_and_view", '"scout"', '"medic"')
        self.assertAlmostEqual(distance, 4, delta=0.01)
        self.assertFalse(view)
        self.call("scout.drive", "set_speed", "0", "0.7853981633974483")
        self.call("simulation", "step", "120")
        self.call("scout.drive", "set_speed", "1", "0")
        self.call("simulation", "step", "180")
        self.call("scout.drive", "stop")
        self.call("simulation", "step", "2")
        self.assertAlmostEqual(self.call("scout.pose", "get_local_data")["y"], 3, delta=0.05)
        self.assertTrue(self.call("communication", "distance_and_view", '"scout"', '"medic"')[1])
        self.assertLess(self.call("scout.battery", "get_local_data")["charge"], 97)
        found = self.call("medic.rescue", "get_local_data")["victim_dict"]
        self.assertEqual(found["casualty"]["severity"], 10)
        self.leave(process)


if __name__ == "__main__":
    tap.main()
