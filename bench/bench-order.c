/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resolving the order of 10,000 scripts, by both rules, beside a bare recursive walk that calls
 * children before their parents and knows of no settings; and of 10,000 sensors that read others.
 */
#include "tick/orrery-order-private.h"

#include <stdio.h>
#include <time.h>

#define N 10000
#define RUNS 25

static OrreryOrderObject objects[N];
static OrreryOrderSource sources[N];

static double
read_clock (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

/* --- the limit --- */

static int first[N + 1];
static int next[N];
static guint *bare_out;

static void
walk (int object)
{
  for (int child = first[object]; child >= 0; child = next[child])
    walk (child);
  if (object < N)
    *bare_out++ = (guint) object;
}

/* Lists of children, and the walk: what any order of a tree takes. */
static void
resolve_bare (void)
{
  guint *out = g_new (guint, N);

  for (guint i = 0; i <= N; i++)
    first[i] = -1;
  for (int i = N; i-- > 0;) {
    int *list = &first[objects[i].parent >= 0 ? objects[i].parent : N];

    next[i] = *list;
    *list = i;
  }
  bare_out = out;
  walk (N);
  g_free (out);
}

/* --- scenes --- */

static void
make_objects (guint reach)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < N; i++) {
    int parent = (int) i - g_rand_int_range (rand, 1, (gint32) reach + 1);

    objects[i] = (OrreryOrderObject){
      .parent = MAX (-1, parent),
      .priority = g_rand_int_range (rand, -1, 2),
      .scripts = { { TRUE, TRUE, g_rand_int_range (rand, -1, 2), g_rand_int_range (rand, 0, 3) } },
    };
    sources[i] = (OrreryOrderSource){ i > 0 ? i - 1 : 0, i > 0 ? i : N - 1 };
  }
}

static void
resolve (OrreryOrderRule rule)
{
  OrreryOrderInput input = { .rule = rule, .objects = objects, .n_objects = N };

  g_array_unref (orrery_order_scripts (&input));
}

static void
resolve_tree (void)
{
  resolve (ORRERY_ORDER_TREE);
}

static void
resolve_level (void)
{
  resolve (ORRERY_ORDER_LEVEL);
}

/* Each but the first reads the one behind it: all have to wait. */
static void
resolve_sources (void)
{
  GArray *cycle;

  g_array_unref (orrery_order_sources (N, sources + 1, N - 1, &cycle));
}

/* --- measuring --- */

static double
measure (void (*func) (void))
{
  double best = G_MAXDOUBLE;

  for (guint run = 0; run < RUNS; run++) {
    double before = read_clock ();

    func ();
    best = MIN (best, read_clock () - before);
  }
  return best;
}

static void
measure_scene (const char *name, guint reach)
{
  double bare, tree, level;

  make_objects (reach);
  bare = measure (resolve_bare);
  tree = measure (resolve_tree);
  level = measure (resolve_level);
  printf ("order.%s.tree %.1f us\n", name, tree);
  printf ("order.%s.tree.ratio %.2f of_bare_walk\n", name, tree / bare);
  printf ("order.%s.level %.1f us\n", name, level);
  printf ("order.%s.level.ratio %.2f of_bare_walk\n", name, level / bare);
}

int
main (void)
{
  measure_scene ("flat", N);
  measure_scene ("bushy", 100);
  measure_scene ("deep", 1);
  printf ("order.sources %.1f us\n", measure (resolve_sources));
  return 0;
}
