# SPDX-License-Identifier: BSD-3-Clause
"""What new users get wrong most: each is an exception that says what, where, and what instead."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

# A line, and what its exception says.
MISTAKES = [
    ("sim['robot.poze']", "KeyError", "no component robot.poze; did you mean robot.pose"),
    ("sim['robot.pose'].data.yow", "AttributeError", "robot.pose: no field yow; did you mean yaw"),
    ("sim['robot.pose'].data['yow']", "KeyError", "robot.pose: no field yow; did you mean yaw"),
    ("sim['robot.waypoint'].data.x = 'far'", "Error", "robot.waypoint: x: needs a number, not a text"),
    ("sim['robot.waypoint'].data.speeed = 1.0", "AttributeError", "robot.waypoint: no field speeed; did you mean speed"),
    ("sim['robot.pose'].data.x = 1.0", "Error", "robot.pose is no actuator of this simulation"),
    ("sim['robot.pose'].dat = 3", "AttributeError", "robot.pose has neither an attribute nor a service dat; did you mean data"),
    ("sim['robot.pose'].yaw = 1.0", "AttributeError", "a field: .data.yaw"),
    ("sim['robot.waypoint'].goto = 3", "AttributeError", "robot.waypoint: goto is a service and cannot be set"),
    ("sim['robot'].pose = 3", "AttributeError", "a component: sim['robot.pose']"),
    ("sim['robot.pose'].data = 3", "AttributeError", "no setter"),
    ("sim['robot.pose']._mine = 3; assert sim['robot.pose']._mine == 3; sim.tick = 3", "AttributeError",
     "a simulation has no attribute tick; did you mean ticks"),
    ("sim['robot.waypoint'].gotto(1, 2, 3)", "AttributeError", "nor a service gotto; did you mean goto"),
    ("sim['robot.waypoint'].goto(1)", "Error", "goto takes 3 to 5 arguments, not 1"),
    ("sim['robot.waypoint'].goto([1.0, 'a'], 0, 0)", "Error", "argument 'x' of goto: [1.0, \"a\"] is not a number"),
    ("sim['robot.waypoint'].goto('far', 0, 0)", "Error", "goto"),
    ("sim['robot.pose'].set_property('Rang', 3)", "Error", "Property Rang does not exist for object robot.pose"),
    ("sim.step('ten')", "TypeError", "step: a whole number of ticks, not 'ten'"),
    ("sim.step(2.5)", "TypeError", "step: a whole number of ticks, not 2.5"),
    ("sim.run(2.5)", "TypeError", "run: a whole number of ticks, not 2.5"),
    ("orrery.load('scene.jsn')", "Error", "scene.jsn: there is no such file"),
    ("orrery.load('scene.json', sed=3)", "TypeError", "load: no option sed; did you mean seed"),
    ("orrery.load('script.py')", "Error", "script.py: a builder script, and no scene"),
    ("orrery.ATRV()", "AttributeError", "from orrery.builder import ATRV"),
    ("orrery.lod('scene.json')", "AttributeError", "did you mean load"),
    ("from orrery import lod", "ImportError", "cannot import name 'lod' from 'orrery': module 'orrery' has no attribute 'lod'; "
     "did you mean load"),
    ("from orrery.builder import Poze", "ImportError", "no class Poze among the plugins; did you mean Pose"),
    ("import orrery.builder; orrery.builder.Poze", "AttributeError", "no class Poze among the plugins; did you mean Pose"),
    ("assert not hasattr(orrery.builder, 'Poze'); sim.stepp()", "AttributeError",
     "a simulation has no attribute stepp; did you mean step"),
    ("sim.robot", "AttributeError", "a simulation has no attribute robot; a component: sim['robot']"),
    ("sim['robot'].pos", "AttributeError", "robot has neither an attribute nor a service pos; did you mean pose"),
    ("sim['robot'].pose", "AttributeError", "a component: sim['robot.pose']"),
    ("sim['robot.pose'].yaw", "AttributeError", "a field: .data.yaw"),
    ("sim['robot.waypoint'].set_property('ControlTyp', 3)", "Error",
     "Property ControlTyp does not exist for object robot.waypoint; did you mean ControlType"),
    ("sim.call('robot.waypoint', 'gotto', 1)", "Error", "has no service 'gotto'; did you mean goto"),
    ("sim.call('robot.wapoint', 'goto', 1)", "Error", "did you mean robot.waypoint"),
    ("orrery.Vec3(1, 2, 3, 4)", "TypeError", "Vec3: at most 3 numbers: x, y, z"),
    ("orrery.Quat(a=1)", "TypeError", "Quat: at most 4 numbers: w, x, y, z"),
    ("sim.close(), sim.close(), sim.step()", "RuntimeError", "step: the simulation is closed; load the scene again"),
    ("sim.run(1)", "RuntimeError", "run: the simulation is closed"),
    ("sim['robot.waypoint'].goto(1, 2, 3)", "RuntimeError", "robot.waypoint goto: the simulation is closed"),
]


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Mistakes(PythonCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("plugins"))

    def test_each(self):
        self.write("script.py", "from morse.builder import *\n")
        told = self.prints("""
import json
for line in %r:
    try:
        exec(line)
        print(json.dumps(["nothing", ""]))
    except Exception as error:
        print(json.dumps([type(error).__name__, str(error)]))
""" % [line for line, _, _ in MISTAKES], scene(("pose", "morse.sensors.pose.Pose"),
                                               ("waypoint", "morse.actuators.waypoint.Waypoint")))
        self.assertEqual(len(told), len(MISTAKES))
        for (line, kind, words), answer in zip(MISTAKES, map(json.loads, told)):
            with self.subTest(line):
                self.assertIn(kind, answer[0])
                self.assertIn(words, answer[1])

    def test_what_is_right(self):
        """Whole numbers of any make; a call that begins and fails later is still a call."""
        self.assertEqual(self.prints("""
class Two:
    def __index__(self):
        return 2
sim.step(Two()); sim.run(True)
first = sim["robot.waypoint"].goto(9.0, 0.0, 0.0)
print(sim.ticks, first.done)
""", scene(("waypoint", "morse.actuators.waypoint.Waypoint"))), ["3 False"])

    def test_without_a_typelib(self):
        """The builder is a name of the package where nothing else is."""
        done = cli.subprocess.run(
            [cli.PYTHON, "-c", "import sys\nsys.modules['gi'] = None\nfrom orrery import builder\nprint(builder.__name__)"],
            env=dict(self.environment(), PYTHONPATH=os.path.join(cli.SOURCE, "python")), capture_output=True, text=True,
            timeout=120)
        self.assertEqual(done.stdout, "orrery.builder\n", done.stderr)


if __name__ == "__main__":
    tap.main()
