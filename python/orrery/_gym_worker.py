# SPDX-License-Identifier: BSD-3-Clause
"""One process of an environment of `orrery.gym` with several: steps a block of its simulations.

Orders come over a socket, 9 bytes each: what to do, and ticks or an environment; after REPEAT come a length and what
the episodes are made of, pickled. What is done with lies in shared memory. An answer is one byte; after another one than DONE come the length of a JSON and the JSON.
"""

import base64
import fcntl
import json
import mmap
import os
import pickle
import select
import signal
import socket
import struct
import sys
import traceback

import numpy

from . import _episodes, _native  # noqa: F401  what simulations are in Python
from ._gym_pictures import CameraError, Cameras
from ._gym_starts import Reader
from ._values import GLib

ORDER = struct.Struct("<cQ")
LENGTH = struct.Struct("<I")
STEP, BEGIN, RENDER, SAVE, REPEAT = b"s", b"b", b"r", b"v", b"p"
DONE, ERROR, FAILURES, LOADED, SAVED = b".", b"e", b"f", b"l", b"v"


def die_with_parent(lifeline):
    """The kernel ends this process when the other end of the pipe is gone, whatever it does then.

    Unlike PR_SET_PDEATHSIG not with the end of the thread that started it.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_RDONLY | os.O_ASYNC)
    poll = select.poll()
    poll.register(lifeline, 0)
    if poll.poll(0):
        sys.exit(1)


def receive(control, n):
    data = b""
    while len(data) < n:
        part = control.recv(n - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def answer(control, kind, value):
    text = json.dumps(value).encode()
    control.sendall(kind + LENGTH.pack(len(text)) + text)


def describe(error, row=None):
    if isinstance(error, GLib.Error):
        return {"message": error.message, "domain": error.domain, "code": error.code, "row": row}
    if isinstance(error, CameraError):
        return {"message": str(error), "is_value": True}
    last = traceback.extract_tb(error.__traceback__)[-1]
    return {"message": "%s: %s (%s, line %d)" % (type(error).__name__, error, last.filename, last.lineno), "row": row}


def find_whole(vector, fields):
    """Which columns of actions take whole numbers only."""
    whole, column = [], 0
    for i, field in enumerate(fields):
        component, _, name = field.rpartition(".")
        width = vector.get_action_width(i)
        if width == 1 and component in vector.get_simulation(0):
            if type(vector.get_simulation(0)[component].data.get(name)) is int:
                whole.append([column, field])
        column += width
    return whole


class Block:
    """The environments of this process."""

    def __init__(self, setup):
        sys.path[:], sys.argv[:] = setup["sys_path"], setup["sys_argv"]
        if setup["main"] is not None:
            import multiprocessing.spawn
            multiprocessing.spawn.prepare(setup["main"])
        self.on_reset = None if setup["on_reset"] is None else pickle.loads(setup["on_reset"])
        self.first, self.n, self.total = setup["first"], setup["n"], setup["total"]
        self.layout = setup["layout"]
        self.vector = _episodes.load_vector(setup["scene"], setup["plugin_dirs"], setup["options"], self.n, self.layout)
        self.cameras = Cameras(self.vector, self.n, setup["asked"])
        self.memory_limit, self.memory = setup["memory_limit"], os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)

    def get_memory(self):
        """The resident set, bytes."""
        return int(os.pread(self.memory, 100, 0).split()[1]) * mmap.PAGESIZE

    def check_memory(self):
        if self.memory_limit is not None and self.get_memory() > self.memory_limit:
            os._exit(_episodes.TOO_MUCH)

    def measure(self):
        observed, acted, _ = self.layout
        return {"observed": [self.vector.get_observation_width(i) for i in range(len(observed))],
                "acted": [self.vector.get_action_width(i) for i in range(len(acted))],
                "whole": find_whole(self.vector, acted), "cameras": self.cameras.shapes}

    def load(self):
        """What the learner is told once the simulations are loaded."""
        return {"measures": self.measure(), "memory": self.get_memory()}

    def share(self, fd, starts, widths):
        vector, rows = self.vector, slice(self.first, self.first + self.n)
        asked, shapes = self.cameras.asked, self.cameras.shapes
        self.starts = Reader(starts)
        self.shared = _episodes.Shared(self.total, widths, {name: shapes[name] for name in asked.observed},
                                       asked.get_render_shape(shapes))
        self.shared.look_at(mmap.mmap(fd, self.shared.size))
        own = (_episodes.look(vector.dup_observations(), True), _episodes.look(vector.dup_values(), True))
        self.results = list(zip(own, (self.shared.observed[rows], self.shared.results[rows])))
        self.orders = [(_episodes.look(vector.dup_actions(), True), self.shared.acted[rows]),
                       (_episodes.look(vector.dup_held(), True), self.shared.held[rows])]
        # What was there before this process, where it comes after another.
        for mine, theirs in self.results:
            mine[:] = theirs

    def show(self, i):
        for name, pictures in self.shared.pictures.items():
            pictures[self.first + i] = self.cameras.take(name, i)

    def step(self, ticks):
        for mine, theirs in self.orders:
            mine[:] = theirs
        failed = self.vector.step(ticks)
        self.check_memory()
        for mine, theirs in self.results:
            theirs[:] = mine
        mine, theirs = self.orders[1]
        if self.shared.pictures:
            for i in numpy.flatnonzero(theirs == 0):
                self.show(int(i))
        if failed == 0:
            return {}
        failed = numpy.flatnonzero(mine > theirs)
        theirs[:] = mine
        return {self.first + int(i): self.vector.get_failure(int(i)) for i in failed}

    def begin(self):
        shared = self.shared
        for i in numpy.flatnonzero(shared.begins[self.first:self.first + self.n]):
            row = self.row = self.first + int(i)
            state = self.starts.read(*(int(number) for number in shared.starts[row]))
            _episodes.begin_episode(self.vector, int(i), int(shared.seeds[row]), int(shared.episodes[row]), state,
                                    self.on_reset, self.cameras.watch)
            for mine, theirs in self.results:
                theirs[i] = mine[i]
            self.show(int(i))

    def repeat(self, episodes, ticks):
        """Brings episodes of another process back, one after the other, so that it is seen which of them ends this one.

        episodes: row, seed, number, (generation, place, length) of the first state, actions. Returns failures of the
        last steps, by row.
        """
        failures, (acted, held) = {}, (self.orders[0][0], self.orders[1][0])
        for row, seed, number, place, actions in episodes:
            i, before = row - self.first, self.get_memory()
            self.shared.repeated[row] = 1
            try:
                _episodes.begin_episode(self.vector, i, seed, number, self.starts.read(*place), self.on_reset,
                                        self.cameras.watch)
            except Exception as error:
                failures[row] = describe(error)["message"]
            for action in actions if row not in failures else ():
                held[:], acted[i] = 1, action
                held[i] = 0
                if self.vector.step(ticks):
                    failures[row] = self.vector.get_failure(i)
                    break
                self.shared.repeated[row] += 1
                self.shared.grown[row] = self.get_memory() - before
                self.check_memory()
            for mine, theirs in self.results:
                theirs[i] = mine[i]
            self.show(i)
            self.shared.repeated[row] = _episodes.DONE_AGAIN
        return failures

    def render(self):
        for i in range(self.n):
            row = self.row = self.first + i
            self.shared.rendered[row] = self.cameras.render_one(i)

    def save(self, row):
        self.row = row
        return base64.b64encode(self.vector.get_simulation(row - self.first).save()).decode("ascii")

    def carry_out(self, order, control):
        """Returns: the kind of the answer, and its value."""
        what, number = ORDER.unpack(order)
        self.row = None
        if what == REPEAT:
            (length,) = LENGTH.unpack(receive(control, LENGTH.size))
            return FAILURES, self.repeat(pickle.loads(receive(control, length)), number)
        if what == STEP:
            failures = self.step(number)
            return (FAILURES, failures) if failures else (DONE, None)
        if what == SAVE:
            return SAVED, self.save(number)
        if what == BEGIN:
            self.begin()
        else:
            self.render()
        return DONE, None


def serve(control, block):
    while True:
        order = control.recv(ORDER.size, socket.MSG_WAITALL)
        if len(order) < ORDER.size:
            return
        try:
            kind, value = block.carry_out(order, control)
        except Exception as error:
            answer(control, ERROR, describe(error, block.row))
            continue
        if kind == DONE:
            control.sendall(DONE)
        else:
            answer(control, kind, value)


def start(control):
    (length,) = LENGTH.unpack(receive(control, LENGTH.size))
    setup = pickle.loads(receive(control, length))
    try:
        block = Block(setup)
        answer(control, LOADED, block.load())
    except Exception as error:
        answer(control, ERROR, describe(error))
        return None
    size = struct.calcsize("3Q")
    message, fds, _, _ = socket.recv_fds(control, size, 2)
    if len(message) < size:
        return None
    block.share(*fds, struct.unpack("3Q", message))
    os.close(fds[0])
    control.sendall(DONE)
    return block


def main():
    os.environ.pop("PYTHONSAFEPATH", None)
    control, lifeline = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    die_with_parent(lifeline)
    # Ctrl-C is for the learner.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _episodes.in_worker = True
    try:
        block = start(control)
        if block is not None:
            serve(control, block)
            block.cameras.forget()
            block.vector = None
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    # The other end sees it closed when the process is at its end, and not before.
    control.detach()


if __name__ == "__main__":
    main()
