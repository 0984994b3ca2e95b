/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects that may be spawned and removed: all of them are made with the scene; those that are not
 * spawned are parked, which means that they are not in the world. */
#include "world/orrery-quantity-private.h"

void
orrery_world_pool (OrreryWorld *world, OrreryObject *root)
{
  root->pooled = root->parked = TRUE;
  for (guint i = 0; i < root->children->len; i++)
    orrery_world_pool (world, root->children->pdata[i]);
}

/* --- names --- */

static gboolean
is_free (GHashTable *names, OrreryObject *object, const char *alias)
{
  if (g_hash_table_contains (names, alias))
    return FALSE;
  for (guint i = 0; i < object->children->len; i++) {
    OrreryObject *child = object->children->pdata[i];
    g_autofree char *name = g_strconcat (alias, ".", child->basename, NULL);

    if (!is_free (names, child, name))
      return FALSE;
  }
  return TRUE;
}

static void
enter (GHashTable *names, OrreryObject *object, const char *alias)
{
  object->alias = g_strdup (alias);
  g_hash_table_insert (names, object->alias, object);
  for (guint i = 0; i < object->children->len; i++) {
    OrreryObject *child = object->children->pdata[i];
    g_autofree char *name = g_strconcat (alias, ".", child->basename, NULL);

    enter (names, child, name);
  }
}

static void
leave (GHashTable *names, OrreryObject *object)
{
  if (object->alias != NULL)
    g_hash_table_remove (names, object->alias);
  g_clear_pointer (&object->alias, g_free);
  for (guint i = 0; i < object->children->len; i++)
    leave (names, object->children->pdata[i]);
}

gboolean
orrery_world_set_alias (OrreryWorld *world, OrreryObject *root, const char *alias)
{
  GHashTable *names = orrery_world_get_by_name (world);

  leave (names, root);
  if (alias == NULL)
    return TRUE;
  if (!is_free (names, root, alias))
    return FALSE;
  enter (names, root, alias);
  return TRUE;
}

/* --- presence --- */

/* From what was told, for poses that move with a parent are computed later. */
static void
find_pose (OrrerySnapshot *snapshot, guint object, OrreryTransform *out)
{
  guint parent = snapshot->parents[object];

  if (parent == G_MAXUINT) {
    *out = snapshot->local[object];
    return;
  }
  find_pose (snapshot, parent, out);
  orrery_transform_multiply (out, &snapshot->local[object], out);
}

gboolean
orrery_world_set_present (OrreryWorld *world, OrreryObject *object, const OrreryCommand *command)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
  guint i = object->index;

  /* A command may come from a file. */
  if (!object->pooled)
    return TRUE;
  orrery_world_note_presence (world);
  object->parked = !command->flag;
  object->visible = object->starts_visible;
  object->lit = object->lamp != NULL && object->lamp->on;
  orrery_world_take_changes_back (world, i);
  orrery_world_take_quantities_of_back (world, i);
  orrery_world_let_go (world, i);
  snapshot->local[i] = command->pose;
  snapshot->linear[i] = snapshot->angular[i] = (OrreryVec3){ 0 };
  orrery_snapshot_note_local (snapshot, i);
  orrery_joints_begin_again (orrery_world_get_drives (world), snapshot, object);
  if (snapshot->driven[i])
    find_pose (snapshot, i, &snapshot->poses[i]);
  /* An engine may have a body where the object has none. */
  return FALSE;
}
