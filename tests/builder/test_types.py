# SPDX-License-Identifier: BSD-3-Clause
"""The builder's type hints are true, as far as a strict checker can tell."""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

import tap
from support import SOURCE

PACKAGES = os.path.join(SOURCE, "python")


def check(*files):
    """What mypy says of the files."""
    with tempfile.TemporaryDirectory(prefix="orrery-types-") as cache:
        return subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--follow-imports=silent"]
            + ["--cache-dir", cache, *files],
            cwd=PACKAGES, env=dict(os.environ, MYPYPATH=PACKAGES), capture_output=True, text=True, timeout=600,
        )


@unittest.skipIf(subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True).returncode, "no mypy")
class Types(unittest.TestCase):
    def test_of_the_builder(self):
        files = sorted(glob.glob(os.path.join(PACKAGES, "orrery", "builder", "*.py")))
        done = check(*files, os.path.join(PACKAGES, "orrery", "morse_command.py"),
                     os.path.join(PACKAGES, "orrery", "morse_sync.py"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_check_can_fail(self):
        with tempfile.TemporaryDirectory(prefix="orrery-types-") as directory:
            path = os.path.join(directory, "wrong.py")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write("from orrery.builder import ATRV\nfrom orrery.builder.values import number\nx: str = number(1, 'x')\n")
            self.assertIn("Incompatible types", check(path).stdout)


if __name__ == "__main__":
    tap.main()
