/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: */
#define _GNU_SOURCE
#include "recording/orrery-recording-reader.h"

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

/* Few enough that a file of repetitions does not take all the time. */
#define MAX_READ 10000

static void
read_all (OrreryRecordingReader *reader)
{
  OrreryTime last = -1;

  for (guint n = 0; n < MAX_READ; n++) {
    g_autoptr (GError) error = NULL;
    gsize length;

    if (!orrery_recording_reader_next (reader, &error)) {
      if (error == NULL)
        break;
      continue;
    }
    g_assert_cmpint (orrery_recording_reader_get_message_time (reader), >=, last);
    last = orrery_recording_reader_get_message_time (reader);
    g_assert_cmpuint (orrery_recording_reader_get_message_channel (reader), <,
                      orrery_recording_reader_get_n_channels (reader));
    g_assert_nonnull (orrery_recording_reader_get_message_data (reader, &length));
    g_bytes_unref (orrery_recording_reader_dup_message (reader));
  }
}

static void
look_at (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingReader) reader = orrery_recording_reader_open (path, &error);

  g_assert_true ((reader == NULL) == (error != NULL));
  if (reader == NULL)
    return;
  g_strfreev (orrery_recording_reader_list_topics (reader));
  for (guint i = 0; i < orrery_recording_reader_get_n_attachments (reader); i++) {
    GBytes *bytes = orrery_recording_reader_read_attachment (reader, i, NULL);

    if (bytes != NULL)
      g_bytes_unref (bytes);
  }
  read_all (reader);
}

static void
recover (const char *path)
{
  g_auto (GStrv) problems = NULL;
  guint64 n = 0;

  orrery_recording_recover (path, "/dev/null", NULL, &n, &problems, NULL);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("recording", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, size), ==, (ssize_t) size);
  look_at (path);
  recover (path);
  close (fd);
  return 0;
}
