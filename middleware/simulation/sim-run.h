/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../dds/dds-action.h"
#include "sim-entities.h"

/* Requests to the run: they become calls of the services of `simulation`. */

#define SIM_MAX_STEPS 1000000000

/* simulation_interfaces/msg/SimulationState */
typedef enum { SIM_STOPPED, SIM_PLAYING, SIM_PAUSED, SIM_QUITTING } SimState;

typedef struct _SimJob SimJob;

/* A spawnable that was added for a uri. */
typedef struct {
  char *uri;  /* NULL: it is being added, and nobody else may take it yet */
  char *kind; /* its name among the spawnables */
} SimAdded;

/* What all jobs of a manager share. */
typedef struct {
  OrreryRequestManager *manager;
  SimEntities *entities;
  void (*send) (SimJob *job); /* the answer, if it was not sent yet */
  GPtrArray *jobs;            /* (element-type SimJob) borrowed: all that there are */
  GArray *added;              /* (element-type SimAdded) */
  gboolean is_quitting;
} SimRun;

/* A request or goal that is not answered yet. */
struct _SimJob {
  guint references;
  SimRun *run;
  gpointer service;    /* of the manager */
  DdsServiceCall *dds; /* (nullable): answered, or a goal */
  GVariant *request;   /* `a{sv}` */
  SimState state;      /* of the run, when it was asked for */
  SimAnswer answer;
  DdsGoal *goal; /* (nullable): ended, or no goal */
  gboolean is_canceled;
  guint64 n_done, n_steps;
  void (*with_kinds) (SimJob *job, GVariant *kinds);
  gboolean is_pooled; /* the entity that is to be deleted may be spawned */
  gboolean is_many;   /* SpawnEntities, not SpawnEntity */
  GPtrArray *orders;  /* (nullable): what is to be spawned */
  guint n_waiting;    /* of them, and 1 while they are not all asked for */
};

SimJob *sim_job_new (SimRun *run);
void sim_job_unref (gpointer job);
/* Calls a service of the simulation; the answer may come at once. */
void sim_job_submit (SimJob *job, const char *service, GVariant *arguments, OrreryCallFunc done);
/* The same, with @data for @done in place of the job, which keeps it. */
void sim_job_submit_for (SimJob *job, const char *service, GVariant *arguments, OrreryCallFunc done,
                         gpointer data);

/* Returns: whether the service is there; else the scene did not ask for it */
gboolean sim_job_may_call (SimJob *job, const char *service);

/* What the service `state` returns. */
SimState sim_read_state (GVariant *value);
/* Ends a job with what the call returned; if that is an error, with @code. */
void sim_job_finish (OrreryCall *call, SimJob *job, SimCode code);
/* The same with %SIM_FAILED, as the function of a call. @job: a SimJob */
void sim_job_end (OrreryCall *call, gpointer job);
/* The function of a call whose answer does not matter. */
void sim_job_ignore (OrreryCall *call, gpointer job);
/* FALSE: the answer says why @n steps cannot be made now */
gboolean sim_check_steps (SimJob *job, gint64 n);

/* Each answers the job, perhaps later. */
void sim_get_features (SimJob *job);
void sim_get_state (SimJob *job);
void sim_set_state (SimJob *job);
void sim_step (SimJob *job);
void sim_reset (SimJob *job);
void sim_get_world (SimJob *job);
void sim_load_world (SimJob *job);
