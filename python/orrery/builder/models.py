# SPDX-License-Identifier: BSD-3-Clause
"""Files of models: where MORSE looks for them, and what of them an object takes."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional

from .errors import MissingError
from .values import plain

#: Where Debian has MORSE's models.
DEBIAN = "/usr/share/morse/data"


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

    A name with a suffix is a path; MORSE's own models are named without, below their category.
    """
    if os.path.splitext(filename)[1]:
        paths = [os.path.abspath(filename)]
    else:
        paths = [
            os.path.join(directory, category, filename + ".blend")
            for directory in data_directories()
        ]
    return paths + [os.path.join(directory, filename) for directory in resource_directories()]


def find(category: str, filename: str) -> Optional[str]:
    """The absolute path of a model; None where there is none."""
    return next((path for path in candidates(category, filename) if os.path.isfile(path)), None)


def require(what: str, category: str, filename: str) -> str:
    """The absolute path of a model; the error says what was looked for, and by whom."""
    path = find(category, filename)
    if path is None:
        raise MissingError(
            "%s: there is no file %s, looked for as %s"
            % (what, filename, ":".join(candidates(category, filename)))
        )
    return path


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
