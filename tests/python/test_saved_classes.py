# SPDX-License-Identifier: BSD-3-Clause
"""A state has all that parts remember: each class that is installed goes on from it as it did, and so do its calls."""

import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from python_case import READY, PythonCase, cli  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

WAYPOINT = "orrery.actuators.waypoint.Waypoint"


@unittest.skipUnless(READY, "no typelib or no PyGObject")
@unittest.skipUnless(os.path.exists(os.path.join(cli.BUILD, "lib/orrery-1/plugins/orrery/physics/bullet.so")), "no Bullet")
@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class SavedClasses(PythonCase):
    def differences(self, *options):
        done = self.orrery("python", os.path.join(HERE, "saved_classes.py"), cli.PROGRAM, *options, timeout=600)
        self.check(done, 0)
        first, *lines = done.stdout.splitlines()
        begun, wanted = map(int, re.match(r"calls (\d+) of (\d+)$", first).groups())
        self.assertEqual(begun, wanted)
        self.assertGreater(begun, 15)
        return lines

    def test_all_go_on(self):
        self.assertEqual(self.differences(), [])

    def test_one_that_does_not_is_told(self):
        self.assertIn("elsewhere: %s goto is no longer busy" % WAYPOINT, self.differences("--cancel", WAYPOINT))


tap.main()
