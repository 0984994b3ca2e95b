/* SPDX-License-Identifier: BSD-3-Clause */
/* Services of `simulation` that spawn and remove objects, and the functions that call them. */
#include "simulation/orrery-simulation-private.h"

#include "simulation/orrery-spawn-private.h"
#include "simulation/orrery-system-part-private.h"

static void
spawn (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySpawn *spawn = orrery_system_part_get_instance (part)->spawn;
  const char *name = orrery_call_get_text (call, 0);
  const char *called = orrery_call_get_text (call, 3);
  const OrreryTransform *start = orrery_spawn_get_start (spawn, name, error);
  g_autofree char *given = NULL;
  OrreryTransform pose;

  if (start == NULL)
    return;
  pose = *start;
  if (!orrery_system_part_read_pose (call, 1, &pose)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, ORRERY_NO_POSE);
    return;
  }
  given = orrery_spawn_add (spawn, name, *called != '\0' ? called : NULL, &pose, error);
  if (given != NULL)
    orrery_call_return (call, g_variant_new_string (given));
}

static void
remove_object (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_spawn_remove (orrery_system_part_get_instance (part)->spawn,
                       orrery_call_get_text (call, 0), error);
}

static void
get_spawned (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, orrery_spawn_list (orrery_system_part_get_instance (part)->spawn));
}

static void
get_spawnables (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call,
                      orrery_spawn_list_kinds (orrery_system_part_get_instance (part)->spawn));
}

char *
orrery_spawn_services_read_json (OrreryCall *call, guint argument)
{
  g_autoptr (GVariant) given = g_variant_get_variant (orrery_call_get_argument (call, argument));
  g_autoptr (OrreryWriter) out = NULL;
  const char *text;
  gsize length;

  if (g_variant_is_of_type (given, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (given, NULL);
  if (g_variant_is_of_type (given, G_VARIANT_TYPE_MAYBE))
    return g_strdup ("");
  out = orrery_writer_new ();
  orrery_writer_append_json_variant (out, given);
  text = orrery_writer_get_data (out, &length);
  return g_strndup (text, length);
}

/* It is answered when that is done. */
static void
add_spawnable (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_autofree char *object = orrery_spawn_services_read_json (call, 0);
  gint64 count = g_variant_get_int64 (orrery_call_get_argument (call, 1));

  if (count < 1 || count > ORRERY_MAX_SPAWNABLE)
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "from 1 to %d may be there at once, not %" G_GINT64_FORMAT,
                      ORRERY_MAX_SPAWNABLE, count);
  else
    orrery_simulation_request (orrery_system_part_get_simulation (part), ORRERY_RUN_REQUEST_ADD,
                               (guint64) count, object, call);
}

static const OrreryService services[] = {
  { "spawn", spawn, ORRERY_SERVICE_IMMEDIATE,
    "name:s position:v=null orientation:v=null called:s=''",
    "Puts an object of the scene's spawnables into the world, at [x, y, z], turned by [roll, "
    "pitch, yaw] or as the quaternion [x, y, z, w], called as asked or NAME.N; the name of the new "
    "object" },
  { "remove", remove_object, ORRERY_SERVICE_IMMEDIATE, "name:s",
    "Takes a spawned object out of the world" },
  { "get_spawned", get_spawned, ORRERY_SERVICE_IMMEDIATE, "",
    "What is spawned: names, and the object of the scene that each of them is" },
  { "get_spawnables", get_spawnables, ORRERY_SERVICE_IMMEDIATE, "",
    "What may be spawned: names, and the objects of the scene that each of them may be" },
  { "add_spawnable", add_spawnable, ORRERY_SERVICE_CONCURRENT | ORRERY_SERVICE_RESTRICTED,
    "object:v count:x=1 config:v=null",
    "Adds an object to what may be spawned, between two ticks: a dictionary as in the scene's "
    "'objects', or the JSON of it; how many may be there at once; tables of a component_config "
    "with streams, modifiers and services of its components" },
};

ORRERY_DEFINE_SYSTEM_PART (OrrerySpawnServices, orrery_spawn_services)

/* --- the same for the program: what it calls is repeated where the run is --- */

char *
orrery_simulation_spawn (OrrerySimulation *simulation, const char *name,
                         const OrreryTransform *pose, GError **error)
{
  g_autoptr (GVariant) given = NULL;
  GVariantBuilder arguments;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  g_variant_builder_init (&arguments, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&arguments, "v", g_variant_new_string (name));
  if (pose != NULL)
    orrery_system_part_add_pose (&arguments, pose);
  given = orrery_system_part_ask (simulation, "spawn", g_variant_builder_end (&arguments), error);
  return given != NULL ? g_variant_dup_string (given, NULL) : NULL;
}

gboolean
orrery_simulation_add_spawnable (OrrerySimulation *simulation, const char *object, guint count,
                                 const char *config, GError **error)
{
  g_autoptr (OrreryCall) made = NULL;
  GVariantBuilder arguments;
  GError *local = NULL;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (object != NULL, FALSE);
  g_return_val_if_fail (orrery_run_get_state (simulation->run) != ORRERY_RUN_CLOSED, FALSE);

  g_variant_builder_init (&arguments, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&arguments, "v", g_variant_new_string (object));
  g_variant_builder_add (&arguments, "v", g_variant_new_int64 (count));
  if (config != NULL)
    g_variant_builder_add (&arguments, "v", g_variant_new_string (config));
  made = orrery_simulation_call (simulation, "simulation", "add_spawnable",
                                 g_variant_builder_end (&arguments));
  /* Within a turn it waits for the end of that. */
  if (orrery_call_is_done (made))
    orrery_call_get_result (made, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
orrery_simulation_remove (OrrerySimulation *simulation, const char *name, GError **error)
{
  g_autoptr (GVariant) none = NULL;
  GVariantBuilder arguments;
  GError *local = NULL;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  g_variant_builder_init (&arguments, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&arguments, "v", g_variant_new_string (name));
  none = orrery_system_part_ask (simulation, "remove", g_variant_builder_end (&arguments), &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}
