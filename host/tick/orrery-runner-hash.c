/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds the records and poses of each tick into a hash, and writes a file of them. */
#include "tick/orrery-runner-internal.h"

#include "world/orrery-world-private.h"

#include <errno.h>
#include <inttypes.h>

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
  fold (runner, "physics", orrery_snapshot_hash (runner->tick->snapshot, 0));
}

guint64
orrery_runner_get_hash (OrreryRunner *runner)
{
  return runner->hash.value;
}

/* --- the file --- */

gboolean
orrery_runner_open_hash_file (OrreryRunner *runner, const char *path, GError **error)
{
  runner->hash.path = g_strdup (path);
  runner->hash.file = fopen (path, "we");
  if (runner->hash.file != NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: cannot be written: %s", path,
                           g_strerror (errno));
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
