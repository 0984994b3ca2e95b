/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the engine as a variant, and back. */
#include "bullet-private.h"

#include <math.h>
#include <string.h>

/*
 * What the engine knows beside poses, as a variant and back: of all entries in their order, and of
 * what touches.
 */

#define STATE_TYPE "(a(bbbxad)a(uuiiad)ad)"
#define STATE_FORMAT "(a(bbbxad)a(uuiiad)@ad)"
/* Where there are links: of these, behind the others. */
#define TREES_TYPE "(ada(ddddddddu))"
/* Of the entry; held, and those of the engine follow. */
#define OWN_NUMBERS (7 + 7 + 7 + 3 + 3)
#define ENTRY_NUMBERS (OWN_NUMBERS + 7 + BULLET_BODY_NUMBERS)

/* An entry's own numbers lie one behind the other. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (Body, angular) + sizeof (OrreryVec3) ==
                 G_STRUCT_OFFSET (Body, local) + OWN_NUMBERS * sizeof (double));

static GVariant *
box_numbers (const double *numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof *numbers);
}

static void
save_entry (GVariantBuilder *list, Entry *entry)
{
  const Body *own = &entry->own;
  double numbers[ENTRY_NUMBERS];

  memcpy (numbers, &own->local, OWN_NUMBERS * sizeof (double));
  memcpy (numbers + OWN_NUMBERS, &own->held, sizeof own->held);
  bullet_body_save (entry->body, numbers + OWN_NUMBERS + 7);
  g_variant_builder_add (list, "(bbbx@ad)", own->suspended, own->report, own->falls,
                         body_get_holder (own), box_numbers (numbers, ENTRY_NUMBERS));
}

GVariant *
bullet_save (OrreryBullet *self)
{
  BulletEngine *engine = self->engine;
  GPtrArray *entries = self->set.bodies;
  GVariantBuilder list;
  GVariantBuilder pairs;
  GVariant *bodies;
  guint n;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(bbbxad)"));
  g_variant_builder_init (&pairs, G_VARIANT_TYPE ("a(uuiiad)"));
  for (guint i = 0; i < entries->len; i++)
    save_entry (&list, entries->pdata[i]);
  n = bullet_engine_find_touches (engine);
  for (guint i = 0; i < n; i++) {
    BulletTouch touch;

    bullet_engine_save_touch (engine, i, &touch);
    g_variant_builder_add (&pairs, "(uuii@ad)", touch.first, touch.second, touch.piece0,
                           touch.piece1,
                           box_numbers (touch.points, touch.n_points * BULLET_POINT_NUMBERS));
  }
  bodies = g_variant_new (STATE_FORMAT, &list, &pairs, wheel_set_save (self->set.wheels));
  if (self->trees == NULL)
    return bodies;
  return g_variant_new ("(@" STATE_TYPE "@" TREES_TYPE ")", bodies, tree_set_save (self->trees));
}

/* As many as are asked for, none beyond BODY_REACH; or NULL. */
static const double *
read_numbers (GVariant *list, gsize wanted)
{
  const double *numbers;
  gsize n;

  numbers = g_variant_get_fixed_array (list, &n, sizeof *numbers);
  for (gsize i = 0; n == wanted && i < n; i++)
    if (!(fabs (numbers[i]) <= BODY_REACH))
      return NULL;
  return n == wanted ? numbers : NULL;
}

static gboolean
restore_entry (OrreryBullet *self, Entry *entry, GVariant *one)
{
  Body *own = &entry->own;
  g_autoptr (GVariant) list = NULL;
  const double *numbers;
  gint64 holder;

  g_variant_get (one, "(bbbx@ad)", &own->suspended, &own->report, &own->falls, &holder, &list);
  numbers = read_numbers (list, ENTRY_NUMBERS);
  if (numbers == NULL || !body_set_restore_holder (&self->set, own, holder))
    return FALSE;
  memcpy (&own->local, numbers, OWN_NUMBERS * sizeof (double));
  memcpy (&own->held, numbers + OWN_NUMBERS, sizeof own->held);
  bullet_body_restore (entry->body, numbers + OWN_NUMBERS + 7);
  return TRUE;
}

static gboolean
restore_touches (BulletEngine *engine, GVariant *pairs)
{
  gsize n = g_variant_n_children (pairs);
  g_autofree BulletTouch *touches = g_new (BulletTouch, n);

  for (gsize i = 0; i < n; i++) {
    BulletTouch *touch = &touches[i];
    g_autoptr (GVariant) list = NULL;
    const double *numbers;

    g_variant_get_child (pairs, i, "(uuii@ad)", &touch->first, &touch->second, &touch->piece0,
                         &touch->piece1, &list);
    touch->n_points = (guint) (g_variant_n_children (list) / BULLET_POINT_NUMBERS);
    numbers = read_numbers (list, (gsize) touch->n_points * BULLET_POINT_NUMBERS);
    if (numbers == NULL || touch->n_points < 1 || touch->n_points > BULLET_MAX_POINTS)
      return FALSE;
    memcpy (touch->points, numbers, touch->n_points * BULLET_POINT_NUMBERS * sizeof (double));
  }
  bullet_engine_restore_touches (engine, touches, (guint) n);
  return TRUE;
}

static gboolean
restore_bodies (OrreryBullet *self, GVariant *state, GVariant *trees)
{
  gboolean fits = g_variant_is_of_type (state, G_VARIANT_TYPE (STATE_TYPE));
  g_autoptr (GVariant) list = fits ? g_variant_get_child_value (state, 0) : NULL;
  g_autoptr (GVariant) pairs = fits ? g_variant_get_child_value (state, 1) : NULL;
  g_autoptr (GVariant) wheels = fits ? g_variant_get_child_value (state, 2) : NULL;

  fits = fits && g_variant_n_children (list) == self->set.bodies->len;
  for (guint i = 0; fits && i < self->set.bodies->len; i++)
    ((Body *) self->set.bodies->pdata[i])->holder = NULL;
  for (guint i = 0; fits && i < self->set.bodies->len; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

    fits = restore_entry (self, self->set.bodies->pdata[i], one);
  }
  /* What touches is looked for where links are, too. */
  return fits && wheel_set_restore (self->set.wheels, wheels) &&
         (trees == NULL || tree_set_restore (self->trees, trees)) &&
         restore_touches (self->engine, pairs);
}

static gboolean
restore_with_trees (OrreryBullet *self, GVariant *state)
{
  gboolean fits = g_variant_is_of_type (state, G_VARIANT_TYPE ("(" STATE_TYPE TREES_TYPE ")"));
  g_autoptr (GVariant) bodies = fits ? g_variant_get_child_value (state, 0) : NULL;
  g_autoptr (GVariant) trees = fits ? g_variant_get_child_value (state, 1) : NULL;

  return fits && restore_bodies (self, bodies, trees);
}

gboolean
bullet_restore (OrreryBullet *self, GVariant *state, GError **error)
{
  if (self->trees != NULL ? restore_with_trees (self, state) : restore_bodies (self, state, NULL))
    return TRUE;
  orrery_part_refuse_state (ORRERY_PART (self), error);
  return FALSE;
}
