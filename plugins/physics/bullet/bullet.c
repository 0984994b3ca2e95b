/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.physics.bullet.Bullet: rigid bodies in double precision, as users of MORSE know them. This
 * file is the role; engine.h hides Bullet.
 */
#include "bullet-private.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (OrreryBullet, orrery_bullet, ORRERY_TYPE_PHYSICS)

/* --- poses of what is put --- */

static Entry *
find_entry (OrreryBullet *self, OrreryObject *object)
{
  return self->by_object[orrery_object_get_index (object)];
}

/* Where an object is now; of one without a body, seen from what carries it as in the last snapshot.
 */
static void
get_pose (OrreryBullet *self, OrreryObject *object, OrreryTransform *pose)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  Entry *entry = find_entry (self, object);
  OrreryObject *parent = orrery_object_get_parent (object);
  const OrreryTransform *last =
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object));
  OrreryTransform local;

  if (entry != NULL && entry->motion == BULLET_FREE) {
    bullet_body_get_pose (entry->body, pose);
  } else if (entry != NULL) {
    *pose = entry->pose;
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
get_parent_pose (OrreryBullet *self, Entry *entry, OrreryTransform *pose)
{
  OrreryObject *parent = orrery_object_get_parent (entry->object);

  if (parent != NULL)
    get_pose (self, parent, pose);
  else
    orrery_transform_identity (pose);
}

/* Puts a body that moves with its parent, or as it was told, to where it is now. */
static void
put (OrreryBullet *self, Entry *entry)
{
  OrreryTransform parent;

  get_parent_pose (self, entry, &parent);
  entry->seen = parent;
  orrery_transform_multiply (&parent, &entry->local, &entry->pose);
  bullet_body_set_pose (entry->body, &entry->pose);
}

/* The nearest body that carries it. */
static Entry *
find_carrier (OrreryBullet *self, OrreryObject *object)
{
  Entry *entry = NULL;

  for (object = orrery_object_get_parent (object); object != NULL && entry == NULL;
       object = orrery_object_get_parent (object))
    entry = find_entry (self, object);
  return entry;
}

/* Of a body that turns with @spin about a point that @arm leads away from. */
static void
add_spin (const OrreryVec3 *spin, const OrreryVec3 *arm, OrreryVec3 *linear)
{
  linear->x += spin->y * arm->z - spin->z * arm->y;
  linear->y += spin->z * arm->x - spin->x * arm->z;
  linear->z += spin->x * arm->y - spin->y * arm->x;
}

/* What the joint's own motion adds. */
static void
add_joint_velocity (OrreryBullet *self, const Entry *entry, OrreryVec3 *linear, OrreryVec3 *angular)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  const OrreryJointState *state = orrery_snapshot_get_joint (snapshot, entry->index);
  const OrreryJoint *joint = orrery_object_get_joint (entry->object);
  OrreryVec3 way, arm;

  if (!orrery_object_has_moving_joint (entry->object))
    return;
  way = joint->kind == ORRERY_JOINT_BALL
            ? state->turning
            : (OrreryVec3){ joint->axis.x * state->velocity, joint->axis.y * state->velocity,
                            joint->axis.z * state->velocity };
  orrery_quat_rotate (&entry->pose.rotation, &way, &way);
  if (joint->kind == ORRERY_JOINT_SLIDE) {
    *linear = (OrreryVec3){ linear->x + way.x, linear->y + way.y, linear->z + way.z };
    return;
  }
  arm = (OrreryVec3){ -joint->anchor.x, -joint->anchor.y, -joint->anchor.z };
  orrery_quat_rotate (&entry->pose.rotation, &arm, &arm);
  *angular = (OrreryVec3){ angular->x + way.x, angular->y + way.y, angular->z + way.z };
  add_spin (&way, &arm, linear);
}

static void get_velocity_at (OrreryBullet *self, OrreryObject *object, const OrreryVec3 *point,
                             OrreryVec3 *linear, OrreryVec3 *angular);

static void
get_velocity (OrreryBullet *self, Entry *entry, OrreryVec3 *linear, OrreryVec3 *angular)
{
  Entry *carrier = find_carrier (self, entry->object);

  if (entry->motion == BULLET_FREE) {
    bullet_body_get_velocity (entry->body, linear, angular);
  } else if (carrier != NULL) {
    get_velocity_at (self, carrier->object, &entry->pose.position, linear, angular);
  } else {
    *linear = entry->linear;
    *angular = entry->angular;
  }
  if (entry->motion != BULLET_FREE)
    add_joint_velocity (self, entry, linear, angular);
}

/* How fast a point that moves with an object goes: what is carried has the velocity of what carries
 * it there. */
static void
get_velocity_at (OrreryBullet *self, OrreryObject *object, const OrreryVec3 *point,
                 OrreryVec3 *linear, OrreryVec3 *angular)
{
  Entry *entry =
      find_entry (self, object) != NULL ? find_entry (self, object) : find_carrier (self, object);
  OrreryTransform pose;
  OrreryVec3 arm;

  *linear = *angular = (OrreryVec3){ 0 };
  if (entry == NULL)
    return;
  get_velocity (self, entry, linear, angular);
  get_pose (self, entry->object, &pose);
  arm = (OrreryVec3){ point->x - pose.position.x, point->y - pose.position.y,
                      point->z - pose.position.z };
  add_spin (angular, &arm, linear);
}

/* --- building --- */

static void
clear (OrreryBullet *self)
{
  g_clear_pointer (&self->engine, bullet_engine_free);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->by_object, g_free);
  g_clear_pointer (&self->wheels, wheel_set_free);
  g_clear_object (&self->world);
  self->n_held = 0;
  self->broken = FALSE;
}

static void
collect_piece (OrreryShape *shape, const OrreryTransform *offset, gpointer user_data)
{
  BulletPiece piece = { shape, *offset };

  g_array_append_val ((GArray *) user_data, piece);
}

static BulletMotion
choose_motion (OrreryBullet *self, OrreryObject *object)
{
  const OrreryJoint *joint = orrery_object_get_joint (object);
  Entry *carrier = find_carrier (self, object);

  switch (orrery_object_get_body (object)->type) {
  case ORRERY_BODY_RIGID:
  case ORRERY_BODY_DYNAMIC:
    if (joint == NULL)
      return BULLET_FREE;
    break;
  case ORRERY_BODY_GHOST:
    return BULLET_GHOST;
  case ORRERY_BODY_STATIC:
  case ORRERY_BODY_NONE:
    break;
  }
  /* A motor moves it, whatever is in its way. */
  if (orrery_object_has_moving_joint (object))
    return BULLET_TOLD;
  return carrier == NULL || carrier->motion == BULLET_FIXED ? BULLET_FIXED : BULLET_TOLD;
}

/* Where its motor has it now; the world has moved it. */
static void
take_joint (OrreryBullet *self, Entry *entry)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  const OrreryJointState *state = orrery_snapshot_get_joint (snapshot, entry->index);

  if (state != NULL && entry->motion != BULLET_FREE)
    orrery_joint_place (orrery_object_get_joint (entry->object),
                        orrery_object_get_start (entry->object), state, &entry->local);
}

static Entry *
new_entry (OrreryBullet *self, OrreryObject *object)
{
  Entry *entry = g_new0 (Entry, 1);
  guint index = orrery_object_get_index (object);

  entry->object = object;
  entry->index = index;
  entry->settings = orrery_object_get_body (object);
  entry->motion = choose_motion (self, object);
  entry->pose = *orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world), index);
  entry->local =
      orrery_object_get_parent (object) != NULL ? *orrery_object_get_start (object) : entry->pose;
  entry->report = entry->motion == BULLET_FREE ||
                  (entry->motion != BULLET_FIXED && (orrery_object_get_parent (object) == NULL ||
                                                     find_carrier (self, object) != NULL));
  take_joint (self, entry);
  g_ptr_array_add (self->entries, entry);
  return entry;
}

/* What of forces and contacts changes the body: nothing while it is suspended. */
static void
set_factors (Entry *entry)
{
  OrreryVec3 none = { 0 };
  const OrreryBody *s = entry->settings;
  gboolean still = entry->suspended || entry->holder != NULL;
  gboolean turns = s->type != ORRERY_BODY_DYNAMIC && !still;

  bullet_body_set_factors (entry->body, still ? &none : &s->linear_factor,
                           turns ? &s->angular_factor : &none);
}

static void
set_gravity (OrreryBullet *self, Entry *entry, gboolean on)
{
  OrreryVec3 none = { 0 };

  bullet_body_set_gravity (entry->body, on ? orrery_world_get_gravity (self->world) : &none);
}

static gboolean
add_body (OrreryBullet *self, OrreryObject *object, GError **error)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (BulletPiece));
  Entry *entry;

  orrery_physics_foreach_shape (object, collect_piece, pieces);
  /* Nothing to meet, and something else says where it is. */
  if (pieces->len == 0 && (orrery_object_get_body (object)->type == ORRERY_BODY_STATIC ||
                           orrery_object_get_joint (object) != NULL))
    return TRUE;

  entry = new_entry (self, object);
  if (pieces->len == 0)
    return bullet_fail (error, object, "a body that moves or reports contacts needs a solid shape");
  if (!orrery_transform_is_finite (&entry->pose) || !bullet_is_near (&entry->pose.position, REACH))
    return bullet_fail (error, object, "its pose is no number, or farther away than 1e9 m");
  if (!bullet_check_settings (entry, error))
    return FALSE;
  for (guint i = 0; i < pieces->len; i++)
    if (!bullet_check_piece (entry, &g_array_index (pieces, BulletPiece, i), error))
      return FALSE;

  entry->body = bullet_engine_add_body (self->engine, object, entry->motion,
                                        (const BulletPiece *) (gpointer) pieces->data, pieces->len,
                                        &entry->pose);
  self->by_object[entry->index] = entry;
  bullet_body_get_inertia (entry->body, &orrery_object_get_body (object)->inertia);
  if (entry->motion == BULLET_FREE) {
    set_factors (entry);
    set_gravity (self, entry, entry->settings->gravity);
  } else {
    put (self, entry);
  }
  return TRUE;
}

/* Its shapes are among those of what it is fixed to. */
static gboolean
is_fixed_to_body (OrreryBullet *self, OrreryObject *object)
{
  gboolean part = orrery_physics_is_part (object);

  while (orrery_physics_is_part (object))
    object = orrery_object_get_parent (object);
  return part && find_entry (self, object) != NULL;
}

static void
orrery_bullet_build (OrreryPhysics *physics, OrreryWorld *world, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);
  guint n = orrery_world_get_n_objects (world);

  clear (self);
  self->world = g_object_ref (world);
  self->engine = bullet_engine_new ();
  self->entries = g_ptr_array_new_with_free_func (g_free);
  self->by_object = g_new0 (Entry *, n);

  for (guint i = 0; i < n; i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (orrery_object_get_body (object)->type == ORRERY_BODY_NONE ||
        is_fixed_to_body (self, object))
      continue;
    if (!add_body (self, object, error)) {
      clear (self);
      return;
    }
  }
  self->wheels = wheel_set_new (world);
}

/* --- wheels --- */

static gboolean
get_rolling (gpointer engine, OrreryObject *object, WheelBody *out)
{
  OrreryBullet *self = engine;
  Entry *entry = find_entry (self, object);

  if (entry == NULL || entry->motion != BULLET_FREE || entry->suspended ||
      entry->settings->type != ORRERY_BODY_RIGID)
    return FALSE;
  bullet_body_get_pose (entry->body, &out->pose);
  bullet_body_get_velocity (entry->body, &out->linear, &out->angular);
  bullet_body_get_force (entry->body, &out->force, &out->torque);
  out->mass = entry->settings->mass;
  out->inertia = entry->settings->inertia;
  return TRUE;
}

static void
set_rolling (gpointer engine, OrreryObject *object, const OrreryVec3 *linear,
             const OrreryVec3 *angular)
{
  bullet_body_set_velocity (find_entry (engine, object)->body, linear, angular);
}

static gboolean
cast_wheel (gpointer engine, OrreryObject *object, const OrreryVec3 *from, const OrreryVec3 *to,
            double *fraction, OrreryVec3 *normal)
{
  OrreryBullet *self = engine;

  return bullet_engine_cast (self->engine, find_entry (self, object)->body, from, to, fraction,
                             normal);
}

static const WheelEngine wheel_engine = { get_rolling, set_rolling, cast_wheel };

/* --- a tick --- */

/* An infinity or a NaN would hang or crash the broad phase: it is found before it gets there. */
static gboolean
check_state (OrreryBullet *self, GError **error)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->motion != BULLET_FREE || bullet_body_is_within (entry->body, REACH))
      continue;

    self->broken = TRUE;
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE,
                 "object '%s': its pose or velocity is no number, or beyond 1e9 m, m/s or rad/s; "
                 "look at the forces, speeds and poses that it is given",
                 orrery_object_get_name (entry->object));
    return FALSE;
  }
  return TRUE;
}

static void
take_velocity (Entry *entry, const OrreryCommand *command)
{
  const OrreryVec3 *f = &entry->settings->linear_factor;
  const OrreryVec3 *g = &entry->settings->angular_factor;
  OrreryVec3 linear = { command->linear.x * f->x, command->linear.y * f->y,
                        command->linear.z * f->z };
  OrreryVec3 angular = { command->angular.x * g->x, command->angular.y * g->y,
                         command->angular.z * g->z };

  if (entry->suspended)
    return;
  if (entry->motion == BULLET_FREE) {
    bullet_body_set_velocity (entry->body, &linear, &angular);
  } else if (orrery_object_get_parent (entry->object) == NULL &&
             orrery_object_get_joint (entry->object) == NULL) {
    entry->linear = linear;
    entry->angular = angular;
  }
}

static void
take_pose (OrreryBullet *self, Entry *entry, const OrreryCommand *command)
{
  OrreryVec3 still = { 0 };
  OrreryTransform pose;

  if (entry->motion == BULLET_FREE) {
    get_parent_pose (self, entry, &pose);
    orrery_transform_multiply (&pose, &command->pose, &pose);
    bullet_body_set_pose (entry->body, &pose);
    if (!command->flag)
      bullet_body_set_velocity (entry->body, &still, &still);
    return;
  }
  entry->local = command->pose;
  entry->report = TRUE;
  if (!command->flag)
    entry->linear = entry->angular = still;
  put (self, entry);
}

static void
take_dynamics (Entry *entry, gboolean on)
{
  OrreryVec3 still = { 0 };

  if (entry->suspended == !on)
    return;
  entry->suspended = !on;
  if (entry->motion != BULLET_FREE)
    return;
  set_factors (entry);
  bullet_body_set_velocity (entry->body, &still, &still);
}

/* Puts a body where what holds it is now. */
static void
hold (OrreryBullet *self, Entry *entry)
{
  OrreryVec3 linear, angular;
  OrreryTransform pose;

  get_pose (self, entry->holder, &pose);
  orrery_transform_multiply (&pose, &entry->held, &pose);
  orrery_quat_normalise (&pose.rotation);
  get_velocity_at (self, entry->holder, &pose.position, &linear, &angular);
  bullet_body_set_pose (entry->body, &pose);
  bullet_body_set_velocity (entry->body, &linear, &angular);
}

static void
hold_all (OrreryBullet *self)
{
  for (guint i = 0; i < self->entries->len && self->n_held > 0; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->holder != NULL)
      hold (self, entry);
  }
}

gboolean
bullet_is_held_by (OrreryBullet *self, OrreryObject *object, OrreryObject *holder)
{
  for (; holder != NULL; holder = orrery_object_get_parent (holder)) {
    Entry *entry = find_entry (self, holder);

    if (holder == object ||
        (entry != NULL && entry->holder != NULL && bullet_is_held_by (self, object, entry->holder)))
      return TRUE;
  }
  return FALSE;
}

static void
take_attach (OrreryBullet *self, Entry *entry, const OrreryCommand *command)
{
  gint64 index = orrery_command_get_holder (command);
  OrreryObject *holder = index >= 0 ? orrery_world_get_object (self->world, index) : NULL;

  /* Two that hold each other would hold nothing. */
  if (entry->motion != BULLET_FREE ||
      (holder != NULL && bullet_is_held_by (self, entry->object, holder)))
    return;
  self->n_held += (holder != NULL) - (entry->holder != NULL);
  entry->holder = holder;
  entry->held = command->pose;
  set_factors (entry);
}

static gboolean
take_force (Entry *entry, const OrreryCommand *command,
            void (*add) (BulletBody *, const OrreryVec3 *, const OrreryVec3 *), GError **error)
{
  if (entry->motion != BULLET_FREE)
    return TRUE;
  /* Named here, since it would spoil what it touches too. */
  if (!bullet_is_near (&command->linear, REACH * entry->settings->mass)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE,
                 "object '%s': a force on it is beyond 1e9 N for each kg",
                 orrery_object_get_name (entry->object));
    return FALSE;
  }
  add (entry->body, &command->linear, &command->angular);
  return TRUE;
}

static gboolean
take (OrreryBullet *self, const OrreryCommand *command, GError **error)
{
  Entry *entry = self->by_object[command->object];

  if (command->kind == ORRERY_COMMAND_WHEEL && self->wheels != NULL)
    wheel_set_take (self->wheels, command);
  if (entry == NULL)
    return TRUE;
  switch (command->kind) {
  case ORRERY_COMMAND_VELOCITY:
    take_velocity (entry, command);
    break;
  case ORRERY_COMMAND_FORCE:
    return take_force (entry, command, bullet_body_add_force, error);
  case ORRERY_COMMAND_POSE:
    take_pose (self, entry, command);
    break;
  case ORRERY_COMMAND_ATTACH:
    take_attach (self, entry, command);
    break;
  case ORRERY_COMMAND_DYNAMICS:
    take_dynamics (entry, command->flag);
    break;
  case ORRERY_COMMAND_GRAVITY:
    if (entry->motion == BULLET_FREE)
      set_gravity (self, entry, command->flag);
    break;
  case ORRERY_COMMAND_VISIBLE:
  case ORRERY_COMMAND_JOINT_POSITION:
  case ORRERY_COMMAND_JOINT_VELOCITY:
  case ORRERY_COMMAND_JOINT_EFFORT:
  case ORRERY_COMMAND_JOINT_ROTATION:
  case ORRERY_COMMAND_LAMP:
  case ORRERY_COMMAND_WHEEL:
    break;
  }
  return TRUE;
}

/* What never moves by itself follows a parent that somebody moved. */
static void
follow (OrreryBullet *self)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];
    OrreryTransform parent;

    if (entry->motion != BULLET_FIXED || orrery_object_get_parent (entry->object) == NULL)
      continue;
    get_parent_pose (self, entry, &parent);
    if (memcmp (&parent, &entry->seen, sizeof parent) != 0)
      put (self, entry);
  }
}

static void
orrery_bullet_apply (OrreryPhysics *physics, OrreryCommands *commands, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);
  const OrreryCommand *command;
  guint n;

  if (self->broken)
    return;
  /* What is put moves only while it is told to. */
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];
    entry->linear = entry->angular = (OrreryVec3){ 0 };
    take_joint (self, entry);
  }

  command = orrery_commands_get (commands, &n);
  for (guint i = 0; i < n; i++)
    if (!take (self, &command[i], error)) {
      self->broken = TRUE;
      return;
    }
  follow (self);
  if (check_state (self, error))
    bullet_engine_begin (self->engine);
}

static void
advance_told (OrreryBullet *self, double dt)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    if (entry->motion != BULLET_TOLD && entry->motion != BULLET_GHOST)
      continue;
    if (orrery_object_get_parent (entry->object) == NULL)
      twist_advance (&entry->local, &entry->linear, &entry->angular, dt);
    put (self, entry);
  }
}

static void
orrery_bullet_step (OrreryPhysics *physics, double dt, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);

  if (self->broken)
    return;
  advance_told (self, dt);
  if (self->wheels != NULL)
    wheel_set_step (self->wheels, &wheel_engine, self, dt);
  hold_all (self);
  bullet_engine_step (self->engine, dt);
  check_state (self, error);
}

static void
orrery_bullet_push (OrreryPhysics *physics, OrreryCommands *forces, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);
  const OrreryCommand *command;
  guint n;

  if (self->broken)
    return;
  command = orrery_commands_get (forces, &n);
  for (guint i = 0; i < n && !self->broken; i++) {
    Entry *entry = self->by_object[command[i].object];

    if (entry != NULL && command[i].kind == ORRERY_COMMAND_FORCE)
      self->broken = !take_force (entry, &command[i], bullet_body_push, error);
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
orrery_bullet_read (OrreryPhysics *physics, OrrerySnapshot *snapshot, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);

  if (self->broken)
    return;
  bullet_engine_end (self->engine);
  hold_all (self);
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];
    OrreryTransform pose;
    OrreryVec3 linear, angular;

    if (entry->motion == BULLET_TOLD || entry->motion == BULLET_GHOST)
      put (self, entry);
    if (!entry->report)
      continue;
    get_pose (self, entry->object, &pose);
    get_velocity (self, entry, &linear, &angular);
    keep_sign (&pose.rotation, &orrery_snapshot_get_pose (snapshot, entry->index)->rotation);
    orrery_snapshot_set_body (snapshot, entry->index, &pose, &linear, &angular);
  }
  if (self->wheels != NULL)
    wheel_set_read (self->wheels, snapshot);
  bullet_engine_report (self->engine, snapshot);
}

/* --- a state --- */

static GVariant *
orrery_bullet_save (OrreryPart *part)
{
  OrreryBullet *self = ORRERY_BULLET (part);

  return self->engine != NULL ? bullet_save (self) : NULL;
}

static void
orrery_bullet_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (part);

  if (!bullet_restore (self, state, error))
    return;
  self->n_held = 0;
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];

    self->n_held += entry->holder != NULL;
    if (entry->motion == BULLET_FREE)
      set_factors (entry);
  }
}

static void
orrery_bullet_finalize (GObject *object)
{
  clear (ORRERY_BULLET (object));
  G_OBJECT_CLASS (orrery_bullet_parent_class)->finalize (object);
}

static void
orrery_bullet_class_init (OrreryBulletClass *klass)
{
  OrreryPhysicsClass *physics_class = ORRERY_PHYSICS_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_bullet_finalize;
  physics_class->build = orrery_bullet_build;
  physics_class->apply = orrery_bullet_apply;
  physics_class->step = orrery_bullet_step;
  physics_class->read = orrery_bullet_read;
  physics_class->push = orrery_bullet_push;
  ORRERY_PART_CLASS (klass)->save = orrery_bullet_save;
  ORRERY_PART_CLASS (klass)->restore = orrery_bullet_restore;
}

static void
orrery_bullet_init (OrreryBullet *self)
{
}

ORRERY_PLUGIN ("Rigid bodies by Bullet, in double precision", "BSD-3-Clause",
               ORRERY_CLASS (Bullet, OrreryBullet, orrery_bullet))
