# SPDX-License-Identifier: BSD-3-Clause
"""Writes a scene: both files or none."""

from __future__ import annotations

import errno
import json
import os
from typing import Any, Dict

from .configuration import Configuration
from .environment import describe_scene
from .errors import OutputError

SCENE = "scene.json"
CONFIG = "component_config.py"
WIDTH = 100


def render() -> Dict[str, str]:
    """The text of each file, by name; the scene last, since it refers to the other."""
    return {CONFIG: Configuration.write_config(), SCENE: to_json(describe_scene()) + "\n"}


def to_json(value: Any, indent: str = "") -> str:
    """JSON with one member per line, save for what fits on a line and holds no object."""
    if isinstance(value, dict) and value:
        deeper = indent + "  "
        members = [
            "%s%s: %s" % (deeper, json.dumps(key), to_json(item, deeper))
            for key, item in value.items()
        ]
        return "{\n%s\n%s}" % (",\n".join(members), indent)
    flat = json.dumps(value, allow_nan=False)
    if not isinstance(value, list) or (len(flat) + len(indent) <= WIDTH and "{" not in flat):
        return flat
    deeper = indent + "  "
    return "[\n%s\n%s]" % (",\n".join(deeper + to_json(item, deeper) for item in value), indent)


def write(directory: str) -> None:
    """Writes the files of the scene into the directory, which is made where it is not there."""
    texts = render()
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
