/* SPDX-License-Identifier: BSD-3-Clause */
/* Sockets to one peer, over UDP or TCP, that never block. */
#define _GNU_SOURCE
#include "mavlink-port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes that wait for a peer that does not read. */
#define MAX_WAITING ((gsize) 256 * 1024)
/* ms between attempts to connect. */
#define RETRY_MS 1000
/* Peers that are looked at in one read. */
#define MAX_NEW 8

struct _MavPort {
  MavPortKind kind;
  char *address;
  guint16 port;
  const LineAccess *access; /* borrowed */
  int diag;
  int listener; /* of TCP_IN */
  int fd;       /* of the peer; over UDP also without one */
  gboolean has_peer;
  gboolean connecting;
  gint64 retry_at; /* ms */
  struct sockaddr_in peer;
  GByteArray *output;
  guint n_peers;
  guint64 counts[MAV_PORT_N_COUNTS];
};

MavPort *
mav_port_new (MavPortKind kind, const char *address, guint16 number)
{
  MavPort *port = g_new0 (MavPort, 1);

  port->kind = kind;
  port->address = g_strdup (address);
  port->port = number;
  port->diag = port->listener = port->fd = -1;
  port->output = g_byte_array_new ();
  return port;
}

static const struct {
  const char *prefix;
  MavPortKind kind;
} prefixes[] = {
  { "udp:", MAV_PORT_UDP_IN },   { "udpin:", MAV_PORT_UDP_IN }, { "udpout:", MAV_PORT_UDP_OUT },
  { "tcpin:", MAV_PORT_TCP_IN }, { "tcp:", MAV_PORT_TCP_OUT },
};

MavPort *
mav_port_new_for_device (const char *device, char **why)
{
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++) {
    const char *rest = device + strlen (prefixes[i].prefix);
    g_auto (GStrv) parts = NULL;
    gboolean is_bound = prefixes[i].kind == MAV_PORT_UDP_IN || prefixes[i].kind == MAV_PORT_TCP_IN;
    guint64 number;

    if (!g_str_has_prefix (device, prefixes[i].prefix))
      continue;
    parts = g_strsplit (rest, ":", -1);
    if (g_strv_length (parts) == 2 &&
        g_ascii_string_to_unsigned (parts[1], 10, is_bound ? 0 : 1, 65535, &number, NULL))
      return mav_port_new (prefixes[i].kind, parts[0], (guint16) number);
    *why = g_strdup_printf ("'%.60s' has no ADDRESS:PORT behind %s", device, prefixes[i].prefix);
    return NULL;
  }
  *why = g_strdup_printf ("'%.60s' is no device; there is: udp:, udpin:, udpout:, tcp:, tcpin:, "
                          "each with ADDRESS:PORT; serial lines are not supported",
                          device);
  return NULL;
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
mav_port_close (MavPort *port)
{
  close_fd (&port->fd);
  close_fd (&port->listener);
  close_fd (&port->diag);
  port->has_peer = port->connecting = FALSE;
}

void
mav_port_free (MavPort *port)
{
  if (port == NULL)
    return;
  mav_port_close (port);
  g_byte_array_unref (port->output);
  g_free (port->address);
  g_free (port);
}

MavPortKind
mav_port_get_kind (MavPort *port)
{
  return port->kind;
}

const char *
mav_port_get_address (MavPort *port)
{
  return port->address;
}

guint16
mav_port_get_port (MavPort *port)
{
  return port->port;
}

gboolean
mav_port_has_peer (MavPort *port)
{
  return port->has_peer;
}

guint
mav_port_get_n_peers (MavPort *port)
{
  return port->n_peers;
}

guint64
mav_port_get_count (MavPort *port, MavPortCount what)
{
  return port->counts[what];
}

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

static gboolean
is_tcp (MavPort *port)
{
  return port->kind == MAV_PORT_TCP_IN || port->kind == MAV_PORT_TCP_OUT;
}

/* --- opening --- */

static gboolean
find_address (MavPort *port, struct sockaddr_in *address)
{
  const char *text = port->address;

  *address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons (port->port) };
  if (text[0] == '\0' || g_str_equal (text, "localhost"))
    text = "127.0.0.1";
  if (g_str_equal (text, "*"))
    text = "0.0.0.0";
  return inet_pton (AF_INET, text, &address->sin_addr) == 1;
}

static int
new_socket (MavPort *port)
{
  return socket (AF_INET, (is_tcp (port) ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC,
                 0);
}

static int
bind_to (MavPort *port, int fd)
{
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  int yes = 1;

  if (!find_address (port, &address))
    return EINVAL;
  if (is_tcp (port))
    setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind (fd, (struct sockaddr *) &address, sizeof address) < 0 ||
      (is_tcp (port) && listen (fd, MAX_NEW) < 0) ||
      getsockname (fd, (struct sockaddr *) &address, &size) < 0)
    return errno;
  port->port = ntohs (address.sin_port);
  return 0;
}

static void
adopt (MavPort *port)
{
  port->has_peer = TRUE;
  port->n_peers++;
  g_byte_array_set_size (port->output, 0);
}

/* The peer has gone. */
static void
lose (MavPort *port)
{
  struct sockaddr none = { .sa_family = AF_UNSPEC };

  if (port->kind == MAV_PORT_UDP_OUT)
    return;
  port->has_peer = port->connecting = FALSE;
  g_byte_array_set_size (port->output, 0);
  if (port->kind == MAV_PORT_UDP_IN)
    connect (port->fd, &none, sizeof none);
  else
    close_fd (&port->fd);
  port->retry_at = now_ms () + RETRY_MS;
}

void
mav_port_forget_peer (MavPort *port)
{
  if (port->has_peer)
    lose (port);
}

static int
connect_to (MavPort *port)
{
  struct sockaddr_in address;
  int yes = 1;

  if (!find_address (port, &address))
    return EINVAL;
  port->fd = new_socket (port);
  if (port->fd < 0)
    return errno;
  if (is_tcp (port))
    setsockopt (port->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (connect (port->fd, (struct sockaddr *) &address, sizeof address) == 0)
    adopt (port);
  else if (errno == EINPROGRESS)
    port->connecting = TRUE;
  else
    lose (port);
  return 0;
}

/* A port that the system has chosen is given up where a socket of UDP leaves its peer: so it is
 * asked for by its number. */
static int
bind_to_number (MavPort *port, int *fd)
{
  for (guint i = 0; i < MAX_NEW; i++) {
    int status = bind_to (port, *fd);

    if (status != 0)
      return status;
    close_fd (fd);
    *fd = new_socket (port);
    if (*fd < 0)
      return errno;
    status = bind_to (port, *fd);
    if (status != EADDRINUSE)
      return status;
    port->port = 0;
  }
  return EADDRINUSE;
}

static int
bind_new (MavPort *port, int *fd)
{
  *fd = new_socket (port);
  if (*fd < 0)
    return errno;
  return port->kind == MAV_PORT_UDP_IN && port->port == 0 ? bind_to_number (port, fd)
                                                          : bind_to (port, *fd);
}

int
mav_port_open (MavPort *port, const LineAccess *access)
{
  int status, *fd = port->kind == MAV_PORT_TCP_IN ? &port->listener : &port->fd;

  port->access = access;
  if (port->kind == MAV_PORT_UDP_OUT || port->kind == MAV_PORT_TCP_OUT)
    return connect_to (port);
  if (port->kind == MAV_PORT_TCP_IN)
    port->diag = line_peer_open ();
  status = bind_new (port, fd);
  if (status != 0)
    mav_port_close (port);
  return status;
}

/* --- new peers --- */

static void
take_connection (MavPort *port, int fd)
{
  g_autofree char *why = NULL;
  gboolean is_local;
  int yes = 1;

  if (port->has_peer)
    port->counts[MAV_PORT_REFUSED]++;
  else if (!line_access_admits (port->access, port->diag, fd, &is_local, &why))
    port->counts[MAV_PORT_DENIED]++;
  else {
    setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    port->fd = fd;
    adopt (port);
    return;
  }
  close (fd);
}

static void
accept_all (MavPort *port)
{
  for (guint i = 0; i < MAX_NEW; i++) {
    int fd = accept4 (port->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd < 0)
      return;
    take_connection (port, fd);
  }
}

static void
end_connecting (MavPort *port)
{
  struct sockaddr_in peer;
  socklen_t size = sizeof peer, size_of_status = sizeof (int);
  int status = 0;

  getsockopt (port->fd, SOL_SOCKET, SO_ERROR, &status, &size_of_status);
  if (status != 0) {
    lose (port);
    return;
  }
  if (getpeername (port->fd, (struct sockaddr *) &peer, &size) < 0)
    return;
  port->connecting = FALSE;
  adopt (port);
}

/* Connected to its peer, a socket of UDP gets nothing from others, and is told when the peer has
 * gone. */
static gboolean
take_sender (MavPort *port, const struct sockaddr_in *from)
{
  g_autofree char *why = NULL;

  if (port->has_peer)
    return from->sin_port == port->peer.sin_port &&
           from->sin_addr.s_addr == port->peer.sin_addr.s_addr;
  if (!line_access_admits_datagrams (port->access, from, &why)) {
    port->counts[MAV_PORT_DENIED]++;
    return FALSE;
  }
  if (connect (port->fd, (const struct sockaddr *) from, sizeof *from) < 0)
    return FALSE;
  port->peer = *from;
  adopt (port);
  return TRUE;
}

/* --- reading and writing --- */

static void
send_waiting (MavPort *port)
{
  while (port->has_peer && port->output->len > 0) {
    ssize_t n = send (port->fd, port->output->data, port->output->len, MSG_DONTWAIT | MSG_NOSIGNAL);

    if (n > 0)
      g_byte_array_remove_range (port->output, 0, (guint) n);
    else if (n < 0 && errno == EAGAIN)
      return;
    else if (n == 0 || errno != EINTR)
      lose (port);
  }
}

static gsize
read_datagram (MavPort *port, guint8 *bytes, gsize size)
{
  for (guint i = 0; i < MAX_NEW; i++) {
    struct sockaddr_in from = { 0 };
    socklen_t length = sizeof from;
    ssize_t n = recvfrom (port->fd, bytes, size, MSG_DONTWAIT, (struct sockaddr *) &from, &length);

    if (n < 0 && errno == EAGAIN)
      return 0;
    if (n < 0 && errno != EINTR)
      lose (port);
    if (n > 0 && (port->kind == MAV_PORT_UDP_OUT || take_sender (port, &from)))
      return (gsize) n;
  }
  return 0;
}

static gsize
read_stream (MavPort *port, guint8 *bytes, gsize size)
{
  ssize_t n;

  send_waiting (port);
  if (!port->has_peer)
    return 0;
  do {
    n = recv (port->fd, bytes, size, MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  if (n > 0)
    return (gsize) n;
  if (n == 0 || errno != EAGAIN)
    lose (port);
  return 0;
}

gsize
mav_port_read (MavPort *port, guint8 *bytes, gsize size)
{
  gsize n;

  if (!is_tcp (port))
    return port->fd >= 0 ? read_datagram (port, bytes, size) : 0;
  if (port->connecting)
    end_connecting (port);
  /* First the peer that is there: it may have gone, and its place is free for the next one. */
  n = read_stream (port, bytes, size);
  if (n > 0)
    return n;
  if (port->kind == MAV_PORT_TCP_IN && port->listener >= 0)
    accept_all (port);
  else if (port->kind == MAV_PORT_TCP_OUT && port->fd < 0 && now_ms () >= port->retry_at)
    connect_to (port);
  return read_stream (port, bytes, size);
}

void
mav_port_write (MavPort *port, gconstpointer bytes, gsize length)
{
  ssize_t n;

  if (!port->has_peer)
    return;
  if (!is_tcp (port)) {
    do {
      n = send (port->fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EAGAIN)
      port->counts[MAV_PORT_LOST]++;
    else if (n < 0)
      lose (port);
    return;
  }
  if (port->output->len + length > MAX_WAITING) {
    port->counts[MAV_PORT_LOST]++;
    return;
  }
  g_byte_array_append (port->output, bytes, (guint) length);
  send_waiting (port);
}

gboolean
mav_port_is_waiting (MavPort *port)
{
  return port->output->len > 0;
}

void
mav_port_arm (MavPort *port, MavWatch *watch)
{
  if (port->listener >= 0)
    mav_watch_arm (watch, port->listener, FALSE);
  if (port->fd >= 0)
    mav_watch_arm (watch, port->fd, port->connecting || port->output->len > 0);
}
