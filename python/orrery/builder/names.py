# SPDX-License-Identifier: BSD-3-Clause
"""Unknown names in a script, found before it runs, so that all are reported at once."""

from __future__ import annotations

import ast
import builtins
from typing import Any, Dict, Iterator, List, Optional, Tuple, Type

from . import classes, session
from .abstractcomponent import AbstractComponent
from .errors import MissingError, hint

#: The packages whose names are the builder's.
NAMESPACES = ("orrery.builder", "morse.builder")


def no_class(name: str) -> str:
    """What to say of a class that there is not."""
    import orrery.builder as builder

    own = [known for known in builder._OWN + builder.blenderobjects.__all__ if known[0].isupper()]
    return "no class %s among the plugins%s" % (name, hint(name, classes.listed() + own))


def unbound(tree: ast.Module) -> List[str]:
    """Capitalised names that the script uses and that nothing in it binds, in their order.

    Empty where it takes names from another package by a star: what these are is not known.
    """
    stars = [node.module or "" for node in _imports(tree) if node.names[0].name == "*"]
    if not stars or not all(module.startswith(NAMESPACES) for module in stars):
        return []
    bound = set(_bound(tree)) | set(dir(builtins)) | set(_builder_names())
    used = [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    return [name for name in dict.fromkeys(used) if name[0].isupper() and name not in bound]


def missing_imports(tree: ast.Module) -> Iterator[Tuple[str, int]]:
    """Names of classes that the script imports from the builder and that are not there, by line."""
    for node in _imports(tree):
        if (node.module or "").startswith(NAMESPACES):
            for alias in node.names:
                if alias.name[0].isupper() and alias.name not in _builder_names():
                    yield alias.name, node.lineno


def placeholder(name: str, words: Optional[str] = None) -> Type[AbstractComponent]:
    """What stands for a class that there is not, until the script has ended; `words` say so."""

    class Unknown(AbstractComponent):
        """Takes whatever is done with it."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            session.current().miss(MissingError(words or no_class(name)))
            super().__init__()
            self.is_lost = True

        def __init_subclass__(cls, **kwargs: Any) -> None:
            session.current().miss(MissingError(words or no_class(name)))

        def __getattr__(self, attribute: str) -> Any:
            if attribute.startswith("_"):
                raise AttributeError(attribute)
            return lambda *args, **kwargs: None

    Unknown.__name__ = Unknown.__qualname__ = name
    return Unknown


def _builder_names() -> List[str]:
    import orrery.builder as builder

    names: List[str] = builder.__dir__()
    return names


def _imports(tree: ast.Module) -> List[ast.ImportFrom]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name


def placeholders(tree: ast.Module) -> Dict[str, Type[AbstractComponent]]:
    """One for each name that is unbound."""
    return {name: placeholder(name) for name in unbound(tree)}
