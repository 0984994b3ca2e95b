# SPDX-License-Identifier: BSD-3-Clause
"""Values of Python through channels: `emit (value)` and `read ()`.

What crosses: numbers, texts, None, lists, tuples and dictionaries of these; bytes; NumPy arrays;
records and buffers; types of a user's own, derived from `Shared`. What comes from another process
is data and never code, so nothing is unpickled, except between the loops of one hybrid: their
processes are one program, and no other can write into their channels.
"""

import abc
import ast
import collections.abc
import ctypes
import pickle
import sys
import time as wall
from typing import Any, NamedTuple

from gi.repository import GLib

ARRAY, VARIANT, RECORD, SHARED, PICKLE = "(sax)", "s", "(a(ssss)a(sv))", "(sv)", "(sy)"
ELEMENTS = frozenset("%s%d" % (kind, bits) for kind in ("uint", "int") for bits in (8, 16, 32, 64)) | \
    {"float32", "float64"}
INT64 = 1 << 63


class Reading(NamedTuple):
    """What a receiver read: a value, when it was emitted (ns), and whether it is new to this receiver."""

    value: Any
    time: int
    fresh: bool

    @property
    def timestamp(self):
        """Seconds."""
        return self.time * 1e-9


class Shared(abc.ABC):
    """What a type of a user's own derives from to cross a channel: four functions.

    Another process makes the object without calling its constructor, then calls read.
    """

    _types = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        Shared._types[shared_name(cls)] = cls

    @abc.abstractmethod
    def get_size(self):
        """Bytes of the value."""

    @abc.abstractmethod
    def write(self, memory):
        """Writes the value into a memoryview of as many bytes."""

    @abc.abstractmethod
    def read(self, memory, parameters):
        """Takes the value from a read-only memoryview; it may be kept, and then keeps the value in its place."""

    def get_parameters(self):
        """What a reader needs besides the bytes: any plain value."""


def shared_name(cls):
    # The main script of a program is __mp_main__ in its background processes.
    module = "__main__" if cls.__module__ == "__mp_main__" else cls.__module__
    return "%s.%s" % (module, cls.__qualname__)


# --- plain values ---


def pack(value):
    """A plain value as a variant; the type of each is kept."""
    if value is None:
        return GLib.Variant("mv", None)
    if isinstance(value, bool):
        return GLib.Variant("b", value)
    if isinstance(value, int):
        if not -INT64 <= value < INT64:
            raise OverflowError("%d has more than 64 bits" % value)
        return GLib.Variant("x", value)
    if isinstance(value, float):
        return GLib.Variant("d", value)
    if isinstance(value, str):
        return pack_text(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return GLib.Variant.new_from_bytes(GLib.VariantType("ay"), GLib.Bytes.new(bytes(value)), True)
    return pack_many(value)


def pack_text(value):
    if "\0" in value:
        raise ValueError("a text with a NUL cannot be sent through a channel; bytes can")
    return GLib.Variant("s", value)


def pack_many(value):
    if isinstance(value, tuple):
        return GLib.Variant.new_tuple(*[GLib.Variant("v", pack(item)) for item in value])
    if isinstance(value, list):
        return GLib.Variant("av", [pack(item) for item in value])
    if isinstance(value, collections.abc.Mapping) and all(isinstance(key, str) for key in value):
        return GLib.Variant("a{sv}", {key: pack(item) for key, item in value.items()})
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return pack(value.item())
    raise TypeError("values of type %s cannot be sent through a channel: there are numbers, texts, None, bytes, lists, tuples, dictionaries of "
                    "texts, NumPy arrays, records, buffers, and types derived from orrery.Shared" % type(value).__name__)


def unpack(variant):
    kind = variant.get_type_string()
    if kind == "v":
        return unpack(variant.get_variant())
    if kind == "ay":
        return variant.get_data_as_bytes().get_data() or b""
    if kind == "av":
        return [unpack(variant.get_child_value(i)) for i in range(variant.n_children())]
    if kind.startswith("("):
        return tuple(unpack(variant.get_child_value(i)) for i in range(variant.n_children()))
    if kind == "a{sv}":
        entries = [variant.get_child_value(i) for i in range(variant.n_children())]
        return {entry.get_child_value(0).get_string(): unpack(entry.get_child_value(1)) for entry in entries}
    return variant.unpack()


# --- memory ---


def memory_at(address, size, owner=None):
    """Bytes where they lie; with an owner, which is kept, nobody may write them."""
    raw = (ctypes.c_ubyte * size).from_address(address)
    if owner is None:
        return memoryview(raw).cast("B")
    raw._orrery_owner = owner
    return memoryview(raw).cast("B").toreadonly()


def held_memory(receiver):
    """The present value for as long as somebody looks at it; of a `latest` channel in its place."""
    buffer = receiver.hold_buffer()
    if buffer is None:
        raise MemoryError("%s: no memory for a value" % receiver.get_channel().get_name())
    size = buffer.get_size()
    return memory_at(buffer.get_address(), size, buffer) if size > 0 else memoryview(b"")


# --- arrays ---


def describe_type(dtype):
    import numpy

    if dtype.hasobject:
        raise TypeError("an array of Python objects cannot be sent through a channel")
    if dtype.isnative and dtype.name in ELEMENTS:
        return dtype.name
    return repr(numpy.lib.format.dtype_to_descr(dtype))


def type_of(name):
    import numpy

    return numpy.dtype(name) if name in ELEMENTS else numpy.lib.format.descr_to_dtype(ast.literal_eval(name))


def emit_array(emitter, array, time):
    import numpy

    parameters = GLib.Variant(ARRAY, (describe_type(array.dtype), array.shape))
    if emitter.get_channel().get_transport() != Orrery.Transport.LATEST:
        whole = numpy.ascontiguousarray(array)
        return emitter.emit_address(whole.__array_interface__["data"][0], whole.nbytes, parameters, time)
    room = emitter.begin_address(array.nbytes, parameters)
    if array.nbytes > 0:
        there = numpy.frombuffer(memory_at(room, array.nbytes), array.dtype)
        numpy.copyto(there.reshape(array.shape), array, casting="no")
    emitter.commit(time)
    return True


def read_array(receiver, parameters):
    import numpy

    name, shape = parameters.unpack()
    dtype = type_of(name)
    memory = held_memory(receiver)
    if any(n < 0 for n in shape) or dtype.itemsize * numpy.prod(shape, dtype=object) != len(memory):
        raise ValueError("%s: %d bytes are no array of %s of shape %r"
                         % (receiver.get_channel().get_name(), len(memory), name, tuple(shape)))
    if len(memory) > 0:
        return numpy.frombuffer(memory, dtype).reshape(shape)
    array = numpy.empty(shape, dtype)
    array.flags.writeable = False
    return array


# --- types of a user's own ---


def emit_shared(emitter, value, time):
    size = value.get_size()
    room = emitter.begin_address(size, GLib.Variant(SHARED, (shared_name(type(value)), pack(value.get_parameters()))))
    value.write(memory_at(room, size) if size > 0 else memoryview(bytearray()))
    emitter.commit(time)
    return True


def read_shared(receiver, parameters):
    name, more = parameters.get_child_value(0).get_string(), parameters.get_child_value(1)
    if name not in Shared._types:
        raise TypeError("%s: a value of the type %s, which this program does not define"
                        % (receiver.get_channel().get_name(), name))
    cls = Shared._types[name]
    value = cls.__new__(cls)
    value.read(held_memory(receiver), unpack(more))
    return value


# --- any object, between the loops of a hybrid ---


SCALARS = (type(None), bool, float, bytes, bytearray)
SHAPED = (memoryview, Shared)


def is_unicode(text):
    """Whether it has no half of a surrogate pair, which Python keeps and pickles, and UTF-8 has no bytes for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_plain(value):
    """Whether `pack` takes the value and `unpack` gives it back: of a class derived from a plain one it would be that."""
    kind = type(value)
    if kind in SCALARS:
        return True
    if kind is int:
        return -INT64 <= value < INT64
    if kind is str:
        return "\0" not in value and is_unicode(value)
    if kind is list or kind is tuple:
        return all(map(is_plain, value))
    if kind is dict:
        return all(type(key) is str and is_plain(key) and is_plain(item) for key, item in value.items())
    return hasattr(value, "dtype") and getattr(value, "shape", None) == () and is_plain(value.item())


def has_shape(value):
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return type(value) is numpy.ndarray and not value.dtype.hasobject
    if isinstance(value, (*SHAPED, Orrery.Buffer, Orrery.Record, Fields)):
        return True
    try:
        return is_plain(value)
    except RecursionError:
        return False


def emit_pickle(emitter, value, time):
    name = emitter.get_channel().get_name()
    try:
        content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError("%s: values of type %s cannot be sent through a channel: they have no shape, and cannot be "
                        "pickled: %s" % (name, type(value).__name__, error)) from None
    room = emitter.begin_address(len(content), GLib.Variant(PICKLE, ("pickle", pickle.HIGHEST_PROTOCOL)))
    memory_at(room, len(content))[:] = content
    emitter.commit(time)
    return True


def read_pickle(receiver):
    if not getattr(receiver, "_orrery_own", False):
        raise TypeError("%s: a pickled value, which may be any code; only the loops of one hybrid send each other such"
                        % receiver.get_channel().get_name())
    return pickle.loads(held_memory(receiver))


# --- the two ends ---


def send(emitter, value, time):
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return emit_array(emitter, value, time)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return emitter_emit(emitter, bytes(value), time)
    if isinstance(value, Shared):
        return emit_shared(emitter, value, time)
    if isinstance(value, Orrery.Buffer):
        return emitter.emit_buffer(value, time)
    if isinstance(value, Fields):
        value = value._record()
    if isinstance(value, Orrery.Record):
        return emitter.emit_described(value)
    return emitter.emit_variant(pack(value), time)


def send_any(emitter, value, time):
    return send(emitter, value, time) if has_shape(value) else emit_pickle(emitter, value, time)


def emit(emitter, value, time=None):
    """Puts a value into the channel; False if receivers hold all the room there is, so that it was not taken.

    The time is in nanoseconds, by default that of the machine's monotonic clock; a record has its own.
    """
    way = send_any if getattr(emitter, "_orrery_own", False) else send
    try:
        return way(emitter, value, wall.monotonic_ns() if time is None else time)
    except GLib.Error as error:
        if error.matches(Orrery.error_quark(), Orrery.Error.BUSY):
            return False
        raise


def decode(receiver):
    parameters = receiver.get_parameters()
    kind = "" if parameters is None else parameters.get_type_string()
    if kind == ARRAY:
        return read_array(receiver, parameters)
    if kind == RECORD:
        return Fields.of(receiver.create_record())
    if kind == SHARED:
        return read_shared(receiver, parameters)
    if kind == PICKLE:
        return read_pickle(receiver)
    variant = receiver.dup_variant() if kind == VARIANT else None
    return receiver.dup_bytes().get_data() or b"" if variant is None else unpack(variant)


def read(receiver):
    """The next value of a ring, the newest of a `latest` channel; else the last one as stale, or None."""
    status = receiver_read(receiver)
    if status == Orrery.Reading.NONE:
        return None
    if status == Orrery.Reading.FRESH or not hasattr(receiver, "_orrery_last"):
        # What it was is let go of first: room for the next.
        receiver._orrery_last = None
        receiver._orrery_last = Reading(decode(receiver), receiver.get_time(), False)
    last = receiver._orrery_last
    return last._replace(fresh=True) if status == Orrery.Reading.FRESH else last


def extend(typelib, fields):
    global Orrery, Fields, emitter_emit, receiver_read
    Orrery, Fields = typelib, fields
    emitter_emit, receiver_read = Orrery.Emitter.emit, Orrery.Receiver.read
    Orrery.Emitter.emit = emit
    Orrery.Receiver.read = read
