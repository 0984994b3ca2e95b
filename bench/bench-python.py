#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Python beside C: a sensor, modifier, actuator, script in Python, cost per call; the first scene stepped from
Python and by the program in C; fields, services and steps one by one, beside an attribute of an object of Python's
own, with and without the extension module; two simulations in two threads; a callback per tick; reading records and an
image; plugins in workers."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import threading
import time

BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()
SOURCE = pathlib.Path(__file__).resolve().parent.parent
ORRERY = str(BUILD / "orrery")
ROUNDS = 7

PLUGINS = """
    import numpy
    import orrery

    @orrery.plugin
    class Empty(orrery.Sensor):
        x = orrery.field(float)
        def sense(self, tick, record): pass

    @orrery.plugin
    class One(orrery.Sensor):
        x = orrery.field(float)
        def sense(self, tick, record): record.x = 1.0

    @orrery.plugin
    class Array(orrery.Sensor):
        ranges = orrery.field("array")
        def setup(self, setup): self.values = numpy.arange(180.0)
        def sense(self, tick, record): record.ranges = self.values

    @orrery.plugin
    class Image(orrery.Sensor):
        image = orrery.field("buffer")
        def sense(self, tick, record):
            if tick.number == 0:
                record.image = numpy.zeros((1080, 1920, 3), "uint8")

    @orrery.plugin
    class Heavy(orrery.Sensor):
        x = orrery.field(float)
        def sense(self, tick, record):
            total = 0
            for i in range(20000):
                total += i
            record.x = total

    @orrery.plugin
    class Act(orrery.Actuator):
        x = orrery.field(float)
        def act(self, tick, record): pass

    @orrery.plugin
    class Add(orrery.Modifier):
        def modify(self, tick, record): record.x += 1.0

    @orrery.plugin
    class Script(orrery.Script):
        def actuation(self, tick): pass
"""


def scene(components, tables=None, scripts=()):
    return dict({"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic", "start": 0, "seed": 1},
                 "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "scripts": list(scripts),
                              "objects": [dict({"name": "c%d" % i, "classpath": each[0], "frequency": 60}, **each[1])
                                          for i, each in enumerate(components)]}]}, **(tables or {}))


def load(description):
    import orrery
    with open("scene.json", "w", encoding="utf-8") as file:
        json.dump(description, file)
    sim = orrery.load("scene.json", plugin_dirs=["plugins"], pacing=orrery.Pacing.FAST)
    sim.step(20)
    return sim


def best(function, rounds=ROUNDS):
    """Seconds of the fastest of some rounds."""
    times = []
    for _ in range(rounds):
        before = time.perf_counter()
        function()
        times.append(time.perf_counter() - before)
    return min(times)


def tell(name, value, unit):
    print("python.%s %.4g %s" % (name, value, unit), flush=True)


def cost_per_call(few, many, n, ticks=400):
    """Microseconds that each of n more parts adds to a tick."""
    one, other = load(few), load(many)
    return (best(lambda: other.step(ticks)) - best(lambda: one.step(ticks))) / n / ticks * 1e6


def measure_calls():
    n = 10
    for name, classpath in (("c-pose", "orrery.sensors.pose.Pose"), ("sensor-empty", "acme.cost.Empty"),
                            ("sensor-one-field", "acme.cost.One"), ("sensor-array-180", "acme.cost.Array"),
                            ("actuator-empty", "acme.cost.Act")):
        tell(name, cost_per_call(scene([(classpath, {})]), scene([(classpath, {})] * (n + 1)), n), "us/call")
    poses = [("orrery.sensors.pose.Pose", {})] * n
    tables = {"component_modifier": {"robot.c%d" % i: [["acme.cost.Add", {}]] for i in range(n)}}
    tell("modifier-one-field", cost_per_call(scene(poses), scene(poses, tables), n), "us/call")
    script = [{"type": "child", "classpath": "acme.cost.Script"}]
    tell("script-callback", cost_per_call(scene([]), scene([], None, script), 1, 4000), "us/tick")


def ticks_of_program(built, ticks):
    """Ticks per second of the program in C, by its own clock."""
    said = subprocess.run([ORRERY, "run", built, "--fast", "--offline", "--ticks", str(ticks)], check=True,
                          capture_output=True, text=True).stdout
    return ticks / float(re.search(r"simulated in ([\d.]+) s", said).group(1))


def measure_steps():
    """Both alternate, so that what else the machine does meets both."""
    import orrery
    built = os.path.abspath("first_scene")
    subprocess.run([ORRERY, "build", str(SOURCE / "examples/first_scene.py"), "-o", built], check=True)
    sim = orrery.load(built, pacing=orrery.Pacing.FAST)
    sim.step(2000)
    in_c = in_python = single = 0.0
    for _ in range(ROUNDS):
        in_c = max(in_c, ticks_of_program(built, 20000))
        in_python = max(in_python, 20000 / best(lambda: [sim.step(1000) for _ in range(20)], 1))
        single = max(single, 20000 / best(lambda: [sim.step(1) for _ in range(20000)], 1))
    tell("step-1000-of-c", in_python / in_c, "ratio")
    tell("step-1-beside-c", 1e6 / single - 1e6 / in_c, "us")


class Slots:
    """An object of Python's own, whose attribute is as near as a value can be."""

    __slots__ = ("x",)

    def __init__(self):
        self.x = 1.0


def cost_of(code, n, **names):
    """Microseconds of one run of a line, without the loop around it."""
    space = dict(names, range=range)
    exec("def line(n):\n  for _ in range(n):\n    %s\ndef empty(n):\n  for _ in range(n):\n    pass" % code, space)
    # Short turns, some of which nothing else of the machine interrupts.
    line, empty = (best(lambda: space[each](n), 20 * ROUNDS) for each in ("line", "empty"))
    return (line - empty) / n * 1e6


def measure_access(suffix):
    """What a program does with a component between its ticks."""
    sim = load(scene([("orrery.sensors.velocity.Velocity", {}), ("orrery.actuators.v_omega.MotionVW", {}),
                      ("orrery.sensors.pose.Pose", {})]))
    velocity, motion, pose = (sim["robot.c%d" % i] for i in range(3))
    names = {"sim": sim, "velocity": velocity, "motion": motion, "pose": pose, "slots": Slots(), "data": pose.data}
    for name, code in (("slots-read", "slots.x"), ("slots-write", "slots.x = 1.0"), ("read-scalar", "pose.data.x"),
                       ("read-scalar-kept", "data.x"), ("read-scalar-by-name", "sim['robot.c2'].data.x"),
                       ("read-vec3", "velocity.data.linear_velocity"), ("write-scalar", "motion.data.v = 1.0"),
                       ("call", "motion.set_speed(1.0, 0.0)"),
                       ("call-by-name", "sim.call('robot.c1', 'set_speed', 1.0, 0.0)")):
        tell(name + suffix, cost_of(code, 100 if suffix else 300, **names), "us")
    # Both are of one simulation in one process, in turns.
    single = both = float("inf")
    for _ in range(3 * ROUNDS):
        both = min(both, best(lambda: sim.step(90), 1) / 90)
        single = min(single, best(lambda: [sim.step() for _ in range(90)], 1) / 90)
    tell("tick" + suffix, both * 1e6, "us")
    tell("step-beyond-tick" + suffix, (single - both) * 1e6, "us")


ODOMETERS = scene([("orrery.sensors.odometry.Odometry", {})] * 20)


def run_ticks(sim, ticks):
    for _ in range(ticks // 50):
        sim.step(50)


def rate_in_threads(n, ticks):
    """Ticks per second of n simulations, each stepped in a thread of its own."""
    sims = [load(ODOMETERS) for _ in range(n)]
    ready = threading.Barrier(n + 1)

    def run(sim):
        ready.wait()
        run_ticks(sim, ticks)
        ready.wait()
    for sim in sims:
        threading.Thread(target=run, args=(sim,)).start()
    ready.wait()
    before = time.perf_counter()
    ready.wait()
    return n * ticks / (time.perf_counter() - before)


def rate_in_processes(n, ticks):
    """The same in processes, which share nothing: what the machine has to give."""
    load(ODOMETERS)
    running = [subprocess.Popen([sys.executable, __file__, "steps", str(ticks)], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in range(n)]
    for each in running:
        each.stdout.readline()
    before = time.perf_counter()
    for each in running:
        each.stdin.write(b"go\n")
        each.stdin.flush()
    for each in running:
        each.stdout.readline()
    rate = n * ticks / (time.perf_counter() - before)
    for each in running:
        each.communicate()
    return rate


def be_one_of_the_processes(ticks):
    import orrery
    sim = orrery.load("scene.json", pacing=orrery.Pacing.FAST)
    sim.step(20)
    print("ready", flush=True)
    sys.stdin.readline()
    run_ticks(sim, ticks)
    print("done", flush=True)


def measure_threads():
    """Nothing of Python is locked in a tick, so that two simulations use two processors."""
    if len(os.sched_getaffinity(0)) < 2:
        return
    one, two, apart = (max(function(n, 20000) for _ in range(ROUNDS))
                       for function, n in ((rate_in_threads, 1), (rate_in_threads, 2), (rate_in_processes, 2)))
    tell("two-threads-of-one", two / one, "ratio")
    tell("two-threads-of-two-processes", two / apart, "ratio")


def measure_callbacks():
    """What a function that is called in each tick adds to it: of a component, of the tick, of a task."""
    def nothing(*_):
        pass

    def task():
        while True:
            yield every
    import orrery
    sim = load(scene([("orrery.sensors.pose.Pose", {})]))
    every = orrery.Sleep(0.0)
    ticks = 20000
    kinds = (("record-callback", lambda: sim["robot.c0"].subscribe(nothing)), ("tick-callback", lambda: sim.on_tick(nothing)))
    for name, begin in kinds:
        without = best(lambda: sim.step(ticks))
        subscription = begin()
        sim.step(10)
        tell(name, (best(lambda: sim.step(ticks)) - without) / ticks * 1e6, "us/tick")
        subscription.end()
        sim.step(10)
    without = best(lambda: sim.step(ticks))
    sim.tasks.add(task)
    tell("task-step", (best(lambda: sim.step(ticks)) - without) / ticks * 1e6, "us/tick")


def measure_states():
    sim = load(scene([("orrery.sensors.odometry.Odometry", {})] * 100))
    state = sim.save()
    tell("save-100-sensors", best(lambda: [sim.save() for _ in range(20)]) / 20 * 1e3, "ms")
    tell("restore-100-sensors", best(lambda: [sim.restore(state) for _ in range(20)]) / 20 * 1e3, "ms")
    tell("state-100-sensors", len(state) / 1024, "KiB")


def measure_reading():
    import orrery
    n = 1000
    sim = load(scene([("orrery.sensors.pose.Pose", {})] * n))
    parts = [sim["robot.c%d" % i] for i in range(n)]
    views = [orrery.view(part) for part in parts]

    def read_views():
        for view in views:
            view.x, view.y, view.z, view.yaw, view.pitch, view.roll

    def read_data():
        for part in parts:
            data = part.data
            data.x, data.y, data.z, data.yaw, data.pitch, data.roll
    tell("read-1000x6-views", best(read_views) * 1e3, "ms")
    tell("read-1000x6-data", best(read_data, 3) * 1e3, "ms")
    table = sim.table(["robot.c%d" % i for i in range(n)], ["x", "y", "z", "yaw", "pitch", "roll"])
    tell("read-1000x6-table", best(lambda: [table.read() for _ in range(100)]) * 10, "ms")
    tell("read-1000-poses", best(lambda: [sim.poses for _ in range(100)]) * 10, "ms")
    sim = load(scene([("acme.cost.Image", {})]))
    view = orrery.view(sim["robot.c0"])
    tell("image-view", best(lambda: [view.image for _ in range(1000)]) * 1e3, "us")
    same = view.image.__array_interface__["data"][0] == view._record.get_buffer("image").get_address()
    tell("image-view-copies", 0 if same else 1, "copies")


def measure_workers():
    n = 4
    inside = load(scene([("acme.cost.Heavy", {})] * n))
    placed = load(scene([("acme.cost.Heavy", {"placement": "worker"})] * n))
    one, other = best(lambda: inside.step(20), 3), best(lambda: placed.step(20), 3)
    tell("4-heavy-inside", one / 20 * 1e3, "ms/tick")
    tell("4-heavy-in-workers", other / 20 * 1e3, "ms/tick")
    placed.close()


def main():
    if len(sys.argv) == 1:
        # The interpreter finds the package by the program, as a user's does.
        if subprocess.run([ORRERY, "python", __file__, "here"]).returncode != 0:
            print("python.skipped 1 bench", flush=True)
        subprocess.run([ORRERY, "python", __file__, "plain"], env=dict(os.environ, ORRERY_PYTHON_PLAIN="1"))
        return
    if sys.argv[1] == "steps":
        be_one_of_the_processes(int(sys.argv[2]))
        return
    try:
        import numpy  # noqa: F401
        import orrery  # noqa: F401
    except ImportError as error:
        sys.exit("bench-python: %s" % error)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        os.makedirs("plugins/acme")
        pathlib.Path("plugins/acme/cost.py").write_text(textwrap.dedent(PLUGINS))
        if sys.argv[1] == "plain":
            measure_access("-plain")
            os.chdir("/")
            return
        measure_access("")
        measure_threads()
        measure_calls()
        measure_steps()
        measure_callbacks()
        measure_states()
        measure_reading()
        measure_workers()
        os.chdir("/")


if __name__ == "__main__":
    main()
