# SPDX-License-Identifier: BSD-3-Clause
"""`morse.helpers.coordinates`: the world on the Earth, by the host's own formulas.

Points are matrices of NumPy with one row, as in MORSE: m in the world ("blender"), in the plane that touches the Earth
at the origin ("ltp": East, North, Up) or from its centre ("ecef"); geodetic ones are longitude and latitude in radians
and the altitude in m.
"""

import logging
import math

from .._values import GLib, Orrery
from . import stage as stages
from .scene_object import vec3

logger = logging.getLogger("morse.helpers.coordinates")


def to_row(value):
    import numpy
    return numpy.matrix([value.x, value.y, value.z])


def to_vec3(row):
    import numpy
    return vec3([float(number) for number in numpy.asarray(row).reshape(-1)])


class CoordinateConverter:
    """One for each simulation: `instance ()`."""

    def __init__(self, latitude, longitude, altitude, angle_east_blender_x=0.0):
        """Degrees and m; radians from East to the world's x axis, against the clock's hands negative."""
        self._frame = Orrery.Geodesy.new(longitude, latitude, altitude, 90.0 + math.degrees(angle_east_blender_x))

    @staticmethod
    def instance():
        """That of the environment; None, after an error in the log, if it says no place."""
        stage = stages.need()
        if "coordinates" not in stage.storage:
            try:
                own = CoordinateConverter.__new__(CoordinateConverter)
                own._frame = Orrery.Geodesy.new_from_world(stage.world)
            except GLib.Error as error:
                logger.error("Missing environment parameter: %s", error.message)
                own = None
            stage.storage["coordinates"] = own
        return stage.storage["coordinates"]

    def blender_to_ltp(self, xt):
        return to_row(self._frame.to_enu(to_vec3(xt)))

    def ltp_to_blender(self, xt):
        return to_row(self._frame.from_enu(to_vec3(xt)))

    def _world(self, ltp):
        return self._frame.from_enu(to_vec3(ltp))

    def ltp_to_ecef(self, xt):
        return to_row(self._frame.to_ecef(self._world(xt)))

    def ecef_to_ltp(self, xt):
        return to_row(self._frame.to_enu(self._frame.from_ecef(to_vec3(xt))))

    def ltp_to_geodetic(self, xe):
        return in_radians(self._frame.to_geodetic(self._world(xe)))

    def geodetic_to_ltp(self, xe):
        return to_row(self._frame.to_enu(self._frame.from_geodetic(in_degrees(xe))))

    def ecef_to_geodetic(self, xe):
        return in_radians(self._frame.to_geodetic(self._frame.from_ecef(to_vec3(xe))))

    def geodetic_to_ecef(self, P):
        return to_row(self._frame.to_ecef(self._frame.from_geodetic(in_degrees(P))))

    def ecef_to_geocentric(self, xt):
        return in_radians(self._frame.to_geocentric(self._frame.from_ecef(to_vec3(xt))))

    def geocentric_to_ecef(self, xt):
        return to_row(self._frame.to_ecef(self._frame.from_geocentric(in_degrees(xt))))

    def geodetic_to_geocentric(self, lat, h):
        """Latitudes in degrees, the height in m."""
        place = self._frame.from_geodetic(vec3((0.0, lat, h)))
        return self._frame.to_geocentric(place).y

    def angle_against_geographic_north(self, orientation):
        """Heading (rad) clockwise from true North, of Euler angles."""
        return self._frame.get_heading(orientation[2])


def in_radians(value):
    return to_row(vec3((math.radians(value.x), math.radians(value.y), value.z)))


def in_degrees(row):
    value = to_vec3(row)
    return vec3((math.degrees(value.x), math.degrees(value.y), value.z))
