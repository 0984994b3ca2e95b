/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"

G_BEGIN_DECLS

/**
 * OrrerySight:
 * @ORRERY_SIGHT_SOLID: what bodies collide with: solid shapes of bodies that are felt
 * @ORRERY_SIGHT_SEEN: what an eye sees: of each object the visible shapes that are not solid (its
 *   visual model), or all visible ones if all are solid
 * @ORRERY_SIGHT_OUTSIDE: as %ORRERY_SIGHT_SOLID, but a shape with an inside (all kinds but meshes)
 *   from its outside alone: a ray that begins in it leaves it unseen. So the rays of MORSE's lasers
 *   see, which are Bullet's
 *
 * Which shapes a ray meets. Hidden shapes are met by no ray.
 */
typedef enum {
  ORRERY_SIGHT_SOLID,
  ORRERY_SIGHT_SEEN,
  ORRERY_SIGHT_OUTSIDE,
} OrrerySight;

/**
 * OrreryRay:
 * @origin: m, world
 * @direction: world, of any length above 0
 * @near: m, 0 or more: what is nearer is not met
 * @far: m, above @near, may be infinite: what is farther is not met
 *
 * One ray. A ray with a number that is not finite (but @far), or without a direction, meets
 * nothing.
 */
typedef struct {
  OrreryVec3 origin;
  OrreryVec3 direction;
  double near;
  double far;
} OrreryRay;

/**
 * OrreryHit:
 * @distance: m from the ray's origin; infinite if nothing is met
 * @normal: of the surface, world, unit, towards the ray's origin; zero if nothing is met
 * @object: index of the object; %G_MAXUINT if nothing is met
 * @shape: which of the object's shapes
 * @triangle: which of a mesh's triangles; else 0
 *
 * What one ray meets first. Surfaces have two sides: from within a box its walls are seen, but
 * see %ORRERY_SIGHT_OUTSIDE.
 */
typedef struct {
  double distance;
  OrreryVec3 normal;
  guint object;
  guint shape;
  guint triangle;
} OrreryHit;

/**
 * ORRERY_RAYS_SKIP_NOTHING:
 *
 * As the object that a batch skips: none.
 */
#define ORRERY_RAYS_SKIP_NOTHING G_MAXUINT

/**
 * OrreryRays:
 * @rays: (array length=n_rays): those that are cast
 * @n_rays: how many
 * @sight: which shapes they meet
 * @skip: index of an object that they pass through, with all below it: the own robot; or
 *   %ORRERY_RAYS_SKIP_NOTHING
 *
 * A batch of rays. Neighbours in space should be neighbours in the batch.
 */
typedef struct {
  const OrreryRay *rays;
  gsize n_rays;
  OrrerySight sight;
  guint skip;
} OrreryRays;

/**
 * OrreryRaycaster:
 *
 * Finds what rays meet in the world: all shapes that are not hidden, at the poses of a snapshot.
 * orrery_setup_get_rays() gives the one of the scene.
 */
#define ORRERY_TYPE_RAYCASTER (orrery_raycaster_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryRaycaster, orrery_raycaster, ORRERY, RAYCASTER, OrreryPart)

/**
 * OrreryRaycasterClass:
 * @build: makes its own model of the world's shapes, at the poses of its snapshot; again when the
 *   world has got new objects, or an object other shapes
 * @update: moves its model to the poses of @snapshot, and hides what is hidden. Called at most once
 *   per tick, when rays are cast, never beside another call
 * @cast: writes a hit for each ray; several threads may be in it. Distances are right to 1e-6 m
 */
struct _OrreryRaycasterClass {
  OrreryPartClass parent_class;

  void (*build) (OrreryRaycaster *self, OrreryWorld *world, GError **error);
  void (*update) (OrreryRaycaster *self, OrrerySnapshot *snapshot, GError **error);
  void (*cast) (OrreryRaycaster *self, const OrreryRays *rays, OrreryHit *hits);

  /*< private >*/
  gpointer _reserved[8];
};

/**
 * orrery_raycaster_cast: (skip)
 * @snapshot: the snapshot of the tick
 * @rays: what to cast
 * @hits: (array): room for as many hits
 *
 * Any thread of the tick (`--threads`); the first call in a tick updates the geometry.
 *
 * Returns: %FALSE with %ORRERY_ERROR_STATE: the geometry cannot be built
 */
ORRERY_API gboolean orrery_raycaster_cast (OrreryRaycaster *self, OrrerySnapshot *snapshot,
                                           const OrreryRays *rays, OrreryHit *hits, GError **error);
/**
 * orrery_raycaster_cast_buffer:
 * @snapshot: the snapshot of the tick
 * @rays: doubles, n x 6: origin and direction, world
 * @near: m: what is nearer is not met
 * @far: m: what is farther is not met
 * @sight: which shapes they meet
 * @skip: (nullable): an object that they pass through, with all below it
 *
 * orrery_raycaster_cast() for bindings.
 *
 * Returns: (transfer full): doubles, n x 5: distance (infinite: nothing), index of the object (-1:
 *   none), normal; or %NULL with %ORRERY_ERROR_INVALID: @rays are not n x 6 doubles, or as
 *   orrery_raycaster_cast()
 */
ORRERY_API OrreryBuffer *orrery_raycaster_cast_buffer (OrreryRaycaster *self,
                                                       OrrerySnapshot *snapshot, OrreryBuffer *rays,
                                                       double near, double far, OrrerySight sight,
                                                       OrreryObject *skip, GError **error);
/**
 * orrery_raycaster_find_between:
 * @snapshot: the snapshot of the tick
 * @from: m, world
 * @to: m, world
 * @sight: which shapes stand in the way
 * @skip: (nullable): an object that is passed through, with all below it
 *
 * Line of sight: what is met first on the way from one point to another.
 *
 * Returns: index of an object; -1 if the way is free, or with @error set
 */
ORRERY_API gint64 orrery_raycaster_find_between (OrreryRaycaster *self, OrrerySnapshot *snapshot,
                                                 const OrreryVec3 *from, const OrreryVec3 *to,
                                                 OrrerySight sight, OrreryObject *skip,
                                                 GError **error);

G_END_DECLS
