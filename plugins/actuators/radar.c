/* SPDX-License-Identifier: BSD-3-Clause */
/* The two radars with which a waypoint sees obstacles beside its path. */
#include "radar.h"

#include <math.h>

#define TICKS 20
/* From the axis of a cone to its side, rad. */
#define HALF_ANGLE (2.5 * G_PI / 180)
/* One ray along the axis, and rings about it of 6, 12 ... rays: at 3 m they are less than 35 mm
 * apart, so that a ball of 5 cm is met wherever it is in the cone. */
#define N_RINGS 4
#define N_RAYS (1 + 3 * N_RINGS * (N_RINGS + 1))

static const OrreryVec3 places[] = { { 0.7, 0.4, 0.8 }, { 0.7, -0.4, 0.8 } };

gboolean
radars_set_up (Radars *radars, OrrerySetup *setup, OrreryComponent *carrier, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (carrier);

  radars->rays = orrery_setup_get_rays (setup, error);
  radars->carrier = orrery_component_get_object (carrier);
  radars->robot = robot != NULL ? orrery_object_get_index (orrery_component_get_object (robot))
                                : ORRERY_RAYS_SKIP_NOTHING;
  radars_forget (radars);
  return radars->rays != NULL;
}

void
radars_forget (Radars *radars)
{
  radars->next = 0;
  radars->left = radars->right = -1;
}

/* The ray number @i of a ring. */
static void
make_ray (OrreryRay *ray, const OrreryTransform *pose, const OrreryVec3 *place, guint ring, guint i)
{
  double away = HALF_ANGLE * ring / N_RINGS;
  double about = ring > 0 ? i * G_PI / (3 * ring) : 0;
  OrreryVec3 way = { 1, tan (away) * cos (about), tan (away) * sin (about) };

  orrery_transform_apply (pose, place, &ray->origin);
  orrery_quat_rotate (&pose->rotation, &way, &ray->direction);
  ray->near = 0;
  ray->far = RADAR_RANGE / cos (away);
}

gboolean
radars_look (Radars *radars, OrreryTick *tick, GError **error)
{
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  gint64 *seen[] = { &radars->left, &radars->right };

  if (radars->rays == NULL || (gint64) orrery_tick_get_number (tick) < radars->next)
    return TRUE;
  radars->next = (gint64) orrery_tick_get_number (tick) + TICKS;
  for (guint k = 0; k < G_N_ELEMENTS (places); k++) {
    const OrreryTransform *pose =
        orrery_snapshot_get_pose (snapshot, orrery_object_get_index (radars->carrier));
    OrreryRay rays[N_RAYS];
    OrreryHit hits[N_RAYS];
    OrreryRays batch = { rays, N_RAYS, ORRERY_SIGHT_SOLID, radars->robot };
    double nearest = INFINITY;
    guint n = 0;

    for (guint ring = 0; ring <= N_RINGS; ring++)
      for (guint i = 0; i < MAX (1, 6 * ring); i++)
        make_ray (&rays[n++], pose, &places[k], ring, i);
    if (!orrery_raycaster_cast (radars->rays, snapshot, &batch, hits, error))
      return FALSE;
    *seen[k] = -1;
    for (guint i = 0; i < N_RAYS; i++)
      if (hits[i].distance < nearest) {
        nearest = hits[i].distance;
        *seen[k] = hits[i].object;
      }
  }
  return TRUE;
}
