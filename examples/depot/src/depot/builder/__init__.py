# SPDX-License-Identifier: BSD-3-Clause
"""The names that scripts of this site import."""

from morse.builder.creator import SensorCreator


class Dock(SensorCreator):
    _classpath = "depot.sensors.dock.Dock"
    _blendname = "dock"

    def __init__(self, name=None):
        SensorCreator.__init__(self, name)
