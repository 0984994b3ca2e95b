/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.physics.kinematic.Kinematic: for scenes without dynamics. Robots go exactly as they are
 * told, until they are told otherwise; there are no forces, no gravity and no contacts. Wheels that
 * are held at a speed roll without slip.
 */
#include <orrery.h>

#include "wheels.h"

#include <string.h>

/* One root object with a body that can move. */
typedef struct {
  guint index;
  OrreryObject *object;
  const OrreryBody *settings;
  gboolean present; /* in the world, and not parked */
  gboolean suspended;
  gboolean pinned;      /* in this tick: it was told its pose */
  gint64 holder;        /* index of the object that it moves with, or -1 */
  OrreryTransform held; /* in the frame of the holder */
  OrreryTransform pose;
  OrreryVec3 linear;  /* m/s, world axes, as last told */
  OrreryVec3 angular; /* rad/s */
} Mover;

typedef struct {
  OrreryPhysics parent_instance;

  GArray *movers;   /* (element-type Mover), in the order of the objects */
  GArray *present;  /* (element-type guint): their places, of those that are in the world */
  gint64 *by_index; /* of the object: place among the movers, or -1 */
  guint n_objects;  /* that are known here */
  WheelSet *wheels; /* NULL: none */
  OrreryWorld *world;
} OrreryKinematic;
ORRERY_DEFINE_CLASS (OrreryKinematic, orrery_kinematic, OrreryPhysics, orrery_physics)

static gboolean
is_mover (OrreryObject *object)
{
  /* An object with a parent moves with it; one with a joint moves as its motor is commanded. */
  return orrery_object_get_parent (object) == NULL && orrery_object_get_joint (object) == NULL &&
         orrery_object_get_body (object)->type != ORRERY_BODY_NONE;
}

static gboolean
check (OrreryObject *object, const OrreryTransform *pose, GError **error)
{
  const OrreryBody *body = orrery_object_get_body (object);
  /* What has a joint may be nothing but that. */
  gboolean moves = orrery_object_get_joint (object) == NULL &&
                   (body->type == ORRERY_BODY_RIGID || body->type == ORRERY_BODY_DYNAMIC);
  const char *message = NULL;

  if (!orrery_transform_is_finite (pose))
    message = "its pose is no number";
  else if (moves && !(body->mass > 0))
    message = "a body that moves needs a mass above 0";
  if (message == NULL)
    return TRUE;

  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "object '%s': %s",
                           orrery_object_get_name (object), message);
}

static void
begin (Mover *mover, const OrreryTransform *pose)
{
  mover->suspended = mover->pinned = FALSE;
  mover->holder = -1;
  mover->held = (OrreryTransform){ 0 };
  mover->pose = *pose;
  mover->linear = mover->angular = (OrreryVec3){ 0 };
}

static void
clear (OrreryKinematic *self)
{
  g_clear_pointer (&self->movers, g_array_unref);
  g_clear_pointer (&self->present, g_array_unref);
  g_clear_pointer (&self->by_index, g_free);
  g_clear_pointer (&self->wheels, wheel_set_free);
  g_clear_object (&self->world);
}

static Mover *
get_present (OrreryKinematic *self, guint i)
{
  return &g_array_index (self->movers, Mover, g_array_index (self->present, guint, i));
}

static void
find_present (OrreryKinematic *self)
{
  g_array_set_size (self->present, 0);
  for (guint i = 0; i < self->movers->len; i++) {
    Mover *mover = &g_array_index (self->movers, Mover, i);

    mover->present = orrery_object_is_present (mover->object);
    if (mover->present)
      g_array_append_val (self->present, i);
  }
}

static gboolean
add_movers (OrreryKinematic *self, const OrreryTransform *poses, guint first, guint end,
            GError **error)
{
  for (guint i = first; i < end; i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);
    Mover mover = { .index = i,
                    .object = object,
                    .holder = -1,
                    .settings = orrery_object_get_body (object),
                    .pose = poses[i] };

    self->by_index[i] = -1;
    if (!check (object, &mover.pose, error))
      return FALSE;
    if (!is_mover (object))
      continue;
    self->by_index[i] = self->movers->len;
    g_array_append_val (self->movers, mover);
  }
  self->n_objects = end;
  return TRUE;
}

static void
orrery_kinematic_build (OrreryPhysics *physics, OrreryWorld *world, GError **error)
{
  OrreryKinematic *self = (OrreryKinematic *) physics;
  /* Computes all poses at once; a pose that is asked for by itself would be computed in every tick
   * from then on. */
  g_autoptr (OrreryBuffer) poses = orrery_snapshot_dup_poses (orrery_world_get_snapshot (world));
  const OrreryTransform *pose = orrery_buffer_get_data (poses);
  guint n = orrery_world_get_n_objects (world);

  clear (self);
  self->world = g_object_ref (world);
  self->movers = g_array_new (FALSE, TRUE, sizeof (Mover));
  self->present = g_array_new (FALSE, FALSE, sizeof (guint));
  self->by_index = g_new (gint64, n);
  if (!add_movers (self, pose, 0, n, error))
    return;
  find_present (self);
  self->wheels = wheel_set_new (world);
}

static void
drop_movers (OrreryKinematic *self, guint n_objects)
{
  guint n = self->movers->len;

  while (n > 0 && g_array_index (self->movers, Mover, n - 1).index >= n_objects)
    n--;
  g_array_set_size (self->movers, n);
  self->n_objects = n_objects;
}

static void
orrery_kinematic_extend (OrreryPhysics *physics, guint n_objects, GError **error)
{
  OrreryKinematic *self = (OrreryKinematic *) physics;
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  g_autoptr (OrreryBuffer) poses = orrery_snapshot_dup_poses (snapshot);
  guint first = self->n_objects;

  if (n_objects > first) {
    self->by_index = g_renew (gint64, self->by_index, n_objects);
    if (!add_movers (self, orrery_buffer_get_data (poses), first, n_objects, error))
      drop_movers (self, first);
  } else {
    drop_movers (self, n_objects);
  }
  find_present (self);
}

/* Spawned anew, or parked: nothing of what it was told counts any more. */
static void
take_presence (OrreryKinematic *self, const OrreryCommand *command)
{
  gint64 place = self->by_index[command->object];

  /* What it held is let go. */
  for (guint i = 0; i < self->movers->len; i++) {
    Mover *mover = &g_array_index (self->movers, Mover, i);

    if (mover->holder == command->object)
      mover->holder = -1;
  }
  if (place < 0)
    return;
  begin (&g_array_index (self->movers, Mover, place), &command->pose);
  find_present (self);
}

static void
take (Mover *mover, const OrreryCommand *command)
{
  if (!mover->present)
    return;
  switch (command->kind) {
  case ORRERY_COMMAND_VELOCITY:
    if (mover->suspended || mover->holder >= 0 || mover->settings->type == ORRERY_BODY_STATIC)
      break;
    mover->linear = orrery_vec3_multiply (&command->linear, &mover->settings->linear_factor);
    mover->angular = orrery_vec3_multiply (&command->angular, &mover->settings->angular_factor);
    break;
  case ORRERY_COMMAND_POSE:
    mover->pose = command->pose;
    mover->pinned = !command->flag;
    if (!command->flag)
      mover->linear = mover->angular = (OrreryVec3){ 0 };
    break;
  case ORRERY_COMMAND_DYNAMICS:
    mover->suspended = !command->flag;
    if (mover->suspended)
      mover->linear = mover->angular = (OrreryVec3){ 0 };
    break;
  case ORRERY_COMMAND_ATTACH:
    mover->holder = orrery_command_get_holder (command);
    mover->held = command->pose;
    mover->linear = mover->angular = (OrreryVec3){ 0 };
    break;
  default:
    break;
  }
}

static void
orrery_kinematic_apply (OrreryPhysics *physics, OrreryCommands *commands, GError **error)
{
  OrreryKinematic *self = (OrreryKinematic *) physics;
  const OrreryCommand *command;
  guint n;

  command = orrery_commands_get (commands, &n);
  for (guint i = 0; i < n; i++) {
    gint64 place;

    /* Nothing that it does depends on one. */
    if (command[i].kind == ORRERY_COMMAND_QUANTITY)
      continue;
    place = self->by_index[command[i].object];
    if (command[i].kind == ORRERY_COMMAND_PRESENCE)
      take_presence (self, &command[i]);
    else if (place >= 0)
      take (&g_array_index (self->movers, Mover, place), &command[i]);
    else if (command[i].kind == ORRERY_COMMAND_WHEEL && self->wheels != NULL)
      wheel_set_take (self->wheels, &command[i]);
  }
}

/* The motion that its driven wheels cause. */
static void
roll (OrreryKinematic *self, Mover *mover, double dt)
{
  if (mover->suspended || mover->pinned ||
      !wheel_set_get_twist (self->wheels, mover->object, &mover->linear, &mover->angular))
    return;
  orrery_quat_rotate (&mover->pose.rotation, &mover->linear, &mover->linear);
  orrery_quat_rotate (&mover->pose.rotation, &mover->angular, &mover->angular);
  wheel_set_roll (self->wheels, mover->object, dt);
}

static void
orrery_kinematic_step (OrreryPhysics *physics, double dt, GError **error)
{
  OrreryKinematic *self = (OrreryKinematic *) physics;

  for (guint i = 0; i < self->present->len; i++) {
    Mover *mover = get_present (self, i);

    if (self->wheels != NULL)
      roll (self, mover, dt);
    if (!mover->pinned)
      orrery_transform_advance (&mover->pose, &mover->linear, &mover->angular, dt);
  }
}

/* Where an object is now; of what moves with another, as it was on it in the last snapshot. */
static void
get_pose (OrreryKinematic *self, OrreryObject *object, OrreryTransform *pose)
{
  guint index = orrery_object_get_index (object);
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  OrreryObject *parent = orrery_object_get_parent (object);
  OrreryTransform local;

  if (self->by_index[index] >= 0) {
    *pose = g_array_index (self->movers, Mover, self->by_index[index]).pose;
  } else if (parent == NULL) {
    *pose = *orrery_snapshot_get_pose (snapshot, index);
  } else {
    orrery_transform_relative (orrery_snapshot_get_pose (snapshot,
                                                         orrery_object_get_index (parent)),
                               orrery_snapshot_get_pose (snapshot, index), &local);
    get_pose (self, parent, pose);
    orrery_transform_multiply (pose, &local, pose);
  }
}

static void
carry (OrreryKinematic *self, Mover *mover)
{
  if (mover->holder < 0)
    return;
  get_pose (self, orrery_world_get_object (self->world, mover->holder), &mover->pose);
  orrery_transform_multiply (&mover->pose, &mover->held, &mover->pose);
}

static void
orrery_kinematic_read (OrreryPhysics *physics, OrrerySnapshot *snapshot, GError **error)
{
  OrreryKinematic *self = (OrreryKinematic *) physics;

  /* First all of these: what has no body is looked up in the snapshot as it still is. */
  for (guint i = 0; i < self->present->len; i++)
    carry (self, get_present (self, i));
  for (guint i = 0; i < self->present->len; i++) {
    Mover *mover = get_present (self, i);

    orrery_snapshot_set_body (snapshot, mover->index, &mover->pose, &mover->linear,
                              &mover->angular);
    mover->pinned = FALSE;
  }
  if (self->wheels != NULL)
    wheel_set_read (self->wheels, snapshot);
}

static gboolean
orrery_kinematic_parks (OrreryPhysics *physics, OrreryObject *object, GError **error)
{
  return TRUE;
}

/* Sizes are of no concern here: nothing meets anything. */
static gboolean
orrery_kinematic_changes (OrreryPhysics *physics, const OrreryQuantity *quantity,
                          OrreryObject *object, GError **error)
{
  return quantity->kind == ORRERY_QUANTITY_SCALE;
}

/* --- a state, of all movers in their order --- */

#define STATE_TYPE "(a(bxad)ad)"
#define MOVER_NUMBERS (7 + 7 + 3 + 3)

/* A mover's own numbers lie one behind the other. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (Mover, angular) + sizeof (OrreryVec3) ==
                 G_STRUCT_OFFSET (Mover, held) + MOVER_NUMBERS * sizeof (double));

static GVariant *
orrery_kinematic_save (OrreryPart *part)
{
  OrreryKinematic *self = (OrreryKinematic *) part;
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(bxad)"));
  for (guint i = 0; self->movers != NULL && i < self->movers->len; i++) {
    const Mover *m = &g_array_index (self->movers, Mover, i);

    g_variant_builder_add (&list, "(bx@ad)", m->suspended, m->holder,
                           g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &m->held,
                                                      MOVER_NUMBERS, sizeof (double)));
  }
  return g_variant_new ("(a(bxad)@ad)", &list, wheel_set_save (self->wheels));
}

static gboolean
read_mover (OrreryKinematic *self, GVariant *one, Mover *m)
{
  g_autoptr (GVariant) list = NULL;
  const double *numbers;
  gsize n;

  g_variant_get (one, "(bx@ad)", &m->suspended, &m->holder, &list);
  numbers = g_variant_get_fixed_array (list, &n, sizeof *numbers);
  if (n != MOVER_NUMBERS || m->holder < -1 ||
      m->holder >= (gint64) orrery_world_get_n_objects (self->world))
    return FALSE;
  memcpy (&m->held, numbers, n * sizeof *numbers);
  return orrery_transform_is_finite (&m->pose) && orrery_transform_is_finite (&m->held) &&
         orrery_vec3_is_finite (&m->linear) && orrery_vec3_is_finite (&m->angular);
}

static void
orrery_kinematic_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryKinematic *self = (OrreryKinematic *) part;
  g_autoptr (GVariant) list = g_variant_get_child_value (state, 0);
  g_autoptr (GVariant) wheels = g_variant_get_child_value (state, 1);
  gboolean fits = g_variant_n_children (list) == self->movers->len;

  for (guint i = 0; fits && i < self->movers->len; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

    fits = read_mover (self, one, &g_array_index (self->movers, Mover, i));
  }
  if (!fits || !wheel_set_restore (self->wheels, wheels))
    orrery_part_refuse_state (part, error);
}

static void
orrery_kinematic_finalize (GObject *object)
{
  clear ((OrreryKinematic *) object);
  G_OBJECT_CLASS (orrery_kinematic_parent_class)->finalize (object);
}

static void
orrery_kinematic_class_init (OrreryKinematicClass *klass)
{
  OrreryPhysicsClass *physics_class = ORRERY_PHYSICS_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_kinematic_finalize;
  physics_class->build = orrery_kinematic_build;
  physics_class->apply = orrery_kinematic_apply;
  physics_class->step = orrery_kinematic_step;
  physics_class->read = orrery_kinematic_read;
  physics_class->parks = orrery_kinematic_parks;
  physics_class->changes = orrery_kinematic_changes;
  physics_class->extend = orrery_kinematic_extend;
  ORRERY_PART_CLASS (klass)->save = orrery_kinematic_save;
  ORRERY_PART_CLASS (klass)->restore = orrery_kinematic_restore;
  ORRERY_PART_CLASS (klass)->state_type = STATE_TYPE;
}

ORRERY_PLUGIN ("Bodies that go exactly as they are told: no forces, no contacts", "BSD-3-Clause",
               ORRERY_CLASS (Kinematic, OrreryKinematic, orrery_kinematic))
