/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "shapes.h"

#include <math.h>

/* What ray casters see of a world: one item for each shape, at its present pose. */

/* Triangles, shared by all items with the same points. */
typedef struct {
  OrreryBuffer *buffer; /* of the points; owned */
  const double *points; /* n x 3 */
  guint n_points;
  guint32 *triangles; /* n x 3, owned; every index is one of a point */
  guint n_triangles;
  double *planes; /* n x 4: unit normal and offset, all 0 for a triangle without an area */
} RayMesh;

/* Whether a ray of this direction, in the frame of the mesh, leaves through the triangle. */
static inline gboolean
ray_mesh_faces_away (const RayMesh *mesh, gsize triangle, const OrreryVec3 *direction)
{
  return orrery_vec3_dot ((const OrreryVec3 *) (gconstpointer) (mesh->planes + 4 * triangle),
                          direction) > 0;
}

typedef struct {
  OrreryShapeKind kind;
  OrreryVec3 size;
  RayMesh *mesh; /* of a hull or mesh, borrowed; else NULL */
  guint object;
  guint shape;  /* which of the object's */
  guint number; /* of the object, in an order in which all below an object follow it */
  gboolean solid;
  gboolean seen;
  gboolean convex; /* and with an inside */
  gboolean hidden;
  gboolean moved;        /* in the last update: another pose, or shown or hidden */
  OrreryTransform place; /* in the object's frame */
  OrreryVec3 middle;     /* of the box around it, in its own frame */
  OrreryVec3 half;       /* of that box */
  double radius;         /* around middle */
  /* In the world: */
  OrreryTransform pose;
  OrreryMat3 rotation;
  OrreryVec3 centre;
} RayItem;

typedef struct {
  OrreryWorld *world; /* owned */
  GArray *items;      /* (element-type RayItem), in the order of the objects */
  GHashTable *meshes; /* (element-type OrreryShape RayMesh), by the first shape with its points */
  guint n_objects;
  guint *numbers; /* of each object, as RayItem has it */
  guint *ends;    /* the number behind all that is below the object */
} RayGeometry;

RayGeometry *ray_geometry_new (OrreryWorld *world);
void ray_geometry_free (RayGeometry *geometry);
/* Puts the items where the snapshot has them; says of each whether it moved, and returns whether
 * any did. */
gboolean ray_geometry_update (RayGeometry *geometry, OrrerySnapshot *snapshot);

static inline RayItem *
ray_geometry_get (const RayGeometry *geometry, guint i)
{
  return &g_array_index (geometry->items, RayItem, i);
}

/* What a batch does not look at. */
typedef struct {
  OrrerySight sight;
  guint from; /* numbers of objects that are skipped: from here */
  guint end;  /* to before here */
} RayFilter;

RayFilter ray_geometry_make_filter (const RayGeometry *geometry, const OrreryRays *rays);

static inline gboolean
ray_filter_passes (const RayFilter *filter, const RayItem *item)
{
  if (item->hidden || (item->number >= filter->from && item->number < filter->end))
    return FALSE;
  return filter->sight == ORRERY_SIGHT_SEEN ? item->seen : item->solid;
}

/* Whether the item is met from its outside alone. */
static inline gboolean
ray_filter_is_outside (const RayFilter *filter, const RayItem *item)
{
  return item->convex && filter->sight == ORRERY_SIGHT_OUTSIDE;
}

/* From beyond that, m, nothing is seen: floats are to hold it, and its square. */
#define RAY_FARTHEST 1e12

/* Of a ray the direction of length 1. FALSE: it is no ray and meets nothing */
static inline gboolean
ray_check (const OrreryRay *ray, OrreryVec3 *direction)
{
  const OrreryVec3 *d = &ray->direction;
  double square = orrery_vec3_dot (d, d), place = orrery_vec3_dot (&ray->origin, &ray->origin);
  double scale;

  /* Whatever is not finite is not below a limit. */
  if (!(square > 1e-200 && square < 1e200 && place < RAY_FARTHEST * RAY_FARTHEST &&
        ray->near >= 0 && ray->near < RAY_FARTHEST && ray->near <= ray->far))
    return FALSE;
  /* Most are of length 1 but for a rounding: two terms of the series are then all its digits. */
  scale = fabs (square - 1) < 1e-8 ? 1 - (square - 1) / 2 : 1 / sqrt (square);
  *direction = orrery_vec3_scale (d, scale);
  return TRUE;
}

/* The ray in the frame of the item, with nothing found. */
void ray_probe_init (RayProbe *probe, const RayFilter *filter, const RayItem *item,
                     const OrreryRay *ray, const OrreryVec3 *direction);
/* What was found, as a hit; @direction: unit. */
void ray_hit_set (OrreryHit *hit, const RayItem *item, const RayProbe *probe,
                  const OrreryVec3 *direction);
static inline void
ray_hit_clear (OrreryHit *hit)
{
  *hit = (OrreryHit){ .distance = INFINITY, .object = G_MAXUINT };
}
