# SPDX-License-Identifier: BSD-3-Clause
"""Small things of `morse.helpers`: angles, rates, a filter, statistics, classes by their path."""

import importlib
import logging
import math

from . import stage as stages
from .mathutils import Matrix, Vector

logger = logging.getLogger("morse.helpers")
SECTION, ENDSECTION = 25, 23


# --- morse_math ---

def normalise_angle(angle):
    """The same angle in [-pi, pi)."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def rotation_direction(current_angle, target_angle, tolerance, speed):
    """The speed with the sign that leads to the target; 0 within the tolerance."""
    if current_angle < target_angle - tolerance:
        return speed
    return -speed if current_angle > target_angle + tolerance else 0


# --- velocity ---

def linear_velocities(prev, now, dt):
    """Between two poses, in the world (m/s)."""
    return (now.translation - prev.translation) / dt


def angular_velocities(prev, now, dt):
    """Rates about the body's own axes between two poses (rad/s), by the rates of the Euler angles."""
    roll, pitch = now.euler[0], now.euler[1]
    rates = [(b - a) / dt for a, b in zip(prev.euler, now.euler)]
    turned = Matrix(((1, 0, -math.sin(pitch)),
                     (0, math.cos(roll), math.cos(pitch) * math.sin(roll)),
                     (0, -math.sin(roll), math.cos(pitch) * math.cos(roll))))
    return turned * Vector(rates)


# --- filt2 ---

class Filt2:
    """A filter of second order: x'' = wn^2 (u - x) - 2 ksi wn x', by the trapezoidal rule."""

    def __init__(self, wn=1.0, ksi=1.0):
        self.setParam(wn, ksi)
        self.init()

    def setParam(self, wn, ksi):
        self.wn, self.ksi = wn, ksi

    def init(self):
        self.x, self.xn = [0.0] * 4, [0.0] * 2

    def _pull(self, u):
        return self.wn ** 2 * (u - self.x[0]) - 2 * self.ksi * self.wn * self.x[1]

    def simulate(self, u, dt):
        pull = self._pull(u)
        self.xn = [self.x[0] + (self.x[3] + self.x[1]) * dt / 2, self.xn[1] + (self.x[2] + pull) * dt / 2]
        self.x = [self.xn[0], self.xn[1], pull, self.x[1]]


# --- statistics ---

class Stats:
    """Mean and variance of what is shown to it (Welford)."""

    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def update(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)

    @property
    def variance(self):
        return self.m2 / (self.n - 1) if self.n > 1 else 0.0


# --- loading ---

def get_class(classpath):
    """A class by its path, or None."""
    module, _, name = classpath.rpartition(".")
    return load_module_attribute(module, name)


def load_module_attribute(module_name, attribute_name):
    try:
        return getattr(importlib.import_module(module_name), attribute_name)
    except (ImportError, AttributeError) as error:
        logger.error("%s.%s: %s", module_name, attribute_name, error)
        return None


def create_instance(classpath, *args, **kwargs):
    cls = get_class(classpath)
    return None if cls is None else cls(*args, **kwargs)


# --- morse_time ---

def time_isafter(t1, t2):
    """Whether a time has come, within half a tick."""
    return t2 - t1 < stages.need().dt / 2


class TimeStrategies:
    BestEffort, FixedSimulationStep = range(2)


# --- passive objects ---

def active_objects():
    return list(stages.need().storage.passiveObjectsDict)


def graspable_objects():
    return [obj for obj, known in stages.need().storage.passiveObjectsDict.items() if known["graspable"]]


def label(obj):
    known = stages.need().storage.passiveObjectsDict.get(obj)
    return None if known is None else known["label"]


def obj_from_label(name):
    return next((obj for obj, known in stages.need().storage.passiveObjectsDict.items() if known["label"] == name),
                None)
