/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays through Embree's scenes in packets; what they meet is checked in doubles. */
#include "embree.h"

#include <math.h>
#include <string.h>

/* Rays that go through Embree at once. */
#define PACKET 16
/* Packets between which the processor has time to fetch what they met. */
#define N_PACKETS 8
#define BLOCK (N_PACKETS * PACKET)
/* Neighbours in a packet whose directions are this near go together, cos. */
#define COHERENT 0.9

/* Ahead of a function: with all that it calls in it, and for each kind of processor. Results are
 * the same on all (-ffp-contract=off). */
#if defined __x86_64__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__ &&                   \
    !defined __SANITIZE_THREAD__
#define FAST __attribute__ ((flatten, target_clones ("avx2", "default")))
#else
#define FAST __attribute__ ((flatten))
#endif

typedef struct {
  guint item;
  float low[3], high[3]; /* of a box around it */
} Near;

/* Embree 4 has other names, and takes the flags of rays and the filter beside their context. */
#ifdef HAVE_EMBREE4
typedef struct RTCRayQueryContext QueryContext;
typedef enum RTCRayQueryFlags QueryFlags;
#define init_query rtcInitRayQueryContext
#define COHERENT_RAYS RTC_RAY_QUERY_FLAG_COHERENT
#define INCOHERENT_RAYS RTC_RAY_QUERY_FLAG_INCOHERENT
#else
typedef struct RTCIntersectContext QueryContext;
typedef enum RTCIntersectContextFlags QueryFlags;
#define init_query rtcInitIntersectContext
#define COHERENT_RAYS RTC_INTERSECT_CONTEXT_FLAG_COHERENT
#define INCOHERENT_RAYS RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT
#endif

/* What a block of rays is for; Embree hands it on to our functions. */
typedef struct {
  QueryContext base;
  RTCFilterFunctionN skip; /* NULL: the batch skips no triangles */
  OrreryEmbree *self;
  const Set *set; /* the one of: */
  const Set *sets[N_SETS];
  guint n_sets;
  Near few[FEW]; /* what moves, and is in no set above */
  guint n_few;
  const RayFilter *filter;
  const OrreryRay *rays;
  OrreryVec3 *directions; /* of length 1 */
  OrreryHit *hits;        /* the nearest of each ray so far */
} Context;

/* --- triangles in doubles --- */

/* The distance to a plane, where Embree found the triangle in it at @near_to: at the edge of a
 * plane that is seen from the side the float knows better. */
static double
choose (double t, double near_to)
{
  return fabs (t - near_to) <= 1e-5 * (1 + near_to) ? t : near_to;
}

/* @normal: in the world, to either side. */
static void
take (Context *context, guint lane, const RayItem *item, double t, const OrreryVec3 *normal,
      guint triangle)
{
  double side = orrery_vec3_dot (normal, &context->directions[lane]) > 0 ? -1 : 1;

  context->hits[lane] = (OrreryHit){ .distance = t,
                                     .normal = orrery_vec3_scale (normal, side),
                                     .object = item->object,
                                     .shape = item->shape,
                                     .triangle = triangle };
}

static void
take_triangle (Context *context, guint lane, const Standing *standing, guint triangle,
               double near_to)
{
  const double *plane = standing->planes + 4 * (gsize) triangle;
  const OrreryRay *ray = &context->rays[lane];
  const OrreryVec3 *direction = &context->directions[lane];
  OrreryVec3 normal = { plane[0], plane[1], plane[2] };
  OrreryVec3 origin = orrery_vec3_subtract (&ray->origin, &context->self->middle);
  double along = orrery_vec3_dot (&normal, direction);
  double side = along > 0 ? -1 : 1;
  double t = choose ((plane[3] - orrery_vec3_dot (&normal, &origin)) / along, near_to);
  OrreryHit *hit = &context->hits[lane];

  if (!(t <= ray->far) || (hit->object != G_MAXUINT && !(t < hit->distance)))
    return;
  hit->distance = t;
  hit->normal.x = side * normal.x;
  hit->normal.y = side * normal.y;
  hit->normal.z = side * normal.z;
  hit->object = standing->object;
  hit->shape = standing->shape;
  hit->triangle = triangle;
}

/* --- what Embree calls --- */

/* Of n rays or hits each member is a row of n, in the order of the struct of one. */
#define ROW(Struct, member) (offsetof (struct Struct, member) / sizeof (float))

static gpointer
get_row (gpointer rows, gsize row, guint n)
{
  return (guint32 *) rows + row * n;
}

/* Of a ray in a scene of its own. */
typedef struct {
  QueryContext base;
  const RayProbe *probe;
  const RayMesh *mesh;
} Inner;

void
rays_filter_moving (const struct RTCFilterFunctionNArguments *args)
{
  const Inner *inner = (const Inner *) args->context;
  const guint32 *primitives = get_row (args->hit, ROW (RTCHit, primID), args->N);

  if (inner->probe->outside &&
      ray_mesh_faces_away (inner->mesh, primitives[0], &inner->probe->direction))
    args->valid[0] = 0;
}

static void
intersect_one (RTCScene scene, QueryContext *context, struct RTCRayHit *hit)
{
#ifdef HAVE_EMBREE4
  struct RTCIntersectArguments arguments;

  rtcInitIntersectArguments (&arguments);
  arguments.context = context;
  rtcIntersect1 (scene, hit, &arguments);
#else
  rtcIntersect1 (scene, context, hit);
#endif
}

/* Triangles that move: the ray goes to their frame in doubles, and into a scene of its own. */
static void
meet_mesh (Context *context, guint lane, guint index, RayProbe *probe)
{
  const RayItem *item = ray_geometry_get (context->self->geometry, index);
  RTCScene scene = g_hash_table_lookup (context->self->scenes, item->mesh);
  OrreryVec3 origin = orrery_vec3_subtract (&probe->origin, &item->middle);
  Inner inner = { .probe = probe, .mesh = item->mesh };
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

  init_query (&inner.base);
  intersect_one (scene, &inner.base, &hit);
  if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID)
    return;
  plane = item->mesh->planes + 4 * (gsize) hit.hit.primID;
  probe->triangle = hit.hit.primID;
  probe->normal = *(const OrreryVec3 *) (gconstpointer) plane;
  probe->t = choose ((plane[3] - orrery_vec3_dot (&probe->normal, &probe->origin)) /
                         orrery_vec3_dot (&probe->normal, &probe->direction),
                     hit.ray.tfar);
  probe->found = probe->t <= probe->far;
}

static gboolean
meet_item (Context *context, guint lane, guint index, double far)
{
  const RayItem *item = ray_geometry_get (context->self->geometry, index);
  const OrreryHit *hit = &context->hits[lane];
  RayProbe probe;

  ray_probe_init (&probe, context->filter, item, &context->rays[lane], &context->directions[lane]);
  probe.far = fmin (fmin (probe.far, far), hit->distance);
  if (item->mesh != NULL)
    meet_mesh (context, lane, index, &probe);
  else
    ray_probe_shape (&probe, item->kind, &item->size);
  if (!probe.found || (hit->object != G_MAXUINT && probe.t >= hit->distance))
    return FALSE;
  probe.normal = orrery_mat3_apply (&item->rotation, &probe.normal);
  take (context, lane, item, probe.t, &probe.normal, probe.triangle);
  return TRUE;
}

void
rays_meet (const struct RTCIntersectFunctionNArguments *args)
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
    t = context->hits[lanes[i]].distance * (1 + FLOAT_SLACK);
    if (geometries[i] < set->meshes->len && t >= fars[i])
      continue;
    fars[i] = fminf (fars[i], (float) t);
    geometries[i] = args->geomID;
    primitives[i] = args->primID;
  }
}

void
rays_filter_standing (const struct RTCFilterFunctionNArguments *args)
{
  const Context *context = (const Context *) args->context;
  const Standing *standing = args->geometryUserPtr;
  const guint32 *lanes = get_row (args->ray, ROW (RTCRayHit, ray.id), args->N);
  const guint32 *primitives = get_row (args->hit, ROW (RTCHit, primID), args->N);

  if (context->filter->sight != ORRERY_SIGHT_OUTSIDE)
    return;
  for (guint i = 0; i < args->N; i++)
    if (args->valid[i] == -1 &&
        orrery_vec3_dot ((const OrreryVec3 *) (gconstpointer) (standing->planes +
                                                               4 * (gsize) primitives[i]),
                         &context->directions[lanes[i]]) > 0)
      args->valid[i] = 0;
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
    index = g_array_index (context->set->meshes, Standing, geometries[i]).item;
    if (!ray_filter_passes (context->filter, ray_geometry_get (context->self->geometry, index)))
      args->valid[i] = 0;
  }
}

/* --- rays --- */

typedef struct {
  struct RTCRayHit16 soa;
  int valid[PACKET] __attribute__ ((aligned (64)));
  QueryFlags flags;
} Packet;

typedef struct {
  Packet packets[N_PACKETS];
  OrreryVec3 directions[BLOCK];
} Block;

/* Embree reads the lanes that are off, too. Where a processor has no packets of sixteen it does not
 * look at `valid`: a ray is off that ends before it begins. */
static void
turn_off (Packet *packet, guint lane)
{
  struct RTCRay16 *soa = &packet->soa.ray;

  packet->valid[lane] = 0;
  soa->org_x[lane] = soa->org_y[lane] = soa->org_z[lane] = 0;
  soa->dir_x[lane] = soa->dir_y[lane] = soa->dir_z[lane] = 0;
  soa->tnear[lane] = INFINITY;
  soa->tfar[lane] = -INFINITY;
}

static void
load_lane (const Context *context, Packet *packet, guint lane, guint number)
{
  const OrreryRay *ray = &context->rays[number];
  const OrreryVec3 *middle = &context->self->middle;
  struct RTCRay16 *soa = &packet->soa.ray;
  OrreryVec3 direction;

  if (!ray_check (ray, &direction)) {
    turn_off (packet, lane);
    return;
  }
  context->directions[number] = direction;
  packet->valid[lane] = -1;
  soa->org_x[lane] = (float) (ray->origin.x - middle->x);
  soa->org_y[lane] = (float) (ray->origin.y - middle->y);
  soa->org_z[lane] = (float) (ray->origin.z - middle->z);
  soa->dir_x[lane] = (float) direction.x;
  soa->dir_y[lane] = (float) direction.y;
  soa->dir_z[lane] = (float) direction.z;
  soa->tnear[lane] = (float) (ray->near * (1 - FLOAT_SLACK));
  soa->tfar[lane] = (float) (ray->far * (1 + FLOAT_SLACK));
}

static gboolean
is_coherent (const Context *context, const Packet *packet, guint from)
{
  return packet->valid[0] && packet->valid[PACKET - 1] &&
         orrery_vec3_dot (&context->directions[from], &context->directions[from + PACKET - 1]) >
             COHERENT;
}

/* Rays number @from to before @n, at most a packet of them. */
static void
load_packet (const Context *context, Packet *packet, guint from, guint n)
{
  guint n_lanes = MIN (n - from, PACKET);

  memset (packet->soa.hit.geomID, 0xff, sizeof packet->soa.hit.geomID);
  memset (packet->soa.ray.time, 0, sizeof packet->soa.ray.time);
  memset (packet->soa.ray.mask, 0xff, sizeof packet->soa.ray.mask);
  memset (packet->soa.ray.flags, 0, sizeof packet->soa.ray.flags);
  for (guint i = 0; i < PACKET; i++)
    packet->soa.ray.id[i] = from + i;
  for (guint i = 0; i < n_lanes; i++) {
    ray_hit_clear (&context->hits[from + i]);
    load_lane (context, packet, i, from + i);
  }
  for (guint i = n_lanes; i < PACKET; i++)
    turn_off (packet, i);
  packet->flags = is_coherent (context, packet, from) ? COHERENT_RAYS : INCOHERENT_RAYS;
}

/* The triangles that were hit are not in the caches: prefetch them while the next packets are
 * traced. */
static void
fetch_planes (const Set *set, const struct RTCHit16 *hit)
{
  for (guint i = 0; i < PACKET; i++)
    if (hit->geomID[i] < set->meshes->len)
      __builtin_prefetch (g_array_index (set->meshes, Standing, hit->geomID[i]).planes +
                          4 * (gsize) hit->primID[i]);
}

/* Triangles that Embree found become points in doubles. */
static void
take_hits (Context *context, const struct RTCRayHit16 *soa, guint from)
{
  const Set *set = context->set;

  for (guint i = 0; i < PACKET; i++)
    if (soa->hit.geomID[i] < set->meshes->len)
      take_triangle (context, from + i, &g_array_index (set->meshes, Standing, soa->hit.geomID[i]),
                     soa->hit.primID[i], soa->ray.tfar[i]);
}

/* For a further scene, in which only what is nearer counts. */
static void
shorten (struct RTCRayHit16 *soa)
{
  for (guint i = 0; i < PACKET; i++) {
    if (soa->hit.geomID[i] == RTC_INVALID_GEOMETRY_ID)
      continue;
    soa->ray.tfar[i] *= (float) (1 + FLOAT_SLACK);
    soa->hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
  }
}

/* Of sixteen lanes at once: where rays are between two planes. */
static void
cut (const float *restrict origin, const float *restrict direction, float low, float high,
     const float *restrict slack, float *restrict in, float *restrict out)
{
  for (guint i = 0; i < PACKET; i++) {
    float a = (low - slack[i] - origin[i]) / direction[i];
    float b = (high + slack[i] - origin[i]) / direction[i];
    float first = a < b ? a : b, last = a < b ? b : a;

    in[i] = first > in[i] ? first : in[i];
    out[i] = last < out[i] ? last : out[i];
  }
}

/* How far rays go through the box around a thing; less than nothing: they pass it. */
static void
measure (const struct RTCRay16 *soa, const Near *near, float *restrict length)
{
  float slack[PACKET], in[PACKET], out[PACKET];

  for (guint i = 0; i < PACKET; i++) {
    slack[i] = (float) (4 * FLOAT_SLACK) *
               (fabsf (soa->org_x[i]) + fabsf (soa->org_y[i]) + fabsf (soa->org_z[i]));
    in[i] = soa->tnear[i] - slack[i];
    out[i] = soa->tfar[i] + slack[i];
  }
  cut (soa->org_x, soa->dir_x, near->low[0], near->high[0], slack, in, out);
  cut (soa->org_y, soa->dir_y, near->low[1], near->high[1], slack, in, out);
  cut (soa->org_z, soa->dir_z, near->low[2], near->high[2], slack, in, out);
  for (guint i = 0; i < PACKET; i++)
    length[i] = out[i] + slack[i] - in[i];
}

static void
meet_few (Context *context, const Packet *packet, guint from)
{
  for (guint k = 0; k < context->n_few; k++) {
    float length[PACKET];

    measure (&packet->soa.ray, &context->few[k], length);
    for (guint i = 0; i < PACKET; i++)
      if (length[i] >= 0 && packet->valid[i] == -1)
        meet_item (context, from + i, context->few[k].item, INFINITY);
  }
}

static inline void
intersect_packet (Context *context, Packet *packet)
{
#ifdef HAVE_EMBREE4
  struct RTCIntersectArguments arguments;

  rtcInitIntersectArguments (&arguments);
  arguments.context = &context->base;
  arguments.flags = packet->flags;
  arguments.filter = context->skip;
  if (context->skip != NULL)
    arguments.flags |= RTC_RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER;
  rtcIntersect16 (packet->valid, context->set->scene, &packet->soa, &arguments);
#else
  context->base.flags = packet->flags;
  context->base.filter = context->skip;
  rtcIntersect16 (packet->valid, context->set->scene, &context->base, &packet->soa);
#endif
}

FAST static void
cast_block (Context *context, Block *block, guint n)
{
  guint n_packets = (n + PACKET - 1) / PACKET;

  for (guint i = 0; i < n_packets; i++)
    load_packet (context, &block->packets[i], i * PACKET, n);
  for (guint k = 0; k < context->n_sets; k++) {
    context->set = context->sets[k];
    for (guint i = 0; i < n_packets; i++) {
      Packet *packet = &block->packets[i];

      if (k > 0)
        shorten (&packet->soa);
      intersect_packet (context, packet);
      fetch_planes (context->set, &packet->soa.hit);
    }
    for (guint i = 0; i < n_packets; i++)
      take_hits (context, &block->packets[i].soa, i * PACKET);
  }
  for (guint i = 0; i < n_packets && context->n_few > 0; i++)
    meet_few (context, &block->packets[i], i * PACKET);
}

/* FALSE: it is more than a few. */
static gboolean
find_few (Context *context)
{
  const Set *set = &context->self->sets[SET_MOVING];

  /* If only one robot moves, its rays can hit no moving thing but itself. */
  if (sets_count_skipped (context->self, context->filter, TRUE) ==
      context->self->counts[1][context->self->geometry->n_objects])
    return TRUE;
  if (set->simple->len > FEW)
    return FALSE;
  for (guint i = 0; i < set->simple->len; i++) {
    guint index = g_array_index (set->simple, guint, i);
    Near *near = &context->few[context->n_few];

    if (!ray_filter_passes (context->filter, ray_geometry_get (context->self->geometry, index)))
      continue;
    near->item = index;
    sets_find_bounds (context->self, index, near->low, near->high);
    context->n_few++;
  }
  return TRUE;
}

/* Lists the scenes that have something that the rays may hit. */
static void
choose_sets (Context *context)
{
  OrreryEmbree *self = context->self;
  SetKind other = context->filter->sight == ORRERY_SIGHT_SEEN ? SET_SOLID : SET_SEEN;

  for (guint kind = 0; kind < N_SETS; kind++)
    if (self->sets[kind].scene != NULL && kind != other &&
        !(kind == SET_MOVING && find_few (context)))
      context->sets[context->n_sets++] = &self->sets[kind];
}

void
rays_cast (OrreryEmbree *self, const OrreryRays *rays, OrreryHit *hits)
{
  RayFilter filter = ray_geometry_make_filter (self->geometry, rays);
  Context context = { .self = self, .filter = &filter };
  Block block;

  init_query (&context.base);
  if (sets_count_skipped (self, &filter, FALSE) > 0)
    context.skip = filter_skipped;
  context.directions = block.directions;
  choose_sets (&context);
  for (gsize at = 0; at < rays->n_rays; at += BLOCK) {
    context.rays = rays->rays + at;
    context.hits = hits + at;
    cast_block (&context, &block, (guint) MIN (BLOCK, rays->n_rays - at));
  }
}
