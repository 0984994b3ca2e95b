/* SPDX-License-Identifier: BSD-3-Clause */
/* Constraints between objects: points, welds and coupled joints. */
#include "world/orrery-constraint.h"

#include "base/orrery-error-private.h"
#include "world/orrery-world-private.h"

#include <math.h>

/* Larger coefficients are errors. */
#define REACH 1e9

static gboolean
has_single_joint (OrreryObject *object)
{
  const OrreryJoint *joint = object->joint;

  return joint != NULL && (joint->kind == ORRERY_JOINT_HINGE || joint->kind == ORRERY_JOINT_SLIDE);
}

static gboolean
is_finite (const OrreryConstraint *c)
{
  const OrreryVec3 *p = &c->pose.position;
  const OrreryQuat *q = &c->pose.rotation;
  const double numbers[] = {
    c->anchor.x, c->anchor.y, c->anchor.z, p->x, p->y, p->z, q->w, q->x, q->y, q->z,
  };
  gboolean fine = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    fine = fine && fabs (numbers[i]) <= REACH;
  for (guint i = 0; i < ORRERY_N_COUPLING; i++)
    fine = fine && fabs (c->coefficients[i]) <= REACH;
  return fine;
}

static gboolean
check_coupling (OrreryObject *object, OrreryObject *leader, GError **error)
{
  const char *name = orrery_object_get_joint_name (object);

  if (leader == NULL || !has_single_joint (object) || !has_single_joint (leader))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "joint '%s': only hinges and slides are coupled to each other", name);
  if (orrery_object_get_coupling (object) != NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "joint '%s' is coupled twice", name);
  for (OrreryObject *at = leader; at != NULL;) {
    const OrreryConstraint *next = orrery_object_get_coupling (at);

    if (at == object)
      return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                               "joint '%s' is coupled to itself, by way of '%s'", name,
                               orrery_object_get_joint_name (leader));
    at = next != NULL ? next->other : NULL;
  }
  return TRUE;
}

gboolean
orrery_object_add_constraint (OrreryObject *object, const OrreryConstraint *constraint,
                              GError **error)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), FALSE);
  g_return_val_if_fail (constraint != NULL, FALSE);

  if (!is_finite (constraint))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "object '%s': a constraint with a number beyond 1e9", object->name);
  if (constraint->kind == ORRERY_CONSTRAINT_COUPLING &&
      !check_coupling (object, constraint->other, error))
    return FALSE;
  if (object->constraints == NULL)
    object->constraints = g_array_new (FALSE, FALSE, sizeof (OrreryConstraint));
  g_array_append_val (object->constraints, *constraint);
  return TRUE;
}

ORRERY_DEFINE_GETTER (GArray *, orrery_object_get_constraints, OrreryObject, ORRERY_IS_OBJECT,
                      self->constraints)

OrreryConstraint *
orrery_object_get_coupling (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);

  for (guint i = 0; object->constraints != NULL && i < object->constraints->len; i++) {
    OrreryConstraint *constraint = &g_array_index (object->constraints, OrreryConstraint, i);

    if (constraint->kind == ORRERY_CONSTRAINT_COUPLING)
      return constraint;
  }
  return NULL;
}

double
orrery_constraint_follow (const OrreryConstraint *coupling, double position, double *velocity)
{
  double value = 0, slope = 0;

  for (guint i = ORRERY_N_COUPLING; i-- > 0;) {
    slope = slope * position + value;
    value = value * position + coupling->coefficients[i];
  }
  if (velocity != NULL)
    *velocity = slope;
  return value;
}
