/* SPDX-License-Identifier: BSD-3-Clause */
/* Which objects move with others because they were attached to them. */
#include "world/orrery-quantity-private.h"

/* In the order of the objects that are held. */
typedef struct {
  guint object;
  guint holder;
} Hold;

static GArray *
get_holds (OrreryWorld *world)
{
  return orrery_world_get_changing (world)->holds;
}

GArray *
orrery_holds_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Hold));
}

gint64
orrery_world_get_holder (OrreryWorld *world, guint object)
{
  GArray *holds = get_holds (world);

  for (guint i = 0; i < holds->len; i++)
    if (g_array_index (holds, Hold, i).object == object)
      return g_array_index (holds, Hold, i).holder;
  return -1;
}

gboolean
orrery_world_is_held_by (OrreryWorld *world, OrreryObject *object, OrreryObject *holder)
{
  GPtrArray *objects = orrery_world_get_objects (world);

  for (; holder != NULL; holder = holder->parent) {
    gint64 next = orrery_world_get_holder (world, holder->index);

    if (holder == object ||
        (next >= 0 && orrery_world_is_held_by (world, object, objects->pdata[next])))
      return TRUE;
  }
  return FALSE;
}

static void
forget (GArray *holds, guint object)
{
  for (guint i = 0; i < holds->len; i++)
    if (g_array_index (holds, Hold, i).object == object) {
      g_array_remove_index (holds, i);
      return;
    }
}

gboolean
orrery_world_hold (OrreryWorld *world, guint object, gint64 holder)
{
  GPtrArray *objects = orrery_world_get_objects (world);
  GArray *holds = get_holds (world);
  Hold hold = { object, (guint) MAX (holder, 0) };
  guint place = 0;

  if (holder >= 0 &&
      orrery_world_is_held_by (world, objects->pdata[object], objects->pdata[holder]))
    return FALSE;
  forget (holds, object);
  while (place < holds->len && g_array_index (holds, Hold, place).object < object)
    place++;
  if (holder >= 0)
    g_array_insert_val (holds, place, hold);
  return TRUE;
}

void
orrery_world_let_go (OrreryWorld *world, guint object)
{
  GArray *holds = get_holds (world);

  forget (holds, object);
  for (guint i = holds->len; i > 0; i--)
    if (g_array_index (holds, Hold, i - 1).holder == object)
      g_array_remove_index (holds, i - 1);
}

GVariant *
orrery_world_save_holds (OrreryWorld *world)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE (ORRERY_HOLDS_TYPE));
  GArray *holds = get_holds (world);

  for (guint i = 0; i < holds->len; i++)
    g_variant_builder_add (&list, "(uu)", g_array_index (holds, Hold, i).object,
                           g_array_index (holds, Hold, i).holder);
  return g_variant_builder_end (&list);
}

gboolean
orrery_world_check_holds (OrreryWorld *world, GVariant *list)
{
  guint n = orrery_world_get_n_objects (world);

  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    guint object, holder;

    g_variant_get_child (list, i, "(uu)", &object, &holder);
    if (object >= n || holder >= n)
      return FALSE;
  }
  return TRUE;
}

void
orrery_world_put_holds (OrreryWorld *world, GVariant *list)
{
  g_array_set_size (get_holds (world), 0);
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    guint object, holder;

    g_variant_get_child (list, i, "(uu)", &object, &holder);
    /* One that would close a ring is passed over, as in a tick. */
    orrery_world_hold (world, object, holder);
  }
}
