/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the newest value of a channel that keeps only the newest. */
#include "channel/orrery-channel-private.h"

#include <unistd.h>

/*
 * The emitter never writes into the newest slot, nor into one that a receiver says it holds. A
 * receiver says so first and then looks whether the slot is still the newest: if it is, the emitter
 * sees the mark before it takes that slot again. (Hazard pointers: Michael, IEEE TPDS 15, 2004.)
 */

/* Each retry means that a value was emitted in the meantime; more retries mean corrupt contents. */
#define MAX_TRIES 1000

void
orrery_receiver_hold_slot (OrreryReceiver *receiver, guint slot)
{
  OrreryReceiverSlots *place = &receiver->header->places[receiver->place];

  pthread_mutex_lock (&receiver->lock);
  if (receiver->n_holds[slot]++ == 0)
    __atomic_fetch_or (&place->held, G_GUINT64_CONSTANT (1) << slot, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock (&receiver->lock);
}

void
orrery_receiver_drop_slot (OrreryReceiver *receiver, guint slot)
{
  OrreryReceiverSlots *place = &receiver->header->places[receiver->place];

  pthread_mutex_lock (&receiver->lock);
  if (--receiver->n_holds[slot] == 0)
    __atomic_fetch_and (&place->held, ~(G_GUINT64_CONSTANT (1) << slot), __ATOMIC_SEQ_CST);
  pthread_mutex_unlock (&receiver->lock);
}

/* Sizes are read once, because another process may overwrite them at any time. */
static gboolean
take_slot (OrreryReceiver *receiver, guint index)
{
  OrrerySlot *slot = &receiver->header->slots[index];
  OrreryTime time = __atomic_load_n (&slot->time, __ATOMIC_ACQUIRE);
  gsize size, n_parameters, extent;

  if (!orrery_slot_split (__atomic_load_n (&slot->sizes, __ATOMIC_ACQUIRE), &size, &n_parameters))
    return FALSE;
  extent = orrery_memory_get_extent (size, n_parameters);
  if (!orrery_memory_prepare (receiver->memory, &receiver->ready, index, extent, NULL))
    return FALSE;
  receiver->data = orrery_memory_get_piece (receiver->memory, index, extent);
  receiver->size = size;
  receiver->n_parameters = n_parameters;
  receiver->time = time;
  return TRUE;
}

gboolean
orrery_receiver_read_latest (OrreryReceiver *receiver)
{
  for (guint tries = 0; tries < MAX_TRIES; tries++) {
    guint64 head = __atomic_load_n (&receiver->header->head, __ATOMIC_SEQ_CST);
    guint slot = head & 0xff;

    if (head == 0 || head == receiver->next || slot >= receiver->n_slots)
      return FALSE;
    orrery_receiver_hold_slot (receiver, slot);
    if (__atomic_load_n (&receiver->header->head, __ATOMIC_SEQ_CST) != head) {
      orrery_receiver_drop_slot (receiver, slot);
      continue;
    }
    if (!take_slot (receiver, slot)) {
      orrery_receiver_drop_slot (receiver, slot);
      return FALSE;
    }
    if (receiver->any)
      orrery_receiver_drop_slot (receiver, receiver->slot);
    receiver->slot = slot;
    receiver->next = head;
    return TRUE;
  }
  return FALSE;
}

static gboolean
find_place (OrreryReceiver *receiver)
{
  for (guint i = 0; i < ORRERY_CHANNEL_MAX_RECEIVERS; i++)
    if (orrery_memory_lock (receiver->lock_fd, i)) {
      receiver->place = i;
      return TRUE;
    }
  return FALSE;
}

gboolean
orrery_receiver_attach_latest (OrreryReceiver *receiver, GError **error)
{
  OrreryHeader *header = receiver->header;

  receiver->lock_fd = orrery_memory_reopen (receiver->channel->fd);
  if (receiver->lock_fd < 0)
    return orrery_channel_fail_io (receiver->channel, "cannot open its memory", error);
  if (!find_place (receiver)) {
    close (receiver->lock_fd);
    receiver->lock_fd = -1;
    return orrery_set_error (error, ORRERY_ERROR_BUSY,
                             "%s: it already has %d receivers, the maximum",
                             receiver->channel->name, ORRERY_CHANNEL_MAX_RECEIVERS);
  }
  /* Slots that a dead receiver held at this place are released. */
  __atomic_store_n (&header->places[receiver->place].held, 0, __ATOMIC_SEQ_CST);
  __atomic_fetch_or (&header->receivers, G_GUINT64_CONSTANT (1) << receiver->place,
                     __ATOMIC_SEQ_CST);
  /* This succeeds if the emitter was there first; otherwise its memory does not exist yet, which is
   * no error. */
  if (receiver->channel->size > 0)
    orrery_memory_prepare (receiver->memory, &receiver->ready, 0, receiver->channel->size, NULL);
  return TRUE;
}

void
orrery_receiver_detach_latest (OrreryReceiver *receiver)
{
  OrreryHeader *header = receiver->header;

  if (receiver->lock_fd < 0)
    return;
  __atomic_store_n (&header->places[receiver->place].held, 0, __ATOMIC_SEQ_CST);
  __atomic_fetch_and (&header->receivers, ~(G_GUINT64_CONSTANT (1) << receiver->place),
                      __ATOMIC_SEQ_CST);
  /* The lock is released with the descriptor. */
  close (receiver->lock_fd);
}
