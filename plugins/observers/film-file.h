/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Where pictures go: a PNG or PPM file, or a film that ffmpeg encodes. */
typedef struct {
  char *path;
  guint width, height;
  double rate;          /* pictures per second */
  OrreryChild *encoder; /* NULL: not running */
} FilmFile;

/* Whether the name is that of a film, not of a single picture */
gboolean film_file_is_film (const char *path);

/* Checks the name; starts ffmpeg, where it is a film. */
gboolean film_file_open (FilmFile *file, const char *path, guint width, guint height, double rate,
                         GError **error);

/* @color: height x width x 4 */
gboolean film_file_write (FilmFile *file, OrreryBuffer *color, GError **error);

/* Waits until ffmpeg has written the rest. */
gboolean film_file_close (FilmFile *file, GError **error);

void film_file_clear (FilmFile *file);
