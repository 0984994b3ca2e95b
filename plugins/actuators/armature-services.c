/* SPDX-License-Identifier: BSD-3-Clause */
/* The services of armatures. */
#include "armature.h"

#include <math.h>

/* --- services of joints --- */

static int
find_joint (OrreryArmature *self, const char *name, GError **error)
{
  int joint = arm_find (self->arm, name);

  if (joint < 0)
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "Joint %.60s does not exist in armature %s",
                      name, orrery_part_get_name (ORRERY_PART (self)));
  return joint;
}

static gboolean
is_slide (OrreryArmature *self, guint joint)
{
  return arm_get (self->arm, joint)->joint->kind == ORRERY_JOINT_SLIDE;
}

static gboolean
check_kind (OrreryArmature *self, guint joint, gboolean slide, GError **error)
{
  if (is_slide (self, joint) == slide)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "Joint %s %s",
                           orrery_object_get_basename (arm_get (self->arm, joint)->object),
                           slide ? "turns: it has no translation" : "slides: it has no rotation");
}

/* A number in a value of any form; NAN: it is none. */
static double
read_number (GVariant *value)
{
  g_autoptr (GVariant) inner = g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)
                                   ? g_variant_get_variant (value)
                                   : g_variant_ref (value);

  if (g_variant_is_of_type (inner, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (inner);
  if (g_variant_is_of_type (inner, G_VARIANT_TYPE_INT64))
    return (double) g_variant_get_int64 (inner);
  return NAN;
}

static gboolean
refuse_number (GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "positions and speeds of joints are finite numbers");
}

/* @speed: an argument of type v, null or 0 for the property. */
static gboolean
read_speed (GVariant *boxed, double *speed, GError **error)
{
  g_autoptr (GVariant) value = g_variant_get_variant (boxed);

  *speed = 0;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE))
    return TRUE;
  *speed = read_number (value);
  return isfinite (*speed) ? TRUE : refuse_number (error);
}

/* What they did before ends. */
static void
take_over (OrreryArmature *self)
{
  armature_stop (self);
  for (guint i = 0; i < self->arm->joints->len; i++)
    self->speeds[i] = 0;
}

static void
set_one (OrreryArmature *self, OrreryCall *call, gboolean slide, gboolean at_once, GError **error)
{
  int joint = find_joint (self, orrery_call_get_text (call, 0), error);
  double value = orrery_call_get_double (call, 1);
  double speed = 0;

  if (joint < 0 || !check_kind (self, (guint) joint, slide, error))
    return;
  if (!at_once && !read_speed (orrery_call_get_argument (call, 2), &speed, error))
    return;
  take_over (self);
  armature_get_goals (self)[joint] = value;
  self->speeds[joint] = speed;
  if (at_once)
    armature_jump (self, (guint) joint);
}

static void
set_translation (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_one (ORRERY_ARMATURE (part), call, TRUE, TRUE, error);
}

static void
set_rotation (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_one (ORRERY_ARMATURE (part), call, FALSE, TRUE, error);
}

static void
translate (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_one (ORRERY_ARMATURE (part), call, TRUE, FALSE, error);
}

static void
rotate (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_one (ORRERY_ARMATURE (part), call, FALSE, FALSE, error);
}

/* From the root on; all or nothing. */
static void
set_list (OrreryArmature *self, OrreryCall *call, gboolean slide, GError **error)
{
  g_autoptr (GVariant) list = g_variant_get_variant (orrery_call_get_argument (call, 0));
  gsize n = g_variant_is_container (list) ? g_variant_n_children (list) : 0;
  g_autofree double *values = NULL;

  n = MIN (n, self->arm->joints->len);
  values = g_new (double, n + 1);
  if (!g_variant_is_container (list)) {
    refuse_number (error);
    return;
  }
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);

    values[i] = read_number (item);
    if (!check_kind (self, i, slide, error) || (!isfinite (values[i]) && !refuse_number (error)))
      return;
  }
  take_over (self);
  for (gsize i = 0; i < n; i++) {
    armature_get_goals (self)[i] = values[i];
    armature_jump (self, i);
  }
}

static void
set_translations (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_list (ORRERY_ARMATURE (part), call, TRUE, error);
}

static void
set_rotations (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_list (ORRERY_ARMATURE (part), call, FALSE, error);
}

/* A map of joint to position. */
static void
move_map (OrreryArmature *self, OrreryCall *call, gboolean slide, GError **error)
{
  g_autoptr (GVariant) map = g_variant_get_variant (orrery_call_get_argument (call, 0));
  g_autofree double *goals = g_new (double, self->arm->joints->len);
  double speed;

  if (!g_variant_is_of_type (map, G_VARIANT_TYPE_VARDICT)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a map of joints to positions is needed");
    return;
  }
  if (!read_speed (orrery_call_get_argument (call, 1), &speed, error))
    return;
  for (guint i = 0; i < self->arm->joints->len; i++)
    goals[i] = NAN;
  for (gsize i = 0; i < g_variant_n_children (map); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (map, i);
    g_autoptr (GVariant) value = NULL;
    const char *name;
    int joint;

    g_variant_get (item, "{&sv}", &name, &value);
    joint = find_joint (self, name, error);
    if (joint < 0 || !check_kind (self, (guint) joint, slide, error))
      return;
    goals[joint] = read_number (value);
    if (!isfinite (goals[joint]) && !refuse_number (error))
      return;
  }
  take_over (self);
  for (guint i = 0; i < self->arm->joints->len; i++) {
    if (!isfinite (goals[i]))
      continue;
    armature_get_goals (self)[i] = goals[i];
    self->speeds[i] = speed;
  }
}

static void
translate_joints (OrreryPart *part, OrreryCall *call, GError **error)
{
  move_map (ORRERY_ARMATURE (part), call, TRUE, error);
}

static void
rotate_joints (OrreryPart *part, OrreryCall *call, GError **error)
{
  move_map (ORRERY_ARMATURE (part), call, FALSE, error);
}

/* --- what it is --- */

static void
get_joints (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < self->arm->joints->len; i++)
    g_variant_builder_add (&list, "s", orrery_object_get_basename (arm_get (self->arm, i)->object));
  orrery_call_return (call, g_variant_builder_end (&list));
}

/* Of x, y, z those that a joint moves about or along: as its object's `dofs` says, where its frame
 * is not that of the bone that users know, else by its axis. */
static GVariant *
get_free_axes (const ArmJoint *joint)
{
  const OrreryVec3 *axis = &joint->joint->axis;
  const double parts[] = { axis->x, axis->y, axis->z };
  GVariant *own = orrery_object_get_value (joint->object, "dofs");
  gboolean told = own != NULL && g_variant_is_container (own) && g_variant_n_children (own) == 3;
  GVariant *free_axes[3];

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GVariant) item = told ? g_variant_get_child_value (own, i) : NULL;
    g_autoptr (GVariant) inner = item != NULL && g_variant_is_of_type (item, G_VARIANT_TYPE_VARIANT)
                                     ? g_variant_get_variant (item)
                                     : NULL;
    GVariant *value = inner != NULL ? inner : item;
    gboolean is_free = fabs (parts[i]) > 1e-9;

    if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
      is_free = g_variant_get_boolean (value);
    free_axes[i] = g_variant_new_boolean (is_free);
  }
  return g_variant_new_array (G_VARIANT_TYPE_BOOLEAN, free_axes, 3);
}

static void
get_dofs (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < self->arm->joints->len; i++)
    g_variant_builder_add (&map, "{sv}",
                           orrery_object_get_basename (arm_get (self->arm, i)->object),
                           get_free_axes (arm_get (self->arm, i)));
  orrery_call_return (call, g_variant_builder_end (&map));
}

static void
get_limits (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  int joint = find_joint (self, orrery_call_get_text (call, 0), error);
  const OrreryJoint *j = joint >= 0 ? arm_get (self->arm, (guint) joint)->joint : NULL;
  double limits[2] = { -G_PI, G_PI };

  if (j == NULL)
    return;
  if (j->limited) {
    limits[0] = j->lower;
    limits[1] = j->upper;
  }
  orrery_call_return (call, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, limits, 2,
                                                       sizeof (double)));
}

/* --- places --- */

static void
list_targets (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < self->targets->len; i++)
    g_variant_builder_add (&list, "s", g_array_index (self->targets, ArmatureTarget, i).name);
  orrery_call_return (call, g_variant_builder_end (&list));
}

static gboolean
read_triple (GVariant *boxed, gboolean *given, OrreryVec3 *out, GError **error)
{
  g_autoptr (GVariant) list = g_variant_get_variant (boxed);
  double *const to[] = { &out->x, &out->y, &out->z };

  *given = !g_variant_is_of_type (list, G_VARIANT_TYPE_MAYBE);
  if (!*given)
    return TRUE;
  for (gsize i = 0; g_variant_is_container (list) && g_variant_n_children (list) == 3 && i < 3;
       i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);

    *to[i] = read_number (item);
    if (!isfinite (*to[i]))
      break;
    if (i == 2)
      return TRUE;
  }
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "a translation is [x, y, z], a rotation [roll, pitch, yaw], all finite");
}

/* m, from the origin: as far as commands put objects. Much farther, the way to it is no number. */
#define FARTHEST 1e8

static gboolean
check_goal (const OrreryVec3 *goal, GError **error)
{
  if (fabs (goal->x) <= FARTHEST && fabs (goal->y) <= FARTHEST && fabs (goal->z) <= FARTHEST)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "an IK target is at most %g m away",
                           FARTHEST);
}

/* The target of the call, and where it is to go. */
static ArmatureTarget *
read_target (OrreryArmature *self, OrreryCall *call, OrreryTransform *goal, GError **error)
{
  const char *name = orrery_call_get_text (call, 0);
  ArmatureTarget *target = armature_find_target (self, name);
  OrreryVec3 way, turn = { 0 };
  gboolean moved, turned;
  OrreryQuat q;

  if (target == NULL) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                      "IK target %.60s does not exist for armature %s", name,
                      orrery_part_get_name (ORRERY_PART (self)));
    return NULL;
  }
  if (!read_triple (orrery_call_get_argument (call, 1), &moved, &way, error) ||
      !read_triple (orrery_call_get_argument (call, 2), &turned, &turn, error))
    return NULL;
  armature_get_target_pose (self, target, goal);
  orrery_quat_from_euler (turn.x, turn.y, turn.z, &q);
  if (orrery_call_get_bool (call, 3)) {
    if (moved)
      goal->position = orrery_vec3_add (&goal->position, &way);
    if (turned)
      orrery_quat_multiply (&q, &goal->rotation, &goal->rotation);
  } else {
    if (moved)
      goal->position = way;
    if (turned)
      goal->rotation = q;
  }
  return check_goal (&goal->position, error) ? target : NULL;
}

static void
place_target (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  OrreryTransform goal;
  ArmatureTarget *target = read_target (self, call, &goal, error);

  if (target != NULL)
    armature_place_target (self, target, &goal);
}

static void
move_target (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  double linear, radial;
  OrreryTransform goal;
  ArmatureTarget *target;

  if (!read_speed (orrery_call_get_argument (call, 4), &linear, error) ||
      !read_speed (orrery_call_get_argument (call, 5), &radial, error))
    return;
  target = read_target (self, call, &goal, error);
  if (target != NULL)
    armature_move_target (self, target, &goal, linear > 0 ? linear : self->ik_linear_speed,
                          radial > 0 ? radial : self->ik_rotation_speed);
}

/* --- trajectories --- */

static GVariant *
look_up (GVariant *map, const char *key, GError **error)
{
  GVariant *value = g_variant_is_of_type (map, G_VARIANT_TYPE_VARDICT)
                        ? g_variant_lookup_value (map, key, NULL)
                        : NULL;

  if (value == NULL)
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "Error: invalid trajectory: key '%s' was expected.", key);
  return value;
}

static gboolean
read_point (OrreryArmature *self, GVariant *item, double after, GArray *points, GError **error)
{
  guint n = self->arm->joints->len;
  g_autoptr (GVariant) map = g_variant_is_of_type (item, G_VARIANT_TYPE_VARIANT)
                                 ? g_variant_get_variant (item)
                                 : g_variant_ref (item);
  g_autoptr (GVariant) positions = look_up (map, "positions", error);
  g_autoptr (GVariant) time = NULL;
  double when;

  if (positions == NULL)
    return FALSE;
  time = look_up (map, "time_from_start", error);
  if (time == NULL)
    return FALSE;
  when = read_number (time);
  if (!isfinite (when) || when < after)
    return orrery_set_error (
        error, ORRERY_ERROR_INVALID,
        "Error: invalid trajectory: time_from_start is a time, s, not before the last");
  if (!g_variant_is_container (positions) || g_variant_n_children (positions) != n)
    return orrery_set_error (
        error, ORRERY_ERROR_INVALID,
        "Error: invalid trajectory: positions are %u numbers, one for each joint", n);
  g_array_append_val (points, when);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GVariant) number = g_variant_get_child_value (positions, i);
    double position = read_number (number);

    if (!isfinite (position) && !refuse_number (error))
      return FALSE;
    g_array_append_val (points, position);
  }
  return TRUE;
}

static void
trajectory (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  g_autoptr (GVariant) map = g_variant_get_variant (orrery_call_get_argument (call, 0));
  g_autoptr (GVariant) list = look_up (map, "points", error);
  g_autoptr (GVariant) start = NULL;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (double));
  guint row = self->arm->joints->len + 1;
  double after = 0;

  if (list == NULL)
    return;
  for (gsize i = 0; g_variant_is_container (list) && i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);

    if (!read_point (self, item, after, points, error))
      return;
    after = g_array_index (points, double, points->len - row);
  }
  if (points->len == 0) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "Error: invalid trajectory: 'points' is a list of one point at least");
    return;
  }
  start = g_variant_lookup_value (map, "starttime", NULL);
  take_over (self);
  armature_follow (self, g_steal_pointer (&points), start != NULL ? read_number (start) : NAN);
}

#define LONG (ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE)

const OrreryService armature_services[] = {
  { "list_IK_targets", list_targets, ORRERY_SERVICE_IMMEDIATE, "", "Names of the IK targets" },
  { "place_IK_target", place_target, ORRERY_SERVICE_IMMEDIATE,
    "name:s translation:v euler_rotation:v=null relative:b=true",
    "Puts a target somewhere in the world, and the arm to it, or as near as it comes" },
  { "move_IK_target", move_target, LONG,
    "name:s translation:v euler_rotation:v=null relative:b=true linear_speed:v=null "
    "radial_speed:v=null",
    "Moves a target, and the arm after it; succeeds when the target is there" },
  { "set_translation", set_translation, ORRERY_SERVICE_IMMEDIATE, "joint:s translation:d",
    "Puts a joint that slides to a position, m, at once" },
  { "set_translations", set_translations, ORRERY_SERVICE_IMMEDIATE, "translations:v",
    "The same for a list of positions, from the root on" },
  { "translate", translate, LONG, "joint:s translation:d speed:v=null",
    "Moves a joint that slides; succeeds when it is there" },
  { "translate_joints", translate_joints, LONG, "joint_translations:v speed:v=null",
    "The same for a map of joints to positions" },
  { "set_rotation", set_rotation, ORRERY_SERVICE_IMMEDIATE, "joint:s rotation:d",
    "Puts a joint that turns to an angle, rad, at once" },
  { "set_rotations", set_rotations, ORRERY_SERVICE_IMMEDIATE, "rotations:v",
    "The same for a list of angles, from the root on" },
  { "rotate", rotate, LONG, "joint:s rotation:d speed:v=null",
    "Turns a joint; succeeds when it is there" },
  { "rotate_joints", rotate_joints, LONG, "joint_rotations:v speed:v=null",
    "The same for a map of joints to angles" },
  { "get_dofs", get_dofs, ORRERY_SERVICE_IMMEDIATE, "",
    "For each joint, about or along which of x, y, z it moves" },
  { "get_joints", get_joints, ORRERY_SERVICE_IMMEDIATE, "", "Names of the joints, from the root" },
  { "get_IK_limits", get_limits, ORRERY_SERVICE_IMMEDIATE, "joint:s",
    "Lowest and highest position of a joint" },
  { "trajectory", trajectory, ORRERY_SERVICE_LONG, "trajectory:v",
    "Follows points: positions of all joints, each with its time_from_start, s" },
};

const guint armature_n_services = G_N_ELEMENTS (armature_services);
