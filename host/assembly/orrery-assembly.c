/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the components of a scene, sets their options and sets them up. */
#include "assembly/orrery-assembly-private.h"

#include "base/orrery-hash-private.h"
#include "base/orrery-thread-state-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "registry/orrery-registry-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-script.h"
#include "roles/orrery-setup-private.h"
#include "scene/orrery-settings-private.h"

#include <math.h>

void
orrery_assembly_init (OrreryAssembly *assembly, OrreryRegistry *registry, OrreryScene *scene,
                      OrreryOptions *options, OrreryRunner *runner)
{
  *assembly = (OrreryAssembly){
    .registry = registry,
    .world = scene->world,
    .scene = scene,
    .options = options,
    .problems = scene->problems,
    .runner = runner,
    .calls = orrery_runner_get_calls (runner),
    .seed = options->has_seed ? options->seed : scene->environment.seed,
    .components = g_ptr_array_new_with_free_func (orrery_part_release),
    .places = g_array_new (FALSE, FALSE, sizeof (guint)),
    .by_name = g_hash_table_new (orrery_text_hash, g_str_equal),
    .pipelines = g_hash_table_new (NULL, NULL),
    .parts = g_ptr_array_new_with_free_func (orrery_part_release),
    .managers = g_hash_table_new (NULL, NULL),
    .request_managers = g_hash_table_new (NULL, NULL),
    .counts = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL),
  };
}

void
orrery_assembly_set_seed (OrreryAssembly *assembly, guint64 seed)
{
  GHashTable *const managers[] = { assembly->managers, assembly->request_managers };
  GHashTableIter iter;
  gpointer part;

  assembly->seed = seed;
  for (guint i = 0; i < assembly->components->len; i++)
    orrery_part_set_seed (assembly->components->pdata[i], seed);
  for (guint i = 0; i < assembly->parts->len; i++)
    orrery_part_set_seed (assembly->parts->pdata[i], seed);
  for (guint i = 0; i < G_N_ELEMENTS (managers); i++) {
    g_hash_table_iter_init (&iter, managers[i]);
    while (g_hash_table_iter_next (&iter, NULL, &part))
      if (part != NULL)
        orrery_part_set_seed (part, seed);
  }
  if (assembly->physics != NULL)
    orrery_part_set_seed (ORRERY_PART (assembly->physics), seed);
  if (assembly->rays != NULL)
    orrery_part_set_seed (ORRERY_PART (assembly->rays), seed);
  if (assembly->renderer != NULL)
    orrery_part_set_seed (ORRERY_PART (assembly->renderer), seed);
}

void
orrery_assembly_clear (OrreryAssembly *assembly)
{
  orrery_assembly_clear_randomisation (assembly);
  g_clear_object (&assembly->renderer);
  g_clear_error (&assembly->no_renderer);
  g_clear_pointer (&assembly->parts, g_ptr_array_unref);
  g_clear_pointer (&assembly->managers, g_hash_table_unref);
  g_clear_pointer (&assembly->request_managers, g_hash_table_unref);
  g_clear_pointer (&assembly->counts, g_hash_table_unref);
  g_clear_pointer (&assembly->pipelines, g_hash_table_unref);
  g_clear_pointer (&assembly->by_name, g_hash_table_unref);
  g_clear_pointer (&assembly->components, g_ptr_array_unref);
  g_clear_pointer (&assembly->places, g_array_unref);
  g_clear_pointer (&assembly->config, orrery_node_unref);
  g_clear_object (&assembly->rays);
}

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

void
orrery_assembly_refuse (OrreryAssembly *assembly, OrreryNode *place, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  orrery_assembly_problem (assembly, place,
                           g_error_new_valist (ORRERY_ERROR, ORRERY_ERROR_CONFIG, format, args));
  va_end (args);
}

void
orrery_assembly_warn (OrreryNode *place, OrreryPart *part, const char *words)
{
  g_autoptr (GError) warning =
      orrery_node_error (place, ORRERY_ERROR_CONFIG, "%s: %s", orrery_part_get_name (part), words);

  orrery_part_log_plain (part, G_LOG_LEVEL_WARNING, "%s", warning->message);
}

/* An error of a part about its options or neighbours is reported at the place in the file that
 * gives them. */
void
orrery_assembly_take_part_error (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part,
                                 GError *error)
{
  if (error->domain == ORRERY_ERROR && error->code == ORRERY_ERROR_NOT_FOUND)
    error->code = ORRERY_ERROR_CONFIG;
  /* Managers are named by their classpath, which the message contains already. */
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
orrery_assembly_set_log_levels (OrreryAssembly *assembly, OrreryPart *part,
                                const OrreryClass *klass, const OrreryClass *placed)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new ();

  add_classes (bases, klass, klass->classpath);
  if (placed != klass)
    add_classes (bases, placed, klass->classpath);
  g_ptr_array_add (bases, NULL);
  orrery_part_set_log_levels (part, assembly->scene->log_levels,
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
    /* Properties of a robot are also properties of its scene object. */
    if (ORRERY_IS_ROBOT (part) && g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND))
      g_error_free (error);
    else
      orrery_assembly_take_part_error (assembly, orrery_node_get_item (options, i), part, error);
  }
}

gboolean
orrery_assembly_apply_class (OrreryAssembly *assembly, OrreryPart *part, const OrreryClass *klass)
{
  guint before = assembly->problems->n;

  apply_class_options (assembly, part, klass);
  return assembly->problems->n == before;
}

const OrreryClass *
orrery_assembly_find_class (OrreryAssembly *assembly, OrreryNode *place, const char *classpath,
                            const char *name)
{
  GError *error = NULL;
  const OrreryClass *klass = orrery_registry_find_class (assembly->registry, classpath, &error);

  if (klass != NULL)
    return klass;
  if (name != NULL)
    g_prefix_error (&error, "%s: ", name);
  orrery_assembly_problem (assembly, place, error);
  return NULL;
}

OrreryPart *
orrery_assembly_create_of (OrreryAssembly *assembly, OrreryNode *place, const OrreryClass *klass,
                           OrreryRole role, const char *name)
{
  GError *error = NULL;
  OrreryPart *part =
      klass != NULL ? orrery_registry_create (assembly->registry, klass, role, &error) : NULL;

  if (part != NULL) {
    orrery_part_identify (part, name, klass->classpath, assembly->seed);
    orrery_assembly_set_log_levels (assembly, part, klass, NULL);
    apply_class_options (assembly, part, klass);
  } else if (klass != NULL) {
    /* The class exists; the error is that it is named here. */
    if (klass->desc->role != role)
      error->code = ORRERY_ERROR_CONFIG;
    if (!g_str_equal (klass->classpath, name))
      g_prefix_error (&error, "%s: ", name);
    orrery_assembly_problem (assembly, place, error);
  }
  return part;
}

OrreryPart *
orrery_assembly_create (OrreryAssembly *assembly, OrreryNode *place, const char *classpath,
                        OrreryRole role, const char *name)
{
  return orrery_assembly_create_of (assembly, place,
                                    orrery_assembly_find_class (assembly, place, classpath, name),
                                    role, name);
}

/* Settings of members of lists that the class has: the options say nothing of them.
 * @known: those that the part does not have are told elsewhere */
static gboolean
set_members (OrreryAssembly *assembly, OrreryPart *part, OrreryNode *options, gboolean known)
{
  const char *name = orrery_part_get_name (part);
  const OrrerySetting *setting;
  gboolean fine = TRUE;
  guint i = 0;

  while ((setting = orrery_scene_next_member (assembly->scene, name, options, &i)) != NULL) {
    const char *property = setting->path.property;
    g_autoptr (GVariant) now = orrery_part_get_option (part, property);
    g_autoptr (GVariant) value = orrery_node_to_variant (setting->value);
    GError *error = NULL;

    if ((known && now == NULL) ||
        orrery_part_set_option_member (part, property, (guint) setting->path.index, value, &error))
      continue;
    fine = FALSE;
    orrery_assembly_take_part_error (assembly, setting->value, part, error);
  }
  return fine;
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
  return set_members (assembly, part, options, FALSE) && fine;
}

/* @names: (element-type utf8): of services that the part offers beside those under its own name */
static gboolean
publish (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part, GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++) {
    GError *error = NULL;

    if (orrery_calls_map (assembly->calls, NULL, names->pdata[i], part, &error))
      continue;
    orrery_assembly_problem (assembly, place, error);
    return FALSE;
  }
  return TRUE;
}

gboolean
orrery_assembly_publish_remote (OrreryAssembly *assembly, OrreryNode *place, OrreryPart *part,
                                GVariant *names)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; names != NULL && i < g_variant_n_children (names); i++) {
    char *name;

    g_variant_get_child (names, i, "s", &name);
    g_ptr_array_add (list, name);
  }
  return publish (assembly, place, part, list);
}

/* What belongs to the thread is restored for the parts after this one. */
static void
run_setup (OrreryPart *part, OrreryPartClass *klass, OrrerySetup *setup, GError **error)
{
  const char *what = NULL;
  gboolean rounds, blocks;
  sigset_t mask;

  pthread_sigmask (SIG_SETMASK, NULL, &mask);
  ORRERY_PART_CALL (part, "setup", klass->setup (part, setup, error));
  rounds = orrery_thread_state_restore_rounding ();
  blocks = orrery_thread_state_restore_signals (&mask);
  if (rounds)
    what = "how floating-point numbers are rounded";
  else if (blocks)
    what = "which signals are blocked";
  if (what != NULL)
    orrery_part_log_plain (part, G_LOG_LEVEL_WARNING,
                           "%s: its setup changes %s for all parts of the simulation; this is "
                           "undone",
                           orrery_part_get_name (part), what);
}

/* Whose records are wanted on account of the part. Only those of components can be left out while
 * nobody reads what they make of them. */
static void
note_reads (OrreryPart *part, OrreryComponent *component, OrrerySetup *setup)
{
  GPtrArray *reads = setup->reads_none ? setup->sources : setup->found;

  if (component != NULL && part == ORRERY_PART (component)) {
    orrery_component_set_reads (component, g_ptr_array_ref (reads), setup->on_demand);
    return;
  }
  for (guint i = 0; i < reads->len; i++)
    orrery_component_pin (reads->pdata[i]);
}

/* Returns: (transfer full) (nullable): what the part is given in its setup: its options, and the
 * lists of which a member was set */
static GVariant *
list_options (OrreryAssembly *assembly, OrreryPart *part, OrreryNode *options)
{
  gboolean fits = options != NULL && orrery_node_get_kind (options) == ORRERY_NODE_DICT;
  g_autoptr (GVariant) given = fits ? orrery_node_to_variant (options) : NULL;
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  const OrrerySetting *setting;
  guint i = 0, n = 0;

  g_variant_dict_init (&dict, given);
  while ((setting = orrery_scene_next_member (assembly->scene, orrery_part_get_name (part),
                                              fits ? options : NULL, &i)) != NULL) {
    g_autoptr (GVariant) now = orrery_part_get_option (part, setting->path.property);

    if (now != NULL)
      g_variant_dict_insert_value (&dict, setting->path.property, now);
    n += now != NULL ? 1 : 0;
  }
  return n > 0 ? g_variant_ref_sink (g_variant_dict_end (&dict)) : g_steal_pointer (&given);
}

OrrerySetup *
orrery_assembly_run_setup (OrreryAssembly *assembly, OrreryPart *part, OrreryComponent *component,
                           OrreryNode *options, GError **error)
{
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (part);
  g_autoptr (GVariant) given = list_options (assembly, part, options);
  OrrerySetup *setup =
      orrery_setup_new (assembly->world, component, given, find_component, assembly);

  setup->find_rays = orrery_assembly_get_rays;
  if (assembly->physics != NULL) {
    setup->reckon_inertia = orrery_assembly_reckon_inertia;
    setup->measure = orrery_assembly_measure;
  }
  setup->offline = assembly->options->offline;
  setup->allow_users = assembly->options->allow_users;
  setup->token_file = assembly->options->token_file;
  setup->messages = orrery_registry_get_messages (assembly->registry);
  setup->not_finite_words = assembly->scene->environment.not_finite_words;
  if (component != NULL && part == ORRERY_PART (component))
    setup->get_renderer = orrery_assembly_get_renderer;
  if (ORRERY_IS_SCRIPT (part))
    setup->object = orrery_script_get_object (ORRERY_SCRIPT (part));
  if (klass->setup != NULL)
    run_setup (part, klass, setup, error);
  note_reads (part, component, setup);
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
  /* A sensor that reads other records is called after their owners; a replica reports both to its
   * host. */
  orrery_part_set_found (part, setup->sources, setup->published);
  orrery_part_set_commands (part, setup->commands);
  return publish (assembly, place, part, setup->published);
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
find_frequency (const OrreryMember *member)
{
  double frequency = class_frequency (member->realised);

  if (frequency <= 0)
    frequency = class_frequency (member->klass);
  if (frequency <= 0 && member->klass->desc->role != ORRERY_ROLE_ROBOT)
    frequency = ORRERY_DEFAULT_FREQUENCY;
  return member->keys.frequency > 0 ? member->keys.frequency : frequency;
}

/* A component with an imported file takes its properties from the values of its object in that file
 * (MORSE's game properties). A value that does not fit is reported; values of the scene take
 * precedence. */
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

/* Whether a value may belong to any object, for others to look up; the object has it by now. */
static gboolean
is_tag (const char *name)
{
  static const char *const tags[] = { "Object",    "Label",     "Description", "Type",
                                      "Graspable", "Robot_Tag", NULL };

  return g_strv_contains (tags, name);
}

static void
apply_scene_options (OrreryAssembly *assembly, OrreryPart *part, OrreryNode *options)
{
  for (guint i = 0; options != NULL && i < orrery_node_get_length (options); i++) {
    const char *name = orrery_node_get_key (options, i);
    g_autoptr (GVariant) known = orrery_part_get_option (part, name);
    g_autoptr (GVariant) value = orrery_node_to_variant (orrery_node_get_item (options, i));
    gboolean is_setting =
        orrery_scene_is_setting (assembly->scene, orrery_node_get_item (options, i));
    GError *error = NULL;

    if (known == NULL && (ORRERY_IS_ROBOT (part) || is_tag (name)))
      continue;
    /* orrery_assembly_check_settings() refuses it. */
    if (known == NULL && is_setting && !assembly->is_replica)
      continue;
    if (orrery_part_set_option (part, name, value, &error))
      continue;
    if (known == NULL && !is_setting && assembly->scene->environment.warn_of_unknown &&
        g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND)) {
      if (!assembly->is_replica)
        orrery_assembly_warn (orrery_node_get_item (options, i), part, error->message);
      g_error_free (error);
    } else {
      orrery_assembly_take_part_error (assembly, orrery_node_get_item (options, i), part, error);
    }
  }
  /* orrery_assembly_check_settings() refuses what it does not have. */
  set_members (assembly, part, options, TRUE);
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

/* A component below an object whose class is missing may have its robot there, so only the first
 * error is reported. */
gboolean
orrery_assembly_is_refused (OrreryAssembly *assembly, OrreryObject *object)
{
  for (; object != NULL; object = orrery_object_get_parent (object))
    if (g_hash_table_contains (assembly->scene->refused, object))
      return TRUE;
  return FALSE;
}

static void
refuse_without_robot (OrreryAssembly *assembly, const OrreryMember *member)
{
  if (!orrery_assembly_is_refused (assembly, member->object))
    orrery_assembly_refuse (assembly, member->node,
                            "the component '%s' does not belong to any robot; put it among the "
                            "'objects' of one",
                            orrery_object_get_name (member->object));
  g_hash_table_add (assembly->scene->refused, member->object);
}

/* A check starts no worker: it has the class check the properties. A worker has all parts of the
 * scene, in case its own look for them. */
static gboolean
runs_elsewhere (OrreryAssembly *assembly, const OrreryMember *member)
{
  OrreryRole role = member->klass->desc->role;

  return !assembly->is_replica && !assembly->options->check_only &&
         (role == ORRERY_ROLE_SENSOR || role == ORRERY_ROLE_ACTUATOR) &&
         !g_str_equal (orrery_keys_text (member->keys.placement, "host"), "host");
}

static OrreryPart *
create_component (OrreryAssembly *assembly, const OrreryMember *member, GError **error)
{
  OrreryRole role = member->klass->desc->role;

  if (runs_elsewhere (assembly, member))
    return orrery_registry_create_stand_in (member->realised, role, error);
  return orrery_registry_create (assembly->registry, member->realised, role, error);
}

static void
add_component (OrreryAssembly *assembly, guint place)
{
  const OrreryMember *member = &g_array_index (assembly->scene->members, OrreryMember, place);
  const char *name = orrery_object_get_name (member->object);
  OrreryPart *part;
  OrreryComponent *robot;
  GError *error = NULL;

  part = create_component (assembly, member, &error);
  if (part == NULL) {
    g_prefix_error (&error, "%s: ", name);
    orrery_assembly_problem (assembly, member->node, error);
    g_hash_table_add (assembly->scene->refused, member->object);
    return;
  }
  orrery_part_identify (part, name, member->realised->classpath, assembly->seed);
  orrery_assembly_set_log_levels (assembly, part, member->realised, member->klass);
  robot = ORRERY_IS_ROBOT (part) ? ORRERY_COMPONENT (part) : find_robot (assembly, member->object);
  if (robot == NULL) {
    refuse_without_robot (assembly, member);
    g_object_unref (part);
    return;
  }
  g_ptr_array_add (assembly->components, part);
  g_array_append_val (assembly->places, place);
  g_hash_table_insert (assembly->by_name, (gpointer) orrery_part_get_name (part), part);
  orrery_component_place (ORRERY_COMPONENT (part), assembly->world, member->object, robot,
                          member->frequency > 0
                              ? member->frequency
                              : orrery_runner_get_settings (assembly->runner)->frequency,
                          member->level);
  apply_class_options (assembly, part, member->klass);
  if (member->realised != member->klass)
    apply_class_options (assembly, part, member->realised);
  if (member->keys.import != NULL)
    apply_import_options (ORRERY_PART (part), member->object);
  apply_scene_options (assembly, part, member->keys.properties);
  orrery_calls_map_inside (assembly->calls, name, part);
}

void
orrery_assembly_add_components (OrreryAssembly *assembly, guint first)
{
  for (guint i = first; i < assembly->scene->members->len; i++)
    add_component (assembly, i);
}

double
orrery_assembly_find_frequency (OrreryScene *scene)
{
  GArray *members = scene->members;
  double highest = 0;

  for (guint i = 0; i < members->len; i++) {
    OrreryMember *member = &g_array_index (members, OrreryMember, i);

    member->frequency = find_frequency (member);
    highest = MAX (highest, member->frequency);
  }
  return highest;
}

void
orrery_assembly_setup_components (OrreryAssembly *assembly, guint first)
{
  for (guint i = first; i < assembly->components->len; i++) {
    OrreryComponent *component = assembly->components->pdata[i];
    OrreryNode *place = orrery_assembly_get_place (assembly, i)->node;
    OrreryNode *options = orrery_node_find (place, "properties");

    if (orrery_assembly_adopt (assembly, component))
      continue;
    if (orrery_assembly_setup (assembly, place, ORRERY_PART (component), component, options))
      orrery_record_keep_defaults (orrery_component_get_record (component));
  }
  orrery_assembly_end_adoption (assembly);
}
