/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
/*
 * Channels beside what limits them, in one run and turn about: a bare ring, a bare futex ping, a
 * bare futex ring, and memcpy. The other side of what goes between processes is a forked child,
 * which has mappings of its own.
 */
#include <errno.h>
#include <linux/futex.h>
#include <orrery.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SMALL 64
#define CAMERA (320 * 200 * 3)
#define FULL_HD (1920 * 1080 * 3)
#define ROUNDS 7
#define MAX_SAMPLES 4000
#define CACHES (64 << 20) /* more than any cache holds */

typedef struct {
  double values[ROUNDS];
  guint n;
} Series;

static gint64
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * ORRERY_SECOND + t.tv_nsec;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
percentile (double *values, guint n, double share)
{
  qsort (values, n, sizeof *values, compare);
  return values[(guint) ((n - 1) * share)];
}

static void
add (Series *series, double value)
{
  series->values[series->n++] = value;
}

static double
median (Series *series)
{
  return percentile (series->values, series->n, 0.5);
}

static void
print (const char *name, double value, const char *unit)
{
  printf ("%s %.6g %s\n", name, value, unit);
  fflush (stdout);
}

/* --- what the sides share beside the channel: when things were sent, when to go on --- */

typedef struct {
  guint32 asleep __attribute__ ((aligned (64)));
  guint32 ready __attribute__ ((aligned (64)));
  guint32 stop __attribute__ ((aligned (64)));
  gint64 sent __attribute__ ((aligned (64)));
  gint64 begin; /* of receiving, and its end */
  gint64 end;
  guint64 n_received __attribute__ ((aligned (64)));
  guint64 head __attribute__ ((aligned (64)));
  guint64 tail __attribute__ ((aligned (64)));
  guint n_samples;
  double samples[MAX_SAMPLES];
  guint8 bytes[] __attribute__ ((aligned (64)));
} Shared;

static Shared *
shared_new (gsize size)
{
  Shared *shared = mmap (NULL, sizeof (Shared) + size, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

  g_assert (shared != MAP_FAILED);
  return shared;
}

static void
shared_free (Shared *shared, gsize size)
{
  munmap (shared, sizeof (Shared) + size);
}

static void
wake (Shared *shared)
{
  if (__atomic_exchange_n (&shared->asleep, 0, __ATOMIC_SEQ_CST))
    syscall (SYS_futex, &shared->asleep, FUTEX_WAKE, G_MAXINT, NULL, NULL, 0);
}

/* Until the number of things sent is another than @seen. Returns: which */
static guint64
wait_for_more (Shared *shared, guint64 seen)
{
  for (;;) {
    __atomic_store_n (&shared->asleep, 1, __ATOMIC_SEQ_CST);
    guint64 present = __atomic_load_n (&shared->head, __ATOMIC_SEQ_CST);
    if (present != seen)
      return present;
    syscall (SYS_futex, &shared->asleep, FUTEX_WAIT, 1, NULL, NULL, 0);
  }
}

typedef void (*Side) (Shared *shared, OrreryChannel *channel, gsize size);

static gsize
get_n_pings (gsize size)
{
  return size > CAMERA ? 60 : 1000;
}

/* Where both sides run. The system puts them on one processor or on two as it sees fit, and on one
 * it is a matter of luck whether each message costs a switch: so it is also told. */
typedef enum {
  ANYWHERE,
  APART,
} Place;

static Place place;

static void
go_to (int processor)
{
  cpu_set_t set;

  if (place == ANYWHERE)
    return;
  CPU_ZERO (&set);
  CPU_SET (processor, &set);
  sched_setaffinity (0, sizeof set, &set);
}

/* Runs @child in a process, @parent in this one. */
static void
run_both (Shared *shared, OrreryChannel *channel, gsize size, Side parent, Side child)
{
  pid_t pid = fork ();
  cpu_set_t before;
  int status;

  if (pid == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    go_to (1);
    child (shared, channel, size);
    _exit (0);
  }
  while (!__atomic_load_n (&shared->ready, __ATOMIC_ACQUIRE))
    usleep (100);
  sched_getaffinity (0, sizeof before, &before);
  go_to (0);
  parent (shared, channel, size);
  sched_setaffinity (0, sizeof before, &before);
  waitpid (pid, &status, 0);
  g_assert (WIFEXITED (status));
}

/* --- latency: sent, copied out by a sleeper; each message after the answer to the last --- */

static void
note (Shared *shared)
{
  gint64 sent = __atomic_load_n (&shared->sent, __ATOMIC_ACQUIRE);

  shared->samples[shared->n_samples++] = (double) (now () - sent);
  __atomic_store_n (&shared->n_received, shared->n_received + 1, __ATOMIC_RELEASE);
}

static void
wait_for_answer (Shared *shared, guint64 n)
{
  while (__atomic_load_n (&shared->n_received, __ATOMIC_ACQUIRE) < n)
    usleep (20);
  /* And until it sleeps again. */
  usleep (60);
}

static guint8 *
frame_new (gsize size)
{
  guint8 *frame = g_aligned_alloc (1, size, 64);

  memset (frame, 7, size);
  return frame;
}

static void
ping_bare (Shared *shared, OrreryChannel *channel, gsize size)
{
  guint8 *frame = frame_new (size);

  for (gsize i = 0; i < get_n_pings (size); i++) {
    frame[0]++;
    __atomic_store_n (&shared->sent, now (), __ATOMIC_RELEASE);
    memcpy (shared->bytes, frame, size);
    __atomic_store_n (&shared->head, i + 1, __ATOMIC_SEQ_CST);
    wake (shared);
    wait_for_answer (shared, i + 1);
  }
  g_aligned_free (frame);
}

static void
pong_bare (Shared *shared, OrreryChannel *channel, gsize size)
{
  guint64 seen = 0;

  shared->begin = now ();
  __atomic_store_n (&shared->ready, 1, __ATOMIC_RELEASE);
  for (gsize i = 0; i < get_n_pings (size); i++) {
    seen = wait_for_more (shared, seen);
    note (shared);
  }
}

static void
ping_channel (Shared *shared, OrreryChannel *channel, gsize size)
{
  OrreryEmitter *emitter = orrery_emitter_new (channel, NULL);
  guint8 *frame = frame_new (size);

  for (gsize i = 0; i < get_n_pings (size); i++) {
    frame[0]++;
    __atomic_store_n (&shared->sent, now (), __ATOMIC_RELEASE);
    g_assert (orrery_emitter_emit (emitter, frame, size, 0, NULL));
    wait_for_answer (shared, i + 1);
  }
  g_aligned_free (frame);
  orrery_emitter_unref (emitter);
}

/* One that has read what rounds before left. */
static OrreryReceiver *
receiver_new (OrreryChannel *channel)
{
  OrreryReceiver *receiver = orrery_receiver_new (channel, NULL);

  while (orrery_receiver_read (receiver) == ORRERY_READING_FRESH)
    ;
  return receiver;
}

static void
pong_channel (Shared *shared, OrreryChannel *channel, gsize size)
{
  OrreryReceiver *receiver = receiver_new (channel);

  shared->begin = now ();
  __atomic_store_n (&shared->ready, 1, __ATOMIC_RELEASE);
  for (gsize i = 0; i < get_n_pings (size); i++) {
    orrery_receiver_wait (receiver, -1);
    g_assert (orrery_receiver_read (receiver) == ORRERY_READING_FRESH);
    note (shared);
  }
  orrery_receiver_unref (receiver);
}

/* --- rate: flat out --- */

#define RING 1024

static gint64
get_span (gsize size)
{
  return size > CAMERA ? ORRERY_SECOND / 2 : ORRERY_SECOND / 4;
}

static void
stop (Shared *shared)
{
  __atomic_store_n (&shared->stop, 1, __ATOMIC_SEQ_CST);
}

/* The producer waits where the ring is full: nothing is lost. */
static void
produce_bare (Shared *shared, OrreryChannel *channel, gsize size)
{
  gint64 end = now () + get_span (size);
  guint8 frame[SMALL] = { 0 };
  guint64 head = 0;

  while (head % 256 != 0 || now () < end) {
    while (head - __atomic_load_n (&shared->tail, __ATOMIC_ACQUIRE) >= RING)
      sched_yield ();
    memcpy (shared->bytes + head % RING * SMALL, frame, SMALL);
    __atomic_store_n (&shared->head, ++head, __ATOMIC_SEQ_CST);
    if (__atomic_load_n (&shared->asleep, __ATOMIC_SEQ_CST))
      wake (shared);
  }
  stop (shared);
  __atomic_store_n (&shared->head, head + 1, __ATOMIC_SEQ_CST);
  wake (shared);
}

static void
consume_bare (Shared *shared, OrreryChannel *channel, gsize size)
{
  guint8 frame[SMALL];
  guint64 tail = 0;

  shared->begin = now ();
  __atomic_store_n (&shared->ready, 1, __ATOMIC_RELEASE);
  for (;;) {
    if (tail != __atomic_load_n (&shared->head, __ATOMIC_ACQUIRE)) {
      memcpy (frame, shared->bytes + tail % RING * SMALL, SMALL);
      __asm__ volatile("" : : "r"(frame) : "memory");
      __atomic_store_n (&shared->tail, ++tail, __ATOMIC_RELEASE);
      continue;
    }
    if (__atomic_load_n (&shared->stop, __ATOMIC_SEQ_CST))
      break;
    wait_for_more (shared, tail);
  }
  shared->end = now ();
  shared->n_received = tail;
}

/* As the bare one: no further ahead than there is room, so that nothing is lost. */
static void
produce_in_step (Shared *shared, OrreryChannel *channel, gsize size)
{
  OrreryEmitter *emitter = orrery_emitter_new (channel, NULL);
  gint64 end = now () + get_span (size);
  guint8 frame[SMALL] = { 0 };
  guint64 head = 0;

  while (head % 256 != 0 || now () < end) {
    while (head - __atomic_load_n (&shared->tail, __ATOMIC_ACQUIRE) >= RING)
      sched_yield ();
    g_assert (orrery_emitter_emit (emitter, frame, SMALL, 0, NULL));
    head++;
  }
  stop (shared);
  orrery_emitter_emit (emitter, frame, SMALL, 0, NULL);
  orrery_emitter_unref (emitter);
}

static void
produce_channel (Shared *shared, OrreryChannel *channel, gsize size)
{
  OrreryEmitter *emitter = orrery_emitter_new (channel, NULL);
  gint64 end = now () + get_span (size);
  guint8 *frame = frame_new (size);
  guint every = size > SMALL ? 1 : 256;

  for (guint64 i = 0; i % every != 0 || now () < end; i++)
    g_assert (orrery_emitter_emit (emitter, frame, size, 0, NULL));
  stop (shared);
  orrery_emitter_emit (emitter, frame, size, 0, NULL);
  g_aligned_free (frame);
  orrery_emitter_unref (emitter);
}

/* A ring is copied out of; a latest value is looked at where it lies, at both ends. */
static void
consume_channel (Shared *shared, OrreryChannel *channel, gsize size)
{
  OrreryReceiver *receiver = receiver_new (channel);
  guint64 n = 0, sum = 0;

  shared->begin = now ();
  __atomic_store_n (&shared->ready, 1, __ATOMIC_RELEASE);
  for (;;) {
    if (orrery_receiver_read (receiver) == ORRERY_READING_FRESH) {
      const guint8 *data = orrery_receiver_get_data (receiver, NULL);

      sum += (guint64) (data[0] + data[size - 1]);
      __atomic_store_n (&shared->tail, ++n, __ATOMIC_RELEASE);
      continue;
    }
    if (__atomic_load_n (&shared->stop, __ATOMIC_SEQ_CST))
      break;
    orrery_receiver_wait (receiver, -1);
  }
  shared->end = now ();
  shared->n_received = n + (sum == 0);
  orrery_receiver_unref (receiver);
}

static void
consume_copies (Shared *shared, OrreryChannel *channel, gsize size)
{
  OrreryReceiver *receiver = receiver_new (channel);
  guint8 *copy = frame_new (size);
  guint64 n = 0;

  shared->begin = now ();
  __atomic_store_n (&shared->ready, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n (&shared->stop, __ATOMIC_SEQ_CST)) {
    orrery_receiver_wait (receiver, -1);
    if (orrery_receiver_read (receiver) != ORRERY_READING_FRESH)
      continue;
    memcpy (copy, orrery_receiver_get_data (receiver, NULL), size);
    n++;
  }
  shared->end = now ();
  shared->n_received = n;
  g_aligned_free (copy);
  orrery_receiver_unref (receiver);
}

/* --- one process --- */

typedef struct {
  guint64 head;
  guint64 tail;
  guint8 bytes[8][SMALL];
} BareRing;

static void __attribute__ ((noinline)) bare_put (BareRing *ring, const guint8 *frame)
{
  memcpy (ring->bytes[ring->head % 8], frame, SMALL);
  ring->head++;
}

static gboolean __attribute__ ((noinline)) bare_get (BareRing *ring, guint8 *frame)
{
  if (ring->tail == ring->head)
    return FALSE;
  memcpy (frame, ring->bytes[ring->tail % 8], SMALL);
  ring->tail++;
  return TRUE;
}

#define LOCAL_N 50000
#define LOCAL_ROUNDS 60

static double
time_bare_ring (void)
{
  static BareRing ring;
  guint8 frame[SMALL] = { 1 }, out[SMALL];
  gint64 start = now ();

  for (guint i = 0; i < LOCAL_N; i++) {
    bare_put (&ring, frame);
    g_assert (bare_get (&ring, out));
  }
  return (double) (now () - start) / LOCAL_N;
}

static double
time_local (void)
{
  g_autoptr (OrreryChannel) channel = orrery_channel_new_local ("bench", 0, NULL);
  g_autoptr (OrreryEmitter) emitter = orrery_emitter_new (channel, NULL);
  g_autoptr (OrreryReceiver) receiver = orrery_receiver_new (channel, NULL);
  guint8 frame[SMALL] = { 1 };
  gint64 start = now ();

  for (guint i = 0; i < LOCAL_N; i++) {
    orrery_emitter_emit (emitter, frame, SMALL, i, NULL);
    g_assert (orrery_receiver_read (receiver) == ORRERY_READING_FRESH);
  }
  return (double) (now () - start) / LOCAL_N;
}

/* --- memcpy: from and to the same place, and with the caches swept before each --- */

static double
time_hot (gsize size)
{
  guint8 *from = frame_new (size), *to = frame_new (size);
  guint n = (guint) (FULL_HD / size * 40);
  gint64 start = now ();

  for (guint i = 0; i < n; i++) {
    from[0]++;
    memcpy (to, from, size);
    __asm__ volatile("" : : "r"(to) : "memory");
  }
  double time = (double) (now () - start) / n;
  g_aligned_free (from);
  g_aligned_free (to);
  return time;
}

static double
time_cold (gsize size)
{
  static guint8 *sweep;
  guint8 *from = frame_new (size), *to = frame_new (size);
  double times[15];

  if (sweep == NULL)
    sweep = frame_new (CACHES);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    gint64 start;

    memset (sweep, (int) i, CACHES);
    start = now ();
    memcpy (to, from, size);
    __asm__ volatile("" : : "r"(to) : "memory");
    times[i] = (double) (now () - start);
  }
  g_aligned_free (from);
  g_aligned_free (to);
  return percentile (times, G_N_ELEMENTS (times), 0.5);
}

/* --- all --- */

typedef struct {
  Series p50, p99, rate;
} Result;

static void
measure_latency (Result *result, OrreryChannel *channel, gsize size)
{
  Shared *shared = shared_new (size);

  if (channel != NULL)
    run_both (shared, channel, size, ping_channel, pong_channel);
  else
    run_both (shared, NULL, size, ping_bare, pong_bare);
  add (&result->p50, percentile (shared->samples, shared->n_samples, 0.5));
  add (&result->p99, percentile (shared->samples, shared->n_samples, 0.99));
  shared_free (shared, size);
}

static void
measure_rate (Result *result, OrreryChannel *channel, gsize size, Side producer, Side consumer)
{
  Shared *shared = shared_new (RING * SMALL);

  run_both (shared, channel, size, producer, consumer);
  add (&result->rate,
       (double) shared->n_received / ((double) (shared->end - shared->begin) / ORRERY_SECOND));
  shared_free (shared, RING * SMALL);
}

/* The least of many short runs: what else goes on here lengthens some. */
static void
bench_local (void)
{
  double bare = G_MAXDOUBLE, local = G_MAXDOUBLE;

  for (guint i = 0; i < LOCAL_ROUNDS; i++) {
    bare = MIN (bare, time_bare_ring ());
    local = MIN (local, time_local ());
  }
  print ("channel.local.bare", bare, "ns");
  print ("channel.local", local, "ns");
  print ("channel.local.ratio", local / bare, "of_bare");
}

static void
bench_queue (void)
{
  g_autoptr (OrreryChannel) few = orrery_channel_new_queue ("bench", 0, NULL);
  g_autoptr (OrreryChannel) many = orrery_channel_new_queue ("bench", RING, NULL);
  Result bare = { 0 }, queue = { 0 }, lossy = { 0 };

  for (guint i = 0; i < ROUNDS; i++) {
    measure_latency (&bare, NULL, SMALL);
    measure_latency (&queue, few, SMALL);
    measure_rate (&bare, NULL, SMALL, produce_bare, consume_bare);
    measure_rate (&queue, many, SMALL, produce_in_step, consume_channel);
    measure_rate (&lossy, many, SMALL, produce_channel, consume_channel);
  }
  print ("channel.queue.bare.p50", median (&bare.p50), "ns");
  print ("channel.queue.p50", median (&queue.p50), "ns");
  print ("channel.queue.p99", median (&queue.p99), "ns");
  print ("channel.queue.p50.ratio", median (&queue.p50) / median (&bare.p50), "of_bare");
  print ("channel.queue.bare.rate", median (&bare.rate), "per_s");
  print ("channel.queue.rate", median (&queue.rate), "per_s");
  print ("channel.queue.rate.flat_out", median (&lossy.rate), "per_s");
  print ("channel.queue.rate.ratio", median (&queue.rate) / median (&bare.rate), "of_bare");
}

static void
bench_queue_apart (void)
{
  g_autoptr (OrreryChannel) many = orrery_channel_new_queue ("bench", RING, NULL);
  Result bare = { 0 }, queue = { 0 };

  if (sysconf (_SC_NPROCESSORS_ONLN) < 2)
    return;
  place = APART;
  for (guint i = 0; i < ROUNDS; i++) {
    measure_rate (&bare, NULL, SMALL, produce_bare, consume_bare);
    measure_rate (&queue, many, SMALL, produce_in_step, consume_channel);
  }
  place = ANYWHERE;
  print ("channel.queue.apart.bare.rate", median (&bare.rate), "per_s");
  print ("channel.queue.apart.rate", median (&queue.rate), "per_s");
  print ("channel.queue.apart.rate.ratio", median (&queue.rate) / median (&bare.rate), "of_bare");
}

static void
print_for (const char *name, const char *what, double value, const char *unit)
{
  g_autofree char *full = g_strdup_printf ("channel.latest.%s.%s", name, what);

  print (full, value, unit);
}

static void
bench_latest (const char *name, gsize size)
{
  g_autoptr (OrreryChannel) channel = orrery_channel_new_latest ("bench", size, FALSE, NULL);
  Result bare = { 0 }, latest = { 0 }, copied = { 0 };
  Series hot = { 0 }, cold = { 0 };

  for (guint i = 0; i < ROUNDS; i++) {
    add (&hot, time_hot (size));
    add (&cold, time_cold (size));
    measure_latency (&bare, NULL, size);
    measure_latency (&latest, channel, size);
    measure_rate (&latest, channel, size, produce_channel, consume_channel);
    measure_rate (&copied, channel, size, produce_channel, consume_copies);
  }
  print_for (name, "memcpy.hot", ORRERY_SECOND / median (&hot), "per_s");
  print_for (name, "memcpy.cold", median (&cold), "ns");
  print_for (name, "bare.p50", median (&bare.p50), "ns");
  print_for (name, "p50", median (&latest.p50), "ns");
  print_for (name, "p99", median (&latest.p99), "ns");
  print_for (name, "p50.ratio", median (&latest.p50) / median (&bare.p50), "of_futex_and_memcpy");
  print_for (name, "p50.ratio_cold", median (&latest.p50) / median (&cold), "of_cold_memcpy");
  print_for (name, "rate", median (&latest.rate), "per_s");
  print_for (name, "rate.ratio", median (&latest.rate) * median (&hot) / ORRERY_SECOND,
             "of_hot_memcpy");
  print_for (name, "rate.copied", median (&copied.rate), "per_s");
}

int
main (void)
{
  prctl (PR_SET_TIMERSLACK, 1);
  bench_local ();
  bench_queue ();
  bench_queue_apart ();
  bench_latest ("320x200x3", CAMERA);
  bench_latest ("1920x1080x3", FULL_HD);
  return 0;
}
