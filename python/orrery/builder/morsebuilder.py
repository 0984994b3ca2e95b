# SPDX-License-Identifier: BSD-3-Clause
"""Robots in builder scripts."""

from . import session
from .abstractcomponent import AbstractComponent, timer
from .bpyobject import SETTINGS
from .catalogue import written
from .configuration import Configuration
from .errors import BuilderError, MissingError, hint
from .values import number

__all__ = [
    "AbstractComponent",
    "Component",
    "Configuration",
    "GroundRobot",
    "Robot",
    "WheeledRobot",
    "timer",
]

#: Blender's physics types, and the scene's words for them.
BODY_TYPES = {
    "NO_COLLISION": "none",
    "STATIC": "static",
    "DYNAMIC": "dynamic",
    "RIGID_BODY": "rigid",
}
PHYSICS_TYPES = tuple(BODY_TYPES)


class Component(AbstractComponent):
    """What MORSE reads from a model file; here, a component by its classpath."""

    _classpath = None

    def __init__(self, category="", filename="", blender_object_name=None, make_morseable=True):
        if filename.endswith(".blend") or blender_object_name is not None:
            raise MissingError(
                "%s (%s): no importer for models is installed"
                % (type(self).__name__, filename or blender_object_name)
            )
        super().__init__(self._resolve(category, filename) if filename else type(self)._classpath)

    def _resolve(self, category, filename):
        """The class that a classpath or, as in MORSE, the name of a model stands for."""
        catalogue = session.current().catalogue
        if "." in filename:
            return filename
        role = self.role or category.rstrip("s")
        models = {
            info.module.rpartition(".")[2]: info.classpath for info in catalogue.of_role(role)
        }
        if filename not in models:
            raise MissingError(
                "no model %s among the plugins%s" % (filename, hint(filename, list(models)))
            )
        return models[filename]


class Robot(Component):
    """A robot, by its classpath or by the name of its model; without either, a bare frame."""

    role = "robot"

    def __init__(self, filename="", name=None, blender_object_name=None):
        super().__init__("robots", filename, blender_object_name)
        if self._classpath is None:
            self._set_classpath("orrery.core.robot.Robot")
        self._default_interfaces = []
        if name is not None:
            self.name = name

    # Streams and services for all parts

    def add_default_interface(self, stream):
        """Offers every sensor and actuator of the robot there; the robot itself is not."""
        catalogue = session.current().catalogue
        if not catalogue.has_services(stream):
            catalogue.manager(stream)
        if stream not in self._default_interfaces:
            self._default_interfaces.append(stream)

    def apply_default_interfaces(self):
        """What `add_default_interface` asked for, for the parts that have not got it yet."""
        for stream in self._default_interfaces:
            for part in self.children:
                _offer(part, stream)

    # Body

    body_settings = SETTINGS

    def describe_body(self):
        """The settings of the body in the words of the scene."""
        given = {name: self.property_value(name) for name in SETTINGS}
        body = {
            "type": BODY_TYPES.get(given["physics_type"]),
            "mass": given["mass"],
            "friction": given["friction"],
        }
        for key, kind in (("lock_position", "location"), ("lock_rotation", "rotation")):
            locks = [given["lock_%s_%s" % (kind, axis)] for axis in "xyz"]
            if any(locks):
                body[key] = [bool(lock) for lock in locks]
        return {key: value for key, value in body.items() if value is not None}

    def set_mass(self, mass):
        """The mass in kilograms."""
        self.properties(mass=_not_negative(mass, self.own_name() + ".set_mass"))

    def set_friction(self, friction=0.0):
        """The friction of the robot's surface; that of a contact is the product of both."""
        self.properties(friction=_not_negative(friction, self.own_name() + ".set_friction"))

    def set_physics_type(self, physics_type="STATIC"):
        if physics_type not in PHYSICS_TYPES:
            raise BuilderError(
                "%s: no physics type %s%s"
                % (self.own_name(), physics_type, hint(str(physics_type), PHYSICS_TYPES))
            )
        self.properties(physics_type=physics_type)

    def set_rigid_body(self):
        self.set_physics_type("RIGID_BODY")

    def set_dynamic(self):
        self.set_physics_type("DYNAMIC")

    def set_no_collision(self):
        self.set_physics_type("NO_COLLISION")

    def set_collision_bounds(self):
        session.current().warn(
            "set_collision_bounds",
            "set_collision_bounds() has no effect: a robot's class comes with its hull",
        )

    # What needs Blender, a window or several nodes

    def make_ghost(self, alpha=0.3):
        session.current().warn("make_ghost", "make_ghost() has no effect: nothing is drawn")

    def set_use_record_animation(self, use=True):
        session.current().warn(
            "set_use_record_animation", "set_use_record_animation() has no effect: nothing is drawn"
        )

    def make_external(self):
        raise BuilderError(
            "%s: make_external: this version runs a scene on one node" % self.own_name()
        )

    def make_grasper(self, obj_name):
        raise BuilderError(
            "%s: make_grasper: this version has no grasping robots" % self.own_name()
        )


class GroundRobot(Robot):
    """A robot that can control neither its height nor its roll and pitch."""

    def __init__(self, filename="", name=None, blender_object_name=None):
        super().__init__(filename, name, blender_object_name)
        self.properties(GroundRobot=True)


class WheeledRobot(GroundRobot):
    """A robot on wheels; as in MORSE it is not marked as a ground robot."""

    def __init__(self, filename="", name=None, blender_object_name=None):
        Robot.__init__(self, filename, name, blender_object_name)

    def unparent_wheels(self):
        """Nothing: wheels are joints of the robot's class."""


def _offer(part, stream):
    catalogue = session.current().catalogue
    if part.role in ("sensor", "actuator"):
        if catalogue.has_services(stream):
            part.add_service(stream)
        if part.is_exportable() and catalogue.has_stream(stream) and not _has_stream(part, stream):
            _offer_stream(part, stream)
    for child in part.children:
        _offer(child, stream)


def _has_stream(part, stream):
    manager = session.current().catalogue.manager(stream)
    return Configuration.has_datastream_configuration(part, written(manager.classpath))


def _offer_stream(part, stream):
    """A stream that cannot carry this part is no reason to refuse the rest."""
    try:
        part.add_stream(stream)
    except MissingError as error:
        session.current().warn(("offer", part, stream), str(error))


def _not_negative(value, where):
    if number(value, where) < 0:
        raise BuilderError("%s: want a number of at least 0, not %r" % (where, value))
    return value
