# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C while the library runs ticks: it ends them after the one that runs, and the simulation goes on from there.

Python handles signals only between its own instructions, of which there is none while C runs, and an exception that it
raises at the very beginning of a callback is lost. So a thread waits for the byte that each signal writes, and tells.
"""

import contextlib
import os
import signal
import threading

from . import _faults


class Watch:
    """One for the program, from the first run on."""

    def __init__(self):
        self.lock = threading.Lock()
        self.simulation = None
        self.hit = False
        self.process = os.getpid()
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        threading.Thread(target=self.wait, name="orrery-interrupt", daemon=True).start()

    def wait(self):
        while True:
            numbers = os.read(self.reader, 64)
            with self.lock:
                if signal.SIGINT in numbers and self.simulation is not None:
                    self.hit = True
                    self.simulation.interrupt(True)

    def begin(self, simulation):
        with self.lock:
            self.simulation, self.hit = simulation, False

    def end(self):
        with self.lock:
            simulation, self.simulation = self.simulation, None
            if self.hit:
                simulation.interrupt(False)
            return self.hit


watch = None


def is_ours():
    """Whether Ctrl-C is to raise KeyboardInterrupt here, and nobody else listens."""
    return threading.current_thread() is threading.main_thread() and \
        signal.getsignal(signal.SIGINT) is signal.default_int_handler


@contextlib.contextmanager
def watched(simulation):
    """While ticks run in this thread."""
    global watch
    if not is_ours():
        yield
        return
    # A child of fork has not its threads.
    if watch is None or watch.process != os.getpid():
        watch = Watch()
    former = signal.set_wakeup_fd(watch.writer, warn_on_full_buffer=False)
    watch.begin(simulation)
    try:
        yield
    finally:
        signal.set_wakeup_fd(former)
        hit = watch.end()
        if hit:
            # What a part caught of it is told here.
            _faults.interrupted = None
    if hit:
        raise KeyboardInterrupt
