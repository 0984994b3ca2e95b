# SPDX-License-Identifier: BSD-3-Clause
"""What a client can have read from the disk: other scenes, below one directory, and nothing else."""

import errno
import json
import os
import shutil
import subprocess
import sys
import time
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


OBJ = os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery/importers/obj.so")
# A reader of meshes that writes one triangle once it is told to.
READER = """#!/usr/bin/python3
import struct, sys
with open({gate!r}, "w") as gate:
    gate.write("here")
with open({go!r}) as go:
    go.read()
sys.stdout.buffer.write(b"ORRMESH\\0" + struct.pack("<2I9d3I", 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2))
"""


@unittest.skipUnless(os.path.exists(OBJ), "built without readers of meshes")
class Beside(LoadCase):
    """What takes its time to be read does not stop the scene that runs."""

    def setUp(self):
        super().setUp()
        folder = self.path("plugins/orrery/importers")
        os.makedirs(folder)
        shutil.copy(OBJ, folder)
        for name in ("gate", "go"):
            os.mkfifo(self.path(name))
        self.write("plugins/orrery/importers/read-mesh", READER.format(gate=self.path("gate"), go=self.path("go")))
        os.chmod(self.path("plugins/orrery/importers/read-mesh"), 0o755)
        self.write("scenes/thing.obj", "")
        self.write("scenes/slow.json", json.dumps({
            "orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic", "import": "thing.obj"},
            "objects": [{"name": "slow", "classpath": "orrery.core.robot.Robot"}]}))

    def begin_loading(self, *more):
        """Returns when the reader waits."""
        self.process = self.begin("scenes/first.json", "--plugin-dir", self.path("plugins"), *more)
        self.loader = subprocess.Popen([support.PROGRAM, "call", "--port", self.port, "simulation", "load", '"slow.json"'],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment())
        self.addCleanup(self.end, self.loader)
        with open(self.path("gate"), encoding="utf-8") as gate:
            self.assertEqual(gate.read(), "here")

    def go(self):
        with open(self.path("go"), "w", encoding="utf-8") as go:
            go.write("go")

    def assert_ticks(self):
        before = self.call("time", "now")
        while self.call("time", "now") <= before:
            pass

    def test_ticks_go_on(self):
        self.begin_loading()
        for _ in range(3):
            self.assert_ticks()
        self.assertEqual(self.call("simulation", "state"), "running")
        self.check(self.load("second.json"), 69, "another scene is being loaded")
        self.assertIsNone(self.loader.poll())
        self.go()
        out, err = self.loader.communicate(timeout=60)
        self.assertEqual((self.loader.returncode, json.loads(out)), (0, "stopped"), err)
        self.follow(self.process)
        self.assertEqual(self.call("simulation", "list_robots"), ["slow"])
        self.assertEqual(self.call("simulation", "start"), "running")
        self.assert_ticks()

    def test_what_changes_meanwhile(self):
        """The run may be paused, stopped or begun anew; the scene comes all the same."""
        for change, state in (("pause", "paused"), ("stop", "stopped"), ("reset", "running")):
            with self.subTest(change):
                self.begin_loading()
                self.assertEqual(self.call("simulation", change), state)
                self.go()
                out, err = self.loader.communicate(timeout=60)
                self.assertEqual((self.loader.returncode, json.loads(out)), (0, "stopped"), err)
                self.follow(self.process)
                self.assertEqual(self.call("simulation", "list_robots"), ["slow"])
                self.end(self.process)

    def test_classes_in_python(self):
        """They are imported in the thread, whatever the one of the ticks does with Python."""
        os.makedirs(self.path("plugins/lab"))
        for name in ("busy", "other"):
            self.write("plugins/lab/%s.py" % name, "import orrery\n\n\n@orrery.plugin\nclass Part(orrery.Sensor):\n"
                       "    x = orrery.field(float, 'm', 'nothing')\n\n    def sense(self, tick, record):\n"
                       "        record.x = sum(range(1000))\n")
            self.write("scenes/%s.json" % name, json.dumps({
                "orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"}, "objects": [
                    {"name": name, "classpath": "orrery.core.robot.Robot", "objects": [
                        {"name": "part", "classpath": "lab.%s.Part" % name}]}]}))
        process = self.begin("scenes/busy.json", "--plugin-dir", self.path("plugins"), "--fast")
        for name in ("other", "busy", "other"):
            self.check(self.load(name + ".json"), 0)
            self.follow(process)
            self.assertEqual(self.call("simulation", "list_robots"), [name])
            self.assertEqual(self.call("simulation", "start"), "running")
            self.assert_ticks()

    def test_the_end(self):
        """Of the run, while a scene is being loaded: nobody waits for the reader, which ends, too."""
        self.begin_loading("--read-limit", "1000")
        self.process.terminate()
        _, log = self.process.communicate(timeout=60)
        self.assertEqual(self.process.returncode, 143, log)
        self.assertNotIn("does not end", log)
        self.assertNotIn(": nobody waits for it any more", log)
        self.loader.communicate(timeout=60)
        self.assertNotEqual(self.loader.returncode, 0)
        self.assert_no_reader()

    def test_a_host_that_is_killed(self):
        self.begin_loading()
        self.process.kill()
        self.process.communicate(timeout=60)
        self.assert_no_reader()

    def assert_no_reader(self):
        """Nobody has the other end of the pipe any more."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                os.close(os.open(self.path("go"), os.O_WRONLY | os.O_NONBLOCK))
            except OSError as error:
                self.assertEqual(error.errno, errno.ENXIO)
                return
            time.sleep(0.01)
        self.fail("the reader of the mesh outlives its host")


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
