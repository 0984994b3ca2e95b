/* SPDX-License-Identifier: BSD-3-Clause */
/* What rays can meet: the shapes of a world as items, with their poses and bounds. */
#include "geometry.h"

#include "hull.h"

#include <math.h>
#include <string.h>

/* --- meshes --- */

static void
free_mesh (gpointer data)
{
  RayMesh *mesh = data;

  orrery_buffer_unref (mesh->buffer);
  g_free (mesh->triangles);
  g_free (mesh->planes);
  g_free (mesh);
}

static gboolean
is_triangle (const RayMesh *mesh, const guint32 *corners)
{
  for (guint i = 0; i < 3; i++) {
    const double *p = mesh->points + 3 * (gsize) corners[i];

    if (corners[i] >= mesh->n_points || !isfinite (p[0]) || !isfinite (p[1]) || !isfinite (p[2]))
      return FALSE;
  }
  return TRUE;
}

static void
find_plane (const RayMesh *mesh, const guint32 *corners, double *plane)
{
  const OrreryVec3 *points = (const OrreryVec3 *) (gconstpointer) mesh->points;
  const OrreryVec3 *a = &points[corners[0]];
  OrreryVec3 ab = orrery_vec3_subtract (&points[corners[1]], a);
  OrreryVec3 ac = orrery_vec3_subtract (&points[corners[2]], a);
  OrreryVec3 n = orrery_vec3_cross (&ab, &ac);
  double length = orrery_vec3_length (&n);

  if (!(length > 0) || !isfinite (length))
    return;
  n = orrery_vec3_divide (&n, length);
  plane[0] = n.x;
  plane[1] = n.y;
  plane[2] = n.z;
  plane[3] = orrery_vec3_dot (&n, a);
}

/* Triangles that are none keep their number and have no area. */
static void
take_triangles (RayMesh *mesh, const guint32 *triangles, guint n)
{
  mesh->n_triangles = n;
  mesh->triangles = g_memdup2 (triangles, (gsize) n * 3 * sizeof *triangles);
  mesh->planes = g_new0 (double, (gsize) n * 4);
  for (gsize i = 0; i < n; i++) {
    if (is_triangle (mesh, mesh->triangles + 3 * i))
      find_plane (mesh, mesh->triangles + 3 * i, mesh->planes + 4 * i);
    else
      memset (mesh->triangles + 3 * i, 0, 3 * sizeof *triangles);
  }
}

static RayMesh *
make_mesh (OrreryShape *shape)
{
  RayMesh *mesh = g_new0 (RayMesh, 1);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);

  mesh->buffer = orrery_buffer_ref (orrery_shape_get_points (shape));
  mesh->points = orrery_buffer_get_data (mesh->buffer);
  mesh->n_points = (guint) orrery_buffer_get_length (mesh->buffer, 0);
  if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_MESH) {
    take_triangles (mesh, orrery_buffer_get_data (triangles),
                    (guint) orrery_buffer_get_length (triangles, 0));
  } else {
    g_autoptr (GArray) hull = hull_make (mesh->points, mesh->n_points);

    take_triangles (mesh, (const guint32 *) (gconstpointer) hull->data, hull->len / 3);
  }
  return mesh;
}

/* Copies of one thing have one mesh. */
static guint
hash_shape (gconstpointer key)
{
  OrreryShape *shape = (OrreryShape *) key;

  return g_direct_hash (orrery_shape_get_points (shape)) ^
         g_direct_hash (orrery_shape_get_triangles (shape));
}

static gboolean
is_same_mesh (gconstpointer a, gconstpointer b)
{
  OrreryShape *x = (OrreryShape *) a, *y = (OrreryShape *) b;

  return orrery_shape_get_kind (x) == orrery_shape_get_kind (y) &&
         orrery_shape_get_points (x) == orrery_shape_get_points (y) &&
         orrery_shape_get_triangles (x) == orrery_shape_get_triangles (y);
}

static RayMesh *
find_mesh (RayGeometry *geometry, OrreryShape *shape)
{
  RayMesh *mesh = g_hash_table_lookup (geometry->meshes, shape);

  if (mesh == NULL) {
    mesh = make_mesh (shape);
    g_hash_table_insert (geometry->meshes, orrery_shape_ref (shape), mesh);
  }
  return mesh;
}

/* --- items --- */

static void
measure_mesh (RayItem *item)
{
  const RayMesh *mesh = item->mesh;
  OrreryVec3 low = { INFINITY, INFINITY, INFINITY };
  OrreryVec3 high = { -INFINITY, -INFINITY, -INFINITY };

  for (gsize i = 0; i < (gsize) mesh->n_triangles * 3; i++) {
    const double *p = mesh->points + 3 * (gsize) mesh->triangles[i];

    /* There is no triangle with a point that is not a number; the box passes over it. */
    orrery_vec3_widen (&low, &high, &(OrreryVec3){ p[0], p[1], p[2] });
  }
  if (!orrery_vec3_is_finite (&low) || !orrery_vec3_is_finite (&high))
    low = high = (OrreryVec3){ 0 };
  item->half = orrery_vec3_subtract (&high, &low);
  item->half = orrery_vec3_divide (&item->half, 2);
  item->middle = orrery_vec3_add (&low, &item->half);
}

static void
measure (RayItem *item)
{
  double r = item->size.x, h = item->size.z;

  switch (item->kind) {
  case ORRERY_SHAPE_BOX:
    item->half = item->size;
    break;
  case ORRERY_SHAPE_SPHERE:
    item->half = (OrreryVec3){ r, r, r };
    break;
  case ORRERY_SHAPE_CAPSULE:
    item->half = (OrreryVec3){ r, r, h + r };
    break;
  case ORRERY_SHAPE_CYLINDER:
  case ORRERY_SHAPE_CONE:
    item->half = (OrreryVec3){ r, r, h };
    break;
  default:
    measure_mesh (item);
  }
  item->radius = orrery_vec3_length (&item->half);
}

/* The triangles of a hull that is flat all face one way. */
static gboolean
is_flat (const RayMesh *mesh)
{
  OrreryVec3 first = { 0 };

  for (gsize i = 0; i < mesh->n_triangles; i++) {
    const OrreryVec3 *normal = (const OrreryVec3 *) (gconstpointer) (mesh->planes + 4 * i);

    if (orrery_vec3_dot (&first, normal) < 0)
      return FALSE;
    if (orrery_vec3_dot (&first, &first) == 0)
      first = *normal;
  }
  return TRUE;
}

/* What is flat has two sides and no inside. */
static gboolean
is_convex (const RayItem *item)
{
  if (item->kind == ORRERY_SHAPE_HULL)
    return !is_flat (item->mesh);
  return item->kind != ORRERY_SHAPE_MESH && item->half.x > 0 && item->half.y > 0 &&
         item->half.z > 0;
}

/* Whether bodies feel what is part of this object. */
static gboolean
is_felt (OrreryObject *object)
{
  OrreryBodyType type;

  while (object != NULL && orrery_object_get_body (object)->type == ORRERY_BODY_NONE)
    object = orrery_object_get_parent (object);
  if (object == NULL)
    return FALSE;
  type = orrery_object_get_body (object)->type;
  return type == ORRERY_BODY_STATIC || type == ORRERY_BODY_DYNAMIC || type == ORRERY_BODY_RIGID;
}

static void
add_items (RayGeometry *geometry, OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  guint index = orrery_object_get_index (object);
  gboolean felt = shapes->len > 0 && is_felt (object);
  gboolean has_model = FALSE;

  for (guint i = 0; i < shapes->len; i++)
    has_model |=
        orrery_shape_is_visible (shapes->pdata[i]) && !orrery_shape_is_solid (shapes->pdata[i]);
  for (guint i = 0; i < shapes->len; i++) {
    OrreryShape *shape = shapes->pdata[i];
    gboolean solid = orrery_shape_is_solid (shape);
    RayItem item = {
      .kind = orrery_shape_get_kind (shape),
      .object = index,
      .shape = i,
      .number = geometry->numbers[index],
      .solid = solid && felt,
      .seen = orrery_shape_is_visible (shape) && (!solid || !has_model),
      .place = *orrery_shape_get_pose (shape),
    };

    if (item.kind >= ORRERY_SHAPE_HULL)
      item.mesh = find_mesh (geometry, shape);
    else
      item.size = *orrery_shape_get_size (shape);
    measure (&item);
    item.convex = is_convex (&item);
    g_array_append_val (geometry->items, item);
  }
}

/* Parents come before their children in the world, but their families are mixed there. */
static void
number_objects (RayGeometry *geometry)
{
  guint n = geometry->n_objects;
  g_autofree guint *sizes = g_new (guint, n);
  g_autofree guint *next = g_new (guint, n);
  guint counter = 0;

  for (guint i = 0; i < n; i++)
    sizes[i] = 1;
  for (guint i = n; i > 0; i--) {
    OrreryObject *parent =
        orrery_object_get_parent (orrery_world_get_object (geometry->world, i - 1));

    if (parent != NULL)
      sizes[orrery_object_get_index (parent)] += sizes[i - 1];
  }
  for (guint i = 0; i < n; i++) {
    OrreryObject *parent = orrery_object_get_parent (orrery_world_get_object (geometry->world, i));
    guint *place = parent != NULL ? &next[orrery_object_get_index (parent)] : &counter;

    geometry->numbers[i] = *place;
    geometry->ends[i] = *place + sizes[i];
    *place += sizes[i];
    next[i] = geometry->numbers[i] + 1;
  }
}

RayGeometry *
ray_geometry_new (OrreryWorld *world)
{
  RayGeometry *geometry = g_new0 (RayGeometry, 1);

  geometry->world = g_object_ref (world);
  geometry->items = g_array_new (FALSE, FALSE, sizeof (RayItem));
  geometry->meshes = g_hash_table_new_full (hash_shape, is_same_mesh,
                                            (GDestroyNotify) orrery_shape_unref, free_mesh);
  geometry->n_objects = orrery_world_get_n_objects (world);
  geometry->numbers = g_new0 (guint, geometry->n_objects);
  geometry->ends = g_new0 (guint, geometry->n_objects);
  number_objects (geometry);
  for (guint i = 0; i < geometry->n_objects; i++)
    add_items (geometry, orrery_world_get_object (world, i));
  return geometry;
}

void
ray_geometry_free (RayGeometry *geometry)
{
  g_clear_pointer (&geometry->items, g_array_unref);
  g_clear_pointer (&geometry->meshes, g_hash_table_unref);
  g_clear_object (&geometry->world);
  g_free (geometry->numbers);
  g_free (geometry->ends);
  g_free (geometry);
}

/* --- poses --- */

static void
move_item (RayItem *item, const OrreryTransform *pose)
{
  OrreryVec3 middle;

  item->pose = *pose;
  orrery_quat_to_matrix (&pose->rotation, &item->rotation);
  middle = orrery_mat3_apply (&item->rotation, &item->middle);
  item->centre = orrery_vec3_add (&pose->position, &middle);
}

gboolean
ray_geometry_update (RayGeometry *geometry, OrrerySnapshot *snapshot)
{
  gboolean any = FALSE;

  for (guint i = 0; i < geometry->items->len; i++) {
    RayItem *item = ray_geometry_get (geometry, i);
    OrreryObject *object = orrery_world_get_object (geometry->world, item->object);
    gboolean hidden = !orrery_object_is_visible (object);
    OrreryTransform pose;

    orrery_transform_multiply (orrery_snapshot_get_pose (snapshot, item->object), &item->place,
                               &pose);
    item->moved = hidden != item->hidden || memcmp (&pose, &item->pose, sizeof pose) != 0;
    if (!item->moved)
      continue;
    item->hidden = hidden;
    move_item (item, &pose);
    any = TRUE;
  }
  return any;
}

/* --- rays --- */

RayFilter
ray_geometry_make_filter (const RayGeometry *geometry, const OrreryRays *rays)
{
  RayFilter filter = { .sight = rays->sight };

  if (rays->skip < geometry->n_objects) {
    filter.from = geometry->numbers[rays->skip];
    filter.end = geometry->ends[rays->skip];
  }
  return filter;
}

void
ray_probe_init (RayProbe *probe, const RayFilter *filter, const RayItem *item, const OrreryRay *ray,
                const OrreryVec3 *direction)
{
  OrreryVec3 away = orrery_vec3_subtract (&ray->origin, &item->pose.position);

  probe->origin = orrery_mat3_apply_back (&item->rotation, &away);
  probe->direction = orrery_mat3_apply_back (&item->rotation, direction);
  probe->near = ray->near;
  probe->far = ray->far;
  probe->outside = ray_filter_is_outside (filter, item);
  probe->t = INFINITY;
  probe->triangle = 0;
  probe->found = FALSE;
}

void
ray_hit_set (OrreryHit *hit, const RayItem *item, const RayProbe *probe,
             const OrreryVec3 *direction)
{
  hit->distance = probe->t;
  hit->normal = orrery_mat3_apply (&item->rotation, &probe->normal);
  if (orrery_vec3_dot (&hit->normal, direction) > 0)
    hit->normal = (OrreryVec3){ -hit->normal.x, -hit->normal.y, -hit->normal.z };
  hit->object = item->object;
  hit->shape = item->shape;
  hit->triangle = probe->triangle;
}
