/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of importers, and what an importer has read from a file. */
#include "roles/orrery-importer-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-hash-private.h"
#include "base/orrery-message.h"
#include "world/orrery-lamp.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* What was chosen although its parent in the file was not. */
typedef struct {
  OrreryObject *object;
  OrreryObject *parent; /* in the attic; NULL: a root of the file */
} Orphan;

/* Of the full names of all objects of a file: those of a long chain are long themselves. */
#define MAX_NAME_BYTES ((gsize) 64 << 20)
#define MAX_OBJECTS 200000u

struct _OrreryImport {
  gatomicrefcount refs;
  OrreryWorld *world;
  OrreryObject *target; /* NULL: all is taken, as it stands in the file */
  char *object;
  char *prefix;
  OrreryWorld *attic; /* what was not chosen; the importer fills it in all the same */
  GHashTable *left;   /* (element-type OrreryObject): those in the attic */
  GArray *orphans;    /* (element-type Orphan): the first one is the target */
  GPtrArray *names;   /* (element-type utf8): all that the file has, as it calls it */
  GArray *parts;      /* (element-type OrreryImportPart) */
  gboolean has_last;  /* the part that was added last is among them */
  GVariantDict *options;
  GHashTable *taken; /* (element-type utf8 guint): the last number behind a name */
  gsize n_name_bytes;
  guint read_limit; /* s */
  GCancellable *cancellable;
  GPtrArray *files; /* (element-type utf8): those that were read beside the first */
  GString *renamed; /* who got a number, the first of them */
  guint n_renamed;
};

/* Keeps the list in the message short. */
#define MAX_RENAMED 20

G_DEFINE_BOXED_TYPE (OrreryImport, orrery_import, orrery_import_ref, orrery_import_unref)
ORRERY_DEFINE_ABSTRACT_TYPE (OrreryImporter, orrery_importer, ORRERY_TYPE_PART)

static void
orrery_importer_class_init (OrreryImporterClass *klass)
{
}

static void
clear_part (gpointer data)
{
  OrreryImportPart *part = data;

  g_free (part->name);
  g_free (part->classpath);
  g_variant_unref (part->properties);
  g_clear_pointer (&part->modifiers, g_ptr_array_unref);
}

OrreryImport *
orrery_import_new (OrreryWorld *world)
{
  OrreryImport *import = g_new0 (OrreryImport, 1);

  g_atomic_ref_count_init (&import->refs);
  import->world = g_object_ref (world);
  import->names = g_ptr_array_new_with_free_func (g_free);
  import->renamed = g_string_new (NULL);
  import->taken = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);
  import->parts = g_array_new (FALSE, FALSE, sizeof (OrreryImportPart));
  import->options = g_variant_dict_new (NULL);
  import->read_limit = ORRERY_IMPORT_READ_LIMIT;
  g_array_set_clear_func (import->parts, clear_part);
  return import;
}

OrreryImport *
orrery_import_new_into (OrreryWorld *world, OrreryObject *target, const char *object,
                        const char *prefix)
{
  OrreryImport *import = orrery_import_new (world);

  import->target = target;
  import->object = g_strdup (object);
  import->prefix = g_strdup (prefix);
  import->attic = orrery_world_new ();
  import->left = g_hash_table_new (NULL, NULL);
  import->orphans = g_array_new (FALSE, FALSE, sizeof (Orphan));
  return import;
}

static void
import_free (OrreryImport *import)
{
  g_clear_object (&import->cancellable);
  g_clear_object (&import->world);
  g_clear_pointer (&import->files, g_ptr_array_unref);
  g_free (import->object);
  g_free (import->prefix);
  g_clear_object (&import->attic);
  g_clear_pointer (&import->left, g_hash_table_unref);
  g_clear_pointer (&import->orphans, g_array_unref);
  g_clear_pointer (&import->names, g_ptr_array_unref);
  g_clear_pointer (&import->taken, g_hash_table_unref);
  g_string_free (import->renamed, TRUE);
  g_clear_pointer (&import->parts, g_array_unref);
  g_clear_pointer (&import->options, g_variant_dict_unref);
  g_free (import);
}

ORRERY_DEFINE_COUNTED (OrreryImport, orrery_import, refs, import_free)

void
orrery_import_limit (OrreryImport *import, guint seconds, GCancellable *cancellable)
{
  import->read_limit = seconds;
  g_set_object (&import->cancellable, cancellable);
}

guint
orrery_import_get_read_limit (OrreryImport *import)
{
  return import->read_limit;
}

void
orrery_import_note_file (OrreryImport *import, const char *path)
{
  g_return_if_fail (import != NULL && path != NULL);

  if (import->files == NULL)
    import->files = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (import->files, g_strdup (path));
}

GPtrArray *
orrery_import_get_files (OrreryImport *import)
{
  return import->files;
}

GCancellable *
orrery_import_get_cancellable (OrreryImport *import)
{
  return import->cancellable;
}

OrreryWorld *
orrery_import_get_world (OrreryImport *import)
{
  return import->world;
}

static char *
join_names (OrreryObject *parent, const char *name)
{
  return parent != NULL ? g_strconcat (orrery_object_get_name (parent), ".", name, NULL)
                        : g_strdup (name);
}

static gboolean
is_taken (OrreryWorld *world, const char *name, OrreryObject *parent)
{
  g_autofree char *full = join_names (parent, name);

  return orrery_world_find_object (world, full) != NULL;
}

/* A name with the first number that makes it another; the search goes on where it last ended. */
static char *
choose_name (OrreryImport *import, OrreryWorld *world, const char *name, OrreryObject *parent)
{
  g_autofree char *full = join_names (parent, name);
  char *chosen = g_strdup (name);
  guint number;

  if (!is_taken (world, name, parent))
    return chosen;
  /* The attic and the world are kept apart: a name free in one may be taken in the other. */
  number = world == import->world
               ? MAX (GPOINTER_TO_UINT (g_hash_table_lookup (import->taken, full)), 1)
               : 1;
  while (is_taken (world, chosen, parent)) {
    g_free (chosen);
    chosen = g_strdup_printf ("%s_%u", name, ++number);
  }
  g_hash_table_insert (import->taken, g_steal_pointer (&full), GUINT_TO_POINTER (number));
  return chosen;
}

static guint
count_depth (OrreryObject *object)
{
  guint n = 0;

  for (; object != NULL; object = orrery_object_get_parent (object))
    n++;
  return n;
}

static void
note_renamed (OrreryImport *import, const char *name, const char *chosen)
{
  if (import->n_renamed++ >= MAX_RENAMED)
    return;
  g_string_append_printf (import->renamed, "%s'%.60s' is '%.70s'",
                          import->renamed->len > 0 ? ", " : "", name, chosen);
}

char *
orrery_import_list_renamed (OrreryImport *import)
{
  if (import->n_renamed == 0)
    return NULL;
  if (import->n_renamed > MAX_RENAMED)
    g_string_append_printf (import->renamed, " and %u more", import->n_renamed - MAX_RENAMED);
  return g_strdup (import->renamed->str);
}

static OrreryObject *
add_object (OrreryImport *import, OrreryWorld *world, const char *name, OrreryObject *parent,
            GError **error)
{
  g_autofree char *mended = g_strdup (*name != '\0' ? name : "object");
  g_autofree char *free_name = NULL;
  OrreryObject *object;

  if (parent != NULL)
    g_strdelimit (mended, ".", '_');
  free_name = choose_name (import, world, mended, parent);
  object = orrery_world_add_object (world, free_name, parent, error);
  if (object == NULL)
    return NULL;
  if (*name != '\0' && !g_str_equal (free_name, mended))
    note_renamed (import, name, free_name);
  import->n_name_bytes += strlen (orrery_object_get_name (object));
  if (import->n_name_bytes <= MAX_NAME_BYTES)
    return object;
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "the full names of its objects have more than %u MiB: they are %u deep in each "
                    "other at '%.60s'",
                    (guint) (MAX_NAME_BYTES >> 20), count_depth (object), free_name);
  return NULL;
}

/* --- components and scripts --- */

ORRERY_DEFINE_GETTER (GArray *, orrery_import_get_parts, OrreryImport, ORRERY_IS_STRUCT,
                      self->parts)

/* Of an object that is not taken nothing is. */
static void
add_part (OrreryImport *import, OrreryImportPart part, const char *classpath, GVariant *properties)
{
  g_autoptr (GVariant) given =
      g_variant_ref_sink (properties != NULL ? properties : g_variant_new ("a{sv}", NULL));

  import->has_last = import->left == NULL || !g_hash_table_contains (import->left, part.object);
  if (!import->has_last) {
    g_free (part.name);
    return;
  }
  part.classpath = g_strdup (classpath);
  part.properties = g_steal_pointer (&given);
  g_array_append_val (import->parts, part);
}

void
orrery_import_add_component (OrreryImport *import, OrreryObject *parent, const char *name,
                             const OrreryTransform *pose, const char *classpath, double frequency,
                             GVariant *properties)
{
  OrreryImportPart part = { .object = parent, .name = g_strdup (name), .frequency = frequency };

  orrery_transform_identity (&part.pose);
  if (pose != NULL)
    part.pose = *pose;
  add_part (import, part, classpath, properties);
}

void
orrery_import_add_modifier (OrreryImport *import, const char *classpath, GVariant *options)
{
  g_autoptr (GVariant) given =
      g_variant_ref_sink (options != NULL ? options : g_variant_new ("a{sv}", NULL));
  OrreryImportPart *part;

  if (!import->has_last)
    return;
  g_return_if_fail (import->parts->len > 0);
  part = &g_array_index (import->parts, OrreryImportPart, import->parts->len - 1);
  if (part->modifiers == NULL)
    part->modifiers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_ptr_array_add (part->modifiers,
                   g_variant_ref_sink (g_variant_new ("(s@a{sv})", classpath, given)));
}

void
orrery_import_set_scale (OrreryImport *import, OrreryObject *object, const OrreryVec3 *scale)
{
  g_return_if_fail (import != NULL && ORRERY_IS_OBJECT (object));
  g_return_if_fail (scale != NULL);

  object->file_scale = *scale;
  object->has_file_scale = TRUE;
}

void
orrery_import_add_script (OrreryImport *import, OrreryObject *object, const char *classpath,
                          GVariant *properties)
{
  OrreryImportPart part = { .object = object };

  orrery_transform_identity (&part.pose);
  add_part (import, part, classpath, properties);
}

void
orrery_import_set_option (OrreryImport *import, const char *name, const char *place,
                          GVariant *value)
{
  g_return_if_fail (ORRERY_IS_STRUCT (import));
  g_return_if_fail (name != NULL && place != NULL && value != NULL);

  g_variant_dict_insert (import->options, name, "(sv)", place, value);
}

/* The dictionary is empty from then on: files are read once. */
GVariant *
orrery_import_get_options (OrreryImport *import)
{
  return g_variant_ref_sink (g_variant_dict_end (import->options));
}

static gboolean
is_left (OrreryImport *import, OrreryObject *object)
{
  return import->left != NULL && object != NULL && g_hash_table_contains (import->left, object);
}

gboolean
orrery_import_add_constraint (OrreryImport *import, OrreryObject *object,
                              const OrreryConstraint *constraint, GError **error)
{
  if (is_left (import, object) || is_left (import, constraint->other))
    return TRUE;
  return orrery_object_add_constraint (object, constraint, error);
}

/* --- a part of a file --- */

static gboolean
is_chosen (OrreryImport *import, const char *name)
{
  if (import->object != NULL)
    return g_str_equal (name, import->object);
  if (import->prefix != NULL)
    return g_str_has_prefix (name, import->prefix);
  return *name != '_';
}

static OrreryObject *
leave_object (OrreryImport *import, const char *name, OrreryObject *parent, GError **error)
{
  gboolean is_left = parent != NULL && g_hash_table_contains (import->left, parent);
  OrreryObject *object = add_object (import, import->attic, name, is_left ? parent : NULL, error);

  if (object != NULL)
    g_hash_table_add (import->left, object);
  return object;
}

/* The first one is what the target becomes. */
static OrreryObject *
add_orphan (OrreryImport *import, const char *name, OrreryObject *parent, GError **error)
{
  Orphan orphan = { import->target, parent };

  if (import->orphans->len > 0)
    orphan.object = add_object (import, import->world, name, import->target, error);
  if (orphan.object != NULL)
    g_array_append_val (import->orphans, orphan);
  return orphan.object;
}

static OrreryObject *
sort_object (OrreryImport *import, const char *name, OrreryObject *parent, GError **error)
{
  gboolean is_below = parent != NULL && !g_hash_table_contains (import->left, parent);

  if (is_below && *name != '_')
    return add_object (import, import->world, name, parent, error);
  if (!is_below && is_chosen (import, name))
    return add_orphan (import, name, parent, error);
  return leave_object (import, name, parent, error);
}

OrreryObject *
orrery_import_add_object (OrreryImport *import, const char *name, OrreryObject *parent,
                          GError **error)
{
  if (import->names->len >= MAX_OBJECTS) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "more than %u objects in it", MAX_OBJECTS);
    return NULL;
  }
  g_ptr_array_add (import->names, g_strdup (name));
  return import->target != NULL ? sort_object (import, name, parent, error)
                                : add_object (import, import->world, name, parent, error);
}

/* --- once read, used again --- */

static void
copy_object (OrreryObject *from, OrreryObject *to)
{
  g_autofree const char **names = orrery_object_get_value_names (from);
  GPtrArray *shapes = orrery_object_get_shapes (from);
  const OrreryLamp *lamp = orrery_object_get_lamp (from);

  orrery_object_set_start (to, orrery_object_get_start (from));
  *orrery_object_get_body (to) = *orrery_object_get_body (from);
  orrery_object_set_inertial (to, orrery_object_get_inertial (from));
  to->file_scale = from->file_scale;
  to->has_file_scale = from->has_file_scale;
  if (orrery_object_get_joint (from) != NULL)
    orrery_object_set_joint (to, orrery_object_get_joint (from));
  if (lamp != NULL)
    *orrery_object_add_lamp (to) = *lamp;
  /* Nobody changes a shape once it is made. */
  for (guint i = 0; i < shapes->len; i++)
    orrery_object_add_shape (to, shapes->pdata[i]);
  for (guint i = 0; names[i] != NULL; i++)
    orrery_object_set_value (to, names[i], orrery_object_get_value (from, names[i]));
}

static void
copy_parts (OrreryImport *from, OrreryImport *to, GPtrArray *copies)
{
  for (guint i = 0; i < from->parts->len; i++) {
    const OrreryImportPart *part = &g_array_index (from->parts, OrreryImportPart, i);
    OrreryObject *object = copies->pdata[orrery_object_get_index (part->object)];

    if (part->name != NULL)
      orrery_import_add_component (to, object, part->name, &part->pose, part->classpath,
                                   part->frequency, part->properties);
    else
      orrery_import_add_script (to, object, part->classpath, part->properties);
    for (guint k = 0; part->modifiers != NULL && k < part->modifiers->len; k++) {
      g_autoptr (GVariant) options = g_variant_get_child_value (part->modifiers->pdata[k], 1);
      const char *classpath;

      g_variant_get_child (part->modifiers->pdata[k], 0, "&s", &classpath);
      orrery_import_add_modifier (to, classpath, options);
    }
  }
}

static gboolean
copy_constraints (OrreryObject *from, OrreryImport *to, GPtrArray *copies, GError **error)
{
  GArray *constraints = orrery_object_get_constraints (from);

  for (guint i = 0; constraints != NULL && i < constraints->len; i++) {
    OrreryConstraint constraint = g_array_index (constraints, OrreryConstraint, i);

    if (constraint.other != NULL)
      constraint.other = copies->pdata[orrery_object_get_index (constraint.other)];
    if (!orrery_import_add_constraint (to, copies->pdata[orrery_object_get_index (from)],
                                       &constraint, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
orrery_import_copy (OrreryImport *from, OrreryImport *to, GError **error)
{
  g_autoptr (GPtrArray) copies = g_ptr_array_new ();

  g_return_val_if_fail (from->names->len == orrery_world_get_n_objects (from->world), FALSE);

  for (guint i = 0; i < from->names->len; i++) {
    OrreryObject *object = orrery_world_get_object (from->world, i);
    OrreryObject *parent = orrery_object_get_parent (object);
    OrreryObject *copy =
        orrery_import_add_object (to, from->names->pdata[i],
                                  parent != NULL ? copies->pdata[orrery_object_get_index (parent)]
                                                 : NULL,
                                  error);

    if (copy == NULL)
      return FALSE;
    copy_object (object, copy);
    g_ptr_array_add (copies, copy);
  }
  for (guint i = 0; i < copies->len; i++)
    if (!copy_constraints (orrery_world_get_object (from->world, i), to, copies, error))
      return FALSE;
  copy_parts (from, to, copies);
  return TRUE;
}

static void
find_pose (const Orphan *orphan, OrreryTransform *pose)
{
  *pose = *orrery_object_get_start (orphan->object);
  for (OrreryObject *at = orphan->parent; at != NULL; at = orrery_object_get_parent (at)) {
    OrreryTransform below = *pose;

    orrery_transform_multiply (orrery_object_get_start (at), &below, pose);
  }
}

static void
set_nothing_chosen (OrreryImport *import, GError **error)
{
  g_autofree char *nearest = NULL;

  if (import->object == NULL && import->prefix == NULL) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "there is no object in it");
    return;
  }
  g_ptr_array_add (import->names, NULL);
  nearest = orrery_nearest_names (import->object != NULL ? import->object : import->prefix,
                                  (const char *const *) import->names->pdata);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no object %s '%.60s'%s",
                    import->object != NULL ? "is called" : "has a name that begins with",
                    import->object != NULL ? import->object : import->prefix, nearest);
}

gboolean
orrery_import_settle (OrreryImport *import, GError **error)
{
  OrreryTransform first;

  if (import->orphans->len == 0) {
    set_nothing_chosen (import, error);
    return FALSE;
  }
  find_pose (&g_array_index (import->orphans, Orphan, 0), &first);
  for (guint i = 1; i < import->orphans->len; i++) {
    const Orphan *orphan = &g_array_index (import->orphans, Orphan, i);
    OrreryTransform pose;
    OrreryTransform start;

    find_pose (orphan, &pose);
    orrery_transform_relative (&first, &pose, &start);
    orrery_object_set_start (orphan->object, &start);
  }
  orrery_object_set_start (import->target, &first);
  return TRUE;
}
