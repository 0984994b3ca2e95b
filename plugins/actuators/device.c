/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads events of an input device. */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

struct _Device {
  int fd;
  int stop; /* an eventfd */
  gboolean changed;
  struct termios before; /* of a terminal, if changed */
  DeviceFunc func;
  gpointer user_data;
  GThread *thread;
};

static gpointer
read_device (gpointer data)
{
  Device *device = data;
  struct pollfd fds[] = { { device->fd, POLLIN, 0 }, { device->stop, POLLIN, 0 } };
  guint8 bytes[256];

  for (;;) {
    ssize_t n;

    if (poll (fds, 2, -1) < 0 && errno != EINTR)
      return NULL;
    if (fds[1].revents != 0)
      return NULL;
    if (fds[0].revents == 0)
      continue;
    n = read (device->fd, bytes, sizeof bytes);
    if (n > 0)
      device->func (bytes, n, device->user_data);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
      return NULL;
  }
}

/* Whoever reads its terminal from the background is stopped by the system. */
static gboolean
is_background (int fd)
{
  pid_t foreground = isatty (fd) ? tcgetpgrp (fd) : -1;

  return foreground >= 0 && foreground != getpgrp ();
}

static void
set_raw (Device *device)
{
  struct termios raw;

  if (!isatty (device->fd) || tcgetattr (device->fd, &device->before) < 0)
    return;
  raw = device->before;
  raw.c_lflag &= ~(tcflag_t) (ICANON | ECHO);
  device->changed = tcsetattr (device->fd, TCSANOW, &raw) == 0;
}

Device *
device_open (const char *path, gboolean raw, DeviceFunc func, gpointer user_data, GError **error)
{
  Device *device = g_new0 (Device, 1);

  device->fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (device->fd < 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", path, g_strerror (errno));
    g_free (device);
    return NULL;
  }
  device->stop = is_background (device->fd) ? -1 : eventfd (0, EFD_CLOEXEC);
  if (device->stop < 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", path,
                      is_background (device->fd) ? "another program uses it now"
                                                 : g_strerror (errno));
    close (device->fd);
    g_free (device);
    return NULL;
  }
  device->func = func;
  device->user_data = user_data;
  if (raw)
    set_raw (device);
  device->thread = g_thread_try_new ("device", read_device, device, error);
  if (device->thread != NULL)
    return device;
  close (device->fd);
  g_free (device);
  return NULL;
}

void
device_close (Device *device)
{
  guint64 one = 1;

  if (write (device->stop, &one, sizeof one) == sizeof one)
    g_thread_join (device->thread);
  if (device->changed)
    tcsetattr (device->fd, TCSANOW, &device->before);
  close (device->fd);
  close (device->stop);
  g_free (device);
}
