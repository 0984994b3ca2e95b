/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends a channel to another process over a socket, and receives one. */
#define _GNU_SOURCE
#include "channel/orrery-channel-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A channel is sent as one message of eight bytes and two descriptors. */
#define N_DESCRIPTORS 2
/* Room for more descriptors than expected, so that surplus ones can be closed. */
#define MAX_DESCRIPTORS 16

static const char magic[8] = "orrchan1";

typedef union {
  struct cmsghdr header; /* for its alignment */
  char bytes[CMSG_SPACE (MAX_DESCRIPTORS * sizeof (int))];
} Control;

static gboolean
is_again (int socket, short event)
{
  struct pollfd poll_fd = { .fd = socket, .events = event };

  if (errno == EINTR)
    return TRUE;
  /* Waits for a non-blocking socket. */
  return (errno == EAGAIN || errno == EWOULDBLOCK) && poll (&poll_fd, 1, -1) >= 0;
}

gboolean
orrery_channel_send (OrreryChannel *channel, int socket, GError **error)
{
  struct iovec part = { .iov_base = (gpointer) magic, .iov_len = sizeof magic };
  Control control = { 0 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control };
  struct cmsghdr *rights;
  gssize n;

  g_return_val_if_fail (channel != NULL, FALSE);

  if (channel->fd < 0)
    return orrery_set_error (
        error, ORRERY_ERROR_INVALID,
        "%s: a local channel stays in its process; queue and latest go between them",
        channel->name);
  message.msg_controllen = CMSG_SPACE (N_DESCRIPTORS * sizeof (int));
  rights = CMSG_FIRSTHDR (&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN (N_DESCRIPTORS * sizeof (int));
  memcpy (CMSG_DATA (rights), (int[]){ channel->fd, channel->event_fd },
          N_DESCRIPTORS * sizeof (int));
  do
    n = sendmsg (socket, &message, MSG_NOSIGNAL);
  while (n < 0 && is_again (socket, POLLOUT));
  if (n != sizeof magic)
    return orrery_channel_fail_io (channel, "cannot pass it on", error);
  return TRUE;
}

/* Returns: how many descriptors there were; the first ones are in @fds, the others are closed */
static guint
take_descriptors (struct msghdr *message, int *fds)
{
  guint n = 0;

  for (struct cmsghdr *c = CMSG_FIRSTHDR (message); c != NULL; c = CMSG_NXTHDR (message, c)) {
    guint n_here = (guint) ((c->cmsg_len - CMSG_LEN (0)) / sizeof (int));

    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
      continue;
    for (guint i = 0; i < n_here; i++, n++) {
      int fd;

      memcpy (&fd, CMSG_DATA (c) + i * sizeof (int), sizeof fd);
      if (n < N_DESCRIPTORS)
        fds[n] = fd;
      else
        close (fd);
    }
  }
  return n;
}

static void
close_descriptors (int *fds, guint n)
{
  for (guint i = 0; i < MIN (n, N_DESCRIPTORS); i++)
    close (fds[i]);
}

static gssize
receive_message (int socket, struct msghdr *message)
{
  int flags = fcntl (socket, F_GETFL);
  gboolean waits = flags >= 0 && (flags & O_NONBLOCK) == 0;
  gssize n;

  /* A blocking socket waits by itself, for as long as its timeout says. */
  do
    n = recvmsg (socket, message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  while (n < 0 && (errno == EINTR || (!waits && is_again (socket, POLLIN))));
  return n;
}

OrreryChannel *
orrery_channel_receive (int socket, GError **error)
{
  char bytes[sizeof magic];
  struct iovec part = { .iov_base = bytes, .iov_len = sizeof bytes };
  Control control = { 0 };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  int fds[N_DESCRIPTORS];
  gssize n = receive_message (socket, &message);
  guint n_fds;

  if (n <= 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "no channel was received: %s",
                      n == 0 ? "the other end is closed" : g_strerror (errno));
    return NULL;
  }
  n_fds = take_descriptors (&message, fds);
  /* The kernel drops descriptors that this process has no room for. */
  if (n_fds < N_DESCRIPTORS && (message.msg_flags & MSG_CTRUNC)) {
    close_descriptors (fds, n_fds);
    orrery_set_error (error, ORRERY_ERROR_IO,
                      "no channel was received: this process has no descriptors left");
    return NULL;
  }
  if (n != sizeof magic || memcmp (bytes, magic, sizeof magic) != 0 || n_fds != N_DESCRIPTORS) {
    close_descriptors (fds, n_fds);
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "what was received is not a channel: %zd bytes and %u descriptors", n, n_fds);
    return NULL;
  }
  return orrery_channel_adopt (fds[0], fds[1], error);
}
