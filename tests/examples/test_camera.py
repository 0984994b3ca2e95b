# SPDX-License-Identifier: BSD-3-Clause
"""examples/camera.json: a camera that is slower than a tick runs free of it, and comes back when it is killed."""

import os
import re
import signal
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

SCENE = os.path.join(support.SOURCE, "examples", "camera.json")
PLUGINS = os.path.join(support.BUILD, "examples", "plugins")
RUN = [support.PROGRAM, "run", "--plugin-dir", PLUGINS]


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Camera(unittest.TestCase):
    def test_numbers(self):
        done = subprocess.run(
            RUN + ["--for", "3", "--hash", SCENE], capture_output=True, text=True, timeout=120
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        ticks = int(re.search(r"^(\d+) ticks", done.stdout, re.M).group(1))
        row = re.search(r"robot\.camera +up +(\d+) +(\d+) +(\d+)", done.stdout)
        fresh, stale, restarts = (int(number) for number in row.groups())
        self.assertEqual(ticks, 180)
        # A frame takes more than two ticks; what is late is late, and every tick is one or the other.
        self.assertEqual(fresh + stale, ticks)
        self.assertGreater(fresh, 0)
        self.assertLess(fresh, 80)
        self.assertEqual(restarts, 0)
        self.assertIn(" without robot.camera", done.stdout)

    def test_killed_by_hand(self):
        process = subprocess.Popen(
            RUN + [SCENE], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        said = []

        def read_until(pattern):
            for line in process.stderr:
                said.append(line)
                found = re.search(pattern, line)
                if found:
                    return found
            self.fail("never said %s:\n%s" % (pattern, "".join(said)))

        try:
            pid = int(read_until(r"worker robot\.camera runs \(PID (\d+)\)").group(1))
            read_until(r"SCENE INITIALIZED")
            os.kill(pid, signal.SIGKILL)
            read_until(
                r"robot\.camera is stale: worker robot\.camera \(PID %d\) was killed by SIGKILL .*"
                r"it is restarted in 0\.1 s" % pid
            )
            again = int(
                read_until(r"robot\.camera is fresh again: worker .* \(PID (\d+)\)").group(1)
            )
            self.assertNotEqual(again, pid)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), 130)
            self.assertFalse(is_alive(again))
        finally:
            process.kill()
            process.stderr.close()
            process.wait()


if __name__ == "__main__":
    tap.main()
