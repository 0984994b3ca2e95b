/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery-test.h>

/* A sensor with fields of all kinds, or another one, and modifiers of the module noise. */
#define NOISE_WORLD                                                                                \
  "'environment': {'seed': 42, 'frequency': 60, 'physics': "                                       \
  "'orrery.physics.kinematic.Kinematic'}, "
#define NOISE_SENSOR "{'name': 'sensor', 'classpath': 'trial.mixed.Mixed'}"
#define NOISE_ENTRY(class, options) "['orrery.modifiers.noise." class "', {" options "}]"
#define NOISE_SCENE_OF(sensors, entries)                                                           \
  NOISE_WORLD "'objects': [{" ORRERY_TEST_ROBOT "'objects': [" sensors                             \
              "]}], 'component_modifier': {" entries "}"
#define NOISE_SCENE(class, options)                                                                \
  NOISE_SCENE_OF (NOISE_SENSOR, "'robot.sensor': [" NOISE_ENTRY (class, options) "]")

static inline OrreryRecord *
noise_record (OrrerySimulation *sim)
{
  return orrery_component_get_record (orrery_test_find (sim, "robot.sensor"));
}

static inline double
noise_get (OrrerySimulation *sim, const char *field)
{
  return orrery_test_get (sim, "robot.sensor", field);
}

/* One number of an array or of points; NaN if there are not so many. */
static inline double
noise_get_item (OrrerySimulation *sim, const char *field, gsize i)
{
  g_autoptr (OrreryBuffer) buffer = orrery_record_get_buffer (noise_record (sim), field);
  gsize n = buffer != NULL ? orrery_buffer_get_size (buffer) / sizeof (double) : 0;

  return i < n ? ((double *) orrery_buffer_get_data (buffer))[i] : NAN;
}
