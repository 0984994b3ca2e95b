/* SPDX-License-Identifier: BSD-3-Clause */
/* The base of the parts that offer services of the simulation as a whole. */
#include "simulation/orrery-system-part-private.h"

#include "part/orrery-log-levels-private.h"
#include "part/orrery-part-private.h"
#include "simulation/orrery-simulation-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  OrreryInstance *instance; /* NULL: the instance is freed, but a reference to the part was kept */
} OrrerySystemPartPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrrerySystemPart, orrery_system_part, ORRERY_TYPE_PART)

const OrrerySystemPartDesc orrery_system_parts[] = {
  { "simulation", orrery_viewer_services_get_type },
  { "simulation", orrery_spawn_services_get_type },
  { "simulation", orrery_change_services_get_type },
  { "simulation", orrery_state_services_get_type },
  { "simulation", orrery_supervision_get_type },
  { "time", orrery_time_services_get_type },
  { "communication", orrery_communication_get_type },
  { NULL, NULL },
};

#define PRIVATE(part)                                                                              \
  ((OrrerySystemPartPrivate *) orrery_system_part_get_instance_private (ORRERY_SYSTEM_PART (part)))

/* While no tick runs, nothing takes what they stage. */
static const char *const staging[] = { "attach",
                                       "detach",
                                       "remove",
                                       "reset_objects",
                                       "set",
                                       "set_object_dynamics",
                                       "set_object_position",
                                       "set_object_visibility",
                                       "spawn",
                                       NULL };

static gboolean
has_room (OrreryInstance *instance, GError **error)
{
  guint n;

  orrery_commands_get (orrery_tick_get_commands (orrery_runner_get_tick (instance->runner)), &n);
  return n < ORRERY_MAX_STAGED ||
         orrery_set_error (error, ORRERY_ERROR_STATE,
                           "%u changes wait for the next tick, which is as many as there may be; "
                           "let the simulation run first",
                           n);
}

static void
orrery_system_part_call (OrreryPart *part, const char *name, OrreryCall *call, GError **error)
{
  OrreryInstance *instance = PRIVATE (part)->instance;

  if (instance == NULL)
    orrery_set_error (error, ORRERY_ERROR_STATE, "the simulation is gone");
  else if (!g_strv_contains (staging, name) || has_room (instance, error))
    ORRERY_PART_CLASS (orrery_system_part_parent_class)->call (part, name, call, error);
}

static void
orrery_system_part_class_init (OrrerySystemPartClass *klass)
{
  ORRERY_PART_CLASS (klass)->call = orrery_system_part_call;
}

OrreryPart *
orrery_system_part_new (GType type, const char *name, OrreryInstance *instance)
{
  OrreryPart *part = g_object_new (type, NULL);
  g_autofree char *classpath = g_strconcat ("orrery.", name, NULL);

  orrery_part_identify (part, name, classpath, 0);
  orrery_part_set_log_levels (part, instance->scene->log_levels, NULL);
  PRIVATE (part)->instance = instance;
  return part;
}

OrreryInstance *
orrery_system_part_get_instance (OrreryPart *part)
{
  return PRIVATE (part)->instance;
}

OrrerySimulation *
orrery_system_part_get_simulation (OrreryPart *part)
{
  return PRIVATE (part)->instance->simulation;
}

void
orrery_system_part_leave (OrreryPart *part)
{
  PRIVATE (part)->instance = NULL;
}

GVariant *
orrery_system_part_unbox (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (value)
                                                              : g_variant_ref (value);
}

/* As programs give them; callers elsewhere box each by itself. */
static gboolean
copy_numbers (GVariant *list, gsize n, double *out)
{
  gsize n_given;
  const double *given = g_variant_get_fixed_array (list, &n_given, sizeof *given);

  if (n_given != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (given[i]))
      return FALSE;
  memcpy (out, given, n * sizeof *out);
  return TRUE;
}

gboolean
orrery_system_part_read_numbers (GVariant *list, gsize n, double *out)
{
  if (g_variant_is_of_type (list, G_VARIANT_TYPE ("ad")))
    return copy_numbers (list, n, out);
  if (!g_variant_is_container (list) || g_variant_n_children (list) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) item = orrery_system_part_unbox (child);
    g_autoptr (GVariant) number = orrery_variant_convert (item, G_VARIANT_TYPE_DOUBLE, NULL);

    if (number == NULL || !isfinite (g_variant_get_double (number)))
      return FALSE;
    out[i] = g_variant_get_double (number);
  }
  return TRUE;
}

/* --- a pose --- */

static gboolean
is_null (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE);
}

static gboolean
read_position (OrreryCall *call, guint argument, OrreryVec3 *position)
{
  g_autoptr (GVariant) value = g_variant_get_variant (orrery_call_get_argument (call, argument));
  double p[3];

  if (is_null (value))
    return TRUE;
  if (!orrery_system_part_read_numbers (value, 3, p))
    return FALSE;
  *position = (OrreryVec3){ p[0], p[1], p[2] };
  return TRUE;
}

static gboolean
read_rotation (OrreryCall *call, guint argument, OrreryQuat *rotation)
{
  g_autoptr (GVariant) value = g_variant_get_variant (orrery_call_get_argument (call, argument));
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

gboolean
orrery_system_part_read_pose (OrreryCall *call, guint argument, OrreryTransform *pose)
{
  return read_position (call, argument, &pose->position) &&
         read_rotation (call, argument + 1, &pose->rotation);
}

void
orrery_system_part_add_pose (GVariantBuilder *arguments, const OrreryTransform *pose)
{
  const OrreryQuat *q = &pose->rotation;
  const double rotation[] = { q->x, q->y, q->z, q->w };

  g_variant_builder_add (arguments, "v",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &pose->position.x, 3,
                                                    sizeof (double)));
  g_variant_builder_add (arguments, "v",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, rotation, 4,
                                                    sizeof (double)));
}

GVariant *
orrery_system_part_ask (OrrerySimulation *simulation, const char *service, GVariant *arguments,
                        GError **error)
{
  g_autoptr (OrreryCall) made =
      orrery_simulation_call (simulation, "simulation", service, arguments);
  GVariant *result = orrery_call_get_result (made, error);

  return result != NULL ? g_variant_ref (result) : NULL;
}
