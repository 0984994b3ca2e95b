/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "channel-trial.h"
#include "channel/orrery-channel-private.h"

#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* What others write into the shared memory, or send in place of a channel. */

#define FRAME 4096
#define N_READS 20000

static const guint64 rubbish[] = {
  0,
  1,
  2,
  31,
  32,
  0xff,
  0x100,
  0x1ff,
  G_MAXINT32,
  G_MAXUINT32,
  G_GUINT64_CONSTANT (1) << 30,
  G_GUINT64_CONSTANT (1) << 32,
  G_GUINT64_CONSTANT (1000) << 20,
  (G_GUINT64_CONSTANT (1000) << 20) + 1,
  (G_GUINT64_CONSTANT (65536) << 32) | 8,
  G_GUINT64_CONSTANT (1) << 63,
  G_MAXINT64,
  G_MAXUINT64 - 1,
  G_MAXUINT64,
};

typedef struct {
  OrreryChannel *channel;
  OrreryEmitter *emitter;
  OrreryReceiver *receiver;
} Fixture;

static Fixture
fixture_new (OrreryTransport transport)
{
  Fixture f;

  f.channel = transport == ORRERY_TRANSPORT_QUEUE
                  ? orrery_channel_new_queue ("trial", 5, NULL)
                  : orrery_channel_new_latest ("trial", FRAME, FALSE, NULL);
  f.emitter = channel_trial_emitter (f.channel);
  f.receiver = channel_trial_receiver (f.channel);
  return f;
}

static void
fixture_clear (Fixture *f)
{
  orrery_receiver_unref (f->receiver);
  orrery_emitter_unref (f->emitter);
  orrery_channel_unref (f->channel);
}

/* Looks at all that a receiver gives; what it is does not matter here. */
static void
use (OrreryReceiver *receiver)
{
  g_autoptr (GVariant) parameters = NULL;
  g_autoptr (OrreryBuffer) buffer = NULL;
  const guint8 *data;
  guint64 sum = 0;
  gsize size;

  if (orrery_receiver_read (receiver) == ORRERY_READING_NONE)
    return;
  data = orrery_receiver_get_data (receiver, &size);
  g_assert_nonnull (data);
  g_assert_cmpuint (size, <=, ORRERY_CHANNEL_MAX_SIZE);
  /* The first and last pages, at least. */
  for (gsize i = 0; i < size; i += MAX (1, size / 64))
    sum += data[i];
  if (size > 0)
    sum += data[size - 1];
  parameters = orrery_receiver_get_parameters (receiver);
  buffer = orrery_receiver_hold_buffer (receiver);
  g_assert_cmpuint (sum, <=, G_MAXUINT64);
  orrery_receiver_wait (receiver, 0);
}

static gboolean
emit_one (OrreryEmitter *emitter)
{
  guint64 frame[FRAME / 8];

  channel_trial_fill (frame, FRAME, 5);
  return orrery_emitter_emit (emitter, (const guint8 *) frame, FRAME, 1, NULL);
}

/* Every word of the header, one after the other, becomes each kind of rubbish. */
static void
test_each_word (gconstpointer data)
{
  gsize n_words = sizeof (OrreryHeader) / 8 + 40 * sizeof (OrrerySlot) / 8;

  g_test_summary ("Rubbish in any word of the header neither crashes nor hangs a receiver");
  for (guint i = 0; i < G_N_ELEMENTS (rubbish); i++) {
    Fixture f = fixture_new ((OrreryTransport) GPOINTER_TO_INT (data));
    volatile guint64 *words = (volatile guint64 *) f.channel->memory->header;
    gsize n = MIN (n_words, f.channel->memory->header_size / 8);

    for (gsize w = 0; w < n; w++) {
      emit_one (f.emitter);
      guint64 before = words[w];
      words[w] = rubbish[i];
      use (f.receiver);
      emit_one (f.emitter);
      use (f.receiver);
      words[w] = before;
    }
    fixture_clear (&f);
  }
}

static gpointer
write_rubbish (gpointer data)
{
  Fixture *f = data;
  guint64 *words = (guint64 *) f->channel->memory->header;
  gsize n = (sizeof (OrreryHeader) + f->channel->n_slots * sizeof (OrrerySlot)) / 8;
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  while (!__atomic_load_n (&f->emitter, __ATOMIC_ACQUIRE)) {
    gsize word = (gsize) g_rand_int_range (rand, 0, (gint32) n);
    guint64 value = g_rand_boolean (rand)
                        ? rubbish[g_rand_int_range (rand, 0, G_N_ELEMENTS (rubbish))]
                        : (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);

    __atomic_store_n (&words[word], value, __ATOMIC_RELAXED);
    /* Often what makes a receiver go and look. */
    __atomic_store_n (&f->channel->memory->header->head, value % 4096, __ATOMIC_RELAXED);
  }
  return NULL;
}

static void
test_while_reading (gconstpointer data)
{
  Fixture f = fixture_new ((OrreryTransport) GPOINTER_TO_INT (data));
  OrreryEmitter *emitter = f.emitter;
  GThread *thread;

  g_test_summary ("Rubbish that changes while a receiver reads");
  emit_one (emitter);
  f.emitter = NULL;
  thread = g_thread_new ("rubbish", write_rubbish, &f);
  for (guint i = 0; i < N_READS; i++)
    use (f.receiver);
  __atomic_store_n (&f.emitter, emitter, __ATOMIC_RELEASE);
  g_thread_join (thread);
  fixture_clear (&f);
}

/* A receiver in the place of which somebody else writes still ends its reads. */
static void
test_stolen_place (void)
{
  Fixture f = fixture_new (ORRERY_TRANSPORT_LATEST);
  OrreryHeader *header = f.channel->memory->header;

  for (guint i = 0; i < ORRERY_CHANNEL_MAX_RECEIVERS; i++)
    header->places[i].held = G_MAXUINT64;
  header->receivers = G_MAXUINT64;
  /* None of the others lives: all but the receiver's own are taken back. */
  g_assert_false (emit_one (f.emitter));
  header->places[f.receiver->place].held = 0;
  g_assert_true (emit_one (f.emitter));
  g_assert_cmpint (orrery_receiver_read (f.receiver), ==, ORRERY_READING_FRESH);
  fixture_clear (&f);
}

/* --- what comes by a socket --- */

static void
send_descriptors (int socket, const char *text, const int *fds, guint n_fds)
{
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (32 * sizeof (int))];
  } control = { 0 };
  struct iovec part = { (gpointer) text, strlen (text) };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

  if (n_fds > 0) {
    struct cmsghdr *rights = &control.header;

    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE (n_fds * sizeof (int));
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN (n_fds * sizeof (int));
    memcpy (CMSG_DATA (rights), fds, n_fds * sizeof (int));
  }
  g_assert_cmpint (sendmsg (socket, &message, 0), >, 0);
}

static void
assert_refused (const char *text, const int *fds, guint n_fds, const char *words)
{
  g_autoptr (GError) error = NULL;
  guint n_before = channel_trial_count_fds ();
  int sockets[2];

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_SEQPACKET, 0, sockets));
  send_descriptors (sockets[0], text, fds, n_fds);
  g_assert_null (orrery_channel_receive (sockets[1], &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  if (error != NULL && strstr (error->message, words) == NULL)
    g_test_fail_printf ("'%s' is not in: %s", words, error->message);
  close (sockets[0]);
  close (sockets[1]);
  /* What came with it is closed. */
  g_assert_cmpuint (channel_trial_count_fds (), ==, n_before);
}

#define GREETING "orrchan1"
#define ALL_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static int
file_new (gsize size, guint seals, const OrreryHeader *header)
{
  int fd = memfd_create ("trial", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  g_assert_no_errno (ftruncate (fd, (off_t) size));
  if (header != NULL)
    g_assert_cmpint (pwrite (fd, header, sizeof *header, 0), ==, sizeof *header);
  g_assert_no_errno (fcntl (fd, F_ADD_SEALS, seals));
  return fd;
}

static void
test_strangers (void)
{
  OrreryHeader good = {
    .magic = ORRERY_MEMORY_MAGIC, .transport = ORRERY_TRANSPORT_QUEUE, .n_slots = 6, .name = "x"
  };
  OrreryHeader other = good, deep = good, odd = good;
  gsize size = orrery_memory_get_size (6);
  int event_fd = eventfd (0, EFD_NONBLOCK);

  other.transport = 77;
  deep.n_slots = G_MAXUINT32;
  odd.magic++;

  const struct {
    int fd;
    const char *words;
  } files[] = {
    { file_new (size, F_SEAL_GROW | F_SEAL_SEAL, &good), "memory that is not sealed" },
    { file_new (size, F_SEAL_SHRINK | F_SEAL_SEAL, &good), "memory that is not sealed" },
    { file_new (size - 1, ALL_SEALS, &good), "memory of another size" },
    { file_new (100, ALL_SEALS, NULL), "memory of another size" },
    { file_new (size, ALL_SEALS, NULL), "an unknown header" },
    { file_new (size, ALL_SEALS, &other), "an unknown header" },
    { file_new (size, ALL_SEALS, &deep), "an unknown header" },
    { file_new (size, ALL_SEALS, &odd), "an unknown header" },
    { eventfd (0, 0), "memory that is not sealed" },
  };

  g_test_summary ("What is no channel is refused, and its descriptors are closed");
  assert_refused ("hello", NULL, 0, "5 bytes and 0 descriptors");
  assert_refused (GREETING, NULL, 0, "8 bytes and 0 descriptors");
  assert_refused (GREETING, &event_fd, 1, "8 bytes and 1 descriptors");
  assert_refused (GREETING, (int[]){ 0, 1, 2, 0, 1, 2, 0, 1 }, 8, "8 bytes and 8 descriptors");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    assert_refused (GREETING, (int[]){ files[i].fd, event_fd }, 2, files[i].words);
    assert_refused (GREETING, (int[]){ files[i].fd, files[i].fd }, 2,
                    i + 1 < G_N_ELEMENTS (files) ? "no eventfd" : files[i].words);
    close (files[i].fd);
  }
  close (event_fd);
}

/* The same header in a file that is as it should be is taken: the refusals above are for cause. */
static void
test_control (void)
{
  OrreryHeader good = {
    .magic = ORRERY_MEMORY_MAGIC, .transport = ORRERY_TRANSPORT_QUEUE, .n_slots = 6, .name = "x"
  };
  int fds[] = { file_new (orrery_memory_get_size (6), ALL_SEALS, &good),
                eventfd (0, EFD_NONBLOCK) };
  g_autoptr (OrreryChannel) channel = NULL;
  int sockets[2];

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_SEQPACKET, 0, sockets));
  send_descriptors (sockets[0], GREETING, fds, 2);
  channel = channel_trial_receive (sockets[1]);
  g_assert_nonnull (channel);
  for (guint i = 0; i < 2; i++) {
    close (sockets[i]);
    close (fds[i]);
  }
}

static void
test_closed_socket (void)
{
  g_autoptr (GError) error = NULL;
  int sockets[2];

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_STREAM, 0, sockets));
  close (sockets[0]);
  g_assert_null (orrery_channel_receive (sockets[1], &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
  close (sockets[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_data_func ("/channel-rubbish/each-word/queue",
                        GINT_TO_POINTER (ORRERY_TRANSPORT_QUEUE), test_each_word);
  g_test_add_data_func ("/channel-rubbish/each-word/latest",
                        GINT_TO_POINTER (ORRERY_TRANSPORT_LATEST), test_each_word);
  g_test_add_data_func ("/channel-rubbish/while-reading/queue",
                        GINT_TO_POINTER (ORRERY_TRANSPORT_QUEUE), test_while_reading);
  g_test_add_data_func ("/channel-rubbish/while-reading/latest",
                        GINT_TO_POINTER (ORRERY_TRANSPORT_LATEST), test_while_reading);
  g_test_add_func ("/channel-rubbish/stolen-place", test_stolen_place);
  g_test_add_func ("/channel-rubbish/strangers", test_strangers);
  g_test_add_func ("/channel-rubbish/control", test_control);
  g_test_add_func ("/channel-rubbish/closed-socket", test_closed_socket);
  return g_test_run ();
}
