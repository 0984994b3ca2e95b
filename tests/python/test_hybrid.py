# SPDX-License-Identifier: BSD-3-Clause
"""Hybrid worlds in Python, with background processes that are really there."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import unittest

from native import BUILD, HERE, PROGRAM, SOURCE, PythonCase
import tap

EXAMPLE = os.path.join(SOURCE, "examples/hybrid_loop.py")
SEED = os.path.join(HERE, "fixtures/seed_intervals.py")
DEPTH = 5
N_INTERRUPTS = int(os.environ.get("ORRERY_TEST_INTERRUPTS", "10"))


class HybridCase(PythonCase):
    def environment(self):
        return dict(super().environment(), ORRERY_TRIAL_MARK=self.directory)

    def processes(self):
        """Those that belong to this test, zombies left out."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % pid, "rb") as file:
                    if ("ORRERY_TRIAL_MARK=" + self.directory).encode() in file.read():
                        found.append(int(pid))
            except OSError:
                continue
        return found

    def nothing_left(self):
        self.assertEqual(self.processes(), [])
        self.assertEqual([name for name in os.listdir("/dev/shm") if "orrery" in name], [])

    def run_program(self, code, *arguments):
        """Exit code, what was printed, what was complained of."""
        process = self.begin(self.program(code), *arguments)
        out, err = process.communicate(timeout=120)
        self.nothing_left()
        return process.returncode, out.splitlines(), err

    def start_group(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.directory,
                                   env=self.environment(), stdin=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(self.end, process)
        return process


class Examples(HybridCase):
    """Both programs of examples/, told of by what they print."""

    def run_example(self, parallelism, *command):
        process = self.start_group(*command, parallelism, "100")
        lines, fresh = [], set()
        for line in process.stdout:
            lines.append(line.rstrip())
            if line.startswith("[Controller]") and "FRESH" in line:
                fresh.add(line.split()[1])
            if len(fresh) == 3 and any("STALE" in line for line in lines):
                break
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, err), (0, ""))
        self.nothing_left()
        return [line for line in lines + out.splitlines() if line.startswith("[World]")]

    def check_messages(self, said, parallelism):
        expected = ["world starting"]
        if parallelism == "multiprocess":
            expected += [r"background process started: %s \(process \d+\), %s" % pair for pair in
                         (("temp_sensor", "queue"), ("cloudy_sensor", "queue"), ("camera", "latest"))]
        expected += ["stopping: interrupted", "shared memory released"]
        for line, pattern in zip(said, expected):
            self.assertRegex(line, pattern)
        joined = ["[World] joined: " + name for name in ("camera", "cloudy_sensor", "temp_sensor")]
        self.assertEqual(sorted(said[len(expected):]), joined if parallelism == "multiprocess" else [])

    def test_python(self):
        for parallelism in ("multiprocess", "local"):
            with self.subTest(parallelism):
                self.check_messages(self.run_example(parallelism, PROGRAM, "python", EXAMPLE), parallelism)

    def test_c(self):
        for parallelism in ("multiprocess", "local"):
            with self.subTest(parallelism):
                self.check_messages(self.run_example(parallelism, os.path.join(BUILD, "examples/hybrid_loop")), parallelism)

    def test_another_parallelism(self):
        for command in ([PROGRAM, "python", EXAMPLE], [os.path.join(BUILD, "examples/hybrid_loop")]):
            process = self.start_group(*command, "both")
            self.assertIn("parallelism: no both; there is: local, multiprocess", process.communicate(timeout=120)[1])
            self.assertEqual(process.returncode, 1)

    def test_it_is_short(self):
        """The seed's demo part has 45 lines."""
        with open(EXAMPLE, encoding="utf-8") as file:
            self.assertLessEqual(sum(bool(line.strip()) for line in file), 1.2 * 45)


def judge(emitted, readings, keeps):
    """What is wrong with the readings of one sensor; emitted: its (number, begun, ended), keeps: of a ring, else 1."""
    begun = {number: begin for number, begin, _ in emitted}
    ended = {number: end for number, _, end in emitted}
    never = float("inf")
    last, faults = 0, []
    for value, fresh, start, end, whole in readings:
        number = value or 0
        if (value is None) != (fresh is None) or not whole:
            faults.append("torn: %r" % value)
        if fresh and (number <= last or begun.get(number, never) > end):
            faults.append("%d is said to be fresh after %d" % (number, last))
        if not fresh and number != last:
            faults.append("%d is said to be stale after %d" % (number, last))
        newest = keeps == 1
        if (not fresh or newest) and ended.get(number + 1, never) < start:
            faults.append("%d, while there was %d" % (number, number + 1))
        if fresh and not newest:
            faults += ["%d was passed over" % n for n in range(last + 1, number) if begun.get(n + keeps, never) > end]
        last = number
    return faults


class Seed(HybridCase):
    """The seed's intervals, and what is fresh and what is stale of every reading of the controller."""

    def run_seed(self, *arguments):
        process = self.begin(SEED, self.directory, *arguments)
        _, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, err), (0, ""))
        self.nothing_left()
        return self.read("controller")

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_a_hundred_times_as_fast(self):
        readings = self.run_seed("100")
        self.assertGreaterEqual(len(readings), 75)
        for name, keeps in (("temp_sensor", DEPTH), ("cloudy_sensor", DEPTH), ("camera", 1)):
            own = [reading[1:6] for reading in readings if reading[0] == name]
            emitted = self.read(name)
            self.assertEqual(judge(emitted, own, keeps), [], name)
            self.assertGreaterEqual(sum(reading[1] is True for reading in own), 5)
            # Control: each reading that is turned round is found out.
            for i, reading in enumerate(own):
                if reading[1] is not None:
                    turned = own[:i] + [[reading[0], not reading[1], *reading[2:]]] + own[i + 1:]
                    self.assertNotEqual(judge(emitted, turned, keeps), [], (name, i))

    def test_local_exactly(self):
        readings = self.run_seed()
        for turn in range(25):
            temperature, clouds, camera = readings[3 * turn:3 * turn + 3]
            self.assertEqual(temperature[1:3], [turn + 1, True])
            self.assertEqual(clouds[1:3], [turn // 2 + 1, turn % 2 == 0])
            # Five frames between two looks, of which one is taken: a ring of five drops the oldest.
            self.assertEqual(camera[1:3], [turn + 1 if turn < 2 else 5 * turn - 4, True])
            self.assertEqual([reading[6] for reading in (temperature, clouds, camera)], [turn * 5 * 10 ** 9] * 3)


class Loops(HybridCase):
    COMMON = """
        import os, sys
        import orrery
        from orrery import Hybrid, Sleep, Period

        def say(emitter, *values):
            for value in values:
                emitter.emit(value)
                yield Sleep(0.001)

        def keep(emitter, *values):
            yield from say(emitter, *values)
            yield Sleep(1e6)

        def crash(emitter, where):
            emitter.emit(os.getpid())
            yield Sleep(0.001)
            raise ValueError("broken in " + where)

        def show(receiver, n, world):
            while n > 0:
                reading = receiver.read()
                if reading and reading.fresh:
                    print(reading.value, flush=True)
                    n -= 1
                yield Sleep(0.001)
            world.stop()
        """

    def run_code(self, code, *arguments):
        return self.run_program(self.COMMON + code, *arguments)

    def test_values_of_another_process(self):
        for parallelism in ("local", "multiprocess"):
            code, out, err = self.run_code("""
        if __name__ == "__main__":
            world = Hybrid(parallelism=sys.argv[1], report=print)
            emitter, receiver = world.pipe("values")
            world.background(keep, emitter, 1, "two", (3.0, None), name="three values")
            world.loop(show, receiver, 3, world)
            print(world.run(), receiver.name)
                """, parallelism)
            self.assertEqual((code, err), (0, ""))
            shown = [line for line in out if not line.startswith("background")]
            self.assertEqual(shown, ["world starting", "1", "two", "(3.0, None)", "stopping: asked to stop",
                                     "shared memory released"] + ["joined: three values"] * (parallelism != "local") +
                             ["True values"])

    def test_shared_memory_in_a_local_world(self):
        code, _, err = self.run_code("""
        if __name__ == "__main__":
            world = Hybrid(parallelism="local")
            world.channel("camera", "latest"), world.pipe("sonar"), world.channel("lidar", "latest")
            world.run()
            """)
        self.assertEqual(code, 1)
        self.assertIn("a local hybrid has no shared memory, which camera, lidar ask for", err)

    def test_an_error_stops_the_world_with_its_place(self):
        for parallelism in ("local", "multiprocess"):
            code, out, err = self.run_code("""
        if __name__ == "__main__":
            world = Hybrid(parallelism=sys.argv[1], report=print)
            emitter, receiver = world.pipe("values")
            world.background(crash, emitter, "the middle")
            world.loop(show, receiver, 5, world)
            try:
                world.run()
            except orrery._native.GLib.Error as error:
                print("raised", error.message)
                """, parallelism)
            words = r"crash: .*program\.py:18: ValueError: broken in the middle$"
            self.assertEqual((code, err), (0, ""))
            self.assertRegex(out[-1], "raised " + words)
            self.assertTrue(any(re.match("stopping: " + words, line) for line in out), out)

    def test_restart_and_ignore(self):
        for parallelism in ("local", "multiprocess"):
            code, out, err = self.run_code("""
        if __name__ == "__main__":
            world = Hybrid(parallelism=sys.argv[1])
            world.connect_failed(lambda name, message: print("failed", name, message.split(":", 1)[1], flush=True))
            emitter, receiver = world.pipe("values")
            other, _ = world.pipe("others")
            world.background(crash, emitter, "turn", on_exit="restart")
            world.background(crash, other, "vain", name="ignored", on_exit="ignore")
            world.loop(show, receiver, 3, world)
            print(world.run())
                """, parallelism)
            pids = [line for line in out if line.isdigit()]
            self.assertEqual((code, len(pids), out[-1]), (0, 3, "True"), (out, err))
            self.assertEqual(len(set(pids)), 1 if parallelism == "local" else 3)
            self.assertGreaterEqual(sum("failed crash" in line and "broken in turn" in line for line in out), 2)
            self.assertIn("it begins anew in", err)

    def test_what_cannot_go_to_another_process(self):
        code, out, err = self.run_code("""
        if __name__ == "__main__":
            def inner(emitter):
                yield
            def attempt(function, *arguments, **options):
                world = Hybrid(report=lambda text: None)
                emitter, receiver = world.pipe("values")
                try:
                    world.background(function, emitter, *arguments, **options)
                    world.run()
                except (TypeError, ValueError, orrery._native.GLib.Error) as error:
                    print(str(error).replace("<locals>.", ""))
            attempt(inner)
            attempt(lambda emitter: (yield))
            attempt(say, sys.stdout)
            attempt(say(None))
            attempt(print)
            attempt(say, on_exit="reboot")
            attempt(say, period=1)
            """)
        self.assertEqual((code, err), (0, ""))
        for line, words in zip(out, ("inner: AttributeError: Can't get attribute 'inner'", "<lambda>: a background",
                                     "say: a background loop.*TextIOWrapper", "say: a generator cannot go to another process",
                                     "print is no generator function", "on_exit: no reboot", "a period belongs to a plain")):
            self.assertRegex(line, words)
        self.assertEqual(len(out), 7)

    def test_functions_of_modules_methods_and_periods(self):
        self.write("sensors.py", "import orrery\nclass Lamp:\n    def __init__(self, n):\n        self.n = n\n"
                   "    def blink(self, emitter):\n        self.n += 1\n        emitter.emit(self.n)\n")
        code, out, err = self.run_code("""
        import sensors
        if __name__ == "__main__":
            world = Hybrid()
            emitter, receiver = world.pipe("values")
            world.background(sensors.Lamp(41).blink, emitter, period=0.001)
            world.loop(show, receiver, 1, world)
            world.run()
            """)
        # Before the receiver looks for the first time, the pipe may have dropped what was there first.
        self.assertEqual((code, len(out)), (0, 1), err)
        self.assertGreaterEqual(int(out[0]), 42)

    def test_a_main_script_without_a_guard(self):
        code, _, err = self.run_code("""
        world = Hybrid()
        emitter, receiver = world.pipe("values")
        world.background(say, emitter, 1)
        world.run()
            """)
        self.assertEqual(code, 1)
        self.assertIn("put it under if __name__ ==", err)

    def test_a_module_that_is_not_there_any_more(self):
        self.write("gone.py", "def loop(emitter):\n    yield\n")
        code, _, err = self.run_code("""
        if __name__ == "__main__":
            import gone
            os.remove("gone.py")
            world = Hybrid()
            emitter, receiver = world.pipe("values")
            world.background(gone.loop, emitter, name="camera")
            world.run()
            """)
        self.assertEqual(code, 1)
        self.assertIn("camera: ", err)
        self.assertIn("ModuleNotFoundError: No module named 'gone'", err)

    def test_a_clock_of_the_users_own(self):
        clock = """
        class Fast(orrery.Clock):
            def do_get_time(self):
                return orrery._channels.wall.monotonic_ns() * 50
            def do_get_wait(self, until):
                return max(0, until - self.get_time()) // 50
            %s
        if __name__ == "__main__":
            world = Hybrid(Fast())
            emitter, receiver = world.pipe("values")
            world.background(keep, emitter, *range(3))
            world.loop(show, receiver, 3, world)
            before = world.clock.get_time()
            world.run()
            """
        code, out, err = self.run_code(clock % "__reduce__ = lambda self: (Fast, ())")
        self.assertEqual((code, out), (0, ["0", "1", "2"]), err)
        code, _, err = self.run_code(clock % "")
        self.assertEqual(code, 1)
        self.assertIn("keep: a background loop and its arguments go to another process", err)

    def test_the_stop_event_goes_with_a_loop(self):
        for parallelism in ("local", "multiprocess"):
            code, out, err = self.run_code("""
        def ask(stop):
            yield Sleep(0.001)
            assert not stop.is_set()
            stop.set()
            yield Sleep(1e6)
        if __name__ == "__main__":
            world = Hybrid(parallelism=sys.argv[1], report=print)
            world.background(ask, world.stop_event)
            world.run()
            print(world.stop_event.is_set())
                """, parallelism)
            self.assertEqual((code, err, out[-1]), (0, "", "True"))
            self.assertIn("stopping: asked to stop", out)

    ENDS = """
        def say_end(text):
            os.write(1, text.encode() + b"\\n")

        def film(emitter, stop, sleep):
            try:
                n = 0
                while not stop.is_set():
                    emitter.emit(n)
                    n += 1
                    yield Sleep(sleep)
                say_end("behind")
                for _ in range(3):
                    yield Sleep(0.01)
                yield Period(0.01)
                yield orrery.until(lambda: True)
                say_end("later")
            finally:
                say_end("closed")

        def stubborn(emitter, stop):
            try:
                n = 0
                while stop.is_set() is not None:
                    emitter.emit(n)
                    n += stop.is_set()
                    yield Sleep(0.001)
            finally:
                say_end("stepped on" if n > 1 else "not stepped on")

        def deaf(emitter, stop):
            try:
                while True:
                    emitter.emit(1)
                    yield Sleep(0.001)
                    if emitter is None:
                        stop.is_set()
            finally:
                say_end("deaf")

        def wait(receiver, world):
            while not receiver.read():
                yield Sleep(0.001)
            world.stop()

        if __name__ == "__main__":
            # Long enough for a busy machine; only what never ends waits for it.
            world = Hybrid(parallelism=sys.argv[1], report=print, limit=4.0 if sys.argv[2] == "stubborn" else 60.0)
            emitter, receiver = world.pipe("values")
            world.background(globals()[sys.argv[2]], emitter, world.stop_event, *map(float, sys.argv[3:]))
            world.loop(wait, receiver, world)
            world.run()
        """

    def said_at_the_end(self, *arguments):
        code, out, err = self.run_code(self.ENDS, *arguments)
        self.assertEqual((code, err), (0, ""), out)
        # One that is killed says so.
        self.assertEqual([line for line in out if line.startswith("killed")], [])
        return [line for line in out if line in ("behind", "later", "closed", "stepped on", "not stepped on", "deaf")]

    def test_a_loop_that_looks_at_the_stop_ends_by_itself(self):
        for parallelism in ("local", "multiprocess"):
            for sleep in ("0.001", "1e6"):
                with self.subTest(parallelism + " " + sleep):
                    self.assertEqual(self.said_at_the_end(parallelism, "film", sleep), ["behind", "later", "closed"])

    def test_a_loop_that_goes_on_and_on_is_closed(self):
        for parallelism in ("local", "multiprocess"):
            with self.subTest(parallelism):
                self.assertEqual(self.said_at_the_end(parallelism, "stubborn"), ["stepped on"])

    def test_a_loop_that_does_not_look_is_closed_at_once(self):
        for parallelism in ("local", "multiprocess"):
            with self.subTest(parallelism):
                self.assertEqual(self.said_at_the_end(parallelism, "deaf"), ["deaf"])

    def test_what_fails_behind_the_stop_is_told(self):
        code, out, err = self.run_code("""
        def film(emitter, stop):
            while not stop.is_set():
                emitter.emit(1)
                yield Sleep(0.001)
            None + 1
        def wait(receiver, world):
            while not receiver.read():
                yield Sleep(0.001)
            world.stop()
        if __name__ == "__main__":
            world = Hybrid(parallelism=sys.argv[1])
            emitter, receiver = world.pipe("values")
            world.background(film, emitter, world.stop_event)
            world.loop(wait, receiver, world)
            world.run()
            """, "local")
        self.assertEqual(code, 0)
        self.assertRegex(err, r"film: at its end: .*program\.py:\d+: TypeError: unsupported operand")

    def test_exits(self):
        code, out, err = self.run_code("""
        def leave(code):
            yield Sleep(0.001)
            sys.exit(code)
        if __name__ == "__main__":
            for code in (0, 3):
                world = Hybrid(report=print)
                world.background(leave, code)
                try:
                    world.run()
                except orrery._native.GLib.Error as error:
                    print("raised", error.message)
            world = Hybrid(report=print)
            world.loop(leave, 5)
            world.run()
            """)
        self.assertEqual((code, err), (5, ""))
        self.assertIn("stopping: leave ended", out)
        self.assertRegex("\n".join(out), r"raised leave: .*program\.py:\d+: SystemExit: 3")

    def test_generators_are_closed_everywhere(self):
        code, out, err = self.run_code("""
        def tidy(where):
            try:
                os.write(1, b"begin %s\\n" % where)
                yield Sleep(1e6)
            finally:
                os.write(1, b"end %s\\n" % where)
        def wait(receiver, world):
            yield Sleep(0.001)
            while not receiver.read():
                yield Sleep(0.001)
            world.stop()
        def after(emitter):
            with open("/dev/null"):
                yield from tidy(b"background") if emitter.emit(1) else ()
        if __name__ == "__main__":
            world = Hybrid()
            emitter, receiver = world.pipe("values")
            world.background(after, emitter)
            world.loop(tidy, b"front")
            world.loop(wait, receiver, world)
            world.run()
            """)
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(out), ["begin background", "begin front", "end background", "end front"])

    def test_what_fails_at_its_end_is_told(self):
        code, _, err = self.run_code("""
        def untidy():
            try:
                yield Sleep(1e6)
            finally:
                raise ValueError("spilt")
        if __name__ == "__main__":
            world = Hybrid(parallelism="local")
            emitter, receiver = world.pipe("values")
            world.loop(untidy)
            world.background(say, emitter, 1)
            world.run()
            """)
        self.assertEqual(code, 0)
        self.assertRegex(err, r"untidy: at its end: .*program\.py:\d+: ValueError: spilt")

    def test_frames_lie_in_shared_memory(self):
        code, out, err = self.run_code("""
        import numpy
        class Box(orrery.Shared):
            def __init__(self, n): self.n = n
            def get_size(self): return 1
            def write(self, memory): memory[0] = self.n
            def read(self, memory, parameters): self.n = memory[0]
        def film(emitter, boxes):
            for i in range(1000000):
                emitter.emit(numpy.full((480, 640, 3), i % 256, numpy.uint8))
                boxes.emit(Box(i % 256))
                yield Sleep(0.001)
        def look(frames, boxes, world):
            held = []
            while len(held) < 10:
                reading, box = frames.read(), boxes.read()
                if reading and reading.fresh:
                    held.append((reading.value, int(reading.value[0, 0, 0])))
                yield Sleep(0.002)
            print(all((view == n).all() for view, n in held), type(box.value) is Box)
            address = held[0][0].__array_interface__["data"][0]
            for line in open("/proc/self/maps"):
                low, high = (int(x, 16) for x in line.split()[0].split("-"))
                if low <= address < high:
                    print(line.split()[-2])
            world.stop()
        if __name__ == "__main__":
            world = Hybrid()
            emitter, receiver = world.pipe("frames", "latest")
            boxes, reader = world.pipe("boxes")
            world.background(film, emitter, boxes)
            world.loop(look, receiver, reader, world, on_exit="stop")
            world.run()
            """)
        self.assertEqual((code, out), (0, ["True True", "/memfd:orrery-channel"]), err)

    OBJECTS = """
        import collections, dataclasses, datetime, enum
        Pair = collections.namedtuple("Pair", "a b")
        class Color(enum.Enum):
            RED = 1
        class Level(enum.IntEnum):
            HIGH = 7
        class Name(str):
            pass
        @dataclasses.dataclass
        class Seen:
            where: tuple
            names: set
            more: object = None
        values = [Seen((1, 2.5), {"a"}), Seen(Pair(1, 2), set(), Seen((), set())), Pair(1, 2), Color.RED, Level.HIGH, Name("n"),
                  {1: 2}, {"a": Seen((), set())}, [1, Pair(3, 4)], 1 << 80, "a\\0b", "\\ud800", {"\\udfff": 1}, 1j, datetime.timedelta(1), frozenset([1]),
                  range(3), len, int, collections.OrderedDict(a=1), ValueError("x")]
        plain = [1, "two", (3.0, None), [b"x", {"y": True}]]

        def echo(receiver, emitter):
            while True:
                reading = receiver.read()
                if reading and reading.fresh:
                    emitter.emit(reading.value)
                yield Sleep(0.0002)

        def ask(emitter, receiver, world):
            for value in values + plain:
                emitter.emit(value)
                reading = None
                while not (reading and reading.fresh):
                    yield Sleep(0.0002)
                    reading = receiver.read()
                same = repr(value) == repr(reading.value) if isinstance(value, Exception) else value == reading.value
                if not same or type(value) is not type(reading.value):
                    print("not the same:", repr(value), repr(reading.value))
            try:
                emitter.emit([lambda: 1])
            except TypeError as error:
                print(error)
            world.stop()

        if __name__ == "__main__":
            world = Hybrid(parallelism=sys.argv[1])
            there, back = world.pipe("there", sys.argv[2]), world.pipe("back", sys.argv[2])
            world.background(echo, there[1], back[0])
            world.loop(ask, there[0], back[1], world)
            world.run()
        """

    def test_any_object_between_loops(self):
        for arguments in (("local", "queue"), ("multiprocess", "queue"), ("multiprocess", "latest")):
            with self.subTest(arguments):
                code, out, err = self.run_code(self.OBJECTS, *arguments)
                self.assertEqual((code, len(out)), (0, 1), (out, err))
                self.assertRegex(out[0], "^there: values of type list cannot be sent through a channel: they have no shape, and "
                                 "cannot be pickled: .*lambda")

    def test_a_world_in_a_main_loop_with_threads_beside_it(self):
        code, out, err = self.run_code("""
        import threading
        if __name__ == "__main__":
            from gi.repository import GLib
            done = threading.Event()
            threads = [threading.Thread(target=done.wait) for _ in range(8)]
            for thread in threads: thread.start()
            loop = GLib.MainLoop()
            world = Hybrid(report=print)
            emitter, receiver = world.pipe("values")
            world.background(keep, emitter, 1, 2)
            world.loop(show, receiver, 2, world)
            world.connect_ended(lambda error: (print("ended", error), loop.quit()))
            world.start()
            loop.run()
            done.set()
            """)
        self.assertEqual((code, err, out[-1]), (0, "", "ended None"))
        self.assertIn("joined: keep", out)

    def test_ends_are_closed_with_their_world(self):
        code, out, err = self.run_code("""
        if __name__ == "__main__":
            world = Hybrid(parallelism="local")
            emitter, receiver = world.pipe("values")
            world.loop(say, emitter, 1)
            world.run()
            for attempt in (lambda: emitter.emit(1), receiver.read):
                try:
                    attempt()
                except RuntimeError as error:
                    print(error)
            try:
                world.pipe("more", "telepathy")
            except ValueError as error:
                print(error)
            """)
        self.assertEqual((code, out), (0, ["values: its hybrid has ended"] * 2 + [
            "transport: no telepathy; there is: local, queue, latest"]), err)


class Faults(HybridCase):
    def started(self, process):
        line = process.stdout.readline()
        while line and "world starting" not in line:
            line = process.stdout.readline()

    def test_ctrl_c_to_the_whole_group(self):
        """At any moment one clean stop, no traceback, nothing left."""
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        for i in range(N_INTERRUPTS):
            process = self.start_group(PROGRAM, "python", EXAMPLE, "multiprocess", "100")
            self.started(process)
            try:
                # Nothing is waited for: the moments are what is tried.
                process.wait(chance.uniform(0, 0.8))
            except subprocess.TimeoutExpired:
                pass
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=120)
            self.assertEqual((process.returncode, err), (0, ""), (seed, i))
            self.assertEqual(out.count("stopping: "), 1, (seed, i))
            self.assertNotIn("killed: ", out, (seed, i))
            self.nothing_left()

    def test_a_host_that_is_killed(self):
        for i in range(5):
            process = self.start_group(PROGRAM, "python", EXAMPLE, "multiprocess", "100")
            self.started(process)
            if i % 2:
                self.wait_for_processes(4)
            os.kill(process.pid, signal.SIGKILL)
            # Its outputs are closed when the last of its processes is gone.
            process.communicate(timeout=120)
            self.nothing_left()

    def wait_for_processes(self, n):
        while len(self.processes()) < n:
            pass

    def test_a_background_process_that_is_killed(self):
        self.program("""
            import os, signal, sys
            import orrery
            def count(emitter):
                while True:
                    emitter.emit(os.getpid())
                    yield orrery.Sleep(0.01)
            def kill(receiver, world):
                seen = []
                while len(seen) < 4:
                    reading = receiver.read()
                    if reading and reading.fresh and reading.value not in seen:
                        seen.append(reading.value)
                        os.kill(reading.value, signal.SIGKILL if len(seen) < 4 else 0)
                    yield orrery.Sleep(0.005)
                print(len(set(seen)))
                world.stop()
            if __name__ == "__main__":
                world = orrery.Hybrid()
                world.connect_failed(lambda name, message: print(message, flush=True))
                emitter, receiver = world.pipe("pids", sys.argv[1])
                world.background(count, emitter, on_exit="restart")
                world.loop(kill, receiver, world)
                world.run()
            """, "killer.py")
        for transport in ("queue", "latest"):
            process = self.begin("killer.py", transport)
            out, _ = process.communicate(timeout=120)
            self.assertEqual(out.splitlines(), ["count: its process was killed by SIGKILL (Killed)"] * 3 + ["4"])
            self.nothing_left()

    def test_a_main_script_that_hangs_in_the_background_process(self):
        self.program("""
            import threading
            import orrery
            def loop():
                yield orrery.Sleep(1)
            if __name__ == "__main__":
                world = orrery.Hybrid(start_limit=0.5)
                world.background(loop)
                world.run()
            else:
                threading.Event().wait()
            """)
        process = self.begin("program.py")
        err = process.communicate(timeout=120)[1]
        self.assertRegex(err, r"loop: process \d+ of the hybrid was not ready within 0\.5 s of its start")
        self.assertEqual(process.returncode, 1)
        self.nothing_left()

    def test_no_interpreter(self):
        self.program("""
            import sys
            import orrery
            def loop():
                yield orrery.Sleep(1)
            if __name__ == "__main__":
                sys.executable = sys.argv[1]
                world = orrery.Hybrid()
                world.background(loop)
                world.run()
            """)
        for path, words in (("/nonexistent/python", "loop: /nonexistent/python cannot be run: No such file"),
                            (shutil.which("false"), "loop: its process exited with status 1")):
            process = self.begin("program.py", path)
            self.assertIn(words, process.communicate(timeout=120)[1])
            self.assertEqual(process.returncode, 1)


if __name__ == "__main__":
    tap.main()
