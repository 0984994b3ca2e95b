/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <errno.h>
#include <glib.h>
#include <stdlib.h>

/*
 * Counts what one thread allocates: included by the one file of a program that wants to know. A
 * sanitizer has an allocator of its own, so that nothing can be counted there.
 */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_COUNT 0
#else
#define CAN_COUNT 1
#endif

/* Only the thread that ticks, only while it ticks. */
static __thread gboolean is_counting;
/* Or all threads. */
static gboolean counts_all; /* atomic */
static guint n_allocations; /* the same */

#if CAN_COUNT
static inline void
note_allocation (void)
{
  if (is_counting || __atomic_load_n (&counts_all, __ATOMIC_RELAXED))
    __atomic_fetch_add (&n_allocations, 1, __ATOMIC_RELAXED);
}

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *old, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

__attribute__ ((visibility ("default"))) void *
malloc (size_t size)
{
  note_allocation ();
  return __libc_malloc (size);
}

__attribute__ ((visibility ("default"))) void *
calloc (size_t n, size_t size)
{
  note_allocation ();
  return __libc_calloc (n, size);
}

__attribute__ ((visibility ("default"))) void *
realloc (void *old, size_t size)
{
  note_allocation ();
  return __libc_realloc (old, size);
}

__attribute__ ((visibility ("default"))) void *
aligned_alloc (size_t alignment, size_t size)
{
  note_allocation ();
  return __libc_memalign (alignment, size);
}

__attribute__ ((visibility ("default"))) int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  note_allocation ();
  *memory = __libc_memalign (alignment, size);
  return *memory != NULL ? 0 : ENOMEM;
}
#endif
