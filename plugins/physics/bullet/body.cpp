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

/* All that was found with the old shape is forgotten, so that a restored run finds the same. */
static void
forget_meetings (BulletBody *body)
{
  btCollisionWorld *world = engine_get_world (body->engine);
  btBroadphaseProxy *proxy = body->rigid->getBroadphaseHandle ();

  /* A parked body is nowhere in the world. */
  if (proxy == nullptr)
    return;
  world->getPairCache ()->cleanProxyFromPairs (proxy, world->getDispatcher ());
  bullet_engine_find_touches (body->engine);
}

static void
measure_box (BulletBody *body)
{
  btCollisionWorld *world = engine_get_world (body->engine);
  auto broadphase = static_cast<btDbvtBroadphase *> (world->getBroadphase ());
  btBroadphaseProxy *proxy = body->rigid->getBroadphaseHandle ();
  btVector3 low, high;

  if (proxy == nullptr)
    return;
  /* A box that only grows would keep the pairs of a larger shape. */
  body->shape->getAabb (body->rigid->getWorldTransform (), low, high);
  broadphase->setAabbForceUpdate (proxy, low, high, world->getDispatcher ());
  world->updateSingleAabb (body->rigid);
}

void
bullet_body_set_pieces (BulletBody *body, const Piece *pieces, guint n_pieces)
{
  auto made = new BodyShapes ();

  body_shapes_make (made, pieces, n_pieces, body->motion == MOTION_FIXED, body->margin);
  forget_meetings (body);
  body->shape = made->whole;
  body->rigid->setCollisionShape (body->shape);
  delete body->scaled;
  body->scaled = made;
  measure_box (body);
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

/* --- a state --- */

void
bullet_body_save (BulletBody *body, double *numbers)
{
  const btRigidBody *rigid = body->rigid;

  put_frame (numbers, rigid->getWorldTransform ());
  put_frame (numbers, rigid->getInterpolationWorldTransform ());
  put_vector (numbers, rigid->getLinearVelocity ());
  put_vector (numbers, rigid->getAngularVelocity ());
  put_vector (numbers, rigid->getInterpolationLinearVelocity ());
  put_vector (numbers, rigid->getInterpolationAngularVelocity ());
  put_vector (numbers, rigid->getGravity ());
}
