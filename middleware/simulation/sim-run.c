/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of simulation_interfaces to the run. */
#include "sim-run.h"

#include "../message/variant.h"
#include "sim-spawn.h"

/* --- jobs --- */

SimJob *
sim_job_new (SimRun *run)
{
  SimJob *job = g_new0 (SimJob, 1);

  job->references = 1;
  job->run = run;
  g_object_ref (run->manager);
  job->answer.code = SIM_OK;
  g_ptr_array_add (run->jobs, job);
  return job;
}

void
sim_job_unref (gpointer data)
{
  SimJob *job = data;
  OrreryRequestManager *manager = job->run->manager;

  if (--job->references > 0)
    return;
  g_ptr_array_remove_fast (job->run->jobs, job);
  g_clear_pointer (&job->request, g_variant_unref);
  sim_answer_clear (&job->answer);
  g_clear_pointer (&job->orders, g_ptr_array_unref);
  g_free (job);
  g_object_unref (manager);
}

/* What a call tells its caller. */
typedef struct {
  SimJob *job;
  OrreryCallFunc done;
  gpointer data;
} Answer;

static void
on_done (OrreryCall *call, gpointer data)
{
  Answer *answer = data;

  answer->done (call, answer->data);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  sim_job_unref (answer->job);
  g_free (answer);
}

void
sim_job_submit_for (SimJob *job, const char *service, GVariant *arguments, OrreryCallFunc done,
                    gpointer data)
{
  OrreryRequestManager *manager = job->run->manager;
  g_autoptr (OrreryCall) call = NULL;
  const Answer answer = { job, done, data };

  job->references++;
  call = orrery_request_manager_submit (manager, "simulation", service, arguments, on_done,
                                        g_memdup2 (&answer, sizeof answer), answer_free);
  /* Without a tick nobody would look again. */
  orrery_request_manager_wake (manager);
}

void
sim_job_submit (SimJob *job, const char *service, GVariant *arguments, OrreryCallFunc done)
{
  sim_job_submit_for (job, service, arguments, done, job);
}

gboolean
sim_job_may_call (SimJob *job, const char *service)
{
  return orrery_request_manager_find_service (job->run->manager, "simulation", service, NULL,
                                              NULL) != NULL;
}

/* --- state --- */

SimState
sim_read_state (GVariant *value)
{
  static const char *const names[] = { "stopped", "running", "paused" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) &&
        g_str_equal (g_variant_get_string (value, NULL), names[i]))
      return (SimState) i;
  return SIM_STOPPED;
}

/* The end of a job whose service may fail with @code. */
void
sim_job_finish (OrreryCall *call, SimJob *job, SimCode code)
{
  g_autoptr (GError) error = NULL;

  orrery_call_get_result (call, &error);
  if (error != NULL)
    sim_answer_set (&job->answer, code, "%s", error->message);
  job->run->send (job);
}

void
sim_job_end (OrreryCall *call, gpointer job)
{
  sim_job_finish (call, job, SIM_FAILED);
}

void
sim_job_ignore (OrreryCall *call, gpointer job)
{
}

static void
on_changed (OrreryCall *call, gpointer data)
{
  sim_job_finish (call, data, SIM_TRANSITION_FAILED);
}

void
sim_get_state (SimJob *job)
{
  GVariantBuilder state = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&state, "{sv}", "state",
                         g_variant_new_int64 (job->run->is_quitting ? SIM_QUITTING : job->state));
  sim_answer_add (&job->answer, "state", g_variant_builder_end (&state));
  job->run->send (job);
}

/* What leads from one state to another; a start that is paused at once runs no tick. */
static const char *const changes[SIM_QUITTING][SIM_QUITTING][2] = {
  [SIM_STOPPED] = { [SIM_PLAYING] = { "start" }, [SIM_PAUSED] = { "start", "pause" } },
  [SIM_PLAYING] = { [SIM_STOPPED] = { "stop" }, [SIM_PAUSED] = { "pause" } },
  [SIM_PAUSED] = { [SIM_STOPPED] = { "stop" }, [SIM_PLAYING] = { "resume" } },
};

static void
quit (SimJob *job)
{
  if (!sim_job_may_call (job, "quit")) {
    sim_answer_set (&job->answer, SIM_UNSUPPORTED,
                    "this scene does not let others end the simulation; it may say "
                    "env.add_service('ros2_simulation')");
    job->run->send (job);
    return;
  }
  job->run->is_quitting = TRUE;
  sim_job_submit (job, "quit", NULL, on_changed);
}

void
sim_set_state (SimJob *job)
{
  g_autoptr (GVariant) wanted = message_variant_find (job->request, "state");
  gint64 state = sim_get_integer (wanted, "state");
  const char *const *steps = state >= 0 && state < SIM_QUITTING ? changes[job->state][state] : NULL;

  if (state == SIM_QUITTING) {
    quit (job);
  } else if (steps == NULL) {
    sim_answer_set (&job->answer, SIM_INCORRECT_TRANSITION,
                    "state %" G_GINT64_FORMAT " cannot be set; 0 (stopped), 1 (playing), "
                    "2 (paused) and 3 (quitting) can",
                    state);
    job->run->send (job);
  } else if (steps[0] == NULL) {
    sim_answer_set (&job->answer, SIM_ALREADY_THERE, "the state is %" G_GINT64_FORMAT " already",
                    state);
    job->run->send (job);
  } else {
    sim_job_submit (job, steps[0], NULL, steps[1] == NULL ? on_changed : sim_job_ignore);
    if (steps[1] != NULL)
      sim_job_submit (job, steps[1], NULL, on_changed);
  }
}

/* --- steps and resets --- */

gboolean
sim_check_steps (SimJob *job, gint64 n)
{
  static const char *const names[] = { "stopped", "playing" };

  if (n < 1 || n > SIM_MAX_STEPS)
    return sim_answer_set (&job->answer, SIM_FAILED, "steps are from 1 to %d", SIM_MAX_STEPS);
  return job->state == SIM_PAUSED ||
         sim_answer_set (&job->answer, SIM_INCORRECT_STATE,
                         "the simulation is %s; set its state to 2 (paused) before it is stepped",
                         names[job->state]);
}

void
sim_step (SimJob *job)
{
  gint64 n = sim_get_integer (job->request, "steps");

  if (sim_check_steps (job, n))
    sim_job_submit (job, "step", g_variant_new_parsed ("[<%x>]", n), sim_job_end);
  else
    job->run->send (job);
}

/* State and time are reset together, and what was spawned goes; that may go alone, too. */
void
sim_reset (SimJob *job)
{
  enum { TIME = 1, STATE = 2, SPAWNED = 4, ALL = 255 };
  gint64 scope = sim_get_integer (job->request, "scope");
  gboolean is_whole = scope == 0 || scope == ALL || (scope & ~SPAWNED) == (TIME | STATE);

  if (is_whole) {
    sim_job_submit (job, "reset", NULL, sim_job_end);
    return;
  }
  if (scope == SPAWNED) {
    sim_delete_spawned (job);
    return;
  }
  sim_answer_set (&job->answer, SIM_UNSUPPORTED,
                  "scope %" G_GINT64_FORMAT " is not supported: time and state are reset together, "
                  "with 0 (default), 3 (both) or 255 (all); 4 removes what was spawned",
                  scope);
  job->run->send (job);
}

/* --- worlds --- */

static GVariant *
describe_world (const char *name)
{
  GVariantBuilder world = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariantBuilder resource = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&resource, "{sv}", "uri", g_variant_new_string (name));
  g_variant_builder_add (&world, "{sv}", "name", g_variant_new_string (name));
  g_variant_builder_add (&world, "{sv}", "world_resource", g_variant_builder_end (&resource));
  return g_variant_builder_end (&world);
}

static void
on_details (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  GVariant *details = orrery_call_get_result (call, NULL);
  g_autofree char *name = details != NULL ? sim_get_text (details, "environment") : g_strdup ("");

  sim_answer_add (&job->answer, "world", describe_world (name));
  sim_job_finish (call, job, SIM_FAILED);
}

void
sim_get_world (SimJob *job)
{
  sim_job_submit (job, "details", NULL, on_details);
}

static void
on_loaded (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  g_autoptr (GVariant) resource = message_variant_find (job->request, "world_resource");
  g_autofree char *uri = sim_get_text (resource, "uri");

  if (orrery_call_get_fault (call) == ORRERY_CALL_OK)
    sim_answer_add (&job->answer, "world", describe_world (uri));
  sim_job_finish (call, job, SIM_FAILED);
}

void
sim_load_world (SimJob *job)
{
  g_autoptr (GVariant) resource = message_variant_find (job->request, "world_resource");
  g_autofree char *uri = sim_get_text (resource, "uri");
  g_autofree char *text = sim_get_text (resource, "resource_string");

  if (!sim_job_may_call (job, "load"))
    sim_answer_set (&job->answer, SIM_UNSUPPORTED,
                    "this scene does not let others load a world; it may say "
                    "env.add_service('ros2_simulation')");
  else if (*text != '\0')
    sim_answer_set (&job->answer, SIM_UNSUPPORTED,
                    "world_resource.resource_string is not supported; give the path of a scene as "
                    "uri");
  else if (*uri == '\0')
    sim_answer_set (&job->answer, SIM_NOT_FOUND,
                    "world_resource.uri is empty; give the path of a scene below that of the "
                    "first");
  else {
    sim_job_submit (job, "load", g_variant_new_parsed ("[<%s>]", uri), on_loaded);
    return;
  }
  job->run->send (job);
}

/* --- features --- */

/* simulation_interfaces/msg/SimulatorFeatures */
enum { WORLD_LOADING = 40 };
static const guint16 features[] = {
  2,  /* named poses */
  3,  /* pose bounds */
  4,  /* entity tags */
  5,  /* entity bounds */
  6,  /* boxes as bounds */
  8,  /* entity categories */
  10, /* entity state getting */
  11, /* entity state setting */
  12, /* entity info getting */
  13, /* entity info setting */
  20, /* simulation reset */
  24, /* simulation state getting */
  25, /* simulation state setting */
  26, /* simulation pause */
  31, /* single step */
  32, /* multiple steps */
  33, /* action of steps */
  44, /* world info getting */
};

/* Of a scene with spawnables, or where some can be added. */
static const guint16 spawning[] = {
  0,  /* spawning */
  1,  /* deleting */
  14, /* spawnables */
  23, /* reset of what was spawned */
  50, /* spawning several entities */
};

static void
add_feature (GVariantBuilder *list, guint feature)
{
  g_variant_builder_add (list, "v", g_variant_new_int64 (feature));
}

static void
answer_features (SimJob *job, GVariant *kinds)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  GVariantBuilder message = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  gboolean adds = sim_job_may_call (job, "add_spawnable");
  gboolean spawns = adds || g_variant_n_children (kinds) > 0;

  for (guint i = 0; i < G_N_ELEMENTS (features); i++)
    add_feature (&list, features[i]);
  if (sim_job_may_call (job, "load"))
    add_feature (&list, WORLD_LOADING);
  for (guint i = 0; spawns && i < G_N_ELEMENTS (spawning); i++)
    add_feature (&list, spawning[i]);
  g_variant_builder_add (&message, "{sv}", "features", g_variant_builder_end (&list));
  if (adds)
    g_variant_builder_add_parsed (&message, "{'spawn_formats', <[<'urdf'>]>}");
  g_variant_builder_add (&message, "{sv}", "custom_info",
                         g_variant_new_string ("Orrery " ORRERY_VERSION));
  sim_answer_add (&job->answer, "features", g_variant_builder_end (&message));
  job->run->send (job);
}

void
sim_get_features (SimJob *job)
{
  sim_job_ask_kinds (job, answer_features);
}
