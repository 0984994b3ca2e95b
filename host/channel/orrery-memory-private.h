/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "channel/orrery-channel.h"

G_BEGIN_DECLS

/*
 * The memory of a channel: a header, then a region for each size class, each with one piece per
 * slot. A piece of class k has 64 << k bytes. The layout follows from the number of slots alone,
 * never from the contents, so that corrupt contents cannot mislead a reader. The file is sparse: a
 * region costs address space once it is mapped, and memory where it is written.
 */

#define ORRERY_MEMORY_LINE 64
#define ORRERY_MEMORY_N_CLASSES 25 /* 64 B to 1 GiB */
/* Bytes of the parameters of a value, at most. */
#define ORRERY_MEMORY_MAX_PARAMETERS 65536
#define ORRERY_MEMORY_MAGIC G_GUINT64_CONSTANT (0x314c4843525254f0)

/* Slots of a `latest` channel: the newest value, the next one, and those that are held. */
#define ORRERY_MEMORY_LATEST_SLOTS 32

/* Bits of OrreryHeader.asleep, the futex that receivers sleep on */
#define ORRERY_ASLEEP_WAITING 1u /* a receiver may be asleep; the emitter clears it */
#define ORRERY_ASLEEP_POLLING 2u /* a receiver watches the eventfd; never cleared */

#define ORRERY_ALIGNED __attribute__ ((aligned (ORRERY_MEMORY_LINE)))

/* Times and sizes of what lies in a piece. */
typedef struct {
  guint64 sequence; /* ring: of value n 2n+1 while it is written, 2n+2 when it is there */
  gint64 time;
  guint64 sizes; /* bytes of the value, and << 32 of parameters behind it, at a multiple of 8 */
} ORRERY_ALIGNED OrrerySlot;

/* Written by one receiver. Others only read it, and clear it if that receiver is dead. */
typedef struct {
  guint64 held; /* a bit for each slot that must stay as it is */
} ORRERY_ALIGNED OrreryReceiverSlots;

/* Everything that is shared. All members after the first line are accessed as atomics only. */
typedef struct {
  guint64 magic;
  guint32 transport;
  guint32 n_slots;
  guint64 size;
  guint32 fixed;
  char name[64];

  guint64 head ORRERY_ALIGNED; /* ring: values emitted; latest: as many << 8 | slot; 0: none */
  guint32 asleep ORRERY_ALIGNED;
  guint32 bell_cpu; /* 1 + the position of the emitter when it last woke a receiver */
  guint64 fixed_size ORRERY_ALIGNED; /* 1 + the size, once it is known */
  guint64 receivers ORRERY_ALIGNED;  /* a bit for each place that is taken */
  OrreryReceiverSlots places[ORRERY_CHANNEL_MAX_RECEIVERS];
  OrrerySlot slots[];
} OrreryHeader;

typedef struct {
  gatomicrefcount ref_count;
  OrreryHeader *header;
  int fd;            /* -1: memory of this process alone; otherwise borrowed */
  gboolean writable; /* the regions; the header always is */
  guint n_slots;
  gsize header_size;
  guint64 offsets[ORRERY_MEMORY_N_CLASSES + 1]; /* of the regions; the last is the end */
  gpointer regions[ORRERY_MEMORY_N_CLASSES];    /* atomic: mapped when first used */
} OrreryMemory;

/*
 * A cache of the pieces of the size class that was used last: sizes from low to low + span need no
 * look-up.
 */
typedef struct {
  gsize low;
  gsize span;
  char *region;
  guint shift;
} OrreryQuick;

/* The memory that an end knows to be mapped and present: bytes of each piece. */
typedef struct {
  guint64 *n_bytes[ORRERY_MEMORY_N_CLASSES];
} OrreryReady;

/* @fd: -1, or a file of orrery_memory_get_size() bytes; borrowed */
OrreryMemory *orrery_memory_new (int fd, guint n_slots, gboolean writable, GError **error);
OrreryMemory *orrery_memory_ref (OrreryMemory *memory);
void orrery_memory_unref (OrreryMemory *memory);
guint64 orrery_memory_get_size (guint n_slots);

/* Returns NULL if the piece is not mapped and cannot be. @size: of value and parameters, at most
 * the limit */
gpointer orrery_memory_map (OrreryMemory *memory, guint klass);
gboolean orrery_memory_prepare_slow (OrreryMemory *memory, OrreryReady *ready, guint slot,
                                     gsize size, GError **error);
/* Whether a ring is prepared as a whole for pieces of @size bytes. */
gboolean orrery_memory_is_whole (OrreryMemory *memory, gsize size);
void orrery_ready_clear (OrreryReady *ready);
/* Whether the file has enough allocated blocks to hold a value of @size bytes. */
gboolean orrery_memory_is_backed (OrreryMemory *memory, gsize size);

/*
 * The kernel knows which ends are alive: each end holds a lock on a byte of its own, through an
 * open file description of its own, and loses it however it ends.
 */
#define ORRERY_LOCK_EMITTER 1000
int orrery_memory_reopen (int fd);
gboolean orrery_memory_lock (int fd, guint byte);
void orrery_memory_unlock (int fd, guint byte);

/* Decodes OrrerySlot.sizes; FALSE if they are invalid. */
static inline gboolean
orrery_slot_split (guint64 sizes, gsize *size, gsize *n_parameters)
{
  *size = sizes & G_MAXUINT32;
  *n_parameters = sizes >> 32;
  return *n_parameters <= ORRERY_MEMORY_MAX_PARAMETERS && *size <= ORRERY_CHANNEL_MAX_SIZE;
}

static inline guint
orrery_memory_get_class (gsize size)
{
  if (size <= ORRERY_MEMORY_LINE)
    return 0;
  return (guint) (58 - __builtin_clzll (size - 1));
}

/* Bytes that value and parameters take. */
static inline gsize
orrery_memory_get_extent (gsize size, gsize n_parameters)
{
  return n_parameters == 0 ? size : ((size + 7) & ~(gsize) 7) + n_parameters;
}

static inline gboolean
orrery_ready_has (const OrreryReady *ready, guint slot, gsize size)
{
  const guint64 *n_bytes;

  if (G_UNLIKELY (size > ORRERY_CHANNEL_MAX_SIZE))
    return FALSE;
  n_bytes = ready->n_bytes[orrery_memory_get_class (size)];
  return n_bytes != NULL && n_bytes[slot] > 0 && size <= n_bytes[slot];
}

/* Makes all pages of @size bytes of a piece, and of some pieces after it, present. */
static inline gboolean
orrery_memory_prepare (OrreryMemory *memory, OrreryReady *ready, guint slot, gsize size,
                       GError **error)
{
  if (G_LIKELY (orrery_ready_has (ready, slot, size)))
    return TRUE;
  return orrery_memory_prepare_slow (memory, ready, slot, size, error);
}

static inline gpointer
orrery_memory_get_piece (OrreryMemory *memory, guint slot, gsize extent)
{
  guint klass = orrery_memory_get_class (extent);
  char *region = __atomic_load_n (&memory->regions[klass], __ATOMIC_ACQUIRE);

  if (G_UNLIKELY (region == NULL))
    region = orrery_memory_map (memory, klass);
  return region != NULL ? region + ((gsize) slot << (klass + 6)) : NULL;
}

/* Clears the cache. */
#define ORRERY_QUICK_NONE                                                                          \
  (OrreryQuick)                                                                                    \
  {                                                                                                \
    .low = G_MAXSIZE                                                                               \
  }

/* Fills the cache. @size: any of the class; @high: the largest that is cached */
static inline OrreryQuick
orrery_quick_new (OrreryMemory *memory, gsize size, gsize high)
{
  guint klass = orrery_memory_get_class (size);
  gsize low = klass > 0 ? ((gsize) ORRERY_MEMORY_LINE << (klass - 1)) + 1 : 0;

  return (OrreryQuick){ low, high - low, orrery_memory_get_piece (memory, 0, size), klass + 6 };
}

static inline guint64 *
orrery_quick_get_piece (const OrreryQuick *quick, guint slot, gsize size)
{
  if (G_LIKELY (size - quick->low <= quick->span))
    return (guint64 *) (quick->region + ((gsize) slot << quick->shift));
  return NULL;
}

G_END_DECLS
