/* SPDX-License-Identifier: BSD-3-Clause */
/* Which files a recorder made, and the removal of the oldest ones. */
#include "recorder-kept.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

typedef struct {
  char *path;
  dev_t device;
  ino_t inode;
} KeptFile;

struct _RecorderKept {
  GQueue files; /* KeptFile */
  guint n_failures;
};

static void
kept_file_free (gpointer data)
{
  KeptFile *file = data;

  g_free (file->path);
  g_free (file);
}

RecorderKept *
recorder_kept_new (void)
{
  RecorderKept *kept = g_new0 (RecorderKept, 1);

  g_queue_init (&kept->files);
  return kept;
}

void
recorder_kept_free (RecorderKept *kept)
{
  g_queue_clear_full (&kept->files, kept_file_free);
  g_free (kept);
}

/* What somebody put in the place of a file stays. */
static void
remove_file (RecorderKept *kept, const KeptFile *file)
{
  GStatBuf now;

  if (g_lstat (file->path, &now) == 0 && now.st_dev == file->device && now.st_ino == file->inode &&
      g_unlink (file->path) != 0 && errno != ENOENT)
    kept->n_failures++;
}

void
recorder_kept_add (RecorderKept *kept, const char *path, guint n)
{
  KeptFile *file;
  GStatBuf now;

  /* Devices, pipes and links are not ours to remove. */
  if (g_lstat (path, &now) != 0 || !S_ISREG (now.st_mode))
    return;
  file = g_new0 (KeptFile, 1);
  /* The directory of the process may be another one when it is removed. */
  file->path = g_canonicalize_filename (path, NULL);
  file->device = now.st_dev;
  file->inode = now.st_ino;
  g_queue_push_tail (&kept->files, file);
  while (n > 0 && g_queue_get_length (&kept->files) > n) {
    KeptFile *oldest = g_queue_pop_head (&kept->files);

    remove_file (kept, oldest);
    kept_file_free (oldest);
  }
}

guint
recorder_kept_take_failures (RecorderKept *kept)
{
  guint n = kept->n_failures;

  kept->n_failures = 0;
  return n;
}
