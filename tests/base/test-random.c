/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 1000000

typedef double (*Draw) (OrreryRandom *random);

/* Random123, kat_vectors: philox 2x64 10 */
static void
test_known_answers (void)
{
  static const struct {
    guint64 counter[2], key, answer[2];
  } known[] = {
    { { 0, 0 }, 0, { 0xca00a0459843d731, 0x66c24222c9a845b5 } },
    { { G_MAXUINT64, G_MAXUINT64 }, G_MAXUINT64, { 0x65b021d60cd8310f, 0x4d02f3222f86df20 } },
    { { 0x243f6a8885a308d3, 0x13198a2e03707344 },
      0xa4093822299f31d0,
      { 0x0a5e742c2997341c, 0xb0f883d38000de5d } },
  };

  g_test_summary ("Philox2x64-10 gives the published words");
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    OrreryRandom random = { .key = known[i].key,
                            .draw = known[i].counter[0],
                            .tick = known[i].counter[1] };

    g_assert_cmphex (orrery_random_next (&random), ==, known[i].answer[0]);
    g_assert_cmphex (orrery_random_next (&random), ==, known[i].answer[1]);
  }
  /* the words after the first block are those of the next counter */
  OrreryRandom before = { .draw = G_MAXUINT64 }, at = { .draw = 0 };
  orrery_random_next (&before);
  orrery_random_next (&before);
  g_assert_cmphex (orrery_random_next (&before), ==, orrery_random_next (&at));
  g_assert_cmphex (orrery_random_next (&before), ==, orrery_random_next (&at));
}

static void
test_repeatable (void)
{
  OrreryRandom a, b;
  guint64 first[9];

  g_test_summary ("a tick starts its stream again, whatever was drawn before it");
  orrery_random_init (&a, 7, "robot.pose/PoseNoiseModifier#0");
  orrery_random_init (&b, 7, "robot.pose/PoseNoiseModifier#0");
  orrery_random_begin (&a, 5);
  for (int i = 0; i < 9; i++)
    first[i] = orrery_random_next (&a);
  orrery_random_begin (&b, 4);
  orrery_random_next (&b);
  orrery_random_begin (&b, 5);
  orrery_random_begin (&a, 5);
  for (int i = 0; i < 9; i++) {
    g_assert_cmphex (orrery_random_next (&a), ==, first[i]);
    g_assert_cmphex (orrery_random_next (&b), ==, first[i]);
  }
}

static void
test_independent (void)
{
  OrreryRandom a, alone, b;

  g_test_summary ("what another stream draws changes nothing");
  orrery_random_init (&a, 7, "robot.a");
  orrery_random_init (&alone, 7, "robot.a");
  orrery_random_init (&b, 7, "robot.b");
  for (int tick = 0; tick < 50; tick++) {
    orrery_random_begin (&a, tick);
    orrery_random_begin (&b, tick);
    orrery_random_begin (&alone, tick);
    for (int i = 0; i < tick; i++) {
      orrery_random_gaussian (&b);
      g_assert_cmpfloat (orrery_random_gaussian (&a), ==, orrery_random_gaussian (&alone));
      orrery_random_next (&b);
    }
  }
}

/* times the root of n: a normal deviate if the two are independent */
static double
correlation (OrreryRandom *a, OrreryRandom *b)
{
  double sum = 0;

  for (int i = 0; i < N / 10; i++)
    sum += orrery_random_gaussian (a) * orrery_random_gaussian (b);
  return sum / sqrt (N / 10);
}

static double
correlate (guint64 seed, const char *name, guint64 tick)
{
  OrreryRandom a, b;

  orrery_random_init (&a, 7, "robot.lidar");
  orrery_random_init (&b, seed, name);
  orrery_random_begin (&a, 3);
  orrery_random_begin (&b, tick);
  return fabs (correlation (&a, &b));
}

static void
test_uncorrelated (void)
{
  g_test_summary ("streams of neighbouring names, seeds and ticks have nothing in common");
  g_assert_cmpfloat (correlate (7, "robot.lidas", 3), <, 4);
  g_assert_cmpfloat (correlate (7, "robot.lida", 3), <, 4);
  g_assert_cmpfloat (correlate (7, "", 3), <, 4);
  g_assert_cmpfloat (correlate (6, "robot.lidar", 3), <, 4);
  g_assert_cmpfloat (correlate (7 + (G_GUINT64_CONSTANT (1) << 63), "robot.lidar", 3), <, 4);
  g_assert_cmpfloat (correlate (7, "robot.lidar", 4), <, 4);
  g_assert_cmpfloat (correlate (7, "robot.lidar", 2), <, 4);
  /* and what is the same is seen to be */
  g_assert_cmpfloat (correlate (7, "robot.lidar", 3), >, 300);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double *
draw_many (Draw draw, const char *name)
{
  double *values = g_new (double, N);
  OrreryRandom random;

  orrery_random_init (&random, 42, name);
  for (int i = 0; i < N; i++)
    values[i] = draw (&random);
  return values;
}

static double
normal_below (double x)
{
  return erfc (-x / G_SQRT2) / 2;
}

static double
uniform_below (double x)
{
  return x;
}

/* Kolmogorov and Smirnov: over 1.95 once in a thousand runs; sorts the values */
static double
kolmogorov (double *values, double (*below) (double))
{
  double largest = 0;

  qsort (values, N, sizeof *values, compare_doubles);
  for (int i = 0; i < N; i++) {
    double expected = below (values[i]);

    largest = MAX (largest, MAX ((i + 1.0) / N - expected, expected - (double) i / N));
  }
  return largest * sqrt (N);
}

/* mean, variance and kurtosis in their own standard deviations; the largest */
static double
moments (const double *values)
{
  double first = 0, second = 0, third = 0, fourth = 0;

  for (int i = 0; i < N; i++) {
    double square = values[i] * values[i];

    first += values[i];
    second += square;
    third += square * values[i];
    fourth += square * square;
  }
  first /= N, second /= N, third /= N, fourth /= N;
  double off = MAX (fabs (first) * sqrt (N), fabs (second - 1) * sqrt (N / 2.0));
  off = MAX (off, fabs (third) * sqrt (N / 15.0));
  return MAX (off, fabs (fourth - 3) * sqrt (N / 96.0));
}

/* how many lie beyond @from on either side, in standard deviations from what is expected */
static double
tail (const double *values, double from)
{
  double expected = N * erfc (from / G_SQRT2), count = 0;

  for (int i = 0; i < N; i++)
    count += fabs (values[i]) > from;
  return fabs (count - expected) / sqrt (expected);
}

/* What is nearly normal: twelve uniforms. The checks must see the difference. */
static double
draw_twelve (OrreryRandom *random)
{
  double sum = -6;

  for (int i = 0; i < 12; i++)
    sum += orrery_random_uniform (random);
  return sum;
}

static void
test_gaussian (void)
{
  static const double from[] = { 0.5, 1, 2, 3, 3.6, 3.6541528853610088, 3.7, 4, 4.5 };
  g_autofree double *values = draw_many (orrery_random_gaussian, "gaussian");
  g_autofree double *wrong = draw_many (draw_twelve, "twelve");

  g_test_summary ("a million deviates have the moments, tails and distribution of the normal");
  g_assert_cmpfloat (moments (values), <, 4.5);
  g_assert_cmpfloat (moments (wrong), >, 6);
  for (guint i = 0; i < G_N_ELEMENTS (from); i++)
    g_assert_cmpfloat (tail (values, from[i]), <, 4.5);
  g_assert_cmpfloat (tail (wrong, 3.6), >, 4.5);
  g_assert_cmpfloat (kolmogorov (values, normal_below), <, 1.95);
  g_assert_cmpfloat (kolmogorov (wrong, normal_below), >, 1.95);
}

/* within one layer too: a wrong scale or height would show as a step */
static void
test_gaussian_fine (void)
{
  g_autofree double *values = draw_many (orrery_random_gaussian, "fine");
  double counts[400] = { 0 }, chi = 0;

  g_test_summary ("in 400 bins of equal chance none stands out");
  for (int i = 0; i < N; i++)
    counts[MIN (399, (int) (400 * normal_below (values[i])))]++;
  for (int i = 0; i < 400; i++)
    chi += pow (counts[i] - N / 400.0, 2) / (N / 400.0);
  /* 399 degrees of freedom: mean 399, deviation 28 */
  g_assert_cmpfloat (chi, <, 399 + 4.5 * 28.3);
  g_assert_cmpfloat (chi, >, 399 - 4.5 * 28.3);
}

static void
test_uniform (void)
{
  g_autofree double *values = draw_many (orrery_random_uniform, "uniform");
  guint odd = 0;

  g_test_summary ("uniforms fill [0, 1) evenly, with 53 bits");
  for (int i = 0; i < N; i++) {
    double scaled = ldexp (values[i], 53);

    g_assert_true (values[i] >= 0 && values[i] < 1);
    g_assert_true (scaled == floor (scaled));
    odd += fmod (scaled, 2) == 1;
  }
  g_assert_cmpfloat (fabs (odd - N / 2.0), <, 4.5 * sqrt (N / 4.0));
  g_assert_cmpfloat (kolmogorov (values, uniform_below), <, 1.95);
  /* one in a hundred is missing: seen */
  for (int i = 0; i < N; i++)
    values[i] *= 0.99;
  g_assert_cmpfloat (kolmogorov (values, uniform_below), >, 1.95);
}

static guint64
flip_word (guint64 hash, guint64 word, int bit)
{
  return orrery_hash_word (hash, word ^ (G_GUINT64_CONSTANT (1) << bit));
}

static guint64
flip_hash (guint64 hash, guint64 word, int bit)
{
  return orrery_hash_word (hash ^ (G_GUINT64_CONSTANT (1) << bit), word);
}

static void
check_avalanche (guint64 (*flip) (guint64, guint64, int))
{
  enum { ROUNDS = 2000 };
  OrreryRandom random;

  orrery_random_init (&random, 1, "avalanche");
  for (int bit = 0; bit < 64; bit++) {
    int flips[64] = { 0 };

    for (int i = 0; i < ROUNDS; i++) {
      /* small words too: counters, enums, few bits set */
      guint64 word = i % 2 == 0 ? orrery_random_next (&random) : (guint64) i;
      guint64 hash = orrery_random_next (&random);
      guint64 changed = orrery_hash_word (hash, word) ^ flip (hash, word, bit);

      for (int out = 0; out < 64; out++)
        flips[out] += changed >> out & 1;
    }
    /* deviation 22 */
    for (int out = 0; out < 64; out++)
      g_assert_cmpint (abs (flips[out] - ROUNDS / 2), <, 130);
  }
}

static void
test_avalanche (void)
{
  g_test_summary ("each bit of a word and of the hash so far changes each bit of the hash or not");
  check_avalanche (flip_word);
  check_avalanche (flip_hash);
}

static void
test_hash (void)
{
  guint64 ab = orrery_hash_bytes (orrery_hash_bytes (0, "ab", 2), "c", 1);

  g_test_summary ("order, length and position count; the values are those of the definition");
  g_assert_cmphex (ab, !=, orrery_hash_bytes (orrery_hash_bytes (0, "a", 1), "bc", 2));
  g_assert_cmphex (ab, !=, orrery_hash_bytes (0, "abc", 3));
  g_assert_cmphex (orrery_hash_bytes (0, "a", 1), !=, orrery_hash_bytes (0, "a\0", 2));
  g_assert_cmphex (orrery_hash_bytes (0, NULL, 0), !=, 0);
  g_assert_cmphex (orrery_hash_word (orrery_hash_word (0, 1), 2), !=,
                   orrery_hash_word (orrery_hash_word (0, 2), 1));
  g_assert_cmphex (orrery_hash_double (0, 0.0), !=, orrery_hash_double (0, -0.0));
  g_assert_cmphex (orrery_hash_double (0, 1.0), !=, orrery_hash_double (0, 1.0 + DBL_EPSILON));
  /* computed apart, with numbers of any length */
  g_assert_cmphex (orrery_hash_word (0, 0), ==, 0xa9e383acbb674bfe);
  g_assert_cmphex (orrery_hash_word (1, 2), ==, 0xa91079e8bf9b6e63);
  g_assert_cmphex (orrery_hash_bytes (5, "robot.pose", 10), ==, 0x9d7fd3a812e1a7aa);
}

static void
test_hash_blocks (void)
{
  static const struct {
    gsize length;
    guint64 hash;
  } known[] = { { 64, 0xa39dcd8b8e994b3f },
                { 128, 0xd3728df4b445f297 },
                { 203, 0x052f053daca168b7 } };
  guint8 bytes[203];

  g_test_summary ("long runs of bytes are taken in blocks, and every bit of them counts");
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i * 7);
  /* computed apart, with numbers of any length */
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    g_assert_cmphex (orrery_hash_bytes (5, bytes, known[i].length), ==, known[i].hash);

  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint bit = 0; bit < 8 * sizeof bytes; bit++) {
    bytes[bit / 8] ^= 1 << bit % 8;
    guint64 hash = orrery_hash_bytes (5, bytes, sizeof bytes);
    g_assert_true (g_hash_table_add (seen, g_memdup2 (&hash, sizeof hash)));
    bytes[bit / 8] ^= 1 << bit % 8;
  }
  /* zeros of every length */
  memset (bytes, 0, sizeof bytes);
  for (guint length = 0; length <= sizeof bytes; length++) {
    guint64 hash = orrery_hash_bytes (5, bytes, length);
    g_assert_true (g_hash_table_add (seen, g_memdup2 (&hash, sizeof hash)));
  }
}

static void
test_collisions (void)
{
  enum { COUNT = 200000 };
  g_autofree guint64 *hashes = g_new (guint64, COUNT);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);

  g_test_summary ("neighbouring words and doubles have hashes of their own");
  for (int i = 0; i < COUNT; i++) {
    hashes[i] = i % 2 == 0 ? orrery_hash_word (0, i) : orrery_hash_double (0, i * 1e-9);
    g_assert_true (g_hash_table_add (seen, &hashes[i]));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/random/known-answers", test_known_answers);
  g_test_add_func ("/random/repeatable", test_repeatable);
  g_test_add_func ("/random/independent", test_independent);
  g_test_add_func ("/random/uncorrelated", test_uncorrelated);
  g_test_add_func ("/random/gaussian", test_gaussian);
  g_test_add_func ("/random/gaussian-fine", test_gaussian_fine);
  g_test_add_func ("/random/uniform", test_uniform);
  g_test_add_func ("/random/avalanche", test_avalanche);
  g_test_add_func ("/random/hash", test_hash);
  g_test_add_func ("/random/hash-blocks", test_hash_blocks);
  g_test_add_func ("/random/collisions", test_collisions);
  return g_test_run ();
}
