# SPDX-License-Identifier: BSD-3-Clause
"""Writes a scene: both files or none."""

from __future__ import annotations

import errno
import json
import os
from typing import Any, Dict, List, Optional, Tuple

from . import origins, session
from .configuration import Configuration
from .environment import describe_scene
from .errors import OutputError
from .origins import Row
from .session import Origin

SCENE = "scene.json"
CONFIG = "component_config.py"
#: For the program that built it: where the script has modules looked for, a directory a line.
PATHS = "python_path.txt"
#: The same, of a script of MORSE that failed: tools of MORSE wait for a line.
MARK = "script_of_morse.txt"
WIDTH = 100


def render() -> Dict[str, str]:
    """The text of each file, by name; the scene last, since it refers to the other."""
    return _compose()[0]


def _compose() -> Tuple[Dict[str, str], Dict[str, List[Row]]]:
    """The files, and where in the script it was said what stands in them."""
    config, scene = Configuration.write_config(), Json()
    scene.write(describe_scene())
    places = {component.name: component.origin for component in session.current().components}
    known = {name: where for name, where in places.items() if where is not None}
    rows = {CONFIG: origins.rows_of_config(config, known), SCENE: scene.rows}
    return {CONFIG: config, SCENE: "".join(scene.parts) + "\n"}, rows


class Json:
    """JSON with one member per line, save for what fits on a line and holds no object."""

    def __init__(self) -> None:
        self.parts: List[str] = []
        self.rows: List[Row] = []
        self._line = 1

    def write(self, value: Any, indent: str = "", origin: Optional[Origin] = None) -> None:
        """Adds a value, which was said at `origin` if it does not know better."""
        if isinstance(value, dict) and value:
            self._write_members(value, indent, getattr(value, "origin", None) or origin)
            return
        flat = json.dumps(value, allow_nan=False)
        if not isinstance(value, list) or (len(flat) + len(indent) <= WIDTH and "{" not in flat):
            self.parts.append(flat)
            return
        for i, item in enumerate(value):
            self._begin_line("[" if i == 0 else ",", indent + "  ", getattr(item, "origin", origin))
            self.write(item, indent + "  ", origin)
        self._begin_line("", indent, origin)
        self.parts.append("]")

    def _write_members(self, value: Dict[str, Any], indent: str, origin: Optional[Origin]) -> None:
        origins = getattr(value, "origins", {})
        for i, (key, item) in enumerate(value.items()):
            where = origins.get(key) or origin
            self._begin_line("," if i else "{", indent + "  ", where)
            self.parts.append(json.dumps(key) + ": ")
            self.write(item, indent + "  ", where)
        self._begin_line("", indent, origin)
        self.parts.append("}")

    def _begin_line(self, end: str, indent: str, origin: Optional[Origin]) -> None:
        """Ends a line, and begins one that was said at `origin`."""
        self.parts.append("%s\n%s" % (end, indent))
        self._line += 1
        if origin is not None and (not self.rows or self.rows[-1].origin != origin):
            self.rows.append(Row(self._line, 1, origin))


def write(directory: str, with_origins: bool = False) -> Dict[str, List[Row]]:
    """Writes the files of the scene into the directory, which is made where it is not there.

    Returns, and on demand writes, where in the script it was said what stands in them.
    """
    texts, rows = _compose()
    if with_origins:
        paths = "".join(path + "\n" for path in session.added_paths() if "\n" not in path)
        texts = {origins.FILE: origins.to_text(rows), PATHS: paths, **texts}
    staged: Dict[str, str] = {}
    try:
        os.makedirs(directory, exist_ok=True)
        for name, text in texts.items():
            _check_replaceable(os.path.join(directory, name))
            staged[name] = _stage(directory, name, text)
        for name in texts:
            os.replace(staged[name], os.path.join(directory, name))
            del staged[name]
    except OSError as error:
        raise OutputError("%s: %s" % (error.filename or directory, error.strerror)) from None
    finally:
        for path in staged.values():
            os.unlink(path)
    return rows


def write_mark(directory: str) -> None:
    """Says that the script is one of MORSE's, where there is no scene to say it."""
    try:
        with open(os.path.join(directory, MARK), "x", encoding="utf-8"):
            pass
    except OSError:
        pass  # the error of the script is what counts


def _check_replaceable(path: str) -> None:
    """What could make the second file fail after the first one is in its place."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)


def _stage(directory: str, name: str, text: str) -> str:
    """A complete file beside the one that it will replace."""
    path = os.path.join(directory, ".%s.%d" % (name, os.getpid()))
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8"))
    except OSError:
        os.unlink(path)
        raise
    return path
