/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../geometry.h"

#ifdef HAVE_EMBREE4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

/* Relative error of a float, with room for a few roundings. */
#define FLOAT_SLACK 4e-7

/* So many things that move are asked one by one for rays that come near. */
#define FEW 8

typedef struct _OrreryEmbree OrreryEmbree;

/* A mesh that does not move. */
typedef struct {
  guint item;
  guint object;
  guint shape;
  double *planes; /* n x 4, owned: of its triangles in the world, about its middle */
} Standing;

/* A scene of Embree's. */
typedef struct {
  OrreryEmbree *owner; /* borrowed */
  RTCScene scene;      /* NULL: nothing is in it */
  GArray *meshes;      /* (element-type Standing): by the number of their geometry */
  GArray *simple;      /* (element-type guint): items, by the number of the primitive */
} Set;

typedef enum {
  SET_BOTH,  /* stands, is solid and seen */
  SET_SOLID, /* stands, is solid alone */
  SET_SEEN,  /* stands, is seen alone */
  SET_MOVING,
  N_SETS,
} SetKind;

#define ORRERY_TYPE_EMBREE (orrery_embree_get_type ())
G_DECLARE_FINAL_TYPE (OrreryEmbree, orrery_embree, ORRERY, EMBREE, OrreryRaycaster)
struct _OrreryEmbree {
  OrreryRaycaster parent_instance;
  RTCDevice device;
  RayGeometry *geometry;
  gboolean *moves;   /* by item */
  guint *counts[2];  /* items that stand, that move: of the objects before each number */
  OrreryVec3 middle; /* of the world */
  Set sets[N_SETS];
  GHashTable *scenes; /* (element-type RayMesh RTCScene): of those that move, in their own frame */
};

/* Everything at the poses that the geometry has; what stands and moves is found. */
void sets_fill (OrreryEmbree *self);
/* To the poses that the geometry has now. */
void sets_follow (OrreryEmbree *self);
void sets_clear (OrreryEmbree *self);

/* A box around an item, relative to the middle of the world. */
void sets_find_bounds (const OrreryEmbree *self, guint index, float low[3], float high[3]);

/* How many items that stand, or that move, a batch skips. */
static inline guint
sets_count_skipped (const OrreryEmbree *self, const RayFilter *filter, gboolean moving)
{
  return self->counts[moving][filter->end] - self->counts[moving][filter->from];
}

/* What Embree calls where rays may meet what is in the user geometry of a set. */
void rays_meet (const struct RTCIntersectFunctionNArguments *args);
/* ... and where they meet a hull that stands, or moves: whether they do. */
void rays_filter_standing (const struct RTCFilterFunctionNArguments *args);
void rays_filter_moving (const struct RTCFilterFunctionNArguments *args);
void rays_cast (OrreryEmbree *self, const OrreryRays *rays, OrreryHit *hits);
