# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial in docs/python.md: its files, its commands and its programs do what it says."""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

FIRST = "Your first robot"
CHAPTER = "Your own sensor, modifier, controller in Python"
# Of the hundred; the long tier runs all.
RUNS = 4
MATPLOTLIB = subprocess.run([cli.PYTHON, "-c", "import matplotlib, numpy"], capture_output=True).returncode == 0


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Guide(PythonCase):
    def chapter(self, title):
        with open(os.path.join(cli.SOURCE, "docs/python.md"), encoding="utf-8") as file:
            self.text = re.search(r"^## %s\n(.*?)^## " % title, file.read(), re.M | re.S).group(1)

    def blocks(self, language):
        return re.findall(r"^```%s\n(.*?)^```$" % language, self.text, re.M | re.S)

    def write_files(self, *names):
        files = [re.match(r"# (\S+)\n(.*)", block, re.S).groups() for block in self.blocks("python")]
        self.assertEqual([name for name, _ in files], list(names))
        for name, text in files:
            self.module(name, text, ".")

    def run_commands(self):
        environment = dict(self.environment(), PATH=cli.BUILD + os.pathsep + os.environ["PATH"])
        for commands in self.blocks("sh"):
            done = subprocess.run(["sh", "-e"], input=commands, capture_output=True, text=True, cwd=self.directory,
                                  env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)

    def check_prints(self, program, said):
        done = self.orrery("python", program)
        self.assertEqual((done.returncode, done.stdout), (0, said), done.stderr)

    def test_first_robot(self):
        self.chapter(FIRST)
        self.write_files("first_robot.py", "first_drive.py")
        self.run_commands()
        self.check_prints("first_drive.py", *self.blocks("text"))

    def test_chapter(self):
        self.chapter(CHAPTER)
        self.write_files("plugins/acme/beacon.py", "homing.py", "drive.py", "plugins/old_site/odometer.py", "old_site.py",
                         "measure.py", "plot.py")
        self.run_commands()
        for program, said in zip(("drive.py", "measure.py"), self.blocks("text")):
            self.check_prints(program, said)
        if MATPLOTLIB:
            self.plot(RUNS)

    def plot(self, n):
        with open(self.path("plot.py"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("range(100)", text)
        self.write("plot.py", text.replace("range(100)", "range(%d)" % n))
        done = self.orrery("python", "plot.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = re.match(r"(\d+) runs, at least (\d+) records in each, deviation ([\d.]+) m$", done.stdout.strip())
        self.assertEqual(said.group(1), str(n))
        # 20 in the second, of which a fifth is lost.
        self.assertIn(int(said.group(2)), range(8, 21))
        if n == 100:
            # The noise of the beacon is 0.01 m; five standard deviations of its estimate.
            self.assertLess(abs(float(said.group(3)) - 0.01), 0.0036)
        with open(self.path("ranges.png"), "rb") as file:
            self.assertEqual(file.read(4), b"\x89PNG")

    def test_every_name_is_told(self):
        """What the package offers for plugins is in the chapter."""
        self.chapter(CHAPTER)
        for name in self.prints("from orrery import _plugins\nprint(*_plugins.NAMES)\n")[0].split():
            self.assertIn("orrery.%s" % name, self.text)


if "--all" in sys.argv:
    sys.argv.remove("--all")
    RUNS = 100

if __name__ == "__main__":
    tap.main()
