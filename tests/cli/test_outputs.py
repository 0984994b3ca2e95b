# SPDX-License-Identifier: BSD-3-Clause
"""Where a run writes: which files a scene and a command line may name, and which are left alone."""

import json
import os
import pwd
import stat
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

TEXT = ["morse.middleware.text_datastream.TextDatastreamManager", "morse.middleware.text_datastream.CSVPublisher"]
PRECIOUS = "nobody asked for this to be written\n"


class OutputCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.outside = os.path.join(self.directory, "outside")
        self.inside = os.path.join(self.directory, "inside")
        os.mkdir(self.outside)
        os.mkdir(self.inside)
        with open(os.path.join(self.outside, "precious"), "w", encoding="utf-8") as file:
            file.write(PRECIOUS)
        self.directory = self.inside

    def scene(self, file=None, **more):
        """With a text stream into that file."""
        pose = {"name": "pose", "classpath": "morse.sensors.pose.Pose"}
        robot = {"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [pose]}
        config = {"component_datastream": {"robot.pose": [TEXT + ["OUT", {"file": file}]]}} if file else {}
        return self.write("scene.json", json.dumps(dict({"orrery": 1, "objects": [robot]}, **config, **more)))

    def run_scene(self, *arguments, **options):
        return self.orrery("run", "--offline", "--quiet", "scene.json", "--fast", "--ticks", "3", *arguments, timeout=60,
                           **options)

    def read(self, path):
        with open(self.path(path), encoding="utf-8") as file:
            return file.read()

    def assert_refused(self, done, code, *words):
        self.check(done, code, *words)
        self.assertEqual(self.read("../outside/precious"), PRECIOUS)


class Streams(OutputCase):
    """A scene is somebody else's more often than not: it names files below the directory of the run only."""

    def test_outside(self):
        for name in (os.path.join(self.outside, "precious"), "../outside/precious", "../outside/new", "/proc/self/mem",
                     "/dev/null", "/dev/stdout", "sub/../../outside/precious"):
            with self.subTest(name):
                self.scene(name)
                self.assert_refused(self.run_scene(), 65, "robot.pose", name, "--output-dir")
                self.assert_refused(self.orrery("check", "scene.json"), 65, "robot.pose", name, "--output-dir")
        self.assertEqual(os.listdir(self.outside), ["precious"])

    def test_check_with_a_directory(self):
        """A check knows the directory of the run, writes nothing there, and need not find it"""
        self.scene(os.path.join(self.outside, "new"))
        self.assert_refused(self.orrery("check", "scene.json"), 65, "robot.pose", "--output-dir")
        self.check(self.orrery("check", "scene.json", "--output-dir", self.outside), 0)
        self.assertEqual(os.listdir(self.outside), ["precious"])

    def test_links(self):
        os.symlink(os.path.join(self.outside, "precious"), self.path("log.csv"))
        os.symlink(self.outside, self.path("folder"))
        for name in ("log.csv", "folder/precious", "folder/new"):
            with self.subTest(name):
                self.scene(name)
                self.assert_refused(self.run_scene(), 65, name, "symbolic link")
        self.assertEqual(os.listdir(self.outside), ["precious"])

    def test_what_is_no_text_stream(self):
        """The scene itself, and whatever else lies there."""
        for name in ("scene.json", "notes.txt"):
            with self.subTest(name):
                self.write("notes.txt", PRECIOUS)
                before = self.read(self.scene(name))
                self.assert_refused(self.run_scene(), 65, name, "ROBOT")
                self.assertEqual(self.read("scene.json"), before)
                self.assertEqual(self.read("notes.txt"), PRECIOUS)

    def test_what_is_written(self):
        """In the directory, below it, by its full path; what a run before wrote is replaced."""
        os.mkdir(self.path("sub"))
        for name in ("a.csv", "sub/b.csv", self.path("c.csv"), "./sub//d.csv", "a.csv"):
            with self.subTest(name):
                self.scene(name)
                self.check(self.run_scene(), 0)
                lines = self.read(name).splitlines()
                self.assertTrue(lines[0].startswith("ROBOT robot"))
                self.assertEqual(len(lines), 4 + 3)

    def test_output_dir(self):
        self.scene("log.csv")
        self.check(self.run_scene("--output-dir=../outside"), 0)
        self.assertIn("ROBOT robot", self.read("../outside/log.csv"))
        self.assertFalse(os.path.exists(self.path("log.csv")))
        self.scene(os.path.join(self.outside, "full.csv"))
        self.check(self.run_scene("--output-dir", self.outside), 0)
        self.assertIn("ROBOT robot", self.read("../outside/full.csv"))
        self.scene("log.csv")
        self.assert_refused(self.run_scene("--output-dir=none"), 74, "log.csv")

    def test_pipe(self):
        """Without a reader it is an error, and nobody waits."""
        os.mkfifo(self.path("pipe"))
        self.scene("pipe")
        self.check(self.run_scene(), 74, "pipe", "nobody reads")
        reader = subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE, text=True)
        writer = os.open(self.path("pipe"), os.O_WRONLY)  # waits until the reader is there
        self.check(self.run_scene(), 0)
        os.close(writer)
        self.assertEqual(len(reader.communicate(timeout=60)[0].splitlines()), 4 + 3)
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.path("pipe")).st_mode))


class Options(OutputCase):
    """The user of the command line may name any place, but nothing is written that he cannot mean."""

    OPTIONS = ("--hash", "--result", "--save")

    def each(self, path):
        for option in self.OPTIONS:
            with self.subTest(option):
                yield self.run_scene("%s=%s" % (option, path))

    def test_the_scene_itself(self):
        before = self.read(self.scene())
        for done in self.each("scene.json"):
            self.assert_refused(done, 65, "scene.json", "scene itself")
            self.assertEqual(self.read("scene.json"), before)

    def test_a_model_and_a_config(self):
        self.write("robot.urdf", '<robot name="r"><link name="base"/></robot>')
        self.write("config.py", "component_datastream = {}\n")
        self.write("scene.json", json.dumps({"orrery": 1, "component_config": "config.py", "objects": [
            {"name": "robot", "classpath": "morse.robots.atrv.ATRV", "import": {"file": "robot.urdf"}}]}))
        for name in ("robot.urdf", "config.py"):
            before = self.read(name)
            for done in self.each(name):
                self.assert_refused(done, 65, name, "scene itself")
                self.assertEqual(self.read(name), before)

    def test_a_script(self):
        script = self.write("world.py", support.SCRIPT)
        for option in ("--result", "--save"):
            with self.subTest(option):
                done = self.orrery("run", "--offline", script, "--ticks", "1", "%s=%s" % (option, "world.py"))
                self.assert_refused(done, 65, "world.py", "scene itself")
                self.assertEqual(self.read("world.py"), support.SCRIPT)

    def test_links_of_ones_own(self):
        """What they lead to is written, and they stay."""
        self.scene()
        os.symlink("../outside/new", self.path("link"))
        for done in self.each("link"):
            self.check(done, 0)
            self.assertTrue(os.path.islink(self.path("link")))
            self.assertGreater(os.path.getsize(self.path("../outside/new")), 0)
            os.unlink(self.path("../outside/new"))

    def test_links_of_others(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a link that belongs to somebody else")
        nobody = pwd.getpwnam("nobody").pw_uid
        self.scene()
        os.symlink(os.path.join(self.outside, "precious"), self.path("link"))
        os.symlink(self.outside, self.path("folder"))
        for name in ("link", "folder"):
            os.lchown(self.path(name), nobody, -1)
        for done in list(self.each("link")) + list(self.each("folder/precious")) + list(self.each("folder/new")):
            self.assert_refused(done, 74, "symbolic link of user %d" % nobody)
        self.assertEqual(os.listdir(self.outside), ["precious"])

    def test_another_name_of_somebodys_file(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a file that belongs to somebody else")
        self.scene()
        os.chown(self.path("../outside/precious"), pwd.getpwnam("nobody").pw_uid, -1)
        os.link(self.path("../outside/precious"), self.path("name"))
        for done in self.each("name"):
            self.assert_refused(done, 74, "another name")

    def test_devices(self):
        """They are written to, and stay what they are."""
        self.scene()
        for name, minor in (("null", 3), ("full", 7)):
            # Of its own: a root who tests a program that replaces devices would lose those of the system.
            if os.geteuid() == 0:
                os.mknod(self.path(name), stat.S_IFCHR | 0o666, os.makedev(1, minor))
            else:
                os.symlink("/dev/" + name, self.path(name))
        for done in self.each("null"):
            self.check(done, 0)
        for done in self.each("full"):
            self.check(done, 74, "full", "No space left")
        for name in ("null", "full"):
            self.assertTrue(stat.S_ISCHR(os.stat(self.path(name)).st_mode))

    def test_pipes(self):
        self.scene()
        os.mkfifo(self.path("pipe"))
        for done in self.each("pipe"):
            self.check(done, 74, "pipe", "nobody reads")
        for option in self.OPTIONS:
            reader = subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE)
            writer = os.open(self.path("pipe"), os.O_WRONLY)  # waits until the reader is there
            self.check(self.run_scene("%s=pipe" % option), 0)
            os.close(writer)
            self.assertGreater(len(reader.communicate(timeout=60)[0]), 0)
            self.assertTrue(stat.S_ISFIFO(os.lstat(self.path("pipe")).st_mode))

    def test_what_is_open(self):
        self.scene()
        done = self.run_scene("--result=/dev/fd/1")
        self.check(done, 0)
        self.assertEqual(json.loads(done.stdout)["exit"], 0)
        done = self.run_scene("--hash=/dev/fd/1")
        self.assertEqual(len([line for line in done.stdout.splitlines() if line.startswith("2 ")]), 3)

    def test_the_kernel(self):
        self.scene()
        for done in self.each("/proc/self/mem"):
            self.check(done, 74, "/proc/self/mem", "kernel")

    def test_what_was_there(self):
        """Stays until the new content is whole; permissions stay, too."""
        self.scene()
        self.write("result", PRECIOUS)
        os.chmod(self.path("result"), 0o640)
        self.check(self.run_scene("--result=result"), 0)
        self.assertEqual(json.loads(self.read("result"))["exit"], 0)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("result")).st_mode), 0o640)
        self.assertEqual(sorted(os.listdir(self.directory)), ["result", "scene.json"])

    def test_other_commands(self):
        self.scene()
        os.mkfifo(self.path("pipe"))
        self.check(self.orrery("order", "scene.json", "--lock", "pipe"), 65, "pipe")
        self.check(self.orrery("order", "scene.json", "--lock", "../outside/order"), 0)
        self.assertIn("robot.pose", self.read("../outside/order"))


if __name__ == "__main__":
    tap.main()
