/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the engine as a variant, and back. */
#include "engine.h"

#include <math.h>
#include <string.h>

/* qpos, qvel, warm start; of each motor and each thing what lasts beyond a tick; wheels. */
#define STATE "(adadada(ddddddddu)a(adbbbx)ad)"

static GVariant *
make_doubles (const double *numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof *numbers);
}

static gboolean
take_doubles (GVariant *array, double *out, gsize n)
{
  gsize length;
  const double *numbers = g_variant_get_fixed_array (array, &length, sizeof *numbers);

  if (length != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (numbers[i]))
      return FALSE;
  if (n > 0)
    memcpy (out, numbers, n * sizeof *out);
  return TRUE;
}

#define THING_NUMBERS 27

static void
list_numbers (const Thing *thing, double out[THING_NUMBERS])
{
  memcpy (out, &thing->own.local, sizeof thing->own.local);
  memcpy (out + 7, &thing->own.pose, sizeof thing->own.pose);
  memcpy (out + 14, &thing->wrench, sizeof thing->wrench);
  memcpy (out + 17, &thing->torsion, sizeof thing->torsion);
  memcpy (out + 20, &thing->own.held, sizeof thing->own.held);
}

GVariant *
saved_save (const Rub *rub, const double *qpos, BodySet *set, GArray *motors)
{
  const mjModel *m = rub->m;
  const mjData *d = rub->d;
  GPtrArray *things = set->bodies;
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE ("a(adbbbx)"));
  for (guint i = 0; i < things->len; i++) {
    const Thing *thing = things->pdata[i];
    double numbers[THING_NUMBERS];

    list_numbers (thing, numbers);
    g_variant_builder_add (&all, "(@adbbbx)", make_doubles (numbers, THING_NUMBERS),
                           thing->own.suspended, thing->own.falls, thing->own.report,
                           body_get_holder (&thing->own));
  }
  return g_variant_new ("(@ad@ad@ad@a(ddddddddu)@a(adbbbx)@ad)", make_doubles (qpos, m->nq),
                        make_doubles (d->qvel, m->nv), make_doubles (d->qacc_warmstart, m->nv),
                        motors_save (motors), g_variant_builder_end (&all),
                        wheel_set_save (set->wheels));
}

static gboolean
restore_thing (BodySet *set, Thing *thing, GVariant *one)
{
  g_autoptr (GVariant) list = NULL;
  double numbers[THING_NUMBERS];
  gint64 holder;

  g_variant_get (one, "(@adbbbx)", &list, &thing->own.suspended, &thing->own.falls,
                 &thing->own.report, &holder);
  if (!take_doubles (list, numbers, THING_NUMBERS) ||
      !body_set_restore_holder (set, &thing->own, holder))
    return FALSE;
  memcpy (&thing->own.local, numbers, sizeof thing->own.local);
  memcpy (&thing->own.pose, numbers + 7, sizeof thing->own.pose);
  memcpy (&thing->wrench, numbers + 14, sizeof thing->wrench);
  memcpy (&thing->torsion, numbers + 17, sizeof thing->torsion);
  memcpy (&thing->own.held, numbers + 20, sizeof thing->own.held);
  if (thing->own.motion == MOTION_FREE)
    engine_set_freedom (set, &thing->own);
  else if (thing->own.motion != MOTION_LINK)
    engine_set_pose (set, &thing->own, &thing->own.pose);
  return TRUE;
}

gboolean
saved_restore (const Rub *rub, BodySet *set, GArray *motors, GVariant *state)
{
  const mjModel *m = rub->m;
  mjData *d = rub->d;
  GPtrArray *things = set->bodies;
  g_autoptr (GVariant) qpos = NULL;
  g_autoptr (GVariant) qvel = NULL;
  g_autoptr (GVariant) warm = NULL;
  g_autoptr (GVariant) some = NULL;
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GVariant) wheels = NULL;

  if (!g_variant_is_of_type (state, G_VARIANT_TYPE (STATE)))
    return FALSE;
  g_variant_get (state, "(@ad@ad@ad@a(ddddddddu)@a(adbbbx)@ad)", &qpos, &qvel, &warm, &some, &all,
                 &wheels);
  if (g_variant_n_children (all) != things->len || !take_doubles (qpos, d->qpos, m->nq) ||
      !take_doubles (qvel, d->qvel, m->nv) || !take_doubles (warm, d->qacc_warmstart, m->nv) ||
      !motors_restore (motors, some))
    return FALSE;
  for (guint i = 0; i < things->len; i++)
    ((Body *) things->pdata[i])->holder = NULL;
  for (guint i = 0; i < things->len; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (all, i);

    if (!restore_thing (set, things->pdata[i], one))
      return FALSE;
  }
  body_set_count_held (set);
  if (!wheel_set_restore (set->wheels, wheels))
    return FALSE;
  /* Poses of links are those of now. */
  engine_end (set->engine);
  return TRUE;
}
