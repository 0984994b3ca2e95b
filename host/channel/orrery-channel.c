/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes channels, in the memory of this process or in memory that others can share. */
#define _GNU_SOURCE
#include "channel/orrery-channel-private.h"

#include "base/orrery-counted-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static const char *const transport_names[] = {
  [ORRERY_TRANSPORT_LOCAL] = "local",
  [ORRERY_TRANSPORT_QUEUE] = "queue",
  [ORRERY_TRANSPORT_LATEST] = "latest",
};

G_DEFINE_BOXED_TYPE (OrreryChannel, orrery_channel, orrery_channel_ref, orrery_channel_unref)

const char *
orrery_transport_get_name (OrreryTransport transport)
{
  g_return_val_if_fail ((guint) transport < G_N_ELEMENTS (transport_names), NULL);

  return transport_names[transport];
}

gboolean
orrery_transport_from_name (const char *name, OrreryTransport *transport)
{
  g_return_val_if_fail (name != NULL && transport != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (transport_names); i++)
    if (strcmp (name, transport_names[i]) == 0) {
      *transport = (OrreryTransport) i;
      return TRUE;
    }
  return FALSE;
}

gboolean
orrery_channel_fail_io (OrreryChannel *channel, const char *what, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s: %s", channel->name, what,
                           g_strerror (errno));
}

/* @n_slots: a ring has one more than it keeps, where the next value is written. */
static OrreryChannel *
channel_new (OrreryTransport transport, const char *name, guint n_slots)
{
  OrreryChannel *channel = g_new0 (OrreryChannel, 1);

  g_atomic_ref_count_init (&channel->ref_count);
  channel->transport = transport;
  channel->n_slots = n_slots;
  g_strlcpy (channel->name, name, sizeof channel->name);
  channel->fd = -1;
  channel->event_fd = -1;
  return channel;
}

/* Newer kernels expect the flag that says that the memory is not executable; older ones refuse
 * it. */
static int
create_file (const char *name)
{
  int fd = memfd_create (name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

  if (fd < 0 && errno == EINVAL)
    fd = memfd_create (name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return fd;
}

static gboolean
open_shared (OrreryChannel *channel, GError **error)
{
  channel->fd = create_file ("orrery-channel");
  if (channel->fd < 0)
    return orrery_channel_fail_io (channel, "cannot make shared memory", error);
  if (ftruncate (channel->fd, (off_t) orrery_memory_get_size (channel->n_slots)) != 0)
    return orrery_channel_fail_io (channel, "cannot size shared memory", error);
  if (fcntl (channel->fd, F_ADD_SEALS, SEALS) != 0)
    return orrery_channel_fail_io (channel, "cannot seal shared memory", error);
  if (orrery_channel_ensure_event_fd (channel) < 0)
    return orrery_channel_fail_io (channel, "cannot make an eventfd", error);
  return TRUE;
}

static gboolean
open_memory (OrreryChannel *channel, GError **error)
{
  channel->memory = orrery_memory_new (channel->fd, channel->n_slots, TRUE, error);
  if (channel->memory == NULL)
    g_prefix_error (error, "%s: ", channel->name);
  return channel->memory != NULL;
}

static void
write_header (OrreryChannel *channel)
{
  OrreryHeader *header = channel->memory->header;

  header->transport = channel->transport;
  header->n_slots = channel->n_slots;
  header->size = channel->size;
  header->fixed = (guint32) channel->fixed;
  memcpy (header->name, channel->name, sizeof header->name);
  header->fixed_size = channel->fixed && channel->size > 0 ? channel->size + 1 : 0;
  header->magic = ORRERY_MEMORY_MAGIC;
}

/* Takes @channel. */
static OrreryChannel *
open_channel (OrreryChannel *channel, GError **error)
{
  gboolean shared = channel->transport != ORRERY_TRANSPORT_LOCAL;

  if ((shared && !open_shared (channel, error)) || !open_memory (channel, error)) {
    orrery_channel_unref (channel);
    return NULL;
  }
  write_header (channel);
  return channel;
}

static OrreryChannel *
ring_new (OrreryTransport transport, const char *name, guint depth, GError **error)
{
  return open_channel (channel_new (transport, name,
                                    (depth > 0 ? depth : ORRERY_CHANNEL_DEPTH) + 1),
                       error);
}

OrreryChannel *
orrery_channel_new_local (const char *name, guint depth, GError **error)
{
  g_return_val_if_fail (name != NULL && depth <= ORRERY_CHANNEL_MAX_DEPTH, NULL);

  return ring_new (ORRERY_TRANSPORT_LOCAL, name, depth, error);
}

OrreryChannel *
orrery_channel_new_queue (const char *name, guint depth, GError **error)
{
  g_return_val_if_fail (name != NULL && depth <= ORRERY_CHANNEL_MAX_DEPTH, NULL);

  return ring_new (ORRERY_TRANSPORT_QUEUE, name, depth, error);
}

OrreryChannel *
orrery_channel_new_latest (const char *name, gsize size, gboolean fixed, GError **error)
{
  OrreryChannel *channel;

  g_return_val_if_fail (name != NULL, NULL);

  if (size > ORRERY_CHANNEL_MAX_SIZE) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "%s: values of %zu bytes, the largest have %" G_GUINT64_FORMAT, name, size,
                      ORRERY_CHANNEL_MAX_SIZE);
    return NULL;
  }
  channel = channel_new (ORRERY_TRANSPORT_LATEST, name, ORRERY_MEMORY_LATEST_SLOTS);
  channel->size = size;
  channel->fixed = fixed;
  return open_channel (channel, error);
}

static gboolean
fail_alien (const char *what, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "what was received is not a channel: %s",
                           what);
}

static gboolean
is_event_fd (int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autofree char *target = g_file_read_link (path, NULL);

  return g_strcmp0 (target, "anon_inode:[eventfd]") == 0;
}

static gboolean
is_count_allowed (OrreryTransport transport, guint n_slots)
{
  if (transport == ORRERY_TRANSPORT_LATEST)
    return n_slots == ORRERY_MEMORY_LATEST_SLOTS;
  return transport == ORRERY_TRANSPORT_QUEUE && n_slots >= 2 &&
         n_slots <= ORRERY_CHANNEL_MAX_DEPTH + 1;
}

/* Each value is read once, since the process that made the file may change it at any time. */
static gboolean
judge_header (OrreryChannel *channel, GError **error)
{
  OrreryHeader header;
  struct stat info;
  int seals = fcntl (channel->fd, F_GET_SEALS);

  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || (seals & F_SEAL_GROW) == 0)
    return fail_alien ("memory that is not sealed", error);
  if (pread (channel->fd, &header, sizeof header, 0) != (gssize) sizeof header)
    return fail_alien ("memory of another size", error);
  if (header.magic != ORRERY_MEMORY_MAGIC || !is_count_allowed (header.transport, header.n_slots) ||
      header.size > ORRERY_CHANNEL_MAX_SIZE)
    return fail_alien ("an unknown header", error);
  if (fstat (channel->fd, &info) != 0 ||
      (guint64) info.st_size != orrery_memory_get_size (header.n_slots))
    return fail_alien ("memory of another size", error);
  channel->transport = (OrreryTransport) header.transport;
  channel->n_slots = header.n_slots;
  channel->size = header.size;
  channel->fixed = header.fixed != 0;
  header.name[sizeof header.name - 1] = '\0';
  g_autofree char *name = g_utf8_make_valid (header.name, -1);
  g_strlcpy (channel->name, name, sizeof channel->name);
  return TRUE;
}

OrreryChannel *
orrery_channel_adopt (int fd, int event_fd, GError **error)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_QUEUE, "channel", 0);

  channel->fd = fd;
  channel->event_fd = event_fd;
  if (!is_event_fd (event_fd)) {
    fail_alien ("no eventfd", error);
    return NULL;
  }
  if (!judge_header (channel, error) || !open_memory (channel, error))
    return NULL;
  return g_steal_pointer (&channel);
}

int
orrery_channel_ensure_event_fd (OrreryChannel *channel)
{
  int present = __atomic_load_n (&channel->event_fd, __ATOMIC_ACQUIRE);
  int fd;

  if (present >= 0)
    return present;
  fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0 || __atomic_compare_exchange_n (&channel->event_fd, &present, fd, FALSE,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fd;
  close (fd);
  return present;
}

static void
channel_free (OrreryChannel *channel)
{
  g_clear_pointer (&channel->memory, orrery_memory_unref);
  if (channel->fd >= 0)
    close (channel->fd);
  if (channel->event_fd >= 0)
    close (channel->event_fd);
  g_free (channel);
}

ORRERY_DEFINE_COUNTED (OrreryChannel, orrery_channel, ref_count, channel_free)

const char *
orrery_channel_get_name (OrreryChannel *channel)
{
  g_return_val_if_fail (channel != NULL, NULL);

  return channel->name;
}

ORRERY_DEFINE_GETTER (OrreryTransport, orrery_channel_get_transport, OrreryChannel,
                      ORRERY_IS_STRUCT, self->transport)
