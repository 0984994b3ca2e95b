/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../middleware/line-server-private.h"
#include "line-fixture.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <orrery.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Under valgrind the limits and the heap are its own. */
static gboolean
is_under_valgrind (void)
{
  const char *preloaded = g_getenv ("LD_PRELOAD");

  return preloaded != NULL && strstr (preloaded, "vgpreload") != NULL;
}

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

static void
publish_number (Fixture *f, guint number)
{
  char text[32];

  line_server_publish (f->server, f->listener, text,
                       (gsize) g_snprintf (text, sizeof text, "line %u", number));
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
  /* A client may have a line before the server has counted it. */
  wait_for_count (f.listener, LINE_COUNT_OUT, 2000);
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
  if (is_under_valgrind ()) {
    g_test_skip ("valgrind keeps descriptors of its own");
    return;
  }
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
  int fds[16];
  gboolean open = TRUE;

  /* Who closes before it is let in is nobody's client: each stays for a while. */
  memset (fds, -1, sizeof fds);
  for (guint i = 0; open; i = (i + 1) % G_N_ELEMENTS (fds)) {
    if (fds[i] >= 0)
      close (fds[i]);
    fds[i] = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    open = connect (fds[i], (struct sockaddr *) &address, sizeof address) == 0;
    send (fds[i], "some\nthing", 10, MSG_NOSIGNAL);
  }
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    if (fds[i] >= 0)
      close (fds[i]);
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
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
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
  if (!CAN_COUNT || is_under_valgrind ()) {
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

/* --- threads --- */

static guint
count_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *task;
  guint n = 0;

  while (tasks != NULL && (task = g_dir_read_name (tasks)) != NULL) {
    g_autofree char *path = g_build_filename ("/proc/self/task", task, "comm", NULL);
    g_autofree char *name = NULL;

    n += g_file_get_contents (path, &name, NULL, NULL) && g_str_has_prefix (name, "orrery-lines");
  }
  return n;
}

/* A thread that was joined is listed for a moment more. */
static void
wait_for_threads (guint n)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (count_threads () != n && g_get_monotonic_time () < deadline)
    g_usleep (1000);
  g_assert_cmpuint (count_threads (), ==, n);
}

static void
test_shared_thread (void)
{
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  LineServerOptions options;
  LineServer *servers[2];

  g_test_summary ("two servers share a thread, which ends with the last that is stopped");
  wait_for_threads (0);
  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < 2; i++) {
      line_server_options_init (&options);
      options.thread = line_thread_share (owner);
      g_assert_nonnull (options.thread);
      servers[i] = line_server_new (&options);
      g_assert_nonnull (servers[i]);
      wait_for_threads (1);
    }
    line_server_stop (servers[round], 0);
    wait_for_threads (1);
    line_server_stop (servers[1 - round], 0);
    wait_for_threads (0);
    for (guint i = 0; i < 2; i++) {
      /* What is asked of one that was stopped has no effect. */
      line_server_send (servers[i], 1, "late", 4);
      line_server_hang_up (servers[i], 1);
      line_server_flush (servers[i]);
      line_server_hurry (servers[i]);
      g_assert_cmpuint (line_server_take (servers[i]), ==, 0);
      line_server_free (servers[i]);
    }
  }
}

static void
test_owner_goes_first (void)
{
  GObject *owner = g_object_new (G_TYPE_OBJECT, NULL);
  LineServerOptions options;
  LineServer *server;

  g_test_summary ("the owner of a thread may go before its servers");
  line_server_options_init (&options);
  options.thread = line_thread_share (owner);
  server = line_server_new (&options);
  g_object_unref (owner);
  line_server_free (server);
  wait_for_threads (0);
}

static void
test_other_release (void)
{
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autofree char *name = line_thread_name_shared ();
  g_autofree char *size = g_strdup_printf ("-%zu-", sizeof (LineThread));
  LineServerOptions options;

  g_test_summary ("a thread of another release, or of other structs, is not shared");
  g_assert_nonnull (strstr (name, ORRERY_VERSION));
  g_assert_nonnull (strstr (name, size));
  g_object_set_data (owner, "orrery-line-thread-1", GINT_TO_POINTER (1));
  line_server_options_init (&options);
  options.thread = line_thread_share (owner);
  g_assert_true (options.thread != GINT_TO_POINTER (1));
  line_server_free (line_server_new (&options));
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
  g_test_add_func ("/line-server/max-clients", test_max_clients);
  g_test_add_func ("/line-server/no-descriptors", test_no_descriptors);
  g_test_add_func ("/line-server/ports", test_ports);
  g_test_add_func ("/line-server/loopback-only", test_loopback_only);
  g_test_add_func ("/line-server/stop-sends", test_stop_sends);
  g_test_add_func ("/line-server/stop-under-load", test_stop_under_load);
  g_test_add_func ("/line-server/shared-thread", test_shared_thread);
  g_test_add_func ("/line-server/owner-goes-first", test_owner_goes_first);
  g_test_add_func ("/line-server/other-release", test_other_release);
  g_test_add_func ("/line-server/no-allocation", test_no_allocation);
  return g_test_run ();
}
