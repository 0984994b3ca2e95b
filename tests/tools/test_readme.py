# SPDX-License-Identifier: BSD-3-Clause
"""The five minutes of the README, as they stand there: its commands, in its order, each of which must succeed."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from support import BUILD, PYTHON, SOURCE  # noqa: E402

import tap  # noqa: E402

CHAPTER = "Five minutes to the first robot"
NEEDS = "import gi, pymorse"


def blocks(chapter):
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        text = re.search(r"^## %s\n(.*?)^## " % chapter, file.read(), re.M | re.S).group(1)
    return re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)


def run_shell(script, place, environment):
    """Its exit code and what it said. Nothing that it left in the background stays."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        shell = subprocess.Popen(["sh", "-c", script], cwd=place, env=environment, stdout=out, stderr=error,
                                 stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            code = shell.wait(timeout=300)
        finally:
            try:
                os.killpg(shell.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        out.seek(0)
        error.seek(0)
        return code, out.read(), error.read()


class Readme(unittest.TestCase):
    """One shell for all of them, since a reader has one."""

    @classmethod
    def setUpClass(cls):
        if subprocess.run([PYTHON, "-c", NEEDS], capture_output=True).returncode != 0:
            raise unittest.SkipTest("no PyGObject or no pymorse")
        if not os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib")):
            raise unittest.SkipTest("no typelib")
        cls.place = tempfile.mkdtemp(prefix="orrery-readme-")
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        os.symlink(BUILD, os.path.join(cls.place, "build"))
        os.symlink(os.path.join(SOURCE, "examples"), os.path.join(cls.place, "examples"))
        commands = blocks(CHAPTER)
        script = "set -eu\n" + "".join("echo '## block %d'\n%s" % item for item in enumerate(commands))
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        environment.update(HOME=cls.place, PYTHONDONTWRITEBYTECODE="1")
        for name in ("XDG_DATA_HOME", "ORRERY_PLUGIN_PATH", "DESTDIR"):
            environment.pop(name, None)
        cls.code, out, cls.error = run_shell(script, cls.place, environment)
        cls.output = re.split(r"^## block \d+\n", out, flags=re.M)[1:]
        cls.commands = commands

    def said(self, block):
        """What a block printed; what the whole said, if it did not come so far."""
        if block >= len(self.output):
            self.fail("\n".join(self.output[-1:]) + self.error)
        return self.output[block]

    def test_every_command_succeeded(self):
        self.assertEqual(len(self.output), len(self.commands), self.error)
        self.assertEqual(self.code, 0, "\n".join(self.output[-1:]) + self.error)

    def test_the_first_scene(self):
        self.assertIn("300 ticks", self.said(0))
        self.assertIn("robot.waypoint to (3, 0)", self.said(0))

    def test_pymorse(self):
        poses = [float(x) for x in re.findall(r"'x': (-?[\d.e-]+)", self.said(1))]
        self.assertEqual(len(poses), 2, self.said(1))
        self.assertGreater(poses[1], poses[0] + 1.0)
        self.assertIn("Arrived", self.said(1))

    def test_another_classpath(self):
        self.assertIn("first_scene: ok", self.said(2))
        self.assertIn("60 ticks", self.said(2))
        with open(os.path.join(self.place, "first_scene/component_config.py"), encoding="utf-8") as file:
            self.assertIn("morse.modifiers.ned.CoordinatesToNED", file.read())

    def test_python(self):
        match = re.search(r"Arrived after (\d+) ticks, at (-?[\d.e-]+) (-?[\d.e-]+) (-?[\d.e-]+)", self.said(3))
        self.assertTrue(match, self.said(3))
        # North, east, down: the way ahead is the second coordinate now.
        self.assertGreater(float(match.group(3)), 1.4)
        self.assertIn("'timestamp'", self.said(3))

    def test_a_recording(self):
        self.assertIn("whole: ", self.said(4))
        self.assertRegex(self.said(4), "/robot/pose +300 messages")
        self.assertIn("time,timestamp,x,y,z,yaw", self.said(4))
        self.assertIn("the run goes as it went", self.said(4))

    def test_a_plugin(self):
        self.assertIn("ok 1 /sonar/works", self.said(5))
        self.assertIn("120 ticks", self.said(5))
        self.assertIn("distance = ", self.said(5))


class Extraction(unittest.TestCase):
    def test_all_blocks_are_found(self):
        self.assertEqual(len(blocks(CHAPTER)), 6)
        with self.assertRaises(AttributeError):
            blocks("No such chapter")


if __name__ == "__main__":
    tap.main()
