/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../middleware/line-server.h"
#include "line-client.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- counting allocations, of all threads --- */

static atomic_uint n_allocations;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_COUNT 0
#else
#define CAN_COUNT 1
extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *old, size_t size);

__attribute__ ((visibility ("default"))) void *
malloc (size_t size)
{
  atomic_fetch_add (&n_allocations, 1);
  return __libc_malloc (size);
}

__attribute__ ((visibility ("default"))) void *
calloc (size_t n, size_t size)
{
  atomic_fetch_add (&n_allocations, 1);
  return __libc_calloc (n, size);
}

__attribute__ ((visibility ("default"))) void *
realloc (void *old, size_t size)
{
  atomic_fetch_add (&n_allocations, 1);
  return __libc_realloc (old, size);
}
#endif

/* --- the server's side --- */

typedef struct {
  LineServer *server;
  LineListener *listener;
  LineServerOptions options;
  pthread_mutex_t lock;
  pthread_cond_t woken;
  guint n_wakes;
} Fixture;

static void
note_wake (gpointer data)
{
  Fixture *f = data;

  pthread_mutex_lock (&f->lock);
  f->n_wakes++;
  pthread_cond_signal (&f->woken);
  pthread_mutex_unlock (&f->lock);
}

static void
fixture_init (Fixture *f)
{
  *f = (Fixture){ 0 };
  line_server_options_init (&f->options);
  f->options.wake = note_wake;
  f->options.wake_data = f;
  pthread_mutex_init (&f->lock, NULL);
  pthread_cond_init (&f->woken, NULL);
}

static void
fixture_listen (Fixture *f, LineInput input)
{
  LineListenOptions where = { .input = input };

  f->server = line_server_new (&f->options);
  g_assert_nonnull (f->server);
  g_assert_cmpint (line_server_listen (f->server, &where, &f->listener), ==, 0);
}

static void
fixture_clear (Fixture *f)
{
  g_clear_pointer (&f->server, line_server_free);
  pthread_mutex_destroy (&f->lock);
  pthread_cond_destroy (&f->woken);
}

/* Waits for the next wake-up that was not waited for; FALSE when patience is over. */
static gboolean
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

static void
wait_for_count (LineListener *listener, LineCount what, guint64 n)
{
  gint64 until = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (line_listener_get_count (listener, what) < n && g_get_monotonic_time () < until)
    g_usleep (200);
  g_assert_cmpuint (line_listener_get_count (listener, what), >=, n);
}

static void
wait_for_clients (LineListener *listener, guint n)
{
  gint64 until = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (line_listener_get_n_clients (listener) != n && g_get_monotonic_time () < until)
    g_usleep (200);
  g_assert_cmpuint (line_listener_get_n_clients (listener), ==, n);
}

static void
publish_number (Fixture *f, guint number)
{
  char text[32];

  line_server_publish (f->server, f->listener, text,
                       (gsize) g_snprintf (text, sizeof text, "line %u", number));
}

/* --- a client's side --- */

static Client *
client_new (Fixture *f)
{
  return client_connect (line_listener_get_port (f->listener));
}

static guint
count_descriptors (void)
{
  DIR *folder = opendir ("/proc/self/fd");
  guint n = 0;

  while (readdir (folder) != NULL)
    n++;
  closedir (folder);
  return n;
}

/* --- out --- */

static void
test_order (void)
{
  g_autoptr (Client) a = NULL, b = NULL;
  Fixture f;

  g_test_summary ("Every client gets every line once, in order, whole");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_IGNORE);
  a = client_new (&f);
  b = client_new (&f);
  wait_for_clients (f.listener, 2);
  for (guint i = 0; i < 1000; i++) {
    publish_number (&f, i);
    if (i % 7 == 0)
      line_server_flush (f.server);
  }
  line_server_flush (f.server);
  for (guint i = 0; i < 1000; i++) {
    g_autofree char *expected = g_strdup_printf ("line %u", i);

    g_assert_cmpstr (client_read (a), ==, expected);
    g_assert_cmpstr (client_read (b), ==, expected);
  }
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_OUT), ==, 2000);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_OUT_LOST), ==, 0);
  fixture_clear (&f);
}

static void
test_nobody (void)
{
  g_autoptr (Client) late = NULL;
  Fixture f;

  g_test_summary ("What is published before somebody comes is not kept for him");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_IGNORE);
  publish_number (&f, 1);
  line_server_flush (f.server);
  late = client_new (&f);
  wait_for_clients (f.listener, 1);
  publish_number (&f, 2);
  line_server_flush (f.server);
  g_assert_cmpstr (client_read (late), ==, "line 2");
  fixture_clear (&f);
}

static void
test_unflushed (void)
{
  g_autoptr (Client) client = NULL;
  char byte;
  Fixture f;

  g_test_summary ("Lines of one flush arrive together; none goes out before it");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_IGNORE);
  client = client_new (&f);
  wait_for_clients (f.listener, 1);
  for (guint i = 0; i < 16; i++)
    publish_number (&f, i);
  g_assert_cmpint (recv (client->fd, &byte, 1, MSG_DONTWAIT), ==, -1);
  line_server_flush (f.server);
  g_assert_true (client_fill (client));
  g_assert_cmpuint (client->end, ==, 10 * 7 + 6 * 8);
  fixture_clear (&f);
}

/* Publishes until the client has lost some lines, or its connection. */
static guint
publish_until_lost (Fixture *f, const char *text, gsize length)
{
  guint n = 0;

  while (line_listener_get_count (f->listener, LINE_COUNT_OUT_LOST) < 100 &&
         line_listener_get_n_clients (f->listener) > 0 && n < 1000000) {
    g_autofree char *line = g_strdup_printf ("%08u%.*s", n++, (int) length, text);

    line_server_publish (f->server, f->listener, line, strlen (line));
    line_server_flush (f->server);
    if (n % 64 == 0)
      g_usleep (100);
  }
  return n;
}

static void
check_slow_client (gsize length)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *filler = g_strnfill (length, 'x');
  guint n, n_read = 0;
  guint64 last = 0;
  const char *line;
  Fixture f;

  fixture_init (&f);
  f.options.max_queued_lines = 64;
  f.options.send_buffer = 16 * 1024;
  fixture_listen (&f, LINE_INPUT_IGNORE);
  client = client_new (&f);
  wait_for_clients (f.listener, 1);
  n = publish_until_lost (&f, filler, length);
  do {
    line = client_read (client);
    g_assert_nonnull (line);
    g_assert_cmpuint (strlen (line), ==, 8 + length);
    g_assert_true (n_read == 0 || g_ascii_strtoull (line, NULL, 10) > last);
    last = strtoul (line, NULL, 10);
    n_read++;
  } while (last < n - 1);
  g_assert_cmpuint (n_read + line_listener_get_count (f.listener, LINE_COUNT_OUT_LOST), ==, n);
  fixture_clear (&f);
}

static void
test_slow_client (void)
{
  g_test_summary (
      "A slow client loses its oldest whole lines, gets the newest and never half a line");
  check_slow_client (100);
  check_slow_client (5000);
  check_slow_client (100000);
}

static void
test_slow_is_alone (void)
{
  g_autoptr (Client) slow = NULL, quick = NULL;
  g_autofree char *filler = g_strnfill (20000, 'y');
  Fixture f;

  g_test_summary ("A client that does not read takes nothing from the others");
  fixture_init (&f);
  f.options.send_buffer = 16 * 1024;
  f.options.max_queued_lines = 32;
  fixture_listen (&f, LINE_INPUT_IGNORE);
  slow = client_new (&f);
  quick = client_new (&f);
  wait_for_clients (f.listener, 2);
  for (guint i = 0; i < 2000; i++) {
    g_autofree char *line = g_strdup_printf ("%u%s", i, filler);

    line_server_publish (f.server, f.listener, line, strlen (line));
    line_server_flush (f.server);
    g_assert_cmpstr (client_read (quick), ==, line);
  }
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_OUT_LOST), >, 0);
  fixture_clear (&f);
}

static void
test_never_reads (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *filler = g_strnfill (50000, 'z');
  Fixture f;

  g_test_summary ("A client that never reads loses its connection after a while");
  fixture_init (&f);
  f.options.send_buffer = 16 * 1024;
  f.options.stall_ms = 100;
  f.options.max_queued_lines = 32;
  fixture_listen (&f, LINE_INPUT_IGNORE);
  client = client_new (&f);
  wait_for_clients (f.listener, 1);
  publish_until_lost (&f, filler, 50000);
  wait_for_count (f.listener, LINE_COUNT_STALLED, 1);
  wait_for_clients (f.listener, 0);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_CLOSED), ==, 1);
  fixture_clear (&f);
}

static void
test_many_clients (void)
{
  enum { N = 200, LINES = 50 };
  Client *clients[N];
  Fixture f;

  g_test_summary ("200 clients get all lines; each may leave at any time");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_IGNORE);
  for (guint i = 0; i < N; i++)
    clients[i] = client_new (&f);
  wait_for_clients (f.listener, N);
  for (guint i = 0; i < LINES; i++) {
    publish_number (&f, i);
    line_server_flush (f.server);
  }
  for (guint k = 0; k < N; k++) {
    for (guint i = 0; i < LINES; i++) {
      g_autofree char *expected = g_strdup_printf ("line %u", i);

      g_assert_cmpstr (client_read (clients[k]), ==, expected);
    }
  }
  for (guint i = 0; i < N; i++)
    g_clear_pointer (&clients[i], client_free);
  wait_for_clients (f.listener, 0);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_CLOSED), ==, N);
  fixture_clear (&f);
}

/* --- in --- */

static gboolean
next_event (Fixture *f, LineEvent *event)
{
  while (!line_server_next (f->server, event)) {
    if (line_server_take (f->server) == 0 && !wait_for_wake (f))
      return FALSE;
  }
  return TRUE;
}

static void
assert_line (Fixture *f, const char *expected)
{
  LineEvent event = { 0 };

  g_assert_true (next_event (f, &event));
  g_assert_cmpint (event.kind, ==, LINE_EVENT_LINE);
  g_assert_true (event.listener == f->listener);
  g_assert_cmpstr (event.text, ==, expected);
  g_assert_cmpuint (event.length, ==, strlen (expected));
}

static void
test_lines_in (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *big = g_strnfill (300000, 'b');
  g_autofree char *line = g_strconcat (big, "\n", NULL);
  Fixture f;

  g_test_summary ("Lines come in whole however they are cut; empty ones and '\\r' are kept");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  client_write (client, "one\ntwo\r\n\nth", 12);
  assert_line (&f, "one");
  assert_line (&f, "two\r");
  assert_line (&f, "");
  client_write (client, "ree\n", 4);
  assert_line (&f, "three");
  client_write (client, line, 300001);
  assert_line (&f, big);
  fixture_clear (&f);
}

static void
test_reply (void)
{
  g_autoptr (Client) a = NULL, b = NULL;
  LineEvent event = { 0 };
  guint64 first;
  Fixture f;

  g_test_summary ("An answer goes to who asked, and nowhere once that has gone");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  a = client_new (&f);
  client_write (a, "question\n", 9);
  g_assert_true (next_event (&f, &event));
  first = event.client;
  b = client_new (&f);
  client_write (b, "another\n", 8);
  g_assert_true (next_event (&f, &event));
  g_assert_cmpuint (event.client, !=, first);
  for (guint i = 0; i < 200; i++)
    line_server_send (f.server, first, "to a", 4);
  line_server_send (f.server, event.client, "to b", 4);
  line_server_flush (f.server);
  for (guint i = 0; i < 200; i++)
    g_assert_cmpstr (client_read (a), ==, "to a");
  g_assert_cmpstr (client_read (b), ==, "to b");

  g_clear_pointer (&a, client_free);
  wait_for_clients (f.listener, 1);
  a = client_new (&f);
  wait_for_clients (f.listener, 2);
  line_server_send (f.server, first, "late", 4);
  line_server_send (f.server, event.client, "again", 5);
  line_server_flush (f.server);
  g_assert_cmpstr (client_read (b), ==, "again");
  line_server_stop (f.server, 1000);
  g_assert_null (client_read (a));
  g_assert_cmpuint (a->line->len, ==, 0);
  fixture_clear (&f);
}

static void
test_reply_limit (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *filler = g_strnfill (100000, 'r');
  LineEvent event = { 0 };
  Fixture f;

  g_test_summary ("A client that asks and does not read is closed, not given half of its answers");
  fixture_init (&f);
  f.options.send_buffer = 16 * 1024;
  f.options.max_reply_bytes = 1000000;
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  client_write (client, "question\n", 9);
  g_assert_true (next_event (&f, &event));
  for (guint i = 0; i < 1000 && line_listener_get_n_clients (f.listener) > 0; i++) {
    line_server_send (f.server, event.client, filler, 100000);
    line_server_flush (f.server);
    g_usleep (100);
  }
  wait_for_count (f.listener, LINE_COUNT_STALLED, 1);
  g_assert_cmpuint (line_listener_get_n_clients (f.listener), ==, 0);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_OUT_LOST), ==, 0);
  fixture_clear (&f);
}

static void
test_too_long (void)
{
  enum { MIB = 1024 * 1024 };
  g_autoptr (Client) client = NULL;
  g_autofree char *chunk = g_strnfill (MIB, 'L');
  LineEvent event = { 0 };
  Fixture f;

  g_test_summary (
      "100 MB without a newline: refused once, skipped to the end, the next line is read");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  for (guint i = 0; i < 100; i++)
    client_write (client, chunk, MIB);
  client_write (client, "\nnext\n", 6);
  g_assert_true (next_event (&f, &event));
  g_assert_cmpint (event.kind, ==, LINE_EVENT_TOO_LONG);
  g_assert_cmpuint (event.length, ==, 64);
  g_assert_cmpmem (event.text, 64, chunk, 64);
  assert_line (&f, "next");
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_IN_TOO_LONG), ==, 1);
  fixture_clear (&f);
}

static void
test_longest (void)
{
  g_autoptr (Client) client = NULL;
  LineEvent event = { 0 };
  Fixture f;

  g_test_summary ("The limit itself is allowed, one more is not");
  fixture_init (&f);
  f.options.max_line = 10;
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  client_write (client, "0123456789\n0123456789A\nB\n", 25);
  assert_line (&f, "0123456789");
  g_assert_true (next_event (&f, &event));
  g_assert_cmpint (event.kind, ==, LINE_EVENT_TOO_LONG);
  g_assert_cmpstr (event.text, ==, "0123456789A");
  assert_line (&f, "B");
  fixture_clear (&f);
}

static void
test_rubbish (void)
{
  g_autoptr (Client) client = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  char rubbish[4096];
  guint n_lines = 0, n_seen = 0;
  LineEvent event = { 0 };
  Fixture f;

  g_test_summary ("Any bytes come in as they are, NUL too, and are cut at newlines only");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  for (guint i = 0; i < sizeof rubbish; i++) {
    rubbish[i] = (char) g_rand_int_range (random, 0, 256);
    n_lines += rubbish[i] == '\n';
  }
  client_write (client, rubbish, sizeof rubbish);
  for (const char *at = rubbish; n_seen < n_lines && next_event (&f, &event); n_seen++) {
    g_assert_cmpmem (event.text, event.length, at, event.length);
    g_assert_cmpint (at[event.length], ==, '\n');
    at += event.length + 1;
  }
  g_assert_cmpuint (n_seen, ==, n_lines);
  fixture_clear (&f);
}

static void
test_half_line (void)
{
  Client *client;
  Fixture f;

  g_test_summary ("Half a line and gone, politely or not: dropped and counted");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  client_write (client, "whole\nhal", 9);
  assert_line (&f, "whole");
  client_free (client);
  wait_for_count (f.listener, LINE_COUNT_IN_HALF, 1);
  client = client_new (&f);
  client_write (client, "whole\nhal", 9);
  assert_line (&f, "whole");
  client_reset (client);
  wait_for_count (f.listener, LINE_COUNT_IN_HALF, 2);
  g_assert_cmpuint (line_server_take (f.server), ==, 0);
  client_free (client);
  fixture_clear (&f);
}

/* A client that writes so much that it waits for the server. */
typedef struct {
  Client *client;
  guint n_lines;
  const char *text;
} Flood;

static void *
flood (void *data)
{
  Flood *flood = data;

  for (guint i = 0; i < flood->n_lines; i++) {
    g_autofree char *line = g_strdup_printf ("%u%s\n", i, flood->text);

    client_write (flood->client, line, strlen (line));
  }
  return NULL;
}

static void
test_backpressure (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *filler = g_strnfill (500, ' ');
  Flood task = { .n_lines = 50000, .text = filler };
  pthread_t thread;
  guint n = 0, taken;
  LineEvent event;
  Fixture f;

  g_test_summary ("Where every line counts, none is lost and few wait: the client has to");
  fixture_init (&f);
  f.options.max_waiting_lines = 100;
  fixture_listen (&f, LINE_INPUT_ALL);
  task.client = client = client_new (&f);
  pthread_create (&thread, NULL, flood, &task);
  while (n < task.n_lines && wait_for_wake (&f)) {
    taken = line_server_take (f.server);
    g_assert_cmpuint (taken, <=, 100);
    while (line_server_next (f.server, &event))
      g_assert_cmpuint (strtoul (event.text, NULL, 10), ==, n++);
  }
  pthread_join (thread, NULL);
  g_assert_cmpuint (n, ==, task.n_lines);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_IN_DROPPED), ==, 0);
  fixture_clear (&f);
}

static void
test_total_limit (void)
{
  enum { N = 8 };
  Client *clients[N];
  g_autofree char *line = g_strnfill (100000, 't');
  guint n = 0;
  Fixture f;

  g_test_summary ("All clients together cannot fill the memory");
  fixture_init (&f);
  f.options.max_waiting_bytes = 1000000;
  fixture_listen (&f, LINE_INPUT_ALL);
  line[99999] = '\n';
  for (guint i = 0; i < N; i++) {
    clients[i] = client_new (&f);
    for (guint k = 0; k < 3; k++)
      client_write (clients[i], line, 100000);
  }
  while (n < 3 * N && wait_for_wake (&f)) {
    guint taken = line_server_take (f.server);

    g_assert_cmpuint (taken, <=, 11);
    n += taken;
  }
  g_assert_cmpuint (n, ==, 3 * N);
  for (guint i = 0; i < N; i++)
    client_free (clients[i]);
  fixture_clear (&f);
}

static void
test_newest (void)
{
  g_autoptr (Client) client = NULL, other = NULL;
  g_autofree char *filler = g_strnfill (100, ' ');
  Flood task = { .n_lines = 20000, .text = filler };
  LineEvent event = { 0 };
  guint n = 0, expected = 20000 - 16;
  Fixture f;

  g_test_summary ("Where the newest counts, the client never waits, and pushes nobody else out");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_NEWEST);
  other = client_new (&f);
  client_write (other, "quiet\n", 6);
  wait_for_count (f.listener, LINE_COUNT_IN, 1);
  task.client = client = client_new (&f);
  flood (&task);
  wait_for_count (f.listener, LINE_COUNT_IN, 20001);
  g_assert_cmpuint (line_server_take (f.server), ==, 17);
  g_assert_true (line_server_next (f.server, &event));
  g_assert_cmpstr (event.text, ==, "quiet");
  for (; line_server_next (f.server, &event); n++)
    g_assert_cmpuint (strtoul (event.text, NULL, 10), ==, expected + n);
  g_assert_cmpuint (n, ==, 16);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_IN_DROPPED), ==, expected);
  fixture_clear (&f);
}

/* --- raw --- */

static void
test_raw (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("Raw: what has arrived can be taken in portions; coming and going wake the tick");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_RAW);
  g_assert_cmpuint (line_listener_take_raw (f.listener, 2048), ==, 0);
  client = client_new (&f);
  g_assert_true (wait_for_wake (&f));
  wait_for_clients (f.listener, 1);
  client_write (client, "sync", 4);
  g_assert_true (wait_for_wake (&f));
  g_assert_cmpuint (line_listener_take_raw (f.listener, 3), ==, 3);
  g_assert_cmpuint (line_listener_take_raw (f.listener, 2048), ==, 1);
  g_assert_cmpuint (line_listener_take_raw (f.listener, 2048), ==, 0);
  client_write (client, "unread", 6);
  g_assert_true (wait_for_wake (&f));
  g_clear_pointer (&client, client_free);
  g_assert_true (wait_for_wake (&f));
  wait_for_clients (f.listener, 0);
  g_assert_cmpuint (line_listener_take_raw (f.listener, 2048), ==, 0);
  fixture_clear (&f);
}

static void
test_raw_flood (void)
{
  enum { SIZE = 20 * 1024 * 1024 };
  g_autoptr (Client) client = NULL;
  g_autofree char *filler = g_strnfill (1022, 'f');
  Flood task = { .n_lines = SIZE / 1024, .text = filler };
  pthread_t thread;
  gsize n = 0, got = 1;
  Fixture f;

  g_test_summary ("Raw: a flood waits in the kernel, not here");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_RAW);
  task.client = client = client_new (&f);
  pthread_create (&thread, NULL, flood, &task);
  while (n < SIZE && (got > 0 || wait_for_wake (&f))) {
    got = line_listener_take_raw (f.listener, G_MAXSIZE);
    g_assert_cmpuint (got, <=, 2 * 65536);
    n += got;
  }
  pthread_join (thread, NULL);
  g_assert_cmpuint (n, >=, SIZE);
  fixture_clear (&f);
}

static void
test_one_at_a_time (void)
{
  g_autoptr (Client) first = NULL, second = NULL;
  LineListenOptions where = { .input = LINE_INPUT_RAW, .max_clients = 1 };
  Fixture f;

  g_test_summary ("With a limit of one, the second client waits until the first has gone");
  fixture_init (&f);
  f.server = line_server_new (&f.options);
  g_assert_cmpint (line_server_listen (f.server, &where, &f.listener), ==, 0);
  first = client_new (&f);
  wait_for_clients (f.listener, 1);
  second = client_new (&f);
  client_write (second, "me too", 6);
  client_write (first, "first", 5);
  while (line_listener_take_raw (f.listener, 2048) == 0)
    g_assert_true (wait_for_wake (&f));
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_ACCEPTED), ==, 1);
  g_clear_pointer (&first, client_free);
  wait_for_count (f.listener, LINE_COUNT_ACCEPTED, 2);
  while (line_listener_take_raw (f.listener, 2048) == 0)
    g_assert_true (wait_for_wake (&f));
  fixture_clear (&f);
}

/* --- limits and ends --- */

static void
test_max_clients (void)
{
  g_autoptr (Client) first = NULL, second = NULL;
  Fixture f;

  g_test_summary ("One client too many is closed at once and counted; the others stay");
  fixture_init (&f);
  f.options.max_clients = 1;
  fixture_listen (&f, LINE_INPUT_ALL);
  first = client_new (&f);
  wait_for_clients (f.listener, 1);
  second = client_new (&f);
  g_assert_null (client_read (second));
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_REFUSED), ==, 1);
  client_write (first, "here\n", 5);
  assert_line (&f, "here");
  fixture_clear (&f);
}

static void
test_no_descriptors (void)
{
  g_autoptr (Client) client = NULL;
  struct rlimit before, low;
  clock_t cpu;
  Fixture f;

  g_test_summary ("Without free descriptors the server waits without spinning, then serves");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  wait_for_clients (f.listener, 1);
  g_clear_pointer (&client, client_free);
  wait_for_clients (f.listener, 0);

  client = g_new0 (Client, 1);
  client->line = g_string_new (NULL);
  client->fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  getrlimit (RLIMIT_NOFILE, &before);
  low = (struct rlimit){ (rlim_t) client->fd + 1, before.rlim_max };
  setrlimit (RLIMIT_NOFILE, &low);
  cpu = clock ();
  {
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons (line_listener_get_port (f.listener)),
                                   .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };

    g_assert_cmpint (connect (client->fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  }
  wait_for_count (f.listener, LINE_COUNT_ACCEPT_FAILED, 3);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_ACCEPT_FAILED), <, 20);
  g_assert_cmpfloat ((double) (clock () - cpu) / CLOCKS_PER_SEC, <, 0.15);
  setrlimit (RLIMIT_NOFILE, &before);
  client_write (client, "patience\n", 9);
  assert_line (&f, "patience");
  fixture_clear (&f);
}

static void
test_ports (void)
{
  LineListenOptions where = { .input = LINE_INPUT_IGNORE };
  LineListener *second = NULL;
  guint16 port;
  Fixture f;

  g_test_summary ("A port in use: the next one, or an error; an address that is none: an error");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_IGNORE);
  port = line_listener_get_port (f.listener);
  where.port = port;
  g_assert_cmpint (line_server_listen (f.server, &where, &second), ==, EADDRINUSE);
  g_assert_null (second);
  where.tries = 50;
  g_assert_cmpint (line_server_listen (f.server, &where, &second), ==, 0);
  g_assert_cmpuint (line_listener_get_port (second), >, port);
  g_assert_cmpuint (line_listener_get_port (second), <, port + 50);
  where.address = "nowhere";
  g_assert_cmpint (line_server_listen (f.server, &where, &second), ==, EINVAL);
  where.address = "192.0.2.1";
  g_assert_cmpint (line_server_listen (f.server, &where, &second), ==, EADDRNOTAVAIL);
  fixture_clear (&f);
}

static void
test_loopback_only (void)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t size = sizeof address;
  LineListenOptions where = { .address = "*" };
  Fixture f;
  int fd;

  g_test_summary ("Listens on loopback unless told otherwise");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_IGNORE);
  /* Another loopback address reaches only what listens on all of them. */
  inet_pton (AF_INET, "127.0.0.2", &address.sin_addr);
  address.sin_port = htons (line_listener_get_port (f.listener));
  fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, size), ==, -1);
  close (fd);
  g_assert_cmpint (line_server_listen (f.server, &where, &f.listener), ==, 0);
  address.sin_port = htons (line_listener_get_port (f.listener));
  fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, size), ==, 0);
  close (fd);
  fixture_clear (&f);
}

static void
test_stop_sends (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *big = g_strnfill (500000, 's');
  Fixture f;

  g_test_summary ("A stop sends what is queued, even if the client has more to say");
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  wait_for_clients (f.listener, 1);
  client_write (client, big, 500000);
  line_server_publish (f.server, f.listener, big, 500000);
  publish_number (&f, 7);
  line_server_stop (f.server, 5000);
  g_assert_cmpstr (client_read (client), ==, big);
  g_assert_cmpstr (client_read (client), ==, "line 7");
  g_assert_null (client_read (client));
  fixture_clear (&f);
}

static void *
come_and_go (void *data)
{
  guint16 port = line_listener_get_port (data);
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_port = htons (port),
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  gboolean open = TRUE;

  while (open) {
    int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    open = connect (fd, (struct sockaddr *) &address, sizeof address) == 0;
    send (fd, "some\nthing", 10, MSG_NOSIGNAL);
    close (fd);
  }
  return NULL;
}

static void
test_stop_under_load (void)
{
  Client *readers[10];
  g_autofree char *filler = g_strnfill (10000, 'q');
  guint before = count_descriptors ();
  pthread_t threads[2];
  gint64 start;
  Fixture f;

  g_test_summary (
      "A stop ends in bounded time while clients come, go and do not read; nothing leaks");
  fixture_init (&f);
  f.options.send_buffer = 16 * 1024;
  fixture_listen (&f, LINE_INPUT_ALL);
  for (guint i = 0; i < 10; i++)
    readers[i] = client_new (&f);
  for (guint i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, come_and_go, f.listener);
  wait_for_count (f.listener, LINE_COUNT_ACCEPTED, 200);
  for (guint i = 0; i < 500; i++) {
    line_server_publish (f.server, f.listener, filler, 10000);
    line_server_flush (f.server);
    line_server_take (f.server);
  }
  start = g_get_monotonic_time ();
  line_server_stop (f.server, 300);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_USEC_PER_SEC);
  for (guint i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  g_assert_cmpuint (line_listener_get_n_clients (f.listener), ==, 0);
  for (guint i = 0; i < 10; i++)
    client_free (readers[i]);
  fixture_clear (&f);
  g_assert_cmpuint (count_descriptors (), ==, before);
}

/* --- allocations --- */

static guint
steady_ticks (Fixture *f, Client *const *clients, guint n_clients, guint n_ticks, gboolean leak)
{
  guint before = atomic_load (&n_allocations);

  for (guint i = 0; i < n_ticks; i++) {
    LineEvent event;

    for (guint k = 0; k < 3; k++)
      publish_number (f, i);
    line_server_flush (f->server);
    client_write (clients[0], "command\n", 8);
    for (guint k = 0; k < n_clients; k++)
      for (guint line = 0; line < 3; line++)
        client_read (clients[k]);
    if (!next_event (f, &event))
      return G_MAXUINT;
    line_server_send (f->server, event.client, "answer", 6);
    line_server_flush (f->server);
    client_read (clients[0]);
    if (leak)
      g_free (g_malloc (1));
  }
  return atomic_load (&n_allocations) - before;
}

static void
test_no_allocation (void)
{
  Client *clients[10];
  Fixture f;

  g_test_summary ("In a steady state neither thread allocates; a fixture that does is seen");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL) {
    g_test_skip ("allocations cannot be counted in this build");
    return;
  }
  fixture_init (&f);
  fixture_listen (&f, LINE_INPUT_ALL);
  for (guint i = 0; i < 10; i++)
    clients[i] = client_new (&f);
  wait_for_clients (f.listener, 10);
  steady_ticks (&f, clients, 10, 100, FALSE);
  g_assert_cmpuint (steady_ticks (&f, clients, 10, 1000, FALSE), ==, 0);
  g_assert_cmpuint (steady_ticks (&f, clients, 10, 10, TRUE), ==, 10);
  for (guint i = 0; i < 10; i++)
    client_free (clients[i]);
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/line-server/order", test_order);
  g_test_add_func ("/line-server/nobody", test_nobody);
  g_test_add_func ("/line-server/unflushed", test_unflushed);
  g_test_add_func ("/line-server/slow-client", test_slow_client);
  g_test_add_func ("/line-server/slow-is-alone", test_slow_is_alone);
  g_test_add_func ("/line-server/never-reads", test_never_reads);
  g_test_add_func ("/line-server/many-clients", test_many_clients);
  g_test_add_func ("/line-server/lines-in", test_lines_in);
  g_test_add_func ("/line-server/reply", test_reply);
  g_test_add_func ("/line-server/reply-limit", test_reply_limit);
  g_test_add_func ("/line-server/too-long", test_too_long);
  g_test_add_func ("/line-server/longest", test_longest);
  g_test_add_func ("/line-server/rubbish", test_rubbish);
  g_test_add_func ("/line-server/half-line", test_half_line);
  g_test_add_func ("/line-server/backpressure", test_backpressure);
  g_test_add_func ("/line-server/total-limit", test_total_limit);
  g_test_add_func ("/line-server/newest", test_newest);
  g_test_add_func ("/line-server/raw", test_raw);
  g_test_add_func ("/line-server/raw-flood", test_raw_flood);
  g_test_add_func ("/line-server/one-at-a-time", test_one_at_a_time);
  g_test_add_func ("/line-server/max-clients", test_max_clients);
  g_test_add_func ("/line-server/no-descriptors", test_no_descriptors);
  g_test_add_func ("/line-server/ports", test_ports);
  g_test_add_func ("/line-server/loopback-only", test_loopback_only);
  g_test_add_func ("/line-server/stop-sends", test_stop_sends);
  g_test_add_func ("/line-server/stop-under-load", test_stop_under_load);
  g_test_add_func ("/line-server/no-allocation", test_no_allocation);
  return g_test_run ();
}
