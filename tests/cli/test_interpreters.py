# SPDX-License-Identifier: BSD-3-Clause
"""Which Python runs programs, builder scripts and plugins: ORRERY_PYTHON, a virtual environment, the one of the build."""

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "../python")]

import support  # noqa: E402
from python_case import READY  # noqa: E402

import tap  # noqa: E402
from sanitized import preloaded  # noqa: E402

SHOW = "import sys; print(sys.prefix)"
PLUGIN = '''import orrery


@orrery.plugin
class Lamp(orrery.Sensor):
    """A lamp."""

    x = orrery.field(float)

    def sense(self, tick, record):
        pass
'''
SCRIPT = """import sys
import bulbs
from morse.builder import *

print("built by", sys.prefix, bulbs.WATTS)
robot = ATRV()
robot.append(Sensor('bulbs.lamp.Lamp'))
env = Environment('empty')
"""


class InterpreterCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.more = {}

    def environment(self):
        environment = dict(super().environment(), **self.more)
        for name in ("ORRERY_PYTHON", "VIRTUAL_ENV"):
            if name not in self.more:
                environment.pop(name, None)
        return environment

    def make(self, name, *options):
        """A virtual environment with a package of its own."""
        place = os.path.realpath(self.path(name))
        done = subprocess.run([support.PYTHON, "-m", "venv", "--without-pip", *options, place], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest("no virtual environments: " + done.stderr)
        package = os.path.join(place, "lib/python%d.%d/site-packages/bulbs" % sys.version_info[:2])
        os.makedirs(package)
        for file, text in (("__init__.py", "WATTS = %d\n" % len(name)), ("lamp.py", PLUGIN)):
            with open(os.path.join(package, file), "w", encoding="utf-8") as stream:
                stream.write(text)
        return place

    def shown(self):
        done = self.orrery("python", "-c", SHOW)
        self.check(done, 0)
        return done.stdout.strip()


class Choice(InterpreterCase):
    def test_order(self):
        first, second = self.make("first"), self.make("second")
        own = self.shown()
        self.assertNotIn(own, (first, second))
        self.more = {"VIRTUAL_ENV": first}
        self.assertEqual(self.shown(), first)
        self.more["ORRERY_PYTHON"] = os.path.join(second, "bin/python3")
        self.assertEqual(self.shown(), second)
        # Empty, not absolute, gone: as if there were none.
        for words in ("", "first", "/nowhere"):
            self.more = {"VIRTUAL_ENV": words, "ORRERY_PYTHON": ""}
            self.assertEqual(self.shown(), own, words)

    def test_none(self):
        self.more = {"ORRERY_PYTHON": "/nowhere/python3"}
        self.write("scene.py", "from morse.builder import *\nenv = Environment('empty')\n")
        for words in (("python", "-c", SHOW), ("check", "scene.py")):
            done = self.orrery(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("/nowhere/python3", done.stderr)

    def test_programs_of_morse(self):
        self.check(self.orrery("morse-root", self.path("root")), 0)
        first = self.make("first")
        for more, expected in (({}, None), ({"VIRTUAL_ENV": first}, first),
                               ({"ORRERY_PYTHON": os.path.join(first, "bin/python3")}, first), ({"VIRTUAL_ENV": "first"}, None)):
            self.more = more
            done = subprocess.run(["sh", "-x", self.path("root/bin/morse"), "--version"], capture_output=True, text=True,
                                  env=self.environment(), cwd=self.directory, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            command = next(line for line in done.stderr.splitlines() if line.startswith("+ exec "))
            self.assertEqual(expected in command if expected else first not in command, True, command)


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Plugins(InterpreterCase):
    def test_scripts_and_plugins_of_an_environment(self):
        place = self.make("first", "--system-site-packages")
        self.write("scene.py", SCRIPT)
        self.more = {"VIRTUAL_ENV": place}
        done = self.orrery("run", "scene.py", "--fast", "--ticks", "2", "--offline")
        self.check(done, 0, "built by %s 5" % place)
        described = json.loads(self.orrery("plugins", "--json", "bulbs.lamp.Lamp").stdout)["classes"][0]
        self.assertTrue(described["file"].startswith(place), described["file"])
        # Control: nobody else has it.
        self.more = {}
        self.assertIn("no module bulbs", self.orrery("run", "scene.py").stderr)

    def test_an_environment_without_gi(self):
        place = self.make("first")
        if subprocess.run([os.path.join(place, "bin/python3"), "-c", "import gi"], capture_output=True).returncode == 0:
            self.skipTest("PyGObject is in every environment")
        self.more = dict(preloaded(), VIRTUAL_ENV=place)
        self.write("scene.json", json.dumps({"orrery": 1, "objects": [
            {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
                {"name": "lamp", "classpath": "bulbs.lamp.Lamp"}]}]}))
        for words in (("python", "-c", "import orrery; orrery.load"), ("run", "scene.json"), ("check", "scene.json")):
            done = self.orrery(*words)
            self.assertNotEqual(done.returncode, 0, (words, done.stderr))
            self.assertIn("PyGObject", done.stderr)
            self.assertIn(place, done.stderr)
            self.assertIn("--system-site-packages", done.stderr)


if __name__ == "__main__":
    tap.main()
