# SPDX-License-Identifier: BSD-3-Clause
"""What components say with `logging`, in the log of the host."""

import logging

from .._values import GLib

LEVELS = ((logging.WARNING, GLib.LogLevelFlags.LEVEL_WARNING), (logging.INFO, GLib.LogLevelFlags.LEVEL_INFO))


class Handler(logging.Handler):
    """Hands a record on; an error of a component is no end of the program."""

    def emit(self, record):
        try:
            level = next((flag for least, flag in LEVELS if record.levelno >= least), GLib.LogLevelFlags.LEVEL_DEBUG)
            GLib.log_variant("morse", level, GLib.Variant("a{sv}", {"MESSAGE": GLib.Variant("s", self.format(record))}))
        except Exception:
            self.handleError(record)


def install():
    """For the loggers below `morse`, unless the program has its own handlers there."""
    logger = logging.getLogger("morse")
    if not logger.handlers:
        logger.addHandler(Handler())
        logger.setLevel(logging.INFO)
        logger.propagate = False
