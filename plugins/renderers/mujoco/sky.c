/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the sky, and the grid of a ground on which motion can be seen. */
#include "sky.h"

#include <math.h>

#define GRID_SIDE 256
#define LINE_HALF 2 /* px */

static OrreryBuffer *
make_pixels (gsize height, gsize width)
{
  return orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, (gsize[]){ height, width, 3 });
}

/* --- the sky --- */

/* The colour by the height of a direction, -1 to 1: haze at the horizon, blue above, dim below. */
static void
get_color (double up, guint8 out[3])
{
  static const double zenith[3] = { 92, 140, 208 }, horizon[3] = { 206, 220, 235 },
                      nadir[3] = { 128, 132, 136 };
  const double *end = up > 0 ? zenith : nadir;
  double share = sqrt (fmin (fabs (up), 1));

  for (guint i = 0; i < 3; i++)
    out[i] = (guint8) (horizon[i] + share * (end[i] - horizon[i]) + 0.5);
}

static double
find_up (guint face, double x, double y)
{
  double length = sqrt (1 + x * x + y * y);

  return face == 2 ? 1 / length : face == 3 ? -1 / length : y / length;
}

OrreryBuffer *
sky_new (void)
{
  OrreryBuffer *pixels = make_pixels (6 * SKY_SIDE, SKY_SIDE);
  guint8 *data = orrery_buffer_get_data (pixels);

  for (guint row = 0; row < 6 * SKY_SIDE; row++)
    for (guint column = 0; column < SKY_SIDE; column++) {
      double x = 2 * (column + 0.5) / SKY_SIDE - 1, y = 1 - 2 * (row % SKY_SIDE + 0.5) / SKY_SIDE;

      get_color (find_up (row / SKY_SIDE, x, y), data + 3 * (row * SKY_SIDE + column));
    }
  return pixels;
}

/* --- the grid --- */

static gboolean
is_line (guint at)
{
  guint within = (at + LINE_HALF) % (GRID_SIDE / 2);

  return within < 2 * LINE_HALF;
}

OrreryBuffer *
grid_new (void)
{
  OrreryBuffer *pixels = make_pixels (GRID_SIDE, GRID_SIDE);
  guint8 *data = orrery_buffer_get_data (pixels);

  for (guint row = 0; row < GRID_SIDE; row++)
    for (guint column = 0; column < GRID_SIDE; column++) {
      gboolean dark = (row < GRID_SIDE / 2) != (column < GRID_SIDE / 2);
      guint8 grey = is_line (row) || is_line (column) ? 150 : dark ? 215 : 250;

      for (guint i = 0; i < 3; i++)
        data[3 * (row * GRID_SIDE + column) + i] = grey;
    }
  return pixels;
}
