/* SPDX-License-Identifier: BSD-3-Clause */
#include "radar.h"

#include <math.h>

#define TICKS 20
/* From the axis of a cone to its side, rad. */
#define HALF_ANGLE (2.5 * G_PI / 180)
/* One ray along the axis, six and twelve in rings about it. */
#define N_RAYS 19

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

static void
make_ray (OrreryRay *ray, const OrreryTransform *pose, const OrreryVec3 *place, guint i)
{
  double away = i == 0 ? 0 : i <= 6 ? HALF_ANGLE / 2 : HALF_ANGLE;
  double about = i == 0 ? 0 : i <= 6 ? (i - 1) * G_PI / 3 : (i - 7) * G_PI / 6;
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

  if (radars->rays == NULL || orrery_tick_get_number (tick) < radars->next)
    return TRUE;
  radars->next = orrery_tick_get_number (tick) + TICKS;
  for (guint k = 0; k < G_N_ELEMENTS (places); k++) {
    const OrreryTransform *pose =
        orrery_snapshot_get_pose (snapshot, orrery_object_get_index (radars->carrier));
    OrreryRay rays[N_RAYS];
    OrreryHit hits[N_RAYS];
    OrreryRays batch = { rays, N_RAYS, ORRERY_SIGHT_SOLID, radars->robot };
    double nearest = INFINITY;

    for (guint i = 0; i < N_RAYS; i++)
      make_ray (&rays[i], pose, &places[k], i);
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
