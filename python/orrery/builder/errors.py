# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong in a builder script, with the exit code that says what to do about it."""

from __future__ import annotations

import difflib
import traceback
from typing import Iterable, List, Optional, Tuple

EXIT_OK = 0
EXIT_USAGE = 64
EXIT_SCRIPT = 65
EXIT_NO_FILE = 66
EXIT_MISSING = 69
EXIT_INTERNAL = 70
EXIT_IO = 74
EXIT_INTERRUPTED = 130


class BuilderError(Exception):
    """A mistake in the script. `origin`: the (file, line) where the traceback cannot say it."""

    exit_code = EXIT_SCRIPT

    def __init__(self, message: str, origin: Optional[Tuple[str, int]] = None) -> None:
        super().__init__(message)
        self.origin = origin


class MissingError(BuilderError):
    """A class, an environment, a file, a stream or a service that there is not."""

    exit_code = EXIT_MISSING
    frames: List[traceback.FrameSummary] = []

    def add_frames(self, frames: List[traceback.FrameSummary]) -> None:
        """Where in the script it was, for one that is told of at the end."""
        self.frames = frames


class MissingList(MissingError):
    """All that a script names and that there is not."""

    def __init__(self, errors: List[MissingError]) -> None:
        super().__init__("; ".join(str(error) for error in errors))
        self.errors = errors


class NoFileError(BuilderError):
    """The script or the list of plugins is not there."""

    exit_code = EXIT_NO_FILE


class InternalError(BuilderError):
    """The list of plugins is not what the host promises."""

    exit_code = EXIT_INTERNAL


class OutputError(BuilderError):
    """The scene could not be written."""

    exit_code = EXIT_IO


def nearest(name: str, names: Iterable[str], limit: int = 3) -> List[str]:
    """The names most like `name`, the best first; case does not count."""
    folded: dict[str, str] = {}
    for candidate in sorted(names):
        folded.setdefault(candidate.casefold(), candidate)
    close = difflib.get_close_matches(name.casefold(), list(folded), n=limit, cutoff=0.6)
    return [folded[match] for match in close]


def hint(name: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: what is like it, else what there is."""
    names = set(names)
    close = nearest(name, names)
    if close:
        return "; did you mean " + " or ".join(close)
    if not names:
        return "; there is none"
    if len(names) <= 24:
        return "; there is " + ", ".join(sorted(names))
    return ""
