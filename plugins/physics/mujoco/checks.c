/* SPDX-License-Identifier: BSD-3-Clause */
#include "model.h"

#include <math.h>

/* m, kg */
#define REACH 1e9

static gboolean
fail (GError **error, OrreryObject *object, const char *message)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "object '%s': %s",
               orrery_object_get_name (object), message);
  return FALSE;
}

static gboolean
is_within (double x, double low, double high)
{
  return x >= low && x <= high;
}

static gboolean
is_near (const OrreryVec3 *v, double reach)
{
  return fabs (v->x) <= reach && fabs (v->y) <= reach && fabs (v->z) <= reach;
}

static gboolean
check_settings (const Thing *thing, GError **error)
{
  const OrreryBody *s = thing->settings;

  if (thing->motion == MOTION_FREE && !(s->mass > 0 && s->mass <= REACH))
    return fail (error, thing->object, "a body that moves needs a mass above 0, at most 1e9 kg");
  if (thing->motion == MOTION_LINK && !is_within (s->mass, 0, REACH))
    return fail (error, thing->object, "the mass of a link is to be within 0 and 1e9 kg");
  if (!is_within (s->margin, 0, REACH) || !is_within (s->friction, 0, REACH))
    return fail (error, thing->object, "margin and friction are to be 0 or more");
  if (!is_within (s->linear_damping, 0, 1) || !is_within (s->angular_damping, 0, 1))
    return fail (error, thing->object, "the damping is to be within 0 and 1");
  if (!orrery_transform_is_finite (&thing->pose) || !is_near (&thing->pose.position, REACH))
    return fail (error, thing->object, "its pose is no number, or farther away than 1e9 m");
  return TRUE;
}

static gboolean
check_points (OrreryObject *object, OrreryShape *shape, GError **error)
{
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  const double *xyz = orrery_buffer_get_data (points);
  const guint32 *corners = triangles != NULL ? orrery_buffer_get_data (triangles) : NULL;
  gsize n = orrery_buffer_get_length (points, 0);
  gsize m = triangles != NULL ? 3 * orrery_buffer_get_length (triangles, 0) : 0;

  if (n < 3 || n > 10000000 || (orrery_shape_get_kind (shape) == ORRERY_SHAPE_MESH && m == 0))
    return fail (error, object, "a hull or mesh without points or triangles, or with too many");
  for (gsize i = 0; i < 3 * n; i++)
    if (!(fabs (xyz[i]) <= REACH))
      return fail (error, object, "a point of its shape is too far away, or is no number");
  for (gsize i = 0; i < m; i++)
    if (corners[i] >= n)
      return fail (error, object, "a triangle of its mesh names a point that is not there");
  return TRUE;
}

static gboolean
check_pieces (const Thing *thing, GError **error)
{
  for (guint i = 0; i < thing->pieces->len; i++) {
    const Piece *piece = &g_array_index (thing->pieces, Piece, i);

    if (!orrery_transform_is_finite (&piece->offset) || !is_near (&piece->offset.position, REACH))
      return fail (error, thing->object, "a shape is too far away, or its pose is no number");
    if (orrery_shape_get_points (piece->shape) != NULL) {
      if (!check_points (thing->object, piece->shape, error))
        return FALSE;
    } else if (!is_near (orrery_shape_get_size (piece->shape), REACH)) {
      return fail (error, thing->object, "a shape is larger than 1e9 m");
    }
  }
  return TRUE;
}

gboolean
model_check (const Thing *thing, GError **error)
{
  return check_settings (thing, error) && check_pieces (thing, error);
}
