# SPDX-License-Identifier: BSD-3-Clause
"""The rounds of the examples: tasks, subscriptions, states and async clients in one program."""

import os
import re
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python")]
from native import SOURCE, PythonCase  # noqa: E402

import tap  # noqa: E402


class Rounds(PythonCase):
    def test_runs(self):
        done = self.orrery("python", os.path.join(SOURCE, "examples/rounds.py"))
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(re.findall(r"s: arrived at", done.stdout)), 3, done.stdout)
        self.assertRegex(lines[3], r"^measured 1\d\d times$")
        self.assertEqual(len(set(re.findall(r"-?\d\.\d\d", lines[4]))) > 1, True)
        self.assertEqual(lines[5:], ["by await: Arrived", "a table of 2 times 3 numbers"])


if __name__ == "__main__":
    tap.main()
