# SPDX-License-Identifier: BSD-3-Clause
"""Skeletons of `orrery new --language python`: each passes its test, and is found where it is installed."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

ROLES = ("sensor", "actuator", "modifier", "datastream", "request_manager", "overlay", "robot", "physics", "script")
# Classes of a skeleton beside that of its role.
MORE = {"datastream": [("acme.sonar.RawSonarManager", "datastream_manager")]}


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class New(PythonCase):
    def make(self, target):
        return subprocess.run(["make", "-C", "sonar", target, "ORRERY=" + cli.PROGRAM], capture_output=True, text=True,
                              cwd=self.directory, env=self.environment())

    def check_role(self, role):
        done = self.orrery("new", "--language", "python", role, "acme.sonar.RawSonar")
        self.check(done, 0)
        self.assertEqual(done.stdout.split(), ["sonar/sonar.py", "sonar/test_sonar.py", "sonar/Makefile"])
        done = self.make("check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"Ran 1 test in .*\s+OK")
        self.assertEqual(self.make("install").returncode, 0)
        listed = json.loads(self.orrery("plugins", "--json").stdout)
        module = next(each for each in listed["modules"] if each["module"] == "acme.sonar")
        self.assertEqual([(each["classpath"], each["role"]) for each in module["classes"]],
                         [("acme.sonar.RawSonar", role), *MORE.get(role, ())])

    def test_wrong(self):
        self.check(self.orrery("new", "--language", "python", "phisics", "acme.sonar.Sonar"), 64, "no role 'phisics'; did you mean physics")
        self.check(self.orrery("new", "--language", "pyton", "sensor", "acme.sonar.Sonar"), 64, "did you mean python")

    def test_nothing_is_overwritten(self):
        self.check(self.orrery("new", "-l", "python", "sensor", "acme.sonar.Sonar"), 0)
        self.check(self.orrery("new", "-l", "python", "sensor", "acme.sonar.Sonar"), 74, "exists already")


for each in ROLES:
    setattr(New, "test_" + each, lambda self, role=each: self.check_role(role))


if __name__ == "__main__":
    tap.main()
