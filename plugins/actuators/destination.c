/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <math.h>

typedef struct {
  double x, y, z;
} DestinationData;

static const OrreryField fields[] = {
  ORRERY_FIELD (DestinationData, x, "m", "Where to go in the world frame, x"),
  ORRERY_FIELD (DestinationData, y, "m", "Where to go in the world frame, y"),
  ORRERY_FIELD (DestinationData, z, "m", "Where to go in the world frame, z"),
};

/*
 * Moves its robot straight towards a point, in all three dimensions, and never turns it. Within the
 * tolerance it is told to stand still, once; with RemainAtDestination it goes back when pushed
 * away. MORSE takes the direction of the world for one in the robot's axes, so that a robot that
 * was turned goes astray; here it arrives.
 */
G_DECLARE_FINAL_TYPE (OrreryDestination, orrery_destination, ORRERY, DESTINATION, OrreryActuator)
struct _OrreryDestination {
  OrreryActuator parent_instance;
  double tolerance;
  double speed;
  OrreryControl control;
  gboolean remain;

  gboolean moving;
  OrreryVec3 goal; /* of the previous step */
};
G_DEFINE_FINAL_TYPE (OrreryDestination, orrery_destination, ORRERY_TYPE_ACTUATOR)

enum {
  PROP_TOLERANCE = 1,
  PROP_SPEED,
  PROP_CONTROL_TYPE,
  PROP_REMAIN_AT_DESTINATION,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

static void
orrery_destination_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  OrreryDestination *self = ORRERY_DESTINATION (object);

  switch (id) {
  case PROP_TOLERANCE:
    self->tolerance = g_value_get_double (value);
    break;
  case PROP_SPEED:
    self->speed = g_value_get_double (value);
    break;
  case PROP_CONTROL_TYPE:
    self->control = g_value_get_enum (value);
    break;
  case PROP_REMAIN_AT_DESTINATION:
    self->remain = g_value_get_boolean (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_destination_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryDestination *self = ORRERY_DESTINATION (object);

  switch (id) {
  case PROP_TOLERANCE:
    g_value_set_double (value, self->tolerance);
    break;
  case PROP_SPEED:
    g_value_set_double (value, self->speed);
    break;
  case PROP_CONTROL_TYPE:
    g_value_set_enum (value, self->control);
    break;
  case PROP_REMAIN_AT_DESTINATION:
    g_value_set_boolean (value, self->remain);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

/* At first it is there already. */
static void
orrery_destination_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryDestination *self = ORRERY_DESTINATION (part);
  DestinationData *data = orrery_record_data (orrery_setup_get_record (setup));

  self->goal = orrery_component_get_pose (ORRERY_COMPONENT (part))->position;
  *data = (DestinationData){ self->goal.x, self->goal.y, self->goal.z };
}

#define STATE "(bddd)"

static GVariant *
orrery_destination_save (OrreryPart *part)
{
  OrreryDestination *self = ORRERY_DESTINATION (part);

  return g_variant_new (STATE, self->moving, self->goal.x, self->goal.y, self->goal.z);
}

static void
orrery_destination_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryDestination *self = ORRERY_DESTINATION (part);

  if (!g_variant_is_of_type (state, G_VARIANT_TYPE (STATE))) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "%s: not a state of a destination",
                 orrery_part_get_name (part));
    return;
  }
  g_variant_get (state, STATE, &self->moving, &self->goal.x, &self->goal.y, &self->goal.z);
}

static void
orrery_destination_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  OrreryDestination *self = ORRERY_DESTINATION (actuator);
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  OrreryComponent *robot = orrery_component_get_robot (component);
  const DestinationData *in = orrery_record_data (record);
  const OrreryVec3 *here = &orrery_component_get_pose (component)->position;
  gboolean new_goal = in->x != self->goal.x || in->y != self->goal.y || in->z != self->goal.z;
  OrreryVec3 way = { in->x - here->x, in->y - here->y, in->z - here->z };
  OrreryVec3 linear = { 0 };
  double distance = orrery_vec3_length (&way);
  /* A component faster than the simulation runs every tick. */
  double period = fmax (1 / orrery_component_get_frequency (component), orrery_tick_get_dt (tick));

  if (!self->remain && !self->moving && !new_goal)
    return;
  self->goal = (OrreryVec3){ in->x, in->y, in->z };
  self->moving = distance > self->tolerance;
  if (self->moving) {
    double scale = self->speed / distance;

    orrery_quat_rotate_back (&orrery_component_get_pose (robot)->rotation, &way, &linear);
    linear = (OrreryVec3){ linear.x * scale, linear.y * scale, linear.z * scale };
  }
  orrery_robot_apply_speed (ORRERY_ROBOT (robot), tick, self->control, &linear, &(OrreryVec3){ 0 },
                            period);
}

static void
orrery_destination_class_init (OrreryDestinationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = orrery_destination_set_property;
  object_class->get_property = orrery_destination_get_property;
  part_class->setup = orrery_destination_setup;
  part_class->save = orrery_destination_save;
  part_class->restore = orrery_destination_restore;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_destination_act;
  ORRERY_CLASS_SET_DATA (klass, DestinationData, fields);

  properties[PROP_TOLERANCE] =
      g_param_spec_double ("tolerance", "Tolerance", "How near is near enough, m", 0, G_MAXDOUBLE,
                           0.5, flags);
  properties[PROP_SPEED] =
      g_param_spec_double ("speed", "Speed", "Speed on the way, m/s", 0, 1e8, 5, flags);
  properties[PROP_CONTROL_TYPE] =
      g_param_spec_enum ("control-type", "ControlType", "How the robot is moved",
                         ORRERY_TYPE_CONTROL, ORRERY_CONTROL_VELOCITY, flags);
  properties[PROP_REMAIN_AT_DESTINATION] =
      g_param_spec_boolean ("remain-at-destination", "RemainAtDestination",
                            "Whether it returns when pushed away", FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_destination_init (OrreryDestination *self)
{
  self->tolerance = 0.5;
  self->speed = 5;
}

ORRERY_PLUGIN ("Moves the robot straight to a point", "BSD-3-Clause",
               ORRERY_CLASS (Destination, OrreryDestination, orrery_destination))
