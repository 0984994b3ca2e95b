/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * What all cameras share: size, lens, when a picture is taken. The camera looks along x of its
 * frame, y is left and z is up in the picture, which stands upright on an unturned robot; points
 * are given in optical axes: x right, y down, z forward.
 */
typedef struct {
  int width;
  int height;
  double focal; /* mm, for a picture 32 mm wide */
  double fov;   /* degrees; 0: as the lens has it */
  double near;
  double far;
  gboolean flip; /* rows from the top; else from the bottom */
  gboolean capturing;
  gboolean depth;    /* the image is the depth buffer, as numbers */
  gboolean z_buffer; /* the image is the depth buffer, as grey */
  gboolean required;
  gboolean with_rays;    /* it sees by rays, whatever could draw */
  gboolean can_use_rays; /* it sees by them where nothing draws: it wants no colours */
  gint64 n_left;         /* pictures to take; below 0: until further notice */
  gboolean is_set_up;

  OrreryRenderer *renderer; /* borrowed */
  GError *no_renderer;
  OrreryRaycaster *rays; /* borrowed; NULL: it does not see by rays */
  OrreryRay *line;       /* scratch: the rays of one line, and what they meet */
  OrreryHit *hits;
  OrreryView view;
} Camera;

typedef struct {
  double near;
  double far;
  gboolean flip;
  gboolean depth; /* retrieve_depth */
} CameraDefaults;

/* From optical axes (x right, y down, z forward), in which MORSE has all of a camera, to its frame.
 */
extern const OrreryQuat camera_optical_axes;

/* @part has the camera's services, and keeps the address. */
void camera_init (Camera *camera, OrreryPart *part);
/* Properties, the service `capture`, its cancel, and the state. @place: offset of the Camera in the
 * struct. */
void camera_class_init (OrreryPartClass *klass, gssize place, const CameraDefaults *defaults);
/* The property with_rays, of a camera that may see by rays. */
void camera_class_add_rays (OrreryPartClass *klass, gssize place);

/* FALSE: an error. Without a renderer the camera is set up all the same, if it need not have one.
 */
gboolean camera_set_up (Camera *camera, OrrerySetup *setup, GError **error);
/* Where the picture's axis meets it, and how long the lens is, in pixels. */
void camera_get_intrinsics (const Camera *camera, OrreryMat3 *out);

/* FALSE: no picture is taken in this step, and the record is held; or an error. */
gboolean camera_begin (Camera *camera, OrrerySensor *sensor, OrreryRecord *record, GError **error);
/* FALSE: nobody would see the picture of this step: it counts as taken, and the record is held. Who
 * asked for a number of pictures gets them. */
gboolean camera_is_wanted (Camera *camera, OrrerySensor *sensor, OrreryRecord *record);
/* FALSE: an error. */
gboolean camera_render (Camera *camera, OrreryTick *tick, const OrreryPicture *picture,
                        GError **error);
/* A picture was taken: the call that waits for it may be done. */
void camera_end (Camera *camera, OrrerySensor *sensor);

/* Room of that shape to write to: what is there, if nobody else looks at it, or a new buffer.
 * NULL: an error, no memory. */
OrreryBuffer *camera_get_buffer (OrreryBuffer **place, OrreryElement element, guint n_dimensions,
                                 const gsize *shape, GError **error);
void camera_flip_rows (OrreryBuffer *buffer);
