# SPDX-License-Identifier: BSD-3-Clause
"""Says where a script is that does not end."""

from __future__ import annotations

import os
import signal
import sys
import threading
import types
from typing import Any, Optional

from . import session

#: Seconds after which the user is told, and told again.
FIRST, AGAIN = 10.0, 60.0
LIBRARY = os.path.dirname(os.__file__) + os.sep


class Patience:
    """Within its block a line on stderr names the place where the script is after ten seconds, and each minute.

    The timer is a signal, not a thread: a script that forks is not disturbed, and one that uses the same signal has
    it for itself.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.passed = 0.0
        self.before: Any = None

    def __enter__(self) -> Patience:
        if threading.current_thread() is threading.main_thread():
            self.before = signal.signal(signal.SIGALRM, self._tell)
            signal.setitimer(signal.ITIMER_REAL, FIRST)
        return self

    def __exit__(self, *_reason: object) -> None:
        if self.before is not None and signal.getsignal(signal.SIGALRM) == self._tell:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self.before)

    def _tell(self, _number: int, frame: Optional[types.FrameType]) -> None:
        self.passed += AGAIN if self.passed else FIRST
        while frame is not None and _is_not_of_script(frame.f_code.co_filename):
            frame = frame.f_back
        place = "%s:%d" % (frame.f_code.co_filename, frame.f_lineno) if frame is not None else self.path
        print("%s: the script is still here after %.0f s; Ctrl-C ends it" % (place, self.passed), file=sys.stderr)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)


def _is_not_of_script(file: str) -> bool:
    return session.is_ours(file) or file.startswith((LIBRARY, "<frozen "))
