/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <string.h>

/* Ray casters by themselves: one world, both casters, the same answers. */

#define EMBREE "orrery.raycasters.embree.Embree"
#define EXACT "orrery.raycasters.exact.Exact"

static OrreryRegistry *registry;

static OrreryRaycaster *
create (const char *classpath)
{
  const OrreryClass *klass = orrery_registry_find_class (registry, classpath, NULL);
  g_autoptr (GError) error = NULL;
  OrreryPart *part;

  if (klass == NULL)
    return NULL;
  part = orrery_registry_create (registry, klass, ORRERY_ROLE_RAYCASTER, &error);
  g_assert_no_error (error);
  return ORRERY_RAYCASTER (part);
}

static void
build (OrreryRaycaster *rays, OrreryWorld *world)
{
  g_autoptr (GError) error = NULL;

  ORRERY_RAYCASTER_GET_CLASS (rays)->build (rays, world, &error);
  g_assert_no_error (error);
  ORRERY_RAYCASTER_GET_CLASS (rays)->update (rays, orrery_world_get_snapshot (world), &error);
  g_assert_no_error (error);
}

static void
update (OrreryRaycaster *rays, OrreryWorld *world)
{
  g_autoptr (GError) error = NULL;

  ORRERY_RAYCASTER_GET_CLASS (rays)->update (rays, orrery_world_get_snapshot (world), &error);
  g_assert_no_error (error);
}

static void
cast_at (OrreryRaycaster *rays, OrrerySight sight, guint skip, const OrreryRay *list, gsize n,
         OrreryHit *hits)
{
  OrreryRays batch = { list, n, sight, skip };

  ORRERY_RAYCASTER_GET_CLASS (rays)->cast (rays, &batch, hits);
}

static OrreryHit
cast (OrreryRaycaster *rays, double x, double y, double z, double dx, double dy, double dz)
{
  OrreryRay ray = { { x, y, z }, { dx, dy, dz }, 0, INFINITY };
  OrreryHit hit;

  cast_at (rays, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING, &ray, 1, &hit);
  return hit;
}

static OrreryObject *
add (OrreryWorld *world, const char *name, OrreryObject *parent, OrreryBodyType type)
{
  g_autoptr (GError) error = NULL;
  OrreryObject *object = orrery_world_add_object (world, name, parent, &error);

  g_assert_no_error (error);
  orrery_object_get_body (object)->type = type;
  return object;
}

static void
put (OrreryWorld *world, OrreryObject *object, const OrreryTransform *pose)
{
  orrery_snapshot_set_body (orrery_world_get_snapshot (world), orrery_object_get_index (object),
                            pose, &(OrreryVec3){ 0 }, &(OrreryVec3){ 0 });
}

static void
put_at (OrreryWorld *world, OrreryObject *object, double x, double y, double z)
{
  put (world, object, &(OrreryTransform){ { x, y, z }, { 1, 0, 0, 0 } });
}

static OrreryShape *
give (OrreryObject *object, OrreryShapeKind kind, double x, double y, double z)
{
  g_autoptr (OrreryShape) shape = orrery_shape_new (kind, &(OrreryVec3){ x, y, z }, NULL);

  orrery_object_add_shape (object, shape);
  return shape;
}

/* A box of eight points about the origin, as a hull or as twelve triangles. */
static OrreryShape *
make_box (OrreryShapeKind kind, double x, double y, double z)
{
  static const guint32 sides[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                        { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                        { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
  const gsize n_points[] = { 8, 3 }, n_triangles[] = { 12, 3 };
  g_autoptr (OrreryBuffer) points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, n_points);
  g_autoptr (OrreryBuffer) triangles = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, n_triangles);
  double *p = orrery_buffer_get_data (points);

  for (guint i = 0; i < 8; i++) {
    p[3 * i] = i & 4 ? x : -x;
    p[3 * i + 1] = i & 2 ? y : -y;
    p[3 * i + 2] = i & 1 ? z : -z;
  }
  memcpy (orrery_buffer_get_data (triangles), sides, sizeof sides);
  return orrery_shape_new_points (kind, points, triangles, NULL);
}

/* --- random scenes --- */

static double
draw (OrreryRandom *random, double low, double high)
{
  return low + (high - low) * orrery_random_uniform (random);
}

static void
draw_pose (OrreryRandom *random, double reach, OrreryTransform *pose)
{
  pose->position = (OrreryVec3){ draw (random, -reach, reach), draw (random, -reach, reach),
                                 draw (random, -reach, reach) };
  pose->rotation = (OrreryQuat){ draw (random, -1, 1), draw (random, -1, 1), draw (random, -1, 1),
                                 draw (random, -1, 1) };
  orrery_quat_normalise (&pose->rotation);
}

static OrreryShape *
draw_cloud (OrreryRandom *random, OrreryShapeKind kind, const OrreryTransform *pose)
{
  const gsize n_points[] = { 30, 3 }, n_triangles[] = { 40, 3 };
  g_autoptr (OrreryBuffer) points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, n_points);
  g_autoptr (OrreryBuffer) triangles = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, n_triangles);
  double *p = orrery_buffer_get_data (points);
  guint32 *t = orrery_buffer_get_data (triangles);

  for (guint i = 0; i < 90; i++)
    p[i] = draw (random, -1, 1);
  for (guint i = 0; i < 120; i++)
    t[i] = (guint32) draw (random, 0, 30);
  return orrery_shape_new_points (kind, points, triangles, pose);
}

static OrreryShape *
draw_shape (OrreryRandom *random)
{
  OrreryShapeKind kind = (OrreryShapeKind) draw (random, 0, 7);
  OrreryTransform pose;

  draw_pose (random, 0.5, &pose);
  if (kind >= ORRERY_SHAPE_HULL)
    return draw_cloud (random, kind, &pose);
  return orrery_shape_new (kind,
                           &(OrreryVec3){ draw (random, 0.05, 1), draw (random, 0.05, 1),
                                          draw (random, 0.05, 1) },
                           &pose);
}

#define MAX_OBJECTS 40

static OrreryWorld *
draw_world (OrreryRandom *random, guint n_objects)
{
  static const OrreryBodyType types[] = { ORRERY_BODY_NONE, ORRERY_BODY_STATIC, ORRERY_BODY_RIGID,
                                          ORRERY_BODY_STATIC };
  OrreryWorld *world = orrery_world_new ();

  for (guint i = 0; i < n_objects; i++) {
    g_autofree char *name = g_strdup_printf ("object%u", i);
    OrreryObject *parent = i % 5 == 4 ? orrery_world_get_object (world, i - 1) : NULL;
    OrreryObject *object =
        add (world, name, parent, types[(guint) draw (random, 0, G_N_ELEMENTS (types))]);
    guint n = (guint) draw (random, 0, 4);

    for (guint k = 0; k < n; k++) {
      g_autoptr (OrreryShape) shape = draw_shape (random);

      orrery_shape_set_solid (shape, draw (random, 0, 1) < 0.7);
      orrery_object_add_shape (object, shape);
    }
  }
  return world;
}

static void
shuffle (OrreryWorld *world, OrreryRandom *random, double share)
{
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryTransform pose;

    draw_pose (random, 4, &pose);
    if (draw (random, 0, 1) < share)
      put (world, orrery_world_get_object (world, i), &pose);
    orrery_object_set_visible (orrery_world_get_object (world, i), draw (random, 0, 1) < 0.9);
  }
}

#define N_RAYS 2000

/* Two answers are one if the distances are, or if a ray beside it says what the other says: at the
 * edge of a shape it is nobody's fault. */
static gboolean
is_same (OrreryRaycaster *exact, OrreryRay ray, OrrerySight sight, guint skip, double distance)
{
  for (guint i = 0; i < 27; i++) {
    OrreryRay beside = ray;
    OrreryHit hit;

    beside.direction.x += 3e-6 * ((int) (i % 3) - 1);
    beside.direction.y += 3e-6 * ((int) (i / 3 % 3) - 1);
    beside.direction.z += 3e-6 * ((int) (i / 9) - 1);
    cast_at (exact, sight, skip, &beside, 1, &hit);
    if (fabs (hit.distance - distance) < 1e-3 || hit.distance == distance)
      return TRUE;
  }
  return FALSE;
}

static guint
compare (OrreryRaycaster *embree, OrreryRaycaster *exact, OrreryRandom *random)
{
  OrrerySight sight = (OrrerySight) draw (random, ORRERY_SIGHT_SOLID, ORRERY_SIGHT_OUTSIDE + 1);
  guint skip =
      draw (random, 0, 1) < 0.5 ? (guint) draw (random, 0, MAX_OBJECTS) : ORRERY_RAYS_SKIP_NOTHING;
  g_autofree OrreryRay *rays = g_new (OrreryRay, N_RAYS);
  g_autofree OrreryHit *a = g_new (OrreryHit, N_RAYS);
  g_autofree OrreryHit *b = g_new (OrreryHit, N_RAYS);
  guint n_edges = 0, n_met = 0;

  for (guint i = 0; i < N_RAYS; i++) {
    OrreryTransform pose;

    draw_pose (random, 4, &pose);
    rays[i] = (OrreryRay){ pose.position,
                           { draw (random, -1, 1), draw (random, -1, 1), draw (random, -1, 1) },
                           i % 3 == 0 ? draw (random, 0, 4) : 0,
                           i % 2 == 0 ? draw (random, 4, 20) : INFINITY };
  }
  cast_at (embree, sight, skip, rays, N_RAYS, a);
  cast_at (exact, sight, skip, rays, N_RAYS, b);
  for (guint i = 0; i < N_RAYS; i++) {
    n_met += a[i].object != G_MAXUINT;
    if (fabs (a[i].distance - b[i].distance) < 1e-6 || a[i].distance == b[i].distance)
      continue;
    n_edges++;
    if (!is_same (exact, rays[i], sight, skip, a[i].distance))
      g_test_message ("ray %u: %.9g of %u, exactly %.9g of %u", i, a[i].distance, a[i].object,
                      b[i].distance, b[i].object);
    g_assert_true (is_same (exact, rays[i], sight, skip, a[i].distance));
  }
  g_test_message ("%u of %u differ", n_edges, n_met);
  g_assert_cmpuint (n_edges, <=, 10);
  return n_met;
}

static void
test_agreement (void)
{
  g_autoptr (OrreryRaycaster) embree = create (EMBREE);
  guint n_met = 0;

  g_test_summary ("both casters meet the same in random worlds that move");
  if (embree == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  /* Of few and of many things. */
  for (guint seed = 0; seed < 15; seed++) {
    g_autofree char *name = g_strdup_printf ("agreement %u", seed);
    g_autoptr (OrreryRaycaster) exact = create (EXACT);
    g_autoptr (OrreryWorld) world = NULL;
    OrreryRandom random;

    orrery_random_init (&random, seed, name);
    world = draw_world (&random, seed % 3 == 2 ? 4 : MAX_OBJECTS);
    shuffle (world, &random, 1);
    build (embree, world);
    build (exact, world);
    n_met += compare (embree, exact, &random);
    for (guint i = 0; i < 3; i++) {
      shuffle (world, &random, 0.3);
      update (embree, world);
      update (exact, world);
      n_met += compare (embree, exact, &random);
    }
  }
  g_assert_cmpuint (n_met, >, 10000);
}

/* --- closed forms --- */

static void
check_hit (const OrreryHit *hit, double distance, double nx, double ny, double nz)
{
  assert_near (hit->distance, distance, 1e-6);
  assert_near (hit->normal.x, nx, 1e-6);
  assert_near (hit->normal.y, ny, 1e-6);
  assert_near (hit->normal.z, nz, 1e-6);
}

static void
check_miss (const OrreryHit *hit)
{
  g_assert_cmpuint (hit->object, ==, G_MAXUINT);
  g_assert_true (isinf (hit->distance));
}

/* Casters that work in packets must not touch what is behind the rays, and their hits. */
static void
test_short_batches (gconstpointer classpath)
{
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  OrreryRay list[40];
  OrreryHit hits[41];

  g_test_summary ("a batch of any length reads its own rays and writes its own hits");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  give (add (world, "ball", NULL, ORRERY_BODY_STATIC), ORRERY_SHAPE_SPHERE, 0.5, 0.5, 0.5);
  build (rays, world);
  for (guint i = 0; i < G_N_ELEMENTS (list); i++)
    list[i] = (OrreryRay){ { -2, 0, 0 }, { 1, 0, 0 }, 0, INFINITY };
  for (guint n = 1; n <= G_N_ELEMENTS (list); n++) {
    /* Of just this size: a ray read behind the end is seen by valgrind. */
    g_autofree OrreryRay *few = g_memdup2 (list, n * sizeof *list);

    for (guint i = 0; i < G_N_ELEMENTS (hits); i++)
      hits[i].distance = -1;
    cast_at (rays, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING, few, n, hits);
    for (guint i = 0; i < G_N_ELEMENTS (hits); i++)
      assert_near (hits[i].distance, i < n ? 1.5 : -1, 1e-6);
  }
}

static void
test_closed_forms (gconstpointer classpath)
{
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  static const OrreryShapeKind kinds[] = { ORRERY_SHAPE_BOX,      ORRERY_SHAPE_SPHERE,
                                           ORRERY_SHAPE_CYLINDER, ORRERY_SHAPE_CAPSULE,
                                           ORRERY_SHAPE_CONE,     ORRERY_SHAPE_HULL,
                                           ORRERY_SHAPE_MESH };
  OrreryHit hit;

  g_test_summary ("each kind of shape is met where geometry says, also from far");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *name = g_strdup_printf ("kind%u", i);
    OrreryObject *object = add (world, name, NULL, ORRERY_BODY_STATIC);

    if (kinds[i] >= ORRERY_SHAPE_HULL) {
      g_autoptr (OrreryShape) shape = make_box (kinds[i], 0.5, 0.7, 1);

      orrery_object_add_shape (object, shape);
    } else {
      give (object, kinds[i], 0.5, 0.7, 1);
    }
    put_at (world, object, 0, 10.0 * i, 0);
  }
  build (rays, world);

  /* Along x, at a third of the height, and from above. */
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    double at = 10.0 * i;
    double inset[] = { 0, 0.5 - sqrt (0.25 - 1.0 / 9), 0, 0, 0.5 - 0.5 * (1 - 1.0 / 3) / 2, 0, 0 };
    double top[] = { 1, 0.5, 1, 1.5, 1, 1, 1 };

    hit = cast (rays, -20, at, 1.0 / 3, 1, 0, 0);
    assert_near (hit.distance, 19.5 + inset[i], 1e-6);
    g_assert_cmpuint (hit.object, ==, i);
    hit = cast (rays, 20, at, 1.0 / 3, -7, 0, 0);
    assert_near (hit.distance, 19.5 + inset[i], 1e-6);
    hit = cast (rays, 0, at, 31, 0, 0, -0.1);
    assert_near (hit.distance, 31 - top[i], 1e-6);
    hit = cast (rays, 3, at, 0, 0, 0, 1);
    check_miss (&hit);
    hit = cast (rays, 0, at, 0, -1, 0, 0);
    g_assert_cmpfloat (hit.distance, <=, 0.5 + 1e-9);
    g_assert_cmpfloat (hit.distance, >, 0.2);
  }
  hit = cast (rays, -3, 0.1, 0.1, 1, 0, 0);
  check_hit (&hit, 2.5, -1, 0, 0);
  hit = cast (rays, -3, 10, 0, 1, 0, 0);
  check_hit (&hit, 2.5, -1, 0, 0);
  hit = cast (rays, 0, 20, 2.5, 0, 0, -1);
  check_hit (&hit, 1.5, 0, 0, 1);
  hit = cast (rays, 0.3, 30, 5, 0, 0, -1);
  check_hit (&hit, 5 - 1 - 0.4, 0.6, 0, 0.8);
  hit = cast (rays, -5, 40, 0, 1, 0, 0);
  check_hit (&hit, 4.75, -4 / sqrt (17), 0, 1 / sqrt (17));
  hit = cast (rays, 0, 50.2, -4, 0, 0, 1);
  check_hit (&hit, 3, 0, 0, -1);
}

static void
test_plane (gconstpointer classpath)
{
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  OrreryTransform tilted = { { 1e6, -2e6, 50 }, { 0 } };
  OrreryObject *ground = add (world, "ground", NULL, ORRERY_BODY_STATIC);
  OrreryObject *mesh = add (world, "mesh", NULL, ORRERY_BODY_STATIC);
  g_autoptr (OrreryShape) sheet = make_box (ORRERY_SHAPE_MESH, 30, 30, 0.5);

  g_test_summary ("a tilted plane far from the origin of the world is met to 1e-6 m");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  orrery_quat_from_euler (0.1, -0.2, 0.3, &tilted.rotation);
  give (ground, ORRERY_SHAPE_BOX, 30, 30, 0);
  orrery_object_add_shape (mesh, sheet);
  put (world, ground, &tilted);
  tilted.position.z += 100;
  put (world, mesh, &tilted);
  build (rays, world);
  for (guint k = 0; k < 2; k++)
    for (guint i = 0; i < 100; i++) {
      OrreryVec3 up = { 0, 0, 1 }, way = { 0.1 * (i % 10) - 0.45, 0.1 * (i / 10.0) - 0.45, -1 };
      OrreryVec3 from = { 1e6 + 0.3, -2e6 + 0.2, 62 + 100.0 * k };
      double length = orrery_vec3_length (&way);
      double height = 12 - 0.5 * k;
      OrreryHit hit = cast (rays, from.x, from.y, from.z, way.x, way.y, way.z);
      OrreryVec3 n;

      orrery_quat_rotate (&tilted.rotation, &up, &n);
      height = n.x * 0.3 + n.y * 0.2 + n.z * 12 - 0.5 * k;
      assert_near (hit.distance, -height * length / (n.x * way.x + n.y * way.y + n.z * way.z),
                   1e-6);
      assert_near (hit.normal.z, n.z, 1e-9);
    }
}

/* --- what is met --- */

static guint
look (OrreryRaycaster *rays, OrrerySight sight, guint skip)
{
  OrreryRay ray = { { -10, 0, 0 }, { 1, 0, 0 }, 0, 100 };
  OrreryHit hit;

  cast_at (rays, sight, skip, &ray, 1, &hit);
  return hit.object;
}

static void
test_sight (gconstpointer classpath)
{
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  OrreryObject *smoke = add (world, "smoke", NULL, ORRERY_BODY_NONE);
  OrreryObject *ghost = add (world, "ghost", NULL, ORRERY_BODY_GHOST);
  OrreryObject *robot = add (world, "robot", NULL, ORRERY_BODY_RIGID);
  OrreryObject *arm = add (world, "arm", robot, ORRERY_BODY_NONE);
  OrreryObject *wall = add (world, "wall", NULL, ORRERY_BODY_STATIC);
  OrreryObject *poster = add (world, "poster", wall, ORRERY_BODY_NONE);

  g_test_summary ("rays meet what is solid or seen, not what is hidden or skipped");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  give (smoke, ORRERY_SHAPE_BOX, 0.1, 1, 1);
  give (ghost, ORRERY_SHAPE_BOX, 0.1, 1, 1);
  give (robot, ORRERY_SHAPE_BOX, 0.1, 1, 1);
  orrery_shape_set_solid (give (robot, ORRERY_SHAPE_SPHERE, 0.05, 0, 0), FALSE);
  give (arm, ORRERY_SHAPE_BOX, 0.1, 1, 1);
  give (wall, ORRERY_SHAPE_BOX, 0.1, 1, 1);
  orrery_shape_set_solid (give (poster, ORRERY_SHAPE_BOX, 0.1, 1, 1), FALSE);
  for (guint i = 0; i < 6; i++)
    put_at (world, orrery_world_get_object (world, i), i, 0, 0);
  build (rays, world);

  /* smoke 0, ghost 1, robot 2, arm 3, wall 4, poster 5 */
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING), ==, 0);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SOLID, ORRERY_RAYS_SKIP_NOTHING), ==, 2);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SOLID, 2), ==, 4);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SOLID, 3), ==, 2);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SEEN, 0), ==, 1);
  orrery_object_set_visible (smoke, FALSE);
  orrery_object_set_visible (ghost, FALSE);
  orrery_object_set_visible (robot, FALSE);
  update (rays, world);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING), ==, 3);
  put_at (world, arm, 0, 50, 0);
  update (rays, world);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SOLID, ORRERY_RAYS_SKIP_NOTHING), ==, 4);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SEEN, 4), ==, G_MAXUINT);
  put_at (world, wall, 0, 60, 0);
  update (rays, world);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SOLID, ORRERY_RAYS_SKIP_NOTHING), ==, G_MAXUINT);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING), ==, 5);
  orrery_object_set_visible (robot, TRUE);
  update (rays, world);
  g_assert_cmpuint (look (rays, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING), ==, 2);
  /* Its model hides the box that it collides with. */
  assert_near (cast (rays, -10, 0, 0, 1, 0, 0).distance, 11.95, 1e-6);
}

static OrreryShape *
make_cloud (const double *p, gsize n, const guint32 *t, gsize m)
{
  const gsize n_points[] = { n, 3 }, n_triangles[] = { MAX (1, m), 3 };
  g_autoptr (OrreryBuffer) points = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, n_points);
  g_autoptr (OrreryBuffer) triangles = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, n_triangles);

  memcpy (orrery_buffer_get_data (points), p, n * 3 * sizeof *p);
  if (m > 0)
    memcpy (orrery_buffer_get_data (triangles), t, m * 3 * sizeof *t);
  return orrery_shape_new_points (m > 0 ? ORRERY_SHAPE_MESH : ORRERY_SHAPE_HULL, points, triangles,
                                  NULL);
}

/* From inside, from outside, from inside through the next one. */
static void
test_inside (gconstpointer classpath)
{
  static const OrreryShapeKind kinds[] = { ORRERY_SHAPE_BOX,      ORRERY_SHAPE_SPHERE,
                                           ORRERY_SHAPE_CYLINDER, ORRERY_SHAPE_CAPSULE,
                                           ORRERY_SHAPE_CONE,     ORRERY_SHAPE_HULL };
  const OrreryRay list[] = { { { 0, 0, 0 }, { 1, 0, 0 }, 0, 20 },
                             { { -9, 0, 0 }, { 1, 0, 0 }, 0, 20 },
                             { { -9, 0, 0 }, { 1, 0, 0 }, 9, 20 } };
  const double inside[] = { 0.5, 0.5, 0.5, 0.5, 0.25, 0.5 };
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  OrreryHit hits[3];

  g_test_summary ("what is met from outside alone is not met from inside, but meshes are");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  /* Once of those that stand, once of those that move. */
  for (guint i = 0; i < 2 * G_N_ELEMENTS (kinds); i++) {
    OrreryBodyType type = i % 2 == 0 ? ORRERY_BODY_STATIC : ORRERY_BODY_RIGID;
    double half = inside[i / 2];
    g_autoptr (OrreryWorld) world = orrery_world_new ();
    g_autoptr (OrreryShape) hull = make_box (ORRERY_SHAPE_HULL, 0.5, 0.5, 0.5);
    g_autoptr (OrreryShape) mesh = make_box (ORRERY_SHAPE_MESH, 6, 6, 6);
    OrreryObject *object = add (world, "object", NULL, type);

    if (kinds[i / 2] == ORRERY_SHAPE_HULL)
      orrery_object_add_shape (object, hull);
    else
      give (object, kinds[i / 2], 0.5, 0.5, 0.5);
    orrery_object_add_shape (add (world, "room", NULL, type), mesh);
    build (rays, world);
    cast_at (rays, ORRERY_SIGHT_OUTSIDE, ORRERY_RAYS_SKIP_NOTHING, list, 3, hits);
    check_hit (&hits[0], 6, -1, 0, 0);
    check_hit (&hits[2], 15, -1, 0, 0);
    assert_near (hits[1].distance, 3, 1e-6);
    cast_at (rays, ORRERY_SIGHT_OUTSIDE, orrery_object_get_index (object) + 1, list, 3, hits);
    check_miss (&hits[0]);
    assert_near (hits[1].distance, 9 - half, 1e-6);
    check_miss (&hits[2]);
    cast_at (rays, ORRERY_SIGHT_SOLID, ORRERY_RAYS_SKIP_NOTHING, list, 3, hits);
    assert_near (hits[0].distance, half, 1e-6);
    assert_near (hits[2].distance, 9 + half, 1e-6);
  }
}

/* A sheet has no inside, whichever of its sides is met. */
static void
test_sheets (gconstpointer classpath)
{
  const double square[] = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 };
  g_autoptr (OrreryRaycaster) rays = create (classpath);

  g_test_summary ("sheets are met from both sides");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  for (guint i = 0; i < 6; i++) {
    g_autoptr (OrreryWorld) world = orrery_world_new ();
    g_autoptr (OrreryShape) hull = make_cloud (square, 4, NULL, 0);
    OrreryObject *object =
        add (world, "sheet", NULL, i % 2 == 0 ? ORRERY_BODY_STATIC : ORRERY_BODY_RIGID);

    if (i < 2)
      orrery_object_add_shape (object, hull);
    else
      give (object, i < 4 ? ORRERY_SHAPE_BOX : ORRERY_SHAPE_CYLINDER, 1, 1, 0);
    build (rays, world);
    for (int side = -1; side <= 1; side += 2) {
      OrreryRay ray = { { 0.1, 0.2, 3.0 * side }, { 0, 0, -side }, 0, 20 };
      OrreryHit hit;

      cast_at (rays, ORRERY_SIGHT_OUTSIDE, ORRERY_RAYS_SKIP_NOTHING, &ray, 1, &hit);
      check_hit (&hit, 3, 0, 0, side);
    }
  }
}

static void
test_reach (gconstpointer classpath)
{
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  const OrreryRay list[] = {
    { { 0, 0, 0 }, { 1, 0, 0 }, 0, 4.4 },       { { 0, 0, 0 }, { 1, 0, 0 }, 0, 4.6 },
    { { 0, 0, 0 }, { 1, 0, 0 }, 4.6, 10 },      { { 0, 0, 0 }, { 1, 0, 0 }, 5.6, 10 },
    { { 0, 0, 0 }, { 0, 0, 0 }, 0, 10 },        { { NAN, 0, 0 }, { 1, 0, 0 }, 0, 10 },
    { { 0, 0, 0 }, { 1, INFINITY, 0 }, 0, 10 }, { { 0, 0, 0 }, { 1, 0, 0 }, 7, 3 },
    { { 0, 0, 0 }, { 1, 0, 0 }, -3, 10 },       { { 0, 0, 0 }, { 1, 0, 0 }, 0, NAN },
    { { 0, 0, 0 }, { 1e-30, 0, 0 }, 0, 10 },    { { 1e300, 0, 0 }, { -1, 0, 0 }, 0, INFINITY },
  };
  const double distances[] = { INFINITY, 4.5,      5.5,      INFINITY, INFINITY, INFINITY,
                               INFINITY, INFINITY, INFINITY, INFINITY, 4.5,      INFINITY };
  OrreryHit hits[G_N_ELEMENTS (list)];

  g_test_summary ("near and far bound a ray; one that is none meets nothing");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  build (rays, world);
  cast_at (rays, ORRERY_SIGHT_SEEN, 7, list, G_N_ELEMENTS (list), hits);
  for (guint i = 0; i < G_N_ELEMENTS (list); i++)
    check_miss (&hits[i]);
  give (add (world, "box", NULL, ORRERY_BODY_STATIC), ORRERY_SHAPE_BOX, 0.5, 0.5, 0.5);
  put_at (world, orrery_world_get_object (world, 0), 5, 0, 0);
  build (rays, world);
  cast_at (rays, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING, list, G_N_ELEMENTS (list), hits);
  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    if (isinf (distances[i]))
      check_miss (&hits[i]);
    else
      assert_near (hits[i].distance, distances[i], 1e-6);
  }
}

/* --- hostile shapes --- */

static void
test_hostile_shapes (gconstpointer classpath)
{
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  const double points[] = { 0, 0, 0, 0, 1, 0, 0, 0, 1, NAN, 0, 0, INFINITY, 1, 1, 0, 1, 1 };
  const guint32 triangles[] = { 0, 1, 99, 0, 1, 3, 4, 1, 2, 0, 0, 0, 0, 1, 1, 1, 2, 5 };
  const double square[] = { 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.5 };
  const double line[] = { 0, 0, 0, 0, 0.5, 0, 0, 1, 0, 0, 2, 0 };
  g_autoptr (OrreryShape) mesh = make_cloud (points, 6, triangles, 6);
  g_autoptr (OrreryShape) flat = make_cloud (square, 5, NULL, 0);
  g_autoptr (OrreryShape) thin = make_cloud (line, 4, NULL, 0);
  g_autoptr (OrreryShape) bad = make_cloud (points, 6, NULL, 0);
  OrreryShape *shapes[] = { mesh, flat, thin, bad };
  OrreryHit hit;

  g_test_summary ("triangles that are none are not met; flat hulls have two sides");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  for (guint i = 0; i < 4; i++) {
    g_autofree char *name = g_strdup_printf ("shape%u", i);
    OrreryObject *object = add (world, name, NULL, ORRERY_BODY_STATIC);

    orrery_object_add_shape (object, shapes[i]);
    put_at (world, object, 0, 10.0 * i, 0);
  }
  give (add (world, "nothing", NULL, ORRERY_BODY_STATIC), ORRERY_SHAPE_SPHERE, 0, 0, 0);
  build (rays, world);
  hit = cast (rays, -3, 0.9, 0.9, 1, 0, 0);
  check_hit (&hit, 3, -1, 0, 0);
  g_assert_cmpuint (hit.triangle, ==, 5);
  hit = cast (rays, -3, 0.1, 0.1, 1, 0, 0);
  check_miss (&hit);
  for (guint i = 0; i < 9; i++) {
    hit = cast (rays, -3, 10 + 0.1 + 0.4 * (i % 3), 0.12 + 0.38 * (i / 3), 1, 0, 0);
    check_hit (&hit, 3, -1, 0, 0);
    hit = cast (rays, 3, 10 + 0.1 + 0.4 * (i % 3), 0.12 + 0.38 * (i / 3), -1, 0, 0);
    check_hit (&hit, 3, 1, 0, 0);
  }
  hit = cast (rays, -3, 11.1, 0.5, 1, 0, 0);
  check_miss (&hit);
  hit = cast (rays, -3, 20.5, 0, 1, 0, 0);
  check_miss (&hit);
}

/* A hull of a thousand points on a sphere, of a grid on a cube, of one point many times. */
static void
test_hulls (gconstpointer classpath)
{
  g_autoptr (OrreryRaycaster) rays = create (classpath);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  g_autofree double *ball = g_new (double, 3000);
  g_autofree double *cube = g_new (double, 3000);
  g_autofree double *point = g_new0 (double, 3000);
  double *clouds[] = { ball, cube, point };
  OrreryRandom random;
  OrreryHit hit;

  g_test_summary ("hulls of many points are closed");
  if (rays == NULL) {
    g_test_skip ("built without Embree");
    return;
  }
  orrery_random_init (&random, 1, "hulls");
  for (guint i = 0; i < 1000; i++) {
    OrreryVec3 v = { draw (&random, -1, 1), draw (&random, -1, 1), draw (&random, -1, 1) };
    double length = orrery_vec3_length (&v);

    memcpy (ball + 3 * i, &(OrreryVec3){ v.x / length, v.y / length, v.z / length }, sizeof v);
    cube[3 * i] = (i % 10) / 4.5 - 1;
    cube[3 * i + 1] = (i / 10 % 10) / 4.5 - 1;
    cube[3 * i + 2] = (i / 100) / 4.5 - 1;
  }
  for (guint i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf ("hull%u", i);
    g_autoptr (OrreryShape) shape = make_cloud (clouds[i], 1000, NULL, 0);
    OrreryObject *object = add (world, name, NULL, ORRERY_BODY_RIGID);

    orrery_object_add_shape (object, shape);
    put_at (world, object, 10.0 * i, 0, 0);
  }
  build (rays, world);
  for (guint i = 0; i < 2000; i++) {
    OrreryVec3 v = { draw (&random, -1, 1), draw (&random, -1, 1), draw (&random, -1, 1) };
    double length = orrery_vec3_length (&v);
    double reach = fmax (fmax (fabs (v.x), fabs (v.y)), fabs (v.z));

    hit = cast (rays, 0, 0, 0, v.x, v.y, v.z);
    g_assert_cmpuint (hit.object, ==, 0);
    g_assert_cmpfloat (hit.distance, >, 0.95);
    g_assert_cmpfloat (hit.distance, <, 1 + 1e-9);
    hit = cast (rays, 10, 0, 0, v.x, v.y, v.z);
    assert_near (hit.distance, length / reach, 1e-6);
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestDataFunc func;
  } tests[] = {
    { "closed-forms", test_closed_forms },
    { "short-batches", test_short_batches },
    { "plane", test_plane },
    { "sight", test_sight },
    { "inside", test_inside },
    { "sheets", test_sheets },
    { "reach", test_reach },
    { "hostile-shapes", test_hostile_shapes },
    { "hulls", test_hulls },
  };

  orrery_test_init (&argc, &argv);
  registry = orrery_registry_new ();
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *embree = g_strconcat ("/raycasters/embree/", tests[i].name, NULL);
    g_autofree char *exact = g_strconcat ("/raycasters/exact/", tests[i].name, NULL);

    g_test_add_data_func (embree, EMBREE, tests[i].func);
    g_test_add_data_func (exact, EXACT, tests[i].func);
  }
  g_test_add_func ("/raycasters/agreement", test_agreement);
  return g_test_run ();
}
