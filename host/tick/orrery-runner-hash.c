/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds the records and poses of each tick into a hash, and writes a file of them. */
#define _GNU_SOURCE
#include "tick/orrery-runner-internal.h"

#include "base/orrery-output.h"
#include "roles/orrery-component-private.h"
#include "world/orrery-quantity-private.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* How long the run waits for who reads the hashes from a pipe. */
#define READER_MS 10000

static void
fold (OrreryRunner *runner, const char *name, guint64 part)
{
  OrreryRunHash *hash = &runner->hash;

  if (hash->file != NULL)
    fprintf (hash->file, "%" PRIu64 " %s %016" PRIx64 "\n", runner->n_ticks, name, part);
  hash->value = orrery_hash_word (hash->value, part);
}

void
orrery_runner_fold_hash (OrreryRunner *runner)
{
  for (guint i = 0; i < runner->by_name->len; i++) {
    OrreryPipeline *pipeline = runner->by_name->pdata[i];
    guint64 part = orrery_hash_bytes (0, pipeline->name, strlen (pipeline->name));

    if (orrery_pipeline_is_hashed (pipeline))
      fold (runner, pipeline->name,
            orrery_record_hash (pipeline->record, part, runner->settings.start));
  }
  fold (runner, "physics",
        orrery_world_hash_quantities (runner->world,
                                      orrery_snapshot_hash (runner->tick->snapshot, 0)));
}

guint64
orrery_runner_get_digest (OrreryRunner *runner)
{
  guint64 digest = 0;

  for (guint i = 0; i < runner->by_name->len; i++) {
    OrreryPipeline *pipeline = runner->by_name->pdata[i];
    guint64 part = orrery_hash_bytes (0, pipeline->name, strlen (pipeline->name));

    if (orrery_pipeline_is_hashed (pipeline) &&
        !orrery_component_is_on_demand (pipeline->component))
      digest = orrery_hash_word (digest, orrery_record_hash (pipeline->record, part,
                                                             runner->settings.start));
  }
  return orrery_world_hash_quantities (runner->world,
                                       orrery_snapshot_hash (runner->tick->snapshot, digest));
}

guint64
orrery_runner_get_hash (OrreryRunner *runner)
{
  return runner->hash.value;
}

/* --- the file --- */

typedef struct {
  int fd;
  gboolean own; /* it may be cut */
  gsize size;   /* bytes that were written */
  gsize whole;  /* the same, of whole lines */
} HashFile;

/* What stays of a file of ours when the disk is full are whole lines. */
static ssize_t
write_file (void *cookie, const char *data, size_t length)
{
  HashFile *hash = cookie;
  gsize n = orrery_output_write (hash->fd, data, length, READER_MS);
  int code = errno;
  const char *end = memrchr (data, '\n', n);

  if (end != NULL)
    hash->whole = hash->size + (gsize) (end + 1 - data);
  hash->size += n;
  if (n < length && hash->own && ftruncate (hash->fd, (off_t) hash->whole) == 0 &&
      lseek (hash->fd, (off_t) hash->whole, SEEK_SET) >= 0)
    hash->size = hash->whole;
  errno = code;
  return n < length ? 0 : (ssize_t) n;
}

static int
close_file (void *cookie)
{
  HashFile *hash = cookie;
  int result = close (hash->fd);

  g_free (hash);
  return result;
}

gboolean
orrery_runner_open_hash_file (OrreryRunner *runner, const char *path, const char *const *kept,
                              GError **error)
{
  static const cookie_io_functions_t functions = { .write = write_file, .close = close_file };
  OrreryOutputRules rules = { .kept = kept };
  gboolean own;
  int fd = orrery_output_open (path, &rules, &own, error);
  HashFile *hash;

  if (fd < 0)
    return FALSE;
  hash = g_new0 (HashFile, 1);
  hash->fd = fd;
  hash->own = own;
  runner->hash.path = g_strdup (path);
  runner->hash.file = fopencookie (hash, "w", functions);
  return TRUE;
}

/* A truncated file of hashes would be taken for that of another run. */
gboolean
orrery_runner_flush_hash_file (OrreryRunner *runner, GError **error)
{
  OrreryRunHash *hash = &runner->hash;

  if (hash->file == NULL || (fflush (hash->file) == 0 && !ferror (hash->file)))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: the hashes cannot be written: %s",
                           hash->path, g_strerror (errno));
}

void
orrery_run_hash_clear (OrreryRunHash *hash)
{
  g_clear_pointer (&hash->file, fclose);
  g_clear_pointer (&hash->path, g_free);
}
