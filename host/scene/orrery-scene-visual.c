/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The key `visual` of an object or its class: a file, which may be missing, that says how it looks.
 * The file is read when the first camera asks for a renderer, so that scenes without cameras do not
 * wait for it; it never changes what bodies collide with.
 */
#include "scene/orrery-scene-private.h"

#include "roles/orrery-importer-private.h"
#include "world/orrery-world-private.h"

typedef struct {
  OrreryObject *object;
  char *file;
  char *name;           /* of the object in it */
  OrreryTransform pose; /* of that object in the frame of this one */
  guint n_own;          /* children from the class; the others come from the scene */
} Visual;

static void
clear_visual (gpointer data)
{
  Visual *visual = data;

  g_free (visual->file);
  g_free (visual->name);
}

/* The last visual applies: that of the scene overrides that of the class. */
static Visual *
get_visual (OrreryScene *scene, OrreryObject *object)
{
  Visual visual = { .object = object };

  if (scene->visuals == NULL) {
    scene->visuals = g_array_new (FALSE, TRUE, sizeof (Visual));
    g_array_set_clear_func (scene->visuals, clear_visual);
  }
  for (guint i = scene->visuals->len; i-- > 0;)
    if (g_array_index (scene->visuals, Visual, i).object == object)
      return &g_array_index (scene->visuals, Visual, i);
  g_array_append_val (scene->visuals, visual);
  return &g_array_index (scene->visuals, Visual, scene->visuals->len - 1);
}

void
orrery_scene_read_visual (OrreryScene *scene, OrreryNode *dict, OrreryObject *object)
{
  OrreryVisualKeys keys;
  Visual *visual;

  if (dict == NULL || !orrery_keys_read (scene->problems, dict, &orrery_visual_keys, &keys) ||
      !orrery_scene_may_read (scene, keys.file))
    return;
  visual = get_visual (scene, object);
  clear_visual (visual);
  visual->file = g_strdup (orrery_node_get_text (keys.file));
  visual->name = g_strdup (orrery_node_get_text (keys.object));
  visual->pose.position = keys.position;
  orrery_quat_from_euler (keys.rotation.x, keys.rotation.y, keys.rotation.z,
                          &visual->pose.rotation);
}

void
orrery_scene_note_own_children (OrreryScene *scene, OrreryObject *object)
{
  for (guint i = 0; scene->visuals != NULL && i < scene->visuals->len; i++)
    if (g_array_index (scene->visuals, Visual, i).object == object)
      g_array_index (scene->visuals, Visual, i).n_own = object->children->len;
}

void
orrery_scene_drop_visual (OrreryScene *scene, OrreryObject *object)
{
  for (guint i = scene->visuals != NULL ? scene->visuals->len : 0; i-- > 0;)
    if (g_array_index (scene->visuals, Visual, i).object == object)
      g_array_remove_index (scene->visuals, i);
}

/* --- applying it --- */

typedef struct {
  OrreryObject *object;
  GHashTable *placed; /* (element-type OrreryObject): components, which keep their own look */
  GPtrArray *own;     /* (element-type OrreryObject): from the class; they may move by themselves */
} VisualTarget;

static void
collect_own (VisualTarget *target, OrreryObject *object, guint n)
{
  for (guint i = 0; i < n; i++) {
    OrreryObject *child = object->children->pdata[i];

    if (g_hash_table_contains (target->placed, child))
      continue;
    g_ptr_array_add (target->own, child);
    collect_own (target, child, child->children->len);
  }
}

static void
hide_shapes (OrreryObject *object)
{
  for (guint i = 0; i < object->shapes->len; i++)
    orrery_shape_set_visible (object->shapes->pdata[i], FALSE);
}

static OrreryObject *
find_own (VisualTarget *target, const char *name)
{
  for (guint i = 0; i < target->own->len; i++)
    if (g_str_equal (((OrreryObject *) target->own->pdata[i])->basename, name))
      return target->own->pdata[i];
  return NULL;
}

/* Computes the rotation from @own, an object of the class, to the object of the file that it looks
 * like, which lies at @pose in the frame of @part. The position in the file is ignored, because
 * engines place wheels. */
static void
turn_like (VisualTarget *target, OrreryObject *own, OrreryObject *part, const OrreryTransform *pose,
           OrreryTransform *out)
{
  OrreryQuat file = pose->rotation, ours = own->start.rotation, back;

  for (; part != target->object; part = part->parent)
    orrery_quat_multiply (&part->start.rotation, &file, &file);
  for (OrreryObject *above = own->parent; above != target->object; above = above->parent)
    orrery_quat_multiply (&above->start.rotation, &ours, &ours);
  orrery_transform_identity (out);
  back = (OrreryQuat){ ours.w, -ours.x, -ours.y, -ours.z };
  orrery_quat_multiply (&back, &file, &out->rotation);
}

/* Adds the shapes of @from and of the objects below it to @part. @pose: of @from in the frame of
 * @part. A mesh whose name is that of a bone is placed relative to that bone. */
static void
add_shapes (VisualTarget *target, OrreryObject *part, OrreryObject *from,
            const OrreryTransform *pose)
{
  for (guint i = 0; i < from->shapes->len; i++) {
    g_autoptr (OrreryShape) shape = NULL;

    if (!orrery_shape_is_visible (from->shapes->pdata[i]))
      continue;
    shape = orrery_shape_new_seen (from->shapes->pdata[i], pose);
    orrery_object_add_shape (part, shape);
  }
  for (guint i = 0; i < from->children->len; i++) {
    OrreryObject *child = from->children->pdata[i];
    OrreryObject *own = find_own (target, child->basename);
    OrreryTransform place;

    orrery_transform_multiply (pose, &child->start, &place);
    if (own == part)
      own = NULL;
    if (own != NULL)
      turn_like (target, own, part, &place, &place);
    add_shapes (target, own != NULL ? own : part, child, &place);
  }
}

static void
apply_visual (OrreryScene *scene, GHashTable *placed, const Visual *visual)
{
  g_autofree char *path = orrery_scene_find_model (scene, visual->file, "");
  VisualTarget target = { visual->object, placed, NULL };
  g_autoptr (GError) error = NULL;
  OrreryImport *model = path != NULL ? orrery_scene_get_model (scene, path, &error) : NULL;
  OrreryObject *from;

  if (error != NULL)
    g_warning ("%s: %s; its own shapes are visible instead",
               orrery_object_get_name (visual->object), error->message);
  if (model == NULL)
    return;
  from = orrery_world_find_object (orrery_import_get_world (model), visual->name);
  if (from == NULL) {
    g_warning ("%s: there is no object %s in %s; its own shapes are visible instead",
               orrery_object_get_name (visual->object), visual->name, path);
    return;
  }
  target.own = g_ptr_array_new ();
  collect_own (&target, visual->object, visual->n_own);
  hide_shapes (visual->object);
  g_ptr_array_foreach (target.own, (GFunc) (GCallback) hide_shapes, NULL);
  add_shapes (&target, visual->object, from, &visual->pose);
  g_ptr_array_unref (target.own);
  orrery_scene_note_source (scene, visual->file, path);
}

void
orrery_scene_apply_visuals (OrreryScene *scene)
{
  g_autoptr (GHashTable) placed = g_hash_table_new (NULL, NULL);

  scene->has_looks = TRUE;
  if (scene->visuals == NULL && scene->paints == NULL &&
      (scene->materials == NULL || scene->n_painted == orrery_world_get_n_objects (scene->world)))
    return;
  for (guint i = 0; i < scene->members->len; i++)
    g_hash_table_add (placed, g_array_index (scene->members, OrreryMember, i).object);
  for (guint i = 0; scene->visuals != NULL && i < scene->visuals->len; i++)
    apply_visual (scene, placed, &g_array_index (scene->visuals, Visual, i));
  orrery_scene_paint (scene, placed);
  g_clear_pointer (&scene->visuals, g_array_unref);
  g_hash_table_remove_all (scene->models);
}
