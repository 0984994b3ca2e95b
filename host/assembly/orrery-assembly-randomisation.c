/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `randomisation` of a scene: values that are drawn at the start of each episode. */
#include "assembly/orrery-assembly-private.h"
#include "assembly/orrery-variation-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message.h"
#include "scene/orrery-settings-private.h"
#include "worker/orrery-worker-private.h"
#include "world/orrery-quantity-private.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

#define MAX_VARIATIONS 1000
/* Of a line of a recorded log, which has at most 4,096. */
#define LINE_BYTES 3000

void
orrery_assembly_clear_randomisation (OrreryAssembly *assembly)
{
  g_clear_pointer (&assembly->variations, g_array_unref);
  g_clear_pointer (&assembly->spawned, g_array_unref);
  g_clear_pointer (&assembly->drawn, orrery_commands_unref);
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

/* Whether an entry is of a spawnable, or of what is below it: `box`, `box.lid`. Notes the objects
 * of all places of it. */
static gboolean
find_places (OrreryAssembly *assembly, OrreryVariation *self)
{
  GArray *spawnables = assembly->scene->spawnables;
  gsize length = strcspn (self->path.owner, ".");

  for (guint i = 0; spawnables != NULL && i < spawnables->len; i++) {
    const OrrerySpawnable *spawnable = &g_array_index (spawnables, OrrerySpawnable, i);

    if (strlen (spawnable->name) != length ||
        strncmp (spawnable->name, self->path.owner, length) != 0)
      continue;
    self->objects = g_ptr_array_new ();
    for (guint k = 0; k < spawnable->objects->len; k++) {
      g_autofree char *name = g_strconcat (orrery_object_get_name (spawnable->objects->pdata[k]),
                                           self->path.owner + length, NULL);
      OrreryObject *object = orrery_world_find_object (assembly->world, name);

      if (object == NULL)
        return FALSE;
      g_ptr_array_add (self->objects, object);
    }
    self->kind = spawnable->name;
    self->object = self->objects->pdata[0];
    return TRUE;
  }
  return FALSE;
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
  for (guint i = 0; assembly->scene->spawnables != NULL && i < assembly->scene->spawnables->len;
       i++)
    g_ptr_array_add (names, g_array_index (assembly->scene->spawnables, OrrerySpawnable, i).name);
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
  static const char *const of_objects[] = { "position",    "rotation",   "mass",  "friction",
                                            "restitution", "scale",      "color", "material",
                                            "energy",      "light_color" };
  g_auto (GStrv) options = orrery_part_get_option_names (self->part);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (char **option = options; option != NULL && *option != NULL; option++)
    g_ptr_array_add (names, *option);
  for (guint i = 0; self->object != NULL && i < G_N_ELEMENTS (of_objects); i++)
    g_ptr_array_add (names, (gpointer) of_objects[i]);
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (self->path.property, (const char *const *) names->pdata);

  /* As --set knows it: how often a component steps is part of the order of its run. */
  if (g_str_equal (self->path.property, "frequency")) {
    orrery_assembly_refuse (assembly, place,
                            "how often %s steps is read once, at the start: it cannot vary from "
                            "episode to episode; 'orrery batch' varies it from run to run",
                            self->path.owner);
    return;
  }
  orrery_assembly_refuse (assembly, place, "%s has no property '%.80s'%s", self->path.owner,
                          self->path.property, nearest);
}

/* --- quantities of the running world --- */

/* Takes the error. */
static gboolean
refuse_quantity (OrreryAssembly *assembly, const OrreryVariation *self, GError *error)
{
  orrery_assembly_refuse (assembly, self->place, "'%.200s' cannot vary: %s", self->text,
                          error->message);
  g_error_free (error);
  return FALSE;
}

/* What there is to find before the engine has its model. */
static gboolean
check_quantity (OrreryAssembly *assembly, const OrreryVariation *self, GError **error)
{
  const OrreryQuantityPlace *place = &self->changes;
  const OrreryQuantityPlace of_any = { place->quantity, NULL };
  g_autoptr (GError) why = NULL;

  if (self->kind == NULL && place->object != NULL &&
      orrery_object_get_instance_name (place->object) == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "'%.60s' is not in the world at the start of an episode; what is "
                             "spawned has the name of its kind",
                             orrery_object_get_name (place->object));
  if (place->object != NULL && !orrery_quantity_place_check_object (place, error))
    return FALSE;
  if (orrery_quantity_place_check_engine (&of_any, assembly->physics, &why))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s%s", why->message,
                           assembly->physics != NULL ? "; " ORRERY_DEFAULT_PHYSICS
                                                       " as 'physics' can change it"
                                                     : "");
}

static gboolean
find_quantity (OrreryAssembly *assembly, OrreryVariation *self)
{
  const char *property = self->path.property;
  const OrreryQuantity *quantity = orrery_quantity_find (property);
  gboolean of_world = self->object == NULL;
  GError *error = NULL;

  self->part = NULL;
  if (quantity == NULL || quantity->of_world != of_world) {
    orrery_quantity_refuse (property, quantity, of_world, &error);
    return refuse_quantity (assembly, self, error);
  }
  self->changes = (OrreryQuantityPlace){ quantity, self->object };
  if (self->kind == NULL)
    assembly->draws_at_ticks = TRUE;
  if (self->kind == NULL && assembly->drawn == NULL)
    assembly->drawn = orrery_commands_new ();
  if (check_quantity (assembly, self, &error))
    return TRUE;
  self->changes = (OrreryQuantityPlace){ NULL };
  return refuse_quantity (assembly, self, error);
}

void
orrery_assembly_check_quantities (OrreryAssembly *assembly)
{
  for (guint i = 0; assembly->variations != NULL && i < assembly->variations->len; i++) {
    const OrreryVariation *self = &g_array_index (assembly->variations, OrreryVariation, i);
    GError *error = NULL;

    if (self->changes.quantity != NULL &&
        !orrery_quantity_place_check_engine (&self->changes, assembly->physics, &error))
      refuse_quantity (assembly, self, error);
  }
}

static gboolean
find_spawned (OrreryAssembly *assembly, OrreryVariation *self, OrreryNode *place)
{
  if (orrery_quantity_find (self->path.property) == NULL)
    orrery_assembly_refuse (assembly, place,
                            "'%.80s' of what is spawned cannot vary; mass, friction, restitution, "
                            "scale, color, material, and energy and light_color of a lamp, can",
                            self->path.property);
  else if (self->every_ticks > 0 || self->every > 0)
    orrery_assembly_refuse (assembly, place,
                            "'%.200s' is drawn when one is spawned, and not again: leave out "
                            "'every'",
                            self->text);
  else
    return find_quantity (assembly, self);
  return FALSE;
}

static gboolean
find_owner (OrreryAssembly *assembly, OrreryVariation *self, OrreryNode *place)
{
  const char *owner = self->path.owner, *property = self->path.property;
  g_autoptr (GVariant) known = NULL;

  if (g_str_equal (owner, ORRERY_SETTING_SIMULATION))
    return find_quantity (assembly, self);
  self->object = orrery_world_find_object (assembly->world, owner);
  if (self->object == NULL && find_places (assembly, self))
    return find_spawned (assembly, self, place);
  if (self->object != NULL && orrery_variation_names_pose (self))
    return TRUE;
  self->part = find_part (assembly, owner);
  if (self->part != NULL)
    known = orrery_part_get_option (self->part, property);
  if (self->object != NULL && known == NULL && orrery_quantity_find (property) != NULL)
    return find_quantity (assembly, self);
  if (self->part == NULL && self->object == NULL)
    refuse_owner (assembly, place, owner);
  else if (self->part == NULL)
    orrery_assembly_refuse (assembly, place,
                            "'%.80s' of an object cannot vary; position and rotation, and each of "
                            "their numbers, as position[0], can, and mass, friction, restitution, "
                            "scale, color, material, and energy and light_color of a lamp",
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
is_among (OrreryAssembly *assembly, GArray *known, OrreryNode *place, const OrreryVariation *self)
{
  for (guint i = 0; i < known->len; i++) {
    const OrreryVariation *other = &g_array_index (known, OrreryVariation, i);

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
  else if (self->part == NULL && self->changes.quantity == NULL &&
           (self->every_ticks > 0 || self->every > 0))
    orrery_assembly_refuse (assembly, keys->path,
                            "'%.200s' varies at the start of an episode alone, without 'every'",
                            self->text);
  else if (!orrery_variation_begin (self, &error))
    take_error (assembly, keys->path, error);
  else if (!orrery_variation_try (self, &error))
    take_error (assembly, keys->distribution, error);
  else if (self->kind != NULL)
    orrery_variation_begin_places (self);
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
  OrreryVariation self = { .world = assembly->world };
  OrreryRandomisationKeys keys;
  GError *error = NULL;

  if (!orrery_keys_read (assembly->problems, entry, &orrery_randomisation_keys, &keys))
    return;
  self.text = orrery_node_get_text (keys.path);
  self.place = keys.path;
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
  if (is_among (assembly, assembly->variations, keys.path, &self) ||
      is_among (assembly, assembly->spawned, keys.path, &self)) {
    orrery_variation_clear (&self);
    return;
  }
  read_period (assembly, &self, &keys);
  read_values (assembly, &self, &keys);
  g_array_append_vals (self.kind != NULL ? assembly->spawned : assembly->variations, &self, 1);
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
  assembly->spawned = g_array_new (FALSE, FALSE, sizeof (OrreryVariation));
  g_array_set_clear_func (assembly->spawned, orrery_variation_clear);
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *entry =
        orrery_keys_get_item (assembly->problems, list, i, &orrery_randomisation_keys);

    if (entry != NULL)
      read_entry (assembly, entry);
  }
}

/* --- an episode --- */

/* What a quantity is before it is drawn. What is spawned has the value of the scene, which a place
 * that is used again in the same tick does not have yet. */
static OrreryVec3
get_now (OrreryAssembly *assembly, const OrreryVariation *self)
{
  const OrreryQuantityPlace *place = &self->changes;
  OrreryVec3 value = { 0 };

  if (self->kind != NULL)
    orrery_quantity_read (assembly->world, place->quantity, self->own, &value, NULL);
  else
    orrery_world_get_quantity (assembly->world, place->quantity->kind, place->object, &value);
  return value;
}

/* Beside the commands of the world, for now. */
static gboolean
stage (OrreryAssembly *assembly, OrreryCommands *commands, const OrreryVariation *self,
       GVariant *made, GError **error)
{
  const OrreryQuantityPlace *place = &self->changes;
  /* Several entries may be of one quantity, by its members. */
  OrreryCommand *staged = orrery_commands_find_quantity (commands, place->quantity, place->object);
  OrreryVec3 value;

  if (staged != NULL)
    return orrery_variation_reckon (self, made, &staged->linear, &staged->linear, error);
  value = get_now (assembly, self);
  return orrery_variation_reckon (self, made, &value, &value, error) &&
         orrery_commands_set_quantity (commands, place->quantity->kind, place->object, &value);
}

/* As in JSON, and so as scenes and options are written. */
static char *
show (GVariant *value)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *data;
  gsize length;

  orrery_writer_append_json_variant (writer, value);
  data = orrery_writer_get_data (writer, &length);
  return g_strndup (data, length);
}

/* At the start of an episode, quantities are only looked at: orrery_assembly_begin_quantities().
 * @told: (nullable) */
static gboolean
vary (OrreryAssembly *assembly, const OrreryVariation *self, guint64 episode, guint64 number,
      GString *told, GError **error)
{
  g_autoptr (GVariant) drawn = orrery_variation_draw (self, assembly->seed, episode, number);
  g_autoptr (GVariant) made = orrery_variation_make (self, drawn, error);
  g_autofree char *shown = NULL;
  gboolean staged = number > 0 && self->changes.quantity != NULL;

  if (told != NULL && made != NULL) {
    shown = show (made);
    g_string_append_printf (told, "%s %s = %s", told->len > 0 ? "," : "", self->text, shown);
  }
  if (made != NULL && (staged ? stage (assembly, assembly->drawn, self, made, error)
                              : orrery_variation_apply (self, made, error)))
    return TRUE;
  if (shown == NULL)
    shown = show (made != NULL ? made : drawn);
  return orrery_prefix_error (error, "randomisation of %s, %s: ", self->text, shown);
}

/* What the engine was not built with. */
gboolean
orrery_assembly_begin_quantities (OrreryAssembly *assembly, guint64 episode, GError **error)
{
  if (assembly->drawn == NULL)
    return TRUE;
  orrery_commands_clear (assembly->drawn);
  for (guint i = 0; i < assembly->variations->len; i++) {
    const OrreryVariation *self = &g_array_index (assembly->variations, OrreryVariation, i);
    g_autoptr (GVariant) drawn = NULL, made = NULL;

    if (self->changes.quantity == NULL)
      continue;
    drawn = orrery_variation_draw (self, assembly->seed, episode, 0);
    made = orrery_variation_make (self, drawn, error);
    if (made == NULL || !stage (assembly, assembly->drawn, self, made, error))
      return FALSE;
  }
  for (guint i = 0; i < assembly->drawn->staged->len; i++) {
    const OrreryCommand *command = &g_array_index (assembly->drawn->staged, OrreryCommand, i);

    orrery_world_change_quantity (assembly->world, orrery_command_get_quantity (command),
                                  command->object, &command->linear);
  }
  return TRUE;
}

/* The engine is told in the first tick what the episode began with. */
static void
tell_first (OrreryAssembly *assembly)
{
  for (guint i = 0; i < assembly->variations->len; i++) {
    const OrreryQuantityPlace *place =
        &g_array_index (assembly->variations, OrreryVariation, i).changes;
    OrreryVec3 value;

    if (place->quantity == NULL ||
        orrery_commands_find_quantity (assembly->drawn, place->quantity, place->object) != NULL)
      continue;
    orrery_world_get_quantity (assembly->world, place->quantity->kind, place->object, &value);
    orrery_commands_set_quantity (assembly->drawn, place->quantity->kind, place->object, &value);
  }
}

/* Ahead of all that is staged already: what a program or a client sets counts more, also where the
 * run is repeated, in which the call comes at another time of the tick. */
static void
pass_on (OrreryAssembly *assembly)
{
  GArray *drawn = assembly->drawn->staged;

  if (drawn->len > 0)
    g_array_prepend_vals (orrery_world_get_commands (assembly->world)->staged, drawn->data,
                          drawn->len);
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

/* NULL: nobody reads it */
static GString *
make_told (void)
{
  return g_log_writer_default_would_drop (G_LOG_LEVEL_DEBUG, G_LOG_DOMAIN) ? NULL
                                                                           : g_string_new (NULL);
}

/* Nothing is kept from draw to draw, so that a state that is restored goes on alike. */
gboolean
orrery_assembly_draw_again (OrreryAssembly *assembly, guint64 episode, guint64 tick,
                            OrreryTime elapsed, OrreryTime before, GError **error)
{
  g_autoptr (GString) told = NULL;
  gboolean is_told = FALSE;
  guint64 number;

  if (assembly->drawn != NULL)
    orrery_commands_clear (assembly->drawn);
  if (assembly->drawn != NULL && tick == 0)
    tell_first (assembly);
  for (guint i = 0; i < assembly->variations->len; i++) {
    const OrreryVariation *self = &g_array_index (assembly->variations, OrreryVariation, i);

    if (!orrery_variation_is_due (self, tick, elapsed, before, &number))
      continue;
    if (!is_told)
      told = make_told ();
    is_told = TRUE;
    if (!vary (assembly, self, episode, number, told, error))
      return FALSE;
  }
  if (told != NULL)
    g_debug ("Tick %" G_GUINT64_FORMAT ":%s", tick, told->str);
  if (assembly->drawn != NULL)
    pass_on (assembly);
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

GPtrArray *
orrery_assembly_describe_drawn (OrreryAssembly *assembly, guint64 episode)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GVariant) drawn = g_variant_ref_sink (orrery_assembly_list_drawn (assembly, episode));
  GString *line = NULL;

  for (gsize i = 0; i < g_variant_n_children (drawn); i++) {
    g_autoptr (GVariant) value = NULL;
    g_autofree char *shown = NULL;
    const char *path;

    g_variant_get_child (drawn, i, "{&sv}", &path, &value);
    shown = show (value);
    if (line != NULL && line->len + strlen (path) + strlen (shown) > LINE_BYTES)
      g_ptr_array_add (lines, g_string_free (g_steal_pointer (&line), FALSE));
    if (line == NULL) {
      line = g_string_new (NULL);
      g_string_append_printf (line, "Episode %" G_GUINT64_FORMAT ": %s = %s", episode, path, shown);
    } else {
      g_string_append_printf (line, ", %s = %s", path, shown);
    }
  }
  if (line != NULL)
    g_ptr_array_add (lines, g_string_free (line, FALSE));
  return lines;
}

/* --- what is spawned --- */

/* A value depends on the number of the instance among those of its kind, so that what else is
 * spawned changes none. */
static gboolean
draw_one (OrreryAssembly *assembly, const OrreryVariation *self, guint64 episode, guint64 number,
          OrreryCommands *commands, GError **error)
{
  g_autoptr (GVariant) drawn = orrery_variation_draw (self, assembly->seed, episode, number);
  g_autoptr (GVariant) made = orrery_variation_make (self, drawn, error);
  g_autofree char *shown = show (made != NULL ? made : drawn);

  if (made == NULL || !stage (assembly, commands, self, made, error))
    return orrery_prefix_error (error, "randomisation of %s, %s: ", self->text, shown);
  g_debug ("%s: %s = %s", orrery_object_get_name (self->changes.object), self->text, shown);
  return TRUE;
}

gboolean
orrery_assembly_draw_spawned (OrreryAssembly *assembly, guint64 episode, const char *kind,
                              guint place, guint64 number, OrreryCommands *commands, GError **error)
{
  for (guint i = 0; assembly->spawned != NULL && i < assembly->spawned->len; i++) {
    const OrreryVariation *self = &g_array_index (assembly->spawned, OrreryVariation, i);
    OrreryVariation one;

    if (!g_str_equal (self->kind, kind))
      continue;
    one = orrery_variation_get_place (self, place);
    if (!draw_one (assembly, &one, episode, number, commands, error))
      return FALSE;
  }
  return TRUE;
}
