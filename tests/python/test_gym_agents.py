# SPDX-License-Identifier: BSD-3-Clause
"""Several robots of a scene as agents: the rules of PettingZoo's parallel API, and rewards, ends, failures of each."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PROGRAM, PythonCase, missing  # noqa: E402
from python_case import ENVIRONMENT  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery
    import orrery.gym

STAND_IN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stand_in")
NOISE = ["orrery.modifiers.pose_noise.PositionNoiseModifier", {"pos_std": 0.1}]


def robot(name, y):
    return {"name": name, "classpath": "morse.robots.atrv.ATRV", "position": [0, y, 0], "objects": [
        {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
        {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]}


def scene(noise=True, **environment):
    tables = {"component_modifier": {"%s.pose" % name: [NOISE] for name in ("hare", "tortoise")}} if noise else {}
    return json.dumps(dict({"orrery": 1, "environment": dict(ENVIRONMENT, **environment),
                            "objects": [robot("hare", 0), robot("tortoise", 3)]}, **tables))


def agent(name, **more):
    return dict({"observe": ["%s.pose.x" % name, "%s.pose.y" % name], "act": {"%s.motion.v" % name: (-1, 1)},
                 "reward": "%s.pose.x" % name}, **more)


def play(env, n, seed):
    """Rows of some steps; sees that the API's rules hold."""
    observations, infos = env.reset(seed=seed)
    assert env.agents == env.possible_agents and env.num_agents == env.max_num_agents
    gone, rows = set(), []
    for k in range(n):
        if k == 0:
            told = [observations, infos]
        elif not env.agents:
            break
        else:
            before = list(env.agents)
            told = list(env.step({name: numpy.ones(1, numpy.float32) for name in before}))
            assert all(list(each) == before for each in told), (before, told)
            left = [name for name in before if told[2][name] or told[3][name]]
            gone.update(left)
            assert env.agents == [name for name in before if name not in left]
            assert all(isinstance(value, float) for value in told[1].values())
            assert all(isinstance(value, bool) for each in told[2:4] for value in each.values())
        assert not gone & set(env.agents) and all(isinstance(info, dict) for info in told[-1].values())
        for name, observation in told[0].items():
            assert observation in env.observation_space(name)
            rows.append([name, *numpy.asarray(observation).tolist()])
        assert env.state() in env.state_space
    for name in env.possible_agents:
        assert env.observation_space(name) is env.observation_space(name)
        assert env.action_space(name) is env.action_space(name)
    return rows


class Agents(PythonCase):
    def make(self, text=None, agents=None, **options):
        self.write("scene.json", scene() if text is None else text)
        agents = {"hare": agent("hare", terminated="hare.pose.x > 0.3"), "tortoise": agent("tortoise")} \
            if agents is None else agents
        env = orrery.gym.ParallelEnv(self.path("scene.json"), agents=agents,
                                     **dict({"ticks": 6, "max_episode_steps": 6}, **options))
        self.addCleanup(env.close)
        return env

    def test_rules(self):
        env = self.make()
        rows = play(env, 20, seed=3)
        self.assertEqual(env.agents, [])
        self.assertEqual([row[0] for row in rows].count("tortoise"), 7)
        self.assertLess([row[0] for row in rows].count("hare"), 7)
        self.assertEqual(rows, play(env, 20, seed=3))
        self.assertNotEqual(rows, play(env, 20, seed=4))
        self.assertNotEqual(play(env, 20, seed=None), play(env, 20, seed=None))

    def test_each_has_its_own(self):
        def reward(step):
            self.assertEqual((step.observations["place"].shape, step.actions.shape), ((1,), (2,)))
            return step.values["far"] - step.previous_values["far"]

        slow = {"observe": {"place": ["tortoise.pose.x"], "other": "hare.pose.x"}, "reward": reward,
                "act": {"tortoise.motion.v": (0.25, 1), "tortoise.motion.w": (-1, 1)}, "values": {"far": "tortoise.pose.x"},
                "truncated": lambda step: step.elapsed == 3}
        env = self.make(scene(noise=False), {"hare": agent("hare"), "slow": slow})
        self.assertEqual(env.observation_space("hare").shape, (2,))
        self.assertEqual(env.action_space("slow").low.tolist(), [0.25, -1])
        _, infos = env.reset(seed=1)
        self.assertEqual(infos, {"hare": {}, "slow": {"far": 0.0}})
        actions = {"slow": [0.5, 0], "hare": [-2]}
        env.step(actions)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        self.assertAlmostEqual(float(observations["hare"][0]), -11 / 60, places=6)
        self.assertAlmostEqual(float(observations["slow"]["place"][0]), 0.5 * 11 / 60, places=6)
        self.assertEqual(observations["slow"]["other"], observations["hare"][:1])
        self.assertAlmostEqual(rewards["slow"], 0.05, places=6)
        self.assertAlmostEqual(rewards["hare"], -11 / 60, places=6)
        _, _, terminated, truncated, _ = env.step(actions)
        self.assertEqual((terminated, truncated), ({"hare": False, "slow": False}, {"hare": False, "slow": True}))
        self.assertEqual(env.agents, ["hare"])
        # The one that has left goes on with what is nearest to zero.
        before = env.simulation["tortoise.pose"].data.x
        env.step({"hare": [0]})
        env.step({"hare": [0]})
        self.assertAlmostEqual(env.simulation["tortoise.pose"].data.x - before, (0.5 + 11 * 0.25) / 60, places=6)

    def test_mistakes(self):
        env = self.make()
        self.assertRaisesRegex(RuntimeError, "reset before", env.step, {})
        env.reset(seed=1)
        for actions, words in (({"hare": [0]}, r"of \['hare', 'tortoise'\], not of \['hare'\]"),
                               ({"hare": [0], "tortoise": [0], "fox": [0]}, "not of .*fox"),
                               ({"hare": [0], "tortoise": 0}, r"tortoise have the shape \(\), not \(1,\)"),
                               ({"hare": [numpy.nan], "tortoise": [0]}, "hare are not finite")):
            self.assertRaisesRegex(ValueError, words, env.step, actions)
        self.assertEqual(env.simulation.ticks, 1)
        two = {"hare": agent("hare"), "fox": agent("hare")}
        for agents, words in (({}, "one agent or more"), (["hare"], "one agent or more"), ({"hare": 5}, "hare: a dictionary"),
                              ({"hare": agent("hare", done="1")}, "hare: done is none of observe"),
                              ({"hare": {"act": {}}}, "observe and act are needed"),
                              ({"hare": dict(agent("hare"), act=["hare.motion.v"])}, "hare: act: a dictionary"),
                              ({"hare": agent("hare", values={"reward": "1"})}, "of the environment's own"),
                              (two, "fox: act: hare.motion.v is of another agent")):
            with self.assertRaisesRegex((TypeError, ValueError), words):
                self.make(agents=agents)
        for options, words in (({"num_envs": 2}, "num_envs is no option"), ({"reward": "1"}, "reward is no option")):
            with self.assertRaisesRegex(TypeError, words):
                self.make(**options)
        env = self.make(agents={"hare": agent("hare", reward=lambda step: step.observations)})
        env.reset(seed=1)
        with self.assertRaisesRegex(ValueError, r"hare: reward: the function gave an array of shape \(2,\)"):
            env.step({"hare": [0]})

    def test_a_simulation_that_fails(self):
        env = self.make(scene(noise=False, physics="orrery.physics.bullet.Bullet", gravity=[0, 0, 0]))
        env.reset(seed=1)
        world, huge = env.simulation.get_world(), orrery.Vec3()
        huge.x = 1e14
        world.get_commands().add_force(world.find_object("hare"), huge, orrery.Vec3())
        _, rewards, terminated, truncated, infos = env.step({"hare": [0], "tortoise": [0]})
        self.assertEqual((rewards, env.agents), ({"hare": 0.0, "tortoise": 0.0}, []))
        self.assertEqual((list(terminated.values()), list(truncated.values())), ([False] * 2, [True] * 2))
        self.assertRegex(infos["tortoise"]["failure"], "object 'hare': a force on it is beyond")
        self.assertEqual(len(env.reset()[0]), 2)
        env.step({"hare": [0], "tortoise": [0]})

    def test_with_and_without(self):
        """It is derived from the class of PettingZoo, where there is one, and does the same."""
        self.write("scene.json", scene())
        path = self.program("""
            import sys
            sys.path.insert(0, %r)
            import test_gym_agents as test
            import orrery.gym
            assert "pettingzoo" not in sys.modules
            env = orrery.gym.ParallelEnv("scene.json", max_episode_steps=4,
                                         agents={name: test.agent(name) for name in ("hare", "tortoise")})
            with_it = "gymnasium" in sys.modules
            if with_it:
                import pettingzoo
                assert isinstance(env, pettingzoo.ParallelEnv)
            print(with_it, test.play(env, 9, 5))
            """ % os.path.dirname(os.path.abspath(__file__)))
        said = []
        for where in (STAND_IN, ""):
            done = subprocess.run([PROGRAM, "python", path], cwd=self.directory, capture_output=True, text=True,
                                  env=dict(self.environment(), PYTHONPATH=where))
            self.check(done, 0)
            said.append(done.stdout.split(" ", 1))
        self.assertEqual([each[0] for each in said], ["True", "False"])
        self.assertEqual(said[0][1], said[1][1])


if __name__ == "__main__":
    tap.main()
