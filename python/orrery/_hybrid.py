# SPDX-License-Identifier: BSD-3-Clause
"""Hybrids: generators in the foreground and in processes of their own, connected by channels.

A background loop is a function that can be imported by name, also of the main script. Its process
is a fresh interpreter, which gets the function's name and its arguments; see _background.py.
"""

import io
import multiprocessing.spawn
import multiprocessing.util
import os
import pickle
import sys

from gi.repository import GLib

from . import _channels, _tasks

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN = "import sys; sys.path.insert(0, %r); from orrery._background import main; sys.exit(main())" % PACKAGES

# In a background process, while the main script is imported: a hybrid would start itself again and again.
reading_main = False


class End:
    """An end of a channel, opened when it is first used; it can be an argument of a background loop."""

    def __init__(self, channel, find, get_time):
        self.name = channel.get_name()
        self.transport = channel.get_transport().value_nick
        self._channel = channel
        self._find = find
        self._get_time = get_time
        self._end = None

    def _open(self):
        if self._end is None:
            if self._find is None:
                raise RuntimeError("%s: its hybrid has ended" % self.name)
            self._end = self._find(self._channel)
            # Only loops of this program have the other ends: what they send may be pickled.
            self._end._orrery_own = True
        return self._end

    def close(self):
        """Gives the end back; it cannot be used any more."""
        self._end = self._find = self._channel = None

    def __repr__(self):
        return "<%s %s>" % (type(self).__name__, self.name)


class PipeEmitter(End):
    """Emits values; times are those of the hybrid's clock, unless another is given."""

    def emit(self, value, time=None):
        """Emits a value, which readers see from now on; the time is in nanoseconds."""
        return _channels.emit(self._open(), value, self._get_time() if time is None else time)

    @property
    def n_emitted(self):
        """How many values were emitted."""
        return self._open().get_n_emitted()


class PipeReceiver(End):
    """Reads values: `value`, `time`, `fresh`; None before the first."""

    def read(self):
        """The next value of a queue, or the newest; None before the first."""
        return _channels.read(self._open())

    @property
    def n_dropped(self):
        """How many values came while the queue was full, and were lost."""
        return self._open().get_n_dropped()


# Of the time limit of a background process: the rest is for the closing of its generator.
SHARE = 0.75


class StopEvent:
    """Whether the hybrid stops; a loop that looks at it goes on after a stop to its own end, for a limited time."""

    def __init__(self, is_set, set_it):
        self._is_set = is_set
        self.set = set_it

    def is_set(self):
        """Whether the hybrid stops."""
        stepper = getattr(_tasks.current, "stepper", None)
        if stepper is not None:
            stepper.note_look()
        return self._is_set()


# --- arguments for another process ---


class Pickler(pickle.Pickler):
    """Ends of channels and the stop event are created again in the other process."""

    def __init__(self, file, loop):
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.loop = loop
        self.names = set()

    def persistent_id(self, item):
        if isinstance(item, StopEvent):
            return ("stop",)
        if not isinstance(item, End):
            return None
        emits = isinstance(item, PipeEmitter)
        if (item.name, emits) not in self.names:
            self.names.add((item.name, emits))
            (self.loop.add_emitter if emits else self.loop.add_receiver)(item._channel)
        return ("emitter" if emits else "receiver", item.name)


class Unpickler(pickle.Unpickler):
    def __init__(self, file, loop):
        super().__init__(file)
        self.loop = loop

    def persistent_load(self, what):
        loop = self.loop
        if what[0] == "stop":
            return StopEvent(loop.get_stop().is_cancelled, loop.stop)
        find = loop.find_emitter if what[0] == "emitter" else loop.find_receiver
        kind = PipeEmitter if what[0] == "emitter" else PipeReceiver
        return kind(loop.find_channel(what[1]), lambda channel: find(channel.get_name()), loop.get_time)


def bytes_variant(data):
    return GLib.Variant.new_from_bytes(GLib.VariantType("ay"), GLib.Bytes.new(data), True)


def preparation(name):
    """What a new interpreter needs before it can find the function: its paths, and the main script."""
    data = multiprocessing.spawn.get_preparation_data(name)
    del data["authkey"]
    return pickle.dumps(data)


def pack_loop(loop, name, content):
    """The data that is sent to a background process; its ends of channels are added to the loop."""
    file = io.BytesIO()
    try:
        Pickler(file, loop).dump(content)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError("%s: a background loop and its arguments go to another process: functions that can be imported by "
                        "name, and what can be pickled: %s" % (name, error)) from None
    loop.set_arguments(GLib.Variant.new_tuple(bytes_variant(preparation(name)), bytes_variant(file.getvalue())))


def unpack_loop(loop):
    """Function, arguments, period, clock and time limit, in the other process."""
    global reading_main
    first, second = (loop.get_arguments().get_child_value(i).get_data_as_bytes().get_data() for i in (0, 1))
    reading_main = True
    try:
        multiprocessing.spawn.prepare(pickle.loads(first))
    finally:
        reading_main = False
    return Unpickler(io.BytesIO(second), loop).load()


# --- the hybrid ---


class Hybrid:
    """A hybrid. Parallelism is "local" or "multiprocess"; report is called with each message."""

    def __init__(self, clock=None, parallelism="multiprocess", report=None, limit=2.0, start_limit=30.0):
        self._world = Orrery.Hybrid.new(clock, str(parallelism))
        self._report = report
        self._backgrounds = []
        self._ends = []
        self._escaped = None
        self._limit = limit
        self._world.set_limit(limit)
        self._world.set_start_limit(start_limit)
        self._world.connect("message", self._on_message)
        self._world.connect("release", self._on_release)
        self.clock = self._world.get_clock()
        self.stop_event = StopEvent(self._world.get_stop().is_cancelled, self._world.stop)
        self._ending = _tasks.Ending(self._world.get_stop().is_cancelled, self.clock, limit)

    @property
    def is_local(self):
        """Whether background loops run in this process."""
        return self._world.is_local()

    # --- its channels and loops ---

    def channel(self, name, transport="queue"):
        """An emitter and a receiver: of a `queue`, or of `latest`, which is shared memory; or `local`."""
        known, kind = Orrery.transport_from_name(transport)
        if not known:
            raise ValueError("transport: no %s; there is: local, queue, latest" % transport)
        channel = self._world.add_channel(name, kind)
        ends = (PipeEmitter(channel, Orrery.Emitter.new, self.clock.get_time),
                PipeReceiver(channel, Orrery.Receiver.new, self.clock.get_time))
        self._ends.extend(ends)
        return ends

    pipe = channel

    def loop(self, function, *arguments, name=None, period=None, on_exit="ignore"):
        """Adds a foreground loop: a generator or a generator function, or a plain function with a period."""
        stepper = self._stepper(function, arguments, period, on_exit)
        policy = self._on_exit(on_exit)
        loop = self._world.add_loop(name or _tasks.name_of(function), stepper)
        loop.set_on_exit(policy)
        loop.connect("release", stepper.close)

    def background(self, function, *arguments, name=None, period=None, on_exit="stop"):
        """Adds a loop in a process of its own, or in the foreground if the hybrid is local."""
        if hasattr(function, "gi_frame"):
            raise TypeError("%s: a generator cannot go to another process; its function and arguments can"
                            % _tasks.name_of(function))
        stepper = self._stepper(function, arguments, period, on_exit)
        policy = self._on_exit(on_exit)
        loop = self._world.add_background(name or _tasks.name_of(function), stepper)
        loop.set_on_exit(policy)
        loop.connect("release", stepper.close)
        self._backgrounds.append((loop, (function, arguments, period)))

    def _stepper(self, function, arguments, period, on_exit):
        if on_exit == "restart" and hasattr(function, "gi_frame"):
            raise TypeError("%s: a generator cannot be restarted; its function can" % _tasks.name_of(function))
        stepper = _tasks.Stepper(_tasks.maker_of(function, arguments, period), self._escape)
        stepper.ending = self._ending
        return stepper

    @staticmethod
    def _on_exit(name):
        return Orrery.on_exit_from_name(name)[1]

    # --- its run ---

    def _prepare(self):
        """Sends background loops their functions and the present values of their arguments."""
        if reading_main:
            raise RuntimeError("the main script runs a hybrid while one of its background processes imports it; "
                               "put it under if __name__ == \"__main__\"")
        if self.is_local:
            return
        clock = None if isinstance(self.clock, Orrery.WallClock) else self.clock
        self._world.set_brings_clock(clock is not None)
        self._world.set_command([sys.executable, *multiprocessing.util._args_from_interpreter_flags(), "-c", BEGIN])
        for loop, content in self._backgrounds:
            pack_loop(loop, loop.get_name(), (*content, clock, SHARE * self._limit))

    def run(self):
        """Runs until it ends (True) or a signal stops it (False); raises the error that stopped it."""
        self._prepare()
        number = 0
        try:
            if _tasks.interrupts():
                number = self._world.run_until_signal()[1]
            else:
                self._world.run()
        except KeyboardInterrupt:
            # Before the hybrid could be told of it.
            self._world.stop()
            number = 1
        if isinstance(self._escaped, SystemExit):
            raise self._escaped
        return number == 0 and self._escaped is None

    def start(self, context=None):
        """Runs in a main loop; `connect_ended` reports the end."""
        self._prepare()
        self._world.start(context)

    def connect_ended(self, function):
        """Calls a function when nothing runs any more, with the error that ended it, or None."""
        self._world.connect("ended", lambda world: function(world.get_error()))

    def connect_failed(self, function):
        """Calls a function with the name and the error of each loop that failed and did not stop the hybrid."""
        def on_failed(_, loop, error):
            function(loop.get_name(), error.message)
            return True
        self._world.connect("failed", on_failed)

    def stop(self):
        """Ends it, from any thread."""
        self._world.stop()

    def _escape(self, escaped):
        self._escaped = escaped
        self._world.stop()

    def _on_message(self, _, text):
        try:
            if self._report is not None:
                self._report(text)
        except (KeyboardInterrupt, SystemExit) as escaped:
            self._escape(escaped)
        return self._report is not None

    def _on_release(self, _):
        for kind in (PipeEmitter, PipeReceiver):
            for end in self._ends:
                if isinstance(end, kind):
                    end.close()


def extend(typelib):
    global Orrery
    Orrery = typelib
