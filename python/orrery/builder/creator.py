# SPDX-License-Identifier: BSD-3-Clause
"""Sensors and actuators: the bases from which the classes of the list of plugins are made."""

from .abstractcomponent import AbstractComponent
from .errors import MissingError

__all__ = ["Actuator", "ActuatorCreator", "ComponentCreator", "Sensor", "SensorCreator"]


class ComponentCreator(AbstractComponent):
    """A component that is no robot. A subclass may say its class by `_classpath`."""

    APPEND_EMPTY = 0
    USE_BLEND = 1
    LINK_EXISTING_OBJECT = 2

    _classpath = None

    def __init__(
        self,
        name=None,
        category="",
        action=APPEND_EMPTY,
        blendfile="",
        blendobject=None,
        make_morseable=True,
    ):
        if action != self.APPEND_EMPTY:
            raise MissingError(
                "%s (%s): no importer for models is installed"
                % (type(self).__name__, blendfile or blendobject or "no file")
            )
        super().__init__(type(self)._classpath, name)


class SensorCreator(ComponentCreator):
    role = "sensor"

    def __init__(self, name=None, action=ComponentCreator.APPEND_EMPTY, make_morseable=True):
        super().__init__(name, "sensors", action, make_morseable=make_morseable)


class ActuatorCreator(ComponentCreator):
    role = "actuator"

    def __init__(
        self,
        name=None,
        action=ComponentCreator.APPEND_EMPTY,
        blendfile=None,
        blendobject=None,
        make_morseable=True,
    ):
        super().__init__(name, "actuators", action, blendfile, blendobject, make_morseable)


class Sensor(SensorCreator):
    """A sensor by its classpath."""

    def __init__(self, classpath, name=None):
        super().__init__(name)
        self._set_classpath(classpath)


class Actuator(ActuatorCreator):
    """An actuator by its classpath."""

    def __init__(self, classpath, name=None):
        super().__init__(name)
        self._set_classpath(classpath)
