/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels of objects, and the commands that drive them. */
#include "world/orrery-wheel.h"

#include "base/orrery-error-private.h"
#include "world/orrery-world-private.h"

#include <math.h>

/* m, N/m, N s/m, N m: larger numbers are errors. */
#define WHEEL_LIMIT 1e9

static gboolean
is_within (double x, double low, double high)
{
  return x >= low && x <= high;
}

static const char *
find_fault (OrreryObject *object, const OrreryWheel *wheel)
{
  const double least[] = { wheel->rest,     wheel->stiffness, wheel->compression, wheel->relaxation,
                           wheel->friction, wheel->torque,    wheel->width };

  if (object->parent == NULL || object->parent->body.type == ORRERY_BODY_NONE)
    return "a wheel needs a parent that has a body";
  if (object->body.type != ORRERY_BODY_NONE)
    return "a wheel has no body of its own";
  if (!is_within (wheel->radius, 1e-6, WHEEL_LIMIT))
    return "the radius of a wheel is above 0";
  if (!orrery_vec3_is_finite (&wheel->mount) || !isfinite (wheel->arm) ||
      !is_within (wheel->roll, 0, 1))
    return "a number of its wheel is not finite or out of its range";
  if (!(fabs (orrery_vec3_length (&wheel->axle) - 1) < 1e-6) || !(fabs (wheel->axle.z) < 0.5))
    return "the axle of a wheel is a unit vector across the body's z axis";
  for (guint i = 0; i < G_N_ELEMENTS (least); i++)
    if (!is_within (least[i], 0, WHEEL_LIMIT))
      return "the numbers of its wheel are 0 to 1e9";
  return NULL;
}

gboolean
orrery_object_set_wheel (OrreryObject *object, const OrreryWheel *wheel, GError **error)
{
  const char *fault;

  g_return_val_if_fail (ORRERY_IS_OBJECT (object), FALSE);

  fault = find_fault (object, wheel);
  if (fault != NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "object '%s': %s", object->name, fault);
  g_free (object->wheel);
  object->wheel = g_memdup2 (wheel, sizeof *wheel);
  return TRUE;
}

ORRERY_DEFINE_GETTER (const OrreryWheel *, orrery_object_get_wheel, OrreryObject, ORRERY_IS_OBJECT,
                      self->wheel)

gboolean
orrery_commands_drive_wheel (OrreryCommands *commands, OrreryObject *wheel,
                             const OrreryWheelDrive *drive)
{
  OrreryVec3 linear = { drive->steer, drive->speed, drive->force };
  OrreryVec3 angular = { drive->brake, 0, 0 };

  g_return_val_if_fail (wheel->wheel != NULL, FALSE);
  return orrery_commands_stage (commands, ORRERY_COMMAND_WHEEL, wheel->index, drive->held, &linear,
                                &angular);
}

void
orrery_command_get_drive (const OrreryCommand *command, OrreryWheelDrive *drive)
{
  *drive = (OrreryWheelDrive){ .steer = command->linear.x,
                               .held = command->flag,
                               .speed = command->linear.y,
                               .force = command->linear.z,
                               .brake = command->angular.x };
}
