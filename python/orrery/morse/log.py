# SPDX-License-Identifier: BSD-3-Clause
"""What components say with `logging`, in the log of the host, and how much of it, as the host is told."""

import logging
import weakref

from .._values import GLib
from . import stage as stages

LEVELS = ((logging.WARNING, GLib.LogLevelFlags.LEVEL_WARNING), (logging.INFO, GLib.LogLevelFlags.LEVEL_INFO))
ROOT = "morse"

followed = weakref.WeakSet()  # adapters that have been set up
led = set()  # modules whose loggers have a level from here


def module_of(part):
    return type(part)._morse_class.__module__


def speaker_of(record):
    """The part whose code runs, if it is its module that logs."""
    part = stages.speaker
    if part is None or record.name not in (ROOT + "." + module_of(part), module_of(part)):
        return None
    return part


def is_asked(name):
    """Whether somebody has set a level for the logger, or for one above it."""
    logger = logging.getLogger(name)
    while logger is not None and logger.name != ROOT:
        if logger.level != logging.NOTSET:
            return True
        logger = logger.parent
    return False


class Handler(logging.Handler):
    """Hands a record on; an error of a component is no end of the program."""

    def filter(self, record):
        """Loggers are of modules, levels may be of one of their components."""
        part = speaker_of(record)
        level = 0 if part is None else part.get_log_level()
        # A module may have set the level of its logger itself.
        if part is not None and not level and module_of(part) in led:
            level = logging.INFO
        return record.levelno >= level and super().filter(record)

    def emit(self, record):
        try:
            level = next((flag for least, flag in LEVELS if record.levelno >= least), GLib.LogLevelFlags.LEVEL_DEBUG)
            fields = {"MESSAGE": self.format(record)}
            part = speaker_of(record)
            if part is not None:
                fields.update(ORRERY_PART=part.get_name(), ORRERY_CLASS=part.get_classpath())
            if is_asked(record.name):
                fields["ORRERY_ASKED"] = "1"
            GLib.log_variant(ROOT, level, GLib.Variant("a{sv}", {key: GLib.Variant("s", text)
                                                                 for key, text in fields.items()}))
        except Exception:
            self.handleError(record)


def install():
    """For the loggers below `morse`, unless the program has its own handlers there."""
    logger = logging.getLogger(ROOT)
    if not logger.handlers:
        logger.addHandler(Handler())
        logger.setLevel(logging.INFO)
        logger.propagate = False


def set_level(name, level):
    """What the host was told: the logger of that name, as MORSE does, and those of the components that are meant."""
    logging.getLogger(ROOT + "." + name).setLevel(level)
    if name.startswith(ROOT + "."):
        logging.getLogger(name).setLevel(level)
    for module in {module_of(part) for part in followed}:
        follow_levels(module)


def follow_levels(module):
    """The logger of a module lets through what any of its components may say; the handler sorts it out."""
    levels = [part.get_log_level() for part in followed if module_of(part) == module]
    if any(levels):
        led.add(module)
        logging.getLogger(ROOT + "." + module).setLevel(min(level or logging.INFO for level in levels))
    elif module in led:
        led.remove(module)
        logging.getLogger(ROOT + "." + module).setLevel(logging.NOTSET)


def follow(part):
    """A part of a class of MORSE logs as the host says, from now on."""
    followed.add(part)
    follow_levels(module_of(part))
