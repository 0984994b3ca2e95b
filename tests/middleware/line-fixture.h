/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../../middleware/line-server.h"
#include "line-client.h"

#include <pthread.h>
#include <time.h>

/* --- the server's side --- */

typedef struct {
  LineServer *server;
  LineListener *listener;
  LineServerOptions options;
  pthread_mutex_t lock;
  pthread_cond_t woken;
  guint n_wakes;
} Fixture;

static inline void
note_wake (gpointer data)
{
  Fixture *f = data;

  pthread_mutex_lock (&f->lock);
  f->n_wakes++;
  pthread_cond_signal (&f->woken);
  pthread_mutex_unlock (&f->lock);
}

static inline void
fixture_init (Fixture *f)
{
  *f = (Fixture){ 0 };
  line_server_options_init (&f->options);
  f->options.wake = note_wake;
  f->options.wake_data = f;
  pthread_mutex_init (&f->lock, NULL);
  pthread_cond_init (&f->woken, NULL);
}

static inline void
fixture_listen (Fixture *f, LineInput input)
{
  LineListenOptions where = { .input = input };

  f->server = line_server_new (&f->options);
  g_assert_nonnull (f->server);
  g_assert_cmpint (line_server_listen (f->server, &where, &f->listener), ==, 0);
}

static inline void
fixture_clear (Fixture *f)
{
  g_clear_pointer (&f->server, line_server_free);
  pthread_mutex_destroy (&f->lock);
  pthread_cond_destroy (&f->woken);
}

/* Waits for the next wake-up that was not waited for; FALSE when patience is over. */
static inline gboolean
wait_for_wake (Fixture *f)
{
  struct timespec until;
  int status = 0;

  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += PATIENCE;
  pthread_mutex_lock (&f->lock);
  while (f->n_wakes == 0 && status == 0)
    status = pthread_cond_timedwait (&f->woken, &f->lock, &until);
  f->n_wakes = 0;
  pthread_mutex_unlock (&f->lock);
  return status == 0;
}

static inline void
wait_for_count (LineListener *listener, LineCount what, guint64 n)
{
  gint64 until = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (line_listener_get_count (listener, what) < n && g_get_monotonic_time () < until)
    g_usleep (200);
  g_assert_cmpuint (line_listener_get_count (listener, what), >=, n);
}

static inline void
wait_for_clients (LineListener *listener, guint n)
{
  gint64 until = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (line_listener_get_n_clients (listener) != n && g_get_monotonic_time () < until)
    g_usleep (200);
  g_assert_cmpuint (line_listener_get_n_clients (listener), ==, n);
}

/* --- a client's side --- */

static inline Client *
client_new (Fixture *f)
{
  return client_connect (line_listener_get_port (f->listener));
}

static inline gboolean
next_event (Fixture *f, LineEvent *event)
{
  while (!line_server_next (f->server, event)) {
    if (line_server_take (f->server) == 0 && !wait_for_wake (f))
      return FALSE;
  }
  return TRUE;
}

static inline void
assert_line (Fixture *f, const char *expected)
{
  LineEvent event = { 0 };

  g_assert_true (next_event (f, &event));
  g_assert_cmpint (event.kind, ==, LINE_EVENT_LINE);
  g_assert_true (event.listener == f->listener);
  g_assert_cmpstr (event.text, ==, expected);
  g_assert_cmpuint (event.length, ==, strlen (expected));
}
