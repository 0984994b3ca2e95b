/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates of the world frame to earth-centred, earth-fixed ones and back. */
#include "coordinates.h"

/* From the world frame to ECEF: x, y, z in m from the centre of the Earth. */
COORDINATES_DEFINE (OrreryCoordinatesToECEF, orrery_coordinates_to_ecef, COORDINATES_TO_ECEF,
                    orrery_geodesy_to_ecef)

/* From ECEF to the world frame. */
COORDINATES_DEFINE (OrreryCoordinatesFromECEF, orrery_coordinates_from_ecef, COORDINATES_FROM_ECEF,
                    orrery_geodesy_from_ecef)

ORRERY_PLUGIN ("Coordinates from the centre of the Earth", "BSD-3-Clause",
               ORRERY_CLASS (CoordinatesToECEF, OrreryCoordinatesToECEF, orrery_coordinates_to_ecef,
                             .thread_safe = TRUE, .aliases = COORDINATES_OUT ("ECEF")),
               ORRERY_CLASS (CoordinatesFromECEF, OrreryCoordinatesFromECEF,
                             orrery_coordinates_from_ecef, .thread_safe = TRUE,
                             .aliases = COORDINATES_IN ("ECEF")))
