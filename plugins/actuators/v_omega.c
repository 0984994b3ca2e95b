/* SPDX-License-Identifier: BSD-3-Clause */
#include "speed.h"

#include <math.h>

/* Drives its robot forwards and turns it, every step, also without a message: at rest it holds. */
G_DECLARE_FINAL_TYPE (OrreryMotionVW, orrery_motion_vw, ORRERY, MOTION_VW, OrreryActuator)
struct _OrreryMotionVW {
  OrreryActuator parent_instance;
  OrreryControl control;
};
G_DEFINE_FINAL_TYPE (OrreryMotionVW, orrery_motion_vw, ORRERY_TYPE_ACTUATOR)

enum { PROP_CONTROL_TYPE = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

static void
orrery_motion_vw_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_CONTROL_TYPE)
    ORRERY_MOTION_VW (object)->control = g_value_get_enum (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_motion_vw_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_CONTROL_TYPE)
    g_value_set_enum (value, ORRERY_MOTION_VW (object)->control);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_motion_vw_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                      GError **error)
{
  OrreryMotionVW *self = ORRERY_MOTION_VW (actuator);
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  const SpeedData *in = orrery_record_data (record);
  OrreryVec3 linear = { in->v, 0, 0 };
  OrreryVec3 angular = { 0, 0, in->w };
  /* A component faster than the simulation runs every tick. */
  double period = fmax (1 / orrery_component_get_frequency (component), orrery_tick_get_dt (tick));

  orrery_robot_apply_speed (ORRERY_ROBOT (orrery_component_get_robot (component)), tick,
                            self->control, &linear, &angular, period);
}

static void
orrery_motion_vw_class_init (OrreryMotionVWClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_motion_vw_set_property;
  object_class->get_property = orrery_motion_vw_get_property;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_motion_vw_act;
  speed_class_init (ORRERY_ACTUATOR_CLASS (klass));

  properties[PROP_CONTROL_TYPE] =
      g_param_spec_enum ("control-type", "ControlType", "How the robot is moved",
                         ORRERY_TYPE_CONTROL, ORRERY_CONTROL_VELOCITY,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_motion_vw_init (OrreryMotionVW *self)
{
}

ORRERY_PLUGIN ("Speed forwards and turn rate", "BSD-3-Clause",
               ORRERY_CLASS (MotionVW, OrreryMotionVW, orrery_motion_vw))
