/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of MuJoCo: forces, motors, solving and friction. */
#define _GNU_SOURCE
#include "engine-private.h"

#include "constraints.h"
#include "guard.h"

#include <math.h>
#include <string.h>

/* m, m/s, rad/s: what is farther or faster than this is a mistake. */
#define REACH 1e9
/* Limit of doubles that MuJoCo may need; more does not fit into the memory of today's machines. */
#define MAX_STACK 250e6
#define MAX_CONTACTS 40000
/* Memory grows with the square of the contacts: more room is made once it is needed. */
#define START_PIECES 250

/* --- making --- */

/* Rows of constraints beside those of contacts: two for limits of a joint, one for friction. */
static int
count_rows (const mjModel *m)
{
  int n = 6 * m->neq;

  for (int i = 0; i < m->njnt; i++)
    n += m->jnt_limited[i] ? 2 : 0;
  for (int i = 0; i < m->nv; i++)
    n += m->dof_frictionloss[i] > 0;
  return n;
}

/* The broad phase lists all pairs of bodies, those that stand still among them. */
static void
choose_sizes (Engine *engine, int n_contacts)
{
  mjModel *m = engine->model.m;
  double n, n_pairs = (double) m->nbody * m->nbody;

  m->nconmax = n_contacts;
  m->njmax = n_contacts + engine->n_rows;
  n = (double) m->njmax + m->nv;
  m->nstack =
      (int) fmin (5 * n * n + n_pairs + 20 * (m->nq + m->nv + m->nbody + m->ngeom + m->njnt) + 1e5,
                  MAX_STACK);
}

static gboolean
make_data (Engine *engine, GError **error)
{
  mjData *volatile d = NULL;
  const char *said;

  guard_enter ();
  if (setjmp (guard_here ()) == 0)
    d = mj_makeData (engine->model.m);
  said = guard_leave (NULL);
  engine->d = engine->rub.d = d;
  engine->frames.known = FALSE;
  if (d != NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "MuJoCo cannot have buffers for %d contacts: %s",
                           engine->model.m->nconmax, said != NULL ? said : "no memory");
}

static void
make_arrays (Engine *engine)
{
  const mjModel *m = engine->model.m;
  int nv = MAX (m->nv, 1);

  engine->state.qpos = g_new (double, MAX (m->nq, 1));
  engine->state.qvel = g_new (double, nv);
  engine->state.warmstart = g_new (double, nv);
  engine->wanted = g_new0 (double, nv);
  engine->effort = g_new0 (double, nv);
  engine->implied = g_new0 (double, nv);
  engine->share = g_new0 (double, nv);
  engine->implicit = g_new0 (double, nv);
  engine->inertia = g_memdup2 (m->dof_M0, m->nv * sizeof (double));
  engine->driven = g_new0 (guint8, nv);
  for (int i = 0; i < m->nv; i++)
    engine->damped |= m->dof_damping[i] > 0;
  for (guint i = 0; i < engine->motors->len; i++) {
    const OrreryJoint *joint = g_array_index (engine->motors, Motor, i).joint;

    engine->damped |= joint->position_gain > 0 || joint->velocity_gain > 0;
  }
}

static guint
count_moving (GPtrArray *things)
{
  guint n = 0;

  for (guint i = 0; i < things->len; i++) {
    const Thing *thing = things->pdata[i];

    if (thing->own.motion == MOTION_FREE || thing->own.motion == MOTION_LINK)
      n += thing->own.pieces->len;
  }
  return n;
}

Engine *
engine_new (GPtrArray *things, GArray *motors, OrreryWorld *world, const ModelOptions *options,
            GError **error)
{
  Engine *engine = g_new0 (Engine, 1);

  engine->things = things;
  engine->motors = motors;
  engine->gravity = *orrery_world_get_gravity (world);
  if (!model_make (&engine->model, things, world, options, error)) {
    engine_free (engine);
    return NULL;
  }
  make_arrays (engine);
  presence_init (&engine->presence, things, engine->model.m);
  frames_init (&engine->frames, engine->model.m);
  engine->couplings = constraints_find_couplings (things);
  engine->n_rows = count_rows (engine->model.m);
  choose_sizes (engine, 32 + 8 * (int) MIN (count_moving (things), START_PIECES));
  engine->n_first_contacts = engine->model.m->nconmax;
  rub_init (&engine->rub, &engine->model, things);
  engine->rub.measures = orrery_world_is_measured (world, ORRERY_MEASURE_CONTACTS, NULL);
  loads_init (&engine->loads, engine->model.m, things, world);
  if (!make_data (engine, error)) {
    engine_free (engine);
    return NULL;
  }
  for (guint i = 0; i < things->len; i++)
    ((Thing *) things->pdata[i])->engine = &engine->rub;
  return engine;
}

/* mj_resetData() but for contacts and rows of constraints, which are most of its memory: a substep
 * writes those that it counts before it reads them. They are in the middle of the buffer. */
static void
reset_data (const mjModel *m, mjData *d)
{
  char *start = d->buffer, *end = start + d->nbuffer;
  char *rows = (char *) d->contact, *rest = (char *) d->ten_velocity;

  if (rows < start || rest < rows || rest > end) {
    mj_resetData (m, d);
    return;
  }
  d->nbuffer = (int) (rows - start);
  mj_resetData (m, d);
  d->nbuffer = (int) (end - start);
  memset (rest, 0, (gsize) (end - rest));
}

gboolean
engine_begin_again (Engine *engine)
{
  const mjModel *m = engine->model.m;
  gsize size = (gsize) m->nv * sizeof (double);

  /* Where there is more room, a substep that found none at first is not tried twice. */
  if (m->nconmax != engine->n_first_contacts)
    return FALSE;
  engine_take_model_back (engine);
  reset_data (m, engine->d);
  engine->frames.known = FALSE;
  memset (engine->wanted, 0, size);
  memset (engine->effort, 0, size);
  memset (engine->implied, 0, size);
  memset (engine->share, 0, size);
  memset (engine->implicit, 0, size);
  memset (engine->driven, 0, (gsize) m->nv);
  return TRUE;
}

void
engine_free (Engine *engine)
{
  if (engine->d != NULL)
    mj_deleteData (engine->d);
  if (engine->first != NULL)
    mj_deleteModel (engine->first);
  rub_clear (&engine->rub);
  loads_clear (&engine->loads);
  frames_clear (&engine->frames);
  presence_clear (&engine->presence);
  g_clear_pointer (&engine->couplings, g_array_unref);
  model_clear (&engine->model);
  g_free (engine->state.qpos);
  g_free (engine->state.qvel);
  g_free (engine->state.warmstart);
  g_free (engine->wanted);
  g_free (engine->effort);
  g_free (engine->implied);
  g_free (engine->share);
  g_free (engine->implicit);
  g_free (engine->inertia);
  g_free (engine->driven);
  g_free (engine);
}

/* --- forces --- */

static void
damp (Engine *engine, double dt)
{
  const double air[3] = { engine->wind.x, engine->wind.y, engine->wind.z };

  for (guint i = 0; i < engine->things->len; i++) {
    const Thing *thing = engine->things->pdata[i];
    double *v = engine->d->qvel + thing->dof;
    double linear, angular;

    if (thing->own.motion != MOTION_FREE)
      continue;
    linear = pow (1 - thing->own.settings->linear_damping, dt);
    angular = pow (1 - thing->own.settings->angular_damping, dt);
    for (guint k = 0; k < 3; k++) {
      /* Still air changes no sign of a zero. */
      v[k] = air[k] == 0 ? v[k] * linear : air[k] + (v[k] - air[k]) * linear;
      v[3 + k] *= angular;
    }
  }
}

static void
hold_locked (Engine *engine)
{
  const mjModel *m = engine->model.m;

  for (guint i = 0; i < engine->presence.all->len; i++) {
    const Thing *thing = engine->presence.all->pdata[i];

    /* What is held goes as fast as its holder. */
    for (int k = 0; thing->own.motion == MOTION_FREE && thing->own.holder == NULL && k < 6; k++)
      if (m->dof_armature[thing->dof + k] >= LOCK)
        engine->d->qvel[thing->dof + k] = 0;
  }
  presence_hold (&engine->presence, engine->d->qvel);
}

/* By the joints that they act on: MuJoCo's own way takes a Jacobian of the whole for each body. */
static void
set_forces (Engine *engine, double dt)
{
  mju_zero (engine->d->qfrc_applied, engine->model.m->nv);
  for (guint i = 0; i < engine->things->len; i++) {
    Thing *thing = engine->things->pdata[i];
    double up = thing->own.falls ? 0 : thing->own.settings->mass;
    const OrreryVec3 *g = &engine->gravity;
    double f[3], t[3];

    if (thing->body < 0 || !body_is_dynamic (&thing->own))
      continue;
    f[0] = thing->force.x + thing->push.x + thing->wrench.x / dt - up * g->x;
    f[1] = thing->force.y + thing->push.y + thing->wrench.y / dt - up * g->y;
    f[2] = thing->force.z + thing->push.z + thing->wrench.z / dt - up * g->z;
    t[0] = thing->torque.x + thing->twist.x + thing->torsion.x / dt;
    t[1] = thing->torque.y + thing->twist.y + thing->torsion.y / dt;
    t[2] = thing->torque.z + thing->twist.z + thing->torsion.z / dt;
    if (mju_norm3 (f) > 0 || mju_norm3 (t) > 0)
      trees_add_force (&engine->rub.trees, engine->d, thing->body,
                       engine->d->xipos + 3 * thing->body, f, t, engine->d->qfrc_applied);
  }
}

/* --- motors --- */

static Thing *
get_thing (const Motor *motor)
{
  return (Thing *) motor->body;
}

static void
want (Engine *engine, int dof, double acceleration)
{
  engine->wanted[dof] = acceleration;
  engine->driven[dof] = TRUE;
}

static void
drive_single (Engine *engine, Motor *motor, double dt)
{
  const Thing *thing = get_thing (motor);
  MotorDrive drive;

  motor_drive (motor, engine->d->qpos[thing->qpos], engine->d->qvel[thing->dof], dt, &drive);
  engine->effort[thing->dof] = drive.effort;
  engine->implicit[thing->dof] += drive.implicit;
  if (drive.wants)
    want (engine, thing->dof, drive.wanted);
}

static void
drive_ball (Engine *engine, const Motor *motor)
{
  double goal[4] = { motor->rotation.w, motor->rotation.x, motor->rotation.y, motor->rotation.z };
  const double *q = engine->d->qpos + get_thing (motor)->qpos;
  const double *rate = engine->d->qvel + get_thing (motor)->dof;
  double way[3];

  if (motor->mode != MOTOR_POSITION)
    return;
  mju_subQuat (way, goal, q);
  for (int k = 0; k < 3; k++)
    want (engine, get_thing (motor)->dof + k, motor_turn (way[k], rate[k]));
}

/* What forces do to a joint, friction of the last substep among them: a wheel takes its robot along
 * though it is light. Only where the motor has a limit: one that is held fast would tear free. */
static double
get_load (const Engine *engine, const Motor *motor, int dof)
{
  return motor->joint->max_effort > 0 ? engine->d->qfrc_applied[dof] : 0;
}

/*
 * Computed torque: motors that want an acceleration get the effort that gives it, with what gravity
 * and the other joints do counted in. Siciliano, Sciavicco, Villani, Oriolo, Robotics, 8.5.2.
 */
static void
drive_motors (Engine *engine, double dt)
{
  const mjModel *m = engine->model.m;
  mjData *d = engine->d;
  int nv = m->nv;

  for (int i = 0; i < nv; i++)
    engine->implicit[i] = dt * m->dof_damping[i];
  if (engine->motors->len == 0)
    return;
  memset (engine->wanted, 0, nv * sizeof (double));
  memset (engine->effort, 0, nv * sizeof (double));
  memset (engine->driven, 0, nv);
  for (guint i = 0; i < engine->motors->len; i++) {
    Motor *motor = &g_array_index (engine->motors, Motor, i);

    if (motor->body->parked)
      continue;
    if (motor->joint->kind == ORRERY_JOINT_BALL)
      drive_ball (engine, motor);
    else
      drive_single (engine, motor, dt);
  }
  constraints_spread (engine->couplings, d, engine->wanted, engine->driven);
  if (memchr (engine->driven, TRUE, nv) != NULL)
    mj_mulM (m, d, engine->implied, engine->wanted);
  if (engine->couplings->len > 0) {
    memset (engine->share, 0, nv * sizeof (double));
    constraints_gather (engine->couplings, d, engine->implied, engine->share);
  }
  for (guint i = 0; i < engine->motors->len; i++) {
    Motor *motor = &g_array_index (engine->motors, Motor, i);
    int n = motor->joint->kind == ORRERY_JOINT_BALL ? 3 : 1;
    double most = motor->joint->max_effort > 0 ? motor->joint->max_effort : INFINITY;

    for (int k = get_thing (motor)->dof; k < get_thing (motor)->dof + n; k++) {
      if (engine->driven[k])
        engine->effort[k] = engine->implied[k] + engine->share[k] + d->qfrc_bias[k] -
                            d->qfrc_passive[k] - get_load (engine, motor, k);
      /* When a motor is at its limit, its effort does not depend on the velocity. */
      if (fabs (engine->effort[k]) > most)
        engine->implicit[k] = dt * m->dof_damping[k];
      engine->effort[k] = CLAMP (engine->effort[k], -most, most);
      d->qfrc_applied[k] += engine->effort[k];
    }
    motor->effort = engine->effort[get_thing (motor)->dof];
  }
}

/* --- contacts --- */

static void
choose_contacts (Engine *engine)
{
  mjData *d = engine->d;

  for (int i = 0; i < d->ncon; i++) {
    mjContact *c = &d->contact[i];
    const Geom *a = &engine->model.geoms[c->geom1];
    const Geom *b = &engine->model.geoms[c->geom2];

    c->includemargin = a->margin + b->margin;
    c->dim = 1;
    if (c->dist >= c->includemargin || a->thing->own.motion == MOTION_GHOST ||
        b->thing->own.motion == MOTION_GHOST)
      c->exclude = 1;
  }
}

void
engine_report (Engine *engine, OrrerySnapshot *snapshot)
{
  const mjData *d = engine->d;

  for (int i = 0; i < d->ncon; i++) {
    const mjContact *c = &d->contact[i];
    /* From the second object to the first, as contacts are told. */
    OrreryContact contact = { engine->model.geoms[c->geom2].thing->own.index,
                              engine->model.geoms[c->geom1].thing->own.index,
                              model_get_point (&engine->model, c),
                              { c->frame[0], c->frame[1], c->frame[2] },
                              0 };
    OrreryVec3 friction;

    if (c->dist >= c->includemargin)
      continue;
    if (c->exclude == 0 && c->efc_address >= 0)
      contact.impulse = d->efc_force[c->efc_address] * engine->model.m->opt.timestep;
    friction = rub_get_friction (&engine->rub, i);
    orrery_snapshot_add_contact_with_friction (snapshot, &contact, &friction);
  }
  loads_report (&engine->loads, snapshot);
}

/* --- a substep --- */

/* Damping and gains act on the state at the end of the substep: stiff ones stay stable. */
static void
solve_damped (Engine *engine, double dt)
{
  const mjModel *m = engine->model.m;
  mjData *d = engine->d;

  mju_add (engine->wanted, d->qfrc_smooth, d->qfrc_constraint, m->nv);
  for (int i = 0; i < m->nv; i++)
    d->qM[m->dof_Madr[i]] += engine->implicit[i];
  mj_factorM (m, d);
  mj_solveM (m, d, engine->effort, engine->wanted, 1);
  mju_addToScl (d->qvel, engine->effort, dt, m->nv);
}

static void
advance (Engine *engine, double dt)
{
  mjModel *m = engine->model.m;
  mjData *d = engine->d;

  m->opt.timestep = dt;
  damp (engine, dt);
  hold_locked (engine);
  loads_begin (&engine->loads, m, d);
  frames_update (&engine->frames, m, d);
  mj_tendon (m, d);
  mj_crb (m, d);
  mj_factorM (m, d);
  mj_collision (m, d);
  choose_contacts (engine);
  mj_makeConstraint (m, d);
  mj_transmission (m, d);
  mj_projectConstraint (m, d);
  set_forces (engine, dt);
  mj_fwdVelocity (m, d);
  drive_motors (engine, dt);
  mj_fwdActuation (m, d);
  mj_fwdAcceleration (m, d);
  mj_fwdConstraint (m, d);
  if (engine->damped)
    solve_damped (engine, dt);
  else
    mju_addToScl (d->qvel, d->qacc, dt, m->nv);
  rub_take_back (&engine->rub);
  rub_solve (&engine->rub, dt);
  hold_locked (engine);
  mju_copy (d->qacc_warmstart, d->qacc, m->nv);
  presence_hold (&engine->presence, d->qacc_warmstart);
  loads_measure (&engine->loads, &engine->rub, &engine->gravity, dt);
  mj_integratePos (m, d->qpos, d->qvel, dt);
  d->time += dt;
}

void
engine_keep (Engine *engine)
{
  const mjModel *m = engine->model.m;

  mju_copy (engine->state.qpos, engine->d->qpos, m->nq);
  mju_copy (engine->state.qvel, engine->d->qvel, m->nv);
  mju_copy (engine->state.warmstart, engine->d->qacc_warmstart, m->nv);
}

/* The wrenches are those of the substep before: they are made after all that can run out. */
static gboolean
grow (Engine *engine, GError **error)
{
  mjModel *m = engine->model.m;
  mjData *old = engine->d;

  if (m->nconmax >= MAX_CONTACTS)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "MuJoCo has no room for more than %d contacts at a time", m->nconmax);
  choose_sizes (engine, 2 * m->nconmax);
  g_debug ("buffers for %d contacts", m->nconmax);
  if (!make_data (engine, error)) {
    engine->d = engine->rub.d = old;
    return FALSE;
  }
  mju_copy (engine->d->qpos, engine->state.qpos, m->nq);
  mju_copy (engine->d->qvel, engine->state.qvel, m->nv);
  mju_copy (engine->d->qacc_warmstart, engine->state.warmstart, m->nv);
  mju_copy (engine->d->mocap_pos, old->mocap_pos, 3 * m->nmocap);
  mju_copy (engine->d->mocap_quat, old->mocap_quat, 4 * m->nmocap);
  engine->d->time = old->time;
  mj_deleteData (old);
  return TRUE;
}

static gboolean
is_full (const mjData *d)
{
  return d->warning[mjWARN_CONTACTFULL].number > 0 || d->warning[mjWARN_CNSTRFULL].number > 0;
}

static gboolean
check_state (Engine *engine, GError **error)
{
  for (guint i = 0; i < engine->things->len; i++) {
    const Thing *thing = engine->things->pdata[i];
    const mjModel *m = engine->model.m;
    int n_next = thing_count_freedoms (thing);
    gboolean fine = TRUE;

    for (int k = 0; k < n_next && thing->dof + k < m->nv; k++)
      fine = fine && fabs (engine->d->qvel[thing->dof + k]) <= REACH &&
             fabs (engine->d->qpos[thing->qpos + k]) <= REACH;
    if (fine)
      continue;
    return orrery_set_error (
        error, ORRERY_ERROR_STATE,
        "object '%s': its pose or velocity is not a number, or beyond 1e9 m, m/s or rad/s; check "
        "the forces, speeds, motors and poses that it is given",
        orrery_object_get_name (thing->own.object));
  }
  return TRUE;
}

/* Returns MuJoCo's error, or NULL; @full: it needs larger buffers. */
static const char *
try_advance (Engine *engine, double dt, gboolean *full)
{
  const char *said;
  gboolean failed;

  guard_enter ();
  if (setjmp (guard_here ()) == 0)
    advance (engine, dt);
  said = guard_leave (&failed);
  *full = is_full (engine->d) || (failed && strcasestr (said, "stack") != NULL);
  return failed ? said : NULL;
}

gboolean
engine_step (Engine *engine, double dt, GError **error)
{
  const char *said;
  gboolean full;

  if (engine->model.m->nv == 0)
    return TRUE;
  /* Infinities are found before they reach the engine. */
  if (!check_state (engine, error))
    return FALSE;
  engine_keep (engine);
  said = try_advance (engine, dt, &full);
  while (full) {
    if (!grow (engine, error))
      return FALSE;
    said = try_advance (engine, dt, &full);
  }
  for (guint i = 0; i < engine->things->len; i++) {
    Thing *thing = engine->things->pdata[i];
    thing->push = thing->twist = (OrreryVec3){ 0 };
  }
  if (said != NULL)
    return orrery_set_error (error, ORRERY_ERROR_STATE, "MuJoCo: %s", said);
  return check_state (engine, error);
}

void
engine_end (Engine *engine)
{
  for (guint i = 0; i < engine->things->len; i++) {
    Thing *thing = engine->things->pdata[i];
    thing->force = thing->torque = (OrreryVec3){ 0 };
  }
  if (engine->motors->len == 0)
    return;
  frames_update (&engine->frames, engine->model.m, engine->d);
  mj_comVel (engine->model.m, engine->d);
}

/* --- one body --- */

static void
read_pose (const double *p, const double *q, OrreryTransform *pose)
{
  pose->position = (OrreryVec3){ p[0], p[1], p[2] };
  pose->rotation = (OrreryQuat){ q[0], q[1], q[2], q[3] };
}

void
write_pose (const OrreryTransform *pose, double *p, double *q)
{
  const OrreryVec3 *v = &pose->position;
  const OrreryQuat *r = &pose->rotation;

  memcpy (p, (double[]){ v->x, v->y, v->z }, 3 * sizeof (double));
  memcpy (q, (double[]){ r->w, r->x, r->y, r->z }, 4 * sizeof (double));
}

void
engine_get_pose (BodySet *set, Body *body, OrreryTransform *pose)
{
  Engine *engine = set->engine;
  const Thing *thing = (Thing *) body;
  const mjData *d = engine->d;

  if (thing->own.motion == MOTION_FREE)
    read_pose (d->qpos + thing->qpos, d->qpos + thing->qpos + 3, pose);
  else
    read_pose (d->xpos + 3 * thing->body, d->xquat + 4 * thing->body, pose);
}

void
engine_set_pose (BodySet *set, Body *body, const OrreryTransform *pose)
{
  Engine *engine = set->engine;
  const Thing *thing = (Thing *) body;
  mjData *d = engine->d;

  if (thing->own.motion == MOTION_FREE)
    write_pose (pose, d->qpos + thing->qpos, d->qpos + thing->qpos + 3);
  else if (thing->mocap >= 0)
    write_pose (pose, d->mocap_pos + 3 * thing->mocap, d->mocap_quat + 4 * thing->mocap);
}

void
engine_get_velocity (BodySet *set, Body *body, OrreryVec3 *linear, OrreryVec3 *angular)
{
  Engine *engine = set->engine;
  const Thing *thing = (Thing *) body;
  const double *v = engine->d->qvel + thing->dof;
  double out[6];

  if (thing->own.motion == MOTION_FREE) {
    const double *q = engine->d->qpos + thing->qpos + 3;
    OrreryQuat rotation = { q[0], q[1], q[2], q[3] };

    *linear = (OrreryVec3){ v[0], v[1], v[2] };
    *angular = (OrreryVec3){ v[3], v[4], v[5] };
    orrery_quat_rotate (&rotation, angular, angular);
    return;
  }
  mj_objectVelocity (engine->model.m, engine->d, mjOBJ_XBODY, thing->body, out, 0);
  *angular = (OrreryVec3){ out[0], out[1], out[2] };
  *linear = (OrreryVec3){ out[3], out[4], out[5] };
}

void
engine_set_velocity (BodySet *set, Body *body, const OrreryVec3 *linear, const OrreryVec3 *angular)
{
  Engine *engine = set->engine;
  const Thing *thing = (Thing *) body;
  double *v = engine->d->qvel + thing->dof;
  const double *q = engine->d->qpos + thing->qpos + 3;
  OrreryQuat rotation = { q[0], q[1], q[2], q[3] };
  OrreryVec3 w;

  orrery_quat_rotate_back (&rotation, angular, &w);
  memcpy (v, (double[]){ linear->x, linear->y, linear->z, w.x, w.y, w.z }, 6 * sizeof (double));
}

void
engine_get_force (BodySet *set, Body *body, OrreryVec3 *force, OrreryVec3 *torque)
{
  Engine *engine = set->engine;
  const Thing *thing = (Thing *) body;
  const OrreryVec3 *g = &engine->gravity;
  double m = thing->own.falls ? thing->own.settings->mass : 0;

  *force = (OrreryVec3){ thing->force.x + thing->push.x + m * g->x,
                         thing->force.y + thing->push.y + m * g->y,
                         thing->force.z + thing->push.z + m * g->z };
  *torque = orrery_vec3_add (&thing->torque, &thing->twist);
}

void
engine_aim (Engine *engine)
{
  frames_update_bodies (&engine->frames, engine->model.m, engine->d);
}

void
engine_set_freedom (BodySet *set, Body *body)
{
  Engine *engine = set->engine;
  const Thing *thing = (Thing *) body;
  const OrreryBody *s = thing->own.settings;
  gboolean turns = s->type != ORRERY_BODY_DYNAMIC;
  const double factors[6] = { s->linear_factor.x,          s->linear_factor.y,
                              s->linear_factor.z,          turns * s->angular_factor.x,
                              turns * s->angular_factor.y, turns * s->angular_factor.z };
  mjModel *m = engine->model.m;

  for (int k = 0; k < 6; k++) {
    int dof = thing->dof + k;
    double lock = factors[k] == 0 || body->parked || body_is_still (body) ? LOCK : 0;

    /* Simple bodies take the inertia that was reckoned when the model was made. */
    m->dof_M0[dof] = engine->inertia[dof] + lock;
    m->dof_armature[dof] = lock;
  }
}

void
engine_get_joint (Engine *engine, const Motor *motor, OrreryJointState *state)
{
  const double *q = engine->d->qpos + get_thing (motor)->qpos;
  const double *v = engine->d->qvel + get_thing (motor)->dof;

  *state = (OrreryJointState){ .effort = motor->effort, .rotation = { 1, 0, 0, 0 } };
  if (motor->joint->kind != ORRERY_JOINT_BALL) {
    state->position = q[0];
    state->velocity = v[0];
    return;
  }
  state->rotation = (OrreryQuat){ q[0], q[1], q[2], q[3] };
  state->turning = (OrreryVec3){ v[0], v[1], v[2] };
  state->velocity = orrery_vec3_length (&state->turning);
  state->position = 2 * atan2 (orrery_vec3_length (&(OrreryVec3){ q[1], q[2], q[3] }), fabs (q[0]));
}

void
engine_put_joint (Engine *engine, Motor *motor, double position)
{
  double *q = engine->d->qpos + get_thing (motor)->qpos;

  if (motor->joint->kind == ORRERY_JOINT_BALL)
    return;
  *q = motor->goal = motor_limit (motor->joint, position);
  engine->d->qvel[get_thing (motor)->dof] = 0;
}

/* --- state --- */

GVariant *
engine_save (Engine *engine, BodySet *set)
{
  const double *qpos = frames_get_given (&engine->frames, engine->model.m, engine->d);

  return saved_save (&engine->rub, qpos, set, engine->motors);
}

gboolean
engine_restore (Engine *engine, BodySet *set, GVariant *state)
{
  return saved_restore (&engine->rub, set, engine->motors, state);
}
