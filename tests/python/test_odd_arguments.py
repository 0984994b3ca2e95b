# SPDX-License-Identifier: BSD-3-Clause
"""Every method of every class with arguments that make no sense, in child processes: exceptions, and no signal."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

PROGRAM = r'''
import gc
import os
import sys

import odd
import orrery
from gi.repository import Orrery


def collect(sim):
    pose, motion = sim["robot.pose"], sim["robot.motion"]
    world, record = sim.get_world(), pose.get_record()
    return [sim, pose, motion, sim["robot"], world, world.get_snapshot(), world.get_commands(), record,
            record.get_schema(), pose.get_object(), orrery.Buffer.new(orrery.Element.DOUBLE, [2, 3]), orrery.Writer.new(),
            orrery.Reader.new(), orrery.Registry.new(), orrery.Options(), pose.get_pose(), orrery.Vec3(), orrery.Quat(),
            orrery.Euler(), orrery.Mat3(), orrery.Mat4(), record.get_schema().to_variant()]


def others(sim):
    """What stands beside a simulation."""
    clock, channel = orrery.ManualClock.new(0, True), Orrery.Channel.new_local("values", 5)
    scheduler = orrery.Scheduler.new(clock, None)
    return [clock, orrery.WallClock.new(1.0), scheduler, scheduler.add(lambda: iter(()), name="task", period=1.0),
            Orrery.Hybrid.new(clock, "local"), channel, Orrery.Emitter.new(channel), Orrery.Receiver.new(channel),
            sim.table(["robot.pose"], ["x"]), sim["robot.waypoint"].goto(3.0, 0.0, 0.0),
            sim["robot.pose"].subscribe(print), sim["robot.pose"].follow(), sim.tasks]


sim = orrery.load("scene.json", plugin_dirs=["plugins"], pacing=orrery.Pacing.FAST)
sim.step(2)
things, methods = collect(sim), odd.methods
if sys.argv[1:] == ["others"]:
    things = others(sim)
    methods = lambda thing: odd.functions(type(thing))
elif sys.argv[1:] == ["classes"]:
    things = list(odd.classes())
    methods = odd.functions
elif sys.argv[1:] == ["closed"]:
    things += others(sim)
    sim.close()
    things = [sim, sim["robot.pose"], *things[-14:]]
elif sys.argv[1:] == ["gone"]:
    sim.close()
    del things[0], sim
    gc.collect()
print("refused", odd.abuse(things, methods), flush=True)
# What is left may be in any state; its end is no part of this.
os._exit(0)
'''


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class OddArguments(PythonCase):
    def check_no_signal(self, least, *arguments):
        self.module("acme/__init__.py", "")
        self.write("scene.json", scene(("pose", "morse.sensors.pose.Pose"), ("motion", "morse.actuators.v_omega.MotionVW"),
                                       ("waypoint", "morse.actuators.waypoint.Waypoint")))
        self.write("program.py", PROGRAM)
        environment = {name: value for name, value in self.environment().items() if name != "G_DEBUG"}
        environment["PYTHONPATH"] = os.path.dirname(os.path.abspath(__file__))
        done = subprocess.run([cli.PROGRAM, "python", "program.py", *arguments], capture_output=True, text=True,
                              cwd=self.directory, env=environment, timeout=600)
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0, "%s: %s" % (lines[-1:], done.stderr[-2000:]))
        self.assertGreater(len(lines), least)
        self.assertGreater(int(lines[-1].split()[1]), 50 * least)

    def test_of_a_simulation(self):
        self.check_no_signal(150)

    def test_of_one_that_is_gone(self):
        self.check_no_signal(150, "gone")

    def test_of_one_that_is_closed(self):
        self.check_no_signal(40, "closed")

    def test_of_what_stands_beside_it(self):
        self.check_no_signal(40, "others")

    def test_without_an_object(self):
        """Constructors, functions, and methods that get something else as their object."""
        self.check_no_signal(400, "classes")


if __name__ == "__main__":
    tap.main()
