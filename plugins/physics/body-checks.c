/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether an engine can simulate a body; errors name the object. */
#include "bodies.h"

#include <math.h>

/* Of a hull or a mesh. */
#define MAX_POINTS 10000000

gboolean
body_fail (GError **error, OrreryObject *object, const char *message)
{
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "object '%s': %s",
                           orrery_object_get_name (object), message);
}

gboolean
body_is_near (const OrreryVec3 *v, double reach)
{
  return fabs (v->x) <= reach && fabs (v->y) <= reach && fabs (v->z) <= reach;
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

static gboolean
check_settings (const Body *body, GError **error)
{
  const OrreryBody *s = body->settings;
  const char *message = NULL;

  if (!orrery_transform_is_finite (&body->pose) || !body_is_near (&body->pose.position, BODY_REACH))
    message = "its pose is no number, or farther away than 1e9 m";
  else if (body->motion == MOTION_FREE && !(s->mass > 0 && s->mass <= BODY_REACH))
    message = "a body that moves needs a mass above 0, at most 1e9 kg";
  else if (body->motion == MOTION_LINK && !is_within (s->mass, 0, BODY_REACH))
    message = "the mass of a link is to be within 0 and 1e9 kg";
  else if (s->margin != ORRERY_NO_MARGIN && !is_within (s->margin, 0, BODY_REACH))
    message = "the margin is to be 0 or more, or -1 for none";
  else if (!is_within (s->friction, 0, BODY_REACH))
    message = "the friction is to be 0 or more";
  else if (!is_within (s->restitution, 0, 1))
    message = "the restitution is to be within 0 and 1";
  else if (!is_within (s->linear_damping, 0, 1) || !is_within (s->angular_damping, 0, 1))
    message = "the damping is to be within 0 and 1";
  else if (!are_factors (&s->linear_factor) || !are_factors (&s->angular_factor))
    message = "the factors of its axes are to be within 0 and 1";
  return message == NULL || body_fail (error, body->object, message);
}

static gboolean
check_triangles (OrreryObject *object, OrreryBuffer *triangles, gsize n_points, GError **error)
{
  const guint32 *corners = orrery_buffer_get_data (triangles);
  gsize n = 3 * orrery_buffer_get_length (triangles, 0);

  for (gsize i = 0; i < n; i++) {
    if (corners[i] < n_points)
      continue;
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "object '%s': triangle %" G_GSIZE_FORMAT
                             " of its mesh names point %u; there are "
                             "%" G_GSIZE_FORMAT,
                             orrery_object_get_name (object), i / 3, corners[i], n_points);
  }
  return TRUE;
}

static gboolean
check_points (OrreryObject *object, OrreryShape *shape, double reach, GError **error)
{
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  const double *xyz = orrery_buffer_get_data (points);
  gsize n = orrery_buffer_get_length (points, 0);
  gboolean mesh = orrery_shape_get_kind (shape) == ORRERY_SHAPE_MESH;

  if (n == 0 || (mesh && (triangles == NULL || orrery_buffer_get_length (triangles, 0) == 0)))
    return body_fail (error, object, "a hull or mesh without points or triangles");
  if (n > MAX_POINTS)
    return body_fail (error, object, "a hull or mesh of more than 10,000,000 points");
  for (gsize i = 0; i < 3 * n; i++)
    if (!(fabs (xyz[i]) <= reach))
      return body_fail (error, object, "a point of its shape is too far away, or is no number");
  return triangles == NULL || check_triangles (object, triangles, n, error);
}

static gboolean
check_piece (const Body *body, const Piece *piece, double max_moving, GError **error)
{
  double reach = body->motion == MOTION_FIXED ? BODY_REACH : max_moving;

  if (!orrery_transform_is_finite (&piece->offset) ||
      !body_is_near (&piece->offset.position, reach))
    return body_fail (error, body->object, "a shape is too far away, or its pose is no number");
  if (orrery_shape_get_points (piece->shape) != NULL)
    return check_points (body->object, piece->shape, reach, error);
  if (body_is_near (orrery_shape_get_size (piece->shape), reach))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "object '%s': a shape%s is larger than %g m",
                           orrery_object_get_name (body->object),
                           body->motion == MOTION_FIXED ? "" : " of a body that moves", reach);
}

gboolean
body_check (const Body *body, double max_moving, GError **error)
{
  if (!check_settings (body, error))
    return FALSE;
  for (guint i = 0; i < body->pieces->len; i++)
    if (!check_piece (body, &g_array_index (body->pieces, Piece, i), max_moving, error))
      return FALSE;
  return TRUE;
}
