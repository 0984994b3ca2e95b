# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes of the first days: each is answered by what is wrong, where, and what to do instead."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import PROGRAM, SCENE, SCRIPT, ProgramCase  # noqa: E402
import tap  # noqa: E402


class Commands(ProgramCase):
    def test_help(self):
        self.check(self.orrery("help"), 64, "no command 'help'", "`orrery COMMAND --help`")

    def test_scene_without_run(self):
        self.write("scene.py", SCRIPT)
        self.check(self.orrery("scene.py"), 64, "a scene is run by `orrery run scene.py`")
        self.assertNotIn("is run by", self.orrery("other.py").stderr)


class Outputs(ProgramCase):
    """A script is never written over, whatever option names it."""

    def test_script(self):
        script = self.write("scene.py", SCRIPT)
        for option in "--hash=", "--record=", "--video=", "--result=", "--save=":
            with self.subTest(option):
                done = self.orrery("run", "scene.py", "--ticks=1", "--offline", "--quiet", option + "./scene.py")
                self.check(done, 65, "the scene itself is read from this file")
                with open(script, encoding="utf-8") as file:
                    self.assertEqual(file.read(), SCRIPT)

    def test_other_file(self):
        self.write("scene.json", SCENE)
        self.write("other", "")
        done = self.orrery("run", "scene.json", "--ticks=1", "--offline", "--quiet", "--hash=other", "--record=r.mcap")
        self.check(done, 0)
        self.assertGreater(os.path.getsize(self.path("other")), 0)


class Scripts(ProgramCase):
    def run_script(self, text, name="scene.py", **options):
        self.write(name, text)
        return self.orrery("run", name, "--ticks=1", "--offline", "--quiet", **options)

    def test_no_python(self):
        done = self.run_script("objects:\n  - name: robot\n", name="scene.yaml")
        self.check(done, 65, "scene.yaml:1: syntax error", "taken for a builder script in Python")
        self.assertNotIn("taken for", self.run_script("x = = 1\n").stderr)

    def test_exit(self):
        done = self.run_script("import sys\nsys.exit(3)\n")
        self.assertEqual((done.returncode, done.stderr),
                         (3, "scene.py:2: the script ended itself with exit code 3\n"))
        self.check(self.run_script("exit()\n"), 65, "scene.py:1: the script ends itself here")
        self.check(self.run_script(SCRIPT + "exit()\n"), 0)

    def test_exit_by_argparse(self):
        """It has said why."""
        done = self.run_script("import argparse\nargparse.ArgumentParser ().error ('no such thing')\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such thing", done.stderr)
        self.assertNotIn("ended itself", done.stderr)

    def test_interrupt(self):
        self.check(self.run_script("raise KeyboardInterrupt\n"), 130, "scene.py:1: interrupted")

    def test_endless_loop(self):
        """Told with its line; the limit of ten seconds is set to nothing here."""
        quick = self.write("quick.py", "from orrery.builder import patience, runner\npatience.FIRST = 0.05\n"
                                       "try:\n    runner.run ('scene.py', [])\nexcept SystemExit:\n    pass\n")
        self.write("scene.py", "def f():\n    while True:\n        pass\nf()\n")
        process = subprocess.Popen([PROGRAM, "python", quick], cwd=self.directory, env=self.environment(),
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        self.assertRegex(self.wait_for(process, "still"),
                         r"^scene\.py:[23]: the script is still here after 0 s; Ctrl-C ends it$")

    def test_patience(self):
        """What ends in time is not told, and the signal is the user's again."""
        done = self.run_script("import signal\n" + SCRIPT + "assert signal.getitimer(signal.ITIMER_REAL)[0] > 0\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    tap.main()
