/* SPDX-License-Identifier: BSD-3-Clause */
#include "armature.h"

#include <string.h>

/* Where the joints are, how fast each is to go, and what is on its way. */
#define POSE "(ddddddd)"
#define MOVE "(i" POSE POSE "dd)"
#define FOLLOW "(maduuddxb)"
#define STATE "(adad" MOVE FOLLOW "b)"

static GVariant *
list_doubles (const double *numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof *numbers);
}

static GVariant *
save_pose (const OrreryTransform *pose)
{
  const OrreryVec3 *p = &pose->position;
  const OrreryQuat *q = &pose->rotation;

  return g_variant_new (POSE, p->x, p->y, p->z, q->w, q->x, q->y, q->z);
}

static void
restore_pose (GVariant *state, OrreryTransform *pose)
{
  OrreryVec3 *p = &pose->position;
  OrreryQuat *q = &pose->rotation;

  g_variant_get (state, POSE, &p->x, &p->y, &p->z, &q->w, &q->x, &q->y, &q->z);
}

/* --- a target on its way --- */

static GVariant *
save_move (const OrreryArmature *self)
{
  int target = -1;

  if (self->moving != NULL)
    target = (int) (self->moving - (const ArmatureTarget *) (gpointer) self->targets->data);
  return g_variant_new ("(i@" POSE "@" POSE "dd)", target, save_pose (&self->from),
                        save_pose (&self->to), self->way, self->gone);
}

static gboolean
restore_move (OrreryArmature *self, GVariant *state)
{
  g_autoptr (GVariant) from = NULL;
  g_autoptr (GVariant) to = NULL;
  int target;

  g_variant_get (state, "(i@" POSE "@" POSE "dd)", &target, &from, &to, &self->way, &self->gone);
  if (target >= (int) self->targets->len)
    return FALSE;
  self->moving = target >= 0 ? &g_array_index (self->targets, ArmatureTarget, target) : NULL;
  restore_pose (from, &self->from);
  restore_pose (to, &self->to);
  return TRUE;
}

/* --- a trajectory --- */

static GVariant *
save_follow (const OrreryArmature *self)
{
  GVariant *points = NULL;

  if (self->points != NULL)
    points = list_doubles ((const double *) (gpointer) self->points->data, self->points->len);
  return g_variant_new ("(@maduuddxb)", g_variant_new_maybe (G_VARIANT_TYPE ("ad"), points),
                        self->next, self->aimed, self->start, self->wait, self->first, self->begun);
}

static gboolean
restore_follow (OrreryArmature *self, GVariant *state)
{
  g_autoptr (GVariant) points = NULL;
  gsize n_rows, n = 0, width = self->arm->joints->len + 1;
  const double *numbers;

  g_clear_pointer (&self->points, g_array_unref);
  g_variant_get (state, "(m@aduuddxb)", &points, &self->next, &self->aimed, &self->start,
                 &self->wait, &self->first, &self->begun);
  if (points == NULL)
    return TRUE;
  numbers = g_variant_get_fixed_array (points, &n, sizeof *numbers);
  n_rows = n / width;
  if (n % width != 0 || self->next >= n_rows || self->aimed > n_rows)
    return FALSE;
  self->points = g_array_new (FALSE, FALSE, sizeof *numbers);
  g_array_append_vals (self->points, numbers, n);
  return TRUE;
}

/* --- all of it --- */

GVariant *
armature_save (const OrreryArmature *self)
{
  guint n = self->arm->joints->len;

  return g_variant_new ("(@ad@ad@" MOVE "@" FOLLOW "b)", list_doubles (self->positions, n),
                        list_doubles (self->speeds, n), save_move (self), save_follow (self),
                        self->placed);
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

gboolean
armature_restore (OrreryArmature *self, GVariant *state)
{
  g_autoptr (GVariant) positions = NULL;
  g_autoptr (GVariant) speeds = NULL;
  g_autoptr (GVariant) move = NULL;
  g_autoptr (GVariant) follow = NULL;
  guint n = self->arm->joints->len;

  if (!g_variant_is_of_type (state, G_VARIANT_TYPE (STATE)))
    return FALSE;
  g_variant_get (state, "(@ad@ad@" MOVE "@" FOLLOW "b)", &positions, &speeds, &move, &follow,
                 &self->placed);
  return restore_numbers (positions, self->positions, n) &&
         restore_numbers (speeds, self->speeds, n) && restore_move (self, move) &&
         restore_follow (self, follow);
}
