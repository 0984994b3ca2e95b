/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `randomisation` of a scene: values that are drawn at the start of each episode. */
#include "assembly/orrery-assembly-private.h"
#include "assembly/orrery-variation-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message.h"
#include "worker/orrery-worker-private.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

#define MAX_VARIATIONS 1000

void
orrery_assembly_clear_randomisation (OrreryAssembly *assembly)
{
  g_clear_pointer (&assembly->variations, g_array_unref);
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

static void
refuse_property (OrreryAssembly *assembly, OrreryNode *place, const OrreryVariation *self)
{
  g_auto (GStrv) names = orrery_part_get_option_names (self->part);
  g_autofree char *nearest =
      orrery_nearest_names (self->path.property, (const char *const *) names);

  orrery_assembly_refuse (assembly, place, "%s has no property '%.80s'%s", self->path.owner,
                          self->path.property, nearest);
}

static gboolean
find_owner (OrreryAssembly *assembly, OrreryVariation *self, OrreryNode *place)
{
  const char *owner = self->path.owner, *property = self->path.property;
  g_autoptr (GVariant) known = NULL;

  self->object = orrery_world_find_object (assembly->world, owner);
  if (self->object != NULL && orrery_variation_names_pose (self))
    return TRUE;
  self->part = find_part (assembly, owner);
  if (self->part != NULL)
    known = orrery_part_get_option (self->part, property);
  if (self->part == NULL && self->object == NULL)
    refuse_owner (assembly, place, owner);
  else if (self->part == NULL)
    orrery_assembly_refuse (assembly, place,
                            "'%.80s' of an object cannot vary; position and rotation, and each of "
                            "their numbers, as position[0], can",
                            property);
  else if (known == NULL)
    refuse_property (assembly, place, self);
  else if (orrery_remote_find (self->part) != NULL)
    orrery_assembly_refuse (assembly, place, "%s runs in a worker: its properties cannot vary",
                            owner);
  else if (orrery_part_is_option_fixed (self->part, property))
    orrery_assembly_refuse (assembly, place,
                            "property '%s' of %s is read once, at the start: it cannot vary",
                            property, owner);
  else
    return TRUE;
  return FALSE;
}

static gboolean
is_known (OrreryAssembly *assembly, OrreryNode *place, const OrreryVariation *self)
{
  for (guint i = 0; i < assembly->variations->len; i++) {
    const OrreryVariation *other = &g_array_index (assembly->variations, OrreryVariation, i);

    if (!orrery_property_path_overlaps (&other->path, &self->path))
      continue;
    if (g_str_equal (other->text, self->text))
      orrery_assembly_refuse (assembly, place, "'%.200s' varies already", self->text);
    else
      orrery_assembly_refuse (assembly, place, "'%.200s' varies already, as '%.200s'", self->text,
                              other->text);
    return TRUE;
  }
  return FALSE;
}

static void
take_error (OrreryAssembly *assembly, OrreryNode *place, GError *error)
{
  orrery_assembly_refuse (assembly, place, "%s", error->message);
  g_error_free (error);
}

static void
read_values (OrreryAssembly *assembly, OrreryVariation *self, const OrreryRandomisationKeys *keys)
{
  GError *error = NULL;

  self->distribution =
      orrery_distribution_parse (orrery_node_get_text (keys->distribution), self->text, &error);
  if (error != NULL)
    take_error (assembly, keys->distribution, error);
  else if (!find_owner (assembly, self, keys->path))
    return;
  else if (self->part == NULL && (self->every_ticks > 0 || self->every > 0))
    orrery_assembly_refuse (assembly, keys->path,
                            "'%.200s' varies at the start of an episode alone, without 'every'",
                            self->text);
  else if (!orrery_variation_begin (self, &error))
    take_error (assembly, keys->path, error);
  else if (!orrery_variation_try (self, &error))
    take_error (assembly, keys->distribution, error);
}

/* A time that is a number of ticks, but for rounding, is one. */
static void
read_period (OrreryAssembly *assembly, OrreryVariation *self, const OrreryRandomisationKeys *keys)
{
  double ticks = keys->every * orrery_runner_get_settings (assembly->runner)->frequency;

  if (keys->every_ticks != G_MAXUINT)
    self->every_ticks = keys->every_ticks;
  else if (!isnan (keys->every) && fabs (ticks - round (ticks)) <= 1e-6 && ticks > 0.5)
    self->every_ticks = (guint64) round (ticks);
  else if (!isnan (keys->every))
    self->every = MAX (orrery_time_from_seconds (keys->every), 1);
  assembly->draws_at_ticks |= self->every_ticks > 0 || self->every > 0;
}

static void
read_entry (OrreryAssembly *assembly, OrreryNode *entry)
{
  OrreryVariation self = { NULL };
  OrreryRandomisationKeys keys;
  GError *error = NULL;

  if (!orrery_keys_read (assembly->problems, entry, &orrery_randomisation_keys, &keys))
    return;
  self.text = orrery_node_get_text (keys.path);
  self.operation = keys.operation;
  if (!isnan (keys.every) && keys.every_ticks != G_MAXUINT) {
    orrery_assembly_refuse (assembly, orrery_node_find (entry, "every_ticks"),
                            "'every' is there already; one of both says when it is drawn again");
    return;
  }
  if (!orrery_property_path_parse (&self.path, self.text, &error)) {
    take_error (assembly, keys.path, error);
    return;
  }
  if (is_known (assembly, keys.path, &self))
    orrery_variation_clear (&self);
  else {
    read_period (assembly, &self, &keys);
    read_values (assembly, &self, &keys);
    g_array_append_val (assembly->variations, self);
  }
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
  assembly->variations = g_array_new (FALSE, FALSE, sizeof (OrreryVariation));
  g_array_set_clear_func (assembly->variations, orrery_variation_clear);
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *entry =
        orrery_keys_get_item (assembly->problems, list, i, &orrery_randomisation_keys);

    if (entry != NULL)
      read_entry (assembly, entry);
  }
}

/* --- an episode --- */

static gboolean
vary (OrreryAssembly *assembly, const OrreryVariation *self, guint64 episode, guint64 number,
      GString *told, GError **error)
{
  g_autoptr (GVariant) drawn = orrery_variation_draw (self, assembly->seed, episode, number);
  g_autoptr (GVariant) made = orrery_variation_make (self, drawn, error);
  g_autofree char *shown = g_variant_print (made != NULL ? made : drawn, FALSE);

  g_string_append_printf (told, "%s %s = %s", told->len > 0 ? "," : "", self->text, shown);
  if (made != NULL && orrery_variation_apply (self, made, error))
    return TRUE;
  return orrery_prefix_error (error, "randomisation of %s, %s: ", self->text, shown);
}

static gboolean
apply (OrreryAssembly *assembly, guint64 episode, GString *told, GError **error)
{
  for (guint i = 0; i < assembly->variations->len; i++)
    if (!vary (assembly, &g_array_index (assembly->variations, OrreryVariation, i), episode, 0,
               told, error))
      return FALSE;
  return TRUE;
}

/* Nothing is kept from draw to draw, so that a state that is restored goes on alike. */
gboolean
orrery_assembly_draw_again (OrreryAssembly *assembly, guint64 episode, guint64 tick,
                            OrreryTime elapsed, OrreryTime before, GError **error)
{
  g_autoptr (GString) told = NULL;
  guint64 number;

  for (guint i = 0; i < assembly->variations->len; i++) {
    const OrreryVariation *self = &g_array_index (assembly->variations, OrreryVariation, i);

    if (!orrery_variation_is_due (self, tick, elapsed, before, &number))
      continue;
    if (told == NULL)
      told = g_string_new (NULL);
    if (!vary (assembly, self, episode, number, told, error))
      return FALSE;
  }
  if (told != NULL)
    g_debug ("Tick %" G_GUINT64_FORMAT ":%s", tick, told->str);
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

/* Values depend on seed and episode alone, so that none is kept. One that was refused is left out.
 */
GVariant *
orrery_assembly_list_drawn (OrreryAssembly *assembly, guint64 episode)
{
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; assembly->variations != NULL && i < assembly->variations->len; i++) {
    const OrreryVariation *self = &g_array_index (assembly->variations, OrreryVariation, i);
    g_autoptr (GVariant) drawn = orrery_variation_draw (self, assembly->seed, episode, 0);
    g_autoptr (GVariant) made = orrery_variation_make (self, drawn, NULL);

    if (made != NULL)
      g_variant_builder_add (&map, "{sv}", self->text, made);
  }
  return g_variant_builder_end (&map);
}
