/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings: what is written is read, cut and damaged files are read as far as they can be. */
#define _GNU_SOURCE
#include "recording/orrery-recording-reader.h"
#include "recording/orrery-recording-writer.h"

#include "base/orrery-error.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <string.h>

#define N_MESSAGES 600
#define N_CHANNELS 3

typedef struct {
  char *directory;
  char *path;
  char *other;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->directory = g_dir_make_tmp ("orrery-recording-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->directory, "run.mcap", NULL);
  fixture->other = g_build_filename (fixture->directory, "other.mcap", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->path);
  g_remove (fixture->other);
  g_rmdir (fixture->directory);
  g_free (fixture->path);
  g_free (fixture->other);
  g_free (fixture->directory);
}

/* Message @i, at 10 ms for each, on channel i % 3 */
static char *
make_message (guint i)
{
  return g_strdup_printf ("{\"n\": %u, \"value\": %.17g, \"words\": \"%0*u\"}", i, i / 7.0,
                          1 + (int) (i % 40), i);
}

static OrreryRecordingWriter *
start (const char *path, const char *compression, guint16 *channels)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingWriter) writer =
      orrery_recording_writer_new (path, NULL, compression, &error);
  static const char schema[] = "{\"type\":\"object\"}";
  guint16 id;

  g_assert_no_error (error);
  id = orrery_recording_writer_add_schema (writer, "Thing", "jsonschema", schema, strlen (schema),
                                           &error);
  for (guint i = 0; i < N_CHANNELS; i++) {
    g_autofree char *topic = g_strdup_printf ("/robot/%c", 'a' + i);

    channels[i] =
        orrery_recording_writer_add_channel (writer, id, topic, "json",
                                             g_variant_new_parsed ("{'classpath': %s}", topic),
                                             &error);
    g_assert_no_error (error);
  }
  g_assert_true (orrery_recording_writer_add_metadata (writer, "run",
                                                       g_variant_new_parsed ("{'seed': '7'}"),
                                                       &error));
  g_assert_true (orrery_recording_writer_attach (writer, "scene/scene.json", "application/json", 0,
                                                 "{}", 2, &error));
  g_assert_no_error (error);
  return g_steal_pointer (&writer);
}

static void
write_messages (OrreryRecordingWriter *writer, const guint16 *channels)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_MESSAGES; i++) {
    g_autofree char *message = make_message (i);
    OrreryTime time = (OrreryTime) i * ORRERY_SECOND / 100;

    orrery_recording_writer_write (writer, channels[i % N_CHANNELS], time, time, message,
                                   strlen (message), &error);
    g_assert_no_error (error);
  }
}

static void
write_all (const char *path, const char *compression)
{
  guint16 channels[N_CHANNELS];
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingWriter) writer = start (path, compression, channels);

  write_messages (writer, channels);
  g_assert_true (orrery_recording_writer_close (writer, &error));
  g_assert_no_error (error);
}

static OrreryRecordingReader *
open_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  OrreryRecordingReader *reader = orrery_recording_reader_open (path, &error);

  g_assert_no_error (error);
  return reader;
}

/* Whether the present message is message @i. */
static void
check_message (OrreryRecordingReader *reader, guint i)
{
  g_autofree char *expected = make_message (i);
  gsize length;
  const guint8 *data = orrery_recording_reader_get_message_data (reader, &length);
  const OrreryRecordingChannel *channel =
      orrery_recording_reader_get_channel (reader,
                                           orrery_recording_reader_get_message_channel (reader));

  g_assert_cmpmem (data, length, expected, strlen (expected));
  g_assert_cmpint (orrery_recording_reader_get_message_time (reader), ==,
                   (OrreryTime) i * ORRERY_SECOND / 100);
  g_assert_cmpuint ((guint) channel->topic[strlen ("/robot/")], ==, 'a' + i % N_CHANNELS);
}

static const char *const compressions[] = { "", "zstd", "lz4" };

static OrreryRecordingWriter *
try_compression (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;
  OrreryRecordingWriter *writer = orrery_recording_writer_new (fixture->path, NULL, name, &error);

  if (writer == NULL)
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  return writer;
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a whole file is read by its summary, in each compression");
  for (guint i = 0; i < G_N_ELEMENTS (compressions); i++) {
    g_autoptr (OrreryRecordingWriter) writer = try_compression (fixture, compressions[i]);
    g_autoptr (OrreryRecordingReader) reader = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) scene = NULL;
    guint n = 0;

    if (writer == NULL)
      continue;
    write_all (fixture->path, compressions[i]);
    reader = open_file (fixture->path);
    g_assert_true (orrery_recording_reader_is_whole (reader));
    g_assert_cmpstr (orrery_recording_reader_get_compression (reader), ==, compressions[i]);
    g_assert_cmpuint (orrery_recording_reader_get_n_channels (reader), ==, N_CHANNELS);
    g_assert_cmpuint (orrery_recording_reader_get_n_messages (reader), ==, N_MESSAGES);
    g_assert_cmpuint (orrery_recording_reader_get_n_chunks (reader), ==, 6);
    g_assert_cmpuint (orrery_recording_reader_get_channel (reader, 1)->n_messages, ==,
                      N_MESSAGES / N_CHANNELS);
    g_assert_cmpstr (orrery_recording_reader_get_channel (reader, 1)->schema_name, ==, "Thing");
    g_assert_cmpint (orrery_recording_reader_get_end (reader), ==,
                     (N_MESSAGES - 1) * ORRERY_SECOND / 100);
    while (orrery_recording_reader_next (reader, &error))
      check_message (reader, n++);
    g_assert_no_error (error);
    g_assert_cmpuint (n, ==, N_MESSAGES);
    scene = orrery_recording_reader_read_attachment (reader, 0, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (g_bytes_get_size (scene), ==, 2);
    g_assert_cmpstr (orrery_recording_reader_get_metadata (reader, 0)->name, ==, "run");
  }
}

static void
test_select (Fixture *fixture, gconstpointer data)
{
  static const char *const topics[] = { "/robot/b", NULL };
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_test_summary ("messages are selected by topic and time");
  write_all (fixture->path, "");
  reader = open_file (fixture->path);
  orrery_recording_reader_select (reader, topics, 2 * ORRERY_SECOND, 3 * ORRERY_SECOND);
  for (; orrery_recording_reader_next (reader, &error); n++)
    check_message (reader, 202 + 3 * n);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 33);
}

/* --- cut files --- */

static guint
count_readable (const char *path, gboolean *whole)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingReader) reader = orrery_recording_reader_open (path, &error);
  guint n = 0;

  if (reader == NULL) {
    g_assert_nonnull (error);
    return 0;
  }
  *whole = orrery_recording_reader_is_whole (reader);
  if (!*whole)
    g_assert_nonnull (orrery_recording_reader_get_problems (reader)[0]);
  while (orrery_recording_reader_next (reader, &error))
    check_message (reader, n++);
  return n;
}

static void
put_file (const char *path, const char *bytes, gsize length)
{
  g_autoptr (GError) error = NULL;

  g_remove (path);
  g_file_set_contents_full (path, bytes, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

/* Makes the channels of the summary records of an unknown kind, which readers pass over. */
static void
hide_channels (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize length;
  guint64 at, size;
  char *footer;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  footer = bytes + length - 8 - 20;
  memcpy (&at, footer, sizeof at);
  for (at = GUINT64_FROM_LE (at); at < (guint64) (footer - bytes - 9); at += 9 + size) {
    memcpy (&size, bytes + at + 1, sizeof size);
    size = GUINT64_FROM_LE (size);
    if (bytes[at] == 0x04)
      bytes[at] = (char) 0x80;
  }
  memset (footer + 16, 0, 4); /* no checksum */
  put_file (path, bytes, length);
}

static void
test_select_late (Fixture *fixture, gconstpointer data)
{
  static const char *const topics[] = { "/robot/b", NULL };
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_test_summary ("a channel that only chunks describe is selected as the others are");
  write_all (fixture->path, "");
  hide_channels (fixture->path);
  reader = open_file (fixture->path);
  g_assert_true (orrery_recording_reader_is_whole (reader));
  g_assert_cmpuint (orrery_recording_reader_get_n_channels (reader), ==, 0);
  orrery_recording_reader_select (reader, topics, 0, -1);
  for (; orrery_recording_reader_next (reader, &error); n++)
    check_message (reader, 1 + 3 * n);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, N_MESSAGES / N_CHANNELS);
}

static void
test_repeated (Fixture *fixture, gconstpointer data)
{
  g_autoptr (OrreryRecordingWriter) writer = try_compression (fixture, "");
  g_autofree char *bytes = NULL;
  guint16 channel = orrery_recording_writer_add_channel (writer, 0, "/robot/a", "json", NULL, NULL);
  gsize length;
  guint n = 0;

  g_test_summary ("a channel is in two chunks, and then in each 30th, and in the summary");
  for (guint i = 0; i < 70; i++) {
    g_assert_true (orrery_recording_writer_write (writer, channel, i, i, "{}", 2, NULL));
    g_assert_true (orrery_recording_writer_flush (writer, NULL));
  }
  g_assert_true (orrery_recording_writer_close (writer, NULL));
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  for (gsize at = 0; at + 8 < length; at++)
    n += memcmp (bytes + at, "/robot/a", 8) == 0;
  g_assert_cmpuint (n, ==, 5);
}

static void
test_cut (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;
  guint before = 0;

  g_test_summary ("a file that is cut at any byte is read up to its last whole chunk");
  write_all (fixture->path, "");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  for (gsize cut = 0; cut < length; cut += cut < 1200 || length - cut < 1200 ? 1 : 37) {
    gboolean whole = FALSE;
    guint n;

    put_file (fixture->other, bytes, cut);
    n = count_readable (fixture->other, &whole);
    g_assert_false (whole);
    g_assert_cmpuint (n % 100, ==, 0);
    g_assert_cmpuint (n, >=, before);
    before = n;
  }
  g_assert_cmpuint (before, ==, N_MESSAGES);
}

static guint
recover (Fixture *fixture, guint *n_problems)
{
  g_auto (GStrv) problems = NULL;
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  orrery_recording_recover (fixture->path, fixture->other, NULL, &n, &problems, &error);
  g_assert_no_error (error);
  *n_problems = g_strv_length (problems);
  return (guint) n;
}

static void
test_recover (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;
  guint n_problems;
  gboolean whole = FALSE;

  g_test_summary ("a cut file is made whole again");
  write_all (fixture->path, "");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  put_file (fixture->path, bytes, length / 2);
  g_assert_cmpuint (recover (fixture, &n_problems), ==, 300);
  g_assert_cmpuint (n_problems, >, 0);
  g_assert_cmpuint (count_readable (fixture->other, &whole), ==, 300);
  g_assert_true (whole);
  /* Nothing is missing of a whole one. */
  put_file (fixture->path, bytes, length);
  g_assert_cmpuint (recover (fixture, &n_problems), ==, N_MESSAGES);
  g_assert_cmpuint (n_problems, ==, 0);
}

static void
test_flipped (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;
  guint n_unseen = 0, n_flips = 0;

  g_test_summary ("a flipped bit costs a chunk at most, and is said");
  write_all (fixture->path, "");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  for (gsize at = 8; at < length; at += 61, n_flips++) {
    guint n_problems, n;

    bytes[at] ^= (char) (1 << (at % 8));
    put_file (fixture->path, bytes, length);
    bytes[at] ^= (char) (1 << (at % 8));
    n = recover (fixture, &n_problems);
    g_assert_cmpuint (n, >=, N_MESSAGES - 100);
    if (n < N_MESSAGES && n_problems == 0)
      n_unseen++;
  }
  g_assert_cmpuint (n_flips, >, 100);
  g_assert_cmpuint (n_unseen, ==, 0);
}

static void
test_flipped_read (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;

  g_test_summary ("flipped bits never make a reader give other messages");
  write_all (fixture->path, "");
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  for (gsize at = 0; at < length; at += 43) {
    g_autoptr (OrreryRecordingReader) reader = NULL;

    bytes[at] ^= (char) (1 << (at % 8));
    put_file (fixture->path, bytes, length);
    bytes[at] ^= (char) (1 << (at % 8));
    reader = orrery_recording_reader_open (fixture->path, NULL);
    while (reader != NULL && orrery_recording_reader_next (reader, NULL))
      check_message (reader, (guint) (orrery_recording_reader_get_message_time (reader) /
                                      (ORRERY_SECOND / 100)));
  }
}

/* --- what is refused --- */

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "", "/etc/passwd", "../up", "a/../b", "a//b", "./a" };
  guint16 channels[N_CHANNELS];
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingWriter) writer = start (fixture->path, "", channels);

  g_test_summary ("names that lead elsewhere, unknown compressions and other files are refused");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_assert_false (orrery_recording_writer_attach (writer, names[i], "", 0, "", 0, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
    g_clear_error (&error);
  }
  g_assert_null (orrery_recording_writer_new (fixture->other, NULL, "gzip", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  put_file (fixture->other, "no recording at all", 19);
  g_assert_null (orrery_recording_reader_open (fixture->other, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_clear_error (&error);
  g_assert_null (orrery_recording_reader_open (fixture->directory, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_clear_error (&error);
  g_assert_null (orrery_recording_reader_open ("/nonexistent", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NO_FILE);
}

static void
test_full_disk (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingWriter) writer = NULL;

  g_test_summary ("a device without room is an error that stays");
  writer = orrery_recording_writer_new ("/dev/full", NULL, "", &error);
  g_assert_null (writer);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
}

/* The library's compression comes here first. */
static gboolean compression_fails;

__attribute__ ((visibility ("default"))) gsize
ZSTD_compress2 (gpointer context, gpointer out, gsize size, gconstpointer data, gsize length);

gsize
ZSTD_compress2 (gpointer context, gpointer out, gsize size, gconstpointer data, gsize length)
{
  gsize (*real) (gpointer, gpointer, gsize, gconstpointer, gsize);

  if (compression_fails)
    return (gsize) -1; /* ZSTD_error_GENERIC */
  *(void **) &real = dlsym (RTLD_NEXT, "ZSTD_compress2");
  return real (context, out, size, data, length);
}

static void
test_not_compressed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (OrreryRecordingWriter) writer = try_compression (fixture, "zstd");
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (GError) none = NULL;
  guint16 channel;
  guint n = 0;

  g_test_summary ("a chunk that could not be compressed is an error that stays");
  if (writer == NULL)
    return;
  channel = orrery_recording_writer_add_channel (writer, 0, "/robot/a", "json", NULL, NULL);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GError) error = NULL;

    g_assert_true (orrery_recording_writer_write (writer, channel, i, i, "{}", 2, &none) ==
                   (i < 2));
    compression_fails = i == 1;
    g_assert_true (orrery_recording_writer_flush (writer, &error) == (i == 0));
    if (i > 0)
      g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INTERNAL);
  }
  g_assert_error (none, ORRERY_ERROR, ORRERY_ERROR_INTERNAL);
  reader = open_file (fixture->path);
  while (orrery_recording_reader_next (reader, NULL))
    n++;
  g_assert_cmpuint (n, ==, 1);
}

/* --- large and unordered ones --- */

static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  gsize size = 3 * 1024 * 1024, limit = 256 * 1024 * 1024;
  g_autofree char *words = g_strnfill (size, 'w');
  /* Nobody reads it, so it needs no memory. */
  g_autofree guint8 *picture = g_malloc0 (limit);
  g_autoptr (OrreryRecordingWriter) writer =
      orrery_recording_writer_new (fixture->path, NULL, "", NULL);
  guint16 channel =
      orrery_recording_writer_add_channel (writer, 0, "/robot/a", "json",
                                           g_variant_new_parsed ("{'words': %s}", words), NULL);
  const gsize lengths[] = { limit - size, limit, G_MAXSIZE };

  g_test_summary ("a message that a chunk has no room for beside its channel is refused");
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (
        orrery_recording_writer_write (writer, channel, 0, 0, picture, lengths[i], &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  }
  g_assert_true (orrery_recording_writer_write (writer, channel, 0, 0, picture, 5, NULL));
  g_assert_true (orrery_recording_writer_close (writer, NULL));
}

static void
test_large (Fixture *fixture, gconstpointer data)
{
  gsize size = 5 * 1024 * 1024;
  g_autofree guint8 *picture = g_malloc (size);
  guint16 channels[N_CHANNELS];
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingWriter) writer = start (fixture->path, "", channels);
  g_autoptr (OrreryRecordingReader) reader = NULL;
  guint n = 0;

  g_test_summary ("messages larger than a chunk are written, one in a chunk");
  for (guint i = 0; i < 4; i++) {
    memset (picture, (int) i + 1, size);
    orrery_recording_writer_write (writer, channels[0], i, i, picture, size, &error);
    g_assert_no_error (error);
  }
  orrery_recording_writer_write (writer, channels[1], 9, 9, NULL, 0, &error);
  g_assert_true (orrery_recording_writer_close (writer, &error));
  reader = open_file (fixture->path);
  for (; orrery_recording_reader_next (reader, &error); n++) {
    gsize length;
    const guint8 *bytes = orrery_recording_reader_get_message_data (reader, &length);

    g_assert_cmpuint (length, ==, n < 4 ? size : 0);
    g_assert_true (n == 4 || (bytes[0] == n + 1 && bytes[size - 1] == n + 1));
  }
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 5);
}

static void
test_unordered (Fixture *fixture, gconstpointer data)
{
  guint16 channels[N_CHANNELS];
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingWriter) writer = start (fixture->path, "", channels);
  g_autoptr (OrreryRecordingReader) reader = NULL;
  OrreryTime last = -1;
  guint n = 0;

  g_test_summary ("messages come in order of time, whatever that of the file is");
  orrery_recording_writer_set_chunk (writer, 200, 0);
  for (guint i = 0; i < 1000; i++)
    g_assert_true (orrery_recording_writer_write (writer, channels[i % N_CHANNELS],
                                                  (i * 7919) % 1000, 0, "{}", 2, &error));
  g_assert_true (orrery_recording_writer_close (writer, &error));
  reader = open_file (fixture->path);
  for (; orrery_recording_reader_next (reader, &error); n++) {
    OrreryTime time = orrery_recording_reader_get_message_time (reader);

    g_assert_cmpint (time, >, last);
    last = time;
  }
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1000);
}

static void
add (const char *path, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/recording/whole", test_whole);
  add ("/recording/select", test_select);
  add ("/recording/select-late", test_select_late);
  add ("/recording/cut", test_cut);
  add ("/recording/recover", test_recover);
  add ("/recording/repeated", test_repeated);
  add ("/recording/flipped", test_flipped);
  add ("/recording/flipped-read", test_flipped_read);
  add ("/recording/refused", test_refused);
  add ("/recording/full-disk", test_full_disk);
  add ("/recording/not-compressed", test_not_compressed);
  add ("/recording/too-large", test_too_large);
  add ("/recording/large", test_large);
  add ("/recording/unordered", test_unordered);
  return g_test_run ();
}
