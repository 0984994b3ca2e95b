# SPDX-License-Identifier: BSD-3-Clause
"""From places in the files of a scene back to the lines of the script that said what stands there.

The table is a text beside the scene, for the program that built it: `FILE LINE COLUMN PLACE` in
each line, in the order of the files; PLACE holds from there on, up to the next one.
"""

from __future__ import annotations

import ast
import bisect
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from . import session
from .session import Origin

FILE = "origins.txt"


class Said(Dict[str, Any]):
    """A part of the scene that knows where it was said: as a whole, and by its keys."""

    origin: Optional[Origin] = None
    origins: Dict[str, Optional[Origin]] = {}


def said(
    value: Dict[str, Any], origin: Optional[Origin], origins: Optional[Dict[str, Any]] = None
) -> Said:
    """The value with its places."""
    marked = Said(value)
    marked.origin, marked.origins = origin, origins or {}
    return marked


class Row(NamedTuple):
    """From this line and column on, both from 1."""

    line: int
    column: int
    origin: Origin


def rows_of_config(text: str, names: Dict[str, Origin]) -> List[Row]:
    """The rows of component_config.py; `names` has the origin of each full name."""
    lines = text.split("\n")
    rows = []
    for statement in ast.parse(text).body:
        assert isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        for node, origin in _entries(statement.targets[0].id, statement.value, names):
            before = lines[node.lineno - 1].encode("utf-8")[: node.col_offset]
            rows.append(Row(node.lineno, len(before.decode("utf-8")) + 1, origin))
    return sorted(rows)


def _entries(
    table: str, value: ast.expr, names: Dict[str, Origin]
) -> Iterator[Tuple[ast.expr, Origin]]:
    """What stands in a table, and where that was said."""
    known = {_named(key): where for key, where in session.current().origins.items()}
    for name, key, node in _items(value):
        if table == "overlays":
            for component, key, _ in _items(node):
                yield from _entry(key, known.get((table, name, component)), names.get(component))
            continue
        yield from _entry(key, known.get((table, name)), names.get(name))
        for i, item in enumerate(getattr(node, "elts", ())):
            yield from _entry(item, known.get((table, name, i)), names.get(name))


def _entry(
    node: ast.expr, own: Optional[Origin], component: Optional[Origin]
) -> Iterator[Tuple[ast.expr, Origin]]:
    origin = own or component
    if origin is not None:
        yield node, origin


def _items(value: ast.expr) -> Iterator[Tuple[str, ast.expr, ast.expr]]:
    assert isinstance(value, ast.Dict)
    for key, node in zip(value.keys, value.values):
        assert key is not None
        yield str(ast.literal_eval(key)), key, node


def _named(key: Tuple[Any, ...]) -> Tuple[Any, ...]:
    return tuple(getattr(word, "name", word) for word in key)


def to_text(files: Dict[str, List[Row]]) -> str:
    """The table of these files."""
    return "".join(
        "%s %d %d %s:%d\n" % (name, row.line, row.column, *row.origin)
        for name, rows in files.items()
        for row in rows
        if "\n" not in row.origin[0]
    )


def map_places(text: str, directory: str, files: Dict[str, List[Row]]) -> str:
    """The message with places in the script for those in the directory's files."""

    def place(found: re.Match[str]) -> str:
        rows = files.get(found.group(1), [])
        i = bisect.bisect_right(rows, (int(found.group(2)), int(found.group(3)) + 1)) - 1
        return "%s:%d: " % rows[i].origin if i >= 0 else found.group(0)

    return re.sub(re.escape(directory) + r"/([\w.]+):(\d+):(\d+): ", place, text)
