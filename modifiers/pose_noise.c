/* SPDX-License-Identifier: BSD-3-Clause */
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
  gboolean has_pos_std, has_rot_std; /* given; else the environment has a word */
  gboolean flat;

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
G_DEFINE_ABSTRACT_TYPE (OrreryNoiseBase, orrery_noise_base, ORRERY_TYPE_MODIFIER)

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

/* Returns: how many of the fields the record has, or -1 */
static int
add_fields (OrreryNoiseBase *self, OrreryRecord *record, const Group *group, const double sigmas[3],
            gboolean by_axis, GError **error)
{
  int n = 0;

  for (int i = 0; i < 3; i++) {
    double *value = orrery_record_find_double (record, group->deviation.axes[i]);

    if (value == NULL && by_axis && sigmas[i] >= 0) {
      g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "%s: the record has no field '%s'",
                   group->deviation.option, group->deviation.axes[i]);
      return -1;
    }
    n += value != NULL;
    if (value != NULL && sigmas[i] > 0 && (group->flat[i] || !self->flat))
      self->noisy[self->n_noisy++] = (Noisy){ value, sigmas[i] };
  }
  return n;
}

/* @value: of the part, which the config has @given; else the environment has a word. */
static int
add_group (OrreryNoiseBase *self, OrrerySetup *setup, const Group *group, GVariant *value,
           gboolean given, GError **error)
{
  GVariant *other =
      orrery_world_get_value (orrery_setup_get_world (setup), group->deviation.option);
  OrreryRecord *record = orrery_setup_get_record (setup);
  double sigmas[3];
  gboolean by_axis;

  if (!given && other != NULL)
    value = other;
  if (!deviation_read (&group->deviation, value, sigmas, error))
    return -1;

  if (group == &orientation)
    self->orientation = orrery_record_find (record, "orientation", ORRERY_FIELD_QUAT);
  if (group == &orientation && self->orientation != NULL) {
    for (int i = 0; i < 3; i++)
      self->turn[i] = fmax (sigmas[i], 0);
    return 1;
  }
  by_axis = g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT);
  return add_fields (self, record, group, sigmas, by_axis, error);
}

static void
orrery_noise_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNoiseBase *self = (OrreryNoiseBase *) part;
  OrreryNoiseBaseClass *klass = GET_CLASS (self);
  GVariant *flat = orrery_world_get_value (orrery_setup_get_world (setup), "_2D");
  int n_position = 0;
  int n_orientation = 0;

  self->n_noisy = 0;
  if (flat != NULL && g_variant_is_of_type (flat, G_VARIANT_TYPE_BOOLEAN) &&
      !orrery_setup_has_option (setup, "_2D"))
    self->flat = g_variant_get_boolean (flat);
  if (klass->has_position)
    n_position = add_group (self, setup, &position, self->pos_std, self->has_pos_std, error);
  if (klass->has_orientation && n_position >= 0)
    n_orientation = add_group (self, setup, &orientation, self->rot_std, self->has_rot_std, error);
  if (n_position == 0 && n_orientation == 0)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s needs %s%s%s; the record has none of them", orrery_part_get_classpath (part),
                 klass->has_position ? "a field 'x', 'y' or 'z'" : "",
                 klass->has_position && klass->has_orientation ? ", or " : "",
                 klass->has_orientation ? "a field 'roll', 'pitch', 'yaw' or 'orientation'" : "");
}

/* --- noise --- */

static void
turn_orientation (OrreryNoiseBase *self, OrreryRandom *random)
{
  OrreryVec3 vector = { 0 };
  OrreryQuat turn;

  if (self->turn[0] > 0)
    vector.x = self->turn[0] * orrery_random_gaussian (random);
  if (self->turn[1] > 0)
    vector.y = self->turn[1] * orrery_random_gaussian (random);
  if (self->turn[2] > 0)
    vector.z = self->turn[2] * orrery_random_gaussian (random);
  orrery_quat_from_rotation_vector (&vector, &turn);
  orrery_quat_multiply (&turn, self->orientation, self->orientation);
  orrery_quat_normalise (self->orientation);
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

static void
orrery_noise_base_class_init (OrreryNoiseBaseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_noise_base_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_noise_base_modify;
}

static void
orrery_noise_base_init (OrreryNoiseBase *self)
{
}

static void
note_pos_std (OrreryPart *part)
{
  ((OrreryNoiseBase *) part)->has_pos_std = TRUE;
}

static void
note_rot_std (OrreryPart *part)
{
  ((OrreryNoiseBase *) part)->has_rot_std = TRUE;
}

static void
set_up_class (gpointer klass, gboolean has_position, gboolean has_orientation)
{
  static const OrreryProperty pos_std[] = {
    ORRERY_PROPERTY_VARIANT (OrreryNoiseBase, pos_std, "pos_std", "0.05",
                             "Deviation of the position, m: a number, or a dictionary by axis",
                             .changed = note_pos_std),
  };
  /* By default 5 degrees. */
  static const OrreryProperty rot_std[] = {
    ORRERY_PROPERTY_VARIANT (OrreryNoiseBase, rot_std, "rot_std", "0.08726646259971647",
                             "Deviation of the angles, rad: a number, or a dictionary by axis",
                             .changed = note_rot_std),
  };
  static const OrreryProperty flat[] = {
    ORRERY_PROPERTY_BOOLEAN (OrreryNoiseBase, flat, "_2D", FALSE,
                             "Whether only x, y and yaw get noise", .name = "flat"),
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

#define DEFINE_NOISE(Type, prefix, MODULE, NAME, has_position, has_orientation)                    \
  G_DECLARE_FINAL_TYPE (Type, prefix, MODULE, NAME, OrreryNoiseBase) struct _##Type {              \
    OrreryNoiseBase parent_instance;                                                               \
  };                                                                                               \
  G_DEFINE_FINAL_TYPE (Type, prefix, orrery_noise_base_get_type ())                                \
  static void prefix##_class_init (Type##Class *klass)                                             \
  {                                                                                                \
    set_up_class (klass, has_position, has_orientation);                                           \
  }                                                                                                \
  static void prefix##_init (Type *self)                                                           \
  {                                                                                                \
  }

DEFINE_NOISE (OrreryPositionNoise, orrery_position_noise, ORRERY, POSITION_NOISE, TRUE, FALSE)
DEFINE_NOISE (OrreryOrientationNoise, orrery_orientation_noise, ORRERY, ORIENTATION_NOISE, FALSE,
              TRUE)
DEFINE_NOISE (OrreryPoseNoise, orrery_pose_noise, ORRERY, POSE_NOISE, TRUE, TRUE)

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
