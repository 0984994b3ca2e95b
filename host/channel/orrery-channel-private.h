/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"
#include "channel/orrery-channel.h"
#include "channel/orrery-emitter.h"
#include "channel/orrery-memory-private.h"
#include "channel/orrery-receiver.h"
#include "record/orrery-buffer.h"

#include <pthread.h>

G_BEGIN_DECLS

/* What was written into the header when the channel was made; read once and checked. */
struct _OrreryChannel {
  gatomicrefcount ref_count;
  OrreryTransport transport;
  guint n_slots;
  gboolean fixed;
  gsize size;
  char name[64];
  int fd;               /* -1: local */
  int event_fd;         /* atomic; -1: local, and none was asked for */
  OrreryMemory *memory; /* the emitter's too; of a local channel that of all ends */
  guint has_emitter;    /* atomic; local only: between processes there is a lock */
};

struct _OrreryEmitter {
  OrreryMemory *memory;
  OrreryHeader *header;
  guint64 next; /* number of the next value */
  guint n_slots;
  guint slot; /* ring: of the next value; latest: of the newest */
  gboolean latest;
  gboolean fixed;
  guint64 fixed_size; /* 1 + the size, once it is known */
  OrreryQuick quick;  /* ring */
  OrreryReady ready;
  /* Of the value that was begun: */
  gboolean begun;
  guint begun_slot;
  gsize begun_size;
  gsize begun_n_parameters;
  gpointer staging; /* ring: where it is made */
  gsize staged;     /* room there */

  OrreryChannel *channel;
  int lock_fd; /* -1: local */
  gatomicrefcount ref_count;
};

struct _OrreryReceiver {
  OrreryMemory *memory;
  OrreryHeader *header;
  guint64 next; /* ring: number of the next value; latest: the head that was read last */
  guint64 head; /* ring: values emitted, as last seen */
  guint n_slots;
  guint slot; /* ring: of the next value; latest: of the present one */
  gboolean latest;
  /* The present value: */
  gboolean any;
  gconstpointer data;
  gsize size;
  gsize n_parameters;
  OrreryTime time;
  guint64 n_dropped;

  OrreryQuick quick; /* ring */
  /* ring: the present value, where the next is tried, and the room of each */
  gpointer copy;
  gpointer spare;
  gsize room;

  /* latest */
  guint place;
  pthread_mutex_t lock; /* of what follows; buffers may be let go of on any thread */
  guint n_holds[ORRERY_MEMORY_LATEST_SLOTS];
  OrreryReady ready;

  guint n_unlucky; /* waits that sleep without spinning, after spins in vain */
  guint n_skipped; /* of those */

  OrreryChannel *channel;
  int lock_fd; /* -1: of a ring */
  int poll_fd; /* -1: not asked for */
  gatomicrefcount ref_count;
};

/* Takes the place of the parameters if the value is any variant */
#define ORRERY_CHANNEL_VARIANT "variant"

/* @fd, @event_fd: owned by the channel from then on, even if this fails */
OrreryChannel *orrery_channel_adopt (int fd, int event_fd, GError **error);
/* Returns: the eventfd; -1: there is none and none can be had */
int orrery_channel_ensure_event_fd (OrreryChannel *channel);
gboolean orrery_channel_fail_io (OrreryChannel *channel, const char *what, GError **error);

/* Returns: whether the receiver now has a value that it had not before */
gboolean orrery_receiver_read_ring (OrreryReceiver *receiver);
gboolean orrery_receiver_read_latest (OrreryReceiver *receiver);
gboolean orrery_receiver_attach_latest (OrreryReceiver *receiver, GError **error);
void orrery_receiver_detach_latest (OrreryReceiver *receiver);
void orrery_receiver_hold_slot (OrreryReceiver *receiver, guint slot);
/* A read-only buffer over a part of the present value of a `latest` channel, which is held as long.
 * @receiver: of this type, so that this may be an OrreryFlatHold */
OrreryBuffer *orrery_receiver_hold_part (gpointer receiver, OrreryElement element,
                                         guint n_dimensions, const gsize *shape,
                                         gconstpointer data);
void orrery_receiver_drop_slot (OrreryReceiver *receiver, guint slot);

G_END_DECLS
