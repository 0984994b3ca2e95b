# SPDX-License-Identifier: BSD-3-Clause
"""Scripts in Python that run in workers: as in the host, bit by bit, and the run outlives them."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

WALK = '''
    import os
    import signal
    import orrery

    @orrery.plugin
    class Walk(orrery.Script):
        state = ("speed", "legs")
        die_at = orrery.option(-1)
        fail_at = orrery.option(-1)

        def setup(self, setup):
            self.robot = setup.find_component("robot")
            self.pose = setup.find_component("robot.pose")
            setup.publish("walk")

        def init(self, tick):
            self.speed, self.legs = 0.5, 0

        def sensing(self, tick):
            self.speed += 0.1 * self.gauss(tick) + 0.01 * self.pose.data.x
            if tick.number == self.fail_at:
                raise ValueError("enough")

        def thread(self, tick):
            while self.legs < 5:
                for _ in range(3):
                    tick = yield
                self.legs += 1

        def actuation(self, tick):
            if tick.number == self.die_at:
                os.kill(os.getpid(), signal.SIGKILL)
            linear, angular = orrery.Vec3(), orrery.Vec3()
            linear.x, angular.z = self.speed, 0.1 * self.legs
            self.robot.apply_speed(tick, orrery.Control.VELOCITY, linear, angular, tick.dt)

        @orrery.service
        def where(self) -> int:
            """Where it runs"""
            return os.getpid()
'''


def make(placement, **options):
    text = json.loads(scene(("pose", "orrery.sensors.pose.Pose")))
    text["objects"][0]["scripts"] = [{"type": "child", "classpath": "acme.walk.Walk", "placement": placement,
                                      "properties": options}]
    text["workers"] = {"robot/child": {"back_off": 0.01, "timeout": 60}} if placement == "worker" else {}
    return json.dumps(text)


@unittest.skipUnless(READY, "no PyGObject, or no typelib")
class WorkerScripts(PythonCase):
    def setUp(self):
        super().setUp()
        self.module("acme/walk.py", WALK)

    def hash_of(self, text, ticks=90):
        done = self.run_scene(text, "--ticks", str(ticks), "--hash")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in done.stdout.splitlines() if line.startswith("hash ")], done.stderr

    def test_same(self):
        inside, _ = self.hash_of(make("host"))
        self.assertEqual(self.hash_of(make("worker"))[0], inside)
        self.assertEqual(self.hash_of(make("legs"))[0], inside)

    def test_error(self):
        """An exception ends the script, not its worker, and is told with file and line."""
        for placement in ("host", "worker"):
            _, said = self.hash_of(make(placement, fail_at=5))
            self.assertRegex(said, r"robot/child: sensing: .*walk\.py:\d+: .*enough; the script is disabled")
            self.assertNotIn("stale", said)

    def test_death(self):
        """It comes back with the memory of its last second, and drives on."""
        lines = self.prints("""
            import os, time
            host = os.getpid()
            sim.step(70)
            assert sim.call("walk", "where") != host
            sim.step(11)
            deadline = time.monotonic() + 60
            while sim.get_report()["workers"][0]["state"] != "up" and time.monotonic() < deadline:
                sim.step(1)
                time.sleep(0.01)
            sim.step(1)
            print(sim.get_report()["workers"][0]["restarts"], sim.call("walk", "where") != host)
            """, make("worker", die_at=80))
        self.assertEqual(lines, ["1 True"])


if __name__ == "__main__":
    tap.main()
