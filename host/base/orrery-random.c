/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers by counter: each stream is keyed, so that one more does not change another. */
#include "base/orrery-random.h"

#include <math.h>
#include <string.h>

/* Multiplier and Weyl step of Philox2x64, as published */
#define PHILOX_MULTIPLIER G_GUINT64_CONSTANT (0xd2b74407b1ce6e93)
#define PHILOX_STEP G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
#define PHILOX_ROUNDS 10
#define N_WORDS G_N_ELEMENTS (((OrreryRandom *) NULL)->words)

/* Odd, with as many ones as zeros: digits of pi, those of the secret of wyhash. */
#define HASH_START G_GUINT64_CONSTANT (0x243f6a8885a308d3)
#define HASH_MULTIPLIER G_GUINT64_CONSTANT (0xa0761d6478bd642f)
#define HASH_SECOND G_GUINT64_CONSTANT (0xe7037ed1a0b428db)

/* Bytes are taken by so many lanes, 16 each at a time. */
#define LANES 4
#define BLOCK (16 * LANES)

/* Where the tail of the normal distribution begins, and the area of each of the layers below it
 * (of exp (-x^2 / 2), not normed), for 256 layers. */
#define ZIGGURAT_LAYERS 256
#define ZIGGURAT_TAIL 3.6541528853610088
#define ZIGGURAT_AREA 0.0049286732339746550
#define TWO_TO_53 9007199254740992.0
#define LAYER_MASK 0xff
#define SIGN_BIT 8
#define MANTISSA_SHIFT 11

__extension__ typedef unsigned __int128 Wide;

typedef struct {
  guint64 inside; /* a mantissa below it lies under the curve */
  double scale;   /* width of the layer by 2^53 */
} Layer;

static struct {
  Layer layers[ZIGGURAT_LAYERS];
  double heights[ZIGGURAT_LAYERS + 1]; /* of the curve where a layer ends */
} ziggurat;

static inline guint64
fold (guint64 a, guint64 b)
{
  Wide product = (Wide) a * b;

  return (guint64) product ^ (guint64) (product >> 64);
}

guint64
orrery_hash_word (guint64 hash, guint64 word)
{
  /* Twice: after one product the lowest bits of a word reach too few of the others. */
  return fold (fold (hash ^ word ^ HASH_START, HASH_MULTIPLIER) + HASH_START, HASH_SECOND);
}

static inline guint64
load_word (const guint8 *bytes)
{
  guint64 word;

  memcpy (&word, bytes, sizeof word);
  return GUINT64_FROM_LE (word);
}

/* Images and clouds: four lanes that do not wait for each other, 16 bytes each; as wyhash. */
static guint64
hash_blocks (guint64 hash, const guint8 *bytes, gsize n_blocks)
{
  static const guint64 keys[LANES] = { HASH_START, HASH_MULTIPLIER, HASH_SECOND, PHILOX_STEP };
  guint64 lanes[LANES] = { hash, hash, hash, hash };

  for (; n_blocks > 0; n_blocks--, bytes += BLOCK)
    for (int i = 0; i < LANES; i++)
      lanes[i] =
          fold (load_word (bytes + 16 * i) ^ keys[i], load_word (bytes + 16 * i + 8) ^ lanes[i]);
  for (int i = 0; i < LANES; i++)
    hash = orrery_hash_word (hash, lanes[i]);
  return hash;
}

guint64
orrery_hash_bytes (guint64 hash, gconstpointer data, gsize length)
{
  const guint8 *bytes = data;
  gsize left = length;
  guint64 rest = 0;

  if (left >= BLOCK) {
    hash = hash_blocks (hash, bytes, left / BLOCK);
    bytes += left - left % BLOCK;
    left %= BLOCK;
  }
  for (; left >= sizeof rest; bytes += sizeof rest, left -= sizeof rest)
    hash = orrery_hash_word (hash, load_word (bytes));
  if (left > 0) {
    memcpy (&rest, bytes, left);
    hash = orrery_hash_word (hash, GUINT64_FROM_LE (rest));
  }
  return orrery_hash_word (hash, length);
}

guint64
orrery_hash_double (guint64 hash, double value)
{
  guint64 word;

  memcpy (&word, &value, sizeof word);
  return orrery_hash_word (hash, word);
}

void
orrery_random_init (OrreryRandom *random, guint64 seed, const char *name)
{
  g_return_if_fail (random != NULL && name != NULL);

  guint64 key = orrery_hash_bytes (orrery_hash_word (0, seed), name, strlen (name));
  *random = (OrreryRandom){ .key = key };
}

void
orrery_random_begin (OrreryRandom *random, guint64 tick)
{
  random->tick = tick;
  random->draw = 0;
  random->n_left = 0;
}

/* Two blocks at a time, since the rounds of one wait for each other. */
static G_GNUC_NO_INLINE void
refill (OrreryRandom *random)
{
  guint64 left[2] = { random->draw, random->draw + 1 };
  guint64 right[2] = { random->tick, random->tick };
  guint64 key = random->key;

#pragma GCC unroll 10
  for (int round = 0; round < PHILOX_ROUNDS; round++) {
    for (int i = 0; i < 2; i++) {
      Wide product = (Wide) left[i] * PHILOX_MULTIPLIER;

      left[i] = (guint64) (product >> 64) ^ key ^ right[i];
      right[i] = (guint64) product;
    }
    key += PHILOX_STEP;
  }
  random->draw += 2;
  random->words[0] = left[0];
  random->words[1] = right[0];
  random->words[2] = left[1];
  random->words[3] = right[1];
  random->n_left = N_WORDS;
}

static inline guint64
next (OrreryRandom *random)
{
  if (random->n_left == 0)
    refill (random);
  return random->words[N_WORDS - random->n_left--];
}

guint64
orrery_random_next (OrreryRandom *random)
{
  return next (random);
}

static inline double
uniform (OrreryRandom *random)
{
  return (double) (next (random) >> MANTISSA_SHIFT) / TWO_TO_53;
}

double
orrery_random_uniform (OrreryRandom *random)
{
  return uniform (random);
}

static double
curve (double x)
{
  return exp (-x * x / 2);
}

static void
make_ziggurat (void)
{
  double widths[ZIGGURAT_LAYERS + 1];

  /* The lowest layer holds the tail: as wide as a rectangle of its area would be. */
  widths[0] = ZIGGURAT_AREA / curve (ZIGGURAT_TAIL);
  widths[1] = ZIGGURAT_TAIL;
  for (int i = 2; i < ZIGGURAT_LAYERS; i++)
    widths[i] = sqrt (-2 * log (ZIGGURAT_AREA / widths[i - 1] + curve (widths[i - 1])));
  widths[ZIGGURAT_LAYERS] = 0;
  for (int i = 0; i <= ZIGGURAT_LAYERS; i++)
    ziggurat.heights[i] = curve (widths[i]);
  for (int i = 0; i < ZIGGURAT_LAYERS; i++) {
    ziggurat.layers[i].inside = (guint64) (widths[i + 1] / widths[i] * TWO_TO_53);
    ziggurat.layers[i].scale = widths[i] / TWO_TO_53;
  }
}

static int ziggurat_made; /* atomic */

static void
make_ziggurat_once (void)
{
  static GMutex lock;

  g_mutex_lock (&lock);
  if (!ziggurat_made)
    make_ziggurat ();
  __atomic_store_n (&ziggurat_made, 1, __ATOMIC_RELEASE);
  g_mutex_unlock (&lock);
}

/* Not GLib's own: what its library does in between is not seen by the thread sanitizer. */
static inline void
need_ziggurat (void)
{
  if (G_UNLIKELY (!__atomic_load_n (&ziggurat_made, __ATOMIC_ACQUIRE)))
    make_ziggurat_once ();
}

/* Marsaglia: Generating a variable from the tail of the normal distribution, Technometrics 6 (1964)
 */
static double
draw_tail (OrreryRandom *random)
{
  double beyond, height;

  do {
    /* 1 - u: never the logarithm of 0 */
    beyond = -log (1 - uniform (random)) / ZIGGURAT_TAIL;
    height = -log (1 - uniform (random));
  } while (2 * height < beyond * beyond);
  return ZIGGURAT_TAIL + beyond;
}

/* A branch on a random bit would be mispredicted half the time. */
static inline double
with_sign (double x, guint64 bits)
{
  guint64 word;

  memcpy (&word, &x, sizeof word);
  word |= (bits >> SIGN_BIT) << 63;
  memcpy (&x, &word, sizeof x);
  return x;
}

static inline gboolean
is_under_curve (OrreryRandom *random, guint layer, double x)
{
  double low = ziggurat.heights[layer], high = ziggurat.heights[layer + 1];

  return low + uniform (random) * (high - low) < curve (x);
}

static inline guint
layer_of (guint64 bits)
{
  return bits & LAYER_MASK;
}

static inline guint64
mantissa_of (guint64 bits)
{
  return bits >> MANTISSA_SHIFT;
}

static inline double
place_in_layer (guint64 bits)
{
  /* The signed conversion is one instruction; 53 bits fit. */
  return (double) (gint64) mantissa_of (bits) * ziggurat.layers[layer_of (bits)].scale;
}

static inline gboolean
is_inside (guint64 bits)
{
  return mantissa_of (bits) < ziggurat.layers[layer_of (bits)].inside;
}

/* The one in a hundred that does not lie surely under the curve */
static G_GNUC_NO_INLINE double
draw_with_care (OrreryRandom *random, guint64 bits)
{
  while (!is_inside (bits)) {
    if (layer_of (bits) == 0)
      return with_sign (draw_tail (random), bits);
    if (is_under_curve (random, layer_of (bits), place_in_layer (bits)))
      break;
    bits = next (random);
  }
  return with_sign (place_in_layer (bits), bits);
}

double
orrery_random_gaussian (OrreryRandom *random)
{
  need_ziggurat ();

  guint64 bits = next (random);
  if (G_LIKELY (is_inside (bits)))
    return with_sign (place_in_layer (bits), bits);
  return draw_with_care (random, bits);
}
