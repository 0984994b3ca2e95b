/* SPDX-License-Identifier: BSD-3-Clause */
/* Spawning and deleting by simulation_interfaces: the table `spawnables` of the scene. */
#include "sim-spawn.h"

#include "../message/variant.h"
#include "sim-filter.h"

#include <math.h>
#include <string.h>

/* m: what lies beyond is refused by the world */
#define MAX_COORDINATE 1e8

/* --- what can be spawned --- */

static void
on_kinds (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  GVariant *kinds = orrery_call_get_result (call, NULL);

  if (job->dds == NULL)
    return;
  if (kinds != NULL && g_variant_is_of_type (kinds, G_VARIANT_TYPE ("a{sas}")))
    job->with_kinds (job, kinds);
  else
    sim_job_finish (call, job, SIM_FAILED);
}

void
sim_job_ask_kinds (SimJob *job, SimKindsFunc func)
{
  job->with_kinds = func;
  sim_job_submit (job, "get_spawnables", NULL, on_kinds);
}

static gboolean
has_kinds (SimJob *job, GVariant *kinds)
{
  return g_variant_n_children (kinds) > 0 || sim_job_may_call (job, "add_spawnable") ||
         sim_answer_set (&job->answer, SIM_UNSUPPORTED,
                         "spawning is not supported: the scene has no table 'spawnables'");
}

static gboolean
has_no_sources (SimJob *job)
{
  g_auto (GStrv) sources = sim_get_texts (job->request, "sources");

  return *sources == NULL ||
         sim_answer_set (&job->answer, SIM_UNSUPPORTED,
                         "sources are not supported: what can be spawned is in the scene");
}

static void
list_kinds (SimJob *job, GVariant *kinds)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  gboolean can_be = has_kinds (job, kinds) && has_no_sources (job);

  for (gsize i = 0; can_be && i < g_variant_n_children (kinds); i++) {
    const char *name;
    g_autofree const char **places = NULL;

    g_variant_get_child (kinds, i, "{&s^a&s}", &name, &places);
    g_variant_builder_add (&list, "v",
                           sim_entities_describe_spawnable (job->run->entities, name, places[0]));
  }
  sim_answer_add (&job->answer, "spawnables", g_variant_builder_end (&list));
  job->run->send (job);
}

void
sim_get_spawnables (SimJob *job)
{
  sim_job_ask_kinds (job, list_kinds);
}

/* --- spawning --- */

static gboolean
check_running (SimJob *job)
{
  return job->state != SIM_STOPPED ||
         sim_answer_set (&job->answer, SIM_INCORRECT_STATE,
                         "the simulation is stopped, and begins with nothing spawned; set its "
                         "state to 1 (playing) or 2 (paused) first");
}

/* One thing that is to be spawned: a SpawnEntity, which the request of that service has in itself.
 */
typedef struct {
  SimJob *job;
  GVariant *request;
  char *name; /* as asked for; "": none */
  gboolean may_rename;
  OrreryTransform pose;
  char *uri;
  char *kind;      /* (nullable): the spawnable that it is to be; NULL: one that is to be added */
  gboolean is_new; /* what the uri names is no spawnable of the scene */
  GVariant *kinds; /* of the scene */
  char *given;     /* (nullable): the name that it has */
  SimAnswer answer;
} Order;

static void
order_free (gpointer data)
{
  Order *order = data;

  g_variant_unref (order->request);
  g_free (order->name);
  g_free (order->uri);
  g_free (order->kind);
  g_clear_pointer (&order->kinds, g_variant_unref);
  g_free (order->given);
  sim_answer_clear (&order->answer);
  g_free (order);
}

static Order *
order_new (SimJob *job, GVariant *request)
{
  Order *order = g_new0 (Order, 1);

  order->job = job;
  order->request = g_variant_ref (request);
  order->name = sim_get_text (request, "name");
  order->may_rename = sim_get_integer (request, "allow_renaming") != 0;
  order->answer.code = SIM_OK;
  return order;
}

static SimAdded *
get_added (const Order *order, guint i)
{
  return &g_array_index (order->job->run->added, SimAdded, i);
}

/* The first spawnable that was added for its uri, from that place on; or none. */
static void
take_added (Order *order, guint from)
{
  g_clear_pointer (&order->kind, g_free);
  for (guint i = from; i < order->job->run->added->len && order->kind == NULL; i++)
    if (g_strcmp0 (get_added (order, i)->uri, order->uri) == 0)
      order->kind = g_strdup (get_added (order, i)->kind);
}

static gboolean
check_names (Order *order)
{
  g_autofree char *name_space = sim_get_text (order->request, "entity_namespace");

  if (*name_space != '\0')
    return sim_answer_set (&order->answer, SIM_NAMESPACE_INVALID,
                           "entity_namespace has to be empty: topics are those of the scene");
  return *order->name != '\0' || order->may_rename ||
         sim_answer_set (&order->answer, SIM_NAME_INVALID,
                         "name is empty, and allow_renaming is not set");
}

/* A file has a suffix, and the name of a class has dots. */
static gboolean
is_resource (const char *uri)
{
  const char *dot = strrchr (uri, '.');

  return dot != NULL && dot[1] != '\0' && strchr (dot, '/') == NULL;
}

static gboolean
check_resource (Order *order, GVariant *kinds)
{
  g_autoptr (GVariant) resource = message_variant_find (order->request, "entity_resource");
  g_autofree char *uri = sim_get_text (resource, "uri");
  g_autofree char *text = sim_get_text (resource, "resource_string");
  g_autoptr (GVariant) places = NULL;

  order->uri = g_strdup (uri);
  order->kind = g_strdup (uri);
  order->kinds = g_variant_ref (kinds);
  if (*uri == '\0' && *text == '\0')
    return sim_answer_set (&order->answer, SIM_NO_RESOURCE,
                           "entity_resource.uri is empty; give the name of a spawnable");
  if (*uri == '\0')
    return sim_answer_set (&order->answer, SIM_UNSUPPORTED_FORMAT,
                           "entity_resource.resource_string is not supported; give the name of a "
                           "spawnable as uri");
  places = g_variant_lookup_value (kinds, uri, G_VARIANT_TYPE_STRING_ARRAY);
  if (places == NULL && is_resource (uri) && sim_job_may_call (order->job, "add_spawnable")) {
    order->is_new = TRUE;
    take_added (order, 0);
    return TRUE;
  }
  return places != NULL ||
         sim_answer_set (&order->answer, SIM_NOT_FOUND,
                         "the scene has no spawnable '%.120s'; get_spawnables lists what there is",
                         uri);
}

static gboolean
is_near (double coordinate)
{
  return fabs (coordinate) <= MAX_COORDINATE;
}

static gboolean
read_pose (Order *order)
{
  g_autoptr (GVariant) stamped = message_variant_find (order->request, "initial_pose");
  g_autoptr (GVariant) header = message_variant_find (stamped, "header");
  const OrreryVec3 *position = &order->pose.position;

  if (!sim_is_world_frame (header))
    return sim_answer_set (&order->answer, SIM_SPAWN_POSE_INVALID,
                           "initial_pose.header.frame_id has to be 'world' or empty");
  if (!sim_get_pose (stamped, "pose", &order->pose))
    return sim_answer_set (&order->answer, SIM_SPAWN_POSE_INVALID,
                           "initial_pose.pose has a number that is not finite, or an orientation "
                           "of length 0");
  return (is_near (position->x) && is_near (position->y) && is_near (position->z)) ||
         sim_answer_set (&order->answer, SIM_SPAWN_POSE_INVALID,
                         "initial_pose.pose is beyond 1e8 m");
}

static void
answer_orders (SimJob *job)
{
  GVariantBuilder results = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  guint n_refused = 0;

  for (guint i = 0; i < job->orders->len; i++) {
    const Order *order = job->orders->pdata[i];
    GVariantBuilder one = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

    n_refused += order->answer.code != SIM_OK;
    g_variant_builder_add (&one, "{sv}", "result", sim_answer_get_result (&order->answer));
    g_variant_builder_add (&one, "{sv}", "entity_name",
                           g_variant_new_string (order->given != NULL ? order->given : ""));
    g_variant_builder_add (&results, "v", g_variant_builder_end (&one));
  }
  sim_answer_add (&job->answer, "results", g_variant_builder_end (&results));
  if (n_refused > 0)
    sim_answer_set (&job->answer, SIM_NOT_ALL_SPAWNED,
                    "%u of %u entities were not spawned; results say why", n_refused,
                    job->orders->len);
}

static void
answer_order (SimJob *job)
{
  const Order *order = job->orders->pdata[0];

  if (order->given != NULL)
    sim_answer_add (&job->answer, "entity_name", g_variant_new_string (order->given));
  else
    sim_answer_set (&job->answer, order->answer.code, "%s", order->answer.words);
}

static void
end_order (SimJob *job)
{
  if (--job->n_waiting > 0)
    return;
  if (job->is_many)
    answer_orders (job);
  else
    answer_order (job);
  job->run->send (job);
}

static void submit_order (Order *order);

/* --- what the scene does not have --- */

static void
clear_added (gpointer data)
{
  SimAdded *added = data;

  g_free (added->uri);
  g_free (added->kind);
}

GArray *
sim_added_new (void)
{
  GArray *added = g_array_new (FALSE, FALSE, sizeof (SimAdded));

  g_array_set_clear_func (added, clear_added);
  return added;
}

/* Whether it names a class, as orrery.robots.atrv.ATRV does, and not a file. */
static gboolean
is_class (const char *uri)
{
  const char *dot = strrchr (uri, '.');

  return strchr (uri, '/') == NULL && dot != NULL && g_ascii_isupper (dot[1]);
}

static const char *
get_path (const char *uri)
{
  return g_str_has_prefix (uri, "file://") ? uri + strlen ("file://") : uri;
}

/* The name of the class, or that of the file without its suffix. */
static char *
make_base (const char *uri)
{
  g_autofree char *last = g_path_get_basename (get_path (uri));

  if (is_class (uri))
    return g_strdup (strrchr (uri, '.') + 1);
  last[strcspn (last, ".")] = '\0';
  return g_strdup (*last != '\0' ? last : "entity");
}

/* Returns: the place of the spawnable of that name, or how many there are */
static guint
find_added (const Order *order, const char *kind)
{
  guint i = 0;

  while (i < order->job->run->added->len && !g_str_equal (get_added (order, i)->kind, kind))
    i++;
  return i;
}

static gboolean
is_kind (const Order *order, const char *name)
{
  g_autoptr (GVariant) places =
      g_variant_lookup_value (order->kinds, name, G_VARIANT_TYPE_STRING_ARRAY);

  return places != NULL || sim_entities_has (order->job->run->entities, name) ||
         find_added (order, name) < order->job->run->added->len;
}

/* Returns: (transfer full): a name that neither a spawnable nor an object has */
static char *
choose_kind (const Order *order)
{
  g_autofree char *base = make_base (order->uri);
  char *kind = g_strdup (base);

  for (guint n = 2; is_kind (order, kind); n++) {
    g_free (kind);
    kind = g_strdup_printf ("%s-%u", base, n);
  }
  return kind;
}

static void
on_added (OrreryCall *call, gpointer data)
{
  Order *order = data;
  guint i = find_added (order, order->kind);
  g_autoptr (GError) error = NULL;

  orrery_call_get_result (call, &error);
  if (error == NULL) {
    get_added (order, i)->uri = g_strdup (order->uri);
    submit_order (order);
    return;
  }
  g_array_remove_index (order->job->run->added, i);
  sim_answer_set (&order->answer,
                  g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND) ? SIM_NOT_FOUND
                  : g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG)
                      ? SIM_RESOURCE_INVALID
                      : SIM_FAILED,
                  "%s", error->message);
  end_order (order->job);
}

/* Between two ticks; it is spawned then. */
static void
add_kind (Order *order)
{
  GVariantBuilder object = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  SimAdded added = { NULL, choose_kind (order) };

  order->kind = g_strdup (added.kind);
  g_array_append_val (order->job->run->added, added);
  g_variant_builder_add_parsed (&object, "{'name', <%s>}", order->kind);
  if (is_class (order->uri))
    g_variant_builder_add_parsed (&object, "{'classpath', <%s>}", order->uri);
  else
    g_variant_builder_add_parsed (&object, "{'import', <{'file': <%s>}>}", get_path (order->uri));
  g_variant_builder_add (&arguments, "v", g_variant_builder_end (&object));
  sim_job_submit_for (order->job, "add_spawnable", g_variant_builder_end (&arguments), on_added,
                      order);
}

/* The next one that was added for its uri, or a further one. */
static void
submit_next (Order *order)
{
  take_added (order, find_added (order, order->kind) + 1);
  if (order->kind != NULL)
    submit_order (order);
  else
    add_kind (order);
}

/* --- the calls --- */

static void
on_spawned (OrreryCall *call, gpointer data)
{
  Order *order = data;
  g_autoptr (GError) error = NULL;
  GVariant *name = orrery_call_get_result (call, &error);

  if (g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_STATE) && order->may_rename &&
      *order->name != '\0') {
    *order->name = '\0';
    submit_order (order);
    return;
  }
  if (order->is_new && g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_BUSY)) {
    submit_next (order);
    return;
  }
  if (name != NULL && g_variant_is_of_type (name, G_VARIANT_TYPE_STRING))
    order->given = g_variant_dup_string (name, NULL);
  else
    sim_answer_set (&order->answer,
                    g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_STATE) ? SIM_NAME_NOT_UNIQUE
                    : g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_INVALID) ? SIM_NAME_INVALID
                                                                                  : SIM_FAILED,
                    "%s", error != NULL ? error->message : "nothing was spawned");
  end_order (order->job);
}

static void
submit_order (Order *order)
{
  const OrreryVec3 *p = &order->pose.position;
  const OrreryQuat *q = &order->pose.rotation;
  GVariantBuilder arguments;

  g_variant_builder_init (&arguments, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&arguments, "v", g_variant_new_string (order->kind));
  g_variant_builder_add_parsed (&arguments, "<[%d, %d, %d]>", p->x, p->y, p->z);
  g_variant_builder_add_parsed (&arguments, "<[%d, %d, %d, %d]>", q->x, q->y, q->z, q->w);
  g_variant_builder_add (&arguments, "v", g_variant_new_string (order->name));
  sim_job_submit_for (order->job, "spawn", g_variant_builder_end (&arguments), on_spawned, order);
}

/* Their calls are started in their order; the last answer ends the job. */
static void
carry_out (SimJob *job, GVariant *kinds)
{
  job->n_waiting = job->orders->len + 1;
  for (guint i = 0; i < job->orders->len; i++) {
    Order *order = job->orders->pdata[i];

    if (!check_names (order) || !check_resource (order, kinds) || !read_pose (order))
      end_order (job);
    else if (order->kind == NULL)
      add_kind (order);
    else
      submit_order (order);
  }
  end_order (job);
}

static void
spawn (SimJob *job, GVariant *kinds)
{
  g_autoptr (GVariant) list = NULL;

  if (!has_kinds (job, kinds) || !check_running (job)) {
    job->run->send (job);
    return;
  }
  job->orders = g_ptr_array_new_with_free_func (order_free);
  if (job->is_many)
    list = message_variant_find (job->request, "spawn_requests");
  else
    g_ptr_array_add (job->orders, order_new (job, job->request));
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) request = message_variant_unbox (child);

    g_ptr_array_add (job->orders, order_new (job, request));
  }
  carry_out (job, kinds);
}

void
sim_spawn_entity (SimJob *job)
{
  sim_job_ask_kinds (job, spawn);
}

void
sim_spawn_entities (SimJob *job)
{
  job->is_many = TRUE;
  sim_job_ask_kinds (job, spawn);
}

/* --- deleting --- */

/* Returns: (transfer full) (nullable): the name as an instance of what has either name */
static char *
find_spawned (GVariant *map, const char *entity)
{
  for (gsize i = 0; i < g_variant_n_children (map); i++) {
    const char *name, *place;

    g_variant_get_child (map, i, "{&s&s}", &name, &place);
    if (g_str_equal (name, entity) || g_str_equal (place, entity))
      return g_strdup (name);
  }
  return NULL;
}

static void
on_list_to_delete (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  GVariant *map = orrery_call_get_result (call, NULL);
  g_autofree char *entity = sim_get_text (job->request, "entity");
  g_autofree char *name = NULL;

  if (map == NULL || !g_variant_is_of_type (map, G_VARIANT_TYPE ("a{ss}"))) {
    sim_job_finish (call, job, SIM_FAILED);
    return;
  }
  name = find_spawned (map, entity);
  if (name != NULL) {
    sim_job_submit (job, "remove", g_variant_new_parsed ("[<%s>]", name), sim_job_end);
    return;
  }
  /* What was deleted since the last tick is still there. */
  if (!job->is_pooled && sim_entities_has (job->run->entities, entity))
    sim_answer_set (&job->answer, SIM_FAILED,
                    "'%.120s' was not spawned; only what was spawned can be deleted", entity);
  else
    sim_answer_set (&job->answer, SIM_NOT_FOUND,
                    "there is no entity '%.120s'; get_entities lists what there is", entity);
  job->run->send (job);
}

static gboolean
has_place (GVariant *kinds, const char *name)
{
  gboolean found = FALSE;

  for (gsize i = 0; !found && i < g_variant_n_children (kinds); i++) {
    g_autofree const char **places = NULL;

    g_variant_get_child (kinds, i, "{&s^a&s}", NULL, &places);
    found = g_strv_contains (places, name);
  }
  return found;
}

static void
remove_entity (SimJob *job, GVariant *kinds)
{
  g_autofree char *entity = sim_get_text (job->request, "entity");

  job->is_pooled = has_place (kinds, entity);
  if (has_kinds (job, kinds))
    sim_job_submit (job, "get_spawned", NULL, on_list_to_delete);
  else
    job->run->send (job);
}

void
sim_delete_entity (SimJob *job)
{
  sim_job_ask_kinds (job, remove_entity);
}

/* --- deleting all --- */

static void
on_list_to_clear (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  GVariant *map = orrery_call_get_result (call, NULL);
  gboolean is_map = map != NULL && g_variant_is_of_type (map, G_VARIANT_TYPE ("a{ss}"));
  gsize n = is_map ? g_variant_n_children (map) : 0;

  for (gsize i = 0; i < n; i++) {
    const char *name;

    g_variant_get_child (map, i, "{&s&s}", &name, NULL);
    sim_job_submit (job, "remove", g_variant_new_parsed ("[<%s>]", name),
                    i + 1 < n ? sim_job_ignore : sim_job_end);
  }
  if (n == 0)
    sim_job_finish (call, job, SIM_FAILED);
}

static void
clear (SimJob *job, GVariant *kinds)
{
  if (has_kinds (job, kinds))
    sim_job_submit (job, "get_spawned", NULL, on_list_to_clear);
  else
    job->run->send (job);
}

void
sim_delete_spawned (SimJob *job)
{
  sim_job_ask_kinds (job, clear);
}
