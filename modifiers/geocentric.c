/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates of the world frame to longitude, geocentric latitude and radius, and back. */
#include "coordinates.h"

/* From the world frame: x is the longitude, y the geocentric latitude, degrees; z the distance from
 * the centre of the Earth, m. */
COORDINATES_DEFINE (OrreryCoordinatesToGeocentric, orrery_coordinates_to_geocentric,
                    COORDINATES_TO_GEOCENTRIC, orrery_geodesy_to_geocentric)

/* From longitude, geocentric latitude, radius to the world frame. */
COORDINATES_DEFINE (OrreryCoordinatesFromGeocentric, orrery_coordinates_from_geocentric,
                    COORDINATES_FROM_GEOCENTRIC, orrery_geodesy_from_geocentric)

ORRERY_PLUGIN ("Longitude, geocentric latitude and radius", "BSD-3-Clause",
               ORRERY_CLASS (CoordinatesToGeocentric, OrreryCoordinatesToGeocentric,
                             orrery_coordinates_to_geocentric, .thread_safe = TRUE,
                             .aliases = COORDINATES_OUT ("geocentric")),
               ORRERY_CLASS (CoordinatesFromGeocentric, OrreryCoordinatesFromGeocentric,
                             orrery_coordinates_from_geocentric, .thread_safe = TRUE,
                             .aliases = COORDINATES_IN ("geocentric")))
