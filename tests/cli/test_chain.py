# SPDX-License-Identifier: BSD-3-Clause
"""How a client had a file of the user's choice written: a scene of his own, a file anywhere, a line of his own. Each of
these links breaks the chain while the others are left open."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

LINE = "echo owned"
TEXT = ["morse.middleware.text_datastream.TextDatastreamManager", "morse.middleware.text_datastream.Publisher"]


class Chain(support.ProgramCase):
    def setUp(self):
        super().setUp()
        for folder in ("run", "run/scenes", "home", "tmp"):
            os.mkdir(self.path(folder))
        self.target = self.path("home/.bashrc")
        self.directory = self.path("run")
        self.write("scenes/scene.json", support.SCENE)

    def place(self, folder, file, name="robot"):
        pose = {"name": "pose", "classpath": "morse.sensors.pose.Pose"}
        robot = {"name": name, "classpath": "morse.robots.atrv.ATRV", "objects": [pose]}
        return self.write(folder + "/evil.json", json.dumps({
            "orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"}, "objects": [robot],
            "component_datastream": {name + ".pose": [TEXT + ["OUT", {"file": file}]]}}))

    def attack(self, scene, *options):
        """Returns whether the scene was taken, and what the simulation said to its end."""
        process = self.start("run", "scenes/scene.json", *options)
        port = self.services_port(process)
        done = self.orrery("call", "--port", port, "simulation", "load", json.dumps(scene))
        said = done.stderr
        if done.returncode == 0:
            try:
                line = self.wait_for(process, "Socket service manager now listening on port ")
                port = line.rstrip(".\n").split()[-1]
                self.orrery("call", "--port", port, "simulation", "step", "3")
            except AssertionError as error:  # it has ended
                said += str(error)
        process.terminate()
        return done.returncode == 0, said + process.communicate(timeout=60)[1]

    def target_text(self):
        if not os.path.exists(self.target):
            return ""
        with open(self.target, encoding="utf-8") as file:
            return file.read()

    def test_a_scene_of_his_own(self):
        """All else is open: the file may lie anywhere."""
        scene = self.place("../tmp", self.target)
        for name in (os.path.realpath(scene), "../../tmp/evil.json"):
            taken, said = self.attack(name, "--output-dir=/")
            self.assertFalse(taken, said)
            self.assertEqual(self.target_text(), "")

    def test_a_file_anywhere(self):
        """His scene lies where it may be loaded from."""
        for name in (self.target, "../home/.bashrc", "scenes/../../home/.bashrc"):
            self.place("scenes", name)
            _, said = self.attack("evil.json")
            self.assertIn("--output-dir", said)
            self.assertEqual(self.target_text(), "")

    def test_a_line_of_his_own(self):
        """His scene is loaded, and its file lies anywhere: no line of it is his."""
        self.place("scenes", self.target, "robot\n%s\n#" % LINE)
        taken, said = self.attack("evil.json", "--output-dir=/")
        self.assertFalse(taken, said)
        self.assertIn("control characters", said)
        self.assertNotIn(LINE, self.target_text().splitlines())

    def test_all_links_open(self):
        """The control: with a name as it should be, the file is written where the user allowed it."""
        self.place("scenes", self.target)
        taken, said = self.attack("evil.json", "--output-dir=/")
        self.assertTrue(taken, said)
        self.assertIn("ROBOT robot", self.target_text())


if __name__ == "__main__":
    tap.main()
