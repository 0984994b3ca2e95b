/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of ray casters, and casts of one ray and of many. */
#include "roles/orrery-raycaster-private.h"

#include "base/orrery-error.h"

#include <math.h>

/* Rays of a buffer that are cast at once. */
#define BLOCK 1024

typedef struct {
  OrreryWorld *world;
  GMutex lock;     /* of what stands: */
  guint64 serial;  /* atomic; of the snapshot that the geometry shows */
  guint n_objects; /* that it is built of; 0: not built */
  guint64 shapes;  /* serial of those */
  GError *fault;   /* it cannot be built */
} OrreryRaycasterPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryRaycaster, orrery_raycaster, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryRaycasterPrivate *) orrery_raycaster_get_instance_private (self))

static void
orrery_raycaster_finalize (GObject *object)
{
  OrreryRaycasterPrivate *self = PRIVATE (ORRERY_RAYCASTER (object));

  g_clear_object (&self->world);
  g_clear_error (&self->fault);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (orrery_raycaster_parent_class)->finalize (object);
}

static void
orrery_raycaster_class_init (OrreryRaycasterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_raycaster_finalize;
}

static void
orrery_raycaster_init (OrreryRaycaster *self)
{
  g_mutex_init (&PRIVATE (self)->lock);
  PRIVATE (self)->serial = G_MAXUINT64;
}

void
orrery_raycaster_bind (OrreryRaycaster *self, OrreryWorld *world)
{
  g_set_object (&PRIVATE (self)->world, world);
}

/* Under the lock. */
static void
bring_up (OrreryRaycaster *self, OrrerySnapshot *snapshot, GError **error)
{
  OrreryRaycasterPrivate *private = PRIVATE (self);
  OrreryRaycasterClass *klass = ORRERY_RAYCASTER_GET_CLASS (self);
  guint n_objects = orrery_world_get_n_objects (private->world);
  guint64 shapes = orrery_world_get_shapes_serial (private->world);
  GError *local = NULL;

  if (private->n_objects != n_objects || private->shapes != shapes)
    klass->build (self, private->world, &local);
  if (local == NULL) {
    private->n_objects = n_objects;
    private->shapes = shapes;
    klass->update (self, snapshot, &local);
  }
  if (local == NULL)
    return;
  g_prefix_error (&local, "%s: ", orrery_part_get_classpath (ORRERY_PART (self)));
  private->n_objects = 0;
  g_propagate_error (error, local);
}

/* Whoever casts first in a tick moves the geometry; the others see that it was. */
gboolean
orrery_raycaster_prepare (OrreryRaycaster *self, OrrerySnapshot *snapshot, GError **error)
{
  OrreryRaycasterPrivate *private = PRIVATE (self);
  guint64 serial = orrery_snapshot_get_serial (snapshot);

  if (G_LIKELY (__atomic_load_n (&private->serial, __ATOMIC_ACQUIRE) == serial))
    return TRUE;
  g_mutex_lock (&private->lock);
  if (private->fault == NULL && private->serial != serial)
    bring_up (self, snapshot, &private->fault);
  if (private->fault == NULL)
    __atomic_store_n (&private->serial, serial, __ATOMIC_RELEASE);
  else
    g_propagate_error (error, g_error_copy (private->fault));
  g_mutex_unlock (&private->lock);
  return __atomic_load_n (&private->serial, __ATOMIC_ACQUIRE) == serial;
}

gboolean
orrery_raycaster_cast (OrreryRaycaster *self, OrrerySnapshot *snapshot, const OrreryRays *rays,
                       OrreryHit *hits, GError **error)
{
  if (!orrery_raycaster_prepare (self, snapshot, error))
    return FALSE;
  ORRERY_RAYCASTER_GET_CLASS (self)->cast (self, rays, hits);
  return TRUE;
}

static void
write_rows (const OrreryHit *hits, gsize n, double *rows)
{
  for (gsize i = 0; i < n; i++) {
    rows[5 * i] = hits[i].distance;
    rows[5 * i + 1] = hits[i].object == G_MAXUINT ? -1.0 : hits[i].object;
    rows[5 * i + 2] = hits[i].normal.x;
    rows[5 * i + 3] = hits[i].normal.y;
    rows[5 * i + 4] = hits[i].normal.z;
  }
}

OrreryBuffer *
orrery_raycaster_cast_buffer (OrreryRaycaster *self, OrrerySnapshot *snapshot, OrreryBuffer *rays,
                              double near, double far, OrrerySight sight, OrreryObject *skip,
                              GError **error)
{
  gsize n, shape[2] = { 0, 5 };
  g_autoptr (OrreryBuffer) out = NULL;
  const double *in;

  g_return_val_if_fail (ORRERY_IS_RAYCASTER (self), NULL);

  if (orrery_buffer_get_element (rays) != ORRERY_ELEMENT_DOUBLE ||
      orrery_buffer_get_n_dimensions (rays) != 2 || orrery_buffer_get_length (rays, 1) != 6) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "rays are doubles, n x 6: origin and direction");
    return NULL;
  }
  n = shape[0] = orrery_buffer_get_length (rays, 0);
  in = orrery_buffer_get_data (rays);
  out = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, shape);
  for (gsize at = 0; at < n; at += BLOCK) {
    OrreryRay block[BLOCK];
    OrreryHit hits[BLOCK];
    OrreryRays batch = { block, MIN (BLOCK, n - at), sight,
                         skip != NULL ? orrery_object_get_index (skip) : ORRERY_RAYS_SKIP_NOTHING };

    for (gsize i = 0; i < batch.n_rays; i++) {
      const double *row = in + 6 * (at + i);

      block[i] = (OrreryRay){ { row[0], row[1], row[2] }, { row[3], row[4], row[5] }, near, far };
    }
    if (!orrery_raycaster_cast (self, snapshot, &batch, hits, error))
      return NULL;
    write_rows (hits, batch.n_rays, (double *) orrery_buffer_get_data (out) + 5 * at);
  }
  return g_steal_pointer (&out);
}

gint64
orrery_raycaster_find_between (OrreryRaycaster *self, OrrerySnapshot *snapshot,
                               const OrreryVec3 *from, const OrreryVec3 *to, OrrerySight sight,
                               OrreryObject *skip, GError **error)
{
  OrreryVec3 way = orrery_vec3_subtract (to, from);
  OrreryRay ray = { *from, way, 0, orrery_vec3_length (&way) };
  OrreryRays batch = { &ray, 1, sight,
                       skip != NULL ? orrery_object_get_index (skip) : ORRERY_RAYS_SKIP_NOTHING };
  OrreryHit hit;

  g_return_val_if_fail (ORRERY_IS_RAYCASTER (self), -1);

  if (!orrery_raycaster_cast (self, snapshot, &batch, &hit, error) || hit.object == G_MAXUINT)
    return -1;
  return hit.object;
}
