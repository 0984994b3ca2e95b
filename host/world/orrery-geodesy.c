/* SPDX-License-Identifier: BSD-3-Clause */
/* From the world to places on the Earth (WGS 84) and back. */
#include "world/orrery-geodesy.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error.h"
#include "base/orrery-message.h"

#include <math.h>

/* WGS 84: m, and the flattening. */
#define A 6378137.0
#define F (1 / 298.257223563)
#define B (A * (1 - F))
/* Squares of the first and the second eccentricity. */
#define E2 (F * (2 - F))
#define EP2 (E2 / ((1 - F) * (1 - F)))
/* Iterations. Each adds at least three digits; three are enough from the sea floor to the Moon. */
#define N_BOWRING 5

#define MAX_ALTITUDE 1e7
#define DEGREE (G_PI / 180)

struct _OrreryGeodesy {
  gatomicrefcount refs;
  double sin_alpha,
      cos_alpha; /* of the angle from the world's x axis to the East, as MORSE has it */
  double alpha;
  OrreryVec3 origin;          /* ECEF, m */
  OrreryVec3 east, north, up; /* ECEF, unit */
};

G_DEFINE_BOXED_TYPE (OrreryGeodesy, orrery_geodesy, orrery_geodesy_ref, orrery_geodesy_unref)

/* --- the ellipsoid --- */

/* Of degrees; exact at the poles and where longitudes meet the axes. */
static void
sine_cosine (double degrees, double *sine, double *cosine)
{
  double turn = remainder (degrees, 360);
  int quarter = (int) lrint (turn / 90);
  double rest = (turn - 90 * quarter) * DEGREE;
  double s = sin (rest), c = cos (rest);

  switch (quarter & 3) {
  case 0:
    *sine = s, *cosine = c;
    break;
  case 1:
    *sine = c, *cosine = -s;
    break;
  case 2:
    *sine = -s, *cosine = -c;
    break;
  default:
    *sine = -c, *cosine = s;
  }
}

static void
ecef_from_geodetic (const OrreryVec3 *geodetic, OrreryVec3 *out)
{
  double sl, cl, sp, cp, n;

  sine_cosine (geodetic->x, &sl, &cl);
  sine_cosine (geodetic->y, &sp, &cp);
  n = A / sqrt (1 - E2 * sp * sp);
  *out = (OrreryVec3){ (n + geodetic->z) * cp * cl, (n + geodetic->z) * cp * sl,
                       ((1 - E2) * n + geodetic->z) * sp };
}

static void
geodetic_from_ecef (const OrreryVec3 *ecef, OrreryVec3 *out)
{
  double p = hypot (ecef->x, ecef->y);
  /* Sine and cosine of the reduced latitude, not of unit length. */
  double s = ecef->z * A, c = p * B;
  double sp = 0, cp = 1;

  for (int i = 0; i < N_BOWRING; i++) {
    double length = hypot (s, c);

    if (length == 0)
      break;
    s /= length;
    c /= length;
    sp = ecef->z + EP2 * B * s * s * s;
    cp = p - E2 * A * c * c * c;
    s = (1 - F) * sp;
    c = cp;
  }
  *out = (OrreryVec3){ atan2 (ecef->y, ecef->x) / DEGREE, atan2 (sp, cp) / DEGREE, 0 };
  c = hypot (sp, cp);
  sp /= c;
  cp /= c;
  out->z = p * cp + ecef->z * sp - A * sqrt (1 - E2 * sp * sp);
}

/* --- making --- */

OrreryGeodesy *
orrery_geodesy_new (double longitude, double latitude, double altitude, double angle_against_north)
{
  OrreryGeodesy *self = NULL;
  OrreryVec3 geodetic = { longitude, latitude, altitude };
  double sl, cl, sp, cp;

  g_return_val_if_fail (fabs (longitude) <= 360, NULL);
  g_return_val_if_fail (fabs (latitude) <= 90, NULL);
  g_return_val_if_fail (fabs (altitude) <= MAX_ALTITUDE, NULL);
  g_return_val_if_fail (fabs (angle_against_north) <= 360, NULL);

  self = g_new0 (OrreryGeodesy, 1);
  g_atomic_ref_count_init (&self->refs);
  self->alpha = (angle_against_north - 90) * DEGREE;
  sine_cosine (angle_against_north - 90, &self->sin_alpha, &self->cos_alpha);
  ecef_from_geodetic (&geodetic, &self->origin);
  sine_cosine (longitude, &sl, &cl);
  sine_cosine (latitude, &sp, &cp);
  self->east = (OrreryVec3){ -sl, cl, 0 };
  self->north = (OrreryVec3){ -cl * sp, -sl * sp, cp };
  self->up = (OrreryVec3){ cp * cl, cp * sl, sp };
  return self;
}

/* A property of the environment that is not given is @fallback; NAN: it is needed. */
static gboolean
read_property (OrreryWorld *world, const char *name, double limit, double fallback, double *out,
               GError **error)
{
  GVariant *value = orrery_world_get_value (world, name);
  g_autofree char *text = NULL;

  *out = fallback;
  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    *out = g_variant_get_double (value);
  else if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    *out = (double) g_variant_get_int64 (value);
  else if (value != NULL)
    *out = NAN;
  if (fabs (*out) <= limit)
    return TRUE;

  if (value == NULL)
    return orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "the place on the Earth is needed: the environment has no property '%s'; give it "
        "longitude, latitude (degrees) and altitude (m)",
        name);
  text = orrery_variant_show (value);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "the environment's property '%s' is %s, not a number from -%g to %g",
                           name, text, limit, limit);
}

OrreryGeodesy *
orrery_geodesy_new_from_world (OrreryWorld *world, GError **error)
{
  double longitude, latitude, altitude, angle;

  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);

  if (!read_property (world, "longitude", 360, NAN, &longitude, error) ||
      !read_property (world, "latitude", 90, NAN, &latitude, error) ||
      !read_property (world, "altitude", MAX_ALTITUDE, NAN, &altitude, error) ||
      !read_property (world, "angle_against_north", 360, 90, &angle, error))
    return NULL;
  return orrery_geodesy_new (longitude, latitude, altitude, angle);
}

ORRERY_DEFINE_COUNTED (OrreryGeodesy, orrery_geodesy, refs, g_free)

/* --- points --- */

void
orrery_geodesy_to_enu (const OrreryGeodesy *geodesy, const OrreryVec3 *point, OrreryVec3 *out)
{
  double s = geodesy->sin_alpha, c = geodesy->cos_alpha;

  *out = (OrreryVec3){ c * point->x + s * point->y, c * point->y - s * point->x, point->z };
}

void
orrery_geodesy_from_enu (const OrreryGeodesy *geodesy, const OrreryVec3 *enu, OrreryVec3 *out)
{
  double s = geodesy->sin_alpha, c = geodesy->cos_alpha;

  *out = (OrreryVec3){ c * enu->x - s * enu->y, s * enu->x + c * enu->y, enu->z };
}

void
orrery_geodesy_to_ecef (const OrreryGeodesy *geodesy, const OrreryVec3 *point, OrreryVec3 *out)
{
  OrreryVec3 p;

  orrery_geodesy_to_enu (geodesy, point, &p);
  *out = orrery_vec3_add_scaled (&geodesy->origin, &geodesy->east, p.x);
  *out = orrery_vec3_add_scaled (out, &geodesy->north, p.y);
  *out = orrery_vec3_add_scaled (out, &geodesy->up, p.z);
}

void
orrery_geodesy_from_ecef (const OrreryGeodesy *geodesy, const OrreryVec3 *ecef, OrreryVec3 *out)
{
  OrreryVec3 way = orrery_vec3_subtract (ecef, &geodesy->origin);
  OrreryVec3 enu = { orrery_vec3_dot (&way, &geodesy->east),
                     orrery_vec3_dot (&way, &geodesy->north),
                     orrery_vec3_dot (&way, &geodesy->up) };

  orrery_geodesy_from_enu (geodesy, &enu, out);
}

void
orrery_geodesy_to_geodetic (const OrreryGeodesy *geodesy, const OrreryVec3 *point, OrreryVec3 *out)
{
  OrreryVec3 ecef;

  orrery_geodesy_to_ecef (geodesy, point, &ecef);
  geodetic_from_ecef (&ecef, out);
}

void
orrery_geodesy_from_geodetic (const OrreryGeodesy *geodesy, const OrreryVec3 *geodetic,
                              OrreryVec3 *out)
{
  OrreryVec3 ecef;

  ecef_from_geodetic (geodetic, &ecef);
  orrery_geodesy_from_ecef (geodesy, &ecef, out);
}

void
orrery_geodesy_to_geocentric (const OrreryGeodesy *geodesy, const OrreryVec3 *point,
                              OrreryVec3 *out)
{
  OrreryVec3 p;

  orrery_geodesy_to_ecef (geodesy, point, &p);
  *out = (OrreryVec3){ atan2 (p.y, p.x) / DEGREE, atan2 (p.z, hypot (p.x, p.y)) / DEGREE,
                       orrery_vec3_length (&p) };
}

void
orrery_geodesy_from_geocentric (const OrreryGeodesy *geodesy, const OrreryVec3 *geocentric,
                                OrreryVec3 *out)
{
  double r = geocentric->z, sl, cl, sp, cp;
  OrreryVec3 ecef;

  sine_cosine (geocentric->x, &sl, &cl);
  sine_cosine (geocentric->y, &sp, &cp);
  ecef = (OrreryVec3){ r * cp * cl, r * cp * sl, r * sp };
  orrery_geodesy_from_ecef (geodesy, &ecef, out);
}

double
orrery_geodesy_get_heading (const OrreryGeodesy *geodesy, double yaw)
{
  double heading = fmod (G_PI / 2 - (yaw - geodesy->alpha), 2 * G_PI);

  if (heading < 0)
    heading += 2 * G_PI;
  /* An angle just below 0 rounds to a full turn. */
  return heading < 2 * G_PI ? heading : 0;
}
