/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events per second and lateness of the scheduler, each beside its limit in the same run: a bare
 * heap in plain C with one look at the clock per event, sources of GLib with ready times (which are
 * taken in the order in which they were attached, not in that of their times), and a loop around
 * nanosleep.
 */
#include <orrery.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define ROUNDS 7
#define N_EVENTS 1000000
#define N_LATE 100
#define LATE_SECONDS 1
#define LATE_ROUNDS 7
#define MAX_SAMPLES (N_LATE * LATE_SECONDS * 1000)

static inline OrreryTime
read_clock (clockid_t id)
{
  struct timespec time;

  clock_gettime (id, &time);
  return time.tv_sec * ORRERY_SECOND + time.tv_nsec;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* --- the limit: a heap, and a function for each task --- */

typedef struct _BareTask BareTask;
struct _BareTask {
  OrreryTime (*step) (BareTask *task);
  guint64 random;
  OrreryTime due;
};

typedef struct {
  OrreryTime wake;
  guint64 sequence;
  BareTask *task;
} BareEntry;

static guint64 sequence;

static inline gboolean
is_before (const BareEntry *a, const BareEntry *b)
{
  return a->wake < b->wake || (a->wake == b->wake && a->sequence < b->sequence);
}

static inline void
replace_first (BareEntry *heap, guint n, BareEntry entry)
{
  guint hole = 0;
  guint child;

  while ((child = 2 * hole + 1) < n) {
    if (child + 1 < n && is_before (&heap[child + 1], &heap[child]))
      child++;
    if (!is_before (&heap[child], &entry))
      break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = entry;
}

/* --- events per second of processor time: all tasks are always due --- */

static guint n_left;
static OrreryTime longest;

/* Short against the time that the others take: nothing ever waits. */
static inline OrreryTime
draw (guint64 *random)
{
  *random = *random * G_GUINT64_CONSTANT (6364136223846793005) + 1442695;
  return (OrreryTime) ((*random >> 33) * (guint64) longest >> 31);
}

static OrreryTime
bare_step (BareTask *task)
{
  return --n_left == 0 ? -1 : draw (&task->random);
}

static OrreryTime (*volatile chosen_step) (BareTask *task) = bare_step;

static double
run_bare (guint n)
{
  g_autofree BareTask *tasks = g_new0 (BareTask, n);
  g_autofree BareEntry *heap = g_new0 (BareEntry, n);
  OrreryTime begin = read_clock (CLOCK_THREAD_CPUTIME_ID);
  OrreryTime now = read_clock (CLOCK_MONOTONIC);

  for (guint i = 0; i < n; i++) {
    tasks[i] = (BareTask){ .step = chosen_step, .random = i };
    heap[i] = (BareEntry){ now, sequence++, &tasks[i] };
  }
  n_left = N_EVENTS;
  while (TRUE) {
    OrreryTime sleep = heap[0].task->step (heap[0].task);

    if (sleep < 0)
      break;
    now = read_clock (CLOCK_MONOTONIC);
    replace_first (heap, n, (BareEntry){ now + sleep, sequence++, heap[0].task });
    while (heap[0].wake > now)
      now = read_clock (CLOCK_MONOTONIC);
  }
  return N_EVENTS * 1e3 / (read_clock (CLOCK_THREAD_CPUTIME_ID) - begin);
}

static OrreryScheduler *scheduler;

static OrreryNext
step (OrreryTask *task, gpointer data, GError **error)
{
  if (--n_left == 0)
    orrery_scheduler_stop (scheduler);
  return orrery_next_sleep (draw (data));
}

static double
run_ours (guint n)
{
  g_autofree guint64 *randoms = g_new0 (guint64, n);
  OrreryTime begin;
  double result;

  scheduler = orrery_scheduler_new (NULL, NULL);
  for (guint i = 0; i < n; i++) {
    randoms[i] = i;
    orrery_scheduler_add (scheduler, "task", step, &randoms[i], NULL);
  }
  n_left = N_EVENTS;
  begin = read_clock (CLOCK_THREAD_CPUTIME_ID);
  orrery_scheduler_run (scheduler);
  result = N_EVENTS * 1e3 / (read_clock (CLOCK_THREAD_CPUTIME_ID) - begin);
  g_clear_object (&scheduler);
  return result;
}

/* --- the same of GLib, to whose microseconds the times are rounded --- */

typedef struct {
  GSource source;
  guint64 random;
} ReadySource;

static gboolean
dispatch_ready (GSource *source, GSourceFunc callback, gpointer data)
{
  OrreryTime sleep = draw (&((ReadySource *) source)->random);

  n_left -= n_left > 0;
  g_source_set_ready_time (source, (read_clock (CLOCK_MONOTONIC) + sleep) / 1000);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs ready_functions = { .dispatch = dispatch_ready };

static double
run_glib (guint n)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autofree GSource **sources = g_new0 (GSource *, n);
  OrreryTime time;

  for (guint i = 0; i < n; i++) {
    sources[i] = g_source_new (&ready_functions, sizeof (ReadySource));
    ((ReadySource *) sources[i])->random = i;
    g_source_set_ready_time (sources[i], 0);
    g_source_attach (sources[i], context);
  }
  n_left = N_EVENTS;
  time = read_clock (CLOCK_THREAD_CPUTIME_ID);
  while (n_left > 0)
    g_main_context_iteration (context, FALSE);
  time = read_clock (CLOCK_THREAD_CPUTIME_ID) - time;
  for (guint i = 0; i < n; i++) {
    g_source_destroy (sources[i]);
    g_source_unref (sources[i]);
  }
  return N_EVENTS * 1e3 / time;
}

static double
get_median (double *values)
{
  qsort (values, ROUNDS, sizeof (double), compare_doubles);
  return values[ROUNDS / 2];
}

static void
measure_events (guint n)
{
  double ours[ROUNDS], bare[ROUNDS], glib[ROUNDS], to_bare[ROUNDS], to_glib[ROUNDS];

  longest = 4 * n;
  for (guint i = 0; i < ROUNDS; i++) {
    bare[i] = run_bare (n);
    ours[i] = run_ours (n);
    glib[i] = run_glib (n);
    to_bare[i] = ours[i] / bare[i];
    to_glib[i] = ours[i] / glib[i];
  }
  printf ("scheduler-events-%u %.1f M/s\n", n, get_median (ours));
  printf ("scheduler-events-%u-bare-heap %.1f M/s\n", n, get_median (bare));
  printf ("scheduler-events-%u-ratio %.2f\n", n, get_median (to_bare));
  printf ("scheduler-events-%u-glib %.1f M/s\n", n, get_median (glib));
  printf ("scheduler-events-%u-glib-ratio %.2f\n", n, get_median (to_glib));
}

/* --- lateness: a hundred tasks of 1 to 10 ms --- */

static double *samples;
static guint n_samples;
static OrreryTime end;

static OrreryTime
get_period (guint i)
{
  return ORRERY_SECOND / 1000 + i * 9 * ORRERY_SECOND / 1000 / (N_LATE - 1);
}

static inline void
sample (OrreryTime lateness)
{
  if (n_samples < MAX_SAMPLES)
    samples[n_samples++] = lateness * 1e-3;
}

static void
late_bare (void)
{
  BareTask tasks[N_LATE];
  BareEntry heap[N_LATE];

  prctl (PR_SET_TIMERSLACK, 1UL);
  for (guint i = 0; i < N_LATE; i++) {
    tasks[i].due = read_clock (CLOCK_MONOTONIC);
    heap[i] = (BareEntry){ tasks[i].due, sequence++, &tasks[i] };
  }
  while (heap[0].wake < end) {
    BareTask *task = heap[0].task;
    OrreryTime now = read_clock (CLOCK_MONOTONIC);
    struct timespec until = { task->due / ORRERY_SECOND, task->due % ORRERY_SECOND };

    if (task->due > now)
      clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    sample (read_clock (CLOCK_MONOTONIC) - task->due);
    task->due += get_period (task - tasks);
    replace_first (heap, N_LATE, (BareEntry){ task->due, sequence++, task });
  }
  prctl (PR_SET_TIMERSLACK, 0UL);
}

static OrreryNext
late_step (OrreryTask *task, gpointer data, GError **error)
{
  OrreryTime now = read_clock (CLOCK_MONOTONIC);

  sample (now - orrery_task_get_due (task));
  return now < end ? orrery_next_period (get_period (GPOINTER_TO_UINT (data)))
                   : orrery_next_done ();
}

static OrreryScheduler *
make_late (void)
{
  OrreryScheduler *self = orrery_scheduler_new (NULL, NULL);

  for (guint i = 0; i < N_LATE; i++)
    orrery_scheduler_add (self, "late", late_step, GUINT_TO_POINTER (i), NULL);
  return self;
}

static void
late_ours (void)
{
  g_autoptr (OrreryScheduler) self = make_late ();

  orrery_scheduler_run (self);
}

static void
late_looped (void)
{
  g_autoptr (OrreryScheduler) self = make_late ();
  g_autoptr (GMainContext) context = g_main_context_new ();

  orrery_scheduler_attach (self, context, NULL);
  while (orrery_scheduler_get_n_tasks (self) > 0)
    g_main_context_iteration (context, TRUE);
}

typedef struct {
  const char *name;
  void (*run) (void);
  double p50[LATE_ROUNDS], p99[LATE_ROUNDS], cpu[LATE_ROUNDS];
} Late;

static void
measure_lateness (Late *late, guint round)
{
  OrreryTime cpu = read_clock (CLOCK_THREAD_CPUTIME_ID);
  OrreryTime begin = read_clock (CLOCK_MONOTONIC);

  n_samples = 0;
  end = begin + LATE_SECONDS * ORRERY_SECOND;
  late->run ();
  cpu = read_clock (CLOCK_THREAD_CPUTIME_ID) - cpu;
  late->cpu[round] = 100.0 * cpu / (read_clock (CLOCK_MONOTONIC) - begin);
  qsort (samples, n_samples, sizeof (double), compare_doubles);
  late->p50[round] = samples[n_samples / 2];
  late->p99[round] = samples[n_samples / 100 * 99];
}

static void
print_late (const Late *late, const Late *bare, const char *what, const char *unit, gsize offset)
{
  double *values = (double *) ((char *) late + offset),
         *limits = (double *) ((char *) bare + offset);

  qsort (values, LATE_ROUNDS, sizeof (double), compare_doubles);
  qsort (limits, LATE_ROUNDS, sizeof (double), compare_doubles);
  printf ("scheduler-lateness-%s-%s %.1f %s\n", late->name, what, values[LATE_ROUNDS / 2], unit);
  if (late != bare)
    printf ("scheduler-lateness-%s-%s-ratio %.2f of_nanosleep\n", late->name, what,
            values[LATE_ROUNDS / 2] / limits[LATE_ROUNDS / 2]);
}

/* Turn about, and the median of each: what else goes on here lengthens some. */
static void
bench_lateness (void)
{
  Late late[] = {
    { .name = "nanosleep", .run = late_bare },
    { .name = "by-itself", .run = late_ours },
    { .name = "in-a-loop", .run = late_looped },
  };

  for (guint round = 0; round < LATE_ROUNDS; round++)
    for (guint i = 0; i < G_N_ELEMENTS (late); i++)
      measure_lateness (&late[i], round);
  for (guint i = 0; i < G_N_ELEMENTS (late); i++) {
    print_late (&late[i], &late[0], "p50", "us", G_STRUCT_OFFSET (Late, p50));
    print_late (&late[i], &late[0], "p99", "us", G_STRUCT_OFFSET (Late, p99));
    print_late (&late[i], &late[0], "cpu", "%", G_STRUCT_OFFSET (Late, cpu));
  }
}

int
main (int argc, char **argv)
{
  measure_events (10);
  measure_events (100);
  measure_events (1000);
  measure_events (10000);
  samples = g_new0 (double, MAX_SAMPLES);
  bench_lateness ();
  g_free (samples);
  return 0;
}
