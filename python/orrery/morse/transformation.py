# SPDX-License-Identifier: BSD-3-Clause
"""A pose as components of MORSE know it: a matrix of 4 by 4, and its Euler angles."""

import math

from .mathutils import Euler, Matrix

POLE_SQUARED = 1e-28
# Turns what looks along y so that it looks along x.
Y_FORWARD = ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


class Transformation3d:
    """The pose of an object of the scene in the world; without one, the identity. Metres and radians."""

    def __init__(self, obj=None):
        self._at = self._turn = self._matrix = self._euler = None
        self.correction_matrix = Matrix(Y_FORWARD)
        if obj is None:
            self._matrix, self._euler = Matrix(), Euler()
        else:
            self.update(obj)

    # What is asked for is computed once; most components want no more than the position.

    def place(self, position, rotation):
        """Takes x y z and w x y z of a rotation of length 1."""
        self._at, self._turn = position, rotation
        self._matrix = self._euler = None

    def update(self, obj):
        """Takes the object's pose of now."""
        self.place(*obj.pose_numbers())

    def update_Y_forward(self, obj):
        """The same for what moves along its own y axis."""
        self.update(obj)
        self.matrix = self.matrix * self.correction_matrix.to_4x4()
        self.euler = self._matrix.to_euler()

    @property
    def matrix(self):
        if self._matrix is None:
            self._matrix = to_matrix(self._at, self._turn)
        return self._matrix

    @matrix.setter
    def matrix(self, value):
        # As in MORSE the angles stay what they were, until they are set, too.
        self._euler = self.euler
        self._matrix = value
        self._at = None

    @property
    def euler(self):
        if self._euler is None:
            self._euler = Euler(to_angles(*self._turn))
        return self._euler

    @euler.setter
    def euler(self, value):
        self._euler = value

    def _position(self, axis):
        # The matrix may have been written to, once somebody has seen it.
        return self._at[axis] if self._matrix is None else self._matrix[axis][3]

    x = property(lambda self: self._position(0))
    y = property(lambda self: self._position(1))
    z = property(lambda self: self._position(2))
    roll = property(lambda self: self.euler[0])
    pitch = property(lambda self: self.euler[1])
    yaw = property(lambda self: self.euler[2])

    @property
    def rotation(self):
        return self.matrix.to_quaternion()

    @rotation.setter
    def rotation(self, value):
        turned = value.to_matrix()
        for i in range(3):
            self.matrix[i][:3] = turned[i]
        self._euler = turned.to_euler()

    @property
    def rotation_matrix(self):
        return self.matrix.to_3x3()

    @property
    def translation(self):
        return self.matrix.translation

    @translation.setter
    def translation(self, value):
        self.matrix.translation = value

    def transformation3d_with(self, t3d):
        """The other one as seen from this: inverse (self) * other."""
        seen = Transformation3d()
        seen._matrix = self.matrix.inverted() * t3d.matrix
        seen._euler = seen._matrix.to_euler()
        return seen

    def distance(self, t3d):
        return math.sqrt((self.x - t3d.x) ** 2 + (self.y - t3d.y) ** 2 + (self.z - t3d.z) ** 2)

    def distance_2d(self, t3d):
        return math.hypot(self.x - t3d.x, self.y - t3d.y)

    def __copy__(self):
        twin = Transformation3d()
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo):
        twin = self.__copy__()
        twin._matrix = None if self._matrix is None else self._matrix.copy()
        twin._euler = None if self._euler is None else self._euler.copy()
        return twin

    def __str__(self):
        return " ".join("%s : %s" % (name, getattr(self, name)) for name in ("x", "y", "z", "yaw", "pitch", "roll"))


def to_matrix(position, rotation):
    w, x, y, z = rotation
    px, py, pz = position
    return Matrix((
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz),
        (0.0, 0.0, 0.0, 1.0)))


def to_angles(w, x, y, z):
    """Roll, pitch, yaw of Rz Ry Rx, computed as the host does (`orrery_quat_to_euler`)."""
    sign = -1.0 if w < 0.0 else 1.0
    a, b, c, d = sign * (w - y), sign * (x + z), sign * (w + y), sign * (z - x)
    minus, plus = a * a + b * b, c * c + d * d
    total, difference = math.atan2(b, a), math.atan2(d, c)
    pitch = math.atan2(2 * (w * y - z * x), math.sqrt(minus * plus))
    if minus <= POLE_SQUARED * plus:
        return shorter(0.0, pitch, wrap_once(2 * difference))
    if plus <= POLE_SQUARED * minus:
        return shorter(0.0, pitch, wrap_once(2 * total))
    return shorter(wrap_once(total - difference), pitch, wrap_once(total + difference))


def shorter(roll, pitch, yaw):
    """Of the two triples of a rotation the one with the smaller sum of magnitudes."""
    if abs(roll) + abs(pitch) + abs(yaw) <= 1.5 * math.pi + 1e-9:
        return roll, pitch, yaw
    return (roll + (-math.pi if roll > 0 else math.pi), (math.pi if pitch >= 0 else -math.pi) - pitch,
            yaw + (-math.pi if yaw > 0 else math.pi))


def wrap_once(angle):
    if angle > math.pi:
        return angle - 2 * math.pi
    return angle + 2 * math.pi if angle <= -math.pi else angle
