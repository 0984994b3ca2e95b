/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends packets with descriptors between processes, and data in sealed memory files. */
#define _GNU_SOURCE
#include "process/orrery-packet-private.h"

#include "base/orrery-error-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static gboolean
fail (const char *what, int number, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", what, g_strerror (number));
}

/* --- packets --- */

typedef union {
  struct cmsghdr header; /* for its alignment */
  char bytes[CMSG_SPACE (sizeof (int))];
} Control;

gboolean
orrery_packet_send (int socket, gconstpointer bytes, gsize size, int fd, int flags)
{
  struct iovec part = { .iov_base = (gpointer) bytes, .iov_len = size };
  Control control = { 0 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
  gssize n;

  if (fd >= 0) {
    struct cmsghdr *rights;

    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    rights = CMSG_FIRSTHDR (&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN (sizeof fd);
    memcpy (CMSG_DATA (rights), &fd, sizeof fd);
  }
  n = TEMP_FAILURE_RETRY (sendmsg (socket, &message, MSG_NOSIGNAL | flags));
  return n == (gssize) size;
}

gssize
orrery_packet_receive (int socket, gpointer bytes, gsize size, int *fd, int flags)
{
  struct iovec part = { .iov_base = bytes, .iov_len = size };
  Control control = { 0 };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  gssize n = TEMP_FAILURE_RETRY (recvmsg (socket, &message, MSG_CMSG_CLOEXEC | flags));
  struct cmsghdr *rights = n > 0 ? CMSG_FIRSTHDR (&message) : NULL;
  int got = -1;

  if (rights != NULL && rights->cmsg_type == SCM_RIGHTS &&
      rights->cmsg_len == CMSG_LEN (sizeof got))
    memcpy (&got, CMSG_DATA (rights), sizeof got);
  if (fd != NULL)
    *fd = got;
  else if (got >= 0)
    close (got);
  return n;
}

/* --- files --- */

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

static gboolean
write_all (int fd, const char *data, gsize size)
{
  while (size > 0) {
    gssize n = write (fd, data, size);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    data += n;
    size -= (gsize) n;
  }
  return TRUE;
}

int
orrery_sealed_file_new (const char *name, gconstpointer data, gsize size, GError **error)
{
  int fd = memfd_create (name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd < 0) {
    fail ("cannot make shared memory", errno, error);
    return -1;
  }
  if (!write_all (fd, data, size) || fcntl (fd, F_ADD_SEALS, SEALS) != 0) {
    fail ("cannot write shared memory", errno, error);
    close (fd);
    return -1;
  }
  return fd;
}

GBytes *
orrery_sealed_file_read (int fd, gsize limit, GError **error)
{
  off_t size = lseek (fd, 0, SEEK_END);
  g_autofree char *data = NULL;

  if (size < 0 || (gsize) size > limit || (fcntl (fd, F_GET_SEALS) & SEALS) != SEALS) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "what was received is not sealed memory");
    return NULL;
  }
  data = g_malloc ((gsize) size + 1);
  for (off_t at = 0; at < size;) {
    gssize n = pread (fd, data + at, (gsize) (size - at), at);

    if (n <= 0) {
      fail ("cannot read shared memory", errno, error);
      return NULL;
    }
    at += n;
  }
  return g_bytes_new_take (g_steal_pointer (&data), (gsize) size);
}

gboolean
orrery_file_pass (int socket, int fd, GError **error)
{
  return orrery_packet_send (socket, "f", 1, fd, 0) || fail ("cannot pass a file on", errno, error);
}

int
orrery_file_accept (int socket, GError **error)
{
  char byte = 0;
  int fd = -1;
  gssize n = orrery_packet_receive (socket, &byte, 1, &fd, 0);

  if (fd < 0)
    fail ("no file came", n == 0 ? ENOTCONN : errno, error);
  return fd;
}
