# SPDX-License-Identifier: BSD-3-Clause
"""Output that is lost is an error of its own, whoever lost it, and what was written stays whole."""

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

TEXT = ["morse.middleware.text_datastream.TextDatastreamManager", "morse.middleware.text_datastream.CSVPublisher"]
SIZE = 1 << 16


class LostCase(support.ProgramCase):
    def scene(self, *names):
        """Poses, each with a text stream of its own."""
        poses = [{"name": name, "classpath": "morse.sensors.pose.Pose"} for name in names]
        streams = {"robot." + name: [TEXT + ["OUT", {"file": name + ".csv"}]] for name in names}
        return self.write("scene.json", json.dumps({
            "orrery": 1, "component_datastream": streams,
            "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": poses}]}))

    def limited(self, *arguments):
        """The program as if each of its files lay on a disk of 64 KiB."""
        script = "ulimit -f %d; trap '' XFSZ; exec \"$@\"" % (SIZE // 512)
        return subprocess.run(["sh", "-c", script, "sh", support.PROGRAM, *arguments], capture_output=True, text=True,
                              timeout=120, cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL)

    def assert_whole(self, name, fields):
        with open(self.path(name), encoding="utf-8") as file:
            text = file.read()
        self.assertGreater(len(text), SIZE // 2)
        self.assertLessEqual(len(text), SIZE)
        self.assertTrue(text.endswith("\n"))
        self.assertTrue(fields(text.splitlines()[-1]), text.splitlines()[-1])

    def assert_told(self, done, *words):
        self.assertEqual(done.returncode, 74, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("orrery: ")]
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])


class Files(LostCase):
    def test_text_streams(self):
        self.scene("one", "two")
        done = self.limited("run", "--offline", "scene.json", "--fast", "--ticks", "3000", "--result=result")
        self.assert_told(done, "lost", "one.csv", "File too large", "and more")
        with open(self.path("result"), encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual((result["exit"], len(result["lost"])), (74, 2))

    def test_records_stay_whole(self):
        self.scene("one")
        done = self.limited("run", "--offline", "scene.json", "--fast", "--for", "60")
        self.assert_told(done, "one.csv")
        with open(self.path("one.csv"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual(lines[-1], "")
        self.assertEqual(len({line.count(";") for line in lines[4:-1]} - {0}), min(1, len(lines[4:-1])))

    def test_head_stays(self):
        """Where the first records do not fit the head stands, and the next run may replace the file."""
        self.scene("one")
        self.assert_told(self.limited("run", "--offline", "scene.json", "--fast", "--for", "60"), "one.csv")
        with open(self.path("one.csv"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("ROBOT robot || SENSOR robot.one\n"))
        self.check(self.orrery("run", "--offline", "scene.json", "--fast", "--ticks", "3"), 0)

    def test_hashes_stay_whole(self):
        self.scene()
        done = self.limited("run", "--offline", "scene.json", "--fast", "--ticks", "3000", "--hash=hash")
        self.assert_told(done, "hash", "File too large")
        self.assert_whole("hash", lambda line: len(line.split(" ")) == 3 and len(line.split(" ")[2]) == 16)


    def test_what_is_not_ours_is_not_cut(self):
        """A log that others write to, which the shell opened."""
        self.scene()
        before = "somebody else's line\n" * 2000  # more than there is room for
        self.write("log", before)
        script = "ulimit -f %d; trap '' XFSZ; exec \"$@\" >>log" % (SIZE // 512)
        for path in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            with self.subTest(path):
                self.write("log", before)
                done = subprocess.run(["sh", "-c", script, "sh", support.PROGRAM, "run", "--offline", "--quiet", "scene.json",
                                       "--fast", "--ticks", "3000", "--hash=" + path], stderr=subprocess.PIPE, text=True,
                                      timeout=120, cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL)
                self.assertEqual(done.returncode, 74, done.stderr)
                with open(self.path("log"), encoding="utf-8") as file:
                    text = file.read()
                self.assertTrue(text.startswith(before))
                self.assertEqual(len(text), SIZE)


class StandardOutput(LostCase):
    def commands(self):
        self.scene("one")
        return (("run", "--offline", "scene.json", "--ticks", "1", "--hash"), ("check", "scene.json"),
                ("order", "scene.json"), ("order", "scene.json", "--json"), ("plugins",), ("plugins", "--json"),
                ("plugins", "morse.sensors.pose.Pose"), ("--help",), ("--version",))

    def to(self, path, *arguments):
        with open(path, "w", encoding="utf-8") as full:
            return subprocess.run([support.PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                  cwd=self.directory, env=self.environment(), timeout=120)

    def test_a_full_disk(self):
        for arguments in self.commands():
            with self.subTest(arguments):
                self.assert_told(self.to("/dev/full", *arguments), "lost", "standard output", "No space left")

    def test_python(self):
        """Where the program goes on in Python."""
        plugins = self.path("plugins/lab")
        os.makedirs(plugins)
        self.write("plugins/lab/still.py", "import orrery\n\n\n@orrery.plugin\nclass Still(orrery.Robot):\n    pass\n")
        self.write("scene.json", json.dumps({"orrery": 1, "objects": [{"name": "r", "classpath": "lab.still.Still"}]}))
        arguments = ("check", "--plugin-dir", self.path("plugins"), "scene.json")
        self.check(self.orrery(*arguments), 0)
        self.assert_told(self.to("/dev/full", *arguments), "lost", "standard output")

    def test_a_reader_that_left(self):
        """It wants no more, and is told nothing."""
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([support.PROGRAM, "plugins"], stdout=write, stderr=subprocess.PIPE, text=True,
                              env=self.environment(), timeout=120)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (74, ""))

    def test_an_error_stays(self):
        done = self.to("/dev/full", "check", "none.json")
        self.assertEqual(done.returncode, 66)


if __name__ == "__main__":
    tap.main()
