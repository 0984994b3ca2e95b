/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic of a noisy pose is the host's own source, compiled into this file and open to the
 * compiler: what is left between the two is wiring, not another generator.
 */
#include "base/orrery-types.h"
#undef ORRERY_API
#define ORRERY_API __attribute__ ((visibility ("hidden")))

#include "../host/base/orrery-random.c"
#include "../host/base/orrery-transform.c"
#include "../host/base/orrery-vec3.c"

#include "bare.h"

#define MAX_POINTERS 16
#define SIGMA 0.05

/* The arguments of the host's functions. */
typedef void (*BareFunc) (gpointer self, gpointer tick, gpointer record, gpointer error);

typedef struct {
  BareFunc func;
  gpointer self;
} BareSlot;

struct _BareStep {
  gpointer record;
  BareSlot slots[MAX_POINTERS];
};

typedef struct {
  double x, y, z;
  double yaw, pitch, roll;
  OrreryTransform pose;
  OrreryRandom random;
} BarePose;

static void
do_nothing (gpointer self, gpointer tick, gpointer record, gpointer error)
{
}

static void
sense_pose (gpointer self, gpointer tick, gpointer record, gpointer error)
{
  BarePose *out = record;

  out->x = out->pose.position.x;
  out->y = out->pose.position.y;
  out->z = out->pose.position.z;
  orrery_quat_to_euler (&out->pose.rotation, &out->roll, &out->pitch, &out->yaw);
}

static void
add_noise (gpointer self, gpointer tick, gpointer record, gpointer error)
{
  BarePose *out = record;

  orrery_random_begin (&out->random, *(guint64 *) tick);
  out->x += SIGMA * orrery_random_gaussian (&out->random);
  out->y += SIGMA * orrery_random_gaussian (&out->random);
  out->z += SIGMA * orrery_random_gaussian (&out->random);
}

/* Read at run time: what the compiler knows it would call directly. */
static BareFunc volatile nothing = do_nothing;
static BareFunc volatile senses = sense_pose;
static BareFunc volatile adds = add_noise;

BareStep *
bare_new (guint n, guint n_pointers)
{
  BareStep *steps = g_new0 (BareStep, n);

  g_assert (n_pointers <= MAX_POINTERS);
  for (guint i = 0; i < n; i++) {
    steps[i].record = g_new0 (BarePose, 1);
    for (guint k = 0; k < n_pointers; k++)
      steps[i].slots[k] = (BareSlot){ nothing, steps[i].record };
  }
  return steps;
}

BareStep *
bare_new_poses (guint n)
{
  BareStep *steps = bare_new (n, 3);

  for (guint i = 0; i < n; i++) {
    BarePose *pose = steps[i].record;

    orrery_quat_from_euler (0.1, 0.2, i * 0.001, &pose->pose.rotation);
    orrery_random_init (&pose->random, i, "bare");
    steps[i].slots[0].func = senses;
    steps[i].slots[1].func = adds;
  }
  return steps;
}

void
bare_run (BareStep *steps, guint n, guint n_pointers)
{
  static guint64 tick;

  tick++;
  for (guint i = 0; i < n; i++) {
    BareStep *step = &steps[i];
    gpointer error = NULL;

    for (guint k = 0; k < n_pointers; k++)
      step->slots[k].func (step->slots[k].self, &tick, step->record, &error);
  }
}

void
bare_free (BareStep *steps, guint n)
{
  for (guint i = 0; i < n; i++)
    g_free (steps[i].record);
  g_free (steps);
}
