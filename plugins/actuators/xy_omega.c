/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <math.h>

typedef struct {
  double x;
  double y;
  double w;
} MotionXYWData;

static const OrreryField fields[] = {
  ORRERY_FIELD (MotionXYWData, x, "m/s", "Speed forwards"),
  ORRERY_FIELD (MotionXYWData, y, "m/s", "Speed to the left"),
  ORRERY_FIELD (MotionXYWData, w, "rad/s", "Turn rate about the robot's z axis"),
};

/* Drives its robot forwards and sideways and turns it, every step, also without a message. */
G_DECLARE_FINAL_TYPE (OrreryMotionXYW, orrery_motion_xyw, ORRERY, MOTION_XYW, OrreryActuator)
struct _OrreryMotionXYW {
  OrreryActuator parent_instance;
  OrreryControl control;
};
G_DEFINE_FINAL_TYPE (OrreryMotionXYW, orrery_motion_xyw, ORRERY_TYPE_ACTUATOR)

enum { PROP_CONTROL_TYPE = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

static void
orrery_motion_xyw_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_CONTROL_TYPE)
    ORRERY_MOTION_XYW (object)->control = g_value_get_enum (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_motion_xyw_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_CONTROL_TYPE)
    g_value_set_enum (value, ORRERY_MOTION_XYW (object)->control);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_motion_xyw_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                       GError **error)
{
  OrreryMotionXYW *self = ORRERY_MOTION_XYW (actuator);
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  const MotionXYWData *in = orrery_record_data (record);
  OrreryVec3 linear = { in->x, in->y, 0 };
  OrreryVec3 angular = { 0, 0, in->w };
  /* A component faster than the simulation runs every tick. */
  double period = fmax (1 / orrery_component_get_frequency (component), orrery_tick_get_dt (tick));

  orrery_robot_apply_speed (ORRERY_ROBOT (orrery_component_get_robot (component)), tick,
                            self->control, &linear, &angular, period);
}

static void
orrery_motion_xyw_class_init (OrreryMotionXYWClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_motion_xyw_set_property;
  object_class->get_property = orrery_motion_xyw_get_property;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_motion_xyw_act;
  ORRERY_CLASS_SET_DATA (klass, MotionXYWData, fields);

  properties[PROP_CONTROL_TYPE] =
      g_param_spec_enum ("control-type", "ControlType", "How the robot is moved",
                         ORRERY_TYPE_CONTROL, ORRERY_CONTROL_VELOCITY,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_motion_xyw_init (OrreryMotionXYW *self)
{
}

ORRERY_PLUGIN ("Speed forwards, speed sideways and turn rate", "BSD-3-Clause",
               ORRERY_CLASS (MotionXYW, OrreryMotionXYW, orrery_motion_xyw))
