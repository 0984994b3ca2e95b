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
KINEMATIC, BULLET, MUJOCO = ("orrery.physics." + name for name in ("kinematic.Kinematic", "bullet.Bullet", "mujoco.MuJoCo"))


def is_built(engine):
    """Whether the engine's library was there."""
    path = engine.rpartition(".")[0].replace(".", "/") + ".so"
    return os.path.exists(os.path.join(cli.BUILD, "lib/orrery-1/plugins", path))


@unittest.skipUnless(READY, "no typelib or no PyGObject")
@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class SavedClasses(PythonCase):
    def differences(self, engine, *options):
        program = os.path.join(HERE, "saved_classes.py")
        done = self.orrery("python", program, cli.PROGRAM, engine, *options, timeout=600)
        self.check(done, 0)
        *lines, last = done.stdout.splitlines()
        begun, wanted = map(int, re.match(r"calls (\d+) of (\d+)$", last).groups())
        self.assertEqual(begun, wanted)
        self.assertGreater(begun, 0)
        return lines

    @unittest.skipUnless(is_built(BULLET), "no Bullet")
    def test_bullet(self):
        self.assertEqual(self.differences(BULLET), [])

    @unittest.skipUnless(is_built(MUJOCO), "no MuJoCo")
    def test_mujoco(self):
        self.assertEqual(self.differences(MUJOCO, "--moving"), [])

    def test_one_that_does_not_is_told(self):
        self.assertIn("elsewhere: %s goto is no longer busy" % WAYPOINT, self.differences(KINEMATIC, "--cancel", WAYPOINT))


tap.main()
