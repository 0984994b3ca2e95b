# SPDX-License-Identifier: BSD-3-Clause
"""Properties of every class that is installed and is no component, by what it says of itself: what is wrong is refused
and changes nothing, what is right has its value, or is refused as too late. Components have test_every_class.py."""

import os
import re
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from python_case import READY, PythonCase, cli  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

CONTROLS = ("acme.parts.Loose", "acme.parts.Deaf")


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class EveryPart(PythonCase):
    maxDiff = None

    def test_properties(self):
        self.module("acme/__init__.py", "")
        shutil.copy(os.path.join(HERE, "fixtures/controls.py"), self.path("plugins/acme/parts.py"))
        # The sanitizer in Python and the threads of OpenGL wait for each other; an observer makes films.
        left_out = ["renderer", "observer"] if sanitized.preloaded() else []
        done = self.orrery("python", os.path.join(HERE, "every_part.py"), cli.PROGRAM, *left_out, timeout=600)
        self.check(done, 0)
        *lines, last = done.stdout.splitlines()
        n_classes, n_values = map(int, re.match(r"tried (\d+) classes (\d+) values$", last).groups())
        self.assertGreater(n_classes, 25)
        self.assertGreater(n_values, 800)
        self.assertEqual("\n".join(line for line in lines if not line.startswith(CONTROLS)), "")
        # One that takes NaN in silence, and one that takes a value without effect, are told.
        self.assertIn("acme.parts.Loose: sigma = nan: taken", lines)
        self.assertIn("acme.parts.Deaf: sigma = 1.0: is 0.5", lines)


tap.main()
