/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* A free camera: where it stands and what it looks at. */
typedef struct {
  OrreryVec3 eye;    /* m, in the world or, where it follows, from the object's origin along the
                        axes of the world */
  OrreryVec3 target; /* the same */
  int followed;      /* index of an object; -1: none */
} FilmView;

/* Places the camera. @from, @at: (nullable): as FilmView has them; without @at it looks at the
 * object that it follows, or at the robots, without @from from where all of that is
 * in the picture. @follow: name of an object, or "". Of @out width, height and focal are set; near
 * and far are set here. */
gboolean film_view_init (FilmView *view, const OrreryObserved *observed, const double *from,
                         const double *at, const char *follow, OrreryView *out, GError **error);

/* Sets the pose of @out. */
void film_view_place (const FilmView *view, OrrerySnapshot *snapshot, OrreryView *out);
