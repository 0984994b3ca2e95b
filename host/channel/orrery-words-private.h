/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <string.h>

/*
 * Copies into and out of memory that another thread or process may use at the same time, in order
 * with what is atomic before and after: what was written before a copy in is seen before any of it,
 * and what is read after a copy out is read after all of it. Words of 8 bytes each, all atomics; on
 * x86-64, where every store is a release and every load an acquire, by twice as many at a time.
 */

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define ORRERY_WORDS_WIDE
typedef long long OrreryWide __attribute__ ((vector_size (16)));
typedef long long OrreryWideLoose __attribute__ ((vector_size (16), aligned (1)));
#endif

static inline void
orrery_words_put_one (guint64 *to, const guint8 *from, gsize n)
{
  guint64 word = 0;

  memcpy (&word, from, n);
  __atomic_store_n (to, word, __ATOMIC_RELEASE);
}

/* The last word of @to is written to the end */
static inline void
orrery_words_put_narrow (guint64 *to, const guint8 *from, gsize n)
{
  for (; n >= 8; n -= 8, to++, from += 8)
    orrery_words_put_one (to, from, 8);
  if (n > 0)
    orrery_words_put_one (to, from, n);
}

/* @to: aligned to 16; its last word is written to the end */
static inline void
orrery_words_put (guint64 *to, const guint8 *from, gsize n)
{
#ifdef ORRERY_WORDS_WIDE
  __asm__ volatile("" ::: "memory");
  for (; n >= 64; n -= 64, to += 8, from += 64) {
    ((OrreryWide *) to)[0] = ((const OrreryWideLoose *) from)[0];
    ((OrreryWide *) to)[1] = ((const OrreryWideLoose *) from)[1];
    ((OrreryWide *) to)[2] = ((const OrreryWideLoose *) from)[2];
    ((OrreryWide *) to)[3] = ((const OrreryWideLoose *) from)[3];
  }
  __asm__ volatile("" ::: "memory");
#endif
  orrery_words_put_narrow (to, from, n);
}

/* Both aligned to 16; @to is written to the end of its last word. */
static inline void
orrery_words_get (guint64 *to, const guint64 *from, gsize n)
{
  gsize n_words = (n + 7) / 8;

#ifdef ORRERY_WORDS_WIDE
  __asm__ volatile("" ::: "memory");
  for (; n_words >= 8; n_words -= 8, to += 8, from += 8) {
    ((OrreryWide *) to)[0] = ((const OrreryWide *) from)[0];
    ((OrreryWide *) to)[1] = ((const OrreryWide *) from)[1];
    ((OrreryWide *) to)[2] = ((const OrreryWide *) from)[2];
    ((OrreryWide *) to)[3] = ((const OrreryWide *) from)[3];
  }
  __asm__ volatile("" ::: "memory");
#endif
  for (; n_words > 0; n_words--)
    *to++ = __atomic_load_n (from++, __ATOMIC_ACQUIRE);
}
