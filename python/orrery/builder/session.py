# SPDX-License-Identifier: BSD-3-Clause
"""What one run of a script has made so far, and where in the script it was made.

Builder scripts name no scene: whatever they construct belongs to the one that is being built. So
there is one session per process; the runner begins it, constructors find it by `current ()`.
"""

import os
import sys

from . import catalogue as catalogues

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Session:
    """Components, environment and configuration tables of the scene under construction."""

    def __init__(self, catalogue=None):
        self._catalogue = catalogue
        self.components = []  # in the order of construction
        self.environment = None
        self.datastream = {}  # component or full name -> entries; the tables of component_config
        self.modifier = {}
        self.service = {}
        self.overlay = {}  # request manager -> component -> entry
        self.stream_manager = {}
        self.frequency = {}  # component -> Hz, as asked for
        self.speed = {}  # what bpymorse.set_speed was told before there was an Environment
        self._warned = set()

    @property
    def catalogue(self):
        if self._catalogue is None:
            self._catalogue = catalogues.ask()
        return self._catalogue

    def warn(self, key, message):
        """Says on stderr what has no effect, once for each key."""
        if key in self._warned:
            return
        self._warned.add(key)
        where = origin()
        place = "%s:%d: " % where if where else ""
        print("%swarning: %s" % (place, message), file=sys.stderr)


_current = Session()


def current():
    return _current


def begin(catalogue=None):
    """Forgets what was built and starts anew."""
    global _current
    _current = Session(catalogue)
    return _current


def is_ours(filename):
    return filename.startswith(PACKAGE) or filename.startswith("<frozen ")


def origin():
    """(file, line) of the script's statement that led here; None outside of a script."""
    frame = sys._getframe(1)
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else None
