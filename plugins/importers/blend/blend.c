/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of .blend files: orders their objects and adds them to the world. */
#define G_LOG_DOMAIN "orrery.importers.blend"

#include "blend-armature.h"
#include "blend-logic.h"

#include <math.h>

/*
 * Reads files of Blender up to 2.79, the format of MORSE's models and environments: objects, their
 * tree and matrices, meshes, materials, textures, lamps, cameras, armatures, physics settings of
 * the game engine, game properties, and logic bricks that need no Python. Everything else is left
 * out, with one message.
 */
typedef struct {
  OrreryImporter parent_instance;
} OrreryBlendImporter;
ORRERY_DEFINE_CLASS (OrreryBlendImporter, orrery_blend_importer, OrreryImporter, orrery_importer)

#define MAX_OBJECTS 100000u

static void
clear_object (gpointer data)
{
  blend_object_clear (data);
}

static GArray *
list_objects (const BlendFile *file)
{
  g_autoptr (GArray) structs = blend_file_list (file, "OB");
  GArray *objects = g_array_new (FALSE, FALSE, sizeof (BlendObject));
  g_autoptr (GHashTable) indices = g_hash_table_new (NULL, NULL);

  g_array_set_clear_func (objects, clear_object);
  for (guint i = 0; i < structs->len; i++) {
    const BlendStruct *s = &g_array_index (structs, BlendStruct, i);
    BlendObject object;

    blend_object_init (&object, s);
    g_array_append_val (objects, object);
    g_hash_table_insert (indices, (gpointer) blend_struct_get_key (s), GUINT_TO_POINTER (i + 1));
  }
  for (guint i = 0; i < objects->len; i++) {
    BlendObject *object = &g_array_index (objects, BlendObject, i);
    BlendStruct parent;

    if (blend_struct_follow (&object->object, "parent", &parent))
      object->parent =
          GPOINTER_TO_INT (g_hash_table_lookup (indices, blend_struct_get_key (&parent))) - 1;
  }
  return objects;
}

/* The state of an object while chains of parents are followed. */
enum { NEW, ON_THE_WAY, DONE };

/* In a cycle of parents one object loses its parent. */
static void
cut_rings (GArray *objects)
{
  g_autofree guint8 *states = g_new0 (guint8, objects->len + 1);

  for (guint i = 0; i < objects->len; i++) {
    BlendObject *object = NULL;
    int at = (int) i;

    for (; at >= 0 && states[at] == NEW; at = object->parent) {
      object = &g_array_index (objects, BlendObject, at);
      states[at] = ON_THE_WAY;
    }
    if (at >= 0 && object != NULL && states[at] == ON_THE_WAY)
      object->parent = -1;
    for (at = (int) i; at >= 0 && states[at] == ON_THE_WAY;
         at = g_array_index (objects, BlendObject, at).parent)
      states[at] = DONE;
  }
}

/* The number of passes over the file after which an object and all its parents are placed. */
static guint
find_round (GArray *objects, int at, guint *rounds)
{
  g_autoptr (GArray) below = g_array_new (FALSE, FALSE, sizeof (int));
  int parent = at;

  while (parent >= 0 && rounds[parent] == 0) {
    g_array_append_val (below, parent);
    parent = g_array_index (objects, BlendObject, parent).parent;
  }
  for (guint i = below->len; i > 0; i--) {
    int child = g_array_index (below, int, i - 1);

    rounds[child] = parent < 0 ? 1 : rounds[parent] + (parent < child ? 0 : 1);
    parent = child;
  }
  return rounds[at];
}

typedef struct {
  guint round;
  guint index;
} Turn;

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const Turn *x = a, *y = b;

  if (x->round != y->round)
    return x->round < y->round ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Parents first, else as they stand in the file: by their names.
 * Returns: (element-type Turn) */
static GArray *
order_objects (GArray *objects)
{
  GArray *turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  g_autofree guint *rounds = g_new0 (guint, objects->len + 1);

  for (guint i = 0; i < objects->len; i++) {
    Turn turn = { find_round (objects, (int) i, rounds), i };

    g_array_append_val (turns, turn);
  }
  g_array_sort (turns, compare_turns);
  return turns;
}

/* Object.partype: a bone of the parent carries it */
#define PARENT_BONE 7

/* Finds what carries an object, its parent or a bone of that, and the pose of it in the world. */
static OrreryObject *
find_carrier (const BlendObject *object, const BlendObject *parent, OrreryTransform *pose)
{
  const BlendBone *bone = NULL;

  if (parent == NULL)
    return NULL;
  *pose = parent->pose;
  if ((blend_struct_get_int (&object->object, "partype") & 0xf) == PARENT_BONE) {
    g_autofree char *name = blend_struct_get_text (&object->object, "parsubstr");

    bone = blend_armature_find (parent, name);
  }
  if (bone == NULL)
    return parent->out;
  orrery_transform_multiply (&parent->pose, &bone->posed, pose);
  return bone->out;
}

/* Keeps the lists in messages short. */
#define MAX_NAMED 20

/* What a file has and is read only in part, or not at all. */
enum { LEFT_BRICKS, LEFT_BENT, LEFT_PLAIN, LEFT_OTHERS, N_LEFT };

static const char *const left_words[N_LEFT] = {
  "logic bricks are not read",
  "meshes do not bend with their bones",
  "modifiers of meshes are not applied",
  "objects are neither meshes, lamps, cameras nor armatures",
};

typedef struct {
  double rate; /* Hz, of the game's logic */
  struct {
    guint n;         /* of them */
    guint n_objects; /* that have them */
    GString *names;  /* NULL, or those of the first MAX_NAMED objects */
  } kinds[N_LEFT];
} Left;

static void
add_left (Left *left, guint kind, guint n, const BlendObject *object)
{
  GString **names = &left->kinds[kind].names;

  if (n == 0)
    return;
  left->kinds[kind].n += n;
  if (left->kinds[kind].n_objects++ >= MAX_NAMED)
    return;
  if (*names == NULL)
    *names = g_string_new (NULL);
  g_string_append_printf (*names, "%s'%.60s'", (*names)->len > 0 ? ", " : "", object->name);
}

static void
count_left (const BlendObject *object, Left *left)
{
  g_autoptr (GArray) modifiers = blend_struct_get_list (&object->object, "modifiers");
  guint n_bent = 0, n_plain = 0;

  if (object->kind != BLEND_EMPTY && object->kind != BLEND_MESH && object->kind != BLEND_LAMP &&
      object->kind != BLEND_CAMERA && object->kind != BLEND_ARMATURE)
    add_left (left, LEFT_OTHERS, 1, object);
  for (guint i = 0; i < modifiers->len; i++) {
    const char *type = blend_struct_get_type (&g_array_index (modifiers, BlendStruct, i));

    if (g_str_equal (type, "ArmatureModifierData"))
      n_bent++;
    else if (!g_str_equal (type, "MirrorModifierData"))
      n_plain++;
  }
  add_left (left, LEFT_BENT, n_bent, object);
  add_left (left, LEFT_PLAIN, n_plain, object);
}

static gboolean
add_object (OrreryImport *import, GArray *objects, BlendObject *object, BlendLook *look, Left *left,
            GError **error)
{
  BlendObject *parent =
      object->parent >= 0 ? &g_array_index (objects, BlendObject, object->parent) : NULL;
  OrreryTransform start = object->pose;
  OrreryTransform carried;
  OrreryObject *carrier = find_carrier (object, parent, &carried);

  object->out = orrery_import_add_object (import, object->name, carrier, error);
  if (object->out == NULL)
    return FALSE;
  if (carrier != NULL)
    orrery_transform_relative (&carried, &object->pose, &start);
  orrery_object_set_start (object->out, &start);
  orrery_import_set_scale (import, object->out,
                           &(OrreryVec3){ object->scale.m[0], object->scale.m[4],
                                          object->scale.m[8] });
  blend_object_read_camera (object);
  blend_object_read_values (object);
  add_left (left, LEFT_BRICKS, blend_logic_read (object, import, left->rate), object);
  count_left (object, left);
  if (object->kind == BLEND_ARMATURE && !blend_armature_read (object, import, error))
    return FALSE;
  if (blend_object_read_body (object, parent, look)) {
    blend_object_read_look (object);
    return TRUE;
  }
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: more than %u triangles", object->name,
                           BLEND_MAX_TRIANGLES);
}

static gboolean
add_objects (OrreryImport *import, GArray *objects, BlendLook *look, Left *left, GError **error)
{
  g_autoptr (GArray) turns = order_objects (objects);

  for (guint i = 0; i < turns->len; i++) {
    BlendObject *object =
        &g_array_index (objects, BlendObject, g_array_index (turns, Turn, i).index);

    if (!add_object (import, objects, object, look, left, error))
      return FALSE;
    if (blend_file_is_spent (object->object.file))
      return orrery_set_error (
          error, ORRERY_ERROR_CONFIG,
          "too much to read: at object %u of %u the same data is referred to too often", i + 1,
          turns->len);
  }
  return TRUE;
}

static void
note_missing (GPtrArray *missing, const char *path)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < missing->len && i < MAX_NAMED; i++)
    g_string_append_printf (words, "%s'%.200s'", i > 0 ? ", " : "",
                            (const char *) missing->pdata[i]);
  if (missing->len > MAX_NAMED)
    g_string_append_printf (words, " and %u more", missing->len - MAX_NAMED);
  if (missing->len > 0)
    g_message ("%s: textures could not be read, plain colours are used instead: %s", path,
               words->str);
}

static void
note_left (const Left *left, const BlendLook *look, const char *path)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < N_LEFT; i++) {
    guint n_objects = left->kinds[i].n_objects;

    if (n_objects == 0)
      continue;
    g_string_append_printf (words, "%s%u %s: %s", words->len > 0 ? "; " : "", left->kinds[i].n,
                            left_words[i], left->kinds[i].names->str);
    if (n_objects > MAX_NAMED)
      g_string_append_printf (words, " and %u more", n_objects - MAX_NAMED);
  }
  if (words->len > 0)
    g_message ("%s: %s", path, words->str);
  note_missing (look->missing, path);
}

static void
clear_left (Left *left)
{
  for (guint i = 0; i < N_LEFT; i++)
    if (left->kinds[i].names != NULL)
      g_string_free (left->kinds[i].names, TRUE);
}

/* Logic ticks in a second, of the first scene. */
static double
find_rate (const BlendFile *file)
{
  g_autoptr (GArray) scenes = blend_file_list (file, "SC");
  BlendStruct game;
  gint64 rate = 0;

  if (scenes->len > 0 &&
      blend_struct_get_struct (&g_array_index (scenes, BlendStruct, 0), "gm", &game))
    rate = blend_struct_get_int (&game, "ticrate");
  return rate >= 1 && rate <= 10000 ? (double) rate : 60;
}

static void
orrery_blend_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                            GError **error)
{
  g_autoptr (BlendFile) file = blend_file_open (path, error);
  g_autoptr (GArray) objects = NULL;
  Left left = { 0 };
  BlendLook look;

  if (file == NULL)
    return;
  objects = list_objects (file);
  if (objects->len > MAX_OBJECTS) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: more than %u objects", path, MAX_OBJECTS);
    return;
  }
  left.rate = find_rate (file);
  cut_rings (objects);
  blend_look_init (&look, path);
  if (add_objects (import, objects, &look, &left, error))
    note_left (&left, &look, path);
  else
    g_prefix_error (error, "%s: ", path);
  blend_look_clear (&look);
  clear_left (&left);
}

static void
orrery_blend_importer_class_init (OrreryBlendImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_blend_importer_load;
}

ORRERY_PLUGIN ("Reads files of Blender up to 2.79", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryBlendImporter, orrery_blend_importer))
