/* SPDX-License-Identifier: BSD-3-Clause */
#include "geometry.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <string.h>

/* Rays that go through Embree at once. */
#define PACKET 8
/* What one float knows less than a double, with room for a few roundings. */
#define FLOAT_SLACK 4e-7
/* Neighbours in a packet whose directions are this near go together, cos. */
#define COHERENT 0.9

/*
 * Rays by Embree. What stands is in scenes of its own, as triangles in the world; what moves is in
 * one further scene, item by item, whose boxes alone are sorted anew in a tick. An item that stood
 * and moves for the first time, or is hidden, goes over to those that move.
 *
 * Embree works in floats: it says which triangle is met, and the distance to the plane of that
 * triangle is then found in doubles. Simple shapes are its user geometry, met in doubles in closed
 * form. All floats are relative to the middle of the world.
 */

typedef struct _OrreryEmbree OrreryEmbree;

/* A scene of Embree's. */
typedef struct {
  OrreryEmbree *owner; /* borrowed */
  RTCScene scene;      /* NULL: nothing is in it */
  GArray *meshes;      /* (element-type guint): items, by the number of their geometry */
  GArray *simple;      /* (element-type guint): items, by the number of the primitive */
} Set;

typedef enum {
  SET_BOTH,  /* stands, is solid and seen */
  SET_SOLID, /* stands, is solid alone */
  SET_SEEN,  /* stands, is seen alone */
  SET_MOVING,
  N_SETS,
} SetKind;

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
G_DEFINE_FINAL_TYPE (OrreryEmbree, orrery_embree, ORRERY_TYPE_RAYCASTER)

/* The nearest point of a ray so far. */
typedef struct {
  double t;
  OrreryVec3 normal; /* in the world, to either side */
  guint item;        /* G_MAXUINT: none */
  guint triangle;
} Found;

/* What a packet is for; Embree hands it on to our functions. */
typedef struct {
  struct RTCIntersectContext base;
  OrreryEmbree *self;
  const Set *set;
  const RayFilter *filter;
  const OrreryRay *rays;
  const OrreryVec3 *directions;
  Found *found;
  guint n_sets;
} Context;

/* --- triangles in doubles --- */

/* The distance to a plane, where Embree found the triangle in it at @near_to: at the edge of a
 * plane that is seen from the side the float knows better. */
static double
choose (double t, double near_to)
{
  return fabs (t - near_to) <= 1e-5 * (1 + near_to) ? t : near_to;
}

static void
take (Found *found, double t, const OrreryVec3 *normal, guint item, guint triangle)
{
  if (!(t < found->t) && found->item != G_MAXUINT)
    return;
  found->t = t;
  found->normal = *normal;
  found->item = item;
  found->triangle = triangle;
}

static void
take_triangle (Context *context, guint lane, guint index, guint triangle, double near_to)
{
  const RayItem *item = ray_geometry_get (context->self->geometry, index);
  const OrreryRay *ray = &context->rays[lane];
  const double *plane = item->mesh->planes + 4 * (gsize) triangle;
  OrreryVec3 normal = mat3_turn (&item->rotation, (const OrreryVec3 *) (gconstpointer) plane);
  OrreryVec3 way = vec3_minus (&item->pose.position, &ray->origin);
  double t = choose ((plane[3] + vec3_dot (&normal, &way)) /
                         vec3_dot (&normal, &context->directions[lane]),
                     near_to);

  if (t <= ray->far)
    take (&context->found[lane], t, &normal, index, triangle);
}

/* --- what Embree calls --- */

/* Of n rays or hits each member is a row of n, in the order of the struct of one. */
#define ROW(Struct, member) (offsetof (struct Struct, member) / sizeof (float))

static gpointer
get_row (gpointer rows, gsize row, guint n)
{
  return (guint32 *) rows + row * n;
}

static void
find_bounds (const struct RTCBoundsFunctionArguments *args)
{
  const Set *set = args->geometryUserPtr;
  const OrreryEmbree *self = set->owner;
  guint index = g_array_index (set->simple, guint, args->primID);
  const RayItem *item = ray_geometry_get (self->geometry, index);
  OrreryVec3 centre = vec3_minus (&item->centre, &self->middle);
  const double c[3] = { centre.x, centre.y, centre.z };
  const double *m = item->rotation.m;
  float *low[] = { &args->bounds_o->lower_x, &args->bounds_o->lower_y, &args->bounds_o->lower_z };
  float *high[] = { &args->bounds_o->upper_x, &args->bounds_o->upper_y, &args->bounds_o->upper_z };

  for (guint i = 0; i < 3; i++) {
    double half = fabs (m[3 * i]) * item->half.x + fabs (m[3 * i + 1]) * item->half.y +
                  fabs (m[3 * i + 2]) * item->half.z;

    /* A ray in floats may pass what the ray in doubles meets. */
    half += 1e-5 + FLOAT_SLACK * (fabs (c[i]) + half);
    *low[i] = (float) (c[i] - half);
    *high[i] = (float) (c[i] + half);
  }
}

/* Triangles that move: the ray goes to their frame in doubles, and into a scene of its own. */
static void
meet_mesh (Context *context, guint lane, guint index, RayProbe *probe)
{
  const RayItem *item = ray_geometry_get (context->self->geometry, index);
  RTCScene scene = g_hash_table_lookup (context->self->scenes, item->mesh);
  OrreryVec3 origin = vec3_minus (&probe->origin, &item->middle);
  struct RTCIntersectContext inner;
  const double *plane;
  struct RTCRayHit hit = {
    .ray = { .org_x = (float) origin.x,
             .org_y = (float) origin.y,
             .org_z = (float) origin.z,
             .dir_x = (float) probe->direction.x,
             .dir_y = (float) probe->direction.y,
             .dir_z = (float) probe->direction.z,
             .tnear = (float) (probe->near * (1 - FLOAT_SLACK)),
             .tfar = (float) (probe->far * (1 + FLOAT_SLACK)),
             .mask = ~0u },
    .hit = { .geomID = RTC_INVALID_GEOMETRY_ID },
  };

  rtcInitIntersectContext (&inner);
  rtcIntersect1 (scene, &inner, &hit);
  if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID)
    return;
  plane = item->mesh->planes + 4 * (gsize) hit.hit.primID;
  probe->triangle = hit.hit.primID;
  probe->normal = *(const OrreryVec3 *) (gconstpointer) plane;
  probe->t = choose ((plane[3] - vec3_dot (&probe->normal, &probe->origin)) /
                         vec3_dot (&probe->normal, &probe->direction),
                     hit.ray.tfar);
  probe->found = probe->t <= probe->far;
}

static gboolean
meet_item (Context *context, guint lane, guint index, double far)
{
  const RayItem *item = ray_geometry_get (context->self->geometry, index);
  Found *found = &context->found[lane];
  RayProbe probe;

  ray_probe_init (&probe, item, &context->rays[lane], &context->directions[lane]);
  probe.far = fmin (fmin (probe.far, far), found->t);
  if (item->mesh != NULL)
    meet_mesh (context, lane, index, &probe);
  else
    ray_probe_shape (&probe, item->kind, &item->size);
  if (!probe.found || (found->item != G_MAXUINT && probe.t >= found->t))
    return FALSE;
  probe.normal = mat3_turn (&item->rotation, &probe.normal);
  take (found, probe.t, &probe.normal, index, probe.triangle);
  return TRUE;
}

static void
meet (const struct RTCIntersectFunctionNArguments *args)
{
  Context *context = (Context *) args->context;
  const Set *set = args->geometryUserPtr;
  guint index = g_array_index (set->simple, guint, args->primID);
  guint32 *lanes = get_row (args->rayhit, ROW (RTCRayHit, ray.id), args->N);
  guint32 *geometries = get_row (args->rayhit, ROW (RTCRayHit, hit.geomID), args->N);
  guint32 *primitives = get_row (args->rayhit, ROW (RTCRayHit, hit.primID), args->N);
  float *fars = get_row (args->rayhit, ROW (RTCRayHit, ray.tfar), args->N);

  if (!ray_filter_passes (context->filter, ray_geometry_get (context->self->geometry, index)))
    return;
  for (guint i = 0; i < args->N; i++) {
    double far = fars[i] * (1 + FLOAT_SLACK);
    double t;

    if (args->valid[i] != -1 || !meet_item (context, lanes[i], index, far))
      continue;
    /* What is as near in floats is still looked at, and a triangle there is kept: doubles decide.
     */
    t = context->found[lanes[i]].t * (1 + FLOAT_SLACK);
    if (geometries[i] < set->meshes->len && t >= fars[i])
      continue;
    fars[i] = fminf (fars[i], (float) t);
    geometries[i] = args->geomID;
    primitives[i] = args->primID;
  }
}

/* Standing triangles of what the batch skips: rare, so it is asked for by the batch. */
static void
filter_skipped (const struct RTCFilterFunctionNArguments *args)
{
  const Context *context = (const Context *) args->context;
  const guint32 *geometries = get_row (args->hit, ROW (RTCHit, geomID), args->N);

  for (guint i = 0; i < args->N; i++) {
    guint index;

    if (args->valid[i] != -1 || geometries[i] >= context->set->meshes->len)
      continue;
    index = g_array_index (context->set->meshes, guint, geometries[i]);
    if (!ray_filter_passes (context->filter, ray_geometry_get (context->self->geometry, index)))
      args->valid[i] = 0;
  }
}

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
      p = vec3_minus (&p, &self->middle);
    } else {
      p = vec3_minus (&points[i], &item->middle);
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

static void
clear_set (Set *set)
{
  g_clear_pointer (&set->scene, rtcReleaseScene);
  g_clear_pointer (&set->meshes, g_array_unref);
  g_clear_pointer (&set->simple, g_array_unref);
}

static RTCGeometry
make_simple (OrreryEmbree *self, Set *set)
{
  RTCGeometry geometry = rtcNewGeometry (self->device, RTC_GEOMETRY_TYPE_USER);

  rtcSetGeometryUserPrimitiveCount (geometry, set->simple->len);
  rtcSetGeometryUserData (geometry, set);
  rtcSetGeometryBoundsFunction (geometry, find_bounds, NULL);
  rtcSetGeometryIntersectFunction (geometry, meet);
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
                    RTC_SCENE_FLAG_ROBUST |
                        (moving ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
  rtcSetSceneBuildQuality (set->scene, moving ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM);
}

static void
fill_set (OrreryEmbree *self, SetKind kind)
{
  Set *set = &self->sets[kind];

  clear_set (set);
  set->owner = self;
  set->meshes = g_array_new (FALSE, FALSE, sizeof (guint));
  set->simple = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < self->geometry->items->len; i++) {
    const RayItem *item = ray_geometry_get (self->geometry, i);

    if (!is_of (self, i, kind))
      continue;
    if (item->mesh != NULL && kind != SET_MOVING)
      g_array_append_val (set->meshes, i);
    else
      g_array_append_val (set->simple, i);
  }
  if (set->meshes->len == 0 && set->simple->len == 0)
    return;
  open_scene (self, set, kind == SET_MOVING);
  for (guint i = 0; i < set->meshes->len; i++) {
    const RayItem *item = ray_geometry_get (self->geometry, g_array_index (set->meshes, guint, i));

    attach (set->scene, make_triangles (self, item, TRUE), i);
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
    RTCScene scene;

    if (!self->moves[i] || item->mesh == NULL || g_hash_table_contains (self->scenes, item->mesh))
      continue;
    scene = rtcNewScene (self->device);
    rtcSetSceneFlags (scene, RTC_SCENE_FLAG_ROBUST);
    attach (scene, make_triangles (self, item, FALSE), 0);
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

    low = (OrreryVec3){ fmin (low.x, c->x), fmin (low.y, c->y), fmin (low.z, c->z) };
    high = (OrreryVec3){ fmax (high.x, c->x), fmax (high.y, c->y), fmax (high.z, c->z) };
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

/* How many items that stand, or that move, a batch skips. */
static guint
count_skipped (const OrreryEmbree *self, const RayFilter *filter, gboolean moving)
{
  return self->counts[moving][filter->end] - self->counts[moving][filter->from];
}

static void
fill_all (OrreryEmbree *self)
{
  find_middle (self);
  add_scenes (self);
  for (guint i = 0; i < N_SETS; i++)
    fill_set (self, i);
  count_items (self);
}

/* What stood and is no longer as it was goes over to those that move. */
static void
follow (OrreryEmbree *self)
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
  } else if (self->sets[SET_MOVING].scene != NULL) {
    rtcCommitGeometry (rtcGetGeometry (self->sets[SET_MOVING].scene, 0));
    rtcCommitScene (self->sets[SET_MOVING].scene);
  }
}

static void
clear_geometry (OrreryEmbree *self)
{
  for (guint i = 0; i < N_SETS; i++)
    clear_set (&self->sets[i]);
  g_clear_pointer (&self->scenes, g_hash_table_unref);
  g_clear_pointer (&self->geometry, ray_geometry_free);
  g_clear_pointer (&self->moves, g_free);
  g_clear_pointer (&self->counts[0], g_free);
  g_clear_pointer (&self->counts[1], g_free);
}

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
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "Embree says: %s",
                 (guint) code < G_N_ELEMENTS (words) ? words[code] : words[1]);
}

static void
orrery_embree_build (OrreryRaycaster *raycaster, OrreryWorld *world, GError **error)
{
  OrreryEmbree *self = ORRERY_EMBREE (raycaster);

  clear_geometry (self);
  /* No threads of its own: the host has its own. */
  if (self->device == NULL)
    self->device = rtcNewDevice ("threads=1");
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

  if (self->counts[0] == NULL) {
    self->moves = g_new0 (gboolean, self->geometry->items->len);
    self->counts[0] = g_new0 (guint, self->geometry->n_objects + 1);
    self->counts[1] = g_new0 (guint, self->geometry->n_objects + 1);
    for (guint i = 0; i < self->geometry->items->len; i++) {
      const RayItem *item = ray_geometry_get (self->geometry, i);

      self->moves[i] =
          item->hidden || is_mobile (orrery_world_get_object (self->geometry->world, item->object));
    }
    fill_all (self);
  } else if (any) {
    follow (self);
  }
  report (self, error);
}

/* --- rays --- */

typedef struct {
  struct RTCRayHit8 soa;
  int valid[PACKET] __attribute__ ((aligned (32)));
  OrreryVec3 directions[PACKET];
  Found found[PACKET];
  gboolean any;
} Packet;

static void
load (OrreryEmbree *self, Packet *packet, const OrreryRay *rays, guint n)
{
  struct RTCRay8 *soa = &packet->soa.ray;

  packet->any = FALSE;
  for (guint i = 0; i < PACKET; i++) {
    const OrreryRay *ray = &rays[MIN (i, n - 1)];
    OrreryVec3 *direction = &packet->directions[i];
    OrreryVec3 origin = vec3_minus (&ray->origin, &self->middle);

    packet->found[i] = (Found){ .t = INFINITY, .item = G_MAXUINT };
    packet->soa.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    packet->valid[i] = i < n && ray_check (ray, direction) ? -1 : 0;
    if (!packet->valid[i])
      continue;
    packet->any = TRUE;
    soa->org_x[i] = (float) origin.x;
    soa->org_y[i] = (float) origin.y;
    soa->org_z[i] = (float) origin.z;
    soa->dir_x[i] = (float) direction->x;
    soa->dir_y[i] = (float) direction->y;
    soa->dir_z[i] = (float) direction->z;
    soa->tnear[i] = (float) (ray->near * (1 - FLOAT_SLACK));
    soa->tfar[i] = (float) (ray->far * (1 + FLOAT_SLACK));
    soa->time[i] = 0;
    soa->mask[i] = ~0u;
    soa->id[i] = i;
    soa->flags[i] = 0;
  }
}

/* Triangles that Embree found become points in doubles, before the next scene. */
static void
take_hits (Context *context, Packet *packet)
{
  const Set *set = context->set;
  struct RTCHit8 *hit = &packet->soa.hit;

  for (guint i = 0; i < PACKET; i++) {
    double tfar = packet->soa.ray.tfar[i];

    if (!packet->valid[i] || hit->geomID[i] == RTC_INVALID_GEOMETRY_ID)
      continue;
    if (hit->geomID[i] < set->meshes->len)
      take_triangle (context, i, g_array_index (set->meshes, guint, hit->geomID[i]), hit->primID[i],
                     tfar);
    packet->soa.ray.tfar[i] = (float) (tfar * (1 + FLOAT_SLACK));
    hit->geomID[i] = RTC_INVALID_GEOMETRY_ID;
  }
}

static gboolean
is_coherent (const Packet *packet, const OrreryRay *rays)
{
  return packet->valid[0] && packet->valid[PACKET - 1] &&
         vec3_dot (&packet->directions[0], &packet->directions[PACKET - 1]) > COHERENT;
}

static void
give (OrreryEmbree *self, const Found *found, const OrreryVec3 *direction, OrreryHit *hit)
{
  const RayItem *item;
  double side;

  if (found->item == G_MAXUINT) {
    ray_hit_clear (hit);
    return;
  }
  item = ray_geometry_get (self->geometry, found->item);
  side = vec3_dot (&found->normal, direction) > 0 ? -1 : 1;
  hit->distance = found->t;
  hit->normal =
      (OrreryVec3){ side * found->normal.x, side * found->normal.y, side * found->normal.z };
  hit->object = item->object;
  hit->shape = item->shape;
  hit->triangle = found->triangle;
}

static void
cast_packet (Context *context, Packet *packet, const OrreryRay *rays, guint n, OrreryHit *hits)
{
  OrreryEmbree *self = context->self;

  load (self, packet, rays, n);
  context->rays = rays;
  context->directions = packet->directions;
  context->found = packet->found;
  context->base.flags = is_coherent (packet, rays) ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                                                   : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  for (guint kind = 0; kind < context->n_sets && packet->any; kind++) {
    context->set = &self->sets[kind];
    if (context->set->scene == NULL ||
        kind == (context->filter->sight == ORRERY_SIGHT_SOLID ? SET_SEEN : SET_SOLID))
      continue;
    rtcIntersect8 (packet->valid, context->set->scene, &context->base, &packet->soa);
    take_hits (context, packet);
  }
  for (guint i = 0; i < n; i++)
    give (self, &packet->found[i], &packet->directions[i], &hits[i]);
}

static void
orrery_embree_cast (OrreryRaycaster *raycaster, const OrreryRays *rays, OrreryHit *hits)
{
  OrreryEmbree *self = ORRERY_EMBREE (raycaster);
  RayFilter filter = ray_geometry_make_filter (self->geometry, rays);
  Context context = { .self = self, .filter = &filter };
  Packet packet = { 0 }; /* Embree reads the lanes that are off, too. */

  rtcInitIntersectContext (&context.base);
  if (count_skipped (self, &filter, FALSE) > 0)
    context.base.filter = filter_skipped;
  /* A robot that is alone meets nothing but itself there. */
  context.n_sets = count_skipped (self, &filter, TRUE) < self->counts[1][self->geometry->n_objects]
                       ? N_SETS
                       : SET_MOVING;
  for (gsize at = 0; at < rays->n_rays; at += PACKET)
    cast_packet (&context, &packet, rays->rays + at, (guint) MIN (PACKET, rays->n_rays - at),
                 hits + at);
}

static void
orrery_embree_finalize (GObject *object)
{
  OrreryEmbree *self = ORRERY_EMBREE (object);

  clear_geometry (self);
  g_clear_pointer (&self->device, rtcReleaseDevice);
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

static void
orrery_embree_init (OrreryEmbree *self)
{
}

ORRERY_PLUGIN ("Rays by Embree, distances in doubles", "BSD-3-Clause",
               ORRERY_CLASS (Embree, OrreryEmbree, orrery_embree))
