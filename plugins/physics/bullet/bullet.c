/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.physics.bullet.Bullet: rigid bodies in double precision, as users of MORSE know them. This
 * file is the role; engine.h hides Bullet, bodies.h has what engines share.
 */
#include "bullet-private.h"

/* m: the engine drops larger bodies from its broad phase without a word. */
#define MAX_MOVING_SIZE 1e5

ORRERY_DEFINE_FINAL_TYPE (OrreryBullet, orrery_bullet, ORRERY_TYPE_PHYSICS)

/* --- what the set of bodies asks --- */

static BulletBody *
get_body (Body *body)
{
  return ((Entry *) body)->body;
}

/* Sets along which axes forces and contacts change the body. */
static void
set_freedom (BodySet *set, Body *body)
{
  OrreryVec3 none = { 0 };
  const OrreryBody *s = body->settings;
  gboolean still = body_is_still (body);
  gboolean turns = s->type != ORRERY_BODY_DYNAMIC && !still;

  bullet_body_set_factors (get_body (body), still ? &none : &s->linear_factor,
                           turns ? &s->angular_factor : &none);
}

static void
set_gravity (BodySet *set, Body *body, gboolean on)
{
  OrreryVec3 none = { 0 };

  bullet_body_set_gravity (get_body (body), on ? orrery_world_get_gravity (set->world) : &none);
}

/* What a body of any motion begins with. */
static void
begin_body (BodySet *set, Body *body)
{
  if (body->motion == MOTION_FREE)
    set_freedom (set, body);
  if (body_is_dynamic (body))
    set_gravity (set, body, body->settings->gravity);
  else
    body_set_put (set, body);
}

static OrreryBullet *
get_self (BodySet *set)
{
  return (OrreryBullet *) (gpointer) ((char *) set - G_STRUCT_OFFSET (OrreryBullet, set));
}

static void
set_present (BodySet *set, Body *body, gboolean present)
{
  if (present) {
    bullet_body_enter (get_body (body), &body->pose);
    begin_body (set, body);
  } else {
    bullet_body_leave (get_body (body));
  }
  if (((Entry *) body)->articulated)
    tree_set_present (get_self (set)->trees, body, present);
}

static void
take_joint (BodySet *set, const OrreryCommand *command)
{
  OrreryBullet *self = get_self (set);

  if (self->trees != NULL)
    tree_set_take (self->trees, command);
}

static void
follow (BodySet *set)
{
  OrreryBullet *self = get_self (set);

  if (self->trees != NULL)
    tree_set_follow (self->trees);
}

static void
change_mass (BodySet *set, Body *body)
{
  if (((Entry *) body)->articulated)
    tree_set_weigh (get_self (set)->trees, body->object);
  else
    bullet_body_set_mass (get_body (body), body->settings->mass);
  bullet_body_get_inertia (get_body (body), &orrery_object_get_body (body->object)->inertia);
}

/* The mass stays, and the inertia follows the shape. */
static void
change_shape (BodySet *set, Body *body)
{
  bullet_body_set_pieces (get_body (body), (const Piece *) (gpointer) body->pieces->data,
                          body->pieces->len);
  if (body_is_dynamic (body) && !body->hollow)
    change_mass (set, body);
}

static void
change_gravity (BodySet *set)
{
  for (guint i = 0; i < set->bodies->len; i++)
    if (body_is_dynamic (set->bodies->pdata[i]))
      set_gravity (set, set->bodies->pdata[i], ((Body *) set->bodies->pdata[i])->falls);
}

static void
change (BodySet *set, Body *body, OrreryQuantityKind which)
{
  /* It is asked for in each substep. */
  if (which == ORRERY_QUANTITY_WIND)
    return;
  if (body == NULL)
    change_gravity (set);
  else if (which == ORRERY_QUANTITY_MASS)
    change_mass (set, body);
  else if (which == ORRERY_QUANTITY_SCALE)
    change_shape (set, body);
  else
    bullet_body_set_surface (get_body (body), body->settings);
}

static const BodyEngine body_engine = {
  .size = sizeof (Entry),
  .get_pose = bullet_body_get_pose,
  .set_pose = bullet_body_set_pose,
  .get_velocity = bullet_body_get_velocity,
  .set_velocity = bullet_body_set_velocity,
  .set_freedom = set_freedom,
  .set_gravity = set_gravity,
  .add_force = bullet_body_add_force,
  .push = bullet_body_push,
  .get_force = bullet_body_get_force,
  .cast = bullet_engine_cast,
  .take_joint = take_joint,
  .follow = follow,
  .set_present = set_present,
  .change = change,
};

/* --- building --- */

static void
clear (OrreryBullet *self)
{
  g_clear_pointer (&self->trees, tree_set_free);
  body_set_clear (&self->set);
  g_clear_pointer (&self->engine, bullet_engine_free);
}

static void
note_piece (OrreryShape *shape, const OrreryTransform *offset, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static gboolean
has_piece (OrreryObject *object)
{
  gboolean has = FALSE;

  orrery_physics_foreach_shape (object, note_piece, &has);
  return has;
}

static gboolean
add_body (OrreryBullet *self, OrreryObject *object, GError **error)
{
  BodySet *set = &self->set;
  gboolean link = tree_set_moves (object);
  gboolean articulated;
  Motion motion;
  Body *body;

  /* The body has nothing to collide with, and its pose is set from elsewhere. */
  if (!link && !has_piece (object) &&
      (orrery_object_get_body (object)->type == ORRERY_BODY_STATIC ||
       orrery_object_get_joint (object) != NULL))
    return TRUE;

  motion = link ? MOTION_LINK : body_choose_motion (object, body_set_find_carrier (set, object));
  articulated = link || (motion == MOTION_FREE && tree_set_has_links (object));
  body = body_set_add (set, object, motion);
  if (body->pieces->len == 0 && !articulated)
    return body_fail (error, object, "a body that moves or reports contacts needs a solid shape");
  if (!body_check (body, MAX_MOVING_SIZE, error))
    return FALSE;
  ((Entry *) body)->body = bullet_engine_add_body (self->engine, object, motion,
                                                   (const Piece *) (gpointer) body->pieces->data,
                                                   body->pieces->len, &body->pose, articulated);
  ((Entry *) body)->articulated = articulated;
  bullet_body_get_inertia (get_body (body), &orrery_object_get_body (object)->inertia);
  begin_body (set, body);
  /* Trees are made of all that is in them. */
  if (!articulated && !orrery_object_is_present (object))
    body_set_park (set, body);
  return TRUE;
}

static gboolean
add_bodies (OrreryBullet *self, guint first, guint end, GError **error)
{
  for (guint i = first; i < end; i++) {
    OrreryObject *object = orrery_world_get_object (self->set.world, i);

    if (orrery_object_get_body (object)->type == ORRERY_BODY_NONE ||
        body_set_is_fixed (&self->set, object))
      continue;
    if (!add_body (self, object, error))
      return FALSE;
  }
  return TRUE;
}

static void
park_links (BodySet *set)
{
  for (guint i = set->bodies->len; i > 0; i--) {
    Body *body = set->bodies->pdata[i - 1];

    if (!orrery_object_is_present (body->object))
      body_set_park (set, body);
  }
}

static gboolean
add_trees (OrreryBullet *self, GError **error)
{
  GError *local = NULL;

  if (!tree_set_check (self->set.world, error))
    return FALSE;
  self->trees = tree_set_new (&self->set, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    return FALSE;
  }
  bullet_engine_set_trees (self->engine, self->trees, 0);
  park_links (&self->set);
  return TRUE;
}

static void
measure_contacts (OrreryBullet *self)
{
  if (orrery_world_is_measured (self->set.world, ORRERY_MEASURE_CONTACTS, NULL))
    bullet_engine_measure_contacts (self->engine);
}

/* Puts the engine of the same world back: bodies and shapes stay, and nothing else does. Trees are
 * built anew. */
static gboolean
begin_again (OrreryBullet *self, OrreryWorld *world, guint64 made_of)
{
  BodySet *set = &self->set;

  if (self->engine == NULL || self->trees != NULL || set->broken || set->world != world ||
      self->made_of != made_of)
    return FALSE;
  bullet_engine_begin_again (self->engine);
  /* The world has the scene's values again: the engine gets those that have changed since. */
  body_set_refresh_all (set);
  body_set_begin_again (set);
  for (guint i = 0; i < set->bodies->len; i++) {
    Body *body = set->bodies->pdata[i];

    bullet_body_begin_again (get_body (body), &body->pose, TRUE);
    begin_body (set, body);
  }
  for (guint i = 0; i < set->parked->len; i++) {
    Body *body = set->parked->pdata[i];

    bullet_body_begin_again (get_body (body), &body->pose, FALSE);
  }
  return TRUE;
}

static void
orrery_bullet_build (OrreryPhysics *physics, OrreryWorld *world, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);
  guint n = orrery_world_get_n_objects (world);
  guint64 made_of = body_set_fold_world (world, n);

  if (begin_again (self, world, made_of)) {
    measure_contacts (self);
    return;
  }
  clear (self);
  self->made_of = made_of;
  body_set_init (&self->set, &body_engine, world);
  if (self->store == NULL)
    self->store = bullet_store_new (world);
  self->set.engine = self->engine = bullet_engine_new (&self->set, self->store);

  if (!add_bodies (self, 0, n, error) || !add_trees (self, error)) {
    clear (self);
    return;
  }
  body_set_add_wheels (&self->set);
  measure_contacts (self);
}

/* --- objects that come later --- */

static void
drop_bodies (OrreryBullet *self, guint n_objects)
{
  if (self->trees != NULL)
    tree_set_shrink (self->trees, n_objects);
  if (self->trees != NULL && self->trees->trees->len == 0) {
    g_clear_pointer (&self->trees, tree_set_free);
    bullet_engine_set_trees (self->engine, NULL, 0);
  }
  bullet_engine_drop_bodies (self->engine, n_objects);
  body_set_shrink (&self->set, n_objects);
}

static gboolean
add_links (OrreryBullet *self, guint first, GError **error)
{
  if (self->trees == NULL)
    return add_trees (self, error);
  if (!tree_set_check (self->set.world, error) ||
      !tree_set_extend (self->trees, self->set.n_objects, error))
    return FALSE;
  bullet_engine_set_trees (self->engine, self->trees, first);
  park_links (&self->set);
  return TRUE;
}

static void
orrery_bullet_extend (OrreryPhysics *physics, guint n_objects, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);
  BodySet *set = &self->set;
  guint first = set->n_objects;

  if (self->engine == NULL) {
    orrery_set_error (error, ORRERY_ERROR_STATE, "its model could not be built");
    return;
  }
  if (n_objects < first) {
    drop_bodies (self, n_objects);
  } else if (n_objects > first) {
    body_set_extend (set, n_objects);
    if (!add_bodies (self, first, n_objects, error) || !add_links (self, first, error))
      drop_bodies (self, first);
    measure_contacts (self);
  }
  self->made_of = body_set_fold_world (set->world, set->n_objects);
}

static gboolean
orrery_bullet_measures (OrreryPhysics *physics, OrreryMeasurement what, OrreryObject *object,
                        GError **error)
{
  if (what == ORRERY_MEASURE_CONTACTS || tree_set_moves (object))
    return TRUE;
  return body_fail (error, object, BODY_NO_WRENCH);
}

static gboolean
orrery_bullet_changes (OrreryPhysics *physics, const OrreryQuantity *quantity, OrreryObject *object,
                       GError **error)
{
  return body_set_changes (&ORRERY_BULLET (physics)->set, quantity, object, error);
}

static gboolean
orrery_bullet_parks (OrreryPhysics *physics, OrreryObject *object, GError **error)
{
  return TRUE;
}

/* --- a tick --- */

/* An infinity or a NaN would hang or crash the broad phase: it is found before it gets there. */
static gboolean
check_state (OrreryBullet *self, GError **error)
{
  for (guint i = 0; i < self->set.bodies->len; i++) {
    Body *body = self->set.bodies->pdata[i];

    if (!body_is_dynamic (body) || bullet_body_is_within (get_body (body), BODY_REACH))
      continue;

    self->set.broken = TRUE;
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "object '%s': its pose or velocity is not a number, or beyond 1e9 m, "
                             "m/s or rad/s; check the forces, speeds and poses that it is given",
                             orrery_object_get_name (body->object));
  }
  return TRUE;
}

static void
orrery_bullet_apply (OrreryPhysics *physics, OrreryCommands *commands, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);

  if (body_set_apply (&self->set, commands, error) && check_state (self, error))
    bullet_engine_begin (self->engine);
}

static void
orrery_bullet_step (OrreryPhysics *physics, double dt, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);

  if (self->set.broken)
    return;
  body_set_advance (&self->set, dt);
  bullet_engine_step (self->engine, dt);
  check_state (self, error);
}

static void
orrery_bullet_push (OrreryPhysics *physics, OrreryCommands *forces, GError **error)
{
  body_set_push (&ORRERY_BULLET (physics)->set, forces, error);
}

static void
orrery_bullet_read (OrreryPhysics *physics, OrrerySnapshot *snapshot, GError **error)
{
  OrreryBullet *self = ORRERY_BULLET (physics);

  if (self->set.broken)
    return;
  bullet_engine_end (self->engine);
  body_set_release (&self->set);
  if (self->trees != NULL)
    tree_set_read (self->trees, snapshot);
  body_set_read (&self->set, snapshot);
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

  /* Before anything that is reckoned with them. */
  if (self->engine != NULL)
    body_set_refresh_all (&self->set);
  if (!bullet_restore (self, state, error))
    return;
  body_set_count_held (&self->set);
  for (guint i = 0; i < self->set.bodies->len; i++) {
    Body *body = self->set.bodies->pdata[i];

    if (body->motion == MOTION_FREE)
      set_freedom (&self->set, body);
  }
}

static void
orrery_bullet_finalize (GObject *object)
{
  clear (ORRERY_BULLET (object));
  g_clear_pointer (&ORRERY_BULLET (object)->store, bullet_store_free);
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
  physics_class->measures = orrery_bullet_measures;
  physics_class->parks = orrery_bullet_parks;
  physics_class->changes = orrery_bullet_changes;
  physics_class->extend = orrery_bullet_extend;
  ORRERY_PART_CLASS (klass)->save = orrery_bullet_save;
  ORRERY_PART_CLASS (klass)->restore = orrery_bullet_restore;
}

ORRERY_PLUGIN ("Rigid bodies by Bullet, in double precision", "BSD-3-Clause",
               ORRERY_CLASS (Bullet, OrreryBullet, orrery_bullet))
