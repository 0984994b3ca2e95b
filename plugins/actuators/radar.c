/* SPDX-License-Identifier: BSD-3-Clause */
/* The two radars with which a waypoint sees obstacles beside its path. */
#include "radar.h"

#include <math.h>

#define TICKS 20
/* From the axis of a cone to its side, rad. */
#define HALF_ANGLE (2.5 * G_PI / 180)
#define FULL_ANGLE 5 /* degrees */
/* One ray along the axis, and rings about it of 6, 12 ... rays: at 3 m they are less than 35 mm
 * apart, so that a ball of 5 cm is met wherever it is in the cone. */
#define N_RINGS 4
#define N_RAYS (1 + 3 * N_RINGS * (N_RINGS + 1))

static const OrreryVec3 places[] = { { 0.7, 0.4, 0.8 }, { 0.7, -0.4, 0.8 } };

/* --- what they may meet --- */

static void
widen (OrreryShape *shape, const OrreryTransform *offset, gpointer user_data)
{
  double *radius = user_data;
  OrreryBuffer *points = orrery_shape_get_points (shape);
  const OrreryVec3 *size = orrery_shape_get_size (shape);
  /* Of a capsule z ends before its caps, which are as thick as x. */
  double own = hypot (hypot (size->x, fmax (size->x, size->y)), size->z + size->x);

  for (gsize i = 0; points != NULL && i < orrery_buffer_get_length (points, 0); i++)
    own =
        fmax (own, orrery_vec3_length (&((const OrreryVec3 *) orrery_buffer_get_data (points))[i]));
  *radius = fmax (*radius, own + orrery_vec3_length (&offset->position));
}

static void
find_mesh (OrreryShape *shape, const OrreryTransform *offset, gpointer user_data)
{
  if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_MESH)
    *(gboolean *) user_data = TRUE;
}

static gboolean
is_below (OrreryObject *object, OrreryObject *robot)
{
  for (; object != NULL; object = orrery_object_get_parent (object))
    if (object == robot)
      return TRUE;
  return FALSE;
}

/* The world may have got more objects since the last time. */
static void
find_things (Radars *radars)
{
  for (; radars->n_objects < orrery_world_get_n_objects (radars->world); radars->n_objects++) {
    RadarThing thing = { orrery_world_get_object (radars->world, radars->n_objects), 0 };
    const OrreryBody *body = orrery_object_get_body (thing.object);
    gboolean has_mesh = FALSE;

    if (body->type == ORRERY_BODY_NONE || orrery_physics_is_part (thing.object) ||
        is_below (thing.object, radars->below))
      continue;
    orrery_physics_foreach_shape (thing.object, widen, &thing.radius);
    if (body->type == ORRERY_BODY_STATIC)
      orrery_physics_foreach_shape (thing.object, find_mesh, &has_mesh);
    thing.radius += fmax (body->margin, 0);
    if (thing.radius > 0 && !has_mesh)
      g_array_append_val (radars->things, thing);
  }
}

gboolean
radars_set_up (Radars *radars, OrrerySetup *setup, OrreryComponent *carrier, GError **error)
{
  OrreryComponent *component = orrery_component_get_robot (carrier);
  OrreryObject *robot = component != NULL ? orrery_component_get_object (component) : NULL;

  radars->rays = orrery_setup_get_rays (setup, error);
  radars->carrier = orrery_component_get_object (carrier);
  radars->robot = robot != NULL ? orrery_object_get_index (robot) : ORRERY_RAYS_SKIP_NOTHING;
  radars->world = orrery_setup_get_world (setup);
  radars->below = robot;
  radars->n_objects = 0;
  g_clear_pointer (&radars->things, g_array_unref);
  radars->things = g_array_new (FALSE, FALSE, sizeof (RadarThing));
  find_things (radars);
  radars_forget (radars);
  return radars->rays != NULL;
}

void
radars_forget (Radars *radars)
{
  radars->next = 0;
  radars->left = radars->right = -1;
}

/* --- looking --- */

/* The nearest of all that is not made of triangles, or @nearest m away, not below 0. */
static gint64
look_for_things (Radars *radars, OrrerySnapshot *snapshot, const OrreryTransform *pose,
                 double *nearest)
{
  OrreryCone cone = { *pose, RADAR_RANGE, 0 };
  OrreryCone tip = { *pose, 0, 0 };
  gint64 seen = -1;

  find_things (radars);
  orrery_cone_set_angle (&cone, FULL_ANGLE);
  for (guint i = 0; i < radars->things->len; i++) {
    const RadarThing *thing = &g_array_index (radars->things, RadarThing, i);
    guint index = orrery_object_get_index (thing->object);
    const OrreryTransform *there = orrery_snapshot_get_pose (snapshot, index);
    double away = orrery_vec3_distance (&there->position, &pose->position);

    if (away - thing->radius > RADAR_RANGE * 1.01 || !orrery_object_is_present (thing->object) ||
        orrery_cone_get_distance (&cone, thing->object, there) > 0)
      continue;
    away = orrery_cone_get_distance (&tip, thing->object, there);
    if (away >= *nearest)
      continue;
    *nearest = away;
    seen = index;
  }
  return seen;
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

static gboolean
look_for_triangles (const Radars *radars, OrrerySnapshot *snapshot, const OrreryTransform *pose,
                    const OrreryVec3 *place, double *nearest, gint64 *seen, GError **error)
{
  OrreryRay rays[N_RAYS];
  OrreryHit hits[N_RAYS];
  OrreryRays batch = { rays, N_RAYS, ORRERY_SIGHT_SOLID, radars->robot };
  guint n = 0;

  for (guint ring = 0; ring <= N_RINGS; ring++)
    for (guint i = 0; i < MAX (1, 6 * ring); i++)
      make_ray (&rays[n++], pose, place, ring, i);
  if (!orrery_raycaster_cast (radars->rays, snapshot, &batch, hits, error))
    return FALSE;
  for (guint i = 0; i < N_RAYS; i++)
    if (hits[i].distance < *nearest) {
      *nearest = hits[i].distance;
      *seen = hits[i].object;
    }
  return TRUE;
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
    OrreryTransform radar = *pose;
    double nearest = INFINITY;
    gint64 thing;

    *seen[k] = -1;
    if (!look_for_triangles (radars, snapshot, pose, &places[k], &nearest, seen[k], error))
      return FALSE;
    orrery_transform_apply (pose, &places[k], &radar.position);
    thing = look_for_things (radars, snapshot, &radar, &nearest);
    if (thing >= 0)
      *seen[k] = thing;
  }
  return TRUE;
}
