/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "drawing.h"

/* What is called of OpenGL beside MuJoCo; its header comes with a library that this plugin does not
 * link with. */
typedef struct {
  void (*read_pixels) (int x, int y, int width, int height, guint format, guint type,
                       gpointer data);
  void (*bind_framebuffer) (guint target, guint framebuffer);
  void (*blit_framebuffer) (int x0, int y0, int x1, int y1, int to_x0, int to_y0, int to_x1,
                            int to_y1, guint mask, guint filter);
  void (*enable) (guint capability);
  void (*disable) (guint capability);
  void (*polygon_offset) (float factor, float units);
} FrameCalls;

/*
 * One picture after the other of a drawing. The scene is laid about the camera, so that single
 * precision is enough wherever the camera is.
 */
typedef struct {
  OrreryWorld *world; /* borrowed */
  guint n_objects;    /* of the world, when the drawing was made */
  Drawing drawing;
  mjvScene scene;
  mjrContext context; /* whoever owns the frame makes and frees it */
  FrameCalls calls;
  guint8 *bytes; /* scratch: what is read with samples, or before it is looked up */
  gsize n_bytes;
} Frame;

/* Whatever this returns, frame_clear() ends it. */
gboolean frame_init (Frame *frame, OrreryWorld *world, const FrameCalls *calls, GError **error);
void frame_clear (Frame *frame);
/* FALSE: objects were added to the world since. */
gboolean frame_has_all (const Frame *frame);
/* What the context is made of: meshes, textures, settings. */
void frame_fill_model (const Frame *frame, mjModel *model);
/* Errors are MuJoCo's. */
void frame_draw_color (Frame *frame, OrrerySnapshot *snapshot, const OrreryView *view,
                       OrreryBuffer *color);
/* Depths and objects, of a context without samples. */
void frame_draw_data (Frame *frame, OrrerySnapshot *snapshot, const OrreryView *view,
                      const OrreryPicture *picture);
