# SPDX-License-Identifier: BSD-3-Clause
"""Simulations of an environment in several processes, with one piece of memory for all."""

import base64
import json
import mmap
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import time
import warnings
import weakref

import numpy

from .._episodes import TOO_MUCH, Shared
from .._gym_starts import Store
from .._gym_worker import BEGIN, DONE, ERROR, FAILURES, LENGTH, ORDER, RENDER, REPEAT, SAVE, STEP
from .._values import GLib
from ._record import Record

PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Bounds of what is no step, s.
START_TIMEOUT = 600
END_TIMEOUT = 5
# So often an episode begins in a process that ends each time.
MAX_TRIES = 2
# So often episodes are brought back while processes end in that: each time one of them is found to be at fault.
MAX_REPEATS = 8
MAX_ANSWER = 2 ** 28
MAX_NUMBERS = 2 ** 28
MAX_PICTURES = 2 ** 31


class Lost(Exception):
    """A worker that is no more, or does not answer."""


def find_main(pickled):
    """How a worker finds what the program itself defines: it runs it under another name, as with `multiprocessing`."""
    if pickled is None or b"__main__" not in pickled:
        return None
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        return {"init_main_from_name": spec.name}
    path = getattr(main, "__file__", None)
    if path is None:
        raise ValueError("on_reset: a worker process cannot find what is defined in a session: put it into a module")
    return {"init_main_from_path": os.path.abspath(path)}


def to_setup(scene, plugin_dirs, options, layout, on_reset, asked, memory_limit):
    """What every worker is told before it loads its simulations."""
    try:
        pickled = None if on_reset is None else pickle.dumps(on_reset)
    except Exception as error:
        raise ValueError("on_reset: a worker process has to find the function by its name in a module, which pickle "
                         "cannot tell of this one: %s" % error) from None
    # Of an enumeration its number, which Orrery.Options takes, too.
    plain = {name: int(value) if hasattr(value, "value_nick") else value for name, value in options.items()}
    # A process that comes later has another directory, if the program has changed it.
    setup = {"scene": os.path.abspath(scene), "plugin_dirs": [os.path.abspath(each) for each in plugin_dirs],
             "options": plain, "layout": layout, "asked": asked, "memory_limit": memory_limit, "on_reset": pickled, "main": find_main(pickled),
             "sys_path": list(sys.path), "sys_argv": list(getattr(sys, "argv", []))}
    try:
        pickle.dumps((plain, asked))
    except Exception as error:
        raise ValueError("processes: options of simulations in other processes are numbers and texts: %s" % error) \
            from None
    return setup


def to_error(worker, problem):
    """What has gone wrong in a worker, as it would have been raised here."""
    if problem.get("is_value"):
        return ValueError(problem["message"])
    where = "" if problem.get("row") is None else ", environment %d" % problem["row"]
    message = "process %d%s: %s" % (worker.index, where, problem["message"])
    if "domain" in problem:
        return GLib.Error(message, problem["domain"], problem["code"])
    return RuntimeError(message)


class Worker:
    """A process with the environments from `first` on."""

    def __init__(self, index, first, n):
        self.index, self.first, self.n = index, first, n
        self.process = self.control = self.lifeline = None
        # Whether one of its environments is to be found that takes too much memory.
        self.is_heavy = False

    @property
    def rows(self):
        return slice(self.first, self.first + self.n)

    def start(self, setup):
        environment = dict(os.environ)
        paths = [PACKAGES] + [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
        environment["PYTHONSAFEPATH"] = "1"  # no modules of the current directory
        watched, self.lifeline = os.pipe()
        try:
            self.control, theirs = socket.socketpair()
        except OSError:
            os.close(watched)
            raise
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "orrery._gym_worker", str(theirs.fileno()), str(watched)], env=environment,
                stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(), watched))
        finally:
            theirs.close()
            os.close(watched)
        text = pickle.dumps(dict(setup, first=self.first, n=self.n))
        self.send(LENGTH.pack(len(text)) + text)

    def order(self, data):
        """Never waits: so few bytes have a place, since the answer to those before has come."""
        try:
            self.control.send(data, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        except OSError:
            pass

    def send(self, data, fds=()):
        """What is lost is found when the answer is awaited."""
        try:
            self.control.settimeout(START_TIMEOUT)
            if fds:
                socket.send_fds(self.control, [data], fds, socket.MSG_NOSIGNAL)
            else:
                self.control.sendall(data, socket.MSG_NOSIGNAL)
            # Without a timeout a call in a step is one call of the system.
            self.control.settimeout(None)
        except OSError:
            pass

    def read(self, n):
        parts = b""
        while len(parts) < n:
            part = self.control.recv(n - len(parts))
            if not part:
                raise Lost
            parts += part
        return parts

    def receive(self, timeout):
        """An answer, which has begun to arrive if there is a timeout: its kind, and its value."""
        try:
            kind = self.control.recv(1, 0 if timeout is None else socket.MSG_DONTWAIT)
            if kind == DONE:
                return kind, None
            if not kind:
                raise Lost
            self.control.settimeout(timeout)
            (length,) = LENGTH.unpack(self.read(LENGTH.size))
            if length > MAX_ANSWER:
                raise Lost
            return kind, json.loads(self.read(length))
        except (OSError, ValueError):
            raise Lost from None

    def end(self, hung_for=None, is_heavy=False):
        """Ends it at once; returns what became of it."""
        self.process.kill()
        code = self.process.wait()
        self.close()
        name = "process %d (environments %d to %d)" % (self.index, self.first, self.first + self.n - 1)
        end = "ended with exit code %d" % code
        if code < 0:
            end = "was killed by signal %d (%s)" % (-code, signal.Signals(-code).name)
        self.is_heavy = is_heavy or code == TOO_MUCH
        if self.is_heavy:
            end = "has ended with more memory than memory_limit"
        if hung_for is not None:
            end = "did not answer within %g s, and %s" % (hung_for, end)
        return "%s %s" % (name, end)

    def close(self):
        if self.control is not None:
            self.control.close()
        if self.lifeline is not None:
            os.close(self.lifeline)
        self.control = self.lifeline = None


class Crew:
    """The processes and their memory; apart from ProcessVector, so that they end when nobody has it any more."""

    def __init__(self):
        self.workers, self.memory, self.pid = [], None, os.getpid()
        self.store = Store()

    def close(self):
        # A fork of the learner ends nothing of it.
        if os.getpid() != self.pid:
            return
        started = [worker for worker in self.workers if worker.lifeline is not None]
        poll, waiting, end = select.poll(), {}, time.monotonic() + END_TIMEOUT
        for worker in [worker for worker in started if worker.control is not None]:
            try:
                worker.control.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            waiting[worker.control.fileno()] = worker
            # Answers that nobody waits for any more are no end of it.
            poll.register(worker.control, select.POLLHUP | select.POLLRDHUP)
        while waiting and time.monotonic() < end:
            for fd, _ in poll.poll(max(0, end - time.monotonic()) * 1000):
                poll.unregister(fd)
                del waiting[fd]
        for worker in started:
            if worker.process is not None:
                worker.end()
            worker.close()
        if self.memory is not None:
            os.close(self.memory)
            self.memory = None
        self.store.close()


class ProcessVector:
    """Stands in for an OrreryVector: a block of simulations in each of several processes."""

    def __init__(self, n, processes, timeout, setup):
        self.n, self.timeout, self.setup = n, timeout, dict(setup, total=n)
        self.failures, self.expected, self.lost, self.shared = {}, [], {}, None
        # Rows that were lost when nobody stepped, and how: their episodes end with the next step.
        self.dropped, self.is_rendered = {}, False
        self.record, self.ticks, self.live = Record(n), 0, numpy.zeros(n, dtype=bool)
        self.crew = Crew()
        self.close = weakref.finalize(self, self.crew.close)
        first = 0
        for index in range(processes):
            rows = n // processes + (index < n % processes)
            self.crew.workers.append(Worker(index, first, rows))
            first += rows
        try:
            self.start(self.crew.workers)
        except BaseException:
            self.close()
            raise

    # --- starts ---

    def start(self, workers):
        """Loads their simulations, all at the same time, and gives them the memory."""
        for worker in workers:
            worker.start(self.setup)
        self.expected = list(workers)
        answers = self.await_start()
        self.check_loaded(answers)
        measures = [answers[worker.index]["measures"] for worker in workers]
        if self.shared is None:
            self.share(measures[0])
        if any(each != self.measures for each in measures):
            raise RuntimeError("the observations of one process have another length than those of the others")
        for worker in workers:
            worker.send(struct.pack("3Q", *self.widths), [self.crew.memory, self.crew.store.fd])
        self.expected = list(workers)
        self.await_start()

    def check_loaded(self, answers):
        limit, most = self.setup["memory_limit"], max(answer["memory"] for answer in answers.values())
        if limit is not None and most > limit:
            raise ValueError("memory_limit: a process has %d bytes as soon as its simulations are loaded, and %d is the "
                             "limit" % (most, limit))

    def await_start(self):
        answers, errors = self.collect(START_TIMEOUT)
        if errors:
            raise errors[min(errors)]
        if self.lost:
            raise RuntimeError("a process of the environment cannot start: %s" % self.lost[min(self.lost)])
        return answers

    def share(self, measures):
        self.measures = measures
        self.widths = (sum(measures["observed"]), sum(measures["acted"]), len(self.setup["layout"][2]))
        if max(self.widths) * self.n > MAX_NUMBERS:
            raise ValueError("%d columns of %d simulations are more than 2 GiB" % (max(self.widths), self.n))
        asked, shapes = self.setup["asked"], measures["cameras"]
        shared = Shared(self.n, self.widths, {name: shapes[name] for name in asked.observed},
                        asked.get_render_shape(shapes))
        if shared.size - shared.places["begins"] > MAX_PICTURES:
            raise ValueError("pictures of %d simulations are more than 2 GiB" % self.n)
        # It has no name, so that nothing is left of it whoever ends how.
        self.crew.memory = os.memfd_create("orrery-gym", os.MFD_CLOEXEC)
        os.ftruncate(self.crew.memory, shared.size)
        os.posix_fallocate(self.crew.memory, 0, shared.fixed_size)
        shared.look_at(mmap.mmap(self.crew.memory, shared.size))
        shared.held[:] = 1
        self.shared = shared

    def replace(self):
        """Fresh processes in place of those that are lost. Returns for each of their rows how."""
        texts, self.lost = self.lost, {}
        lost = [worker for worker in self.crew.workers if worker.index in texts]
        for worker in lost:
            self.shared.held[worker.rows] = 1
            self.shared.results[worker.rows] = numpy.nan
        try:
            self.start(lost)
        except BaseException:
            self.close()
            raise
        return {row: texts[worker.index] for worker in lost for row in range(worker.first, worker.first + worker.n)}

    # --- episodes of lost processes ---

    def bring_back(self, lost, live):
        """Has the processes that came in place of lost ones go through the episodes again, by their seeds and actions.

        lost: how they were lost, by row; live: whether a row is in an episode. Returns which are lost for good, and
        how.
        """
        texts, gone = {}, {}
        rows = self.sort_lost(lost, live, texts, gone)
        for _ in range(MAX_REPEATS):
            if not rows:
                break
            self.shared.repeated[:] = self.shared.grown[:] = 0
            self.failures = {}
            self.order_repeats(rows)
            _, errors = self.collect_repeats()
            if errors:
                raise errors[min(errors)]
            gone.update(self.failures)
            at_fault = self.find_faults(rows)
            again = self.replace() if self.lost else {}
            gone.update({row: "environment %d: %s" % (row, again[row]) for row in at_fault})
            rows = self.sort_lost(again, live, texts, gone)
        gone.update({row: texts[row] for row in rows})
        self.record.forget(list(gone))
        for worker in self.crew.workers:
            worker.is_heavy = False
        self.failures = {}
        back = sorted(row for row in texts if row not in gone)
        self.shared.held[back] = 0
        if back:
            warnings.warn("orrery.gym: %s; episodes that went on in another process: %d" % (texts[back[0]], len(back)),
                          RuntimeWarning, stacklevel=2)
        return gone

    def find_faults(self, rows):
        """Which of the rows have ended their processes, which are in `lost` then: of each the one that was under way,
        or, where memory was the reason, the one that has taken most.
        """
        found = []
        for worker in self.crew.workers:
            own = [row for row in rows if worker.first <= row < worker.first + worker.n]
            if not own:
                continue
            if worker.is_heavy:
                # It may have come through just below the limit.
                if worker.index not in self.lost:
                    self.lost[worker.index] = worker.end(is_heavy=True)
                worker.is_heavy = False
                found.append(max(own, key=lambda row: self.shared.grown[row]))
            elif worker.index in self.lost:
                found += [row for row in own if self.shared.repeated[row] > 0]
        return found

    def sort_lost(self, lost, live, texts, gone):
        """Which rows of lost processes can be brought back; what else was in an episode is gone."""
        rows = [row for row in lost if live[row] and row not in gone]
        for row in rows:
            texts.setdefault(row, lost[row])
            if not self.record.is_known(row):
                gone[row] = lost[row]
        return [row for row in rows if row not in gone]

    def order_repeats(self, rows):
        told = [self.record.tell(row) for row in rows]
        # All at once: what is put later may take the place of what was put before.
        places = self.crew.store.put([state for _, _, state, _ in told])
        episodes = [(row, seed, number, place, actions)
                    for row, place, (seed, number, _, actions) in zip(rows, places, told)]
        for worker in self.crew.workers:
            own = [episode for episode in episodes if worker.first <= episode[0] < worker.first + worker.n]
            if own:
                text = pickle.dumps(own)
                worker.order(ORDER.pack(REPEAT, self.ticks))
                worker.send(LENGTH.pack(len(text)) + text)
                self.expected.append(worker)

    def collect_repeats(self):
        """As collect (), but a process has the timeout for each step."""
        if self.timeout is None:
            return self.collect(None)
        answers, errors, poll = {}, {}, select.poll()
        workers, seen = {worker.control.fileno(): worker for worker in self.expected}, {}
        for fd in workers:
            poll.register(fd, select.POLLIN)
        while workers:
            for fd, worker in workers.items():
                steps = self.shared.repeated[worker.rows].tolist()
                if fd not in seen or seen[fd][0] != steps:
                    seen[fd] = steps, time.monotonic() + self.timeout
            first = min(seen[fd][1] for fd in workers)
            for fd, _ in poll.poll(max(0, first - time.monotonic()) * 1000):
                poll.unregister(fd)
                self.take(workers.pop(fd), self.timeout, answers, errors)
            for fd, worker in list(workers.items()):
                steps, end = seen[fd]
                if time.monotonic() >= end and self.shared.repeated[worker.rows].tolist() == steps:
                    poll.unregister(fd)
                    self.expected.remove(workers.pop(fd))
                    self.lost[worker.index] = worker.end(hung_for=self.timeout)
        return answers, errors

    # --- orders and answers ---

    def tell(self, what, ticks, workers):
        if not self.close.alive:
            raise RuntimeError("the processes of the environment have ended")
        if self.expected:
            # What an exception has left, as that of Ctrl-C.
            self.finish()
        order = ORDER.pack(what, ticks)
        for worker in workers:
            worker.order(order)
            self.expected.append(worker)

    def take(self, worker, timeout, answers, errors):
        """The answer of a worker that is ready, or gone."""
        try:
            kind, value = worker.receive(timeout)
        except Lost:
            kind, value = None, None
        self.expected.remove(worker)
        if kind is None:
            self.lost[worker.index] = worker.end()
        elif kind == ERROR:
            errors[worker.index] = to_error(worker, value)
        elif kind == FAILURES:
            self.failures.update((int(row), text) for row, text in value.items())
        else:
            answers[worker.index] = value

    def collect(self, timeout):
        """Waits for all that are expected. Returns their answers and errors by index; fills self.lost."""
        answers, errors = {}, {}
        if timeout is None:
            # All are awaited anyway: one after the other costs fewer calls and wakes than with poll.
            for worker in list(self.expected):
                self.take(worker, None, answers, errors)
            return answers, errors
        end = time.monotonic() + timeout
        poll, waiting = select.poll(), {worker.control.fileno(): worker for worker in self.expected}
        for fd in waiting:
            poll.register(fd, select.POLLIN)
        while waiting:
            ready = poll.poll(max(0, end - time.monotonic()) * 1000)
            for fd, _ in ready:
                poll.unregister(fd)
                self.take(waiting.pop(fd), timeout, answers, errors)
            if not ready:
                for worker in waiting.values():
                    self.expected.remove(worker)
                    self.lost[worker.index] = worker.end(hung_for=timeout)
                break
        return answers, errors

    def finish(self):
        """Rows that were lost with their processes, in place of which there are others now, and how."""
        _, errors = self.collect(self.timeout)
        rows = self.replace() if self.lost else {}
        if errors:
            raise errors[min(errors)]
        return rows

    # --- as of an OrreryVector ---

    def get_observation_width(self, index):
        return self.measures["observed"][index]

    def get_action_width(self, index):
        return self.measures["acted"][index]

    def get_failure(self, i):
        return self.failures.get(i)

    def get_simulation(self, i):
        raise RuntimeError("simulation %d is in another process" % i)

    def check_actions(self, held):
        """Before any process steps, so that none has where one refuses."""
        for column, field in self.measures["whole"]:
            given = self.shared.acted[:, column]
            wrong = numpy.flatnonzero((given != numpy.rint(given)) & ~held)
            if wrong.size:
                raise ValueError("simulation %d, %s: an action cannot be %g" % (wrong[0], field, given[wrong[0]]))

    def begin_step(self, ticks):
        # What came in place of those that were lost has not begun.
        if self.dropped:
            self.shared.held[list(self.dropped)] = 1
        if self.measures["whole"]:
            self.check_actions(self.shared.held.astype(bool))
        self.failures, self.dropped = self.dropped, {}
        self.live, self.ticks = self.shared.held == 0, ticks
        self.record.keep(self.shared.acted)
        self.tell(STEP, ticks, self.crew.workers)

    def finish_step(self):
        """How many have failed."""
        lost = self.finish()
        if lost:
            failures = self.failures
            failures.update(self.bring_back(lost, self.live))
            self.failures = failures
        return len(self.failures)

    def step(self, ticks):
        self.begin_step(ticks)
        self.finish_step()

    def begin_episodes(self, rows, seeds, episodes, states):
        """Begins the episodes of rows. Returns which rows besides were lost with a process, and how."""
        shared, others = self.shared, {}
        for row in rows:
            self.dropped.pop(int(row), None)
        shared.begins[:] = 0
        shared.begins[rows] = 1
        shared.starts[rows] = self.crew.store.put(states)
        shared.seeds[:], shared.episodes[:] = seeds, episodes
        asked = shared.begins.astype(bool)
        for _ in range(MAX_TRIES):
            workers = [worker for worker in self.crew.workers if shared.begins[worker.rows].any()]
            self.tell(BEGIN, 0, workers)
            lost = self.finish()
            shared.begins[:] = 0
            if not lost:
                self.record.begin(rows, seeds, episodes, states)
                shared.held[asked] = 0
                others = {row: text for row, text in others.items() if not asked[row]}
                return self.bring_back(others, self.record.begun >= 0) if others else {}
            others.update(lost)
            shared.begins[list(lost)] = asked[list(lost)]
        raise RuntimeError("an episode cannot begin: %s" % lost[min(lost)])

    # --- between two steps ---

    def render(self):
        """Has all draw what `render ()` shows; black where an episode is lost."""
        shared = self.shared
        if not self.is_rendered:
            os.posix_fallocate(self.crew.memory, shared.places["rendered"], shared.size - shared.places["rendered"])
            self.is_rendered = True
        for _ in range(MAX_TRIES):
            self.tell(RENDER, 0, self.crew.workers)
            lost = self.finish()
            if not lost:
                break
            shared.rendered[list(lost)] = 0
            self.dropped.update(self.bring_back(lost, self.record.begun >= 0))
        shared.rendered[list(self.dropped)] = 0

    def save(self, i):
        """The state of simulation i."""
        worker = next(each for each in self.crew.workers if i < each.first + each.n)
        self.tell(SAVE, i, [worker])
        answers, errors = self.collect(self.timeout)
        if self.lost:
            lost = self.replace()
            self.dropped.update(self.bring_back(lost, self.record.begun >= 0))
            raise RuntimeError("environment %d cannot be saved: %s" % (i, lost[i]))
        if errors:
            raise errors[worker.index]
        return base64.b64decode(answers[worker.index])
