/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-assembly-private.h"

#include "roles/orrery-component-private.h"
#include "roles/orrery-log.h"
#include "roles/orrery-part-private.h"
#include "roles/orrery-script.h"
#include "roles/orrery-setup-private.h"

#include <math.h>

void
orrery_assembly_problem (OrreryAssembly *assembly, OrreryNode *place, GError *error)
{
  int code = error->domain == ORRERY_ERROR ? error->code : (int) ORRERY_ERROR_CONFIG;
  if (place == NULL) {
    orrery_problems_take (assembly->problems, error);
    return;
  }
  orrery_problems_take (assembly->problems, orrery_node_error (place, code, "%s", error->message));
  g_error_free (error);
}

/* What a part says of its options and its neighbours is about the file that gives them. */
void
orrery_assembly_take_part_error (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part,
                                 GError *error)
{
  if (error->domain == ORRERY_ERROR && error->code == ORRERY_ERROR_NOT_FOUND)
    error->code = ORRERY_ERROR_CONFIG;
  /* Managers are named by their classpath, which is said already. */
  if (!g_str_has_prefix (error->message, orrery_part_get_name (part)))
    g_prefix_error (&error, "%s: ", orrery_part_get_name (part));
  orrery_assembly_problem (assembly, place, error);
}

static OrreryComponent *
find_component (gpointer host, const char *name)
{
  OrreryAssembly *assembly = host;
  OrreryComponent *component = g_hash_table_lookup (assembly->by_name, name);

  if (component != NULL && assembly->found != NULL)
    assembly->found (assembly->found_data, component);
  return component;
}

static void
add_classes (GPtrArray *list, const OrreryClass *klass, const char *but)
{
  for (; klass != NULL; klass = klass->base)
    if (!g_str_equal (klass->classpath, but))
      g_ptr_array_add (list, (gpointer) klass->classpath);
}

void
orrery_assembly_obey (OrreryAssembly *assembly, OrreryPart *part, const OrreryClass *klass,
                      const OrreryClass *placed)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new ();

  add_classes (bases, klass, klass->classpath);
  if (placed != klass)
    add_classes (bases, placed, klass->classpath);
  g_ptr_array_add (bases, NULL);
  orrery_part_obey (part, assembly->scene->log_levels,
                    bases->len > 1 ? (const char *const *) bases->pdata : NULL);
}

static void
apply_class_options (OrreryAssembly *assembly, OrreryPart *part, const OrreryClass *klass)
{
  OrreryNode *options;

  if (klass->base != NULL)
    apply_class_options (assembly, part, klass->base);
  options = klass->node != NULL ? orrery_node_find (klass->node, "properties") : NULL;
  for (guint i = 0; options != NULL && i < orrery_node_get_length (options); i++) {
    g_autoptr (GVariant) value = orrery_node_to_variant (orrery_node_get_item (options, i));
    GError *error = NULL;

    if (orrery_part_set_option (part, orrery_node_get_key (options, i), value, &error))
      continue;
    /* Robots carry properties of the scene object, too. */
    if (ORRERY_IS_ROBOT (part) && g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND))
      g_error_free (error);
    else
      orrery_assembly_take_part_error (assembly, orrery_node_get_item (options, i), part, error);
  }
}

OrreryPart *
orrery_assembly_create (OrreryAssembly *assembly, OrreryNode *place, const char *classpath,
                        OrreryRole role, const char *name)
{
  const OrreryClass *klass;
  OrreryPart *part;
  GError *error = NULL;

  klass = orrery_registry_find_class (assembly->registry, classpath, &error);
  part = klass != NULL ? orrery_registry_create (assembly->registry, klass, role, &error) : NULL;
  if (part == NULL) {
    /* The class is there; naming it here is the mistake. */
    if (klass != NULL && klass->desc->role != role)
      error->code = ORRERY_ERROR_CONFIG;
    if (klass == NULL || !g_str_equal (klass->classpath, name))
      g_prefix_error (&error, "%s: ", name);
    orrery_assembly_problem (assembly, place, error);
    return NULL;
  }
  orrery_part_identify (part, name, klass->classpath, assembly->seed);
  orrery_assembly_obey (assembly, part, klass, NULL);
  apply_class_options (assembly, part, klass);
  return part;
}

gboolean
orrery_assembly_set_options (OrreryAssembly *assembly, OrreryPart *part, OrreryNode *options)
{
  gboolean fine = TRUE;

  for (guint i = 0; options != NULL && i < orrery_node_get_length (options); i++) {
    g_autoptr (GVariant) value = orrery_node_to_variant (orrery_node_get_item (options, i));
    GError *error = NULL;

    if (orrery_part_set_option (part, orrery_node_get_key (options, i), value, &error))
      continue;
    fine = FALSE;
    orrery_assembly_take_part_error (assembly, orrery_node_get_item (options, i), part, error);
  }
  return fine;
}

gboolean
orrery_assembly_publish (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part,
                         GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++) {
    GError *error = NULL;

    if (orrery_calls_map (assembly->runner->calls, NULL, names->pdata[i], part, &error))
      continue;
    orrery_assembly_problem (assembly, place, error);
    return FALSE;
  }
  return TRUE;
}

static void
keep (OrreryPart *part, const char *key, GPtrArray *found)
{
  if (found->len > 0)
    g_object_set_data_full (G_OBJECT (part), key, g_ptr_array_ref (found),
                            (GDestroyNotify) g_ptr_array_unref);
}

/* A sensor that reads other records comes after them: the sources are kept until it is ordered. A
 * replica tells its host of both. */
static void
keep_found (OrreryPart *part, OrrerySetup *setup)
{
  keep (part, "orrery-sources", setup->sources);
  keep (part, "orrery-published", setup->published);
}

/* It is built anew when all is set up. */
static gboolean
reckon_inertia (gpointer host, GError **error)
{
  OrreryAssembly *assembly = host;
  OrreryPhysics *physics = assembly->runner->physics;
  GError *local = NULL;

  if (!assembly->has_inertia)
    ORRERY_PHYSICS_GET_CLASS (physics)->build (physics, assembly->world, &local);
  assembly->has_inertia = local == NULL;
  if (local != NULL)
    g_propagate_error (error, local);
  return assembly->has_inertia;
}

OrrerySetup *
orrery_assembly_run_setup (OrreryAssembly *assembly, OrreryPart *part, OrreryComponent *component,
                           OrreryNode *options, GError **error)
{
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (part);
  gboolean fits = options != NULL && orrery_node_get_kind (options) == ORRERY_NODE_DICT;
  g_autoptr (GVariant) given = fits ? orrery_node_to_variant (options) : NULL;
  OrrerySetup *setup =
      orrery_setup_new (assembly->world, component, given, find_component, assembly);

  setup->find_rays = orrery_assembly_get_rays;
  if (assembly->runner != NULL && assembly->runner->physics != NULL)
    setup->reckon_inertia = reckon_inertia;
  setup->offline = assembly->options->offline;
  if (component != NULL && part == ORRERY_PART (component))
    setup->get_renderer = orrery_assembly_get_renderer;
  if (ORRERY_IS_SCRIPT (part))
    setup->object = orrery_script_get_object (ORRERY_SCRIPT (part));
  if (klass->setup != NULL)
    klass->setup (part, setup, error);
  orrery_part_mark_started (part);
  orrery_setup_end (setup);
  return setup;
}

gboolean
orrery_assembly_setup (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part,
                       OrreryComponent *component, OrreryNode *options)
{
  GError *error = NULL;
  g_autoptr (OrrerySetup) setup =
      orrery_assembly_run_setup (assembly, part, component, options, &error);

  if (error != NULL) {
    orrery_assembly_take_part_error (assembly, place, part, error);
    return FALSE;
  }
  keep_found (part, setup);
  return orrery_assembly_publish (assembly, place, part, setup->published);
}

/* --- components --- */

static double
class_frequency (const OrreryClass *klass)
{
  OrreryNode *node = klass->node != NULL ? orrery_node_find (klass->node, "frequency") : NULL;

  if (node != NULL)
    return orrery_node_get_double (node);
  if (klass->base != NULL)
    return class_frequency (klass->base);
  return klass->desc->frequency;
}

static double
find_frequency (OrreryAssembly *assembly, const OrreryPlacement *placement)
{
  double frequency = class_frequency (placement->realised);

  if (frequency <= 0)
    frequency = class_frequency (placement->klass);
  if (frequency <= 0 && placement->klass->desc->role != ORRERY_ROLE_ROBOT)
    frequency = ORRERY_DEFAULT_FREQUENCY;
  orrery_scene_get_double (assembly->problems, placement->node, "frequency", 1e-6, 1e6, &frequency);
  return frequency;
}

gboolean
orrery_assembly_apply_class (OrreryAssembly *assembly, OrreryPart *part, const OrreryClass *klass,
                             GError **error)
{
  guint before = assembly->problems->n;

  apply_class_options (assembly, part, klass);
  if (assembly->problems->n == before)
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "%s: its properties are wrong",
               klass->classpath);
  return FALSE;
}

/* A component that a file is read into has what the file says of its object under the names of its
 * properties: MORSE's game properties. What does not fit is said; the scene's own outweigh it. */
static void
apply_import_options (OrreryPart *part, OrreryObject *object)
{
  g_auto (GStrv) names = orrery_part_get_option_names (part);

  for (char **name = names; *name != NULL; name++) {
    GVariant *value = orrery_object_get_value (object, *name);
    g_autoptr (GError) error = NULL;

    if (value != NULL && !orrery_part_set_option (part, *name, value, &error))
      orrery_part_message (part, "the file that it is made of: %s", error->message);
  }
}

/* What any object may say of itself to whoever looks for it; the object has it by now. */
static gboolean
is_tag (const char *name)
{
  static const char *const tags[] = { "Object",    "Label",     "Description", "Type",
                                      "Graspable", "Robot_Tag", NULL };

  return g_strv_contains (tags, name);
}

static void
apply_scene_options (OrreryAssembly *assembly, OrreryPart *part, OrreryNode *node)
{
  OrreryNode *options =
      orrery_scene_find (assembly->problems, node, "properties", ORRERY_NODE_DICT);

  if (options == NULL)
    return;
  for (guint i = 0; i < orrery_node_get_length (options); i++) {
    const char *name = orrery_node_get_key (options, i);
    g_autoptr (GVariant) known = orrery_part_get_option (part, name);
    g_autoptr (GVariant) value = orrery_node_to_variant (orrery_node_get_item (options, i));
    GError *error = NULL;

    if (known == NULL && (ORRERY_IS_ROBOT (part) || is_tag (name)))
      continue;
    if (orrery_part_set_option (part, name, value, &error))
      continue;
    orrery_assembly_take_part_error (assembly, orrery_node_get_item (options, i), part, error);
  }
}

static OrreryComponent *
find_robot (OrreryAssembly *assembly, OrreryObject *object)
{
  for (; object != NULL; object = orrery_object_get_parent (object)) {
    OrreryComponent *component =
        g_hash_table_lookup (assembly->by_name, orrery_object_get_name (object));

    if (component != NULL && ORRERY_IS_ROBOT (component))
      return component;
  }
  return NULL;
}

/* What is below an object without a class may well have its robot there: that is one mistake. */
gboolean
orrery_assembly_is_refused (OrreryAssembly *assembly, OrreryObject *object)
{
  for (; object != NULL; object = orrery_object_get_parent (object))
    if (g_hash_table_contains (assembly->scene->refused, object))
      return TRUE;
  return FALSE;
}

static void
refuse_without_robot (OrreryAssembly *assembly, const OrreryPlacement *placement)
{
  if (!orrery_assembly_is_refused (assembly, placement->object))
    orrery_assembly_problem (assembly, placement->node,
                             g_error_new (ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                                          "the component '%s' does not belong to any robot; put it "
                                          "among the 'objects' of one",
                                          orrery_object_get_name (placement->object)));
  g_hash_table_add (assembly->scene->refused, placement->object);
}

static void
add_component (OrreryAssembly *assembly, const OrreryPlacement *placement)
{
  const char *name = orrery_object_get_name (placement->object);
  OrreryPart *part;
  OrreryComponent *robot;
  GError *error = NULL;

  part = orrery_registry_create (assembly->registry, placement->realised,
                                 placement->klass->desc->role, &error);
  if (part == NULL) {
    g_prefix_error (&error, "%s: ", name);
    orrery_assembly_problem (assembly, placement->node, error);
    g_hash_table_add (assembly->scene->refused, placement->object);
    return;
  }
  orrery_part_identify (part, name, placement->realised->classpath, assembly->seed);
  orrery_assembly_obey (assembly, part, placement->realised, placement->klass);
  robot =
      ORRERY_IS_ROBOT (part) ? ORRERY_COMPONENT (part) : find_robot (assembly, placement->object);
  if (robot == NULL) {
    refuse_without_robot (assembly, placement);
    g_object_unref (part);
    return;
  }
  g_ptr_array_add (assembly->components, part);
  g_ptr_array_add (assembly->places, placement->node);
  g_hash_table_insert (assembly->by_name, (gpointer) orrery_part_get_name (part), part);
  orrery_component_place (ORRERY_COMPONENT (part), assembly->world, placement->object, robot,
                          placement->frequency > 0 ? placement->frequency
                                                   : assembly->runner->frequency,
                          placement->level);
  apply_class_options (assembly, part, placement->klass);
  if (placement->realised != placement->klass)
    apply_class_options (assembly, part, placement->realised);
  if (orrery_node_find (placement->node, "import") != NULL)
    apply_import_options (ORRERY_PART (part), placement->object);
  apply_scene_options (assembly, part, placement->node);
  orrery_calls_map_inside (assembly->runner->calls, name, part);
}

void
orrery_assembly_add_components (OrreryAssembly *assembly)
{
  GArray *placements = assembly->scene->placements;

  for (guint i = 0; i < placements->len; i++)
    add_component (assembly, &g_array_index (placements, OrreryPlacement, i));
}

double
orrery_assembly_find_frequency (OrreryAssembly *assembly)
{
  GArray *placements = assembly->scene->placements;
  double highest = 0;

  for (guint i = 0; i < placements->len; i++) {
    OrreryPlacement *placement = &g_array_index (placements, OrreryPlacement, i);

    placement->frequency = find_frequency (assembly, placement);
    highest = MAX (highest, placement->frequency);
  }
  return highest;
}

void
orrery_assembly_setup_components (OrreryAssembly *assembly)
{
  for (guint i = 0; i < assembly->components->len; i++) {
    OrreryComponent *component = assembly->components->pdata[i];
    OrreryNode *place = assembly->places->pdata[i];
    OrreryNode *options = orrery_node_find (place, "properties");

    if (orrery_assembly_adopt (assembly, component))
      continue;
    if (orrery_assembly_setup (assembly, place, ORRERY_PART (component), component, options))
      orrery_record_keep_defaults (orrery_component_get_record (component));
  }
}
