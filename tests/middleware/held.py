# SPDX-License-Identifier: BSD-3-Clause
"""A simulation that makes no tick while a test wants it, and the memory that it takes meanwhile."""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD  # noqa: E402

PLUGINS = os.path.join(BUILD, "tests/middleware/plugins")
#: What a scene has, and what a builder script says for it.
OBJECT = {"name": "gate", "classpath": "trial.gate.Gate"}
SCENE = "gate = Actuator('trial.gate.Gate'); gate.name = 'gate'; robot.append(gate)\n"


class Gate:
    """Holds a tick as long as it has a pipe open; made before the simulation."""

    def __init__(self, case):
        self.case = case
        self.pipe = case.path("gate")
        self.arguments = ["--plugin-dir", PLUGINS]
        if isinstance(case.environment, dict):
            case.environment["TRIAL_GATE"] = self.pipe
        else:
            os.environ["TRIAL_GATE"] = self.pipe
            case.addCleanup(os.environ.pop, "TRIAL_GATE")
        self.end = None

    def hold(self, pid):
        """Returns when a tick has begun that does not end before release()."""
        self.pid = pid
        os.mkfifo(self.pipe)
        self.end = os.open(self.pipe, os.O_WRONLY)
        self.case.addCleanup(self.release)
        self.before = self.memory()

    def release(self):
        if self.end is not None:
            os.unlink(self.pipe)
            os.close(self.end)
        self.end = None

    def memory(self):
        """What the simulation has in memory, in bytes."""
        with open("/proc/%d/status" % self.pid, encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) * 1024

    def growth(self):
        """Bytes that it took since it was held."""
        return self.memory() - self.before
