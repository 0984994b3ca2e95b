# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong in code of users, as errors of the host: with the file and the line of that code."""

import dis
import os

from gi.repository import GLib

HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep

# Ctrl-C or sys.exit() while code of a part runs: kept here, so that step() can raise it in its caller.
interrupted = None


class Failed(Exception):
    """Raised by a service that says no: callers get the words as they are, without a place in a file."""


def _frames(error):
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def find_place(error, file=None):
    """`FILE:LINE` of the innermost line of `file`, or of any file that is not of this package; "" if there is none."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%d" % (error.filename, error.lineno or 0)
    frames = [frame for frame in _frames(error) if not os.path.abspath(frame[0]).startswith(HERE)
              and not frame[0].startswith("<frozen")]
    own = [frame for frame in frames if file and os.path.realpath(frame[0]) == os.path.realpath(file)]
    for name, line in reversed(own or frames):
        return "%s:%d" % (name, line)
    return ""


def _find_stored_field(error):
    """The record and the name of its field, if the exception is of an assignment `record.field = value`; or None.

    Writing to a field is done by ctypes, whose exceptions name no field, in a few nanoseconds.
    """
    # This module serves programs that have no library, too.
    from . import _records

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return None
    names = [item.argval for item in dis.get_instructions(trace.tb_frame.f_code)
             if item.offset == trace.tb_lasti and item.opname == "STORE_ATTR"]
    views = [value for value in trace.tb_frame.f_locals.values() if isinstance(value, _records.RecordView)]
    return (views[0], names[0]) if names and views else None


def _say(error):
    words = " ".join(error.msg.split()) if isinstance(error, SyntaxError) and error.msg else " ".join(str(error).split())
    stored = _find_stored_field(error) if isinstance(error, (AttributeError, TypeError)) else None
    if stored is None:
        return words
    record, name = stored
    if name not in record.keys():
        from gi.repository import Orrery

        return "no field %s%s" % (name, Orrery.nearest_names(name, record.keys()))
    return words if words.startswith(name + ":") else "%s: %s" % (name, words)


def describe(error):
    """An exception in one line, as the last one of its traceback."""
    words = _say(error)
    name = type(error).__name__
    return "%s: %s" % (name, words) if words else name


def to_error(error, code, domain, file=None, keep=True):
    """Any exception as the GLib.Error that stands for it in C; what is one keeps its code, unless `keep` is false."""
    global interrupted
    if isinstance(error, Failed):
        return GLib.Error.new_literal(domain, str(error), code)
    if isinstance(error, KeyboardInterrupt):
        interrupted = error
    # A function that takes other arguments than it is called with has no line of its own in the traceback.
    place = find_place(error, file) or (file if isinstance(error, TypeError) and file else "")
    if isinstance(error, GLib.Error) and GLib.quark_from_string(error.domain):
        words = error.message
        if keep:
            domain, code = GLib.quark_from_string(error.domain), error.code
    else:
        words = describe(error)
    return GLib.Error.new_literal(domain, "%s: %s" % (place, words) if place else words, code)


def warn(message):
    """A line of the log, where C has nobody to tell."""
    GLib.log_variant("orrery", GLib.LogLevelFlags.LEVEL_WARNING,
                     GLib.Variant("a{sv}", {"MESSAGE": GLib.Variant("s", message)}))


def raise_interrupt():
    """After the library has returned: what Python itself would have done."""
    global interrupted
    if interrupted is not None:
        escaped, interrupted = interrupted, None
        raise escaped if isinstance(escaped, SystemExit) else KeyboardInterrupt
