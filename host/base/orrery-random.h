/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryRandom: (skip)
 *
 * A stream of random numbers that depends on (seed, full name of the part, tick) and on nothing
 * else: Philox2x64-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3,
 * SC11) with the key from seed and name and the counter from tick and draw. What one part draws
 * never changes what another gets. Plain data: may be copied; one thread at a time.
 */
typedef struct {
  guint64 key;
  guint64 tick;
  guint64 draw;
  guint64 spare;
  gboolean has_spare;
} OrreryRandom;

ORRERY_API void orrery_random_init (OrreryRandom *random, guint64 seed, const char *name);
/** orrery_random_begin: (skip): starts the stream of one tick; a second call starts it again */
ORRERY_API void orrery_random_begin (OrreryRandom *random, guint64 tick);
ORRERY_API guint64 orrery_random_next (OrreryRandom *random);
/** orrery_random_uniform: (skip): a double in [0, 1) with 53 bits */
ORRERY_API double orrery_random_uniform (OrreryRandom *random);
/** orrery_random_gaussian: (skip): a normal deviate, mean 0, deviation 1 (ziggurat of 256 layers) */
ORRERY_API double orrery_random_gaussian (OrreryRandom *random);

/**
 * orrery_hash_bytes: (skip)
 * @hash: the hash so far
 * @data: bytes
 * @length: how many
 *
 * Returns: @hash with @data folded in, the same on every machine of one byte order
 */
ORRERY_API guint64 orrery_hash_bytes (guint64 hash, gconstpointer data, gsize length);
ORRERY_API guint64 orrery_hash_word (guint64 hash, guint64 word);

G_END_DECLS
