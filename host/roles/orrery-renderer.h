/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"

G_BEGIN_DECLS

/**
 * ORRERY_VIEW_MAX_SIZE:
 *
 * A picture has at most so many pixels in each direction.
 */
#define ORRERY_VIEW_MAX_SIZE 8192

/**
 * OrreryView:
 * @pose: of the camera in the world; it looks along x, y is left and z is up in the picture
 * @width: px
 * @height: px
 * @focal: px: what lies 1 m beside the axis at 1 m is so many pixels beside its point
 * @center_x: where the axis meets the picture, px from its left edge
 * @center_y: the same, px from its upper edge
 * @near: m along the axis: what is nearer is not drawn; above 0
 * @far: m along the axis: what is farther is not drawn; above @near
 *
 * A pinhole camera without distortion. The point (x, y, z) of the camera's frame lies at
 * (center_x - focal y/x, center_y - focal z/x) in the picture (Hartley and Zisserman, Multiple View
 * Geometry, 6.1); pixel i reaches from i to i + 1.
 */
typedef struct {
  OrreryTransform pose;
  guint width;
  guint height;
  double focal;
  double center_x;
  double center_y;
  double near;
  double far;
} OrreryView;

/**
 * OrreryPicture:
 * @color: (nullable): uint8, height x width x 4: red, green, blue, alpha, which is 255; the sky
 *   where nothing is seen
 * @depth: (nullable): float32, height x width: m along the axis of the camera, infinite where
 * nothing is seen
 * @objects: (nullable): int32, height x width: index of the object that is seen, -1 for none
 *
 * The buffers that a view is drawn into, or %NULL for those that are not needed. Rows from the top.
 * Owned by the caller.
 */
typedef struct {
  OrreryBuffer *color;
  OrreryBuffer *depth;
  OrreryBuffer *objects;
} OrreryPicture;

/**
 * OrreryRenderer:
 *
 * Draws what cameras see. It builds its model from the world's objects (visible shapes, materials,
 * lamps), whichever engine moves them. Made when the first camera of a process asks for it, and
 * used by one thread at a time.
 */
#define ORRERY_TYPE_RENDERER (orrery_renderer_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryRenderer, orrery_renderer, ORRERY, RENDERER, OrreryPart)

/**
 * OrreryRendererClass:
 * @build: makes the renderer's own model of the world, once; here it fails where a library or a
 * device is missing
 * @render: draws one view of what @snapshot shows
 */
struct _OrreryRendererClass {
  OrreryPartClass parent_class;

  void (*build) (OrreryRenderer *self, OrreryWorld *world, GError **error);
  void (*render) (OrreryRenderer *self, OrrerySnapshot *snapshot, const OrreryView *view,
                  const OrreryPicture *picture, GError **error);

  /*< private >*/
  gpointer _reserved[8];
};

/**
 * orrery_view_init: (skip)
 * @view: what becomes a view from the origin, from 0.1 m to 100 m
 * @width: px, 1 to %ORRERY_VIEW_MAX_SIZE
 * @height: px, 1 to %ORRERY_VIEW_MAX_SIZE
 * @focal: px, above 0
 *
 * Its axis meets the picture in the middle.
 */
ORRERY_API void orrery_view_init (OrreryView *view, guint width, guint height, double focal);

/**
 * orrery_renderer_render: (skip)
 * @snapshot: what is seen
 * @view: from where
 * @picture: buffers of the view's size, which are filled
 *
 * Draws a view, and waits until it is drawn. The buffers have the elements and sizes that
 * #OrreryPicture says; others are a programming error, as is a view whose range is not in order.
 * After an error their content is undefined. One thread at a time.
 *
 * Returns: %TRUE, or %FALSE with the error of the engine
 */
ORRERY_API gboolean orrery_renderer_render (OrreryRenderer *renderer, OrrerySnapshot *snapshot,
                                            const OrreryView *view, const OrreryPicture *picture,
                                            GError **error);

G_END_DECLS
