/* SPDX-License-Identifier: BSD-3-Clause */
/* What Bullet knows as numbers in a row, and back. */
#include "engine-private.h"

void
put_vector (double *&to, const btVector3 &v)
{
  for (int i = 0; i < 3; i++)
    *to++ = v[i];
}

btVector3
take_vector (const double *&from)
{
  btVector3 v (from[0], from[1], from[2]);

  from += 3;
  return v;
}

void
put_frame (double *&to, const btTransform &frame)
{
  put_vector (to, frame.getOrigin ());
  for (int i = 0; i < 3; i++)
    put_vector (to, frame.getBasis ()[i]);
}

btTransform
take_frame (const double *&from)
{
  btTransform frame;

  frame.setOrigin (take_vector (from));
  for (int i = 0; i < 3; i++)
    frame.getBasis ()[i] = take_vector (from);
  return frame;
}

/* Directions of friction are none of Bullet's here: its own friction is zero. */
void
put_point (double *&to, const btManifoldPoint &p)
{
  const double numbers[] = { p.m_distance1,
                             p.m_combinedFriction,
                             p.m_combinedRollingFriction,
                             p.m_combinedSpinningFriction,
                             p.m_combinedRestitution,
                             double (p.m_partId0),
                             double (p.m_partId1),
                             double (p.m_index0),
                             double (p.m_index1),
                             double (p.m_contactPointFlags),
                             p.m_appliedImpulse,
                             p.m_prevRHS,
                             p.m_appliedImpulseLateral1,
                             p.m_appliedImpulseLateral2,
                             p.m_contactMotion1,
                             p.m_contactMotion2,
                             p.m_contactCFM,
                             p.m_contactERP,
                             p.m_frictionCFM,
                             double (p.m_lifeTime) };

  put_vector (to, p.m_localPointA);
  put_vector (to, p.m_localPointB);
  put_vector (to, p.m_positionWorldOnA);
  put_vector (to, p.m_positionWorldOnB);
  put_vector (to, p.m_normalWorldOnB);
  for (double number : numbers)
    *to++ = number;
}

static int
to_int (double number)
{
  return number > -2e9 && number < 2e9 ? int (number) : 0;
}

btManifoldPoint
take_point (const double *&from)
{
  btManifoldPoint p;

  p.m_localPointA = take_vector (from);
  p.m_localPointB = take_vector (from);
  p.m_positionWorldOnA = take_vector (from);
  p.m_positionWorldOnB = take_vector (from);
  p.m_normalWorldOnB = take_vector (from);
  p.m_lateralFrictionDir1.setZero ();
  p.m_lateralFrictionDir2.setZero ();
  p.m_distance1 = *from++;
  p.m_combinedFriction = *from++;
  p.m_combinedRollingFriction = *from++;
  p.m_combinedSpinningFriction = *from++;
  p.m_combinedRestitution = *from++;
  p.m_partId0 = to_int (*from++);
  p.m_partId1 = to_int (*from++);
  p.m_index0 = to_int (*from++);
  p.m_index1 = to_int (*from++);
  p.m_contactPointFlags = to_int (*from++);
  p.m_appliedImpulse = *from++;
  p.m_prevRHS = *from++;
  p.m_appliedImpulseLateral1 = *from++;
  p.m_appliedImpulseLateral2 = *from++;
  p.m_contactMotion1 = *from++;
  p.m_contactMotion2 = *from++;
  p.m_contactCFM = *from++;
  p.m_contactERP = *from++;
  p.m_frictionCFM = *from++;
  p.m_lifeTime = to_int (*from++);
  return p;
}
