# SPDX-License-Identifier: BSD-3-Clause
"""Sensors and actuators: the bases from which the classes of the list of plugins are made."""

from __future__ import annotations

from typing import Optional

from . import models
from .abstractcomponent import AbstractComponent
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
        action: int = APPEND_EMPTY,
        blendfile: Optional[str] = "",
        blendobject: Optional[str] = None,
        make_morseable: bool = True,
    ) -> None:
        super().__init__(type(self)._classpath, name)
        if action == self.USE_BLEND:
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
        action: int = ComponentCreator.APPEND_EMPTY,
        make_morseable: bool = True,
    ) -> None:
        super().__init__(name, "sensors", action, make_morseable=make_morseable)


class ActuatorCreator(ComponentCreator):
    """An actuator: it takes a record in."""

    role = "actuator"

    def __init__(
        self,
        name: Optional[str] = None,
        action: int = ComponentCreator.APPEND_EMPTY,
        blendfile: Optional[str] = None,
        blendobject: Optional[str] = None,
        make_morseable: bool = True,
    ) -> None:
        super().__init__(name, "actuators", action, blendfile, blendobject, make_morseable)


class Sensor(SensorCreator):
    """A sensor by its classpath."""

    def __init__(self, classpath: str, name: Optional[str] = None) -> None:
        super().__init__(name)
        self._set_classpath(classpath)


class Actuator(ActuatorCreator):
    """An actuator by its classpath."""

    def __init__(self, classpath: str, name: Optional[str] = None) -> None:
        super().__init__(name)
        self._set_classpath(classpath)
