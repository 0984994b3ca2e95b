/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rays per second of a turning lidar (32 x 1800) over a hilly mesh, by the ray caster of the host
 * and by Embree alone, turn about in one run: ray by ray (rtcIntersect1), and eight or sixteen
 * neighbours at once (rtcIntersect8, rtcIntersect16), all on rays that lie ready in floats and with
 * distances in floats. Then what such a scanner at 10 Hz takes of a core in a simulation.
 */
#include "scene.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define RUNS 15
#define N_WAYS 3 /* to ask Embree */
#define LAYERS 32
#define COLUMNS 1800
#define N_RAYS (LAYERS * COLUMNS)
#define SIDE 100.0 /* m */

typedef struct {
  guint n; /* squares along a side */
  OrreryBuffer *points;
  OrreryBuffer *triangles;
} Hills;

static double
height (double x, double y)
{
  return 1.5 * sin (0.31 * x) * cos (0.23 * y) + 0.2 * sin (1.7 * x + 0.9 * y) +
         0.002 * (x * x + y * y);
}

static void
make_hills (Hills *hills, guint n)
{
  const gsize n_points[] = { (gsize) (n + 1) * (n + 1), 3 };
  const gsize n_triangles[] = { 2 * (gsize) n * n, 3 };
  double *p;
  guint32 *t;

  hills->n = n;
  hills->points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, n_points);
  hills->triangles = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, n_triangles);
  p = orrery_buffer_get_data (hills->points);
  t = orrery_buffer_get_data (hills->triangles);
  for (guint i = 0; i <= n; i++)
    for (guint k = 0; k <= n; k++) {
      double x = SIDE * ((double) i / n - 0.5), y = SIDE * ((double) k / n - 0.5);
      double *point = p + 3 * ((gsize) i * (n + 1) + k);

      point[0] = x;
      point[1] = y;
      point[2] = height (x, y);
    }
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++) {
      guint32 a = i * (n + 1) + k, b = a + n + 1;
      const guint32 pair[] = { a, b, b + 1, a, b + 1, a + 1 };

      memcpy (t + 6 * ((gsize) i * n + k), pair, sizeof pair);
    }
}

static void
clear_hills (Hills *hills)
{
  g_clear_pointer (&hills->points, orrery_buffer_unref);
  g_clear_pointer (&hills->triangles, orrery_buffer_unref);
}

static void
make_rays (OrreryRay *rays)
{
  OrreryVec3 from = { 0.3, 0.2, height (0.3, 0.2) + 2 };

  for (guint i = 0; i < N_RAYS; i++) {
    double up = (5.0 - 30.0 * (i / COLUMNS) / LAYERS) * G_PI / 180;
    double about = 2 * G_PI * (i % COLUMNS) / COLUMNS;

    rays[i] =
        (OrreryRay){ from, { cos (up) * cos (about), cos (up) * sin (about), sin (up) }, 0, 120 };
  }
}

/* --- Embree alone --- */

static RTCScene
make_scene (RTCDevice device, const Hills *hills)
{
  gsize n = orrery_buffer_get_length (hills->points, 0);
  gsize m = orrery_buffer_get_length (hills->triangles, 0);
  const double *p = orrery_buffer_get_data (hills->points);
  RTCGeometry geometry = rtcNewGeometry (device, RTC_GEOMETRY_TYPE_TRIANGLE);
  RTCScene scene = rtcNewScene (device);
  float *vertices = rtcSetNewGeometryBuffer (geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             3 * sizeof (float), n);
  guint32 *triangles = rtcSetNewGeometryBuffer (geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                RTC_FORMAT_UINT3, 3 * sizeof (guint32), m);

  for (gsize i = 0; i < 3 * n; i++)
    vertices[i] = (float) p[i];
  memcpy (triangles, orrery_buffer_get_data (hills->triangles), m * 3 * sizeof *triangles);
  rtcSetSceneFlags (scene, RTC_SCENE_FLAG_ROBUST);
  rtcCommitGeometry (geometry);
  rtcAttachGeometry (scene, geometry);
  rtcReleaseGeometry (geometry);
  rtcCommitScene (scene);
  return scene;
}

/* Other programs take time, not our processor's. */
static double
read_processor (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static double started;

static void
start (void)
{
  started = read_processor ();
}

/* Millions of rays per second since then. */
static double
stop (void)
{
  return N_RAYS * 1e3 / (read_processor () - started);
}

static guint
cast_singly (RTCScene scene, const OrreryRay *rays, struct RTCRayHit *hits)
{
  struct RTCIntersectContext context;
  guint n_met = 0;

  for (guint i = 0; i < N_RAYS; i++)
    hits[i] = (struct RTCRayHit){
      .ray = { .org_x = (float) rays[i].origin.x,
               .org_y = (float) rays[i].origin.y,
               .org_z = (float) rays[i].origin.z,
               .dir_x = (float) rays[i].direction.x,
               .dir_y = (float) rays[i].direction.y,
               .dir_z = (float) rays[i].direction.z,
               .tfar = 120,
               .mask = ~0u },
      .hit = { .geomID = RTC_INVALID_GEOMETRY_ID },
    };
  start ();
  rtcInitIntersectContext (&context);
  for (guint i = 0; i < N_RAYS; i++) {
    rtcIntersect1 (scene, &context, &hits[i]);
    n_met += hits[i].hit.geomID != RTC_INVALID_GEOMETRY_ID;
  }
  return n_met;
}

/* A packet of n is a row of n for each member of a ray and its hit. */
#define ROW(member) (offsetof (struct RTCRayHit, member) / sizeof (float))
#define N_ROWS (ROW (hit.instID) + 1)

static void
make_packets (const OrreryRay *rays, guint width, float *packets)
{
  memset (packets, 0, N_RAYS * N_ROWS * sizeof *packets);
  for (guint i = 0; i < N_RAYS; i++) {
    float *lane = packets + i / width * width * N_ROWS + i % width;
    guint32 *number = (guint32 *) (gpointer) lane;

    lane[ROW (ray.org_x) * width] = (float) rays[i].origin.x;
    lane[ROW (ray.org_y) * width] = (float) rays[i].origin.y;
    lane[ROW (ray.org_z) * width] = (float) rays[i].origin.z;
    lane[ROW (ray.dir_x) * width] = (float) rays[i].direction.x;
    lane[ROW (ray.dir_y) * width] = (float) rays[i].direction.y;
    lane[ROW (ray.dir_z) * width] = (float) rays[i].direction.z;
    lane[ROW (ray.tfar) * width] = 120;
    number[ROW (ray.mask) * width] = ~0u;
    number[ROW (hit.geomID) * width] = RTC_INVALID_GEOMETRY_ID;
  }
}

static guint
cast_packets (RTCScene scene, const OrreryRay *rays, guint width, float *packets)
{
  static const int valid[16] __attribute__ ((aligned (64))) = { -1, -1, -1, -1, -1, -1, -1, -1,
                                                                -1, -1, -1, -1, -1, -1, -1, -1 };
  struct RTCIntersectContext context;
  guint n_met = 0;

  make_packets (rays, width, packets);
  start ();
  rtcInitIntersectContext (&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (guint i = 0; i < N_RAYS; i += width) {
    gpointer packet = packets + i * N_ROWS;
    const guint32 *geometries = (const guint32 *) packet + ROW (hit.geomID) * width;

    if (width == 8)
      rtcIntersect8 (valid, scene, &context, packet);
    else
      rtcIntersect16 (valid, scene, &context, packet);
    for (guint k = 0; k < width; k++)
      n_met += geometries[k] != RTC_INVALID_GEOMETRY_ID;
  }
  return n_met;
}

/* --- the host's --- */

static OrreryRaycaster *
make_caster (OrreryRegistry *registry, OrreryWorld *world)
{
  const OrreryClass *klass =
      orrery_registry_find_class (registry, "orrery.raycasters.embree.Embree", NULL);
  OrreryPart *part = orrery_registry_create (registry, klass, ORRERY_ROLE_RAYCASTER, NULL);

  ORRERY_RAYCASTER_GET_CLASS (part)->build (ORRERY_RAYCASTER (part), world, NULL);
  ORRERY_RAYCASTER_GET_CLASS (part)->update (ORRERY_RAYCASTER (part),
                                             orrery_world_get_snapshot (world), NULL);
  return ORRERY_RAYCASTER (part);
}

/* As a scanner does: block by block, with the answers of one block near the processor. */
static guint
cast_host (OrreryRaycaster *caster, const OrreryRay *rays)
{
  OrreryHit hits[256];
  guint n_met = 0;

  start ();
  for (guint at = 0; at < N_RAYS; at += 256) {
    OrreryRays batch = { rays + at, MIN (256, N_RAYS - at), ORRERY_SIGHT_SOLID,
                         ORRERY_RAYS_SKIP_NOTHING };

    ORRERY_RAYCASTER_GET_CLASS (caster)->cast (caster, &batch, hits);
    for (guint i = 0; i < batch.n_rays; i++)
      n_met += hits[i].object != G_MAXUINT;
  }
  return n_met;
}

static void
print (guint n, const char *what, const char *more, double value, const char *unit)
{
  g_autofree char *name = g_strdup_printf ("rays.%u.%s%s", n, what, more);

  bench_print (name, value, unit);
}

static void
compare (OrreryRegistry *registry, guint side)
{
  g_autofree OrreryRay *rays = g_new (OrreryRay, N_RAYS);
  struct RTCRayHit *singles = g_aligned_alloc (N_RAYS, sizeof *singles, 64);
  float *packets = g_aligned_alloc (N_RAYS * N_ROWS, sizeof *packets, 64);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  OrreryObject *object = orrery_world_add_object (world, "hills", NULL, NULL);
  g_autoptr (OrreryRaycaster) caster = NULL;
  RTCDevice device = rtcNewDevice ("threads=1");
  static const guint widths[N_WAYS] = { 1, 8, 16 };
  static const char *const names[N_WAYS] = { "singly", "packets", "packets_of_16" };
  double host[RUNS], alone[N_WAYS][RUNS], share[N_WAYS][RUNS];
  guint n_met = 0, n_otherwise = 0;
  Hills hills;
  RTCScene scene;
  guint n;

  make_hills (&hills, side);
  n = 2 * side * side;
  {
    g_autoptr (OrreryShape) shape =
        orrery_shape_new_points (ORRERY_SHAPE_MESH, hills.points, hills.triangles, NULL);

    orrery_object_add_shape (object, shape);
    orrery_object_get_body (object)->type = ORRERY_BODY_STATIC;
  }
  make_rays (rays);
  caster = make_caster (registry, world);
  scene = make_scene (device, &hills);
  for (guint i = 0; i < RUNS; i++) {
    n_met = cast_host (caster, rays);
    host[i] = stop ();
    for (guint k = 0; k < N_WAYS; k++) {
      guint met = widths[k] == 1 ? cast_singly (scene, rays, singles)
                                 : cast_packets (scene, rays, widths[k], packets);

      alone[k][i] = stop ();
      share[k][i] = host[i] / alone[k][i];
      n_otherwise += MAX (met, n_met) - MIN (met, n_met);
    }
  }
  print (n, "met", "", n_met, "rays");
  print (n, "met_otherwise", "", n_otherwise, "rays");
  print (n, "host", "", bench_median (host, RUNS), "Mray/s");
  for (guint k = 0; k < N_WAYS; k++)
    print (n, "embree_", names[k], bench_median (alone[k], RUNS), "Mray/s");
  for (guint k = 0; k < N_WAYS; k++)
    print (n, "of_embree_", names[k], bench_median (share[k], RUNS), "ratio");
  rtcReleaseScene (scene);
  rtcReleaseDevice (device);
  g_aligned_free (packets);
  g_aligned_free (singles);
  clear_hills (&hills);
}

/* --- in a simulation --- */

#define SECONDS 20

static char *
write_rows (OrreryBuffer *buffer)
{
  GString *text = g_string_new ("[");
  gsize n = orrery_buffer_get_length (buffer, 0);
  gboolean is_double = orrery_buffer_get_element (buffer) == ORRERY_ELEMENT_DOUBLE;

  for (gsize i = 0; i < n; i++) {
    const double *p = (const double *) orrery_buffer_get_data (buffer) + 3 * i;
    const guint32 *t = (const guint32 *) orrery_buffer_get_data (buffer) + 3 * i;

    if (is_double)
      g_string_append_printf (text, "%s[%.6f,%.6f,%.6f]", i > 0 ? "," : "", p[0], p[1], p[2]);
    else
      g_string_append_printf (text, "%s[%u,%u,%u]", i > 0 ? "," : "", t[0], t[1], t[2]);
  }
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

/* ns of a processor for a simulated second. */
static double
run (gboolean has_laser)
{
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autofree char *points = NULL;
  g_autofree char *triangles = NULL;
  BenchScene scene;
  Hills hills;
  double before;

  make_hills (&hills, 90);
  points = write_rows (hills.points);
  triangles = write_rows (hills.triangles);
  clear_hills (&hills);
  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  bench_scene_add_object (&scene,
                          "{\"name\": \"hills\", \"body\": {\"type\": \"static\"}, \"shapes\": "
                          "[{\"kind\": \"mesh\", \"points\": %s, \"triangles\": %s}]}",
                          points, triangles);
  bench_scene_add_object (
      &scene,
      "{\"name\": \"robot\", \"classpath\": \"orrery.robots.atrv.ATRV\", \"position\": [0, 0, "
      "2.5], "
      "\"objects\": [{\"name\": \"motion\", \"classpath\": "
      "\"orrery.actuators.v_omega.MotionVW\"}%s]}",
      has_laser ? ", {\"name\": \"laser\", \"classpath\": "
                  "\"orrery.sensors.laserscanner.LaserScanner\", \"position\": [0, 0, 0.9], "
                  "\"frequency\": 10, "
                  "\"properties\": {\"laser_range\": 120, \"scan_window\": 359.8, \"resolution\": "
                  "0.2, \"layers\": 32, \"layer_separation\": 0.9, \"layer_offset\": 0, "
                  "\"arc_pitch\": 5}}"
                : "");
  simulation = bench_scene_load (&scene);
  bench_ticks (simulation, 60);
  before = read_processor ();
  bench_ticks (simulation, 60 * SECONDS);
  return (read_processor () - before) / SECONDS;
}

int
main (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  double shares[5];

  compare (registry, 90);
  compare (registry, 316);
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    shares[i] = (run (TRUE) - run (FALSE)) * 1e-9;
  bench_print ("rays.velodyne", bench_median (shares, G_N_ELEMENTS (shares)) * 100, "% of a core");
  return 0;
}
