/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms and points over an axis, as SVG in a page. */
#include "batch.h"

#include <math.h>

#define WIDTH 420
#define HEIGHT 240
#define LEFT 62
#define RIGHT 14
#define TOP 12
#define BOTTOM 44
#define MAX_BINS 40
#define N_STEPS 5
#define MAX_LABEL 40

typedef struct {
  double least;
  double most;
  double step; /* between two lines */
} Axis;

void
batch_append_escaped (GString *html, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = g_markup_escape_text (valid, -1);

  g_string_append (html, escaped);
}

void
batch_append_number (GString *html, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (html,
                   isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.5g", value) : "");
}

/* Coordinates need no more. */
static void
append_place (GString *html, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (html, " %s=\"%s\"", name,
                          g_ascii_formatd (text, sizeof text, "%.1f", value));
}

static void
append_label (GString *html, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *cut =
      g_utf8_strlen (valid, -1) > MAX_LABEL ? g_utf8_substring (valid, 0, MAX_LABEL - 1) : NULL;

  batch_append_escaped (html, cut != NULL ? cut : valid);
  if (cut != NULL)
    g_string_append (html, "\u2026");
}

/* Round numbers: 1, 2 or 5 times a power of ten apart. */
static Axis
make_axis (double least, double most)
{
  double raw, power, step;

  if (!(most > least)) {
    double half = least != 0 ? fabs (least) * 0.5 : 0.5;

    least -= half;
    most += half;
  }
  raw = (most / N_STEPS - least / N_STEPS);
  power = pow (10, floor (log10 (raw)));
  step = raw <= power       ? power
         : raw <= 2 * power ? 2 * power
         : raw <= 5 * power ? 5 * power
                            : 10 * power;
  return (Axis){ least, most, step };
}

static double
place_x (const Axis *axis, double value)
{
  double share = value / (axis->most - axis->least) - axis->least / (axis->most - axis->least);

  return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double
place_y (const Axis *axis, double value)
{
  double share = value / (axis->most - axis->least) - axis->least / (axis->most - axis->least);

  return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static void
append_line (GString *html, double x1, double y1, double x2, double y2, const char *class)
{
  g_string_append (html, "<line");
  append_place (html, "x1", x1);
  append_place (html, "y1", y1);
  append_place (html, "x2", x2);
  append_place (html, "y2", y2);
  g_string_append_printf (html, " class=\"%s\"/>", class);
}

static void
append_tick (GString *html, double x, double y, const char *anchor, double value, double step)
{
  g_string_append (html, "<text");
  append_place (html, "x", x);
  append_place (html, "y", y);
  g_string_append_printf (html, " text-anchor=\"%s\">", anchor);
  /* What is nearly nothing beside the step is nothing. */
  batch_append_number (html, fabs (value) < step * 1e-9 ? 0 : value);
  g_string_append (html, "</text>");
}

static void
append_axes (GString *html, const Axis *x, const Axis *y, const char *x_name, const char *y_name)
{
  double bottom = HEIGHT - BOTTOM;

  for (double at = ceil (y->least / y->step - 1e-9); at * y->step <= y->most + y->step * 1e-9;
       at++) {
    double place = place_y (y, at * y->step);

    append_line (html, LEFT, place, WIDTH - RIGHT, place, "grid");
    append_tick (html, LEFT - 6, place + 4, "end", at * y->step, y->step);
  }
  for (double at = ceil (x->least / x->step - 1e-9); at * x->step <= x->most + x->step * 1e-9;
       at++) {
    double place = place_x (x, at * x->step);

    append_line (html, place, bottom, place, bottom + 4, "axis");
    append_tick (html, place, bottom + 17, "middle", at * x->step, x->step);
  }
  append_line (html, LEFT, bottom, WIDTH - RIGHT, bottom, "axis");
  g_string_append_printf (html, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"name\">",
                          (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
  append_label (html, x_name);
  g_string_append_printf (html,
                          "</text><text transform=\"translate(13 %d) rotate(-90)\" "
                          "text-anchor=\"middle\" class=\"name\">",
                          (TOP + HEIGHT - BOTTOM) / 2);
  append_label (html, y_name);
  g_string_append (html, "</text>");
}

static void
begin_plot (GString *html, const char *what, const char *x_name, const char *y_name)
{
  g_string_append_printf (html, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s", WIDTH,
                          HEIGHT, what);
  batch_append_escaped (html, y_name);
  if (x_name != NULL) {
    g_string_append (html, " over ");
    batch_append_escaped (html, x_name);
  }
  g_string_append (html, "\">");
}

/* Returns: how many are finite */
static guint64
find_range (const double *values, guint64 n, double *least, double *most)
{
  guint64 found = 0;

  for (guint64 i = 0; i < n; i++) {
    if (!isfinite (values[i]))
      continue;
    *least = found == 0 ? values[i] : MIN (*least, values[i]);
    *most = found == 0 ? values[i] : MAX (*most, values[i]);
    found++;
  }
  return found;
}

void
batch_plot_histogram (GString *html, const char *name, const double *values, guint64 n)
{
  double least = 0, most = 0, greatest = 0;
  guint64 found = find_range (values, n, &least, &most);
  double counts[MAX_BINS] = { 0 };
  guint n_bins = (guint) CLAMP (sqrt ((double) found), 1, MAX_BINS);
  Axis x, y;

  if (found == 0)
    return;
  x = make_axis (least, most);
  for (guint64 i = 0; i < n; i++) {
    double share;

    if (!isfinite (values[i]))
      continue;
    share = values[i] / (x.most - x.least) - x.least / (x.most - x.least);
    counts[(guint) CLAMP (share * n_bins, 0, n_bins - 1)]++;
  }
  for (guint i = 0; i < n_bins; i++)
    greatest = MAX (greatest, counts[i]);
  y = make_axis (0, greatest);
  y.step = MAX (y.step, 1);
  begin_plot (html, "Histogram of ", NULL, name);
  append_axes (html, &x, &y, name, "runs");
  for (guint i = 0; i < n_bins; i++) {
    double width = (double) (WIDTH - LEFT - RIGHT) / n_bins;
    double top = place_y (&y, counts[i]);

    if (counts[i] == 0)
      continue;
    g_string_append (html, "<rect");
    append_place (html, "x", LEFT + i * width + 0.5);
    append_place (html, "y", top);
    append_place (html, "width", MAX (width - 1, 0.5));
    append_place (html, "height", HEIGHT - BOTTOM - top);
    g_string_append_printf (html, " class=\"bar\"><title>%.0f</title></rect>", counts[i]);
  }
  g_string_append (html, "</svg>\n");
}

void
batch_plot_points (GString *html, const char *x_name, const char *y_name, const double *x,
                   const double *y, guint64 n)
{
  double least = 0, most = 0;
  Axis across, up;

  if (find_range (x, n, &least, &most) == 0)
    return;
  across = make_axis (least - (most - least) * 0.03, most + (most - least) * 0.03);
  if (find_range (y, n, &least, &most) == 0)
    return;
  up = make_axis (least - (most - least) * 0.03, most + (most - least) * 0.03);
  begin_plot (html, "Points of ", x_name, y_name);
  append_axes (html, &across, &up, x_name, y_name);
  for (guint64 i = 0; i < n; i++) {
    if (!isfinite (x[i]) || !isfinite (y[i]))
      continue;
    g_string_append (html, "<circle");
    append_place (html, "cx", place_x (&across, x[i]));
    append_place (html, "cy", place_y (&up, y[i]));
    g_string_append (html, " r=\"2.5\" class=\"point\"/>");
  }
  g_string_append (html, "</svg>\n");
}
