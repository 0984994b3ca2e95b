# SPDX-License-Identifier: BSD-3-Clause
"""Environments as other APIs want them: what Stable-Baselines3's documents demand of a VecEnv, Gymnasium's names."""

import importlib.util
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import BUILD, PROGRAM, SOURCE, PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery.gym
    from orrery.gym.tasks import drive_to_goal

PILLOW = importlib.util.find_spec("PIL") is not None
MUJOCO = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/physics/mujoco.so"))
STAND_IN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_in")
COMPONENTS = [("pose", "orrery.sensors.pose.Pose"), ("motion", "orrery.actuators.v_omega.MotionVW")]
NOISE = {"component_modifier": {"robot.pose": [["orrery.modifiers.pose_noise.PositionNoiseModifier", {"pos_std": 0.1}]]}}
X = "robot.pose.x"


class StableBaselines(PythonCase):
    def make(self, name="still.json", **options):
        self.write("still.json", scene(*COMPONENTS))
        self.write("scene.json", scene(*COMPONENTS, tables=NOISE))
        options = dict({"observe": [X], "act": {"robot.motion.v": (-1, 1)}, "ticks": 6, "values": {"far": X}, "reward": X,
                        "terminated": X + " > 0.15", "max_episode_steps": 3, "autoreset_mode": "SameStep"}, **options)
        env = orrery.gym.StableBaselinesVecEnv(orrery.gym.VectorEnv(self.path(name), 3, **options))
        self.addCleanup(env.close)
        return env

    def test_steps(self):
        """What a learner does: it clips actions, stores what it is given, and bootstraps from what ended by time."""
        env = self.make()
        first = env.reset()
        self.assertEqual((first.shape, first.dtype), ((3, 1), numpy.float32))
        self.assertEqual([info["far"] for info in env.reset_infos], [0.0] * 3)
        speeds = numpy.array([[0], [0.5], [1]], numpy.float32)
        observations, rewards, dones, infos = env.step(speeds)
        self.assertEqual((rewards.dtype, dones.dtype, dones.tolist()), (numpy.float32, bool, [False] * 3))
        self.assertEqual([sorted(info) for info in infos], [["TimeLimit.truncated", "far"]] * 3)
        observations, rewards, dones, infos = env.step(speeds)
        self.assertEqual(dones.tolist(), [False, False, True])
        self.assertEqual([info["TimeLimit.truncated"] for info in infos], [False] * 3)
        numpy.testing.assert_array_equal(observations[2], first[2])
        self.assertEqual(["terminal_observation" in info for info in infos], [False, False, True])
        self.assertIn(infos[2]["terminal_observation"], env.observation_space)
        self.assertGreater(infos[2]["terminal_observation"][0], 0.15)
        # Infos are of the step, also of those that go on; what the next begins with is beside.
        numpy.testing.assert_allclose([info["far"] for info in infos], rewards)
        self.assertEqual(env.reset_infos[2]["far"], 0.0)
        observations, rewards, dones, infos = env.step(speeds)
        self.assertEqual(dones.tolist(), [True, True, False])
        self.assertEqual([info["TimeLimit.truncated"] for info in infos], [True, True, False])
        numpy.testing.assert_allclose(infos[1]["terminal_observation"], [0.5 * 17 / 60], atol=1e-6)

    def test_an_end_at_the_limit_is_an_end(self):
        env = self.make(max_episode_steps=2)
        env.reset()
        env.step(numpy.ones((3, 1)))
        _, _, dones, infos = env.step(numpy.array([[0], [0], [1]]))
        self.assertEqual(dones.tolist(), [True] * 3)
        self.assertEqual([info["TimeLimit.truncated"] for info in infos], [True, True, False])

    def test_dictionaries(self):
        env = self.make(observe={"place": [X], "turn": ["robot.pose.yaw"]})
        self.assertIn({name: part[0] for name, part in env.reset().items()}, env.observation_space)
        for _ in range(3):
            _, _, dones, infos = env.step(numpy.zeros((3, 1)))
        self.assertTrue(dones.all())
        self.assertIn(infos[0]["terminal_observation"], env.observation_space)

    def test_seeds(self):
        """Of the next reset; those after it go on."""
        env = self.make("scene.json")
        self.assertEqual(env.seed(7), [7, 8, 9])
        seeded, later = env.reset(), env.reset()
        self.assertEqual(len(numpy.unique(numpy.concatenate([seeded, later]))), 6)
        env.seed(8)
        numpy.testing.assert_array_equal(env.reset()[:2], seeded[1:])
        env.seed(7)
        numpy.testing.assert_array_equal(env.reset(), seeded)
        numpy.testing.assert_array_equal(env.reset(), later)

    def test_each(self):
        env = self.make()
        env.reset()
        env.step(numpy.ones((3, 1)))
        self.assertEqual(env.get_attr("ticks"), [7, 7, 7])
        self.assertEqual(env.get_attr("frequency", [0, 2]), [60, 60])
        self.assertEqual(env.get_attr("max_episode_steps", 1), [3])
        self.assertRaises(AttributeError, env.get_attr, "action_masks")
        self.assertEqual([list(names) for names in env.env_method("call", "simulation", "list_robots", indices=0)], [["robot"]])
        self.assertEqual(env.env_is_wrapped(PythonCase), [False] * 3)
        env.set_attr("max_episode_steps", 50)
        self.assertEqual(env.vector_env.max_episode_steps, 50)
        self.assertRaisesRegex(ValueError, "one of all environments", env.set_attr, "max_episode_steps", 5, 1)
        self.assertEqual(env.get_images(), [None] * 3)

    def test_processes(self):
        """Simulations are not at hand then, and what is asked is asked of the vector."""
        envs = self.make(), self.make(processes=2)
        numpy.testing.assert_array_equal(*(env.reset() for env in envs))
        for _ in range(4):
            (*one, infos), (*other, others) = (env.step(numpy.ones((3, 1))) for env in envs)
            for here, there in zip(one, other):
                numpy.testing.assert_array_equal(here, there)
            self.assertEqual(infos, others)
        self.assertEqual(envs[1].get_attr("ticks"), [6] * 3)
        self.assertRaises(AttributeError, envs[1].env_method, "call", "simulation", "list_robots")

    def test_mistakes(self):
        self.assertRaisesRegex(ValueError, "\"SameStep\", not 'NextStep'", self.make, autoreset_mode="NextStep")
        env = self.make()
        env.reset()
        self.assertRaisesRegex(RuntimeError, "without step_async", env.step_wait)
        self.assertRaisesRegex(ValueError, r"actions\[1, 0\] is nan", env.step, numpy.array([[0], [numpy.nan], [0]]))
        self.assertEqual(env.get_attr("ticks"), [1] * 3)
        self.assertRaises(AttributeError, getattr, orrery.gym, "StableBaselines")

    PROGRAM = """
        import sys
        import numpy
        import orrery.gym

        assert "stable_baselines3" not in sys.modules
        env = orrery.gym.StableBaselinesVecEnv(orrery.gym.VectorEnv(
            "scene.json", 2, observe=["robot.pose.x"], act={"robot.motion.v": (-1, 1)}, reward="robot.pose.x",
            max_episode_steps=3, autoreset_mode="SameStep"))
        env.seed(3)
        rows = [env.reset()]
        for _ in range(5):
            observations, rewards, dones, infos = env.step(numpy.ones((2, 1), numpy.float32))
            rows.append(observations)
        with_it = "gymnasium" in sys.modules
        if with_it:
            from stable_baselines3.common.vec_env import VecEnv
            assert isinstance(env, VecEnv)
        env.close()
        print(with_it, numpy.array(rows).tolist())
        """

    def run_with(self, path):
        done = subprocess.run([PROGRAM, "python", self.program(self.PROGRAM)], cwd=self.directory, capture_output=True,
                              text=True, env=dict(self.environment(), PYTHONPATH=path))
        self.check(done, 0)
        return done.stdout

    def test_with_and_without(self):
        """It is derived from the class of Stable-Baselines3, where there is one, and does the same."""
        self.write("scene.json", scene(*COMPONENTS, tables=NOISE))
        said = []
        for path in (STAND_IN, ""):
            said.append(self.run_with(path).split(" ", 1))
        self.assertEqual([each[0] for each in said], ["True", "False"])
        self.assertEqual(said[0][1], said[1][1])


class Tasks(PythonCase):
    def test_options(self):
        """Those given take the place of the task's own."""
        env = drive_to_goal.make_vec(2, max_episode_steps=2, autoreset_mode="Disabled")
        self.addCleanup(env.close)
        observations, _ = env.reset(seed=3)
        self.assertEqual(observations["scan"].shape, (2, 9))
        _, rewards, _, truncated, infos = env.step(numpy.array([[2, 0], [0, 0]]))
        self.assertGreater(rewards[0], rewards[1])
        self.assertEqual(truncated.tolist(), [False] * 2)
        self.assertTrue(env.step(numpy.zeros((2, 2)))[3].all())

    @unittest.skipUnless(MUJOCO, "no MuJoCo")
    def test_a_pole_is_balanced(self):
        """Nobody knows how at first; after some generations it does not fall for 10 s, whatever the push."""
        done = self.orrery("python", self.program("""
            import sys
            sys.path.insert(0, %r)
            import balance_pole
            print(balance_pole.LEARNER.train(6)[1].tolist())
            """ % os.path.join(SOURCE, "examples/learning")), timeout=600)
        self.check(done, 0)
        curve = json.loads(done.stdout)
        self.assertLess(curve[0][1], 4)
        numpy.testing.assert_allclose(curve[-1][1:], [10, 10])

    @unittest.skipUnless(MUJOCO, "no MuJoCo")
    def test_a_goal_is_reached(self):
        """By the program itself, in two processes: nobody reaches it at first, most do at the end."""
        done = self.orrery("python", os.path.join(SOURCE, "examples/learning/reach.py"), "--generations", "5",
                           "--processes", "2", "--seeds", "3", "--policy", "learned.npz",
                           *(["--film", "learned.gif"] if PILLOW else []), timeout=600)
        self.check(done, 0)
        if PILLOW:
            from PIL import Image
            with Image.open(self.path("learned.gif")) as film:
                self.assertEqual(film.size, (480, 320))
                self.assertGreater(film.n_frames, 1)
        self.assertRegex(done.stdout, r"^generation  1: return  -0\.\d\d,   0 % reach the goal\n")
        learned = numpy.load(self.path("learned.npz"))
        self.assertEqual((learned["seeds"].tolist(), learned["policies"].shape, learned["curves"].shape),
                         ([3], (1, 7), (1, 5, 3)))
        self.assertLess(learned["curves"][:, 0, 1].max(), 0.2)
        self.assertGreater(learned["curves"][:, -1, 1].min(), 0.8)

    def test_files_are_looked_at_before_it_learns(self):
        for option in "--policy", "--plot", "--film":
            done = self.orrery("python", os.path.join(SOURCE, "examples/learning/drive_to_goal.py"), option, "none/file")
            self.check(done, 2, "none/file: there is no such directory")
            self.assertEqual(done.stdout, "")

    REGISTERED = """
        import gymnasium
        import orrery.gym
        assert sorted(gymnasium.registry) == ["orrery/BalancePole-v0", "orrery/DriveToGoal-v0", "orrery/Reach-v0"]
        one = gymnasium.make("orrery.gym:orrery/DriveToGoal-v0", ticks=12)
        assert isinstance(one, orrery.gym.Env) and one.vector_env.ticks == 12 and one.spec.id == "orrery/DriveToGoal-v0"
        many = gymnasium.make_vec("orrery/DriveToGoal-v0", num_envs=3, autoreset_mode="SameStep")
        assert many.num_envs == 3 and many.max_episode_steps == 100
        single, _ = one.reset(seed=4)
        batch, _ = many.reset(seed=4)
        assert single in one.observation_space and batch in many.observation_space
        assert single["pose"].tolist() == batch["pose"][0].tolist() != batch["pose"][1].tolist()
        for env in one, many:
            env.close()
        """

    def test_registered(self):
        done = subprocess.run([PROGRAM, "python", self.program(self.REGISTERED)], cwd=self.directory, capture_output=True,
                              text=True, env=dict(self.environment(), PYTHONPATH=STAND_IN))
        self.check(done, 0)


if __name__ == "__main__":
    tap.main()
