/* SPDX-License-Identifier: BSD-3-Clause */
#include "deviation.h"

#define DEFAULT_STD 0.5

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
G_DECLARE_FINAL_TYPE (OrreryIMUNoise, orrery_imu_noise, ORRERY, IMU_NOISE, OrreryModifier)
struct _OrreryIMUNoise {
  OrreryModifier parent_instance;
  GVariant *options[2]; /* as given, or NULL */
  Noisy noisy[6];
  guint n_noisy;
};
G_DEFINE_FINAL_TYPE (OrreryIMUNoise, orrery_imu_noise, ORRERY_TYPE_MODIFIER)

/* One more than the place among the options. */
enum { PROP_GYRO_STD = 1, PROP_ACCEL_STD, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

static const char *const axes[] = { "x", "y", "z", NULL };
static const Deviation deviations[] = { { "gyro_std", DEFAULT_STD, axes },
                                        { "accel_std", DEFAULT_STD, axes } };
static const char *const fields[] = { "angular_velocity", "linear_acceleration" };

static void
orrery_imu_noise_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  OrreryIMUNoise *self = ORRERY_IMU_NOISE (object);

  if (id < PROP_GYRO_STD || id >= N_PROPERTIES) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  g_clear_pointer (&self->options[id - PROP_GYRO_STD], g_variant_unref);
  self->options[id - PROP_GYRO_STD] = g_value_dup_variant (value);
}

static void
orrery_imu_noise_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryIMUNoise *self = ORRERY_IMU_NOISE (object);

  if (id < PROP_GYRO_STD || id >= N_PROPERTIES)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (self->options[id - PROP_GYRO_STD] != NULL)
    g_value_set_variant (value, self->options[id - PROP_GYRO_STD]);
  else
    g_value_set_variant (value, g_variant_new_double (DEFAULT_STD));
}

static gboolean
add_field (OrreryIMUNoise *self, OrreryVec3 *field, const double sigmas[3])
{
  double *values[] = { &field->x, &field->y, &field->z };

  for (guint i = 0; i < 3; i++)
    if (sigmas[i] > 0)
      self->noisy[self->n_noisy++] = (Noisy){ values[i], sigmas[i] };
  return TRUE;
}

static void
orrery_imu_noise_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryIMUNoise *self = ORRERY_IMU_NOISE (part);
  gboolean any = FALSE;

  self->n_noisy = 0;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    OrreryVec3 *field =
        orrery_record_find (orrery_setup_get_record (setup), fields[i], ORRERY_FIELD_VEC3);
    GVariant *value = self->options[i];
    double sigmas[3];

    if (value == NULL)
      value = orrery_world_get_value (orrery_setup_get_world (setup), deviations[i].option);
    if (!deviation_read (&deviations[i], value, sigmas, error))
      return;
    any |= field != NULL && add_field (self, field, sigmas);
  }
  if (!any)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s needs a field '%s' or '%s' of three numbers; the record has none of them",
                 orrery_part_get_classpath (part), fields[0], fields[1]);
}

static void
orrery_imu_noise_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryIMUNoise *self = ORRERY_IMU_NOISE (modifier);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);

  for (guint i = 0; i < self->n_noisy; i++)
    *self->noisy[i].value += self->noisy[i].sigma * orrery_random_gaussian (random);
}

static void
orrery_imu_noise_finalize (GObject *object)
{
  OrreryIMUNoise *self = ORRERY_IMU_NOISE (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->options); i++)
    g_clear_pointer (&self->options[i], g_variant_unref);
  G_OBJECT_CLASS (orrery_imu_noise_parent_class)->finalize (object);
}

static void
orrery_imu_noise_class_init (OrreryIMUNoiseClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = orrery_imu_noise_set_property;
  object_class->get_property = orrery_imu_noise_get_property;
  object_class->finalize = orrery_imu_noise_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_imu_noise_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_imu_noise_modify;

  properties[PROP_GYRO_STD] =
      g_param_spec_variant ("gyro-std", "gyro_std",
                            "Deviation of the rates, rad/s: a number, or a dictionary by axis",
                            G_VARIANT_TYPE_ANY, g_variant_new_double (DEFAULT_STD), flags);
  properties[PROP_ACCEL_STD] = g_param_spec_variant (
      "accel-std", "accel_std",
      "Deviation of the accelerations, m/s2: a number, or a dictionary by axis", G_VARIANT_TYPE_ANY,
      g_variant_new_double (DEFAULT_STD), flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_imu_noise_init (OrreryIMUNoise *self)
{
}

#define IMU "orrery.sensors.imu.IMU"

ORRERY_PLUGIN ("Gaussian noise on inertial measurements", "BSD-3-Clause",
               ORRERY_CLASS (IMUNoiseModifier, OrreryIMUNoise, orrery_imu_noise,
                             .thread_safe = TRUE,
                             .aliases = ORRERY_ALIASES ({ "IMUNoise", IMU }, { "Noise", IMU })))
