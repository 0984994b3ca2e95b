/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "drawing.h"

typedef void (*ReadPixels) (int x, int y, int width, int height, guint format, guint type,
                            gpointer data);

/*
 * One picture after the other of a drawing. The scene is laid about the camera, so that single
 * precision is enough wherever the camera is.
 */
typedef struct {
  OrreryWorld *world; /* borrowed */
  Drawing drawing;
  mjvScene scene;
  mjrContext context; /* whoever owns the frame makes and frees it */
  ReadPixels read_pixels;
  guint8 *bytes; /* scratch: what is read with samples, or before it is looked up */
  gsize n_bytes;
} Frame;

/* Whatever this returns, frame_clear() ends it. */
gboolean frame_init (Frame *frame, OrreryWorld *world, gpointer read_pixels, GError **error);
void frame_clear (Frame *frame);
/* What the context is made of: meshes, textures, settings. */
void frame_fill_model (const Frame *frame, mjModel *model);
/* Errors are MuJoCo's. */
void frame_draw (Frame *frame, OrrerySnapshot *snapshot, const OrreryView *view,
                 const OrreryPicture *picture);
