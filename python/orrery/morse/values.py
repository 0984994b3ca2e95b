# SPDX-License-Identifier: BSD-3-Clause
"""Between `local_data`, which holds anything, and the record, whose fields have types."""

import collections.abc
import math

from .. import _records
from .._values import GLib, Orrery
from .declarations import collect, is_at
from .mathutils import Euler, Matrix, Quaternion, Vector
from .transformation import Transformation3d


def plain(value):
    """What JSON can say of a value, as MORSE writes it."""
    kind = type(value)
    if kind in (float, int, str, bool) or value is None:
        return value
    if isinstance(value, Vector):
        return list(value)
    if isinstance(value, Matrix):
        return [list(row) for row in value]
    if kind is Quaternion:
        return {"x": value.x, "y": value.y, "z": value.z, "w": value.w}
    if kind is Euler:
        return {"yaw": value.z, "pitch": value.y, "roll": value.x}
    if isinstance(value, Transformation3d):
        return {name: getattr(value, name) for name in ("x", "y", "z", "yaw", "pitch", "roll")}
    if isinstance(value, collections.abc.Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "_slot_types"):  # a message of genpy
        return {name: plain(getattr(value, name)) for name in value.__slots__}
    if hasattr(value, "to_sec"):  # a time of genpy
        return value.to_sec()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return GLib.Variant("ay", bytes(value))
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, str):
        return str(value)
    if isinstance(value, collections.abc.Iterable):
        return [plain(item) for item in value]
    return value


# --- the type of a field ---

def is_triple(value):
    return isinstance(value, (list, tuple, Vector)) and len(value) == 3 and all(
        isinstance(item, (int, float)) and not isinstance(item, bool) for item in value)


def kind_of(default, words):
    """A type where the default and what is said of it agree on one; else anything that JSON can say."""
    words = str(words).lower()
    if isinstance(default, bool):
        return "bool"
    if isinstance(default, float):
        return "double"
    if isinstance(default, int):
        if "float" in words or "double" in words:
            return "double"
        return "int64" if words.startswith("int") else "variant"
    if isinstance(default, str):
        return "text" if words.startswith("str") else "variant"
    if isinstance(default, Euler):
        return "euler"
    if is_triple(default) and "vec3" in words:
        return "vec3"
    return "variant"


def fields_of(data, declared):
    """(name, type, unit, words) for each value of `local_data`; the timestamp is the host's."""
    fields = []
    for name, value in data.items():
        if name == "timestamp":
            continue
        known = declared.get(name)
        kind = kind_of(known[0], known[1]) if known is not None else kind_of(value, "")
        # The constructor may have put something else there.
        if not fits(value, kind):
            kind = "variant"
        fields.append((name, kind, "", " ".join(str(known[2]).split()) if known is not None else ""))
    return fields


def fits(value, kind):
    return {"bool": lambda: isinstance(value, bool), "double": lambda: isinstance(value, (int, float)),
            "int64": lambda: isinstance(value, int), "text": lambda: isinstance(value, str),
            "euler": lambda: isinstance(value, Euler), "vec3": lambda: is_triple(value)}.get(kind, lambda: True)()


def schema_of(fields):
    return Orrery.Schema.new_from_variant(GLib.Variant("a(ssss)", fields))


def declared_at(cls, level):
    """What `add_data` declares for a level."""
    return {name: entry for name, entry in collect(cls, "_data_fields").items() if is_at(level, entry[3])}


# --- the record and local_data, kept the same ---

READERS = {"vec3": list, "points": lambda value: [list(row) for row in value],
           "array": list, "mat3": lambda value: [list(row) for row in value],
           "mat4": lambda value: [list(row) for row in value]}
DIRECT = ("double", "int64", "bool")
LARGE = ("buffer", "record")
INLINE = ("vec3", "euler", "quat", "mat3", "mat4")


def read_euler(value):
    return Euler((value.roll, value.pitch, value.yaw))


def read_quat(value):
    return Quaternion((value.w, value.x, value.y, value.z))


READERS.update(euler=read_euler, quat=read_quat)


def to_field(kind, value):
    """As the attribute of a record takes it."""
    if kind == "double":
        return math.nan if value is None else value
    if kind == "vec3":
        return value if type(value) is tuple else tuple(value)
    if kind == "euler":
        return tuple(value) if isinstance(value, Euler) else plain(value)
    if kind == "quat":
        return tuple(value) if isinstance(value, Quaternion) else plain(value)
    return plain(value)


def copy_of(record):
    """The fields of a record as `local_data` has them."""
    view = _records.view_of(record)
    return {name: READERS.get(kind, same)(getattr(view, name))
            for name, kind, _, _ in record.get_schema().to_variant().unpack()}


class Mirror:
    """A record and the dictionary that stands for it: each side takes over what the other has changed."""

    def __init__(self, record, data):
        self.view = _records.view_of(record)
        self.data = data
        kinds = [(name, kind) for name, kind, _, _ in record.get_schema().to_variant().unpack() if name in data]
        self.direct = [name for name, kind in kinds if kind in DIRECT]
        self.others = [(name, kind) for name, kind in kinds if kind not in DIRECT and kind not in LARGE]
        # Seen in the record itself, without a copy.
        self.large = {name: None for name, kind in kinds if kind in LARGE}
        # What is in the record itself, and what it only points at, which may change behind the same address.
        self.inline = [(name, kind) for name, kind in self.others if kind in INLINE]
        self.loose = [(name, kind) for name, kind in self.others if kind not in INLINE]
        self.names = set(data)
        self.last = None
        self.said = {}  # what was last written, of values that cost something to write
        self.stray = set()

    def pull(self):
        """What a message, a modifier or a user of the simulation has written."""
        view, data = self.view, self.data
        if self.last is None or bytes(view) != self.last:
            for name in self.direct:
                data[name] = getattr(view, name)
            for name, kind in self.inline:
                data[name] = READERS[kind](getattr(view, name))
        for name in self.large:
            data[name] = self.large[name] = getattr(view, name)
        for name, kind in self.loose:
            value = READERS.get(kind, same)(getattr(view, name))
            if self.said.get(name, self) != value:
                self.said[name] = plain(value)
                data[name] = value

    def push(self):
        """What the component has computed."""
        view, data = self.view, self.data
        try:
            for name in self.direct:
                setattr(view, name, data[name])
            for name, seen in self.large.items():
                if data[name] is not seen:
                    setattr(view, name, data[name])
                    self.large[name] = data[name]
            for name, kind in self.others:
                value = to_field(kind, data[name])
                if kind in INLINE:
                    setattr(view, name, value)
                elif self.said.get(name, self) != value:
                    setattr(view, name, value)
                    self.said[name] = value
        except KeyError as error:
            raise KeyError("local_data has lost its field %s" % error) from None
        except TypeError as error:
            raise TypeError("local_data['%s']: %s" % (name, error)) from None
        self.last = bytes(view)

    def find_strays(self):
        """Fields that appear in the middle of a run, each once: the record has no place for them."""
        fresh = set(self.data) - self.names - self.stray
        self.stray |= fresh
        return sorted(fresh)


def same(value):
    return value


# --- the record of a component in C, as a dictionary ---

class Fields(collections.abc.MutableMapping):
    """Reads a field when it is asked for; what was read or set is written back at `flush`."""

    def __init__(self, record):
        self._view = _records.view_of(record)
        self._kinds = {name: kind for name, kind, _, _ in record.get_schema().to_variant().unpack()}
        self._held = {}

    def __getitem__(self, name):
        if name in self._held:
            return self._held[name]
        if name == "timestamp":
            return self._view.timestamp
        if name not in self._kinds:
            raise KeyError(name)
        kind = self._kinds[name]
        value = READERS.get(kind, same)(getattr(self._view, name))
        if kind not in ("double", "int64", "bool", "text"):
            self._held[name] = value
        return value

    def __setitem__(self, name, value):
        if name == "timestamp":
            self._view.timestamp = value
        elif name not in self._kinds:
            raise KeyError("the record has no field %s; there is: %s" % (name, ", ".join(self)))
        else:
            self._held[name] = value

    def __delitem__(self, name):
        raise TypeError("%s: the fields of a record stay" % name)

    def __iter__(self):
        return iter(self._view.keys())

    def __len__(self):
        return len(self._view.keys())

    def __contains__(self, name):
        return name in self._kinds or name == "timestamp" and "timestamp" in self._view.keys()

    def flush(self):
        """Writes what was set, or read and perhaps changed in place; then forgets it: others write there, too."""
        held, self._held = self._held, {}
        for name, value in held.items():
            kind = self._kinds[name]
            if kind in ("buffer", "record"):
                continue
            fresh = to_field(kind, value)
            if READERS.get(kind, same)(getattr(self._view, name)) != value:
                setattr(self._view, name, fresh)

    def forget(self):
        self._held.clear()

    def __repr__(self):
        return repr(dict(self))
