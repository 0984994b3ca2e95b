/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaussian noise on the values of an IMU. */
#include "deviation.h"

/* A value and the deviation of its noise. */
typedef struct {
  double *value;
  double sigma;
} Noisy;

/*
 * Gaussian noise on the fields `angular_velocity` and `linear_acceleration`, those that the record
 * has. `gyro_std` (rad/s) and `accel_std` (m/s2) are a deviation for all axes, or a dictionary by
 * axis: x, y, z; axes that it lacks stay as they are. The draws are in that order. What the config
 * does not say the environment's properties of the same names may.
 */
typedef struct {
  OrreryModifier parent_instance;
  GVariant *options[2];
  OrreryVec3 *fields[2]; /* those of the record, or NULL */
  Noisy noisy[6];
  guint n_noisy;
} OrreryIMUNoise;
ORRERY_DEFINE_CLASS (OrreryIMUNoise, orrery_imu_noise, OrreryModifier, orrery_modifier)

static const char *const axes[] = { "x", "y", "z", NULL };
static const Deviation deviations[] = { { "gyro_std", axes }, { "accel_std", axes } };
static const char *const fields[] = { "angular_velocity", "linear_acceleration" };

static gboolean
check_gyro_std (OrreryPart *part, GVariant *value, GError **error)
{
  double sigmas[3];

  return deviation_read (&deviations[0], value, sigmas, error);
}

static gboolean
check_accel_std (OrreryPart *part, GVariant *value, GError **error)
{
  double sigmas[3];

  return deviation_read (&deviations[1], value, sigmas, error);
}

static void
add_field (OrreryIMUNoise *self, OrreryVec3 *field, const double sigmas[3])
{
  double *values[] = { &field->x, &field->y, &field->z };

  for (guint i = 0; i < 3; i++)
    if (sigmas[i] > 0)
      self->noisy[self->n_noisy++] = (Noisy){ values[i], sigmas[i] };
}

/* After the setup, and when an option has another value. */
static void
arrange (OrreryPart *part)
{
  OrreryIMUNoise *self = (OrreryIMUNoise *) part;

  self->n_noisy = 0;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    double sigmas[3] = { 0 };

    deviation_read (&deviations[i], self->options[i], sigmas, NULL);
    if (self->fields[i] != NULL)
      add_field (self, self->fields[i], sigmas);
  }
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_VARIANT (OrreryIMUNoise, options[0], "gyro_std", "0.5",
                           "Deviation of the rates, rad/s: a number, or a dictionary by axis",
                           .check = check_gyro_std, .changed = arrange),
  ORRERY_PROPERTY_VARIANT (
      OrreryIMUNoise, options[1], "accel_std", "0.5",
      "Deviation of the accelerations, m/s2: a number, or a dictionary by axis",
      .check = check_accel_std, .changed = arrange),
};

/* What the config does not give is the environment's, if that has a word. */
static gboolean
take_option (OrreryIMUNoise *self, OrrerySetup *setup, guint i, GError **error)
{
  const char *name = deviations[i].option;
  GVariant *other = orrery_world_get_value (orrery_setup_get_world (setup), name);
  double sigmas[3];

  if (other != NULL && !orrery_setup_has_option (setup, name)) {
    g_variant_unref (self->options[i]);
    self->options[i] = g_variant_ref (other);
  }
  if (deviation_read (&deviations[i], self->options[i], sigmas, error))
    return TRUE;
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

static void
orrery_imu_noise_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryIMUNoise *self = (OrreryIMUNoise *) part;
  gboolean any = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    self->fields[i] =
        orrery_record_find (orrery_setup_get_record (setup), fields[i], ORRERY_FIELD_VEC3);
    if (!take_option (self, setup, i, error))
      return;
    any |= self->fields[i] != NULL;
  }
  arrange (part);
  if (!any)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "%s needs a field '%s' or '%s' of three numbers; the record has none of them",
                      orrery_part_get_classpath (part), fields[0], fields[1]);
}

static void
orrery_imu_noise_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryIMUNoise *self = (OrreryIMUNoise *) modifier;
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);

  for (guint i = 0; i < self->n_noisy; i++)
    *self->noisy[i].value += self->noisy[i].sigma * orrery_random_gaussian (random);
}

/* Configs of MORSE's first releases name the method. */
static const OrreryMethod former_methods[] = {
  { "noisify", NULL, "What it does, by the name that MORSE's class had for it" },
};

static void
orrery_imu_noise_class_init (OrreryIMUNoiseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_imu_noise_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_imu_noise_modify;
  ORRERY_CLASS_SET_METHODS (klass, former_methods);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

#define IMU "orrery.sensors.imu.IMU"

ORRERY_PLUGIN ("Gaussian noise on inertial measurements", "BSD-3-Clause",
               ORRERY_CLASS (IMUNoiseModifier, OrreryIMUNoise, orrery_imu_noise,
                             .thread_safe = TRUE,
                             .aliases = ORRERY_ALIASES ({ "IMUNoise", IMU }, { "Noise", IMU })))
