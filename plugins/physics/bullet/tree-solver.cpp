/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts and limits of trees of links, solved with the contacts of free bodies. */
#include "engine-private.h"

namespace {

/* Share of an error that a substep takes away. */
const btScalar share = 0.2;
/* m/s: nothing is pushed out faster than this. */
const btScalar max_rise = 2;
/* Contacts give way a little, so that those of one side bear alike: as much as in MuJoCo. */
const btScalar softness = 0.1;
/* rad or m: limits that are farther away, and are not reached in a substep, are not asked for. */
const btScalar near = 0.05;

} // namespace

/* --- rows --- */

btScalar
TreeSolver::measure (const Row &row)
{
  btScalar v = row.steady;

  for (int i = 0; i < row.n_sides; i++) {
    const Side &side = row.sides[i];

    if (side.tree != nullptr) {
      v += tree_dot (side.tree, side.tree->rates, &numbers[side.numbers]);
      continue;
    }
    if (settling) {
      v += side.linear.dot (side.rigid->getLinearVelocity ()) +
           side.angular.dot (side.rigid->getAngularVelocity ());
      continue;
    }
    const btSolverBody &body = m_tmpSolverBodyPool[side.body];
    v += side.linear.dot (body.m_linearVelocity + body.m_externalForceImpulse +
                          body.m_deltaLinearVelocity) +
         side.angular.dot (body.m_angularVelocity + body.m_externalTorqueImpulse +
                           body.m_deltaAngularVelocity);
  }
  return v;
}

void
TreeSolver::apply (const Row &row, btScalar impulse)
{
  for (int i = 0; i < row.n_sides; i++) {
    const Side &side = row.sides[i];

    if (side.tree == nullptr && settling) {
      btRigidBody *rigid = side.rigid;

      rigid->setLinearVelocity (rigid->getLinearVelocity () + side.linear *
                                                                  rigid->getLinearFactor () *
                                                                  (rigid->getInvMass () * impulse));
      rigid->setAngularVelocity (rigid->getAngularVelocity () + side.turned * impulse);
      continue;
    }
    if (side.tree == nullptr) {
      btSolverBody &body = m_tmpSolverBodyPool[side.body];

      body.internalApplyImpulse (side.linear * body.internalGetInvMass (), side.turned, impulse);
      continue;
    }
    const double *change = &numbers[side.numbers + int (side.tree->n)];
    for (guint k = 0; k < side.tree->n; k++)
      side.tree->rates[k] += change[k] * impulse;
  }
}

/* Once its sides are there: what it is to reach, and what an impulse does to it. */
void
TreeSolver::finish (Row &row, btScalar wanted, btScalar low, btScalar high)
{
  btScalar response = 0;

  for (int i = 0; i < row.n_sides; i++) {
    const Side &side = row.sides[i];

    if (side.tree != nullptr) {
      response +=
          tree_dot (side.tree, &numbers[side.numbers], &numbers[side.numbers + int (side.tree->n)]);
      continue;
    }
    const btSolverBody &body = m_tmpSolverBodyPool[side.body];
    response += (side.linear * body.internalGetInvMass () * body.m_linearFactor).dot (side.linear) +
                side.turned.dot (side.angular);
  }
  row.give = row.point != nullptr ? softness * response : 0;
  row.inverse = response > 0 ? 1 / (response + row.give) : 0;
  row.wanted = wanted;
  row.low = low;
  row.high = high;
  rows.push_back (row);
  if (row.impulse != 0)
    apply (row, row.impulse);
}

int
TreeSolver::open_numbers (const Tree *tree)
{
  int first = numbers.size ();

  numbers.resize (first + 2 * int (tree->n), 0.0);
  for (int i = first; i < numbers.size (); i++)
    numbers[i] = 0;
  return first;
}

void
TreeSolver::close_numbers (const Tree *tree, int first)
{
  double *change = &numbers[first + int (tree->n)];

  for (guint k = 0; k < tree->n; k++)
    change[k] = numbers[first + int (k)];
  tree_solve (tree, change);
}

/* --- joints --- */

void
TreeSolver::begin_joint (Row &row, Tree *tree, guint dof, double factor)
{
  Side &side = row.sides[row.n_sides++];

  side.tree = tree;
  side.numbers = open_numbers (tree);
  numbers[side.numbers + int (dof)] = factor;
  close_numbers (tree, side.numbers);
}

void
TreeSolver::add_coupling (const TreeCoupling *c, btScalar dt)
{
  const TreeLink *link = &c->tree->links[c->link], *leader = &c->leading->links[c->leader];
  double slope, place = orrery_constraint_follow (c->coupling, leader->position, &slope);
  Row row = {};

  if (c->tree == c->leading) {
    Side &side = row.sides[row.n_sides++];

    side.tree = c->tree;
    side.numbers = open_numbers (c->tree);
    numbers[side.numbers + int (link->dof)] = 1;
    numbers[side.numbers + int (leader->dof)] -= slope;
    close_numbers (c->tree, side.numbers);
  } else {
    begin_joint (row, c->tree, link->dof, 1);
    begin_joint (row, c->leading, leader->dof, -slope);
  }
  finish (row, (place - link->position) * share / dt, -BT_LARGE_FLOAT, BT_LARGE_FLOAT);
}

void
TreeSolver::add_friction (Tree *tree, const TreeLink *link, btScalar dt)
{
  for (guint k = 0; k < link->n_dofs; k++) {
    Row row = {};

    begin_joint (row, tree, link->dof + k, 1);
    finish (row, 0, -link->joint->friction * dt, link->joint->friction * dt);
  }
}

/* The velocity that a gap still allows, or that closes an overlap. */
static btScalar
allow (btScalar gap, btScalar dt)
{
  return gap > 0 ? -gap / dt : btMin (-gap * share / dt, max_rise);
}

void
TreeSolver::add_limits (Tree *tree, const TreeLink *link, btScalar dt)
{
  const OrreryJoint *joint = link->joint;
  btScalar reach = near + 2 * btFabs (tree->rates[link->dof]) * dt;
  const btScalar gaps[] = { link->position - joint->lower, joint->upper - link->position };

  for (int i = 0; i < 2; i++) {
    Row row = {};

    if (gaps[i] > reach)
      continue;
    begin_joint (row, tree, link->dof, i == 0 ? 1 : -1);
    finish (row, allow (gaps[i], dt), 0, BT_LARGE_FLOAT);
  }
}

/* Of a ball: how far it may turn from its start in any way. */
void
TreeSolver::add_ball_limit (Tree *tree, const TreeLink *link, btScalar dt)
{
  OrreryVec3 turn;
  Row row = {};

  orrery_quat_to_rotation_vector (&link->rotation, &turn);
  double angle = orrery_vec3_length (&turn), gap = link->joint->upper - angle;
  if (!(angle > 1e-6) || gap > 0.5)
    return;
  Side &side = row.sides[row.n_sides++];
  side.tree = tree;
  side.numbers = open_numbers (tree);
  btVector3 axis = to_bullet (turn) / -angle;
  for (int k = 0; k < 3; k++)
    numbers[side.numbers + int (link->dof) + k] = axis[k];
  close_numbers (tree, side.numbers);
  finish (row, allow (gap, dt), 0, BT_LARGE_FLOAT);
}

void
TreeSolver::add_joints (btScalar dt)
{
  for (guint i = 0; i < trees->couplings->len; i++) {
    const TreeCoupling *coupling = &g_array_index (trees->couplings, TreeCoupling, i);

    if (!coupling->tree->away)
      add_coupling (coupling, dt);
  }
  for (guint i = 0; i < trees->trees->len; i++) {
    auto tree = static_cast<Tree *> (trees->trees->pdata[i]);

    for (guint k = 0; k < tree->n_links && !tree->away; k++) {
      const TreeLink *link = &tree->links[k];

      if (link->joint == nullptr)
        continue;
      if (link->joint->friction > 0)
        add_friction (tree, link, dt);
      if (link->joint->limited && link->joint->kind == ORRERY_JOINT_BALL)
        add_ball_limit (tree, link, dt);
      else if (link->joint->limited)
        add_limits (tree, link, dt);
    }
  }
}

/* --- contacts --- */

void
TreeSolver::add_side (Row &row, BulletBody *body, const btVector3 &point, const btVector3 &normal,
                      btScalar sign, btScalar dt)
{
  btVector3 arm = point - body->rigid->getCenterOfMassPosition ();
  OrreryVec3 p = from_bullet (point), n = from_bullet (normal);

  if (body->tree != nullptr && row.n_sides == 1 && row.sides[0].tree == body->tree) {
    tree_add_row (body->tree, body->link, &p, &n, FALSE, sign, &numbers[row.sides[0].numbers]);
    return;
  }
  if (body->tree == nullptr && body->motion != MOTION_FREE) {
    row.steady += sign * normal.dot (body->rigid->getVelocityInLocalPoint (arm));
    return;
  }
  Side &side = row.sides[row.n_sides++];
  side.tree = body->tree;
  if (body->tree != nullptr) {
    side.numbers = open_numbers (body->tree);
    tree_add_row (body->tree, body->link, &p, &n, FALSE, sign, &numbers[side.numbers]);
    return;
  }
  side.rigid = body->rigid;
  side.body = getOrInitSolverBody (*body->rigid, dt);
  side.linear = sign * normal;
  side.angular = sign * arm.cross (normal);
  side.turned =
      body->rigid->getInvInertiaTensorWorld () * side.angular * body->rigid->getAngularFactor ();
}

void
TreeSolver::add_contacts (btPersistentManifold *m, const btContactSolverInfo &info)
{
  for (int i = 0; i < m->getNumContacts (); i++) {
    btManifoldPoint &p = m->getContactPoint (i);
    btVector3 at = p.getPositionWorldOnB ();
    btScalar wanted = allow (p.getDistance () + info.m_linearSlop, info.m_timeStep), v;
    Row row = {};

    if (p.getDistance () > m->getContactProcessingThreshold ())
      continue;
    row.point = &p;
    add_side (row, body_of (m->getBody0 ()), at, p.m_normalWorldOnB, 1, info.m_timeStep);
    add_side (row, body_of (m->getBody1 ()), at, p.m_normalWorldOnB, -1, info.m_timeStep);
    for (int k = 0; k < row.n_sides; k++)
      if (row.sides[k].tree != nullptr)
        close_numbers (row.sides[k].tree, row.sides[k].numbers);
    v = measure (row);
    if (v < -info.m_restitutionVelocityThreshold)
      wanted = btMax (wanted, -p.m_combinedRestitution * v);
    row.impulse = p.m_appliedImpulse * info.m_warmstartingFactor;
    finish (row, wanted, 0, BT_LARGE_FLOAT);
  }
}

/* --- Bullet's solver --- */

void
TreeSolver::convertContacts (btPersistentManifold **manifolds, int n,
                             const btContactSolverInfo &info)
{
  if (trees == nullptr) {
    btSequentialImpulseConstraintSolver::convertContacts (manifolds, n, info);
    return;
  }
  rows.resize (0);
  numbers.resize (0);
  plain.resize (0);
  add_joints (info.m_timeStep);
  for (int i = 0; i < n; i++)
    if (body_of (manifolds[i]->getBody0 ())->tree != nullptr ||
        body_of (manifolds[i]->getBody1 ())->tree != nullptr)
      add_contacts (manifolds[i], info);
    else
      plain.push_back (manifolds[i]);
  btSequentialImpulseConstraintSolver::convertContacts (plain.size () > 0 ? &plain[0] : nullptr,
                                                        plain.size (), info);
}

btScalar
TreeSolver::solveSingleIteration (int iteration, btCollisionObject **bodies, int n_bodies,
                                  btPersistentManifold **manifolds, int n_manifolds,
                                  btTypedConstraint **constraints, int n_constraints,
                                  const btContactSolverInfo &info, btIDebugDraw *drawer)
{
  btScalar left =
      btSequentialImpulseConstraintSolver::solveSingleIteration (iteration, bodies, n_bodies,
                                                                 manifolds, n_manifolds,
                                                                 constraints, n_constraints, info,
                                                                 drawer);

  for (int i = 0; trees != nullptr && i < rows.size (); i++)
    left = btMax (left, solve_row (rows[i]));
  return left;
}

/* Returns the square of what it changed. */
btScalar
TreeSolver::solve_row (Row &row)
{
  btScalar before = row.impulse;

  row.impulse += (row.wanted - measure (row) - row.give * row.impulse) * row.inverse;
  row.impulse = btMin (btMax (row.impulse, row.low), row.high);
  apply (row, row.impulse - before);
  return (row.impulse - before) * (row.impulse - before);
}

void
TreeSolver::keep_impulses ()
{
  for (int i = 0; i < rows.size (); i++)
    if (rows[i].point != nullptr)
      rows[i].point->m_appliedImpulse = rows[i].impulse;
}

void
TreeSolver::settle (int n_iterations)
{
  settling = true;
  for (int k = 0; k < n_iterations; k++)
    for (int i = 0; i < rows.size (); i++)
      solve_row (rows[i]);
  settling = false;
  keep_impulses ();
}

btScalar
TreeSolver::solveGroupCacheFriendlyFinish (btCollisionObject **bodies, int n_bodies,
                                           const btContactSolverInfo &info)
{
  if (trees != nullptr)
    keep_impulses ();
  return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish (bodies, n_bodies,
                                                                             info);
}
