/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and stages the commands by which parts change the world in a tick. */
#include "world/orrery-world-private.h"

#include "base/orrery-counted-private.h"
#include "world/orrery-quantity-private.h"

#include <math.h>

G_DEFINE_BOXED_TYPE (OrreryCommands, orrery_commands, orrery_commands_ref, orrery_commands_unref)

/* Initial capacity of the list. */
#define COMMANDS_AT_FIRST 256

static void
clear_change (gpointer data)
{
  OrreryValueChange *change = data;

  g_clear_pointer (&change->name, g_free);
  g_clear_pointer (&change->value, g_variant_unref);
}

GArray *
orrery_changes_new (void)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (OrreryValueChange));

  g_array_set_clear_func (changes, clear_change);
  return changes;
}

OrreryCommands *
orrery_commands_new (void)
{
  OrreryCommands *commands = g_new0 (OrreryCommands, 1);

  g_atomic_ref_count_init (&commands->refs);
  commands->staged = g_array_sized_new (FALSE, FALSE, sizeof (OrreryCommand), COMMANDS_AT_FIRST);
  commands->changes = orrery_changes_new ();
  return commands;
}

static void
commands_free (OrreryCommands *commands)
{
  g_array_unref (commands->staged);
  g_array_unref (commands->changes);
  g_free (commands);
}

ORRERY_DEFINE_COUNTED (OrreryCommands, orrery_commands, refs, commands_free)

void
orrery_commands_clear (OrreryCommands *commands)
{
  if (commands->staged->len > 0)
    g_array_set_size (commands->staged, 0);
  if (commands->changes->len > 0)
    g_array_set_size (commands->changes, 0);
}

void
orrery_commands_append (OrreryCommands *to, OrreryCommands *from)
{
  if (from->staged->len > 0)
    g_array_append_vals (to->staged, from->staged->data, from->staged->len);
  for (guint i = 0; i < from->changes->len; i++) {
    const OrreryValueChange *change = &g_array_index (from->changes, OrreryValueChange, i);
    OrreryValueChange copy = { .object = change->object, .name = g_strdup (change->name) };

    copy.value = change->value != NULL ? g_variant_ref (change->value) : NULL;
    g_array_append_val (to->changes, copy);
  }
}

/*
 * Limit of positions and velocities in commands (m, m/s, rad/s; a million times as much in N and N
 * m). A larger number is an error of the part that gives it: the resulting state would end the run
 * some ticks later.
 */
#define COMMAND_LIMIT 1e8

/* Of the square of the length of a rotation. */
#define UNIT_TOLERANCE 1e-9

static gboolean
is_sane (const OrreryVec3 *v, double limit)
{
  /* NaN is not below the limit either. */
  return fabs (v->x) <= limit && fabs (v->y) <= limit && fabs (v->z) <= limit;
}

/* A rotation of another length would stretch what it turns. One whose length is 1 but for rounding
 * keeps its bits. */
static gboolean
take_pose (OrreryCommand *command, const OrreryTransform *pose)
{
  const OrreryQuat *q = &pose->rotation;
  double squared = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;

  if (!is_sane (&pose->position, COMMAND_LIMIT) || !isfinite (squared))
    return FALSE;
  command->pose = *pose;
  if (fabs (squared - 1) > UNIT_TOLERANCE)
    orrery_quat_normalise (&command->pose.rotation);
  return TRUE;
}

static gboolean
refuse (OrreryCommands *commands, guint object)
{
  orrery_commands_note_refused (commands, 1, object);
  return FALSE;
}

gboolean
orrery_command_is_valid (const OrreryCommand *command, guint n_objects)
{
  if (command->kind == ORRERY_COMMAND_QUANTITY)
    return orrery_quantity_command_is_valid (command, n_objects);
  if (command->kind > ORRERY_COMMAND_QUANTITY || command->object >= n_objects)
    return FALSE;
  if (command->kind == ORRERY_COMMAND_ATTACH &&
      (orrery_command_get_holder (command) >= (gint64) n_objects ||
       orrery_command_get_holder (command) == command->object))
    return FALSE;
  return orrery_vec3_is_finite (&command->linear) && orrery_vec3_is_finite (&command->angular) &&
         orrery_transform_is_finite (&command->pose);
}

void
orrery_commands_take (OrreryCommands *commands, const OrreryCommand *from, guint n, guint n_objects)
{
  for (guint i = 0; i < n; i++) {
    if (orrery_command_is_valid (&from[i], n_objects))
      g_array_append_val (commands->staged, from[i]);
    else
      orrery_commands_note_refused (commands, 1,
                                    n_objects > 0 ? MIN (from[i].object, n_objects - 1) : 0);
  }
}

void
orrery_commands_note_refused (OrreryCommands *commands, guint64 n, guint object)
{
  if (n == 0)
    return;
  commands->n_refused += n;
  commands->refused_object = object;
}

gboolean
orrery_commands_stage (OrreryCommands *commands, OrreryCommandKind kind, guint object,
                       gboolean flag, const OrreryVec3 *linear, const OrreryVec3 *angular)
{
  double limit = kind == ORRERY_COMMAND_FORCE ? 1e6 * COMMAND_LIMIT : COMMAND_LIMIT;
  GArray *staged = commands->staged;

  if (!is_sane (linear, limit) || !is_sane (angular, limit))
    return refuse (commands, object);

  /* The command is built in place, because every driven robot gives one per tick. */
  g_array_set_size (staged, staged->len + 1);
  g_array_index (staged, OrreryCommand, staged->len - 1) = (OrreryCommand){
    .kind = kind,
    .object = object,
    .flag = flag,
    .linear = *linear,
    .angular = *angular,
  };
  return TRUE;
}

static void
stage_flag (OrreryCommands *commands, OrreryCommandKind kind, OrreryObject *object, gboolean flag)
{
  OrreryCommand command = { .kind = kind, .object = object->index, .flag = flag };

  g_array_append_val (commands->staged, command);
}

gboolean
orrery_commands_set_velocity (OrreryCommands *commands, OrreryObject *object,
                              const OrreryVec3 *linear, const OrreryVec3 *angular)
{
  return orrery_commands_stage (commands, ORRERY_COMMAND_VELOCITY, object->index, FALSE, linear,
                                angular);
}

gboolean
orrery_commands_add_force (OrreryCommands *commands, OrreryObject *object, const OrreryVec3 *force,
                           const OrreryVec3 *torque)
{
  return orrery_commands_stage (commands, ORRERY_COMMAND_FORCE, object->index, FALSE, force,
                                torque);
}

static gboolean
stage_pose (OrreryCommands *commands, OrreryObject *object, const OrreryTransform *pose,
            gboolean keep_velocity)
{
  OrreryCommand command = { .kind = ORRERY_COMMAND_POSE,
                            .object = object->index,
                            .flag = keep_velocity };

  if (!take_pose (&command, pose))
    return refuse (commands, object->index);
  g_array_append_val (commands->staged, command);
  return TRUE;
}

gboolean
orrery_commands_set_pose (OrreryCommands *commands, OrreryObject *object,
                          const OrreryTransform *pose)
{
  return stage_pose (commands, object, pose, FALSE);
}

gboolean
orrery_commands_move (OrreryCommands *commands, OrreryObject *object, const OrreryTransform *pose)
{
  return stage_pose (commands, object, pose, TRUE);
}

gboolean
orrery_commands_set_present (OrreryCommands *commands, OrreryObject *root, gboolean present,
                             const OrreryTransform *pose)
{
  OrreryCommand command = { .kind = ORRERY_COMMAND_PRESENCE,
                            .object = root->index,
                            .flag = present };

  if (!take_pose (&command, pose))
    return FALSE;
  g_array_append_val (commands->staged, command);
  for (guint i = 0; i < root->children->len; i++) {
    OrreryObject *child = root->children->pdata[i];

    orrery_commands_set_present (commands, child, present, &child->start);
  }
  return TRUE;
}

void
orrery_commands_set_dynamics (OrreryCommands *commands, OrreryObject *object, gboolean on)
{
  stage_flag (commands, ORRERY_COMMAND_DYNAMICS, object, on);
}

void
orrery_commands_set_gravity (OrreryCommands *commands, OrreryObject *object, gboolean on)
{
  stage_flag (commands, ORRERY_COMMAND_GRAVITY, object, on);
}

void
orrery_commands_set_visible (OrreryCommands *commands, OrreryObject *object, gboolean visible)
{
  stage_flag (commands, ORRERY_COMMAND_VISIBLE, object, visible);
}

void
orrery_commands_set_lamp (OrreryCommands *commands, OrreryObject *object, gboolean on)
{
  stage_flag (commands, ORRERY_COMMAND_LAMP, object, on);
}

gboolean
orrery_commands_attach (OrreryCommands *commands, OrreryObject *object, OrreryObject *holder,
                        const OrreryTransform *pose)
{
  OrreryCommand command = { .kind = ORRERY_COMMAND_ATTACH, .object = object->index };

  orrery_transform_identity (&command.pose);
  if (holder == object || (pose != NULL && !take_pose (&command, pose)))
    return refuse (commands, object->index);
  /* Other kinds use this member for a number; every index is exactly a double. */
  command.linear.x = holder != NULL ? (double) holder->index : -1.0;
  g_array_append_val (commands->staged, command);
  return TRUE;
}

gint64
orrery_command_get_holder (const OrreryCommand *command)
{
  return command->linear.x >= 0 && command->linear.x < G_MAXUINT ? (gint64) command->linear.x : -1;
}

void
orrery_commands_set_value (OrreryCommands *commands, OrreryObject *object, const char *name,
                           GVariant *value)
{
  OrreryValueChange change = { .object = object->index };

  g_return_if_fail (name != NULL);

  change.name = g_strdup (name);
  change.value = value != NULL ? g_variant_ref_sink (value) : NULL;
  g_array_append_val (commands->changes, change);
}

/* --- joints --- */

static gboolean
stage_joint (OrreryCommands *commands, OrreryCommandKind kind, OrreryObject *object, double value,
             double speed, gboolean flag)
{
  OrreryCommand command = {
    .kind = kind, .object = object->index, .flag = flag, .linear.x = value, .angular.x = speed
  };
  double limit = kind == ORRERY_COMMAND_JOINT_EFFORT ? 1e6 * COMMAND_LIMIT : COMMAND_LIMIT;

  g_return_val_if_fail (object->joint != NULL, FALSE);
  if (!(fabs (value) <= limit) || !(speed >= 0 && speed <= COMMAND_LIMIT))
    return refuse (commands, object->index);
  g_array_append_val (commands->staged, command);
  return TRUE;
}

gboolean
orrery_commands_set_joint_position (OrreryCommands *commands, OrreryObject *object, double position,
                                    double speed)
{
  return stage_joint (commands, ORRERY_COMMAND_JOINT_POSITION, object, position, speed, FALSE);
}

gboolean
orrery_commands_put_joint (OrreryCommands *commands, OrreryObject *object, double position)
{
  return stage_joint (commands, ORRERY_COMMAND_JOINT_POSITION, object, position, 0, TRUE);
}

gboolean
orrery_commands_set_joint_velocity (OrreryCommands *commands, OrreryObject *object, double velocity)
{
  return stage_joint (commands, ORRERY_COMMAND_JOINT_VELOCITY, object, velocity, 0, FALSE);
}

gboolean
orrery_commands_set_joint_effort (OrreryCommands *commands, OrreryObject *object, double effort)
{
  return stage_joint (commands, ORRERY_COMMAND_JOINT_EFFORT, object, effort, 0, FALSE);
}

gboolean
orrery_commands_set_joint_rotation (OrreryCommands *commands, OrreryObject *object,
                                    const OrreryQuat *rotation, double speed)
{
  OrreryCommand command = { .kind = ORRERY_COMMAND_JOINT_ROTATION,
                            .object = object->index,
                            .angular.x = speed,
                            .pose.rotation = *rotation };

  g_return_val_if_fail (object->joint != NULL, FALSE);
  if (!orrery_transform_is_finite (&command.pose) || !(speed >= 0 && speed <= COMMAND_LIMIT))
    return refuse (commands, object->index);
  orrery_quat_normalise (&command.pose.rotation);
  g_array_append_val (commands->staged, command);
  return TRUE;
}

const OrreryCommand *
orrery_commands_get (OrreryCommands *commands, guint *n)
{
  *n = commands->staged->len;
  return (const OrreryCommand *) (gpointer) commands->staged->data;
}
