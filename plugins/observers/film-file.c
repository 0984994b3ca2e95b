/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes pictures: one by GdkPixbuf, many by ffmpeg, a child that reads them from a pipe. */
#include "film-file.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

/* What one picture, and the end of the film, may take in ffmpeg. */
#define PICTURE_LIMIT (20 * ORRERY_SECOND)
#define END_LIMIT (120 * ORRERY_SECOND)
#define MAX_MEMORY ((guint64) 8 << 30)
#define MAX_WORDS 4096

static const char *const films[] = { ".mp4", ".mkv", ".webm", ".gif", NULL };

static gboolean
ends_with (const char *path, const char *ending)
{
  gsize length = strlen (path), n = strlen (ending);

  return length > n && g_ascii_strcasecmp (path + length - n, ending) == 0;
}

gboolean
film_file_is_film (const char *path)
{
  for (guint i = 0; films[i] != NULL; i++)
    if (ends_with (path, films[i]))
      return TRUE;
  return FALSE;
}

/* ffmpeg takes its output for an option or an address otherwise. */
static char *
make_plain (const char *path)
{
  return g_path_is_absolute (path) ? g_strconcat ("file:", path, NULL)
                                   : g_strconcat ("file:./", path, NULL);
}

static gboolean
start_encoder (FilmFile *file, GError **error)
{
  g_autofree char *size = g_strdup_printf ("%ux%u", file->width, file->height);
  g_autofree char *output = make_plain (file->path);
  char rate[G_ASCII_DTOSTR_BUF_SIZE];
  /* The shell puts what ffmpeg says of a failure where it can be read. */
  const char *argv[40] = { "sh",       "-c",       "exec ffmpeg \"$@\" 2>&1",
                           "ffmpeg",   "-nostdin", "-v",
                           "error",    "-y",       "-f",
                           "rawvideo", "-pix_fmt", "rgba",
                           "-s",       size,       "-r",
                           rate,       "-i",       "-" };
  guint n = 18;
  const OrreryChildSpec spec = {
    .argv = argv,
    .flags =
        ORRERY_CHILD_INPUT | ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP | ORRERY_CHILD_NO_CORE,
    .max_memory = MAX_MEMORY,
  };

  g_ascii_dtostr (rate, sizeof rate, file->rate);
  if (!ends_with (file->path, ".gif")) {
    argv[n++] = "-pix_fmt";
    argv[n++] = "yuv420p";
  }
  if (ends_with (file->path, ".mp4")) {
    argv[n++] = "-movflags";
    argv[n++] = "+faststart";
  }
  argv[n++] = output;
  file->encoder = orrery_child_new (&spec, error);
  return file->encoder != NULL && orrery_child_start (file->encoder, error);
}

gboolean
film_file_open (FilmFile *file, const char *path, guint width, guint height, double rate,
                GError **error)
{
  g_autofree char *ffmpeg = NULL;

  *file = (FilmFile){ .path = g_strdup (path), .width = width, .height = height, .rate = rate };
  if (ends_with (path, ".png") || ends_with (path, ".ppm"))
    return TRUE;
  if (!film_file_is_film (path))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: pictures are written as .png or .ppm, films as .mp4, .mkv, "
                             ".webm or .gif",
                             path);
  if (width % 2 != 0 || height % 2 != 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "a film of %u x %u pixels cannot be encoded; both have to be even",
                             width, height);
  ffmpeg = g_find_program_in_path ("ffmpeg");
  if (ffmpeg == NULL)
    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                             "films are encoded by ffmpeg, which is not installed (Debian: the "
                             "package ffmpeg)");
  return start_encoder (file, error);
}

/* Netpbm's P6: what programs read without a library, and without the time that a PNG file takes */
static gboolean
write_ppm (FilmFile *file, const guint8 *pixels, GError **error)
{
  gsize n = (gsize) file->width * file->height;
  g_autoptr (GError) local = NULL;
  g_autoptr (GString) ppm = g_string_sized_new (3 * n + 32);

  g_string_printf (ppm, "P6\n%u %u\n255\n", file->width, file->height);
  for (gsize i = 0; i < n; i++)
    g_string_append_len (ppm, (const char *) pixels + 4 * i, 3);
  return g_file_set_contents (file->path, ppm->str, (gssize) ppm->len, &local) ||
         orrery_set_error (error, ORRERY_ERROR_IO, "%s", local->message);
}

static gboolean
write_png (FilmFile *file, const guint8 *pixels, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (pixels, (gsize) 4 * file->width * file->height);
  g_autoptr (GdkPixbuf) pixbuf =
      gdk_pixbuf_new_from_bytes (bytes, GDK_COLORSPACE_RGB, TRUE, 8, (int) file->width,
                                 (int) file->height, (int) (4 * file->width));
  g_autofree char *png = NULL;
  gsize size;

  if (gdk_pixbuf_save_to_buffer (pixbuf, &png, &size, "png", &local, NULL) &&
      g_file_set_contents (file->path, png, (gssize) size, &local))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s", local->message);
}

/* What it said, or how it ended */
static gboolean
explain (FilmFile *file, GBytes *words, GError **error)
{
  g_autofree char *end = orrery_child_describe_end (file->encoder);
  g_autofree char *said = g_strndup (g_bytes_get_data (words, NULL), g_bytes_get_size (words));
  g_autofree char *valid = g_utf8_make_valid (g_strstrip (said), -1);

  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: ffmpeg %s%s%s", file->path, end,
                           *valid != '\0' ? ": " : "", valid);
}

gboolean
film_file_write (FilmFile *file, OrreryBuffer *color, GError **error)
{
  gsize size = (gsize) 4 * file->width * file->height;
  const guint8 *pixels = orrery_buffer_get_data (color);
  g_autoptr (GBytes) words = NULL;

  if (file->encoder == NULL && ends_with (file->path, ".ppm"))
    return write_ppm (file, pixels, error);
  if (file->encoder == NULL)
    return write_png (file, pixels, error);
  if (orrery_child_feed (file->encoder, pixels, size, PICTURE_LIMIT))
    return TRUE;
  words = orrery_child_collect (file->encoder, ORRERY_SECOND, MAX_WORDS, NULL);
  return explain (file, words, error);
}

gboolean
film_file_close (FilmFile *file, GError **error)
{
  g_autoptr (GBytes) words = NULL;

  if (file->encoder == NULL)
    return TRUE;
  words = orrery_child_collect (file->encoder, END_LIMIT, MAX_WORDS, NULL);
  return orrery_child_get_status (file->encoder) == 0 || explain (file, words, error);
}

void
film_file_clear (FilmFile *file)
{
  g_clear_pointer (&file->encoder, orrery_child_free);
  g_clear_pointer (&file->path, g_free);
}
