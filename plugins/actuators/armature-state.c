/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and restores what an armature is doing. */
#include "armature.h"

#include <string.h>

static const OrreryField states[] = {
  ORRERY_STATE (OrreryArmature, placed),        ORRERY_STATE (OrreryArmature, from.position),
  ORRERY_STATE (OrreryArmature, from.rotation), ORRERY_STATE (OrreryArmature, to.position),
  ORRERY_STATE (OrreryArmature, to.rotation),   ORRERY_STATE (OrreryArmature, way),
  ORRERY_STATE (OrreryArmature, gone),          ORRERY_STATE (OrreryArmature, next),
  ORRERY_STATE (OrreryArmature, aimed),         ORRERY_STATE (OrreryArmature, start),
  ORRERY_STATE (OrreryArmature, wait),          ORRERY_STATE (OrreryArmature, first),
  ORRERY_STATE (OrreryArmature, begun),
};

/* Positions and speeds of the joints, index of the target on its way or -1, trajectory. */
#define STATE "(adadimad)"

static GVariant *
list_doubles (gconstpointer numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof (double));
}

static GVariant *
save (OrreryPart *part)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  guint n = self->arm->joints->len;
  GVariant *points = NULL;
  int target = -1;

  if (self->moving != NULL)
    target = (int) (self->moving - (const ArmatureTarget *) (gpointer) self->targets->data);
  if (self->points != NULL)
    points = list_doubles (self->points->data, self->points->len);
  return g_variant_new ("(@ad@adi@mad)", list_doubles (self->positions, n),
                        list_doubles (self->speeds, n), target,
                        g_variant_new_maybe (G_VARIANT_TYPE ("ad"), points));
}

static gboolean
restore_numbers (GVariant *list, double *numbers, gsize n)
{
  gsize given;
  const double *from = g_variant_get_fixed_array (list, &given, sizeof *from);

  if (given != n)
    return FALSE;
  memcpy (numbers, from, n * sizeof *numbers);
  return TRUE;
}

static gboolean
restore_target (OrreryArmature *self, int target)
{
  if (target >= (int) self->targets->len)
    return FALSE;
  self->moving = target >= 0 ? &g_array_index (self->targets, ArmatureTarget, target) : NULL;
  return TRUE;
}

static gboolean
restore_points (OrreryArmature *self, GVariant *points)
{
  gsize n_rows, n = 0, width = self->arm->joints->len + 1;
  const double *numbers;

  g_clear_pointer (&self->points, g_array_unref);
  if (points == NULL)
    return TRUE;
  numbers = g_variant_get_fixed_array (points, &n, sizeof *numbers);
  n_rows = n / width;
  if (n % width != 0 || (gsize) self->next >= n_rows || (gsize) self->aimed > n_rows)
    return FALSE;
  self->points = g_array_new (FALSE, FALSE, sizeof *numbers);
  g_array_append_vals (self->points, numbers, n);
  return TRUE;
}

static void
restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  g_autoptr (GVariant) positions = NULL;
  g_autoptr (GVariant) speeds = NULL;
  g_autoptr (GVariant) points = NULL;
  guint n = self->arm->joints->len;
  int target;

  g_variant_get (state, "(@ad@adim@ad)", &positions, &speeds, &target, &points);
  if (!restore_numbers (positions, self->positions, n) ||
      !restore_numbers (speeds, self->speeds, n) || !restore_target (self, target) ||
      !restore_points (self, points))
    orrery_part_refuse_state (part, error);
}

void
armature_class_add_state (OrreryPartClass *klass)
{
  klass->save = save;
  klass->restore = restore;
  klass->state_type = STATE;
  ORRERY_CLASS_SET_STATE (klass, OrreryArmature, states);
}
