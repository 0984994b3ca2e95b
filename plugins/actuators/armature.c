/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.actuators.armature.Armature: moves the joints below its object: hinges and slides, as the
 * scene or the class has them (orrery.actuators.kuka_lwr.KukaLWR). Its record is where they are to
 * go.
 */
#include "armature.h"
#include "full_step.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (OrreryArmature, orrery_armature, ORRERY_TYPE_ACTUATOR)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryArmature, distance_tolerance, "DistanceTolerance", 1e-12, 1e6,
                          0.005, "How near is near enough for what slides, m"),
  ORRERY_PROPERTY_DOUBLE (OrreryArmature, angle_tolerance, "AngleTolerance", 1e-12, 1e6, 0.01,
                          "How near is near enough for what turns, rad"),
  ORRERY_PROPERTY_DOUBLE (OrreryArmature, rotation_speed, "RotationSpeed", 1e-12, 1e6, 0.8,
                          "How fast joints turn, rad/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryArmature, linear_speed, "LinearSpeed", 1e-12, 1e6, 0.05,
                          "How fast joints slide, m/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryArmature, ik_rotation_speed, "IKRotationSpeed", 1e-12, 1e6, 0.5,
                          "How fast IK targets turn, rad/s"),
  ORRERY_PROPERTY_DOUBLE (OrreryArmature, ik_linear_speed, "IKLinearSpeed", 1e-12, 1e6, 0.5,
                          "How fast IK targets move, m/s"),
  ORRERY_PROPERTY_STRING (
      OrreryArmature, armature, "armature", "",
      "Object whose joints it moves, of the robot or of the scene; empty: those below its own",
      .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (
      OrreryArmature, ik_targets, "IKTargets", "",
      "Joints whose ends can be reached for, separated by commas; empty: the last one",
      .flags = ORRERY_PROPERTY_AT_START),
};

/* --- joints --- */

double *
armature_get_goals (OrreryArmature *self)
{
  return orrery_component_get_data (self);
}

static double
get_tolerance (OrreryArmature *self, guint joint)
{
  return arm_get (self->arm, joint)->joint->kind == ORRERY_JOINT_SLIDE ? self->distance_tolerance
                                                                       : self->angle_tolerance;
}

static double
get_speed (OrreryArmature *self, guint joint)
{
  if (self->speeds[joint] != 0)
    return self->speeds[joint];
  return arm_get (self->arm, joint)->joint->kind == ORRERY_JOINT_SLIDE ? self->linear_speed
                                                                       : self->rotation_speed;
}

void
armature_stop (OrreryArmature *self)
{
  memcpy (armature_get_goals (self), self->positions, self->arm->joints->len * sizeof (double));
  self->moving = self->reached = NULL;
  g_clear_pointer (&self->points, g_array_unref);
}

void
armature_jump (OrreryArmature *self, guint joint)
{
  double goal = arm_clamp (self->arm, joint, armature_get_goals (self)[joint]);

  armature_get_goals (self)[joint] = goal;
  self->positions[joint] = goal;
  self->placed = FALSE;
}

/* Each joint a step towards its goal; whether all are there. */
static gboolean
step_joints (OrreryArmature *self, double period)
{
  const double *goals = armature_get_goals (self);
  gboolean there = TRUE;

  for (guint i = 0; i < self->arm->joints->len; i++) {
    double goal = arm_clamp (self->arm, i, goals[i]);
    double reach = get_speed (self, i) * period;
    double step = full_step (goal - self->positions[i], reach, get_tolerance (self, i));

    if (step == 0)
      continue;
    there = FALSE;
    self->positions[i] = arm_clamp (self->arm, i, self->positions[i] + step);
    self->placed = FALSE;
  }
  return there;
}

const OrreryTransform *
armature_get_base_pose (OrreryArmature *self)
{
  return orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world),
                                   orrery_object_get_index (self->arm->base));
}

/* What is on the last link, in the frame of the actuator's own object. */
static void
place_loads (OrreryArmature *self, OrreryCommands *commands)
{
  OrreryTransform base, pose;

  orrery_transform_relative (orrery_component_get_pose (ORRERY_COMPONENT (self)),
                             armature_get_base_pose (self), &base);
  if (!self->placed && self->effector >= 0)
    arm_forward (self->arm, self->positions, self->poses);
  for (guint i = 0; i < self->loads->len; i++) {
    const ArmatureLoad *load = &g_array_index (self->loads, ArmatureLoad, i);

    pose = load->mounting;
    if (self->effector >= 0)
      orrery_transform_multiply (&self->poses[self->effector], &pose, &pose);
    if (self->is_away)
      orrery_transform_multiply (&base, &pose, &pose);
    orrery_commands_set_pose (commands, load->object, &pose);
  }
}

static void
place (OrreryArmature *self, OrreryTick *tick)
{
  OrreryCommands *commands = orrery_tick_get_commands (tick);

  if (!self->placed)
    for (guint i = 0; i < self->arm->joints->len; i++)
      orrery_commands_put_joint (commands, arm_get (self->arm, i)->object, self->positions[i]);
  /* An armature that is elsewhere may be moved by what carries it. */
  if (self->loads->len > 0 && (!self->placed || self->is_away))
    place_loads (self, commands);
  self->placed = TRUE;
}

/* --- targets --- */

ArmatureTarget *
armature_find_target (OrreryArmature *self, const char *name)
{
  for (guint i = 0; i < self->targets->len; i++) {
    ArmatureTarget *target = &g_array_index (self->targets, ArmatureTarget, i);
    const char *dot = strrchr (target->name, '.');

    if (g_str_equal (target->name, name) || (dot != NULL && g_str_equal (dot + 1, name)))
      return target;
  }
  return NULL;
}

void
armature_get_target_pose (OrreryArmature *self, const ArmatureTarget *target, OrreryTransform *pose)
{
  *pose = target->object == NULL
              ? target->pose
              : *orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world),
                                           orrery_object_get_index (target->object));
}

static void
put_target (ArmatureTarget *target, OrreryCommands *commands, const OrreryTransform *goal)
{
  target->pose = *goal;
  if (target->object != NULL)
    orrery_commands_set_pose (commands, target->object, goal);
}

/* Of the solver, in a step of the armature and where a target is placed. */
#define STEP_DESCENT 40
#define LONG_DESCENT 200

/* The joints come as near to a place in the world as @n_steps and @bend let them. */
static void
reach (OrreryArmature *self, const OrreryTransform *goal, guint n_steps, guint bend, double left[2])
{
  OrreryTransform local;
  gboolean there;

  orrery_transform_relative (armature_get_base_pose (self), goal, &local);
  if (memcmp (&local, &self->solved, sizeof local) != 0)
    self->tries = ARM_N_BENDS;
  self->solved = local;
  there = arm_reach (self->arm, self->reached->joint, &local, n_steps, bend, self->positions, left);
  self->tries = there || bend == 0 ? 0 : self->tries - 1;
  memcpy (armature_get_goals (self), self->positions, self->arm->joints->len * sizeof (double));
  self->placed = FALSE;
}

static void
tell_what_is_left (OrreryArmature *self, const double left[2])
{
  if (left[0] > self->distance_tolerance || left[1] > self->angle_tolerance)
    orrery_part_warning (self,
                         "IK target %s is out of reach; the arm is as near as it comes: %.3g m and "
                         "%.3g rad are left",
                         self->reached->name, left[0], left[1]);
}

/*
 * Once it was placed or moved, the arm reaches for a target until it is told something else,
 * wherever the two are moved. In a step it comes nearer; where it has not come quite there, it
 * tries another way each time.
 */
static void
follow_target (OrreryArmature *self, OrreryTick *tick, const OrreryTransform *goal, double left[2])
{
  guint bend = 1 + (guint) (orrery_tick_get_number (tick) % ARM_N_BENDS);
  OrreryTransform local;

  orrery_transform_relative (armature_get_base_pose (self), goal, &local);
  if (self->tries > 0 || memcmp (&local, &self->solved, sizeof local) != 0)
    reach (self, goal, STEP_DESCENT, bend, left);
}

void
armature_place_target (OrreryArmature *self, ArmatureTarget *target, const OrreryTransform *goal)
{
  double left[2];

  armature_stop (self);
  put_target (target, orrery_world_get_commands (self->world), goal);
  self->reached = target;
  reach (self, goal, LONG_DESCENT, 0, left);
  tell_what_is_left (self, left);
}

/* Of a quaternion, as Blender has it: x where nothing is turned. */
static OrreryVec3
get_axis (const OrreryQuat *q)
{
  OrreryVec3 axis = orrery_vec3_scale (&(OrreryVec3){ q->x, q->y, q->z }, q->w < 0 ? -1 : 1);
  double length = orrery_vec3_length (&axis);

  return length > 1e-9 ? orrery_vec3_divide (&axis, length) : (OrreryVec3){ 1, 0, 0 };
}

void
armature_move_target (OrreryArmature *self, ArmatureTarget *target, const OrreryTransform *goal,
                      double linear, double radial)
{
  OrreryVec3 a, b;

  armature_stop (self);
  armature_get_target_pose (self, target, &self->from);
  self->to = *goal;
  self->linear_step = linear;
  /* The time of MORSE, which takes the angle between the axes of the two rotations for that between
   * the rotations. */
  a = get_axis (&self->from.rotation);
  b = get_axis (&goal->rotation);
  self->way = acos (CLAMP (orrery_vec3_dot (&a, &b), -1, 1)) / radial;
  self->gone = 0;
  self->moving = self->reached = target;
}

/* Where the target is turned to after its time so far. */
static void
turn_target (OrreryArmature *self, OrreryQuat *rotation)
{
  OrreryQuat back, turn;
  OrreryVec3 angle;

  if (self->gone > self->way || self->way <= 0) {
    *rotation = self->to.rotation;
    return;
  }
  orrery_quat_conjugate (&self->from.rotation, &back);
  orrery_quat_multiply (&back, &self->to.rotation, &turn);
  if (turn.w < 0)
    turn = (OrreryQuat){ -turn.w, -turn.x, -turn.y, -turn.z };
  orrery_quat_to_rotation_vector (&turn, &angle);
  angle = orrery_vec3_scale (&angle, self->gone / self->way);
  orrery_quat_from_rotation_vector (&angle, &turn);
  orrery_quat_multiply (&self->from.rotation, &turn, rotation);
}

/* Each coordinate by itself; whether all are within the tolerance. */
static gboolean
shift_target (OrreryArmature *self, OrreryVec3 *position, double reach)
{
  const OrreryVec3 *to = &self->to.position;
  OrreryVec3 way = orrery_vec3_subtract (to, position);
  double tolerance = self->distance_tolerance;

  if (fabs (way.x) < tolerance && fabs (way.y) < tolerance && fabs (way.z) < tolerance)
    return TRUE;
  position->x += CLAMP (way.x, -reach, reach);
  position->y += CLAMP (way.y, -reach, reach);
  position->z += CLAMP (way.z, -reach, reach);
  return FALSE;
}

static void
step_target (OrreryArmature *self, OrreryTick *tick, double period)
{
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (self));
  double left[2] = { 0 };
  OrreryTransform pose;
  gboolean there;

  armature_get_target_pose (self, self->moving, &pose);
  there = shift_target (self, &pose.position, self->linear_step * period);
  turn_target (self, &pose.rotation);
  there = there && (self->gone > self->way || self->way <= 0);
  self->gone += period;
  put_target (self->moving, orrery_tick_get_commands (tick), &pose);
  if (!there) {
    follow_target (self, tick, &pose, left);
    return;
  }
  self->moving = NULL;
  /* The call says how near the arm comes: all ways are tried. */
  reach (self, &pose, LONG_DESCENT, 0, left);
  tell_what_is_left (self, left);
  if (call != NULL)
    orrery_call_return (call, NULL);
}

/* --- trajectories --- */

void
armature_follow (OrreryArmature *self, GArray *points, double start)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));

  self->points = points;
  self->next = 0;
  self->aimed = 0;
  self->ended = 0;
  self->first = orrery_robot_get_time (ORRERY_ROBOT (robot));
  self->wait = isfinite (start) ? fmax (start - orrery_time_to_seconds (self->first), 0) : 0;
}

static const double *
get_row (OrreryArmature *self, gint64 row)
{
  return &g_array_index (self->points, double, (guint) row *(self->arm->joints->len + 1));
}

/* On the way to a point, each joint has the speed that brings it there in time, @allotted s, from
 * where it is. */
static void
aim (OrreryArmature *self, double allotted)
{
  const double *row = get_row (self, self->next);

  for (guint i = 0; i < self->arm->joints->len; i++) {
    double goal = arm_clamp (self->arm, i, row[1 + i]);

    armature_get_goals (self)[i] = goal;
    self->speeds[i] = fabs (goal - self->positions[i]) / allotted;
  }
  self->ended = row[0];
  self->aimed = self->next + 1;
}

static gboolean
is_over (OrreryArmature *self, double time, double dt)
{
  gint64 n = self->points->len / (self->arm->joints->len + 1);

  return time - get_row (self, n - 1)[0] > -dt / 2 && self->aimed == n;
}

static void
aim_in_turn (OrreryArmature *self, double time, double dt)
{
  gint64 n = self->points->len / (self->arm->joints->len + 1);

  /* A point is on its way until half a tick after its time, and the next one begins then. */
  while (self->next < n && time - self->ended >= dt / 2) {
    double allotted = get_row (self, self->next)[0] - time;
    gboolean is_last = self->next + 1 == n;

    if (self->aimed != self->next + 1) {
      if (allotted >= dt / 2 || is_last) {
        aim (self, fmax (allotted, dt));
        return;
      }
      orrery_part_warning (self,
                           "skipped point %" G_GINT64_FORMAT " of the trajectory: its "
                           "time_from_start has passed",
                           self->next + 1);
    }
    self->next++;
  }
}

/*
 * The time is that of MORSE's components, the end of the tick before: what was called at the end of
 * a tick begins in the second one after it, and each point is reached at its time.
 */
static void
step_trajectory (OrreryArmature *self, OrreryTick *tick)
{
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (self));
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));
  OrreryTime now = orrery_robot_get_time (ORRERY_ROBOT (robot));
  double dt = orrery_tick_get_dt (tick);
  double time = orrery_time_to_seconds (now - self->first) - self->wait - dt;

  aim_in_turn (self, time, dt);
  if (!is_over (self, time, dt))
    return;
  g_clear_pointer (&self->points, g_array_unref);
  if (call != NULL)
    orrery_call_return (call, NULL);
}

/* --- the actuator --- */

static void
orrery_armature_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                     GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (actuator);
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  double period = orrery_component_get_period (component);
  OrreryTransform pose;
  double left[2];

  if (self->moving != NULL) {
    step_target (self, tick, period);
  } else if (self->reached != NULL && !orrery_component_was_commanded (component)) {
    armature_get_target_pose (self, self->reached, &pose);
    follow_target (self, tick, &pose, left);
  } else {
    gboolean follows = self->points != NULL;
    OrreryCall *call;
    gboolean there;

    self->reached = NULL;
    if (follows)
      step_trajectory (self, tick);
    there = step_joints (self, period);
    call = orrery_component_get_call (component);
    if (there && !follows && call != NULL)
      orrery_call_return (call, NULL);
  }
  place (self, tick);
}

static void
orrery_armature_cancel (OrreryPart *part, OrreryCall *call)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);

  armature_stop (self);
  memset (self->speeds, 0, self->arm->joints->len * sizeof (double));
}

/* --- set-up --- */

static void
clear (OrreryArmature *self)
{
  g_clear_pointer (&self->arm, arm_free);
  g_clear_pointer (&self->positions, g_free);
  g_clear_pointer (&self->speeds, g_free);
  g_clear_pointer (&self->poses, g_free);
  g_clear_pointer (&self->points, g_array_unref);
  g_array_set_size (self->targets, 0);
  g_array_set_size (self->loads, 0);
  self->moving = self->reached = NULL;
  self->tries = 0;
  self->placed = FALSE;
}

static void
set_fields (OrreryArmature *self, OrrerySetup *setup, GError **error)
{
  g_autoptr (OrrerySchema) schema = NULL;
  GVariantBuilder fields;

  g_variant_builder_init (&fields, G_VARIANT_TYPE ("a(ssss)"));
  for (guint i = 0; i < self->arm->joints->len; i++) {
    const ArmJoint *joint = arm_get (self->arm, i);

    g_variant_builder_add (&fields, "(ssss)", orrery_object_get_basename (joint->object), "double",
                           joint->joint->kind == ORRERY_JOINT_SLIDE ? "m" : "rad",
                           "Where the joint is to go");
  }
  schema = orrery_schema_new_from_variant (g_variant_builder_end (&fields), error);
  if (schema != NULL)
    orrery_setup_set_schema (setup, schema);
}

static void
clear_target (gpointer data)
{
  g_free (((ArmatureTarget *) data)->name);
}

/* Whether the property IKTargets names the joint. */
static gboolean
is_asked_for (char **asked, const char *joint)
{
  return asked != NULL && g_strv_contains ((const char *const *) asked, joint);
}

static gboolean
check_asked (OrreryArmature *self, char **asked, GError **error)
{
  for (guint i = 0; asked != NULL && asked[i] != NULL; i++) {
    g_autoptr (GPtrArray) names = NULL;
    g_autofree char *nearest = NULL;

    if (arm_find (self->arm, asked[i]) >= 0)
      continue;
    names = g_ptr_array_new ();
    for (guint k = 0; k < self->arm->joints->len; k++)
      g_ptr_array_add (names,
                       (gpointer) orrery_object_get_basename (arm_get (self->arm, k)->object));
    g_ptr_array_add (names, NULL);
    nearest = orrery_nearest_names (asked[i], (const char *const *) names->pdata);
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: IKTargets: no joint %.60s%s",
                             orrery_part_get_name (ORRERY_PART (self)), asked[i], nearest);
  }
  return TRUE;
}

/* Where the end of a joint is at rest, in the armature's frame, is where its target starts in the
 * world: as in MORSE it is free of the robot. @self: its poses are those of the joints at rest. */
static void
start_target (OrreryArmature *self, ArmatureTarget *target)
{
  arm_get_tip (self->arm, target->joint, self->poses, &target->pose);
}

/* Objects of the scene named for this armature and one of its joints, and the ends of joints that
 * were asked for; without any of these, the last joint's end. */
static void
find_targets (OrreryArmature *self, GError **error)
{
  g_autofree char *prefix =
      g_strdup_printf ("ik_target.%s.", orrery_part_get_name (ORRERY_PART (self)));
  g_auto (GStrv) asked = *self->ik_targets != '\0' ? g_strsplit (self->ik_targets, ",", -1) : NULL;

  for (guint i = 0; asked != NULL && asked[i] != NULL; i++)
    g_strstrip (asked[i]);
  if (!check_asked (self, asked, error))
    return;
  for (guint i = 0; i < self->arm->joints->len; i++) {
    const char *joint = orrery_object_get_basename (arm_get (self->arm, i)->object);
    ArmatureTarget target = { .name = g_strconcat (prefix, joint, NULL), .joint = i };

    target.object = orrery_world_find_object (self->world, target.name);
    start_target (self, &target);
    if (target.object != NULL || is_asked_for (asked, joint) ||
        (i + 1 == self->arm->joints->len && self->targets->len == 0))
      g_array_append_val (self->targets, target);
    else
      g_free (target.name);
  }
}

static gboolean
is_set (OrreryObject *object, const char *name)
{
  GVariant *value = orrery_object_get_value (object, name);

  return value != NULL &&
         (!g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN) || g_variant_get_boolean (value));
}

static gboolean
leads_to_joint (Arm *arm, OrreryObject *child)
{
  for (guint i = 0; i < arm->joints->len; i++)
    for (OrreryObject *o = arm_get (arm, i)->object; o != NULL; o = orrery_object_get_parent (o))
      if (o == child)
        return TRUE;
  return FALSE;
}

/* The joint whose link is, or carries, the end effector, or -1. */
static int
find_effector (Arm *arm)
{
  int effector = -1;

  for (guint i = 0; i < arm->joints->len; i++) {
    OrreryObject *link = arm_get (arm, i)->object;
    GPtrArray *parts = orrery_object_get_children (link);

    if (is_set (link, "end_effector"))
      effector = (int) i;
    for (guint k = 0; k < parts->len; k++)
      if (is_set (parts->pdata[k], "end_effector"))
        effector = (int) i;
  }
  return effector;
}

/* What was put on the arm moves with its end effector. What was put on an actuator whose armature
 * is elsewhere is on that armature. */
static void
find_loads (OrreryArmature *self, OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);

  self->effector = find_effector (self->arm);
  if (self->effector < 0 && !self->is_away)
    return;
  for (guint i = 0; i < children->len; i++) {
    ArmatureLoad load = { .object = children->pdata[i] };

    if (leads_to_joint (self->arm, load.object) || is_set (load.object, "internal"))
      continue;
    load.mounting = *orrery_object_get_start (load.object);
    if (self->effector >= 0)
      orrery_transform_relative (&self->poses[self->effector], &load.mounting, &load.mounting);
    g_array_append_val (self->loads, load);
  }
}

/* The joints of the armature; its whole name is what sensors on it look for. */
static gboolean
find_arm (OrreryArmature *self, OrrerySetup *setup, GError **error)
{
  OrreryObject *object = orrery_setup_get_object (setup);
  OrreryObject *base = armature_find_base (self, setup, error);

  if (base == NULL)
    return FALSE;
  self->is_away = base != object;
  if (self->is_away) {
    g_free (self->armature);
    self->armature = g_strdup (orrery_object_get_name (base));
  }
  self->arm = arm_new (base, setup);
  if (self->arm->joints->len > 0)
    return TRUE;
  return orrery_set_error (
      error, ORRERY_ERROR_CONFIG,
      "%s: an armature needs joints: objects below it with a 'joint' of kind hinge or "
      "slide, or the property armature, the name of one that has",
      orrery_part_get_name (ORRERY_PART (self)));
}

static void
orrery_armature_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  GError *local = NULL;
  guint n;

  clear (self);
  g_set_object (&self->world, orrery_setup_get_world (setup));
  if (!find_arm (self, setup, error))
    return;
  n = self->arm->joints->len;
  set_fields (self, setup, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    return;
  }
  self->positions = g_new0 (double, n);
  self->speeds = g_new0 (double, n);
  self->poses = g_new0 (OrreryTransform, n);
  /* As the scene has it: each joint at its reference. */
  for (guint i = 0; i < n; i++)
    self->positions[i] = arm_get (self->arm, i)->joint->reference;
  arm_forward (self->arm, self->positions, self->poses);
  find_loads (self, orrery_setup_get_object (setup));
  find_targets (self, error);
  for (guint i = 0; i < n; i++)
    self->positions[i] = arm_clamp (self->arm, i, arm_get (self->arm, i)->joint->initial);
  memcpy (armature_get_goals (self), self->positions, n * sizeof (double));
}

static void
orrery_armature_finalize (GObject *object)
{
  OrreryArmature *self = ORRERY_ARMATURE (object);

  clear (self);
  g_array_unref (self->targets);
  g_array_unref (self->loads);
  g_clear_object (&self->world);
  G_OBJECT_CLASS (orrery_armature_parent_class)->finalize (object);
}

static void
orrery_armature_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  armature_stop ((OrreryArmature *) actuator);
}

static void
orrery_armature_class_init (OrreryArmatureClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_armature_finalize;
  part_class->setup = orrery_armature_setup;
  part_class->cancel = orrery_armature_cancel;
  armature_class_add_state (part_class);
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_armature_act;
  orrery_component_class_set_morse_order (ORRERY_COMPONENT_CLASS (klass), ORRERY_MORSE_ORDER_MODEL);
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_armature_halt;
  orrery_part_class_add_services (part_class, armature_services, armature_n_services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

static void
orrery_armature_init (OrreryArmature *self)
{
  self->targets = g_array_new (FALSE, FALSE, sizeof (ArmatureTarget));
  g_array_set_clear_func (self->targets, clear_target);
  self->loads = g_array_new (FALSE, FALSE, sizeof (ArmatureLoad));
}

ORRERY_PLUGIN ("Joints, and the places that they reach", "BSD-3-Clause",
               ORRERY_CLASS (Armature, OrreryArmature, orrery_armature))
