# SPDX-License-Identifier: BSD-3-Clause
"""Nothing is imported or loaded from the directory where the program happens to run."""

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

# Modules that Python or ours import, or that Python's start looks for.
NAMES = ("orrery", "typing", "json", "argparse", "ctypes", "numpy", "morse", "pymorse", "gi", "signal", "sitecustomize",
         "usercustomize")
HOSTILE = "open(%r, 'a').write(%r + '\\n')\nraise SystemExit('%s of the current directory was imported')\n"
SCRIPT = """import os
from beside import CLASS
from morse.builder import *

assert "PYTHONSAFEPATH" not in os.environ
robot = globals()[CLASS]()
env = Environment('empty', fastmode=True)
"""
STILL = "import orrery\n\n\n@orrery.plugin\nclass Still(orrery.Robot):\n    pass\n"


class ElsewhereCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        for folder in ("here/.local/lib", "scripts", "plugins/lab"):
            os.makedirs(self.path(folder))
        self.told = self.path("told")
        self.write("scripts/world.py", SCRIPT)
        self.write("scripts/beside.py", "CLASS = 'ATRV'\n")
        self.write("plugins/lab/still.py", STILL)
        self.write("scripts/scene.json", json.dumps(
            {"orrery": 1, "objects": [{"name": "r", "classpath": "lab.still.Still"}]}))
        version = "python%d.%d" % sys.version_info[:2]
        for folder in ("here", "here/lib", "here/.local/lib/%s/site-packages" % version, "here/lib/%s/site-packages" % version):
            os.makedirs(self.path(folder), exist_ok=True)
            for name in NAMES:
                self.write("%s/%s.py" % (folder, name), HOSTILE % (self.told, name, name))
        self.base = self.directory
        self.more = {}

    def environment(self):
        return dict(super().environment(), **self.more)

    def program(self, *arguments, program=support.PROGRAM):
        return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120,
                              cwd=os.path.join(self.base, "here"), env=self.environment(), stdin=subprocess.DEVNULL)

    def assert_deaf(self, *arguments, **options):
        done = self.program(*arguments, **options)
        self.assertFalse(os.path.exists(self.told), done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done


class Modules(ElsewhereCase):
    PATHS = (None, "", ":", ":/nowhere", "/nowhere:", "/nowhere::/nothing")

    def each(self):
        for path in self.PATHS:
            with self.subTest(path):
                self.more = {} if path is None else {"PYTHONPATH": path}
                yield path

    def test_builder(self):
        for _ in self.each():
            self.assert_deaf("check", "../scripts/world.py")
            self.assert_deaf("run", "--offline", "../scripts/world.py", "--ticks", "1")
            self.assert_deaf("build", "../scripts/world.py", "-o", self.path("built"))

    def test_components(self):
        plugins = self.path("plugins")
        for _ in self.each():
            self.assert_deaf("check", "--plugin-dir", plugins, "../scripts/scene.json")
            self.assertIn("lab.still", self.assert_deaf("plugins", "--plugin-dir", plugins).stdout)

    def test_homes(self):
        for more in ({"HOME": ""}, {"HOME": "."}, {"HOME": "", "XDG_DATA_HOME": ""}, {"PYTHONUSERBASE": "."}):
            with self.subTest(more):
                self.more = more
                self.assert_deaf("check", "../scripts/world.py")
                self.assert_deaf("check", "--plugin-dir", self.path("plugins"), "../scripts/scene.json")

    def test_programs_of_morse(self):
        self.check(self.orrery("morse-root", self.path("root")), 0)
        for _ in self.each():
            self.assert_deaf("--version", program=self.path("root/bin/morse"))
            self.assert_deaf("--help", program=self.path("root/bin/multinode_server"))

    def test_python(self):
        """The builder and the processes of a batch that a program in Python starts."""
        program = self.write("scripts/program.py", """
import orrery
orrery.build(%r, %r)
print(len(orrery.batch(%r, seeds=range(2), ticks=2, workers=1, plugin_dirs=[%r]).errors))
""" % (self.path("scripts/world.py"), self.path("out"), self.path("scripts/scene.json"), self.path("plugins")))
        os.unlink(self.path("here/numpy.py"))
        self.assertEqual(self.assert_deaf("python", program).stdout, "0\n")


class Plugins(ElsewhereCase):
    def test_directories(self):
        """A home that is none, or not absolute, has no plugins."""
        for folder in ("here/orrery/plugins/acme", "here/.local/share/orrery/plugins/acme"):
            os.makedirs(self.path(folder))
            self.write(folder + "/rover.json", json.dumps({"classes": {"Rover": {"base": "orrery.core.robot.Robot"}}}))
        for more in ({"XDG_DATA_HOME": "."}, {"XDG_DATA_HOME": "", "HOME": ""}, {"HOME": ".", "XDG_DATA_HOME": ""}):
            with self.subTest(more):
                self.more = more
                done = self.assert_deaf("plugins", "--json")
                listing = json.loads(done.stdout)
                self.assertNotIn("acme.rover.Rover", done.stdout)
                self.assertFalse([path for path in listing["directories"] if path.startswith(self.path("here"))])


if __name__ == "__main__":
    tap.main()
