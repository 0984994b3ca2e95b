/* SPDX-License-Identifier: BSD-3-Clause */
/* Constraints of the scene as MuJoCo has them, and motors of coupled joints. */
#include "constraints.h"

#include <string.h>

/* Stiffer than MuJoCo's own: a mechanism gives way little. */
#define STIFFNESS " solimp='0.99 0.999 0.001'/>\n"

static Thing *
find_thing (GPtrArray *things, OrreryObject *object)
{
  for (guint i = 0; i < things->len; i++)
    if (((Thing *) things->pdata[i])->own.object == object)
      return things->pdata[i];
  return NULL;
}

/* The body that an object is a part of, and its pose in that; NULL: there is none. */
static Thing *
find_body (GPtrArray *things, OrreryObject *object, OrreryTransform *pose)
{
  orrery_transform_identity (pose);
  for (; object != NULL; object = orrery_object_get_parent (object)) {
    Thing *thing = find_thing (things, object);

    if (thing != NULL && !thing->own.hollow)
      return thing;
    if (!orrery_physics_is_part (object))
      return NULL;
    orrery_transform_multiply (orrery_object_get_start (object), pose, pose);
  }
  return NULL;
}

static void
add_numbers (GString *xml, const char *name, guint n, const double *values)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (xml, " %s='", name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (xml, "%s%s", i > 0 ? " " : "",
                            g_ascii_dtostr (number, sizeof number, values[i]));
  g_string_append_c (xml, '\'');
}

/* MuJoCo measures both joints from the start of their objects, so the polynomial is shifted. */
static void
shift (const OrreryConstraint *coupling, double from, double to, double out[ORRERY_N_COUPLING])
{
  memcpy (out, coupling->coefficients, sizeof coupling->coefficients);
  for (guint i = 0; i + 1 < ORRERY_N_COUPLING; i++)
    for (guint k = ORRERY_N_COUPLING - 1; k-- > i;)
      out[k] += from * out[k + 1];
  out[0] -= to;
}

static gboolean
write_coupling (GString *xml, GPtrArray *things, OrreryObject *object, const OrreryConstraint *c)
{
  const Thing *thing = find_thing (things, object), *leader = find_thing (things, c->other);
  double coefficients[ORRERY_N_COUPLING];

  if (thing == NULL || leader == NULL || thing->own.motion != MOTION_LINK ||
      leader->own.motion != MOTION_LINK)
    return FALSE;
  shift (c, orrery_object_get_joint (c->other)->reference,
         orrery_object_get_joint (object)->reference, coefficients);
  g_string_append_printf (xml, "<joint joint1='j%u' joint2='j%u'", thing->own.index,
                          leader->own.index);
  add_numbers (xml, "polycoef", ORRERY_N_COUPLING, coefficients);
  g_string_append (xml, STIFFNESS);
  return TRUE;
}

static gboolean
write_hold (GString *xml, GPtrArray *things, OrreryObject *object, const OrreryConstraint *c)
{
  OrreryTransform here, there;
  const Thing *thing = find_body (things, object, &here);
  const Thing *other = c->other != NULL ? find_body (things, c->other, &there) : NULL;

  if (thing == NULL || (c->other != NULL && (other == NULL || other == thing)))
    return FALSE;
  g_string_append_printf (xml, "<%s body1='b%u'",
                          c->kind == ORRERY_CONSTRAINT_POINT ? "connect" : "weld",
                          thing->own.index);
  if (other != NULL)
    g_string_append_printf (xml, " body2='b%u'", other->own.index);
  if (c->kind == ORRERY_CONSTRAINT_POINT) {
    OrreryVec3 anchor;

    orrery_transform_apply (&here, &c->anchor, &anchor);
    add_numbers (xml, "anchor", 3, (double[]){ anchor.x, anchor.y, anchor.z });
  } else {
    OrreryTransform pose;
    const OrreryVec3 *p = &pose.position;
    const OrreryQuat *q = &pose.rotation;

    orrery_transform_multiply (&here, &c->pose, &pose);
    if (other != NULL) {
      orrery_transform_invert (&there, &there);
      orrery_transform_multiply (&pose, &there, &pose);
    }
    add_numbers (xml, "relpose", 7, (double[]){ p->x, p->y, p->z, q->w, q->x, q->y, q->z });
  }
  g_string_append (xml, STIFFNESS);
  return TRUE;
}

/* What does not move at all never meets, and MuJoCo itself leaves out what is one body. */
static gboolean
write_exclude (GString *xml, GPtrArray *things, OrreryObject *object, const OrreryConstraint *c)
{
  OrreryTransform pose;
  const Thing *thing = find_body (things, object, &pose);
  const Thing *other = c->other != NULL ? find_body (things, c->other, &pose) : NULL;

  if (thing != NULL && other != NULL && thing != other)
    g_string_append_printf (xml, "<exclude body1='b%u' body2='b%u'/>\n", thing->own.index,
                            other->own.index);
  return TRUE;
}

void
constraints_write (GString *xml, GString *contact, OrreryWorld *world, GPtrArray *things)
{
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);
    GArray *list = orrery_object_get_constraints (object);

    for (guint k = 0; list != NULL && k < list->len; k++) {
      OrreryConstraint *c = &g_array_index (list, OrreryConstraint, k);

      c->taken = c->kind == ORRERY_CONSTRAINT_COUPLING  ? write_coupling (xml, things, object, c)
                 : c->kind == ORRERY_CONSTRAINT_EXCLUDE ? write_exclude (contact, things, object, c)
                                                        : write_hold (xml, things, object, c);
    }
  }
}

/* --- motors of coupled joints --- */

GArray *
constraints_find_couplings (GPtrArray *things)
{
  GArray *couplings = g_array_new (FALSE, FALSE, sizeof (Coupling));

  for (guint i = 0; i < things->len; i++) {
    const Thing *thing = things->pdata[i], *leader;
    Coupling found = { .coupling = orrery_object_get_coupling (thing->own.object) };

    if (found.coupling == NULL || !found.coupling->taken)
      continue;
    leader = find_thing (things, found.coupling->other);
    found.dof = thing->dof;
    found.leader_dof = leader->dof;
    found.leader_qpos = leader->qpos;
    found.order = coupling_get_order (found.coupling, found.dof);
    g_array_append_val (couplings, found);
  }
  g_array_sort (couplings, coupling_compare);
  return couplings;
}

static double
get_slope (const Coupling *coupling, const mjData *d)
{
  double slope;

  orrery_constraint_follow (coupling->coupling, d->qpos[coupling->leader_qpos], &slope);
  return slope;
}

void
constraints_spread (GArray *couplings, const mjData *d, double *wanted, guint8 *driven)
{
  for (guint i = 0; i < couplings->len; i++) {
    const Coupling *c = &g_array_index (couplings, Coupling, i);

    if (driven[c->leader_dof] && !driven[c->dof])
      wanted[c->dof] = get_slope (c, d) * wanted[c->leader_dof];
  }
}

void
constraints_gather (GArray *couplings, const mjData *d, const double *implied, double *share)
{
  for (guint i = couplings->len; i-- > 0;) {
    const Coupling *c = &g_array_index (couplings, Coupling, i);

    share[c->leader_dof] += get_slope (c, d) * (implied[c->dof] + d->qfrc_bias[c->dof] -
                                                d->qfrc_passive[c->dof] + share[c->dof]);
  }
}
