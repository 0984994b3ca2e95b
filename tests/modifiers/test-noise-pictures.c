/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise-trial.h"

#include <string.h>

/* Noise of pixels, of points and of every other kind of number. */

#define SIZE 64
#define N_PIXELS (SIZE * SIZE)
#define STEPS 40
#define SEEN "{'name': 'sensor', 'classpath': 'trial.seen.Seen'}"
#define SCENE(class, options)                                                                      \
  NOISE_SCENE_OF (SEEN, "'robot.sensor': [" NOISE_ENTRY (class, options) "]")

static OrreryBuffer *
get_buffer (OrrerySimulation *sim, const char *field)
{
  return *(OrreryBuffer **) orrery_record_find (noise_record (sim), field, ORRERY_FIELD_BUFFER);
}

static gconstpointer
see (OrrerySimulation *sim, const char *field)
{
  orrery_test_step (sim, 1);
  return orrery_buffer_get_data (get_buffer (sim, field));
}

typedef struct {
  double sum, squares;
  guint n;
} Sums;

static void
add (Sums *sums, double error)
{
  sums->sum += error;
  sums->squares += error * error;
  sums->n++;
}

/* To six standard errors: of a mean sigma / sqrt (n), of a variance that of a normal one. */
static void
assert_sums (const Sums *sums, double mean, double variance)
{
  double m = sums->sum / sums->n;
  double v = sums->squares / sums->n - m * m;

  assert_near (m, mean, 6 * sqrt (variance / sums->n));
  assert_near (v, variance, 6 * variance * sqrt (2.0 / sums->n));
}

/* Of a share p of n. */
static void
assert_share (guint found, guint n, double p)
{
  assert_near (found, p * n, 6 * sqrt (p * (1 - p) * n) + 1e-9);
}

static double
normal_below (double x)
{
  return erfc (-x * M_SQRT1_2) / 2;
}

/* --- bytes --- */

static void
test_gaussian_bytes (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("Gaussian", "'field': 'image', 'sigma': 6, 'mean': 1.5"));
  Sums sums = { 0 };
  double product = 0;
  guint black = 0, white = 0;

  g_test_summary ("bytes: mean, variance and rounding, black and white where they end, no alpha");
  for (int k = 0; k < STEPS; k++) {
    const guint8 *image = see (sim, "image");

    for (guint i = 0; i < N_PIXELS; i++) {
      guint column = i % SIZE, value = 4 * column;

      g_assert_cmpuint (image[4 * i + 3], ==, 255);
      for (guint c = 0; c < 3 && column >= 16 && column < 48; c++)
        add (&sums, image[4 * i + c] - (double) value);
      if (column >= 16 && column < 48)
        product += (image[4 * i] - (value + 1.5)) * (image[4 * i + 1] - (value + 1.5));
      black += column == 0 && image[4 * i] == 0;
      white += column == 63 && image[4 * i] == 255;
    }
  }
  /* Sheppard: rounding adds a twelfth. */
  assert_sums (&sums, 1.5, 36 + 1 / 12.0);
  assert_near (product / (sums.n / 3.0), 0, 6 * 36 / sqrt (sums.n / 3.0));
  assert_share (black, SIZE * STEPS, normal_below ((0.5 - 1.5) / 6));
  assert_share (white, SIZE * STEPS, 1 - normal_below ((254.5 - 252 - 1.5) / 6));
}

static void
test_changed_sigma (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("Gaussian", "'field': 'image', 'sigma': 6"));
  OrreryPart *part = orrery_simulation_find_part (sim, "robot.sensor/Gaussian#0");
  const guint8 *image;

  g_test_summary ("a deviation that is changed in a run counts from the next step on");
  see (sim, "image");
  g_object_set (part, "sigma", 0.0, NULL);
  image = see (sim, "image");
  for (guint i = 0; i < N_PIXELS; i++)
    g_assert_cmpuint (image[4 * i + 1], ==, 4 * (i % SIZE));
}

static void
test_shot (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("ShotNoise", "'field': 'image, depth', 'gain': 0.5"));
  Sums dark = { 0 }, grey = { 0 }, few = { 0 }, many = { 0 };

  g_test_summary ("shot noise: the variance is the gain times the value, of bytes and of floats");
  for (int k = 0; k < STEPS; k++) {
    const guint8 *image = see (sim, "image");
    const float *depth = orrery_buffer_get_data (get_buffer (sim, "depth"));

    for (guint i = 0; i < N_PIXELS; i++) {
      g_assert_true (i % SIZE != 0 || image[4 * i] == 0);
      g_assert_true (i % SIZE != 63 || depth[i] == 10);
      if (i % SIZE == 5)
        add (&dark, image[4 * i]);
      if (i % SIZE == 25)
        add (&grey, image[4 * i + 2]);
      if (i % SIZE == 10)
        add (&few, depth[i]);
    }
  }
  /* Counts of a half are rounded, to the even one: variance between 0 and a quarter more. */
  assert_near (dark.sum / dark.n, 20, 6 * sqrt (10.25 / dark.n));
  assert_near (dark.squares / dark.n - pow (dark.sum / dark.n, 2), 10.1, 0.3 + 66 / sqrt (dark.n));
  assert_near (grey.sum / grey.n, 100, 6 * sqrt (50.25 / grey.n));
  assert_near (grey.squares / grey.n - pow (grey.sum / grey.n, 2), 50.1,
               0.3 + 6 * 50 * sqrt (2.0 / grey.n));
  /* 2 m are four counts; 5 % of those are beyond 10 m or none. */
  assert_near (few.sum / few.n, 2, 6 * sqrt (1.0 / few.n));
  g_clear_object (&sim);
  sim = orrery_test_load (SCENE ("ShotNoise", "'field': 'count'"));
  for (int k = 0; k < 4000; k++) {
    orrery_test_step (sim, 1);
    add (&many, noise_get (sim, "count"));
  }
  assert_sums (&many, 1000, 1000);
}

static void
test_tiny_photons (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("ShotNoise", "'field': 'image, depth', 'gain': 1e-307"));
  g_autoptr (OrrerySimulation) clean =
      orrery_test_load (SCENE ("Gaussian", "'field': 'image, depth', 'sigma': 0"));

  g_test_summary ("photons that are too many to count change nothing");
  for (int k = 0; k < 3; k++) {
    const guint8 *image = see (sim, "image");
    const guint8 *expected = see (clean, "image");

    g_assert_cmpmem (image, 4 * N_PIXELS, expected, 4 * N_PIXELS);
    g_assert_cmpmem (orrery_buffer_get_data (get_buffer (sim, "depth")), N_PIXELS * sizeof (float),
                     orrery_buffer_get_data (get_buffer (clean, "depth")),
                     N_PIXELS * sizeof (float));
  }
}

static void
test_salt (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE ("SaltAndPepper", "'field': 'image, depth', 'probability': 0.03, 'salt': 0.25"));
  guint black = 0, white = 0, near = 0, far = 0, n = STEPS * N_PIXELS / 2;

  g_test_summary ("salt and pepper: shares; whole pixels; the others are exact");
  for (int k = 0; k < STEPS; k++) {
    const guint8 *image = see (sim, "image");
    const float *depth = orrery_buffer_get_data (get_buffer (sim, "depth"));

    for (guint i = 0; i < N_PIXELS; i++) {
      const guint8 *p = image + 4 * i;
      guint column = i % SIZE;

      g_assert_true (p[0] == p[1] && p[1] == p[2] && p[3] == 255);
      g_assert_true (p[0] == 0 || p[0] == 255 || p[0] == 4 * column);
      if (column < 16 || column >= 48)
        continue;
      black += p[0] == 0;
      white += p[0] == 255;
      near += depth[i] == 0;
      far += depth[i] == 10;
    }
  }
  assert_share (black, n, 0.03 * 0.75);
  assert_share (white, n, 0.03 * 0.25);
  assert_share (near, n, 0.03 * 0.75);
  assert_share (far, n, 0.03 * 0.25);
}

static void
test_lost_pixels (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("DropOut", "'field': 'depth', 'probability': 0.2, 'value': -1"));
  g_autoptr (OrrerySimulation) all =
      orrery_test_load (SCENE ("DropOut", "'field': 'image', 'probability': 1, 'value': 7"));
  guint lost = 0, pairs = 0;
  const guint8 *image;

  g_test_summary ("pixels are lost, each by itself, with the value that marks them");
  for (int k = 0; k < STEPS; k++) {
    const float *depth = see (sim, "depth");

    for (guint i = 0; i < N_PIXELS; i++) {
      g_assert_true (depth[i] == -1 || depth[i] >= 1);
      lost += depth[i] == -1;
      pairs += i > 0 && depth[i] == -1 && depth[i - 1] == -1;
    }
  }
  assert_share (lost, STEPS * N_PIXELS, 0.2);
  assert_near (pairs, 0.04 * STEPS * (N_PIXELS - 1), 6 * sqrt (0.04 * 2 * STEPS * N_PIXELS));
  image = see (all, "image");
  for (guint i = 0; i < 4 * N_PIXELS; i++)
    g_assert_cmpuint (image[i], ==, i % 4 == 3 ? 255 : 7);
}

static void
test_steps_of_bytes (void)
{
  g_autoptr (OrrerySimulation) coarse =
      orrery_test_load (SCENE ("Quantisation", "'field': 'image, depth', 'step': 32"));
  g_autoptr (OrrerySimulation) bright =
      orrery_test_load (SCENE ("Bias", "'field': 'image', 'bias': 10, 'scale': 1.5"));
  const guint8 *image = see (coarse, "image");
  const guint8 *light = see (bright, "image");

  g_test_summary ("bytes are quantised and biased, and end at black and white");
  for (guint i = 0; i < N_PIXELS; i++) {
    guint value = 4 * (i % SIZE);

    g_assert_cmpuint (image[4 * i], ==, (guint) fmin (rint (value / 32.0) * 32, 255));
    g_assert_cmpuint (light[4 * i + 1], ==, (guint) fmin (1.5 * value + 10, 255));
    g_assert_cmpuint (light[4 * i + 3], ==, 255);
  }
}

static void
test_vignette (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("Vignette", "'field': 'image', 'strength': 0.6, 'exponent': 4"));
  const guint8 *image;

  g_test_summary ("a vignette: 1 - strength (r / R)^exponent of the light");
  for (int k = 0; k < 2; k++) {
    image = see (sim, "image");
    for (guint i = 0; i < N_PIXELS; i++) {
      double x = i % SIZE + 0.5 - SIZE / 2.0, y = i / SIZE + 0.5 - SIZE / 2.0;
      double r = hypot (x, y) / (SIZE * M_SQRT1_2);

      assert_near (image[4 * i], 4 * (i % SIZE) * (1 - 0.6 * pow (r, 4)), 0.5001);
      g_assert_cmpuint (image[4 * i + 3], ==, 255);
    }
  }
}

/* --- distances --- */

static void
test_growing (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE ("Gaussian", "'field': 'depth', 'sigma': 0.01, 'relative': 0.005, 'quadratic': 0.002"));
  Sums columns[SIZE] = { 0 };

  g_test_summary ("noise of distances grows with them; what nothing was measured at stays");
  for (int k = 0; k < STEPS; k++) {
    const float *depth = see (sim, "depth");

    for (guint i = 0; i < N_PIXELS; i++) {
      g_assert_true (depth[i] >= 0 && depth[i] <= 10);
      g_assert_true (i % SIZE != 63 || depth[i] == 10);
      add (&columns[i % SIZE], depth[i]);
    }
  }
  for (guint c = 0; c < SIZE - 1; c += 10) {
    double z = 1 + 0.1 * c;

    assert_sums (&columns[c], z, pow (0.01 + 0.005 * z + 0.002 * z * z, 2));
  }
}

static void
test_limits (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("Gaussian", "'field': 'depth', 'sigma': 5"));
  guint below = 0, beyond = 0;

  g_test_summary ("what is pushed beyond what a sensor sees is not seen, and below 0 it is 0");
  for (int k = 0; k < STEPS; k++) {
    const float *depth = see (sim, "depth");

    for (guint i = 40; i < N_PIXELS; i += SIZE) {
      g_assert_true (depth[i] >= 0 && depth[i] <= 10);
      below += depth[i] == 0;
      beyond += depth[i] == 10;
    }
  }
  assert_share (below, STEPS * SIZE, normal_below (-1));
  assert_share (beyond, STEPS * SIZE, normal_below (-1));
}

/* @part: of points 5 m away, which are 4 m deep */
static void
check_part (const char *part, double value, gboolean is_range)
{
  g_autofree char *scene =
      g_strdup_printf (SCENE ("Gaussian", "'field': 'points.%s', 'sigma': 0.1, 'relative': 0.01"),
                       part);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  Sums sums = { 0 };

  for (int k = 0; k < STEPS; k++) {
    const float *points = see (sim, "points");

    for (guint i = 0; i < N_PIXELS; i++) {
      const float *q = points + 3 * i;
      gboolean nothing = q[0] == 0 && q[1] == 0 && q[2] == 0;

      g_assert_true (nothing == (i % 8 == 7));
      assert_near (4 * q[0] - 3 * q[2], 0, 1e-5);
      if (!nothing)
        add (&sums, is_range ? hypot (q[0], q[2]) : q[2]);
    }
  }
  assert_sums (&sums, value, pow (0.1 + 0.01 * value, 2));
}

static void
test_points (void)
{
  g_test_summary ("noise of a range or depth moves points along their rays; none stays none");
  check_part ("range", 5, TRUE);
  check_part ("depth", 4, FALSE);
}

static void
test_lost_points (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("DropOut", "'field': 'points', 'probability': 0.3"));
  g_autoptr (OrrerySimulation) axis =
      orrery_test_load (SCENE ("Bias", "'field': 'points.y', 'bias': 2"));
  const float *points;
  guint lost = 0;

  g_test_summary ("points are lost as a whole; one axis of them is changed alone");
  for (int k = 0; k < STEPS; k++) {
    points = see (sim, "points");
    for (guint i = 0; i < N_PIXELS; i++) {
      const float *q = points + 3 * i;

      g_assert_true ((q[0] == 3 && q[2] == 4) || (q[0] == 0 && q[2] == 0));
      lost += q[0] == 0 && i % 8 != 7;
    }
  }
  assert_share (lost, STEPS * N_PIXELS / 8 * 7, 0.3);
  points = see (axis, "points");
  g_assert_true (points[0] == 3 && points[1] == 2 && points[2] == 4);
  g_assert_true (points[21] == 0 && points[22] == 0 && points[23] == 0);
}

/* --- other numbers --- */

static void
test_other_numbers (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("Gaussian", "'field': 'count, turn, matrix, near', 'sigma': 2"));
  Sums counts = { 0 }, maps = { 0 }, ones = { 0 };

  g_test_summary ("whole numbers, orientations, matrices and free forms, where they are named");
  for (int k = 0; k < 5000; k++) {
    OrreryQuat turn;
    OrreryMat3 matrix;
    GVariant *near;
    double b = 0;

    orrery_test_step (sim, 1);
    add (&counts, noise_get (sim, "count"));
    orrery_record_get (noise_record (sim), "turn", &turn);
    orrery_record_get (noise_record (sim), "matrix", &matrix);
    orrery_record_get (noise_record (sim), "near", &near);
    assert_near (turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z, 1, 1e-12);
    g_assert_true (g_variant_lookup (near, "b", "d", &b));
    add (&maps, b);
    add (&ones, matrix.m[8]);
  }
  assert_sums (&counts, 1000, 4 + 1 / 12.0);
  assert_sums (&maps, 3, 4);
  assert_sums (&ones, 1, 4);
}

static void
test_without_field (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("Bias", "'bias': 1"));
  const guint8 *image = see (sim, "image");
  OrreryMat3 matrix;

  g_test_summary ("without 'field' what is measured is changed, not counts and matrices");
  g_assert_cmpuint (image[0], ==, 1);
  assert_near (((float *) orrery_buffer_get_data (get_buffer (sim, "depth")))[0], 2, 1e-6);
  assert_near (((float *) orrery_buffer_get_data (get_buffer (sim, "points")))[1], 1, 1e-6);
  g_assert_cmpfloat (noise_get (sim, "count"), ==, 1000);
  orrery_record_get (noise_record (sim), "matrix", &matrix);
  g_assert_cmpfloat (matrix.m[4], ==, 1);
}

static void
test_serials (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("DropOut", "'field': 'serials', 'probability': 0.5"));
  const gint64 *serials = see (sim, "serials");
  guint kept = 0;

  g_test_summary ("whole numbers of 64 bits that are not changed keep all of their digits");
  for (guint i = 0; i < SIZE; i++)
    if (serials[i] == ((gint64) 1 << 60) + 2 * i + 1)
      kept++;
    else
      g_assert_cmpint (serials[i], ==, 0);
  g_assert_cmpuint (kept, >, 10);
  g_assert_cmpuint (kept, <, SIZE - 10);
}

/* --- the same again --- */

#define ALL                                                                                                               \
  "'robot.sensor': [" NOISE_ENTRY ("Vignette", "'field': 'image', 'strength': 0.3") "," NOISE_ENTRY (                     \
      "ShotNoise",                                                                                                        \
      "'field': 'image', 'gain': 0.7") "," NOISE_ENTRY ("Gaussian",                                                       \
                                                        "'sigma': 3") "," NOISE_ENTRY ("SaltAndPe"                        \
                                                                                       "pper",                            \
                                                                                       "'field': "                        \
                                                                                       "'image', "                        \
                                                                                       "'probabil"                        \
                                                                                       "ity': "                           \
                                                                                       "0.1") "," NOISE_ENTRY ("DropOut", \
                                                                                                               "'field': 'points', 'probability': 0.1") "]"
#define MORE                                                                                       \
  "{'name': 'a', 'classpath': 'trial.seen.Seen'}, {'name': 'b', 'classpath': 'trial.seen.Seen'}"

static guint64
watch (OrrerySimulation *sim)
{
  guint64 hash = 1;

  for (int k = 0; k < 5; k++) {
    orrery_test_step (sim, 1);
    hash = orrery_record_hash (noise_record (sim), hash, 0);
  }
  return hash;
}

static OrrerySimulation *
load (guint64 seed, guint threads)
{
  OrreryOptions *options = orrery_options_new ();
  OrrerySimulation *sim;
  GError *error = NULL;

  g_object_set (options, "start", 0.0, "listen", FALSE, "seed", seed, "threads", threads, NULL);
  sim = orrery_test_try_load (NOISE_SCENE_OF (SEEN "," MORE, ALL), options, &error);
  g_assert_no_error (error);
  g_object_unref (options);
  return sim;
}

static void
test_same_again (void)
{
  g_autoptr (OrrerySimulation) sim = load (7, 1);
  g_autoptr (OrrerySimulation) threads = load (7, 4);
  g_autoptr (OrrerySimulation) other = load (8, 1);
  guint64 first = watch (sim), second, third;
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary (
      "the same seed: the same bytes, on any number of threads, after a reset, and from "
      "a state that was saved; another seed: others");
  g_assert_cmpuint (watch (threads), ==, first);
  g_assert_cmpuint (watch (other), !=, first);
  state = orrery_simulation_save (sim, &error);
  g_assert_no_error (error);
  second = watch (sim);
  g_assert_cmpuint (second, !=, first);
  third = watch (sim);
  g_assert_true (orrery_simulation_restore (sim, state, &error));
  g_assert_cmpuint (watch (sim), ==, second);
  g_assert_true (orrery_simulation_restore (threads, state, &error));
  g_assert_cmpuint (watch (threads), ==, second);
  g_assert_cmpuint (watch (threads), ==, third);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  g_assert_cmpuint (watch (sim), ==, first);
}

static void
test_readers (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      NOISE_SCENE_OF (SEEN, "'robot.sensor': [" NOISE_ENTRY ("Gaussian",
                                                             "'field': 'image', 'sigma': 3") "]"));
  g_autoptr (OrreryBuffer) held = NULL;
  g_autofree guint8 *bytes = NULL;

  g_test_summary ("who holds a picture keeps it as it is");
  see (sim, "image");
  held = orrery_buffer_ref (get_buffer (sim, "image"));
  bytes = g_memdup2 (orrery_buffer_get_data (held), orrery_buffer_get_size (held));
  orrery_test_step (sim, 3);
  g_assert_cmpmem (bytes, orrery_buffer_get_size (held), orrery_buffer_get_data (held),
                   orrery_buffer_get_size (held));
}

static void
test_errors (void)
{
  g_test_summary ("fields and options that do not fit are refused, with what there is");
  orrery_test_refuse (SCENE ("Gaussian", "'field': 'points.w'"), "points have x, y, z, range");
  orrery_test_refuse (SCENE ("Gaussian", "'field': 'image.range'"), "has no 'range'");
  orrery_test_refuse (SCENE ("SaltAndPepper", "'field': 'points'"), "as 'points.range'");
  orrery_test_refuse (SCENE ("SaltAndPepper", "'field': 'count'"), "with 'high'");
  orrery_test_refuse (SCENE ("SaltAndPepper", "'field': 'points.range'"), "with 'high'");
  orrery_test_refuse (SCENE ("SaltAndPepper", "'probability': -0.1"), "0 to 1");
  orrery_test_refuse (SCENE ("ShotNoise", "'gain': 0"), "gain");
  orrery_test_refuse (SCENE ("Vignette", "'strength': 2"), "0 to 1");
  orrery_test_refuse (SCENE ("Vignette", "'field': 'points'"), "'points' is no picture");
  orrery_test_refuse (SCENE ("Vignette", "'field': 'count'"), "'count' is no picture");
  orrery_test_refuse (SCENE ("RandomWalk", "'field': 'image'"), "'image' is of type buffer");
  orrery_test_refuse (SCENE ("Gaussian", "'quadratic': -1"), "quadratic");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  orrery_test_add_plugins ("tests/modifiers/plugins");
  g_test_add_func ("/modifiers/pictures/gaussian-bytes", test_gaussian_bytes);
  g_test_add_func ("/modifiers/pictures/changed-sigma", test_changed_sigma);
  g_test_add_func ("/modifiers/pictures/shot", test_shot);
  g_test_add_func ("/modifiers/pictures/tiny-photons", test_tiny_photons);
  g_test_add_func ("/modifiers/pictures/salt-and-pepper", test_salt);
  g_test_add_func ("/modifiers/pictures/lost-pixels", test_lost_pixels);
  g_test_add_func ("/modifiers/pictures/steps-of-bytes", test_steps_of_bytes);
  g_test_add_func ("/modifiers/pictures/vignette", test_vignette);
  g_test_add_func ("/modifiers/pictures/growing", test_growing);
  g_test_add_func ("/modifiers/pictures/limits", test_limits);
  g_test_add_func ("/modifiers/pictures/points", test_points);
  g_test_add_func ("/modifiers/pictures/lost-points", test_lost_points);
  g_test_add_func ("/modifiers/pictures/other-numbers", test_other_numbers);
  g_test_add_func ("/modifiers/pictures/without-field", test_without_field);
  g_test_add_func ("/modifiers/pictures/serials", test_serials);
  g_test_add_func ("/modifiers/pictures/same-again", test_same_again);
  g_test_add_func ("/modifiers/pictures/readers", test_readers);
  g_test_add_func ("/modifiers/pictures/errors", test_errors);
  return g_test_run ();
}
