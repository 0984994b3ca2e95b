/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells in which order a run calls components and scripts in each phase. */
#include "simulation/orrery-simulation-private.h"

#include "registry/orrery-registry-private.h"
#include "roles/orrery-callback-private.h"

static const char *const component_phases[] = { "robots", "sense", "act", NULL };

#define N_COMPONENT_PHASES (G_N_ELEMENTS (component_phases) - 1)

const char **
orrery_simulation_get_phase_names (OrrerySimulation *simulation)
{
  const char **names;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  names = g_new0 (const char *, N_COMPONENT_PHASES + ORRERY_N_CALLBACKS + 1);
  for (guint i = 0; i < N_COMPONENT_PHASES; i++)
    names[i] = component_phases[i];
  for (guint i = 0; i < ORRERY_N_CALLBACKS; i++)
    names[N_COMPONENT_PHASES + i] = orrery_callback_get_name (i);
  return names;
}

/* --- components --- */

static void
add_components (GVariantBuilder *list, const char *phase, GPtrArray *pipelines, OrreryRole role)
{
  for (guint i = 0; i < pipelines->len; i++) {
    OrreryPipeline *pipeline = pipelines->pdata[i];

    g_variant_builder_add (list, "(ssss)", phase, pipeline->name, orrery_role_get_name (role),
                           orrery_part_get_classpath (ORRERY_PART (pipeline->component)));
  }
}

static void
add_component_phases (GVariantBuilder *list, OrreryRunner *runner, const char *only)
{
  static const OrreryRole roles[] = { ORRERY_ROLE_ROBOT, ORRERY_ROLE_SENSOR, ORRERY_ROLE_ACTUATOR };

  for (guint i = 0; i < ORRERY_N_STAGES; i++)
    if (only == NULL || g_str_equal (only, component_phases[i]))
      add_components (list, component_phases[i], orrery_runner_get_pipelines (runner, i), roles[i]);
}

/* --- scripts --- */

/* A script that is called, and its class, which tells the callbacks. */
typedef struct {
  const OrreryScriptPlace *place;
  const char *classpath;
  OrreryScriptClass *klass; /* owned */
} Called;

static void
clear_called (gpointer data)
{
  g_clear_pointer (&((Called *) data)->klass, g_type_class_unref);
}

static gboolean
find_class (OrrerySimulation *self, Called *called, GError **error)
{
  const OrreryClass *klass =
      orrery_registry_find_class (self->instance->registry, called->place->classpath, error);
  GType type = klass != NULL ? orrery_class_get_type (klass, error) : G_TYPE_INVALID;

  if (type == G_TYPE_INVALID)
    return FALSE;
  if (!g_type_is_a (type, ORRERY_TYPE_SCRIPT))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s has the role %s; a script is needed",
                             klass->classpath, orrery_role_get_name (klass->desc->role));
  called->classpath = klass->classpath;
  called->klass = g_type_class_ref (type);
  return TRUE;
}

static gpointer
make_key (OrreryScriptType type, guint index)
{
  return GSIZE_TO_POINTER ((gsize) index << 2 | (gsize) type);
}

static GHashTable *
index_places (OrreryScene *scene)
{
  GHashTable *places = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < scene->scripts.places->len; i++) {
    OrreryScriptPlace *place = &g_array_index (scene->scripts.places, OrreryScriptPlace, i);

    g_hash_table_insert (places, make_key (place->type, place->index), place);
  }
  return places;
}

/* Returns: (element-type Called): all scripts that are called, in the frozen order, or NULL */
static GArray *
list_called (OrrerySimulation *self, OrreryOrderRule rule, GError **error)
{
  OrreryOrderInput input = orrery_scene_get_order_input (self->instance->scene);
  g_autoptr (GHashTable) places = index_places (self->instance->scene);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Called));
  g_autoptr (GArray) order = NULL;

  g_array_set_clear_func (list, clear_called);
  input.rule = rule;
  order = orrery_order_scripts (&input);
  for (guint i = 0; i < order->len; i++) {
    OrreryOrderEntry *entry = &g_array_index (order, OrreryOrderEntry, i);
    Called called = { g_hash_table_lookup (places, make_key (entry->type, entry->index)) };

    if (!find_class (self, &called, error))
      return NULL;
    g_array_append_val (list, called);
  }
  return g_steal_pointer (&list);
}

static void
add_script (GVariantBuilder *list, OrreryCallback callback, const Called *called)
{
  const OrreryScriptPlace *place = called->place;

  if (orrery_callback_is_of_type (callback, place->type) &&
      orrery_callback_is_in_class (callback, called->klass))
    g_variant_builder_add (list, "(ssss)", orrery_callback_get_name (callback),
                           place->object != NULL ? orrery_object_get_name (place->object) : "-",
                           orrery_script_type_get_name (place->type), called->classpath);
}

static void
add_called (GVariantBuilder *list, OrreryCallback callback, GArray *called)
{
  for (guint i = 0; i < called->len; i++) {
    guint place = orrery_callback_is_reverse (callback) ? called->len - 1 - i : i;

    add_script (list, callback, &g_array_index (called, Called, place));
  }
}

/* A joint calls child scripts from its object upwards: each of these chains is a part of the list
 * by depth. The other scripts follow in their usual order. */
static void
add_asked (GVariantBuilder *list, GArray *called, GArray *by_depth)
{
  for (guint i = 0; i < by_depth->len; i++)
    if (g_array_index (by_depth, Called, i).place->type == ORRERY_SCRIPT_CHILD)
      add_script (list, ORRERY_CALLBACK_JOINT, &g_array_index (by_depth, Called, i));
  for (guint i = 0; i < called->len; i++)
    if (g_array_index (called, Called, i).place->type != ORRERY_SCRIPT_CHILD)
      add_script (list, ORRERY_CALLBACK_JOINT, &g_array_index (called, Called, i));
}

static gboolean
add_callbacks (GVariantBuilder *list, OrrerySimulation *self, int only, GError **error)
{
  g_autoptr (GArray) called = list_called (self, self->instance->scene->scripts.rule, error);
  g_autoptr (GArray) by_depth =
      called != NULL ? list_called (self, ORRERY_ORDER_LEVEL, error) : NULL;

  for (guint i = 0; by_depth != NULL && i < ORRERY_N_CALLBACKS; i++) {
    if (only >= 0 && (guint) only != i)
      continue;
    if (i == ORRERY_CALLBACK_JOINT)
      add_asked (list, called, by_depth);
    else
      add_called (list, i, called);
  }
  return by_depth != NULL;
}

/* --- all --- */

GVariant *
orrery_simulation_get_order (OrrerySimulation *simulation, const char *phase, GError **error)
{
  gboolean of_components;
  int callback = -1;
  GVariantBuilder list;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  of_components = phase != NULL && g_strv_contains (component_phases, phase);
  if (phase != NULL && !of_components && (callback = orrery_callback_find (phase)) < 0) {
    g_autofree const char **names = orrery_simulation_get_phase_names (simulation);
    g_autofree char *nearest = orrery_nearest_names (phase, names);

    orrery_set_error (error, ORRERY_ERROR_INVALID, "no phase '%.60s'%s", phase, nearest);
    return NULL;
  }
  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ssss)"));
  add_component_phases (&list, simulation->instance->runner, phase);
  if (!of_components && !add_callbacks (&list, simulation, callback, error)) {
    g_variant_builder_clear (&list);
    return NULL;
  }
  return g_variant_ref_sink (g_variant_builder_end (&list));
}
