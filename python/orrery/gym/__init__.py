# SPDX-License-Identifier: BSD-3-Clause
"""Scenes as environments for learning, with the API of Gymnasium 1: needs NumPy, and no Gymnasium.

    env = orrery.gym.VectorEnv("scene.json", 64, ticks=6,
                               observe={"pose": ["robot.pose.x", "robot.pose.y", "robot.pose.yaw"]},
                               act={"robot.motion.v": (-1, 1), "robot.motion.w": (-2, 2)},
                               reward="-hypot(robot.pose.x - 5, robot.pose.y)", max_episode_steps=200)
    observations, infos = env.reset(seed=1)

Where Gymnasium 1.0 or newer is installed, the classes here are derived from its own, so that its
wrappers and the learners that ask for them take them.
"""

import typing

from . import tasks
from ._api import AutoresetMode, Box, Dict, HAS_GYMNASIUM, gymnasium
from ._env import Env
from ._vector import Step, VectorEnv

if typing.TYPE_CHECKING:
    from ._parallel import ParallelEnv
    from ._stable_baselines import StableBaselinesVecEnv

__all__ = ["AutoresetMode", "Box", "Dict", "Env", "HAS_GYMNASIUM", "ParallelEnv", "StableBaselinesVecEnv", "Step",
           "VectorEnv"]

# What others' packages are imported for is imported when it is used: with PyTorch it takes seconds.
LATER = {"ParallelEnv": "_parallel", "StableBaselinesVecEnv": "_stable_baselines"}

if HAS_GYMNASIUM:
    tasks.register(gymnasium)


def __getattr__(name):
    if name not in LATER:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    import importlib
    return getattr(importlib.import_module("." + LATER[name], __name__), name)
