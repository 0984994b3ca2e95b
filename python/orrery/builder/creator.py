# SPDX-License-Identifier: BSD-3-Clause
"""Sensors and actuators: the bases from which the classes of the list of plugins are made."""

from __future__ import annotations

from typing import Dict, Optional, Union

from . import models, session
from .abstractcomponent import AbstractComponent
from .older import warn
from .session import collects

__all__ = ["Actuator", "ActuatorCreator", "ComponentCreator", "Sensor", "SensorCreator"]


class ComponentCreator(AbstractComponent):
    """A component that is no robot. A subclass may say its class by `_classpath`.

    With USE_BLEND it has the shapes of a file, or of one object in it.
    """

    APPEND_EMPTY = 0
    USE_BLEND = 1
    LINK_EXISTING_OBJECT = 2

    _classpath: Optional[str] = None

    def __init__(
        self,
        name: Optional[str] = None,
        category: str = "",
        action: Union[int, str] = APPEND_EMPTY,
        blendfile: Optional[str] = "",
        blendobject: Optional[str] = None,
        make_morseable: bool = True,
    ) -> None:
        super().__init__(type(self)._classpath, name)
        if isinstance(action, str):
            # (name, classpath, blendname), as releases before 1.3 have it.
            warn("%s (name, classpath, blendname)" % type(self).__name__, "the member _classpath of a class")
            self._set_classpath(action)
        elif action == self.USE_BLEND:
            self._use_model(category, blendfile or self._model_name(), blendobject)
        elif action == self.LINK_EXISTING_OBJECT and blendobject:
            # The object is there already, with the robot: the component is found by its name.
            self.basename = self.basename or blendobject.replace(".", "_")

    def _model_name(self) -> str:
        """As in MORSE, the file of a sensor is called as its module is."""
        return self._classpath.split(".")[-2] if self._classpath else self.own_name().lower()

    @collects
    def _use_model(self, category: str, filename: str, object_name: Optional[str]) -> None:
        path = models.require(type(self).__name__, category, filename)
        self._import = models.describe(path, object_name)


class SensorCreator(ComponentCreator):
    """A sensor: it puts a record out."""

    role = "sensor"

    def __init__(
        self,
        name: Optional[str] = None,
        action: Union[int, str] = ComponentCreator.APPEND_EMPTY,
        make_morseable: Union[bool, str, None] = True,
    ) -> None:
        super().__init__(name, "sensors", action, make_morseable=make_morseable is True)


class ActuatorCreator(ComponentCreator):
    """An actuator: it takes a record in."""

    role = "actuator"

    def __init__(
        self,
        name: Optional[str] = None,
        action: Union[int, str] = ComponentCreator.APPEND_EMPTY,
        blendfile: Optional[str] = None,
        blendobject: Optional[str] = None,
        make_morseable: bool = True,
    ) -> None:
        super().__init__(name, "actuators", action, blendfile, blendobject, make_morseable)


def _by_model(role: str, given: str) -> str:
    """A classpath as it is; the name of a model of older releases, `v_omega`, gives that of its class."""
    if not isinstance(given, str) or "." in given:
        return given
    known: Dict[str, str] = {}
    for info in session.current().catalogue.of_role(role):
        known.setdefault(info.module.rpartition(".")[2], info.classpath)
    if given not in known:
        return given
    warn("%s (%r)" % (role.capitalize(), given), "%s()" % known[given].rpartition(".")[2])
    return known[given]


class Sensor(SensorCreator):
    """A sensor by its classpath."""

    def __init__(self, classpath: str, name: Optional[str] = None) -> None:
        super().__init__(name)
        self._set_classpath(_by_model("sensor", classpath))


class Actuator(ActuatorCreator):
    """An actuator by its classpath."""

    def __init__(self, classpath: str, name: Optional[str] = None) -> None:
        super().__init__(name)
        self._set_classpath(_by_model("actuator", classpath))
