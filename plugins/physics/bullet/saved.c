/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the engine as a variant, and back. */
#include "bullet-private.h"

#include <math.h>
#include <string.h>

/*
 * What the engine knows beside poses, as a variant and back: of all entries in their order, and of
 * what touches.
 */

#define STATE_TYPE "(a(bbbx)ada(uuiiu)adad)"
enum { ENTRIES, NUMBERS, TOUCHES, POINTS, WHEELS };
/* Where there are links: of these, behind the others. */
#define TREES_TYPE "(ada(ddddddddu))"
/* Of the entry; held, and those of the engine follow. */
#define OWN_NUMBERS (7 + 7 + 7 + 3 + 3)
#define ENTRY_NUMBERS (OWN_NUMBERS + 7 + BULLET_BODY_NUMBERS)

/* An entry's own numbers lie one behind the other. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (Body, angular) + sizeof (OrreryVec3) ==
                 G_STRUCT_OFFSET (Body, local) + OWN_NUMBERS * sizeof (double));

/* What the list has for each entry: the bytes of such a struct, as variants place them. */
typedef struct {
  guint8 suspended;
  guint8 report;
  guint8 falls;
  gint64 holder;
} SavedEntry;
G_STATIC_ASSERT (sizeof (SavedEntry) == 16);
G_STATIC_ASSERT (sizeof (BulletTouch) == 5 * sizeof (guint32));

static GVariant *
box_numbers (const double *numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof *numbers);
}

static void
save_entry (const Entry *entry, SavedEntry *saved, double *numbers)
{
  const Body *own = &entry->own;

  saved->suspended = own->suspended != FALSE;
  saved->report = own->report != FALSE;
  saved->falls = own->falls != FALSE;
  saved->holder = body_get_holder (own);
  memcpy (numbers, &own->local, OWN_NUMBERS * sizeof (double));
  memcpy (numbers + OWN_NUMBERS, &own->held, sizeof own->held);
  bullet_body_save (entry->body, numbers + OWN_NUMBERS + 7);
}

static void
save_entries (OrreryBullet *self, GVariant **all)
{
  GPtrArray *entries = self->set.bodies;
  g_autofree SavedEntry *list = g_new0 (SavedEntry, entries->len);
  g_autofree double *numbers = g_new (double, ENTRY_NUMBERS *(gsize) entries->len);

  for (guint i = 0; i < entries->len; i++)
    save_entry (entries->pdata[i], &list[i], numbers + ENTRY_NUMBERS * (gsize) i);
  all[ENTRIES] =
      g_variant_new_fixed_array (G_VARIANT_TYPE ("(bbbx)"), list, entries->len, sizeof *list);
  all[NUMBERS] = box_numbers (numbers, ENTRY_NUMBERS * (gsize) entries->len);
}

static void
save_touches (BulletEngine *engine, GVariant **all)
{
  guint n = bullet_engine_find_touches (engine);
  g_autofree BulletTouch *touches = g_new (BulletTouch, n);
  g_autofree double *points = g_new (double, (gsize) n *BULLET_MAX_POINTS *BULLET_POINT_NUMBERS);
  gsize n_points = 0;

  for (guint i = 0; i < n; i++) {
    bullet_engine_save_touch (engine, i, &touches[i], points + n_points * BULLET_POINT_NUMBERS);
    n_points += touches[i].n_points;
  }
  all[TOUCHES] =
      g_variant_new_fixed_array (G_VARIANT_TYPE ("(uuiiu)"), touches, n, sizeof *touches);
  all[POINTS] = box_numbers (points, n_points * BULLET_POINT_NUMBERS);
}

GVariant *
bullet_save (OrreryBullet *self)
{
  GVariant *all[WHEELS + 1];
  GVariant *bodies;

  save_entries (self, all);
  save_touches (self->engine, all);
  all[WHEELS] = wheel_set_save (self->set.wheels);
  bodies = g_variant_new_tuple (all, G_N_ELEMENTS (all));
  if (self->trees == NULL)
    return bodies;
  return g_variant_new ("(@" STATE_TYPE "@" TREES_TYPE ")", bodies, tree_set_save (self->trees));
}

/* Returns: (nullable): as many as are asked for, none beyond BODY_REACH, which are the state's */
static const double *
read_numbers (GVariant *state, guint index, gsize wanted)
{
  static const double none;
  g_autoptr (GVariant) list = g_variant_get_child_value (state, index);
  const double *numbers;
  gboolean fits;
  gsize n;

  numbers = g_variant_get_fixed_array (list, &n, sizeof *numbers);
  fits = n == wanted;
  for (gsize i = 0; i < n; i++)
    fits &= fabs (numbers[i]) <= BODY_REACH;
  if (!fits)
    return NULL;
  return n > 0 ? numbers : &none;
}

static gboolean
restore_entry (OrreryBullet *self, Entry *entry, const SavedEntry *saved, const double *numbers)
{
  Body *own = &entry->own;

  own->suspended = saved->suspended != 0;
  own->report = saved->report != 0;
  own->falls = saved->falls != 0;
  if (!body_set_restore_holder (&self->set, own, saved->holder))
    return FALSE;
  memcpy (&own->local, numbers, OWN_NUMBERS * sizeof (double));
  memcpy (&own->held, numbers + OWN_NUMBERS, sizeof own->held);
  bullet_body_restore (entry->body, numbers + OWN_NUMBERS + 7);
  return TRUE;
}

static gboolean
restore_entries (OrreryBullet *self, GVariant *state)
{
  GPtrArray *bodies = self->set.bodies;
  g_autoptr (GVariant) list = g_variant_get_child_value (state, ENTRIES);
  const double *numbers = read_numbers (state, NUMBERS, ENTRY_NUMBERS * (gsize) bodies->len);
  const SavedEntry *saved;
  gsize n;

  saved = g_variant_get_fixed_array (list, &n, sizeof *saved);
  if (n != bodies->len || numbers == NULL)
    return FALSE;
  for (guint i = 0; i < bodies->len; i++)
    ((Body *) bodies->pdata[i])->holder = NULL;
  for (guint i = 0; i < bodies->len; i++)
    if (!restore_entry (self, bodies->pdata[i], &saved[i], numbers + ENTRY_NUMBERS * (gsize) i))
      return FALSE;
  return TRUE;
}

static gboolean
restore_touches (BulletEngine *engine, GVariant *state)
{
  g_autoptr (GVariant) list = g_variant_get_child_value (state, TOUCHES);
  const BulletTouch *touches;
  const double *points;
  gsize n, n_points = 0;

  touches = g_variant_get_fixed_array (list, &n, sizeof *touches);
  for (gsize i = 0; i < n; i++) {
    if (touches[i].n_points < 1 || touches[i].n_points > BULLET_MAX_POINTS)
      return FALSE;
    n_points += touches[i].n_points;
  }
  points = read_numbers (state, POINTS, n_points * BULLET_POINT_NUMBERS);
  if (points == NULL)
    return FALSE;
  bullet_engine_restore_touches (engine, touches, points, (guint) n);
  return TRUE;
}

static gboolean
restore_bodies (OrreryBullet *self, GVariant *state, GVariant *trees)
{
  g_autoptr (GVariant) wheels = g_variant_get_child_value (state, WHEELS);

  /* What touches is looked for where links are, too. */
  return restore_entries (self, state) && wheel_set_restore (self->set.wheels, wheels) &&
         (trees == NULL || tree_set_restore (self->trees, trees)) &&
         restore_touches (self->engine, state);
}

static gboolean
restore_with_trees (OrreryBullet *self, GVariant *state)
{
  g_autoptr (GVariant) bodies = g_variant_get_child_value (state, 0);
  g_autoptr (GVariant) trees = g_variant_get_child_value (state, 1);

  return restore_bodies (self, bodies, trees);
}

gboolean
bullet_restore (OrreryBullet *self, GVariant *state, GError **error)
{
  const char *type = g_variant_get_type_string (state);
  const char *wanted = self->trees != NULL ? "(" STATE_TYPE TREES_TYPE ")" : STATE_TYPE;

  if (g_str_equal (type, wanted) &&
      (self->trees != NULL ? restore_with_trees (self, state) : restore_bodies (self, state, NULL)))
    return TRUE;
  orrery_part_refuse_state (ORRERY_PART (self), error);
  return FALSE;
}

/* --- trees --- */

/* Of a link, in a state: position, rotation, friction, torsion. */
#define LINK_NUMBERS 11

GVariant *
tree_set_save (TreeSet *self)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->trees->len; i++) {
    const Tree *tree = self->trees->pdata[i];

    for (guint k = 0; k < tree->n_links; k++) {
      const TreeLink *link = &tree->links[k];

      g_array_append_val (numbers, link->position);
      g_array_append_vals (numbers, &link->rotation, 4);
      g_array_append_vals (numbers, &link->friction, 3);
      g_array_append_vals (numbers, &link->torsion, 3);
    }
    g_array_append_vals (numbers, tree->rates, tree->n);
  }
  return g_variant_new ("(@ad@a(ddddddddu))",
                        g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers->data,
                                                   numbers->len, sizeof (double)),
                        motors_save (self->motors));
}

gboolean
tree_set_restore (TreeSet *self, GVariant *state)
{
  g_autoptr (GVariant) list = g_variant_get_child_value (state, 0);
  g_autoptr (GVariant) motors = g_variant_get_child_value (state, 1);
  gsize n, wanted = 0;
  const double *from = g_variant_get_fixed_array (list, &n, sizeof (double));

  for (guint i = 0; i < self->trees->len; i++) {
    const Tree *tree = self->trees->pdata[i];

    wanted += LINK_NUMBERS * (gsize) tree->n_links + tree->n;
  }
  for (gsize i = 0; n == wanted && i < n; i++)
    if (!(fabs (from[i]) <= BODY_REACH))
      return FALSE;
  if (n != wanted || !motors_restore (self->motors, motors))
    return FALSE;
  for (guint i = 0; i < self->trees->len; i++) {
    Tree *tree = self->trees->pdata[i];

    for (guint k = 0; k < tree->n_links; k++, from += LINK_NUMBERS) {
      TreeLink *link = &tree->links[k];

      link->position = from[0];
      memcpy (&link->rotation, from + 1, sizeof link->rotation);
      memcpy (&link->friction, from + 5, sizeof link->friction);
      memcpy (&link->torsion, from + 8, sizeof link->torsion);
    }
    memcpy (tree->rates, from, tree->n * sizeof (double));
    from += tree->n;
  }
  return TRUE;
}
