/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../middleware/mavlink/mavlink-port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Reads until something comes, or a peer goes. */
static gsize
await (MavPort *port, guint8 *bytes, gsize size)
{
  gint64 end = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;
  gsize n = 0;

  while ((n = mav_port_read (port, bytes, size)) == 0 && g_get_monotonic_time () < end)
    g_thread_yield ();
  return n;
}

static void
await_peer (MavPort *port, gboolean has_peer)
{
  gint64 end = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;
  guint8 byte;

  while (mav_port_has_peer (port) != has_peer && g_get_monotonic_time () < end)
    mav_port_read (port, &byte, 1);
  g_assert_true (mav_port_has_peer (port) == has_peer);
}

static int
new_peer (int type, guint16 port)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (port) };
  int fd = socket (AF_INET, type, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  return fd;
}

static void
test_devices (void)
{
  static const char *const bad[] = { "",          "udp",         "/dev/ttyUSB0",   "udp:127.0.0.1",
                                     "udp:1:2:3", "tcp:a:65536", "udpout:a:0",     "tcp:a:-1",
                                     "tcpin:a:x", "UDP:a:1",     "udpout:127.1: 5" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree char *why = NULL;

    g_assert_null (mav_port_new_for_device (bad[i], &why));
    g_assert_nonnull (why);
  }
}

static void
test_addresses (void)
{
  static const char *const bad[] = { "example.invalid", "::1", "256.0.0.1", "127.0.0" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    for (guint kind = MAV_PORT_UDP_IN; kind <= MAV_PORT_TCP_OUT; kind++) {
      g_autoptr (MavPort) port = mav_port_new (kind, bad[i], 14550);

      g_assert_cmpint (mav_port_open (port, NULL), ==, EINVAL);
      g_assert_false (mav_port_has_peer (port));
    }
}

/* The first who sends is the peer: others are not heard until it has gone. */
static void
test_udp_in (void)
{
  g_autoptr (MavPort) port = mav_port_new (MAV_PORT_UDP_IN, "127.0.0.1", 0);
  guint8 bytes[64];
  int first, second;

  g_assert_cmpint (mav_port_open (port, NULL), ==, 0);
  first = new_peer (SOCK_DGRAM, mav_port_get_port (port));
  second = new_peer (SOCK_DGRAM, mav_port_get_port (port));
  g_assert_cmpint (send (first, "a", 1, 0), ==, 1);
  g_assert_cmpint (send (second, "bb", 2, 0), ==, 2);
  g_assert_cmpuint (await (port, bytes, sizeof bytes), ==, 1);
  g_assert_true (mav_port_has_peer (port));
  g_assert_cmpuint (mav_port_read (port, bytes, sizeof bytes), ==, 0);
  mav_port_write (port, "ccc", 3);
  g_assert_cmpint (recv (first, bytes, sizeof bytes, 0), ==, 3);

  close (first);
  mav_port_write (port, "d", 1);
  await_peer (port, FALSE);
  g_assert_cmpint (send (second, "ee", 2, MSG_NOSIGNAL), >=, -1);
  g_assert_cmpint (send (second, "ee", 2, MSG_NOSIGNAL), >=, -1);
  g_assert_cmpuint (await (port, bytes, sizeof bytes), ==, 2);
  g_assert_cmpuint (mav_port_get_n_peers (port), ==, 2);
  close (second);
}

/* A place that is given up keeps its number. */
static void
test_forget (void)
{
  g_autoptr (MavPort) port = mav_port_new (MAV_PORT_UDP_IN, "127.0.0.1", 0);
  guint16 number;
  guint8 byte;
  int peer;

  g_assert_cmpint (mav_port_open (port, NULL), ==, 0);
  number = mav_port_get_port (port);
  for (guint i = 1; i <= 3; i++) {
    peer = new_peer (SOCK_DGRAM, number);
    g_assert_cmpint (send (peer, "a", 1, 0), ==, 1);
    g_assert_cmpuint (await (port, &byte, 1), ==, 1);
    g_assert_cmpuint (mav_port_get_n_peers (port), ==, i);
    mav_port_forget_peer (port);
    g_assert_false (mav_port_has_peer (port));
    close (peer);
  }
}

static void
test_tcp_in (void)
{
  g_autoptr (MavPort) port = mav_port_new (MAV_PORT_TCP_IN, "127.0.0.1", 0);
  guint8 bytes[64];
  int first, second;

  g_assert_cmpint (mav_port_open (port, NULL), ==, 0);
  first = new_peer (SOCK_STREAM, mav_port_get_port (port));
  await_peer (port, TRUE);
  second = new_peer (SOCK_STREAM, mav_port_get_port (port));
  while (mav_port_get_count (port, MAV_PORT_REFUSED) == 0)
    g_assert_cmpuint (mav_port_read (port, bytes, sizeof bytes), ==, 0);
  g_assert_cmpint (recv (second, bytes, sizeof bytes, 0), ==, 0);
  close (second);
  mav_port_write (port, "abc", 3);
  g_assert_cmpint (recv (first, bytes, 3, MSG_WAITALL), ==, 3);
  close (first);
  await_peer (port, FALSE);
}

/* A peer that does not read: what waits is bounded, and no call waits. */
static void
test_does_not_read (void)
{
  g_autoptr (MavPort) port = mav_port_new (MAV_PORT_TCP_IN, "127.0.0.1", 0);
  static guint8 block[60000];
  guint8 bytes[4096];
  gsize received = 0;
  ssize_t n;
  int peer;

  g_assert_cmpint (mav_port_open (port, NULL), ==, 0);
  peer = new_peer (SOCK_STREAM, mav_port_get_port (port));
  await_peer (port, TRUE);
  for (guint i = 0; i < 10000 && mav_port_get_count (port, MAV_PORT_LOST) == 0; i++)
    mav_port_write (port, block, sizeof block);
  g_assert_cmpuint (mav_port_get_count (port, MAV_PORT_LOST), >, 0);
  g_assert_true (mav_port_is_waiting (port));
  /* What was taken over arrives, whole messages only. */
  while (mav_port_is_waiting (port)) {
    received += (n = recv (peer, bytes, sizeof bytes, MSG_DONTWAIT)) > 0 ? (gsize) n : 0;
    mav_port_read (port, bytes, sizeof bytes);
  }
  mav_port_close (port);
  while ((n = recv (peer, bytes, sizeof bytes, 0)) > 0)
    received += (gsize) n;
  g_assert_cmpuint (received % sizeof block, ==, 0);
  close (peer);
}

static void
wake (gpointer fd)
{
  g_assert_cmpint (write (GPOINTER_TO_INT (fd), "w", 1), ==, 1);
}

static void
expect_wake (int fd)
{
  struct pollfd watched = { .fd = fd, .events = POLLIN };
  char byte;

  g_assert_cmpint (poll (&watched, 1, 20000), ==, 1);
  g_assert_cmpint (read (fd, &byte, 1), ==, 1);
}

/* A held simulation is woken by a connection, by bytes, by the end, and when a time is over; once
 * for each time that it asks. */
static void
test_watch (void)
{
  g_autoptr (MavPort) port = mav_port_new (MAV_PORT_TCP_IN, "127.0.0.1", 0);
  g_autoptr (MavWatch) watch = NULL;
  guint8 bytes[8];
  int pipe_fds[2];
  int peer;

  g_assert_cmpint (pipe (pipe_fds), ==, 0);
  watch = mav_watch_new (wake, GINT_TO_POINTER (pipe_fds[1]));
  g_assert_nonnull (watch);
  g_assert_cmpint (mav_port_open (port, NULL), ==, 0);
  mav_port_arm (port, watch);
  peer = new_peer (SOCK_STREAM, mav_port_get_port (port));
  expect_wake (pipe_fds[0]);
  await_peer (port, TRUE);
  mav_port_arm (port, watch);
  g_assert_cmpint (send (peer, "abc", 3, 0), ==, 3);
  expect_wake (pipe_fds[0]);
  g_assert_cmpuint (mav_port_read (port, bytes, sizeof bytes), ==, 3);
  mav_watch_arm_timer (watch, 1);
  expect_wake (pipe_fds[0]);
  mav_port_arm (port, watch);
  close (peer);
  expect_wake (pipe_fds[0]);
  await_peer (port, FALSE);
  g_clear_pointer (&watch, mav_watch_free);
  close (pipe_fds[0]);
  close (pipe_fds[1]);
}

/* Whose a datagram is: the own user's are taken, those of a port that nobody has are not. */
static void
test_access (void)
{
  g_autofree char *why = NULL;
  g_autofree char *reason = NULL;
  g_autoptr (LineAccess) any = line_access_new ("any", NULL, &why);
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t size = sizeof address;
  int fd = socket (AF_INET, SOCK_DGRAM, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, size), ==, 0);
  g_assert_cmpint (getsockname (fd, (struct sockaddr *) &address, &size), ==, 0);
  g_assert_true (line_access_admits_datagrams (NULL, &address, &reason));
  close (fd);
  g_assert_false (line_access_admits_datagrams (NULL, &address, &reason));
  g_assert_nonnull (strstr (reason, "127.0.0.1"));
  g_assert_true (line_access_admits_datagrams (any, &address, &why));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_summary ("Ports have one peer at a time, and no call waits for it");
  g_test_add_func ("/devices", test_devices);
  g_test_add_func ("/addresses", test_addresses);
  g_test_add_func ("/udp-in", test_udp_in);
  g_test_add_func ("/forget", test_forget);
  g_test_add_func ("/tcp-in", test_tcp_in);
  g_test_add_func ("/does-not-read", test_does_not_read);
  g_test_add_func ("/watch", test_watch);
  g_test_add_func ("/access", test_access);
  return g_test_run ();
}
