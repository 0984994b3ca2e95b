# SPDX-License-Identifier: BSD-3-Clause
"""A simulation beside other loops: its ticks are a task of a scheduler, tasks that follow its time are no others'."""

import asyncio
import os
import threading
import unittest

from native import SOURCE, missing
import support as cli
import tap

if not missing():
    import orrery
    from gi.repository import GLib
    from orrery import Pacing, Period, Sleep, Yield, until

SCENE = os.path.join(SOURCE, "examples/rounds.json")
N_TICKS = 30


@unittest.skipIf(missing(), missing())
class Attached(unittest.TestCase):
    def setUp(self):
        self.scheduler = orrery.Scheduler()
        self.log = []

    def load(self, pacing=None):
        sim = orrery.load(SCENE, pacing=Pacing.FAST if pacing is None else pacing, offline=True)
        self.addCleanup(sim.close)
        return sim

    def stopper(self, sim, n):
        """Of the simulation, once it has run so many ticks; in simulated time."""
        yield until(lambda: sim.get_n_ticks() >= n)
        sim.quit()

    # --- tasks in simulated time ---

    def order(self, pacing, run):
        """Which task stepped at which time, in this order."""
        sim, log = self.load(pacing), []

        def often(name, period):
            while True:
                log.append((name, sim.time))
                yield Period(period)

        def odd():
            while True:
                log.append(("odd", sim.time))
                yield Sleep(0.04)
                log.append(("odd again", sim.time))
                yield Yield()
        # By due time, and not by who was added first.
        sim.tasks.add(often, "slow", 0.05)
        sim.tasks.add(often, "fast", 0.03)
        sim.tasks.add(odd)
        sim.tasks.add(often, "same", 0.05)
        run(sim)
        self.assertGreaterEqual(sim.get_n_ticks(), N_TICKS)
        limit = N_TICKS / sim.get_frequency() + 1e-6
        return [each for each in log if each[1] <= limit]

    def attach_until(self, sim):
        scheduler = orrery.Scheduler()

        def meanwhile():
            while sim.get_n_ticks() < N_TICKS:
                yield Sleep(0.001)
            sim.detach()
        scheduler.add(meanwhile)
        sim.attach(scheduler)
        self.assertTrue(scheduler.run())

    def test_the_order_is_the_same_under_every_pace(self):
        def step(sim):
            for _ in range(N_TICKS):
                sim.step()
        expected = self.order(Pacing.FAST, step)
        self.assertGreater(len(expected), 40)
        for pacing in Pacing.BEST_EFFORT, Pacing.FIXED_STEP, Pacing.FAST:
            self.assertEqual(self.order(pacing, lambda sim: sim.run(N_TICKS)), expected)
            self.assertEqual(self.order(pacing, self.attach_until), expected)

    # --- tasks in the loop's time ---

    def test_loop_tasks_run_between_ticks(self):
        sim = self.load()
        sim["guard.pose"].subscribe(lambda _: self.log.append("begin"))
        sim.on_tick(lambda: self.log.append("end"))

        def busy():
            while sim.get_n_ticks() < 200:
                self.log.append("loop")
                yield Sleep(0)
            sim.detach()
        self.scheduler.add(busy)
        sim.attach(self.scheduler)
        self.assertTrue(self.scheduler.run())
        self.assertGreater(self.log.count("loop"), 50)
        self.assertGreater(self.log.count("begin"), 20)
        for i, word in enumerate(self.log):
            if word == "begin":
                self.assertEqual(self.log[i + 1], "end")

    def test_a_loop_task_steps_pauses_and_resumes(self):
        sim = self.load()

        def program():
            yield until(lambda: sim.get_n_ticks() > 0, every=0.0)
            sim.pause()
            paused = sim.get_n_ticks()
            yield Sleep(0.02)
            self.assertEqual(sim.get_n_ticks(), paused)
            sim.step(5)
            self.assertEqual(sim.get_n_ticks(), paused + 5)
            yield Sleep(0.02)
            self.assertEqual(sim.get_n_ticks(), paused + 5)
            sim.resume()
            yield until(lambda: sim.get_n_ticks() > paused + 5, every=0.0)
            before = sim.get_n_ticks()
            sim.run(7)
            self.assertEqual(sim.get_n_ticks(), before + 7)
            sim.quit()
            self.log.append("done")
        failed = []
        self.scheduler.connect("failed", lambda _, task, error: failed.append(error.message) or True)
        self.scheduler.add(program)
        sim.attach(self.scheduler)
        self.assertTrue(self.scheduler.run())
        self.assertEqual((self.log, failed), (["done"], []))

    def test_the_clock_of_the_loop_paces(self):
        clock = orrery.ManualClock.new(0, True)
        scheduler = orrery.Scheduler(clock=clock)
        sim = self.load(Pacing.BEST_EFFORT)

        def end():
            yield Sleep(3600.0)
            sim.detach()
        scheduler.add(end)
        sim.attach(scheduler)
        self.assertTrue(scheduler.run())
        self.assertLessEqual(abs(sim.get_n_ticks() - 3600 * sim.get_frequency()), 1)

    def test_two_simulations_in_one_loop(self):
        first, second = self.load(), self.load()
        for sim in first, second:
            sim.tasks.add(self.stopper, sim, 100)
            sim.attach(self.scheduler)
        self.assertTrue(self.scheduler.run())
        self.assertEqual([sim.get_n_ticks() for sim in (first, second)], [100, 100])

    def test_in_a_main_loop_and_stopped_by_another_thread(self):
        sim, loop = self.load(Pacing.BEST_EFFORT), GLib.MainLoop()
        ticked = threading.Event()
        sim.on_tick(ticked.set)

        def stop():
            ticked.wait()
            sim.quit()
        thread = threading.Thread(target=stop)
        self.scheduler.connect("finished", lambda _: loop.quit())
        sim.attach(self.scheduler)
        self.scheduler.attach(GLib.MainContext.default())
        thread.start()
        loop.run()
        thread.join()
        self.scheduler.detach()
        self.assertGreater(sim.get_n_ticks(), 0)

    def test_requests_wake_it_while_it_is_paused(self):
        sim = orrery.load(SCENE, pacing=Pacing.FAST, listen=True)
        self.addCleanup(sim.close)
        states, problems = [], []

        async def talk():
            async with orrery.connect("127.0.0.1", 4000) as names:
                for service in "pause", "state", "resume", "state", "pause":
                    states.append(await names.simulation[service]())
                ticks = sim.get_n_ticks()
                await names.simulation.step(3)
                self.assertEqual(sim.get_n_ticks(), ticks + 3)

        def client():
            try:
                asyncio.run(asyncio.wait_for(talk(), 60))
            except BaseException as error:
                problems.append(error)
            sim.quit()
        thread = threading.Thread(target=client)
        sim.attach(self.scheduler)
        thread.start()
        self.assertTrue(self.scheduler.run())
        thread.join()
        self.assertEqual((states, problems), (["paused", "paused", "running", "running", "paused"], []))

    def test_another_scene_goes_on_in_the_same_loop(self):
        sim = self.load()
        steps = []
        other = os.path.join(SOURCE, "examples/team.json")

        def follow():
            while True:
                steps.append(sim.time)
                yield Period(0.1)

        def program():
            yield until(lambda: sim.get_n_ticks() > 10, every=0.0)
            sim.change_scene(other)
            self.assertNotIn("guard.waypoint", sim.get_component_names())
            before = len(steps)
            # It is stopped, and its task waits for that alone.
            yield Sleep(0.02)
            sim.start()
            yield until(lambda: len(steps) > before + 5, every=0.0)
            sim.quit()
        sim.tasks.add(follow)
        self.scheduler.add(program)
        sim.attach(self.scheduler)
        self.assertTrue(self.scheduler.run())
        self.assertGreater(len(steps), 5)
        self.assertEqual(self.scheduler.get_n_failed(), 0)

    def test_detached_it_runs_by_itself(self):
        sim = self.load()
        task = sim.attach(self.scheduler)
        self.scheduler.run_due()
        sim.detach()
        self.assertTrue(task.is_ended())
        self.assertEqual(self.scheduler.get_n_tasks(), 0)
        before = sim.get_n_ticks()
        self.assertGreater(before, 0)
        sim.run(3)
        self.assertEqual(sim.get_n_ticks(), before + 3)


if __name__ == "__main__":
    tap.main()
