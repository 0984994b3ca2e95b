/* SPDX-License-Identifier: BSD-3-Clause */
#include "bullet-private.h"

gboolean
bullet_fail (GError **error, OrreryObject *object, const char *message)
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
are_factors (const OrreryVec3 *f)
{
  return is_within (f->x, 0, 1) && is_within (f->y, 0, 1) && is_within (f->z, 0, 1);
}

gboolean
bullet_check_settings (Entry *entry, GError **error)
{
  const OrreryBody *s = entry->settings;

  if (entry->motion == BULLET_FREE && !(s->mass > 0 && s->mass <= REACH))
    return bullet_fail (error, entry->object,
                        "a body that moves needs a mass above 0, at most 1e9 kg");
  if (!is_within (s->margin, 0, REACH))
    return bullet_fail (error, entry->object, "the margin is to be 0 or more");
  if (!is_within (s->friction, 0, REACH))
    return bullet_fail (error, entry->object, "the friction is to be 0 or more");
  if (!is_within (s->restitution, 0, 1))
    return bullet_fail (error, entry->object, "the restitution is to be within 0 and 1");
  if (!is_within (s->linear_damping, 0, 1) || !is_within (s->angular_damping, 0, 1))
    return bullet_fail (error, entry->object, "the damping is to be within 0 and 1");
  if (!are_factors (&s->linear_factor) || !are_factors (&s->angular_factor))
    return bullet_fail (error, entry->object, "the factors of its axes are to be within 0 and 1");
  return TRUE;
}

gboolean
bullet_is_near (const OrreryVec3 *v, double reach)
{
  return fabs (v->x) <= reach && fabs (v->y) <= reach && fabs (v->z) <= reach;
}

static gboolean
check_points (OrreryObject *object, OrreryShape *shape, double reach, GError **error)
{
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  const double *xyz = orrery_buffer_get_data (points);
  const guint32 *corners = triangles != NULL ? orrery_buffer_get_data (triangles) : NULL;
  gsize n = orrery_buffer_get_length (points, 0);
  gsize m = triangles != NULL ? 3 * orrery_buffer_get_length (triangles, 0) : 0;

  if (n == 0 || (orrery_shape_get_kind (shape) == ORRERY_SHAPE_MESH && m == 0))
    return bullet_fail (error, object, "a hull or mesh without points or triangles");
  for (gsize i = 0; i < 3 * n; i++)
    if (!(fabs (xyz[i]) <= reach))
      return bullet_fail (error, object, "a point of its shape is too far away, or is no number");
  for (gsize i = 0; i < m; i++) {
    if (corners[i] < n)
      continue;
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "object '%s': triangle %" G_GSIZE_FORMAT " of its mesh names point %u; there are "
                 "%" G_GSIZE_FORMAT,
                 orrery_object_get_name (object), i / 3, corners[i], n);
    return FALSE;
  }
  return TRUE;
}

gboolean
bullet_check_piece (Entry *entry, const BulletPiece *piece, GError **error)
{
  double reach = entry->motion == BULLET_FIXED ? REACH : MAX_MOVING_SIZE;

  if (!orrery_transform_is_finite (&piece->offset) ||
      !bullet_is_near (&piece->offset.position, reach))
    return bullet_fail (error, entry->object, "a shape is too far away, or its pose is no number");
  if (orrery_shape_get_points (piece->shape) != NULL)
    return check_points (entry->object, piece->shape, reach, error);
  if (!bullet_is_near (orrery_shape_get_size (piece->shape), reach))
    return bullet_fail (error, entry->object,
                        entry->motion == BULLET_FIXED
                            ? "a shape is larger than 1e9 m"
                            : "a shape of a body that moves is larger than 1e5 m");
  return TRUE;
}
