/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaussian noise on positions and orientations. */
#include "deviation.h"

#include <math.h>

/* A field and the deviation of its noise. */
typedef struct {
  double *value;
  double sigma;
} Noisy;

/*
 * Gaussian noise on position and orientation. `pos_std` (m) and `rot_std` (rad) are a deviation
 * for all axes, or a dictionary by axis: x, y, z and roll, pitch, yaw; axes that it lacks stay as
 * they are. With `_2D` only x, y and yaw get noise. The draws are in that order, so that one axis
 * more does not change the noise of those before. A field `orientation` (a quaternion) is turned,
 * in the world's axes, by a random rotation vector, also with `_2D`; angles are not wrapped.
 *
 * What the config does not say the environment's properties of the same names may.
 */
typedef struct {
  OrreryModifier parent_instance;
  GVariant *pos_std;
  GVariant *rot_std;
  gboolean flat;

  OrreryRecord *record; /* borrowed; NULL before the setup */
  Noisy noisy[6];
  guint n_noisy;
  OrreryQuat *orientation; /* or NULL */
  double turn[3];          /* deviations about x, y, z; 0: none */
} OrreryNoiseBase;
typedef struct {
  OrreryModifierClass parent_class;
  gboolean has_position;
  gboolean has_orientation;
} OrreryNoiseBaseClass;

static GType orrery_noise_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryNoiseBase, g_object_unref)
ORRERY_DEFINE_ABSTRACT_TYPE (OrreryNoiseBase, orrery_noise_base, ORRERY_TYPE_MODIFIER)

#define GET_CLASS(self) G_TYPE_INSTANCE_GET_CLASS (self, 0, OrreryNoiseBaseClass)

/* Three axes that one option speaks of. */
typedef struct {
  Deviation deviation;
  gboolean flat[3]; /* whether the axis gets noise with `_2D` */
} Group;

static const Group position = {
  { "pos_std", (const char *const[]){ "x", "y", "z", NULL } },
  { TRUE, TRUE, FALSE },
};
static const Group orientation = {
  { "rot_std", (const char *const[]){ "roll", "pitch", "yaw", NULL } },
  { FALSE, FALSE, TRUE },
};

/* --- set-up --- */

/* NULL where the record has a quaternion for all three. */
static double *
find_axis (OrreryNoiseBase *self, const Group *group, int axis)
{
  if (group == &orientation && self->orientation != NULL)
    return NULL;
  return orrery_record_find_double (self->record, group->deviation.axes[axis]);
}

static gboolean
has_group (OrreryNoiseBase *self, const Group *group)
{
  if (group == &orientation && self->orientation != NULL)
    return TRUE;
  return find_axis (self, group, 0) != NULL || find_axis (self, group, 1) != NULL ||
         find_axis (self, group, 2) != NULL;
}

/* Whether it is a deviation, and, once there is a record, one for axes that it has. */
static gboolean
judge (OrreryNoiseBase *self, const Group *group, GVariant *value, GError **error)
{
  gboolean by_axis = g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT);
  double sigmas[3];

  if (!deviation_read (&group->deviation, value, sigmas, error))
    return FALSE;
  if (self->record == NULL || !by_axis || (group == &orientation && self->orientation != NULL))
    return TRUE;
  for (int i = 0; i < 3; i++) {
    if (sigmas[i] < 0 || find_axis (self, group, i) != NULL)
      continue;
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "the record has no field '%s'",
                             group->deviation.axes[i]);
  }
  return TRUE;
}

/* @value: judged. */
static void
add_group (OrreryNoiseBase *self, const Group *group, GVariant *value)
{
  double sigmas[3] = { 0 };

  deviation_read (&group->deviation, value, sigmas, NULL);
  for (int i = 0; i < 3; i++) {
    gboolean noisy = sigmas[i] > 0 && (group->flat[i] || !self->flat);
    double *field = find_axis (self, group, i);

    if (group == &orientation)
      self->turn[i] = fmax (sigmas[i], 0);
    if (noisy && field != NULL)
      self->noisy[self->n_noisy++] = (Noisy){ field, sigmas[i] };
  }
}

/* After the setup, and when an option has another value. */
static void
arrange (OrreryPart *part)
{
  OrreryNoiseBase *self = (OrreryNoiseBase *) part;

  if (self->record == NULL)
    return;
  self->n_noisy = 0;
  if (GET_CLASS (self)->has_position)
    add_group (self, &position, self->pos_std);
  if (GET_CLASS (self)->has_orientation)
    add_group (self, &orientation, self->rot_std);
}

static gboolean
check_pos_std (OrreryPart *part, GVariant *value, GError **error)
{
  return judge ((OrreryNoiseBase *) part, &position, value, error);
}

static gboolean
check_rot_std (OrreryPart *part, GVariant *value, GError **error)
{
  return judge ((OrreryNoiseBase *) part, &orientation, value, error);
}

/* What the config does not give is the environment's, if that has a word. */
static gboolean
take_option (OrreryNoiseBase *self, OrrerySetup *setup, const Group *group, GVariant **option,
             GError **error)
{
  GVariant *other =
      orrery_world_get_value (orrery_setup_get_world (setup), group->deviation.option);

  if (other != NULL && !orrery_setup_has_option (setup, group->deviation.option)) {
    g_variant_unref (*option);
    *option = g_variant_ref (other);
  }
  if (judge (self, group, *option, error))
    return TRUE;
  g_prefix_error (error, "%s: ", group->deviation.option);
  return FALSE;
}

static gboolean
check_fields (OrreryNoiseBase *self, GError **error)
{
  const OrreryNoiseBaseClass *klass = GET_CLASS (self);

  if ((klass->has_position && has_group (self, &position)) ||
      (klass->has_orientation && has_group (self, &orientation)))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s needs %s%s%s; the record has none of them",
                           orrery_part_get_classpath (ORRERY_PART (self)),
                           klass->has_position ? "a field 'x', 'y' or 'z'" : "",
                           klass->has_position && klass->has_orientation ? ", or " : "",
                           klass->has_orientation
                               ? "a field 'roll', 'pitch', 'yaw' or 'orientation'"
                               : "");
}

static void
orrery_noise_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNoiseBase *self = (OrreryNoiseBase *) part;
  const OrreryNoiseBaseClass *klass = GET_CLASS (self);
  GVariant *flat = orrery_world_get_value (orrery_setup_get_world (setup), "_2D");

  self->record = orrery_setup_get_record (setup);
  if (klass->has_orientation)
    self->orientation = orrery_record_find (self->record, "orientation", ORRERY_FIELD_QUAT);
  if (flat != NULL && g_variant_is_of_type (flat, G_VARIANT_TYPE_BOOLEAN) &&
      !orrery_setup_has_option (setup, "_2D"))
    self->flat = g_variant_get_boolean (flat);
  if (klass->has_position && !take_option (self, setup, &position, &self->pos_std, error))
    return;
  if (klass->has_orientation && !take_option (self, setup, &orientation, &self->rot_std, error))
    return;
  if (check_fields (self, error))
    arrange (part);
}

/* --- noise --- */

static void
turn_orientation (OrreryNoiseBase *self, OrreryRandom *random)
{
  OrreryVec3 vector = { 0 };

  if (self->turn[0] > 0)
    vector.x = self->turn[0] * orrery_random_gaussian (random);
  if (self->turn[1] > 0)
    vector.y = self->turn[1] * orrery_random_gaussian (random);
  if (self->turn[2] > 0)
    vector.z = self->turn[2] * orrery_random_gaussian (random);
  orrery_quat_turn (self->orientation, &vector);
}

static void
orrery_noise_base_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoiseBase *self = (OrreryNoiseBase *) modifier;
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);

  for (guint i = 0; i < self->n_noisy; i++)
    *self->noisy[i].value += self->noisy[i].sigma * orrery_random_gaussian (random);
  if (self->orientation != NULL)
    turn_orientation (self, random);
}

/* --- classes --- */

/* Configs of MORSE's first releases name the method. */
static const OrreryMethod former_methods[] = {
  { "noisify", NULL, "What it does, by the name that MORSE's class had for it" },
};

static void
orrery_noise_base_class_init (OrreryNoiseBaseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_noise_base_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_noise_base_modify;
  ORRERY_CLASS_SET_METHODS (klass, former_methods);
}

static void
set_up_class (gpointer klass, gboolean has_position, gboolean has_orientation)
{
  static const OrreryProperty pos_std[] = {
    ORRERY_PROPERTY_VARIANT (OrreryNoiseBase, pos_std, "pos_std", "0.05",
                             "Deviation of the position, m: a number, or a dictionary by axis",
                             .check = check_pos_std, .changed = arrange),
  };
  /* By default 5 degrees. */
  static const OrreryProperty rot_std[] = {
    ORRERY_PROPERTY_VARIANT (OrreryNoiseBase, rot_std, "rot_std", "0.08726646259971647",
                             "Deviation of the angles, rad: a number, or a dictionary by axis",
                             .check = check_rot_std, .changed = arrange),
  };
  static const OrreryProperty flat[] = {
    ORRERY_PROPERTY_BOOLEAN (OrreryNoiseBase, flat, "_2D", FALSE,
                             "Whether only x, y and yaw get noise", .name = "flat",
                             .changed = arrange),
  };
  OrreryNoiseBaseClass *base_class = klass;

  base_class->has_position = has_position;
  base_class->has_orientation = has_orientation;
  if (has_position)
    ORRERY_CLASS_SET_PROPERTIES (klass, pos_std);
  if (has_orientation)
    ORRERY_CLASS_SET_PROPERTIES (klass, rot_std);
  ORRERY_CLASS_SET_PROPERTIES (klass, flat);
}

#define DEFINE_NOISE(Type, prefix, has_position, has_orientation)                                  \
  typedef struct {                                                                                 \
    OrreryNoiseBase parent_instance;                                                               \
  } Type;                                                                                          \
  ORRERY_DEFINE_CLASS (Type, prefix, OrreryNoiseBase, orrery_noise_base)                           \
  static void prefix##_class_init (Type##Class *klass)                                             \
  {                                                                                                \
    set_up_class (klass, has_position, has_orientation);                                           \
  }

DEFINE_NOISE (OrreryPositionNoise, orrery_position_noise, TRUE, FALSE)
DEFINE_NOISE (OrreryOrientationNoise, orrery_orientation_noise, FALSE, TRUE)
DEFINE_NOISE (OrreryPoseNoise, orrery_pose_noise, TRUE, TRUE)

#define GPS "orrery.sensors.gps.GPS"
#define GYROSCOPE "orrery.sensors.gyroscope.Gyroscope"
#define ODOMETRY "orrery.sensors.odometry.Odometry"
#define POSE "orrery.sensors.pose.Pose"

ORRERY_PLUGIN (
    "Gaussian noise on poses", "BSD-3-Clause",
    ORRERY_CLASS (PoseNoiseModifier, OrreryPoseNoise, orrery_pose_noise,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "PoseNoise", ODOMETRY }, { "PoseNoise", POSE },
                                             { "Noise", ODOMETRY }, { "Noise", POSE })),
    ORRERY_CLASS (PositionNoiseModifier, OrreryPositionNoise, orrery_position_noise,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "PoseNoise", GPS }, { "Noise", GPS })),
    ORRERY_CLASS (OrientationNoiseModifier, OrreryOrientationNoise, orrery_orientation_noise,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "PoseNoise", GYROSCOPE }, { "Noise", GYROSCOPE })))
