/* SPDX-License-Identifier: BSD-3-Clause */
/* orrery.raycasters.embree.Embree: rays by Embree; this file is the role. */
#include "embree.h"

/*
 * Rays by Embree. What stands is in scenes of its own, as triangles in the world; what moves is in
 * one further scene, item by item, whose boxes alone are sorted anew in a tick. An item that stood
 * and moves for the first time, or is hidden, goes over to those that move.
 *
 * Embree works in floats: it says which triangle is met, and the distance to the plane of that
 * triangle is then found in doubles. Simple shapes are its user geometry, met in doubles in closed
 * form. All floats are relative to the middle of the world.
 */

ORRERY_DEFINE_FINAL_TYPE (OrreryEmbree, orrery_embree, ORRERY_TYPE_RAYCASTER)

static void
report (OrreryEmbree *self, GError **error)
{
  static const char *const words[] = { "",
                                       "something unknown",
                                       "an argument that makes no sense",
                                       "an operation that makes no sense",
                                       "no memory for the geometry",
                                       "a processor that it does not know",
                                       "cancelled" };
  enum RTCError code = rtcGetDeviceError (self->device);

  if (code != RTC_ERROR_NONE)
    orrery_set_error (error, ORRERY_ERROR_STATE, "Embree says: %s",
                      (guint) code < G_N_ELEMENTS (words) ? words[code] : words[1]);
}

static gpointer
do_nothing (gpointer data)
{
  return data;
}

/* The library below Embree ends the program if the system gives it no thread. */
static gboolean
check_threads (GError **error)
{
  GThread *thread = g_thread_try_new ("embree", do_nothing, NULL, error);

  if (thread != NULL)
    g_thread_join (thread);
  return thread != NULL;
}

/* One for all worlds, for as long as the process lasts: its end would make threads, too. */
static RTCDevice
get_device (GError **error)
{
  static GMutex lock;
  static RTCDevice device;
  RTCDevice found;

  g_mutex_lock (&lock);
  /* Embree gets no threads of its own; the host has threads for sensors. */
  if (device == NULL && check_threads (error))
    device = rtcNewDevice ("threads=1");
  found = device;
  g_mutex_unlock (&lock);
  return found;
}

static void
orrery_embree_build (OrreryRaycaster *raycaster, OrreryWorld *world, GError **error)
{
  OrreryEmbree *self = ORRERY_EMBREE (raycaster);
  GError *local = NULL;

  sets_clear (self);
  self->device = get_device (&local);
  if (local != NULL) {
    g_prefix_error (&local, "Embree needs a thread: ");
    g_propagate_error (error, local);
    return;
  }
  if (self->device == NULL) {
    report (self, error);
    return;
  }
  self->geometry = ray_geometry_new (world);
  self->scenes = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) rtcReleaseScene);
}

static void
orrery_embree_update (OrreryRaycaster *raycaster, OrrerySnapshot *snapshot, GError **error)
{
  OrreryEmbree *self = ORRERY_EMBREE (raycaster);
  gboolean any = ray_geometry_update (self->geometry, snapshot);

  if (self->moves == NULL)
    sets_fill (self);
  else if (any)
    sets_follow (self);
  report (self, error);
}

static void
orrery_embree_cast (OrreryRaycaster *raycaster, const OrreryRays *rays, OrreryHit *hits)
{
  rays_cast (ORRERY_EMBREE (raycaster), rays, hits);
}

static void
orrery_embree_finalize (GObject *object)
{
  OrreryEmbree *self = ORRERY_EMBREE (object);

  sets_clear (self);
  G_OBJECT_CLASS (orrery_embree_parent_class)->finalize (object);
}

static void
orrery_embree_class_init (OrreryEmbreeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_embree_finalize;
  ORRERY_RAYCASTER_CLASS (klass)->build = orrery_embree_build;
  ORRERY_RAYCASTER_CLASS (klass)->update = orrery_embree_update;
  ORRERY_RAYCASTER_CLASS (klass)->cast = orrery_embree_cast;
}

ORRERY_PLUGIN ("Rays by Embree, distances in doubles", "BSD-3-Clause",
               ORRERY_CLASS (Embree, OrreryEmbree, orrery_embree))
