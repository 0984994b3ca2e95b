/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates of the world frame to longitude, latitude and altitude, and back. */
#include "coordinates.h"

/* From the world frame: x is the longitude, y the geodetic latitude, degrees; z the altitude, m. */
COORDINATES_DEFINE (OrreryCoordinatesToGeodetic, orrery_coordinates_to_geodetic,
                    COORDINATES_TO_GEODETIC, orrery_geodesy_to_geodetic)

/* From longitude, latitude, altitude to the world frame. */
COORDINATES_DEFINE (OrreryCoordinatesFromGeodetic, orrery_coordinates_from_geodetic,
                    COORDINATES_FROM_GEODETIC, orrery_geodesy_from_geodetic)

ORRERY_PLUGIN ("Longitude, latitude and altitude", "BSD-3-Clause",
               ORRERY_CLASS (CoordinatesToGeodetic, OrreryCoordinatesToGeodetic,
                             orrery_coordinates_to_geodetic, .thread_safe = TRUE,
                             .aliases = COORDINATES_OUT ("geodetic")),
               ORRERY_CLASS (CoordinatesFromGeodetic, OrreryCoordinatesFromGeodetic,
                             orrery_coordinates_from_geodetic, .thread_safe = TRUE,
                             .aliases = COORDINATES_IN ("geodetic")))
