/* SPDX-License-Identifier: BSD-3-Clause */
/* The services `time`, by which MORSE's clients query the clock. */
#include "simulation/orrery-simulation-private.h"

#include "world/orrery-world-private.h"

static OrreryRunner *
get_runner (OrreryPart *part)
{
  return orrery_system_part_get_instance (part)->runner;
}

static void
mode (OrreryPart *part, OrreryCall *call, GError **error)
{
  gboolean best_effort =
      orrery_runner_get_settings (get_runner (part))->pace == ORRERY_PACE_BEST_EFFORT;

  orrery_call_return (call,
                      g_variant_new_string (best_effort ? "Best Effort" : "Fixed Simulation Step"));
}

static void
now (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryTime time = orrery_tick_get_time (orrery_runner_get_tick (get_runner (part)));

  orrery_call_return (call, g_variant_new_double (orrery_time_to_seconds (time)));
}

static void
statistics (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, orrery_runner_get_statistics (get_runner (part)));
}

static void
set_time_scale (OrreryPart *part, OrreryCall *call, GError **error)
{
  double scale = orrery_call_get_double (call, 0);

  if (!(scale >= 1e-6 && scale <= 1e6)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a time scale is from 1e-6 to 1e6, not %g",
                      scale);
    return;
  }
  orrery_runner_set_scale (get_runner (part), scale);
  orrery_call_return (call, g_variant_new_boolean (TRUE));
}

static void
sleep_until (OrreryPart *part, OrreryCall *call, GError **error)
{
  double seconds = orrery_call_get_double (call, 0);

  if (!(seconds >= 0 && seconds <= 1e9)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a sleep is from 0 to 1e9 seconds, not %g",
                      seconds);
    return;
  }
  orrery_runner_add_alarm (get_runner (part), orrery_time_from_seconds (seconds), call);
}

static const OrreryService services[] = {
  { "mode", mode, ORRERY_SERVICE_IMMEDIATE, "", "Best Effort or Fixed Simulation Step" },
  { "now", now, ORRERY_SERVICE_IMMEDIATE, "", "Simulation time, s" },
  { "statistics", statistics, ORRERY_SERVICE_IMMEDIATE, "",
    "Mean and variance of the time between ticks" },
  { "set_time_scale", set_time_scale, ORRERY_SERVICE_IMMEDIATE, "value:d",
    "How many simulated seconds pass in a second of the clock" },
  { "sleep", sleep_until, ORRERY_SERVICE_CONCURRENT, "seconds:d",
    "Answers when that much simulation time has passed" },
};

ORRERY_DEFINE_SYSTEM_PART (OrreryTimeServices, orrery_time_services)
