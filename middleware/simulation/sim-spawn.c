/* SPDX-License-Identifier: BSD-3-Clause */
/* Spawning and deleting by simulation_interfaces: the table `spawnables` of the scene. */
#include "sim-spawn.h"

#include "../message/variant.h"
#include "sim-filter.h"

#include <math.h>

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
  return g_variant_n_children (kinds) > 0 ||
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

/* The simulation gives the names. */
static gboolean
check_name (SimJob *job)
{
  g_autofree char *name = sim_get_text (job->request, "name");
  g_autofree char *name_space = sim_get_text (job->request, "entity_namespace");

  if (*name_space != '\0')
    return sim_answer_set (&job->answer, SIM_NAMESPACE_INVALID,
                           "entity_namespace has to be empty: topics are those of the scene");
  if (sim_get_integer (job->request, "allow_renaming") != 0)
    return TRUE;
  if (*name == '\0')
    return sim_answer_set (&job->answer, SIM_NAME_INVALID,
                           "name is empty, and allow_renaming is not set");
  if (sim_entities_has (job->run->entities, name))
    return sim_answer_set (&job->answer, SIM_NAME_NOT_UNIQUE, "there is an entity '%.120s'", name);
  return sim_answer_set (&job->answer, SIM_NAME_INVALID,
                         "'%.120s' cannot be its name: the simulation names what is spawned; set "
                         "allow_renaming",
                         name);
}

static gboolean
check_resource (SimJob *job, GVariant *kinds)
{
  g_autoptr (GVariant) resource = message_variant_find (job->request, "entity_resource");
  g_autofree char *uri = sim_get_text (resource, "uri");
  g_autofree char *text = sim_get_text (resource, "resource_string");
  g_autoptr (GVariant) places = NULL;

  if (*uri == '\0' && *text == '\0')
    return sim_answer_set (&job->answer, SIM_NO_RESOURCE,
                           "entity_resource.uri is empty; give the name of a spawnable");
  if (*uri == '\0')
    return sim_answer_set (&job->answer, SIM_UNSUPPORTED_FORMAT,
                           "entity_resource.resource_string is not supported; give the name of a "
                           "spawnable as uri");
  places = g_variant_lookup_value (kinds, uri, G_VARIANT_TYPE_STRING_ARRAY);
  return places != NULL ||
         sim_answer_set (&job->answer, SIM_NOT_FOUND,
                         "the scene has no spawnable '%.120s'; get_spawnables lists what there is",
                         uri);
}

static gboolean
is_near (double coordinate)
{
  return fabs (coordinate) <= MAX_COORDINATE;
}

static gboolean
read_pose (SimJob *job, OrreryTransform *pose)
{
  g_autoptr (GVariant) stamped = message_variant_find (job->request, "initial_pose");
  g_autoptr (GVariant) header = message_variant_find (stamped, "header");
  const OrreryVec3 *position = &pose->position;

  if (!sim_is_world_frame (header))
    return sim_answer_set (&job->answer, SIM_SPAWN_POSE_INVALID,
                           "initial_pose.header.frame_id has to be 'world' or empty");
  if (!sim_get_pose (stamped, "pose", pose))
    return sim_answer_set (&job->answer, SIM_SPAWN_POSE_INVALID,
                           "initial_pose.pose has a number that is not finite, or an orientation "
                           "of length 0");
  return (is_near (position->x) && is_near (position->y) && is_near (position->z)) ||
         sim_answer_set (&job->answer, SIM_SPAWN_POSE_INVALID, "initial_pose.pose is beyond 1e8 m");
}

/* Entities have the names of the scene's objects. */
static void
on_list (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  GVariant *map = orrery_call_get_result (call, NULL);
  const char *place = NULL;

  if (map != NULL && g_variant_is_of_type (map, G_VARIANT_TYPE ("a{ss}")))
    g_variant_lookup (map, job->spawned, "&s", &place);
  sim_answer_add (&job->answer, "entity_name",
                  g_variant_new_string (place != NULL ? place : job->spawned));
  sim_job_finish (call, job, SIM_FAILED);
}

static void
on_spawned (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  GVariant *name = orrery_call_get_result (call, NULL);

  if (name == NULL || !g_variant_is_of_type (name, G_VARIANT_TYPE_STRING)) {
    sim_job_finish (call, job, SIM_FAILED);
    return;
  }
  job->spawned = g_variant_dup_string (name, NULL);
  sim_job_submit (job, "get_spawned", NULL, on_list);
}

static void
spawn (SimJob *job, GVariant *kinds)
{
  g_autoptr (GVariant) resource = message_variant_find (job->request, "entity_resource");
  g_autofree char *uri = sim_get_text (resource, "uri");
  OrreryTransform pose;
  GVariantBuilder arguments;

  if (!has_kinds (job, kinds) || !check_running (job) || !check_name (job) ||
      !check_resource (job, kinds) || !read_pose (job, &pose)) {
    job->run->send (job);
    return;
  }
  g_variant_builder_init (&arguments, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&arguments, "v", g_variant_new_string (uri));
  g_variant_builder_add_parsed (&arguments, "<[%d, %d, %d]>", pose.position.x, pose.position.y,
                                pose.position.z);
  g_variant_builder_add_parsed (&arguments, "<[%d, %d, %d, %d]>", pose.rotation.x, pose.rotation.y,
                                pose.rotation.z, pose.rotation.w);
  sim_job_submit (job, "spawn", g_variant_builder_end (&arguments), on_spawned);
}

void
sim_spawn_entity (SimJob *job)
{
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
