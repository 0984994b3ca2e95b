# SPDX-License-Identifier: BSD-3-Clause
"""The mathematics of components of MORSE: known values, laws that hold for any, and the host's own numbers."""

import copy
import importlib.util
import itertools
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402


def load(name):
    """A module of the package without the typelib that the rest of it needs."""
    file = os.path.join(cli.SOURCE, "python/orrery/morse", name + ".py")
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mathutils = load("mathutils")
Euler, Matrix, Quaternion, Vector = mathutils.Euler, mathutils.Matrix, mathutils.Quaternion, mathutils.Vector
NEAR = 1e-12


class Mathutils(unittest.TestCase):
    def near(self, a, b, within=NEAR):
        flat = lambda value: [item for row in value for item in (row if hasattr(row, "__len__") else [row])]  # noqa: E731
        self.assertEqual(len(flat(a)), len(flat(b)))
        for one, other in zip(flat(a), flat(b)):
            self.assertLessEqual(abs(one - other), within, "%r, %r" % (a, b))

    def test_vectors(self):
        a, b = Vector((1, 2, 3)), Vector([4.0, -5.0, 6.0])
        self.assertEqual((a * b, a.dot(b), list(a + b), list(b - a), list(-a), list(2 * a), list(a / 2)),
                         (12.0, 12.0, [5, -3, 9], [3, -7, 3], [-1, -2, -3], [2, 4, 6], [0.5, 1, 1.5]))
        self.assertEqual(list(a.cross(b)), [27.0, 6.0, -13.0])
        self.assertEqual((Vector((3, 4, 0)).length, a.xy, a.to_tuple(), len(a.to_4d())),
                         (5.0, Vector((1, 2)), (1.0, 2.0, 3.0), 4))
        self.assertAlmostEqual(Vector((1, 0, 0)).angle((0, 2, 0)), math.pi / 2)
        self.assertEqual(Vector((0, 0, 0)).angle((1, 0, 0), None), None)
        with self.assertRaises(ValueError):
            Vector((0, 0, 0)).angle((1, 0, 0))
        a += b
        a.z = 1
        a[0:2] = 7, 8
        self.assertEqual(list(a), [7, 8, 1])
        twin = copy.copy(a)
        twin.x = 0
        self.assertEqual(a.x, 7)
        for wrong in ("abc", [1], None, [1, "x"]):
            with self.assertRaises((TypeError, ValueError)):
                Vector(wrong)

    def test_matrices(self):
        quarter = Matrix.Rotation(math.pi / 2, 4, 'Z')
        quarter.translation = (1, 2, 3)
        self.near(quarter * Vector((1, 0, 0)), (1, 3, 3))
        self.near(Vector((1, 0, 0)) * Matrix.Rotation(math.pi / 2, 3, 'Z'), (0, -1, 0))
        self.near(quarter.inverted() * quarter, Matrix())
        self.near(quarter.to_3x3().transposed() * quarter.to_3x3(), Matrix.Identity(3))
        self.assertEqual(Matrix(((1, 2), (3, 4))).determinant(), -2.0)
        self.near(Matrix(((1, 2), (3, 4))).inverted(), ((-2, 1), (1.5, -0.5)))
        self.assertEqual(list(quarter.col[3]), [1, 2, 3, 1])
        quarter[0][3] = 9
        self.assertEqual(list(quarter.translation), [9, 2, 3])
        with self.assertRaises(ValueError):
            Matrix.Scale(0.0, 3).inverted()

    def test_rotations(self):
        """Euler angles of each order, matrices and quaternions say the same of a rotation."""
        numbers = random.Random(7)
        for order in map("".join, itertools.permutations("XYZ")):
            for _ in range(20):
                angles = Euler([numbers.uniform(-3.1, 3.1) for _ in range(3)], order)
                if sum(map(abs, angles)) > 4.7:
                    # Of two triples the shorter is told.
                    self.assertLess(sum(map(abs, angles.to_matrix().to_euler(order))), 4.72)
                    continue
                matrix, turn = angles.to_matrix(), angles.to_quaternion()
                self.near(matrix, turn.to_matrix())
                self.near(matrix.to_euler(order), angles, 1e-9)
                self.assertLess(min((matrix.to_quaternion() - turn).magnitude, (matrix.to_quaternion() + turn).magnitude),
                                NEAR)
                self.near(turn * Vector((1, 2, 3)), matrix * Vector((1, 2, 3)))
                self.near(turn.inverted() * (turn * Vector((1, 2, 3))), (1, 2, 3))
        self.near(Euler((0, 2.0, 0)).to_matrix().to_euler(), (0, 2.0, 0), 1e-9)
        yaw = Euler((0.1, 0.2, 0.3)).to_matrix()
        self.near(yaw, Matrix.Rotation(0.3, 3, 'Z') * Matrix.Rotation(0.2, 3, 'Y') * Matrix.Rotation(0.1, 3, 'X'))

    def test_sign(self):
        """A quaternion made of a matrix has w above 0; of a half turn the largest of the others is."""
        for angle, w in ((math.pi + 0.01, -math.sin(0.005)), (math.pi - 0.01, math.sin(0.005)), (math.pi + 0.1, math.sin(0.05))):
            turn = Matrix.Rotation(angle, 3, "Z").to_quaternion()
            self.assertAlmostEqual(turn.w, w, places=12)
            self.assertEqual(turn.z > 0, angle < math.pi + 0.05)

    def test_quaternions(self):
        half = Quaternion((0, 0, 1), math.pi)
        self.near(half * Vector((1, 0, 0)), (-1, 0, 0))
        self.near(Quaternion().slerp(half, 0.5) * Vector((1, 0, 0)), (0, 1, 0))
        axis, angle = Quaternion((0, 1, 0), 0.7).to_axis_angle()
        self.near(list(axis) + [angle], (0, 1, 0, 0.7))
        a, b = Vector((1, 2, 3)), Vector((-3, 1, 2))
        self.near(a.rotation_difference(b) * a.normalized(), b.normalized())
        self.near(a.rotation_difference(-a) * a, -a, 1e-9)


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Host(PythonCase):
    def test_angles(self):
        """The Euler angles of a pose are those that the host computes, to the last bit, at the poles too."""
        lines = self.prints("""
import math, random
from orrery.morse.transformation import Transformation3d, to_angles
numbers = random.Random(1)
differences = 0
for i in range(300):
    pitch = numbers.choice([numbers.uniform(-1.6, 1.6), math.pi / 2, -math.pi / 2])
    q = orrery.Quat()
    q.w, q.x, q.y, q.z = [numbers.gauss(0, 1) for _ in range(4)]
    if i % 3 == 0:
        q.w, q.x, q.y, q.z = math.cos(pitch / 2), 0.0, math.sin(pitch / 2), 0.0
    n = math.sqrt(q.w ** 2 + q.x ** 2 + q.y ** 2 + q.z ** 2)
    q.w, q.x, q.y, q.z = q.w / n, q.x / n, q.y / n, q.z / n
    theirs = q.to_euler()
    differences += tuple(to_angles(q.w, q.x, q.y, q.z)) != (theirs.roll, theirs.pitch, theirs.yaw)
print(differences)
a, b = Transformation3d(None), Transformation3d(None)
a.translation, b.translation = (1, 2, 3), (2, 2, 3)
print(a.distance(b), list(a.transformation3d_with(b).translation), str(a).startswith("x : 1.0 y : 2.0"))
""")
        self.assertEqual(lines, ["0", "1.0 [1.0, 0.0, 0.0] True"])


if __name__ == "__main__":
    tap.main()
