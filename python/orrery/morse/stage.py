# SPDX-License-Identifier: BSD-3-Clause
"""The world of one simulation as components of MORSE see it: its objects, and what they find in global places."""

import atexit
import collections.abc
import ctypes
import weakref

from .._faults import warn
from .._values import Orrery
from .mathutils import Vector

# Whose code runs: what MORSE finds in globals belongs to that simulation.
current = None
# The part whose code it is, if it is that of one.
speaker = None


def stage_of(world):
    """The one of that world, made at the first question."""
    stage = getattr(world, "_morse_stage", None)
    if stage is None:
        stage = world._morse_stage = Stage(world)
    return stage


def enter(stage, tick=None, part=None):
    """Says that code of that simulation runs now, and of which part."""
    global current, speaker
    current = stage
    speaker = part
    if tick is not None:
        stage.tick = tick


def need():
    """The simulation whose code runs."""
    if current is None:
        raise RuntimeError("no component of a simulation runs: there is no scene to ask")
    return current


class Ends:
    """What is told of the end of the program, in the order in which it was made."""

    def __init__(self):
        self._things = weakref.WeakValueDictionary()
        self._count = 0

    def add(self, thing):
        if self._count == 0:
            atexit.register(self.end)
        self._count += 1
        self._things[self._count] = thing

    def end(self):
        for _, thing in sorted(self._things.items()):
            self.end_one(thing)

    def end_one(self, thing):
        """Once."""
        if getattr(thing, "_has_ended", False):
            return
        thing._has_ended = True
        try:
            thing.finalize()
        except Exception as error:
            warn("%s: finalize: %s: %s" % (type(thing).__name__, type(error).__name__, error))


ends = Ends()


class Stage:
    """What the components of a simulation share."""

    def __init__(self, world):
        self._world = world.weak_ref()
        self.objects = {}
        self.tick = None
        self.setup = None
        self.rays = None
        self.parts = {}  # full name -> instance of a class of MORSE, or what stands for one
        self.overlays = {}
        self._storage = None

    @property
    def world(self):
        world = self._world()
        if world is None:
            raise ReferenceError("the simulation is gone")
        return world

    @property
    def snapshot(self):
        return self.world.get_snapshot()

    @property
    def commands(self):
        return self.world.get_commands()

    @property
    def number(self):
        return self.tick.get_number() if self.tick is not None else -1

    @property
    def time(self):
        """Simulated seconds."""
        return Orrery.time_to_seconds(self.tick.get_time()) if self.tick is not None else 0.0

    @property
    def dt(self):
        return self.tick.get_dt() if self.tick is not None else 0.0

    def cast(self, start, direction, near, far, skip):
        """The object, point and normal that a ray meets first, or None; it passes through `skip` and what is below it."""
        if self.rays is None:
            raise RuntimeError("a ray from code that was not recognised at setup as casting rays")
        ray = Orrery.Buffer.new(Orrery.Element.DOUBLE, [1, 6])
        (ctypes.c_double * 6).from_address(ray.get_address())[:] = [*start, *direction]
        answer = self.rays.cast_buffer(self.snapshot, ray, near, far, Orrery.Sight.OUTSIDE, skip)
        hit = list((ctypes.c_double * 5).from_address(answer.get_address()))
        if hit[1] < 0:
            return None
        return self.object_at(int(hit[1])), start + direction.normalized() * hit[0], Vector(hit[2:])

    def value(self, name, default=None):
        """A property of the environment."""
        value = self.world.get_value(name)
        return default if value is None else value.unpack()

    def object_at(self, index):
        return self.object_of(self.world.get_object(index))

    def object_of(self, inner):
        """The stand-in of a scene object: one for each."""
        from .scene_object import SceneObject
        if inner is None:
            return None
        index = inner.get_index()
        if index not in self.objects:
            self.objects[index] = made = SceneObject(self, inner)
            # By this property components of MORSE tell robots from other objects.
            if inner.get_parent() is None and inner.is_robot():
                made.own["Robot_Tag"] = True
        return self.objects[index]

    def all_objects(self):
        return [self.object_at(i) for i in range(self.world.get_n_objects())]

    def find_object(self, name):
        return self.object_of(self.world.find_object(name))

    def find_part(self, name):
        """The instance that stands for a component, or None; one in C is found while components are set up."""
        part = self.parts.get(name)
        if part is None and self.setup is not None:
            component = self.setup.find_component(name)
            if component is not None:
                part = self.part_of(component)
        return part

    def part_of(self, component):
        """The instance of a class of MORSE behind a component, or what stands for a component of another kind."""
        from . import components
        if component is None:
            return None
        own = getattr(component, "_morse", None)
        if own is not None:
            return own
        name = component.get_name()
        if name not in self.parts:
            self.parts[name] = components.stand_in(self, component)
        return self.parts[name]

    @property
    def storage(self):
        if self._storage is None:
            self._storage = Storage(self)
        return self._storage


class Clock:
    """`persistantstorage().time`: simulated seconds."""

    def __init__(self, stage):
        self._stage = stage

    @property
    def time(self):
        return self._stage.time

    @property
    def mean(self):
        return self._stage.dt

    def name(self):
        return "Fixed Simulation Step"


class Table(collections.abc.Mapping):
    """Components by a key, as they are known."""

    def __init__(self, stage, select, key):
        self._stage, self._select, self._key = stage, select, key

    def _entries(self):
        return {self._key(part): part for part in self._stage.parts.values() if self._select(part)}

    def __getitem__(self, key):
        if isinstance(key, str):
            part = self._stage.find_part(key)
            if part is not None and self._select(part):
                return part
        return self._entries()[key]

    def __iter__(self):
        return iter(self._entries())

    def __len__(self):
        return len(self._entries())


class Storage(dict):
    """`blenderapi.persistantstorage()`: MORSE's global tables, and whatever components leave there, as attributes."""

    def __init__(self, stage):
        from . import components, zones
        super().__init__()
        self.update(
            time=Clock(stage),
            componentDict=Table(stage, lambda part: not isinstance(part, components.Robot), lambda part: part.name()),
            robotDict=Table(stage, lambda part: isinstance(part, components.Robot), lambda part: part.bge_object),
            externalRobotDict={}, overlayDict=stage.overlays, datastreamDict={}, serviceObjectDict={},
            passiveObjectsDict=zones.PassiveObjects(stage), zone_manager=zones.ZoneManager(stage),
            base_clock=0.0, current_time=0.0)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value
