# SPDX-License-Identifier: BSD-3-Clause
"""Records as attributes: a class for each schema, whose attributes are the fields in the memory of the host.

Numbers, vectors and matrices are read and written in place. Texts, arrays and free values go through the library, which
owns what they point at. Whatever is held here holds the record, so that its memory stays valid.
"""

import collections.abc
import ctypes
import operator

from ._values import Orrery, from_variant, look_at, to_variant

SECOND = 1_000_000_000
INT64 = range(-(1 << 63), 1 << 63)


def kind_of(value):
    return type(value).__name__


# --- values that lie in the record: a view of them, and how they are set ---

class Numbers(ctypes.Structure):
    """Doubles with names: attributes, a sequence in the order of the names, and an array for NumPy."""

    __slots__ = ()
    _fields_ = []

    @classmethod
    def names(cls):
        return [name for name, _ in cls._fields_]

    def __iter__(self):
        return iter([getattr(self, name) for name in self.names()])

    def __len__(self):
        return len(self._fields_)

    def __getitem__(self, index):
        return list(self)[index]

    def __eq__(self, other):
        try:
            return list(self) == list(other)
        except TypeError:
            return NotImplemented

    __hash__ = None

    def __array__(self, dtype=None):
        import numpy
        return numpy.array(list(self), dtype=dtype)

    def __repr__(self):
        return "(%s)" % ", ".join("%s=%r" % (name, getattr(self, name)) for name in self.names())


class Vec3(Numbers):
    __slots__ = ()
    _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double), ("z", ctypes.c_double)]


class Euler(Numbers):
    __slots__ = ()
    _fields_ = [("roll", ctypes.c_double), ("pitch", ctypes.c_double), ("yaw", ctypes.c_double)]


class Quat(Numbers):
    __slots__ = ()
    _fields_ = [("w", ctypes.c_double), ("x", ctypes.c_double), ("y", ctypes.c_double), ("z", ctypes.c_double)]


def to_numbers(name, value, names):
    """As many numbers as there are names, from a mapping, an object with these attributes or a sequence."""
    if type(value) is tuple and len(value) == len(names):
        return value
    if isinstance(value, collections.abc.Mapping):
        if set(value) != set(names):
            raise TypeError("%s: %s, not the keys %s" % (name, ", ".join(names), ", ".join(map(str, value))))
        value = [value[key] for key in names]
    elif all(hasattr(value, key) for key in names):
        value = [getattr(value, key) for key in names]
    if isinstance(value, (str, bytes)) or not isinstance(value, collections.abc.Iterable):
        raise TypeError("%s: %d numbers (%s), not %s" % (name, len(names), ", ".join(names), kind_of(value)))
    value = list(value)
    if len(value) != len(names):
        raise ValueError("%s: %d numbers (%s), not %d" % (name, len(names), ", ".join(names), len(value)))
    return [to_float(name, item) for item in value]


def to_float(name, value):
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__") and not hasattr(value, "__index__"):
        raise TypeError("%s: a number, not %s" % (name, kind_of(value)))
    return float(value)


def numbers_property(name, inner, kind):
    names = kind.names()
    inside = operator.attrgetter(inner)

    def write(self, value):
        try:
            # All or nothing: what is wrong is found before anything is there.
            fresh = kind(*to_numbers(name, value, names))
        except TypeError as error:
            raise TypeError("%s: %s" % (name, error) if name not in str(error) else str(error)) from None
        setattr(self, inner, fresh)
    return property(inside, write)


def matrix_property(name, inner, size):
    inside = operator.attrgetter(inner)

    def read(self):
        try:
            import numpy
        except ImportError:
            flat = list(inside(self))
            return [flat[row * size:(row + 1) * size] for row in range(size)]
        return numpy.frombuffer(inside(self)).reshape(size, size)

    def write(self, value):
        rows = [list(row) if isinstance(row, collections.abc.Iterable) and not isinstance(row, str) else None
                for row in (value if isinstance(value, collections.abc.Iterable) else [])]
        if len(rows) != size or any(row is None or len(row) != size for row in rows):
            raise ValueError("%s: %d rows of %d numbers" % (name, size, size))
        inside(self)[:] = [to_float(name, item) for row in rows for item in row]
    return property(read, write)


def bool_property(name, inner):
    inside = operator.attrgetter(inner)

    def write(self, value):
        if not isinstance(value, (bool, int)) and kind_of(value) not in ("bool_", "bool"):
            raise TypeError("%s: true or false, not %s" % (name, kind_of(value)))
        setattr(self, inner, bool(value))
    return property(inside, write)


def int_property(name, inner):
    inside = operator.attrgetter(inner)

    def write(self, value):
        if isinstance(value, str) or not hasattr(value, "__index__"):
            raise TypeError("%s: a whole number, not %s" % (name, kind_of(value)))
        number = operator.index(value)
        if number not in INT64:
            raise OverflowError("%s: %d does not fit in 64 bits" % (name, number))
        setattr(self, inner, number)
    return property(inside, write)


def time_property(name, inner):
    inside = operator.attrgetter(inner)

    def write(self, value):
        setattr(self, inner, Orrery.time_from_seconds(to_float(name, value)))
    return property(lambda self: inside(self) / SECOND, write)


# --- values that the library owns ---

class TextPlace(ctypes.Structure):
    __slots__ = ()
    _fields_ = [("text", ctypes.c_char_p), ("allocated", ctypes.c_size_t)]


def text_property(name, inner):
    inside = operator.attrgetter(inner + ".text")

    def read(self):
        return (inside(self) or b"").decode("utf-8", "replace")

    def write(self, value):
        if not isinstance(value, str):
            raise TypeError("%s: a str, not %s" % (name, kind_of(value)))
        if "\0" in value:
            raise ValueError("%s: a text without zero bytes" % name)
        self._record.set_text(name, value)
    return property(read, write)


def free_property(name, inner):
    def read(self):
        return from_variant(self._record.get_value(name))

    def write(self, value):
        self._record.set_value(name, to_variant(value))
    return property(read, write)


def record_property(name, inner):
    def read(self):
        return from_variant(self._record.get_value(name))

    def write(self, value):
        raise AttributeError("%s: the record of another component can only be read here" % name)
    return property(read, write)


# What struct and the buffer protocol call the elements, as the library names them.
FORMATS = {"B": "UINT8", "b": "INT8", "H": "UINT16", "h": "INT16", "I": "UINT32", "i": "INT32", "L": "UINT64",
           "l": "INT64", "Q": "UINT64", "q": "INT64", "f": "FLOAT", "d": "DOUBLE", "c": "UINT8"}


def to_memory(name, value, as_double):
    """A value as memory in C order with its element type: an array, bytes, or where `as_double` any numbers."""
    if isinstance(value, str):
        raise TypeError("%s: an array, not str" % name)
    if as_double or not isinstance(value, (bytes, bytearray, memoryview)) and not hasattr(value, "__array_interface__"):
        value = to_array(name, value, as_double)
    elif hasattr(value, "__array_interface__"):
        value = to_array(name, value, False)
    try:
        memory = memoryview(value)
    except (TypeError, ValueError) as error:
        raise TypeError("%s: an array of numbers, not %s: %s" % (name, kind_of(value), error)) from None
    if memory.format.lstrip("@=") not in FORMATS or not memory.c_contiguous:
        raise TypeError("%s: elements of the type '%s' cannot be elements of a field" % (name, memory.format))
    return memory


def to_array(name, value, as_double):
    """Through NumPy where it is there; else what the standard library has for doubles."""
    try:
        import numpy
    except ImportError:
        import array
        return value if not as_double else array.array("d", [to_float(name, item) for item in value])
    array = numpy.asarray(value)
    if array.dtype.kind not in "buif" or as_double and array.dtype.kind == "b":
        raise TypeError("%s: an array of numbers, not of %s" % (name, array.dtype))
    dtype = numpy.float64 if as_double else array.dtype.newbyteorder("=")
    return numpy.ascontiguousarray(array, dtype="u1" if array.dtype.kind == "b" else dtype)


def fill(record, name, memory, shape):
    element = getattr(Orrery.Element, FORMATS[memory.format.lstrip("@=")])
    buffer = record.prepare_buffer(name, element, shape)
    if memory.nbytes:
        # The buffer is fresh, or nobody looks at it.
        target = (ctypes.c_char * memory.nbytes).from_address(buffer.get_address())
        memoryview(target).cast("B")[:] = memory.cast("B")


def array_property(name, inner, dimensions):
    def read(self):
        buffer = self._record.get_buffer(name)
        view = look_at(buffer) if buffer is not None else None
        if view is not None:
            return view
        try:
            import numpy
        except ImportError:
            return from_variant(self._record.get_value(name))
        return numpy.empty((0, 3) if dimensions == 2 else 0)

    def write(self, value):
        memory = to_memory(name, value, True)
        shape = list(memory.shape)
        if dimensions == 2 and memory.nbytes == 0:
            shape = [0, 3]
        if len(shape) != dimensions or dimensions == 2 and shape[1] != 3:
            wanted = "rows of three numbers" if dimensions == 2 else "numbers in one dimension"
            raise ValueError("%s: %s, not an array of the shape %s" % (name, wanted, tuple(memory.shape)))
        fill(self._record, name, memory, shape)
    return property(read, write)


def buffer_property(name, inner):
    def read(self):
        buffer = self._record.get_buffer(name)
        return look_at(buffer) if buffer is not None else None

    def write(self, value):
        memory = to_memory(name, value, False)
        if not 1 <= memory.ndim <= 4:
            raise ValueError("%s: 1 to 4 dimensions, not %d" % (name, memory.ndim))
        fill(self._record, name, memory, list(memory.shape))
    return property(read, write)


# --- a class for a schema ---

# Type of a field: what lies there, and the property over it; None for what ctypes itself does.
PLACES = {
    "double": (ctypes.c_double, None),
    "bool": (ctypes.c_bool, bool_property),
    "int64": (ctypes.c_int64, int_property),
    "time": (ctypes.c_int64, time_property),
    "text": (TextPlace, text_property),
    "vec3": (Vec3, lambda name, inner: numbers_property(name, inner, Vec3)),
    "euler": (Euler, lambda name, inner: numbers_property(name, inner, Euler)),
    "quat": (Quat, lambda name, inner: numbers_property(name, inner, Quat)),
    "mat3": (ctypes.c_double * 9, lambda name, inner: matrix_property(name, inner, 3)),
    "mat4": (ctypes.c_double * 16, lambda name, inner: matrix_property(name, inner, 4)),
    "array": (ctypes.c_void_p, lambda name, inner: array_property(name, inner, 1)),
    "points": (ctypes.c_void_p, lambda name, inner: array_property(name, inner, 2)),
    "buffer": (ctypes.c_void_p, buffer_property),
    "record": (ctypes.c_void_p, record_property),
    "variant": (ctypes.c_void_p, free_property),
}


class RecordView(ctypes.Structure):
    """The fields of a record as attributes and as a mapping."""

    __slots__ = ("_record",)
    _names = ()
    _plain = frozenset()

    def keys(self):
        return (["timestamp"] if self._record.has_timestamp() else []) + list(self._names)

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def __contains__(self, name):
        return name in self.keys()

    def __getitem__(self, name):
        if name not in self:
            raise KeyError("no field %s%s" % (name, Orrery.nearest_names(name, self.keys())))
        return getattr(self, name)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError("no field %s%s" % (name, Orrery.nearest_names(name, self.keys())))

    def __setitem__(self, name, value):
        if name not in self:
            raise KeyError("no field %s%s" % (name, Orrery.nearest_names(name, self.keys())))
        setattr(self, name, value)

    @property
    def timestamp(self):
        """Seconds, by the clock of the robot."""
        return self._record.get_timestamp() / SECOND

    @timestamp.setter
    def timestamp(self, value):
        self._record.set_timestamp(Orrery.time_from_seconds(to_float("timestamp", value)))

    def hold(self):
        """Says that there is nothing to pass on this tick."""
        self._record.hold()

    def __repr__(self):
        return repr(dict(self))


classes = {}
# What is the same however it is read.
PLAIN = ("double", "int64", "bool", "text")
ARRAYS = ("array", "points", "buffer", "mat3", "mat4")


def import_numpy():
    """Before the first tick, of which it would take many."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        pass


def lay_out(fields):
    """The `_fields_` that put each field where the schema has it, and the properties over those that need one."""
    members, properties, end = [], {}, 0
    for name, kind, offset in fields:
        place, make = PLACES[kind]
        inner = name if make is None else "_field_" + name
        if offset > end:
            members.append(("_gap_%d" % end, ctypes.c_char * (offset - end)))
        members.append((inner, place))
        end = offset + ctypes.sizeof(place)
        if make is not None:
            properties[name] = make(name, inner)
    return members, properties


def class_of(schema):
    """The class of records of that schema."""
    described = schema.to_variant().unpack()
    fields = tuple((name, kind, schema.get_offset(name)) for name, kind, _, _ in described)
    if fields not in classes:
        if any(kind in ARRAYS for _, kind, _ in fields):
            import_numpy()
        members, properties = lay_out(sorted(fields, key=operator.itemgetter(2)))
        classes[fields] = type("Record", (RecordView,), {
            "__slots__": (), "_pack_": 1, "_fields_": members, "_names": tuple(name for name, _, _ in fields),
            "_plain": frozenset(name for name, kind, _ in fields if kind in PLAIN),
            **properties})
    return classes[fields]


def view_of(record):
    """The record as attributes; holds it."""
    view = class_of(record.get_schema()).from_address(record.get_address())
    view._record = record
    return view
