# SPDX-License-Identifier: BSD-3-Clause
import logging; logger = logging.getLogger("morse." + __name__)

import math

import morse.core.sensor

from morse.core import mathutils, status
from morse.core.services import service, async_service, interruptible
from morse.helpers.components import add_data, add_property
from morse.helpers.morse_math import normalise_angle


class Dock(morse.core.sensor.Sensor):
    """Sees a docking station: how far it is, and where."""
    _name = "Dock"
    _short_desc = "Distance and bearing of a docking station"

    add_data('distance', 0.0, 'float', 'Distance to the station, in metres')
    add_data('bearing', 0.0, 'float', 'Its direction, in radians, to the left of the sensor')
    add_data('position', [0.0, 0.0, 0.0], 'vec3<float>', 'The station as the sensor sees it')
    add_data('docked', False, 'bool', 'Whether it is near enough')

    add_property('_x', 3.0, 'X', 'float', 'Place of the station, x')
    add_property('_y', 0.0, 'Y', 'float', 'Place of the station, y')
    add_property('_reach', 0.3, 'Reach', 'float', 'How near is docked, in metres')

    def __init__(self, obj, parent=None):
        logger.info("%s initialization" % obj.name)
        morse.core.sensor.Sensor.__init__(self, obj, parent)
        self._waits = False
        logger.info("Component initialized")

    @service
    def get_reach(self):
        """ How near is docked. """
        return self._reach

    @interruptible
    @async_service
    def wait_docked(self):
        """ Returns the distance when the robot is there. """
        self._waits = True

    def interrupt(self):
        self._waits = False
        morse.core.sensor.Sensor.interrupt(self)

    def default_action(self):
        pose = self.position_3d
        dx, dy = self._x - pose.x, self._y - pose.y
        self.local_data['distance'] = math.hypot(dx, dy)
        self.local_data['bearing'] = normalise_angle(math.atan2(dy, dx) - pose.yaw)
        self.local_data['position'] = pose.matrix.inverted() * mathutils.Vector((self._x, self._y, pose.z))
        self.local_data['docked'] = self.local_data['distance'] < self._reach
        if self._waits and self.local_data['docked']:
            self._waits = False
            self.completed(status.SUCCESS, self.local_data['distance'])
