# SPDX-License-Identifier: BSD-3-Clause
"""Hosts that are killed or interrupted, at random moments: their workers go with them, and nothing is left."""

import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

LONG = "ORRERY_TEST_LONG" in os.environ
KILLS = 200 if LONG else 8
INTERRUPTS = 50 if LONG else 6
PATIENCE = 60

SCENE = """{ "orrery": 1,
  "environment": { "physics": "orrery.physics.kinematic.Kinematic" },
  "objects": [{ "name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
    { "name": "pose", "classpath": "orrery.sensors.pose.Pose", "placement": "worker" },
    { "name": "camera", "classpath": "examples.lens.Lens", "placement": "worker",
      "transport": "latest", "free_running": true, "properties": { "exposure": 0.01 } },
    { "name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW", "placement": "shared" },
    { "name": "odometry", "classpath": "orrery.sensors.odometry.Odometry", "placement": "shared" }
  ] }] }
"""


def children_of(pid):
    """Processes whose parent it is; they are found while it lives."""
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as stream:
            found = stream.read().split()
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, task)) as stream:
                found += stream.read().split()
    except (FileNotFoundError, ProcessLookupError):
        return set()
    return {int(child) for child in found}


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as stream:
            return stream.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Hosts(support.ProgramCase):
    def start(self):
        path = self.write("scene.json", SCENE)
        command = [
            support.PROGRAM,
            "run",
            "--plugin-dir",
            os.path.join(support.BUILD, "examples/plugins"),
            path,
        ]
        return subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=self.environment(),
        )

    def wait_for_workers(self, process):
        """Until all three run; their numbers."""
        said = ""
        for line in process.stderr:
            said += line
            if "SCENE INITIALIZED" in line:
                break
        workers = {int(pid) for pid in re.findall(r"runs \(PID (\d+)\)", said)}
        self.assertEqual(len(workers), 3, said)
        return workers

    def assert_gone(self, workers):
        deadline = time.monotonic() + PATIENCE
        while any(is_alive(pid) for pid in workers) and time.monotonic() < deadline:
            time.sleep(0.001)
        self.assertEqual([pid for pid in workers if is_alive(pid)], [])

    def end(self, process):
        process.stderr.close()
        process.wait(PATIENCE)

    def test_killed_while_it_runs(self):
        before = sorted(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else []
        for number in range(KILLS):
            process = self.start()
            workers = self.wait_for_workers(process)
            # A worker that is stopped cannot see that its host is gone: the kernel does.
            if number % 4 == 0:
                os.kill(sorted(workers)[0], signal.SIGSTOP)
            time.sleep(random.random() * 0.05)
            process.kill()
            self.end(process)
            self.assert_gone(workers)
        after = sorted(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else []
        self.assertEqual([name for name in after if name not in before and "orrery" in name], [])

    def test_killed_while_it_starts(self):
        for _ in range(KILLS):
            process = self.start()
            workers = set()
            deadline = time.monotonic() + random.random() * 0.1
            while time.monotonic() < deadline:
                workers |= children_of(process.pid)
            workers |= children_of(process.pid)
            process.kill()
            self.end(process)
            self.assert_gone(workers)

    def test_interrupted(self):
        slowest = 0
        for _ in range(INTERRUPTS):
            process = self.start()
            workers = self.wait_for_workers(process)
            time.sleep(random.random() * 0.1)
            begin = time.monotonic()
            # As a terminal does: the whole group; and workers, which leave it to their host.
            for pid in workers:
                os.kill(pid, signal.SIGINT)
            os.killpg(process.pid, signal.SIGINT)
            said = process.stderr.read()
            self.assertEqual(process.wait(PATIENCE), 130, said)
            slowest = max(slowest, time.monotonic() - begin)
            self.end(process)
            self.assertEqual([pid for pid in workers if is_alive(pid)], [])
            self.assertNotIn("stale", said)
            self.assertNotIn("Traceback", said)
            self.assertNotIn("does not end; the program exits", said)
        print("# the slowest stop took %.3f s" % slowest)

    def test_two_hosts_at_once(self):
        one, two = self.start(), self.start()
        workers = self.wait_for_workers(one)
        others = self.wait_for_workers(two)
        one.kill()
        self.end(one)
        self.assert_gone(workers)
        self.assertTrue(all(is_alive(pid) for pid in others))
        two.send_signal(signal.SIGTERM)
        self.assertEqual(two.wait(PATIENCE), 143)
        self.end(two)
        self.assert_gone(others)


if __name__ == "__main__":
    tap.main()
