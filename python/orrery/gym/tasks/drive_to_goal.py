# SPDX-License-Identifier: BSD-3-Clause
"""A robot drives to a goal behind a wall, between crates, by what its laser sees."""

import os

from .._env import Env
from .._vector import VectorEnv

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "drive_to_goal.json")
GOAL = 8.0, 0.0
NEAR = 0.5    # m: the goal is reached
TOUCH = 0.35  # m: something is hit
RANGE = 4.0   # m, of the laser


def place(simulation, random):
    """Each episode begins somewhere else."""
    simulation.move("robot", (random.uniform(-1, 1), random.uniform(-2, 2), 0.3), (random.uniform(-0.5, 0.5), 0, 0))


def reward(step):
    """Metres that the goal has come nearer; 10 for reaching it, -5 for hitting something."""
    nearer = step.previous_values["distance"] - step.values["distance"]
    return nearer + 10.0 * (step.values["distance"] < NEAR) - 5.0 * (step.observations["scan"].min(axis=1) < TOUCH)


def is_over(step):
    return (step.values["distance"] < NEAR) | (step.observations["scan"].min(axis=1) < TOUCH)


OPTIONS = {"ticks": 6,
           "observe": {"pose": ["robot.pose.x", "robot.pose.y", "robot.pose.yaw"], "scan": "robot.laser.range_list"},
           "act": {"robot.motion.v": (0, 2), "robot.motion.w": (-2, 2)},
           "values": {"distance": "hypot(robot.pose.x - %g, robot.pose.y - %g)" % GOAL},
           "reward": reward, "terminated": is_over, "max_episode_steps": 100, "on_reset": place}


def make(**options):
    return Env(SCENE, **dict(OPTIONS, **options))


def make_vec(num_envs=1, **options):
    return VectorEnv(SCENE, num_envs, **dict(OPTIONS, **options))
