/* SPDX-License-Identifier: BSD-3-Clause */
/* Services of `simulation` that spawn and remove objects, and the functions that call them. */
#include "simulation/orrery-simulation-private.h"

#include "simulation/orrery-spawn-private.h"
#include "simulation/orrery-system-part-private.h"

static gboolean
is_null (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE);
}

static gboolean
read_position (OrreryCall *call, OrreryVec3 *position)
{
  g_autoptr (GVariant) value = g_variant_get_variant (orrery_call_get_argument (call, 1));
  double p[3];

  if (is_null (value))
    return TRUE;
  if (!orrery_system_part_read_numbers (value, 3, p))
    return FALSE;
  *position = (OrreryVec3){ p[0], p[1], p[2] };
  return TRUE;
}

static gboolean
read_rotation (OrreryCall *call, OrreryQuat *rotation)
{
  g_autoptr (GVariant) value = g_variant_get_variant (orrery_call_get_argument (call, 2));
  double q[4];
  double length;

  if (is_null (value))
    return TRUE;
  if (orrery_system_part_read_numbers (value, 3, q)) {
    orrery_quat_from_euler (q[0], q[1], q[2], rotation);
    return TRUE;
  }
  if (!orrery_system_part_read_numbers (value, 4, q))
    return FALSE;
  length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(length > 1e-12 && length < 1e12))
    return FALSE;
  *rotation = (OrreryQuat){ q[3], q[0], q[1], q[2] };
  orrery_quat_normalise (rotation);
  return TRUE;
}

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
  if (!read_position (call, &pose.position) || !read_rotation (call, &pose.rotation)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "a position is [x, y, z], an orientation [roll, pitch, yaw] or a quaternion "
                      "[x, y, z, w] that is not 0, all finite");
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
};

ORRERY_DEFINE_SYSTEM_PART (OrrerySpawnServices, orrery_spawn_services)

/* --- the same for the program: what it calls is repeated where the run is --- */

/* Returns: (transfer full) (nullable) */
static GVariant *
call (OrrerySimulation *simulation, const char *service, GVariant *arguments, GError **error)
{
  g_autoptr (OrreryCall) made =
      orrery_simulation_call (simulation, "simulation", service, arguments);

  GVariant *result = orrery_call_get_result (made, error);

  return result != NULL ? g_variant_ref (result) : NULL;
}

static GVariant *
box_numbers (const double *numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof *numbers);
}

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
  if (pose != NULL) {
    const OrreryQuat *q = &pose->rotation;
    const double rotation[] = { q->x, q->y, q->z, q->w };

    g_variant_builder_add (&arguments, "v", box_numbers (&pose->position.x, 3));
    g_variant_builder_add (&arguments, "v", box_numbers (rotation, 4));
  }
  given = call (simulation, "spawn", g_variant_builder_end (&arguments), error);
  return given != NULL ? g_variant_dup_string (given, NULL) : NULL;
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
  none = call (simulation, "remove", g_variant_builder_end (&arguments), &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}
