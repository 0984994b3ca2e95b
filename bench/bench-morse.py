#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a sensor written for MORSE costs per call, beside one in Python and one in C: lines `name value unit`."""

import os
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(os.environ.get("ORRERY_TEST_BUILDDIR", "."))
N, TICKS, ROUNDS = 20, 500, 7

MODULE = '''
import orrery
from morse.core.sensor import Sensor
from morse.helpers.components import add_data


@orrery.plugin
class Native(orrery.Sensor):
    x = orrery.field(float)
    y = orrery.field(float)
    z = orrery.field(float)
    yaw = orrery.field(float)

    def sense(self, tick, record):
        pose = self.get_pose()
        at = pose.position
        record.x, record.y, record.z = at.x, at.y, at.z
        record.yaw = pose.rotation.to_euler().yaw


class Morse(Sensor):
    add_data('x', 0.0, 'float', 'X')
    add_data('y', 0.0, 'float', 'Y')
    add_data('z', 0.0, 'float', 'Z')
    add_data('yaw', 0.0, 'float', 'Yaw')

    def default_action(self):
        pose = self.position_3d
        self.local_data['x'], self.local_data['y'], self.local_data['z'] = pose.x, pose.y, pose.z
        self.local_data['yaw'] = pose.yaw


class Free(Sensor):
    add_data('any', {}, 'dict', 'Anything')

    def default_action(self):
        self.local_data['any'] = {'x': self.position_3d.x}
'''

PROGRAM = '''
import json, sys, time
import orrery

def seconds(classpath, n, ticks, rounds):
    objects = [{"name": "c%%d" %% i, "classpath": classpath} for i in range(n)]
    with open("scene.json", "w") as file:
        json.dump({"orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"},
                   "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": objects}]}, file)
    best = None
    with orrery.load("scene.json", plugin_dirs=["plugins"], pacing=orrery.Pacing.FAST) as sim:
        sim.step(10)
        for _ in range(rounds):
            start = time.perf_counter()
            sim.step(ticks)
            took = time.perf_counter() - start
            best = took if best is None else min(best, took)
    return best / ticks / n

n, ticks, rounds = %r
native = seconds("bench.sensors.Native", n, ticks, rounds)
morse = seconds("bench.sensors.Morse", n, ticks, rounds)
free = seconds("bench.sensors.Free", n, ticks, rounds)
c = seconds("morse.sensors.pose.Pose", n, ticks, rounds)
for name, value, unit in (("morse-sensor-c", c * 1e6, "us"), ("morse-sensor-native", native * 1e6, "us"),
                          ("morse-sensor-morse", morse * 1e6, "us"), ("morse-sensor-free-field", free * 1e6, "us"),
                          ("morse-sensor-morse-per-native", morse / native, "ratio")):
    print(name, "%%.3f" %% value, unit)
'''


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.makedirs(os.path.join(directory, "plugins/bench"))
        with open(os.path.join(directory, "plugins/bench/sensors.py"), "w", encoding="utf-8") as file:
            file.write(MODULE)
        with open(os.path.join(directory, "program.py"), "w", encoding="utf-8") as file:
            file.write(PROGRAM % ((N, TICKS, ROUNDS),))
        return subprocess.run([os.path.join(BUILD, "orrery"), "python", "program.py"], cwd=directory).returncode


if __name__ == "__main__":
    sys.exit(main())
