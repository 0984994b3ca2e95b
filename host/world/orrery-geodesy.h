/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-world.h"

G_BEGIN_DECLS

/**
 * OrreryGeodesy:
 *
 * The place of the scene on the Earth: converts points of the world frame to the local tangent
 * plane at its origin (East, North, Up), to Earth-centred coordinates (ECEF) and to angles on the
 * WGS 84 ellipsoid (a = 6378137 m, f = 1/298.257223563), and back. Constant once made; any thread.
 */
#define ORRERY_TYPE_GEODESY (orrery_geodesy_get_type ())
ORRERY_API GType orrery_geodesy_get_type (void);

/**
 * orrery_geodesy_new:
 * @longitude: degrees, of the world's origin, -360 to 360
 * @latitude: degrees, geodetic, -90 to 90
 * @altitude: m above the ellipsoid, within 1e7
 * @angle_against_north: degrees from true North to the world's x axis, positive towards the East;
 *   90 where x is East, as MORSE has it when nothing is said
 *
 * Says where the origin of a world is, and which way its x axis points. Numbers out of range are a
 * programming error, and %NULL is returned. @angle_against_north is -360 to 360.
 *
 * Returns: (transfer full): the frame
 */
ORRERY_API OrreryGeodesy *orrery_geodesy_new (double longitude, double latitude, double altitude,
                                              double angle_against_north);
/**
 * orrery_geodesy_new_from_world:
 * @world: a world whose scene has been read
 *
 * Reads the properties `longitude`, `latitude`, `altitude` and, if it exists,
 * `angle_against_north` of the environment.
 *
 * Returns: (transfer full): the frame, or %NULL with %ORRERY_ERROR_CONFIG: one is missing, is no
 *   number or out of range
 */
ORRERY_API OrreryGeodesy *orrery_geodesy_new_from_world (OrreryWorld *world, GError **error);
/**
 * orrery_geodesy_ref:
 *
 * Takes a reference; any thread.
 *
 * Returns: @geodesy
 */
ORRERY_API OrreryGeodesy *orrery_geodesy_ref (OrreryGeodesy *geodesy);
/**
 * orrery_geodesy_unref:
 * @geodesy: a frame
 *
 * Drops a reference; the last one frees the frame. Any thread.
 */
ORRERY_API void orrery_geodesy_unref (OrreryGeodesy *geodesy);

/**
 * orrery_geodesy_to_enu:
 * @point: m, in the world frame
 * @out: (out caller-allocates): m, East, North, Up of the tangent plane at the origin
 *
 * Turns a point about the vertical of the origin, so that x points East and y points North. @out
 * may be @point.
 */
ORRERY_API void orrery_geodesy_to_enu (const OrreryGeodesy *geodesy, const OrreryVec3 *point,
                                       OrreryVec3 *out);
/**
 * orrery_geodesy_from_enu:
 * @enu: m, East, North, Up
 * @out: (out caller-allocates): m, in the world frame
 *
 * The inverse of orrery_geodesy_to_enu(). @out may be @enu.
 */
ORRERY_API void orrery_geodesy_from_enu (const OrreryGeodesy *geodesy, const OrreryVec3 *enu,
                                         OrreryVec3 *out);
/**
 * orrery_geodesy_to_ecef:
 * @point: m, in the world frame
 * @out: (out caller-allocates): m, from the centre of the Earth: z through the North pole, x
 * through longitude 0
 *
 * Takes the world as flat at its origin: z of the world is along the normal of the ellipsoid there,
 * however far the point is. @out may be @point.
 */
ORRERY_API void orrery_geodesy_to_ecef (const OrreryGeodesy *geodesy, const OrreryVec3 *point,
                                        OrreryVec3 *out);
/**
 * orrery_geodesy_from_ecef:
 * @ecef: m, from the centre of the Earth
 * @out: (out caller-allocates): m, in the world frame
 *
 * The inverse of orrery_geodesy_to_ecef(). @out may be @ecef.
 */
ORRERY_API void orrery_geodesy_from_ecef (const OrreryGeodesy *geodesy, const OrreryVec3 *ecef,
                                          OrreryVec3 *out);
/**
 * orrery_geodesy_to_geodetic:
 * @point: m, in the world frame
 * @out: (out caller-allocates): x: longitude, degrees, -180 to 180; y: geodetic latitude, degrees;
 *   z: altitude, m above the ellipsoid
 *
 * Bowring, The accuracy of geodetic latitude and height equations, Survey Review 28 (1985),
 * iterated: to the last digits wherever the point is more than some hundred km from the centre of
 * the Earth.
 */
ORRERY_API void orrery_geodesy_to_geodetic (const OrreryGeodesy *geodesy, const OrreryVec3 *point,
                                            OrreryVec3 *out);
/**
 * orrery_geodesy_from_geodetic:
 * @geodetic: x: longitude, degrees; y: geodetic latitude, degrees; z: altitude, m
 * @out: (out caller-allocates): m, in the world frame
 *
 * The inverse of orrery_geodesy_to_geodetic(). Exact at the poles, and for longitudes of any number
 * of turns. @out may be @geodetic.
 */
ORRERY_API void orrery_geodesy_from_geodetic (const OrreryGeodesy *geodesy,
                                              const OrreryVec3 *geodetic, OrreryVec3 *out);
/**
 * orrery_geodesy_to_geocentric:
 * @point: m, in the world frame
 * @out: (out caller-allocates): x: longitude, degrees, -180 to 180; y: geocentric latitude,
 * degrees; z: distance from the centre of the Earth, m
 *
 * The geocentric latitude is the angle of the line from the centre of the Earth against the plane
 * of the equator; on the ground it differs from the geodetic one by up to 0.19 degrees. It works in
 * place, too: @out may be @point.
 */
ORRERY_API void orrery_geodesy_to_geocentric (const OrreryGeodesy *geodesy, const OrreryVec3 *point,
                                              OrreryVec3 *out);
/**
 * orrery_geodesy_from_geocentric:
 * @geocentric: x: longitude, degrees; y: geocentric latitude, degrees; z: distance from the centre
 *   of the Earth, m
 * @out: (out caller-allocates): m, in the world frame
 *
 * The inverse of orrery_geodesy_to_geocentric(). @out may be @geocentric.
 */
ORRERY_API void orrery_geodesy_from_geocentric (const OrreryGeodesy *geodesy,
                                                const OrreryVec3 *geocentric, OrreryVec3 *out);
/**
 * orrery_geodesy_get_heading:
 * @yaw: rad, about z of the world frame
 *
 * The course of something whose x axis points along @yaw, as a compass that knows true North shows
 * it.
 *
 * Returns: rad, clockwise from true North, at least 0 and below 2 pi
 */
ORRERY_API double orrery_geodesy_get_heading (const OrreryGeodesy *geodesy, double yaw);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryGeodesy, orrery_geodesy_unref)

G_END_DECLS
