# SPDX-License-Identifier: BSD-3-Clause
"""What a step of each sensor and actuator costs, beside one that does nothing; and many robots at once.

Prints `name value unit`, the slowest class first. A robot has many components of one class, all due in every tick, and
what counts is the least length of a tick over their number: with the host's own share and theirs of the robot's, which
`classes.idle` is alone. Ratios are to the same scene with a class that does nothing in their place, whose ticks take
turns with theirs; `classes.idle.twice` is such a scene beside itself, and so what the ratios are good for. Cameras have
a benchmark of their own. Names of classes as arguments: those alone. What cannot be measured is named on stderr.
"""

import json
import os
import subprocess
import sys
import tempfile

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.getcwd())
ROBOT = {"classpath": "orrery.robots.pioneer3dx.Pioneer3DX"}
JOINT = {"name": "joint", "joint": {"kind": "hinge"}}
BELOW = "below"
# What a class wants around it: of the component, or the object that it is below, which each gets of its own.
SURROUNDINGS = {
    "orrery.actuators.armature.Armature": {"objects": [JOINT]},
    "orrery.sensors.armature_pose.ArmaturePose": {
        BELOW: {"classpath": "orrery.actuators.armature.Armature", "objects": [JOINT]}},
    "orrery.sensors.compound.CompoundSensor": {"objects": [{"name": "clock", "classpath": "orrery.sensors.clock.Clock"}]},
    "orrery.sensors.ptu_posture.PTUPosture": {BELOW: {"classpath": "orrery.actuators.ptu.PTU"}},
    # Only what is no body is moved by it.
    "orrery.actuators.stabilized_quadrotor.StabilizedQuadrotor": {"robot": {"classpath": "orrery.robots.fakerobot.FakeRobot"}},
}
# They are what these bring a body for.
MEASURED_AS = {"orrery.actuators.pan_tilt.PanTilt": "PTU", "orrery.actuators.segments.Segments": "PA10"}

PROGRAM = r'''
import json
import sys
import time

import orrery
from gi.repository import GLib

# Components of a scene, and fewer where a tick takes longer than that; length of a round, and how many.
MANY, FEW, LONG = 200, 20, 1000000
ROUND, ROUNDS = 4000000, 9
ORIGIN = {"longitude": 1.43, "latitude": 43.6, "altitude": 135.0}


def load(objects):
    with open("bench.json", "w") as file:
        json.dump({"orrery": 1, "environment": {"frequency": 60, "start": 0, "properties": ORIGIN,
                                                "physics": "orrery.physics.kinematic.Kinematic"},
                   "objects": objects}, file)
    sim = orrery.load("bench.json", listen=False, pacing=orrery.Pacing.FAST, plugin_dirs=[plugins])
    sim.step(3)
    return sim


def spent(sim, ticks):
    begin = time.perf_counter_ns()
    sim.step(ticks)
    return (time.perf_counter_ns() - begin) / ticks


def compare(*sims):
    """The least ns of a tick of each; they take turns, so that whatever holds the machine up meets all."""
    ticks = [max(1, int(ROUND / min(spent(sim, 2) for _ in range(3)))) for sim in sims]
    rounds = [[spent(sim, n) for sim, n in zip(sims, ticks)] for _ in range(ROUNDS)]
    return [min(each) for each in zip(*rounds)]


def scene(classpath, around, n):
    objects = []
    for i in range(n):
        part = {"name": "part%d" % i, "classpath": classpath, "frequency": 60, "objects": around.get("objects", [])}
        below = around.get("below")
        if below is not None:
            part = dict(below, name="below%d" % i, objects=below.get("objects", []) + [part])
        objects.append(part)
    return load([dict(around["robot"], name="robot", objects=objects)])


def measure(classpath, idle, around):
    """ns of a step, and how many times that of the idle one."""
    n = MANY
    sim = scene(classpath, around, n)
    if min(spent(sim, 1) for _ in range(3)) > LONG:
        n = FEW
        sim.close()
        sim = scene(classpath, around, n)
    beside = scene(idle, around, n)
    cost, least = compare(sim, beside)
    sim.close()
    beside.close()
    return cost / n, cost / least


plugins = sys.argv[2]
for classpath, idle, around in json.loads(sys.argv[1]):
    try:
        print(json.dumps([classpath, *measure(classpath, idle, around)]), flush=True)
    except GLib.Error as error:
        print(json.dumps([classpath, error.message.splitlines()[0]]), flush=True)

five = ["sensors.pose.Pose", "sensors.odometry.Odometry", "sensors.battery.Battery", "sensors.velocity.Velocity",
        "actuators.v_omega.MotionVW"]
for n in (100, 1000):
    many = [{"name": "r%d" % i, "classpath": "orrery.robots.atrv.ATRV", "position": [0, 2 * i, 0],
             "objects": [{"name": "c%d" % k, "classpath": "orrery." + each} for k, each in enumerate(five)]}
            for i in range(n)]
    sim = load(many)
    print(json.dumps([n, *compare(sim)]), flush=True)
    sim.close()
'''


def short_names(classpaths):
    """The class alone, with its module where two have the name."""
    last = [path.rsplit(".", 1)[1] for path in classpaths]
    return {path: path.rsplit(".", 1)[1] if last.count(path.rsplit(".", 1)[1]) == 1 else ".".join(path.split(".")[-2:])
            for path in classpaths}


def asked_for(orrery):
    """Each class, the idle one beside it, and what is around both."""
    listed = json.loads(subprocess.run([orrery, "plugins", "--json"], check=True, capture_output=True).stdout)
    roles = {each["classpath"]: each["role"] for module in listed["modules"] for each in module.get("classes", ())
             if each["role"] in ("sensor", "actuator") and each["classpath"].startswith("orrery.")
             and "camera" not in each["classpath"] and each["classpath"] not in MEASURED_AS}
    names = short_names(sorted(roles))
    if sys.argv[1:]:
        names = {path: name for path, name in names.items() if {path, name, path.rsplit(".", 1)[1]} & set(sys.argv[1:])}
    idle = {"sensor": "bench.idle.Sensor", "actuator": "bench.idle.Actuator"}
    rows = [[path, idle[roles[path]], dict({"robot": ROBOT}, **SURROUNDINGS.get(path, {}))] for path in names]
    return rows + [[idle["sensor"], idle["sensor"], {"robot": ROBOT}]], dict(names, **{idle["sensor"]: "idle"})


def show(name, value, unit):
    print("classes.%s %.4g %s" % (name, value, unit), flush=True)


def main():
    orrery = os.path.join(BUILD, "orrery")
    rows, names = asked_for(orrery)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "bench.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        command = [orrery, "python", path, json.dumps(rows), os.path.join(os.path.abspath(BUILD), "bench/plugins")]
        done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    for row in [row for row in results if len(row) == 2 and isinstance(row[1], str)]:
        print("not measured: %s: %s" % tuple(row), file=sys.stderr)
    for classpath, cost, ratio in sorted((row for row in results if len(row) == 3), key=lambda row: -row[1]):
        show(names[classpath], cost, "ns/step")
        show(names[classpath] + (".twice" if names[classpath] == "idle" else ".by_idle"), ratio, "ratio")
    for n, tick in (row for row in results if len(row) == 2 and not isinstance(row[1], str)):
        show("robots.%d" % n, tick / 1000, "us/tick")
        show("robots.%d.each" % n, tick / n, "ns/robot")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
