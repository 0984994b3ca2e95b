/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `randomisation` of a scene: values that are drawn at the start of each episode. */
#include "assembly/orrery-assembly-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-random.h"
#include "part/orrery-part-private.h"
#include "text/orrery-distribution-private.h"
#include "worker/orrery-worker-private.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

#define MAX_VARIATIONS 1000

/* One entry of the list. */
typedef struct {
  const char *path; /* of the scene */
  char *owner;      /* full name */
  char *property;
  OrreryDistribution *distribution;
  OrreryPart *part;     /* whose property varies, or NULL: */
  OrreryObject *object; /* whose pose at the start varies */
  gboolean turns;       /* its rotation, not its position */
  int axis;             /* one number of it; -1: all three */
} Variation;

static void
clear_variation (gpointer data)
{
  Variation *self = data;

  g_clear_pointer (&self->owner, g_free);
  g_clear_pointer (&self->property, g_free);
  g_clear_pointer (&self->distribution, orrery_distribution_free);
}

void
orrery_assembly_clear_randomisation (OrreryAssembly *assembly)
{
  g_clear_pointer (&assembly->variations, g_array_unref);
}

/* --- poses --- */

static gboolean
parse_pose (Variation *self)
{
  const char *rest;

  self->turns = g_str_has_prefix (self->property, "rotation");
  if (!self->turns && !g_str_has_prefix (self->property, "position"))
    return FALSE;
  rest = self->property + strlen ("position");
  self->axis = -1;
  if (*rest == '\0')
    return TRUE;
  if (strlen (rest) != 3 || rest[0] != '[' || rest[1] < '0' || rest[1] > '2' || rest[2] != ']')
    return FALSE;
  self->axis = rest[1] - '0';
  return TRUE;
}

static gboolean
read_number (GVariant *value, double *number)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    g_autoptr (GVariant) inner = g_variant_get_variant (value);

    return read_number (inner, number);
  }
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    *number = g_variant_get_double (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    *number = (double) g_variant_get_int64 (value);
  else
    return FALSE;
  return isfinite (*number);
}

/* Puts the value into a position, or into roll, pitch and yaw. */
static gboolean
read_vector (const Variation *self, GVariant *value, double numbers[3])
{
  if (self->axis >= 0)
    return read_number (value, &numbers[self->axis]);
  if (!g_variant_is_container (value) || g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT) ||
      g_variant_n_children (value) != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value, i);

    if (!read_number (item, &numbers[i]))
      return FALSE;
  }
  return TRUE;
}

static void
set_pose (const Variation *self, GVariant *value)
{
  OrreryTransform pose = *orrery_object_get_start (self->object);
  double numbers[3];

  if (self->turns)
    orrery_quat_to_euler (&pose.rotation, &numbers[0], &numbers[1], &numbers[2]);
  else
    memcpy (numbers, &pose.position, sizeof numbers);
  read_vector (self, value, numbers);
  if (self->turns)
    orrery_quat_from_euler (numbers[0], numbers[1], numbers[2], &pose.rotation);
  else
    memcpy (&pose.position, numbers, sizeof numbers);
  orrery_object_set_start (self->object, &pose);
}

/* --- what an entry is of --- */

static OrreryPart *
find_part (OrreryAssembly *assembly, const char *name)
{
  OrreryPart *part = g_hash_table_lookup (assembly->by_name, name);

  for (guint i = 0; part == NULL && i < assembly->parts->len; i++)
    if (ORRERY_IS_MODIFIER (assembly->parts->pdata[i]) &&
        g_str_equal (orrery_part_get_name (assembly->parts->pdata[i]), name))
      part = assembly->parts->pdata[i];
  return part;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
refuse_owner (OrreryAssembly *assembly, OrreryNode *place, const char *owner)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < orrery_world_get_n_objects (assembly->world); i++)
    g_ptr_array_add (names, (gpointer) orrery_object_get_name (
                                orrery_world_get_object (assembly->world, i)));
  for (guint i = 0; i < assembly->parts->len; i++)
    if (ORRERY_IS_MODIFIER (assembly->parts->pdata[i]))
      g_ptr_array_add (names, (gpointer) orrery_part_get_name (assembly->parts->pdata[i]));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (owner, (const char *const *) names->pdata);
  orrery_assembly_refuse (assembly, place,
                          "no component, modifier or object that can vary is named '%.200s'%s",
                          owner, nearest);
}

static gboolean
try_value (const Variation *self, GVariant *value, GError **error)
{
  double numbers[3];

  if (self->part != NULL)
    return orrery_part_set_option (self->part, self->property, value, error);
  if (read_vector (self, value, numbers))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s of an object needs %s", self->property,
                           self->axis < 0 ? "three numbers" : "a number");
}

/* The values that are known before a run are tried, so that a wrong one is told at load. */
static void
try_values (OrreryAssembly *assembly, const Variation *self, OrreryNode *place)
{
  g_autoptr (GVariant) now =
      self->part != NULL ? orrery_part_get_option (self->part, self->property) : NULL;
  GError *error = NULL;

  for (guint i = 0; error == NULL && i < orrery_distribution_get_n_samples (self->distribution);
       i++) {
    g_autoptr (GVariant) value = orrery_distribution_get_sample (self->distribution, i);

    try_value (self, value, &error);
  }
  if (now != NULL)
    orrery_part_set_option (self->part, self->property, now, NULL);
  if (error != NULL)
    orrery_assembly_refuse (assembly, place, "%s", error->message);
  g_clear_error (&error);
}

static gboolean
find_owner (OrreryAssembly *assembly, Variation *self, OrreryNode *place)
{
  self->object = orrery_world_find_object (assembly->world, self->owner);
  if (self->object != NULL && parse_pose (self))
    return TRUE;
  self->part = find_part (assembly, self->owner);
  if (self->part == NULL && self->object == NULL)
    refuse_owner (assembly, place, self->owner);
  else if (self->part == NULL)
    orrery_assembly_refuse (assembly, place,
                            "'%.80s' of an object cannot vary; position and rotation, and each of "
                            "their numbers, as position[0], can",
                            self->property);
  else if (orrery_remote_find (self->part) != NULL)
    orrery_assembly_refuse (assembly, place, "%s runs in a worker: its properties cannot vary",
                            self->owner);
  else if (orrery_part_is_option_fixed (self->part, self->property))
    orrery_assembly_refuse (assembly, place,
                            "property '%s' of %s is read once, at the start: it cannot vary",
                            self->property, self->owner);
  else
    return TRUE;
  return FALSE;
}

static gboolean
is_known (OrreryAssembly *assembly, const char *path)
{
  for (guint i = 0; i < assembly->variations->len; i++)
    if (g_str_equal (g_array_index (assembly->variations, Variation, i).path, path))
      return TRUE;
  return FALSE;
}

static void
read_entry (OrreryAssembly *assembly, OrreryNode *entry)
{
  Variation self = { NULL };
  OrreryRandomisationKeys keys;
  GError *error = NULL;
  const char *dot;

  if (!orrery_keys_read (assembly->problems, entry, &orrery_randomisation_keys, &keys))
    return;
  self.path = orrery_node_get_text (keys.path);
  dot = strrchr (self.path, '.');
  if (dot == NULL || dot == self.path || dot[1] == '\0') {
    orrery_assembly_refuse (assembly, keys.path, "'%.200s' is no path; write PART.PROPERTY",
                            self.path);
    return;
  }
  if (is_known (assembly, self.path)) {
    orrery_assembly_refuse (assembly, keys.path, "'%.200s' varies already", self.path);
    return;
  }
  self.owner = g_strndup (self.path, (gsize) (dot - self.path));
  self.property = g_strdup (dot + 1);
  self.distribution =
      orrery_distribution_parse (orrery_node_get_text (keys.distribution), self.path, &error);
  if (error != NULL)
    orrery_assembly_refuse (assembly, keys.distribution, "%s", error->message);
  else if (find_owner (assembly, &self, keys.path))
    try_values (assembly, &self, keys.distribution);
  g_clear_error (&error);
  g_array_append_val (assembly->variations, self);
}

void
orrery_assembly_read_randomisation (OrreryAssembly *assembly)
{
  OrreryNode *list = assembly->scene->keys.randomisation;

  if (list == NULL)
    return;
  if (orrery_node_get_length (list) > MAX_VARIATIONS) {
    orrery_assembly_refuse (assembly, list, "at most %d values can vary", MAX_VARIATIONS);
    return;
  }
  assembly->variations = g_array_new (FALSE, FALSE, sizeof (Variation));
  g_array_set_clear_func (assembly->variations, clear_variation);
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *entry =
        orrery_keys_get_item (assembly->problems, list, i, &orrery_randomisation_keys);

    if (entry != NULL)
      read_entry (assembly, entry);
  }
}

/* --- an episode --- */

static GVariant *
draw (OrreryAssembly *assembly, const Variation *self, guint64 episode)
{
  /* Streams of parts have the names of parts, which have no space. */
  g_autofree char *name = g_strdup_printf ("randomisation %s", self->path);
  OrreryRandom random;

  orrery_random_init (&random, assembly->seed, name);
  orrery_random_begin (&random, episode);
  return orrery_distribution_draw (self->distribution, &random);
}

static gboolean
apply (OrreryAssembly *assembly, guint64 episode, GString *told, GError **error)
{
  for (guint i = 0; i < assembly->variations->len; i++) {
    const Variation *self = &g_array_index (assembly->variations, Variation, i);
    g_autoptr (GVariant) value = draw (assembly, self, episode);
    g_autofree char *shown = g_variant_print (value, FALSE);

    g_string_append_printf (told, "%s %s = %s", i > 0 ? "," : "", self->path, shown);
    if (!try_value (self, value, error))
      return orrery_prefix_error (error, "randomisation of %s, %s: ", self->path, shown);
    if (self->part == NULL)
      set_pose (self, value);
  }
  return TRUE;
}

/* A start is part of what the scene is, a pose of its state: the world is placed by what was drawn,
 * and keeps the starts of the scene. */
gboolean
orrery_assembly_randomise (OrreryAssembly *assembly, guint64 episode, GError **error)
{
  g_autoptr (GString) told = g_string_new (NULL);
  g_autofree OrreryTransform *starts = NULL;
  guint n = orrery_world_get_n_objects (assembly->world);
  gboolean fine;

  if (G_LIKELY (assembly->variations == NULL))
    return TRUE;
  starts = g_new (OrreryTransform, n);
  for (guint i = 0; i < n; i++)
    starts[i] = *orrery_object_get_start (orrery_world_get_object (assembly->world, i));
  fine = apply (assembly, episode, told, error);
  orrery_world_place (assembly->world);
  for (guint i = 0; i < n; i++)
    orrery_object_set_start (orrery_world_get_object (assembly->world, i), &starts[i]);
  if (fine)
    g_info ("Episode %" G_GUINT64_FORMAT ":%s", episode, told->str);
  return fine;
}
