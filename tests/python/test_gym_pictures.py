# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of environments: what render () gives, and cameras among the observations."""

import json
import os
import signal
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PythonCase, missing, sanitized  # noqa: E402
from python_case import ENVIRONMENT  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery
    import orrery.gym
    from gi.repository import GLib

# A robot without a shape looks at a red wall along x.
SCENE = {"orrery": 1, "environment": ENVIRONMENT,
         "objects": [
             {"name": "robot", "classpath": "orrery.core.robot.Robot", "position": [0, 0, 0.3], "objects": [
                 {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
                 {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"},
                 {"name": "camera", "classpath": "orrery.sensors.video_camera.VideoCamera", "position": [1, 0, 0.7],
                  "properties": {"cam_width": 32, "cam_height": 24}}]},
             {"name": "wall", "position": [6, 0, 0], "body": {"type": "static"},
              "shapes": [{"kind": "box", "size": [0.2, 20, 2], "color": [1, 0, 0]}]}]}
FROM_BEHIND = {"size": (64, 48), "from_": (0, 0, 1), "at": (6, 0, 1)}


def is_red(pixels):
    rgb = pixels.astype(int)
    return (rgb[..., 0] > 60) & (rgb[..., 0] > 2 * rgb[..., 1:].max(axis=-1))


@unittest.skipIf(sanitized.is_sanitized(), "a Python that draws hangs in the address sanitizer")
class Pictures(PythonCase):
    def make(self, n=2, scene=SCENE, **options):
        self.write("scene.json", json.dumps(scene))
        options = dict({"observe": {"place": ["robot.pose.x"]}, "ticks": 6,
                        "act": {"robot.motion.v": (-5, 5), "robot.motion.w": (-5, 5)}}, **options)
        env = orrery.gym.VectorEnv(self.path("scene.json"), n, **options)
        self.addCleanup(env.close)
        return env

    def test_free_camera(self):
        """The wall fills the lower half, and nothing moves it but the view."""
        env = self.make(render_mode="rgb_array", view=FROM_BEHIND)
        env.reset(seed=1)
        pictures = env.render()
        self.assertEqual([(each.shape, each.dtype) for each in pictures], [((48, 64, 3), numpy.uint8)] * 2)
        self.assertGreater(is_red(pictures[0])[26:30].mean(), 0.9)
        self.assertEqual(is_red(pictures[0])[:20].mean(), 0)
        ticks = [simulation.ticks for simulation in env.simulations]
        numpy.testing.assert_array_equal(env.render()[1], pictures[1])
        self.assertEqual([simulation.ticks for simulation in env.simulations], ticks)

    def test_camera_of_the_scene(self):
        env = self.make(render_mode="rgb_array", camera="robot.camera")
        env.reset(seed=1)
        first = env.render()
        self.assertEqual(first[0].shape, (24, 32, 3))
        self.assertGreater(is_red(first[0])[12:].mean(), 0.3)
        # Half a turn: the second sees no wall.
        for _ in range(7):
            env.step(numpy.array([[0, 0], [0, 4.5]]))
        turned = env.render()
        numpy.testing.assert_array_equal(turned[0], first[0])
        self.assertEqual(is_red(turned[1]).mean(), 0)
        self.assertGreater(is_red(first[1]).mean(), 0.1)

    def test_observations(self):
        env = self.make(pictures={"seen": "robot.camera"}, max_episode_steps=7, autoreset_mode="SameStep")
        self.assertEqual(env.single_observation_space.spaces["seen"].shape, (24, 32, 3))
        first, _ = env.reset(seed=1)
        self.assertIn(first, env.observation_space)
        kept = first["seen"].copy()
        for _ in range(6):
            observations, _, _, _, _ = env.step(numpy.array([[0, 0], [0, 4.5]]))
        self.assertEqual(is_red(observations["seen"][1]).mean(), 0)
        observations, _, _, truncated, infos = env.step(numpy.array([[0, 0], [0, 4.5]]))
        self.assertTrue(truncated.all())
        # The last picture of the old episode, and the first of the new one.
        self.assertEqual(is_red(infos["final_obs"][1]["seen"]).mean(), 0)
        numpy.testing.assert_array_equal(observations["seen"], kept)
        numpy.testing.assert_array_equal(first["seen"], kept)

    def test_one(self):
        self.write("scene.json", json.dumps(SCENE))
        for view, shape in ((None, (360, 640, 3)), (FROM_BEHIND, (48, 64, 3))):
            env = orrery.gym.Env(self.path("scene.json"), observe=["robot.pose.x"], act={"robot.motion.v": (-1, 1)},
                                 render_mode="rgb_array", view=view)
            env.reset(seed=1)
            self.assertEqual((env.render().shape, env.render_mode, env.metadata["render_modes"]),
                             (shape, "rgb_array", ["rgb_array"]))
            env.close()

    def test_learners(self):
        env = orrery.gym.StableBaselinesVecEnv(self.make(render_mode="rgb_array", camera="robot.camera",
                                                         autoreset_mode="SameStep"))
        env.reset()
        self.assertEqual([each.shape for each in env.get_images()], [(24, 32, 3)] * 2)
        agents = {"robot": {"observe": ["robot.pose.x"], "act": {"robot.motion.v": (-1, 1)}}}
        several = orrery.gym.ParallelEnv(self.path("scene.json"), agents=agents, render_mode="rgb_array", view=FROM_BEHIND)
        self.addCleanup(several.close)
        several.reset(seed=1)
        self.assertEqual(several.render().shape, (48, 64, 3))

    def test_a_simulation_that_is_loaded_anew(self):
        scene = json.loads(json.dumps(SCENE))
        scene["environment"].update(physics="orrery.physics.bullet.Bullet", gravity=[0, 0, 0])
        scene["objects"][0].update(body={"type": "dynamic", "mass": 1}, shapes=[{"kind": "box", "size": [0.1, 0.1, 0.1]}])
        env = self.make(scene=scene, pictures={"seen": "robot.camera"})
        first, _ = env.reset(seed=1)
        still = numpy.zeros((2, 2))
        world, huge = env.simulations[1].get_world(), orrery.Vec3()
        huge.x = 1e14
        world.get_commands().add_force(world.find_object("robot"), huge, orrery.Vec3())
        _, _, _, truncated, _ = env.step(still)
        self.assertEqual(truncated.tolist(), [False, True])
        observations, _, _, _, _ = env.step(still)
        numpy.testing.assert_array_equal(observations["seen"][1], first["seen"][1])

    def test_nothing_without_a_mode(self):
        env = self.make(1)
        env.reset(seed=1)
        self.assertIsNone(env.render())
        self.assertEqual(env.metadata["render_modes"], ["rgb_array"])

    def play(self, **options):
        """What is seen, and what is rendered, in some episodes."""
        env = self.make(3, pictures={"seen": "robot.camera"}, render_mode="rgb_array", autoreset_mode="SameStep",
                        terminated="robot.pose.yaw > 1.5", **options)
        seen = [env.reset(seed=1)[0]["seen"]]
        rendered = [env.render()]
        for _ in range(5):
            observations, _, terminated, _, infos = env.step(numpy.array([[0, 0], [0, 2], [0, 4.5]]))
            seen.append(observations["seen"])
            seen.extend(infos["final_obs"][i]["seen"] for i in numpy.flatnonzero(terminated))
            rendered.append(env.render())
        env.close()
        return numpy.concatenate([each.reshape(-1, 24, 32, 3) for each in seen]), numpy.array(rendered)

    def test_any_number_of_processes(self):
        """The same pictures, of cameras and of what is rendered."""
        for options in {"camera": "robot.camera"}, {"view": FROM_BEHIND}:
            expected = self.play(**options)
            self.assertEqual(len(expected[0]), 6 * 3 + 1)
            self.assertGreater(len({each.tobytes() for each in expected[0]}), 5)
            for processes in 1, 2:
                for told, known in zip(self.play(processes=processes, **options), expected):
                    numpy.testing.assert_array_equal(told, known)

    def test_a_process_that_is_lost(self):
        """Its episodes go on, and the new one draws them. Of an episode that is lost the picture is black."""
        options = {"render_mode": "rgb_array", "view": FROM_BEHIND, "pictures": {"seen": "robot.camera"}}
        env, other = self.make(2, processes=2, **options), self.make(2, **options)
        first, _ = env.reset(seed=1)
        other.reset(seed=1)
        step = numpy.full((2, 2), 0.5)
        for each in env, other:
            each.step(step)
        os.kill(env.vector.crew.workers[1].process.pid, signal.SIGKILL)
        with self.assertWarnsRegex(RuntimeWarning, "process 1 .*SIGKILL"):
            for picture, expected in zip(env.render(), other.render()):
                numpy.testing.assert_array_equal(picture, expected)
        observations, _, _, truncated, _ = env.step(step)
        self.assertFalse(truncated.any())
        numpy.testing.assert_array_equal(observations["seen"], other.step(step)[0]["seen"])
        with unittest.mock.patch("orrery.gym._record.MAX_BYTES", 0):
            env.step(step)
        os.kill(env.vector.crew.workers[1].process.pid, signal.SIGKILL)
        pictures = env.render()
        self.assertTrue(pictures[0].any())
        self.assertFalse(pictures[1].any())
        _, _, _, truncated, infos = env.step(numpy.zeros((2, 2)))
        self.assertEqual(truncated.tolist(), [False, True])
        self.assertRegex(infos["failure"][1], "process 1 .*SIGKILL")
        observations, _, _, truncated, _ = env.step(numpy.zeros((2, 2)))
        self.assertFalse(truncated.any())
        numpy.testing.assert_array_equal(observations["seen"][1], first["seen"][1])

    def test_not_in_a_step(self):
        env = self.make(1, render_mode="rgb_array", view=FROM_BEHIND)
        env.reset(seed=1)
        env.step_async(numpy.zeros((1, 2)))
        self.assertRaisesRegex(RuntimeError, "a step is under way", env.render)
        env.step_wait()
        env.close()
        self.assertRaisesRegex(RuntimeError, "is closed", env.render)

    def test_mistakes(self):
        for options, words in (({"render_mode": "human"}, "render_mode: .* not 'human'"),
                               ({"render_mode": "rgb_array", "view": 3}, "view: a dictionary, as"),
                               ({"camera": "robot.camera"}, "are for render_mode="),
                               ({"render_mode": "rgb_array", "camera": "robot.camera", "view": {}}, "without camera"),
                               ({"render_mode": "rgb_array", "camera": "robot.kamera"}, "did you mean robot.camera"),
                               ({"render_mode": "rgb_array", "camera": "robot.pose"}, "it is no camera"),
                               ({"render_mode": "rgb_array", "view": {"from": (0, 0, 1)}}, "from is none of size"),
                               ({"pictures": ["robot.camera"]}, "pictures: "),
                               ({"render_mode": "rgb_array", "view": {"size": (15, 48)}}, "16 to 4096 px, not 15 and 48"),
                               ({"render_mode": "rgb_array", "view": {"size": 64}}, "width and height, as"),
                               ({"pictures": {"seen": "robot.kamera"}, "processes": 1}, "^no component robot.kamera; did you mean"),
                               ({"pictures": {"seen": "robot.pose"}, "processes": 1}, "^robot.pose has no image"),
                               ({"pictures": {"place": "robot.camera"}}, "with other names"),
                               ({"observe": ["robot.pose.x"], "pictures": {"seen": "robot.camera"}}, "a dictionary then")):
            with self.assertRaisesRegex(ValueError, words):
                self.make(**options)
        scene = json.loads(json.dumps(SCENE))
        scene["objects"][0]["objects"][2]["properties"]["retrieve_depth"] = True
        with self.assertRaisesRegex(ValueError, "robot.camera: with retrieve_depth its images are distances"):
            self.make(scene=scene, pictures={"seen": "robot.camera"})
        for processes in None, 1:
            env = self.make(1, render_mode="rgb_array", view={"follow": "hare"}, processes=processes)
            env.reset(seed=1)
            self.assertRaisesRegex(GLib.Error, "no object 'hare'", env.render)


if __name__ == "__main__":
    tap.main()
