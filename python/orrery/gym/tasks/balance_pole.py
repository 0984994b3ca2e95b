# SPDX-License-Identifier: BSD-3-Clause
"""A cart that is pushed along a rail keeps a pole upright; a robot in MJCF, under MuJoCo."""

import os

from .._env import Env
from .._vector import VectorEnv

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "balance_pole.json")
FALLEN = 0.5  # rad from upright
END = 2.0     # m from the middle of the rail
FORCE = 10.0  # N


def push(simulation, random):
    """Each episode begins with another push, N, for the two ticks before it."""
    simulation["cart.push"].data.effort = random.uniform(-20, 20)


def reward(step):
    """1 for each step, and 0.5 at the ends of the rail."""
    return 1 - 0.5 * abs(step.observations[:, 0]) / END


def is_over(step):
    return (abs(step.observations[:, 1]) > FALLEN) | (abs(step.observations[:, 0]) > END)


# Positions and velocities of the cart (m, m/s) and of the pole (rad, rad/s)
OPTIONS = {"ticks": 2, "observe": ["cart.joints.position", "cart.joints.velocity"],
           "act": {"cart.push.effort": (-FORCE, FORCE)}, "reward": reward, "terminated": is_over,
           "max_episode_steps": 500, "on_reset": push}


def make(**options):
    return Env(SCENE, **dict(OPTIONS, **options))


def make_vec(num_envs=1, **options):
    return VectorEnv(SCENE, num_envs, **dict(OPTIONS, **options))
