# SPDX-License-Identifier: BSD-3-Clause
"""`make distcheck`: the package builds from a read-only source tree, installs, uninstalls without a rest."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dist  # noqa: E402
import tap  # noqa: E402


class Distcheck(unittest.TestCase):
    def test_distcheck(self):
        """With few of the tests, and none of their programs: the others run in the tree that is tested here."""
        done = dist.make("distcheck", "TESTS=tests/test_tap.py tests/cli/test_cli.py", "check_PROGRAMS=tests/isolate", "BENCHES=",
                         "DISTCHECK_CONFIGURE_FLAGS=CFLAGS=-O0 CXXFLAGS=-O0", timeout=1500)
        self.assertEqual(done.returncode, 0, done.stdout[-5000:])
        self.assertIn("archives ready for distribution", done.stdout)


if __name__ == "__main__":
    tap.main()
