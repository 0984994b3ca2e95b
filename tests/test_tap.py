# SPDX-License-Identifier: BSD-3-Clause
"""tap.py tells a case that fails from one that does not: the control of every test in Python."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import tap

CASES = """
import sys, unittest
sys.path.insert(0, %r)
import tap

class Cases(unittest.TestCase):
%s

tap.main()
"""


class Tap(unittest.TestCase):
    def run_cases(self, *methods):
        with tempfile.TemporaryDirectory() as top:
            path = os.path.join(top, "cases.py")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(CASES % (HERE, "\n".join("    " + method for method in methods)))
            done = subprocess.run(
                [sys.executable, path], capture_output=True, text=True, timeout=60
            )
        return done.returncode, [
            line for line in done.stdout.splitlines() if not line.startswith("#")
        ]

    def test_passed(self):
        self.assertEqual(
            self.run_cases("def test_a(self): pass", "def test_b(self): pass"),
            (0, ["ok 1 - Cases.test_a", "ok 2 - Cases.test_b", "1..2"]),
        )

    def test_failed(self):
        self.assertEqual(
            self.run_cases("def test_a(self): self.fail()", "def test_b(self): pass"),
            (1, ["not ok 1 - Cases.test_a", "ok 2 - Cases.test_b", "1..2"]),
        )

    def test_error(self):
        self.assertEqual(
            self.run_cases("def test_a(self): 1 / 0"), (1, ["not ok 1 - Cases.test_a", "1..1"])
        )

    def test_error_before_the_case(self):
        self.assertEqual(self.run_cases("def setUp(self): 1 / 0", "def test_a(self): pass")[0], 1)

    def test_error_before_all_cases(self):
        self.assertEqual(
            self.run_cases("@classmethod", "def setUpClass(cls): 1 / 0", "def test_a(self): pass")[
                0
            ],
            1,
        )

    def test_failure_in_a_part(self):
        code, lines = self.run_cases(
            "def test_a(self):",
            "    for i in range(3):",
            "        with self.subTest(i): self.assertNotEqual(i, 1)",
        )
        self.assertEqual((code, len(lines), lines[0].startswith("not ok 1 - ")), (1, 2, True))

    def test_skipped(self):
        self.assertEqual(
            self.run_cases("@unittest.skip('cold')", "def test_a(self): pass"),
            (0, ["ok 1 - Cases.test_a # SKIP cold", "1..1"]),
        )

    def test_nothing(self):
        self.assertEqual(self.run_cases("pass"), (1, ["1..0"]))


if __name__ == "__main__":
    tap.main()
