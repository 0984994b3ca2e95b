# SPDX-License-Identifier: BSD-3-Clause
"""The typelib, found beside this package; variants as values, and memory of the library as arrays."""

import collections.abc
import os
import shutil
import sys

try:
    import gi
except ImportError as problem:
    raise ImportError("%s cannot import PyGObject (%s), which simulations need: Debian's python3-gi installs it for "
                      "/usr/bin/python3, and a virtual environment finds it there if it was made with "
                      "--system-site-packages" % (sys.executable, problem), name=problem.name) from None

gi.require_version("GIRepository", "2.0")
from gi.repository import GIRepository, GLib  # noqa: E402

TYPELIB = os.path.join("girepository-1.0", "Orrery-1.typelib")


def directories_of(prefix):
    """Where the library of an installation is, or that of a build tree."""
    try:
        with open(os.path.join(prefix, "share", "orrery-1", "libdir"), encoding="utf-8") as file:
            yield os.path.normpath(os.path.join(prefix, file.read().strip()))
    except OSError:
        yield os.path.join(prefix, "lib")


def library_directories():
    """lib/ of the prefix that this package lies in: PREFIX/share/orrery-1/python/orrery, or a link to it. If pip has
    installed the package, it is in no such place, and the prefix is that of the program."""
    for path in (os.path.abspath(__file__), os.path.realpath(__file__)):
        yield from directories_of(os.path.normpath(os.path.join(os.path.dirname(path), "..", "..", "..", "..")))
    program = shutil.which("orrery")
    if program:
        place = os.path.dirname(os.path.realpath(program))
        yield from directories_of(os.path.dirname(place))
        yield from directories_of(place)


def find_typelib():
    """Without one of ours, GObject Introspection looks where it always does."""
    for directory in library_directories():
        if os.path.exists(os.path.join(directory, TYPELIB)):
            GIRepository.Repository.prepend_search_path(os.path.join(directory, os.path.dirname(TYPELIB)))
            GIRepository.Repository.prepend_library_path(directory)
            return


find_typelib()
try:
    gi.require_version("Orrery", "1")
except ValueError:
    raise ImportError("the library of Orrery is not installed, or not found: no %s in %s, nor where GObject "
                      "Introspection looks (GI_TYPELIB_PATH); Debian's package gir1.2-orrery-1 has it, which "
                      "`./bootstrap deb` makes in a clone of Orrery, and so does `make install`, with the program "
                      "`orrery` of its prefix in PATH" % (
                          TYPELIB, ", ".join(dict.fromkeys(library_directories()))), name="orrery") from None
from gi.repository import Orrery  # noqa: E402


def find_version():
    """That of this package if pip has installed it, by what lies beside it; else None: it came with the library."""
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for name in os.listdir(beside):
        kind, _, version = name.removesuffix(".dist-info").partition("-")
        if name.endswith(".dist-info") and kind == "orrery":
            return version
    return None


def check_version(own, library):
    """The package and the library call each other by what both of one version have."""
    if own not in (None, library):
        raise ImportError("the Python package orrery has the version %s, by pip in %s, and the library of Orrery that "
                          "it found has the version %s: install one of them in the version of the other, or remove "
                          "the package (`pip uninstall orrery`), since the library brings its own" % (
                              own, os.path.dirname(os.path.abspath(__file__)), library), name="orrery")


check_version(find_version(), Orrery.VERSION)


def to_variant(value):
    """What JSON can say, as the variant that services take; variants stay what they are."""
    if isinstance(value, GLib.Variant):
        return value
    if value is None:
        return GLib.Variant("mv", None)
    if isinstance(value, bool):
        return GLib.Variant("b", value)
    if isinstance(value, int):
        return GLib.Variant("x", value)
    if isinstance(value, str):
        return GLib.Variant("s", value)
    if hasattr(value, "__index__"):
        return GLib.Variant("x", value.__index__())
    if isinstance(value, collections.abc.Mapping):
        return GLib.Variant("a{sv}", {str(key): to_variant(item) for key, item in value.items()})
    if isinstance(value, collections.abc.Iterable):
        return GLib.Variant("av", [to_variant(item) for item in value])
    return GLib.Variant("d", float(value))


def from_variant(value):
    return None if value is None else value.unpack()


class View:
    """Lends the memory of a buffer to NumPy and keeps the buffer alive as long as it is looked at."""

    KINDS = {"uint8": "|u1", "int8": "|i1", "uint16": "<u2", "int16": "<i2", "uint32": "<u4", "int32": "<i4",
             "uint64": "<u8", "int64": "<i8", "float": "<f4", "double": "<f8"}

    def __init__(self, buffer):
        self.buffer = buffer
        shape = tuple(buffer.get_length(i) for i in range(buffer.get_n_dimensions()))
        self.__array_interface__ = {"version": 3, "shape": shape, "data": (buffer.get_address(), True),
                                    "typestr": self.KINDS[buffer.get_element().value_nick]}


def look_at(buffer):
    """A NumPy array over the buffer, without a copy; None without NumPy or for an empty buffer."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy.asarray(View(buffer)) if buffer.get_size() > 0 else None
