# SPDX-License-Identifier: BSD-3-Clause
"""The extension module: what it gives is what the package gives without it; nothing that it is given makes it crash."""

import os
import re
import subprocess
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import NUMPY, READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

MODULE = os.path.join(cli.BUILD, "lib/orrery-1/python/_access.abi3.so")

PLUGIN = '''
    import orrery

    KINDS = ("time", "vec3", "euler", "quat", "mat3", "mat4", "array", "points", "buffer", "variant")

    class Fields:
        number = orrery.field(float)
        whole = orrery.field(int)
        truth = orrery.field(bool)
        words = orrery.field(str)
        # A name that a mapping has as well.
        values = orrery.field(float)

    def all_kinds(base):
        members = {"f_" + kind: orrery.field(kind) for kind in KINDS}
        return type(base.__name__ + "Base", (base,), dict(members, **{
            name: each for name, each in vars(Fields).items() if not name.startswith("__")}))

    @orrery.plugin
    class Shows(all_kinds(orrery.Sensor)):
        def sense(self, tick, record):
            n = tick.number + 1
            record.number, record.whole, record.truth, record.words = 0.5 * n, -n, n % 2 == 0, "\\u00fcber %d" % n
            record.f_time, record.f_vec3, record.f_euler = 2.5, (n, 2.0, -0.0), {"roll": 1.0, "pitch": 2.0, "yaw": 3.0}
            record.f_quat = {"w": 1.0, "x": 2.0, "y": 3.0, "z": 4.0}
            record.f_mat3 = [[float(3 * i + j) for j in range(3)] for i in range(3)]
            record.f_mat4 = [[float(4 * i + j) for j in range(4)] for i in range(4)]
            record.f_array, record.f_points = [1.0, 2.0], [[1.0, 2.0, 3.0]]
            record.f_variant = {"a": [1, None, 2.5, "b"]}
            record["values"] = 7.0

    @orrery.plugin
    class Takes(all_kinds(orrery.Actuator)):
        def act(self, tick, record): pass

        @orrery.service
        def echo(self, value):
            return value

        @orrery.service
        def add(self, a: float, b: float = 2.0):
            return a + b

        @orrery.service
        def fail(self, how: str):
            if how == "refuse":
                raise orrery.Failed("not today")
            raise KeyError(how)

        @orrery.service(long=True)
        def begin(self, call, now: bool):
            if now:
                call.answer({"begun": True})

        @orrery.service
        def nothing(self):
            pass
'''

BOTH = scene(("shows", "acme.both.Shows"), ("takes", "acme.both.Takes"), ("pose", "morse.sensors.pose.Pose"))

KINDS = ("number", "whole", "truth", "words", "values", "timestamp", "f_time", "f_vec3", "f_euler", "f_quat", "f_mat3",
         "f_mat4", "f_array", "f_points", "f_buffer", "f_variant")
VALUES = ("1", "-1", "2.5", "True", "None", "'text'", "'\\u00fc'", "''", "'a\\0b'", "'\\ud800'", "1 << 62", "1 << 63",
          "-(1 << 63)", "1 << 64", "float('nan')", "float('inf')", "1e300", "(1.0, 2.0, 3.0)", "[1, 2, 3]", "(1, 2)", "[]",
          "{}", "{'x': 1.0, 'y': 2.0, 'z': 3.0}", "{'yaw': 1, 'pitch': 2, 'roll': 3}", "{'w': 1, 'x': 0, 'y': 0, 'z': 0}",
          "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "[[1, 2, 3]]", "{1: 2}", "{'a': {'b': [None, True, 1.5]}}", "b'bytes'", "2j",
          "object()", "range(3)", "iter([1.0, 2.0])", "Whole()", "Real()", "Many()", "IntEnum('E', 'A').A", "Text('t')",
          "nested(20)", "nested(40)", "GLib.Variant('d', 2.0)", "GLib.Variant('ai', [1, 2])", "orrery.Vec3(1, 2, 3)")
WITH_NUMPY = ("numpy.float64(1.5)", "numpy.float32(1.5)", "numpy.int64(3)", "numpy.bool_(True)", "numpy.arange(3.0)",
              "numpy.eye(3)", "numpy.zeros((2, 2), 'u1')", "numpy.array(2.5)")

PROGRAM = """
import sys
from enum import IntEnum
import numpy as numpy

class Whole:
    def __index__(self): return 4
class Real(float):
    pass
class Many(float):
    def __iter__(self): return iter([1.0, 2.0, 3.0])
class Text(str):
    pass
def nested(n):
    return [nested(n - 1)] if n else 1.0
def show(value):
    if isinstance(value, numpy.ndarray):
        return "%s %s" % (value.dtype, value.tolist())
    if isinstance(value, orrery.Call):
        return "call %s" % value.done
    return "%s %r" % (type(value).__name__, value)
def told(function):
    try:
        return show(function())
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
def ask(line):
    print(ascii(line), "->", ascii(told(lambda: eval(line))))
def do(line):
    def run():
        exec(line, globals())
    print(ascii(line), "->", ascii(told(run)))

service = orrery._native.service_of
shows, takes, pose = sim["robot.shows"], sim["robot.takes"], sim["robot.pose"]
for _ in range(2):
    for part in "shows", "takes":
        for kind in KINDS:
            ask("%s.data.%s" % (part, kind))
            ask("%s.data[%r]" % (part, kind))
        for line in "dict({0}.data)", "list({0}.data)", "len({0}.data)", "sorted(dir({0}.data))", "{0}.data.f_nothing", \\
                    "{0}.data['nothing']", "{0}.data[3]", "{0}.data[None]", "{0}.data[[]]", "{0}.data == {0}.data", \\
                    "hash({0}.data)", "'number' in {0}.data", "'n' in {0}.data", "{0}.data._holder is {0}", \\
                    "{0}.data.get('whole', 1)", "list({0}.data.values())", "type({0}.data).__name__", "repr({0}.data)", \\
                    "isinstance({0}.data, __import__('collections').abc.Mapping)", "{0}.data._nothing", "{0}.data.__len__()":
            ask(line.format(part))
    sim.step(2)
for name in KINDS:
    for value in VALUES:
        do("takes.data.%s = %s" % (name, value))
        ask("takes.data.%s" % name)
for line in "del takes.data.number", "takes.data = 1", "del takes.data", "pose.data.x = 1.0", "takes.data.nothing = 1.0", \\
            "takes.data['number'] = 1.0", "takes.data._holder = 1":
    do(line)
sim.step()
for value in VALUES:
    ask("service(takes, 'echo')(%s)" % value)
    ask("sim.call('robot.takes', 'echo', %s)" % value)
for line in "service(takes, 'add')(1)", "service(takes, 'add')(1, 2.5)", "service(takes, 'add')()", "service(takes, 'add')('a')", "service(takes, 'add')(1, 2, 3)", "service(takes, 'fail')('refuse')", \\
            "service(takes, 'fail')('other')", "service(takes, 'nothing')()", "sim.call('robot.takes', 'fail', 'refuse')", "takes.begin(True)", \\
            "takes.begin(True).result()", "takes.begin(False)", "takes.begin('no')", "sim.call('robot.takes', 'begin', True)", \\
            "sim.call('robot.takes', 'begin', False)", "takes.nosuch(1)", "sim.call('robot.takes', 'nosuch')", \\
            "sim.call('robot.nobody', 'echo')", "sim.call(3, 'echo')", "sim.call('robot.takes', 3)", \\
            "sim.call('simulation', 'list_robots')", "takes.get_properties()", "takes.echo.__doc__", "takes.echo(x=1)", \\
            "sim['robot.nobody']", "sim[3]", "sim[None]", "sim['robot.\\0takes']", "sim['\\ud800']", "sim['robot.pose'] is pose", \\
            "sim.step(0)", "sim.step(-1)", "sim.step(None)", "sim.step(True)", "sim.step(1 << 70)", "orrery.Simulation.step(pose)", \\
            "orrery.Simulation.step(3)", "orrery.Simulation.__getitem__(3, 'robot')", "sim.ticks":
    ask(line)
for name in "whole\\0x", "\\ud800", Text("whole"):
    ask("getattr(takes.data, %r)" % name)
    ask("takes.data[%r]" % name)
    ask("setattr(takes.data, %r, 5)" % name)
    ask("takes.data.whole")
sim.close()
for line in "takes.data.whole", "takes.data.f_vec3", "shows.data.words", "takes.begin(True)", "service(takes, 'echo')(1)", \\
            "sim.call('robot.takes', 'echo', 1)", "sim.step()", "sim['robot.takes'] is takes", "setattr(takes.data, 'whole', 3)", \\
            "takes.data.whole", "dict(shows.data)":
    ask(line)
"""

# Whatever these say, they come back.
ODD = """
from gi.repository import Gio, GObject
from orrery import _extension
import gc
access = _extension.access
pose, motion = sim["robot.pose"], sim["robot.motion"]
Data = type(pose.data)
bare = orrery.Component.__new__(orrery.Component)
gone = [GObject.Object(), Gio.SimpleActionGroup(), bare, sim, None, 3, "robot.pose", object(), Data, [], pose.data]
for thing in gone:
    for make in access.Data, Data:
        try:
            print("made", make(thing))
        except TypeError as error:
            pass
    for function in access.step, access.find_component, access.call:
        for arguments in ((), (thing,), (thing, 1), (thing, "robot.pose"), (sim, thing), (thing, "a", "b", (), True),
                          (sim, thing, "b", (), True), (sim, "a", thing, (), True), (sim, "a", "b", thing, True),
                          (sim, "robot.pose", "get_configurations", (thing,), thing)):
            try:
                function(*arguments)
            except TypeError:
                pass
    for wrong in ((), (thing,), (thing, thing), (property(), thing), (property(), int)):
        try:
            print("made", access.Attribute(*wrong))
        except TypeError:
            pass
    try:
        print("got", access.Attribute(property(), Data).__get__(thing))
    except TypeError:
        pass
    assert access.Attribute(property(), Data).__get__(None, Data)
for line in "access.Data.__new__(Data)", "access.Data.__new__(int, pose)", "access.Data.__getitem__(3, 'x')", \\
            "access.Data(pose).nothing", "access.Data(pose)['nothing']", "access.Data(motion).nothing", "access.Data(pose).f_array", \\
            "setattr(access.Data(pose), 'x', 1.0)", "bare.data.x", "access.Data(pose)._missing":
    try:
        print(line, eval(line))
    except (TypeError, AttributeError) as error:
        pass
# A record that is still looked at when nothing else of the simulation is left.
data, loose = pose.data, motion.data
x = data.x, data["timestamp"]
pose._mine = pose.data
del sim, pose, motion, bare, gone, thing, arguments, wrong
gc.collect()
assert (data.x, data["timestamp"]) == x and dict(data)["x"] == x[0]
try:
    loose.v = 1.0
except ReferenceError as error:
    print(error)
del data, loose
gc.collect()
print("alive")
"""


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Access(PythonCase):
    def setUp(self):
        super().setUp()
        self.module("acme/both.py", PLUGIN)

    def both(self, code, scene_text):
        """What a program prints with the module, and what without."""
        lines = self.prints(code, scene_text)
        with unittest.mock.patch.dict(os.environ, ORRERY_PYTHON_PLAIN="1"):
            return lines, self.prints(code, scene_text)

    @unittest.skipUnless(os.path.exists(MODULE), "no headers of Python")
    def test_it_is_used(self):
        """What the other tests compare is not twice the same."""
        code = "from orrery import _extension\nprint(_extension.access is None, type(orrery.Component.data).__name__)"
        self.assertEqual(self.both(code, BOTH), (["False Attribute"], ["True property"]))

    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_same_values_and_same_errors(self):
        head = "VALUES, KINDS = %r, %r\n" % (VALUES + WITH_NUMPY, KINDS)
        lines, plain = self.both(head + PROGRAM, BOTH)
        self.assertGreater(len(plain), 1000)
        for line, expected in zip(lines, plain):
            with self.subTest(expected.split(" ->")[0]):
                self.assertEqual(re.sub("0x[0-9a-f]+", "", line), re.sub("0x[0-9a-f]+", "", expected))
        self.assertEqual(len(lines), len(plain))
        self.assertTrue(any("KeyError" in line for line in plain) and any("Error: " in line for line in plain))

    @unittest.skipUnless(os.path.exists(MODULE), "no headers of Python")
    def test_odd_arguments_and_records_that_outlive_their_simulation(self):
        self.assertEqual(self.prints(ODD, scene(("pose", "morse.sensors.pose.Pose"),
                                                ("motion", "morse.actuators.v_omega.MotionVW")))[-2:],
                         ["robot.motion: its simulation is gone", "alive"])

    def test_components_end_with_their_simulation(self):
        """No cycle of references keeps them until the next collection."""
        self.assertEqual(self.prints("""
            import gc, weakref
            gc.disable()
            pose = sim["robot.pose"]
            pose.data.x
            seen = pose.weak_ref()
            del pose, sim
            print(seen() is None)
            """, BOTH), ["True"])

    def test_a_record_that_is_replaced(self):
        """A data that was looked at in the setup reads the record that came later."""
        self.module("acme/late.py", """
            import orrery

            @orrery.plugin
            class Late(orrery.Sensor):
                before = orrery.field(float)
                def setup(self, setup):
                    self.kept = self.data
                    self.kept.before
                    setup.set_schema(orrery.Schema.new_from_variant(orrery._native.GLib.Variant("a(ssss)", [
                        ("first", "int64", "", ""), ("after", "double", "", "")])))
                def sense(self, tick, record):
                    record.first, record.after = 7, 1.5
            """)
        lines, plain = self.both("""
            late = sim["robot.late"]
            sim.step()
            print(late.data.after, late.kept.after, dict(late.kept))
            try:
                print(late.kept.before)
            except AttributeError as error:
                print(error)
            """, scene(("late", "acme.late.Late"), ("pose", "morse.sensors.pose.Pose")))
        self.assertEqual(lines[1:], plain[1:])
        self.assertEqual(lines[0].split("{")[0], "1.5 1.5 ")

    def test_another_thread_runs_during_a_tick(self):
        """The step ends by what the other thread does: nothing of Python is locked meanwhile."""
        self.assertEqual(self.prints("""
            import threading
            def end():
                while sim.ticks < 3:
                    pass
                sim.quit()
            thread = threading.Thread(target=end)
            thread.start()
            orrery._native.access_step(sim, 1 << 60)
            thread.join()
            print(2 < sim.ticks < 1 << 60)
            """, scene(("pose", "morse.sensors.pose.Pose"))) if os.path.exists(MODULE) else ["True"], ["True"])

    def test_version(self):
        done = self.orrery("python", "--version")
        self.check(done, 0)
        first, second = done.stdout.splitlines()
        self.assertRegex(first, r"^Python 3\.")
        words = "simulations: fast access, by " if os.path.exists(MODULE) else "simulations: slow access"
        self.assertTrue(second.startswith(words), second)
        with unittest.mock.patch.dict(os.environ, ORRERY_PYTHON_PLAIN="1"):
            self.assertIn("without the extension module: ORRERY_PYTHON_PLAIN is set", self.orrery("python", "-V").stdout)

    @unittest.skipUnless(os.path.exists(MODULE), "no headers of Python")
    def test_a_module_that_cannot_be_loaded(self):
        """It is as if it were not there, and --version says why."""
        self.write("module.so", "no module")
        program = "from orrery import _extension\n_extension.find = lambda: 'module.so'\n" \
                  "print(_extension.load()[0], 'module.so' in _extension.load()[1])"
        self.assertEqual(self.prints(program), ["None True"])

    def test_without_pygobject(self):
        """The message names what is to be done, also in a virtual environment."""
        environment = dict(self.environment(), PYTHONPATH=os.path.join(cli.SOURCE, "python"))
        for code in "import orrery; orrery.load", "from orrery import _version; print(_version.describe_access())":
            done = subprocess.run([cli.PYTHON, "-c", "import sys; sys.modules['gi'] = None\n" + code], env=environment,
                                  capture_output=True, text=True, timeout=120)
            for words in "python3-gi", "--system-site-packages", "PyGObject":
                self.assertIn(words, done.stdout + done.stderr.splitlines()[-1] if done.stderr else done.stdout)


if __name__ == "__main__":
    tap.main()
