/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the lamps that light a picture and sets MuJoCo's lights. */
#include "light.h"

#include <math.h>
#include <string.h>

/* OpenGL has eight lights; the first one is used for ambient light. */
#define MAX_LAMPS 7

#define AMBIENT 0.3f
/* Of a scene without lamps: from the camera, and from a sky that is brighter on one side. */
#define HEADLIGHT 0.4f
#define SKYLIGHT 0.4f

typedef struct {
  OrreryObject *object;
  double distance;
} Near;

static double
find_distance (OrreryObject *object, OrrerySnapshot *snapshot, const OrreryView *view)
{
  const OrreryVec3 *p =
      &orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object))->position;
  const OrreryVec3 *c = &view->pose.position;

  if (orrery_object_get_lamp (object)->kind == ORRERY_LAMP_SUN)
    return 0;
  return hypot (hypot (p->x - c->x, p->y - c->y), p->z - c->z);
}

/* Takes the nearest lamps that are on; at equal distance, the first in the world. */
static guint
find_lamps (const Drawing *drawing, OrrerySnapshot *snapshot, const OrreryView *view, Near *out)
{
  guint n = 0;

  for (guint i = 0; i < drawing->lamps->len; i++) {
    Near lamp = { .object = drawing->lamps->pdata[i] };
    guint at;

    if (!orrery_object_is_lit (lamp.object))
      continue;
    lamp.distance = find_distance (lamp.object, snapshot, view);
    for (at = n; at > 0 && out[at - 1].distance > lamp.distance; at--)
      if (at < MAX_LAMPS)
        out[at] = out[at - 1];
    if (at < MAX_LAMPS)
      out[at] = lamp;
    n = MIN (n + 1, MAX_LAMPS);
  }
  return n;
}

static void
set_vector (float out[3], double x, double y, double z)
{
  out[0] = (float) x;
  out[1] = (float) y;
  out[2] = (float) z;
}

/*
 * rad, from the axis of a spot: in Blender the light goes to 0 in a soft edge within the cone,
 * which is smooth in the cosine. OpenGL's cones are sharp: theirs ends where half of the light is
 * left, and between the corners of triangles it goes to 0.
 */
static double
find_edge (const OrreryLamp *lamp)
{
  double side = cos (fmin (lamp->angle / 2, G_PI / 2));

  return acos (side + (1 - side) * CLAMP (lamp->blend, 0, 1) / 2);
}

/* What the lamp is now, which is not always what its settings say. */
static void
set_light (mjvLight *light, OrreryWorld *world, OrreryObject *object)
{
  OrreryVec3 color, energy;

  orrery_world_get_quantity (world, ORRERY_QUANTITY_LIGHT_COLOR, object, &color);
  orrery_world_get_quantity (world, ORRERY_QUANTITY_ENERGY, object, &energy);
  set_vector (light->diffuse, energy.x * color.x, energy.x * color.y, energy.x * color.z);
  memcpy (light->specular, light->diffuse, sizeof light->specular);
}

static void
place_lamp (mjvLight *light, OrreryWorld *world, OrreryObject *object, OrrerySnapshot *snapshot,
            const OrreryView *view)
{
  const OrreryLamp *lamp = orrery_object_get_lamp (object);
  const OrreryTransform *pose =
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object));
  const OrreryVec3 *origin = &view->pose.position;
  OrreryVec3 d;

  orrery_quat_rotate (&pose->rotation, &lamp->direction, &d);
  set_vector (light->pos, pose->position.x - origin->x, pose->position.y - origin->y,
              pose->position.z - origin->z);
  set_vector (light->dir, d.x, d.y, d.z);
  set_light (light, world, object);
  light->directional = lamp->kind == ORRERY_LAMP_SUN;
  light->castshadow = lamp->shadows;
  light->attenuation[0] = 1;
  /* D / (D + d^2), Blender's inverse square. */
  light->attenuation[2] = light->directional ? 0 : (float) (1 / lamp->distance);
  light->cutoff = 180;
  if (lamp->kind != ORRERY_LAMP_SPOT)
    return;
  /* In its cone a spot shines with the cosine of the angle from its axis, as Blender's. */
  light->exponent = 1;
  light->cutoff = (float) (find_edge (lamp) * 180 / G_PI);
}

static void
place_sky (mjvLight *light)
{
  set_vector (light->dir, 0.36, 0.28, -0.89);
  set_vector (light->diffuse, SKYLIGHT, SKYLIGHT, SKYLIGHT);
  light->directional = 1;
  light->attenuation[0] = 1;
  light->cutoff = 180;
}

void
light_place (const Drawing *drawing, OrreryWorld *world, OrrerySnapshot *snapshot,
             const OrreryView *view, mjvScene *scene)
{
  mjvLight *base = &scene->lights[0];
  const mjvGLCamera *camera = &scene->camera[0];
  Near near[MAX_LAMPS];
  guint n = find_lamps (drawing, snapshot, view, near);
  float own = drawing->lamps->len == 0 ? HEADLIGHT : 0;

  memset (scene->lights, 0, (MAX_LAMPS + 1) * sizeof scene->lights[0]);
  memcpy (base->dir, camera->forward, sizeof base->dir);
  set_vector (base->ambient, AMBIENT, AMBIENT, AMBIENT);
  set_vector (base->diffuse, own, own, own);
  set_vector (base->specular, own / 4, own / 4, own / 4);
  base->directional = base->headlight = 1;
  base->attenuation[0] = 1;
  base->cutoff = 180;
  for (guint i = 0; i < n; i++)
    place_lamp (&scene->lights[i + 1], world, near[i].object, snapshot, view);
  scene->nlight = (int) n + 1;
  if (drawing->lamps->len == 0)
    place_sky (&scene->lights[scene->nlight++]);
}
