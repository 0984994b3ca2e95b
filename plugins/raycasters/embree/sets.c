/* SPDX-License-Identifier: BSD-3-Clause */
/* Embree's scenes: shapes that stand still and shapes that move, by what a ray may meet. */
#include "embree.h"

#include <math.h>
#include <string.h>

/* The flag of scenes whose triangles are filtered by what a batch of rays brings. */
#ifdef HAVE_EMBREE4
#define FILTER_BY_BATCH RTC_SCENE_FLAG_FILTER_FUNCTION_IN_ARGUMENTS
#else
#define FILTER_BY_BATCH RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION
#endif

/* Two planes to a line of the processor's memory, none across two. */
#define PLANE_ALIGN 64

/* --- scenes --- */

/* A mesh at a pose, or in its own frame about its middle. */
static RTCGeometry
make_triangles (OrreryEmbree *self, const RayItem *item, gboolean in_world)
{
  const RayMesh *mesh = item->mesh;
  const OrreryVec3 *points = (const OrreryVec3 *) (gconstpointer) mesh->points;
  RTCGeometry geometry = rtcNewGeometry (self->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  float *vertices = rtcSetNewGeometryBuffer (geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             3 * sizeof (float), MAX (1, mesh->n_points));
  guint32 *triangles =
      rtcSetNewGeometryBuffer (geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               3 * sizeof (guint32), MAX (1, mesh->n_triangles));

  if (vertices == NULL || triangles == NULL)
    return geometry;
  for (gsize i = 0; i < mesh->n_points; i++) {
    OrreryVec3 p;

    if (in_world) {
      orrery_transform_apply (&item->pose, &points[i], &p);
      p = orrery_vec3_subtract (&p, &self->middle);
    } else {
      p = orrery_vec3_subtract (&points[i], &item->middle);
    }
    vertices[3 * i] = (float) p.x;
    vertices[3 * i + 1] = (float) p.y;
    vertices[3 * i + 2] = (float) p.z;
  }
  if (mesh->n_triangles > 0)
    memcpy (triangles, mesh->triangles, (gsize) mesh->n_triangles * 3 * sizeof *triangles);
  else
    memset (triangles, 0, 3 * sizeof *triangles);
  return geometry;
}

static void
attach (RTCScene scene, RTCGeometry geometry, guint number)
{
  rtcCommitGeometry (geometry);
  rtcAttachGeometryByID (scene, geometry, number);
  rtcReleaseGeometry (geometry);
}

/* In the world, about its middle. */
static double *
make_planes (OrreryEmbree *self, const RayItem *item)
{
  const RayMesh *mesh = item->mesh;
  double *planes = g_aligned_alloc (MAX (1, mesh->n_triangles), 4 * sizeof *planes, PLANE_ALIGN);
  OrreryVec3 place = orrery_vec3_subtract (&item->pose.position, &self->middle);

  for (gsize i = 0; i < mesh->n_triangles; i++) {
    const double *from = mesh->planes + 4 * i;
    OrreryVec3 normal =
        orrery_mat3_apply (&item->rotation, (const OrreryVec3 *) (gconstpointer) from);

    planes[4 * i] = normal.x;
    planes[4 * i + 1] = normal.y;
    planes[4 * i + 2] = normal.z;
    planes[4 * i + 3] = from[3] + orrery_vec3_dot (&normal, &place);
  }
  return planes;
}

static void
clear_standing (gpointer data)
{
  g_aligned_free (((Standing *) data)->planes);
}

static void
clear_set (Set *set)
{
  g_clear_pointer (&set->scene, rtcReleaseScene);
  g_clear_pointer (&set->meshes, g_array_unref);
  g_clear_pointer (&set->simple, g_array_unref);
}

void
sets_find_bounds (const OrreryEmbree *self, guint index, float low[3], float high[3])
{
  const RayItem *item = ray_geometry_get (self->geometry, index);
  OrreryVec3 centre = orrery_vec3_subtract (&item->centre, &self->middle);
  const double c[3] = { centre.x, centre.y, centre.z };
  const double *m = item->rotation.m;

  for (guint i = 0; i < 3; i++) {
    double half = fabs (m[3 * i]) * item->half.x + fabs (m[3 * i + 1]) * item->half.y +
                  fabs (m[3 * i + 2]) * item->half.z;

    /* A ray in floats may pass what the ray in doubles meets. */
    half += 1e-5 + FLOAT_SLACK * (fabs (c[i]) + half);
    low[i] = (float) (c[i] - half);
    high[i] = (float) (c[i] + half);
  }
}

static void
find_bounds (const struct RTCBoundsFunctionArguments *args)
{
  const Set *set = args->geometryUserPtr;
  struct RTCBounds *bounds = args->bounds_o;
  float low[3], high[3];

  sets_find_bounds (set->owner, g_array_index (set->simple, guint, args->primID), low, high);
  bounds->lower_x = low[0];
  bounds->lower_y = low[1];
  bounds->lower_z = low[2];
  bounds->upper_x = high[0];
  bounds->upper_y = high[1];
  bounds->upper_z = high[2];
}

static RTCGeometry
make_simple (OrreryEmbree *self, Set *set)
{
  RTCGeometry geometry = rtcNewGeometry (self->device, RTC_GEOMETRY_TYPE_USER);

  rtcSetGeometryUserPrimitiveCount (geometry, set->simple->len);
  rtcSetGeometryUserData (geometry, set);
  rtcSetGeometryBoundsFunction (geometry, find_bounds, NULL);
  rtcSetGeometryIntersectFunction (geometry, rays_meet);
  return geometry;
}

static gboolean
is_of (const OrreryEmbree *self, guint index, SetKind kind)
{
  const RayItem *item = ray_geometry_get (self->geometry, index);

  if (self->moves[index] || kind == SET_MOVING)
    return self->moves[index] && kind == SET_MOVING;
  return item->solid == (kind != SET_SEEN) && item->seen == (kind != SET_SOLID);
}

/* The scene of what moves is built for being built often. */
static void
open_scene (OrreryEmbree *self, Set *set, gboolean moving)
{
  set->scene = rtcNewScene (self->device);
  rtcSetSceneFlags (set->scene,
                    RTC_SCENE_FLAG_ROBUST | (moving ? RTC_SCENE_FLAG_DYNAMIC : FILTER_BY_BATCH));
  rtcSetSceneBuildQuality (set->scene, moving ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM);
}

static void
add_standing (OrreryEmbree *self, Set *set, guint index)
{
  const RayItem *item = ray_geometry_get (self->geometry, index);
  Standing standing = { index, item->object, item->shape, make_planes (self, item) };

  g_array_append_val (set->meshes, standing);
}

static void
fill_set (OrreryEmbree *self, SetKind kind)
{
  Set *set = &self->sets[kind];

  clear_set (set);
  set->owner = self;
  set->meshes = g_array_new (FALSE, FALSE, sizeof (Standing));
  g_array_set_clear_func (set->meshes, clear_standing);
  set->simple = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < self->geometry->items->len; i++) {
    const RayItem *item = ray_geometry_get (self->geometry, i);

    if (!is_of (self, i, kind))
      continue;
    if (item->mesh != NULL && kind != SET_MOVING)
      add_standing (self, set, i);
    else
      g_array_append_val (set->simple, i);
  }
  if (set->meshes->len == 0 && set->simple->len == 0)
    return;
  open_scene (self, set, kind == SET_MOVING);
  for (guint i = 0; i < set->meshes->len; i++) {
    Standing *standing = &g_array_index (set->meshes, Standing, i);
    const RayItem *item = ray_geometry_get (self->geometry, standing->item);
    RTCGeometry geometry = make_triangles (self, item, TRUE);

    rtcSetGeometryUserData (geometry, standing);
    if (item->convex)
      rtcSetGeometryIntersectFilterFunction (geometry, rays_filter_standing);
    attach (set->scene, geometry, i);
  }
  if (set->simple->len > 0)
    attach (set->scene, make_simple (self, set), set->meshes->len);
  rtcCommitScene (set->scene);
}

/* The triangles of what moves, once for each mesh. */
static void
add_scenes (OrreryEmbree *self)
{
  for (guint i = 0; i < self->geometry->items->len; i++) {
    const RayItem *item = ray_geometry_get (self->geometry, i);
    RTCGeometry geometry;
    RTCScene scene;

    if (!self->moves[i] || item->mesh == NULL || g_hash_table_contains (self->scenes, item->mesh))
      continue;
    scene = rtcNewScene (self->device);
    rtcSetSceneFlags (scene, RTC_SCENE_FLAG_ROBUST);
    geometry = make_triangles (self, item, FALSE);
    if (item->convex)
      rtcSetGeometryIntersectFilterFunction (geometry, rays_filter_moving);
    attach (scene, geometry, 0);
    rtcCommitScene (scene);
    g_hash_table_insert (self->scenes, item->mesh, scene);
  }
}

/* --- what stands and what moves --- */

/* Bodies that are moved, and what they carry; things without a body that carry others: robots. */
static gboolean
is_mobile (OrreryObject *object)
{
  for (; object != NULL; object = orrery_object_get_parent (object)) {
    OrreryBodyType type = orrery_object_get_body (object)->type;

    if (type == ORRERY_BODY_DYNAMIC || type == ORRERY_BODY_RIGID || type == ORRERY_BODY_GHOST)
      return TRUE;
    if (orrery_object_get_parent (object) == NULL)
      return type == ORRERY_BODY_NONE && orrery_object_get_children (object)->len > 0;
  }
  return FALSE;
}

static void
find_middle (OrreryEmbree *self)
{
  OrreryVec3 low = { INFINITY, INFINITY, INFINITY };
  OrreryVec3 high = { -INFINITY, -INFINITY, -INFINITY };

  self->middle = (OrreryVec3){ 0 };
  for (guint i = 0; i < self->geometry->items->len; i++) {
    const OrreryVec3 *c = &ray_geometry_get (self->geometry, i)->centre;

    orrery_vec3_widen (&low, &high, c);
  }
  if (self->geometry->items->len > 0)
    self->middle = (OrreryVec3){ (low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2 };
}

static void
count_items (OrreryEmbree *self)
{
  guint n = self->geometry->n_objects;

  for (guint k = 0; k < 2; k++)
    memset (self->counts[k], 0, (n + 1) * sizeof *self->counts[k]);
  for (guint i = 0; i < self->geometry->items->len; i++)
    self->counts[self->moves[i] != FALSE][ray_geometry_get (self->geometry, i)->number + 1]++;
  for (guint k = 0; k < 2; k++)
    for (guint i = 0; i < n; i++)
      self->counts[k][i + 1] += self->counts[k][i];
}

void
sets_fill (OrreryEmbree *self)
{
  self->moves = g_new0 (gboolean, MAX (1, self->geometry->items->len));
  self->counts[0] = g_new0 (guint, self->geometry->n_objects + 1);
  self->counts[1] = g_new0 (guint, self->geometry->n_objects + 1);
  for (guint i = 0; i < self->geometry->items->len; i++) {
    const RayItem *item = ray_geometry_get (self->geometry, i);

    self->moves[i] =
        item->hidden || is_mobile (orrery_world_get_object (self->geometry->world, item->object));
  }
  find_middle (self);
  add_scenes (self);
  for (guint i = 0; i < N_SETS; i++)
    fill_set (self, i);
  count_items (self);
}

/* What stood and is no longer as it was goes over to those that move. */
void
sets_follow (OrreryEmbree *self)
{
  gboolean changed[N_SETS] = { FALSE };

  for (guint i = 0; i < self->geometry->items->len; i++) {
    if (!ray_geometry_get (self->geometry, i)->moved || self->moves[i])
      continue;
    for (guint kind = 0; kind < SET_MOVING; kind++)
      changed[kind] |= is_of (self, i, kind);
    self->moves[i] = changed[SET_MOVING] = TRUE;
  }
  if (changed[SET_MOVING]) {
    add_scenes (self);
    for (guint kind = 0; kind < N_SETS; kind++)
      if (changed[kind])
        fill_set (self, kind);
    count_items (self);
  } else if (self->sets[SET_MOVING].scene != NULL && self->sets[SET_MOVING].simple->len > FEW) {
    /* A few are met without it. */
    rtcCommitGeometry (rtcGetGeometry (self->sets[SET_MOVING].scene, 0));
    rtcCommitScene (self->sets[SET_MOVING].scene);
  }
}

void
sets_clear (OrreryEmbree *self)
{
  for (guint i = 0; i < N_SETS; i++)
    clear_set (&self->sets[i]);
  g_clear_pointer (&self->scenes, g_hash_table_unref);
  g_clear_pointer (&self->geometry, ray_geometry_free);
  g_clear_pointer (&self->moves, g_free);
  g_clear_pointer (&self->counts[0], g_free);
  g_clear_pointer (&self->counts[1], g_free);
}
