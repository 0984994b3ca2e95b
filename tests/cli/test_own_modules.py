# SPDX-License-Identifier: BSD-3-Clause
"""Modules of the user's own that a script puts on Python's path: found, or told why they are not."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))

from python_case import READY  # noqa: E402
from support import ProgramCase  # noqa: E402

import tap  # noqa: E402

SENSOR = """import morse.core.sensor
from morse.helpers.components import add_data


class Far(morse.core.sensor.Sensor):
    add_data('n', 0, 'int', 'steps')

    def default_action(self):
        self.local_data['n'] += 1
"""

SCRIPT = """import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'src'))
from morse.builder import *
robot = ATRV()
far = SensorCreator('far')
far.properties(classpath='%s')
robot.append(far)
env = Environment('empty')
"""


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class OwnModules(ProgramCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("src/acme"))
        self.write("src/acme/__init__.py", "")
        self.write("src/acme/far.py", SENSOR)
        self.write("src/acme/bad.py", "import morse.core.sensor\nmorse.core.sensor.x.y()\n")

    def test_the_path_of_the_script_counts_in_the_run(self):
        script = self.write("scene.py", SCRIPT % "acme.far.Far")
        self.check(self.orrery("check", script), 0, "robot.far")
        self.check(self.orrery("run", script, "--fast", "--ticks", "3"), 0, "robot.far")

    def test_a_module_that_fails_says_why(self):
        done = self.orrery("check", self.write("scene.py", SCRIPT % "acme.bad.Bad"))
        self.check(done, 69, "scene.py:6: acme.bad.Bad: ", "src/acme/bad.py:2: AttributeError")
        self.assertNotIn("did you mean", done.stderr)

    def test_a_class_that_is_missing_names_the_path(self):
        done = self.orrery("check", self.write("scene.py", SCRIPT % "acme.near.Near"))
        self.check(done, 69, "no class acme.near.Near in ", "nor on Python's path (%s" % self.path("src"))

    def test_a_module_without_its_class_names_its_classes(self):
        done = self.orrery("check", self.write("scene.py", SCRIPT % "acme.far"))
        self.check(done, 69, "scene.py:6: no class acme.far: that is a module of Python, and a class of it is wanted; "
                   "there is acme.far.Far")
        self.assertNotIn("did you mean", done.stderr)
        os.unlink(self.path("src/acme/__init__.py"))
        done = self.orrery("check", "scene.py")
        self.check(done, 69, "there is acme.far.Far")


if __name__ == "__main__":
    tap.main()
