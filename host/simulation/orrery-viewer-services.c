/* SPDX-License-Identifier: BSD-3-Clause */
/* Services of `simulation` for the camera of a viewer. */
#include "simulation/orrery-simulation-private.h"

#include "part/orrery-part-private.h"

#include <math.h>
#include <string.h>

/* There is no window; the numbers are stored for viewers, which query them. */

#define ORRERY_TYPE_VIEWER_SERVICES (orrery_viewer_services_get_type ())
G_DECLARE_FINAL_TYPE (OrreryViewerServices, orrery_viewer_services, ORRERY, VIEWER_SERVICES,
                      OrrerySystemPart)

struct _OrreryViewerServices {
  OrrerySystemPart parent_instance;
  double transform[16]; /* rows, in the world */
  double projection[16];
  double far_clip; /* m */
};

G_DEFINE_FINAL_TYPE (OrreryViewerServices, orrery_viewer_services, ORRERY_TYPE_SYSTEM_PART)

static gboolean
read_matrix (OrreryCall *call, double out[16], GError **error)
{
  g_autoptr (GVariant) rows = g_variant_get_variant (orrery_call_get_argument (call, 0));
  double read[16];
  gboolean fine = g_variant_is_container (rows) && g_variant_n_children (rows) == 4;

  for (gsize i = 0; fine && i < 4; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (rows, i);
    g_autoptr (GVariant) row = orrery_system_part_unbox (child);

    fine = orrery_system_part_read_numbers (row, 4, &read[4 * i]);
  }
  if (fine)
    memcpy (out, read, sizeof read);
  else
    orrery_set_error (error, ORRERY_ERROR_INVALID, "The Matrix must be 4x4 [[float]]");
  return fine;
}

static void
return_matrix (OrreryCall *call, const double m[16])
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aad"));
  for (guint i = 0; i < 4; i++)
    g_variant_builder_add_value (&rows, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &m[4 * i],
                                                                   4, sizeof (double)));
  orrery_call_return (call, g_variant_builder_end (&rows));
}

static void
return_position (OrreryCall *call, OrreryViewerServices *self)
{
  const double p[] = { self->transform[3], self->transform[7], self->transform[11] };

  orrery_call_return (call,
                      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, p, 3, sizeof (double)));
}

static void
set_far_clip (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryViewerServices *self = ORRERY_VIEWER_SERVICES (part);
  double clip = orrery_call_get_double (call, 0);

  if (clip > 0)
    self->far_clip = clip;
  orrery_call_return (call, g_variant_new_double (clip > 0 ? clip : 0));
}

static void
set_position (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryViewerServices *self = ORRERY_VIEWER_SERVICES (part);
  g_autoptr (GVariant) list = g_variant_get_variant (orrery_call_get_argument (call, 0));
  double p[3];

  if (!orrery_system_part_read_numbers (list, 3, p)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a position is [x, y, z], all finite");
    return;
  }
  self->transform[3] = p[0];
  self->transform[7] = p[1];
  self->transform[11] = p[2];
  return_position (call, self);
}

static void
get_position (OrreryPart *part, OrreryCall *call, GError **error)
{
  return_position (call, ORRERY_VIEWER_SERVICES (part));
}

static void
set_transform (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryViewerServices *self = ORRERY_VIEWER_SERVICES (part);

  if (read_matrix (call, self->transform, error))
    return_matrix (call, self->transform);
}

static void
get_transform (OrreryPart *part, OrreryCall *call, GError **error)
{
  return_matrix (call, ORRERY_VIEWER_SERVICES (part)->transform);
}

static void
set_projection (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryViewerServices *self = ORRERY_VIEWER_SERVICES (part);

  if (read_matrix (call, self->projection, error))
    return_matrix (call, self->projection);
}

static void
get_projection (OrreryPart *part, OrreryCall *call, GError **error)
{
  return_matrix (call, ORRERY_VIEWER_SERVICES (part)->projection);
}

static const OrreryService services[] = {
  { "set_camarafp_far_clip", set_far_clip, ORRERY_SERVICE_IMMEDIATE, "far_clip:d",
    "How far the camera sees, m; 0 if it is not above 0, and nothing changes" },
  { "set_camarafp_position", set_position, ORRERY_SERVICE_IMMEDIATE, "position:v",
    "Puts the camera at [x, y, z]" },
  { "get_camarafp_position", get_position, ORRERY_SERVICE_IMMEDIATE, "", "Where the camera is" },
  { "set_camarafp_transform", set_transform, ORRERY_SERVICE_IMMEDIATE, "transform:v",
    "Puts and turns the camera: 4 rows of 4 numbers" },
  { "get_camarafp_transform", get_transform, ORRERY_SERVICE_IMMEDIATE, "",
    "How the camera is put and turned: 4 rows of 4 numbers" },
  { "set_camarafp_projection_matrix", set_projection, ORRERY_SERVICE_IMMEDIATE,
    "projection_matrix:v", "How the camera draws: 4 rows of 4 numbers" },
  { "get_camarafp_projection_matrix", get_projection, ORRERY_SERVICE_IMMEDIATE, "",
    "How the camera draws: 4 rows of 4 numbers" },
};

static void
orrery_viewer_services_class_init (OrreryViewerServicesClass *klass)
{
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
orrery_viewer_services_init (OrreryViewerServices *self)
{
  for (guint i = 0; i < 16; i++)
    self->transform[i] = self->projection[i] = i % 5 == 0;
  self->far_clip = 100;
}
