# SPDX-License-Identifier: BSD-3-Clause
"""The base classes of `morse.core`: what users' components derive from. The adapter puts the part of the host, the
`_host`, on the scene object before it calls the constructor."""

import collections
import copy
import logging

from .._values import Orrery
from . import log, transformation
from . import stage as stages
from .declarations import add_property, collect, is_at
from .errors import BlenderOnly, MorseRPCInvokationError
from .scene_object import quat, to_rotation, vec3
from .services import PREEMPTED, begin
from .values import Fields

logger = logging.getLogger("morse.core")
log.install()


class AbstractObject:
    """What has services."""

    def __init__(self):
        self.on_completion = None
        self.local_data = collections.OrderedDict()
        self.del_functions = []

    def name(self):
        """As callers of its services know it."""
        raise NotImplementedError("%s: a class of its own needs name()" % type(self).__name__)

    def finalize(self):
        """At the end of the simulation."""
        for function in self.del_functions:
            function()

    def register_services(self):
        """Nothing: the host knows the marked methods from the class."""

    def completed(self, status, result=None):
        """Answers the service that runs; without one nothing happens."""
        running, self.on_completion = self.on_completion, None
        if running is not None:
            running((status, result))

    def interrupt(self):
        """Ends the service that runs, because it was cancelled or another takes its place."""
        self.completed(PREEMPTED)

    def set_service_callback(self, callback):
        begin(self, callback, getattr(callback, "service", None))

    def print_data(self):
        for name, value in self.local_data.items():
            logger.info("%s%s ", name, value)


class Object(AbstractObject):
    """What has a place in the scene: robots, sensors, actuators."""

    def __init__(self, obj, parent=None):
        super().__init__()
        self.bge_object, self.robot_parent = obj, parent
        self._host = getattr(obj, "_host", None)
        self.level = obj.get("abstraction_level", "default")
        self._active = True
        self.check_level()
        if parent is not None:
            self.relative_position = obj.getVectTo(parent.bge_object)
        self.position_3d = transformation.Transformation3d(obj)
        self.initialize_local_data()
        self.update_properties()

    def check_level(self):
        if self.level != "default" and self.level not in collect(type(self), "_levels"):
            raise ValueError("Component <%s> has no abstraction level <%s>. Please check your scene."
                             % (self.name(), self.level))

    def initialize_local_data(self):
        """The fields of the level, with their values at the start."""
        for name, (value, _, _, level) in collect(type(self), "_data_fields").items():
            if is_at(self.level, level):
                # Each component has its own, also of what can be changed in place.
                self.local_data[name] = copy.deepcopy(value)

    def fetch_properties(self):
        return collect(type(self), "_properties")

    def update_properties(self):
        """Sets the declared attributes from the scene."""
        for name, (default, _, _, attribute) in self.fetch_properties().items():
            setattr(self, attribute, self.bge_object.get(name, default))

    # The host has these three as services of every component; here for those who call them directly.

    def get_properties(self):
        return {"properties": collections.OrderedDict(
            (name, (getattr(self, entry[3]),) + entry[1:]) for name, entry in self.fetch_properties().items())}

    def set_property(self, prop_name, prop_val):
        known = self.fetch_properties().get(prop_name)
        if known is None:
            raise MorseRPCInvokationError("Property %s does not exist for object %s" % (prop_name, self.name()))
        setattr(self, known[3], prop_val)

    def get_configurations(self):
        found = {name: getattr(self, entry[3]) for name, entry in self.fetch_properties().items()}
        seen = self.robot_parent.position_3d.transformation3d_with(self.position_3d)
        found["object_to_robot"] = {"rotation": [list(row) for row in seen.rotation_matrix],
                                    "translation": list(seen.translation)}
        return {"configurations": found}

    def name(self):
        return self.bge_object.name

    @property
    def frequency(self):
        """Hz."""
        return self._host.get_frequency() if self._host is not None else 60.0

    def periodic_call(self):
        """True: the host calls what is due, and only that."""
        return True

    def in_zones(self, name=None, type=None):
        return stages.need().storage.zone_manager.contains(self, name=name, type=type)

    def toggle_active(self):
        self._active = not self._active
        if self._host is not None:
            self._host.set_active(self._active)

    def action(self):
        """One due step: sees where the component is, then does what the class is for."""
        self.position_3d.update(self.bge_object)
        self.default_action()

    def default_action(self):
        raise NotImplementedError("%s has no default_action()" % type(self).__name__)


class Sensor(Object):
    """Reads the world."""

    def __init__(self, obj, parent=None):
        super().__init__(obj, parent)
        self.local_data["timestamp"] = 0.0
        self.local_data.move_to_end("timestamp", last=False)
        self.output_functions, self.output_modifiers = [], []

    def sensor_to_robot_position_3d(self):
        """The sensor as its robot sees it."""
        return self.robot_parent.position_3d.transformation3d_with(self.position_3d)

    def get_local_data(self):
        return self.local_data


class Actuator(Object):
    """Moves something."""

    def __init__(self, obj, parent=None):
        super().__init__(obj, parent)
        self.input_functions, self.input_modifiers = [], []


class Robot(Object):
    """What carries components. Without a class of MORSE it stands for one in C."""

    add_property("_no_gravity", False, "NoGravity", "bool", "Whether gravity leaves the robot alone")
    add_property("_is_ground_robot", False, "GroundRobot", "bool",
                 "Whether speed commands leave vertical speed, roll rate and pitch rate alone")

    def __init__(self, obj, parent=None):
        super().__init__(obj, parent)
        self.move_status = "Stop"
        self.time_shift = 0.0

    def update_properties(self):
        super().update_properties()
        for attribute, name in (("_no_gravity", "no_gravity"), ("_is_ground_robot", "ground_robot")):
            if self._host is not None:
                setattr(self, attribute, getattr(self._host.props, name))

    @property
    def is_dynamic(self):
        return bool(self._host.has_physics())

    def default_action(self):
        """Robots need do nothing of their own."""

    def gettime(self):
        """Seconds, by the clock of the robot."""
        return Orrery.time_to_seconds(self._host.get_time()) + self.time_shift

    def apply_speed(self, kind, linear_speed, angular_speed):
        """Moves by a displacement of this step ("Position"), or at a speed ("Velocity"), in the robot's axes."""
        controls = {"Position": Orrery.Control.POSITION, "Velocity": Orrery.Control.VELOCITY}
        if kind not in controls:
            return
        if not self._host.apply_speed(need_tick(), controls[kind], vec3(linear_speed), vec3(angular_speed), 1.0):
            raise ValueError("apply_speed: a number that is not finite")

    def force_pose(self, position, orientation):
        """Puts the robot somewhere, at rest; None keeps the position or the orientation."""
        turn = None if orientation is None else to_rotation(orientation)
        if not self._host.force_pose(need_tick(), None if position is None else vec3(position),
                                     None if turn is None else quat(turn)):
            raise ValueError("force_pose: a number that is not finite")


def need_tick():
    tick = stages.need().tick
    if tick is None:
        raise RuntimeError("nothing moves before the first tick")
    return tick


# --- what stands for a component in C ---

class Foreign(Object):
    """A sensor or actuator of another make, as components of MORSE look at it."""

    def __init__(self, obj, parent=None):
        super().__init__(obj, parent)
        self.local_data = Fields(self._host.get_record())

    def default_action(self):
        """The host does it."""

    def sensor_to_robot_position_3d(self):
        """The component as its robot sees it. Nobody steps it here, so that both poses are read now."""
        for part in self, self.robot_parent:
            part.position_3d.update(part.bge_object)
        return self.robot_parent.position_3d.transformation3d_with(self.position_3d)

    def __getattr__(self, name):
        host = self.__dict__.get("_host")
        if host is not None and not name.startswith("_") and name in host.get_service_names():
            raise BlenderOnly("%s.%s" % (host.get_name(), name),
                              "a service of a component in C is called by overlays only")
        raise AttributeError("%s has no attribute %s" % (self.__dict__.get("bge_object", "?"), name))


class StandInRobot(Robot):
    """A robot in C: nobody steps it, so its components see to its pose, once per tick."""

    _number = -1

    def action(self):
        """The host does it."""

    def refresh(self, number):
        if number != self._number:
            self._number = number
            self.position_3d.update(self.bge_object)


def stand_in(stage, component):
    obj = stage.object_of(component.get_object())
    obj._host = component
    if isinstance(component, Orrery.Robot):
        return StandInRobot(obj)
    return Foreign(obj, stage.part_of(component.get_robot()))

