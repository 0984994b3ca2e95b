/* SPDX-License-Identifier: BSD-3-Clause */
/* The services of `simulation` that change its state. They are answered when that is done. */
#include "base/orrery-file-private.h"
#include "base/orrery-name-private.h"
#include "simulation/orrery-simulation-private.h"

#define MAX_STEPS 1000000000

static void
state (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRun *run = orrery_system_part_get_instance (part)->run;

  orrery_call_return (call, g_variant_new_string (
                                orrery_state_get_name (orrery_run_get_public_state (run))));
}

/* Clients name states and scenes, and the latter only below one directory. */
static void
request_by_name (OrrerySimulation *simulation, OrreryRunRequestKind kind, guint64 n,
                 const char *name, OrreryCall *call, GError **error)
{
  g_autofree char *path = NULL;

  if (kind == ORRERY_RUN_REQUEST_SAVE && !orrery_name_check (ORRERY_NAME_STATE, name, error))
    return;
  if (kind == ORRERY_RUN_REQUEST_LOAD) {
    path = orrery_file_find_below (simulation->root, name, error);
    if (path == NULL)
      return;
    name = path;
  }
  orrery_simulation_request (simulation, kind, n, name, call);
}

/* The table of requests says which of them a service makes. */
static void
request (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRunRequestKind kind = orrery_run_request_find (orrery_call_get_service (call));
  gboolean steps = kind == ORRERY_RUN_REQUEST_STEP;
  gboolean named = !steps && orrery_call_get_n_arguments (call) > 0;
  gint64 n = steps ? g_variant_get_int64 (orrery_call_get_argument (call, 0)) : 0;

  if (steps && (n < 1 || n > MAX_STEPS))
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "from 1 to %d ticks can be stepped, not %" G_GINT64_FORMAT, MAX_STEPS, n);
  else
    request_by_name (orrery_system_part_get_simulation (part), kind, (guint64) n,
                     named ? orrery_call_get_text (call, 0) : NULL, call, error);
}

static const OrreryService services[] = {
  { "state", state, ORRERY_SERVICE_IMMEDIATE, "", "stopped, running, paused or stopping" },
  { "start", request, ORRERY_SERVICE_CONCURRENT, "", "Begins a run, or lets a paused one go on" },
  { "stop", request, ORRERY_SERVICE_CONCURRENT, "",
    "Ends the run; everything is back at its start" },
  { "pause", request, ORRERY_SERVICE_CONCURRENT, "", "Holds the run between two ticks" },
  { "resume", request, ORRERY_SERVICE_CONCURRENT, "", "Lets a paused run go on" },
  { "step", request, ORRERY_SERVICE_CONCURRENT, "n:x=1",
    "Runs so many ticks and is paused then; the number of ticks since the start" },
  { "reset", request, ORRERY_SERVICE_CONCURRENT, "", "The same run again, from its start" },
  { "save", request, ORRERY_SERVICE_CONCURRENT | ORRERY_SERVICE_RESTRICTED, "name:s=''",
    "Keeps the state between two ticks under a name, in the memory of the host" },
  { "restore", request, ORRERY_SERVICE_CONCURRENT | ORRERY_SERVICE_RESTRICTED, "name:s=''",
    "Goes on from a state that was kept under this name" },
  { "load", request, ORRERY_SERVICE_CONCURRENT | ORRERY_SERVICE_RESTRICTED, "scene:s",
    "Another scene, which is stopped: a file or directory below that of the first, or below "
    "--root" },
};

ORRERY_DEFINE_SYSTEM_PART (OrreryStateServices, orrery_state_services)
