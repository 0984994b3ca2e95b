/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.physics.mujoco.MuJoCo: articulated robots and convex scenes, by MuJoCo 2.2.2. This file is
 * the role; engine.h hides the steps.
 */
#include "engine.h"

#include <math.h>

#define MAX_WIND 1e4 /* m/s */

typedef struct {
  OrreryPhysics parent_instance;

  BodySet set; /* of Thing */
  Engine *engine;
  GArray *motors;   /* (element-type Motor) */
  gint64 *motor_of; /* of an object: place among the motors, or -1 */
  guint64 made_of;  /* a hash of what the engine was made from */

  GVariant *wind;
  ModelOptions options;
  int integrator;
  int cone;
} OrreryMujoco;
ORRERY_DEFINE_CLASS (OrreryMujoco, orrery_mujoco, OrreryPhysics, orrery_physics)

/* --- properties --- */

static GType
integrator_get_type (void)
{
  static const GEnumValue values[] = { { 0, "EULER", "Euler" }, { 0, NULL, NULL } };
  static GType type;

  if (type == 0)
    type = g_enum_register_static ("OrreryMujocoIntegrator", values);
  return type;
}

static GType
cone_get_type (void)
{
  static const GEnumValue values[] = { { 0, "ELLIPTIC", "elliptic" }, { 0, NULL, NULL } };
  static GType type;

  if (type == 0)
    type = g_enum_register_static ("OrreryMujocoCone", values);
  return type;
}

static gboolean
read_wind (GVariant *value, double out[3])
{
  gboolean fine = g_variant_is_container (value) && g_variant_n_children (value) == 3;

  for (guint i = 0; fine && i < 3; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value, i);

    if (g_variant_is_of_type (item, G_VARIANT_TYPE_VARIANT)) {
      GVariant *boxed = g_steal_pointer (&item);

      item = g_variant_get_variant (boxed);
      g_variant_unref (boxed);
    }
    if (g_variant_is_of_type (item, G_VARIANT_TYPE_DOUBLE))
      out[i] = g_variant_get_double (item);
    else if (g_variant_is_of_type (item, G_VARIANT_TYPE_INT64))
      out[i] = (double) g_variant_get_int64 (item);
    else
      fine = FALSE;
    fine = fine && fabs (out[i]) <= MAX_WIND;
  }
  return fine;
}

static gboolean
check_wind (OrreryPart *part, GVariant *value, GError **error)
{
  double wind[3];

  return read_wind (value, wind) ||
         orrery_set_error (error, ORRERY_ERROR_INVALID, "it is no list of three numbers up to %g",
                           MAX_WIND);
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_VARIANT (OrreryMujoco, wind, "wind", "(0.0, 0.0, 0.0)",
                           "m/s, of what flows around all bodies: three numbers",
                           .check = check_wind, .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryMujoco, options.density, "density", 0, 1e6, 0,
                          "kg/m3, of what flows around all bodies; air has 1.2, water 1000",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryMujoco, options.viscosity, "viscosity", 0, 1e6, 0,
                          "Pa s, of what flows around all bodies; air has 2e-5, water 1e-3",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_ENUM (OrreryMujoco, integrator, "integrator", integrator_get_type, 0,
                        "How velocities become poses; damping and gains act implicitly",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_ENUM (OrreryMujoco, cone, "cone", cone_get_type, 0,
                        "The friction that contacts allow; it is the same in all directions",
                        .flags = ORRERY_PROPERTY_AT_START),
};

/* --- what the set of bodies asks --- */

static OrreryMujoco *
get_self (BodySet *set)
{
  return (OrreryMujoco *) (gpointer) ((char *) set - G_STRUCT_OFFSET (OrreryMujoco, set));
}

static void
free_thing (Body *body)
{
  g_ptr_array_unref (((Thing *) body)->links);
  g_array_unref (((Thing *) body)->first);
}

/* It is asked for in each substep. */
static void
set_gravity (BodySet *set, Body *body, gboolean on)
{
}

static void
add_force (BodySet *set, Body *body, const OrreryVec3 *force, const OrreryVec3 *torque)
{
  Thing *thing = (Thing *) body;

  thing->force = orrery_vec3_add (&thing->force, force);
  thing->torque = orrery_vec3_add (&thing->torque, torque);
}

static void
push (BodySet *set, Body *body, const OrreryVec3 *force, const OrreryVec3 *torque)
{
  Thing *thing = (Thing *) body;

  thing->push = orrery_vec3_add (&thing->push, force);
  thing->twist = orrery_vec3_add (&thing->twist, torque);
}

static gboolean
cast (BodySet *set, Body *body, const OrreryVec3 *from, const OrreryVec3 *to, gboolean margins,
      double *fraction, OrreryVec3 *normal)
{
  Thing *thing = (Thing *) body;

  return ray_cast (thing->engine, thing, from, to, margins, fraction, normal);
}

static void
take_motor (BodySet *set, const OrreryCommand *command)
{
  OrreryMujoco *self = get_self (set);
  Motor *motor;
  OrreryJointState state;

  motor = &g_array_index (self->motors, Motor, self->motor_of[command->object]);
  engine_get_joint (self->engine, motor, &state);
  if (motor_take (motor, command, state.position))
    engine_put_joint (self->engine, motor, command->linear.x);
}

/* Of a link without a mass: as its carrier moves, at its own place. */
static void
place_hollow (BodySet *set, Body *body, OrreryTransform *pose)
{
  OrreryMujoco *self = get_self (set);
  const Motor *motor = &g_array_index (self->motors, Motor, self->motor_of[body->index]);
  OrreryJointState state;

  engine_get_joint (self->engine, motor, &state);
  body_set_get_parent_pose (set, body, pose);
  orrery_joint_place (motor->joint, orrery_object_get_start (body->object), &state, &body->local);
  orrery_transform_multiply (pose, &body->local, pose);
}

/* The motion in this substep, for friction with other bodies. */
static void
measure (BodySet *set, Body *body, const OrreryTransform *before, double dt)
{
  Thing *thing = (Thing *) body;
  const OrreryVec3 *p = &body->pose.position, *q = &before->position;
  double a[4] = { body->pose.rotation.w, body->pose.rotation.x, body->pose.rotation.y,
                  body->pose.rotation.z };
  double b[4] = { before->rotation.w, before->rotation.x, before->rotation.y, before->rotation.z };
  double turn[3], world[3];

  thing->moving = (OrreryVec3){ (p->x - q->x) / dt, (p->y - q->y) / dt, (p->z - q->z) / dt };
  mju_subQuat (turn, a, b);
  mju_rotVecQuat (world, turn, b);
  thing->turning = (OrreryVec3){ world[0] / dt, world[1] / dt, world[2] / dt };
}

/* Friction is asked for where something touches. */
static void
change (BodySet *set, Body *body, OrreryQuantityKind which)
{
  OrreryMujoco *self = get_self (set);

  if (body == NULL)
    engine_set_world (self->engine, set->world, &self->options);
  else if (which == ORRERY_QUANTITY_MASS)
    engine_set_mass (self->engine, (Thing *) body);
  else if (which == ORRERY_QUANTITY_SCALE)
    engine_set_size (self->engine, (Thing *) body);
}

static const BodyEngine body_engine = {
  .size = sizeof (Thing),
  .free = free_thing,
  .get_pose = engine_get_pose,
  .set_pose = engine_set_pose,
  .get_velocity = engine_get_velocity,
  .set_velocity = engine_set_velocity,
  .set_freedom = engine_set_freedom,
  .set_gravity = set_gravity,
  .add_force = add_force,
  .push = push,
  .get_force = engine_get_force,
  .cast = cast,
  .take_joint = take_motor,
  .place_hollow = place_hollow,
  .measure = measure,
  .set_present = engine_set_present,
  .change = change,
};

/* --- building --- */

static void
clear (OrreryMujoco *self)
{
  g_clear_pointer (&self->engine, engine_free);
  body_set_clear (&self->set);
  g_clear_pointer (&self->motors, g_array_unref);
  g_clear_pointer (&self->motor_of, g_free);
}

static Thing *
add_thing (OrreryMujoco *self, OrreryObject *object, Motion motion)
{
  Thing *thing = (Thing *) body_set_add (&self->set, object, motion);

  thing->inertial = orrery_object_get_inertial (object);
  thing->links = g_ptr_array_new ();
  thing->first = g_array_ref (thing->own.pieces);
  thing->body = thing->qpos = thing->dof = thing->mocap = -1;
  return thing;
}

/* Something that moves with the tree hangs its links on a body, even where it has none. */
static void
add_base (OrreryMujoco *self, OrreryObject *link)
{
  OrreryObject *parent = orrery_object_get_parent (link);
  Thing *base;

  if (parent == NULL || body_set_find_carrier (&self->set, link) != NULL)
    return;
  base = add_thing (self, parent, MOTION_TOLD);
  base->own.report = FALSE;
  g_array_set_size (base->own.pieces, 0);
}

static void
add_motor (OrreryMujoco *self, Thing *thing)
{
  Motor motor = { .body = &thing->own, .joint = orrery_object_get_joint (thing->own.object) };

  self->motor_of[thing->own.index] = thing->motor = self->motors->len;
  g_array_append_val (self->motors, motor);
  orrery_world_take_joint (self->set.world, thing->own.object);
}

/* What comes and goes has another name while it is there, and none while it is away. */
static gboolean
comes_and_goes (OrreryObject *object)
{
  return g_strcmp0 (orrery_object_get_instance_name (object), orrery_object_get_name (object)) != 0;
}

/* What stands still in the model can never be put elsewhere. */
static Motion
choose_motion (OrreryMujoco *self, OrreryObject *object)
{
  Motion motion;

  if (model_moves_joint (object))
    return MOTION_LINK;
  motion = body_choose_motion (object, body_set_find_carrier (&self->set, object));
  return motion == MOTION_FIXED && comes_and_goes (object) ? MOTION_TOLD : motion;
}

static gboolean
add_object (OrreryMujoco *self, OrreryObject *object, GError **error)
{
  const OrreryBody *body = orrery_object_get_body (object);
  Thing *thing;

  if (body->type == ORRERY_BODY_NONE || body_set_is_fixed (&self->set, object))
    return TRUE;
  if (model_moves_joint (object))
    add_base (self, object);
  thing = add_thing (self, object, choose_motion (self, object));
  if (thing->own.pieces->len == 0 && !body_is_dynamic (&thing->own) &&
      thing->own.motion != MOTION_GHOST && orrery_object_get_joint (object) != NULL)
    return TRUE;
  if (thing->own.pieces->len == 0 && thing->inertial == NULL &&
      (thing->own.motion == MOTION_FREE || thing->own.motion == MOTION_GHOST))
    return body_fail (error, object, "a body that moves or reports contacts needs a solid shape");
  if (!body_check (&thing->own, BODY_REACH, error))
    return FALSE;
  if (thing->own.motion != MOTION_LINK)
    return TRUE;
  if (thing->own.carrier != NULL)
    g_ptr_array_add (((Thing *) thing->own.carrier)->links, thing);
  add_motor (self, thing);
  return TRUE;
}

/* A link of no mass and no shape is one with the link behind it, if it is one. */
static gboolean
find_hollow (OrreryMujoco *self, GError **error)
{
  for (guint i = 0; i < self->set.bodies->len; i++) {
    Thing *thing = self->set.bodies->pdata[i];

    if (thing->own.motion != MOTION_LINK || thing->own.settings->mass > 0 ||
        thing->own.pieces->len > 0)
      continue;
    if (thing->links->len != 1)
      return body_fail (error, thing->own.object,
                        "a link without a mass needs exactly one child link");
    thing->own.hollow = TRUE;
  }
  return TRUE;
}

/* Wheels reckon with the mass of the body that they carry alone. */
static gboolean
check_wheels (OrreryMujoco *self, GError **error)
{
  for (guint i = 0; i < orrery_world_get_n_objects (self->set.world); i++) {
    OrreryObject *object = orrery_world_get_object (self->set.world, i);
    Body *body = orrery_object_get_wheel (object) != NULL
                     ? body_set_find (&self->set, orrery_object_get_parent (object))
                     : NULL;

    if (body != NULL && ((Thing *) body)->links->len > 0)
      return body_fail (error, object,
                        "wheels under a body with links that move it in turn are none of "
                        "orrery.physics.mujoco.MuJoCo; let hinges turn them, or take "
                        "orrery.physics.bullet.Bullet");
  }
  return TRUE;
}

/* Puts all things into their initial state. */
static void
place (OrreryMujoco *self)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->set.world);

  for (guint i = 0; i < self->set.bodies->len; i++) {
    Thing *thing = self->set.bodies->pdata[i];

    orrery_object_get_body (thing->own.object)->inertia =
        body_is_dynamic (&thing->own) ? thing->inertia : (OrreryVec3){ 0 };
    if (thing->own.motion == MOTION_FREE) {
      engine_set_pose (&self->set, &thing->own, &thing->own.pose);
      engine_set_freedom (&self->set, &thing->own);
    } else if (thing->own.motion != MOTION_LINK) {
      engine_set_pose (&self->set, &thing->own, &thing->own.pose);
    }
  }
  for (guint i = 0; i < self->motors->len; i++) {
    Motor *motor = &g_array_index (self->motors, Motor, i);

    engine_put_joint (self->engine, motor,
                      orrery_snapshot_get_joint (snapshot, motor->body->index)->position);
  }
  engine_end (self->engine);
}

/* What outlasts ticks, beside the numbers of the engine. */
static void
begin_things_again (OrreryMujoco *self)
{
  for (guint i = 0; i < self->set.bodies->len; i++)
    thing_begin (self->set.bodies->pdata[i]);
  for (guint i = 0; i < self->set.parked->len; i++)
    thing_begin (self->set.parked->pdata[i]);
  for (guint i = 0; i < self->motors->len; i++) {
    Motor *motor = &g_array_index (self->motors, Motor, i);

    *motor = (Motor){ .body = motor->body, .joint = motor->joint };
    orrery_world_take_joint (self->set.world, motor->body->object);
  }
}

/* The model is that of the first poses, as in the run that a state was saved in. */
static gboolean
begin_again (OrreryMujoco *self, OrreryWorld *world, guint64 made_of)
{
  if (self->engine == NULL || self->set.world != world || self->made_of != made_of ||
      !engine_begin_again (self->engine))
    return FALSE;
  engine_set_world (self->engine, world, &self->options);
  body_set_begin_again (&self->set);
  begin_things_again (self);
  engine_show_present (self->engine, &self->set);
  place (self);
  return TRUE;
}

static int
compare_bodies (gconstpointer a, gconstpointer b)
{
  const Body *x = *(Body *const *) a, *y = *(Body *const *) b;

  return x->index < y->index ? -1 : x->index > y->index;
}

/* What carries links was added where the first of them was; in a pool, places must not tell when
 * something came. */
static void
sort_pool (OrreryMujoco *self)
{
  gboolean pooled = FALSE;

  for (guint i = 0; i < self->set.bodies->len && !pooled; i++)
    pooled = comes_and_goes (((Body *) self->set.bodies->pdata[i])->object);
  if (pooled)
    g_ptr_array_sort (self->set.bodies, compare_bodies);
}

static void
park_absent (OrreryMujoco *self)
{
  sort_pool (self);
  for (guint i = self->set.bodies->len; i > 0; i--) {
    Body *body = self->set.bodies->pdata[i - 1];

    if (!orrery_object_is_present (body->object))
      body_set_park (&self->set, body);
  }
}

static void
orrery_mujoco_build (OrreryPhysics *physics, OrreryWorld *world, GError **error)
{
  OrreryMujoco *self = (OrreryMujoco *) physics;
  guint n = orrery_world_get_n_objects (world);
  guint64 made_of;

  read_wind (self->wind, self->options.wind);
  made_of =
      orrery_hash_bytes (body_set_fold_world (world, n), &self->options, sizeof self->options);
  if (begin_again (self, world, made_of))
    return;
  clear (self);
  self->made_of = made_of;
  body_set_init (&self->set, &body_engine, world);
  self->motors = g_array_new (FALSE, FALSE, sizeof (Motor));
  self->motor_of = g_new (gint64, n);
  for (guint i = 0; i < n; i++)
    self->motor_of[i] = -1;

  for (guint i = 0; i < n; i++)
    if (!add_object (self, orrery_world_get_object (world, i), error)) {
      clear (self);
      return;
    }
  if (find_hollow (self, error) && check_wheels (self, error))
    self->engine = engine_new (self->set.bodies, self->motors, world, &self->options, error);
  if (self->engine == NULL) {
    clear (self);
    return;
  }
  self->set.engine = self->engine;
  place (self);
  park_absent (self);
  body_set_add_wheels (&self->set);
}

static gboolean
orrery_mujoco_measures (OrreryPhysics *physics, OrreryMeasurement what, OrreryObject *object,
                        GError **error)
{
  if (what == ORRERY_MEASURE_CONTACTS || model_moves_joint (object))
    return TRUE;
  return body_fail (error, object, BODY_NO_WRENCH);
}

static gboolean
orrery_mujoco_changes (OrreryPhysics *physics, const OrreryQuantity *quantity, OrreryObject *object,
                       GError **error)
{
  if (quantity->kind == ORRERY_QUANTITY_RESTITUTION)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "its contacts know no restitution");
  if (quantity->kind == ORRERY_QUANTITY_SCALE)
    return object == NULL || model_can_scale (object, error);
  return body_set_changes (&((OrreryMujoco *) physics)->set, quantity, object, error);
}

static gboolean
orrery_mujoco_parks (OrreryPhysics *physics, OrreryObject *object, GError **error)
{
  return TRUE;
}

/* --- a tick --- */

static void
orrery_mujoco_apply (OrreryPhysics *physics, OrreryCommands *commands, GError **error)
{
  OrreryMujoco *self = (OrreryMujoco *) physics;

  body_set_apply (&self->set, commands, error);
  if (!self->set.broken)
    engine_weigh (self->engine, &self->set);
}

static void
orrery_mujoco_step (OrreryPhysics *physics, double dt, GError **error)
{
  OrreryMujoco *self = (OrreryMujoco *) physics;

  if (self->set.broken)
    return;
  if (self->set.wheels != NULL)
    engine_aim (self->engine);
  body_set_advance (&self->set, dt);
  self->set.broken = !engine_step (self->engine, dt, error);
}

static void
orrery_mujoco_push (OrreryPhysics *physics, OrreryCommands *forces, GError **error)
{
  body_set_push (&((OrreryMujoco *) physics)->set, forces, error);
}

static void
orrery_mujoco_read (OrreryPhysics *physics, OrrerySnapshot *snapshot, GError **error)
{
  OrreryMujoco *self = (OrreryMujoco *) physics;

  if (self->set.broken)
    return;
  body_set_release (&self->set);
  engine_end (self->engine);
  for (guint i = 0; i < self->motors->len; i++) {
    const Motor *motor = &g_array_index (self->motors, Motor, i);
    OrreryJointState state;

    if (motor->body->parked)
      continue;
    engine_get_joint (self->engine, motor, &state);
    orrery_snapshot_set_joint (snapshot, motor->body->index, &state);
  }
  body_set_read (&self->set, snapshot);
  engine_report (self->engine, snapshot);
}

static GVariant *
orrery_mujoco_save (OrreryPart *part)
{
  OrreryMujoco *self = (OrreryMujoco *) part;

  return self->engine != NULL ? engine_save (self->engine, &self->set) : NULL;
}

static void
orrery_mujoco_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryMujoco *self = (OrreryMujoco *) part;

  /* Before anything that is reckoned with them. */
  if (self->engine != NULL) {
    body_set_refresh_all (&self->set);
    engine_weigh (self->engine, &self->set);
  }
  if (self->engine == NULL || !engine_restore (self->engine, &self->set, state))
    orrery_part_refuse_state (part, error);
}

static void
orrery_mujoco_finalize (GObject *object)
{
  clear ((OrreryMujoco *) object);
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
  physics_class->measures = orrery_mujoco_measures;
  physics_class->changes = orrery_mujoco_changes;
  physics_class->parks = orrery_mujoco_parks;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Articulated robots and convex scenes by MuJoCo", "BSD-3-Clause",
               ORRERY_CLASS (MuJoCo, OrreryMujoco, orrery_mujoco))
