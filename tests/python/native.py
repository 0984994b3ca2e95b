# SPDX-License-Identifier: BSD-3-Clause
"""`import orrery` from the build tree, in the test itself, and programs that do so."""

import os
import subprocess
import sys
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "..")]
import sanitized  # noqa: E402
from support import BUILD, PROGRAM, SOURCE, ProgramCase  # noqa: E402,F401

sanitized.preload([sys.executable, *sys.argv])

sys.path.insert(0, os.path.join(BUILD, "share/orrery-1/python"))


def missing():
    """Why the tests of Python cannot run here, or None."""
    if not os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib")):
        return "no typelib"
    for name, words in (("gi", "no PyGObject"), ("numpy", "no NumPy")):
        try:
            __import__(name)
        except ImportError:
            return words
    return None


@unittest.skipIf(missing(), missing())
class PythonCase(ProgramCase):
    """Programs that import orrery, in a directory of the test's own."""

    def program(self, code, name="program.py"):
        return self.write(name, textwrap.dedent(code))

    def begin(self, path, *arguments, **options):
        process = subprocess.Popen([PROGRAM, "python", path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL,
                                   **options)
        self.addCleanup(self.end, process)
        return process
