# SPDX-License-Identifier: BSD-3-Clause
"""Records of classes in Python: each type of field, what may be stored in it, and what may not."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import NUMPY, READY, PythonCase, scene  # noqa: E402

import tap  # noqa: E402


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Records(PythonCase):
    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_each_type(self):
        self.module("acme/all.py", """
            import numpy
            import orrery

            @orrery.plugin
            class All(orrery.Sensor):
                b = orrery.field(bool)
                i = orrery.field(int)
                d = orrery.field(float)
                t = orrery.field("time")
                s = orrery.field(str)
                v = orrery.field("vec3")
                e = orrery.field("euler")
                q = orrery.field("quat")
                m = orrery.field("mat3")
                k = orrery.field("mat4")
                a = orrery.field("array")
                p = orrery.field("points")
                f = orrery.field("buffer")
                r = orrery.field("record")
                any = orrery.field("variant")

                def sense(self, tick, record):
                    record.b, record.i, record.d, record.t = True, 1 << 62, 1.5, 2.25
                    record.s = "Grüße"
                    record.v = numpy.array([1, 2, 3])
                    record.v.z += 1
                    record.e = {"roll": 1, "pitch": 2, "yaw": 3}
                    record.q = record.q.w + 1, 0, 0, 0
                    record.m = numpy.eye(3)
                    record.m[0, 1] = 5
                    record.k = [[1, 2, 3, 4]] * 4
                    record.a = range(3)
                    record.p = [(1, 2, 3), (4, 5, 6)]
                    record.f = numpy.arange(24, dtype="uint8").reshape(2, 4, 3)[:, ::-1]
                    record.any = {"a": (1, "b", None)}
            """)
        self.assertEqual(self.prints("""
            sim.step(1)
            data = sim["robot.a"].data
            for name in data:
                if name not in ("timestamp", "f"):
                    print(name, str(data[name]).replace(chr(10), ""))
            view = orrery.view(sim["robot.a"])
            print(view.f.shape, view.f.dtype, view.f[0, 0].tolist(), view.f.flags.writeable)
            before = view.f
            sim.step(1)
            print(before[0, 0].tolist(), view.f is before, view.keys() == list(data))
            print(sorted(set(dict(view)) ^ set(data)), "v" in view, len(view))
            """, scene(("a", "acme.all.All"))), [
                "b True", "i 4611686018427387904", "d 1.5", "t 2.25", "s Grüße", "v (1.0, 2.0, 4.0)",
                "e {'yaw': 3.0, 'pitch': 2.0, 'roll': 1.0}", "q {'x': 0.0, 'y': 0.0, 'z': 0.0, 'w': 1.0}",
                "m [[1.0, 5.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]",
                "k [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]",
                "a [0. 1. 2.]", "p [[1. 2. 3.] [4. 5. 6.]]", "r {}", "any {'a': [1, 'b', None]}",
                "(2, 4, 3) uint8 [9, 10, 11] False", "[9, 10, 11] False True", "[] True 16"])

    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_poses(self):
        """All poses at once; an array that is kept shows what it showed."""
        self.module("acme/__init__.py", "")
        self.assertEqual(self.prints("""
            sim.step(1)
            before = sim.poses
            sim["robot.motion"].data.v = 1.0
            sim.step(61)
            row, pose = sim.objects.index("robot.pose"), sim["robot.pose"].get_pose()
            print(before.shape == (len(sim.objects), 7), before[row, 0], 0.9 < sim.poses[row, 0] < 1.1)
            print(list(sim.poses[row]) == [pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                                           pose.rotation.x, pose.rotation.y, pose.rotation.z])
            print(sim["robot.pose"].data.x == orrery.view(sim["robot.pose"]).x)
            """, scene(("motion", "morse.actuators.v_omega.MotionVW"), ("pose", "morse.sensors.pose.Pose"))),
            ["True 0.0 True", "True", "True"])

    def test_what_does_not_fit(self):
        """Each wrong value is an error with field, file and line; the tick goes on, and the record stays as it was."""
        wrong = [("d", "'x'", "TypeError"), ("d", "None", "TypeError"), ("d", "[1]", "TypeError"),
                 ("i", "1.5", "i: a whole number, not float"), ("i", "1 << 63", "does not fit in 64 bits"),
                 ("b", "'yes'", "b: true or false, not str"), ("s", "5", "s: a str, not int"),
                 ("s", "'a\\0b'", "s: a text without zero bytes"), ("v", "(1, 2)", "v: 3 numbers (x, y, z), not 2"),
                 ("v", "'abc'", "v: 3 numbers (x, y, z), not str"), ("v", "('a', 1, 2)", "TypeError: v: "),
                 ("v", "{'x': 1}", "v: x, y, z, not the keys x"), ("m", "[[1]]", "m: 3 rows of 3 numbers"),
                 ("a", "'x'", "a: an array, not str"), ("p", "[1, 2]", "p: rows of three numbers"),
                 ("r", "{}", "r: the record of another component can only be read here"), ("any", "object()", "TypeError"),
                 ("aney", "1", "AttributeError: no field aney; did you mean any"),
                 ("d", "'x'", "TypeError: d: must be real number, not str"), ("timestamp", "'x'", "timestamp: a number, not str")]
        if NUMPY:
            wrong += [("f", "numpy.array(['a'])", "f: an array of numbers, not of <U1"),
                      ("f", "numpy.zeros((1, 1, 1, 1, 1))", "f: 1 to 4 dimensions, not 5"),
                      ("f", "numpy.array(1j)", "f: an array of numbers, not of complex128"),
                      ("a", "numpy.zeros((2, 2))", "a: numbers in one dimension, not an array of the shape (2, 2)"),
                      ("a", "numpy.array([object()])", "a: an array of numbers, not of object"),
                      ("p", "numpy.zeros((2, 2))", "p: rows of three numbers")]
        fields = {"d": "float", "i": "int", "b": "bool", "s": "str", "v": "'vec3'", "m": "'mat3'", "a": "'array'",
                  "p": "'points'", "f": "'buffer'", "r": "'record'", "any": "'variant'"}
        self.module("acme/wrong.py", """
            import orrery
            try:
                import numpy
            except ImportError:
                pass

            @orrery.plugin
            class Wrong(orrery.Sensor):
            %s
                number = orrery.option(0)

                def sense(self, tick, record):
                    cases[self.number](record)

            cases = []
            """ % "".join("    %s = orrery.field(%s)\n            " % pair for pair in fields.items()))
        with open(self.path("plugins/acme/wrong.py"), "a", encoding="utf-8") as file:
            for name, value, _ in wrong:
                file.write("def case(record): record.%s = %s\ncases.append(case)\n" % (name, value))
        done = self.run_scene(scene(*(("s%d" % i, "acme.wrong.Wrong", {"properties": {"number": i}})
                                      for i in range(len(wrong)))), "--ticks", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        for i, (name, value, words) in enumerate(wrong):
            line = next((each for each in done.stderr.splitlines() if "robot.s%d: " % i in each and "skipped" in each), "")
            self.assertIn(words, line, (name, value, done.stderr))
            self.assertRegex(line, r"robot.s%d: \S*acme/wrong.py:\d+: " % i)
        self.assertEqual(done.stderr.count("its step is skipped"), len(wrong))

    def test_a_wrong_name_names_the_nearest_field(self):
        self.module("acme/near.py", """
            import orrery

            @orrery.plugin
            class Near(orrery.Sensor):
                distance = orrery.field(float)
                weight = orrery.field(float)

                def sense(self, tick, record):
                    for use in (lambda: record["distanse"], lambda: record.__setitem__("wieght", 1)):
                        try:
                            use()
                        except KeyError as error:
                            print(error.args[0])
            """)
        done = self.run_scene(scene(("s", "acme.near.Near", {})), "--ticks", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in "no field distanse; did you mean distance", "no field wieght; did you mean weight":
            self.assertIn(words, (done.stdout + done.stderr).splitlines())


if __name__ == "__main__":
    tap.main()
