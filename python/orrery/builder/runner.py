# SPDX-License-Identifier: BSD-3-Clause
"""Runs a script as Python itself would, and tells what went wrong in its own words."""

from __future__ import annotations

import ast
import os
import re
import sys
import traceback
import types
from typing import Any, Iterator, List, NoReturn, Optional, Tuple

from . import classes, imports, models, names, patience, session
from .errors import (
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_MISSING,
    EXIT_SCRIPT,
    BuilderError,
    MissingError,
    MissingList,
    NoFileError,
    hint,
)

LIBRARY = os.path.dirname(os.__file__) + os.sep  # Python's own, and what is installed beside it
#: What a script of MORSE says, also one that Python cannot read.
OF_MORSE = re.compile(rb"^[ \t]*(?:from|import)[ \t]+morse\b", re.MULTILINE)


class ScriptExit(Exception):
    """The script asked to end, and not well: nothing is written."""

    def __init__(self, code: Any, origin: Optional[Tuple[str, int]]) -> None:
        super().__init__(code)
        self.code = code
        self.origin = origin


class Arguments(List[str]):
    """`sys.argv` of a script, as if Python itself ran it: its name, then its options.

    Scripts of MORSE look for theirs behind a `--`, which Blender's command line has. It is found,
    in front of the options, and is none of the entries.
    """

    def __contains__(self, item: object) -> bool:
        return item == "--" or super().__contains__(item)

    def index(self, item: Any, *limits: Any) -> int:
        """The place of an entry; of a `--` that nobody wrote, that before the options."""
        if item == "--" and not limits and not super().__contains__(item):
            return 0
        return super().index(item, *limits)


def run(path: str, arguments: List[str]) -> None:
    """Executes the script to its end, then completes the scene; `path` is as the user wrote it."""
    tree, code = _compile(path)
    module = types.ModuleType("__main__")
    module.__file__ = path
    module.__dict__.update(names.placeholders(tree))
    sys.modules["__main__"] = module
    sys.argv = Arguments([path, *arguments])
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]  # the current directory
    sys.path[:0] = [os.path.dirname(os.path.realpath(path))] + models.resource_directories()
    session.current().paths = list(sys.path)
    ended = None
    try:
        with patience.Patience(path):
            exec(code, module.__dict__)
    except SystemExit as error:
        ended = _find_exit(error)
        if error.code not in (None, 0):
            raise ScriptExit(error.code, ended) from None
    except Exception as error:
        _raise_all(error, tree, path)
    imports.end()
    session.current().check_missing()
    _finish(path, ended)
    session.current().check_missing()


def _compile(path: str) -> Tuple[ast.Module, types.CodeType]:
    try:
        with open(path, "rb") as stream:
            tree = ast.parse(stream.read(), path)
        return tree, compile(tree, path, "exec", dont_inherit=True)
    except FileNotFoundError:
        raise NoFileError("%s: there is no such file" % path) from None
    except OSError as error:
        raise NoFileError("%s: %s" % (path, error.strerror)) from None
    except SyntaxError as error:
        raise BuilderError("syntax error: %s%s" % (error.msg, _other_kind(path)), (path, error.lineno or 0)) from error
    except ValueError as error:  # a NUL, before Python 3.12
        raise BuilderError("syntax error: %s%s" % (error, _other_kind(path)), (path, 0)) from None


def _other_kind(path: str) -> str:
    """The end of a message about what Python cannot read: why it is asked, if the name says nothing of it."""
    if path.endswith(".py"):
        return ""
    return "; it was taken for a builder script in Python, as what is no .json, no directory and no model"


def _raise_all(error: Exception, tree: ast.Module, path: str) -> NoReturn:
    """Raises what ended the script; what it lacks besides is told with it."""
    state = session.current()
    imports.end(with_all=True)
    reason = _missing_class(error)
    if reason is not None:
        _note(MissingError(reason), error)
        for name, line in _other_imports(error, tree):
            _note(MissingError(names.no_class(name), (path, line)), error)
        state.check_missing()
    if isinstance(error, MissingError):
        _note(error, error)
        state.check_missing()
    raise error


def _other_imports(error: Exception, tree: ast.Module) -> Iterator[Tuple[str, int]]:
    return names.missing_imports(tree) if isinstance(error, ImportError) else iter(())


def _note(missing: MissingError, error: Exception) -> None:
    frames = _own_frames(error)
    if missing.origin is None:
        missing.origin = _find_origin(error)
    session.current().miss(missing)
    missing.frames = frames


def _find_exit(error: SystemExit) -> Optional[Tuple[str, int]]:
    """Where the script ended itself; None if a module of Python did, as argparse, which says why."""
    frames = [frame for frame in _own_frames(error) if not frame.filename.startswith("<frozen ")]
    if not frames or frames[-1].filename.startswith(LIBRARY):
        return None
    return frames[-1].filename, frames[-1].lineno or 0


def _finish(path: str, ended: Optional[Tuple[str, int]]) -> None:
    """`ended`: where the script ended itself before its last line."""
    environment = session.current().environment
    if environment is None and ended is not None:
        raise BuilderError("the script ends itself here, and has made no Environment before", ended)
    if environment is None:
        raise BuilderError(
            "the script makes no Environment; one line does: env = Environment('empty')", (path, 0)
        )
    environment.finish()


# What is told

def report(error: BaseException, debug: bool = False) -> int:
    """Tells of the error on stderr: a line with place and reason, and who called that place.

    What else the script lacks follows, a line for each; `debug`: Python's traceback comes first.
    Returns the exit code.
    """
    if isinstance(error, ScriptExit):
        return _report_exit(error)
    if isinstance(error, KeyboardInterrupt):
        print("%sinterrupted" % _place(error), file=sys.stderr)
        return EXIT_INTERRUPTED
    if debug:
        traceback.print_exception(type(error), error, error.__traceback__)
    if not _is_explained(error):
        words = traceback.format_exception_only(type(error), error)[-1].strip()
        more = "" if debug else "; --debug shows where"
        print("the builder failed, not the script: %s%s" % (words, more), file=sys.stderr)
        return EXIT_INTERNAL
    if isinstance(error, MissingList):
        for each in error.errors:
            print(_place(each) + str(each), file=sys.stderr)
        return error.exit_code
    return _report_one(error)


def is_of_morse(path: str) -> bool:
    """Whether the script that was run is one of MORSE's: by what it imported, or what it says."""
    if session.current().is_morse:
        return True
    try:
        with open(path, "rb") as stream:
            return OF_MORSE.search(stream.read()) is not None
    except OSError:
        return False


def _report_one(error: BaseException) -> int:
    code, reason = _judge(error)
    print(_place(error) + reason, file=sys.stderr)
    for line in _callers(error):
        print(line, file=sys.stderr)
    for each in session.current().missing:
        if each is not error:
            print(_place(each) + str(each), file=sys.stderr)
    return code


def _callers(error: BaseException) -> Iterator[str]:
    """The way from the script to the place that was told, and what the error came of."""
    frames = getattr(error, "frames", None) or _own_frames(error)
    place = _find_origin(error)
    if isinstance(error, SyntaxError) and error.filename:
        place = (error.filename, error.lineno or 0)
    for frame in reversed(frames):
        if (frame.filename, frame.lineno) != place and not frame.filename.startswith(LIBRARY):
            yield "    called at %s:%d, in %s" % (frame.filename, frame.lineno or 0, frame.name)
    cause = error.__cause__
    if cause is not None and not isinstance(error, BuilderError):
        yield "    because of %s%s: %s" % (_place(cause), type(cause).__name__, cause)


def _is_explained(error: BaseException) -> bool:
    """Whether the mistake is the script's: what happens between our own frames only is not."""
    return isinstance(error, (BuilderError, SyntaxError)) or bool(_own_frames(error))


def _report_exit(error: ScriptExit) -> int:
    if isinstance(error.code, int):
        if error.origin is not None:
            print("%s:%d: the script ended itself with exit code %d" % (*error.origin, error.code), file=sys.stderr)
        return error.code
    print(error.code, file=sys.stderr)
    return EXIT_SCRIPT


def _judge(error: BaseException) -> Tuple[int, str]:
    """The exit code and the reason in words, with what to do about it where that is known."""
    if isinstance(error, BuilderError):
        return error.exit_code, str(error)
    if isinstance(error, SyntaxError):
        return EXIT_SCRIPT, "syntax error: %s" % error.msg
    return EXIT_SCRIPT, "%s: %s%s" % (type(error).__name__, error, _remedy(error))


def _remedy(error: BaseException) -> str:
    """What helps against a mistake of Python's own kinds; empty where nothing is known."""
    if isinstance(error, ModuleNotFoundError):
        return "; " + imports.WHERE
    if isinstance(error, NameError):
        name = _quoted(r"name '(\w+)' is not defined", error)
        if name is not None and name in names._builder_names():
            return "; the builder's names come by: from morse.builder import *"
    if isinstance(error, AttributeError) and session.is_builders(getattr(error, "obj", None)):
        known = [word for word in dir(error.obj) if not word.startswith("_")]
        return hint(error.name or "", known)
    if isinstance(error, FileNotFoundError):
        return "; paths are relative to the directory in which orrery was started"
    return ""


def _missing_class(error: BaseException) -> Optional[str]:
    """What to say if the script names a class that no plugin has; None if it is another mistake."""
    name = None
    if isinstance(error, NameError):
        name = _quoted(r"name '(\w+)' is not defined", error)
    elif isinstance(error, ImportError) and (error.name or "").startswith(names.NAMESPACES):
        name = _quoted(r"cannot import name '(\w+)'", error)
    elif isinstance(error, AttributeError) and str(error).startswith("no class "):
        return str(error)
    if name is None or not name[0].isupper() or name in names._builder_names():
        return None if not isinstance(error, ImportError) or name is None else _of_role(name)
    return names.no_class(name)


def _of_role(name: str) -> str:
    """A class that is there, but not in the module that was asked."""
    return "no class %s among the plugins%s" % (name, hint(name, classes.listed()))


def _quoted(pattern: str, error: BaseException) -> Optional[str]:
    found = re.match(pattern, str(error))
    return found.group(1) if found else None


def _place(error: BaseException) -> str:
    """`file:line: ` of the mistake, as far as it is known."""
    if isinstance(error, SyntaxError) and error.filename:
        return "%s:%d: " % (error.filename, error.lineno or 0)
    where = _find_origin(error)
    if where is None:
        return ""
    return "%s:%d: " % where if where[1] else "%s: " % where[0]


def _find_origin(error: BaseException) -> Optional[Tuple[str, int]]:
    where: Optional[Tuple[str, int]] = getattr(error, "origin", None)
    frames = _own_frames(error)
    if where is None and frames:
        written = [frame for frame in frames if not frame.filename.startswith(LIBRARY)] or frames
        where = (written[-1].filename, written[-1].lineno or 0)
    return where


def _own_frames(error: BaseException) -> List[traceback.FrameSummary]:
    """The frames of the traceback that are the script's, not ours."""
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not session.is_ours(frame.filename)
    ]
