# SPDX-License-Identifier: BSD-3-Clause
"""Scenes as environments for learning: what Gymnasium's documents say of its API, and seeds, starts, failures."""

import json
import os
import signal
import subprocess
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PROGRAM, SOURCE, PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery
    import orrery.gym
    from gi.repository import GLib

COMPONENTS = [("pose", "orrery.sensors.pose.Pose"), ("motion", "orrery.actuators.v_omega.MotionVW"),
              ("laser", "orrery.sensors.laserscanner.LaserScanner")]
NOISE = {"component_modifier": {"robot.pose": [["orrery.modifiers.pose_noise.PositionNoiseModifier", {"pos_std": 0.1}]]}}
X, Y = "robot.pose.x", "robot.pose.y"
ACT = {"robot.motion.v": (-1, 1), "robot.motion.w": (-2, 2)}


class GymCase(PythonCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", scene(*COMPONENTS, tables=NOISE))
        self.write("still.json", scene(*COMPONENTS))

    def make(self, n=3, name="still.json", **options):
        options = dict({"observe": [X, Y], "act": ACT, "ticks": 6}, **options)
        env = orrery.gym.VectorEnv(self.path(name), n, **options)
        self.addCleanup(env.close)
        return env


class Spaces(GymCase):
    def test_lists(self):
        env = self.make(observe=[X, "robot.laser.range_list"])
        width = len(env.simulations[0]["robot.laser"].data.range_list)
        self.assertGreater(width, 10)
        self.assertEqual(env.single_observation_space.shape, (1 + width,))
        self.assertEqual(env.observation_space.shape, (3, 1 + width))
        self.assertEqual(env.single_action_space.low.tolist(), [-1, -2])
        self.assertEqual(env.action_space.high.tolist(), [[1, 2]] * 3)
        observations, infos = env.reset(seed=1)
        self.assertEqual((observations.shape, observations.dtype), ((3, 1 + width), numpy.float32))
        self.assertIn(observations, env.observation_space)
        self.assertEqual(infos, {})
        self.assertIn(env.action_space.sample(), env.action_space)

    def test_settings(self):
        """Members of lists, in this process and in others; a member that is not there is refused."""
        for processes in None, 1:
            env = self.make(2, processes=processes, set={"robot.position[0]": 5, "gravity[1]": 2}, settings=["robot.position[1]=3"])
            observations, _ = env.reset(seed=1)
            self.assertEqual(observations.round(3).tolist(), [[5, 3]] * 2)
        self.assertRaisesRegex(GLib.Error, "'position' has 3 members", self.make, set={"robot.position[3]": 1})

    def test_dictionaries(self):
        env = self.make(observe={"place": [X, Y], "scan": "robot.laser.range_list"}, dtype=numpy.float64)
        observations, _ = env.reset(seed=1)
        self.assertEqual(list(observations), ["place", "scan"])
        self.assertIn(observations, env.observation_space)
        self.assertEqual(observations["place"].shape, (3, 2))
        self.assertEqual(observations["place"].dtype, numpy.float64)
        self.assertIn({name: part[0] for name, part in observations.items()}, env.single_observation_space)
        self.assertNotIn({"place": observations["place"]}, env.observation_space)

    def test_boxes(self):
        box = orrery.gym.Box(numpy.array([-1, -numpy.inf, 0, -numpy.inf], numpy.float32),
                             numpy.array([1, numpy.inf, numpy.inf, 2], numpy.float32))
        box.seed(3)
        drawn = numpy.array([box.sample() for _ in range(1000)])
        box.seed(3)
        self.assertEqual(drawn[0].tolist(), box.sample().tolist())
        self.assertTrue(all(each in box for each in drawn))
        self.assertAlmostEqual(drawn[:, 0].mean(), 0, delta=0.1)
        self.assertAlmostEqual(drawn[:, 1].std(), 1, delta=0.1)
        self.assertGreaterEqual(drawn[:, 2].min(), 0)
        self.assertLessEqual(drawn[:, 3].max(), 2)
        for wrong in (numpy.zeros(3, numpy.float32), numpy.array([2, 0, 0, 0], numpy.float32), "x", [0, 0, 0, 3]):
            self.assertNotIn(wrong, box)
        self.assertFalse(box.is_bounded())


class Steps(GymCase):
    def test_steps(self):
        env = self.make(values={"far": X}, reward=X, max_episode_steps=3, autoreset_mode="Disabled")
        env.reset(seed=1)
        speeds = numpy.array([[0, 0], [0.5, 0], [2, 0]], numpy.float32)
        for i in range(3):
            observations, reward, terminated, truncated, infos = env.step(speeds)
            # The third is clipped to 1 m/s; a sensor sees what its tick begins with.
            expected = numpy.array([0, 0.5, 1]) * (6 * (i + 1) - 1) / 60
            numpy.testing.assert_allclose(observations[:, 0], expected, atol=1e-6)
            numpy.testing.assert_array_equal(reward, infos["far"])
            numpy.testing.assert_allclose(reward, expected, atol=1e-6)
            self.assertEqual(infos["_far"].tolist(), [True] * 3)
            self.assertEqual((reward.dtype, terminated.dtype, truncated.dtype), (numpy.float64, bool, bool))
            self.assertFalse(terminated.any())
            self.assertEqual(truncated.tolist(), [i == 2] * 3)
        self.assertRaisesRegex(RuntimeError, r"environments \[0, 1, 2\] have ended", env.step, speeds)

    def test_observations_are_their_own(self):
        env = self.make()
        first, _ = env.reset(seed=1)
        kept = first.copy()
        env.step(numpy.ones((3, 2)))
        numpy.testing.assert_array_equal(first, kept)

    def test_functions(self):
        seen = []

        def reward(step):
            seen.append((step.observations["place"][2, 0] - step.previous_observations["place"][2, 0],
                         step.elapsed.tolist(), step.actions[2].tolist()))
            for part in step.observations["place"], step.actions, step.elapsed, step.values["far"]:
                self.assertRaises(ValueError, part.__setitem__, 0, 5)
            return step.values["far"] - step.previous_values["far"]

        env = self.make(observe={"place": [X, Y]}, values={"far": X}, reward=reward,
                        terminated=lambda step: step.values["far"] > 0.25, autoreset_mode="Disabled")
        env.reset(seed=1)
        speeds = numpy.array([[0, 0], [0.5, 0], [2, 0]])
        _, rewards, ended, _, _ = env.step(speeds)
        _, rewards, ended, _, _ = env.step(speeds)
        numpy.testing.assert_allclose(rewards, [0, 0.05, 0.1], atol=1e-6)
        self.assertEqual(ended.tolist(), [False, False, False])
        _, rewards, ended, _, _ = env.step(speeds)
        self.assertEqual(ended.tolist(), [False, False, True])
        self.assertEqual([elapsed for _, elapsed, _ in seen], [[1] * 3, [2] * 3, [3] * 3])
        self.assertEqual(seen[0][2], [1, 0])
        self.assertAlmostEqual(seen[1][0], 0.1, places=6)

    def test_next_step(self):
        """The step after the end ignores the action and gives the first observation."""
        env = self.make(terminated=X + " > 0.15")
        first, _ = env.reset(seed=1)
        speeds = numpy.array([[0, 0], [0, 0], [1, 0]])
        for _ in range(2):
            observations, _, terminated, _, _ = env.step(speeds)
        self.assertEqual(terminated.tolist(), [False, False, True])
        self.assertGreater(observations[2, 0], 0.15)
        observations, rewards, terminated, truncated, _ = env.step(speeds)
        numpy.testing.assert_array_equal(observations[2], first[2])
        self.assertFalse(terminated.any() or truncated.any() or rewards.any())
        observations, _, _, _, _ = env.step(speeds)
        self.assertAlmostEqual(float(observations[2, 0]), 5 / 60, places=6)

    def test_same_step(self):
        env = self.make(terminated=X + " > 0.15", values={"far": X}, autoreset_mode="SameStep")
        first, _ = env.reset(seed=1)
        speeds = numpy.array([[0, 0], [0, 0], [1, 0]])
        _, _, _, _, infos = env.step(speeds)
        self.assertNotIn("final_obs", infos)
        observations, _, terminated, _, infos = env.step(speeds)
        self.assertEqual(terminated.tolist(), [False, False, True])
        numpy.testing.assert_array_equal(observations[2], first[2])
        self.assertEqual(infos["_final_obs"].tolist(), [False, False, True])
        self.assertIsNone(infos["final_obs"][0])
        self.assertGreater(infos["final_obs"][2][0], 0.15)
        self.assertGreater(infos["final_info"]["far"][2], 0.15)

    def test_disabled(self):
        env = self.make(terminated=X + " > 0.15", autoreset_mode="Disabled")
        first, _ = env.reset(seed=1)
        speeds = numpy.array([[0.5, 0], [0, 0], [1, 0]])
        env.step(speeds)
        before, _, _, _, _ = env.step(speeds)
        after, _ = env.reset(options={"reset_mask": numpy.array([False, False, True])})
        numpy.testing.assert_array_equal(after[0], before[0])
        numpy.testing.assert_array_equal(after[2], first[2])
        env.step(speeds)
        for wrong in ([False, False, True], numpy.zeros(2, bool), numpy.ones(3)):
            self.assertRaisesRegex(ValueError, "reset_mask: an array of 3 booleans", env.reset,
                                   options={"reset_mask": wrong})

    def test_one(self):
        env = orrery.gym.Env(self.path("still.json"), observe=[X, Y], act=ACT, ticks=6, values={"far": X}, reward=X,
                             terminated=X + " > 0.15")
        self.addCleanup(env.close)
        observation, info = env.reset(seed=1)
        self.assertIn(observation, env.observation_space)
        self.assertEqual(info, {"far": 0.0})
        env.step([1, 0])
        observation, reward, terminated, truncated, info = env.step(numpy.array([1, 0], numpy.float32))
        self.assertEqual((type(reward), type(terminated), type(truncated)), (float, bool, bool))
        self.assertTrue(terminated)
        self.assertAlmostEqual(reward, 11 / 60, places=6)
        self.assertEqual(info["far"], reward)
        self.assertEqual(env.reset()[0].tolist(), [0, 0])


    def test_one_is_told_of_its_own_shape(self):
        env = orrery.gym.Env(self.path("still.json"), observe=[X], act=ACT)
        self.addCleanup(env.close)
        env.reset(seed=1)
        for wrong, shape in (0, r"\(\)"), ([0], r"\(1,\)"), ([[0, 0]], r"\(1, 2\)"):
            self.assertRaisesRegex(ValueError, r"the action has the shape %s, not \(2,\)" % shape, env.step, wrong)

    def test_no_number_is_no_end(self):
        """As in expressions."""
        for rule in "0 / 0", lambda step: numpy.full(3, numpy.nan):
            env = self.make(terminated=rule, truncated=rule)
            env.reset(seed=1)
            _, _, terminated, truncated, _ = env.step(numpy.zeros((3, 2)))
            self.assertFalse(terminated.any() or truncated.any())
        env = self.make(terminated="2", truncated="1 / 0")
        env.reset(seed=1)
        _, _, terminated, truncated, _ = env.step(numpy.zeros((3, 2)))
        self.assertTrue(terminated.all() and truncated.all())

    def test_a_builder_script(self):
        self.write("scene.py", textwrap.dedent("""
            from orrery.builder import *
            robot = ATRV()
            pose, motion = Pose(), MotionVW()
            robot.append(pose)
            robot.append(motion)
            env = Environment("empty")
            """))
        for options in {}, {"processes": 1}:
            env = self.make(2, "scene.py", **options)
            directory = env.directory
            self.assertEqual(env.reset(seed=1)[0].tolist(), [[0, 0]] * 2)
            env.close()
            self.assertFalse(os.path.exists(directory))

    def test_slow_components(self):
        """Steps follow no clock, so that nobody is too slow for one."""
        os.makedirs(self.path("plugins/acme"))
        self.write("plugins/acme/slow.py", textwrap.dedent("""
            import time
            import orrery

            @orrery.plugin
            class Slow(orrery.Sensor):
                x = orrery.field(float, "m", "Something")

                def sense(self, tick, record):
                    time.sleep(0.02)
            """))
        self.write("slow.json", scene(*COMPONENTS, ("slow", "acme.slow.Slow")))
        done = self.orrery("python", self.program("""
            import orrery.gym
            env = orrery.gym.VectorEnv("slow.json", 1, observe=["robot.slow.x"], act={"robot.motion.v": (-1, 1)},
                                       plugin_dirs=["plugins"])
            env.reset(seed=1)
            for _ in range(5):
                env.step([[0]])
            """))
        self.check(done, 0)
        self.assertEqual(done.stderr, "")


class Seeds(GymCase):
    def play(self, env, n=4, **reset):
        rows = [env.reset(**reset)[0]]
        for i in range(n):
            rows.append(env.step(numpy.full((env.num_envs, 2), 0.1 * i))[0])
        return numpy.stack(rows, axis=1)

    def test_episodes(self):
        env = self.make(4, "scene.json")
        first = self.play(env, seed=5)
        second = self.play(env)
        numpy.testing.assert_array_equal(self.play(env, seed=5), first)
        numpy.testing.assert_array_equal(self.play(env), second)
        self.assertFalse((first == second).all(axis=(1, 2)).any())
        for i in range(4):
            for k in range(i):
                self.assertFalse((first[i] == first[k]).all())

    def test_rows_are_on_their_own(self):
        """Neither how many there are nor what the others do makes a difference."""
        four = self.play(self.make(4, "scene.json"), seed=5)
        two = self.play(self.make(2, "scene.json"), seed=[7, 6])
        numpy.testing.assert_array_equal(two[0], four[2])
        numpy.testing.assert_array_equal(two[1], four[1])
        env = self.make(2, "scene.json")
        env.reset(seed=7)
        env.step(numpy.ones((2, 2)))
        numpy.testing.assert_array_equal(self.play(env, seed=[7, 100])[0], four[2])

    def test_starts(self):
        given = []

        def place(simulation, random):
            given.append(random.uniform(2, 3))
            simulation.move("robot", (given[-1], 0, 0))

        env = self.make(2, on_reset=place)
        observations, _ = env.reset(seed=5)
        numpy.testing.assert_allclose(observations[:, 0], given, atol=1e-6)
        self.assertNotEqual(given[0], given[1])
        env.reset(seed=5)
        self.assertEqual(given[:2], given[2:])

    def test_wrong_seeds(self):
        env = self.make(2)
        for wrong in (-1, 2 ** 64, [1], [1, 2, 3], ["a", 1], [1.5, 2], 1.5, True, "ab", b"ab", {1, 2}, [3, -1]):
            self.assertRaisesRegex(ValueError, "seed: ", env.reset, seed=wrong)
        self.assertRaisesRegex(ValueError, "seed: a list of 3 for 2 environments", env.reset, seed=[1, 2, 3])
        self.assertRaisesRegex(TypeError, "options: a dictionary", env.reset, options=5)
        self.assertRaisesRegex(ValueError, "options: 'reset_maks' is none of a reset, which has 'reset_mask'", env.reset,
                               options={"reset_maks": numpy.array([True, False])})

    def test_what_is_refused_changes_nothing(self):
        env = self.make(2, "scene.json")
        env.reset(seed=[1, 2])
        second, _ = env.reset()
        env.reset(seed=[1, 2])
        mask = numpy.zeros(3, bool)
        for wrong in ({"seed": [3, -1]}, {"seed": 7, "options": {"reset_mask": mask}}):
            self.assertRaises(ValueError, env.reset, **wrong)
        numpy.testing.assert_array_equal(env.reset()[0], second)

    def test_no_clock_of_the_wall(self):
        """Whenever an environment is made, simulated time begins at 0; another start can be asked for."""
        stamps = {"observe": ["robot.pose.timestamp"], "values": {"stamp": "robot.pose.timestamp"}, "dtype": numpy.float64}
        for options, expected in ({}, 1 / 60), ({"start": 5.0}, 5 + 1 / 60), ({"start_time": 7 * 10 ** 9}, 7 + 1 / 60):
            observations, infos = self.make(2, **stamps, **options).reset(seed=1)
            numpy.testing.assert_allclose(observations[:, 0], expected, atol=1e-8)
            numpy.testing.assert_array_equal(infos["stamp"], observations[:, 0])


class Mistakes(GymCase):
    def test_actions(self):
        env = self.make()
        self.assertRaisesRegex(RuntimeError, "reset before its first step", env.step, numpy.zeros((3, 2)))
        env.reset(seed=1)
        self.assertRaisesRegex(ValueError, r"the shape \(3,\), not \(3, 2\)", env.step, numpy.zeros(3))
        for what in "left", {"robot.motion.v": 1}, [[1, 2], [3, 4], [5]]:
            self.assertRaisesRegex(ValueError, r"actions: an array of numbers of the shape \(3, 2\), not", env.step, what)
        bad = numpy.zeros((3, 2))
        for number in numpy.nan, numpy.inf:
            bad[1, 0] = number
            self.assertRaisesRegex(ValueError, r"actions\[1, 0\] is (nan|inf); robot.motion.v takes finite numbers",
                                   env.step, bad)
        self.assertEqual([sim.ticks for sim in env.simulations], [1, 1, 1])

    def test_options(self):
        for options, words in (({"num_envs": 0}, "num_envs: 0 is no whole number from 1 to 65536"),
                               ({"num_envs": 2.5}, "num_envs: 2.5"), ({"num_envs": 65537}, "num_envs: 65537"),
                               ({"ticks": 0}, "ticks: 0 is no"), ({"ticks": 1.5}, "ticks: 1.5"),
                               ({"max_episode_steps": 0}, "max_episode_steps: 0"),
                               ({"max_episode_steps": numpy.nan}, "max_episode_steps: nan"), ({"dtype": int}, "dtype: int64"),
                               ({"observe": []}, "of no field"), ({"observe": {"a": []}}, "of no field"),
                               ({"act": {}}, "with their bounds"), ({"act": ["robot.motion.v"]}, "with their bounds"),
                               ({"act": {"robot.motion.v": 3}}, "two numbers"),
                               ({"act": {"robot.motion.v": (1, -1)}}, "no bounds"),
                               ({"act": {"robot.motion.v": (0, numpy.inf)}}, "no bounds"),
                               ({"act": {"robot.motion.v": (0, 1e300)}}, "no bounds"),
                               ({"values": {"reward": "1"}}, "of the environment's own"),
                               ({"autoreset_mode": "Sometimes"}, "Sometimes' is none of NextStep, SameStep, Disabled")):
            given = dict({"num_envs": 2, "observe": [X], "act": ACT}, **options)
            with self.assertRaisesRegex(ValueError, words):
                orrery.gym.VectorEnv(self.path("still.json"), **given)
        for options, words in (({"observe": None}, "observe: full names"), ({"observe": {"a": [5]}}, "observe: a: full names"),
                               ({"act": {5: (0, 1)}}, "act: full names"), ({"reward": 5}, "reward: an expression or a func"),
                               ({"on_reset": 5}, "on_reset: a function"), ({"values": ["1"]}, "values: a dictionary"),
                               ({"values": {"a": len}}, "values: a: an expression, not"),
                               ({"rewards": "1"}, "no option rewards; did you mean reward"),
                               ({"seeed": 5}, "no option seeed; did you mean seed"),
                               ({"plugin_dirs": "plugins"}, r"plugin_dirs is a list of directories, as \['plugins'\]")):
            with self.assertRaisesRegex(TypeError, words):
                self.make(**options)
        for options, words in (({"observe": ["robot.poze.x"]}, "did you mean|there is"),
                               ({"reward": "1 +"}, r"reward: 1 \+: column 4"),
                               ({"values": {"far": "robot.poze.x"}},
                                "far: robot.poze.x: column 1: .*; no component is named robot.poze; did you mean robot.pose"),
                               ({"terminated": "robot.pose.q < 0"}, "terminated: robot.pose.q < 0: column 1: .* no field 'q'"),
                               ({"observe": ["robot.pose"]}, r"robot.pose: a component; a field is robot.pose.FIELD; there is: x"),
                               ({"observe": "robot"}, r"robot: a component; a field is robot.FIELD"),
                               ({"observe": ["robot.pose.w"]}, "no field w"),
                               ({"act": {"robot.pose.x": (0, 1)}}, "is of an actuator")):
            with self.assertRaisesRegex(GLib.Error, words):
                self.make(**options)

    def test_ctrl_c(self):
        """It ends a step that would take days, after which all are reset."""
        env = self.make(ticks=10 ** 9)
        first, _ = env.reset(seed=1)
        # Ctrl-C comes while the ticks run.
        pose = env.simulations[0]["robot.pose"]
        watched = pose.subscribe(lambda record: os.kill(os.getpid(), signal.SIGINT))
        self.assertRaises(KeyboardInterrupt, env.step, numpy.ones((3, 2)))
        watched.end()
        self.assertLess(max(sim.ticks for sim in env.simulations), 10 ** 8)
        self.assertRaisesRegex(RuntimeError, "after one that was interrupted", env.step, numpy.ones((3, 2)))
        numpy.testing.assert_array_equal(env.reset(seed=1)[0], first)

    def test_functions(self):
        env = self.make(reward=lambda step: 1.0)
        env.reset(seed=1)
        self.assertRaisesRegex(ValueError, r"reward: the function gave an array of shape \(\)", env.step,
                               numpy.zeros((3, 2)))

    def test_a_simulation_that_fails(self):
        self.write("driven.json", scene(*COMPONENTS[:2], physics="orrery.physics.bullet.Bullet", gravity=[0, 0, 0]))
        env = self.make(reward=X, name="driven.json")
        first, _ = env.reset(seed=1)
        env.step(numpy.ones((3, 2)))
        before, _, _, _, _ = env.step(numpy.ones((3, 2)))
        world = env.simulations[1].get_world()
        huge, none = orrery.Vec3(), orrery.Vec3()
        huge.x = 1e14
        world.get_commands().add_force(world.find_object("robot"), huge, none)
        observations, rewards, terminated, truncated, infos = env.step(numpy.ones((3, 2)))
        self.assertEqual(truncated.tolist(), [False, True, False])
        self.assertEqual((rewards[1], terminated.tolist()), (0, [False] * 3))
        numpy.testing.assert_array_equal(observations[1], before[1])
        self.assertEqual(infos["_failure"].tolist(), [False, True, False])
        self.assertRegex(infos["failure"][1], "object 'robot': a force on it is beyond")
        self.assertGreater(observations[2, 0], before[2, 0])
        observations, _, _, truncated, infos = env.step(numpy.ones((3, 2)))
        self.assertNotIn("failure", infos)
        numpy.testing.assert_array_equal(observations[1], first[1])
        env.step(numpy.ones((3, 2)))


class Gymnasium(PythonCase):
    """Where it is installed: against a stand-in, since Debian does not have it."""

    PROGRAM = """
        import sys
        import numpy
        import orrery.gym

        vector = orrery.gym.VectorEnv("scene.json", 2, observe={"place": ["robot.pose.x", "robot.pose.y"]}, ticks=6,
                                      act={"robot.motion.v": (-1, 1)}, reward="robot.pose.x", max_episode_steps=3)
        one = orrery.gym.Env("scene.json", observe=["robot.pose.x"], act={"robot.motion.v": (-1, 1)})
        rows = [vector.reset(seed=3)[0]["place"]]
        for _ in range(5):
            observations, rewards, terminated, truncated, infos = vector.step(numpy.ones((2, 1), numpy.float32))
            assert observations in vector.observation_space
            assert rewards.shape == terminated.shape == truncated.shape == (2,)
            rows.append(observations["place"])
        first, info = one.reset(seed=3)
        assert first in one.observation_space and one.reset(options={})[1] == info == {}
        if "gymnasium" in sys.modules:
            import gymnasium
            assert orrery.gym.HAS_GYMNASIUM
            assert isinstance(vector, gymnasium.vector.VectorEnv) and isinstance(one, gymnasium.Env)
            assert isinstance(vector.observation_space, gymnasium.spaces.Dict)
            assert isinstance(one.action_space, gymnasium.spaces.Box)
            assert vector.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP
            assert one.np_random is not None
        else:
            assert not orrery.gym.HAS_GYMNASIUM
        for env in vector, one:
            env.close()
            env.close()
        assert vector.closed
        print(numpy.array(rows).tolist())
        """

    def run_with(self, path):
        done = subprocess.run([PROGRAM, "python", self.program(self.PROGRAM)], cwd=self.directory, capture_output=True,
                              text=True, env=dict(self.environment(), PYTHONPATH=path))
        self.check(done, 0)
        return done.stdout

    def test_with_and_without(self):
        self.write("scene.json", scene(*COMPONENTS[:2], tables=NOISE))
        self.assertEqual(self.run_with(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_in")),
                         self.run_with(""))


class Example(PythonCase):
    def train(self, generations, seed=1, pairs=32):
        path = self.program("""
            import sys
            sys.path.insert(0, %r)
            import drive_to_goal
            drive_to_goal.LEARNER.pairs = %d
            print(drive_to_goal.LEARNER.train(%d, %d)[1].tolist())
            """ % (os.path.join(SOURCE, "examples/learning"), pairs, generations, seed))
        done = self.orrery("python", path)
        self.check(done, 0)
        return numpy.array(json.loads(done.stdout))

    def test_it_learns(self):
        """Nobody reaches the goal at first, most do at the end."""
        reached = self.train(20)[:, 1]
        self.assertLess(reached[0], 0.2)
        self.assertGreater(reached[-1], 0.8)

    def test_twice_the_same(self):
        once = self.train(2, pairs=4)
        numpy.testing.assert_array_equal(self.train(2, pairs=4), once)
        self.assertFalse((self.train(2, seed=2, pairs=4) == once).all())


if __name__ == "__main__":
    tap.main()
