# SPDX-License-Identifier: BSD-3-Clause
"""An arm of three joints brings its hand to a goal; a robot in MJCF, under MuJoCo."""

import math
import os

from .._env import Env
from .._vector import VectorEnv

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reach.json")
NEAR = 0.05   # m: the goal is reached
SPEED = 2.0   # rad/s, of each joint
HASTE = 0.01  # what a step costs
DISTANCE = "hypot(hypot(%s), %s)" % (", ".join("arm.upper.fore.hand.%s - goal.pose.%s" % (axis, axis) for axis in "xy"),
                                     "arm.upper.fore.hand.z - goal.pose.z")


def place(simulation, random):
    """Each episode has its goal somewhere else."""
    angle, radius = random.uniform(-1.5, 1.5), random.uniform(0.3, 0.6)
    simulation.move("goal", (radius * math.cos(angle), radius * math.sin(angle), random.uniform(0.2, 0.7)))


def reward(step):
    """Metres that the hand has come nearer, less the haste; 10 for reaching the goal."""
    nearer = step.previous_values["distance"] - step.values["distance"]
    return nearer - HASTE + 10.0 * (step.values["distance"] < NEAR)


def is_over(step):
    return step.values["distance"] < NEAR


# Angles of the joints pan, lift and elbow, rad; places of hand and goal, m
OPTIONS = {"ticks": 5,
           "observe": {"joints": "arm.joints.position", "hand": ["arm.upper.fore.hand.%s" % axis for axis in "xyz"],
                       "goal": ["goal.pose.%s" % axis for axis in "xyz"]},
           "act": {"arm.%s.velocity" % motor: (-SPEED, SPEED) for motor in ("turn", "raise", "bend")},
           "values": {"distance": DISTANCE}, "reward": reward, "terminated": is_over, "max_episode_steps": 60,
           "on_reset": place}


def make(**options):
    return Env(SCENE, **dict(OPTIONS, **options))


def make_vec(num_envs=1, **options):
    return VectorEnv(SCENE, num_envs, **dict(OPTIONS, **options))
