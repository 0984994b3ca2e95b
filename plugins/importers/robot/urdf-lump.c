/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a massless root link of a URDF file the mass of the links that are fixed to it. */
#include "urdf-private.h"

#include "inertia.h"

#include <string.h>

/*
 * A root without a mass, to which one with a mass is fixed, is a name for a place (base_footprint):
 * the whole floats, as one body. A root called `world` is the world: what is fixed to it stands.
 */

typedef struct {
  const Link *link;
  OrreryTransform pose; /* in the root */
} Member;

static gboolean
weighs (const Link *link)
{
  return link->has_inertial && link->mass > 0;
}

/* Lists the root and all links that are fixed to it, directly or indirectly. */
static GArray *
collect_group (const Urdf *urdf, const Link *root)
{
  GArray *group = g_array_new (FALSE, FALSE, sizeof (Member));
  Member first = { .link = root };

  orrery_transform_identity (&first.pose);
  g_array_append_val (group, first);
  for (guint i = 0; i < group->len; i++) {
    const Member from = g_array_index (group, Member, i);

    for (guint k = 0; k < from.link->joints->len; k++) {
      const Joint *joint = urdf->joints->pdata[g_array_index (from.link->joints, int, k)];
      Member next = { .link = g_hash_table_lookup (urdf->by_name, joint->child) };

      if (!g_str_equal (joint->type, "fixed"))
        continue;
      orrery_transform_multiply (&from.pose, &joint->origin, &next.pose);
      g_array_append_val (group, next);
    }
  }
  return group;
}

/* Adds its moments of inertia, and those of its distance from the centre (parallel axis theorem);
 * members as in Link. */
static void
add_inertia (const Link *link, const OrreryQuat *turned, const OrreryVec3 *d, double sum[6])
{
  static const guint rows[6] = { 0, 1, 2, 0, 0, 1 }, columns[6] = { 0, 1, 2, 1, 2, 2 };
  const double away[3] = { d->x, d->y, d->z };
  double square = orrery_vec3_dot (d, d);
  OrreryInertial own = { { 0 } };
  const double *parts[6] = { &own.xx, &own.yy, &own.zz, &own.xy, &own.xz, &own.yz };

  inertia_turn (link->inertia, turned, &own);
  for (guint i = 0; i < 6; i++) {
    guint a = rows[i], b = columns[i];

    sum[i] += *parts[i] + link->mass * ((a == b ? square : 0) - away[a] * away[b]);
  }
}

static void
find_centre (const Member *member, OrreryVec3 *centre)
{
  orrery_transform_apply (&member->pose, &member->link->origin.position, centre);
}

void
urdf_lump_root (Urdf *urdf, Link *root)
{
  g_autoptr (GArray) group = NULL;
  OrreryVec3 centre = { 0 };
  double mass = 0, sum[6] = { 0 };

  if (weighs (root) || g_str_equal (root->name, "world"))
    return;
  group = collect_group (urdf, root);
  for (guint i = 0; i < group->len; i++) {
    const Member *member = &g_array_index (group, Member, i);
    double m = weighs (member->link) ? member->link->mass : 0;
    OrreryVec3 c;

    find_centre (member, &c);
    centre = orrery_vec3_add_scaled (&centre, &c, m);
    mass += m;
  }
  if (!(mass > 0))
    return;
  centre = orrery_vec3_divide (&centre, mass);
  for (guint i = 0; i < group->len; i++) {
    const Member *member = &g_array_index (group, Member, i);
    Link *link = (Link *) member->link;
    OrreryQuat turned;
    OrreryVec3 c;

    find_centre (member, &c);
    c = orrery_vec3_subtract (&c, &centre);
    orrery_quat_multiply (&member->pose.rotation, &link->origin.rotation, &turned);
    if (weighs (link))
      add_inertia (link, &turned, &c, sum);
    link->has_inertial = FALSE;
  }
  root->has_inertial = TRUE;
  root->mass = mass;
  orrery_transform_identity (&root->origin);
  root->origin.position = centre;
  memcpy (root->inertia, sum, sizeof sum);
}
