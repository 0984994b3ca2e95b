/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "channel-trial.h"
#include "channel/orrery-channel-private.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Channels between processes, which are really killed. */

#define FRAME 65536
#define N_FRAMES 10000
#define N_WAKES 500

static guint
get_n_kills (void)
{
  return g_test_slow () ? 200 : 20;
}

/* --- the others --- */

/* Emits frames flat out until it is killed. */
static int
run_emit (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  gsize size = g_ascii_strtoull (argument, NULL, 10);
  g_autofree guint64 *frame = g_malloc (size);

  for (guint64 i = orrery_emitter_get_n_emitted (emitter) + 1;; i++) {
    channel_trial_fill (frame, size, i);
    if (!orrery_emitter_emit (emitter, (guint8 *) frame, size, (OrreryTime) i, NULL))
      return 1;
    if (i % 1024 == 1)
      channel_trial_say (socket);
  }
}

static int
run_numbers (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  guint64 n = g_ascii_strtoull (argument, NULL, 10);

  for (guint64 i = 1; i <= n; i++)
    channel_trial_emit_number (emitter, i);
  return 0;
}

/* Keeps every value that it is told of. */
static int
run_hold (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);

  channel_trial_say (socket);
  while (channel_trial_hear (socket)) {
    if (orrery_receiver_read (receiver) != ORRERY_READING_FRESH ||
        orrery_receiver_hold_buffer (receiver) == NULL)
      return 1;
    channel_trial_say (socket);
  }
  return 0;
}

/* Looks at frames where they lie. Returns: 0 if none was torn and none went back */
static int
run_check (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  guint64 n = g_ascii_strtoull (argument, NULL, 10), last = 0;

  while (n > 0) {
    gconstpointer data;
    guint64 number;
    gsize size;

    if (!orrery_receiver_wait (receiver, 60 * ORRERY_SECOND))
      return 2;
    if (orrery_receiver_read (receiver) != ORRERY_READING_FRESH)
      continue;
    data = orrery_receiver_get_data (receiver, &size);
    number = channel_trial_check (data, size);
    if (number <= last)
      return 1;
    last = number;
    n--;
  }
  return 0;
}

/* The same without the guard: nothing is held. Returns: 0 if frames were torn */
static int
run_check_unguarded (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  OrreryHeader *header = channel->memory->header;
  gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  while (g_get_monotonic_time () < end) {
    guint64 head = __atomic_load_n (&header->head, __ATOMIC_SEQ_CST);

    if (head != 0 &&
        channel_trial_check (orrery_memory_get_piece (channel->memory, head & 0xff, FRAME),
                             FRAME) == 0)
      return 0;
  }
  return 1;
}

/* Holds one frame while others go by. */
static int
run_pin (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryReceiver) watcher = channel_trial_receiver (channel);
  guint64 first, number;

  if (!orrery_receiver_wait (receiver, 60 * ORRERY_SECOND))
    return 2;
  orrery_receiver_read (receiver);
  first = channel_trial_check (orrery_receiver_get_data (receiver, NULL), FRAME);
  do {
    if (first == 0 || !orrery_receiver_wait (watcher, 60 * ORRERY_SECOND))
      return 2;
    orrery_receiver_read (watcher);
    number = channel_trial_check (orrery_receiver_get_data (watcher, NULL), FRAME);
  } while (number < first + N_FRAMES);
  return channel_trial_check (orrery_receiver_get_data (receiver, NULL), FRAME) == first ? 0 : 1;
}

/* Answers each value that wakes it; sleeps on the descriptor if the argument is "poll". */
static int
run_wake (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  struct pollfd poll_fd = { .events = POLLIN };

  if (g_str_equal (argument, "poll"))
    poll_fd.fd = orrery_receiver_get_fd (receiver, NULL);
  channel_trial_say (socket);
  for (guint n = 0; n < N_WAKES;) {
    if (poll_fd.fd > 0)
      poll (&poll_fd, 1, -1);
    else
      orrery_receiver_wait (receiver, -1);
    if (orrery_receiver_read (receiver) == ORRERY_READING_FRESH) {
      channel_trial_say (socket);
      n++;
    }
  }
  return 0;
}

/* Sends back by the second channel what comes by the first. */
static int
run_echo (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) there = channel_trial_receive (socket);
  g_autoptr (OrreryChannel) back = channel_trial_receive (socket);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (there);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (back);

  for (guint64 i = 1; i <= N_FRAMES; i++) {
    if (!orrery_receiver_wait (receiver, 60 * ORRERY_SECOND))
      return 1;
    channel_trial_assert (receiver, ORRERY_READING_FRESH, i);
    channel_trial_emit_number (emitter, i);
  }
  return 0;
}

static int
run_forbid_memfd (int socket, const char *argument)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (code), code };
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryChannel) channel = NULL;

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return 77;
  channel = orrery_channel_new_latest ("camera", 0, FALSE, &error);
  if (channel != NULL || !g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_IO) ||
      !g_str_has_prefix (error->message, "camera: cannot make shared memory: "))
    return 1;
  /* What needs none is there. */
  channel = orrery_channel_new_local ("camera", 0, NULL);
  return channel != NULL ? 0 : 2;
}

static gboolean
is_refused (gpointer thing, GError **error)
{
  gboolean refused = thing == NULL && g_error_matches (*error, ORRERY_ERROR, ORRERY_ERROR_IO);

  g_clear_error (error);
  return refused;
}

/* With no descriptor left everything that needs one is an error, and with one more it is not. */
static int
run_exhaust (int socket, const char *argument)
{
  g_autoptr (OrreryChannel) channel = channel_trial_receive (socket);
  g_autoptr (GError) error = NULL;
  struct rlimit limit;
  int last;

  /* The lowest free number is taken each time: below the last there is none left. */
  do
    last = dup (socket);
  while (last < 32);
  getrlimit (RLIMIT_NOFILE, &limit);
  limit.rlim_cur = (rlim_t) last + 1;
  setrlimit (RLIMIT_NOFILE, &limit);
  if (!is_refused (orrery_channel_new_queue ("x", 0, &error), &error))
    return 1;
  if (!is_refused (orrery_emitter_new (channel, &error), &error))
    return 2;
  if (!is_refused (orrery_receiver_new (channel, &error), &error))
    return 3;
  channel_trial_say (socket);
  if (!is_refused (orrery_channel_receive (socket, &error), &error))
    return 4;
  limit.rlim_cur = (rlim_t) last + 9;
  setrlimit (RLIMIT_NOFILE, &limit);
  g_autoptr (OrreryEmitter) emitter = orrery_emitter_new (channel, NULL);
  g_autoptr (OrreryReceiver) receiver = orrery_receiver_new (channel, NULL);
  if (emitter == NULL || receiver == NULL)
    return 5;
  channel_trial_emit_number (emitter, 1);
  return orrery_receiver_read (receiver) == ORRERY_READING_FRESH ? 0 : 6;
}

static const ChannelTrialMode modes[] = {
  { "echo", run_echo },
  { "emit", run_emit },
  { "numbers", run_numbers },
  { "hold", run_hold },
  { "check", run_check },
  { "pin", run_pin },
  { "check-unguarded", run_check_unguarded },
  { "wake", run_wake },
  { "forbid-memfd", run_forbid_memfd },
  { "exhaust", run_exhaust },
  { NULL, NULL },
};

/* --- the tests --- */

static OrreryChannel *
latest_new (void)
{
  return orrery_channel_new_latest ("trial", FRAME, FALSE, NULL);
}

static ChannelTrialChild
spawn_with (const char *mode, const char *argument, OrreryChannel *channel)
{
  ChannelTrialChild child = channel_trial_spawn (mode, argument);

  channel_trial_send (child.socket, channel);
  return child;
}

static void
assert_exit (ChannelTrialChild *child)
{
  int status = channel_trial_end (child, 0);

  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static void
test_order (void)
{
  g_autoptr (OrreryChannel) channel = orrery_channel_new_queue ("trial", 5000, NULL);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  ChannelTrialChild child = spawn_with ("numbers", "5000", channel);

  g_test_summary ("Of 5000 values of another process, which is gone at the end, none is missing");
  for (guint64 i = 1; i <= 5000; i++) {
    g_assert_true (orrery_receiver_wait (receiver, 60 * ORRERY_SECOND));
    channel_trial_assert (receiver, ORRERY_READING_FRESH, i);
  }
  assert_exit (&child);
  channel_trial_assert (receiver, ORRERY_READING_STALE, 5000);
  g_assert_cmpuint (orrery_receiver_get_n_dropped (receiver), ==, 0);
}

/* Emits until every slot is held by @child; the next value is refused. */
static void
fill_slots (OrreryEmitter *emitter, ChannelTrialChild *child)
{
  g_autoptr (GError) error = NULL;
  guint64 number = 1;

  g_assert_true (channel_trial_hear (child->socket));
  for (guint i = 0; i <= ORRERY_CHANNEL_MAX_HELD; i++) {
    channel_trial_emit_number (emitter, i);
    channel_trial_say (child->socket);
    g_assert_true (channel_trial_hear (child->socket));
  }
  channel_trial_emit_number (emitter, 100);
  g_assert_false (
      orrery_emitter_emit (emitter, (const guint8 *) &number, sizeof number, 0, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_BUSY);
}

static void
test_dead_readers (void)
{
  g_autoptr (OrreryChannel) channel = latest_new ();
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  guint n_fds = channel_trial_count_fds ();

  g_test_summary ("Slots of a reader that was killed are taken back, and not before");
  for (guint i = 0; i < get_n_kills (); i++) {
    ChannelTrialChild child = spawn_with ("hold", "", channel);
    g_autoptr (OrreryReceiver) receiver = NULL;

    fill_slots (emitter, &child);
    channel_trial_end (&child, SIGKILL);
    receiver = channel_trial_receiver (channel);
    channel_trial_assert (receiver, ORRERY_READING_FRESH, 100);
    for (guint64 number = 200; number < 300; number++) {
      channel_trial_emit_number (emitter, number);
      channel_trial_assert (receiver, ORRERY_READING_FRESH, number);
    }
  }
  g_assert_cmpuint (channel_trial_count_fds (), ==, n_fds);
}

static void
test_stopped_reader (void)
{
  g_autoptr (OrreryChannel) channel = latest_new ();
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  ChannelTrialChild child = spawn_with ("hold", "", channel);
  guint64 number = 1;

  g_test_summary ("One that is only stopped keeps its slots");
  fill_slots (emitter, &child);
  kill (child.pid, SIGSTOP);
  waitpid (child.pid, NULL, WUNTRACED);
  for (guint i = 0; i < 100; i++)
    g_assert_false (
        orrery_emitter_emit (emitter, (const guint8 *) &number, sizeof number, 0, NULL));
  channel_trial_end (&child, SIGKILL);
  channel_trial_emit_number (emitter, 2);
}

static void
test_dead_emitters (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel =
      data != NULL ? latest_new () : orrery_channel_new_queue ("trial", 5, NULL);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  guint64 last = 0, number;
  gsize size;

  g_test_summary ("Emitters are killed in the middle of frames; all that is read is whole");
  for (guint i = 0; i < get_n_kills (); i++) {
    ChannelTrialChild child = spawn_with ("emit", G_STRINGIFY (FRAME), channel);

    g_assert_true (channel_trial_hear (child.socket));
    for (guint n = 0; n < 5; n++) {
      g_assert_true (orrery_receiver_wait (receiver, 60 * ORRERY_SECOND));
      if (orrery_receiver_read (receiver) != ORRERY_READING_FRESH)
        continue;
      number = channel_trial_check (orrery_receiver_get_data (receiver, &size), FRAME);
      g_assert_cmpuint (size, ==, FRAME);
      g_assert_cmpuint (number, >, last);
      last = number;
    }
    channel_trial_end (&child, SIGKILL);
    while (orrery_receiver_read (receiver) == ORRERY_READING_FRESH)
      last = channel_trial_check (orrery_receiver_get_data (receiver, NULL), FRAME);
    g_assert_cmpuint (last, >, 0);
  }
}

/* One emitter flat out, readers beside it; all must say that they are content. */
static void
hunt (OrreryChannel *channel, const char *mode, guint n_readers)
{
  ChannelTrialChild emitter = spawn_with ("emit", G_STRINGIFY (FRAME), channel);
  ChannelTrialChild readers[3];

  /* Its words are many; they go nowhere. */
  for (guint i = 0; i < n_readers; i++)
    readers[i] = spawn_with (mode, G_STRINGIFY (N_FRAMES), channel);
  for (guint i = 0; i < n_readers; i++) {
    struct pollfd ends[] = { { .fd = readers[i].socket },
                             { .fd = emitter.socket, .events = POLLIN } };

    while (poll (ends, 2, -1) > 0 && (ends[0].revents & POLLHUP) == 0)
      g_assert_true (channel_trial_hear (emitter.socket));
    assert_exit (&readers[i]);
  }
  g_assert_true (WIFSIGNALED (channel_trial_end (&emitter, SIGKILL)));
}

static void
test_torn_latest (void)
{
  g_autoptr (OrreryChannel) channel = latest_new ();

  g_test_summary ("Three readers of 10,000 frames each beside a writer flat out: none is torn");
  hunt (channel, "check", 3);
}

static void
test_torn_control (void)
{
  g_autoptr (OrreryChannel) channel = latest_new ();

  g_test_summary ("Without the guard the same frames are torn");
  hunt (channel, "check-unguarded", 1);
}

static void
test_torn_queue (void)
{
  g_autoptr (OrreryChannel) channel = orrery_channel_new_queue ("trial", 5, NULL);

  g_test_summary ("The same out of a queue, which drops");
  hunt (channel, "check", 3);
}

static void
test_pinned (void)
{
  g_autoptr (OrreryChannel) channel = latest_new ();

  g_test_summary ("A frame that is held stays whole while 10,000 go by in another process");
  hunt (channel, "pin", 1);
}

static void
test_wake (gconstpointer data)
{
  g_autoptr (OrreryChannel) queue = orrery_channel_new_queue ("trial", 0, NULL);
  g_autoptr (OrreryChannel) latest = latest_new ();

  for (guint which = 0; which < 2; which++) {
    OrreryChannel *channel = which == 0 ? queue : latest;
    g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
    ChannelTrialChild child = spawn_with ("wake", data, channel);

    g_assert_true (channel_trial_hear (child.socket));
    for (guint64 i = 1; i <= N_WAKES; i++) {
      channel_trial_emit_number (emitter, i);
      g_assert_true (channel_trial_hear (child.socket));
    }
    assert_exit (&child);
  }
}

/* The two are at every point of sleeping and waking to each other, sooner or later. */
static void
test_echo (void)
{
  g_autoptr (OrreryChannel) there = orrery_channel_new_queue ("there", 0, NULL);
  g_autoptr (OrreryChannel) back = orrery_channel_new_latest ("back", 0, FALSE, NULL);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (there);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (back);
  ChannelTrialChild child = spawn_with ("echo", "", there);

  g_test_summary ("Nobody sleeps through a value, of 10,000 to and fro");
  channel_trial_send (child.socket, back);
  for (guint64 i = 1; i <= N_FRAMES; i++) {
    channel_trial_emit_number (emitter, i);
    if (!orrery_receiver_wait (receiver, 60 * ORRERY_SECOND)) {
      g_test_fail_printf ("nothing came back for value %" G_GUINT64_FORMAT, i);
      break;
    }
    channel_trial_assert (receiver, ORRERY_READING_FRESH, i);
  }
  assert_exit (&child);
}

static void
test_memfd_refused (void)
{
  ChannelTrialChild child = channel_trial_spawn ("forbid-memfd", "");
  int status = channel_trial_end (&child, 0);

  g_test_summary ("Where memfd is refused, that is an error of channels between processes");
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == 77)
    g_test_skip ("no seccomp");
  else
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static void
test_no_descriptors (void)
{
  g_autoptr (OrreryChannel) channel = latest_new ();
  ChannelTrialChild child = spawn_with ("exhaust", "", channel);

  g_test_summary ("Without free descriptors there are errors; with some again it goes on");
  g_assert_true (channel_trial_hear (child.socket));
  channel_trial_send (child.socket, channel);
  assert_exit (&child);
}

static void
test_nothing_left (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/dev/shm", 0, NULL);
  const char *name;

  if (dir == NULL) {
    g_test_skip ("no /dev/shm");
    return;
  }
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_null (strstr (name, "orrery"));
}

int
main (int argc, char **argv)
{
  int code;

  if (channel_trial_is_child (argc, argv, modes, &code))
    return code;
  channel_trial_init ("/proc/self/exe");
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/channel-process/order", test_order);
  g_test_add_func ("/channel-process/dead-readers", test_dead_readers);
  g_test_add_func ("/channel-process/stopped-reader", test_stopped_reader);
  g_test_add_data_func ("/channel-process/dead-emitters/queue", NULL, test_dead_emitters);
  g_test_add_data_func ("/channel-process/dead-emitters/latest", "latest", test_dead_emitters);
  g_test_add_func ("/channel-process/torn/latest", test_torn_latest);
  g_test_add_func ("/channel-process/torn/control", test_torn_control);
  g_test_add_func ("/channel-process/torn/queue", test_torn_queue);
  g_test_add_func ("/channel-process/pinned", test_pinned);
  g_test_add_data_func ("/channel-process/wake/futex", "futex", test_wake);
  g_test_add_data_func ("/channel-process/wake/poll", "poll", test_wake);
  g_test_add_func ("/channel-process/wake/echo", test_echo);
  g_test_add_func ("/channel-process/memfd-refused", test_memfd_refused);
  g_test_add_func ("/channel-process/no-descriptors", test_no_descriptors);
  g_test_add_func ("/channel-process/nothing-left", test_nothing_left);
  return g_test_run ();
}
