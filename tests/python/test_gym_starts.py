# SPDX-License-Identifier: BSD-3-Clause
"""Episodes that begin with saved states: which one is drawn, what goes on from it, and in how many processes."""

import json
import os
import pickle
import signal
import sys
import textwrap
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery
    import orrery.gym
    from gi.repository import GLib
    from orrery import _gym_starts

COMPONENTS = [("pose", "orrery.sensors.pose.Pose"), ("motion", "orrery.actuators.v_omega.MotionVW")]
NOISE = {"component_modifier": {
    "robot.pose": [["orrery.modifiers.pose_noise.PositionNoiseModifier", {"pos_std": 0.1}]]}}
X = "robot.pose.x"
MODULE = """
    def nudge(simulation, random):
        simulation.move("robot", (simulation.poses[0, 0] + random.uniform(0, 0.1), 0, 0))
    """


class Starts(PythonCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", scene(*COMPONENTS, tables=NOISE))
        self.write("still.json", scene(*COMPONENTS))

    def make(self, n=4, name="still.json", **options):
        env = orrery.gym.VectorEnv(self.path(name), n, **dict(
            {"observe": [X], "act": {"robot.motion.v": (-1, 1)}, "ticks": 6}, **options))
        self.addCleanup(env.close)
        return env

    def drive(self, name="still.json"):
        """Two states on the way: after one second at 1 m/s, and after two."""
        with orrery.load(self.path(name), pacing=orrery.Pacing.FAST, listen=False) as simulation:
            simulation["robot.motion"].data.v = 1
            states = []
            for _ in range(2):
                simulation.step(60)
                states.append(simulation.save())
        return states

    def find_nudge(self):
        self.write("nudging.py", textwrap.dedent(MODULE))
        sys.path.insert(0, self.directory)
        self.addCleanup(sys.modules.pop, "nudging", None)
        self.addCleanup(sys.path.remove, self.directory)
        import nudging
        return nudging.nudge

    def collect(self, env, seed, n=12):
        """Where so many episodes of each environment begin."""
        starts = [env.reset(seed=seed)[0][:, 0]]
        starts.extend(env.reset()[0][:, 0] for _ in range(n - 1))
        return numpy.array(starts)

    def test_each_draws_one(self):
        env = self.make(starts=[None, *self.drive()], values={"seconds": "time"})
        starts = self.collect(env, 5)
        self.assertEqual(set(starts.round(3).ravel()), {0, 1, 2})
        self.assertGreater(min((starts.round() == metres).sum() for metres in range(3)), 4)
        numpy.testing.assert_array_equal(self.collect(env, 5), starts)
        # Of which seed, and of which episode, but not of which environment.
        numpy.testing.assert_array_equal(self.collect(env, [8, 7, 6, 5])[:, ::-1], starts)
        self.assertFalse((self.collect(env, 105) == starts).all())
        # Time is that of the episode, and the command of the state holds in the first tick.
        env.reset(seed=5)
        observations, _, _, _, infos = env.step(numpy.zeros((4, 1)))
        numpy.testing.assert_allclose(infos["seconds"], 7 / 60, atol=1e-9)
        moved = observations[:, 0] - starts[0]
        numpy.testing.assert_allclose(moved, numpy.where(starts[0] > 0.5, 1 / 60, 0), atol=1e-4)

    def test_seeds_make_the_noise(self):
        """Two episodes from one state go on differently."""
        env = self.make(starts=self.drive("scene.json")[1:], name="scene.json")
        starts = self.collect(env, 5)
        numpy.testing.assert_allclose(starts.mean(), 2, atol=0.1)
        self.assertEqual(len(set(starts.ravel())), starts.size)

    def test_a_function(self):
        """A curriculum: what it returns depends on how far the learner is."""
        one, two = self.drive()
        progress, drawn = 0.0, []

        def choose(random):
            drawn.append(random.random())
            return one if drawn[-1] < progress else two

        env = self.make(starts=choose, autoreset_mode="SameStep", max_episode_steps=1)
        self.assertEqual(env.reset(seed=3)[0].round(3).ravel().tolist(), [2] * 4)
        progress = 1.0
        observations, _, _, _, infos = env.step(numpy.zeros((4, 1)))
        self.assertEqual(observations.round(3).ravel().tolist(), [1] * 4)
        env.reset(seed=3)
        self.assertEqual(drawn[:4], drawn[8:])
        self.assertEqual(len(set(drawn)), 8)

    def test_other_random_numbers_stay(self):
        """Those of on_reset are the same with starts and without."""
        given = []

        def nudge(simulation, random):
            given.append(random.random())

        for starts in None, self.drive():
            self.make(on_reset=nudge, starts=starts).reset(seed=1)
        self.assertEqual(given[:4], given[4:])

    def test_any_number_of_processes(self):
        """The same bytes, with noise, on_reset and states that change while the learner goes on."""
        nudge, states = self.find_nudge(), [None, *self.drive("scene.json")]

        def play(processes):
            own = list(states)
            env = self.make(5, "scene.json", starts=lambda random: own[int(random.integers(len(own)))], on_reset=nudge,
                            processes=processes, autoreset_mode="SameStep", max_episode_steps=3)
            parts = [env.reset(seed=2)]
            for i in range(8):
                parts.append(env.step(numpy.full((5, 1), 0.2 * i)))
                own.append(env.save(i % 5))
            env.close()
            return pickle.dumps([part[0].tobytes() + repr(part[1:]).encode() for part in parts]), own

        expected, own = play(None)
        self.assertGreater(len(set(own)), 8)
        for processes in 1, 2, 4:
            self.assertEqual(play(processes), (expected, own))

    def test_what_the_scene_draws(self):
        """Masses, gravity and properties: the same bytes in any number of processes, and what on_reset sets counts more."""
        text = json.loads(scene(*COMPONENTS, tables={"randomisation": [
            {"path": "robot.mass", "distribution": "uniform(4, 20)"},
            {"path": "ball.mass", "distribution": "uniform(1, 9)"},
            {"path": "gravity[0]", "distribution": "uniform(-2, 2)", "every_ticks": 4}]}))
        text["environment"]["physics"] = "orrery.physics.bullet.Bullet"
        text["objects"].append({"name": "ball", "position": [5, 0, 9], "body": {"type": "rigid", "mass": 1},
                                "shapes": [{"kind": "sphere", "radius": 0.2}]})
        self.write("drawn.json", json.dumps(text))

        def play(processes):
            env = self.make(3, "drawn.json", processes=processes, autoreset_mode="SameStep", max_episode_steps=3)
            parts = [env.reset(seed=2)] + [env.step(numpy.full((3, 1), 0.5)) for _ in range(7)]
            drawn = [[simulation.get(name) for name in ("robot.mass", "ball.mass", "gravity")]
                     for simulation in env.simulations] if processes is None else None
            env.close()
            return pickle.dumps([part[0].tobytes() + repr(part[1:]).encode() for part in parts]), drawn

        expected, drawn = play(None)
        self.assertEqual(len({repr(row) for row in drawn}), 3)
        self.assertTrue(all(4 <= row[0] <= 20 and 1 <= row[1] <= 9 and -2 <= row[2][0] <= 2 for row in drawn), drawn)
        self.assertEqual(play(None), (expected, drawn))
        for processes in 1, 2:
            self.assertEqual(play(processes)[0], expected)
        env = self.make(1, "drawn.json", on_reset=lambda simulation, random: simulation.set("ball.mass", 50))
        env.reset(seed=1)
        self.assertEqual(env.simulations[0].get("ball.mass"), 50)
        self.assertTrue(4 <= env.simulations[0].get("robot.mass") <= 20)

    def test_states_that_are_used_no_more(self):
        """The memory for workers is not larger than what is in use, and begins anew when it is full."""
        states = self.drive()
        env = self.make(2, starts=lambda random: states[count % 3 % 2], processes=2)
        count = 0
        with unittest.mock.patch.object(_gym_starts, "MAX_BYTES", len(states[0]) + 10):
            for count in range(7):
                self.assertEqual(env.reset()[0].round(3).ravel().tolist(), [1 + count % 3 % 2] * 2)
                self.assertLess(os.fstat(env.vector.crew.store.fd).st_size, 1.5 * len(states[0]))
        store = env.vector.crew.store
        self.assertGreater(store.generation, 3)
        with unittest.mock.patch.object(_gym_starts, "MAX_BYTES", len(states[0]) + 10):
            self.assertRaisesRegex(ValueError, "starts: the states have more than", store.put, states)

    def test_lost_after_a_start(self):
        """Episodes that began with states go on as well, also when the memory for states has begun anew since."""
        states = self.drive()
        with unittest.mock.patch.object(_gym_starts, "MAX_BYTES", max(map(len, states)) + 10):
            env, other = self.make(2, starts=[states[0]], processes=2), self.make(2, starts=[states[0]])
            for each in env, other:
                each.reset(seed=1)
                each.step(numpy.ones((2, 1)))
            env.vector.crew.store.put([states[1]])
            os.kill(env.vector.crew.workers[1].process.pid, signal.SIGKILL)
            with self.assertWarnsRegex(RuntimeWarning, "process 1 .*SIGKILL"):
                observations, _, _, truncated, _ = env.step(numpy.ones((2, 1)))
            self.assertFalse(truncated.any())
            numpy.testing.assert_array_equal(observations, other.step(numpy.ones((2, 1)))[0])

    def test_lost_in_a_save(self):
        """The episode of a process that ends in it goes on; one that cannot be brought back ends with the next step."""
        env = self.make(2, processes=2)
        first, _ = env.reset(seed=1)
        os.kill(env.vector.crew.workers[1].process.pid, signal.SIGKILL)
        with self.assertWarnsRegex(RuntimeWarning, "process 1 .*SIGKILL"):
            self.assertRaisesRegex(RuntimeError, "environment 1 cannot be saved: process 1 .*SIGKILL", env.save, 1)
        self.enterContext(unittest.mock.patch("orrery.gym._record.MAX_BYTES", 0))
        self.assertFalse(env.step(numpy.ones((2, 1)))[3].any())
        before = env.step(numpy.ones((2, 1)))[0]
        os.kill(env.vector.crew.workers[1].process.pid, signal.SIGKILL)
        self.assertRaisesRegex(RuntimeError, "environment 1 cannot be saved: process 1 .*SIGKILL", env.save, 1)
        observations, _, _, truncated, infos = env.step(numpy.ones((2, 1)))
        self.assertEqual(truncated.tolist(), [False, True])
        self.assertRegex(infos["failure"][1], "process 1 .*SIGKILL")
        self.assertEqual(observations[1].tolist(), before[1].tolist())
        observations, _, _, truncated, infos = env.step(numpy.ones((2, 1)))
        self.assertEqual(observations[1].tolist(), first[1].tolist())
        self.assertFalse(truncated.any())
        self.assertNotIn("failure", infos)
        # One that has begun anew has not ended.
        os.kill(env.vector.crew.workers[0].process.pid, signal.SIGKILL)
        self.assertRaisesRegex(RuntimeError, "environment 0 cannot be saved", env.save, 0)
        env.reset(seed=1)
        self.assertFalse(env.step(numpy.ones((2, 1)))[3].any())

    def test_mistakes(self):
        for wrong, words in (([], "with one or more"), ("state", "a list of states"), (b"state", "a list of states"),
                             (7, "a list of states"), (["state"], "not 'str'"), ([b""], "a state of 0 bytes")):
            with self.assertRaisesRegex(ValueError, words):
                self.make(starts=wrong)
        self.write("other.json", scene(*COMPONENTS[:1]))
        with orrery.load(self.path("other.json"), listen=False) as simulation:
            other = simulation.save()
        for options, where in ({}, ""), ({"processes": 1}, "process 0, environment 0: "):
            for wrong, words in (b"rubbish", "not a state"), (other, "robot.motion"), (other[:-1], "cut off or damaged"):
                env = self.make(1, starts=[wrong], **options)
                with self.assertRaisesRegex(GLib.Error, where + "starts: .*" + words):
                    env.reset(seed=1)
                self.assertRaisesRegex(RuntimeError, "reset before", env.step, [[1]])
                env.close()
        env = self.make(1, starts=lambda random: 5)
        self.assertRaisesRegex(ValueError, "not 'int'", env.reset)
        env = self.make(2)
        for wrong in -1, 2, 0.5, None:
            self.assertRaisesRegex(ValueError, "none of the 2 environments", env.save, wrong)


if __name__ == "__main__":
    tap.main()
