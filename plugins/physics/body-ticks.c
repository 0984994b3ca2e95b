/* SPDX-License-Identifier: BSD-3-Clause */
/* A tick of a set of bodies, as far as it is the same for all engines. */
#include "bodies.h"

#include <string.h>

/* --- wheels --- */

static gboolean
get_rolling (gpointer data, OrreryObject *object, WheelBody *out)
{
  BodySet *set = data;
  Body *body = body_set_find (set, object);

  if (body == NULL || body->motion != MOTION_FREE || body_is_pinned (body) ||
      body->settings->type != ORRERY_BODY_RIGID)
    return FALSE;
  set->calls->get_pose (set, body, &out->pose);
  set->calls->get_velocity (set, body, &out->linear, &out->angular);
  set->calls->get_force (set, body, &out->force, &out->torque);
  out->mass = body->settings->mass;
  out->inertia = body->settings->inertia;
  out->on_margins = body->settings->margin != ORRERY_NO_MARGIN;
  return TRUE;
}

static void
set_rolling (gpointer data, OrreryObject *object, const OrreryVec3 *linear,
             const OrreryVec3 *angular)
{
  BodySet *set = data;

  set->calls->set_velocity (set, body_set_find (set, object), linear, angular);
}

static gboolean
cast_wheel (gpointer data, OrreryObject *object, const OrreryVec3 *from, const OrreryVec3 *to,
            gboolean margins, double *fraction, OrreryVec3 *normal)
{
  BodySet *set = data;

  return set->calls->cast (set, body_set_find (set, object), from, to, margins, fraction, normal);
}

static const WheelEngine wheel_engine = { get_rolling, set_rolling, cast_wheel };

/* --- commands --- */

static void
take_velocity (BodySet *set, Body *body, const OrreryCommand *command)
{
  OrreryVec3 linear = orrery_vec3_multiply (&command->linear, &body->settings->linear_factor);
  OrreryVec3 angular = orrery_vec3_multiply (&command->angular, &body->settings->angular_factor);

  if (body->suspended || body->motion == MOTION_LINK)
    return;
  if (body->motion == MOTION_FREE) {
    set->calls->set_velocity (set, body, &linear, &angular);
  } else if (orrery_object_get_parent (body->object) == NULL &&
             orrery_object_get_joint (body->object) == NULL) {
    body->linear = linear;
    body->angular = angular;
  }
}

/* A body that was told its pose is to have exactly that one after the tick. One that was moved, and
 * keeps its velocity, goes on from there. */
static void
set_pinned (BodySet *set, Body *body, gboolean pinned)
{
  set->n_pinned += pinned - body->pinned;
  body->pinned = pinned;
}

static void
take_pose (BodySet *set, Body *body, const OrreryCommand *command)
{
  OrreryVec3 still = { 0 };
  OrreryTransform pose;

  if (body->motion == MOTION_LINK || body->settings->type == ORRERY_BODY_NONE)
    return;
  if (body->holder == NULL)
    set_pinned (set, body, !command->flag);
  if (body->motion == MOTION_FREE) {
    body_set_get_parent_pose (set, body, &pose);
    orrery_transform_multiply (&pose, &command->pose, &pose);
    body->pose = pose;
    set->calls->set_pose (set, body, &pose);
    if (!command->flag)
      set->calls->set_velocity (set, body, &still, &still);
    return;
  }
  body->local = command->pose;
  body->report = TRUE;
  if (!command->flag)
    body->linear = body->angular = still;
  body_set_put (set, body);
}

static void
take_dynamics (BodySet *set, Body *body, gboolean on)
{
  OrreryVec3 still = { 0 };

  if (body->suspended == !on)
    return;
  body->suspended = !on;
  if (body->motion != MOTION_FREE)
    return;
  set->calls->set_freedom (set, body);
  set->calls->set_velocity (set, body, &still, &still);
}

static void
take_attach (BodySet *set, Body *body, const OrreryCommand *command)
{
  gint64 index = orrery_command_get_holder (command);
  OrreryObject *holder = index >= 0 ? orrery_world_get_object (set->world, index) : NULL;

  /* Two bodies cannot hold each other. */
  if (body->motion != MOTION_FREE ||
      (holder != NULL && body_set_is_held_by (set, body->object, holder)))
    return;
  set->n_held += (holder != NULL) - (body->holder != NULL);
  body->holder = holder;
  body->held = command->pose;
  if (holder != NULL)
    set_pinned (set, body, FALSE);
  set->calls->set_freedom (set, body);
}

/* Reports the object here, because such a force would also invalidate the objects that it touches.
 */
static gboolean
check_force (const Body *body, const OrreryCommand *command, GError **error)
{
  if (body_is_near (&command->linear, BODY_REACH * body->settings->mass))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "object '%s': a force on it is beyond 1e9 N for each kg",
                           orrery_object_get_name (body->object));
}

static gboolean
take_force (BodySet *set, Body *body, const OrreryCommand *command, GError **error)
{
  if (!body_is_dynamic (body))
    return TRUE;
  if (!check_force (body, command, error))
    return FALSE;
  set->calls->add_force (set, body, &command->linear, &command->angular);
  return TRUE;
}

static gboolean
take_for_body (BodySet *set, Body *body, const OrreryCommand *command, GError **error)
{
  switch (command->kind) {
  case ORRERY_COMMAND_VELOCITY:
    take_velocity (set, body, command);
    break;
  case ORRERY_COMMAND_FORCE:
    return take_force (set, body, command, error);
  case ORRERY_COMMAND_POSE:
    take_pose (set, body, command);
    break;
  case ORRERY_COMMAND_ATTACH:
    take_attach (set, body, command);
    break;
  case ORRERY_COMMAND_DYNAMICS:
    take_dynamics (set, body, command->flag);
    break;
  case ORRERY_COMMAND_GRAVITY:
    body->falls = command->flag;
    if (body_is_dynamic (body))
      set->calls->set_gravity (set, body, command->flag);
    break;
  default:
    break;
  }
  return TRUE;
}

static gboolean
take (BodySet *set, const OrreryCommand *command, GError **error)
{
  Body *body;

  /* Of the world, also of one without objects. */
  if (command->kind == ORRERY_COMMAND_QUANTITY) {
    body_set_take_quantity (set, command);
    return TRUE;
  }
  body = set->by_object[command->object];
  switch (command->kind) {
  case ORRERY_COMMAND_WHEEL:
    if (set->wheels != NULL)
      wheel_set_take (set->wheels, command);
    return TRUE;
  case ORRERY_COMMAND_JOINT_POSITION:
  case ORRERY_COMMAND_JOINT_VELOCITY:
  case ORRERY_COMMAND_JOINT_EFFORT:
  case ORRERY_COMMAND_JOINT_ROTATION:
    if (set->calls->take_joint != NULL)
      set->calls->take_joint (set, command);
    return TRUE;
  case ORRERY_COMMAND_PRESENCE:
    body_set_take_presence (set, command);
    return TRUE;
  default:
    return body == NULL || body->parked || take_for_body (set, body, command, error);
  }
}

/* Keeps the velocities for after the tick. */
static void
pin_all (BodySet *set)
{
  OrreryVec3 still = { 0 };

  for (guint i = 0; i < set->bodies->len && set->n_pinned > 0; i++) {
    Body *body = set->bodies->pdata[i];

    if (!body->pinned || body->motion != MOTION_FREE)
      continue;
    set->calls->get_velocity (set, body, &body->linear, &body->angular);
    set->calls->set_velocity (set, body, &still, &still);
    set->calls->set_freedom (set, body);
  }
}

/* Static bodies follow a parent that was moved by a command. */
static void
follow (BodySet *set)
{
  for (guint i = 0; i < set->bodies->len; i++) {
    Body *body = set->bodies->pdata[i];
    OrreryTransform parent;

    if (body->motion != MOTION_FIXED || orrery_object_get_parent (body->object) == NULL)
      continue;
    body_set_get_parent_pose (set, body, &parent);
    if (memcmp (&parent, &body->seen, sizeof parent) != 0)
      body_set_put (set, body);
  }
}

gboolean
body_set_apply (BodySet *set, OrreryCommands *commands, GError **error)
{
  const OrreryCommand *command;
  guint n;

  if (set->broken)
    return FALSE;
  /* A kinematic body moves only as long as it gets commands. */
  for (guint i = 0; i < set->bodies->len; i++) {
    Body *body = set->bodies->pdata[i];

    body->linear = body->angular = (OrreryVec3){ 0 };
    body_set_take_joint (set, body);
  }
  command = orrery_commands_get (commands, &n);
  for (guint i = 0; i < n && !set->broken; i++)
    set->broken = !take (set, &command[i], error);
  if (set->broken)
    return FALSE;
  pin_all (set);
  follow (set);
  return TRUE;
}

gboolean
body_set_push (BodySet *set, OrreryCommands *forces, GError **error)
{
  const OrreryCommand *command;
  guint n;

  command = orrery_commands_get (forces, &n);
  for (guint i = 0; i < n && !set->broken; i++) {
    Body *body = set->by_object[command[i].object];

    if (body == NULL || body->parked || command[i].kind != ORRERY_COMMAND_FORCE ||
        !body_is_dynamic (body))
      continue;
    if (check_force (body, &command[i], error))
      set->calls->push (set, body, &command[i].linear, &command[i].angular);
    else
      set->broken = TRUE;
  }
  return !set->broken;
}

/* --- substeps --- */

/* Puts a body where what holds it is now. */
static void
hold (BodySet *set, Body *body)
{
  OrreryVec3 linear, angular;
  OrreryTransform pose;

  body_set_get_pose (set, body->holder, &pose);
  orrery_transform_multiply (&pose, &body->held, &pose);
  orrery_quat_normalise (&pose.rotation);
  body_set_get_velocity_at (set, body->holder, &pose.position, &linear, &angular);
  set->calls->set_pose (set, body, &pose);
  set->calls->set_velocity (set, body, &linear, &angular);
}

static void
hold_all (BodySet *set)
{
  for (guint i = 0; i < set->bodies->len && set->n_held > 0; i++) {
    Body *body = set->bodies->pdata[i];

    if (body->holder != NULL)
      hold (set, body);
  }
}

static void
advance_told (BodySet *set, double dt)
{
  for (guint i = 0; i < set->bodies->len; i++) {
    Body *body = set->bodies->pdata[i];
    OrreryTransform before;

    if (body->motion != MOTION_TOLD && body->motion != MOTION_GHOST)
      continue;
    before = body->pose;
    if (orrery_object_get_parent (body->object) == NULL && !body->pinned)
      orrery_transform_advance (&body->local, &body->linear, &body->angular, dt);
    body_set_put (set, body);
    if (set->calls->measure != NULL)
      set->calls->measure (set, body, &before, dt);
  }
}

void
body_set_advance (BodySet *set, double dt)
{
  advance_told (set, dt);
  if (set->wheels != NULL)
    wheel_set_step (set->wheels, &wheel_engine, set, dt);
  hold_all (set);
}

/* --- the snapshot --- */

void
body_set_release (BodySet *set)
{
  for (guint i = 0; i < set->bodies->len && set->n_pinned > 0; i++) {
    Body *body = set->bodies->pdata[i];

    if (!body->pinned)
      continue;
    set_pinned (set, body, FALSE);
    if (body->motion != MOTION_FREE)
      continue;
    body->exact = TRUE;
    set->calls->set_pose (set, body, &body->pose);
    set->calls->set_freedom (set, body);
    set->calls->set_velocity (set, body, &body->linear, &body->angular);
  }
}

/* A rotation has two quaternions; the one nearer to the last keeps readers free of jumps. */
static void
keep_sign (OrreryQuat *q, const OrreryQuat *last)
{
  if (q->w * last->w + q->x * last->x + q->y * last->y + q->z * last->z < 0)
    *q = (OrreryQuat){ -q->w, -q->x, -q->y, -q->z };
}

static void
read_body (BodySet *set, Body *body, OrrerySnapshot *snapshot)
{
  OrreryTransform pose;
  OrreryVec3 linear, angular;

  if (body->motion == MOTION_TOLD || body->motion == MOTION_GHOST)
    body_set_put (set, body);
  if (!body->report)
    return;
  if (body->hollow) {
    set->calls->place_hollow (set, body, &pose);
    body->pose = pose;
  } else if (body->exact) {
    /* The engine may keep a rotation in another form, which costs it the last digit. */
    pose = body->pose;
    body->exact = FALSE;
  } else {
    body_set_get_pose (set, body->object, &pose);
  }
  body_set_get_velocity (set, body, &linear, &angular);
  keep_sign (&pose.rotation, &orrery_snapshot_get_pose (snapshot, body->index)->rotation);
  orrery_snapshot_set_body (snapshot, body->index, &pose, &linear, &angular);
}

/* What hangs by joints on bodies that are put or held, and what that holds in turn. */
static void
bring_along (BodySet *set)
{
  for (guint i = 0; i < set->bodies->len; i++) {
    Body *body = set->bodies->pdata[i];

    if (body->motion == MOTION_TOLD || body->motion == MOTION_GHOST)
      body_set_put (set, body);
  }
  set->calls->follow (set);
  hold_all (set);
}

void
body_set_read (BodySet *set, OrrerySnapshot *snapshot)
{
  hold_all (set);
  if (set->calls->follow != NULL)
    bring_along (set);
  for (guint i = 0; i < set->bodies->len; i++)
    read_body (set, set->bodies->pdata[i], snapshot);
  if (set->wheels != NULL)
    wheel_set_read (set->wheels, snapshot);
}
