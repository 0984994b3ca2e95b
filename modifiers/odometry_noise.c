/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise of odometry: errors that add up along the way. */
#include "deviation.h"

#include <math.h>

enum { FACTOR, FACTOR_SIGMA, GYRO_DRIFT, GYRO_DRIFT_SIGMA, N_OPTIONS };

/*
 * Errors of odometry: wheels that are larger than they are taken to be, a gyroscope that drifts. In
 * each step a factor F = factor + factor_sigma N and a drift d = gyro_drift + gyro_drift_sigma N
 * are drawn, N normal, and the error of the heading P grows by d. What becomes of the record:
 *
 * raw (dS): dS F.
 * differential (dx, dy, dyaw): the step is F times as long and turned by -P; dyaw + d.
 * integrated (x, y, yaw, vx, vy, wz): x and y are off by what such steps have added up to, yaw by
 * P; vx F, vy F, and wz + d times the frequency of the sensor, as its rates are.
 *
 * What the config does not say the environment's properties of the same names may.
 */
typedef struct {
  OrreryModifier parent_instance;
  double options[N_OPTIONS];

  double *ds;               /* raw, or NULL */
  double *dx, *dy, *dyaw;   /* differential, or NULL */
  double *x, *y, *yaw;      /* integrated, or NULL */
  double *vx, *vy, *wz;     /* of those, or NULL */
  double east, north, turn; /* errors so far: m, m, rad */
  OrreryBool started;
  double last_x, last_y; /* true, of the previous step */
  double rate;           /* Hz, of the sensor */
} OrreryOdometryNoise;
ORRERY_DEFINE_CLASS (OrreryOdometryNoise, orrery_odometry_noise, OrreryModifier, orrery_modifier)

static const OrreryProperty properties[N_OPTIONS] = {
  ORRERY_PROPERTY_DOUBLE (OrreryOdometryNoise, options[FACTOR], "factor", -1e6, 1e6, 1.05,
                          "Length that is measured per length, mean"),
  ORRERY_PROPERTY_DOUBLE (OrreryOdometryNoise, options[FACTOR_SIGMA], "factor_sigma", 0, 1e6, 0,
                          "Deviation of that"),
  ORRERY_PROPERTY_DOUBLE (OrreryOdometryNoise, options[GYRO_DRIFT], "gyro_drift", -1e6, 1e6, 0,
                          "Drift of the heading in each step, rad, mean"),
  ORRERY_PROPERTY_DOUBLE (OrreryOdometryNoise, options[GYRO_DRIFT_SIGMA], "gyro_drift_sigma", 0,
                          1e6, 0, "Deviation of that, rad"),
};

/* --- set-up --- */

static gboolean
read_options (OrreryOdometryNoise *self, OrrerySetup *setup, GError **error)
{
  for (guint i = 0; i < N_OPTIONS; i++) {
    if (!deviation_read_number (setup, properties[i].nick, &self->options[i], error))
      return FALSE;
    if (self->options[i] >= properties[i].low.number)
      continue;
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "the environment's property '%s' is %g, below %g", properties[i].nick,
                             self->options[i], properties[i].low.number);
  }
  return TRUE;
}

static void
find_fields (OrreryOdometryNoise *self, OrreryRecord *record)
{
  self->ds = orrery_record_find_double (record, "dS");
  self->dx = orrery_record_find_double (record, "dx");
  self->dy = orrery_record_find_double (record, "dy");
  self->dyaw = orrery_record_find_double (record, "dyaw");
  self->x = orrery_record_find_double (record, "x");
  self->y = orrery_record_find_double (record, "y");
  self->yaw = orrery_record_find_double (record, "yaw");
  self->vx = orrery_record_find_double (record, "vx");
  self->vy = orrery_record_find_double (record, "vy");
  self->wz = orrery_record_find_double (record, "wz");
  /* All of a kind, or none. */
  if (self->dy == NULL || self->dyaw == NULL)
    self->dx = NULL;
  if (self->y == NULL || self->yaw == NULL)
    self->x = NULL;
}

static void
orrery_odometry_noise_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryOdometryNoise *self = (OrreryOdometryNoise *) part;
  OrreryComponent *component = orrery_setup_get_component (setup);

  if (!read_options (self, setup, error))
    return;
  self->rate = orrery_component_get_frequency (component);
  find_fields (self, orrery_setup_get_record (setup));
  if (self->ds == NULL && self->dx == NULL && self->x == NULL) {
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "%s needs the field 'dS', or 'dx', 'dy' and 'dyaw', or 'x', 'y' and 'yaw', as "
        "odometry has them",
        orrery_part_get_classpath (part));
    return;
  }
  orrery_setup_publish (setup, orrery_part_get_name (ORRERY_PART (component)));
}

/* --- noise --- */

static void
alter_step (OrreryOdometryNoise *self, double factor, double *dx, double *dy)
{
  double s = sin (self->turn), c = cos (self->turn);
  double x = *dx, y = *dy;

  *dx = factor * (x * c + y * s);
  *dy = factor * (y * c - x * s);
}

static void
alter_differential (OrreryOdometryNoise *self, double factor, double drift)
{
  alter_step (self, factor, self->dx, self->dy);
  *self->dyaw += drift;
}

static void
alter_integrated (OrreryOdometryNoise *self, double factor, double drift)
{
  /* The integrated pose is 0 where the sensor starts, and so are the last ones before that. */
  double true_dx = *self->x - self->last_x;
  double true_dy = *self->y - self->last_y;
  double dx = true_dx, dy = true_dy;

  if (self->wz != NULL && self->started)
    *self->wz += drift * self->rate;
  self->started = TRUE;
  self->last_x = *self->x;
  self->last_y = *self->y;
  alter_step (self, factor, &dx, &dy);
  self->east += dx - true_dx;
  self->north += dy - true_dy;
  *self->x += self->east;
  *self->y += self->north;
  *self->yaw += self->turn;
  if (self->vx != NULL)
    *self->vx = dx * self->rate;
  if (self->vy != NULL)
    *self->vy = dy * self->rate;
}

static double
draw (OrreryRandom *random, const double *option)
{
  return option[1] > 0 ? option[0] + option[1] * orrery_random_gaussian (random) : option[0];
}

static void
orrery_odometry_noise_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryOdometryNoise *self = (OrreryOdometryNoise *) modifier;
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);
  double factor = draw (random, &self->options[FACTOR]);
  double drift;

  if (self->ds != NULL) {
    *self->ds *= factor;
    return;
  }
  drift = draw (random, &self->options[GYRO_DRIFT]);
  self->turn += drift;
  if (self->dx != NULL)
    alter_differential (self, factor, drift);
  else
    alter_integrated (self, factor, drift);
}

/* --- services and state --- */

static void
reset_noise (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryOdometryNoise *self = (OrreryOdometryNoise *) part;

  self->east = self->north = self->turn = 0;
  orrery_call_return (call, NULL);
}

static const OrreryService services[] = {
  { "reset_noise", reset_noise, ORRERY_SERVICE_IMMEDIATE, "",
    "Takes back what the errors have added up to" },
};

static const OrreryField states[] = {
  ORRERY_STATE (OrreryOdometryNoise, east),   ORRERY_STATE (OrreryOdometryNoise, north),
  ORRERY_STATE (OrreryOdometryNoise, turn),   ORRERY_STATE (OrreryOdometryNoise, started),
  ORRERY_STATE (OrreryOdometryNoise, last_x), ORRERY_STATE (OrreryOdometryNoise, last_y),
};

/* Configs of MORSE's first releases name the method. */
static const OrreryMethod former_methods[] = {
  { "noisify", NULL, "What it does, by the name that MORSE's class had for it" },
};

static void
orrery_odometry_noise_class_init (OrreryOdometryNoiseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_odometry_noise_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_odometry_noise_modify;
  ORRERY_CLASS_SET_METHODS (klass, former_methods);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryOdometryNoise, states);
}

ORRERY_PLUGIN ("Errors of wheels and gyroscopes in odometry", "BSD-3-Clause",
               ORRERY_CLASS (OdometryNoiseModifier, OrreryOdometryNoise, orrery_odometry_noise,
                             .thread_safe = TRUE,
                             .aliases = ORRERY_ALIASES ({ "OdometryNoise",
                                                          "orrery.sensors.odometry.Odometry" })))
