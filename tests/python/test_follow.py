# SPDX-License-Identifier: BSD-3-Clause
"""What components pass on: callbacks, outputs, tasks of a simulation that wait for them."""

import gc
import os
import sys
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402

import tap  # noqa: E402

if not missing():
    import orrery
    from gi.repository import GLib
    from orrery import Period, Sleep, until

COMPONENTS = (("pose", "morse.sensors.pose.Pose"), ("slow", "morse.sensors.pose.Pose", {"frequency": 10}),
              ("motion", "morse.actuators.v_omega.MotionVW"), ("way", "morse.actuators.waypoint.Waypoint"))


class Case(PythonCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", scene(*COMPONENTS, tables={"component_modifier": {
            "robot.slow": [["orrery.modifiers.noise.DropOut", {"probability": 0.0}]]}}))
        self.sim = self.load()

    def load(self):
        sim = orrery.load(self.path("scene.json"), pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        return sim


class Callbacks(Case):
    def test_each_record(self):
        times = []
        with self.sim["robot.pose"].subscribe(lambda record: times.append(record.timestamp)):
            self.sim.step(5)
        self.sim.step(5)
        self.assertEqual([round(time * 60) for time in times], [1, 2, 3, 4, 5])

    def test_the_rhythm_of_the_component(self):
        seen = []
        self.sim["robot.slow"].subscribe(lambda record: seen.append(self.sim.ticks))
        self.sim.step(60)
        self.assertEqual(len(seen), 10)

    def test_what_is_held_back_is_not_seen(self):
        seen = []
        self.sim["robot.slow"].subscribe(lambda record: seen.append(record.x))
        self.sim.step(12)
        self.assertEqual(len(seen), 2)
        dropping = self.sim.find_part("robot.slow/DropOut#0")
        dropping.set_option("probability", GLib.Variant("d", 1.0))
        self.sim.step(60)
        self.assertEqual(len(seen), 2)
        dropping.set_option("probability", GLib.Variant("d", 0.0))
        self.sim.step(12)
        n = len(seen)
        self.assertGreater(n, 2)
        self.sim["robot.slow"].set_active(False)
        self.sim.step(60)
        self.assertEqual(len(seen), n)

    def test_robots_and_actuators(self):
        seen = []
        self.sim["robot"].subscribe(lambda record: seen.append("robot"))
        self.sim["robot.motion"].subscribe(lambda record: seen.append(record.v))
        self.sim["robot.motion"].data.v = 2.0
        self.sim.step(2)
        self.assertEqual(seen, ["robot", 2.0, "robot", 2.0])

    def test_several_in_the_order_of_subscribing(self):
        said = []
        for name in "abc":
            self.sim["robot.pose"].subscribe(lambda _, name=name: said.append(name))
        self.sim.step(2)
        self.assertEqual(said, list("abcabc"))

    def test_ends_itself(self):
        said = []

        def once(_):
            said.append(1)
            subscription.end()
        subscription = self.sim["robot.pose"].subscribe(once)
        self.assertTrue(subscription.active)
        self.sim.step(5)
        self.assertEqual((said, subscription.active), ([1], False))

    def test_what_raises_ends(self):
        """And is told with file and line; the run goes on."""
        self.write("program.py", "import orrery\n"
                   "sim = orrery.load('scene.json', pacing=orrery.Pacing.FAST)\n"
                   "def bad(record):\n"
                   "    raise ValueError('too dark')\n"
                   "subscription = sim['robot.pose'].subscribe(bad)\n"
                   "sim.step(10)\n"
                   "print(sim.ticks, subscription.active, repr(subscription.error))\n")
        done = self.orrery("python", "program.py")
        self.assertEqual(done.stdout, "10 False ValueError('too dark')\n", done.stderr)
        self.assertEqual(done.stderr.count("program.py:4: ValueError: too dark: its subscription ends"), 1, done.stderr)

    def test_ctrl_c(self):
        def press(_):
            raise KeyboardInterrupt
        self.sim["robot.pose"].subscribe(press)
        self.assertRaises(KeyboardInterrupt, self.sim.step, 3)
        self.assertEqual(self.sim.ticks, 3)

    def test_of_a_run_in_a_thread(self):
        enough = threading.Event()
        threads, n = set(), []

        def tell(record):
            threads.add(threading.get_ident())
            n.append(record.x)
            if len(n) == 100:
                enough.set()
        thread = threading.Thread(target=self.sim.run)
        thread.start()
        subscription = self.sim["robot.pose"].subscribe(tell)
        self.assertTrue(enough.wait(120))
        subscription.end()
        self.sim.quit()
        thread.join(120)
        self.assertEqual(threads, {thread.ident})

    def test_of_what_is_gone(self):
        pose = self.sim["robot.pose"]
        other = self.load()
        subscription = pose.subscribe(lambda record: None)
        with self.assertRaises(GLib.Error):
            other.subscribe(pose, lambda *_: None)
        self.sim.close()
        subscription.end()
        with self.assertRaises(GLib.Error):
            pose.subscribe(lambda record: None)
        self.assertRaises(TypeError, pose.subscribe, 7)

    def test_is_let_go(self):
        """What is subscribed is freed with its subscription."""
        class Big:
            pass
        import weakref
        big = Big()
        gone = weakref.ref(big)
        subscription = self.sim["robot.pose"].subscribe(lambda record, big=big: None)
        del big
        self.sim.step(2)
        subscription.end()
        del subscription
        self.sim.step(1)
        gc.collect()
        self.assertIsNone(gone())

    def test_a_call_that_is_done(self):
        said = []
        goal = self.sim["robot.way"].goto(0.5, 0.0, 0.0)
        goal.set_done_func(lambda call: said.append(call.result()))
        self.sim.step(600)
        self.assertEqual(said, ["Arrived"])
        goal.set_done_func(lambda call: said.append("at once"))
        self.assertEqual(said, ["Arrived", "at once"])

    def test_ticks(self):
        seen = []
        with self.sim.on_tick(lambda: seen.append(self.sim.ticks)):
            self.sim.step(3)
        self.sim.step(3)
        self.assertEqual(seen, [1, 2, 3])

    def test_a_class_in_c_that_python_has_met(self):
        """It stays what it is: the next simulation has it, too."""
        self.assertTrue(self.sim["robot.way"].get_service_names())
        other = self.load()
        goal = other["robot.way"].goto(0.5, 0.0, 0.0)
        for _ in range(600):
            other.step()
            if goal.done:
                break
        self.assertEqual(goal.result(), "Arrived")


class Outputs(Case):
    def test_records_as_they_were(self):
        self.sim["robot.motion"].data.v = 1.0
        with self.sim["robot.pose"].follow() as output:
            self.sim.step(3)
            records = list(output)
        self.sim.step(3)
        self.assertEqual(len(records), 3)
        self.assertLess(records[0].x, records[2]["x"])
        self.assertEqual(round(records[1].timestamp * 60), 2)
        self.assertEqual(len(output), 0)
        with self.assertRaisesRegex(AttributeError, "no field speed; there is: timestamp, x"):
            records[0].speed

    def test_nobody_reads(self):
        output = self.sim["robot.pose"].follow()
        self.sim.step(1010)
        self.assertEqual((len(output), output.dropped), (1000, 10))
        self.assertEqual(round(next(iter(output)).timestamp * 60), 11)


class Tasks(Case):
    def setUp(self):
        super().setUp()
        self.log = []

    def test_simulated_time(self):
        def blink():
            for _ in range(3):
                self.log.append(round(self.sim.time * 60))
                yield Period(0.5)
        self.sim.tasks.add(blink)
        self.sim.step(100)
        self.assertEqual(self.log, [1, 31, 61])
        self.assertEqual(self.sim.tasks.get_n_tasks(), 0)

    def test_until(self):
        def drive(sim):
            sim["robot.motion"].data.v = 1.0
            self.log.append((yield until(lambda: sim["robot.pose"].data.x > 0.5)))
            sim["robot.motion"].data.v = 0.0
            result = yield until(sim["robot.way"].goto(0.0, 0.0, 0.0))
            self.log.append(result)
        self.sim.tasks.add(drive, self.sim)
        self.sim.step(1200)
        self.assertEqual(self.log, [True, "Arrived"])

    def test_a_call_that_fails_raises_at_the_yield(self):
        def drive(sim):
            goal = sim["robot.way"].goto(9.0, 0.0, 0.0)
            yield Sleep(0.1)
            goal.cancel()
            try:
                yield until(goal)
            except GLib.Error as error:
                self.log.append(error.message)
            yield Sleep(0.1)
            self.log.append("on")
        self.sim.tasks.add(drive, self.sim)
        self.sim.step(60)
        self.assertEqual(self.log, ["goto was cancelled", "on"])

    def test_follows_an_output(self):
        def watch(sim):
            with sim["robot.slow"].follow() as output:
                for _ in range(4):
                    record = yield until(output)
                    self.log.append(round(record.timestamp * 60))
            record = yield until(sim["robot.pose"])
            self.log.append(round(record.timestamp * 60))
        self.sim.tasks.add(watch, self.sim)
        self.sim.step(60)
        self.assertEqual([b - a for a, b in zip(self.log[:3], self.log[1:4])], [6, 6, 6])
        self.assertEqual(self.log[4], self.log[3] + 1)

    def test_what_cannot_be_waited_for(self):
        def watch():
            yield until(7)
        failed = []
        self.sim.tasks.connect("failed", lambda _, task, error: failed.append(error.message) or True)
        self.sim.tasks.add(watch)
        self.sim.step(5)
        self.assertIn("a function, a call, a component or an output can be waited for, not 7", failed[0])

    def test_in_the_thread_of_a_script(self):
        self.write("program.py", """if True:
            import json
            import orrery

            @orrery.plugin
            class Guard(orrery.Script):
                def thread(self, tick):
                    said = [tick.number]
                    tick = yield
                    said.append(tick.number)
                    self.now = tick
                    got = yield orrery.until(lambda: self.now.number > 10 and "late")
                    said += [got, self.now.number]
                    try:
                        yield orrery.until(lambda: 1 / 0)
                    except ZeroDivisionError:
                        said.append("caught")
                    print(*said)

                def sensing(self, tick):
                    self.now = tick

            scene = json.load(open("scene.json"))
            scene["objects"][0]["scripts"] = [{"type": "child", "classpath": "__main__.Guard"}]
            json.dump(scene, open("script.json", "w"))
            sim = orrery.load("script.json", pacing=orrery.Pacing.FAST)
            sim.step(20)
            """)
        done = self.orrery("python", "program.py")
        self.assertEqual(done.stdout, "0 1 late 11 caught\n", done.stderr)

    def test_of_a_scheduler(self):
        """A hundredth of a second after it has come about, or as it is told."""
        clock = orrery.ManualClock.new(0, True)
        scheduler = orrery.Scheduler(clock=clock)
        seen = []

        def wait(every):
            begin = clock.get_time()
            yield until(lambda: clock.get_time() - begin >= 5 * 10 ** 7, every)
            seen.append((clock.get_time() - begin) / 10 ** 9)
        scheduler.add(wait, None)
        scheduler.run()
        scheduler.add(wait, 0.04)
        scheduler.run()
        self.assertEqual(seen, [0.05, 0.08])


if __name__ == "__main__":
    tap.main()
