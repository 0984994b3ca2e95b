# SPDX-License-Identifier: BSD-3-Clause
"""Clients of services and streams for `async` code and notebooks.

    async with orrery.connect("localhost", 4000) as robots:
        await robots.robot.motion.set_speed(1.0, 0.0)
        async for record in robots.robot.pose:
            print(record.x)

`orrery.live (sim)` gives the same of a simulation in this process, whose ticks run in the event loop meanwhile.
"""

import asyncio
import collections
import json
import math

from ._values import GLib, Orrery

# Bytes of one message: an image of 4K in base64.
MAX_LINE = 64 << 20
MAX_WAITING = 1000
MAX_LATE = 20


class Node:
    """A name in the scene: a component, or one of its services; `node.name` goes on."""

    __slots__ = ("_client", "_path")

    def __init__(self, client, path):
        self._client = client
        self._path = path

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        return Node(self._client, "%s.%s" % (self._path, name) if self._path else name)

    def __call__(self, *arguments):
        """Calls the service, for `await`: its value, once it is done; what it fails with is raised."""
        part, _, service = self._path.rpartition(".")
        if not part:
            raise TypeError("%s: a service is called as part.service (...)" % (self._path or "nothing"))
        return self._client._call(part, service, arguments)

    def __aiter__(self):
        """The records that the component passes on from now."""
        return self._client._follow(self._path)

    async def get(self):
        """The next record."""
        records = self._client._follow(self._path)
        try:
            async for record in records:
                return record
        finally:
            await records.aclose()
        raise ended(self._path)

    async def publish(self, *record, **fields):
        """Writes the input of an actuator: a dictionary, or its fields by name."""
        await self._client._publish(self._path, dict(*record, **fields))

    def __repr__(self):
        return "<%s of %r>" % (self._path or "all", self._client)


def failure(code, words):
    return GLib.Error.new_literal(Orrery.error_quark(), words, int(code))


def ended(what):
    return failure(Orrery.Error.IO, "%s: the simulation has ended" % what)


class Client:
    """What both have: `async with` gives the root of its names."""

    async def __aenter__(self):
        await self._open()
        return Node(self, "")

    async def __aexit__(self, *problem):
        await self._close()


# --- in another process ---

class Remote(Client):
    """The request manager `socket` of a simulation, and its streams."""

    def __init__(self, host, port):
        self._host, self._port = host, int(port)
        self._answers = {}
        self._writers = {}
        self._last = 0
        self._error = None

    def __repr__(self):
        return "%s:%d" % (self._host, self._port)

    async def _connect(self, port):
        try:
            return await asyncio.open_connection(self._host, port, limit=MAX_LINE)
        except OSError as error:
            raise failure(Orrery.Error.IO, "%s:%d: %s" % (self._host, port, error.strerror or error)) from None

    async def _open(self):
        self._reader, self._writer = await self._connect(self._port)
        self._task = asyncio.ensure_future(self._read())

    async def _close(self):
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for writer in (self._writer, *self._writers.values()):
            writer.close()
        self._end()

    def _end(self):
        self._error = ended(repr(self))
        answers, self._answers = self._answers, {}
        for answer, _ in answers.values():
            if not answer.done():
                answer.set_exception(self._error)
                # Who was cancelled asks no more.
                answer.exception()

    async def _read(self):
        try:
            while True:
                line = await self._reader.readline()
                if not line:
                    break
                self._take(line.decode(errors="replace").split(" ", 2))
        except (OSError, ValueError):
            pass
        finally:
            self._end()

    def _take(self, words):
        answer, name = self._answers.pop(words[0], (None, "")) if len(words) > 1 else (None, "")
        if answer is None or answer.done():
            return
        text = words[2].strip() if len(words) > 2 else ""
        try:
            value = json.loads(text) if text else None
        except ValueError:
            value = text
        if words[1].strip() == "SUCCESS":
            answer.set_result(value)
        else:
            preempted = words[1].strip() == "PREEMPTED"
            code = Orrery.Error.PREEMPTED if preempted else Orrery.Error.INVALID
            answer.set_exception(failure(code, "%s: %s" % (name, value if value else words[1].strip().lower())))

    async def _call(self, part, service, arguments):
        if self._error is not None:
            raise self._error
        self._last += 1
        number = "value:%d" % self._last  # 0 is not None
        answer = asyncio.get_running_loop().create_future()
        self._answers[number] = (answer, "%s.%s" % (part, service))
        text = json.dumps(arguments, default=plain)
        self._writer.write(("%s %s %s %s\n" % (number, part, service, text)).encode())
        try:
            return await answer
        except asyncio.CancelledError:
            if self._answers.pop(number, None) is not None:
                self._writer.write(("%s cancel\n" % number).encode())
            raise

    async def _stream(self, path):
        port = await self._call("simulation", "get_stream_port", (path,))
        return await self._connect(int(port))

    async def _follow(self, path):
        reader, writer = await self._stream(path)
        try:
            while True:
                line = await reader.readline()
                if not line:
                    return
                yield sample(json.loads(line))
        except OSError:
            return
        finally:
            writer.close()

    async def _publish(self, path, record):
        if path not in self._writers:
            self._writers[path] = (await self._stream(path))[1]
        writer = self._writers[path]
        writer.write((json.dumps(record, default=plain) + "\n").encode())
        try:
            await writer.drain()
        except OSError:
            del self._writers[path]
            raise ended(path) from None


def sample(record):
    from ._follow import Sample
    return Sample(record)


def plain(value):
    """Arrays and numbers of NumPy, as JSON has them."""
    for name in "tolist", "__index__", "__float__":
        if hasattr(value, name):
            return getattr(value, name)()
    raise TypeError("%r cannot be written as JSON" % (value,))


# --- in this process ---

class Local(Client):
    """Runs the ticks of a simulation between what else the event loop does.

    It is paced by the event loop's clock and not attached to a scheduler (`sim.attach ()`): coroutines have a turn
    after each tick, also when ticks are late, while a scheduler runs several ticks in one turn of a GLib main loop.
    """

    def __init__(self, simulation, pace):
        self._simulation = simulation
        self._pace = float(pace)
        if not self._pace >= 0:
            raise ValueError("pace: simulated seconds per second, or 0 for as fast as possible; not %g" % self._pace)
        self._pending = []
        self._queues = set()
        self._error = None

    def __repr__(self):
        return "this process"

    async def _open(self):
        self._closing = False
        self._task = asyncio.ensure_future(self._drive())

    async def _close(self):
        self._closing = True
        await asyncio.gather(self._task, return_exceptions=True)
        self._end(ended(repr(self)))

    def _end(self, error):
        self._error = error
        pending, self._pending = self._pending, []
        for call, answer in pending:
            call.cancel()
            if not answer.done():
                answer.set_exception(error)
                answer.exception()
        for queue in self._queues:
            queue.end(error)

    async def _drive(self):
        try:
            await self._tick_for_ever()
        except GLib.Error as error:
            self._end(error)

    async def _tick_for_ever(self):
        loop, simulation = asyncio.get_running_loop(), self._simulation
        period = 1.0 / simulation.get_frequency() / self._pace if self._pace > 0 and math.isfinite(self._pace) else 0.0
        due, begun = loop.time(), False
        while not self._closing and not simulation.is_quitting():
            if begun and simulation.get_state() != Orrery.State.RUNNING:
                simulation.idle(1)
                await asyncio.sleep(max(period, 0.01))
                due = loop.time()
            else:
                simulation.step(1)
                begun = True
                due = max(due + period, loop.time() - MAX_LATE * period)
                await asyncio.sleep(max(0.0, due - loop.time()))
            self._answer()
        self._end(ended(repr(self)))

    def _answer(self):
        waiting = []
        for call, answer in self._pending:
            if not call.done:
                waiting.append((call, answer))
            elif not answer.done():
                settle(call, answer)
        self._pending = waiting

    async def _call(self, part, service, arguments):
        if self._error is not None:
            raise self._error
        from ._native import start_call
        call = start_call(self._simulation, part, service, arguments)
        if call.done:
            return call.result()
        answer = asyncio.get_running_loop().create_future()
        self._pending.append((call, answer))
        try:
            return await answer
        except asyncio.CancelledError:
            call.cancel()
            raise

    async def _follow(self, path):
        if self._error is not None:
            raise self._error
        component = self._simulation[path]
        queue = Queue()
        self._queues.add(queue)
        subscription = component.subscribe(lambda _: queue.put(component))
        try:
            while True:
                record = await queue.get()
                if record is None:
                    return
                yield record
        finally:
            subscription.end()
            self._queues.discard(queue)

    async def _publish(self, path, record):
        data = self._simulation[path].data
        for name, value in record.items():
            setattr(data, name, value)


def settle(call, answer):
    try:
        answer.set_result(call.result())
    except GLib.Error as error:
        answer.set_exception(error)


class Queue:
    """Records between the simulation and who awaits them: the oldest are dropped."""

    def __init__(self):
        self._records = collections.deque(maxlen=MAX_WAITING)
        self._news = asyncio.Event()
        self._ended = False

    def put(self, component):
        from ._follow import sample_of
        self._records.append(sample_of(component))
        self._news.set()

    def end(self, _error):
        self._ended = True
        self._news.set()

    async def get(self):
        while not self._records and not self._ended:
            self._news.clear()
            await self._news.wait()
        return self._records.popleft() if self._records else None
