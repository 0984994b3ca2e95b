# SPDX-License-Identifier: BSD-3-Clause
"""Every class that is installed, by what it says of itself: values that its properties and services must refuse."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class EveryClass(PythonCase):
    def test_wrong_values(self):
        """What is out of range, not a number, of another type, or one too many is refused, by every class."""
        done = self.orrery("python", os.path.join(HERE, "every_class.py"), cli.PROGRAM, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[-1], r"^tried \d+ classes \d+ values$")
        words = lines[-1].split()
        self.assertGreater(int(words[1]), 50)
        self.assertGreater(int(words[3]), 1000)
        print("# " + lines[-1])
        self.assertEqual("\n".join(lines[:-1]), "")


if __name__ == "__main__":
    tap.main()
