/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints: the poses of their objects, and the motion of joints that no engine takes. */
#include "world/orrery-world-private.h"

#include <math.h>

/* --- one joint --- */

void
orrery_joint_init (OrreryJoint *joint, OrreryJointKind kind)
{
  *joint = (OrreryJoint){ .kind = kind, .axis = { 0, 0, 1 } };
}

/* A turn about a point of the object, behind its start pose. */
static void
turn (const OrreryJoint *joint, const OrreryQuat *rotation, OrreryTransform *move)
{
  OrreryVec3 back;

  orrery_quat_rotate (rotation, &joint->anchor, &back);
  move->rotation = *rotation;
  move->position = orrery_vec3_subtract (&joint->anchor, &back);
}

void
orrery_joint_place (const OrreryJoint *joint, const OrreryTransform *start,
                    const OrreryJointState *state, OrreryTransform *out)
{
  double q = state->position - joint->reference;
  OrreryVec3 along = orrery_vec3_scale (&joint->axis, q);
  OrreryTransform move;
  OrreryQuat rotation;

  orrery_transform_identity (&move);
  switch (joint->kind) {
  case ORRERY_JOINT_HINGE:
    orrery_quat_from_rotation_vector (&along, &rotation);
    turn (joint, &rotation, &move);
    break;
  case ORRERY_JOINT_SLIDE:
    move.position = along;
    break;
  case ORRERY_JOINT_BALL:
    turn (joint, &state->rotation, &move);
    break;
  case ORRERY_JOINT_FIXED:
    break;
  }
  orrery_transform_multiply (start, &move, out);
}

static double
limit (const OrreryJoint *joint, double position)
{
  return joint->limited ? CLAMP (position, joint->lower, joint->upper) : position;
}

/* Rotation vector of the shorter way from one rotation to the other. */
static OrreryVec3
find_way (const OrreryQuat *from, const OrreryQuat *to)
{
  OrreryQuat back = { from->w, -from->x, -from->y, -from->z };
  OrreryQuat way;
  double length, angle;
  OrreryVec3 v;

  orrery_quat_multiply (&back, to, &way);
  if (way.w < 0)
    way = (OrreryQuat){ -way.w, -way.x, -way.y, -way.z };
  v = (OrreryVec3){ way.x, way.y, way.z };
  length = orrery_vec3_length (&v);
  if (length == 0)
    return v;
  angle = 2 * atan2 (length, way.w) / length;
  return orrery_vec3_scale (&v, angle);
}

/* --- joints that no engine does the dynamics of --- */

/* The largest distance that a motor moves in a given time. */
static double
get_reach (const OrreryJointDrive *drive, const OrreryJoint *joint, double dt)
{
  double speed = joint->max_speed > 0 ? joint->max_speed : INFINITY;

  if (drive->speed > 0)
    speed = fmin (speed, drive->speed);
  return speed * dt;
}

static void
advance_single (const OrreryJointDrive *drive, const OrreryJoint *joint, OrreryJointState *state,
                double dt)
{
  double before = state->position;
  double reach = get_reach (drive, joint, dt);
  double goal = before;

  if (drive->mode == ORRERY_DRIVE_POSITION)
    goal = limit (joint, drive->target.x);
  else if (drive->mode == ORRERY_DRIVE_VELOCITY)
    goal = limit (joint, before + drive->target.x * dt);
  /* The joint reaches the target exactly, so that a part can wait for it. */
  if (fabs (goal - before) > reach)
    goal = before + copysign (reach, goal - before);
  state->position = goal;
  state->velocity = (goal - before) / dt;
}

static void
advance_ball (const OrreryJointDrive *drive, const OrreryJoint *joint, OrreryJointState *state,
              double dt)
{
  double reach = get_reach (drive, joint, dt);
  OrreryVec3 none = { 0 };
  OrreryVec3 way = none;
  OrreryQuat q;
  double angle, share;

  if (drive->mode == ORRERY_DRIVE_POSITION)
    way = find_way (&state->rotation, &drive->rotation);
  else if (drive->mode == ORRERY_DRIVE_VELOCITY)
    way = orrery_vec3_scale (&drive->target, dt);
  angle = orrery_vec3_length (&way);
  share = angle > reach ? reach / angle : 1;
  way = orrery_vec3_scale (&way, share);
  orrery_quat_from_rotation_vector (&way, &q);
  if (drive->mode == ORRERY_DRIVE_POSITION && share == 1)
    state->rotation = drive->rotation;
  else
    orrery_quat_multiply (&state->rotation, &q, &state->rotation);
  orrery_quat_normalise (&state->rotation);
  state->turning = orrery_vec3_divide (&way, dt);
  state->velocity = orrery_vec3_length (&state->turning);
  way = find_way (&(OrreryQuat){ 1, 0, 0, 0 }, &state->rotation);
  state->position = orrery_vec3_length (&way);
}

static gboolean
is_still (const OrreryJointDrive *drive, const OrreryJointState *state)
{
  if (state->velocity != 0)
    return FALSE;
  switch (drive->mode) {
  case ORRERY_DRIVE_POSITION:
    return drive->object->joint->kind != ORRERY_JOINT_BALL &&
           limit (drive->object->joint, drive->target.x) == state->position;
  case ORRERY_DRIVE_VELOCITY:
    return drive->target.x == 0 && drive->target.y == 0 && drive->target.z == 0;
  case ORRERY_DRIVE_NONE:
  case ORRERY_DRIVE_EFFORT:
    break;
  }
  return TRUE;
}

static void
place_object (OrrerySnapshot *snapshot, const OrreryJointDrive *drive)
{
  OrreryObject *object = drive->object;

  orrery_joint_place (object->joint, &object->start, &snapshot->joints[drive->slot],
                      &snapshot->local[object->index]);
  orrery_snapshot_note_local (snapshot, object->index);
}

static guint
count_leaders (OrreryObject *object)
{
  const OrreryConstraint *coupling;
  guint n = 0;

  for (; (coupling = orrery_object_get_coupling (object)) != NULL; object = coupling->other)
    n++;
  return n;
}

/* Moves a joint to where its leading joint puts it; @dt 0: at rest. */
static void
follow (const OrreryJointDrive *drive, OrrerySnapshot *snapshot, double dt)
{
  const OrreryConstraint *coupling = orrery_object_get_coupling (drive->object);
  const OrreryJointState *leader = &snapshot->joints[snapshot->slots[coupling->other->index]];
  OrreryJointState *state = &snapshot->joints[drive->slot];
  double before = state->position;
  double was = state->velocity;

  state->position =
      limit (drive->object->joint, orrery_constraint_follow (coupling, leader->position, NULL));
  state->velocity = dt > 0 ? (state->position - before) / dt : 0;
  if (state->position != before || was != 0)
    place_object (snapshot, drive);
}

/* Couplings of the drives from @first on, leaders first; chains of them are short. */
static void
follow_all (GArray *drives, guint first, OrrerySnapshot *snapshot, double dt)
{
  gboolean more = TRUE;

  for (guint depth = 1; more; depth++) {
    more = FALSE;
    for (guint i = first; i < drives->len; i++) {
      const OrreryJointDrive *drive = &g_array_index (drives, OrreryJointDrive, i);

      more = more || drive->depth > depth;
      if (drive->depth == depth && !drive->taken)
        follow (drive, snapshot, dt);
    }
  }
}

void
orrery_joints_advance (GArray *drives, OrrerySnapshot *snapshot, double dt)
{
  gboolean coupled = FALSE;

  for (guint i = 0; i < drives->len; i++) {
    const OrreryJointDrive *drive = &g_array_index (drives, OrreryJointDrive, i);
    OrreryJointState *state = &snapshot->joints[drive->slot];

    coupled = coupled || drive->depth > 0;
    if (drive->taken || drive->depth > 0 || is_still (drive, state))
      continue;
    if (drive->object->joint->kind == ORRERY_JOINT_BALL)
      advance_ball (drive, drive->object->joint, state, dt);
    else
      advance_single (drive, drive->object->joint, state, dt);
    place_object (snapshot, drive);
  }
  if (coupled)
    follow_all (drives, 0, snapshot, dt);
}

/* --- commands --- */

static void
put (OrreryJointDrive *drive, OrrerySnapshot *snapshot, double position)
{
  OrreryJointState *state = &snapshot->joints[drive->slot];

  state->position = limit (drive->object->joint, position);
  state->velocity = 0;
  place_object (snapshot, drive);
}

gboolean
orrery_joints_take_command (GArray *drives, OrrerySnapshot *snapshot, const OrreryCommand *command)
{
  OrreryJointDrive *drive;

  if (snapshot->slots[command->object] == G_MAXUINT)
    return TRUE;
  drive = &g_array_index (drives, OrreryJointDrive, snapshot->slots[command->object]);
  if (drive->object->parked)
    return TRUE;
  drive->target = command->linear;
  drive->speed = command->angular.x;
  switch (command->kind) {
  case ORRERY_COMMAND_JOINT_POSITION:
    drive->mode = ORRERY_DRIVE_POSITION;
    if (command->flag && !drive->taken)
      put (drive, snapshot, command->linear.x);
    break;
  case ORRERY_COMMAND_JOINT_ROTATION:
    drive->mode = ORRERY_DRIVE_POSITION;
    drive->rotation = command->pose.rotation;
    break;
  case ORRERY_COMMAND_JOINT_VELOCITY:
    drive->mode = ORRERY_DRIVE_VELOCITY;
    drive->speed = 0;
    break;
  case ORRERY_COMMAND_JOINT_EFFORT:
    drive->mode = ORRERY_DRIVE_EFFORT;
    break;
  default:
    break;
  }
  return !drive->taken;
}

/* --- all joints of a world --- */

static void
begin (OrrerySnapshot *snapshot, OrreryObject *object, guint slot)
{
  const OrreryJoint *joint = object->joint;

  snapshot->joints[slot] =
      (OrreryJointState){ .position = limit (joint, joint->initial), .rotation = { 1, 0, 0, 0 } };
  if (joint->kind == ORRERY_JOINT_BALL || joint->kind == ORRERY_JOINT_FIXED)
    snapshot->joints[slot].position = 0;
  snapshot->slots[object->index] = slot;
}

/* Callers may keep the address of a state, so it must not change. */
static void
make_states (OrrerySnapshot *snapshot, guint n)
{
  if (n > snapshot->n_joints_allocated) {
    snapshot->n_joints_allocated = n + snapshot->room;
    snapshot->joints = g_renew (OrreryJointState, snapshot->joints, snapshot->n_joints_allocated);
  }
  snapshot->n_joints = n;
}

void
orrery_joints_place (GArray *drives, OrrerySnapshot *snapshot, GPtrArray *objects, guint first)
{
  guint before = first > 0 ? drives->len : 0;

  g_array_set_size (drives, before);
  for (guint i = first; i < objects->len; i++) {
    OrreryJointDrive drive = { .object = objects->pdata[i], .slot = drives->len };

    snapshot->slots[i] = G_MAXUINT;
    drive.depth = count_leaders (drive.object);
    if (drive.object->joint != NULL)
      g_array_append_val (drives, drive);
  }
  make_states (snapshot, drives->len);
  for (guint i = before; i < drives->len; i++) {
    const OrreryJointDrive *drive = &g_array_index (drives, OrreryJointDrive, i);

    begin (snapshot, drive->object, i);
    place_object (snapshot, drive);
  }
  follow_all (drives, before, snapshot, 0);
}

void
orrery_joints_drop (GArray *drives, OrrerySnapshot *snapshot, guint first)
{
  guint n = drives->len;

  while (n > 0 && g_array_index (drives, OrreryJointDrive, n - 1).object->index >= first)
    n--;
  g_array_set_size (drives, n);
  snapshot->n_joints = n;
}

/* Where a joint is at the start of a run, of one that follows another one, too. */
static double
get_first (OrreryObject *object)
{
  const OrreryConstraint *coupling = orrery_object_get_coupling (object);
  double first = object->joint->initial;

  if (coupling != NULL)
    first = orrery_constraint_follow (coupling, get_first (coupling->other), NULL);
  return limit (object->joint, first);
}

void
orrery_joints_begin_again (GArray *drives, OrrerySnapshot *snapshot, OrreryObject *object)
{
  guint slot = snapshot->slots[object->index];
  OrreryJointDrive *drive;

  if (slot == G_MAXUINT)
    return;
  drive = &g_array_index (drives, OrreryJointDrive, slot);
  *drive = (OrreryJointDrive){
    .object = object, .slot = slot, .taken = drive->taken, .depth = drive->depth
  };
  begin (snapshot, object, slot);
  if (drive->depth > 0)
    snapshot->joints[slot].position = get_first (object);
  place_object (snapshot, drive);
}
