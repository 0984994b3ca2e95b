# SPDX-License-Identifier: BSD-3-Clause
"""Levels of the log, as scripts set them."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import BuilderCase


class Levels(BuilderCase):
    def test_levels_of_the_log(self):
        built = self.built(
            """
robot = ATRV()
env = Environment('empty')
env.set_log_level('GPS', 'info'); env.set_log_level('robot.a', 'DEBUG')
env.set_log_level('GPS', 'WARNING')"""
        )
        self.assertEqual(built.err, "")
        self.assertEqual(
            list(built.scene["log_levels"].items()), [("robot.a", "DEBUG"), ("GPS", "WARNING")]
        )
        built = self.built("robot = ATRV()\nenv = Environment('empty')")
        self.assertNotIn("log_levels", built.scene)

    def test_no_level_of_the_log(self):
        for arguments, words in (
            ("'GPS', 'WARN'", "set_log_level: level: no 'WARN'"),
            ("'', 'INFO'", "set_log_level: component: want a name, not ''"),
            ("7, 'INFO'", "set_log_level: component: want a name, not 7"),
        ):
            with self.subTest(arguments):
                script = "robot = ATRV()\nenv = Environment('empty')\nenv.set_log_level(%s)"
                self.refused(script % arguments, 65, words)


if __name__ == "__main__":
    tap.main()
