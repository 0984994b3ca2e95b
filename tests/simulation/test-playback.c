/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <math.h>
#include <poll.h>

/* What stands between a program that plays a run and those who watch it. */

static gboolean
can_be_read (OrreryPlayback *playback)
{
  struct pollfd fd = { .fd = orrery_playback_get_fd (playback), .events = POLLIN };

  return poll (&fd, 1, 0) == 1;
}

static void
post (OrreryPlayback *playback, gboolean plays, gint64 seconds, const char *id)
{
  OrreryPlaybackRequest request = { plays, 2.0, seconds >= 0, seconds * ORRERY_SECOND, id };
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_playback_post (playback, &request, &error));
  g_assert_no_error (error);
}

/* @seconds: -1: it does not seek. */
static void
assert_taken (OrreryPlayback *playback, gboolean plays, gint64 seconds, const char *id)
{
  OrreryPlaybackRequest request;
  g_autofree char *got = NULL, *none = NULL;

  g_assert_true (orrery_playback_is_asked (playback));
  g_assert_true (can_be_read (playback));
  g_assert_true (orrery_playback_take (playback, &request, &got));
  g_assert_cmpint (request.plays, ==, plays);
  g_assert_cmpint (request.seeks, ==, seconds >= 0);
  if (seconds >= 0)
    g_assert_cmpint (request.time, ==, seconds * ORRERY_SECOND);
  g_assert_cmpfloat (request.speed, ==, 2.0);
  g_assert_cmpstr (got, ==, id);
  g_assert_false (orrery_playback_is_asked (playback));
  g_assert_false (can_be_read (playback));
  g_assert_false (orrery_playback_take (playback, &request, &none));
  g_assert_null (none);
}

static void
test_requests (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryPlayback) playback =
      orrery_playback_new (1 * ORRERY_SECOND, 9 * ORRERY_SECOND, &error);

  g_test_summary ("the newest request counts, with the place of an older one if it has none");
  g_assert_no_error (error);
  g_assert_false (orrery_playback_is_asked (playback));
  g_assert_false (can_be_read (playback));
  post (playback, TRUE, -1, "a");
  assert_taken (playback, TRUE, -1, "a");
  post (playback, TRUE, 3, "a");
  post (playback, FALSE, 4, "b");
  post (playback, TRUE, -1, "c");
  assert_taken (playback, TRUE, 4, "c");
  /* What was taken is not repeated. */
  post (playback, FALSE, -1, NULL);
  assert_taken (playback, FALSE, -1, NULL);
  /* Beyond an end is at the end. */
  post (playback, FALSE, 0, NULL);
  assert_taken (playback, FALSE, 1, NULL);
  post (playback, FALSE, 10, NULL);
  assert_taken (playback, FALSE, 9, NULL);
}

static void
test_speeds (void)
{
  const double wrong[] = { 0.0, -1.0, NAN, INFINITY, 1.001 * ORRERY_PLAYBACK_MAX_SPEED };
  g_autoptr (OrreryPlayback) playback = orrery_playback_new (0, ORRERY_SECOND, NULL);

  g_test_summary ("a speed is above 0 and has a limit");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    OrreryPlaybackRequest request = { .speed = wrong[i] };
    g_autoptr (GError) error = NULL;

    g_assert_false (orrery_playback_post (playback, &request, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  }
  g_assert_false (orrery_playback_is_asked (playback));
}

static void
count_state (const OrreryPlaybackState *state, gpointer data)
{
  guint *n = data;

  g_assert_cmpint (state->status, ==, ORRERY_PLAYBACK_ENDED);
  g_assert_cmpstr (state->id, ==, "a");
  g_assert_true (state->sought);
  (*n)++;
}

static void
test_states (void)
{
  g_autoptr (OrreryPlayback) playback = orrery_playback_new (5, ORRERY_SECOND, NULL);
  const OrreryPlaybackState said = { ORRERY_PLAYBACK_ENDED, 3.0, ORRERY_SECOND, TRUE, "a" };
  OrreryPlaybackState state;
  guint n = 0;

  g_test_summary ("states reach who watches, and who comes later");
  orrery_playback_get_state (playback, &state);
  g_assert_cmpint (state.status, ==, ORRERY_PLAYBACK_PLAYING);
  g_assert_cmpint (state.time, ==, 5);
  orrery_playback_watch (playback, count_state, &n);
  orrery_playback_say (playback, &said);
  g_assert_cmpuint (n, ==, 1);
  orrery_playback_watch (playback, NULL, NULL);
  orrery_playback_say (playback, &said);
  g_assert_cmpuint (n, ==, 1);
  orrery_playback_get_state (playback, &state);
  g_assert_cmpint (state.status, ==, ORRERY_PLAYBACK_ENDED);
  g_assert_cmpfloat (state.speed, ==, 3.0);
  g_assert_cmpint (state.time, ==, ORRERY_SECOND);
  g_assert_false (state.sought);
  g_assert_null (state.id);
}

static gpointer
ask_often (gpointer playback)
{
  for (gint64 i = 0; i < 20000; i++)
    post (playback, FALSE, i % 9 + 1, "thread");
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (OrreryPlayback) playback = orrery_playback_new (0, 9 * ORRERY_SECOND, NULL);
  GThread *thread = g_thread_new ("asks", ask_often, playback);
  OrreryPlaybackState said = { ORRERY_PLAYBACK_PAUSED, 1.0, 0, FALSE, NULL };
  OrreryPlaybackRequest request;
  guint n = 0;

  g_test_summary ("requests of another thread: the last one is never lost");
  for (guint i = 0; i < 20000; i++) {
    g_autofree char *id = NULL;

    n += orrery_playback_take (playback, &request, &id);
    orrery_playback_say (playback, &said);
  }
  g_thread_join (thread);
  g_assert_cmpuint (n, <=, 20000);
  post (playback, TRUE, 7, "last");
  assert_taken (playback, TRUE, 7, "last");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/simulation/playback/requests", test_requests);
  g_test_add_func ("/simulation/playback/speeds", test_speeds);
  g_test_add_func ("/simulation/playback/states", test_states);
  g_test_add_func ("/simulation/playback/threads", test_threads);
  return g_test_run ();
}
