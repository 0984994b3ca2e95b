/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.observers.film.Film: draws a run from a free camera, one picture or a film. The renderer
 * is that of the cameras, and the tick waits while it draws.
 */
#define G_LOG_DOMAIN "orrery.observers.film"

#include "film-file.h"
#include "film-view.h"

#include <math.h>
#include <string.h>

#define MAX_COORDINATE 1e6

typedef struct {
  OrreryObserver parent_instance;

  char *path, *follow;
  GVariant *from, *at;
  double time, length, rate, fov;
  guint width, height;
  gboolean quiet;

  OrreryRenderer *renderer; /* borrowed */
  OrreryBuffer *color;
  OrreryView view;
  FilmView camera;
  FilmFile file;
  double frequency;
  guint64 n_ticks, n_pictures; /* of this epoch */
  gboolean is_film, done, failed;
  guint n_files; /* of all epochs */
} OrreryFilm;
ORRERY_DEFINE_CLASS (OrreryFilm, orrery_film, OrreryObserver, orrery_observer)

/* An empty list is no place. Returns: whether @value is fine */
static gboolean
read_place (GVariant *value, double out[3], gboolean *given)
{
  gsize n = value != NULL && g_variant_is_container (value) ? g_variant_n_children (value) : 0;
  gboolean fine = value == NULL || (g_variant_is_container (value) && (n == 0 || n == 3));

  *given = fine && n == 3;
  for (guint i = 0; fine && i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) inner = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT)
                                     ? g_variant_get_variant (child)
                                     : g_variant_ref (child);

    if (g_variant_is_of_type (inner, G_VARIANT_TYPE_DOUBLE))
      out[i] = g_variant_get_double (inner);
    else if (g_variant_is_of_type (inner, G_VARIANT_TYPE_INT64))
      out[i] = (double) g_variant_get_int64 (inner);
    else
      fine = FALSE;
    fine = fine && fabs (out[i]) <= MAX_COORDINATE;
  }
  return fine;
}

static gboolean
check_place (OrreryPart *part, GVariant *value, GError **error)
{
  double place[3];
  gboolean given;

  return read_place (value, place, &given) ||
         orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "it is no list of three numbers up to %g, nor an empty one",
                           MAX_COORDINATE);
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryFilm, path, "file", "scene.png",
                          "A picture, .png or .ppm, or a film, .mp4, .mkv, .webm or .gif; others "
                          "of the run, after a reset, are called NAME-1.png and so on",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_VARIANT (
      OrreryFilm, from, "from", "@ad []",
      "Where the camera stands, m; with follow, from the object's origin along "
      "the axes of the world; empty: where all is in the picture",
      .check = check_place, .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_VARIANT (OrreryFilm, at, "at", "@ad []",
                           "What it looks at, m, as from; empty: the middle of the scene, or the "
                           "object that it follows",
                           .check = check_place, .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryFilm, follow, "follow", "", "The object with which it moves",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryFilm, time, "time", 0, 1e9, 0,
                          "When the picture is taken, or the film begins, s from the start",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryFilm, length, "length", 0, 1e9, 0,
                          "Of the film, s of simulated time; 0: until the run ends",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryFilm, rate, "rate", 0.1, 1000, 25,
                          "Pictures of a film in a second of simulated time, Hz",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryFilm, fov, "fov", 1, 170, 45,
                          "Angle between the upper and the lower edge, deg",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryFilm, width, "width", 16, 4096, 1280, "px",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryFilm, height, "height", 16, 4096, 720, "px",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryFilm, quiet, "quiet", FALSE,
                           "Whether the log does not tell of a file that is complete",
                           .flags = ORRERY_PROPERTY_AT_START),
};

/* --- pictures --- */

/* What fails once fails again. */
static void
give_up (OrreryFilm *self, const GError *error)
{
  self->done = self->failed = TRUE;
  orrery_part_warning (self, "no more pictures: %s", error->message);
  orrery_observer_note_loss (&self->parent_instance, error->message);
}

static gboolean
draw (OrreryFilm *self, OrrerySnapshot *snapshot, GError **error)
{
  const OrreryPicture picture = { .color = self->color };

  film_view_place (&self->camera, snapshot, &self->view);
  return orrery_renderer_render (self->renderer, snapshot, &self->view, &picture, error);
}

/* A film faster than the ticks shows some of them more than once. */
static void
take_pictures (OrreryFilm *self, OrrerySnapshot *snapshot)
{
  double elapsed = (double) self->n_ticks / self->frequency - self->time;
  g_autoptr (GError) error = NULL;
  gboolean drawn = FALSE;

  while (!self->done && elapsed >= (double) self->n_pictures / self->rate - 1e-9) {
    if ((!drawn && !draw (self, snapshot, &error)) ||
        !film_file_write (&self->file, self->color, &error)) {
      give_up (self, error);
      return;
    }
    drawn = TRUE;
    self->n_pictures++;
    self->done = !self->is_film || (self->length > 0 &&
                                    (double) self->n_pictures >= self->length * self->rate - 1e-9);
  }
}

/* --- the observer --- */

static char *
name_file (OrreryFilm *self)
{
  const char *dot = strrchr (self->path, '.');
  g_autofree char *stem = NULL;

  if (self->n_files == 0 || dot == NULL)
    return g_strdup (self->path);
  stem = g_strndup (self->path, (gsize) (dot - self->path));
  return g_strdup_printf ("%s-%u%s", stem, self->n_files, dot);
}

static void
forget (OrreryFilm *self)
{
  film_file_clear (&self->file);
  g_clear_pointer (&self->color, orrery_buffer_unref);
  self->renderer = NULL;
}

static gboolean
prepare (OrreryFilm *self, const OrreryObserved *observed, GError **error)
{
  const gsize shape[] = { self->height, self->width, 4 };
  g_autofree char *path = name_file (self);
  double from[3], at[3];
  gboolean has_from, has_at;

  orrery_view_init (&self->view, self->width, self->height,
                    self->height / (2 * tan (self->fov * G_PI / 360)));
  read_place (self->from, from, &has_from);
  read_place (self->at, at, &has_at);
  self->renderer = orrery_observer_get_renderer (ORRERY_OBSERVER (self), error);
  if (self->renderer == NULL ||
      !film_view_init (&self->camera, observed, has_from ? from : NULL, has_at ? at : NULL,
                       self->follow, &self->view, error))
    return FALSE;
  self->color = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, shape);
  return film_file_open (&self->file, path, self->width, self->height, self->rate, error);
}

static gboolean
orrery_film_open (OrreryObserver *observer, const OrreryObserved *observed, GError **error)
{
  OrreryFilm *self = (OrreryFilm *) observer;

  self->frequency = observed->frequency;
  self->n_ticks = self->n_pictures = 0;
  self->done = self->failed = FALSE;
  self->is_film = film_file_is_film (self->path);
  if (!prepare (self, observed, error)) {
    forget (self);
    return FALSE;
  }
  take_pictures (self, orrery_world_get_snapshot (observed->world));
  return TRUE;
}

static void
orrery_film_tick (OrreryObserver *observer, OrreryTick *tick)
{
  OrreryFilm *self = (OrreryFilm *) observer;

  self->n_ticks++;
  if (!self->done)
    take_pictures (self, orrery_tick_get_snapshot (tick));
}

static void
orrery_film_close (OrreryObserver *observer)
{
  OrreryFilm *self = (OrreryFilm *) observer;
  g_autoptr (GError) error = NULL;

  if (self->n_pictures == 0)
    orrery_set_error (&error, ORRERY_ERROR_STATE, "%s: the run ended before %g s", self->file.path,
                      self->time);
  if (!self->failed && (error != NULL || !film_file_close (&self->file, &error)))
    give_up (self, error);
  if (!self->failed && !self->quiet)
    orrery_part_message (self, "%s: %" G_GUINT64_FORMAT " %s of %u x %u pixels", self->file.path,
                         self->n_pictures, self->n_pictures == 1 ? "picture" : "pictures",
                         self->width, self->height);
  self->n_files++;
  forget (self);
}

static void
orrery_film_class_init (OrreryFilmClass *klass)
{
  OrreryObserverClass *observer_class = ORRERY_OBSERVER_CLASS (klass);

  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  observer_class->open = orrery_film_open;
  observer_class->tick = orrery_film_tick;
  observer_class->close = orrery_film_close;
}

ORRERY_PLUGIN ("Draws a run from a free camera, as a picture or a film", "BSD-3-Clause",
               ORRERY_CLASS (Film, OrreryFilm, orrery_film))
