/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulation as simulation_interfaces of ROS 2 have it. */
#define G_LOG_DOMAIN "orrery.middleware.ros2_simulation"
#include "dds/dds-action.h"
#include "dds/dds-share.h"
#include "message/backlog.h"
#include "message/variant.h"
#include "simulation/sim-entities.h"
#include "simulation/sim-run.h"
#include "simulation/sim-spawn.h"

#include <string.h>

/*
 * All services of simulation_interfaces 2.1.0 and its action, on the node `orrery`. What the host
 * cannot do is answered as not supported, and is no feature. Each request first asks for the state
 * of the run, among the services of the tick, and is answered there: so changes of entities have
 * their place behind those of actuators.
 */

static const OrreryMessageLimits limits = { .bytes = 65536, .elements = 1000, .text = 4096 };
static const BacklogLimits waiting = { 1000, BACKLOG_BYTES, 65536 };

typedef struct _Operation Operation;

typedef struct {
  OrreryRequestManager parent_instance;

  int domain;
  char *distro;
  char *discovery;
  char *interface;
  char *peers;
  char *name_space;

  gboolean offline;
  char *allowed_users;
  OrreryWorld *world;
  OrreryMessageCatalogue *messages;
  SimEntities *entities;
  SimRun run;

  DdsShare *share; /* NULL: not started, or closed */
  OrreryWriter *writer;
  GPtrArray *services; /* (element-type Service) */
  DdsAction *action;
  const OrreryMessageAction *action_type;

  RequestQueue requests; /* (element-type Request) */
} OrreryRos2SimulationManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryRos2SimulationManager, orrery_ros2_simulation_manager,
                               OrreryRequestManager, orrery_request_manager)

typedef struct {
  OrreryRos2SimulationManager *manager;
  const Operation *operation;
  const OrreryMessageService *type;
  DdsService *dds;
} Service;

/* A request that has come in, for the tick. */
typedef struct {
  Service *service;
  DdsServiceCall *call;
  GBytes *message;
} Request;

/* @name: of the service below the node; @type: its type; @ask: answers an entity's question; @run:
 * answers otherwise, perhaps later; without both it is not supported, and @why says so */
struct _Operation {
  const char *name, *type;
  void (*ask) (const SimQuestion *question);
  void (*run) (SimJob *job);
  const char *why;
};

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_INT (OrreryRos2SimulationManager, domain, "domain", -1, 232, -1,
                       "Domain of DDS; -1: that of the streams, else ROS_DOMAIN_ID, else 0",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2SimulationManager, distro, "distro", NULL,
                          "Release of ROS 2 that others have; if it is not given, that of the "
                          "streams, else jazzy",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2SimulationManager, discovery, "discovery", NULL,
                          "Who may find the node: localhost, subnet or off; if it is not given, "
                          "that of the streams, else ROS_AUTOMATIC_DISCOVERY_RANGE, else localhost",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2SimulationManager, interface, "interface", NULL,
                          "Address of the network interface that is used, beside loopback",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2SimulationManager, peers, "peers", NULL,
                          "Hosts that are asked who is there, with ; between; if it is not given, "
                          "ROS_STATIC_PEERS",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryRos2SimulationManager, name_space, "namespace", NULL,
                          "What the node is below; if it is not given, that of the streams",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- answers --- */

static OrreryRos2SimulationManager *
get_manager (const SimJob *job)
{
  return (OrreryRos2SimulationManager *) job->run->manager;
}

/* Any thread. */
static GBytes *
write_value (OrreryWriter *writer, const OrreryMessageType *type, GVariant *value, GError **error)
{
  gpointer message = orrery_message_new (type);
  g_autoptr (GVariant) sunk = g_variant_ref_sink (value);
  GBytes *bytes = NULL;

  orrery_writer_clear (writer);
  if (message_from_variant (type, message, sunk, error) &&
      orrery_message_write (type, message, ORRERY_MESSAGE_ENCODING_CDR, writer, error))
    bytes = orrery_writer_dup_bytes (writer);
  orrery_message_free (type, message);
  return bytes;
}

/* The same values again and again: they fit the type, or this is a mistake of ours. */
static GBytes *
encode (OrreryRos2SimulationManager *self, const OrreryMessageType *type, GVariant *value)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = write_value (self->writer, type, value, &error);

  if (bytes == NULL)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s: %s", orrery_message_type_get_name (type),
                           error->message);
  return bytes;
}

/* The response of the service: what was added, and the Result where it has one. */
static GVariant *
make_response (SimJob *job, const OrreryMessageType *type)
{
  GVariantBuilder response = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  gsize offset;

  if (job->answer.rest != NULL) {
    g_autoptr (GVariant) rest = g_variant_ref_sink (g_variant_builder_end (job->answer.rest));
    GVariantIter iter;
    const char *key;
    GVariant *value;

    g_variant_iter_init (&iter, rest);
    while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
      g_variant_builder_add (&response, "{sv}", key, value);
  }
  if (orrery_message_type_find (type, "result", &offset, NULL) != NULL)
    g_variant_builder_add (&response, "{sv}", "result", sim_answer_get_result (&job->answer));
  return g_variant_builder_end (&response);
}

static void
send_answer (SimJob *job)
{
  const OrreryMessageType *type;
  g_autoptr (GBytes) bytes = NULL;

  if (job->dds == NULL)
    return;
  type = ((const Service *) job->service)->type->response;
  bytes = encode (get_manager (job), type, make_response (job, type));
  dds_service_call_return (g_steal_pointer (&job->dds), bytes);
}

static void
end_goal (SimJob *job, DdsGoalEnd end)
{
  const OrreryMessageType *type = get_manager (job)->action_type->result;
  gpointer message = orrery_message_new (type);
  g_autoptr (GVariant) value = NULL;

  if (job->goal == NULL)
    return;
  value = g_variant_ref_sink (make_response (job, type));
  message_from_variant (type, message, value, NULL);
  dds_goal_end (g_steal_pointer (&job->goal), end, message);
  orrery_message_free (type, message);
}

/* --- the action --- */

static void step_goal (SimJob *job);

static void
send_feedback (SimJob *job)
{
  const OrreryMessageType *type = get_manager (job)->action_type->feedback;
  gpointer message = orrery_message_new (type);
  guint64 left = job->n_steps - job->n_done;
  g_autoptr (GVariant) value = g_variant_ref_sink (
      g_variant_new_parsed ("{'completed_steps': <%x>, 'remaining_steps': <%x>}",
                            (gint64) job->n_done, (gint64) left));

  if (message_from_variant (type, message, value, NULL))
    dds_goal_send_feedback (job->goal, message);
  orrery_message_free (type, message);
}

static void
on_step (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  g_autoptr (GError) error = NULL;

  orrery_call_get_result (call, &error);
  if (job->goal == NULL)
    return;
  if (error != NULL) {
    sim_answer_set (&job->answer,
                    orrery_call_get_fault (call) == ORRERY_CALL_PREEMPTED ? SIM_INCORRECT_STATE
                                                                          : SIM_FAILED,
                    "%s", error->message);
    end_goal (job, DDS_GOAL_ABORTED);
    return;
  }
  job->n_done++;
  send_feedback (job);
  step_goal (job);
}

/* Somebody may have resumed or stopped the run in between. */
static void
on_step_state (OrreryCall *call, gpointer data)
{
  SimJob *job = data;

  job->state = sim_read_state (orrery_call_get_result (call, NULL));
  if (job->goal == NULL)
    return;
  if (sim_check_steps (job, (gint64) job->n_steps))
    sim_job_submit (job, "step", NULL, on_step);
  else
    end_goal (job, DDS_GOAL_ABORTED);
}

static void
step_goal (SimJob *job)
{
  if (job->is_canceled) {
    sim_answer_set (&job->answer, SIM_FAILED,
                    "canceled after %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " steps",
                    job->n_done, job->n_steps);
    end_goal (job, DDS_GOAL_CANCELED);
  } else if (job->n_steps > 0 && job->n_done == job->n_steps) {
    end_goal (job, DDS_GOAL_SUCCEEDED);
  } else {
    sim_job_submit (job, "state", NULL, on_step_state);
  }
}

static void
wake (gpointer self)
{
  orrery_request_manager_wake (self);
}

static OrreryTime
get_time (gpointer self)
{
  return orrery_request_manager_get_time (self);
}

static void
warn (gpointer self, const char *text)
{
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s", text);
}

/* Also what cannot be: only the result can say why. */
static gboolean
start_goal (gpointer self, DdsGoal *goal, gconstpointer message)
{
  const OrreryMessageType *type = ((OrreryRos2SimulationManager *) self)->action_type->goal;
  g_autoptr (GVariant) value = g_variant_ref_sink (message_to_variant (type, message));
  SimJob *job = sim_job_new (&((OrreryRos2SimulationManager *) self)->run);

  job->goal = goal;
  job->n_steps = (guint64) MIN (sim_get_integer (value, "steps"), (gint64) SIM_MAX_STEPS + 1);
  dds_goal_set_data (goal, job);
  step_goal (job);
  sim_job_unref (job);
  return TRUE;
}

static void
cancel_goal (gpointer self, DdsGoal *goal)
{
  if (!dds_goal_has_ended (goal))
    ((SimJob *) dds_goal_get_data (goal))->is_canceled = TRUE;
}

#define NO_LIST "worlds are not listed; load_world takes the path of a scene"

static const Operation operations[] = {
  { "get_simulator_features", "GetSimulatorFeatures", .run = sim_get_features },
  { "get_simulation_state", "GetSimulationState", .run = sim_get_state },
  { "set_simulation_state", "SetSimulationState", .run = sim_set_state },
  { "reset_simulation", "ResetSimulation", .run = sim_reset },
  { "step_simulation", "StepSimulation", .run = sim_step },
  { "get_entities", "GetEntities", .ask = sim_get_entities },
  { "get_entities_states", "GetEntitiesStates", .ask = sim_get_entities_states },
  { "get_entity_state", "GetEntityState", .ask = sim_get_entity_state },
  { "set_entity_state", "SetEntityState", .ask = sim_set_entity_state },
  { "get_entity_info", "GetEntityInfo", .ask = sim_get_entity_info },
  { "set_entity_info", "SetEntityInfo", .ask = sim_set_entity_info },
  { "get_entity_bounds", "GetEntityBounds", .ask = sim_get_entity_bounds },
  { "get_named_poses", "GetNamedPoses", .ask = sim_get_named_poses },
  { "get_named_pose_bounds", "GetNamedPoseBounds", .ask = sim_get_named_pose_bounds },
  { "get_current_world", "GetCurrentWorld", .run = sim_get_world },
  { "load_world", "LoadWorld", .run = sim_load_world },
  { "unload_world", "UnloadWorld", .why = "there is no simulation without a world; load another" },
  { "get_available_worlds", "GetAvailableWorlds", .why = NO_LIST },
  { "get_spawnables", "GetSpawnables", .run = sim_get_spawnables },
  { "spawn_entity", "SpawnEntity", .run = sim_spawn_entity },
  { "spawn_entities", "SpawnEntities", .run = sim_spawn_entities },
  { "delete_entity", "DeleteEntity", .run = sim_delete_entity },
};

/* --- requests --- */

static void
on_state (OrreryCall *call, gpointer data)
{
  SimJob *job = data;
  OrreryRos2SimulationManager *self = get_manager (job);
  const Operation *operation = ((const Service *) job->service)->operation;

  if (job->dds == NULL)
    return;
  job->state = sim_read_state (orrery_call_get_result (call, NULL));
  if (operation->run != NULL) {
    operation->run (job);
    return;
  }
  if (operation->ask != NULL)
    operation->ask (&(SimQuestion){ self->entities, job->request, job->state == SIM_STOPPED,
                                    orrery_request_manager_get_time (ORRERY_REQUEST_MANAGER (self)),
                                    &job->answer });
  else
    sim_answer_set (&job->answer, SIM_UNSUPPORTED, "%s is not supported: %s", operation->name,
                    operation->why);
  send_answer (job);
}

static void
take_request (OrreryRos2SimulationManager *self, Request *request)
{
  const OrreryMessageType *type = request->service->type->request;
  gpointer message = orrery_message_new (type);
  SimJob *job = sim_job_new (&((OrreryRos2SimulationManager *) self)->run);
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *bytes = g_bytes_get_data (request->message, &length);

  job->service = request->service;
  job->dds = g_steal_pointer (&request->call);
  if (orrery_message_read_part (type, message, ORRERY_MESSAGE_ENCODING_CDR, bytes, length, &limits,
                                NULL, &error)) {
    job->request = g_variant_ref_sink (message_to_variant (type, message));
    sim_job_submit (job, "state", NULL, on_state);
  } else {
    sim_answer_set (&job->answer, SIM_FAILED, "the request cannot be read: %s", error->message);
    send_answer (job);
  }
  orrery_message_free (type, message);
  sim_job_unref (job);
}

static void
request_free (Request *request)
{
  if (request->call != NULL)
    dds_service_call_drop (request->call);
  g_bytes_unref (request->message);
  g_free (request);
}

/* On the thread of the context. Returns: (transfer full) (nullable): NULL: the response has no
 * result */
static GBytes *
make_refusal (const Service *service, const char *why)
{
  const OrreryMessageType *type = service->type->response;
  g_autoptr (OrreryWriter) writer = NULL;
  GVariantBuilder response = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  SimAnswer answer = { 0 };
  GBytes *bytes;
  gsize offset;

  if (orrery_message_type_find (type, "result", &offset, NULL) == NULL)
    return NULL;
  writer = orrery_writer_new ();
  sim_answer_set (&answer, SIM_FAILED, "%s is not done: %s", service->operation->name, why);
  g_variant_builder_add (&response, "{sv}", "result", sim_answer_get_result (&answer));
  bytes = write_value (writer, type, g_variant_builder_end (&response), NULL);
  sim_answer_clear (&answer);
  return bytes;
}

/* On the thread of the context. */
static void
on_request (gpointer data, DdsServiceCall *call, GBytes *message)
{
  Service *service = data;
  OrreryRos2SimulationManager *self = service->manager;
  Request request = { service, call, message }, *copy = g_memdup2 (&request, sizeof request);
  g_autofree char *why = NULL;
  g_autoptr (GBytes) refusal = NULL;

  g_bytes_ref (message);
  why = request_queue_add (&self->requests, copy, g_bytes_get_size (message));
  if (why != NULL) {
    copy->call = NULL;
    request_free (copy);
    refusal = make_refusal (service, why);
    request_queue_count (&self->requests, refusal != NULL);
    dds_service_call_return (call, refusal);
  }
  orrery_request_manager_wake (ORRERY_REQUEST_MANAGER (self));
}

static GQueue
take_requests (OrreryRos2SimulationManager *self)
{
  g_autofree char *words = NULL;
  GQueue taken = request_queue_take (&self->requests, &words);

  if (words != NULL)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "simulation_interfaces: %s", words);
  return taken;
}

static void
orrery_ros2_simulation_manager_intake (OrreryRequestManager *manager)
{
  OrreryRos2SimulationManager *self = (OrreryRos2SimulationManager *) manager;
  GQueue requests;
  Request *request;

  if (self->share == NULL)
    return;
  dds_share_report (self->share, self, G_LOG_DOMAIN);
  requests = take_requests (self);
  while ((request = g_queue_pop_head (&requests)) != NULL) {
    take_request (self, request);
    request_free (request);
  }
  dds_action_intake (self->action);
}

static void
orrery_ros2_simulation_manager_flush (OrreryRequestManager *manager)
{
  OrreryRos2SimulationManager *self = (OrreryRos2SimulationManager *) manager;

  if (self->share == NULL)
    return;
  dds_action_flush (self->action);
  dds_context_flush (dds_share_get_context (self->share));
}

/* --- start and end --- */

static gboolean
add_service (OrreryRos2SimulationManager *self, DdsNode *node, const Operation *operation,
             GError **error)
{
  g_autofree char *name = g_strconcat ("~/", operation->name, NULL);
  g_autofree char *type = g_strconcat ("simulation_interfaces/srv/", operation->type, NULL);
  Service *service = g_new0 (Service, 1);

  g_ptr_array_add (self->services, service);
  service->manager = self;
  service->operation = operation;
  service->type =
      orrery_message_catalogue_find_service (self->messages, type, ORRERY_MESSAGE_ROS2, error);
  if (service->type == NULL)
    return FALSE;
  service->dds = dds_node_advertise_service (node, name, type, on_request, service, error);
  return service->dds != NULL;
}

static gboolean
add_action (OrreryRos2SimulationManager *self, DdsNode *node, GError **error)
{
  DdsActionOptions options = { .node = node,
                               .messages = self->messages,
                               .name = "~/simulate_steps",
                               .data = self,
                               .wake = wake,
                               .get_time = get_time,
                               .start = start_goal,
                               .cancel = cancel_goal,
                               .warn = warn };

  self->action_type =
      orrery_message_catalogue_find_action (self->messages,
                                            "simulation_interfaces/action/SimulateSteps",
                                            ORRERY_MESSAGE_ROS2, error);
  if (self->action_type == NULL)
    return FALSE;
  options.type = self->action_type;
  self->action = dds_action_new (&options, error);
  return self->action != NULL;
}

static void
orrery_ros2_simulation_manager_start (OrreryRequestManager *manager, GError **error)
{
  OrreryRos2SimulationManager *self = (OrreryRos2SimulationManager *) manager;
  DdsShareOptions options = { self->domain, self->distro,        self->discovery, self->interface,
                              self->peers,  self->allowed_users, self->name_space };
  DdsNode *node;

  if (self->offline)
    return;
  self->share = dds_share_get (self->world);
  if (!dds_share_start (self->share, &options, error))
    return;
  node = dds_share_get_node (self->share, NULL,
                             self->name_space != NULL ? self->name_space
                                                      : dds_share_get_name_space (self->share));
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (!add_service (self, node, &operations[i], error))
      return;
  if (add_action (self, node, error))
    orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE,
                           "ROS 2: simulation_interfaces in domain %u below %s",
                           dds_context_get_domain (dds_share_get_context (self->share)),
                           dds_node_get_name (node));
}

static void
refuse_jobs (OrreryRos2SimulationManager *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (sim_job_unref);

  for (guint i = 0; i < self->run.jobs->len; i++) {
    SimJob *job = self->run.jobs->pdata[i];

    job->references++;
    g_ptr_array_add (all, job);
  }
  for (guint i = 0; i < all->len; i++) {
    SimJob *job = all->pdata[i];

    if (job->dds == NULL && job->goal == NULL)
      continue;
    sim_answer_set (&job->answer, SIM_FAILED, "the simulation ends");
    send_answer (job);
    end_goal (job, DDS_GOAL_ABORTED);
  }
}

static void
drop_requests (OrreryRos2SimulationManager *self)
{
  GQueue requests = take_requests (self);

  g_queue_clear_full (&requests, (GDestroyNotify) request_free);
}

static void
orrery_ros2_simulation_manager_close (OrreryRequestManager *manager)
{
  OrreryRos2SimulationManager *self = (OrreryRos2SimulationManager *) manager;
  DdsContext *context = self->share != NULL ? dds_share_get_context (self->share) : NULL;

  if (self->share == NULL)
    return;
  if (context != NULL) {
    refuse_jobs (self);
    if (self->action != NULL)
      dds_action_flush (self->action);
    dds_context_flush (context);
    for (guint i = 0; i < self->services->len; i++)
      if (((Service *) self->services->pdata[i])->dds != NULL)
        dds_service_unadvertise (((Service *) self->services->pdata[i])->dds);
    if (self->action != NULL)
      dds_action_unadvertise (self->action);
    dds_context_settle (context);
    dds_share_report (self->share, self, G_LOG_DOMAIN);
    drop_requests (self);
    g_clear_pointer (&self->action, dds_action_free);
  }
  dds_share_release (g_steal_pointer (&self->share));
}

/* --- the class --- */

static void
orrery_ros2_simulation_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRos2SimulationManager *self = (OrreryRos2SimulationManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->messages = orrery_message_catalogue_ref (orrery_setup_get_messages (setup));
  self->entities = self->run.entities = sim_entities_new (setup);
  g_set_object (&self->world, orrery_setup_get_world (setup));
}

static void
orrery_ros2_simulation_manager_class_init (OrreryRos2SimulationManagerClass *klass)
{
  OrreryRequestManagerClass *manager = ORRERY_REQUEST_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_ros2_simulation_manager_setup;
  manager->start = orrery_ros2_simulation_manager_start;
  manager->intake = orrery_ros2_simulation_manager_intake;
  manager->flush = orrery_ros2_simulation_manager_flush;
  manager->close = orrery_ros2_simulation_manager_close;
  manager->is_open = TRUE;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryRos2SimulationManager, requests, request_queue_clear);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, writer, orrery_writer_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, services, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, run.jobs, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, run.added, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, entities, sim_entities_free);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, messages, orrery_message_catalogue_unref);
  ORRERY_CLASS_OWNS (klass, OrreryRos2SimulationManager, world, g_object_unref);
}

static void
orrery_ros2_simulation_manager_init (OrreryRos2SimulationManager *self)
{
  request_queue_init (&self->requests, &waiting);
  self->writer = orrery_writer_new ();
  self->services = g_ptr_array_new_with_free_func (g_free);
  self->run.manager = ORRERY_REQUEST_MANAGER (self);
  self->run.send = send_answer;
  self->run.jobs = g_ptr_array_new ();
  self->run.added = sim_added_new ();
}

ORRERY_PLUGIN ("The simulation by simulation_interfaces of ROS 2", "BSD-3-Clause",
               ORRERY_CLASS (Ros2SimulationManager, OrreryRos2SimulationManager,
                             orrery_ros2_simulation_manager))
