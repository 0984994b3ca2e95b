/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "channel-trial.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a channel promises, seen by ends in one process. */

static OrreryChannel *
channel_new (OrreryTransport transport)
{
  g_autoptr (GError) error = NULL;
  OrreryChannel *channel;

  if (transport == ORRERY_TRANSPORT_LOCAL)
    channel = orrery_channel_new_local ("trial", 0, &error);
  else if (transport == ORRERY_TRANSPORT_QUEUE)
    channel = orrery_channel_new_queue ("trial", 0, &error);
  else
    channel = orrery_channel_new_latest ("trial", 0, FALSE, &error);
  g_assert_no_error (error);
  return channel;
}

static void
test_names (void)
{
  OrreryTransport transport = ORRERY_TRANSPORT_LATEST;

  g_assert_true (orrery_transport_from_name ("queue", &transport));
  g_assert_cmpint (transport, ==, ORRERY_TRANSPORT_QUEUE);
  g_assert_false (orrery_transport_from_name ("pigeon", &transport));
  g_assert_cmpint (transport, ==, ORRERY_TRANSPORT_QUEUE);
  for (int i = ORRERY_TRANSPORT_LOCAL; i <= ORRERY_TRANSPORT_LATEST; i++) {
    g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) i);

    g_assert_cmpint (orrery_channel_get_transport (channel), ==, i);
    g_assert_cmpstr (orrery_channel_get_name (channel), ==, "trial");
    g_assert_true (
        orrery_transport_from_name (orrery_transport_get_name ((OrreryTransport) i), &transport));
    g_assert_cmpint (transport, ==, i);
  }
}

/* In order, each once, then the last one as stale. */
static void
test_ring_order (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);

  g_test_summary ("A ring gives its values in order, then the last one as stale");
  channel_trial_assert (receiver, ORRERY_READING_NONE, 0);
  for (guint64 round = 1; round < 100; round++) {
    for (guint64 i = 0; i < 5; i++)
      channel_trial_emit_number (emitter, 5 * round + i);
    for (guint64 i = 0; i < 5; i++)
      channel_trial_assert (receiver, ORRERY_READING_FRESH, 5 * round + i);
    channel_trial_assert (receiver, ORRERY_READING_STALE, 5 * round + 4);
    channel_trial_assert (receiver, ORRERY_READING_STALE, 5 * round + 4);
  }
  g_assert_cmpuint (orrery_receiver_get_n_dropped (receiver), ==, 0);
  g_assert_cmpuint (orrery_emitter_get_n_emitted (emitter), ==, 99 * 5);
}

static void
test_ring_drops (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) slow = channel_trial_receiver (channel);
  g_autoptr (OrreryReceiver) quick = channel_trial_receiver (channel);

  g_test_summary ("A ring keeps the newest five; each receiver counts what it lost");
  for (guint64 i = 1; i <= 12; i++) {
    channel_trial_emit_number (emitter, i);
    channel_trial_assert (quick, ORRERY_READING_FRESH, i);
  }
  for (guint64 i = 8; i <= 12; i++)
    channel_trial_assert (slow, ORRERY_READING_FRESH, i);
  channel_trial_assert (slow, ORRERY_READING_STALE, 12);
  channel_trial_assert (quick, ORRERY_READING_STALE, 12);
  g_assert_cmpuint (orrery_receiver_get_n_dropped (slow), ==, 7);
  g_assert_cmpuint (orrery_receiver_get_n_dropped (quick), ==, 0);
}

static void
test_depth (void)
{
  g_autoptr (OrreryChannel) channel = orrery_channel_new_queue ("deep", 300, NULL);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);

  for (guint64 i = 1; i <= 1000; i++)
    channel_trial_emit_number (emitter, i);
  for (guint64 i = 701; i <= 1000; i++)
    channel_trial_assert (receiver, ORRERY_READING_FRESH, i);
  channel_trial_assert (receiver, ORRERY_READING_STALE, 1000);
}

static void
test_latest (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LATEST);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) a = channel_trial_receiver (channel);
  g_autoptr (OrreryReceiver) b = channel_trial_receiver (channel);

  g_test_summary ("The newest wins, and is fresh once for each receiver");
  channel_trial_assert (a, ORRERY_READING_NONE, 0);
  for (guint64 i = 1; i <= 1000; i++) {
    channel_trial_emit_number (emitter, i);
    channel_trial_assert (a, ORRERY_READING_FRESH, i);
    channel_trial_assert (a, ORRERY_READING_STALE, i);
  }
  channel_trial_assert (b, ORRERY_READING_FRESH, 1000);
  channel_trial_assert (b, ORRERY_READING_STALE, 1000);
  /* The same bytes again are another value. */
  channel_trial_emit_number (emitter, 1000);
  channel_trial_assert (a, ORRERY_READING_FRESH, 1000);
  g_assert_cmpuint (orrery_receiver_get_n_dropped (b), ==, 0);
}

static void
test_late_receiver (gconstpointer data)
{
  OrreryTransport transport = (OrreryTransport) GPOINTER_TO_INT (data);
  g_autoptr (OrreryChannel) channel = channel_new (transport);
  g_autoptr (OrreryReceiver) receiver = NULL;

  g_test_summary ("A receiver that comes after the emitter is gone finds what is kept");
  {
    g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);

    for (guint64 i = 1; i <= 7; i++)
      channel_trial_emit_number (emitter, i);
  }
  receiver = channel_trial_receiver (channel);
  for (guint64 i = transport == ORRERY_TRANSPORT_LATEST ? 7 : 3; i <= 7; i++)
    channel_trial_assert (receiver, ORRERY_READING_FRESH, i);
  channel_trial_assert (receiver, ORRERY_READING_STALE, 7);
  g_assert_cmpuint (orrery_receiver_get_n_dropped (receiver), ==, 0);
}

static void
test_next_emitter (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryEmitter) first = channel_trial_emitter (channel);
  g_autoptr (OrreryEmitter) second = orrery_emitter_new (channel, &error);

  g_test_summary ("A channel has one emitter; the next goes on where it left");
  g_assert_null (second);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_BUSY);
  g_assert_cmpstr (error->message, ==, "trial: it has an emitter");
  channel_trial_emit_number (first, 1);
  channel_trial_assert (receiver, ORRERY_READING_FRESH, 1);
  g_clear_pointer (&first, orrery_emitter_unref);
  second = channel_trial_emitter (channel);
  g_assert_cmpuint (orrery_emitter_get_n_emitted (second), ==, 1);
  channel_trial_assert (receiver, ORRERY_READING_STALE, 1);
  channel_trial_emit_number (second, 2);
  channel_trial_assert (receiver, ORRERY_READING_FRESH, 2);
}

/* --- sizes --- */

static void
emit_frame (OrreryEmitter *emitter, gsize size, guint64 number)
{
  g_autofree guint64 *frame = g_malloc (MAX (size, 8));
  g_autoptr (GError) error = NULL;

  channel_trial_fill (frame, size, number);
  orrery_emitter_emit (emitter, (guint8 *) frame, size, 0, &error);
  g_assert_no_error (error);
}

static void
assert_frame (OrreryReceiver *receiver, gsize size, guint64 number)
{
  gsize n;
  gconstpointer data = orrery_receiver_get_data (receiver, &n);

  g_assert_nonnull (data);
  g_assert_cmpuint (n, ==, size);
  g_assert_cmpuint ((guintptr) data % 64, ==, 0);
  if (size >= 8)
    g_assert_cmpuint (channel_trial_check (data, size), ==, number);
}

static void
test_growth (gconstpointer data)
{
  const gsize sizes[] = { 8, 64, 72, 4096, 192000, 100, 0, 6220800, 200000, 8, 16 << 20, 64 };
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);

  g_test_summary ("Values grow and shrink from one to the next");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    emit_frame (emitter, sizes[i], i + 1);
    g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_FRESH);
    assert_frame (receiver, sizes[i], i + 1);
  }
  g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_STALE);
  assert_frame (receiver, 64, G_N_ELEMENTS (sizes));
}

static void
test_growth_while_held (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LATEST);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryBuffer) small = NULL;

  emit_frame (emitter, 512, 1);
  orrery_receiver_read (receiver);
  small = orrery_receiver_hold_buffer (receiver);
  emit_frame (emitter, 1 << 20, 2);
  orrery_receiver_read (receiver);
  assert_frame (receiver, 1 << 20, 2);
  g_assert_cmpuint (channel_trial_check (orrery_buffer_get_data (small), 512), ==, 1);
}

static void
assert_refused (OrreryEmitter *emitter, gsize size, const char *words)
{
  g_autofree guint8 *bytes = g_malloc0 (size);
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_emitter_emit (emitter, bytes, size, 0, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, words);
}

static void
test_fixed (void)
{
  g_autoptr (OrreryChannel) told = orrery_channel_new_latest ("camera", 192, TRUE, NULL);
  g_autoptr (OrreryChannel) first = orrery_channel_new_latest ("sonar", 0, TRUE, NULL);
  g_autoptr (OrreryEmitter) a = channel_trial_emitter (told);
  g_autoptr (OrreryEmitter) b = channel_trial_emitter (first);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (told);

  g_test_summary ("A fixed size refuses another, and names both");
  emit_frame (a, 192, 1);
  assert_refused (a, 200, "camera: a value of 200 bytes, but the size is fixed at 192 bytes");
  emit_frame (b, 64, 1);
  assert_refused (b, 8, "sonar: a value of 8 bytes, but the size is fixed at 64 bytes");
  emit_frame (b, 64, 2);
  /* The refused value is not there. */
  g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_FRESH);
  assert_frame (receiver, 192, 1);
  g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_STALE);
  /* The next emitter knows what the first value had. */
  g_clear_pointer (&b, orrery_emitter_unref);
  b = channel_trial_emitter (first);
  assert_refused (b, 8, "sonar: a value of 8 bytes, but the size is fixed at 64 bytes");
}

static void
test_too_large (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_QUEUE);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (GError) error = NULL;

  /* Refused by its size alone. */
  g_assert_false (
      orrery_emitter_emit (emitter, (const guint8 *) "", ORRERY_CHANNEL_MAX_SIZE + 1, 0, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (
      orrery_channel_new_latest ("x", (gsize) ORRERY_CHANNEL_MAX_SIZE + 1, FALSE, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

/* --- held in place --- */

#define FRAME 4096

static void
test_held_in_place (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LATEST);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryReceiver) other = channel_trial_receiver (channel);
  g_autoptr (OrreryBuffer) held = NULL;

  g_test_summary ("What is held stays as it is while 10,000 frames go by");
  emit_frame (emitter, FRAME, 1);
  orrery_receiver_read (receiver);
  held = orrery_receiver_hold_buffer (receiver);
  g_assert_true (orrery_buffer_get_data (held) == orrery_receiver_get_data (receiver, NULL));
  g_assert_false (orrery_buffer_is_writable (held));
  emit_frame (emitter, FRAME, 2);
  orrery_receiver_read (receiver);
  for (guint64 i = 3; i <= 10002; i++) {
    emit_frame (emitter, FRAME, i);
    g_assert_cmpint (orrery_receiver_read (other), ==, ORRERY_READING_FRESH);
    assert_frame (other, FRAME, i);
  }
  assert_frame (receiver, FRAME, 2);
  g_assert_cmpuint (channel_trial_check (orrery_buffer_get_data (held), FRAME), ==, 1);
  /* Beyond the life of the ends. */
  g_clear_pointer (&receiver, orrery_receiver_unref);
  g_clear_pointer (&emitter, orrery_emitter_unref);
  g_clear_pointer (&channel, orrery_channel_unref);
  g_assert_cmpuint (channel_trial_check (orrery_buffer_get_data (held), FRAME), ==, 1);
}

static void
test_all_held (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LATEST);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  OrreryBuffer *held[ORRERY_CHANNEL_MAX_HELD + 1];
  g_autoptr (GError) error = NULL;

  g_test_summary ("With all slots held a value is not taken, and with one let go the next is");
  for (guint i = 0; i < G_N_ELEMENTS (held); i++) {
    emit_frame (emitter, 64, i + 1);
    orrery_receiver_read (receiver);
    held[i] = orrery_receiver_hold_buffer (receiver);
  }
  emit_frame (emitter, 64, 100);
  g_assert_false (orrery_emitter_emit (emitter, (const guint8 *) "x", 1, 0, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_BUSY);
  g_clear_error (&error);
  orrery_buffer_unref (held[7]);
  emit_frame (emitter, 64, 101);
  for (guint i = 0; i < G_N_ELEMENTS (held); i++) {
    if (i == 7)
      continue;
    g_assert_cmpuint (channel_trial_check (orrery_buffer_get_data (held[i]), 64), ==, i + 1);
    orrery_buffer_unref (held[i]);
  }
  g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_FRESH);
  assert_frame (receiver, 64, 101);
}

static void
test_many_receivers (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LATEST);
  OrreryReceiver *receivers[ORRERY_CHANNEL_MAX_RECEIVERS];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (receivers); i++)
    receivers[i] = channel_trial_receiver (channel);
  g_assert_null (orrery_receiver_new (channel, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_BUSY);
  orrery_receiver_unref (receivers[40]);
  receivers[40] = channel_trial_receiver (channel);
  for (guint i = 0; i < G_N_ELEMENTS (receivers); i++)
    orrery_receiver_unref (receivers[i]);
}

/* --- made in place, parameters, buffers --- */

static void
test_begin (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (GVariant) parameters = NULL;
  g_autofree char *text = NULL;
  gpointer room;

  room = orrery_emitter_begin (emitter, FRAME, NULL, NULL);
  g_assert_nonnull (room);
  channel_trial_fill (room, FRAME, 9);
  g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_NONE);
  room =
      orrery_emitter_begin (emitter, 804, g_variant_new_parsed ("{'unit': <'K'>, 'n': <3>}"), NULL);
  channel_trial_fill (room, 800, 10);
  orrery_emitter_commit (emitter, 77);
  g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_FRESH);
  assert_frame (receiver, 804, 10);
  g_assert_cmpint (orrery_receiver_get_time (receiver), ==, 77);
  parameters = orrery_receiver_get_parameters (receiver);
  text = g_variant_print (parameters, FALSE);
  g_assert_cmpstr (text, ==, "{'unit': <'K'>, 'n': <3>}");
  /* The next one has none. */
  emit_frame (emitter, 8, 11);
  orrery_receiver_read (receiver);
  g_assert_null (orrery_receiver_get_parameters (receiver));
}

static void
test_buffers (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);

  g_assert_null (orrery_receiver_hold_buffer (receiver));
  g_assert_null (orrery_receiver_dup_bytes (receiver));
  for (guint n = 1; n <= ORRERY_BUFFER_MAX_DIMENSIONS; n++)
    for (int element = ORRERY_ELEMENT_UINT8; element <= ORRERY_ELEMENT_DOUBLE; element++) {
      const gsize shape[] = { 3, 4, 2, 5 };
      g_autoptr (OrreryBuffer) sent = orrery_buffer_new ((OrreryElement) element, n, shape);
      g_autoptr (OrreryBuffer) received = NULL;
      g_autoptr (GBytes) bytes = NULL;

      memset (orrery_buffer_get_data (sent), element + 1, orrery_buffer_get_size (sent));
      g_assert_true (orrery_emitter_emit_buffer (emitter, sent, 5, NULL));
      g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_FRESH);
      received = orrery_receiver_hold_buffer (receiver);
      g_assert_true (orrery_buffer_equal (sent, received));
      bytes = orrery_receiver_dup_bytes (receiver);
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                       orrery_buffer_get_data (sent), orrery_buffer_get_size (sent));
    }
}

/* --- waiting in one process --- */

static void
test_wait (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);

  g_assert_false (orrery_receiver_wait (receiver, 0));
  g_assert_false (orrery_receiver_wait (receiver, ORRERY_SECOND / 1000));
  channel_trial_emit_number (emitter, 1);
  g_assert_true (orrery_receiver_wait (receiver, 0));
  g_assert_true (orrery_receiver_wait (receiver, -1));
  channel_trial_assert (receiver, ORRERY_READING_FRESH, 1);
  g_assert_false (orrery_receiver_wait (receiver, 0));
}

static gboolean
is_readable (int fd)
{
  struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

  return poll (&poll_fd, 1, 0) == 1;
}

static void
test_descriptor (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) a = channel_trial_receiver (channel);
  g_autoptr (OrreryReceiver) b = channel_trial_receiver (channel);
  int fds[2];

  g_test_summary ("A descriptor is readable until there is nothing fresh, for each receiver");
  channel_trial_emit_number (emitter, 1);
  fds[0] = orrery_receiver_get_fd (a, NULL);
  fds[1] = orrery_receiver_get_fd (b, NULL);
  for (guint64 i = 1; i < 20; i++) {
    g_assert_true (is_readable (fds[0]) && is_readable (fds[1]));
    channel_trial_assert (a, ORRERY_READING_FRESH, i);
    channel_trial_assert (a, ORRERY_READING_STALE, i);
    g_assert_false (is_readable (fds[0]));
    g_assert_true (is_readable (fds[1]));
    channel_trial_assert (b, ORRERY_READING_FRESH, i);
    channel_trial_assert (b, ORRERY_READING_STALE, i);
    g_assert_false (is_readable (fds[1]));
    channel_trial_emit_number (emitter, i + 1);
  }
}

/* --- threads --- */

#define N_VALUES 20000
#define SIZE 200

static gpointer
emit_many (gpointer data)
{
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (data);

  for (guint64 i = 1; i <= N_VALUES; i++)
    emit_frame (emitter, SIZE, i);
  return NULL;
}

static gpointer
read_many (gpointer data)
{
  OrreryReceiver *receiver = data;
  guint64 last = 0;

  while (last < N_VALUES) {
    guint64 number;

    if (!orrery_receiver_wait (receiver, 60 * ORRERY_SECOND))
      return NULL;
    if (orrery_receiver_read (receiver) != ORRERY_READING_FRESH)
      continue;
    number = channel_trial_check (orrery_receiver_get_data (receiver, NULL), SIZE);
    if (number <= last)
      return NULL;
    last = number;
  }
  return receiver;
}

static void
test_threads (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  OrreryReceiver *receivers[2];
  GThread *threads[2], *thread;

  g_test_summary ("Ends on threads of their own: values are whole and never go back");
  for (guint i = 0; i < 2; i++) {
    receivers[i] = channel_trial_receiver (channel);
    threads[i] = g_thread_new ("receiver", read_many, receivers[i]);
  }
  thread = g_thread_new ("emitter", emit_many, channel);
  g_thread_join (thread);
  for (guint i = 0; i < 2; i++) {
    g_assert_true (g_thread_join (threads[i]) == receivers[i]);
    orrery_receiver_unref (receivers[i]);
  }
}

/* --- passing on --- */

static void
test_pass (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LATEST);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryChannel) passed = NULL;
  g_autoptr (OrreryReceiver) receiver = NULL;
  guint n_fds = channel_trial_count_fds ();
  int sockets[2];

  g_assert_no_errno (socketpair (AF_UNIX, GPOINTER_TO_INT (data), 0, sockets));
  for (guint i = 0; i < 3; i++) {
    g_clear_pointer (&passed, orrery_channel_unref);
    channel_trial_send (sockets[0], channel);
    passed = channel_trial_receive (sockets[1]);
  }
  g_assert_cmpstr (orrery_channel_get_name (passed), ==, "trial");
  g_assert_cmpint (orrery_channel_get_transport (passed), ==, ORRERY_TRANSPORT_LATEST);
  receiver = channel_trial_receiver (passed);
  g_clear_pointer (&passed, orrery_channel_unref);
  channel_trial_emit_number (emitter, 3);
  channel_trial_assert (receiver, ORRERY_READING_FRESH, 3);
  g_clear_pointer (&receiver, orrery_receiver_unref);
  close (sockets[0]);
  close (sockets[1]);
  g_assert_cmpuint (channel_trial_count_fds (), ==, n_fds);
}

static void
test_pass_local (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LOCAL);
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_channel_send (channel, 0, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

#define FOR_EACH_RING(name, function)                                                              \
  g_test_add_data_func ("/channel/local/" name, GINT_TO_POINTER (ORRERY_TRANSPORT_LOCAL),          \
                        function);                                                                 \
  g_test_add_data_func ("/channel/queue/" name, GINT_TO_POINTER (ORRERY_TRANSPORT_QUEUE), function)

#define FOR_EACH(name, function)                                                                   \
  FOR_EACH_RING (name, function);                                                                  \
  g_test_add_data_func ("/channel/latest/" name, GINT_TO_POINTER (ORRERY_TRANSPORT_LATEST),        \
                        function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/channel/names", test_names);
  FOR_EACH_RING ("order", test_ring_order);
  FOR_EACH_RING ("drops", test_ring_drops);
  g_test_add_func ("/channel/queue/depth", test_depth);
  g_test_add_func ("/channel/latest/newest", test_latest);
  FOR_EACH ("late-receiver", test_late_receiver);
  FOR_EACH ("next-emitter", test_next_emitter);
  FOR_EACH ("growth", test_growth);
  g_test_add_func ("/channel/latest/growth-while-held", test_growth_while_held);
  g_test_add_func ("/channel/latest/fixed", test_fixed);
  g_test_add_func ("/channel/too-large", test_too_large);
  g_test_add_func ("/channel/latest/held-in-place", test_held_in_place);
  g_test_add_func ("/channel/latest/all-held", test_all_held);
  g_test_add_func ("/channel/latest/many-receivers", test_many_receivers);
  FOR_EACH ("begin", test_begin);
  FOR_EACH ("buffers", test_buffers);
  FOR_EACH ("threads", test_threads);
  FOR_EACH ("wait", test_wait);
  FOR_EACH ("descriptor", test_descriptor);
  g_test_add_data_func ("/channel/pass/packets", GINT_TO_POINTER (SOCK_SEQPACKET), test_pass);
  g_test_add_data_func ("/channel/pass/stream", GINT_TO_POINTER (SOCK_STREAM), test_pass);
  g_test_add_func ("/channel/pass/local", test_pass_local);
  return g_test_run ();
}
