/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the memory of a channel and checks the memory that another process made. */
#define _GNU_SOURCE
#include "channel/orrery-memory-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* Pieces that are prepared together: as many as one emitter and two receivers cycle through. */
#define READY_PIECES 4
/* A ring up to this size is prepared as a whole. */
#define READY_RING (1 << 20)
/* Large pieces use huge pages if the system has them: walking 1920x1080x3 bytes in pages of 4 KiB
 * costs a third more. */
#define HUGE_PAGE ((gsize) 2 << 20)

static guint64
round_up (guint64 size, guint64 unit)
{
  return (size + unit - 1) & ~(unit - 1);
}

static guint64
round_to_page (guint64 size)
{
  return round_up (size, (guint64) sysconf (_SC_PAGESIZE));
}

/* The page size that is best for pieces of a class. */
static gsize
get_unit (guint klass)
{
  return ((gsize) ORRERY_MEMORY_LINE << klass) > HUGE_PAGE ? HUGE_PAGE
                                                           : (gsize) sysconf (_SC_PAGESIZE);
}

static gsize
get_header_size (guint n_slots)
{
  return round_to_page (sizeof (OrreryHeader) + n_slots * sizeof (OrrerySlot));
}

static void
lay_out (guint64 *offsets, guint n_slots)
{
  guint64 end = get_header_size (n_slots);

  for (guint k = 0; k < ORRERY_MEMORY_N_CLASSES; k++) {
    offsets[k] = round_up (end, get_unit (k));
    end = offsets[k] + round_to_page ((guint64) n_slots << (k + 6));
  }
  offsets[ORRERY_MEMORY_N_CLASSES] = end;
}

guint64
orrery_memory_get_size (guint n_slots)
{
  guint64 offsets[ORRERY_MEMORY_N_CLASSES + 1];

  lay_out (offsets, n_slots);
  return offsets[ORRERY_MEMORY_N_CLASSES];
}

/* Reserves a range of addresses that begins at a multiple of @unit. */
static gpointer
reserve (gsize size, gsize unit)
{
  char *all =
      mmap (NULL, size + unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  gsize before;

  if (all == MAP_FAILED)
    return NULL;
  before = -(guintptr) all & (unit - 1);
  if (before > 0)
    munmap (all, before);
  munmap (all + before + size, unit - before);
  return all + before;
}

static gpointer
map (int fd, gsize size, guint64 offset, gsize unit, gboolean writable)
{
  int protection = PROT_READ | (writable ? PROT_WRITE : 0);
  gpointer place, address;

  if (fd < 0) {
    address = mmap (NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address != MAP_FAILED ? address : NULL;
  }
  place = unit == HUGE_PAGE ? reserve (size, unit) : NULL;
  address = mmap (place, size, protection, MAP_SHARED | (place != NULL ? MAP_FIXED : 0), fd,
                  (off_t) offset);
  if (address == MAP_FAILED && place != NULL)
    munmap (place, size);
  return address != MAP_FAILED ? address : NULL;
}

OrreryMemory *
orrery_memory_new (int fd, guint n_slots, gboolean writable, GError **error)
{
  gsize size = get_header_size (n_slots);
  OrreryHeader *header = map (fd, size, 0, 0, TRUE);
  OrreryMemory *memory;

  if (header == NULL) {
    orrery_set_error (error, ORRERY_ERROR_IO, "cannot map %zu bytes: %s", size, g_strerror (errno));
    return NULL;
  }
  madvise (header, size, MADV_POPULATE_WRITE);
  memory = g_new0 (OrreryMemory, 1);
  g_atomic_ref_count_init (&memory->ref_count);
  memory->header = header;
  memory->fd = fd;
  memory->writable = writable;
  memory->n_slots = n_slots;
  memory->header_size = size;
  lay_out (memory->offsets, n_slots);
  return memory;
}

static gsize
get_region_size (OrreryMemory *memory, guint klass)
{
  return memory->offsets[klass + 1] - memory->offsets[klass];
}

static void
memory_free (OrreryMemory *memory)
{
  for (guint k = 0; k < ORRERY_MEMORY_N_CLASSES; k++)
    if (memory->regions[k] != NULL)
      munmap (memory->regions[k], get_region_size (memory, k));
  munmap (memory->header, memory->header_size);
  g_free (memory);
}

ORRERY_DEFINE_COUNTED (OrreryMemory, orrery_memory, ref_count, memory_free)

gpointer
orrery_memory_map (OrreryMemory *memory, guint klass)
{
  gsize size = get_region_size (memory, klass);
  gpointer region =
      map (memory->fd, size, memory->offsets[klass], get_unit (klass), memory->writable);
  gpointer present = NULL;

  if (region == NULL)
    return NULL;
  /* If two threads map it at once, both use the mapping of the first. */
  if (__atomic_compare_exchange_n (&memory->regions[klass], &present, region, FALSE,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return region;
  munmap (region, size);
  return present;
}

static gboolean
fail_room (gsize size, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_IO, "no memory for a value of %zu bytes: %s", size,
                           g_strerror (errno));
}

static gboolean
prepare_piece (OrreryMemory *memory, guint slot, gsize size, GError **error)
{
  guint klass = orrery_memory_get_class (size);
  char *piece = orrery_memory_get_piece (memory, slot, size);
  guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  guintptr start;

  if (piece == NULL)
    return fail_room (size, error);
  /* A page that cannot be allocated is an error here; later it would be a SIGBUS. */
  if (memory->fd >= 0 && memory->writable &&
      fallocate (memory->fd, 0, (off_t) (memory->offsets[klass] + ((guint64) slot << (klass + 6))),
                 (off_t) size) != 0)
    return fail_room (size, error);
  start = (guintptr) piece & ~(page - 1);
  madvise ((gpointer) start, (guintptr) piece + size - start,
           memory->writable ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
  if (memory->fd >= 0 && memory->writable && get_unit (klass) == HUGE_PAGE)
    madvise (piece, size, MADV_COLLAPSE);
  return TRUE;
}

gboolean
orrery_memory_is_whole (OrreryMemory *memory, gsize size)
{
  return memory->n_slots * size <= READY_RING;
}

static guint
get_n_early (OrreryMemory *memory, gsize size)
{
  if (memory->header->transport == ORRERY_TRANSPORT_LATEST)
    return MIN (READY_PIECES, memory->n_slots);
  return orrery_memory_is_whole (memory, size) ? memory->n_slots : 0;
}

gboolean
orrery_memory_prepare_slow (OrreryMemory *memory, OrreryReady *ready, guint slot, gsize size,
                            GError **error)
{
  guint klass = orrery_memory_get_class (size);
  guint n_early;

  if (ready->n_bytes[klass] == NULL)
    ready->n_bytes[klass] = g_new0 (guint64, memory->n_slots);
  /* Whole pages, so that slowly growing sizes cost little. */
  size = MIN (round_up (MAX (size, 1), get_unit (klass)), (gsize) ORRERY_MEMORY_LINE << klass);
  n_early = get_n_early (memory, size);
  if (!memory->writable && !orrery_memory_is_backed (memory, n_early * size))
    n_early = 0;
  if (!memory->writable && !orrery_memory_is_backed (memory, size)) {
    errno = ENODATA;
    return fail_room (size, error);
  }
  for (guint i = 0; i < n_early; i++) {
    if (!prepare_piece (memory, i, size, error))
      return FALSE;
    ready->n_bytes[klass][i] = MAX (ready->n_bytes[klass][i], size);
  }
  if (slot >= n_early && !prepare_piece (memory, slot, size, error))
    return FALSE;
  ready->n_bytes[klass][slot] = size;
  return TRUE;
}

gboolean
orrery_memory_is_backed (OrreryMemory *memory, gsize size)
{
  struct stat info;

  /* An emitter allocates memory before it announces a value, so a reader never touches
   * holes. */
  return memory->fd < 0 ||
         (fstat (memory->fd, &info) == 0 && (guint64) info.st_blocks * 512 >= size);
}

void
orrery_ready_clear (OrreryReady *ready)
{
  for (guint k = 0; k < ORRERY_MEMORY_N_CLASSES; k++)
    g_clear_pointer (&ready->n_bytes[k], g_free);
}

int
orrery_memory_reopen (int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

  return open (path, O_RDWR | O_CLOEXEC);
}

static gboolean
set_lock (int fd, guint byte, short type)
{
  struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };

  return fcntl (fd, F_OFD_SETLK, &lock) == 0;
}

gboolean
orrery_memory_lock (int fd, guint byte)
{
  return set_lock (fd, byte, F_WRLCK);
}

void
orrery_memory_unlock (int fd, guint byte)
{
  set_lock (fd, byte, F_UNLCK);
}
