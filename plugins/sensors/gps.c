/* SPDX-License-Identifier: BSD-3-Clause */
/* GPS: position in the world, or on the Earth. */
#include <orrery.h>

#include <math.h>

/* m/s: what is slower has no course. */
#define SLOWEST_COURSE 1e-6
#define DAY_SECONDS G_GINT64_CONSTANT (86400)

typedef struct {
  double x, y, z;
} GPSData;

static const OrreryField fields[] = {
  ORRERY_FIELD (GPSData, x, "m", "Origin of the sensor in the world frame, x"),
  ORRERY_FIELD (GPSData, y, "m", "Origin of the sensor in the world frame, y"),
  ORRERY_FIELD (GPSData, z, "m", "Origin of the sensor in the world frame, z"),
};

typedef struct {
  double longitude, latitude, altitude;
  OrreryVec3 velocity;
} RawGPSData;

#define RAW_FIELDS(Data)                                                                           \
  ORRERY_FIELD (Data, longitude, "deg", "Longitude, positive to the East"),                        \
      ORRERY_FIELD (Data, latitude, "deg", "Geodetic latitude, positive to the North"),            \
      ORRERY_FIELD (Data, altitude, "m", "Height above the ellipsoid WGS 84"),                     \
      ORRERY_FIELD (Data, velocity, "m/s", "Velocity to the East, North and up")

static const OrreryField raw_fields[] = {
  RAW_FIELDS (RawGPSData),
};

/* It begins as a raw one. */
typedef struct {
  double longitude, latitude, altitude;
  OrreryVec3 velocity;
  GVariant *date, *time; /* the number 0 until the first step, then text */
  double heading;
} ExtendedGPSData;

static const OrreryField extended_fields[] = {
  RAW_FIELDS (ExtendedGPSData),
  ORRERY_FIELD (ExtendedGPSData, date, "",
                "Day of the simulation's time, UTC, as text ddmmyy; 0 before the first step"),
  ORRERY_FIELD (ExtendedGPSData, time, "",
                "Time of that day, UTC, as text HHMMSS; 0 before the first step"),
  ORRERY_FIELD (ExtendedGPSData, heading, "deg",
                "Course over ground, clockwise from North; infinite while it stands still"),
};

/* --- simple: where it is in the world --- */

typedef struct {
  OrrerySensor parent_instance;
} OrreryGPS;
ORRERY_DEFINE_CLASS (OrreryGPS, orrery_gps, OrrerySensor, orrery_sensor)

static void
orrery_gps_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  GPSData *out = orrery_record_data (record);

  out->x = pose->position.x;
  out->y = pose->position.y;
  out->z = pose->position.z;
}

static void
orrery_gps_class_init (OrreryGPSClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_gps_sense;
  ORRERY_CLASS_SET_DATA (klass, GPSData, fields);
}

/* --- on the Earth --- */

/* What raw and extended share: the frame, and where the sensor was last. */
typedef struct {
  OrrerySensor parent_instance;
  OrreryGeodesy *geodesy;
  OrreryBool started;
  OrreryVec3 previous; /* m, world */
} OrreryEarthGPS;
ORRERY_DEFINE_BASE_CLASS (OrreryEarthGPS, orrery_earth_gps, OrrerySensor, orrery_sensor)

static void
orrery_earth_gps_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryEarthGPS *self = (OrreryEarthGPS *) part;

  g_clear_pointer (&self->geodesy, orrery_geodesy_unref);
  self->geodesy = orrery_geodesy_new_from_world (orrery_setup_get_world (setup), error);
  self->started = FALSE;
}

/* The velocity is the displacement since the last step times the frequency, 0 in the first. */
static void
measure (OrreryEarthGPS *self, RawGPSData *out)
{
  const OrreryVec3 *now = &orrery_component_get_pose (ORRERY_COMPONENT (self))->position;
  const OrreryVec3 *before = &self->previous;
  double f = orrery_component_get_frequency (ORRERY_COMPONENT (self));
  OrreryVec3 geodetic;

  orrery_geodesy_to_geodetic (self->geodesy, now, &geodetic);
  out->longitude = geodetic.x;
  out->latitude = geodetic.y;
  out->altitude = geodetic.z;
  out->velocity = (OrreryVec3){ 0 };
  if (self->started) {
    OrreryVec3 v = orrery_vec3_subtract (now, before);

    v = orrery_vec3_scale (&v, f);
    orrery_geodesy_to_enu (self->geodesy, &v, &out->velocity);
  }
  self->started = TRUE;
  self->previous = *now;
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryEarthGPS, started),
  ORRERY_STATE (OrreryEarthGPS, previous),
};

static void
orrery_earth_gps_class_init (OrreryEarthGPSClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_earth_gps_setup;
  ORRERY_CLASS_SET_STATE (klass, OrreryEarthGPS, states);
  ORRERY_CLASS_OWNS (klass, OrreryEarthGPS, geodesy, orrery_geodesy_unref);
}

/* --- raw: angles, altitude and velocity --- */

typedef struct {
  OrreryEarthGPS parent_instance;
} OrreryRawGPS;
ORRERY_DEFINE_CLASS (OrreryRawGPS, orrery_raw_gps, OrreryEarthGPS, orrery_earth_gps)

static void
orrery_raw_gps_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  measure ((OrreryEarthGPS *) sensor, orrery_record_data (record));
}

static void
orrery_raw_gps_class_init (OrreryRawGPSClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_raw_gps_sense;
  ORRERY_CLASS_SET_DATA (klass, RawGPSData, raw_fields);
}

/* --- extended: with date, time and course --- */

typedef struct {
  OrreryEarthGPS parent_instance;
  gint64 second; /* since 1970, that the texts are of */
  GVariant *date, *time;
} OrreryExtendedGPS;
ORRERY_DEFINE_CLASS (OrreryExtendedGPS, orrery_extended_gps, OrreryEarthGPS, orrery_earth_gps)

/* Day, month and year of a count of days since 1970, in the Gregorian calendar: years begin in
 * March, so that the day of a leap year is their last; eras have 400 years. */
static void
find_date (gint64 days, int *day, int *month, int *year)
{
  gint64 shifted = days + 719468;
  gint64 era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  gint64 of_era = shifted - era * 146097;
  gint64 y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  gint64 of_year = of_era - (365 * y + y / 4 - y / 100);
  gint64 m = (5 * of_year + 2) / 153;

  *day = (int) (of_year - (153 * m + 2) / 5 + 1);
  *month = (int) (m < 10 ? m + 3 : m - 9);
  *year = (int) (y + era * 400 + (*month <= 2));
}

static GVariant *
new_pairs (int a, int b, int c)
{
  char pairs[7] = { (char) ('0' + a / 10),
                    (char) ('0' + a % 10),
                    (char) ('0' + b / 10),
                    (char) ('0' + b % 10),
                    (char) ('0' + c / 10),
                    (char) ('0' + c % 10),
                    '\0' };

  return g_variant_ref_sink (g_variant_new_string (pairs));
}

static void
set_value (GVariant **field, GVariant *value)
{
  if (*field == value)
    return;
  g_clear_pointer (field, g_variant_unref);
  *field = g_variant_ref (value);
}

/* Makes texts once a second; a modifier may have changed the record since the last step. */
static void
set_time (OrreryExtendedGPS *self, ExtendedGPSData *out, OrreryTime time)
{
  gint64 second = time / ORRERY_SECOND - (time % ORRERY_SECOND < 0);

  if (self->time == NULL || second != self->second) {
    gint64 days = second / DAY_SECONDS - (second % DAY_SECONDS < 0);
    int rest = (int) (second - days * DAY_SECONDS);
    int day, month, year;

    find_date (days, &day, &month, &year);
    g_clear_pointer (&self->date, g_variant_unref);
    g_clear_pointer (&self->time, g_variant_unref);
    self->date = new_pairs (day, month, ABS (year) % 100);
    self->time = new_pairs (rest / 3600, rest / 60 % 60, rest % 60);
    self->second = second;
  }
  set_value (&out->date, self->date);
  set_value (&out->time, self->time);
}

/* Where the velocity points to. A heading stays from 0 to 360 degrees. */
static void
set_heading (ExtendedGPSData *out)
{
  const OrreryVec3 *v = &out->velocity;
  double heading = atan2 (v->x, v->y) * 180 / G_PI;

  if (fabs (v->x) < SLOWEST_COURSE && fabs (v->y) < SLOWEST_COURSE)
    out->heading = INFINITY;
  else
    out->heading = heading < 0 ? heading + 360 : heading;
}

static void
orrery_extended_gps_limit (OrrerySensor *sensor, const OrreryField *field,
                           OrreryFieldLimits *limits)
{
  limits->follows = field->offset == offsetof (ExtendedGPSData, heading);
}

static void
orrery_extended_gps_follow (OrrerySensor *sensor, OrreryRecord *record, const OrreryField *field)
{
  ExtendedGPSData *out = orrery_record_data (record);

  if (field->offset == offsetof (ExtendedGPSData, velocity))
    set_heading (out);
  else if (field->offset == offsetof (ExtendedGPSData, heading) && isfinite (out->heading))
    out->heading -= 360 * floor (out->heading / 360);
}

static void
orrery_extended_gps_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  ExtendedGPSData *out = orrery_record_data (record);
  RawGPSData raw;

  measure ((OrreryEarthGPS *) sensor, &raw);
  out->longitude = raw.longitude;
  out->latitude = raw.latitude;
  out->altitude = raw.altitude;
  out->velocity = raw.velocity;
  set_time ((OrreryExtendedGPS *) sensor, out, orrery_tick_get_time (tick));
  set_heading (out);
}

static void
orrery_extended_gps_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ExtendedGPSData *out = orrery_record_data (orrery_setup_get_record (setup));
  g_autoptr (GVariant) zero = g_variant_ref_sink (g_variant_new_int64 (0));

  orrery_earth_gps_setup (part, setup, error);
  set_value (&out->date, zero);
  set_value (&out->time, zero);
}

static void
orrery_extended_gps_class_init (OrreryExtendedGPSClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_extended_gps_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_extended_gps_sense;
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_extended_gps_limit;
  ORRERY_SENSOR_CLASS (klass)->follow = orrery_extended_gps_follow;
  ORRERY_CLASS_SET_DATA (klass, ExtendedGPSData, extended_fields);
  ORRERY_CLASS_OWNS (klass, OrreryExtendedGPS, date, g_variant_unref);
  ORRERY_CLASS_OWNS (klass, OrreryExtendedGPS, time, g_variant_unref);
}

#define LEVELS                                                                                     \
  ORRERY_LEVELS ({ "simple", NULL, .by_default = TRUE }, { "raw", "RawGPS" },                      \
                 { "extended", "ExtendedGPS" })

ORRERY_PLUGIN ("Position in the world or on the Earth", "BSD-3-Clause",
               ORRERY_CLASS (GPS, OrreryGPS, orrery_gps, .thread_safe = TRUE, .levels = LEVELS),
               ORRERY_CLASS (RawGPS, OrreryRawGPS, orrery_raw_gps, .role = ORRERY_ROLE_SENSOR,
                             .thread_safe = TRUE),
               ORRERY_CLASS (ExtendedGPS, OrreryExtendedGPS, orrery_extended_gps,
                             .role = ORRERY_ROLE_SENSOR, .thread_safe = TRUE))
