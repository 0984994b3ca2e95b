/* SPDX-License-Identifier: BSD-3-Clause */
/* The speeds of the four engines of a quadrotor. */
#include "rotorcraft.h"

#define N_ENGINES 4

typedef struct {
  OrreryArray engines;
} QuadrotorDynamicControlData;

static const OrreryField fields[] = {
  ORRERY_FIELD (QuadrotorDynamicControlData, engines, "rad/s", "Rates of the four engines"),
};

typedef enum { CONFIGURATION_PLUS, CONFIGURATION_CROSS } OrreryQuadrotorConfiguration;
static GType quadrotor_configuration_get_type (void);
G_DEFINE_ENUM_TYPE (OrreryQuadrotorConfiguration, quadrotor_configuration,
                    G_DEFINE_ENUM_VALUE (CONFIGURATION_PLUS, "+"),
                    G_DEFINE_ENUM_VALUE (CONFIGURATION_CROSS, "x"))

/*
 * The four engines of a quadrotor: each gives thrust and a torque about z with the square of its
 * rate, engines 1 and 3 against 2 and 4. Counted from the front ("+") or the front left ("x"),
 * clockwise from above. The mixing is that of MORSE.
 */
typedef struct {
  OrreryActuator parent_instance;
  Rotorcraft craft;
  double thrust_factor;
  double drag_factor;
  double lever;
  OrreryQuadrotorConfiguration configuration;
} OrreryQuadrotorDynamicControl;
ORRERY_DEFINE_CLASS (OrreryQuadrotorDynamicControl, orrery_quadrotor_dynamic_control,
                     OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryQuadrotorDynamicControl, thrust_factor, "ThrustFactor", 0, 1e6,
                          9.169e-06, "Thrust of an engine, N s2/rad2"),
  ORRERY_PROPERTY_DOUBLE (OrreryQuadrotorDynamicControl, drag_factor, "DragFactor", 0, 1e6, 2.4e-7,
                          "Torque of an engine, N m s2/rad2"),
  ORRERY_PROPERTY_DOUBLE (OrreryQuadrotorDynamicControl, lever, "Lever", 0, 1e3, 0.18,
                          "From the centre to an engine, m"),
  ORRERY_PROPERTY_ENUM (OrreryQuadrotorDynamicControl, configuration, "Configuration",
                        quadrotor_configuration_get_type, CONFIGURATION_PLUS,
                        "How the arms lie to the x axis"),
};

static void
orrery_quadrotor_dynamic_control_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const double at_rest[N_ENGINES] = { 0 };
  QuadrotorDynamicControlData *data = orrery_record_data (orrery_setup_get_record (setup));

  orrery_array_set (&data->engines, at_rest, N_ENGINES);
  rotorcraft_setup (&((OrreryQuadrotorDynamicControl *) part)->craft, setup, error);
}

static void
orrery_quadrotor_dynamic_control_act (OrreryActuator *actuator, OrreryTick *tick,
                                      OrreryRecord *record, GError **error)
{
  OrreryQuadrotorDynamicControl *self = (OrreryQuadrotorDynamicControl *) actuator;
  const QuadrotorDynamicControlData *in = orrery_record_data (record);
  double b = self->thrust_factor;
  double d = self->drag_factor;
  double l = self->lever;
  double u[N_ENGINES];
  OrreryVec3 torque;
  gsize n;
  const double *rates = orrery_array_get (&in->engines, &n);

  if (n != N_ENGINES) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "engines has %" G_GSIZE_FORMAT " values; a quadrotor has %d engines", n,
                      N_ENGINES);
    return;
  }
  for (guint i = 0; i < N_ENGINES; i++)
    u[i] = rates[i] * rates[i];

  if (self->configuration == CONFIGURATION_PLUS) {
    torque.x = b * l * (u[3] - u[1]);
    torque.y = b * l * (u[0] - u[2]);
  } else {
    torque.x = b * l * G_SQRT2 / 2 * (u[0] - u[1] - u[2] + u[3]);
    torque.y = b * l * G_SQRT2 / 2 * (-u[0] - u[1] + u[2] + u[3]);
  }
  torque.z = d * (-u[0] + u[1] - u[2] + u[3]);
  rotorcraft_push (&self->craft, tick, b * (u[0] + u[1] + u[2] + u[3]), &torque);
}

static void
orrery_quadrotor_dynamic_control_class_init (OrreryQuadrotorDynamicControlClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_quadrotor_dynamic_control_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_quadrotor_dynamic_control_act;
  ORRERY_CLASS_SET_DATA (klass, QuadrotorDynamicControlData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Rates of a quadrotor's engines", "BSD-3-Clause",
               ORRERY_CLASS (QuadrotorDynamicControl, OrreryQuadrotorDynamicControl,
                             orrery_quadrotor_dynamic_control))
