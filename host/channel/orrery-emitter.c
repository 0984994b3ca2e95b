/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a channel that puts values in. */
#define _GNU_SOURCE
#include "channel/orrery-emitter.h"

#include "base/orrery-counted-private.h"
#include "channel/orrery-channel-private.h"
#include "channel/orrery-words-private.h"
#include "record/orrery-buffer.h"
#include "record/orrery-flat-private.h"
#include "record/orrery-record.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

G_DEFINE_BOXED_TYPE (OrreryEmitter, orrery_emitter, orrery_emitter_ref, orrery_emitter_unref)

#define ALL_SLOTS ((G_GUINT64_CONSTANT (1) << ORRERY_MEMORY_LATEST_SLOTS) - 1)

/* --- refusals --- */

static gboolean
fail_fixed (OrreryEmitter *emitter, gsize size, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "%s: a value of %zu bytes, but the size is fixed at %" G_GUINT64_FORMAT
                           " bytes",
                           emitter->channel->name, size, emitter->fixed_size - 1);
}

static gboolean
check_size (OrreryEmitter *emitter, gsize size, gsize n_parameters, GError **error)
{
  if (G_UNLIKELY (size > ORRERY_CHANNEL_MAX_SIZE || n_parameters > ORRERY_MEMORY_MAX_PARAMETERS ||
                  orrery_memory_get_extent (size, n_parameters) > ORRERY_CHANNEL_MAX_SIZE)) {
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
        "%s: a value of %zu bytes and %zu of parameters, the largest have %" G_GUINT64_FORMAT
        " and %d",
        emitter->channel->name, size, n_parameters, ORRERY_CHANNEL_MAX_SIZE,
        ORRERY_MEMORY_MAX_PARAMETERS);
    return FALSE;
  }
  if (emitter->fixed && emitter->fixed_size > 0 && size + 1 != emitter->fixed_size)
    return fail_fixed (emitter, size, error);
  return TRUE;
}

static gboolean
prepare (OrreryEmitter *emitter, guint slot, gsize extent, GError **error)
{
  if (G_LIKELY (orrery_memory_prepare (emitter->memory, &emitter->ready, slot, extent, error)))
    return TRUE;
  return orrery_prefix_error (error, "%s: ", emitter->channel->name);
}

/* --- waking --- */

static void __attribute__ ((noinline, cold)) ring_bell (OrreryEmitter *emitter)
{
  OrreryHeader *header = emitter->header;
  guint32 asleep = __atomic_fetch_and (&header->asleep, ~ORRERY_ASLEEP_WAITING, __ATOMIC_SEQ_CST);
  guint64 one = 1;

  __atomic_store_n (&header->bell_cpu, (guint32) sched_getcpu () + 1, __ATOMIC_RELAXED);
  if (asleep & ORRERY_ASLEEP_WAITING)
    syscall (SYS_futex, &header->asleep, FUTEX_WAKE, G_MAXINT, NULL, NULL, 0);
  if (asleep & ORRERY_ASLEEP_POLLING) {
    int fd = __atomic_load_n (&emitter->channel->event_fd, __ATOMIC_ACQUIRE);
    gssize written = write (fd, &one, sizeof one);

    /* If the counter is full, the descriptor is readable already. */
    (void) written;
  }
}

static inline void
publish (OrreryEmitter *emitter, guint64 next, guint64 head)
{
  OrreryHeader *header = emitter->header;

  emitter->next = next;
  /* Sequentially consistent with what receivers do before they sleep or trust a slot. */
  __atomic_store_n (&header->head, head, __ATOMIC_SEQ_CST);
  if (G_UNLIKELY (__atomic_load_n (&header->asleep, __ATOMIC_SEQ_CST) != 0))
    ring_bell (emitter);
}

static inline void
write_slot (OrrerySlot *slot, OrreryTime time, gsize size, gsize n_parameters)
{
  __atomic_store_n (&slot->time, time, __ATOMIC_RELEASE);
  __atomic_store_n (&slot->sizes, size | (guint64) n_parameters << 32, __ATOMIC_RELEASE);
}

/* --- rings --- */

/* Uses local variables, because after an atomic the compiler reads all other memory again. */
static inline OrrerySlot *
open_slot (OrreryEmitter *emitter, guint index, guint64 number)
{
  OrrerySlot *slot = &emitter->header->slots[index];

  __atomic_store_n (&slot->sequence, 2 * number + 1, __ATOMIC_RELAXED);
  return slot;
}

static inline void
close_slot (OrreryEmitter *emitter, OrrerySlot *slot, guint index, guint64 number)
{
  __atomic_store_n (&slot->sequence, 2 * number + 2, __ATOMIC_RELEASE);
  emitter->slot = index + 1 < emitter->n_slots ? index + 1 : 0;
  publish (emitter, number + 1, number + 1);
}

static inline void __attribute__ ((always_inline))
put_ring (OrreryEmitter *emitter, guint64 *piece, const guint8 *data, gsize size,
          gsize n_parameters, OrreryTime time)
{
  guint index = emitter->slot;
  guint64 number = emitter->next;
  OrrerySlot *slot = open_slot (emitter, index, number);

  write_slot (slot, time, size, n_parameters);
  orrery_words_put (piece, data, orrery_memory_get_extent (size, n_parameters));
  close_slot (emitter, slot, index, number);
}

/* For parameters that have to be copied to their place behind the value. */
static void
put_ring_with (OrreryEmitter *emitter, guint64 *piece, const guint8 *data, gsize size,
               GVariant *boxed, OrreryTime time)
{
  guint index = emitter->slot;
  guint64 number = emitter->next;
  gsize n_parameters = g_variant_get_size (boxed);
  OrrerySlot *slot = open_slot (emitter, index, number);

  write_slot (slot, time, size, n_parameters);
  orrery_words_put (piece, data, size);
  orrery_words_put_narrow (piece + (size + 7) / 8, g_variant_get_data (boxed), n_parameters);
  close_slot (emitter, slot, index, number);
}

/* Returns the piece for the next value, with all its pages present. */
static guint64 *
prepare_ring (OrreryEmitter *emitter, gsize extent, GError **error)
{
  guint klass = orrery_memory_get_class (extent);
  guint64 *n_bytes;

  if (!prepare (emitter, emitter->slot, extent, error))
    return NULL;
  n_bytes = emitter->ready.n_bytes[klass];
  /* If the ring was prepared as a whole, memory that is present for the last slot is present for
   * all. */
  if (orrery_memory_is_whole (emitter->memory, n_bytes[emitter->slot]))
    emitter->quick = orrery_quick_new (emitter->memory, extent, n_bytes[emitter->slot]);
  return orrery_memory_get_piece (emitter->memory, emitter->slot, extent);
}

static gpointer
begin_ring (OrreryEmitter *emitter, gsize extent)
{
  if (emitter->staged < extent || emitter->staging == NULL) {
    g_aligned_free (emitter->staging);
    emitter->staged = MAX (extent, ORRERY_MEMORY_LINE);
    emitter->staging = g_aligned_alloc (1, emitter->staged, ORRERY_MEMORY_LINE);
  }
  emitter->begun_slot = emitter->slot;
  return emitter->staging;
}

static void
commit_ring (OrreryEmitter *emitter, OrreryTime time)
{
  gsize extent = orrery_memory_get_extent (emitter->begun_size, emitter->begun_n_parameters);

  put_ring (emitter, orrery_memory_get_piece (emitter->memory, emitter->slot, extent),
            emitter->staging, emitter->begun_size, emitter->begun_n_parameters, time);
}

/* --- latest --- */

static guint64
find_held (OrreryHeader *header)
{
  guint64 taken = __atomic_load_n (&header->receivers, __ATOMIC_SEQ_CST);
  guint64 held = 0;

  for (; taken != 0; taken &= taken - 1)
    held |= __atomic_load_n (&header->places[__builtin_ctzll (taken)].held, __ATOMIC_SEQ_CST);
  return held;
}

/* If the lock can be taken, its owner is dead. */
static void
take_back_slots (OrreryEmitter *emitter)
{
  OrreryHeader *header = emitter->header;
  guint64 taken = __atomic_load_n (&header->receivers, __ATOMIC_SEQ_CST);

  for (; taken != 0; taken &= taken - 1) {
    guint place = (guint) __builtin_ctzll (taken);

    if (!orrery_memory_lock (emitter->lock_fd, place))
      continue;
    __atomic_store_n (&header->places[place].held, 0, __ATOMIC_SEQ_CST);
    __atomic_fetch_and (&header->receivers, ~(G_GUINT64_CONSTANT (1) << place), __ATOMIC_SEQ_CST);
    orrery_memory_unlock (emitter->lock_fd, place);
  }
}

/* Prefer low slots: the fewer are in use, the more of them stay in the caches. */
static int
find_slot (OrreryEmitter *emitter)
{
  guint64 newest = emitter->next > 0 ? G_GUINT64_CONSTANT (1) << emitter->slot : 0;
  guint64 free_slots = ALL_SLOTS & ~newest & ~find_held (emitter->header);

  if (G_UNLIKELY (free_slots == 0)) {
    take_back_slots (emitter);
    free_slots = ALL_SLOTS & ~newest & ~find_held (emitter->header);
  }
  return free_slots != 0 ? __builtin_ctzll (free_slots) : -1;
}

static gpointer
begin_latest (OrreryEmitter *emitter, gsize extent, GError **error)
{
  int slot = find_slot (emitter);

  if (slot < 0) {
    orrery_set_error (error, ORRERY_ERROR_BUSY,
                      "%s: receivers hold all of the %d older values that there is room for",
                      emitter->channel->name, ORRERY_CHANNEL_MAX_HELD);
    return NULL;
  }
  if (!prepare (emitter, (guint) slot, extent, error))
    return NULL;
  emitter->begun_slot = (guint) slot;
  return orrery_memory_get_piece (emitter->memory, (guint) slot, extent);
}

static void
commit_latest (OrreryEmitter *emitter, OrreryTime time)
{
  guint slot = emitter->begun_slot;

  write_slot (&emitter->header->slots[slot], time, emitter->begun_size,
              emitter->begun_n_parameters);
  emitter->slot = slot;
  publish (emitter, emitter->next + 1, (emitter->next + 1) << 8 | slot);
}

/* --- the emitter --- */

static gboolean
take_office (OrreryEmitter *emitter, GError **error)
{
  OrreryChannel *channel = emitter->channel;
  guint none = 0;

  if (channel->fd >= 0) {
    emitter->lock_fd = orrery_memory_reopen (channel->fd);
    if (emitter->lock_fd < 0)
      return orrery_channel_fail_io (channel, "cannot open its memory", error);
    if (orrery_memory_lock (emitter->lock_fd, ORRERY_LOCK_EMITTER))
      return TRUE;
    close (emitter->lock_fd);
    emitter->lock_fd = -1;
  } else if (__atomic_compare_exchange_n (&channel->has_emitter, &none, 1, FALSE, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE)) {
    return TRUE;
  }
  return orrery_set_error (error, ORRERY_ERROR_BUSY, "%s: it has an emitter", channel->name);
}

static void
leave_office (OrreryEmitter *emitter)
{
  /* The lock is released with the last descriptor of the open file description. */
  if (emitter->lock_fd >= 0)
    close (emitter->lock_fd);
  else
    __atomic_store_n (&emitter->channel->has_emitter, 0, __ATOMIC_RELEASE);
}

/* Continues after the values of an earlier emitter. */
static void
go_on (OrreryEmitter *emitter)
{
  guint64 head = __atomic_load_n (&emitter->header->head, __ATOMIC_ACQUIRE);

  emitter->fixed_size = __atomic_load_n (&emitter->header->fixed_size, __ATOMIC_ACQUIRE);
  if (emitter->latest) {
    emitter->next = head >> 8;
    emitter->slot = (head & 0xff) % emitter->n_slots;
  } else {
    emitter->next = head;
    emitter->slot = (guint) (head % emitter->n_slots);
  }
}

OrreryEmitter *
orrery_emitter_new (OrreryChannel *channel, GError **error)
{
  OrreryEmitter *emitter;

  g_return_val_if_fail (channel != NULL, NULL);

  emitter = g_new0 (OrreryEmitter, 1);
  g_atomic_ref_count_init (&emitter->ref_count);
  emitter->lock_fd = -1;
  emitter->channel = channel;
  if (!take_office (emitter, error)) {
    g_free (emitter);
    return NULL;
  }
  orrery_channel_ref (channel);
  emitter->memory = orrery_memory_ref (channel->memory);
  emitter->header = channel->memory->header;
  emitter->n_slots = channel->n_slots;
  emitter->latest = channel->transport == ORRERY_TRANSPORT_LATEST;
  emitter->fixed = channel->fixed;
  emitter->quick = ORRERY_QUICK_NONE;
  go_on (emitter);
  if (channel->size > 0 && !prepare (emitter, 0, channel->size, error))
    g_clear_pointer (&emitter, orrery_emitter_unref);
  return emitter;
}

static void
emitter_free (OrreryEmitter *emitter)
{
  leave_office (emitter);
  orrery_ready_clear (&emitter->ready);
  g_aligned_free (emitter->staging);
  orrery_memory_unref (emitter->memory);
  orrery_channel_unref (emitter->channel);
  g_free (emitter);
}

ORRERY_DEFINE_COUNTED (OrreryEmitter, orrery_emitter, ref_count, emitter_free)

OrreryChannel *
orrery_emitter_get_channel (OrreryEmitter *emitter)
{
  g_return_val_if_fail (emitter != NULL, NULL);

  return emitter->channel;
}

ORRERY_DEFINE_GETTER (guint64, orrery_emitter_get_n_emitted, OrreryEmitter, ORRERY_IS_STRUCT,
                      self->next)

static void
fix_size (OrreryEmitter *emitter, gsize size)
{
  emitter->fixed_size = size + 1;
  __atomic_store_n (&emitter->header->fixed_size, emitter->fixed_size, __ATOMIC_RELEASE);
}

/* Returns room for the value, with the parameters stored behind it. */
static gpointer
begin (OrreryEmitter *emitter, gsize size, GVariant *boxed, GError **error)
{
  gsize n_parameters = boxed != NULL ? g_variant_get_size (boxed) : 0;
  gsize extent = orrery_memory_get_extent (size, n_parameters);
  char *room;

  emitter->begun = FALSE;
  if (!check_size (emitter, size, n_parameters, error))
    return NULL;
  if (emitter->latest)
    room = begin_latest (emitter, extent, error);
  else
    room = prepare_ring (emitter, extent, error) != NULL ? begin_ring (emitter, extent) : NULL;
  if (room == NULL)
    return NULL;
  if (boxed != NULL)
    g_variant_store (boxed, room + extent - n_parameters);
  emitter->begun = TRUE;
  emitter->begun_size = size;
  emitter->begun_n_parameters = n_parameters;
  return room;
}

gpointer
orrery_emitter_begin (OrreryEmitter *emitter, gsize size, GVariant *parameters, GError **error)
{
  g_autoptr (GVariant) boxed = NULL;

  g_return_val_if_fail (emitter != NULL, NULL);

  if (parameters != NULL)
    boxed = g_variant_ref_sink (g_variant_new_variant (parameters));
  return begin (emitter, size, boxed, error);
}

void
orrery_emitter_commit (OrreryEmitter *emitter, OrreryTime time)
{
  g_return_if_fail (emitter != NULL && emitter->begun);

  emitter->begun = FALSE;
  if (emitter->fixed && emitter->fixed_size == 0)
    fix_size (emitter, emitter->begun_size);
  if (emitter->latest)
    commit_latest (emitter, time);
  else
    commit_ring (emitter, time);
}

static gboolean __attribute__ ((noinline))
emit_latest (OrreryEmitter *emitter, const guint8 *data, gsize size, GVariant *boxed,
             OrreryTime time, GError **error)
{
  gpointer room = begin (emitter, size, boxed, error);

  if (room == NULL)
    return FALSE;
  if (size > 0)
    memcpy (room, data, size);
  orrery_emitter_commit (emitter, time);
  return TRUE;
}

static gboolean __attribute__ ((noinline))
emit_ring_slowly (OrreryEmitter *emitter, const guint8 *data, gsize size, OrreryTime time,
                  GError **error)
{
  guint64 *piece =
      check_size (emitter, size, 0, error) ? prepare_ring (emitter, size, error) : NULL;

  if (piece == NULL)
    return FALSE;
  put_ring (emitter, piece, data, size, 0, time);
  return TRUE;
}

gboolean
orrery_emitter_emit (OrreryEmitter *emitter, const guint8 *data, gsize size, OrreryTime time,
                     GError **error)
{
  guint64 *piece;

  g_return_val_if_fail (emitter != NULL && (data != NULL || size == 0), FALSE);

  if (emitter->latest)
    return emit_latest (emitter, data, size, NULL, time, error);
  emitter->begun = FALSE;
  piece = orrery_quick_get_piece (&emitter->quick, emitter->slot, size);
  if (G_UNLIKELY (piece == NULL))
    return emit_ring_slowly (emitter, data, size, time, error);
  put_ring (emitter, piece, data, size, 0, time);
  return TRUE;
}

static gboolean
emit_ring_with (OrreryEmitter *emitter, const guint8 *data, gsize size, GVariant *boxed,
                OrreryTime time, GError **error)
{
  gsize n_parameters = g_variant_get_size (boxed);
  guint64 *piece = NULL;

  emitter->begun = FALSE;
  if (check_size (emitter, size, n_parameters, error))
    piece = prepare_ring (emitter, orrery_memory_get_extent (size, n_parameters), error);
  if (piece == NULL)
    return FALSE;
  put_ring_with (emitter, piece, data, size, boxed, time);
  return TRUE;
}

gboolean
orrery_emitter_emit_with (OrreryEmitter *emitter, const guint8 *data, gsize size,
                          GVariant *parameters, OrreryTime time, GError **error)
{
  g_autoptr (GVariant) boxed = NULL;

  g_return_val_if_fail (emitter != NULL && (data != NULL || size == 0), FALSE);

  if (parameters == NULL)
    return orrery_emitter_emit (emitter, data, size, time, error);
  boxed = g_variant_ref_sink (g_variant_new_variant (parameters));
  return emitter->latest ? emit_latest (emitter, data, size, boxed, time, error)
                         : emit_ring_with (emitter, data, size, boxed, time, error);
}

gboolean
orrery_emitter_emit_address (OrreryEmitter *emitter, guint64 address, gsize size,
                             GVariant *parameters, OrreryTime time, GError **error)
{
  return orrery_emitter_emit_with (emitter, GSIZE_TO_POINTER (address), size, parameters, time,
                                   error);
}

guint64
orrery_emitter_begin_address (OrreryEmitter *emitter, gsize size, GVariant *parameters,
                              GError **error)
{
  return GPOINTER_TO_SIZE (orrery_emitter_begin (emitter, size, parameters, error));
}

gboolean
orrery_emitter_emit_variant (OrreryEmitter *emitter, GVariant *value, OrreryTime time,
                             GError **error)
{
  g_autoptr (GVariant) boxed = NULL;

  g_return_val_if_fail (emitter != NULL && value != NULL, FALSE);

  boxed = g_variant_ref_sink (g_variant_new_variant (value));
  return orrery_emitter_emit_with (emitter, g_variant_get_data (boxed), g_variant_get_size (boxed),
                                   g_variant_new_string (ORRERY_CHANNEL_VARIANT), time, error);
}

gboolean
orrery_emitter_emit_buffer (OrreryEmitter *emitter, OrreryBuffer *buffer, OrreryTime time,
                            GError **error)
{
  GVariantBuilder shape;

  g_return_val_if_fail (emitter != NULL && buffer != NULL, FALSE);

  g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
  for (guint i = 0; i < orrery_buffer_get_n_dimensions (buffer); i++)
    g_variant_builder_add (&shape, "x", (gint64) orrery_buffer_get_length (buffer, i));
  return orrery_emitter_emit_with (
      emitter, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer),
      g_variant_new ("(sax)", orrery_element_get_name (orrery_buffer_get_element (buffer)), &shape),
      time, error);
}

gboolean
orrery_emitter_emit_record (OrreryEmitter *emitter, OrreryRecord *record, GError **error)
{
  gsize size;
  gpointer room;

  g_return_val_if_fail (emitter != NULL && record != NULL, FALSE);

  if (!orrery_flat_measure (record, &size, error))
    return FALSE;
  room = begin (emitter, size, NULL, error);
  if (room == NULL)
    return FALSE;
  orrery_flat_write (record, room, size);
  orrery_emitter_commit (emitter, orrery_record_get_timestamp (record));
  return TRUE;
}

gboolean
orrery_emitter_emit_value (OrreryEmitter *emitter, OrreryValue *value, OrreryTime time,
                           GError **error)
{
  g_autoptr (GVariant) parameters = NULL;
  gsize size;
  gpointer room;

  g_return_val_if_fail (emitter != NULL && ORRERY_IS_VALUE (value), FALSE);

  size = orrery_value_get_size (value);
  parameters = orrery_value_get_parameters (value);
  room = orrery_emitter_begin (emitter, size, parameters, error);
  if (room == NULL)
    return FALSE;
  if (!orrery_value_write (value, room, size, error)) {
    /* What is half written must not be sent by a commit that comes later. */
    emitter->begun = FALSE;
    return FALSE;
  }
  orrery_emitter_commit (emitter, time);
  return TRUE;
}
