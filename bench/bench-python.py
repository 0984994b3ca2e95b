#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Python beside C: a sensor, modifier, actuator, script in Python, cost per call; the first scene stepped from
Python and by the program in C; a callback per tick; reading records and an image; plugins in workers."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
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
        measure_calls()
        measure_steps()
        measure_callbacks()
        measure_states()
        measure_reading()
        measure_workers()
        os.chdir("/")


if __name__ == "__main__":
    main()
