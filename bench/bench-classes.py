# SPDX-License-Identifier: BSD-3-Clause
"""What a step of each sensor and actuator costs, beside the clock, which does nothing; and many robots at once.

Prints `name value unit`. Each class is there 20 times on a robot of its own; what a tick costs without it is taken
away. Ratios are to the clock's step in the same run. Cameras have a benchmark of their own. Names of classes as
arguments: those alone.
"""

import json
import os
import subprocess
import sys
import tempfile

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.getcwd())
PROGRAM = r'''
import json
import sys
import time

import orrery
from gi.repository import GLib

N, TICKS, RUNS, CLOCKS = 20, 200, 3, 20
ORIGIN = {"longitude": 1.43, "latitude": 43.6, "altitude": 135.0}


def measure(objects):
    with open("bench.json", "w") as file:
        json.dump({"orrery": 1, "environment": {"frequency": 60, "start": 0, "properties": ORIGIN,
                                                "physics": "orrery.physics.kinematic.Kinematic"},
                   "objects": objects}, file)
    sim = orrery.load("bench.json", listen=False, pacing=orrery.Pacing.FAST)
    sim.step(20)
    least = None
    for _ in range(RUNS):
        begin = time.perf_counter_ns()
        sim.step(TICKS)
        spent = (time.perf_counter_ns() - begin) / TICKS
        least = spent if least is None else min(least, spent)
    return least


def robots(classpath, n=1):
    parts = [] if classpath is None else [{"name": "part%d" % i, "classpath": classpath} for i in range(n)]
    return [{"name": "r%d" % i, "classpath": "orrery.robots.pioneer3dx.Pioneer3DX", "position": [0, 2 * i, 0],
             "objects": parts} for i in range(N)]


def show(name, value, unit):
    print("%s %.4g %s" % (name, value, unit), flush=True)


# A clock costs next to nothing: many on each robot, or the noise is larger.
empty = measure(robots(None))
clock = (measure(robots("orrery.sensors.clock.Clock", CLOCKS)) - empty) / (N * CLOCKS)
show("classes.clock", clock, "ns/step")
for name in json.loads(sys.argv[1]):
    try:
        cost = (measure(robots(name)) - empty) / N
    except GLib.Error:
        continue
    show("classes." + name.rsplit(".", 1)[1], cost, "ns/step")
    show("classes." + name.rsplit(".", 1)[1] + ".by_clock", cost / max(clock, 1), "ratio")

five = ["sensors.pose.Pose", "sensors.odometry.Odometry", "sensors.battery.Battery", "sensors.velocity.Velocity",
        "actuators.v_omega.MotionVW"]
for n in (100, 1000):
    many = [{"name": "r%d" % i, "classpath": "orrery.robots.atrv.ATRV", "position": [0, 2 * i, 0],
             "objects": [{"name": "c%d" % k, "classpath": "orrery." + each} for k, each in enumerate(five)]}
            for i in range(n)]
    tick = measure(many)
    show("classes.robots.%d" % n, tick / 1000, "us/tick")
    show("classes.robots.%d.each" % n, tick / n, "ns/robot")
'''


def main():
    orrery = os.path.join(BUILD, "orrery")
    listed = json.loads(subprocess.run([orrery, "plugins", "--json"], check=True, capture_output=True).stdout)
    names = sorted(each["classpath"] for module in listed["modules"] for each in module.get("classes", ())
                   if each["role"] in ("sensor", "actuator") and each["classpath"].startswith("orrery.")
                   and "camera" not in each["classpath"])
    if sys.argv[1:]:
        names = [name for name in names if name.rsplit(".", 1)[1] in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "bench.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        return subprocess.run([orrery, "python", path, json.dumps(names)], cwd=directory,
                              stderr=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    sys.exit(main())
