# SPDX-License-Identifier: BSD-3-Clause
"""Files of models: where MORSE looks for them, and what of them an object takes."""

from __future__ import annotations

import os
import struct
import zlib
from typing import Any, Dict, List, Optional, Set

from .errors import MissingError
from .values import plain

#: Where Debian has MORSE's models.
DEBIAN = "/usr/share/morse/data"
#: How a compressed file begins.
GZIP = b"\x1f\x8b"
#: Bytes, of a file whose objects are looked for by name.
MAX_BLEND = 1 << 30


def resource_directories() -> List[str]:
    """The directories of MORSE_RESOURCE_PATH."""
    given = os.environ.get("MORSE_RESOURCE_PATH", "")
    return [os.path.abspath(directory) for directory in given.split(":") if directory]


def data_directories() -> List[str]:
    """Where MORSE's own models are."""
    root = os.environ.get("MORSE_ROOT", "/usr/local")
    return [os.path.join(root, "share", "morse", "data"), DEBIAN]


def candidates(category: str, filename: str) -> List[str]:
    """The paths at which the file may be, the first one that is there counts.

    A name with a suffix is a path first; MORSE's own models are named with or without, below their
    category.
    """
    below = [os.path.join(directory, filename) for directory in resource_directories()]
    own = [os.path.join(directory, category, filename) for directory in data_directories()]
    if os.path.splitext(filename)[1]:
        return [os.path.abspath(filename)] + below + own
    return [path + ".blend" for path in own] + below


def find(category: str, filename: str) -> Optional[str]:
    """The absolute path of a model; None where there is none."""
    return next((path for path in candidates(category, filename) if os.path.isfile(path)), None)


def names(category: str) -> Set[str]:
    """The names of MORSE's own models of that category that are installed."""
    found: Set[str] = set()
    for directory in data_directories():
        top = os.path.join(directory, category)
        for folder, _, files in os.walk(top):
            paths = (os.path.relpath(os.path.join(folder, file), top) for file in files)
            found.update(os.path.splitext(path)[0] for path in paths if path.endswith(".blend"))
    return found


def require(what: str, category: str, filename: str) -> str:
    """The absolute path of a model; the error says what was looked for, and by whom."""
    path = find(category, filename)
    if path is None:
        raise MissingError(
            "%s: there is no file %s, looked for as %s"
            % (what, filename, ":".join(candidates(category, filename)))
        )
    return path


def object_names(path: str) -> Optional[Set[str]]:
    """The names of all objects in a `.blend` file; None where they cannot be read from it."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BLEND + 1)
        if data[:2] == GZIP:
            data = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, MAX_BLEND + 1)
    except (OSError, zlib.error):
        return None
    if not data.startswith(b"BLENDER") or len(data) > MAX_BLEND:
        return None
    wide, order = data[7:8] == b"-", ">" if data[8:9] == b"V" else "<"
    pointer = 8 if wide else 4
    head, names, at = struct.Struct(order + "4sI"), set(), 12
    while at + 16 + pointer <= len(data):
        code, size = head.unpack_from(data, at)
        at += 16 + pointer
        if code == b"OB\0\0":
            names.add(_own_name(data[at : at + size], pointer))
        at += size
    return names - {""}


def _own_name(block: bytes, pointer: int) -> str:
    """The name in a block that begins with some pointers, and then `OB` and the name."""
    for n in (4, 5):
        place = n * pointer
        if block[place : place + 2] == b"OB":
            return block[place + 2 : place + 66].split(b"\0")[0].decode("utf-8", "replace")
    return ""


def describe(
    path: str,
    object_name: Optional[str] = None,
    prefix: Optional[str] = None,
    keep_pose: bool = True,
) -> Dict[str, Any]:
    """The key `import` of an object of the scene."""
    keys = {
        "file": plain(path, "file"),
        "object": plain(object_name, "object") if object_name else None,
        "prefix": plain(prefix, "prefix") if prefix else None,
        "keep_pose": None if keep_pose else False,
    }
    return {key: value for key, value in keys.items() if value is not None}
