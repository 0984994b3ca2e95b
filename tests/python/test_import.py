# SPDX-License-Identifier: BSD-3-Clause
"""`import orrery`, as `orrery python FILE` runs it: load, step, read, write, call."""

import os
import subprocess
import sys
import textwrap
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from support import BUILD, PYTHON, SCENE, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

TYPELIB = os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib"))
PYGOBJECT = subprocess.run([PYTHON, "-c", "import gi"], capture_output=True).returncode == 0
NUMPY = subprocess.run([PYTHON, "-c", "import numpy"], capture_output=True).returncode == 0

WAYPOINT = SCENE.replace('"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"',
                         '"name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint"') \
                .replace("robot.motion", "robot.waypoint")


@unittest.skipUnless(TYPELIB and PYGOBJECT, "no typelib or no PyGObject")
class Import(ProgramCase):
    def python(self, code, scene=SCENE):
        """What a program prints that has loaded a scene."""
        self.write("scene.json", scene)
        self.write("program.py", "import orrery\nsim = orrery.load('scene.json')\n" + textwrap.dedent(code))
        done = self.orrery("python", "program.py", "one", "--two")
        self.check(done, 0)
        return done.stdout.split()

    def fail_with(self, code, words):
        self.write("scene.json", SCENE)
        self.write("program.py", "import orrery\nsim = orrery.load('scene.json')\n" + code)
        done = self.orrery("python", "program.py")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr)

    def test_step_and_read(self):
        self.assertEqual(self.python("""
            sim.step(60)
            pose = sim["robot.pose"]
            print(sim.ticks, pose.data.x == pose.data["x"], pose.name, len(sim))
            """), ["60", "True", "robot.pose", "3"])

    def test_a_record_is_a_mapping(self):
        self.assertEqual(self.python("""
            sim.step()
            data = dict(sim["robot.pose"].data)
            print(*data)
            print("x" in sim["robot.pose"].data, "nothing" in sim["robot.pose"].data)
            """), ["timestamp", "x", "y", "z", "yaw", "pitch", "roll", "True", "False"])

    def test_write(self):
        self.assertEqual(self.python("""
            sim["robot.motion"].data.v = 1.0
            sim.step(61)
            print(0.9 < sim["robot.pose"].data.x < 1.1)
            """), ["True"])

    def test_an_immediate_service_returns_its_value(self):
        self.assertEqual(self.python("""
            print(sim["robot.motion"].set_speed(1.0, 0.0))
            sim.step(61)
            print(0.9 < sim["robot.pose"].data.x < 1.1, sim.call("simulation", "list_robots"))
            """), ["None", "True", "['robot']"])

    def test_a_long_running_service_returns_its_call(self):
        self.assertEqual(self.python("""
            goal = sim["robot.waypoint"].goto(2.0, 0.0, 0.0)
            print(goal.done)
            while not goal.done:
                sim.step(1)
            print(goal.result(), sim["robot.pose"].data.x > 1.0)
            other = sim["robot.waypoint"].goto(9.0, 0.0, 0.0)
            other.cancel()
            sim.step(1)
            print(other.done)
            """, WAYPOINT), ["False", "Arrived", "True", "True"])

    def test_services_named_as_methods_of_gobject(self):
        self.assertEqual(self.python("""
            from gi.repository import GObject
            motion = sim["robot.motion"]
            print(motion.get_properties()["properties"]["ControlType"][0])
            print(motion.set_property("ControlType", "Position"))
            print(sim.call("robot.motion", "get_configurations")["configurations"]["ControlType"])
            print(GObject.Object.get_properties(motion, "control-type") == (motion.props.control_type,))
            GObject.Object.set_property(motion, "control-type", orrery.Control.VELOCITY)
            print(motion.get_properties()["properties"]["ControlType"][0])
            """), ["Velocity", "None", "Position", "True", "Velocity"])
        self.fail_with("sim['robot.motion'].set_property('ControlTyp', 'Position')", "ControlTyp does not exist for object")

    def test_a_context(self):
        self.assertEqual(self.python("""
            with sim:
                sim.step(3)
                print(sim.report["ticks"])
            """), ["3"])

    def test_codes(self):
        self.check(self.orrery("python", "absent.py"), 66, "absent.py: there is no such file")
        self.check(self.orrery("python"), 64, "--help")
        self.assertEqual(self.orrery("python", self.write("three.py", "raise SystemExit(3)\n")).returncode, 3)

    def test_arguments(self):
        self.assertEqual(self.python("import sys; print(sys.argv[1:])\n"), ["['one',", "'--two']"])

    def test_what_goes_wrong_is_an_exception(self):
        self.fail_with("sim['robot.poze']", "no component robot.poze; did you mean robot.pose")
        self.fail_with("sim['robot.pose'].data.yaww", "robot.pose: no field yaww; did you mean yaw")
        self.fail_with("sim['robot.motion'].set_sped(1.0, 0.0)",
                       "robot.motion has neither an attribute nor a service set_sped; did you mean set_speed")
        self.fail_with("sim.call('robot.motion', 'set_sped', 1.0, 0.0)",
                       "'robot.motion' has no service 'set_sped'; did you mean set_speed")
        self.fail_with("sim.call('robot.moton', 'stop')",
                       "nothing named 'robot.moton' has services here; did you mean robot.motion")
        self.fail_with("sim['robot.motion'].set_speed('fast', 0)", "GLib.GError")
        self.fail_with("sim['robot.motion'].set_speed()", "GLib.GError")
        self.fail_with("orrery.load('absent.json')", "absent.json")
        self.fail_with("orrery.no_such_name", "no_such_name")
        self.fail_with("pose = orrery.load('scene.json')['robot.pose']\npose.get_configurations()", "ReferenceError")

    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_memory_is_lent(self):
        self.assertEqual(self.python("""
            from orrery import _native
            buffer = orrery.Buffer.new(orrery.Element.DOUBLE, [2, 3])
            array = _native.look_at(buffer)
            print(array.shape, array.dtype, array.flags.writeable, array.__array_interface__["data"][0] == buffer.get_address())
            """), ["(2,", "3)", "float64", "False", "True"])

    def test_the_builder_needs_no_typelib(self):
        done = subprocess.run([PYTHON, "-c", "import orrery.builder, sys; print('gi' in sys.modules)"], text=True,
                              capture_output=True, env=dict(os.environ, PYTHONPATH=os.path.join(SOURCE, "python")))
        self.assertEqual(done.stdout, "False\n", done.stderr)


if __name__ == "__main__":
    tap.main()
