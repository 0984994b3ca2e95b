/* SPDX-License-Identifier: BSD-3-Clause */
/* orrery.raycasters.exact.Exact: rays in doubles against every shape that may be in the way. */
#include "tree.h"

#include <math.h>

/*
 * Closed forms for simple shapes, a tree of boxes around the triangles of a mesh. It needs no
 * library, and is what others are compared with; for large meshes orrery.raycasters.embree.Embree
 * is faster.
 */
typedef struct {
  OrreryRaycaster parent_instance;
  RayGeometry *geometry;
  GHashTable *trees; /* (element-type RayMesh RayTree) */
} OrreryExact;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryExact, orrery_exact, OrreryRaycaster, orrery_raycaster)

static void
orrery_exact_build (OrreryRaycaster *raycaster, OrreryWorld *world, GError **error)
{
  OrreryExact *self = (OrreryExact *) raycaster;

  g_hash_table_remove_all (self->trees);
  g_clear_pointer (&self->geometry, ray_geometry_free);
  self->geometry = ray_geometry_new (world);
  for (guint i = 0; i < self->geometry->items->len; i++) {
    RayMesh *mesh = ray_geometry_get (self->geometry, i)->mesh;

    if (mesh != NULL && !g_hash_table_contains (self->trees, mesh))
      g_hash_table_insert (self->trees, mesh, ray_tree_new (mesh));
  }
}

static void
orrery_exact_update (OrreryRaycaster *raycaster, OrrerySnapshot *snapshot, GError **error)
{
  ray_geometry_update (((OrreryExact *) raycaster)->geometry, snapshot);
}

/* Whether the ball around the item is between the two distances on the ray. */
static gboolean
is_in_reach (const RayItem *item, const OrreryRay *ray, const OrreryVec3 *direction, double far)
{
  OrreryVec3 away = orrery_vec3_subtract (&item->centre, &ray->origin);
  double along = orrery_vec3_dot (&away, direction);
  OrreryVec3 aside = orrery_vec3_add_scaled (&away, direction, -along);
  double r = item->radius * (1 + 1e-9) + 1e-9;

  return along + r >= ray->near && along - r <= far && orrery_vec3_dot (&aside, &aside) <= r * r;
}

static gboolean
meets_box (const RayItem *item, const RayProbe *probe)
{
  RayProbe box = *probe;

  box.near = 0;
  box.outside = FALSE;
  box.origin = orrery_vec3_subtract (&probe->origin, &item->middle);
  if (fabs (box.origin.x) <= item->half.x && fabs (box.origin.y) <= item->half.y &&
      fabs (box.origin.z) <= item->half.z)
    return TRUE;
  return ray_probe_shape (&box, ORRERY_SHAPE_BOX,
                          &(OrreryVec3){ item->half.x * (1 + 1e-9) + 1e-9,
                                         item->half.y * (1 + 1e-9) + 1e-9,
                                         item->half.z * (1 + 1e-9) + 1e-9 });
}

static void
cast_one (OrreryExact *self, const RayFilter *filter, const OrreryRay *ray, OrreryHit *hit)
{
  OrreryVec3 direction;
  double far = ray->far;

  ray_hit_clear (hit);
  if (!ray_check (ray, &direction))
    return;
  for (guint i = 0; i < self->geometry->items->len; i++) {
    const RayItem *item = ray_geometry_get (self->geometry, i);
    RayProbe probe;

    if (!ray_filter_passes (filter, item) || !is_in_reach (item, ray, &direction, far))
      continue;
    ray_probe_init (&probe, filter, item, ray, &direction);
    probe.far = far;
    if (item->mesh == NULL)
      ray_probe_shape (&probe, item->kind, &item->size);
    else if (meets_box (item, &probe))
      ray_tree_probe (g_hash_table_lookup (self->trees, item->mesh), item->mesh, &probe);
    /* Of two at one place the first in the order of the world is met. */
    if (!probe.found || probe.t >= hit->distance)
      continue;
    ray_hit_set (hit, item, &probe, &direction);
    far = probe.t;
  }
}

static void
orrery_exact_cast (OrreryRaycaster *raycaster, const OrreryRays *rays, OrreryHit *hits)
{
  OrreryExact *self = (OrreryExact *) raycaster;
  RayFilter filter = ray_geometry_make_filter (self->geometry, rays);

  for (gsize i = 0; i < rays->n_rays; i++)
    cast_one (self, &filter, &rays->rays[i], &hits[i]);
}

static void
orrery_exact_class_init (OrreryExactClass *klass)
{
  ORRERY_RAYCASTER_CLASS (klass)->build = orrery_exact_build;
  ORRERY_RAYCASTER_CLASS (klass)->update = orrery_exact_update;
  ORRERY_RAYCASTER_CLASS (klass)->cast = orrery_exact_cast;
  ORRERY_CLASS_OWNS (klass, OrreryExact, trees, g_hash_table_unref);
  ORRERY_CLASS_OWNS (klass, OrreryExact, geometry, ray_geometry_free);
}

static void
orrery_exact_init (OrreryExact *self)
{
  self->trees = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ray_tree_free);
}

ORRERY_PLUGIN ("Rays in doubles, without a library", "BSD-3-Clause",
               ORRERY_CLASS (Exact, OrreryExact, orrery_exact))
