/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of bodies, as it is the same for all engines: motions, poses, velocities. */
#include "bodies.h"

/* --- bodies that do not touch --- */

static gint64
make_pair (guint a, guint b)
{
  return (gint64) MIN (a, b) << 32 | MAX (a, b);
}

/* The object that has the body which an object is a part of, or will have it. */
static OrreryObject *
find_whole (OrreryObject *object)
{
  OrreryObject *whole = object;

  while (orrery_physics_is_part (whole))
    whole = orrery_object_get_parent (whole);
  return orrery_object_get_body (whole)->type != ORRERY_BODY_NONE ? whole : object;
}

static void
keep_apart (BodySet *set, OrreryObject *object, OrreryConstraint *constraint)
{
  gint64 *pair;

  constraint->taken = TRUE;
  if (constraint->other == NULL)
    return;
  if (set->apart == NULL)
    set->apart = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  pair = g_new (gint64, 1);
  *pair = make_pair (orrery_object_get_index (find_whole (object)),
                     orrery_object_get_index (find_whole (constraint->other)));
  g_hash_table_add (set->apart, pair);
}

static void
find_apart (BodySet *set, guint first)
{
  for (guint i = first; i < set->n_objects; i++) {
    OrreryObject *object = orrery_world_get_object (set->world, i);
    GArray *list = orrery_object_get_constraints (object);

    for (guint k = 0; list != NULL && k < list->len; k++) {
      OrreryConstraint *constraint = &g_array_index (list, OrreryConstraint, k);

      if (constraint->kind == ORRERY_CONSTRAINT_EXCLUDE)
        keep_apart (set, object, constraint);
    }
  }
}

/* @key: a pair; its second object has the higher index. */
static gboolean
is_pair_from (gpointer key, gpointer value, gpointer n_objects)
{
  return (guint32) * (const gint64 *) key >= GPOINTER_TO_UINT (n_objects);
}

gboolean
body_set_are_apart (const BodySet *set, OrreryObject *object, OrreryObject *other)
{
  gint64 pair;

  if (set->apart == NULL)
    return FALSE;
  pair = make_pair (orrery_object_get_index (object), orrery_object_get_index (other));
  return g_hash_table_contains (set->apart, &pair);
}

/* --- the set --- */

static void
collect_piece (OrreryShape *shape, const OrreryTransform *offset, gpointer user_data)
{
  Piece piece = { orrery_shape_ref (shape), *offset };

  g_array_append_val ((GArray *) user_data, piece);
}

static void
clear_piece (gpointer data)
{
  orrery_shape_unref (((Piece *) data)->shape);
}

GArray *
body_collect_pieces (OrreryObject *object)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (Piece));

  g_array_set_clear_func (pieces, clear_piece);
  orrery_physics_foreach_shape (object, collect_piece, pieces);
  return pieces;
}

void
body_set_init (BodySet *set, const BodyEngine *calls, OrreryWorld *world)
{
  *set = (BodySet){ .calls = calls,
                    .world = g_object_ref (world),
                    .shapes = orrery_world_get_shapes_serial (world),
                    .gravity = *orrery_world_get_gravity (world),
                    .n_objects = orrery_world_get_n_objects (world) };
  set->bodies = g_ptr_array_new ();
  set->parked = g_ptr_array_new ();
  set->by_object = g_new0 (Body *, set->n_objects);
  find_apart (set, 0);
}

static void
free_body (BodySet *set, Body *body)
{
  if (set->calls->free != NULL)
    set->calls->free (body);
  g_array_unref (body->pieces);
  g_free (body);
}

static void
free_bodies (BodySet *set, GPtrArray *bodies)
{
  for (guint i = 0; bodies != NULL && i < bodies->len; i++)
    free_body (set, bodies->pdata[i]);
}

void
body_set_extend (BodySet *set, guint n_objects)
{
  guint first = set->n_objects;

  set->by_object = g_renew (Body *, set->by_object, n_objects);
  for (guint i = first; i < n_objects; i++)
    set->by_object[i] = NULL;
  set->n_objects = n_objects;
  find_apart (set, first);
}

static void
drop_from (BodySet *set, GPtrArray *bodies, guint n_objects)
{
  for (guint i = bodies->len; i > 0; i--) {
    Body *body = bodies->pdata[i - 1];

    if (body->index < n_objects)
      continue;
    g_ptr_array_remove_index (bodies, i - 1);
    free_body (set, body);
  }
}

void
body_set_shrink (BodySet *set, guint n_objects)
{
  drop_from (set, set->bodies, n_objects);
  drop_from (set, set->parked, n_objects);
  if (set->apart != NULL)
    g_hash_table_foreach_remove (set->apart, is_pair_from, GUINT_TO_POINTER (n_objects));
  set->n_objects = n_objects;
}

void
body_set_clear (BodySet *set)
{
  free_bodies (set, set->bodies);
  free_bodies (set, set->parked);
  g_clear_pointer (&set->bodies, g_ptr_array_unref);
  g_clear_pointer (&set->parked, g_ptr_array_unref);
  g_clear_pointer (&set->by_object, g_free);
  g_clear_pointer (&set->wheels, wheel_set_free);
  g_clear_pointer (&set->apart, g_hash_table_unref);
  g_clear_object (&set->world);
  set->engine = NULL;
  set->n_held = set->n_pinned = 0;
  set->broken = FALSE;
}

Body *
body_set_find (BodySet *set, OrreryObject *object)
{
  return set->by_object[orrery_object_get_index (object)];
}

Body *
body_set_find_carrier (BodySet *set, OrreryObject *object)
{
  Body *body = NULL;

  for (object = orrery_object_get_parent (object); object != NULL && body == NULL;
       object = orrery_object_get_parent (object))
    body = body_set_find (set, object);
  return body;
}

Body *
body_set_find_whole (BodySet *set, OrreryObject *object)
{
  return body_set_find (set, find_whole (object));
}

gboolean
body_set_is_fixed (BodySet *set, OrreryObject *object)
{
  gboolean part = orrery_physics_is_part (object);

  while (orrery_physics_is_part (object))
    object = orrery_object_get_parent (object);
  return part && body_set_find (set, object) != NULL;
}

Motion
body_choose_motion (OrreryObject *object, const Body *carrier)
{
  switch (orrery_object_get_body (object)->type) {
  case ORRERY_BODY_RIGID:
  case ORRERY_BODY_DYNAMIC:
    if (orrery_object_get_joint (object) == NULL)
      return MOTION_FREE;
    break;
  case ORRERY_BODY_GHOST:
    return MOTION_GHOST;
  case ORRERY_BODY_STATIC:
  case ORRERY_BODY_NONE:
    break;
  }
  /* A motor moves it, whatever is in its way. */
  if (orrery_object_has_moving_joint (object))
    return MOTION_TOLD;
  return carrier == NULL || carrier->motion == MOTION_FIXED ? MOTION_FIXED : MOTION_TOLD;
}

void
body_set_take_joint (BodySet *set, Body *body)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (set->world);
  const OrreryJointState *state = orrery_snapshot_get_joint (snapshot, body->index);

  if (state != NULL && !body_is_dynamic (body))
    orrery_joint_place (orrery_object_get_joint (body->object),
                        orrery_object_get_start (body->object), state, &body->local);
}

gboolean
body_reports (const Body *body)
{
  gboolean root = orrery_object_get_parent (body->object) == NULL;

  return body_is_dynamic (body) ||
         (body->motion != MOTION_FIXED && body->settings->type != ORRERY_BODY_NONE &&
          (root || body->carrier != NULL));
}

/* Where it is, by the snapshot, and nothing told yet. */
static void
begin (BodySet *set, Body *body)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (set->world);
  gboolean root = orrery_object_get_parent (body->object) == NULL;

  body->suspended = body->pinned = body->exact = FALSE;
  body->holder = NULL;
  body->held = body->seen = (OrreryTransform){ 0 };
  body->linear = body->angular = (OrreryVec3){ 0 };
  body->pose = *orrery_snapshot_get_pose (snapshot, body->index);
  body->local = root ? body->pose : *orrery_object_get_start (body->object);
  body->report = body_reports (body);
  body->falls = body->settings->gravity;
  body->first_mass = body->settings->mass;
  body_note_quantities (body);
  body_set_take_joint (set, body);
}

Body *
body_set_add (BodySet *set, OrreryObject *object, Motion motion)
{
  Body *body = g_malloc0 (set->calls->size);
  guint index = orrery_object_get_index (object);

  body->object = object;
  body->index = index;
  body->settings = orrery_object_get_body (object);
  body->motion = motion;
  body->carrier = body_set_find_carrier (set, object);
  body->pieces = body_collect_pieces (object);
  begin (set, body);
  g_ptr_array_add (set->bodies, body);
  set->by_object[index] = body;
  return body;
}

/* Of a world that has the sizes of the scene again. */
static void
begin_body_again (BodySet *set, Body *body)
{
  if (set->shapes != orrery_world_get_shapes_serial (set->world) &&
      body->settings->type != ORRERY_BODY_NONE) {
    g_array_unref (body->pieces);
    body->pieces = body_collect_pieces (body->object);
  }
  begin (set, body);
}

void
body_set_begin_again (BodySet *set)
{
  body_set_begin_presence (set);
  for (guint i = 0; i < set->bodies->len; i++)
    begin_body_again (set, set->bodies->pdata[i]);
  for (guint i = 0; i < set->parked->len; i++)
    begin_body_again (set, set->parked->pdata[i]);
  set->shapes = orrery_world_get_shapes_serial (set->world);
  g_clear_pointer (&set->wheels, wheel_set_free);
  body_set_add_wheels (set);
  set->n_held = set->n_pinned = 0;
  set->gravity = *orrery_world_get_gravity (set->world);
  set->broken = FALSE;
}

void
body_set_add_wheels (BodySet *set)
{
  set->wheels = wheel_set_new (set->world);
}

gboolean
body_is_dynamic (const Body *body)
{
  return body->motion == MOTION_FREE || body->motion == MOTION_LINK;
}

gboolean
body_is_still (const Body *body)
{
  return body_is_pinned (body) || body->holder != NULL;
}

gboolean
body_is_pinned (const Body *body)
{
  return body->suspended || body->pinned;
}

gboolean
body_set_is_held_by (BodySet *set, OrreryObject *object, OrreryObject *holder)
{
  for (; holder != NULL; holder = orrery_object_get_parent (holder)) {
    Body *body = body_set_find (set, holder);

    if (holder == object ||
        (body != NULL && body->holder != NULL && body_set_is_held_by (set, object, body->holder)))
      return TRUE;
  }
  return FALSE;
}

gint64
body_get_holder (const Body *body)
{
  return body->holder != NULL ? (gint64) orrery_object_get_index (body->holder) : -1;
}

gboolean
body_set_restore_holder (BodySet *set, Body *body, gint64 index)
{
  OrreryObject *holder;

  if (index < -1 || index >= (gint64) orrery_world_get_n_objects (set->world))
    return FALSE;
  holder = index >= 0 ? orrery_world_get_object (set->world, (guint) index) : NULL;
  if (holder != NULL && body_set_is_held_by (set, body->object, holder))
    return FALSE;
  body->holder = holder;
  return TRUE;
}

void
body_set_count_held (BodySet *set)
{
  set->n_held = 0;
  for (guint i = 0; i < set->bodies->len; i++)
    set->n_held += ((Body *) set->bodies->pdata[i])->holder != NULL;
}

/* --- what bodies are made from --- */

static guint64
fold_object (guint64 hash, OrreryObject *object)
{
  OrreryBody body = *orrery_object_get_body (object);
  OrreryObject *parent = orrery_object_get_parent (object);
  const OrreryJoint *joint = orrery_object_get_joint (object);
  const OrreryInertial *inertial = orrery_object_get_inertial (object);
  GArray *constraints = orrery_object_get_constraints (object);
  GPtrArray *shapes = orrery_object_get_shapes (object);

  /* The engine's own. */
  body.inertia = (OrreryVec3){ 0 };
  hash = orrery_hash_bytes (hash, &body, sizeof body);
  hash = orrery_hash_bytes (hash, orrery_object_get_start (object), sizeof (OrreryTransform));
  hash = orrery_hash_word (hash, parent != NULL ? orrery_object_get_index (parent) : G_MAXUINT);
  if (joint != NULL)
    hash = orrery_hash_bytes (hash, joint, sizeof *joint);
  if (inertial != NULL)
    hash = orrery_hash_bytes (hash, inertial, sizeof *inertial);
  hash = orrery_hash_word (hash, constraints != NULL ? constraints->len : 0);
  for (guint i = 0; i < shapes->len; i++)
    hash = orrery_hash_word (hash, GPOINTER_TO_SIZE (shapes->pdata[i]) ^
                                       (gsize) orrery_shape_is_solid (shapes->pdata[i]));
  return hash;
}

guint64
body_set_fold_world (OrreryWorld *world, guint n_objects)
{
  guint64 hash =
      orrery_hash_bytes (n_objects, orrery_world_get_gravity (world), sizeof (OrreryVec3));

  for (guint i = 0; i < n_objects; i++)
    hash = fold_object (hash, orrery_world_get_object (world, i));
  return hash;
}

/* --- where things are --- */

void
body_set_get_pose (BodySet *set, OrreryObject *object, OrreryTransform *pose)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (set->world);
  Body *body = body_set_find (set, object);
  OrreryObject *parent = orrery_object_get_parent (object);
  const OrreryTransform *last =
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object));
  OrreryTransform local;

  if (body != NULL && body_is_dynamic (body) && !body->hollow) {
    set->calls->get_pose (set, body, pose);
  } else if (body != NULL && !body_is_dynamic (body)) {
    *pose = body->pose;
  } else if (parent == NULL) {
    *pose = *last;
  } else {
    orrery_transform_relative (orrery_snapshot_get_pose (snapshot,
                                                         orrery_object_get_index (parent)),
                               last, &local);
    body_set_get_pose (set, parent, pose);
    orrery_transform_multiply (pose, &local, pose);
  }
}

void
body_set_get_parent_pose (BodySet *set, Body *body, OrreryTransform *pose)
{
  OrreryObject *parent = orrery_object_get_parent (body->object);

  if (parent != NULL)
    body_set_get_pose (set, parent, pose);
  else
    orrery_transform_identity (pose);
}

void
body_set_put (BodySet *set, Body *body)
{
  OrreryTransform parent;

  body_set_get_parent_pose (set, body, &parent);
  body->seen = parent;
  orrery_transform_multiply (&parent, &body->local, &body->pose);
  set->calls->set_pose (set, body, &body->pose);
}

/* --- how fast they go --- */

/* Of a body that turns with @spin about a point that @arm leads away from. */
static void
add_spin (const OrreryVec3 *spin, const OrreryVec3 *arm, OrreryVec3 *linear)
{
  OrreryVec3 way = orrery_vec3_cross (spin, arm);

  *linear = orrery_vec3_add (linear, &way);
}

/* What the joint's own motion adds. */
static void
add_joint_velocity (BodySet *set, const Body *body, OrreryVec3 *linear, OrreryVec3 *angular)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (set->world);
  const OrreryJointState *state = orrery_snapshot_get_joint (snapshot, body->index);
  const OrreryJoint *joint = orrery_object_get_joint (body->object);
  OrreryVec3 way, arm;

  if (!orrery_object_has_moving_joint (body->object))
    return;
  way = joint->kind == ORRERY_JOINT_BALL ? state->turning
                                         : orrery_vec3_scale (&joint->axis, state->velocity);
  orrery_quat_rotate (&body->pose.rotation, &way, &way);
  if (joint->kind == ORRERY_JOINT_SLIDE) {
    *linear = orrery_vec3_add (linear, &way);
    return;
  }
  arm = (OrreryVec3){ -joint->anchor.x, -joint->anchor.y, -joint->anchor.z };
  orrery_quat_rotate (&body->pose.rotation, &arm, &arm);
  *angular = orrery_vec3_add (angular, &way);
  add_spin (&way, &arm, linear);
}

void
body_set_get_velocity (BodySet *set, Body *body, OrreryVec3 *linear, OrreryVec3 *angular)
{
  if (body_is_dynamic (body) && !body->hollow) {
    set->calls->get_velocity (set, body, linear, angular);
    return;
  }
  if (body->carrier != NULL) {
    body_set_get_velocity_at (set, body->carrier->object, &body->pose.position, linear, angular);
  } else {
    *linear = body->linear;
    *angular = body->angular;
  }
  add_joint_velocity (set, body, linear, angular);
}

/* What is carried has the velocity of what carries it there. */
void
body_set_get_velocity_at (BodySet *set, OrreryObject *object, const OrreryVec3 *point,
                          OrreryVec3 *linear, OrreryVec3 *angular)
{
  Body *body = body_set_find (set, object);
  OrreryTransform pose;
  OrreryVec3 arm;

  if (body == NULL)
    body = body_set_find_carrier (set, object);
  *linear = *angular = (OrreryVec3){ 0 };
  if (body == NULL)
    return;
  body_set_get_velocity (set, body, linear, angular);
  body_set_get_pose (set, body->object, &pose);
  arm = orrery_vec3_subtract (point, &pose.position);
  add_spin (angular, &arm, linear);
}
