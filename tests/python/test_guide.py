# SPDX-License-Identifier: BSD-3-Clause
"""The chapter of docs/python.md on plugins: its files, its commands and its program do what it says."""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

CHAPTER = "Your own sensor, modifier, controller in Python"


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Guide(PythonCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(cli.SOURCE, "docs/python.md"), encoding="utf-8") as file:
            self.text = re.search(r"^## %s\n(.*?)^## " % CHAPTER, file.read(), re.M | re.S).group(1)

    def blocks(self, language):
        return re.findall(r"^```%s\n(.*?)^```$" % language, self.text, re.M | re.S)

    def test_chapter(self):
        files = [re.match(r"# (\S+)\n(.*)", block, re.S).groups() for block in self.blocks("python")]
        self.assertEqual([name for name, _ in files], ["plugins/acme/beacon.py", "homing.py", "drive.py"])
        for name, text in files:
            self.module(name, text, ".")
        environment = dict(self.environment(), PATH=cli.BUILD + os.pathsep + os.environ["PATH"])
        for commands in self.blocks("sh"):
            done = subprocess.run(["sh", "-e"], input=commands, capture_output=True, text=True, cwd=self.directory,
                                  env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.orrery("python", "drive.py")
        self.assertEqual((done.returncode, [done.stdout]), (0, self.blocks("text")), done.stderr)

    def test_every_name_is_told(self):
        """What the package offers for plugins is in the chapter."""
        for name in self.prints("from orrery import _plugins\nprint(*_plugins.NAMES)\n")[0].split():
            self.assertIn("orrery.%s" % name, self.text)


if __name__ == "__main__":
    cli.isolate_network()
    tap.main()
