# SPDX-License-Identifier: BSD-3-Clause
"""Vectors and matrices of scene objects that stay true: who keeps one sees the present value, and writes back through it."""

from .mathutils import Matrix, Vector


class LiveVector(Vector):
    """As Blender's: `obj.worldLinearVelocity`, kept by a component, is the velocity of each later step, too."""

    __slots__ = ("_read", "_write")

    def __init__(self, read, write):
        self._read, self._write = read, write

    _owner = None

    @property
    def _values(self):
        return list(self._read())

    @_values.setter
    def _values(self, values):
        self._write(Vector(values))

    def __setitem__(self, index, value):
        fresh = Vector(self._read())
        fresh[index] = value
        self._write(fresh)

    def _set(self, values):
        self._write(Vector(values))


class LiveMatrix(Matrix):
    """The same of an orientation or a transformation."""

    __slots__ = ("_read", "_write")

    def __init__(self, read, write):
        self._read, self._write = read, write

    _owner = None

    @property
    def _rows(self):
        fresh = Matrix(self._read())
        fresh._watch(self._write)
        return fresh._rows

    def _set(self, other):
        self._write(Matrix(other))
