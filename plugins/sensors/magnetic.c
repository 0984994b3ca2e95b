/* SPDX-License-Identifier: BSD-3-Clause */
/* The magnetic field of the Earth by the World Magnetic Model. */
#include "magnetic.h"

#include <math.h>

/* m: WGS 84, and the sphere of the model. */
#define A 6378137.0
#define F (1 / 298.257223563)
#define E2 (F * (2 - F))
#define REFERENCE_RADIUS 6371200.0
#define DEGREE (G_PI / 180)

MagneticModelName
magnetic_find_model (double year)
{
  MagneticModelName model = MAGNETIC_WMM2015V2;

  while (model + 1 < MAGNETIC_N_MODELS && magnetic_models[model + 1].epoch <= year)
    model++;
  return model;
}

static guint
get_row (int n, int m)
{
  return (guint) (n * (n + 1) / 2 + m - 1);
}

/* Of the recursion in add_order (), or of its beginning where the order is the degree. */
static void
fill_factors (MagneticField *field, int n, int m)
{
  guint row = get_row (n, m);
  double by = sqrt (n * n - m * m);

  if (m == n) {
    field->a[row] = n > 1 ? sqrt ((2 * n - 1) / (2.0 * n)) : 1;
    return;
  }
  field->a[row] = (2 * n - 1) / by;
  field->b[row] = m < n - 1 ? sqrt ((n - 1) * (n - 1) - m * m) / by : 0;
}

void
magnetic_field_init (MagneticField *field, MagneticModelName model, double year)
{
  double age = year - magnetic_models[model].epoch;

  for (guint i = 0; i < MAGNETIC_N_ROWS; i++) {
    const MagneticRow *row = &magnetic_models[model].rows[i];

    field->g[i] = row->g + age * row->g_rate;
    field->h[i] = row->h + age * row->h_rate;
  }
  for (int n = 1; n <= MAGNETIC_DEGREE; n++)
    for (int m = 0; m <= n; m++)
      fill_factors (field, n, m);
}

/* --- the sum --- */

/*
 * Schmidt semi-normalised Legendre functions of the sine of the latitude, of degree n and order m:
 * p, their derivatives by the latitude d, and p / cos (latitude) for m > 0, which a pole has too.
 */
typedef struct {
  double p[MAGNETIC_DEGREE + 1][MAGNETIC_DEGREE + 1];
  double d[MAGNETIC_DEGREE + 1][MAGNETIC_DEGREE + 1];
  double q[MAGNETIC_DEGREE + 1][MAGNETIC_DEGREE + 1];
} Legendre;

static void
add_order (Legendre *l, const MagneticField *field, int n, int m, double sine, double cosine)
{
  double a = field->a[get_row (n, m)], b = field->b[get_row (n, m)];
  int two = m < n - 1 ? n - 2 : n - 1;

  l->p[n][m] = a * sine * l->p[n - 1][m] - b * l->p[two][m];
  l->q[n][m] = a * sine * l->q[n - 1][m] - b * l->q[two][m];
  l->d[n][m] = a * (cosine * l->p[n - 1][m] + sine * l->d[n - 1][m]) - b * l->d[two][m];
}

static void
fill_legendre (Legendre *l, const MagneticField *field, double sine, double cosine)
{
  l->p[0][0] = 1;
  l->d[0][0] = l->q[0][0] = 0;
  for (int n = 1; n <= MAGNETIC_DEGREE; n++) {
    double k = field->a[get_row (n, n)];

    for (int m = 0; m < n; m++)
      add_order (l, field, n, m, sine, cosine);
    l->q[n][n] = k * l->p[n - 1][n - 1];
    l->p[n][n] = cosine * l->q[n][n];
    l->d[n][n] = k * (cosine * l->d[n - 1][n - 1] - sine * l->p[n - 1][n - 1]);
  }
}

/* Cosines and sines of the multiples of an angle, each from the one before. */
static void
fill_multiples (double angle, double *c, double *s)
{
  c[0] = 1;
  s[0] = 0;
  c[1] = cos (angle);
  s[1] = sin (angle);
  for (int m = 2; m <= MAGNETIC_DEGREE; m++) {
    c[m] = c[m - 1] * c[1] - s[m - 1] * s[1];
    s[m] = s[m - 1] * c[1] + c[m - 1] * s[1];
  }
}

/* North, East, Down of the sphere. */
static OrreryVec3
add_up (const MagneticField *field, const Legendre *l, double longitude, double ratio)
{
  OrreryVec3 sum = { 0 };
  double c[MAGNETIC_DEGREE + 1], s[MAGNETIC_DEGREE + 1];
  double power = ratio * ratio;
  guint row = 0;

  fill_multiples (longitude, c, s);
  for (int n = 1; n <= MAGNETIC_DEGREE; n++) {
    power *= ratio;
    for (int m = 0; m <= n; m++, row++) {
      double g = field->g[row], h = field->h[row];
      double along = power * (g * c[m] + h * s[m]);

      sum.x -= along * l->d[n][m];
      sum.y += power * m * (g * s[m] - h * c[m]) * l->q[n][m];
      sum.z -= (n + 1) * along * l->p[n][m];
    }
  }
  return sum;
}

void
magnetic_field_get (const MagneticField *field, const OrreryVec3 *geodetic, OrreryVec3 *ned)
{
  double latitude = geodetic->y * DEGREE;
  double s = sin (latitude), c = cos (latitude);
  double n = A / sqrt (1 - E2 * s * s);
  double p = (n + geodetic->z) * c, z = ((1 - E2) * n + geodetic->z) * s;
  double r = hypot (p, z);
  OrreryVec3 sum;
  Legendre legendre;

  /* In the middle of the Earth there is no field to speak of. */
  if (r < 1) {
    *ned = (OrreryVec3){ 0 };
    return;
  }
  fill_legendre (&legendre, field, z / r, p / r);
  sum = add_up (field, &legendre, geodetic->x * DEGREE, REFERENCE_RADIUS / r);
  /* From the sphere's vertical to the ellipsoid's. */
  p /= r;
  z /= r;
  ned->x = sum.x * (p * c + z * s) - sum.z * (z * c - p * s);
  ned->y = sum.y;
  ned->z = sum.x * (z * c - p * s) + sum.z * (p * c + z * s);
}

/* --- what sensors share --- */

#define MODEL_BY_DATE 0

/* This file is in the plugin of each sensor: the first that asks registers the type for all. */
static GType
get_model_type (void)
{
  static GEnumValue values[MAGNETIC_N_MODELS + 2] = { { MODEL_BY_DATE, "MODEL_BY_DATE", "Date" } };
  GType type = g_type_from_name ("OrreryMagneticModel");

  if (type == 0) {
    for (guint i = 0; i < MAGNETIC_N_MODELS; i++)
      values[i + 1] = (GEnumValue){ (int) i + 1, magnetic_models[i].name, magnetic_models[i].name };
    type = g_enum_register_static ("OrreryMagneticModel", values);
  }
  return type;
}

void
magnetic_class_init (OrreryPartClass *klass, gssize place, void (*note_date) (OrreryPart *part),
                     void (*note_model) (OrreryPart *part))
{
  const OrreryProperty properties[] = {
    ORRERY_PROPERTY_DOUBLE (Magnetic, date, "date", MAGNETIC_FIRST_YEAR, MAGNETIC_LAST_YEAR, 2025,
                            "Date of the magnetic field, decimal year; by default the day on "
                            "which the run starts, or 2025 where that is none of these years",
                            .changed = note_date),
    ORRERY_PROPERTY_ENUM (Magnetic, model, "Model", get_model_type, MAGNETIC_WMM2015 + 1,
                          "Coefficients of the World Magnetic Model; WMM2015 is MORSE's, which "
                          "ages; Date: the newest of the date",
                          .changed = note_model),
    ORRERY_PROPERTY_BOOLEAN (Magnetic, world_axes, "WorldAxes", FALSE,
                             "Whether the field is turned to the axes of the world first; "
                             "otherwise North, East, Down are taken for them, as in MORSE"),
  };

  orrery_part_class_add_properties (klass, properties, G_N_ELEMENTS (properties), place);
}

gboolean
magnetic_setup (Magnetic *self, OrreryWorld *world, GError **error)
{
  g_clear_pointer (&self->geodesy, orrery_geodesy_unref);
  self->geodesy = orrery_geodesy_new_from_world (world, error);
  self->ready = FALSE;
  return self->geodesy != NULL;
}

void
magnetic_note_date (Magnetic *self)
{
  self->has_date = TRUE;
  self->ready = FALSE;
}

void
magnetic_note_model (Magnetic *self)
{
  self->ready = FALSE;
}

/* MORSE counts whole days, too. */
static double
find_year (OrreryTime time)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (time / ORRERY_SECOND);
  double year = date != NULL ? g_date_time_get_year (date) : 0;
  double days = date != NULL && g_date_is_leap_year (g_date_time_get_year (date)) ? 366 : 365;

  if (date != NULL)
    year += (g_date_time_get_day_of_year (date) - 1) / days;
  return year >= MAGNETIC_FIRST_YEAR && year <= MAGNETIC_LAST_YEAR ? year : 2025;
}

static void
make_ready (Magnetic *self, OrreryTick *tick)
{
  double year = self->has_date ? self->date : find_year (orrery_tick_get_start (tick));

  magnetic_field_init (&self->field,
                       self->model != MODEL_BY_DATE ? (MagneticModelName) (self->model - 1)
                                                    : magnetic_find_model (year),
                       year);
  self->ready = TRUE;
  self->measured = FALSE;
}

static void
measure_at (Magnetic *self, const OrreryVec3 *place)
{
  OrreryVec3 geodetic;

  orrery_geodesy_to_geodetic (self->geodesy, place, &geodetic);
  magnetic_field_get (&self->field, &geodetic, &self->ned);
  self->place = *place;
  self->measured = TRUE;
}

void
magnetic_measure (Magnetic *self, OrreryTick *tick, const OrreryTransform *pose, OrreryVec3 *out)
{
  const OrreryVec3 *place = &pose->position;
  OrreryVec3 field;

  if (!self->ready)
    make_ready (self, tick);
  if (!self->measured || place->x != self->place.x || place->y != self->place.y ||
      place->z != self->place.z)
    measure_at (self, place);
  field = self->ned;
  if (self->world_axes) {
    OrreryVec3 enu = { field.y, field.x, -field.z };

    orrery_geodesy_from_enu (self->geodesy, &enu, &field);
  }
  orrery_quat_rotate_back (&pose->rotation, &field, out);
}
