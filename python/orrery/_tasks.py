# SPDX-License-Identifier: BSD-3-Clause
"""Generators and plain functions as tasks of a scheduler.

A generator yields what the functions of `orrery_task_...` are called with; a plain function has a
period. Whatever goes wrong in one becomes the error of its task, with file and line.
"""

import inspect
import logging
import os
import signal
import threading
import time
import traceback

from gi.repository import GLib

from . import _faults

MAX_SECONDS = 9.2e9
PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def within(what, seconds, low):
    seconds = float(seconds)
    if not low <= seconds <= MAX_SECONDS:
        raise ValueError("a %s of %g s; it is %g to %g" % (what, seconds, low, MAX_SECONDS))
    return seconds


class Command:
    """What a task yields."""

    __slots__ = ()


class Sleep(Command):
    """The next step is so many seconds after the end of this one."""

    __slots__ = ("seconds",)

    def __init__(self, seconds):
        self.seconds = within("sleep", seconds, 0.0)

    def tell(self, task):
        task.sleep(self.seconds)

    def __repr__(self):
        return "Sleep(%g)" % self.seconds


class Period(Command):
    """The next step is due so many seconds after this one was: no drift."""

    __slots__ = ("seconds",)

    def __init__(self, seconds):
        self.seconds = within("period", seconds, 1e-9)

    def tell(self, task):
        task.repeat(self.seconds)

    def __repr__(self):
        return "Period(%g)" % self.seconds


class Until(Command):
    """The next step is due at a time of the scheduler's clock, nanoseconds; at once if it is past."""

    __slots__ = ("time",)

    def __init__(self, time):
        self.time = int(time)

    def tell(self, task):
        task.wait_until(self.time)

    def __repr__(self):
        return "Until(%d)" % self.time


class Yield(Command):
    """The next step is after all others that are due."""

    __slots__ = ()

    def tell(self, task):
        task.yield_()

    def __repr__(self):
        return "Yield()"


class Wait(Command):
    """The next step is when something has come about; it is looked at every so many seconds of the scheduler's clock,
    by default at every tick of a simulation, else every hundredth of a second."""

    __slots__ = ("poll", "every")

    def __init__(self, poll, every):
        self.poll = poll
        self.every = None if every is None else within("sleep", every, 0.0)

    def __repr__(self):
        return "until (...)"


def until(what, every=None):
    """For a task to yield: goes on when a function returns what is true, a call is done, or an output has a record.

    The value of the `yield` is what the function returned, the result of the call (which may raise), or the record. A
    component in place of an output: its next record.
    """
    orrery = Dresser.Orrery
    if isinstance(what, orrery.Call):
        return Wait(lambda: (what.done, what.result() if what.done else None), every)
    if isinstance(what, orrery.Component):
        return Wait(NextRecord(what).poll, every)
    if hasattr(what, "poll"):
        return Wait(what.poll, every)
    if not callable(what):
        raise TypeError("a function, a call, a component or an output can be waited for, not %r" % (what,))

    def poll():
        value = what()
        return bool(value), value
    return Wait(poll, every)


class NextRecord:
    """One record, the next one."""

    def __init__(self, component):
        self._output = component.follow()

    def poll(self):
        ready, record = self._output.poll()
        if ready:
            self._output.end()
        return ready, record


# --- what goes wrong ---


def place_of(error):
    """Where an exception was raised, the innermost frame that is not of this package."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(PACKAGE)]
    return "%s:%d: " % (frames[-1].filename, frames[-1].lineno) if frames else ""


def words_of(error):
    if isinstance(error, SyntaxError):
        return "%s:%s: %s: %s" % (error.filename, error.lineno, type(error).__name__, error.msg)
    if isinstance(error, GLib.Error):
        return place_of(error) + error.message
    text = str(error)
    return place_of(error) + type(error).__name__ + (": " + text if text else "")


class Dresser:
    """The typelib, which this module cannot import before it is found."""

    Orrery = None


def error_of(error):
    """An exception as the error of the C interface, which is raised through it."""
    orrery = Dresser.Orrery
    code = int(orrery.Error.INTERNAL)
    if isinstance(error, GLib.Error) and error.domain == GLib.quark_to_string(orrery.error_quark()):
        code = error.code
    return GLib.Error.new_literal(orrery.error_quark(), words_of(error), code)


def refusal(text):
    return GLib.Error.new_literal(Dresser.Orrery.error_quark(), text, int(Dresser.Orrery.Error.INVALID))


# --- steps ---

# The stepper whose step the thread makes.
current = threading.local()


class Ending:
    """After a stop: for how long loops that look at it may go on to their own end. One for all loops of a thread."""

    def __init__(self, is_stopped, clock, seconds):
        self.is_stopped = is_stopped
        self.clock = clock
        self.seconds = seconds
        self.deadline = None

    def begin(self, since):
        if self.deadline is None:
            self.deadline = since + self.seconds

    def sleep(self, until):
        """Waits for a time of the clock, ns; returns whether there is time left."""
        while self.clock.get_time() < until:
            left = self.deadline - time.monotonic()
            if left <= 0:
                return False
            wait = self.clock.get_wait(until) * 1e-9
            time.sleep(min(left, wait if wait > 0 else 0.001))
        return time.monotonic() < self.deadline

    def wait_for(self, command, before):
        """What a command of a loop asks for; a Period counts from the step before."""
        seconds = getattr(command, "seconds", 0.0)
        begin = before if isinstance(command, Period) else self.clock.get_time()
        return self.sleep(command.time if isinstance(command, Until) else begin + int(seconds * 1e9))



class Stepper:
    """One task: makes its generator when it begins, and again when it is begun again.

    Ctrl-C and sys.exit() are given to stop; without one they are the end of the task.
    """

    def __init__(self, make, stop=None, every=0.01):
        self.make = make
        self.stop = stop
        self.every = every
        self.generator = None
        self.wait = None
        # Of a hybrid: its ending, whether the loop looks at the stop event, and since when it may have been set.
        self.ending = None
        self.looks = False
        self.since = None

    def __call__(self, task, *_):
        current.stepper = self
        if self.looks:
            self.since = time.monotonic()
        try:
            self.step(task)
            if self.looks and not self.ending.is_stopped():
                self.since = None
        except (KeyboardInterrupt, SystemExit) as escaped:
            self.escape(task, escaped)
        except BaseException as error:
            self.generator = None
            raise error_of(error) from None
        finally:
            current.stepper = None

    def note_look(self):
        self.looks = self.ending is not None

    def escape(self, task, escaped):
        """Not the task's: it ends the run, and is raised where that was begun."""
        self.generator = None
        if self.stop is not None:
            self.stop(escaped)
        elif not isinstance(escaped, SystemExit) or escaped.code:
            raise error_of(escaped) from None
        task.finish()

    def step(self, task):
        if self.generator is None:
            self.generator, self.wait = self.make(), None
        try:
            if self.wait is None:
                command = next(self.generator)
            else:
                command = self.resume(task)
        except StopIteration:
            self.generator = None
            task.finish()
            return
        if isinstance(command, Wait):
            self.wait = command
            self.look_again(task)
        elif isinstance(command, Command):
            self.wait = None
            command.tell(task)
        else:
            self.refuse(command)

    def resume(self, task):
        """Goes on if what it waits for has come about; gives the next command, or that it waits still."""
        try:
            ready, value = self.wait.poll()
        except Exception as error:
            return self.generator.throw(error)
        return self.generator.send(value) if ready else self.wait

    def look_again(self, task):
        task.sleep(self.every if self.wait.every is None else self.wait.every)

    def refuse(self, command):
        frame = getattr(self.generator, "gi_frame", None)
        place = " at %s:%d" % (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ""
        self.close()
        raise refusal("gave %r%s; there is: Sleep, Period, Until, Yield, until" % (command, place))

    def finish(self, generator):
        """The loop goes on to its end, if it looks at the stop event: from its sleep at once, then as it says."""
        self.ending.begin(time.monotonic() if self.since is None else self.since)
        command, every = self.wait or Yield(), int(0.01 * 1e9)
        goes_on = time.monotonic() < self.ending.deadline
        while goes_on:
            before = self.ending.clock.get_time()
            if isinstance(command, Wait):
                self.wait = command
                command = self.resume(None)
                goes_on = command is not self.wait or self.ending.sleep(before + every)
                continue
            command = next(generator)
            goes_on = isinstance(command, Wait) or self.ending.wait_for(command, before)

    def close(self, *_):
        """What the generator does at its end, it does now."""
        generator = self.generator
        try:
            if generator is not None and self.looks and self.ending.is_stopped():
                self.finish(generator)
        except StopIteration:
            generator = None
        except BaseException as error:
            logging.getLogger("orrery").warning("%s: at its end: %s", name_of(generator), words_of(error))
        self.generator = None
        try:
            if generator is not None and hasattr(generator, "close"):
                generator.close()
        except BaseException as error:
            logging.getLogger("orrery").warning("%s: at its end: %s", name_of(generator), words_of(error))


def repeat(function, arguments, period):
    """A plain function as a generator."""
    command = Period(period)
    while True:
        function(*arguments)
        yield command


def is_generator_function(loop):
    return inspect.isgeneratorfunction(loop) or inspect.isgeneratorfunction(getattr(type(loop), "__call__", None))


def maker_of(loop, arguments, period):
    """A function that makes the generator of a task."""
    if period is not None:
        if inspect.isgenerator(loop) or is_generator_function(loop) or not callable(loop):
            raise TypeError("a period belongs to a plain function; %s yields Period itself" % name_of(loop))
        Period(period)
        return lambda: repeat(loop, arguments, period)
    if inspect.isgenerator(loop):
        if arguments:
            raise TypeError("%s is a generator that has begun: it takes no arguments" % name_of(loop))
        return lambda: loop
    if is_generator_function(loop):
        return lambda: loop(*arguments)
    raise TypeError("%s is no generator function; a plain function has a period" % name_of(loop))


def name_of(loop):
    return getattr(loop, "__name__", None) or repr(loop)


# --- the scheduler ---


def add(scheduler, loop, *arguments, name=None, period=None):
    """Adds a task: a generator, or a generator function or a plain function with its arguments."""
    def stop(escaped):
        scheduler._orrery_escaped = escaped
        scheduler.stop()
    stop = getattr(scheduler, "_orrery_stop", stop)
    every = getattr(scheduler, "_orrery_every", 0.01)
    return scheduler_add(scheduler, name or name_of(loop), Stepper(maker_of(loop, arguments, period), stop, every))


def interrupts():
    """Whether Ctrl-C is Python's own affair here, and so may be ours meanwhile."""
    return threading.current_thread() is threading.main_thread() and \
        signal.getsignal(signal.SIGINT) is signal.default_int_handler


def run(scheduler):
    """Runs until all tasks have ended (True) or it is stopped; Ctrl-C is a KeyboardInterrupt, at once."""
    scheduler._orrery_escaped = None
    number = 0
    if interrupts():
        ended, number = scheduler.run_until_signal()
    else:
        ended = scheduler_run(scheduler)
    escaped, scheduler._orrery_escaped = scheduler._orrery_escaped, None
    if escaped is not None:
        raise escaped
    _faults.raise_interrupt()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    if number:
        raise SystemExit(128 + number)
    return ended


# --- tasks of a simulation, by its time ---


def tasks_of(simulation):
    """The scheduler of a simulation: each tick drains it at its end, in simulated time, in the thread that steps."""
    tasks = simulation.get_tasks()
    tasks._orrery_every, tasks._orrery_stop = 0.0, escape
    return tasks


def escape(escaped):
    """Ctrl-C and sys.exit() in such a task are raised where somebody steps."""
    _faults.interrupted = escaped


def extend(Orrery):
    global scheduler_add, scheduler_run
    Dresser.Orrery = Orrery
    scheduler_add, scheduler_run = Orrery.Scheduler.add, Orrery.Scheduler.run
    Orrery.Scheduler.add = add
    Orrery.Scheduler.run = run
    Orrery.Simulation.tasks = property(tasks_of)
