/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of renderers. */
#include "roles/orrery-renderer.h"

ORRERY_DEFINE_ABSTRACT_TYPE (OrreryRenderer, orrery_renderer, ORRERY_TYPE_PART)

static void
orrery_renderer_class_init (OrreryRendererClass *klass)
{
}

void
orrery_view_init (OrreryView *view, guint width, guint height, double focal)
{
  g_return_if_fail (width > 0 && width <= ORRERY_VIEW_MAX_SIZE);
  g_return_if_fail (height > 0 && height <= ORRERY_VIEW_MAX_SIZE);
  g_return_if_fail (focal > 0);

  *view = (OrreryView){ .width = width,
                        .height = height,
                        .focal = focal,
                        .center_x = width / 2.0,
                        .center_y = height / 2.0,
                        .near = 0.1,
                        .far = 100 };
  orrery_transform_identity (&view->pose);
}

static gboolean
fits (OrreryBuffer *buffer, const OrreryView *view, OrreryElement element, gsize depth)
{
  return buffer == NULL ||
         (orrery_buffer_get_element (buffer) == element &&
          orrery_buffer_get_length (buffer, 0) == view->height &&
          orrery_buffer_get_length (buffer, 1) == view->width &&
          orrery_buffer_get_size (buffer) ==
              (gsize) view->width * view->height * depth * orrery_element_get_size (element));
}

gboolean
orrery_renderer_render (OrreryRenderer *renderer, OrrerySnapshot *snapshot, const OrreryView *view,
                        const OrreryPicture *picture, GError **error)
{
  GError *local = NULL;

  g_return_val_if_fail (ORRERY_IS_RENDERER (renderer), FALSE);
  g_return_val_if_fail (view->near > 0 && view->far > view->near, FALSE);
  g_return_val_if_fail (fits (picture->color, view, ORRERY_ELEMENT_UINT8, 4), FALSE);
  g_return_val_if_fail (fits (picture->depth, view, ORRERY_ELEMENT_FLOAT, 1), FALSE);
  g_return_val_if_fail (fits (picture->objects, view, ORRERY_ELEMENT_INT32, 1), FALSE);

  ORRERY_RENDERER_GET_CLASS (renderer)->render (renderer, snapshot, view, picture, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}
