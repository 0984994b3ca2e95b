/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How long anything that has to happen may take, s. */
#define PATIENCE 20

/* A client of a line server, over a real socket. */
typedef struct {
  int fd;
  char buffer[65536];
  gsize start, end;
  GString *line;
} Client;

static inline int
connect_to (guint16 port)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_port = htons (port),
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct timeval patience = { .tv_sec = PATIENCE };
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  return fd;
}

static inline Client *
client_connect (guint16 port)
{
  Client *client = g_new0 (Client, 1);

  client->fd = connect_to (port);
  client->line = g_string_sized_new (256);
  return client;
}

static inline void
client_free (Client *client)
{
  close (client->fd);
  g_string_free (client->line, TRUE);
  g_free (client);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Client, client_free)

static inline gboolean
client_fill (Client *client)
{
  ssize_t n = recv (client->fd, client->buffer, sizeof client->buffer, 0);

  client->start = 0;
  client->end = n > 0 ? (gsize) n : 0;
  return n > 0;
}

/* The next line, without its newline, or NULL at the end; what is left at the end stays in `line`.
 */
static inline const char *
client_read (Client *client)
{
  g_string_truncate (client->line, 0);
  while (client->start < client->end || client_fill (client)) {
    const char *from = client->buffer + client->start;
    gsize length = client->end - client->start;
    const char *newline = memchr (from, '\n', length);

    if (newline != NULL)
      length = (gsize) (newline - from);
    g_string_append_len (client->line, from, (gssize) length);
    client->start += length + (newline != NULL);
    if (newline != NULL)
      return client->line->str;
  }
  return NULL;
}

static inline void
client_write (Client *client, const char *text, gsize length)
{
  while (length > 0) {
    ssize_t n = send (client->fd, text, length, MSG_NOSIGNAL);

    g_assert_cmpint (n, >, 0);
    text += n;
    length -= (gsize) n;
  }
}

/* A close that throws away, as that of a process that is killed. */
static inline void
client_reset (Client *client)
{
  struct linger at_once = { .l_onoff = 1 };

  setsockopt (client->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  shutdown (client->fd, SHUT_RDWR);
}
