/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the armature that an actuator moves. */
#include "armature.h"

/* Which armature an actuator is for: the one that it carries, or another by its name. */

static gboolean
has_joints (OrreryObject *object)
{
  g_autoptr (GPtrArray) joints = g_ptr_array_new ();

  orrery_object_collect_joints (object, joints);
  return joints->len > 0 && !(joints->len == 1 && joints->pdata[0] == object);
}

/* Whether objects have the name, and joints below: in the tree order, those of components not. */
static void
collect_named (OrrerySetup *setup, OrreryObject *object, const char *name, GPtrArray *found)
{
  GPtrArray *children = orrery_object_get_children (object);

  if (g_str_equal (orrery_object_get_basename (object), name) && has_joints (object) &&
      orrery_setup_find_component (setup, orrery_object_get_name (object)) == NULL)
    g_ptr_array_add (found, object);
  for (guint i = 0; i < children->len; i++)
    collect_named (setup, children->pdata[i], name, found);
}

static OrreryObject *
get_root (OrreryObject *object)
{
  while (orrery_object_get_parent (object) != NULL)
    object = orrery_object_get_parent (object);
  return object;
}

/* Objects with joints right below them, as armatures are. */
static void
collect_armatures (OrreryObject *object, GPtrArray *names)
{
  GPtrArray *children = orrery_object_get_children (object);
  gboolean is_one = FALSE;

  for (guint i = 0; i < children->len && !is_one; i++)
    is_one = orrery_object_has_moving_joint (children->pdata[i]);
  if (is_one && !orrery_object_has_moving_joint (object))
    g_ptr_array_add (names, (gpointer) orrery_object_get_basename (object));
  for (guint i = 0; i < children->len; i++)
    collect_armatures (children->pdata[i], names);
}

static void
set_unknown (OrreryArmature *self, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < orrery_world_get_n_objects (self->world); i++)
    if (orrery_object_get_parent (orrery_world_get_object (self->world, i)) == NULL)
      collect_armatures (orrery_world_get_object (self->world, i), names);
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (self->armature, (const char *const *) names->pdata);
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "%s: there is no armature %.60s: no object of that name with joints below it%s",
                    orrery_part_get_name (ORRERY_PART (self)), self->armature, nearest);
}

OrreryObject *
armature_find_base (OrreryArmature *self, OrrerySetup *setup, GError **error)
{
  OrreryObject *own = orrery_setup_get_object (setup);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  OrreryObject *object;

  if (*self->armature == '\0')
    return own;
  object = orrery_world_find_object (self->world, self->armature);
  if (object != NULL && has_joints (object))
    return object;
  collect_named (setup, get_root (own), self->armature, found);
  if (found->len == 0)
    for (guint i = 0; i < orrery_world_get_n_objects (self->world); i++)
      if (orrery_object_get_parent (orrery_world_get_object (self->world, i)) == NULL)
        collect_named (setup, orrery_world_get_object (self->world, i), self->armature, found);
  if (found->len == 1)
    return found->pdata[0];
  if (found->len == 0)
    set_unknown (self, error);
  else
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "%s: there are %u armatures %.60s, as %s and %s: use the full name of one of them",
        orrery_part_get_name (ORRERY_PART (self)), found->len, self->armature,
        orrery_object_get_name (found->pdata[0]), orrery_object_get_name (found->pdata[1]));
  return NULL;
}
