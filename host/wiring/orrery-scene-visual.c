/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include "roles/orrery-importer-private.h"
#include "world/orrery-world-private.h"

/*
 * The key `visual` of an object or its class: how it looks, of a file that may be missing. It is
 * read when the first camera asks for a renderer, so that a scene without any does not wait for it;
 * bodies collide with what they have in any case.
 */

typedef struct {
  OrreryObject *object;
  char *file;
  char *name;           /* of the object in it */
  OrreryTransform pose; /* of that object in the frame of this one */
  guint n_own;          /* children that the class has; further ones are of the scene */
} Visual;

static void
clear_visual (gpointer data)
{
  Visual *visual = data;

  g_free (visual->file);
  g_free (visual->name);
}

/* What is said last counts: a scene's own after its class's. */
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
orrery_scene_read_visual (OrreryScene *scene, OrreryNode *node, OrreryObject *object)
{
  static const char *const keys[] = { "file", "object", "position", "rotation", NULL };
  OrreryNode *dict = orrery_scene_find (scene->problems, node, "visual", ORRERY_NODE_DICT);
  OrreryVec3 turn = { 0 };
  const char *file, *name;
  Visual *visual;

  if (dict == NULL)
    return;
  orrery_scene_check_keys (scene->problems, dict, keys, "a visual");
  file = orrery_scene_get_text (scene->problems, dict, "file");
  name = orrery_scene_get_text (scene->problems, dict, "object");
  if (file == NULL || name == NULL) {
    if (orrery_node_find (dict, "file") == NULL || orrery_node_find (dict, "object") == NULL)
      orrery_problems_take (scene->problems,
                            orrery_node_error (dict, ORRERY_ERROR_CONFIG,
                                               "a visual needs 'file' and 'object', the name of "
                                               "an object in that file"));
    return;
  }
  visual = get_visual (scene, object);
  clear_visual (visual);
  visual->file = g_strdup (file);
  visual->name = g_strdup (name);
  orrery_transform_identity (&visual->pose);
  orrery_scene_get_vec3 (scene->problems, dict, "position", &visual->pose.position);
  orrery_scene_get_vec3 (scene->problems, dict, "rotation", &turn);
  orrery_quat_from_euler (turn.x, turn.y, turn.z, &visual->pose.rotation);
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

/* --- dressing --- */

typedef struct {
  OrreryObject *object;
  GHashTable *placed; /* (element-type OrreryObject): components, which look as they do */
  GPtrArray *own;     /* (element-type OrreryObject): of the class, that may move by themselves */
} Dress;

static void
collect_own (Dress *dress, OrreryObject *object, guint n)
{
  for (guint i = 0; i < n; i++) {
    OrreryObject *child = object->children->pdata[i];

    if (g_hash_table_contains (dress->placed, child))
      continue;
    g_ptr_array_add (dress->own, child);
    collect_own (dress, child, child->children->len);
  }
}

static void
hide_shapes (OrreryObject *object)
{
  for (guint i = 0; i < object->shapes->len; i++)
    orrery_shape_set_visible (object->shapes->pdata[i], FALSE);
}

static OrreryObject *
find_own (Dress *dress, const char *name)
{
  for (guint i = 0; i < dress->own->len; i++)
    if (g_str_equal (((OrreryObject *) dress->own->pdata[i])->basename, name))
      return dress->own->pdata[i];
  return NULL;
}

/* Rotations of a part of the class and of the part of the file that it looks like, which lies at
 * @pose in the frame of @part: where the file put it does not count, since engines place wheels. */
static void
turn_like (Dress *dress, OrreryObject *own, OrreryObject *part, const OrreryTransform *pose,
           OrreryTransform *out)
{
  OrreryQuat file = pose->rotation, ours = own->start.rotation, back;

  for (; part != dress->object; part = part->parent)
    orrery_quat_multiply (&part->start.rotation, &file, &file);
  for (OrreryObject *above = own->parent; above != dress->object; above = above->parent)
    orrery_quat_multiply (&above->start.rotation, &ours, &ours);
  orrery_transform_identity (out);
  back = (OrreryQuat){ ours.w, -ours.x, -ours.y, -ours.z };
  orrery_quat_multiply (&back, &file, &out->rotation);
}

/* @pose: of @from in the frame of @part, which gets its shapes and those below it. A mesh on a bone
 * of its own name is where it is on the bone. */
static void
add_shapes (Dress *dress, OrreryObject *part, OrreryObject *from, const OrreryTransform *pose)
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
    OrreryObject *own = find_own (dress, child->basename);
    OrreryTransform place;

    orrery_transform_multiply (pose, &child->start, &place);
    if (own == part)
      own = NULL;
    if (own != NULL)
      turn_like (dress, own, part, &place, &place);
    add_shapes (dress, own != NULL ? own : part, child, &place);
  }
}

static void
dress_object (OrreryScene *scene, GHashTable *placed, const Visual *visual)
{
  g_autofree char *path = orrery_scene_find_model (scene, visual->file, "");
  Dress dress = { visual->object, placed, NULL };
  g_autoptr (GError) error = NULL;
  OrreryImport *model = path != NULL ? orrery_scene_get_model (scene, path, &error) : NULL;
  OrreryObject *from;

  if (error != NULL)
    g_warning ("%s: %s; it looks as it does without that file",
               orrery_object_get_name (visual->object), error->message);
  if (model == NULL)
    return;
  from = orrery_world_find_object (orrery_import_get_world (model), visual->name);
  if (from == NULL) {
    g_warning ("%s: there is no object %s in %s; it looks as it does without that file",
               orrery_object_get_name (visual->object), visual->name, path);
    return;
  }
  dress.own = g_ptr_array_new ();
  collect_own (&dress, visual->object, visual->n_own);
  hide_shapes (visual->object);
  g_ptr_array_foreach (dress.own, (GFunc) (GCallback) hide_shapes, NULL);
  add_shapes (&dress, visual->object, from, &visual->pose);
  g_ptr_array_unref (dress.own);
  orrery_scene_note_source (scene, visual->file, path);
}

void
orrery_scene_dress (OrreryScene *scene)
{
  g_autoptr (GHashTable) placed = g_hash_table_new (NULL, NULL);

  if (scene->visuals == NULL && scene->paints == NULL)
    return;
  for (guint i = 0; i < scene->placements->len; i++)
    g_hash_table_add (placed, g_array_index (scene->placements, OrreryPlacement, i).object);
  for (guint i = 0; scene->visuals != NULL && i < scene->visuals->len; i++)
    dress_object (scene, placed, &g_array_index (scene->visuals, Visual, i));
  orrery_scene_paint (scene, placed);
  g_clear_pointer (&scene->visuals, g_array_unref);
  g_hash_table_remove_all (scene->models);
}
