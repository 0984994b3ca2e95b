/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.physics.mujoco.MuJoCo: articulated robots and convex scenes, by MuJoCo 2.2.2. This file is
 * the role; engine.h hides the steps.
 */
#include "engine.h"

#include "../twist.h"

#include <math.h>
#include <string.h>

/* m, m/s, rad/s, kg */
#define REACH 1e9

#define ORRERY_TYPE_MUJOCO (orrery_mujoco_get_type ())
G_DECLARE_FINAL_TYPE (OrreryMujoco, orrery_mujoco, ORRERY, MUJOCO, OrreryPhysics)

struct _OrreryMujoco {
  OrreryPhysics parent_instance;

  OrreryWorld *world;
  Engine *engine;
  GPtrArray *things; /* (element-type Thing), in the order of the objects */
  GArray *motors;    /* (element-type Motor) */
  Thing **by_object; /* NULL where an object has no body */
  gint64 *motor_of;  /* of an object: place among the motors, or -1 */
  guint n_objects;
  gboolean broken; /* a state was reached that is none */
};

G_DEFINE_FINAL_TYPE (OrreryMujoco, orrery_mujoco, ORRERY_TYPE_PHYSICS)

static gboolean
fail (GError **error, OrreryObject *object, const char *message)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "object '%s': %s",
               orrery_object_get_name (object), message);
  return FALSE;
}

/* --- poses of what is put --- */

static Thing *
find_thing (OrreryMujoco *self, OrreryObject *object)
{
  return self->by_object[orrery_object_get_index (object)];
}

static gboolean
is_dynamic (const Thing *thing)
{
  return thing->motion == MOTION_FREE || thing->motion == MOTION_LINK;
}

/* Where an object is now; of one without a body, seen from what carries it as in the last snapshot.
 */
static void
get_pose (OrreryMujoco *self, OrreryObject *object, OrreryTransform *pose)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  Thing *thing = find_thing (self, object);
  OrreryObject *parent = orrery_object_get_parent (object);
  const OrreryTransform *last =
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object));
  OrreryTransform local;

  if (thing != NULL && is_dynamic (thing) && !thing->hollow) {
    engine_get_pose (self->engine, thing, pose);
  } else if (thing != NULL && !is_dynamic (thing)) {
    *pose = thing->pose;
  } else if (parent == NULL) {
    *pose = *last;
  } else {
    orrery_transform_relative (orrery_snapshot_get_pose (snapshot,
                                                         orrery_object_get_index (parent)),
                               last, &local);
    get_pose (self, parent, pose);
    orrery_transform_multiply (pose, &local, pose);
  }
}

static void
get_parent_pose (OrreryMujoco *self, Thing *thing, OrreryTransform *pose)
{
  OrreryObject *parent = orrery_object_get_parent (thing->object);

  if (parent != NULL)
    get_pose (self, parent, pose);
  else
    orrery_transform_identity (pose);
}

static void
put (OrreryMujoco *self, Thing *thing)
{
  OrreryTransform parent;

  get_parent_pose (self, thing, &parent);
  thing->seen = parent;
  orrery_transform_multiply (&parent, &thing->local, &thing->pose);
  engine_set_pose (self->engine, thing, &thing->pose);
}

/* Of a link without a mass: as its carrier moves, at its own place. */
static void
place_hollow (OrreryMujoco *self, Thing *thing, OrreryTransform *pose)
{
  const Motor *motor = &g_array_index (self->motors, Motor, self->motor_of[thing->index]);
  OrreryJointState state;

  engine_get_joint (self->engine, motor, &state);
  get_parent_pose (self, thing, pose);
  orrery_joint_place (motor->joint, orrery_object_get_start (thing->object), &state, &thing->local);
  orrery_transform_multiply (pose, &thing->local, pose);
}

static void
get_velocity (OrreryMujoco *self, Thing *thing, OrreryVec3 *linear, OrreryVec3 *angular)
{
  OrreryTransform from;
  OrreryVec3 arm;

  if (is_dynamic (thing) && !thing->hollow) {
    engine_get_velocity (self->engine, thing, linear, angular);
    return;
  }
  *linear = thing->linear;
  *angular = thing->angular;
  if (thing->carrier == NULL)
    return;

  get_velocity (self, thing->carrier, linear, angular);
  get_pose (self, thing->carrier->object, &from);
  arm = (OrreryVec3){ thing->pose.position.x - from.position.x,
                      thing->pose.position.y - from.position.y,
                      thing->pose.position.z - from.position.z };
  linear->x += angular->y * arm.z - angular->z * arm.y;
  linear->y += angular->z * arm.x - angular->x * arm.z;
  linear->z += angular->x * arm.y - angular->y * arm.x;
}

/* --- building --- */

static void
thing_free (gpointer data)
{
  Thing *thing = data;

  g_array_unref (thing->pieces);
  g_ptr_array_unref (thing->links);
  g_free (thing);
}

static void
clear (OrreryMujoco *self)
{
  g_clear_pointer (&self->engine, engine_free);
  g_clear_pointer (&self->things, g_ptr_array_unref);
  g_clear_pointer (&self->motors, g_array_unref);
  g_clear_pointer (&self->by_object, g_free);
  g_clear_pointer (&self->motor_of, g_free);
  g_clear_object (&self->world);
  self->broken = FALSE;
}

static void
collect_piece (OrreryShape *shape, const OrreryTransform *offset, gpointer user_data)
{
  Piece piece = { shape, *offset };

  g_array_append_val ((GArray *) user_data, piece);
}

static Thing *
find_carrier (OrreryMujoco *self, OrreryObject *object)
{
  Thing *thing = NULL;

  for (object = orrery_object_get_parent (object); object != NULL && thing == NULL;
       object = orrery_object_get_parent (object))
    thing = find_thing (self, object);
  return thing;
}

static Motion
choose_motion (OrreryObject *object, const Thing *carrier)
{
  const OrreryJoint *joint = orrery_object_get_joint (object);

  if (model_moves_joint (object))
    return MOTION_LINK;
  switch (orrery_object_get_body (object)->type) {
  case ORRERY_BODY_RIGID:
  case ORRERY_BODY_DYNAMIC:
    if (joint == NULL)
      return MOTION_FREE;
    break;
  case ORRERY_BODY_GHOST:
    return MOTION_GHOST;
  case ORRERY_BODY_STATIC:
  case ORRERY_BODY_NONE:
    break;
  }
  if (orrery_object_has_moving_joint (object))
    return MOTION_TOLD;
  return carrier == NULL || carrier->motion == MOTION_FIXED ? MOTION_FIXED : MOTION_TOLD;
}

static void
take_joint (OrreryMujoco *self, Thing *thing)
{
  const OrreryJointState *state =
      orrery_snapshot_get_joint (orrery_world_get_snapshot (self->world), thing->index);

  if (state != NULL && !is_dynamic (thing))
    orrery_joint_place (orrery_object_get_joint (thing->object),
                        orrery_object_get_start (thing->object), state, &thing->local);
}

static Thing *
add_thing (OrreryMujoco *self, OrreryObject *object)
{
  Thing *thing = g_new0 (Thing, 1);
  guint index = orrery_object_get_index (object);

  thing->object = object;
  thing->index = index;
  thing->settings = orrery_object_get_body (object);
  thing->inertial = orrery_object_get_inertial (object);
  thing->carrier = find_carrier (self, object);
  thing->motion = choose_motion (object, thing->carrier);
  thing->gravity = thing->settings->gravity;
  thing->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  thing->links = g_ptr_array_new ();
  thing->body = thing->qpos = thing->dof = thing->mocap = -1;
  thing->pose = *orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world), index);
  thing->local =
      orrery_object_get_parent (object) != NULL ? *orrery_object_get_start (object) : thing->pose;
  take_joint (self, thing);
  thing->report = is_dynamic (thing) ||
                  (thing->motion != MOTION_FIXED && thing->settings->type != ORRERY_BODY_NONE &&
                   (orrery_object_get_parent (object) == NULL || thing->carrier != NULL));
  orrery_physics_foreach_shape (object, collect_piece, thing->pieces);
  g_ptr_array_add (self->things, thing);
  self->by_object[index] = thing;
  return thing;
}

/* Something that moves with the tree hangs its links on a body, even where it has none. */
static void
add_base (OrreryMujoco *self, OrreryObject *link)
{
  OrreryObject *parent = orrery_object_get_parent (link);
  Thing *base;

  if (parent == NULL || find_carrier (self, link) != NULL)
    return;
  base = add_thing (self, parent);
  base->motion = MOTION_TOLD;
  base->report = FALSE;
  g_array_set_size (base->pieces, 0);
}

static gboolean
is_fixed_to_body (OrreryMujoco *self, OrreryObject *object)
{
  gboolean part = orrery_physics_is_part (object);

  while (orrery_physics_is_part (object))
    object = orrery_object_get_parent (object);
  return part && find_thing (self, object) != NULL;
}

static void
add_motor (OrreryMujoco *self, Thing *thing)
{
  Motor motor = { .thing = thing, .joint = orrery_object_get_joint (thing->object) };

  self->motor_of[thing->index] = self->motors->len;
  g_array_append_val (self->motors, motor);
  orrery_world_take_joint (self->world, thing->object);
}

static gboolean
add_object (OrreryMujoco *self, OrreryObject *object, GError **error)
{
  const OrreryBody *body = orrery_object_get_body (object);
  Thing *thing;

  if (body->type == ORRERY_BODY_NONE || is_fixed_to_body (self, object))
    return TRUE;
  if (model_moves_joint (object))
    add_base (self, object);
  thing = add_thing (self, object);
  if (thing->pieces->len == 0 && !is_dynamic (thing) && thing->motion != MOTION_GHOST &&
      orrery_object_get_joint (object) != NULL)
    return TRUE;
  if (thing->pieces->len == 0 && thing->inertial == NULL &&
      (thing->motion == MOTION_FREE || thing->motion == MOTION_GHOST))
    return fail (error, object, "a body that moves or reports contacts needs a solid shape");
  if (!model_check (thing, error))
    return FALSE;
  if (thing->motion != MOTION_LINK)
    return TRUE;
  if (thing->carrier != NULL)
    g_ptr_array_add (thing->carrier->links, thing);
  add_motor (self, thing);
  return TRUE;
}

/* A link of no mass and no shape is one with the link behind it, if it is one. */
static gboolean
find_hollow (OrreryMujoco *self, GError **error)
{
  for (guint i = 0; i < self->things->len; i++) {
    Thing *thing = self->things->pdata[i];

    if (thing->motion != MOTION_LINK || thing->settings->mass > 0 || thing->pieces->len > 0)
      continue;
    if (thing->links->len != 1)
      return fail (error, thing->object, "a link without a mass needs one link behind it");
    thing->hollow = TRUE;
  }
  return TRUE;
}

/* Where all of it stands at first. */
static void
place (OrreryMujoco *self)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);

  for (guint i = 0; i < self->things->len; i++) {
    Thing *thing = self->things->pdata[i];

    orrery_object_get_body (thing->object)->inertia =
        is_dynamic (thing) ? thing->inertia : (OrreryVec3){ 0 };
    if (thing->motion == MOTION_FREE) {
      engine_set_pose (self->engine, thing, &thing->pose);
      engine_set_locks (self->engine, thing);
    } else if (thing->motion != MOTION_LINK) {
      engine_set_pose (self->engine, thing, &thing->pose);
    }
  }
  for (guint i = 0; i < self->motors->len; i++) {
    Motor *motor = &g_array_index (self->motors, Motor, i);

    engine_put_joint (self->engine, motor,
                      orrery_snapshot_get_joint (snapshot, motor->thing->index)->position);
  }
  engine_end (self->engine);
}

static void
orrery_mujoco_build (OrreryPhysics *physics, OrreryWorld *world, GError **error)
{
  OrreryMujoco *self = ORRERY_MUJOCO (physics);

  clear (self);
  self->world = g_object_ref (world);
  self->n_objects = orrery_world_get_n_objects (world);
  self->things = g_ptr_array_new_with_free_func (thing_free);
  self->motors = g_array_new (FALSE, FALSE, sizeof (Motor));
  self->by_object = g_new0 (Thing *, self->n_objects);
  self->motor_of = g_new (gint64, self->n_objects);
  for (guint i = 0; i < self->n_objects; i++)
    self->motor_of[i] = -1;

  for (guint i = 0; i < self->n_objects; i++)
    if (!add_object (self, orrery_world_get_object (world, i), error)) {
      clear (self);
      return;
    }
  if (find_hollow (self, error))
    self->engine = engine_new (self->things, self->motors, orrery_world_get_gravity (world), error);
  if (self->engine == NULL)
    clear (self);
  else
    place (self);
}

/* --- a tick --- */

static OrreryVec3
times (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return (OrreryVec3){ a->x * b->x, a->y * b->y, a->z * b->z };
}

static void
take_velocity (OrreryMujoco *self, Thing *thing, const OrreryCommand *command)
{
  OrreryVec3 linear = times (&command->linear, &thing->settings->linear_factor);
  OrreryVec3 angular = times (&command->angular, &thing->settings->angular_factor);

  if (thing->suspended || thing->motion == MOTION_LINK)
    return;
  if (thing->motion == MOTION_FREE) {
    engine_set_velocity (self->engine, thing, &linear, &angular);
  } else if (orrery_object_get_parent (thing->object) == NULL &&
             orrery_object_get_joint (thing->object) == NULL) {
    thing->linear = linear;
    thing->angular = angular;
  }
}

static void
take_pose (OrreryMujoco *self, Thing *thing, const OrreryCommand *command)
{
  OrreryVec3 still = { 0 };
  OrreryTransform pose;

  if (thing->motion == MOTION_LINK || thing->settings->type == ORRERY_BODY_NONE)
    return;
  if (thing->motion == MOTION_FREE) {
    get_parent_pose (self, thing, &pose);
    orrery_transform_multiply (&pose, &command->pose, &pose);
    engine_set_pose (self->engine, thing, &pose);
    if (!command->flag)
      engine_set_velocity (self->engine, thing, &still, &still);
    return;
  }
  thing->local = command->pose;
  thing->report = TRUE;
  if (!command->flag)
    thing->linear = thing->angular = still;
  put (self, thing);
}

static void
take_dynamics (OrreryMujoco *self, Thing *thing, gboolean on)
{
  OrreryVec3 still = { 0 };

  if (thing->suspended == !on)
    return;
  thing->suspended = !on;
  if (thing->motion != MOTION_FREE)
    return;
  engine_set_locks (self->engine, thing);
  engine_set_velocity (self->engine, thing, &still, &still);
}

static void
add (OrreryVec3 *sum, const OrreryVec3 *v)
{
  *sum = (OrreryVec3){ sum->x + v->x, sum->y + v->y, sum->z + v->z };
}

static gboolean
is_near (const OrreryVec3 *v, double reach)
{
  return fabs (v->x) <= reach && fabs (v->y) <= reach && fabs (v->z) <= reach;
}

static gboolean
take_force (const Thing *thing, const OrreryCommand *command, OrreryVec3 *force, OrreryVec3 *torque,
            GError **error)
{
  if (!is_dynamic (thing))
    return TRUE;
  if (!is_near (&command->linear, REACH * thing->settings->mass)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE,
                 "object '%s': a force on it is beyond 1e9 N for each kg",
                 orrery_object_get_name (thing->object));
    return FALSE;
  }
  add (force, &command->linear);
  add (torque, &command->angular);
  return TRUE;
}

static void
take_motor (OrreryMujoco *self, const OrreryCommand *command)
{
  Motor *motor;
  OrreryJointState state;

  if (self->motor_of[command->object] < 0)
    return;
  motor = &g_array_index (self->motors, Motor, self->motor_of[command->object]);
  engine_get_joint (self->engine, motor, &state);
  motor->target = command->linear.x;
  motor->speed = command->angular.x;
  /* It begins where it is, not where another target had left it. */
  if (motor->mode != MOTOR_POSITION)
    motor->goal = state.position;
  switch (command->kind) {
  case ORRERY_COMMAND_JOINT_POSITION:
    motor->mode = MOTOR_POSITION;
    if (command->flag)
      engine_put_joint (self->engine, motor, command->linear.x);
    break;
  case ORRERY_COMMAND_JOINT_ROTATION:
    motor->mode = MOTOR_POSITION;
    motor->rotation = command->pose.rotation;
    break;
  case ORRERY_COMMAND_JOINT_VELOCITY:
    motor->mode = MOTOR_VELOCITY;
    break;
  case ORRERY_COMMAND_JOINT_EFFORT:
    motor->mode = MOTOR_EFFORT;
    break;
  default:
    break;
  }
}

static gboolean
take (OrreryMujoco *self, const OrreryCommand *command, GError **error)
{
  Thing *thing = self->by_object[command->object];

  if (command->kind >= ORRERY_COMMAND_JOINT_POSITION &&
      command->kind <= ORRERY_COMMAND_JOINT_ROTATION) {
    take_motor (self, command);
    return TRUE;
  }
  if (thing == NULL)
    return TRUE;
  switch (command->kind) {
  case ORRERY_COMMAND_VELOCITY:
    take_velocity (self, thing, command);
    break;
  case ORRERY_COMMAND_FORCE:
    return take_force (thing, command, &thing->force, &thing->torque, error);
  case ORRERY_COMMAND_POSE:
    take_pose (self, thing, command);
    break;
  case ORRERY_COMMAND_DYNAMICS:
    take_dynamics (self, thing, command->flag);
    break;
  case ORRERY_COMMAND_GRAVITY:
    thing->gravity = command->flag;
    break;
  default:
    break;
  }
  return TRUE;
}

/* What never moves by itself follows a parent that somebody moved. */
static void
follow (OrreryMujoco *self)
{
  for (guint i = 0; i < self->things->len; i++) {
    Thing *thing = self->things->pdata[i];
    OrreryTransform parent;

    if (thing->motion != MOTION_FIXED || orrery_object_get_parent (thing->object) == NULL)
      continue;
    get_parent_pose (self, thing, &parent);
    if (memcmp (&parent, &thing->seen, sizeof parent) != 0)
      put (self, thing);
  }
}

static void
orrery_mujoco_apply (OrreryPhysics *physics, OrreryCommands *commands, GError **error)
{
  OrreryMujoco *self = ORRERY_MUJOCO (physics);
  const OrreryCommand *command;
  guint n;

  if (self->broken)
    return;
  /* What is put moves only while it is told to. */
  for (guint i = 0; i < self->things->len; i++) {
    Thing *thing = self->things->pdata[i];

    thing->linear = thing->angular = (OrreryVec3){ 0 };
    take_joint (self, thing);
  }
  command = orrery_commands_get (commands, &n);
  for (guint i = 0; i < n && !self->broken; i++)
    self->broken = !take (self, &command[i], error);
  if (!self->broken)
    follow (self);
}

/* How it has moved, for what it rubs against. */
static void
measure (Thing *thing, const OrreryTransform *before, double dt)
{
  const OrreryVec3 *p = &thing->pose.position, *q = &before->position;
  double a[4] = { thing->pose.rotation.w, thing->pose.rotation.x, thing->pose.rotation.y,
                  thing->pose.rotation.z };
  double b[4] = { before->rotation.w, before->rotation.x, before->rotation.y, before->rotation.z };
  double turn[3], world[3];

  thing->moving = (OrreryVec3){ (p->x - q->x) / dt, (p->y - q->y) / dt, (p->z - q->z) / dt };
  mju_subQuat (turn, a, b);
  mju_rotVecQuat (world, turn, b);
  thing->turning = (OrreryVec3){ world[0] / dt, world[1] / dt, world[2] / dt };
}

static void
advance_told (OrreryMujoco *self, double dt)
{
  for (guint i = 0; i < self->things->len; i++) {
    Thing *thing = self->things->pdata[i];
    OrreryTransform before = thing->pose;

    if (thing->motion != MOTION_TOLD && thing->motion != MOTION_GHOST)
      continue;
    if (orrery_object_get_parent (thing->object) == NULL)
      twist_advance (&thing->local, &thing->linear, &thing->angular, dt);
    put (self, thing);
    measure (thing, &before, dt);
  }
}

static void
orrery_mujoco_step (OrreryPhysics *physics, double dt, GError **error)
{
  OrreryMujoco *self = ORRERY_MUJOCO (physics);

  if (self->broken)
    return;
  advance_told (self, dt);
  self->broken = !engine_step (self->engine, dt, error);
}

static void
orrery_mujoco_push (OrreryPhysics *physics, OrreryCommands *forces, GError **error)
{
  OrreryMujoco *self = ORRERY_MUJOCO (physics);
  const OrreryCommand *command;
  guint n;

  command = orrery_commands_get (forces, &n);
  for (guint i = 0; i < n && !self->broken; i++) {
    Thing *thing = self->by_object[command[i].object];

    if (thing != NULL && command[i].kind == ORRERY_COMMAND_FORCE)
      self->broken = !take_force (thing, &command[i], &thing->push, &thing->twist, error);
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
read_thing (OrreryMujoco *self, Thing *thing, OrrerySnapshot *snapshot)
{
  OrreryTransform pose;
  OrreryVec3 linear, angular;

  if (thing->motion == MOTION_TOLD || thing->motion == MOTION_GHOST)
    put (self, thing);
  if (!thing->report)
    return;
  if (thing->hollow)
    place_hollow (self, thing, &pose);
  else
    get_pose (self, thing->object, &pose);
  if (thing->hollow)
    thing->pose = pose;
  get_velocity (self, thing, &linear, &angular);
  keep_sign (&pose.rotation, &orrery_snapshot_get_pose (snapshot, thing->index)->rotation);
  orrery_snapshot_set_body (snapshot, thing->index, &pose, &linear, &angular);
}

static void
orrery_mujoco_read (OrreryPhysics *physics, OrrerySnapshot *snapshot, GError **error)
{
  OrreryMujoco *self = ORRERY_MUJOCO (physics);

  if (self->broken)
    return;
  engine_end (self->engine);
  for (guint i = 0; i < self->things->len; i++)
    read_thing (self, self->things->pdata[i], snapshot);
  for (guint i = 0; i < self->motors->len; i++) {
    const Motor *motor = &g_array_index (self->motors, Motor, i);
    OrreryJointState state;

    engine_get_joint (self->engine, motor, &state);
    orrery_snapshot_set_joint (snapshot, motor->thing->index, &state);
  }
  engine_report (self->engine, snapshot);
}

static GVariant *
orrery_mujoco_save (OrreryPart *part)
{
  OrreryMujoco *self = ORRERY_MUJOCO (part);

  return self->engine != NULL ? engine_save (self->engine) : NULL;
}

static void
orrery_mujoco_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryMujoco *self = ORRERY_MUJOCO (part);

  if (self->engine == NULL || !engine_restore (self->engine, state))
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "%s: not a state of the bodies of this scene", orrery_part_get_name (part));
}

static void
orrery_mujoco_finalize (GObject *object)
{
  clear (ORRERY_MUJOCO (object));
  G_OBJECT_CLASS (orrery_mujoco_parent_class)->finalize (object);
}

static void
orrery_mujoco_class_init (OrreryMujocoClass *klass)
{
  OrreryPhysicsClass *physics_class = ORRERY_PHYSICS_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_mujoco_finalize;
  ORRERY_PART_CLASS (klass)->save = orrery_mujoco_save;
  ORRERY_PART_CLASS (klass)->restore = orrery_mujoco_restore;
  physics_class->build = orrery_mujoco_build;
  physics_class->apply = orrery_mujoco_apply;
  physics_class->step = orrery_mujoco_step;
  physics_class->read = orrery_mujoco_read;
  physics_class->push = orrery_mujoco_push;
}

static void
orrery_mujoco_init (OrreryMujoco *self)
{
}

ORRERY_PLUGIN ("Articulated robots and convex scenes by MuJoCo", "BSD-3-Clause",
               ORRERY_CLASS (MuJoCo, OrreryMujoco, orrery_mujoco))
