# SPDX-License-Identifier: BSD-3-Clause
"""The programs of the examples that run a simulation beside loops of their own, in C and in Python."""

import os
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python")]
from native import BUILD, SOURCE, PythonCase  # noqa: E402

import tap  # noqa: E402

EXAMPLES = os.path.join(SOURCE, "examples")


class Embed(PythonCase):
    def check(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 5, lines)
        # From the first tick on, at the same ticks in each run: every second has sixty.
        self.assertEqual([int(line.split()[-1]) for line in lines[:4]], [1, 61, 121, 181])
        self.assertEqual(lines[4], "the loop saw the end")

    def test_python(self):
        self.check(self.orrery("python", os.path.join(EXAMPLES, "embed.py")))

    def test_c(self):
        command = [os.path.join(BUILD, "examples/embed"), os.path.join(EXAMPLES, "rounds.json")]
        self.check(subprocess.run(command, capture_output=True, text=True, timeout=60))


if __name__ == "__main__":
    tap.main()
