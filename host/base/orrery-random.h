/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryRandom: (skip)
 * @key: from seed and name; the caller leaves it alone, as all members
 * @tick: the upper half of the counter
 * @draw: the lower half: blocks of this tick so far
 * @words: the last two blocks, two words each
 * @n_left: how many of @words are yet to be given out, the last ones
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
  guint64 words[4];
  guint n_left;
} OrreryRandom;

/**
 * orrery_random_init: (skip)
 * @random: where to start a stream
 * @seed: the seed of the run
 * @name: the full name of the part (and a suffix of its own for each further stream of one part)
 *
 * The stream stands at the start of tick 0.
 */
ORRERY_API void orrery_random_init (OrreryRandom *random, guint64 seed, const char *name);

/**
 * orrery_random_begin: (skip)
 * @tick: number of the tick
 *
 * Starts the stream of one tick; a second call with the same number starts it again.
 */
ORRERY_API void orrery_random_begin (OrreryRandom *random, guint64 tick);

/**
 * orrery_random_next: (skip)
 *
 * The next word of the stream. Before the first orrery_random_begin() that is a word of tick 0.
 *
 * Returns: 64 random bits
 */
ORRERY_API guint64 orrery_random_next (OrreryRandom *random);

/**
 * orrery_random_uniform: (skip)
 *
 * Takes one word of the stream, of which the upper 53 bits count.
 *
 * Returns: a double in [0, 1), a multiple of 2^-53
 */
ORRERY_API double orrery_random_uniform (OrreryRandom *random);

/**
 * orrery_random_gaussian: (skip)
 *
 * By the ziggurat of 256 layers (Marsaglia, Tsang: The ziggurat method for generating random
 * variables, J. Stat. Softw. 5, 2000), layer, sign and place from bits of their own (Doornik: An
 * improved ziggurat method to generate normal random samples, 2005). Takes a number of words that
 * itself is random; most often one.
 *
 * Returns: a normal deviate, mean 0, deviation 1
 */
ORRERY_API double orrery_random_gaussian (OrreryRandom *random);

/**
 * orrery_hash_word: (skip)
 * @hash: the hash so far; anything to start with
 * @word: 64 bits
 *
 * The order of words matters, and the result is the same on every machine.
 *
 * Returns: @hash with @word folded in; not for secrets
 */
ORRERY_API guint64 orrery_hash_word (guint64 hash, guint64 word);

/**
 * orrery_hash_bytes: (skip)
 * @hash: the hash so far
 * @data: (nullable): bytes; %NULL if @length is 0
 * @length: how many
 *
 * The bytes are taken as little-endian words, and their number is folded in last, so the result is
 * the same on every machine, and ("ab", "c") differs from ("a", "bc").
 *
 * Returns: @hash with @data folded in
 */
ORRERY_API guint64 orrery_hash_bytes (guint64 hash, gconstpointer data, gsize length);

/**
 * orrery_hash_double: (skip)
 * @hash: the hash so far
 * @value: a number, folded by its bits: -0.0 is not 0.0
 *
 * Two NaNs with other bits have other hashes, too. The result is the same on every machine.
 *
 * Returns: @hash with @value folded in
 */
ORRERY_API guint64 orrery_hash_double (guint64 hash, double value);

G_END_DECLS
