/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../plugins/stage.h"

/* What tests of objects that are added while the scene runs have in common. */

#define BOX                                                                                        \
  "{'name': 'box', 'position': [0, 0, 9], 'body': {'type': 'rigid', 'mass': 2}, 'shapes': "        \
  "[{'kind': 'box', 'size': [0.5, 0.5, 0.5]}]}"
#define BOT                                                                                        \
  "{'name': 'bot', 'classpath': 'orrery.robots.atrv.ATRV', 'position': [5, 0, 1], 'objects': ["    \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                                     \
  "{'name': 'steps', 'classpath': 'probe.sensors.Steps', 'frequency': 20},"                        \
  "{'name': 'laser', 'classpath': 'orrery.sensors.laserscanner.LaserScanner', 'position': "        \
  "[0, 0, 0.5], 'properties': {'laser_range': 30, 'scan_window': 10, 'resolution': 1}},"           \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}"
#define LINK(name, more)                                                                           \
  "{'name': '" name "', 'position': [0, 0, 0.5], 'joint': {'kind': 'hinge', 'axis': [0, 1, 0]}, "  \
  "'body': {'type': 'rigid', 'mass': 1}, 'shapes': [{'kind': 'box', 'size': [0.1, 0.1, "           \
  "0.3]}]" more "}"
#define ARM(name)                                                                                  \
  "{'name': '" name "', 'position': [0, 5, 2], 'body': {'type': 'rigid', 'mass': 5}, 'shapes': "   \
  "[{'kind': 'box', 'size': [0.6, 0.6, 0.4]}], 'objects': [" LINK (                                \
      "upper", ", 'objects': [" LINK ("fore", "") "]") "]}"
#define EYE                                                                                        \
  "{'name': 'eye', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                           \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose', 'frequency': 60}, "                   \
  "{'name': 'laser', 'classpath': 'orrery.sensors.laserscanner.LaserScanner', "                    \
  "'position': [0, 0, 0.25], 'properties': {'laser_range': 30, 'scan_window': 0, "                 \
  "'resolution': 1}}]}"
#define TABLES                                                                                     \
  "'spawnables': [{'count': 2, 'object': " BOT "}, {'count': 3, 'object': " BOX "}, {'count': 2, " \
  "'object': " ARM ("arm") "}],"
#define NOISE                                                                                      \
  "'component_modifier': {'bot_1.pose': [['orrery.modifiers.pose_noise.PoseNoiseModifier', "       \
  "{'pos_std': 0.1}]]}"
#define DYNAMIC "{'start': 0, 'import': 'empty'}"
#define BARE "{'start': 0}"

static inline Stage *
make (const char *environment, const char *tables, const char *objects)
{
  g_autofree char *scene = stage_scene (environment, tables, objects);

  return stage_new (scene, NULL);
}

static inline gboolean
try_add (Stage *stage, const char *object, guint count, GError **error)
{
  g_autofree char *json = g_strdup (object);

  return orrery_simulation_add_spawnable (stage->simulation, g_strdelimit (json, "'", '"'), count,
                                          NULL, error);
}

static inline void
add (Stage *stage, const char *object, guint count)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (try_add (stage, object, count, &error));
  g_assert_no_error (error);
}

static inline void
add_all (Stage *stage)
{
  add (stage, BOT, 2);
  add (stage, BOX, 3);
  add (stage, ARM ("arm"), 2);
}

static inline void
spawn_all (Stage *stage)
{
  g_autofree char *bot = stage_spawn (stage, "bot", 3, 1, 0.5);
  g_autofree char *box = stage_spawn (stage, "box", 3, 0, 4);
  g_autofree char *other = stage_spawn (stage, "box", 3.1, 0, 6);
  g_autofree char *arm = stage_spawn (stage, "arm", 0, 3, 3);
  g_autofree char *second = stage_spawn (stage, "arm", 3, 0.2, 7);

  g_assert_cmpstr (second, ==, "arm.2");
}
