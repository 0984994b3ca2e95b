/* SPDX-License-Identifier: BSD-3-Clause */
#include "rotorcraft.h"

#include <math.h>

#define N_ENGINES 4

typedef struct {
  OrreryArray engines;
} QuadrotorDynamicControlData;

static const OrreryField fields[] = {
  ORRERY_FIELD (QuadrotorDynamicControlData, engines, "rad/s", "Rates of the four engines"),
};

typedef enum { CONFIGURATION_PLUS, CONFIGURATION_CROSS } QuadrotorConfiguration;

static GType
quadrotor_configuration_get_type (void)
{
  static const GEnumValue values[] = {
    { CONFIGURATION_PLUS, "QUADROTOR_CONFIGURATION_PLUS", "+" },
    { CONFIGURATION_CROSS, "QUADROTOR_CONFIGURATION_CROSS", "x" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("OrreryQuadrotorConfiguration", values));
  return type;
}

enum {
  PROP_THRUST_FACTOR = 1,
  PROP_DRAG_FACTOR,
  PROP_LEVER,
  N_NUMBERS,
  PROP_CONFIGURATION = N_NUMBERS
};

static const RotorcraftNumber numbers[N_NUMBERS] = {
  [PROP_THRUST_FACTOR] = { "thrust-factor", "ThrustFactor", "Thrust of an engine, N s2/rad2", 0,
                           1e6, 9.169e-06 },
  [PROP_DRAG_FACTOR] = { "drag-factor", "DragFactor", "Torque of an engine, N m s2/rad2", 0, 1e6,
                         2.4e-7 },
  [PROP_LEVER] = { "lever", "Lever", "From the centre to an engine, m", 0, 1e3, 0.18 },
};

/*
 * The four engines of a quadrotor: each gives thrust and a torque about z with the square of its
 * rate, engines 1 and 3 against 2 and 4. Counted from the front ("+") or the front left ("x"),
 * clockwise from above. Source of the mixing: catalogue of MORSE, 2.17.
 */
G_DECLARE_FINAL_TYPE (OrreryQuadrotorDynamicControl, orrery_quadrotor_dynamic_control, ORRERY,
                      QUADROTOR_DYNAMIC_CONTROL, OrreryActuator)
struct _OrreryQuadrotorDynamicControl {
  OrreryActuator parent_instance;
  Rotorcraft craft;
  double numbers[N_NUMBERS];
  QuadrotorConfiguration configuration;
};
G_DEFINE_FINAL_TYPE (OrreryQuadrotorDynamicControl, orrery_quadrotor_dynamic_control,
                     ORRERY_TYPE_ACTUATOR)

static void
orrery_quadrotor_dynamic_control_set_property (GObject *object, guint id, const GValue *value,
                                               GParamSpec *pspec)
{
  OrreryQuadrotorDynamicControl *self = ORRERY_QUADROTOR_DYNAMIC_CONTROL (object);

  if (id == PROP_CONFIGURATION)
    self->configuration = g_value_get_enum (value);
  else if (id > 0 && id < N_NUMBERS)
    self->numbers[id] = g_value_get_double (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_quadrotor_dynamic_control_get_property (GObject *object, guint id, GValue *value,
                                               GParamSpec *pspec)
{
  OrreryQuadrotorDynamicControl *self = ORRERY_QUADROTOR_DYNAMIC_CONTROL (object);

  if (id == PROP_CONFIGURATION)
    g_value_set_enum (value, self->configuration);
  else if (id > 0 && id < N_NUMBERS)
    g_value_set_double (value, self->numbers[id]);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_quadrotor_dynamic_control_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const double at_rest[N_ENGINES] = { 0 };
  QuadrotorDynamicControlData *data = orrery_record_data (orrery_setup_get_record (setup));

  orrery_array_set (&data->engines, at_rest, N_ENGINES);
  rotorcraft_setup (&ORRERY_QUADROTOR_DYNAMIC_CONTROL (part)->craft, setup, error);
}

static void
orrery_quadrotor_dynamic_control_act (OrreryActuator *actuator, OrreryTick *tick,
                                      OrreryRecord *record, GError **error)
{
  OrreryQuadrotorDynamicControl *self = ORRERY_QUADROTOR_DYNAMIC_CONTROL (actuator);
  const QuadrotorDynamicControlData *in = orrery_record_data (record);
  double b = self->numbers[PROP_THRUST_FACTOR];
  double d = self->numbers[PROP_DRAG_FACTOR];
  double l = self->numbers[PROP_LEVER];
  double u[N_ENGINES];
  OrreryVec3 torque;
  gsize n;
  const double *rates = orrery_array_get (&in->engines, &n);

  if (n != N_ENGINES) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
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
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_quadrotor_dynamic_control_set_property;
  object_class->get_property = orrery_quadrotor_dynamic_control_get_property;
  ORRERY_PART_CLASS (klass)->setup = orrery_quadrotor_dynamic_control_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_quadrotor_dynamic_control_act;
  ORRERY_CLASS_SET_DATA (klass, QuadrotorDynamicControlData, fields);

  rotorcraft_install_numbers (object_class, numbers, N_NUMBERS);
  g_object_class_install_property (object_class, PROP_CONFIGURATION,
                                   g_param_spec_enum ("configuration", "Configuration",
                                                      "How the arms lie to the x axis",
                                                      quadrotor_configuration_get_type (),
                                                      CONFIGURATION_PLUS,
                                                      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
orrery_quadrotor_dynamic_control_init (OrreryQuadrotorDynamicControl *self)
{
  rotorcraft_take_defaults (self->numbers, numbers, N_NUMBERS);
}

ORRERY_PLUGIN ("Rates of a quadrotor's engines", "BSD-3-Clause",
               ORRERY_CLASS (QuadrotorDynamicControl, OrreryQuadrotorDynamicControl,
                             orrery_quadrotor_dynamic_control))
