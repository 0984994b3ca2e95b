/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the engine as a variant, and back. */
#include "engine.h"

#include <math.h>
#include <string.h>

/* qpos, qvel, warm start; of each motor and each thing what lasts beyond a tick; wheels. */
#define STATE "(adadada(ddddddddu)a(bbbx)adad)"
enum { QPOS, QVEL, WARM, MOTORS, THINGS, NUMBERS, WHEELS };

/* What the list has for each thing: the bytes of such a struct, as variants place them. */
typedef struct {
  guint8 suspended;
  guint8 falls;
  guint8 report;
  gint64 holder;
} SavedThing;
G_STATIC_ASSERT (sizeof (SavedThing) == 16);

static GVariant *
make_doubles (const double *numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof *numbers);
}

/* Returns: (nullable): as many as are asked for, all finite, which are the state's */
static const double *
look_at_doubles (GVariant *state, guint index, gsize n)
{
  static const double none;
  g_autoptr (GVariant) array = g_variant_get_child_value (state, index);
  gsize length;
  const double *numbers = g_variant_get_fixed_array (array, &length, sizeof *numbers);

  if (length != n)
    return NULL;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (numbers[i]))
      return NULL;
  return n > 0 ? numbers : &none;
}

static gboolean
take_doubles (GVariant *state, guint index, double *out, gsize n)
{
  const double *numbers = look_at_doubles (state, index, n);

  if (numbers != NULL && n > 0)
    memcpy (out, numbers, n * sizeof *out);
  return numbers != NULL;
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
  g_autofree SavedThing *list = g_new0 (SavedThing, things->len);
  g_autofree double *numbers = g_new (double, THING_NUMBERS * things->len);

  for (guint i = 0; i < things->len; i++) {
    const Thing *thing = things->pdata[i];

    list_numbers (thing, numbers + THING_NUMBERS * i);
    list[i].suspended = thing->own.suspended != FALSE;
    list[i].falls = thing->own.falls != FALSE;
    list[i].report = thing->own.report != FALSE;
    list[i].holder = body_get_holder (&thing->own);
  }

  GVariant *all[] = {
    [QPOS] = make_doubles (qpos, m->nq),
    [QVEL] = make_doubles (d->qvel, m->nv),
    [WARM] = make_doubles (d->qacc_warmstart, m->nv),
    [MOTORS] = motors_save (motors),
    [THINGS] =
        g_variant_new_fixed_array (G_VARIANT_TYPE ("(bbbx)"), list, things->len, sizeof *list),
    [NUMBERS] = make_doubles (numbers, THING_NUMBERS * things->len),
    [WHEELS] = wheel_set_save (set->wheels),
  };

  return g_variant_new_tuple (all, G_N_ELEMENTS (all));
}

static gboolean
restore_thing (BodySet *set, Thing *thing, const SavedThing *saved, const double *numbers)
{
  thing->own.suspended = saved->suspended != 0;
  thing->own.falls = saved->falls != 0;
  thing->own.report = saved->report != 0;
  if (!body_set_restore_holder (set, &thing->own, saved->holder))
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
  g_autoptr (GVariant) some = NULL, list = NULL, wheels = NULL;
  const SavedThing *saved;
  const double *numbers;
  gsize n;

  if (!g_str_equal (g_variant_get_type_string (state), STATE))
    return FALSE;
  some = g_variant_get_child_value (state, MOTORS);
  list = g_variant_get_child_value (state, THINGS);
  wheels = g_variant_get_child_value (state, WHEELS);
  saved = g_variant_get_fixed_array (list, &n, sizeof *saved);
  numbers = look_at_doubles (state, NUMBERS, THING_NUMBERS * (gsize) things->len);
  if (n != things->len || numbers == NULL || !take_doubles (state, QPOS, d->qpos, m->nq) ||
      !take_doubles (state, QVEL, d->qvel, m->nv) ||
      !take_doubles (state, WARM, d->qacc_warmstart, m->nv) || !motors_restore (motors, some))
    return FALSE;
  for (guint i = 0; i < things->len; i++)
    ((Body *) things->pdata[i])->holder = NULL;
  for (guint i = 0; i < things->len; i++)
    if (!restore_thing (set, things->pdata[i], &saved[i], numbers + THING_NUMBERS * i))
      return FALSE;
  body_set_count_held (set);
  if (!wheel_set_restore (set->wheels, wheels))
    return FALSE;
  /* Poses of links are those of now. */
  engine_end (set->engine);
  return TRUE;
}
