# SPDX-License-Identifier: BSD-3-Clause
"""Vectors, matrices, quaternions and Euler angles as components of MORSE use them, in doubles.

Names and operators are those of Blender 2.7: `*` multiplies matrices, rotates a vector by a matrix or a quaternion, and
is the dot product of two vectors; `@` does the same. Angles are radians; a matrix stands left of a column vector; an
Euler triple of the order "XYZ" turns about x first: Rz Ry Rx. Angles that are read from a matrix have the second one of
the three within [-pi/2, pi/2]. Not here: what only drawing needs (colours, noise, geometry).
"""

import math
import numbers

EPSILON = 1e-12
AXES = {"X": 0, "Y": 1, "Z": 2}


def is_number(value):
    return isinstance(value, numbers.Real) or hasattr(value, "__float__") and not hasattr(value, "__len__")


def numbers_of(values, what):
    try:
        return [float(value) for value in values]
    except (TypeError, ValueError):
        raise TypeError("%s: a sequence of numbers, not %r" % (what, values)) from None


def component(index):
    def read(self):
        return self[index]

    def write(self, value):
        self[index] = value
    return property(read, write)


class Sequence:
    """What vectors, quaternions and Euler angles share: numbers by index; their owner is told of a change."""

    __slots__ = ("_values", "_owner")
    __hash__ = None

    def _told(self):
        if self._owner is not None:
            self._owner(self)

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(list(self._values))

    def __getitem__(self, index):
        return self._values[index]

    def __setitem__(self, index, value):
        if isinstance(index, slice):
            fresh = numbers_of(value, type(self).__name__)
            if len(self._values[index]) != len(fresh):
                raise ValueError("%s: as many numbers as before" % type(self).__name__)
            self._values[index] = fresh
        else:
            self._values[index] = float(value)
        self._told()

    def __eq__(self, other):
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._values == other._values

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __array__(self, dtype=None, copy=None):
        import numpy
        return numpy.array(self._values, dtype=dtype)

    def freeze(self):
        return self

    def _set(self, values):
        self._values[:] = values
        self._told()


class Vector(Sequence):
    """2 to 4 numbers, or more."""

    __slots__ = ()

    def __init__(self, values=(0.0, 0.0, 0.0)):
        self._values = numbers_of(values, "Vector")
        self._owner = None
        if len(self._values) < 2:
            raise ValueError("Vector: at least two numbers")

    x, y, z, w = component(0), component(1), component(2), component(3)

    @classmethod
    def Fill(cls, size, fill=0.0):
        return cls([fill] * size)

    def __repr__(self):
        return "Vector((%s))" % ", ".join(repr(value) for value in self._values)

    def copy(self):
        return Vector(self._values)

    def _paired(self, other):
        other = numbers_of(other, "Vector")
        if len(other) != len(self._values):
            raise ValueError("Vector: %d numbers, not %d" % (len(self._values), len(other)))
        return zip(self._values, other)

    def __add__(self, other):
        return Vector([a + b for a, b in self._paired(other)])

    def __sub__(self, other):
        return Vector([a - b for a, b in self._paired(other)])

    def __rsub__(self, other):
        return Vector([b - a for a, b in self._paired(other)])

    __radd__ = __add__

    def __iadd__(self, other):
        self._set([a + b for a, b in self._paired(other)])
        return self

    def __isub__(self, other):
        self._set([a - b for a, b in self._paired(other)])
        return self

    def __neg__(self):
        return Vector([-a for a in self._values])

    def __mul__(self, other):
        if is_number(other):
            return Vector([a * other for a in self._values])
        if isinstance(other, Matrix):
            return other.transposed() * self
        if isinstance(other, Vector):
            return self.dot(other)
        return NotImplemented

    def __rmul__(self, other):
        return Vector([a * other for a in self._values]) if is_number(other) else NotImplemented

    __matmul__ = __mul__

    def __imul__(self, other):
        self._set(list(self * other))
        return self

    def __truediv__(self, other):
        return Vector([a / other for a in self._values])

    def __itruediv__(self, other):
        self._set([a / other for a in self._values])
        return self

    @property
    def length(self):
        return math.sqrt(self.length_squared)

    @length.setter
    def length(self, value):
        self._set([a * value for a in self.normalized()])

    magnitude = length

    @property
    def length_squared(self):
        return math.fsum(a * a for a in self._values)

    def normalized(self):
        length = self.length
        return Vector([a / length for a in self._values]) if length > 0.0 else self.copy()

    def normalize(self):
        self._set(list(self.normalized()))

    def dot(self, other):
        return sum(a * b for a, b in self._paired(other))

    def cross(self, other):
        ax, ay, az = self._values
        bx, by, bz = numbers_of(other, "cross")
        return Vector((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx))

    def angle(self, other, *fallback):
        """Between 0 and pi; of a vector of no length it is the fallback, or an error."""
        other = Vector(other)
        lengths = self.length * other.length
        if lengths == 0.0:
            if fallback:
                return fallback[0]
            raise ValueError("Vector.angle: a vector of no length has no angle")
        return math.acos(max(-1.0, min(1.0, self.dot(other) / lengths)))

    def rotation_difference(self, other):
        """The shortest rotation that turns this direction into the other."""
        a, b = self.normalized(), Vector(other).normalized()
        cosine = a.dot(b)
        if cosine < -1.0 + EPSILON:
            away = Vector((1, 0, 0)) if abs(a.x) < 0.9 else Vector((0, 1, 0))
            return Quaternion(a.cross(away), math.pi)
        turned = Quaternion((1.0 + cosine,) + tuple(a.cross(b)))
        turned.normalize()
        return turned

    def lerp(self, other, factor):
        return Vector([a + (b - a) * factor for a, b in self._paired(other)])

    def project(self, other):
        other = Vector(other)
        return other * (self.dot(other) / other.length_squared)

    def reflect(self, mirror):
        mirror = Vector(mirror).normalized()
        return self - mirror * (2.0 * self.dot(mirror))

    def rotate(self, by):
        self._set(list(rotation_of(by) * self))

    def negate(self):
        self._set([-a for a in self._values])

    def zero(self):
        self._set([0.0] * len(self._values))

    def to_tuple(self, precision=None):
        return tuple(self._values if precision is None else [round(a, precision) for a in self._values])

    def resized(self, n):
        return Vector((self._values + [0.0] * n)[:n])

    def to_2d(self):
        return self.resized(2)

    def to_3d(self):
        return self.resized(3)

    def to_4d(self):
        return Vector((self._values + [0.0, 0.0, 1.0])[:3] + [self._values[3] if len(self) > 3 else 1.0])

    def resize_2d(self):
        self._values = self._values[:2]

    def resize_3d(self):
        self._values = list(self.to_3d())

    def resize_4d(self):
        self._values = list(self.to_4d())

    @property
    def xy(self):
        return self.to_2d()

    @property
    def xyz(self):
        return self.to_3d()


class Euler(Sequence):
    """Three angles and the order in which they turn."""

    __slots__ = ("order",)

    def __init__(self, angles=(0.0, 0.0, 0.0), order="XYZ"):
        self._values = numbers_of(angles, "Euler")
        self._owner = None
        if len(self._values) != 3 or sorted(order) != ["X", "Y", "Z"]:
            raise ValueError("Euler: three angles, and an order of X, Y and Z")
        self.order = order

    x, y, z = component(0), component(1), component(2)

    def __repr__(self):
        return "Euler((%r, %r, %r), %r)" % (*self._values, self.order)

    def copy(self):
        return Euler(self._values, self.order)

    def to_quaternion(self):
        turned = Quaternion()
        for axis in self.order:
            unit = [0.0, 0.0, 0.0]
            unit[AXES[axis]] = 1.0
            turned = Quaternion(unit, self._values[AXES[axis]]) * turned
        return turned

    def to_matrix(self):
        turned = Matrix.Identity(3)
        for axis in self.order:
            turned = Matrix.Rotation(self._values[AXES[axis]], 3, axis) * turned
        return turned

    def rotate(self, by):
        self._set(list((rotation_of(by).to_matrix() * self.to_matrix()).to_euler(self.order)))

    def rotate_axis(self, axis, angle):
        turned = self.to_matrix() * Matrix.Rotation(angle, 3, axis)
        self._set(list(turned.to_euler(self.order)))

    def make_compatible(self, other):
        """The same rotation, with each angle as near to the other's as whole turns bring it."""
        self._set([a + 2 * math.pi * round((b - a) / (2 * math.pi)) for a, b in zip(self._values, other)])

    def zero(self):
        self._set([0.0, 0.0, 0.0])


class Quaternion(Sequence):
    """w, x, y, z: from four numbers, or from an axis and an angle."""

    __slots__ = ()

    def __init__(self, values=(1.0, 0.0, 0.0, 0.0), angle=None):
        values = numbers_of(values, "Quaternion")
        if angle is not None or len(values) == 3:
            axis = Vector(values).normalized()
            sine = math.sin((angle or 0.0) / 2)
            values = [math.cos((angle or 0.0) / 2)] + [a * sine for a in axis]
        if len(values) != 4:
            raise ValueError("Quaternion: four numbers, or an axis and an angle")
        self._values = values
        self._owner = None

    w, x, y, z = component(0), component(1), component(2), component(3)

    def __repr__(self):
        return "Quaternion((%s))" % ", ".join(repr(value) for value in self._values)

    def copy(self):
        return Quaternion(self._values)

    def __add__(self, other):
        return Quaternion([a + b for a, b in zip(self._values, other)])

    def __sub__(self, other):
        return Quaternion([a - b for a, b in zip(self._values, other)])

    def __neg__(self):
        return Quaternion([-a for a in self._values])

    def __mul__(self, other):
        if isinstance(other, Quaternion):
            w, x, y, z = self._values
            ow, ox, oy, oz = other._values
            return Quaternion((w * ow - x * ox - y * oy - z * oz, w * ox + x * ow + y * oz - z * oy,
                               w * oy - x * oz + y * ow + z * ox, w * oz + x * oy - y * ox + z * ow))
        if isinstance(other, Vector):
            w, x, y, z = self._values
            axis = Vector((x, y, z))
            turn = axis.cross(other) * 2.0
            return other + turn * w + axis.cross(turn)
        return Quaternion([a * other for a in self._values]) if is_number(other) else NotImplemented

    __matmul__ = __mul__

    def __rmul__(self, other):
        return Quaternion([a * other for a in self._values]) if is_number(other) else NotImplemented

    @property
    def magnitude(self):
        return math.sqrt(math.fsum(a * a for a in self._values))

    def normalized(self):
        length = self.magnitude
        return Quaternion([a / length for a in self._values]) if length > 0.0 else Quaternion()

    def normalize(self):
        self._set(list(self.normalized()))

    def conjugated(self):
        w, x, y, z = self._values
        return Quaternion((w, -x, -y, -z))

    def conjugate(self):
        self._set(list(self.conjugated()))

    def inverted(self):
        return self.conjugated() * (1.0 / math.fsum(a * a for a in self._values))

    def invert(self):
        self._set(list(self.inverted()))

    def negate(self):
        self._set([-a for a in self._values])

    def identity(self):
        self._set([1.0, 0.0, 0.0, 0.0])

    def dot(self, other):
        return sum(a * b for a, b in zip(self._values, other))

    def cross(self, other):
        return self * other

    def rotation_difference(self, other):
        return self.inverted() * other

    def rotate(self, by):
        self._set(list(rotation_of(by) * self))

    def slerp(self, other, factor):
        a, b = self.normalized(), other.normalized()
        cosine = a.dot(b)
        if cosine < 0.0:
            b, cosine = -b, -cosine
        angle = math.acos(min(1.0, cosine))
        if angle < 1e-9:
            return a
        first, second = math.sin((1.0 - factor) * angle), math.sin(factor * angle)
        return (a * first + b * second).normalized()

    @property
    def angle(self):
        return 2.0 * math.atan2(Vector(self._values[1:]).length, self._values[0])

    @property
    def axis(self):
        axis = Vector(self._values[1:])
        return axis.normalized() if axis.length > 0.0 else Vector((1.0, 0.0, 0.0))

    def to_axis_angle(self):
        return self.axis, self.angle

    def to_matrix(self):
        w, x, y, z = self.normalized()._values
        return Matrix((
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))))

    def to_euler(self, order="XYZ", compatible=None):
        return self.to_matrix().to_euler(order, compatible)


class Columns:
    """The columns of a matrix, to be read and set."""

    def __init__(self, matrix):
        self._matrix = matrix

    def __len__(self):
        return len(self._matrix[0])

    def __iter__(self):
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index):
        def keep(column):
            self[index] = column
        column = Vector([row[index] for row in self._matrix])
        column._owner = keep
        return column

    def __setitem__(self, index, values):
        for row, value in zip(self._matrix, numbers_of(values, "Matrix.col")):
            row[index] = value


class Matrix:
    """Rows of numbers, 2 to 4 of each; without any it is the identity of 4 by 4."""

    __slots__ = ("_rows", "_owner")
    __hash__ = None

    def __init__(self, rows=None):
        rows = [[float(i == j) for j in range(4)] for i in range(4)] if rows is None else list(rows)
        self._rows = [Vector(row) for row in rows]
        if not 2 <= len(rows) <= 4 or len({len(row) for row in self._rows}) != 1:
            raise ValueError("Matrix: 2 to 4 rows of the same length")
        self._watch(None)

    def _watch(self, owner):
        """The owner of the matrix is told of each change, also of a row."""
        self._owner = owner
        for row in self._rows:
            row._owner = None if owner is None else lambda _row: owner(self)

    @classmethod
    def Identity(cls, n):
        return cls([[float(i == j) for j in range(n)] for i in range(n)])

    @classmethod
    def Rotation(cls, angle, size, axis="Z"):
        cosine, sine = math.cos(angle), math.sin(angle)
        if size == 2:
            return cls(((cosine, -sine), (sine, cosine)))
        if isinstance(axis, str):
            i = AXES[axis]
            turned = cls.Identity(3)
            j, k = (i + 1) % 3, (i + 2) % 3
            turned[j][j], turned[j][k], turned[k][j], turned[k][k] = cosine, -sine, sine, cosine
        else:
            turned = Quaternion(axis, angle).to_matrix()
        return turned if size == 3 else turned.to_4x4()

    @classmethod
    def Translation(cls, vector):
        moved = cls()
        moved.translation = vector
        return moved

    @classmethod
    def Scale(cls, factor, size, axis=None):
        scaled = cls.Identity(size)
        unit = None if axis is None else Vector(axis).normalized()
        for i in range(min(size, 3)):
            for j in range(min(size, 3)):
                scaled[i][j] += (factor - 1.0) * (float(i == j) if unit is None else unit[i] * unit[j])
        return scaled

    def __repr__(self):
        return "Matrix((%s))" % ", ".join("(%s)" % ", ".join(map(repr, row)) for row in self._rows)

    def __len__(self):
        return len(self._rows)

    def __iter__(self):
        return iter(self._rows)

    def __getitem__(self, index):
        return self._rows[index]

    def __setitem__(self, index, values):
        if isinstance(index, slice):
            for row, value in zip(self._rows[index], values):
                row[:] = value
        else:
            self._rows[index][:] = values

    def __eq__(self, other):
        return self._rows == other._rows if isinstance(other, Matrix) else NotImplemented

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __array__(self, dtype=None, copy=None):
        import numpy
        return numpy.array([list(row) for row in self._rows], dtype=dtype)

    def copy(self):
        return Matrix(self._rows)

    def freeze(self):
        return self

    row = property(lambda self: self._rows)
    col = property(Columns)

    def __add__(self, other):
        return Matrix([a + b for a, b in zip(self._rows, other)])

    def __sub__(self, other):
        return Matrix([a - b for a, b in zip(self._rows, other)])

    def __neg__(self):
        return self * -1.0

    def __mul__(self, other):
        if isinstance(other, Matrix):
            columns = list(zip(*[row._values for row in other._rows]))
            if len(self._rows[0]) != len(other):
                raise ValueError("Matrix: %d columns times %d rows" % (len(self._rows[0]), len(other)))
            return Matrix([[sum(a * b for a, b in zip(row._values, column)) for column in columns]
                           for row in self._rows])
        if isinstance(other, Vector):
            return self._apply(other)
        return Matrix([row * other for row in self._rows]) if is_number(other) else NotImplemented

    __matmul__ = __mul__

    def __rmul__(self, other):
        return self * other if is_number(other) else NotImplemented

    def _apply(self, vector):
        """A point of three numbers is one whose fourth is 1."""
        values, n = vector._values, len(self._rows[0])
        if len(values) == n - 1 == 3:
            values = values + [1.0]
        if len(values) != n:
            raise ValueError("Matrix: %d columns times %d numbers" % (n, len(values)))
        return Vector([sum(a * b for a, b in zip(row._values, values)) for row in self._rows][:len(vector)])

    def _set(self, other):
        for row, values in zip(self._rows, other):
            row._values[:] = list(values)
        if self._owner is not None:
            self._owner(self)

    def transposed(self):
        return Matrix(list(zip(*[row._values for row in self._rows])))

    def transpose(self):
        self._set(self.transposed())

    def identity(self):
        self._set(Matrix.Identity(len(self)))

    def zero(self):
        self._set([[0.0] * len(row) for row in self._rows])

    def _minor(self, i, j):
        return Matrix([[value for k, value in enumerate(row) if k != j]
                       for n, row in enumerate(self._rows) if n != i])

    def determinant(self):
        if len(self) == 2:
            (a, b), (c, d) = self._rows
            return a * d - b * c
        if len(self) == 3:
            return self._rows[0].dot(self._rows[1].cross(self._rows[2]))
        return sum((-1) ** j * value * self._minor(0, j).determinant() for j, value in enumerate(self._rows[0]))

    def _cofactor(self, i, j):
        if len(self) == 2:
            return (-1) ** (i + j) * self._rows[1 - i][1 - j]
        return (-1) ** (i + j) * self._minor(i, j).determinant()

    def inverted(self, *fallback):
        determinant = self.determinant()
        if determinant == 0.0:
            if fallback:
                return fallback[0]
            raise ValueError("Matrix.invert: it has no inverse")
        n = range(len(self))
        return Matrix([[self._cofactor(j, i) / determinant for j in n] for i in n])

    def inverted_safe(self):
        return self.inverted(Matrix.Identity(len(self)))

    def invert(self):
        self._set(self.inverted())

    def to_3x3(self):
        return Matrix([row[:3] for row in self._rows[:3]])

    def to_4x4(self):
        wide = Matrix()
        for i, row in enumerate(self._rows):
            wide[i][:len(row)] = row
        return wide

    def resize_4x4(self):
        self._rows = self.to_4x4()._rows
        self._watch(self._owner)

    @property
    def translation(self):
        def keep(vector):
            self.translation = vector
        place = self.to_translation()
        place._owner = keep
        return place

    @translation.setter
    def translation(self, vector):
        for row, value in zip(self._rows, numbers_of(vector, "Matrix.translation")):
            row[3] = value

    def to_translation(self):
        return Vector([row[3] for row in self._rows[:3]])

    def to_scale(self):
        return Vector([column.length for column in self.to_3x3().transposed()])

    median_scale = property(lambda self: sum(self.to_scale()) / 3)

    def normalized(self):
        """Without scale, and without translation if it is of 3 by 3."""
        turned = Matrix([column.normalized() for column in self.to_3x3().transposed()]).transposed()
        if len(self) == 3:
            return turned
        turned = turned.to_4x4()
        turned.translation = self.to_translation()
        return turned

    def normalize(self):
        self._set(self.normalized())

    def to_quaternion(self):
        """After Shepperd: from the largest of the four, so that nothing small is divided by.

        The sign is Blender's: w is above 0; of a half turn, where its square is 1e-4 at most, the largest of the others.
        """
        m = [row._values for row in self.to_3x3().normalized()._rows]
        squares = (m[0][0] + m[1][1] + m[2][2], m[0][0] - m[1][1] - m[2][2],
                   m[1][1] - m[0][0] - m[2][2], m[2][2] - m[0][0] - m[1][1])
        largest = squares.index(max(squares))
        root = math.sqrt(1.0 + squares[largest])
        half = 0.5 / root
        skew = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1])
        if largest == 0:
            return Quaternion((0.5 * root, skew[0] * half, skew[1] * half, skew[2] * half))
        i = largest - 1
        values = [skew[i] * half, 0.0, 0.0, 0.0]
        for j in range(3):
            values[1 + j] = 0.5 * root if j == i else (m[i][j] + m[j][i]) * half
        is_turned = values[0] < 0.0 and values[0] * values[0] > 1e-4
        return Quaternion([-a for a in values] if is_turned else values)

    def to_euler(self, order="XYZ", compatible=None):
        """The angles of Rc Rb Ra for the order "ABC"."""
        m = [row._values for row in self._rows[:3]]
        a, b, c = (AXES[axis] for axis in order)
        sign = 1.0 if (a + 1) % 3 == b else -1.0
        cosine = math.hypot(m[a][a], m[b][a])
        angles = [0.0, 0.0, 0.0]
        angles[b] = math.atan2(-sign * m[c][a], cosine)
        if cosine > 16 * 2.0 ** -52:
            angles[a] = math.atan2(sign * m[c][b], m[c][c])
            angles[c] = math.atan2(sign * m[b][a], m[a][a])
        else:
            angles[a] = math.atan2(-sign * m[b][c], m[b][b])
        # Of the two triples the one with the smaller sum, as Blender tells it.
        if sum(map(abs, angles)) > 1.5 * math.pi + 1e-9:
            angles[a] += -math.pi if angles[a] > 0 else math.pi
            angles[c] += -math.pi if angles[c] > 0 else math.pi
            angles[b] = math.copysign(math.pi, angles[b]) - angles[b]
        found = Euler(angles, order)
        if compatible is not None:
            found.make_compatible(compatible)
        return found

    def decompose(self):
        return self.to_translation(), self.to_quaternion(), self.to_scale()

    def rotate(self, by):
        self._set(rotation_of(by).to_matrix() * self.to_3x3())

    def lerp(self, other, factor):
        return Matrix([a.lerp(b, factor) for a, b in zip(self._rows, other)])


def rotation_of(value):
    """What turns, as a quaternion."""
    if isinstance(value, Quaternion):
        return value
    if isinstance(value, (Euler, Matrix)):
        return value.to_quaternion()
    raise TypeError("a Quaternion, Euler or Matrix turns, not %s" % type(value).__name__)
