/* SPDX-License-Identifier: BSD-3-Clause */
/* What observers ask of a program that plays a run, and what it tells them. */
#include "roles/orrery-playback.h"

#include "base/orrery-error.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct _OrreryPlayback {
  gatomicrefcount refs;
  OrreryTime start, end;
  OrreryWorld *beside; /* (nullable) */
  char *title;         /* (nullable): its */
  int fd;
  atomic_bool asked;

  GMutex lock;
  OrreryPlaybackRequest request; /* [lock]: where asked */
  char *id;                      /* [lock] (nullable): its id */
  OrreryPlaybackState state;     /* [lock]: without id */
  OrreryPlaybackFunc func;       /* [lock] (nullable) */
  gpointer user_data;            /* [lock] */
};

G_DEFINE_BOXED_TYPE (OrreryPlayback, orrery_playback, orrery_playback_ref, orrery_playback_unref)

OrreryPlayback *
orrery_playback_new (OrreryTime start, OrreryTime end, GError **error)
{
  int fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  OrreryPlayback *self;

  g_return_val_if_fail (end >= start, NULL);

  if (fd < 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "playback: %s", g_strerror (errno));
    return NULL;
  }
  self = g_new0 (OrreryPlayback, 1);
  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  self->start = start;
  self->end = end;
  self->fd = fd;
  self->state = (OrreryPlaybackState){ .speed = 1.0, .time = start };
  return self;
}

OrreryPlayback *
orrery_playback_ref (OrreryPlayback *playback)
{
  g_atomic_ref_count_inc (&playback->refs);
  return playback;
}

void
orrery_playback_unref (OrreryPlayback *playback)
{
  if (!g_atomic_ref_count_dec (&playback->refs))
    return;
  close (playback->fd);
  g_clear_object (&playback->beside);
  g_free (playback->title);
  g_mutex_clear (&playback->lock);
  g_free (playback->id);
  g_free (playback);
}

OrreryTime
orrery_playback_get_start (OrreryPlayback *playback)
{
  return playback->start;
}

OrreryTime
orrery_playback_get_end (OrreryPlayback *playback)
{
  return playback->end;
}

void
orrery_playback_set_beside (OrreryPlayback *playback, OrreryWorld *world, const char *title)
{
  g_free (playback->title);
  playback->title = g_strdup (title);
  g_set_object (&playback->beside, world);
}

/* --- observers --- */

OrreryWorld *
orrery_playback_get_beside (OrreryPlayback *playback, const char **title)
{
  if (title != NULL)
    *title = playback->title;
  return playback->beside;
}

gboolean
orrery_playback_post (OrreryPlayback *playback, const OrreryPlaybackRequest *request,
                      GError **error)
{
  OrreryPlaybackRequest taken = *request;
  guint64 one = 1;

  /* Not a number is neither. */
  if (!(request->speed > 0.0 && request->speed <= ORRERY_PLAYBACK_MAX_SPEED))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "the speed is %g, it has to be above 0 and at most %g", request->speed,
                             ORRERY_PLAYBACK_MAX_SPEED);
  taken.time = CLAMP (request->time, playback->start, playback->end);
  g_mutex_lock (&playback->lock);
  if (atomic_load (&playback->asked) && playback->request.seeks && !taken.seeks) {
    taken.seeks = TRUE;
    taken.time = playback->request.time;
  }
  g_free (playback->id);
  playback->id = g_strdup (request->id);
  taken.id = NULL;
  playback->request = taken;
  atomic_store (&playback->asked, TRUE);
  if (write (playback->fd, &one, sizeof one) < 0)
    errno = 0; /* it can be read already */
  g_mutex_unlock (&playback->lock);
  return TRUE;
}

void
orrery_playback_watch (OrreryPlayback *playback, OrreryPlaybackFunc func, gpointer user_data)
{
  g_mutex_lock (&playback->lock);
  playback->func = func;
  playback->user_data = user_data;
  g_mutex_unlock (&playback->lock);
}

void
orrery_playback_get_state (OrreryPlayback *playback, OrreryPlaybackState *state)
{
  g_mutex_lock (&playback->lock);
  *state = playback->state;
  g_mutex_unlock (&playback->lock);
}

/* --- the program --- */

gboolean
orrery_playback_is_asked (OrreryPlayback *playback)
{
  return atomic_load (&playback->asked);
}

int
orrery_playback_get_fd (OrreryPlayback *playback)
{
  return playback->fd;
}

gboolean
orrery_playback_take (OrreryPlayback *playback, OrreryPlaybackRequest *request, char **id)
{
  gboolean asked;
  guint64 n;

  *id = NULL;
  g_mutex_lock (&playback->lock);
  asked = atomic_exchange (&playback->asked, FALSE);
  if (asked) {
    if (read (playback->fd, &n, sizeof n) < 0)
      errno = 0;
    *id = g_steal_pointer (&playback->id);
    *request = playback->request;
    request->id = *id;
  }
  g_mutex_unlock (&playback->lock);
  return asked;
}

/* The function is called with the lock held, so that none is called once it was taken away. */
void
orrery_playback_say (OrreryPlayback *playback, const OrreryPlaybackState *state)
{
  g_mutex_lock (&playback->lock);
  playback->state = *state;
  playback->state.id = NULL;
  playback->state.sought = FALSE;
  if (playback->func != NULL)
    playback->func (state, playback->user_data);
  g_mutex_unlock (&playback->lock);
}
