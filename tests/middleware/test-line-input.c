/* SPDX-License-Identifier: BSD-3-Clause */
#include "line-fixture.h"

#include <linux/sockios.h>
#include <stdlib.h>
#include <sys/ioctl.h>

/* --- in --- */

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
test_lost (void)
{
  enum { N = 100 };
  struct linger at_once = { .l_onoff = 1 };
  g_autoptr (Client) client = NULL, other = NULL;
  g_autofree char *filler = g_strnfill (500, ' ');
  int under_way = 1;
  Fixture f;

  g_test_summary ("What came before a connection broke counts, even while there is no room for it");
  fixture_init (&f);
  f.options.max_waiting_lines = 10;
  fixture_listen (&f, LINE_INPUT_ALL);
  client = client_new (&f);
  for (guint i = 0; i < N; i++) {
    g_autofree char *line = g_strdup_printf ("%u%s\n", i, filler);

    client_write (client, line, strlen (line));
  }
  /* A reset throws away what has not arrived. */
  for (guint i = 0; under_way > 0 && i < PATIENCE * 1000; i++, g_usleep (1000))
    g_assert_cmpint (ioctl (client->fd, SIOCOUTQ, &under_way), ==, 0);
  g_assert_cmpint (under_way, ==, 0);
  setsockopt (client->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  client_free (g_steal_pointer (&client));
  /* Who is accepted after it shows that the reset was seen. */
  other = client_new (&f);
  wait_for_clients (f.listener, 2);
  for (guint i = 0; i < N; i++) {
    LineEvent event = { 0 };

    g_assert_true (next_event (&f, &event));
    g_assert_cmpuint (strtoul (event.text, NULL, 10), ==, i);
  }
  wait_for_clients (f.listener, 1);
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

/* --- clients that send no more --- */

static void
listen_until (Fixture *f, LineInput input, LineEnd end)
{
  LineListenOptions where = { .input = input, .end = end };

  f->server = line_server_new (&f->options);
  g_assert_nonnull (f->server);
  g_assert_cmpint (line_server_listen (f->server, &where, &f->listener), ==, 0);
}

static void
test_end (void)
{
  g_autoptr (Client) client = NULL;
  LineEvent event = { 0 };
  guint64 number;
  Fixture f;

  g_test_summary ("A client that shut down its side gets the answers that come later, and the end");
  fixture_init (&f);
  listen_until (&f, LINE_INPUT_ALL, LINE_END_REPORT);
  client = client_new (&f);
  client_write (client, "question\nhalf", 13);
  shutdown (client->fd, SHUT_WR);
  assert_line (&f, "question");
  g_assert_true (next_event (&f, &event));
  g_assert_cmpint (event.kind, ==, LINE_EVENT_END);
  number = event.client;
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_IN_HALF), ==, 1);
  g_assert_cmpuint (line_listener_get_count (f.listener, LINE_COUNT_IN), ==, 1);
  g_assert_cmpuint (line_listener_get_n_clients (f.listener), ==, 1);
  for (guint i = 0; i < 1000; i++)
    line_server_send (f.server, number, "answer", 6);
  line_server_flush (f.server);
  line_server_send (f.server, number, "last", 4);
  line_server_hang_up (f.server, number);
  line_server_send (f.server, number, "late", 4);
  line_server_flush (f.server);
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpstr (client_read (client), ==, "answer");
  g_assert_cmpstr (client_read (client), ==, "last");
  wait_for_clients (f.listener, 0);
  line_server_hang_up (f.server, number);
  line_server_flush (f.server);
  fixture_clear (&f);
}

static void
test_end_unread (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *filler = g_strnfill (100000, 'r');
  LineEvent event = { 0 };
  Fixture f;

  g_test_summary ("Who is to be let go, and does not read, is closed as any other");
  fixture_init (&f);
  f.options.send_buffer = 16 * 1024;
  f.options.stall_ms = 50;
  listen_until (&f, LINE_INPUT_ALL, LINE_END_REPORT);
  client = client_new (&f);
  shutdown (client->fd, SHUT_WR);
  g_assert_true (next_event (&f, &event));
  g_assert_cmpint (event.kind, ==, LINE_EVENT_END);
  for (guint i = 0; i < 100; i++)
    line_server_send (f.server, event.client, filler, 100000);
  line_server_hang_up (f.server, event.client);
  line_server_flush (f.server);
  wait_for_count (f.listener, LINE_COUNT_STALLED, 1);
  wait_for_clients (f.listener, 0);
  fixture_clear (&f);
}

static void
test_stay (void)
{
  g_autoptr (Client) half = NULL, gone = NULL;
  Fixture f;

  g_test_summary (
      "A reader that shut down its side reads on; one that has gone is noticed by lines");
  fixture_init (&f);
  listen_until (&f, LINE_INPUT_IGNORE, LINE_END_STAY);
  half = client_new (&f);
  gone = client_new (&f);
  wait_for_clients (f.listener, 2);
  shutdown (half->fd, SHUT_WR);
  g_clear_pointer (&gone, client_free);
  for (guint i = 0; i < 100000 && line_listener_get_n_clients (f.listener) > 1; i++) {
    line_server_publish (f.server, f.listener, "line", 4);
    line_server_flush (f.server);
    g_assert_cmpstr (client_read (half), ==, "line");
  }
  g_assert_cmpuint (line_listener_get_n_clients (f.listener), ==, 1);
  fixture_clear (&f);
}

static void
test_give_way (void)
{
  g_autoptr (Client) half = NULL, whole = NULL, third = NULL, fourth = NULL;
  Fixture f;

  g_test_summary ("Where no place is left, a client that sends no more gives way; others do not");
  fixture_init (&f);
  f.options.max_clients = 2;
  listen_until (&f, LINE_INPUT_ALL, LINE_END_STAY);
  whole = client_new (&f);
  half = client_new (&f);
  wait_for_clients (f.listener, 2);
  client_write (half, "half", 4);
  shutdown (half->fd, SHUT_WR);
  wait_for_count (f.listener, LINE_COUNT_IN_HALF, 1);
  third = client_new (&f);
  g_assert_null (client_read (half));
  fourth = client_new (&f);
  wait_for_count (f.listener, LINE_COUNT_REFUSED, 1);
  g_assert_null (client_read (fourth));
  line_server_publish (f.server, f.listener, "line", 4);
  line_server_flush (f.server);
  g_assert_cmpstr (client_read (whole), ==, "line");
  g_assert_cmpstr (client_read (third), ==, "line");
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/line-input/lines-in", test_lines_in);
  g_test_add_func ("/line-input/reply", test_reply);
  g_test_add_func ("/line-input/reply-limit", test_reply_limit);
  g_test_add_func ("/line-input/too-long", test_too_long);
  g_test_add_func ("/line-input/longest", test_longest);
  g_test_add_func ("/line-input/rubbish", test_rubbish);
  g_test_add_func ("/line-input/half-line", test_half_line);
  g_test_add_func ("/line-input/backpressure", test_backpressure);
  g_test_add_func ("/line-input/lost", test_lost);
  g_test_add_func ("/line-input/total-limit", test_total_limit);
  g_test_add_func ("/line-input/newest", test_newest);
  g_test_add_func ("/line-input/raw", test_raw);
  g_test_add_func ("/line-input/raw-flood", test_raw_flood);
  g_test_add_func ("/line-input/one-at-a-time", test_one_at_a_time);
  g_test_add_func ("/line-input/end", test_end);
  g_test_add_func ("/line-input/end-unread", test_end_unread);
  g_test_add_func ("/line-input/stay", test_stay);
  g_test_add_func ("/line-input/give-way", test_give_way);
  return g_test_run ();
}
