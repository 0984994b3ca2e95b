/* SPDX-License-Identifier: BSD-3-Clause */
/* What physics measures only where it is asked for: friction at contacts, wrenches of joints. */
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

#define WRENCH_NUMBERS 6
G_STATIC_ASSERT (sizeof (OrreryWrench) == WRENCH_NUMBERS * sizeof (double));

/* --- what is asked for --- */

/* Where the joint of an object is among those that are measured, or would be. */
static guint
find_place (const OrreryLoads *loads, guint object)
{
  guint low = 0, high = loads->joints != NULL ? loads->joints->len : 0;

  while (low < high) {
    guint middle = (low + high) / 2;

    if (g_array_index (loads->joints, guint, middle) < object)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static OrreryWrench *
find_wrench (const OrreryLoads *loads, guint object)
{
  guint place = find_place (loads, object);

  if (loads->joints == NULL || place >= loads->joints->len ||
      g_array_index (loads->joints, guint, place) != object)
    return NULL;
  return &g_array_index (loads->wrenches, OrreryWrench, place);
}

static void
measure_wrench (OrreryLoads *loads, guint object)
{
  OrreryWrench none = { 0 };
  guint place;

  if (loads->joints == NULL) {
    loads->joints = g_array_new (FALSE, FALSE, sizeof (guint));
    loads->wrenches = g_array_new (FALSE, FALSE, sizeof (OrreryWrench));
  }
  if (find_wrench (loads, object) != NULL)
    return;
  place = find_place (loads, object);
  g_array_insert_val (loads->joints, place, object);
  g_array_insert_val (loads->wrenches, place, none);
}

void
orrery_world_measure (OrreryWorld *world, OrreryMeasurement what, OrreryObject *object)
{
  OrreryLoads *loads = &orrery_world_get_snapshot (world)->loads;

  g_return_if_fail (object != NULL);
  if (what == ORRERY_MEASURE_WRENCH)
    measure_wrench (loads, orrery_object_get_index (object));
  else if (loads->frictions == NULL)
    loads->frictions = g_array_new (FALSE, FALSE, sizeof (OrreryVec3));
}

gboolean
orrery_world_is_measured (OrreryWorld *world, OrreryMeasurement what, OrreryObject *object)
{
  const OrreryLoads *loads = &orrery_world_get_snapshot (world)->loads;

  if (what == ORRERY_MEASURE_CONTACTS)
    return loads->frictions != NULL;
  g_return_val_if_fail (object != NULL, FALSE);
  return find_wrench (loads, orrery_object_get_index (object)) != NULL;
}

/* --- for the snapshot --- */

void
orrery_loads_clear (OrreryLoads *loads)
{
  g_clear_pointer (&loads->frictions, g_array_unref);
  g_clear_pointer (&loads->joints, g_array_unref);
  g_clear_pointer (&loads->wrenches, g_array_unref);
}

static void
copy_array (GArray **to, GArray *from, guint size)
{
  if (from == NULL) {
    g_clear_pointer (to, g_array_unref);
    return;
  }
  if (*to == NULL)
    *to = g_array_new (FALSE, FALSE, size);
  g_array_set_size (*to, 0);
  if (from->len > 0)
    g_array_append_vals (*to, from->data, from->len);
}

void
orrery_loads_copy (OrreryLoads *to, const OrreryLoads *from)
{
  to->substep = from->substep;
  copy_array (&to->frictions, from->frictions, sizeof (OrreryVec3));
  copy_array (&to->joints, from->joints, sizeof (guint));
  copy_array (&to->wrenches, from->wrenches, sizeof (OrreryWrench));
}

void
orrery_loads_forget (OrreryLoads *loads)
{
  if (loads->frictions != NULL)
    g_array_set_size (loads->frictions, 0);
  if (loads->wrenches != NULL && loads->wrenches->len > 0)
    memset (loads->wrenches->data, 0, loads->wrenches->len * sizeof (OrreryWrench));
}

OrreryVec3 *
orrery_loads_get_frictions (OrreryLoads *loads)
{
  return loads->frictions != NULL ? (OrreryVec3 *) (gpointer) loads->frictions->data : NULL;
}

void
orrery_snapshot_set_substep (OrrerySnapshot *snapshot, double dt)
{
  snapshot->loads.substep = dt;
}

/* --- what others ask --- */

const OrreryVec3 *
orrery_snapshot_get_frictions (OrrerySnapshot *snapshot)
{
  static const OrreryVec3 none;
  const OrreryVec3 *all = orrery_loads_get_frictions (&snapshot->loads);

  /* An array that never had an element has no room. */
  return snapshot->loads.frictions != NULL && all == NULL ? &none : all;
}

OrreryBuffer *
orrery_snapshot_dup_frictions (OrrerySnapshot *snapshot)
{
  const GArray *all = snapshot->loads.frictions;
  OrreryBuffer *numbers;

  if (all == NULL)
    return NULL;
  numbers = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (const gsize[]){ all->len, 3 });
  if (all->len > 0)
    memcpy (orrery_buffer_get_data (numbers), all->data, all->len * sizeof (OrreryVec3));
  return numbers;
}

double
orrery_snapshot_get_substep (OrrerySnapshot *snapshot)
{
  return snapshot->loads.substep;
}

const OrreryWrench *
orrery_snapshot_get_wrench (OrrerySnapshot *snapshot, guint object)
{
  return find_wrench (&snapshot->loads, object);
}

void
orrery_snapshot_set_wrench (OrrerySnapshot *snapshot, guint object, const OrreryWrench *wrench)
{
  OrreryWrench *own = find_wrench (&snapshot->loads, object);

  g_return_if_fail (own != NULL);
  *own = *wrench;
}

/* --- a state --- */

static GVariant *
box (const GArray *array, gsize n_each)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, array != NULL ? array->data : NULL,
                                    array != NULL ? array->len * n_each : 0, sizeof (double));
}

GVariant *
orrery_loads_save (OrreryLoads *loads)
{
  return g_variant_new ("(d@ad@ad)", loads->substep, box (loads->frictions, 3),
                        box (loads->wrenches, WRENCH_NUMBERS));
}

gboolean
orrery_loads_check (const OrreryLoads *loads, GVariant *state, gsize n_contacts)
{
  gsize n_wrenches = loads->wrenches != NULL ? loads->wrenches->len : 0;
  double substep;

  g_variant_get_child (state, 0, "d", &substep);
  return substep >= 0 && isfinite (substep) &&
         orrery_saved_get_doubles (state, 1, loads->frictions != NULL ? 3 * n_contacts : 0) !=
             NULL &&
         orrery_saved_get_doubles (state, 2, WRENCH_NUMBERS * n_wrenches) != NULL;
}

static void
unbox (GVariant *state, guint index, GArray *array, gsize n_each)
{
  g_autoptr (GVariant) list = g_variant_get_child_value (state, index);
  const double *numbers;
  gsize n;

  if (array == NULL)
    return;
  numbers = g_variant_get_fixed_array (list, &n, sizeof (double));
  g_array_set_size (array, 0);
  if (n > 0)
    g_array_append_vals (array, numbers, (guint) (n / n_each));
}

void
orrery_loads_restore (OrreryLoads *loads, GVariant *state, gsize n_contacts)
{
  orrery_loads_forget (loads);
  if (state != NULL) {
    g_variant_get_child (state, 0, "d", &loads->substep);
    unbox (state, 1, loads->frictions, 3);
    unbox (state, 2, loads->wrenches, WRENCH_NUMBERS);
  } else if (loads->frictions != NULL) {
    /* The state is of a run that did not measure: there is one for each contact all the same. */
    g_array_set_size (loads->frictions, (guint) n_contacts);
    if (n_contacts > 0)
      memset (loads->frictions->data, 0, n_contacts * sizeof (OrreryVec3));
  }
}
