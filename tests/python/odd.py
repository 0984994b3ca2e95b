# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that make no sense, and calls with them: for programs whose process no call may end."""

import orrery

# With the first name of it that is used, the package says which version of the typelib is meant.
assert orrery.Simulation
from gi.repository import GLib, GObject, Orrery  # noqa: E402

# They wait, end what others still use, take over descriptors of this process, or read at an address that they are given.
SKIP = ("run", "ref", "unref", "free", "wait", "run_until_signal", "open", "receive", "emit_address", "inspect_module")


def arrays():
    """Of types that nobody asks for."""
    try:
        import numpy
    except ImportError:
        return []
    return [numpy.zeros(3, "c16"), numpy.array([object()]), numpy.zeros((2, 2), "f4")[:, ::-1]]


def values():
    record = orrery.Record.new(orrery.Schema.new_from_variant(GLib.Variant("a(ssss)", [])))
    return [None, 0, -1, 2 ** 31, 2 ** 70, 1.5, float("nan"), "", "robot.pose", "a\0b", b"x", [], [1, 2], ["a"], {},
            object(), lambda *more: None, GLib.Variant("i", 3), GLib.Variant("a{sv}", {}), orrery.Vec3(), record,
            orrery.Buffer.new(orrery.Element.UINT8, [0]), GObject.Object(), 2 ** 63 - 1, -2 ** 63, 1e308, -1e308, *arrays()]


def calls(things):
    """Lists of arguments: none, one value several times, pairs, and a thing with a value."""
    odd = values()
    yield []
    for n in (1, 2, 3, 4):
        for value in odd:
            yield [value] * n
    for value in odd[:10]:
        for other in odd[6:]:
            yield [value, other]
    for thing in things[::6]:
        for value in odd[::5]:
            yield [thing, value]


def methods(thing):
    """Of all classes of the typelib that it is one of."""
    return sorted({name for cls in type(thing).__mro__ if cls.__module__.startswith("gi.repository.Orrery")
                   for name, value in vars(cls).items()
                   if callable(value) and not name.startswith(("_", "do_")) and name not in SKIP})


def virtual(thing):
    """The virtual functions of its classes, which Python calls as `do_name`."""
    return sorted({name for cls in type(thing).__mro__ if cls.__module__.startswith("gi.repository.Orrery")
                   for name, value in vars(cls).items() if name.startswith("do_") and callable(value)})


def functions(thing):
    """Of a class, or of the module itself."""
    names = vars(thing) if isinstance(thing, type) else dir(thing)
    return sorted({name for name in names if not name.startswith(("_", "do_")) and name not in SKIP
                   and not name.isupper() and callable(getattr(thing, name, None))
                   and not isinstance(getattr(thing, name), type)})


def classes():
    """Classes of the typelib, whose functions and methods are called without an object; and the module itself."""
    for name in sorted(dir(Orrery)):
        thing = getattr(Orrery, name)
        if isinstance(thing, type) and not name.endswith(("Class", "Interface", "Private")):
            yield thing
    yield Orrery


def abuse(things, list_methods=methods, beside=None, say=print):
    """Calls every method of each with all of these; says each before, so that the last line names what ends the process.
    How many calls raised something."""
    refused = 0
    for thing in things:
        for name in list_methods(thing):
            say(getattr(thing, "__name__", type(thing).__name__), name, flush=True)
            for arguments in calls(things if beside is None else beside):
                try:
                    getattr(thing, name)(*arguments)
                except Exception:
                    refused += 1
    return refused
