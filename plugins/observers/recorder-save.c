/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the last seconds of a run to a file, beside the run. */
#define G_LOG_DOMAIN "orrery.observers.recorder"
#include "recorder-save.h"

typedef enum { IDLE, ASKED, WRITING } SaverState;

struct _RecorderSaver {
  OrreryObserver *observer; /* borrowed, as file and queue */
  RecorderFile *file;
  RecorderQueue *queue;
  int state;        /* atomic, SaverState: the tick sets ASKED, others may then use the rest */
  OrreryTime until; /* of the present file */
  guint64 n_ticks;
  GPtrArray *messages; /* (element-type RecorderMessage) (nullable) */
  gboolean whole;      /* these begin with the first one */
  guint64 n_dropped;
  GThread *thread; /* (nullable): of the last file, to be joined; the thread that encodes */
};

RecorderSaver *
recorder_saver_new (OrreryObserver *observer, RecorderFile *file, RecorderQueue *queue)
{
  RecorderSaver *saver = g_new0 (RecorderSaver, 1);

  saver->observer = observer;
  saver->file = file;
  saver->queue = queue;
  return saver;
}

void
recorder_saver_free (RecorderSaver *saver)
{
  g_clear_pointer (&saver->thread, g_thread_join);
  g_clear_pointer (&saver->messages, g_ptr_array_unref);
  g_free (saver);
}

/* --- the tick's thread --- */

char *
recorder_saver_ask (RecorderSaver *saver, OrreryTime now, GError **error)
{
  char *path;

  if (g_atomic_int_get (&saver->state) != IDLE) {
    orrery_set_error (error, ORRERY_ERROR_BUSY,
                      "the last seconds are being written to a file already");
    return NULL;
  }
  path = recorder_file_make_path (saver->file);
  saver->until = now;
  saver->n_ticks = saver->file->n_ticks;
  g_atomic_int_set (&saver->state, ASKED);
  return path;
}

gboolean
recorder_saver_is_busy (RecorderSaver *saver)
{
  return g_atomic_int_get (&saver->state) != IDLE;
}

/* --- the thread that writes --- */

static gpointer
run_saver (gpointer data)
{
  RecorderSaver *saver = data;
  RecorderExtract extract = { saver->messages, saver->n_ticks, saver->whole, saver->n_dropped };
  g_autofree char *path = recorder_file_make_path (saver->file);
  g_autoptr (GError) error = NULL;

  if (recorder_file_save (saver->file, saver->queue, &extract, &error)) {
    orrery_part_message (saver->observer, "%s: %u messages of the last seconds were saved", path,
                         saver->messages->len);
  } else {
    orrery_part_warning (saver->observer, "the last seconds are not saved: %s", error->message);
    orrery_observer_note_loss (saver->observer, error->message);
  }
  g_clear_pointer (&saver->messages, g_ptr_array_unref);
  g_atomic_int_set (&saver->state, IDLE);
  return NULL;
}

/* --- the thread that encodes --- */

gboolean
recorder_saver_is_asked (RecorderSaver *saver, OrreryTime *until)
{
  if (g_atomic_int_get (&saver->state) != ASKED)
    return FALSE;
  *until = saver->until;
  return TRUE;
}

void
recorder_saver_serve (RecorderSaver *saver)
{
  RecorderLast *last = saver->file->sink.last;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&saver->thread, g_thread_join);
  saver->messages = recorder_last_copy (last, saver->until);
  saver->whole = recorder_last_is_whole (last);
  saver->n_dropped = recorder_last_get_n_dropped (last);
  g_atomic_int_set (&saver->state, WRITING);
  saver->thread = g_thread_try_new ("recorder-save", run_saver, saver, &error);
  if (saver->thread != NULL)
    return;
  orrery_part_warning (saver->observer, "the last seconds are not saved: %s", error->message);
  orrery_observer_note_loss (saver->observer, error->message);
  g_clear_pointer (&saver->messages, g_ptr_array_unref);
  g_atomic_int_set (&saver->state, IDLE);
}
