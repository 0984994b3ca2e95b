/* SPDX-License-Identifier: BSD-3-Clause */
/* Places a camera so that a scene, or an object of it, is in the picture. */
#include "film-view.h"

#include <math.h>

/* Floors, skies and whole landscapes do not count: m across, m high, m2. */
#define MAX_SIZE 60
#define FLAT 0.3
#define FLOOR_AREA 50
/* How much is seen around robots: m, or a part of what they take */
#define AROUND 1.2
#define AROUND_PART 0.15
/* m; an object that has no shape, or is very small, is not looked at from nearer. */
#define MIN_RADIUS 0.4
#define MIN_FAR 500
/* Depths have 24 bits. */
#define FAR_TO_NEAR 10000

typedef struct {
  OrreryVec3 lower, upper;
} Box;

static void
box_clear (Box *box)
{
  box->lower = (OrreryVec3){ INFINITY, INFINITY, INFINITY };
  box->upper = (OrreryVec3){ -INFINITY, -INFINITY, -INFINITY };
}

static gboolean
box_is_empty (const Box *box)
{
  return !(box->lower.x <= box->upper.x);
}

static void
box_add (Box *box, const OrreryVec3 *lower, const OrreryVec3 *upper)
{
  box->lower.x = fmin (box->lower.x, lower->x);
  box->lower.y = fmin (box->lower.y, lower->y);
  box->lower.z = fmin (box->lower.z, lower->z);
  box->upper.x = fmax (box->upper.x, upper->x);
  box->upper.y = fmax (box->upper.y, upper->y);
  box->upper.z = fmax (box->upper.z, upper->z);
}

static OrreryVec3
box_get_center (const Box *box)
{
  return (OrreryVec3){ (box->lower.x + box->upper.x) / 2, (box->lower.y + box->upper.y) / 2,
                       (box->lower.z + box->upper.z) / 2 };
}

/* Half of its diagonal */
static double
box_get_radius (const Box *box)
{
  return hypot (hypot (box->upper.x - box->lower.x, box->upper.y - box->lower.y),
                box->upper.z - box->lower.z) /
         2;
}

/* Whether a shape between these corners is the surroundings of others */
static gboolean
is_around (const OrreryVec3 *lower, const OrreryVec3 *upper)
{
  double x = upper->x - lower->x, y = upper->y - lower->y, z = upper->z - lower->z;

  return MAX (MAX (x, y), z) > MAX_SIZE || (z < FLAT && x * y > FLOOR_AREA);
}

/* @whole: with floors and what is large */
static void
add_object (Box *box, OrreryObject *object, const OrreryTransform *pose, gboolean whole)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);

  for (guint i = 0; i < shapes->len && orrery_object_is_visible (object); i++) {
    OrreryVec3 lower, upper;

    if (!orrery_shape_is_visible (shapes->pdata[i]))
      continue;
    orrery_shape_get_bounds (shapes->pdata[i], pose, &lower, &upper);
    if (whole || !is_around (&lower, &upper))
      box_add (box, &lower, &upper);
  }
}

static gboolean
is_below (OrreryObject *object, OrreryObject *above)
{
  while (object != NULL && object != above)
    object = orrery_object_get_parent (object);
  return object != NULL;
}

/* Adds an object and those below it; %NULL: all. */
static void
add_tree (Box *box, OrreryWorld *world, OrreryObject *top, gboolean whole)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);

  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (top == NULL || is_below (object, top))
      add_object (box, object, orrery_snapshot_get_pose (snapshot, i), whole);
  }
}

/* What somebody wants to see who asks for nothing: the robots and a little around them. */
static void
measure_robots (Box *box, const OrreryObserved *observed)
{
  double more;

  for (guint i = 0; i < observed->n_components; i++)
    if (ORRERY_IS_ROBOT (observed->components[i]))
      add_tree (box, observed->world, orrery_component_get_object (observed->components[i]), FALSE);
  if (box_is_empty (box))
    return;
  more = MAX (AROUND, AROUND_PART * 2 * box_get_radius (box));
  box->lower.x -= more;
  box->lower.y -= more;
  box->upper.x += more;
  box->upper.y += more;
  box->upper.z += more;
}

/* @all: of everything. @top: (nullable) */
static void
measure (Box *box, const OrreryObserved *observed, const Box *all, OrreryObject *top)
{
  box_clear (box);
  if (top != NULL)
    add_tree (box, observed->world, top, TRUE);
  else
    measure_robots (box, observed);
  if (box_is_empty (box) && top == NULL)
    add_tree (box, observed->world, NULL, FALSE);
  if (box_is_empty (box) && top == NULL)
    *box = *all;
  if (box_is_empty (box))
    *box = (Box){ { 0, 0, 0 }, { 0, 0, 0 } };
}

/* From the side, a little from above. */
static void
stand_off (FilmView *view, double radius, const OrreryView *picture)
{
  static const OrreryVec3 way = { -0.62, -0.64, 0.454 };
  double half = atan (MIN (picture->width, picture->height) / (2 * picture->focal));
  double distance = 1.05 * MAX (radius, MIN_RADIUS) / sin (half);

  view->eye = (OrreryVec3){ view->target.x + distance * way.x, view->target.y + distance * way.y,
                            view->target.z + distance * way.z };
}

static OrreryVec3
to_vec3 (const double *values)
{
  return (OrreryVec3){ values[0], values[1], values[2] };
}

gboolean
film_view_init (FilmView *view, const OrreryObserved *observed, const double *from,
                const double *at, const char *follow, OrreryView *out, GError **error)
{
  OrreryWorld *world = observed->world;
  OrreryObject *followed = *follow != '\0' ? orrery_world_find_object (world, follow) : NULL;
  OrreryVec3 origin = { 0, 0, 0 };
  Box all, box;
  double across;

  if (*follow != '\0' && followed == NULL) {
    g_autofree const char **names = orrery_world_get_names (world);
    g_autofree char *nearest = orrery_nearest_names (follow, names);

    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "follow: no object '%s'%s", follow,
                             nearest);
  }
  box_clear (&all);
  add_tree (&all, world, NULL, TRUE);
  measure (&box, observed, &all, followed);
  view->followed = followed != NULL ? (int) orrery_object_get_index (followed) : -1;
  if (followed != NULL)
    origin = orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                       orrery_object_get_index (followed))
                 ->position;
  view->target = followed != NULL ? (OrreryVec3){ 0, 0, 0 } : box_get_center (&box);
  if (at != NULL)
    view->target = to_vec3 (at);
  stand_off (view, followed != NULL ? 2 * box_get_radius (&box) : box_get_radius (&box), out);
  if (from != NULL)
    view->eye = to_vec3 (from);
  if (view->eye.x == view->target.x && view->eye.y == view->target.y &&
      view->eye.z == view->target.z)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "from and at are the same point; there is no way to look");
  across = box_is_empty (&all) ? 0 : 2 * box_get_radius (&all);
  out->far = MAX (MIN_FAR, 3 * (across + fabs (view->eye.x + origin.x) +
                                fabs (view->eye.y + origin.y) + fabs (view->eye.z + origin.z)));
  out->near = out->far / FAR_TO_NEAR;
  return TRUE;
}

void
film_view_place (const FilmView *view, OrrerySnapshot *snapshot, OrreryView *out)
{
  double x = view->target.x - view->eye.x, y = view->target.y - view->eye.y,
         z = view->target.z - view->eye.z;
  /* Straight down, x of the world is to the right. */
  double yaw = x != 0 || y != 0 ? atan2 (y, x) : G_PI_2;

  orrery_transform_identity (&out->pose);
  out->pose.position = view->eye;
  orrery_quat_from_euler (0, atan2 (-z, hypot (x, y)), yaw, &out->pose.rotation);
  if (view->followed >= 0) {
    const OrreryVec3 *origin =
        &orrery_snapshot_get_pose (snapshot, (guint) view->followed)->position;

    out->pose.position.x += origin->x;
    out->pose.position.y += origin->y;
    out->pose.position.z += origin->z;
  }
}
