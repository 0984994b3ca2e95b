# SPDX-License-Identifier: BSD-3-Clause
"""Robots and things in builder scripts."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional

from . import models, session
from .abstractcomponent import AbstractComponent, timer
from .body import BODY_TYPES, Physical
from .catalogue import written
from .configuration import Configuration
from .errors import MissingError, hint
from .session import collects

__all__ = [
    "AbstractComponent",
    "Component",
    "Configuration",
    "GroundRobot",
    "PassiveObject",
    "Robot",
    "WheeledRobot",
    "timer",
]

PHYSICS_TYPES = tuple(BODY_TYPES)
ROBOT = "orrery.core.robot.Robot"
_CLASSPATH = re.compile(r"[A-Za-z_]\w*(\.[\w-]+)*\.[A-Z]\w*")


class Component(AbstractComponent):
    """A component by its classpath, by the name of a model, or as a file of some format has it."""

    _classpath: Optional[str] = None

    def __init__(
        self,
        category: str = "",
        filename: str = "",
        blender_object_name: Optional[str] = None,
        make_morseable: bool = True,
    ) -> None:
        super().__init__(type(self)._classpath)
        if filename:
            self._adopt(category, filename, blender_object_name)

    @collects
    def _adopt(self, category: str, filename: str, object_name: Optional[str]) -> None:
        """A classpath, a model for which there is a class, or a file, in this order."""
        try:
            if _CLASSPATH.fullmatch(filename):
                self._set_classpath(filename)
            elif object_name is None and filename in self._models(category):
                self._set_classpath(self._models(category)[filename])
            else:
                self._import = models.describe(
                    self._find_model(category, filename), object_name
                )
        except MissingError:
            self.is_lost = True
            raise

    def _models(self, category: str) -> dict[str, str]:
        catalogue = session.current().catalogue
        role = self.role or category.rstrip("s")
        return {info.module.rpartition(".")[2]: info.classpath for info in catalogue.of_role(role)}

    def _find_model(self, category: str, filename: str) -> str:
        path = models.find(category, filename)
        if path is None and ("." in filename or "/" in filename):
            return models.require(type(self).__name__, category, filename)
        if path is None:
            names = self._models(category)
            raise MissingError(
                "no model %s among the plugins%s, and no file %s"
                % (
                    filename,
                    hint(filename, names),
                    ":".join(models.candidates(category, filename)),
                )
            )
        return path


class Robot(Physical, Component):
    """A robot, by its classpath, the name of its model, or a file (`.blend`, `.urdf`, `.xml` ...).

    Without any of these it is a bare frame.
    """

    role = "robot"
    is_thing = True

    def __init__(
        self,
        filename: str = "",
        name: Optional[str] = None,
        blender_object_name: Optional[str] = None,
    ) -> None:
        super().__init__("robots", filename, blender_object_name)
        if self._classpath is None and not self.is_lost:
            self._set_classpath(ROBOT)
        self._default_interfaces: List[str] = []
        self.is_external = False
        if name is not None:
            self.name = name

    # Streams and services for all parts

    @collects
    def add_default_interface(self, stream: str) -> None:
        """Offers every sensor and actuator of the robot there; the robot itself is not."""
        catalogue = session.current().catalogue
        if not catalogue.has_services(stream):
            catalogue.manager(stream)
        if stream not in self._default_interfaces:
            self._default_interfaces.append(stream)

    def apply_default_interfaces(self) -> None:
        """What `add_default_interface` asked for, for the parts that have not got it yet."""
        for stream in self._default_interfaces:
            for part in self.children:
                _offer(part, stream)

    def describe_interfaces(self) -> List[Dict[str, Any]]:
        """The same for components that nobody can name before the host has read their file."""
        if self.is_external or not self.brings_components():
            return []
        return [_describe_interface(stream) for stream in self._default_interfaces]

    # Several nodes, grasping

    def make_external(self) -> None:
        """Leaves the robot to another node: here it stands still, and offers nothing."""
        self._leave_to_others()
        self.set_physics_type("STATIC")

    def _leave_to_others(self) -> None:
        """Another node moves it: no streams, no services, not among the robots that are told of."""
        self.is_external = True
        self.properties(External_Robot_Tag=True)
        Configuration.leave_out(self)

    def make_grasper(self, obj_name: str) -> None:
        """Has the part of that name tell what can be grasped: its property `Grasper`."""
        hand = self._require_child(obj_name)
        hand.properties(Grasper=True, Distance=5.0, Reset=0.075, Tag="Graspable")

    # What needs Blender or a window

    def make_ghost(self, alpha: float = 0.3) -> None:
        """Collides with nothing, and lasers do not see it; `alpha` has no effect."""
        self.set_no_collision()
        session.current().warn("make_ghost", "make_ghost(): cameras see the robot as it is, not as transparent")

    def set_use_record_animation(self, use: bool = True) -> None:
        """Nothing: Blender's animations are not recorded."""
        session.current().warn(
            "set_use_record_animation", "set_use_record_animation() has no effect: nothing is drawn"
        )


class GroundRobot(Robot):
    """A robot that can control neither its height nor its roll and pitch."""

    def __init__(
        self,
        filename: str = "",
        name: Optional[str] = None,
        blender_object_name: Optional[str] = None,
    ) -> None:
        super().__init__(filename, name, blender_object_name)
        self.properties(GroundRobot=True)


class WheeledRobot(GroundRobot):
    """A robot on wheels; as in MORSE it is not marked as a ground robot."""

    def __init__(
        self,
        filename: str = "",
        name: Optional[str] = None,
        blender_object_name: Optional[str] = None,
    ) -> None:
        Robot.__init__(self, filename, name, blender_object_name)

    def unparent_wheels(self) -> None:
        """Nothing: wheels are joints of the robot's class."""


class PassiveObject(Physical, AbstractComponent):
    """A thing of a file: what is called, or begins with, `prefix`, or all of the file.

    It stands at the origin, not where it is in its file, unless `keep_pose`.
    """

    is_thing = True

    def __init__(
        self,
        filename: str = "props/objects",
        prefix: Optional[str] = None,
        keep_pose: bool = False,
    ) -> None:
        super().__init__()
        self._exportable = False
        self._prefix = prefix
        self._load(filename, prefix, keep_pose)

    @collects
    def _load(self, filename: str, prefix: Optional[str], keep_pose: bool) -> None:
        path = models.require("PassiveObject", "", filename)
        self._import = models.describe(path, None, prefix, keep_pose)

    def own_name(self) -> str:
        """The script's name, else that of the object in the file."""
        return self.basename or (self._prefix or type(self).__name__).replace(".", "_")

    def setgraspable(self) -> None:
        """Lets grippers take it, and sensors tell of it, by its name where it has no label."""
        self.properties(Object=True, Graspable=True)
        if self.property_value("Label") is None:
            self.properties(Label=self.own_name())

    make_catchable = setgraspable


def _offer(part: AbstractComponent, stream: str) -> None:
    catalogue = session.current().catalogue
    if part.role in ("sensor", "actuator") and not part.is_lost:
        if catalogue.has_services(stream):
            part.add_service(stream)
        if part.is_exportable() and catalogue.has_stream(stream) and not _has_stream(part, stream):
            _offer_stream(part, stream)
    for child in part.children:
        _offer(child, stream)


def _describe_interface(stream: str) -> Dict[str, Any]:
    """A stream and services by that name, with the codecs of classes that have one of their own."""
    catalogue = session.current().catalogue
    scene: Dict[str, Any] = {}
    if catalogue.has_stream(stream):
        manager = catalogue.manager(stream)
        usual = {"sensor": manager.publisher, "actuator": manager.reader}
        scene["streams"] = written(manager.classpath)
        known = {"out": manager.publisher, "in": manager.reader}
        scene.update({key: written(codec) for key, codec in known.items() if codec})
        codecs = {
            written(info.classpath): written(codec)
            for role, way in (("sensor", "OUT"), ("actuator", "IN"))
            for info in catalogue.of_role(role)
            for codec in [catalogue.codec(manager, info.classpath, info.default_level(), way)]
            if codec and codec != usual[role]
        }
        scene.update({"codecs": codecs} if codecs else {})
    if catalogue.has_services(stream):
        scene["services"] = written(catalogue.request_manager(stream).classpath)
    return scene


def _has_stream(part: AbstractComponent, stream: str) -> bool:
    manager = session.current().catalogue.manager(stream)
    return Configuration.has_datastream_configuration(part, written(manager.classpath))


def _offer_stream(part: AbstractComponent, stream: str) -> None:
    """A stream that cannot carry this part is no reason to refuse the rest."""
    try:
        part.link_stream(stream)
    except MissingError as error:
        session.current().warn(("offer", part, stream), str(error))
