# SPDX-License-Identifier: BSD-3-Clause
"""Generators and plain functions as tasks of a scheduler."""

import gc
import os
import signal
import threading
import unittest

from native import PythonCase, missing
import tap

if not missing():
    import orrery
    from gi.repository import GLib
    from orrery import Period, Sleep, Until, Yield

SECOND = 10 ** 9


def line_of(function, offset):
    return "%s:%d" % (__file__, function.__code__.co_firstlineno + offset)


@unittest.skipIf(missing(), missing())
class Tasks(unittest.TestCase):
    def setUp(self):
        self.clock = orrery.ManualClock.new(0, True)
        self.scheduler = orrery.Scheduler(clock=self.clock)
        self.failures = []
        self.scheduler.connect("failed", self.on_failed)
        self.log = []

    def on_failed(self, scheduler, task, error):
        self.failures.append(error.message)
        return True

    def note(self, name):
        self.log.append((name, self.clock.get_time() / SECOND))

    def sleeper(self, name, seconds, n):
        for _ in range(n):
            self.note(name)
            yield Sleep(seconds)

    def test_all_start_at_once_in_the_order_given(self):
        for i in range(1000):
            self.scheduler.add(self.sleeper, i, 1.0, 1)
        self.assertTrue(self.scheduler.run())
        self.assertEqual(self.log, [(i, 0.0) for i in range(1000)])

    def test_a_sleep_counts_from_the_end_of_the_step(self):
        def slow():
            for _ in range(3):
                self.note("slow")
                self.clock.set_time(self.clock.get_time() + SECOND // 4)
                yield Sleep(0.5)
        self.scheduler.add(slow)
        self.scheduler.run()
        self.assertEqual(self.log, [("slow", 0.0), ("slow", 0.75), ("slow", 1.5)])

    def test_a_period_counts_from_the_due_time(self):
        def slow():
            for _ in range(3):
                self.note("slow")
                self.clock.set_time(self.clock.get_time() + SECOND // 4)
                yield Period(0.5)
        self.scheduler.add(slow())
        self.scheduler.run()
        self.assertEqual(self.log, [("slow", 0.0), ("slow", 0.5), ("slow", 1.0)])

    def test_until_and_yield(self):
        def one():
            yield Until(3 * SECOND)
            self.note("one")
            yield Yield()
            self.note("one")

        def two():
            yield Until(3 * SECOND)
            self.note("two")
        self.scheduler.add(one)
        self.scheduler.add(two)
        self.scheduler.run()
        self.assertEqual(self.log, [("one", 3.0), ("two", 3.0), ("one", 3.0)])

    def test_a_plain_function_with_a_period(self):
        def read(what):
            self.note(what)
            if len(self.log) == 4:
                self.scheduler.stop()
        self.scheduler.add(read, "light", period=1 / 4)
        self.assertFalse(self.scheduler.run())
        self.assertEqual(self.log, [("light", i / 4) for i in range(4)])

    def test_no_drift(self):
        n = 0

        def count():
            nonlocal n
            n += 1
            if n == 60001:
                self.note("count")
                self.scheduler.stop()
        self.scheduler.add(count, period=1 / 60)
        self.scheduler.run()
        self.assertEqual(self.log, [("count", 1000.0)])

    def test_what_is_no_command_is_reported_and_the_others_go_on(self):
        def bare():
            yield

        def number():
            yield Sleep(1)
            yield 7

        self.scheduler.add(bare)
        self.scheduler.add(number(), name="sonar")
        self.scheduler.add(self.sleeper, "light", 1.0, 5)
        self.assertTrue(self.scheduler.run())
        self.assertEqual(self.failures, [
            "bare: gave None at %s; there is: Sleep, Period, Until, Yield, until" % line_of(bare, 1),
            "sonar: gave 7 at %s; there is: Sleep, Period, Until, Yield, until" % line_of(number, 2)])
        self.assertEqual(len(self.log), 5)

    def test_an_exception_is_reported_with_its_place(self):
        def inner():
            raise ValueError("too dark")

        def outer():
            yield Sleep(1)
            inner()

        def negative():
            yield Sleep(-0.5)

        def refused():
            yield Period(0)

        def text():
            yield Sleep("long")

        def silent():
            assert False
        for loop in (outer, negative, refused, text):
            self.scheduler.add(loop)
        self.scheduler.add(silent, period=1)
        self.assertTrue(self.scheduler.run())
        self.failures.sort()
        self.assertEqual(len(self.failures), 5)
        self.assertEqual(self.failures[1], "outer: %s: ValueError: too dark" % line_of(inner, 1))
        self.assertEqual(self.failures[0], "negative: %s: ValueError: a sleep of -0.5 s; it is 0 to 9.2e+09"
                         % line_of(negative, 1))
        self.assertIn("refused: %s: ValueError: a period of 0 s" % line_of(refused, 1), self.failures[2])
        self.assertEqual(self.failures[3], "silent: %s: AssertionError" % line_of(silent, 1))
        self.assertIn("text: %s: ValueError: could not convert" % line_of(text, 1), self.failures[4])

    def test_an_error_of_the_library_in_a_task(self):
        def listen():
            orrery.Channel.new_latest("far too large", 1 << 40, False)
            yield Sleep(1)
        self.scheduler.add(listen)
        self.scheduler.run()
        self.assertTrue(self.failures[0].startswith("listen: %s: far too large: " % line_of(listen, 1)), self.failures)

    def test_what_cannot_be_a_task(self):
        for loop, options, words in ((self.setUp, {}, "setUp is no generator function; a plain function has a period"),
                                     (7, {}, "7 is no generator function"),
                                     (7, {"period": 1}, "a period belongs to a plain function"),
                                     (self.sleeper, {"period": 1}, "a period belongs to a plain function"),
                                     (self.setUp, {"period": -1}, "a period of -1 s")):
            with self.assertRaisesRegex((TypeError, ValueError), words):
                self.scheduler.add(loop, **options)

    def test_a_clock_of_the_users_own(self):
        class Slow(orrery.Clock):
            now = 0

            def do_get_time(self):
                return self.now

            def do_get_wait(self, until):
                self.now = until
                return 0
        clock = Slow()
        scheduler = orrery.Scheduler(clock=clock)
        times = []

        def loop():
            for _ in range(3):
                times.append(clock.now)
                yield Sleep(2.0)
        scheduler.add(loop)
        self.assertTrue(scheduler.run())
        self.assertEqual(times, [0, 2 * SECOND, 4 * SECOND])

    def test_inside_a_main_context(self):
        scheduler, loop, context = orrery.Scheduler(), GLib.MainLoop(), GLib.MainContext.default()
        turns = []

        def task():
            for _ in range(3):
                turns.append(1)
                yield Sleep(0.001)
        scheduler.connect("finished", lambda _: loop.quit())
        scheduler.add(task)
        scheduler.attach(context)
        loop.run()
        scheduler.detach()
        self.assertEqual(len(turns), 3)

    def test_a_task_adds_and_removes_tasks(self):
        tasks = []

        def parent():
            tasks.append(self.scheduler.add(self.sleeper, "child", 1.0, 100))
            yield Sleep(2.5)
            self.scheduler.remove(tasks[0])
        self.scheduler.add(parent)
        self.assertTrue(self.scheduler.run())
        self.assertEqual([time for _, time in self.log], [0.0, 1.0, 2.0])
        self.assertTrue(tasks[0].is_ended())

    def test_a_generator_is_closed_with_its_task(self):
        closed = []

        def loop():
            try:
                while True:
                    yield Sleep(1.0)
            finally:
                closed.append(1)
        task = self.scheduler.add(loop)
        self.scheduler.run_due()
        self.assertEqual(closed, [])
        self.scheduler.remove(task)
        del task
        self.assertEqual(closed, [1])

    def test_stop_from_another_thread(self):
        scheduler = orrery.Scheduler()
        begun = threading.Event()

        def forever():
            begun.set()
            yield Sleep(1e6)
        scheduler.add(forever)

        def stop():
            begun.wait()
            scheduler.stop()
        thread = threading.Thread(target=stop)
        thread.start()
        self.assertFalse(scheduler.run())
        thread.join()

    def test_system_exit_ends_the_run(self):
        def loop():
            yield Sleep(1)
            raise SystemExit(3)
        self.scheduler.add(loop)
        self.scheduler.add(self.sleeper, "light", 1.0, 100)
        with self.assertRaises(SystemExit):
            self.scheduler.run()
        self.assertEqual(self.failures, [])

    def test_starting_tasks_grows_nothing(self):
        def start(n):
            for _ in range(n):
                self.scheduler.add(self.sleeper, "x", 0.0, 1)
                self.scheduler.run()
                self.log.clear()
            gc.collect()
            return len(gc.get_objects()), len(os.listdir("/proc/self/fd"))
        before = start(100)
        after = start(10000)
        self.assertEqual(after[1], before[1])
        self.assertLess(after[0] - before[0], 100)


class Interrupt(PythonCase):
    SLEEP = """
        import orrery, signal, sys
        {before}
        scheduler = orrery.Scheduler()
        def forever():
            print("begun", flush=True)
            yield orrery.Sleep(1e6)
        scheduler.add(forever)
        try:
            scheduler.run()
        except KeyboardInterrupt:
            print("interrupted", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        """

    def interrupt(self, before="", number=signal.SIGINT):
        process = self.begin(self.program(self.SLEEP.format(before=before)))
        self.assertEqual(process.stdout.readline(), "begun\n")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_a_sleep_ends_with_ctrl_c(self):
        self.assertEqual(self.interrupt(), (0, "interrupted True\n", ""))

    def test_and_with_terminate(self):
        self.assertEqual(self.interrupt(number=signal.SIGTERM), (143, "", ""))

    def test_a_busy_task_is_interrupted_too(self):
        process = self.begin(self.program("""
            import orrery
            scheduler = orrery.Scheduler()
            def busy():
                print("begun", flush=True)
                while True:
                    sum(range(100))
                    yield orrery.Sleep(0)
            scheduler.add(busy)
            try:
                scheduler.run()
            except KeyboardInterrupt:
                print("interrupted")
            """))
        self.assertEqual(process.stdout.readline(), "begun\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=60), ("interrupted\n", ""))


if __name__ == "__main__":
    tap.main()
