/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of one body of Bullet, and told it, without a look at the engine that has it. */
#include "engine-private.h"

static bool
is_near (const btVector3 &v, double reach)
{
  return btFabs (v.x ()) <= reach && btFabs (v.y ()) <= reach && btFabs (v.z ()) <= reach;
}

void
put_at_rest (btRigidBody *rigid, const OrreryTransform *pose)
{
  btVector3 none (0, 0, 0);

  rigid->setWorldTransform (to_bullet (*pose));
  rigid->setInterpolationWorldTransform (rigid->getWorldTransform ());
  rigid->setLinearVelocity (none);
  rigid->setAngularVelocity (none);
  rigid->setInterpolationLinearVelocity (none);
  rigid->setInterpolationAngularVelocity (none);
  rigid->clearForces ();
  rigid->updateInertiaTensor ();
}

gboolean
bullet_body_is_within (BulletBody *body, double reach)
{
  const btTransform &t = body->rigid->getCenterOfMassTransform ();
  const btMatrix3x3 &r = t.getBasis ();

  return is_near (t.getOrigin (), reach) && is_near (body->rigid->getLinearVelocity (), reach) &&
         is_near (body->rigid->getAngularVelocity (), reach) && is_near (r[0], 2) &&
         is_near (r[1], 2) && is_near (r[2], 2);
}

void
bullet_body_get_pose (BodySet *, Body *own, OrreryTransform *pose)
{
  BulletBody *body = body_of (own);
  const btTransform &t = body->rigid->getCenterOfMassTransform ();
  btQuaternion q = t.getRotation ();

  pose->position = from_bullet (t.getOrigin ());
  pose->rotation = OrreryQuat{ q.w (), q.x (), q.y (), q.z () };
}

void
bullet_body_get_velocity (BodySet *, Body *own, OrreryVec3 *linear, OrreryVec3 *angular)
{
  BulletBody *body = body_of (own);
  *linear = from_bullet (body->rigid->getLinearVelocity ());
  *angular = from_bullet (body->rigid->getAngularVelocity ());
}

void
bullet_body_set_velocity (BodySet *, Body *own, const OrreryVec3 *linear, const OrreryVec3 *angular)
{
  BulletBody *body = body_of (own);
  body->rigid->setLinearVelocity (to_bullet (*linear));
  body->rigid->setAngularVelocity (to_bullet (*angular));
}

void
bullet_body_add_force (BodySet *, Body *own, const OrreryVec3 *force, const OrreryVec3 *torque)
{
  BulletBody *body = body_of (own);
  body->rigid->applyCentralForce (to_bullet (*force));
  body->rigid->applyTorque (to_bullet (*torque));
}

void
bullet_body_get_force (BodySet *, Body *own, OrreryVec3 *force, OrreryVec3 *torque)
{
  BulletBody *body = body_of (own);
  *force = from_bullet (body->rigid->getTotalForce ());
  *torque = from_bullet (body->rigid->getTotalTorque ());
}

void
bullet_body_get_inertia (BulletBody *body, OrreryVec3 *inertia)
{
  *inertia = from_bullet (body->rigid->getLocalInertia ());
}

void
bullet_body_set_gravity (BulletBody *body, const OrreryVec3 *gravity)
{
  body->rigid->setGravity (to_bullet (*gravity));
}

void
bullet_body_set_mass (BulletBody *body, double mass)
{
  btRigidBody *rigid = body->rigid;
  btVector3 gravity = rigid->getGravity (), inertia (0, 0, 0);

  if (body->shape->getShapeType () != EMPTY_SHAPE_PROXYTYPE)
    body->shape->calculateLocalInertia (mass, inertia);
  rigid->setMassProps (mass, inertia);
  rigid->updateInertiaTensor ();
  /* The weight is reckoned as where only gravity was set. */
  rigid->setGravity (gravity);
}

void
bullet_body_set_surface (BulletBody *body, const OrreryBody *settings)
{
  body->friction = settings->friction;
  body->rigid->setRestitution (settings->restitution);
}

void
bullet_body_set_factors (BulletBody *body, const OrreryVec3 *linear, const OrreryVec3 *angular)
{
  body->rigid->setLinearFactor (to_bullet (*linear));
  body->rigid->setAngularFactor (to_bullet (*angular));
}

void
bullet_body_join (BulletBody *body, Tree *tree, guint link)
{
  body->tree = tree;
  body->link = link;
}

void
bullet_body_get_box (BulletBody *body, OrreryVec3 *low, OrreryVec3 *high)
{
  btVector3 least, most;

  body->shape->getAabb (btTransform::getIdentity (), least, most);
  *low = from_bullet (least);
  *high = from_bullet (most);
}

void
bullet_body_get_gravity (BulletBody *body, OrreryVec3 *gravity)
{
  *gravity = from_bullet (body->rigid->getGravity ());
}

void
bullet_body_show (BulletBody *body, const OrreryTransform *pose, const OrreryVec3 *linear,
                  const OrreryVec3 *angular)
{
  body->rigid->setWorldTransform (to_bullet (*pose));
  body->rigid->setLinearVelocity (to_bullet (*linear));
  body->rigid->setAngularVelocity (to_bullet (*angular));
}
