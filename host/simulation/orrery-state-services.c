/* SPDX-License-Identifier: BSD-3-Clause */
/* The services of `simulation` that change its state. They are answered when that is done. */
#include "simulation/orrery-simulation-private.h"

#define MAX_STEPS 1000000000

static void
request (OrreryPart *part, OrreryRunRequestKind kind, OrreryCall *call)
{
  orrery_simulation_request (orrery_system_part_get_simulation (part), kind, 0, NULL, call);
}

static void
state (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRun *run = orrery_system_part_get_instance (part)->run;

  orrery_call_return (call, g_variant_new_string (
                                orrery_state_get_name (orrery_run_get_public_state (run))));
}

static void
start (OrreryPart *part, OrreryCall *call, GError **error)
{
  request (part, ORRERY_RUN_REQUEST_START, call);
}

static void
stop (OrreryPart *part, OrreryCall *call, GError **error)
{
  request (part, ORRERY_RUN_REQUEST_STOP, call);
}

static void
hold (OrreryPart *part, OrreryCall *call, GError **error)
{
  request (part, ORRERY_RUN_REQUEST_PAUSE, call);
}

static void
resume (OrreryPart *part, OrreryCall *call, GError **error)
{
  request (part, ORRERY_RUN_REQUEST_RESUME, call);
}

static void
reset (OrreryPart *part, OrreryCall *call, GError **error)
{
  request (part, ORRERY_RUN_REQUEST_RESET, call);
}

static void
step (OrreryPart *part, OrreryCall *call, GError **error)
{
  gint64 n = g_variant_get_int64 (orrery_call_get_argument (call, 0));

  if (n < 1 || n > MAX_STEPS)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "from 1 to %d ticks can be stepped, not %" G_GINT64_FORMAT, MAX_STEPS, n);
  else
    orrery_simulation_request (orrery_system_part_get_simulation (part), ORRERY_RUN_REQUEST_STEP,
                               (guint64) n, NULL, call);
}

static void
load (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_simulation_request (orrery_system_part_get_simulation (part), ORRERY_RUN_REQUEST_LOAD, 0,
                             orrery_call_get_text (call, 0), call);
}

static void
save (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_simulation_request (orrery_system_part_get_simulation (part), ORRERY_RUN_REQUEST_SAVE, 0,
                             orrery_call_get_text (call, 0), call);
}

static void
restore (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_simulation_request (orrery_system_part_get_simulation (part), ORRERY_RUN_REQUEST_RESTORE,
                             0, orrery_call_get_text (call, 0), call);
}

static const OrreryService services[] = {
  { "state", state, ORRERY_SERVICE_IMMEDIATE, "", "stopped, running, paused or stopping" },
  { "start", start, ORRERY_SERVICE_CONCURRENT, "", "Begins a run, or lets a paused one go on" },
  { "stop", stop, ORRERY_SERVICE_CONCURRENT, "", "Ends the run; everything is back at its start" },
  { "pause", hold, ORRERY_SERVICE_CONCURRENT, "", "Holds the run between two ticks" },
  { "resume", resume, ORRERY_SERVICE_CONCURRENT, "", "Lets a paused run go on" },
  { "step", step, ORRERY_SERVICE_CONCURRENT, "n:x=1",
    "Runs so many ticks and is paused then; the number of ticks since the start" },
  { "reset", reset, ORRERY_SERVICE_CONCURRENT, "", "The same run again, from its start" },
  { "save", save, ORRERY_SERVICE_CONCURRENT, "name:s=''",
    "Keeps the state between two ticks under a name, in the memory of the host" },
  { "restore", restore, ORRERY_SERVICE_CONCURRENT, "name:s=''",
    "Goes on from a state that was kept under this name" },
  { "load", load, ORRERY_SERVICE_CONCURRENT, "scene:s",
    "Another scene, a file or directory of the host's, which is stopped" },
};

ORRERY_DEFINE_SYSTEM_PART (OrreryStateServices, orrery_state_services, "simulation")
