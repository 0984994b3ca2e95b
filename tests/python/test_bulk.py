# SPDX-License-Identifier: BSD-3-Clause
"""Many numbers at once, and things that are put elsewhere."""

import gc
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery
    from gi.repository import GLib

COMPONENTS = [("pose%d" % i, "morse.sensors.pose.Pose") for i in range(3)] + \
    [("motion", "morse.actuators.v_omega.MotionVW"), ("state", "morse.sensors.velocity.Velocity")]


class Bulk(PythonCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", scene(*COMPONENTS))
        self.sim = orrery.load(self.path("scene.json"), start=0, pacing=orrery.Pacing.FAST)
        self.addCleanup(self.sim.close)

    def test_table(self):
        table = self.sim.table(["robot.pose%d" % i for i in range(3)], ["timestamp", "x", "yaw"])
        self.sim["robot.motion"].data.v = 1.0
        self.sim["robot.motion"].data.w = 0.5
        self.sim.step(30)
        numbers = table.read()
        data = self.sim["robot.pose1"].data
        self.assertEqual((numbers.shape, numbers.dtype), ((3, 3), numpy.dtype("float64")))
        self.assertEqual(list(numbers[1]), [data.timestamp, data.x, data.yaw])
        self.assertGreater(numbers[0, 1], 0.1)
        self.sim.step(30)
        self.assertEqual(list(numbers[1]), [0.5, *list(numbers[1])[1:]])
        self.assertGreater(table.read()[0, 1], numbers[0, 1])

    def test_before_the_first_tick(self):
        """A sensor that finds its fields at setup has a timestamp as any other."""
        compound = ("all", "orrery.sensors.compound.CompoundSensor", {"properties": {"sensors": "robot.pose0"}})
        self.write("compound.json", scene(*COMPONENTS, compound))
        with orrery.load(self.path("compound.json"), start=0, pacing=orrery.Pacing.FAST) as sim:
            table = sim.table(["robot.all", "robot.pose0"], ["timestamp"])
            sim.step(6)
            self.assertEqual([list(row) for row in table.read()], 2 * [[6 / 60]])

    def test_start_beyond_measure(self):
        for start in 1e12, 9.1e9, -1e300:
            with self.assertRaisesRegex(GLib.Error, "is not from -9e9 to 9e9"):
                orrery.load(self.path("scene.json"), start=start)
        for start in 9 * 10**18 + 1, -9 * 10**18 - 1, 2**63 - 1:
            with self.assertRaisesRegex(GLib.Error, "start-time: %d ns is not from -9e18 to 9e18" % start):
                orrery.load(self.path("scene.json"), start_time=start)

    def test_wrong_seeds_and_starts(self):
        for seed in -1, 2**64, 1.5, "7", None, True:
            self.assertRaisesRegex(ValueError, "seed: .* is no whole number from 0 to", orrery.load, self.path("scene.json"),
                                   seed=seed)
        for start in float("nan"), "now", None:
            self.assertRaisesRegex(ValueError, "start: .* is no number of seconds", orrery.load, self.path("scene.json"),
                                   start=start)
        with orrery.load(self.path("scene.json"), seed=numpy.int64(7), start=numpy.float32(2)) as sim:
            self.assertEqual(sim.time, 2)

    def test_parts_of_vectors(self):
        velocity = self.sim["robot.state"].data
        names = [name for name in velocity if name != "timestamp"]
        vector = next(name for name in names if numpy.ndim(velocity[name]) == 1)
        self.sim["robot.motion"].data.v = 2.0
        self.sim.step(5)
        numbers = self.sim.table(["robot.state"], [vector + "." + part for part in "xyz"]).read()
        self.assertEqual(list(numbers[0]), list(self.sim["robot.state"].data[vector]))
        with self.assertRaisesRegex(GLib.Error, "is not a number; name an element of a vector, such as %s.x" % vector):
            self.sim.table(["robot.state"], [vector])

    def test_mistakes(self):
        for components, fields, words in ((["robot.pose"], ["x"], "no component robot.pose; did you mean|there is"),
                                          (["robot.pose0"], ["w"], "robot.pose0: no field w"),
                                          (["robot.pose0"], ["x.y"], "is not a number")):
            with self.assertRaisesRegex(GLib.Error, words):
                self.sim.table(components, fields)
        self.assertRaises(TypeError, self.sim.table, 7, ["x"])
        self.assertRaises(TypeError, self.sim.table, [7], ["x"])
        self.assertEqual(len(self.sim.table([], ["x"]).read()), 0)

    def test_outlives_its_simulation(self):
        table = self.sim.table(["robot.pose0"], ["x"])
        self.sim.step(3)
        before = table.read()
        self.sim.close()
        del self.sim
        gc.collect()
        self.assertEqual(list(table.read()), list(before))

    def test_move(self):
        self.sim.move("robot", (1.0, 2.0, 3.0))
        self.sim.step()
        self.assertEqual(list(self.sim.poses[0].round(6)), [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0])
        self.sim.move("robot", numpy.zeros(3), (numpy.pi / 2, 0, 0))
        self.sim.step(2)
        self.assertAlmostEqual(self.sim["robot.pose0"].data.yaw, numpy.pi / 2, 6)
        self.sim.move("robot", {"x": 5, "y": 0, "z": 0})
        self.sim.step(2)
        data = self.sim["robot.pose0"].data
        self.assertAlmostEqual(data.yaw, numpy.pi / 2, 6)
        self.assertAlmostEqual(data.x, 5.0, 6)
        self.sim.move("robot", (0, 0, 0), (2.0, 0, 0, 0))
        self.sim.step()
        self.assertEqual(list(self.sim.poses[0].round(6)), [0, 0, 0, 1, 0, 0, 0])

    def test_a_part_of_the_robot(self):
        """In its parent's frame; without a rotation it keeps that."""
        self.sim.move("robot", (1, 0, 0), (numpy.pi / 2, 0, 0))
        self.sim.step()
        self.sim.move("robot.pose0", (0, 0, 1))
        self.sim.step(2)
        data = self.sim["robot.pose0"].data
        self.assertAlmostEqual(data.yaw, numpy.pi / 2, 6)
        self.assertAlmostEqual(data.z, 1.0, 6)

    def test_rotations_that_are_none(self):
        for rotation in (0, 0), "north", 3, (0, 0, 0, 0):
            for call in (lambda: self.sim.move("robot", (0, 0, 0), rotation),
                         lambda: self.sim.spawn("robot", (0, 0, 0), rotation),
                         lambda: self.sim.attach_object("robot", "robot", (0, 0, 0), rotation)):
                self.assertRaisesRegex(ValueError, "rotation: ", call)
        for position in (0, 0), "here", 3:
            self.assertRaisesRegex((TypeError, ValueError), r"position: 3 numbers \(x, y, z\), not", self.sim.spawn, "robot",
                                   position)

    def test_poses_that_are_none(self):
        for arguments, kind in ((("robto", (0, 0, 0)), KeyError), (("robot", (0, 0)), ValueError),
                                (("robot", "abc"), TypeError), (("robot", (0, 0, float("nan"))), ValueError),
                                (("robot", (0, 0, 1e30)), ValueError), (("robot", (0, 0, 0), (1, 2)), ValueError),
                                (("robot", (0, 0, 0), ("a", "b", "c")), TypeError)):
            self.assertRaises(kind, self.sim.move, *arguments)
        self.sim.step()


if __name__ == "__main__":
    tap.main()
