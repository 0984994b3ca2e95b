/* SPDX-License-Identifier: BSD-3-Clause */
/* A replica of the host's world in a worker process, in which some components run. */
#define _GNU_SOURCE
#include "simulation/orrery-replica.h"

#include "base/orrery-hash-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "process/orrery-launch-private.h"
#include "process/orrery-packet-private.h"
#include "record/orrery-flat-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-script-private.h"
#include "roles/orrery-setup-private.h"
#include "scene/orrery-settings-private.h"
#include "simulation/orrery-simulation-private.h"
#include "worker/orrery-worker-log-private.h"
#include "worker/orrery-worker-loop-private.h"
#include "world/orrery-world-private.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Of the description of a world. */
#define MAX_BLUEPRINT ((gsize) 1 << 30)

#define EXIT_USAGE 64
#define EXIT_INTERNAL 70
#define EXIT_PROTOCOL 76

/* A copy of the host's world, in which some components run. */
typedef struct {
  OrreryRun *run;
  OrreryInstance *instance;
  OrreryWorkerLoop loop;
  GVariantDict blueprint;
  GHashTable *is_set_up; /* (element-type OrreryComponent) */
  guint turn;            /* index of the component whose setup runs */
  GPtrArray *found; /* (element-type OrreryComponent) (nullable): found in the setup of a script */
  const char *error;
} Replica;

/* --- the world --- */

static const char *
get_text (Replica *replica, const char *key)
{
  const char *text = "";

  g_variant_dict_lookup (&replica->blueprint, key, "&s", &text);
  return text;
}

static OrreryRegistry *
open_registry (Replica *replica)
{
  OrreryRegistry *registry = orrery_registry_new ();
  g_autofree const char **directories = NULL;

  g_variant_dict_lookup (&replica->blueprint, "directories", "^a&s", &directories);
  /* A directory that is refused here is reported where a class is not found. */
  for (guint i = 0; directories != NULL && directories[i] != NULL; i++)
    orrery_registry_add_directory (registry, directories[i], NULL);
  return registry;
}

static void
take_texts (Replica *replica, OrreryScene *scene)
{
  g_autoptr (GVariant) texts =
      g_variant_dict_lookup_value (&replica->blueprint, "texts", G_VARIANT_TYPE ("a{say}"));
  GVariantIter iter;
  const char *path;
  GVariant *bytes;

  g_variant_iter_init (&iter, texts);
  while (g_variant_iter_next (&iter, "{&s@ay}", &path, &bytes)) {
    gsize size;
    const char *data = g_variant_get_fixed_array (bytes, &size, 1);

    g_hash_table_insert (scene->texts, g_strdup (path),
                         g_bytes_new_take (g_strndup (data, size), size));
    g_variant_unref (bytes);
  }
}

/* They were read once by the host, which refuses what is wrong. */
static void
take_settings (Replica *replica, OrreryScene *scene)
{
  g_autofree const char **texts = NULL;

  if (g_variant_dict_lookup (&replica->blueprint, "settings", "^a&s", &texts))
    orrery_scene_add_settings (scene, texts, NULL);
}

static gboolean
build (Replica *replica, GError **error)
{
  g_autoptr (OrreryRegistry) registry = open_registry (replica);
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  OrreryInstance *instance;
  OrreryScene *scene;
  gboolean offline = FALSE;
  guint64 seed = 0;
  gint64 start = 0;

  g_variant_dict_lookup (&replica->blueprint, "seed", "t", &seed);
  g_variant_dict_lookup (&replica->blueprint, "start", "x", &start);
  g_variant_dict_lookup (&replica->blueprint, "offline", "b", &offline);
  g_object_set (options, "seed", seed, "offline", offline, NULL);
  replica->run = orrery_run_new (ORRERY_RUN_READY, FALSE);
  instance = replica->instance = orrery_instance_new (NULL, replica->run, registry, options);
  scene = orrery_scene_new (instance->registry, instance->world, &instance->problems);
  g_variant_dict_lookup (&replica->blueprint, "read-limit", "u", &scene->read_limit);
  take_texts (replica, scene);
  take_settings (replica, scene);
  if (*get_text (replica, "import") != '\0')
    scene->import_path = g_strdup (get_text (replica, "import"));
  if (!orrery_scene_read_text (scene, get_text (replica, "file"), get_text (replica, "directory"),
                               error)) {
    orrery_scene_free (scene);
    return FALSE;
  }
  orrery_instance_replicate (instance, scene, start);
  /* What its classes find wrong with properties is the answer of the first component. */
  return TRUE;
}

/* --- setup --- */

static void
set_up (Replica *replica, guint place)
{
  OrreryAssembly *assembly = &replica->instance->assembly;
  OrreryComponent *component = assembly->components->pdata[place];
  OrreryNode *node = orrery_assembly_get_place (assembly, place)->node;
  guint turn = replica->turn;

  if (!g_hash_table_add (replica->is_set_up, component))
    return;
  replica->turn = place;
  if (orrery_assembly_setup (assembly, node, ORRERY_PART (component), component,
                             orrery_node_find (node, "properties")))
    orrery_record_keep_defaults (orrery_component_get_record (component));
  replica->turn = turn;
}

/* A component that another one looks up is set up before it, as in the host; a later one is not. */
static void
on_found (gpointer data, OrreryComponent *component)
{
  Replica *replica = data;
  guint place;

  if (replica->found != NULL)
    g_ptr_array_add (replica->found, component);
  if (g_ptr_array_find (replica->instance->assembly.components, component, &place) &&
      place < replica->turn)
    set_up (replica, place);
}

static GVariant *
list_references (Replica *replica, OrreryRecord *record)
{
  GPtrArray *components = replica->instance->assembly.components;
  OrrerySchema *schema = orrery_record_get_schema (record);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);
    OrreryRecord *const *place = orrery_record_find (record, field->name, ORRERY_FIELD_RECORD);

    for (guint j = 0; place != NULL && *place != NULL && j < components->len; j++)
      if (orrery_component_get_record (components->pdata[j]) == *place)
        g_variant_builder_add (&list, "{ss}", field->name,
                               orrery_part_get_name (components->pdata[j]));
  }
  return g_variant_builder_end (&list);
}

/* @components: (nullable) */
static GVariant *
list_part_names (GPtrArray *components)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; components != NULL && i < components->len; i++)
    g_variant_builder_add (&list, "s", orrery_part_get_name (components->pdata[i]));
  return g_variant_builder_end (&list);
}

/* The names of its services besides its own name. */
static GVariant *
list_published (OrreryComponent *component)
{
  GPtrArray *names = orrery_part_get_published (ORRERY_PART (component));

  return names != NULL ? g_variant_new_strv ((const char *const *) names->pdata, names->len)
                       : g_variant_new_strv (NULL, 0);
}

static GVariant *
list_commands (OrreryComponent *component)
{
  GArray *commands = orrery_part_get_commands (ORRERY_PART (component));

  return g_variant_new_fixed_array (G_VARIANT_TYPE ("(uu)"),
                                    commands != NULL ? commands->data : NULL,
                                    commands != NULL ? commands->len : 0, sizeof (OrreryDeclared));
}

static GVariant *
describe (Replica *replica, OrreryComponent *component, const GError *error)
{
  OrreryRecord *record = orrery_component_get_record (component);
  const OrreryQuat *axes = orrery_component_get_axes (component);
  g_autoptr (GVariant) state =
      error == NULL ? orrery_part_save_state (ORRERY_PART (component)) : NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GVariant) fields = orrery_schema_to_variant (orrery_record_get_schema (record));

  orrery_message_add_record (bytes, record);
  return g_variant_new ("(is@a(ssss)@ay@a{ss}@as@as@mv(dddd)b@as@a(uu))",
                        error != NULL ? error->code : 0, error != NULL ? error->message : "",
                        fields,
                        g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes->data, bytes->len, 1),
                        list_references (replica, record),
                        list_part_names (orrery_part_get_sources (ORRERY_PART (component))),
                        list_published (component),
                        g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                             state != NULL ? g_variant_new_variant (state) : NULL),
                        axes->x, axes->y, axes->z, axes->w,
                        orrery_component_is_on_demand (component),
                        list_part_names (orrery_component_get_reads (component)),
                        list_commands (component));
}

/* --- the state from which a replacement process begins --- */

static void
apply_options (OrreryPart *part, GVariant *options)
{
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_variant_iter_init (&iter, options);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &value)) {
    g_autoptr (GVariant) held = value;
    g_autoptr (GError) error = NULL;

    if (!orrery_part_set_option (part, name, held, &error))
      orrery_part_warning (part, "%s", error->message);
  }
}

static void
resume (OrreryComponent *component, GVariant *bytes, GVariant *boxed, GError **error)
{
  OrreryPart *part = ORRERY_PART (component);
  g_autoptr (GVariant) state = boxed != NULL ? g_variant_get_variant (boxed) : NULL;
  gsize size;
  gconstpointer data = g_variant_get_fixed_array (bytes, &size, 1);

  if (size > 0 && !orrery_flat_read (orrery_component_get_record (component), data, size, error))
    return;
  orrery_part_restore_state (part, state, error);
}

static GVariant *
start_component (Replica *replica, guint place, GVariant *start)
{
  OrreryInstance *instance = replica->instance;
  OrreryComponent *component = instance->assembly.components->pdata[place];
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GVariant) bytes = NULL;
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GError) error = NULL;

  orrery_worker_pass ("setup");
  replica->turn = place;
  set_up (replica, place);
  orrery_part_keep_options (ORRERY_PART (component));
  g_variant_get (start, "(@mv@ay@a{sv})", &boxed, &bytes, &options);
  state = g_variant_get_maybe (boxed);
  if (orrery_problems_report (&instance->problems, &error)) {
    apply_options (ORRERY_PART (component), options);
    resume (component, bytes, state, &error);
  }
  orrery_worker_pass ("set-up");
  return describe (replica, component, error);
}

static GVariant *
start_all (gpointer data, GVariant *start)
{
  Replica *replica = data;
  GPtrArray *components = replica->instance->assembly.components;
  GVariantBuilder ready;

  g_variant_builder_init (&ready, G_VARIANT_TYPE (ORRERY_READY_TYPE));
  for (guint i = 0; i < components->len; i++) {
    const char *name = orrery_part_get_name (components->pdata[i]);
    g_autoptr (GVariant) one = g_variant_lookup_value (start, name, G_VARIANT_TYPE ("(mvaya{sv})"));

    if (one != NULL)
      g_variant_builder_add (&ready, "{s@" ORRERY_READY_ONE_TYPE "}", name,
                             start_component (replica, i, one));
  }
  return g_variant_ref_sink (g_variant_builder_end (&ready));
}

/* --- scripts --- */

static void
add_seen (GPtrArray *components, GPtrArray *found, OrreryComponent *component, gboolean *seen)
{
  guint place;

  if (!g_ptr_array_find (components, component, &place) || seen[place])
    return;
  seen[place] = TRUE;
  g_ptr_array_add (found, component);
}

/* The components that the script found, and those that these read: it may access both. */
static GVariant *
list_found (Replica *replica)
{
  GPtrArray *components = replica->instance->assembly.components;
  g_autofree gboolean *seen = g_new0 (gboolean, components->len);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  GVariantBuilder places;

  for (guint i = 0; i < replica->found->len; i++)
    add_seen (components, all, replica->found->pdata[i], seen);
  for (guint i = 0; i < all->len; i++) {
    GPtrArray *sources = orrery_part_get_sources (all->pdata[i]);

    for (guint k = 0; sources != NULL && k < sources->len; k++)
      add_seen (components, all, sources->pdata[k], seen);
  }
  g_variant_builder_init (&places, G_VARIANT_TYPE ("au"));
  for (guint i = 0; i < components->len; i++)
    if (seen[i])
      g_variant_builder_add (&places, "u", i);
  return g_variant_builder_end (&places);
}

/* Returns: whether there are none; the next script begins without any */
static gboolean
take_problems (Replica *replica, GError **error)
{
  OrreryProblems *problems = &replica->instance->problems;

  if (orrery_problems_report (problems, error))
    return TRUE;
  orrery_problems_clear (problems);
  orrery_problems_init (problems);
  return FALSE;
}

static OrreryScript *
create_script (Replica *replica, const OrreryScriptPlace *place, const char *name, GError **error)
{
  OrreryInstance *instance = replica->instance;
  OrreryAssembly *assembly = &instance->assembly;
  g_autoptr (OrreryPart) part = orrery_assembly_create (assembly, place->keys.classpath,
                                                        place->classpath, ORRERY_ROLE_SCRIPT, name);

  if (part != NULL) {
    orrery_script_place (ORRERY_SCRIPT (part), place->type, place->object);
    orrery_assembly_set_options (assembly, part,
                                 orrery_scene_settle (assembly->scene, name,
                                                      place->keys.properties));
  }
  return take_problems (replica, error) ? ORRERY_SCRIPT (g_steal_pointer (&part)) : NULL;
}

static GVariant *
describe_script (Replica *replica, OrrerySetup *setup, const GError *error)
{
  gboolean ours = error != NULL && error->domain == ORRERY_ERROR;
  GVariantBuilder published;

  g_variant_builder_init (&published, G_VARIANT_TYPE ("as"));
  for (guint i = 0; setup != NULL && i < setup->published->len; i++)
    g_variant_builder_add (&published, "s", setup->published->pdata[i]);
  return g_variant_ref_sink (
      g_variant_new ("(is@as@au)", ours ? error->code : (int) ORRERY_ERROR_INTERNAL,
                     error != NULL ? error->message : "", g_variant_builder_end (&published),
                     list_found (replica)));
}

static GVariant *
make_script (gpointer data, guint index, const char *name, GVariant *options)
{
  Replica *replica = data;
  OrreryAssembly *assembly = &replica->instance->assembly;
  const OrreryScriptPlace *place =
      &g_array_index (assembly->scene->scripts.places, OrreryScriptPlace, index);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySetup) setup = NULL;
  OrreryScript *script;
  GVariant *made;

  /* Every component comes before a script. */
  replica->turn = assembly->components->len;
  replica->found = found;
  script = create_script (replica, place, name, &error);
  if (script != NULL) {
    apply_options (ORRERY_PART (script), options);
    setup = orrery_assembly_run_setup (assembly, ORRERY_PART (script), NULL,
                                       orrery_scene_settle (assembly->scene, name,
                                                            place->keys.properties),
                                       &error);
    replica->loop.scripts->pdata[index] = script;
    /* Of components that were set up because the script looked them up. */
    take_problems (replica, error == NULL ? &error : NULL);
  }
  made = describe_script (replica, setup, error);
  replica->found = NULL;
  return made;
}

/* Loads the class early, so that no tick waits for that. */
static void
load_scripts (Replica *replica)
{
  OrreryAssembly *assembly = &replica->instance->assembly;
  GArray *scripts = assembly->scene->scripts.places;
  g_autoptr (GVariant) places =
      g_variant_dict_lookup_value (&replica->blueprint, "scripts", G_VARIANT_TYPE ("au"));

  g_ptr_array_set_size (replica->loop.scripts, scripts->len);
  for (gsize i = 0; places != NULL && i < g_variant_n_children (places); i++) {
    guint index;

    g_variant_get_child (places, i, "u", &index);
    if (index < scripts->len)
      orrery_registry_find_class (assembly->registry,
                                  g_array_index (scripts, OrreryScriptPlace, index).classpath,
                                  NULL);
  }
}

/* --- channels --- */

static gboolean
open_channels (Replica *replica, GError **error)
{
  OrreryWorkerLoop *loop = &replica->loop;
  g_autoptr (OrreryChannel) from = orrery_channel_receive (ORRERY_LAUNCH_SOCKET, error);
  g_autoptr (OrreryChannel) to = NULL;

  if (from == NULL)
    return FALSE;
  to = orrery_channel_receive (ORRERY_LAUNCH_SOCKET, error);
  if (to == NULL)
    return FALSE;
  loop->from = orrery_receiver_new (from, error);
  loop->to = orrery_emitter_new (to, error);
  return loop->from != NULL && loop->to != NULL;
}

/* Each component's own channel, if its record is passed through one; in the order of the
 * components. */
static gboolean
open_latest (Replica *replica, GHashTable *names, GError **error)
{
  GPtrArray *components = replica->instance->assembly.components;

  for (guint i = 0; i < components->len; i++) {
    g_autoptr (OrreryChannel) channel = NULL;
    OrreryEmitter *emitter;

    if (!g_hash_table_contains (names, orrery_part_get_name (components->pdata[i])))
      continue;
    channel = orrery_channel_receive (ORRERY_LAUNCH_SOCKET, error);
    emitter = channel != NULL ? orrery_emitter_new (channel, error) : NULL;
    if (emitter == NULL)
      return FALSE;
    g_hash_table_insert (replica->loop.latest, components->pdata[i], emitter);
  }
  return TRUE;
}

static GHashTable *
list_names (Replica *replica)
{
  GHashTable *names = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) list = NULL;

  g_variant_dict_lookup (&replica->blueprint, "latest", "^as", &list);
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    g_hash_table_add (names, g_strdup (list[i]));
  return names;
}

/* --- the process --- */

static gpointer
watch_host (gpointer data)
{
  struct pollfd poll_fd = { .fd = ORRERY_LAUNCH_SOCKET, .events = POLLRDHUP };

  /* Ends the process regardless of its components: without a host their results have no
   * receiver. */
  while (poll (&poll_fd, 1, -1) <= 0 || (poll_fd.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0)
    ;
  _exit (0);
}

/* The host may have ended between the start of this process and the request to the kernel. */
static gboolean
depend_on (const char *host)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  return g_ascii_strtoll (host, NULL, 10) == getppid ();
}

static GVariant *
receive_blueprint (GError **error)
{
  int fd = orrery_file_accept (ORRERY_LAUNCH_SOCKET, error);
  g_autoptr (GBytes) bytes = fd >= 0 ? orrery_sealed_file_read (fd, MAX_BLUEPRINT, error) : NULL;

  if (fd >= 0)
    close (fd);
  if (bytes == NULL)
    return NULL;
  return g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, bytes, FALSE));
}

static void
name_process (const char *name)
{
  g_autofree char *text = g_strdup_printf ("orrery:%s", name);

  prctl (PR_SET_NAME, text);
}

static gboolean
live (Replica *replica, GError **error)
{
  OrreryWorkerLoop *loop = &replica->loop;
  g_autoptr (GHashTable) names = list_names (replica);
  GThread *thread;
  guint64 memory = 0;

  name_process (get_text (replica, "name"));
  g_variant_dict_lookup (&replica->blueprint, "memory", "t", &memory);
  g_variant_dict_lookup (&replica->blueprint, "free", "b", &loop->free_running);
  orrery_worker_log_limit_memory (memory);
  if (!open_channels (replica, error) || !build (replica, error))
    return FALSE;
  orrery_worker_pass ("built");
  if (!open_latest (replica, names, error))
    return FALSE;
  thread = g_thread_try_new ("orrery-host", watch_host, NULL, error);
  if (thread == NULL)
    return FALSE;
  g_thread_unref (thread);
  replica->instance->assembly.found = on_found;
  replica->instance->assembly.found_data = replica;
  loop->world = replica->instance->world;
  loop->log_levels = replica->instance->scene->log_levels;
  loop->tick = orrery_runner_get_tick (replica->instance->runner);
  loop->components = replica->instance->assembly.components;
  load_scripts (replica);
  loop->start = start_all;
  loop->make_script = make_script;
  loop->start_data = replica;
  return orrery_worker_loop_run (loop, error);
}

void
orrery_worker_watch (OrreryWorkerWatch watch)
{
  orrery_worker_point = watch;
}

int
orrery_worker_main (int argc, char **argv)
{
  g_autoptr (GVariant) blueprint = NULL;
  g_autoptr (GError) error = NULL;
  Replica replica = { 0 };
  gboolean fine;

  if (argc != 2)
    return EXIT_USAGE;
  signal (SIGINT, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  if (!depend_on (argv[1]))
    return EXIT_PROTOCOL;
  orrery_worker_log_start (ORRERY_LAUNCH_SOCKET, ORRERY_LAUNCH_PRINTED);
  orrery_worker_pass ("begin");
  blueprint = receive_blueprint (&error);
  if (blueprint == NULL)
    return EXIT_PROTOCOL;
  g_variant_dict_init (&replica.blueprint, blueprint);
  replica.is_set_up = g_hash_table_new (NULL, NULL);
  orrery_worker_loop_init (&replica.loop);
  fine = live (&replica, &error);
  if (!fine)
    g_warning ("%s", error->message);
  orrery_worker_pass ("end");
  if (replica.instance != NULL)
    orrery_instance_end_calls (replica.instance);
  orrery_worker_loop_clear (&replica.loop);
  g_clear_pointer (&replica.instance, orrery_instance_free);
  g_clear_pointer (&replica.run, orrery_run_free);
  g_hash_table_unref (replica.is_set_up);
  g_variant_dict_clear (&replica.blueprint);
  return fine ? 0 : EXIT_INTERNAL;
}
