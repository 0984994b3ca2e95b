# SPDX-License-Identifier: BSD-3-Clause
"""The package holds every file of the repository: one that is forgotten shows only where somebody builds from it."""

import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dist  # noqa: E402
import tap  # noqa: E402


class Dist(unittest.TestCase):
    def test_every_tracked_file_is_packed(self):
        tracked = dist.tracked_files()
        if tracked is None:
            self.skipTest("no history here")
        place = tempfile.mkdtemp(prefix="orrery-dist-")
        self.addCleanup(shutil.rmtree, place)
        done = dist.make("distdir", "distdir=" + place + "/package")
        self.assertEqual(done.returncode, 0, done.stdout)
        packed = {os.path.relpath(os.path.join(where, name), place + "/package")
                  for where, _, names in os.walk(place) for name in names}
        self.assertIn("configure", packed)
        self.assertEqual(dist.forgotten(tracked, packed), [])

    def test_a_file_that_was_forgotten(self):
        self.assertEqual(dist.forgotten(["a.c", "b.c", ".gitignore", ".ci/run"], {"a.c"}), ["b.c"])


if __name__ == "__main__":
    tap.main()
