/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include "world/orrery-lamp.h"

#include <math.h>

/* What cameras see: the look of a shape, the key `lamp` of an object. */

static const char *const lamp_keys[] = { "kind",      "color", "energy", "distance", "angle",
                                         "direction", "blend", "on",     "shadows",  NULL };
static const char *const lamp_kinds[] = { "point", "spot", "sun", NULL };

gboolean
orrery_scene_get_color (OrreryProblems *problems, OrreryNode *node, OrreryVec3 *color)
{
  OrreryVec3 found;

  if (!orrery_scene_get_vec3 (problems, node, "color", &found))
    return FALSE;
  if (found.x < 0 || found.x > 1 || found.y < 0 || found.y > 1 || found.z < 0 || found.z > 1) {
    OrreryNode *place = orrery_node_find (node, "color");
    g_autofree char *shown = orrery_scene_show (place);

    orrery_problems_take (problems, orrery_node_error (place, ORRERY_ERROR_CONFIG,
                                                       "'color' is %s, not red, green and blue, "
                                                       "each from 0 to 1",
                                                       shown));
    return FALSE;
  }
  *color = found;
  return TRUE;
}

void
orrery_scene_read_look (OrreryProblems *problems, OrreryNode *node, OrreryShape *shape)
{
  OrreryVec3 color = { 0.8, 0.8, 0.8 };
  double alpha = 1, specular = 0, shininess = 0.5, emission = 0;
  gboolean visible = TRUE;
  gboolean given = orrery_scene_get_color (problems, node, &color);
  g_autoptr (OrreryMaterial) material = NULL;

  given |= orrery_scene_get_double (problems, node, "alpha", 0, 1, &alpha);
  given |= orrery_scene_get_double (problems, node, "specular", 0, 1, &specular);
  given |= orrery_scene_get_double (problems, node, "shininess", 0, 1, &shininess);
  given |= orrery_scene_get_double (problems, node, "emission", 0, 1, &emission);
  orrery_scene_get_bool (problems, node, "visible", &visible);
  orrery_shape_set_visible (shape, visible);
  if (!given)
    return;
  material = orrery_material_new (color.x, color.y, color.z, alpha);
  orrery_material_set_gloss (material, specular, shininess);
  orrery_material_set_emission (material, emission);
  orrery_shape_add_material (shape, material);
}

static void
read_direction (OrreryProblems *problems, OrreryNode *node, OrreryLamp *lamp)
{
  OrreryVec3 d;
  double length;

  if (!orrery_scene_get_vec3 (problems, node, "direction", &d))
    return;
  length = orrery_vec3_length (&d);
  if (length > 1e-9 && isfinite (length))
    lamp->direction = (OrreryVec3){ d.x / length, d.y / length, d.z / length };
  else
    orrery_problems_take (problems,
                          orrery_node_error (orrery_node_find (node, "direction"),
                                             ORRERY_ERROR_CONFIG,
                                             "'direction' has no length; it says where a lamp "
                                             "shines"));
}

void
orrery_scene_read_lamp (OrreryProblems *problems, OrreryNode *node, OrreryObject *object)
{
  OrreryNode *dict = orrery_scene_find (problems, node, "lamp", ORRERY_NODE_DICT);
  OrreryLamp *lamp;
  int kind;

  if (dict == NULL)
    return;
  orrery_scene_check_keys (problems, dict, lamp_keys, "a lamp");
  lamp = orrery_object_add_lamp (object);
  kind = orrery_scene_get_word (problems, dict, "kind", lamp_kinds);
  if (kind >= 0)
    lamp->kind = (OrreryLampKind) kind;
  orrery_scene_get_color (problems, dict, &lamp->color);
  orrery_scene_get_double (problems, dict, "energy", 0, 1000, &lamp->energy);
  orrery_scene_get_double (problems, dict, "distance", 1e-3, 1e6, &lamp->distance);
  orrery_scene_get_double (problems, dict, "angle", 1e-3, G_PI, &lamp->angle);
  orrery_scene_get_double (problems, dict, "blend", 0, 1, &lamp->blend);
  orrery_scene_get_bool (problems, dict, "shadows", &lamp->shadows);
  orrery_scene_get_bool (problems, dict, "on", &lamp->on);
  read_direction (problems, dict, lamp);
}
