/* SPDX-License-Identifier: BSD-3-Clause */
/* The distance between a cone and the collision shapes of an object. */
#include "roles/orrery-cone.h"

#include <math.h>

/* degrees: Blender's greatest angle of a radar. */
#define WIDEST 179.9
#define MAX_STEPS 64
/* m2, below which two shapes touch; share of a distance that is no progress any more. */
#define TOUCHING 1e-20
#define PROGRESS 1e-12

void
orrery_cone_set_angle (OrreryCone *cone, double degrees)
{
  cone->radius = cone->height * tan (CLAMP (degrees, 0, WIDEST) * G_PI / 360);
}

/* --- shapes: the point that is farthest in a direction --- */

/* A convex shape, in its own frame: its core, and how thick what is around it is. */
typedef struct {
  OrreryShapeKind kind;
  OrreryVec3 size;
  const OrreryVec3 *points; /* of a hull; or: */
  const guint32 *corners;   /* NULL, or which three of them */
  gsize n_points;
  double around; /* m */
} Core;

static OrreryVec3
find_farthest_point (const Core *core, const OrreryVec3 *way)
{
  gsize n = core->corners != NULL ? 3 : core->n_points;
  OrreryVec3 best = { 0 };
  double most = -INFINITY;

  for (gsize i = 0; i < n; i++) {
    const OrreryVec3 *point = &core->points[core->corners != NULL ? core->corners[i] : i];
    double along = orrery_vec3_dot (point, way);

    if (along <= most)
      continue;
    most = along;
    best = *point;
  }
  return best;
}

/* On the rim of a disc about z. */
static OrreryVec3
find_on_rim (double radius, double height, const OrreryVec3 *way)
{
  double length = hypot (way->x, way->y);
  double scale = length > 0 ? radius / length : 0;

  return (OrreryVec3){ scale * way->x, scale * way->y, height };
}

static OrreryVec3
find_farthest (const Core *core, const OrreryVec3 *way)
{
  const OrreryVec3 *s = &core->size;
  OrreryVec3 rim;

  switch (core->kind) {
  case ORRERY_SHAPE_BOX:
    return (OrreryVec3){ copysign (s->x, way->x), copysign (s->y, way->y),
                         copysign (s->z, way->z) };
  case ORRERY_SHAPE_SPHERE:
    return (OrreryVec3){ 0 };
  case ORRERY_SHAPE_CAPSULE:
    return (OrreryVec3){ 0, 0, copysign (s->z, way->z) };
  case ORRERY_SHAPE_CYLINDER:
    return find_on_rim (s->x, copysign (s->z, way->z), way);
  case ORRERY_SHAPE_CONE:
    rim = find_on_rim (s->x, -s->z, way);
    return orrery_vec3_dot (&rim, way) > s->z * way->z ? rim : (OrreryVec3){ 0, 0, s->z };
  default:
    return find_farthest_point (core, way);
  }
}

/* --- the simplex of Gilbert, Johnson and Keerthi (IEEE J. Robotics and Automation 4, 1988), by the
 * regions of Ericson (Real-Time Collision Detection, 2005, 5.1) --- */

typedef struct {
  OrreryVec3 points[4];
  guint n;
} Simplex;

static OrreryVec3
interpolate (const OrreryVec3 *a, const OrreryVec3 *b, double share)
{
  OrreryVec3 way = orrery_vec3_subtract (b, a);

  way = orrery_vec3_scale (&way, share);
  return orrery_vec3_add (a, &way);
}

/* The simplex becomes what is left of it; returns the point of it that is nearest to 0. */
static OrreryVec3
reduce_segment (Simplex *s)
{
  OrreryVec3 a = s->points[0], b = s->points[1];
  OrreryVec3 ab = orrery_vec3_subtract (&b, &a);
  double along = -orrery_vec3_dot (&a, &ab), whole = orrery_vec3_dot (&ab, &ab);

  if (along > 0 && along < whole)
    return interpolate (&a, &b, along / whole);
  s->n = 1;
  s->points[0] = along > 0 ? b : a;
  return s->points[0];
}

static OrreryVec3
keep_edge (Simplex *s, guint i, guint k, double share)
{
  OrreryVec3 a = s->points[i], b = s->points[k];

  *s = (Simplex){ { a, b }, 2 };
  return interpolate (&a, &b, share);
}

static OrreryVec3
keep_corner (Simplex *s, guint i)
{
  s->points[0] = s->points[i];
  s->n = 1;
  return s->points[0];
}

static OrreryVec3
reduce_triangle (Simplex *s)
{
  const OrreryVec3 *a = &s->points[0], *b = &s->points[1], *c = &s->points[2];
  OrreryVec3 ab = orrery_vec3_subtract (b, a), ac = orrery_vec3_subtract (c, a), out, part;
  double d1 = -orrery_vec3_dot (&ab, a), d2 = -orrery_vec3_dot (&ac, a);
  double d3 = -orrery_vec3_dot (&ab, b), d4 = -orrery_vec3_dot (&ac, b);
  double d5 = -orrery_vec3_dot (&ab, c), d6 = -orrery_vec3_dot (&ac, c);
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;

  if (d1 <= 0 && d2 <= 0)
    return keep_corner (s, 0);
  if (d3 >= 0 && d4 <= d3)
    return keep_corner (s, 1);
  if (vc <= 0 && d1 >= 0 && d3 <= 0)
    return keep_edge (s, 0, 1, d1 - d3 > 0 ? d1 / (d1 - d3) : 0);
  if (d6 >= 0 && d5 <= d6)
    return keep_corner (s, 2);
  if (vb <= 0 && d2 >= 0 && d6 <= 0)
    return keep_edge (s, 0, 2, d2 - d6 > 0 ? d2 / (d2 - d6) : 0);
  if (va <= 0 && d4 >= d3 && d5 >= d6)
    return keep_edge (s, 1, 2, d4 - d3 + d5 - d6 > 0 ? (d4 - d3) / (d4 - d3 + d5 - d6) : 0);
  out = orrery_vec3_scale (&ab, vb / (va + vb + vc));
  part = orrery_vec3_scale (&ac, vc / (va + vb + vc));
  out = orrery_vec3_add (&out, &part);
  return orrery_vec3_add (a, &out);
}

/* Whether 0 is not on the side of a face where the fourth corner is. */
static gboolean
is_outside (const Simplex *s, const guint face[4])
{
  const OrreryVec3 *a = &s->points[face[0]];
  OrreryVec3 ab = orrery_vec3_subtract (&s->points[face[1]], a);
  OrreryVec3 ac = orrery_vec3_subtract (&s->points[face[2]], a);
  OrreryVec3 ad = orrery_vec3_subtract (&s->points[face[3]], a);
  OrreryVec3 normal = orrery_vec3_cross (&ab, &ac);

  return -orrery_vec3_dot (a, &normal) * orrery_vec3_dot (&ad, &normal) <= 0;
}

static OrreryVec3
reduce_tetrahedron (Simplex *s)
{
  static const guint faces[4][4] = {
    { 0, 1, 2, 3 }, { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 }
  };
  Simplex best = *s;
  OrreryVec3 out = { 0 };
  double least = INFINITY;

  for (guint i = 0; i < 4; i++) {
    const guint *face = faces[i];
    Simplex part = { { s->points[face[0]], s->points[face[1]], s->points[face[2]] }, 3 };
    OrreryVec3 point;

    if (!is_outside (s, face))
      continue;
    point = reduce_triangle (&part);
    if (orrery_vec3_dot (&point, &point) >= least)
      continue;
    least = orrery_vec3_dot (&point, &point);
    out = point;
    best = part;
  }
  *s = best;
  return out;
}

static OrreryVec3
reduce (Simplex *s)
{
  switch (s->n) {
  case 1:
    return s->points[0];
  case 2:
    return reduce_segment (s);
  case 3:
    return reduce_triangle (s);
  default:
    return reduce_tetrahedron (s);
  }
}

/* --- the distance --- */

/* In the frame of the cone. */
static OrreryVec3
find_farthest_of_cone (const OrreryCone *cone, const OrreryVec3 *way)
{
  double aside = hypot (way->y, way->z);
  double scale = aside > 0 ? cone->radius / aside : 0;

  if (cone->height * way->x + cone->radius * aside <= 0)
    return (OrreryVec3){ 0 };
  return (OrreryVec3){ cone->height, scale * way->y, scale * way->z };
}

/* Of the core, moved by @at, less the cone: the point that is farthest in a direction. */
static OrreryVec3
find_support (const OrreryCone *cone, const Core *core, const OrreryTransform *at,
              const OrreryVec3 *way)
{
  OrreryVec3 back = orrery_vec3_scale (way, -1);
  OrreryVec3 here = find_farthest_of_cone (cone, &back);
  OrreryVec3 own, there;

  orrery_quat_rotate_back (&at->rotation, way, &own);
  there = find_farthest (core, &own);
  orrery_transform_apply (at, &there, &there);
  return orrery_vec3_subtract (&there, &here);
}

/* @at: of the core in the frame of the cone. */
static double
find_core_distance (const OrreryCone *cone, const Core *core, const OrreryTransform *at)
{
  Simplex simplex = { .n = 1 };
  OrreryVec3 nearest, way = { -1, 0, 0 };

  nearest = simplex.points[0] = find_support (cone, core, at, &way);
  for (guint i = 0; i < MAX_STEPS; i++) {
    double square = orrery_vec3_dot (&nearest, &nearest);
    OrreryVec3 next;

    if (square <= TOUCHING)
      return 0;
    way = orrery_vec3_scale (&nearest, -1);
    next = find_support (cone, core, at, &way);
    if (square - orrery_vec3_dot (&nearest, &next) <= PROGRESS * square)
      break;
    simplex.points[simplex.n++] = next;
    next = reduce (&simplex);
    /* Rounding has the last word where a simplex has become flat. */
    if (orrery_vec3_dot (&next, &next) >= square)
      break;
    nearest = next;
  }
  return fmax (orrery_vec3_length (&nearest) - core->around, 0);
}

/* As engines have it: what is flat on its faces keeps its size if it moves. */
static double
find_margin (const OrreryBody *body, OrreryShapeKind kind, gboolean fixed)
{
  switch (kind) {
  case ORRERY_SHAPE_HULL:
  case ORRERY_SHAPE_MESH:
  case ORRERY_SHAPE_CONE:
    return fmax (body->margin, 0);
  case ORRERY_SHAPE_BOX:
    return fixed ? fmax (body->margin, 0) : 0;
  default:
    return 0;
  }
}

static double
find_mesh_distance (const OrreryCone *cone, OrreryShape *shape, Core *core,
                    const OrreryTransform *at)
{
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  const guint32 *corners = orrery_buffer_get_data (triangles);
  double least = INFINITY;

  for (gsize i = 0; i < orrery_buffer_get_length (triangles, 0) && least > 0; i++) {
    core->corners = &corners[3 * i];
    least = fmin (least, find_core_distance (cone, core, at));
  }
  return least;
}

typedef struct {
  const OrreryCone *cone;
  const OrreryBody *body;
  OrreryTransform at; /* of the object, in the frame of the cone */
  double least;
  gboolean has_any;
} Look;

static void
look_at_shape (OrreryShape *shape, const OrreryTransform *offset, gpointer user_data)
{
  Look *look = user_data;
  gboolean fixed = look->body->type == ORRERY_BODY_STATIC;
  OrreryBuffer *points = orrery_shape_get_points (shape);
  Core core = { .kind = orrery_shape_get_kind (shape), .size = *orrery_shape_get_size (shape) };
  OrreryTransform at;
  double distance;

  look->has_any = TRUE;
  core.around = find_margin (look->body, core.kind, fixed);
  if (core.kind == ORRERY_SHAPE_SPHERE || core.kind == ORRERY_SHAPE_CAPSULE)
    core.around += core.size.x;
  if (points != NULL) {
    core.points = orrery_buffer_get_data (points);
    core.n_points = orrery_buffer_get_length (points, 0);
  }
  orrery_transform_multiply (&look->at, offset, &at);
  if (core.kind == ORRERY_SHAPE_MESH && fixed)
    distance = find_mesh_distance (look->cone, shape, &core, &at);
  else
    distance = find_core_distance (look->cone, &core, &at);
  look->least = fmin (look->least, distance);
}

double
orrery_cone_get_distance (const OrreryCone *cone, OrreryObject *object, const OrreryTransform *pose)
{
  Look look = { .cone = cone, .least = INFINITY };

  g_return_val_if_fail (cone != NULL && ORRERY_IS_OBJECT (object) && pose != NULL, INFINITY);
  look.body = orrery_object_get_body (object);
  orrery_transform_relative (&cone->pose, pose, &look.at);
  orrery_physics_foreach_shape (object, look_at_shape, &look);
  if (look.has_any)
    return look.least;
  return find_core_distance (cone, &(Core){ .kind = ORRERY_SHAPE_SPHERE }, &look.at);
}
