# SPDX-License-Identifier: BSD-3-Clause
"""Modules that a script imports and that cannot be found: it goes on, so that all that it lacks is reported at once.

What nothing uses is a warning. An import that the script guards itself, by `try` and `except ImportError`, fails as ever.
"""

from __future__ import annotations

import ast
import functools
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any, Iterator, List, Optional, Tuple

from . import names, session
from .errors import MissingError

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # our own package
LIBRARY = os.path.dirname(os.__file__) + os.sep  # Python's own, and what is installed beside it
GUARDS = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
WHERE = "modules are looked for beside the script, in MORSE_RESOURCE_PATH and PYTHONPATH"


@functools.lru_cache(maxsize=None)
def _imports(path: str) -> List[Tuple[int, int, bool]]:
    """First and last line of each import in the file, and whether an `except` waits for its failure."""
    found: List[Tuple[int, int, bool]] = []

    def walk(node: ast.AST, guarded: bool) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append((node.lineno, node.end_lineno or node.lineno, guarded))
        if isinstance(node, ast.Try):
            inside = guarded or any(_catches(handler.type) for handler in node.handlers)
            for statement in node.body:
                walk(statement, inside)
            rest: List[ast.AST] = [*node.handlers, *node.orelse, *node.finalbody]
            for part in rest:
                walk(part, guarded)
            return
        for child in ast.iter_child_nodes(node):
            walk(child, guarded)

    try:
        with open(path, "rb") as stream:
            walk(ast.parse(stream.read()), False)
    except (OSError, SyntaxError, ValueError):
        return []
    return found


def _catches(kind: Optional[ast.expr]) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(getattr(each, "id", getattr(each, "attr", "")) in GUARDS for each in kinds)


def _asking() -> Optional[types.FrameType]:
    """The frame of the user's whose import statement is under way, if nothing there waits for its failure."""
    frame: Optional[types.FrameType] = sys._getframe(1)
    while frame is not None and (
        frame.f_code.co_filename == __file__ or frame.f_code.co_filename.startswith("<frozen ")
    ):
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename.startswith((LIBRARY, ROOT)):
        return None
    if session.is_ours(frame.f_code.co_filename) or "dist-packages" in frame.f_code.co_filename:
        return None
    for first, last, guarded in _imports(frame.f_code.co_filename):
        if first <= frame.f_lineno <= last:
            return None if guarded else frame
    return None


class Absent:
    """A name of a module that cannot be found; whatever is done with it counts as its use."""

    def __init__(self, module: str) -> None:
        self.__dict__["_module"] = module

    def _use(self, *args: Any, **kwargs: Any) -> Any:
        note(self.__dict__["_module"])
        return self

    def __getattr__(self, name: str) -> Any:
        return _member(self.__dict__["_module"], name)

    def __iter__(self) -> Iterator[Any]:
        self._use()
        return iter(())

    def __bool__(self) -> bool:
        self._use()
        return False

    def __len__(self) -> int:
        self._use()
        return 0

    def __mro_entries__(self, bases: Any) -> Tuple[type, ...]:
        self._use()
        return ()

    __call__ = __getitem__ = __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = _use
    __enter__ = __exit__ = __setitem__ = __setattr__ = _use


def _member(module: str, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name[0].isupper():
        return names.placeholder(name, words(module))
    return Absent(module)


class Module(types.ModuleType):
    """A module that cannot be found."""

    __path__: List[str] = []

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return []
        return _member(self.__name__, name)


class Finder(MetaPathFinder, Loader):
    """The last one asked."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """For a module that no other finder has, if a script says `import` and nothing else about it."""
        if name.partition(".")[0] in ("morse", "orrery"):
            return None
        # Packages add finders of their own when they are imported.
        for other in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            spec = other.find_spec(name, path, target)
            if spec is not None:
                return spec
        frame = _asking()
        if frame is None:
            return None
        session.current().absent.setdefault(name, (frame.f_code.co_filename, frame.f_lineno))
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        """What stands for it."""
        return Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing to run."""


def words(module: str) -> str:
    """What to say of a module that cannot be found."""
    return "no module %s: %s" % (module, WHERE)


def note(module: str) -> None:
    """Something uses the module: it is missing."""
    state = session.current()
    state.miss(MissingError(words(module), state.absent.get(module)))


def end(with_all: bool = False) -> None:
    """Tells of the modules that were not used, or takes them for missing, too.

    Where something else is missing they are told with it.
    """
    state = session.current()
    missing = [str(error) for error in state.missing]
    for module, origin in state.absent.items():
        if any(other.startswith(module + ".") for other in state.absent):
            continue  # only the module below it was asked for
        if with_all:
            note(module)
        elif words(module) in missing:
            continue
        elif missing:
            state.miss(MissingError("no module %s; nothing uses it" % module, origin))
        else:
            state.warn(("import", module), "no module %s; nothing uses it" % module, origin)


def install() -> None:
    """For the script of this process."""
    sys.meta_path.append(Finder())
