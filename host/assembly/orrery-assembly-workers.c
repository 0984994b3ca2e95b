/* SPDX-License-Identifier: BSD-3-Clause */
/* Which components and scripts run in workers, and what the workers answer to their start. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-part-private.h"
#include "record/orrery-flat-private.h"
#include "registry/orrery-loader.h"
#include "registry/orrery-prefix-private.h"
#include "registry/orrery-registry-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-setup-private.h"
#include "worker/orrery-worker-message-private.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

const char *orrery_worker_program;

/* --- what a scene says of workers --- */

/* Where one component runs. */
typedef struct {
  OrreryNode *place; /* of its `placement` */
  char *name;
  OrreryTransport transport;
  gboolean free_running;
} Placement;

static gboolean
is_worker_name (const char *name)
{
  if (!g_ascii_isalpha (*name) && *name != '_')
    return FALSE;
  for (; *name != '\0'; name++)
    if (!g_ascii_isalnum (*name) && *name != '_' && *name != '-')
      return FALSE;
  return TRUE;
}

/* @owner: what runs there alone may have a worker of its own name. */
static gboolean
check_worker_name (OrreryAssembly *assembly, OrreryNode *place, const char *name, const char *owner)
{
  if (is_worker_name (name) || g_str_equal (name, owner))
    return TRUE;
  orrery_assembly_refuse (
      assembly, place,
      "no placement '%.40s'; there is: host, worker, or a name of letters, digits, - and _", name);
  return FALSE;
}

/* Refuses keys about the transport to a worker on a component that runs in none. */
static void
refuse_without_worker (OrreryAssembly *assembly, OrreryNode *node)
{
  static const char *const keys[] = { "transport", "free_running" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (orrery_node_find (node, keys[i]) != NULL)
      orrery_assembly_refuse (assembly, orrery_node_find (node, keys[i]),
                              "'%s' is of components in workers; give it a 'placement', too",
                              keys[i]);
}

static gboolean
check_placement (OrreryAssembly *assembly, OrreryComponent *component, const Placement *placement)
{
  const char *name = orrery_part_get_name (ORRERY_PART (component));

  if (ORRERY_IS_ROBOT (component))
    orrery_assembly_refuse (assembly, placement->place, "%s is a robot: robots run in the host",
                            name);
  else if (!check_worker_name (assembly, placement->place, placement->name, name))
    return FALSE;
  else if (placement->free_running && !ORRERY_IS_SENSOR (component))
    orrery_assembly_refuse (
        assembly, placement->place,
        "%s is an actuator: what it commands has to come in its tick; only sensors run free", name);
  else if (placement->free_running && placement->transport != ORRERY_TRANSPORT_LATEST)
    orrery_assembly_refuse (
        assembly, placement->place,
        "%s runs free: its latest value counts, so that its transport is 'latest'", name);
  else
    return TRUE;
  return FALSE;
}

/* Returns FALSE if the component runs in the host, or cannot run at its placement. */
static gboolean
read_placement (OrreryAssembly *assembly, guint i, Placement *placement)
{
  const OrreryObjectKeys *keys = &orrery_assembly_get_place (assembly, i)->keys;
  OrreryComponent *component = assembly->components->pdata[i];
  const char *text = orrery_keys_text (keys->placement, "host");

  *placement = (Placement){ .place = keys->placement, .free_running = keys->free_running };
  if (g_str_equal (text, "host")) {
    refuse_without_worker (assembly, orrery_assembly_get_place (assembly, i)->node);
    return FALSE;
  }
  placement->name = g_str_equal (text, "worker")
                        ? g_strdup (orrery_part_get_name (ORRERY_PART (component)))
                        : g_strdup (text);
  if (keys->transport >= 0)
    placement->transport = (OrreryTransport) keys->transport;
  else
    placement->transport = keys->free_running ? ORRERY_TRANSPORT_LATEST : ORRERY_TRANSPORT_QUEUE;
  return check_placement (assembly, component, placement);
}

static void
read_settings (OrreryAssembly *assembly, const char *name, OrreryWorkerSettings *settings)
{
  OrreryNode *table = assembly->scene->keys.workers;
  OrreryNode *node = table != NULL ? orrery_node_find (table, name) : NULL;
  OrreryWorkerKeys keys;

  orrery_keys_init (&orrery_worker_keys, &keys);
  if (node != NULL && orrery_keys_expect (assembly->problems, node, name, ORRERY_NODE_DICT) != NULL)
    orrery_keys_read (assembly->problems, node, &orrery_worker_keys, &keys);
  settings->timeout = orrery_time_from_seconds (keys.timeout);
  settings->start_timeout = orrery_time_from_seconds (keys.start_timeout);
  settings->back_off = orrery_time_from_seconds (keys.back_off);
  settings->memory = isnan (keys.memory) ? 0 : (guint64) (keys.memory * 1048576);
  settings->max_restarts = keys.restarts;
  settings->policy = (OrreryPolicy) keys.on_failure;
}

/* Settings of a worker in which nothing runs are an error, most likely a misspelt name. */
static void
check_table (OrreryAssembly *assembly)
{
  OrreryNode *table = assembly->scene->keys.workers;
  OrreryWorkers *workers = orrery_runner_get_workers (assembly->runner);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; workers != NULL && i < orrery_workers_list (workers)->len; i++)
    g_ptr_array_add (names,
                     (gpointer) orrery_worker_get_name (orrery_workers_list (workers)->pdata[i]));
  g_ptr_array_add (names, NULL);
  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++) {
    const char *name = orrery_node_get_key (table, i);
    g_autofree char *nearest = NULL;

    if (g_strv_contains ((const char *const *) names->pdata, name))
      continue;
    nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
    orrery_problems_take (assembly->problems,
                          orrery_node_key_error (table, i, ORRERY_ERROR_CONFIG,
                                                 "nothing has the placement '%.60s'%s", name,
                                                 nearest));
  }
}

/* --- workers and their components --- */

static OrreryWorkers *
ensure_workers (OrreryAssembly *assembly)
{
  OrreryWorkers *workers = orrery_runner_get_workers (assembly->runner);
  g_autofree char *program = NULL;

  if (workers != NULL)
    return workers;
  program = orrery_worker_program != NULL ? g_strdup (orrery_worker_program)
                                          : orrery_get_prefix_path ("bin/orrery");
  return orrery_runner_make_workers (assembly->runner, assembly->components, program,
                                     assembly->scene->log_levels);
}

/* The settings of a worker that exists already stay. */
static OrreryWorker *
ensure_worker (OrreryAssembly *assembly, const char *name, gboolean free_running,
               OrreryTransport transport)
{
  OrreryWorkers *workers = ensure_workers (assembly);
  OrreryWorker *worker = orrery_workers_find (workers, name);
  OrreryWorkerSettings settings = { .free_running = free_running, .transport = transport };

  if (worker != NULL)
    return worker;
  read_settings (assembly, name, &settings);
  return orrery_workers_add (workers, name, &settings);
}

static OrreryWorker *
find_worker (OrreryAssembly *assembly, const Placement *placement)
{
  OrreryWorker *worker =
      ensure_worker (assembly, placement->name, placement->free_running, placement->transport);

  if (orrery_worker_get_settings (worker)->free_running == placement->free_running &&
      orrery_worker_get_settings (worker)->transport == placement->transport)
    return worker;
  orrery_assembly_refuse (
      assembly, placement->place,
      "components that share the worker '%.60s' have the same transport and run free together "
      "or not at all",
      placement->name);
  return NULL;
}

static gboolean
is_in_python (OrreryAssembly *assembly, const char *classpath)
{
  const OrreryClass *klass = orrery_registry_find_class (assembly->registry, classpath, NULL);

  return klass != NULL && orrery_class_is_in_python (klass);
}

static const char *
get_placement (const OrreryScriptPlace *place)
{
  const char *text = orrery_keys_text (place->keys.placement, "host");

  return !g_str_equal (text, "host") ? text : NULL;
}

/* A replica has all components of the scene and its own scripts, so a single one in Python makes
 * all workers run in Python. Otherwise none does, because an interpreter is slow to start. */
static const char *const *
find_command (OrreryAssembly *assembly)
{
  OrreryLoader *loader = orrery_loader_get_default ();
  GArray *scripts = assembly->scene->scripts.places;
  gboolean found = FALSE;

  for (guint i = 0; loader != NULL && !found && i < assembly->components->len; i++)
    found = is_in_python (assembly, orrery_part_get_classpath (assembly->components->pdata[i]));
  for (guint i = 0; loader != NULL && !found && i < scripts->len; i++) {
    const OrreryScriptPlace *place = &g_array_index (scripts, OrreryScriptPlace, i);

    found = get_placement (place) != NULL && is_in_python (assembly, place->classpath);
  }
  return found ? orrery_loader_get_worker_command (loader) : NULL;
}

/* --- scripts --- */

static OrreryWorker *
find_script_worker (OrreryAssembly *assembly, OrreryNode *place, const char *name,
                    const char *worker_name)
{
  OrreryWorker *worker;

  if (!check_worker_name (assembly, place, worker_name, name))
    return NULL;
  worker = ensure_worker (assembly, worker_name, FALSE, ORRERY_TRANSPORT_QUEUE);
  if (!orrery_worker_get_settings (worker)->free_running)
    return worker;
  orrery_assembly_refuse (
      assembly, place,
      "what is in the worker '%.60s' runs free; a script is waited for, so that it needs "
      "another one",
      worker_name);
  return NULL;
}

/* Returns: (nullable): the worker in which the script runs */
static OrreryWorker *
read_script (OrreryAssembly *assembly, const OrreryScriptPlace *place, const char *name)
{
  const char *text = get_placement (place);
  OrreryNode *node = place->keys.placement;

  if (text == NULL)
    return NULL;
  if (place->object == NULL) {
    orrery_assembly_refuse (
        assembly, node,
        "%s belongs to the program and outlives the scene, and its workers with it: it runs "
        "in the host",
        orrery_script_type_get_name (place->type));
    return NULL;
  }
  return find_script_worker (assembly, node, name, g_str_equal (text, "worker") ? name : text);
}

static void
read_scripts (OrreryAssembly *assembly, const char *const *command)
{
  GArray *scripts = assembly->scene->scripts.places;

  for (guint i = 0; i < scripts->len; i++) {
    const OrreryScriptPlace *place = &g_array_index (scripts, OrreryScriptPlace, i);
    g_autofree char *name = NULL;
    OrreryWorker *worker;

    /* Names of the program's are counted. */
    if (place->object != NULL)
      name = orrery_assembly_name_script (assembly, place);
    worker = read_script (assembly, place, name);
    if (worker == NULL || assembly->options->check_only)
      continue;
    orrery_worker_set_command (worker, command);
    orrery_worker_add_script (worker, name, assembly->components->len, i);
  }
}

void
orrery_assembly_read_workers (OrreryAssembly *assembly)
{
  const char *const *command = find_command (assembly);

  for (guint i = 0; i < assembly->components->len; i++) {
    OrreryComponent *component = assembly->components->pdata[i];
    Placement placement;
    OrreryWorker *worker = NULL;

    if (read_placement (assembly, i, &placement))
      worker = find_worker (assembly, &placement);
    /* `orrery check` starts nothing. */
    if (worker != NULL && !assembly->options->check_only) {
      orrery_worker_set_command (worker, command);
      orrery_worker_add (worker, component, i);
    }
    g_free (placement.name);
  }
  read_scripts (assembly, command);
  check_table (assembly);
}

/* --- starting --- */

static GVariant *
describe_texts (OrreryScene *scene)
{
  GVariantBuilder texts;
  GHashTableIter iter;
  gpointer path, text;

  g_variant_builder_init (&texts, G_VARIANT_TYPE ("a{say}"));
  g_hash_table_iter_init (&iter, scene->texts);
  while (g_hash_table_iter_next (&iter, &path, &text))
    g_variant_builder_add (&texts, "{s@ay}", path,
                           g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE,
                                                      g_bytes_get_data (text, NULL),
                                                      g_bytes_get_size (text), 1));
  return g_variant_builder_end (&texts);
}

/* Collects what a worker needs to build the same world as this process. */
static GVariant *
describe_world (OrreryAssembly *assembly, OrreryWorker *worker)
{
  const char *const *directories = orrery_registry_get_directories (assembly->registry);
  OrreryScene *scene = assembly->scene;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "directories", "^as", directories);
  g_variant_dict_insert (&dict, "file", "s", scene->file);
  g_variant_dict_insert (&dict, "directory", "s", scene->directory);
  g_variant_dict_insert (&dict, "import", "s",
                         scene->import_path != NULL ? scene->import_path : "");
  g_variant_dict_insert (&dict, "read-limit", "u", scene->read_limit);
  g_variant_dict_insert_value (&dict, "texts", describe_texts (scene));
  if (assembly->options->settings != NULL)
    g_variant_dict_insert (&dict, "settings", "^as", assembly->options->settings);
  g_variant_dict_insert (&dict, "seed", "t", assembly->seed);
  g_variant_dict_insert (&dict, "offline", "b", assembly->options->offline);
  g_variant_dict_insert (&dict, "start", "x", orrery_runner_get_settings (assembly->runner)->start);
  orrery_worker_describe (worker, &dict);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static gboolean
start (OrreryAssembly *assembly, OrreryWorker *worker)
{
  g_autoptr (GVariant) world = describe_world (assembly, worker);
  GError *error = NULL;

  if (orrery_worker_set_blueprint (worker, g_variant_get_data (world), g_variant_get_size (world),
                                   &error) &&
      orrery_worker_start (worker, &error))
    return TRUE;
  g_prefix_error (&error, "worker %s cannot be started: ", orrery_worker_get_name (worker));
  orrery_assembly_problem (assembly, NULL, error);
  return FALSE;
}

void
orrery_assembly_start_workers (OrreryAssembly *assembly)
{
  OrreryWorkers *workers = orrery_runner_get_workers (assembly->runner);
  gboolean started = TRUE;
  GPtrArray *list;

  /* Workers are not started for a scene that is refused anyway. */
  if (workers == NULL || assembly->options->check_only || assembly->problems->n > 0)
    return;
  list = orrery_workers_list (workers);
  for (guint i = 0; started && i < list->len; i++)
    started = start (assembly, list->pdata[i]);
  for (guint i = 0; started && i < list->len; i++) {
    GError *error = NULL;

    if (!orrery_worker_await (list->pdata[i], &error))
      orrery_assembly_problem (assembly, NULL, error);
  }
}

/* --- what a setup in a worker made --- */

static guint
find_place (OrreryAssembly *assembly, OrreryComponent *component)
{
  guint place = 0;

  g_ptr_array_find (assembly->components, component, &place);
  return place;
}

static void
adopt_sources (OrreryAssembly *assembly, OrreryRemote *remote, GVariant *names)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new ();

  for (gsize i = 0; i < g_variant_n_children (names); i++) {
    OrreryComponent *source;
    const char *name;

    g_variant_get_child (names, i, "&s", &name);
    source = g_hash_table_lookup (assembly->by_name, name);
    if (source == NULL)
      continue;
    orrery_remote_add_source (remote, source, find_place (assembly, source));
    g_ptr_array_add (sources, source);
  }
  orrery_part_set_found (ORRERY_PART (orrery_remote_get_component (remote)), sources, NULL);
}

/* What its setup in the worker found, by name. */
static void
adopt_reads (OrreryAssembly *assembly, OrreryComponent *component, gboolean on_demand,
             GVariant *names)
{
  GPtrArray *reads = g_ptr_array_new ();

  for (gsize i = 0; i < g_variant_n_children (names); i++) {
    OrreryComponent *found;
    const char *name;

    g_variant_get_child (names, i, "&s", &name);
    found = g_hash_table_lookup (assembly->by_name, name);
    if (found != NULL)
      g_ptr_array_add (reads, found);
  }
  orrery_component_set_reads (component, reads, on_demand);
}

/* The worker keeps the same limit, unless its plugin writes into its memory. */
static void
adopt_commands (OrreryRemote *remote, GVariant *given)
{
  g_autoptr (GArray) commands = g_array_new (FALSE, FALSE, sizeof (OrreryDeclared));
  gsize n;
  gconstpointer data = g_variant_get_fixed_array (given, &n, sizeof (OrreryDeclared));

  g_array_append_vals (commands, data, (guint) MIN (n, ORRERY_MAX_DECLARED));
  orrery_part_set_commands (ORRERY_PART (orrery_remote_get_component (remote)), commands);
}

/* Fields of type record refer to the records of this process. */
static void
adopt_references (OrreryAssembly *assembly, OrreryRecord *record, GVariant *references)
{
  GVariantIter iter;
  const char *field, *name;

  g_variant_iter_init (&iter, references);
  while (g_variant_iter_next (&iter, "{&s&s}", &field, &name)) {
    OrreryRecord **place = orrery_record_find (record, field, ORRERY_FIELD_RECORD);
    OrreryComponent *other = g_hash_table_lookup (assembly->by_name, name);

    if (place == NULL || other == NULL)
      continue;
    g_clear_pointer (place, orrery_record_unref);
    *place = orrery_record_ref (orrery_component_get_record (other));
  }
}

static gboolean
adopt_record (OrreryRemote *remote, GVariant *fields, GVariant *bytes, GError **error)
{
  OrrerySchema *known =
      orrery_record_get_schema (orrery_component_get_record (orrery_remote_get_component (remote)));
  g_autoptr (GVariant) present = orrery_schema_to_variant (known);
  g_autoptr (OrrerySchema) schema = NULL;
  gsize size;
  gconstpointer data = g_variant_get_fixed_array (bytes, &size, 1);

  if (!g_variant_equal (present, fields)) {
    schema = orrery_schema_new_from_variant (fields, error);
    if (schema == NULL)
      return FALSE;
    orrery_component_set_schema (orrery_remote_get_component (remote), schema);
  }
  return orrery_flat_read (orrery_component_get_record (orrery_remote_get_component (remote)), data,
                           size, error);
}

static gboolean
adopt (OrreryAssembly *assembly, OrreryRemote *remote, GVariant *one, GError **error)
{
  g_autoptr (GVariant) fields = NULL;
  g_autoptr (GVariant) bytes = NULL;
  g_autoptr (GVariant) references = NULL;
  g_autoptr (GVariant) sources = NULL;
  g_autoptr (GVariant) published = NULL;
  g_autoptr (GVariant) commands = NULL;
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) reads = NULL;
  OrreryRecord *record;
  OrreryQuat axes;
  const char *words;
  gboolean on_demand;
  gint32 code;

  g_variant_get (one, "(i&s@a(ssss)@ay@a{ss}@as@as@mv(dddd)b@as@a(uu))", &code, &words, &fields,
                 &bytes, &references, &sources, &published, &state, &axes.x, &axes.y, &axes.z,
                 &axes.w, &on_demand, &reads, &commands);
  if (*words != '\0') {
    g_set_error_literal (error, ORRERY_ERROR, CLAMP (code, 0, ORRERY_ERROR_INTERNAL), words);
    return FALSE;
  }
  if (!adopt_record (remote, fields, bytes, error))
    return FALSE;
  orrery_component_set_axes (orrery_remote_get_component (remote), &axes);
  record = orrery_component_get_record (orrery_remote_get_component (remote));
  adopt_references (assembly, record, references);
  adopt_sources (assembly, remote, sources);
  adopt_reads (assembly, orrery_remote_get_component (remote), on_demand, reads);
  adopt_commands (remote, commands);
  boxed = g_variant_get_maybe (state);
  orrery_remote_take_state (remote, boxed != NULL ? g_variant_get_variant (boxed) : NULL);
  orrery_record_keep_defaults (record);
  return orrery_assembly_publish_remote (
      assembly, orrery_assembly_get_place (assembly, orrery_remote_get_place (remote))->node,
      ORRERY_PART (orrery_remote_get_component (remote)), published);
}

/* What a worker says of the scene it says with its place, one line each, as would the host; each
 * line is shown once, however many workers say it. */
static void
refuse_answer (OrreryAssembly *assembly, OrreryRemote *remote, GError *error)
{
  OrreryPart *part = ORRERY_PART (orrery_remote_get_component (remote));
  g_auto (GStrv) lines = NULL;

  if (!g_regex_match_simple ("^[^\n]+:[0-9]+:[0-9]+: ", error->message, 0, 0)) {
    orrery_assembly_take_part_error (
        assembly, orrery_assembly_get_place (assembly, orrery_remote_get_place (remote))->node,
        part, error);
    return;
  }
  lines = g_strsplit (error->message, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    orrery_assembly_problem (assembly, NULL,
                             g_error_new_literal (ORRERY_ERROR, error->code, *line));
  g_error_free (error);
}

gboolean
orrery_assembly_adopt (OrreryAssembly *assembly, OrreryComponent *component)
{
  OrreryRemote *remote = orrery_remote_find (ORRERY_PART (component));
  const char *name = orrery_part_get_name (ORRERY_PART (component));
  g_autoptr (GVariant) one = NULL;
  GError *error = NULL;

  if (remote == NULL)
    return FALSE;
  if (orrery_remote_get_first_answer (remote) == NULL)
    return TRUE;
  one = g_variant_lookup_value (orrery_remote_get_first_answer (remote), name,
                                G_VARIANT_TYPE (ORRERY_READY_ONE_TYPE));
  if (one == NULL)
    error = g_error_new (ORRERY_ERROR, ORRERY_ERROR_PLUGIN, "its worker knows nothing of it");
  else
    adopt (assembly, remote, one, &error);
  if (error != NULL)
    refuse_answer (assembly, remote, error);
  return TRUE;
}

void
orrery_assembly_end_adoption (OrreryAssembly *assembly)
{
  OrreryWorkers *workers = orrery_runner_get_workers (assembly->runner);

  if (workers != NULL)
    orrery_workers_end_adoption (workers);
}
