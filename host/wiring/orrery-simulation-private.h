/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "wiring/orrery-assembly-private.h"
#include "wiring/orrery-simulation.h"

struct _OrrerySimulation {
  GObject parent_instance;

  OrreryRegistry *registry;
  OrreryOptions *options;
  OrreryWorld *world;
  OrreryProblems problems;
  OrreryScene *scene;
  OrreryRunner *runner;
  OrreryAssembly assembly;
  GPtrArray *system;  /* (element-type OrreryPart): supervision and time */
  GHashTable *states; /* (element-type OrreryPart GVariant): after setup, for a reset */
  gint64 wall_ns;     /* spent in step and run */
  gboolean loaded;
  gboolean closed;
};

/* The services `simulation` and `time`; each borrows the simulation, which outlives it. */
OrreryPart *orrery_supervision_new (OrrerySimulation *simulation);
OrreryPart *orrery_time_services_new (OrrerySimulation *simulation);

/* orrery-simulation-load.c: from a scene to a simulation that stands before tick 0. */
gboolean orrery_simulation_assemble (OrrerySimulation *self, const char *path, GError **error);
/* Makes the engine's model at the poses of the snapshot, at first and again after a reset. */
gboolean orrery_simulation_build_physics (OrrerySimulation *self, GError **error);
/* For a worker: a world with all components, none set up, and nothing that runs. */
void orrery_simulation_replicate (OrrerySimulation *self, OrreryScene *scene);
/* orrery-report.c: `aa{sv}`, floating, as orrery_simulation_get_report() has it. */
GVariant *orrery_simulation_describe_workers (OrrerySimulation *simulation);
