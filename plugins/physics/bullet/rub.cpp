/* SPDX-License-Identifier: BSD-3-Clause */
/* What friction asks of bodies: of free ones, and of those in trees of links. */
#include "engine-private.h"

namespace {

/* --- free bodies, and those that are put --- */

btVector3
arm_of (const BulletBody *body, const FrictionPatch *patch)
{
  return to_bullet (patch->centre) - body->rigid->getCenterOfMassPosition ();
}

TreeRub *
rub_of (const FrictionPatch *patch)
{
  return static_cast<const BulletBody *> (patch->a)->rub;
}

void
measure (const FrictionPatch *patch, OrreryVec3 *linear, OrreryVec3 *angular)
{
  if (!patch->plain) {
    rub_of (patch)->measure (patch, linear, angular);
    return;
  }
  auto a = static_cast<const BulletBody *> (patch->a);
  auto b = static_cast<const BulletBody *> (patch->b);

  *linear = from_bullet (a->rigid->getVelocityInLocalPoint (arm_of (a, patch)) -
                         b->rigid->getVelocityInLocalPoint (arm_of (b, patch)));
  *angular = from_bullet (a->rigid->getAngularVelocity () - b->rigid->getAngularVelocity ());
}

double
give (gpointer side, const FrictionPatch *patch, const btVector3 &direction)
{
  auto body = static_cast<const BulletBody *> (side);
  const btRigidBody *rigid = body->rigid;
  btVector3 turn = arm_of (body, patch).cross (direction * rigid->getLinearFactor ());
  btVector3 spin = rigid->getInvInertiaTensorWorld () * turn * rigid->getAngularFactor ();

  return rigid->getInvMass () * (direction * rigid->getLinearFactor ()).dot (direction) +
         spin.cross (arm_of (body, patch)).dot (direction);
}

double
compliance (const FrictionPatch *patch, const OrreryVec3 *direction)
{
  if (!patch->plain)
    return rub_of (patch)->respond (patch, direction, false);
  return give (patch->a, patch, to_bullet (*direction)) +
         give (patch->b, patch, to_bullet (*direction));
}

double
spin_give (gpointer side, const btVector3 &axis)
{
  const btRigidBody *rigid = static_cast<const BulletBody *> (side)->rigid;

  return (rigid->getInvInertiaTensorWorld () * axis * rigid->getAngularFactor ()).dot (axis);
}

double
spin_compliance (const FrictionPatch *patch, const OrreryVec3 *axis)
{
  if (!patch->plain)
    return rub_of (patch)->respond (patch, axis, true);
  return spin_give (patch->a, to_bullet (*axis)) + spin_give (patch->b, to_bullet (*axis));
}

void
apply (const FrictionPatch *patch, const OrreryVec3 *impulse, const OrreryVec3 *torque)
{
  if (!patch->plain) {
    rub_of (patch)->apply (patch, impulse, torque);
    return;
  }
  auto a = static_cast<BulletBody *> (patch->a);
  auto b = static_cast<BulletBody *> (patch->b);

  a->rigid->applyImpulse (to_bullet (*impulse), arm_of (a, patch));
  a->rigid->applyTorqueImpulse (to_bullet (*torque));
  b->rigid->applyImpulse (-to_bullet (*impulse), arm_of (b, patch));
  b->rigid->applyTorqueImpulse (-to_bullet (*torque));
}

} // namespace

const FrictionEngine bullet_friction = { measure, compliance, spin_compliance, apply };

/* --- trees --- */

void
TreeRub::begin ()
{
  sides.resize (0);
  numbers.resize (0);
}

void
TreeRub::add_side (const FrictionPatch *patch, const BulletBody *body, const BulletBody *other)
{
  const OrreryVec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  Tree *tree = body->tree;
  int n = int (tree->n);
  Side side = { tree, numbers.size (), { 0 } };

  numbers.resize (side.numbers + 12 * n);
  for (int i = 0; i < 6; i++) {
    double *row = &numbers[side.numbers + i * n], *change = row + 6 * n;

    for (int k = 0; k < n; k++)
      row[k] = 0;
    tree_add_row (tree, body->link, &patch->centre, &axes[i % 3], i >= 3, body == patch->a ? 1 : -1,
                  row);
    if (other != nullptr)
      tree_add_row (tree, other->link, &patch->centre, &axes[i % 3], i >= 3,
                    other == patch->a ? 1 : -1, row);
    for (int k = 0; k < n; k++)
      change[k] = row[k];
    tree_solve (tree, change);
  }
  for (int i = 0; i < 36; i++)
    side.response[i] = tree_dot (tree, &numbers[side.numbers + i / 6 * n],
                                 &numbers[side.numbers + (6 + i % 6) * n]);
  sides.push_back (side);
}

void
TreeRub::prepare (FrictionPatch *patch)
{
  auto a = static_cast<const BulletBody *> (patch->a),
       b = static_cast<const BulletBody *> (patch->b);

  patch->first_side = sides.size ();
  if (a->tree != nullptr)
    add_side (patch, a, a->tree == b->tree ? b : nullptr);
  if (b->tree != nullptr && a->tree != b->tree)
    add_side (patch, b, nullptr);
  patch->n_sides = sides.size () - patch->first_side;
}

void
TreeRub::measure (const FrictionPatch *patch, OrreryVec3 *linear, OrreryVec3 *angular) const
{
  btVector3 v (0, 0, 0), w (0, 0, 0);

  for (guint i = 0; i < patch->n_sides; i++) {
    const Side &side = sides[int (patch->first_side + i)];
    double sum[6];

    for (int k = 0; k < 6; k++)
      sum[k] =
          tree_dot (side.tree, side.tree->rates, &numbers[side.numbers + k * int (side.tree->n)]);
    v += btVector3 (sum[0], sum[1], sum[2]);
    w += btVector3 (sum[3], sum[4], sum[5]);
  }
  for (gpointer one : { patch->a, patch->b }) {
    auto body = static_cast<const BulletBody *> (one);
    btScalar sign = one == patch->a ? 1 : -1;

    if (body->tree != nullptr)
      continue;
    v += sign * body->rigid->getVelocityInLocalPoint (arm_of (body, patch));
    w += sign * body->rigid->getAngularVelocity ();
  }
  *linear = from_bullet (v);
  *angular = from_bullet (w);
}

double
TreeRub::respond (const FrictionPatch *patch, const OrreryVec3 *axis, bool turns) const
{
  const double d[3] = { axis->x, axis->y, axis->z };
  double sum = 0;

  for (guint i = 0; i < patch->n_sides; i++) {
    const double *r = sides[int (patch->first_side + i)].response + (turns ? 21 : 0);

    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        sum += d[j] * r[6 * j + k] * d[k];
  }
  for (gpointer one : { patch->a, patch->b })
    if (static_cast<const BulletBody *> (one)->tree == nullptr)
      sum += turns ? spin_give (one, to_bullet (*axis)) : give (one, patch, to_bullet (*axis));
  return sum;
}

void
TreeRub::apply (const FrictionPatch *patch, const OrreryVec3 *impulse, const OrreryVec3 *torque)
{
  const double wrench[6] = { impulse->x, impulse->y, impulse->z, torque->x, torque->y, torque->z };

  for (guint i = 0; i < patch->n_sides; i++) {
    const Side &side = sides[int (patch->first_side + i)];
    int n = int (side.tree->n);

    for (int c = 0; c < 6; c++)
      for (int k = 0; k < n; k++)
        side.tree->rates[k] += numbers[side.numbers + (6 + c) * n + k] * wrench[c];
  }
  for (gpointer one : { patch->a, patch->b }) {
    auto body = static_cast<BulletBody *> (one);
    btScalar sign = one == patch->a ? 1 : -1;

    if (body->tree != nullptr)
      continue;
    body->rigid->applyImpulse (sign * to_bullet (*impulse), arm_of (body, patch));
    body->rigid->applyTorqueImpulse (sign * to_bullet (*torque));
  }
}

void
TreeRub::keep (const FrictionPatch *patch) const
{
  auto a = static_cast<const BulletBody *> (patch->a),
       b = static_cast<const BulletBody *> (patch->b);
  const BulletBody *body = a->tree != nullptr ? a : b, *other = body == a ? b : a;

  /* Fed back between two that move, it would make them swing. */
  if (other->tree != nullptr || other->motion == MOTION_FREE)
    return;
  TreeLink *link = &body->tree->links[body->link];
  OrreryVec3 arm = orrery_vec3_subtract (&patch->centre, &link->middle);
  OrreryVec3 turn = orrery_vec3_cross (&arm, &patch->pushed);
  double sign = body == a ? 1 : -1;

  orrery_vec3_accumulate (&turn, &patch->turned, 1);
  orrery_vec3_accumulate (&link->friction, &patch->pushed, sign);
  orrery_vec3_accumulate (&link->torsion, &turn, sign);
}
