/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-error.h"
#include "loop/orrery-scheduler.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* A scheduler that sleeps: by the wall clock, by clocks that others move, in a main loop. */

#define HOUR (3600 * ORRERY_SECOND)
#define MS (ORRERY_SECOND / 1000)

/* Shows what others set; says when a scheduler goes to sleep by it. */
#define TEST_TYPE_QUIET_CLOCK (test_quiet_clock_get_type ())
G_DECLARE_FINAL_TYPE (TestQuietClock, test_quiet_clock, TEST, QUIET_CLOCK, OrreryClock)
struct _TestQuietClock {
  OrreryClock parent_instance;

  OrreryTime time; /* atomic */
  GAsyncQueue *sleeps;
};
G_DEFINE_FINAL_TYPE (TestQuietClock, test_quiet_clock, ORRERY_TYPE_CLOCK)

static OrreryTime
test_quiet_clock_get_time (OrreryClock *clock)
{
  return __atomic_load_n (&TEST_QUIET_CLOCK (clock)->time, __ATOMIC_SEQ_CST);
}

static OrreryTime
test_quiet_clock_get_wait (OrreryClock *clock, OrreryTime until)
{
  TestQuietClock *self = TEST_QUIET_CLOCK (clock);

  if (test_quiet_clock_get_time (clock) >= until)
    return 0;
  g_async_queue_push (self->sleeps, GSIZE_TO_POINTER ((gsize) until));
  return -1;
}

static void
test_quiet_clock_finalize (GObject *object)
{
  g_async_queue_unref (TEST_QUIET_CLOCK (object)->sleeps);
  G_OBJECT_CLASS (test_quiet_clock_parent_class)->finalize (object);
}

static void
test_quiet_clock_class_init (TestQuietClockClass *klass)
{
  ORRERY_CLOCK_CLASS (klass)->get_time = test_quiet_clock_get_time;
  ORRERY_CLOCK_CLASS (klass)->get_wait = test_quiet_clock_get_wait;
  G_OBJECT_CLASS (klass)->finalize = test_quiet_clock_finalize;
}

static void
test_quiet_clock_init (TestQuietClock *self)
{
  self->sleeps = g_async_queue_new ();
}

/* --- a task that counts its steps --- */

typedef struct {
  OrreryScheduler *scheduler;
  OrreryTime sleep;
  guint n;
  guint n_steps;  /* then it is done; 0: without end */
  guint stops_at; /* 0: never */
} Counter;

static OrreryNext
count (OrreryTask *task, gpointer data, GError **error)
{
  Counter *counter = data;

  counter->n++;
  if (counter->n == counter->stops_at)
    orrery_scheduler_stop (counter->scheduler);
  if (counter->n == counter->n_steps)
    return orrery_next_done ();
  return counter->sleep < 0 ? orrery_next_yield () : orrery_next_sleep (counter->sleep);
}

static OrreryScheduler *
make (OrreryClock *clock, Counter *counter)
{
  OrreryScheduler *scheduler = orrery_scheduler_new (clock, NULL);

  counter->scheduler = scheduler;
  orrery_scheduler_add (scheduler, "counter", count, counter, NULL);
  return scheduler;
}

/* --- stop --- */

static gpointer
stop_once_asleep (gpointer data)
{
  OrreryScheduler *scheduler = data;

  g_async_queue_pop (TEST_QUIET_CLOCK (orrery_scheduler_get_clock (scheduler))->sleeps);
  orrery_scheduler_stop (scheduler);
  return NULL;
}

static void
test_stop_from_a_thread (void)
{
  g_test_summary ("a sleep without end ends at once; 200 times, since it may come at any moment");
  for (guint i = 0; i < 200; i++) {
    g_autoptr (OrreryClock) clock = g_object_new (TEST_TYPE_QUIET_CLOCK, NULL);
    Counter counter = { .sleep = HOUR };
    g_autoptr (OrreryScheduler) scheduler = make (clock, &counter);
    GThread *thread = g_thread_new ("stop", stop_once_asleep, scheduler);

    g_assert_false (orrery_scheduler_run (scheduler));
    g_thread_join (thread);
    g_assert_cmpuint (counter.n, ==, 1);
    g_assert_cmpuint (orrery_scheduler_get_n_tasks (scheduler), ==, 1);
  }
}

static gpointer
stop_now (gpointer data)
{
  orrery_scheduler_stop (data);
  return NULL;
}

static void
test_stop_of_a_busy_one (void)
{
  Counter counter = { .sleep = -1 };
  g_autoptr (OrreryScheduler) scheduler = make (NULL, &counter);
  GThread *thread = g_thread_new ("stop", stop_now, scheduler);

  g_test_summary ("tasks that never sleep are stopped, too");
  g_assert_false (orrery_scheduler_run (scheduler));
  g_thread_join (thread);
}

static void
test_stop_from_within (void)
{
  g_autoptr (OrreryClock) clock = ORRERY_CLOCK (orrery_manual_clock_new (0, TRUE));
  Counter counter = { .sleep = 10, .n_steps = 10, .stops_at = 3 };
  Counter other = { .sleep = 10 };
  g_autoptr (OrreryScheduler) scheduler = make (clock, &counter);

  g_test_summary ("no further step is taken; with its token reset it goes on");
  orrery_scheduler_add (scheduler, "other", count, &other, NULL);
  g_assert_false (orrery_scheduler_run (scheduler));
  g_assert_cmpuint (counter.n, ==, 3);
  g_assert_cmpuint (other.n, ==, 2);
  g_assert_false (orrery_scheduler_run (scheduler));
  g_assert_cmpuint (orrery_scheduler_run_due (scheduler), ==, 0);
  g_assert_cmpuint (other.n, ==, 2);

  g_cancellable_reset (orrery_scheduler_get_stop (scheduler));
  other.n_steps = 5;
  g_assert_true (orrery_scheduler_run (scheduler));
  g_assert_cmpuint (counter.n, ==, 10);
  g_assert_cmpuint (other.n, ==, 5);
}

static void
test_shared_token (void)
{
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autoptr (OrreryScheduler) one = orrery_scheduler_new (NULL, stop);
  g_autoptr (OrreryScheduler) two = NULL;
  Counter counter = { .sleep = HOUR };

  g_test_summary ("a token may be that of several, and be cancelled before");
  orrery_scheduler_add (one, "counter", count, &counter, NULL);
  g_cancellable_cancel (stop);
  two = orrery_scheduler_new (NULL, stop);
  orrery_scheduler_add (two, "counter", count, &counter, NULL);
  g_assert_false (orrery_scheduler_run (one));
  g_assert_false (orrery_scheduler_run (two));
  g_assert_cmpuint (counter.n, ==, 0);
}

/* --- clocks --- */

static gpointer
move_clock (gpointer data)
{
  TestQuietClock *clock = data;
  OrreryTime until;

  /* A loop may ask more than once before it sleeps. */
  do {
    until = (OrreryTime) GPOINTER_TO_SIZE (g_async_queue_pop (clock->sleeps));
    __atomic_store_n (&clock->time, until, __ATOMIC_SEQ_CST);
    orrery_clock_moved (ORRERY_CLOCK (clock));
  } while (until < 100 * HOUR);
  return NULL;
}

static void
test_moved_clock (void)
{
  g_autoptr (OrreryClock) clock = g_object_new (TEST_TYPE_QUIET_CLOCK, NULL);
  Counter counter = { .sleep = HOUR, .n_steps = 101 };
  g_autoptr (OrreryScheduler) scheduler = make (clock, &counter);
  GThread *thread = g_thread_new ("clock", move_clock, clock);

  g_test_summary ("another thread moves the clock, who sleeps looks at it");
  g_assert_true (orrery_scheduler_run (scheduler));
  g_thread_join (thread);
  g_assert_cmpuint (counter.n, ==, 101);
}

static void
test_fast_clock (void)
{
  g_autoptr (OrreryClock) clock = ORRERY_CLOCK (orrery_wall_clock_new (100.0));
  Counter counter = { .sleep = ORRERY_SECOND, .n_steps = 6 };
  g_autoptr (OrreryScheduler) scheduler = make (clock, &counter);
  OrreryTime begin = orrery_clock_get_time (clock);
  gint64 wall = g_get_monotonic_time ();

  g_test_summary ("five seconds of a clock that is 100 times as fast");
  g_assert_true (orrery_scheduler_run (scheduler));
  wall = g_get_monotonic_time () - wall;
  g_assert_cmpint (orrery_clock_get_time (clock) - begin, >=, 5 * ORRERY_SECOND);
  g_assert_cmpint (wall, >=, 50 * 1000 - 1);
  /* By its own rate it would be five seconds. */
  g_assert_cmpint (wall, <, 2500 * 1000);
}

static void
test_same_clock (void)
{
  g_autoptr (OrreryWallClock) one = orrery_wall_clock_new (10.0);
  g_autoptr (OrreryWallClock) two = orrery_wall_clock_new_from (orrery_wall_clock_get_origin (one),
                                                                orrery_wall_clock_get_rate (one));
  g_autoptr (OrreryManualClock) manual = orrery_manual_clock_new (77, FALSE);
  OrreryTime a = orrery_clock_get_time (ORRERY_CLOCK (one));
  OrreryTime b = orrery_clock_get_time (ORRERY_CLOCK (two));
  OrreryTime c = orrery_clock_get_time (ORRERY_CLOCK (one));

  g_assert_cmpint (a, <=, b);
  g_assert_cmpint (b, <=, c);
  g_assert_cmpint (a, >=, orrery_wall_clock_get_origin (one));
  g_assert_cmpint (orrery_clock_get_wait (ORRERY_CLOCK (one), a), ==, 0);
  g_assert_cmpint (orrery_clock_get_wait (ORRERY_CLOCK (one), a + 10 * HOUR), <=, HOUR);
  g_assert_cmpint (orrery_clock_get_wait (ORRERY_CLOCK (one), a + 10 * HOUR), >, HOUR / 2);

  g_assert_cmpint (orrery_clock_get_wait (ORRERY_CLOCK (manual), 78), ==, -1);
  g_assert_cmpint (orrery_clock_get_wait (ORRERY_CLOCK (manual), 77), ==, 0);
  orrery_manual_clock_set_time (manual, 90);
  g_assert_cmpint (orrery_clock_get_time (ORRERY_CLOCK (manual)), ==, 90);
}

/* --- the wall --- */

static OrreryTime
cpu_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * ORRERY_SECOND + time.tv_nsec;
}

typedef struct {
  guint n;
  int slack;
  OrreryTime earliest; /* the least lateness */
} Walker;

static OrreryNext
walk (OrreryTask *task, gpointer data, GError **error)
{
  Walker *walker = data;
  g_autoptr (OrreryWallClock) clock = orrery_wall_clock_new (1.0);

  walker->slack = prctl (PR_GET_TIMERSLACK);
  walker->earliest = MIN (walker->earliest, orrery_clock_get_time (ORRERY_CLOCK (clock)) -
                                                orrery_task_get_due (task));
  return ++walker->n == 21 ? orrery_next_done () : orrery_next_period (5 * MS);
}

static void
test_wall (void)
{
  g_autoptr (OrreryScheduler) scheduler = orrery_scheduler_new (NULL, NULL);
  Walker walker = { .earliest = HOUR };
  int slack = prctl (PR_GET_TIMERSLACK);
  gint64 wall = g_get_monotonic_time ();
  OrreryTime cpu = cpu_time ();

  g_test_summary ("never early, asleep in between, with the slack of the thread restored");
  orrery_scheduler_add (scheduler, "walker", walk, &walker, NULL);
  g_assert_true (orrery_scheduler_run (scheduler));
  cpu = cpu_time () - cpu;
  wall = g_get_monotonic_time () - wall;
  g_assert_cmpuint (walker.n, ==, 21);
  g_assert_cmpint (walker.earliest, >=, 0);
  g_assert_cmpint (wall, >=, 100 * 1000 - 1);
  g_assert_cmpint (cpu, <, wall * 1000 / 4);
  g_assert_cmpint (slack, !=, 1);
  g_assert_cmpint (walker.slack, ==, 1);
  g_assert_cmpint (prctl (PR_GET_TIMERSLACK), ==, slack);
}

/* --- in a main loop --- */

typedef struct {
  GMainContext *context;
  GMainLoop *loop;
  OrreryScheduler *scheduler;
  guint n_finished;
} Looped;

static void
on_finished (OrreryScheduler *scheduler, gpointer data)
{
  Looped *looped = data;

  looped->n_finished++;
  g_main_loop_quit (looped->loop);
}

static void
looped_init (Looped *looped, OrreryScheduler *scheduler)
{
  g_autoptr (GError) error = NULL;

  looped->context = g_main_context_new ();
  looped->loop = g_main_loop_new (looped->context, FALSE);
  looped->scheduler = scheduler;
  looped->n_finished = 0;
  g_signal_connect (scheduler, "finished", G_CALLBACK (on_finished), looped);
  g_assert_true (orrery_scheduler_attach (scheduler, looped->context, &error));
  g_assert_no_error (error);
}

static void
looped_clear (Looped *looped)
{
  g_assert_finalize_object (looped->scheduler);
  g_main_loop_unref (looped->loop);
  g_main_context_unref (looped->context);
}

static void
add_source (Looped *looped, GSource *source, GSourceFunc func, gpointer data)
{
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, looped->context);
  g_source_unref (source);
}

static void
test_loop (void)
{
  Counter counter = { .sleep = 2 * MS, .n_steps = 11 };
  Looped looped;
  gint64 wall = g_get_monotonic_time ();
  OrreryTime cpu = cpu_time ();

  g_test_summary ("runs to the end in a main loop, asleep in between, and says so once");
  looped_init (&looped, make (NULL, &counter));
  g_main_loop_run (looped.loop);
  cpu = cpu_time () - cpu;
  wall = g_get_monotonic_time () - wall;
  g_assert_cmpuint (counter.n, ==, 11);
  g_assert_cmpint (wall, >=, 20 * 1000 - 1);
  g_assert_cmpint (cpu, <, wall * 1000 / 2);
  g_assert_false (g_main_context_iteration (looped.context, FALSE));
  g_assert_cmpuint (looped.n_finished, ==, 1);

  /* With another task it is at work again. */
  counter = (Counter){ .scheduler = looped.scheduler, .sleep = 1, .n_steps = 3 };
  orrery_scheduler_add (looped.scheduler, "again", count, &counter, NULL);
  g_main_loop_run (looped.loop);
  g_assert_cmpuint (counter.n, ==, 3);
  g_assert_cmpuint (looped.n_finished, ==, 2);
  looped_clear (&looped);
}

static gboolean
count_and_stop (gpointer data)
{
  Counter *counter = data;

  if (++counter->n == counter->stops_at)
    orrery_scheduler_stop (counter->scheduler);
  return G_SOURCE_CONTINUE;
}

static void
test_loop_is_shared (void)
{
  Counter greedy = { .sleep = -1 };
  Counter other = { .stops_at = 1000 };
  Looped looped;

  g_test_summary ("a task that is always due leaves other sources their turns");
  looped_init (&looped, make (NULL, &greedy));
  other.scheduler = looped.scheduler;
  add_source (&looped, g_timeout_source_new (0), count_and_stop, &other);
  g_main_loop_run (looped.loop);
  g_assert_cmpuint (other.n, >=, 1000);
  g_assert_cmpuint (greedy.n, >=, 1000);
  g_assert_cmpuint (orrery_scheduler_get_n_tasks (looped.scheduler), ==, 1);
  looped_clear (&looped);
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer data)
{
  char byte;

  g_assert_cmpint (read (fd, &byte, 1), ==, 1);
  ((OrreryTask **) data)[1] = NULL;
  g_main_loop_quit (((gpointer *) data)[0]);
  return G_SOURCE_CONTINUE;
}

static gpointer
write_byte (gpointer data)
{
  g_assert_cmpint (write (GPOINTER_TO_INT (data), "x", 1), ==, 1);
  return NULL;
}

static void
test_loop_wakes_for_others (void)
{
  Counter sleeper = { .sleep = HOUR };
  g_autoptr (GError) error = NULL;
  gpointer data[2];
  GSource *source;
  GThread *thread;
  Looped looped;
  int fds[2];

  g_test_summary ("while tasks sleep for an hour, input is taken at once");
  looped_init (&looped, make (NULL, &sleeper));
  g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, &error));
  source = g_unix_fd_source_new (fds[0], G_IO_IN);
  data[0] = looped.loop;
  add_source (&looped, source, G_SOURCE_FUNC (on_readable), data);
  for (guint i = 0; i < 10; i++) {
    data[1] = data;
    thread = g_thread_new ("write", write_byte, GINT_TO_POINTER (fds[1]));
    g_main_loop_run (looped.loop);
    g_thread_join (thread);
    g_assert_null (data[1]);
  }
  g_assert_cmpuint (sleeper.n, ==, 1);
  looped_clear (&looped);
  close (fds[0]);
  close (fds[1]);
}

static void
test_loop_of_a_moved_clock (void)
{
  OrreryClock *clock = g_object_new (TEST_TYPE_QUIET_CLOCK, NULL);
  Counter counter = { .sleep = HOUR, .n_steps = 101 };
  Looped looped;
  GThread *thread;

  g_test_summary ("another thread moves the clock, then stops the scheduler");
  looped_init (&looped, make (clock, &counter));
  thread = g_thread_new ("clock", move_clock, clock);
  g_main_loop_run (looped.loop);
  g_thread_join (thread);
  g_assert_cmpuint (counter.n, ==, 101);

  counter = (Counter){ .scheduler = looped.scheduler, .sleep = HOUR };
  while (g_async_queue_try_pop (TEST_QUIET_CLOCK (clock)->sleeps) != NULL)
    ;
  orrery_scheduler_add (looped.scheduler, "again", count, &counter, NULL);
  thread = g_thread_new ("stop", stop_once_asleep, looped.scheduler);
  g_main_loop_run (looped.loop);
  g_thread_join (thread);
  g_assert_cmpuint (looped.n_finished, ==, 2);
  looped_clear (&looped);
  g_object_unref (clock);
}

static void
test_detach (void)
{
  Counter counter = { .sleep = 0, .n_steps = 3 };
  Looped looped;

  g_test_summary ("detached, the loop does nothing of it, and it runs by itself");
  looped_init (&looped, make (NULL, &counter));
  orrery_scheduler_detach (looped.scheduler);
  orrery_scheduler_detach (looped.scheduler);
  g_assert_false (g_main_context_iteration (looped.context, FALSE));
  g_assert_cmpuint (counter.n, ==, 0);
  g_assert_true (orrery_scheduler_run (looped.scheduler));
  g_assert_cmpuint (counter.n, ==, 3);
  looped_clear (&looped);
}

static void
test_no_descriptors (void)
{
  g_autoptr (OrreryScheduler) scheduler = orrery_scheduler_new (NULL, NULL);
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GError) error = NULL;
  struct rlimit before, none;
  gboolean attached;

  g_test_summary ("without descriptors: an error, and nothing has changed");
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &before), ==, 0);
  none = before;
  none.rlim_cur = 3;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &none), ==, 0);
  attached = orrery_scheduler_attach (scheduler, context, &error);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
  g_assert_false (attached);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "no timer for a scheduler"));
  g_clear_error (&error);
  g_assert_true (orrery_scheduler_attach (scheduler, context, &error));
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
#define add_test(name, func) g_test_add_func ("/loop/scheduler-wall/" name, func)
  add_test ("stop-from-a-thread", test_stop_from_a_thread);
  add_test ("stop-of-a-busy-one", test_stop_of_a_busy_one);
  add_test ("stop-from-within", test_stop_from_within);
  add_test ("shared-token", test_shared_token);
  add_test ("moved-clock", test_moved_clock);
  add_test ("fast-clock", test_fast_clock);
  add_test ("same-clock", test_same_clock);
  add_test ("wall", test_wall);
  add_test ("loop", test_loop);
  add_test ("loop-is-shared", test_loop_is_shared);
  add_test ("loop-wakes-for-others", test_loop_wakes_for_others);
  add_test ("loop-of-a-moved-clock", test_loop_of_a_moved_clock);
  add_test ("detach", test_detach);
  add_test ("no-descriptors", test_no_descriptors);
  return g_test_run ();
}
