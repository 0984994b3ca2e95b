# SPDX-License-Identifier: BSD-3-Clause
"""Runs a script as Python itself would, and tells what went wrong in its own words."""

import os
import re
import sys
import traceback
import types

from . import classes, session
from .errors import (
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_MISSING,
    EXIT_SCRIPT,
    BuilderError,
    NoFileError,
    hint,
)

LIBRARY = os.path.dirname(os.__file__) + os.sep  # Python's own, and what is installed beside it
NAMESPACES = ("orrery.builder", "morse.builder")


class ScriptExit(Exception):
    """The script asked to end, and not well: nothing is written."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def run(path, arguments):
    """Executes the script to its end, then completes the scene; `path` is as the user wrote it."""
    code = _compile(path)
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    sys.argv = [path, "--"] + list(arguments)
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    try:
        exec(code, module.__dict__)
    except SystemExit as error:
        if error.code not in (None, 0):
            raise ScriptExit(error.code) from None
    _finish(path)


def _compile(path):
    try:
        with open(path, "rb") as stream:
            return compile(stream.read(), path, "exec", dont_inherit=True)
    except OSError as error:
        raise NoFileError("%s: %s" % (path, error.strerror)) from None
    except SyntaxError as error:
        raise BuilderError("syntax error: %s" % error.msg, (path, error.lineno or 0)) from error
    except ValueError as error:  # a NUL, before Python 3.12
        raise BuilderError("syntax error: %s" % error, (path, 0)) from None


def _finish(path):
    environment = session.current().environment
    if environment is None:
        raise BuilderError(
            "the script makes no Environment; one line does: env = Environment('empty')", (path, 0)
        )
    environment.finish()


def report(error):
    """Tells of the error on stderr: a line with place and reason, then the script's traceback.

    Returns the exit code.
    """
    if isinstance(error, ScriptExit):
        return _report_exit(error.code)
    if isinstance(error, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    if not _is_explained(error):
        traceback.print_exception(type(error), error, error.__traceback__)
        return EXIT_INTERNAL
    code, reason = _judge(error)
    print(_place(error) + reason, file=sys.stderr)
    if _own_frames(error):
        sys.stderr.write("".join(_traceback(error)))
    return code


def _is_explained(error):
    """Whether the mistake is the script's: what happens between our own frames only is not."""
    return isinstance(error, (BuilderError, SyntaxError)) or bool(_own_frames(error))


def _report_exit(code):
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return EXIT_SCRIPT


def _judge(error):
    """The exit code and the reason in words."""
    if isinstance(error, BuilderError):
        return error.exit_code, str(error)
    missing = _missing_class(error)
    if missing is not None:
        return EXIT_MISSING, missing
    if isinstance(error, SyntaxError):
        return EXIT_SCRIPT, "syntax error: %s" % error.msg
    return EXIT_SCRIPT, "%s: %s" % (type(error).__name__, error)


def _missing_class(error):
    """What to say if the script names a class that no plugin has; None if it is another mistake."""
    name = None
    if isinstance(error, NameError):
        name = _quoted(r"name '(\w+)' is not defined", error)
    elif isinstance(error, ImportError) and (error.name or "").startswith(NAMESPACES):
        name = _quoted(r"cannot import name '(\w+)'", error)
    elif isinstance(error, AttributeError) and str(error).startswith("no class "):
        return str(error)
    if name is None or not name[0].isupper():
        return None
    return "no class %s among the plugins%s" % (name, hint(name, classes.names()))


def _quoted(pattern, error):
    found = re.match(pattern, str(error))
    return found.group(1) if found else None


def _place(error):
    """`file:line: ` of the mistake, as far as it is known."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%d: " % (error.filename, error.lineno or 0)
    where = getattr(error, "origin", None)
    frames = _own_frames(error)
    if where is None and frames:
        written = [frame for frame in frames if not frame.filename.startswith(LIBRARY)] or frames
        where = (written[-1].filename, written[-1].lineno)
    if where is None:
        return ""
    return "%s:%d: " % where if where[1] else "%s: " % where[0]


def _own_frames(error):
    """The frames of the traceback that are the script's, not ours."""
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not session.is_ours(frame.filename)
    ]


def _traceback(error):
    told = traceback.TracebackException.from_exception(error)
    part = told
    while part is not None:
        part.stack = traceback.StackSummary.from_list(
            [frame for frame in part.stack if not session.is_ours(frame.filename)]
        )
        part = part.__cause__ or part.__context__
    return told.format()
