/* SPDX-License-Identifier: BSD-3-Clause */
/* Motors of joints: by position, velocity or force. */
#include <orrery.h>

#include <math.h>
#include <string.h>

typedef struct {
  double position;
  double speed;
} PositionData;

typedef struct {
  double velocity;
} VelocityData;

typedef struct {
  double effort;
} EffortData;

static const OrreryField position_fields[] = {
  ORRERY_FIELD (PositionData, position, "rad or m", "Where the joint goes and stays"),
  ORRERY_FIELD (PositionData, speed, "rad/s or m/s", "At most so fast; 0: as fast as it may"),
};
static const OrreryField velocity_fields[] = {
  ORRERY_FIELD (VelocityData, velocity, "rad/s or m/s", "What the motor keeps"),
};
static const OrreryField effort_fields[] = {
  ORRERY_FIELD (EffortData, effort, "N m or N", "What the motor gives"),
};

/*
 * The motor of one joint of its robot: it tells it in every step what the record says, from the
 * start on (Position: to stay where it begins).
 */
typedef struct {
  OrreryActuator parent_instance;
  char *name;
  OrreryObject *joint; /* borrowed from the world */
  OrrerySnapshot *snapshot;
} OrreryJointMotor;
ORRERY_DEFINE_BASE_CLASS (OrreryJointMotor, orrery_joint_motor, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (
      OrreryJointMotor, name, "Joint", "",
      "Name of the joint; \"\": the nearest above the component, else the first of the robot",
      .flags = ORRERY_PROPERTY_AT_START),
};

static OrreryJointMotor *
get_motor (gpointer self)
{
  return self;
}

static const OrreryJointState *
get_state (gpointer self)
{
  OrreryJointMotor *motor = get_motor (self);

  if (motor->joint == NULL)
    return NULL;
  return orrery_snapshot_get_joint (motor->snapshot, orrery_object_get_index (motor->joint));
}

/* --- which joint --- */

static OrreryObject *
find_above (OrreryObject *object)
{
  for (object = orrery_object_get_parent (object); object != NULL;
       object = orrery_object_get_parent (object))
    if (orrery_object_has_moving_joint (object))
      return object;
  return NULL;
}

static gboolean
is_called (OrreryObject *object, OrreryObject *root, const char *name)
{
  const char *full = orrery_object_get_name (object);
  gsize n = strlen (orrery_object_get_name (root));

  return g_str_equal (full, name) || g_str_equal (orrery_object_get_joint_name (object), name) ||
         g_str_equal (orrery_object_get_basename (object), name) ||
         (strlen (full) > n && g_str_equal (full + n + 1, name));
}

static OrreryObject *
find_anywhere (OrreryWorld *world, const char *name)
{
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (orrery_object_has_moving_joint (object) &&
        (g_str_equal (orrery_object_get_joint_name (object), name) ||
         g_str_equal (orrery_object_get_name (object), name)))
      return object;
  }
  return NULL;
}

static OrreryObject *
find_joint (OrreryComponent *component, OrrerySetup *setup, const char *name, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (component);
  OrreryObject *self = orrery_setup_get_object (setup);
  OrreryObject *root = robot != NULL ? orrery_component_get_object (robot) : self;
  g_autoptr (GPtrArray) joints = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;
  OrreryObject *found = find_above (self);

  orrery_object_collect_joints (root, joints);
  if (*name == '\0')
    return found != NULL || joints->len == 0 ? found : joints->pdata[0];
  for (guint i = 0; i < joints->len; i++)
    if (is_called (joints->pdata[i], root, name))
      return joints->pdata[i];

  /* One of another, as those of an environment. */
  found = find_anywhere (orrery_setup_get_world (setup), name);
  if (found != NULL)
    return found;

  for (guint i = 0; i < joints->len; i++)
    g_ptr_array_add (names, (gpointer) orrery_object_get_joint_name (joints->pdata[i]));
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "Joint: '%.60s' has no joint '%.60s'%s",
                    orrery_object_get_name (root), name, nearest);
  return NULL;
}

/* --- services --- */

static gboolean
check_number (double number, gboolean allowed, OrreryCall *call, GError **error)
{
  if (isfinite (number) && allowed)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%g is no number for %s", number,
                           orrery_call_get_service (call));
}

static gboolean
take_target (OrreryPart *part, OrreryCall *call, GError **error)
{
  PositionData target = { orrery_call_get_double (call, 0), orrery_call_get_double (call, 1) };

  if (!check_number (target.position, TRUE, call, error) ||
      !check_number (target.speed, target.speed >= 0, call, error))
    return FALSE;
  *(PositionData *) orrery_component_get_data (part) = target;
  return TRUE;
}

static void
set_position (OrreryPart *part, OrreryCall *call, GError **error)
{
  if (take_target (part, call, error))
    orrery_call_return (call, NULL);
}

static void
go_to (OrreryPart *part, OrreryCall *call, GError **error)
{
  double tolerance = orrery_call_get_double (call, 2);

  if (get_motor (part)->joint == NULL) {
    orrery_set_error (error, ORRERY_ERROR_STATE, "%s moves no joint", orrery_part_get_name (part));
    return;
  }
  /* Answered by the step that finds it there. */
  if (check_number (tolerance, tolerance >= 0, call, error))
    take_target (part, call, error);
}

static void
set_velocity (OrreryPart *part, OrreryCall *call, GError **error)
{
  double velocity = orrery_call_get_double (call, 0);

  if (!check_number (velocity, TRUE, call, error))
    return;
  ((VelocityData *) orrery_component_get_data (part))->velocity = velocity;
  orrery_call_return (call, NULL);
}

static void
set_effort (OrreryPart *part, OrreryCall *call, GError **error)
{
  double effort = orrery_call_get_double (call, 0);

  if (!check_number (effort, TRUE, call, error))
    return;
  ((EffortData *) orrery_component_get_data (part))->effort = effort;
  orrery_call_return (call, NULL);
}

static void
get_state_of (OrreryPart *part, OrreryCall *call, GError **error)
{
  const OrreryJointState *state = get_state (part);
  GVariantDict dict;

  if (state == NULL) {
    orrery_set_error (error, ORRERY_ERROR_STATE, "%s moves no joint", orrery_part_get_name (part));
    return;
  }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "position", "d", state->position);
  g_variant_dict_insert (&dict, "velocity", "d", state->velocity);
  g_variant_dict_insert (&dict, "effort", "d", state->effort);
  orrery_call_return (call, g_variant_dict_end (&dict));
}

#define STATE_SERVICE                                                                              \
  {                                                                                                \
    "get_state", get_state_of, ORRERY_SERVICE_IMMEDIATE, "",                                       \
        "Position, velocity and effort of the joint"                                               \
  }

static const OrreryService position_services[] = {
  { "set_position", set_position, ORRERY_SERVICE_IMMEDIATE, "position:d speed:d=0.0",
    "Sets where the joint goes" },
  { "goto", go_to, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE,
    "position:d speed:d=0.0 tolerance:d=0.005",
    "Moves the joint; succeeds with its position once it is within the tolerance" },
  STATE_SERVICE,
};
static const OrreryService velocity_services[] = {
  { "set_velocity", set_velocity, ORRERY_SERVICE_IMMEDIATE, "velocity:d",
    "Sets what the motor keeps" },
  STATE_SERVICE,
};
static const OrreryService effort_services[] = {
  { "set_effort", set_effort, ORRERY_SERVICE_IMMEDIATE, "effort:d", "Sets what the motor gives" },
  STATE_SERVICE,
};

/* --- what they share --- */

static void
orrery_joint_motor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryJointMotor *self = get_motor (part);

  self->snapshot = orrery_world_get_snapshot (orrery_setup_get_world (setup));
  self->joint = find_joint (ORRERY_COMPONENT (part), setup, self->name, error);
  if (self->joint == NULL && *self->name == '\0')
    orrery_part_message (part, "the robot has no joint");
  if (self->joint != NULL && orrery_object_get_joint (self->joint)->kind == ORRERY_JOINT_BALL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "Joint: '%s' is a ball: it has no axis",
                      orrery_object_get_name (self->joint));
}

static void
orrery_joint_motor_class_init (OrreryJointMotorClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_joint_motor_setup;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

/* --- Position --- */

typedef OrreryJointMotor OrreryJointPosition;
ORRERY_DEFINE_CLASS (OrreryJointPosition, orrery_joint_position, OrreryJointMotor,
                     orrery_joint_motor)

static void
orrery_joint_position_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  PositionData *data = orrery_component_get_data (part);

  orrery_joint_motor_setup (part, setup, error);
  if (get_motor (part)->joint != NULL)
    data->position = get_state (part)->position;
}

static void
orrery_joint_position_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  const PositionData *in = orrery_record_data (record);
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (actuator));
  double here;

  if (get_motor (actuator)->joint == NULL)
    return;
  here = get_state (actuator)->position;
  orrery_commands_set_joint_position (orrery_tick_get_commands (tick), get_motor (actuator)->joint,
                                      in->position, fmax (in->speed, 0));
  if (call != NULL && fabs (here - in->position) <= orrery_call_get_double (call, 2))
    orrery_call_return (call, g_variant_new_double (here));
}

static void
orrery_joint_position_cancel (OrreryPart *part, OrreryCall *call)
{
  /* It stops where it is. */
  if (get_motor (part)->joint != NULL)
    ((PositionData *) orrery_component_get_data (part))->position = get_state (part)->position;
}

static void
orrery_joint_position_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  if (get_motor (actuator)->joint != NULL)
    ((PositionData *) orrery_record_data (record))->position = get_state (actuator)->position;
}

static void
orrery_joint_position_class_init (OrreryJointPositionClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_joint_position_setup;
  ORRERY_PART_CLASS (klass)->cancel = orrery_joint_position_cancel;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_joint_position_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_joint_position_halt;
  ORRERY_CLASS_SET_DATA (klass, PositionData, position_fields);
  ORRERY_CLASS_SET_SERVICES (klass, position_services);
}

/* --- Velocity --- */

typedef OrreryJointMotor OrreryJointVelocity;
ORRERY_DEFINE_CLASS (OrreryJointVelocity, orrery_joint_velocity, OrreryJointMotor,
                     orrery_joint_motor)

static void
orrery_joint_velocity_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  const VelocityData *in = orrery_record_data (record);

  if (get_motor (actuator)->joint != NULL)
    orrery_commands_set_joint_velocity (orrery_tick_get_commands (tick),
                                        get_motor (actuator)->joint, in->velocity);
}

static void
orrery_joint_velocity_class_init (OrreryJointVelocityClass *klass)
{
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_joint_velocity_act;
  ORRERY_CLASS_SET_DATA (klass, VelocityData, velocity_fields);
  ORRERY_CLASS_SET_SERVICES (klass, velocity_services);
}

/* --- Effort --- */

typedef OrreryJointMotor OrreryJointEffort;
ORRERY_DEFINE_CLASS (OrreryJointEffort, orrery_joint_effort, OrreryJointMotor, orrery_joint_motor)

static void
orrery_joint_effort_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                         GError **error)
{
  const EffortData *in = orrery_record_data (record);

  if (get_motor (actuator)->joint != NULL)
    orrery_commands_set_joint_effort (orrery_tick_get_commands (tick), get_motor (actuator)->joint,
                                      in->effort);
}

static void
orrery_joint_effort_class_init (OrreryJointEffortClass *klass)
{
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_joint_effort_act;
  ORRERY_CLASS_SET_DATA (klass, EffortData, effort_fields);
  ORRERY_CLASS_SET_SERVICES (klass, effort_services);
}

ORRERY_PLUGIN ("Motors of joints", "BSD-3-Clause",
               ORRERY_CLASS (Position, OrreryJointPosition, orrery_joint_position),
               ORRERY_CLASS (Velocity, OrreryJointVelocity, orrery_joint_velocity),
               ORRERY_CLASS (Effort, OrreryJointEffort, orrery_joint_effort))
