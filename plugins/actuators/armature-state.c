/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and restores what an armature is doing. */
#include "armature.h"

#include <math.h>
#include <string.h>

static const OrreryField states[] = {
  ORRERY_STATE (OrreryArmature, placed),
  ORRERY_STATE (OrreryArmature, solved.position),
  ORRERY_STATE (OrreryArmature, solved.rotation),
  ORRERY_STATE (OrreryArmature, tries),
  ORRERY_STATE (OrreryArmature, from.position),
  ORRERY_STATE (OrreryArmature, from.rotation),
  ORRERY_STATE (OrreryArmature, to.position),
  ORRERY_STATE (OrreryArmature, to.rotation),
  ORRERY_STATE (OrreryArmature, linear_step),
  ORRERY_STATE (OrreryArmature, way),
  ORRERY_STATE (OrreryArmature, gone),
  ORRERY_STATE (OrreryArmature, next),
  ORRERY_STATE (OrreryArmature, aimed),
  ORRERY_STATE (OrreryArmature, ended),
  ORRERY_STATE (OrreryArmature, wait),
  ORRERY_STATE (OrreryArmature, first),
};

/* Positions and speeds of the joints, index of the target that is reached for and of that on its
 * way, each or -1, poses of targets, trajectory. */
#define STATE "(adadiiadmad)"
#define POSE_NUMBERS 7

static GVariant *
list_doubles (gconstpointer numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof (double));
}

static int
get_index (OrreryArmature *self, const ArmatureTarget *target)
{
  return target != NULL ? (int) (target - (const ArmatureTarget *) (gpointer) self->targets->data)
                        : -1;
}

static GVariant *
list_poses (OrreryArmature *self)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->targets->len; i++) {
    const OrreryTransform *pose = &g_array_index (self->targets, ArmatureTarget, i).pose;
    const OrreryVec3 *p = &pose->position;
    const OrreryQuat *q = &pose->rotation;

    g_array_append_vals (numbers, (const double[]){ p->x, p->y, p->z, q->w, q->x, q->y, q->z },
                         POSE_NUMBERS);
  }
  return list_doubles (numbers->data, numbers->len);
}

static GVariant *
save (OrreryPart *part)
{
  OrreryArmature *self = ORRERY_ARMATURE (part);
  guint n = self->arm->joints->len;
  GVariant *points = NULL;

  if (self->points != NULL)
    points = list_doubles (self->points->data, self->points->len);
  return g_variant_new ("(@ad@adii@ad@mad)", list_doubles (self->positions, n),
                        list_doubles (self->speeds, n), get_index (self, self->reached),
                        get_index (self, self->moving), list_poses (self),
                        g_variant_new_maybe (G_VARIANT_TYPE ("ad"), points));
}

static gboolean
are_finite (const double *numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (numbers[i]))
      return FALSE;
  return TRUE;
}

static gboolean
restore_numbers (GVariant *list, double *numbers, gsize n)
{
  gsize given;
  const double *from = g_variant_get_fixed_array (list, &given, sizeof *from);

  if (given != n || !are_finite (from, n))
    return FALSE;
  memcpy (numbers, from, n * sizeof *numbers);
  return TRUE;
}

static gboolean
restore_target (OrreryArmature *self, int index, ArmatureTarget **target)
{
  if (index >= (int) self->targets->len)
    return FALSE;
  *target = index >= 0 ? &g_array_index (self->targets, ArmatureTarget, index) : NULL;
  return TRUE;
}

static gboolean
restore_poses (OrreryArmature *self, GVariant *list)
{
  gsize n;
  const double *v = g_variant_get_fixed_array (list, &n, sizeof *v);

  if (n != POSE_NUMBERS * (gsize) self->targets->len || !are_finite (v, n))
    return FALSE;
  for (guint i = 0; i < self->targets->len; i++, v += POSE_NUMBERS)
    g_array_index (self->targets, ArmatureTarget, i).pose =
        (OrreryTransform){ { v[0], v[1], v[2] }, { v[3], v[4], v[5], v[6] } };
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
  if (n % width != 0 || (gsize) self->next >= n_rows || (gsize) self->aimed > n_rows ||
      !are_finite (numbers, n))
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
  g_autoptr (GVariant) poses = NULL;
  g_autoptr (GVariant) points = NULL;
  guint n = self->arm->joints->len;
  int reached, moving;

  g_variant_get (state, "(@ad@adii@adm@ad)", &positions, &speeds, &reached, &moving, &poses,
                 &points);
  /* What is moved is reached for. */
  if ((moving >= 0 && moving != reached) || !restore_numbers (positions, self->positions, n) ||
      !restore_numbers (speeds, self->speeds, n) ||
      !restore_target (self, reached, &self->reached) ||
      !restore_target (self, moving, &self->moving) || !restore_poses (self, poses) ||
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
