# SPDX-License-Identifier: BSD-3-Clause
"""A background process of a hybrid world: takes over its loop, and runs it to its end."""

from gi.repository import GLib

from . import _hybrid, _native, _tasks

EXIT_FAILED = 70


def load(loop):
    """What the loop does, and by which clock; whatever the modules of the user do when they are read."""
    function, arguments, period, clock, seconds = _hybrid.unpack_loop(loop)
    if clock is not None:
        loop.set_clock(clock)
    stepper = _tasks.Stepper(_tasks.maker_of(function, arguments, period))
    stepper.ending = _tasks.Ending(loop.get_stop().is_cancelled, loop.get_clock(), seconds)
    return stepper


def main():
    loop = _native.Orrery.Loop.open(_native.Orrery.LOOP_SOCKET)
    try:
        stepper = load(loop)
    except BaseException as error:
        loop.fail(_tasks.words_of(error))
        return EXIT_FAILED
    loop.connect("release", stepper.close)
    try:
        loop.run(stepper)
    except GLib.Error:
        # The world knows.
        return EXIT_FAILED
    return 0
