# SPDX-License-Identifier: BSD-3-Clause
"""What a client can have read from the disk: other scenes, below one directory, and nothing else."""

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

SECRET = "the-secret-of-somebody-else"


class LoadCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.outside = self.path("outside")
        os.makedirs(self.path("scenes/more"))
        os.mkdir(self.outside)
        for name in ("scenes/first.json", "scenes/second.json", "scenes/more/third.json", "outside/scene.json"):
            self.write(name, json.dumps({"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"},
                                         "objects": [{"name": os.path.basename(name)[:-5],
                                                      "classpath": "orrery.core.robot.Robot"}]}))
        self.write("outside/secret", SECRET + "\n")

    def begin(self, *arguments):
        process = self.start("run", *arguments)
        self.port = self.services_port(process)
        return process

    def load(self, name):
        return self.orrery("call", "--port", self.port, "simulation", "load", json.dumps(name))

    def call(self, *words):
        done = self.orrery("call", "--port", self.port, *words)
        self.check(done, 0)
        return json.loads(done.stdout)

    def follow(self, process):
        """To the port of the scene that was loaded."""
        line = self.wait_for(process, "Socket service manager now listening on port ")
        self.port = line.rstrip(".\n").split()[-1]

    def assert_refused(self, name, code, *words):
        with self.subTest(name):
            done = self.load(name)
            self.check(done, code, *words)
            self.assertNotIn(SECRET, done.stderr)
            self.assertEqual(self.call("simulation", "list_robots"), ["first"])


class Load(LoadCase):
    def test_outside(self):
        self.begin("scenes/first.json")
        for name in (os.path.join(self.outside, "scene.json"), "../outside/scene.json", "more/../../outside/scene.json",
                     "/etc/passwd", "..", "/", ""):
            self.assert_refused(name, 69, "'..'")

    def test_links(self):
        """It is not told either whether the file is there."""
        os.symlink("../outside/scene.json", self.path("scenes/link.json"))
        os.symlink("../outside", self.path("scenes/folder"))
        os.symlink("/etc", self.path("scenes/etc"))
        self.begin("scenes/first.json")
        said = []
        for name in ("link.json", "folder", "folder/scene.json", "folder/none", "etc/passwd"):
            self.assert_refused(name, 69, "no scene of this name")
            said.append(self.load(name).stderr.replace(name, "NAME"))
        self.assertEqual(len(set(said)), 1, said)

    def test_what_is_no_scene(self):
        """Its content is told in the log, not to the client."""
        self.write("scenes/secret", SECRET + "\n")
        self.write("scenes/list.json", json.dumps([SECRET]))
        self.write("scenes/other.json", json.dumps({SECRET: 1}))
        self.write("scenes/broken.json", '{"a": %s' % SECRET)
        os.mkfifo(self.path("scenes/pipe"))
        process = self.begin("scenes/first.json")
        for name in ("secret", "list.json", "other.json", "broken.json", "pipe", "more"):
            done = self.load(name)
            self.check(done, 69, "%s: not a scene" % os.path.basename(name))
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertNotIn(SECRET, done.stderr)
        process.terminate()
        self.assertIn("secret", process.communicate()[1])

    def test_a_scene_that_is_wrong(self):
        """One that is a scene is told all that is wrong with it."""
        self.write("scenes/wrong.json", json.dumps({"orrery": 1, "obejcts": []}))
        self.begin("scenes/first.json")
        self.assert_refused("wrong.json", 69, "obejcts", "objects")

    def test_below(self):
        process = self.begin("scenes/first.json")
        for name, robot in (("second.json", "second"), ("more/third.json", "third"), ("./first.json", "first")):
            self.check(self.load(name), 0)
            self.follow(process)
            self.assertEqual(self.call("simulation", "list_robots"), [robot])

    def test_root(self):
        process = self.begin("scenes/first.json", "--root=outside")
        self.assert_refused("second.json", 69, "no scene of this name")
        self.check(self.load("scene.json"), 0)
        self.follow(process)
        self.assertEqual(self.call("simulation", "list_robots"), ["scene"])
        self.check(self.orrery("run", "scenes/first.json", "--root=none"), 66, "none")

    def test_script(self):
        """Of a script it is the script's directory, not that of what the builder wrote."""
        self.write("scenes/world.py", support.SCRIPT)
        process = self.begin("scenes/world.py")
        self.check(self.load("scene.json"), 69, "no scene of this name")
        self.check(self.load("second.json"), 0)
        self.follow(process)
        self.assertEqual(self.call("simulation", "list_robots"), ["second"])

    def test_states(self):
        """They are kept in memory, whatever their name looks like."""
        self.begin("scenes/first.json")
        name = os.path.join(self.outside, "state")
        self.check(self.orrery("call", "--port", self.port, "simulation", "save", json.dumps(name)), 0)
        self.check(self.orrery("call", "--port", self.port, "simulation", "restore", json.dumps(name)), 0)
        self.check(self.orrery("call", "--port", self.port, "simulation", "save", json.dumps("a\nb")), 69, "name of")
        self.assertEqual(sorted(os.listdir(self.outside)), ["scene.json", "secret"])


if __name__ == "__main__":
    tap.main()
