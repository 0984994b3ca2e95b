/* SPDX-License-Identifier: BSD-3-Clause */
/* The codecs of a vehicle's sensors and actuators for the manager that talks to its autopilot. */
#define G_LOG_DOMAIN "orrery.middleware.sitl"
#include "sitl.h"

#include <math.h>
#include <string.h>

/* --- sensors: fields of a record as a report --- */

#define MAX_NAMES 6

/* In this order the fields of a record are compared. */
static const struct {
  SitlRole role;
  const char *unit; /* of the first field */
  const char *names[MAX_NAMES + 1];
} roles[] = {
  { SITL_ROLE_IMU, "rad/s", { "angular_velocity", "linear_acceleration", "magnetic_field" } },
  { SITL_ROLE_VELOCITY, "m/s", { "world_linear_velocity" } },
  { SITL_ROLE_GPS, "deg", { "longitude", "latitude", "altitude", "velocity" } },
  { SITL_ROLE_POSE, "m", { "x", "y", "z", "yaw", "pitch", "roll" } },
  { SITL_ROLE_PRESSURE, "Pa", { "pressure" } },
  { SITL_ROLE_AIRSPEED, "Pa", { "diff_pressure" } },
  { SITL_ROLE_MAGNETOMETER, "nT", { "x", "y", "z" } },
  { SITL_ROLE_TEMPERATURE, "degC", { "temperature" } },
};

static GType orrery_sitl_role_get_type (void);
typedef SitlRole OrrerySitlRole;
G_DEFINE_ENUM_TYPE (OrrerySitlRole, orrery_sitl_role, G_DEFINE_ENUM_VALUE (SITL_ROLE_AUTO, "auto"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_IMU, "imu"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_VELOCITY, "velocity"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_GPS, "gps"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_POSE, "pose"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_PRESSURE, "pressure"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_AIRSPEED, "airspeed"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_MAGNETOMETER, "magnetometer"),
                    G_DEFINE_ENUM_VALUE (SITL_ROLE_TEMPERATURE, "temperature"))

ORRERY_DEFINE_TYPE (OrrerySitlSensor, orrery_sitl_sensor, ORRERY_TYPE_DATASTREAM)

static const OrreryProperty sensor_properties[] = {
  ORRERY_PROPERTY_ENUM (OrrerySitlSensor, asked, "role", orrery_sitl_role_get_type, SITL_ROLE_AUTO,
                        "What the record is to the autopilot; auto: as its fields say",
                        .flags = ORRERY_PROPERTY_AT_START),
};

/* FALSE: the record has no such field of numbers. */
static gboolean
add_field (OrrerySitlSensor *self, const OrreryField *field)
{
  guint n = 1;

  if (field != NULL && field->type == ORRERY_FIELD_VEC3)
    n = 3;
  else if (field == NULL || field->type != ORRERY_FIELD_DOUBLE)
    return FALSE;
  if (self->n_values + n > SITL_MAX_VALUES)
    return FALSE;
  for (guint i = 0; i < n; i++)
    self->offsets[self->n_values++] = field->offset + i * sizeof (double);
  return TRUE;
}

static gboolean
fits (OrrerySitlSensor *self, guint which, OrrerySchema *schema)
{
  const OrreryField *first = orrery_schema_find_field (schema, roles[which].names[0]);

  self->n_values = 0;
  if (first == NULL || g_strcmp0 (first->unit, roles[which].unit) != 0)
    return FALSE;
  for (guint i = 0; roles[which].names[i] != NULL; i++)
    if (!add_field (self, orrery_schema_find_field (schema, roles[which].names[i])))
      return FALSE;
  return TRUE;
}

/* MORSE's compass takes North for the world's x axis, down for z. */
static void
check_compass (OrrerySitlSensor *self, OrreryComponent *component)
{
  g_autoptr (GVariant) turned = orrery_part_get_option (ORRERY_PART (component), "WorldAxes");
  g_autoptr (GVariant) compass = orrery_part_get_option (ORRERY_PART (component), "Compass");

  if (turned == NULL || g_variant_get_boolean (turned) ||
      (compass != NULL && !g_variant_get_boolean (compass)))
    return;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "%s: its magnetic field is not in the world's axes: an autopilot needs "
                         "properties (WorldAxes=True)",
                         orrery_part_get_name (ORRERY_PART (component)));
}

static void
orrery_sitl_sensor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const OrreryTopic topic = { .name = SITL_TOPIC_REPORT };
  OrrerySitlSensor *self = (OrrerySitlSensor *) part;
  OrrerySchema *schema = orrery_record_get_schema (orrery_setup_get_record (setup));

  orrery_datastream_add_topic (ORRERY_DATASTREAM (part), &topic);
  check_compass (self, orrery_setup_get_component (setup));
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    if ((self->asked == SITL_ROLE_AUTO || self->asked == roles[i].role) && fits (self, i, schema)) {
      self->role = roles[i].role;
      return;
    }
  orrery_set_error (
      error, ORRERY_ERROR_CONFIG,
      "its record has no fields that an autopilot takes; those of IMU, Velocity, GPS "
      "(raw, extended), Pose, Barometer, Airspeed, Magnetometer and Thermometer have");
}

static void
orrery_sitl_sensor_encode (OrreryDatastream *codec, OrreryRecord *record, OrreryWriter *writer,
                           GError **error)
{
  OrrerySitlSensor *self = (OrrerySitlSensor *) codec;
  const char *data = orrery_record_data (record);
  SitlReport report = { .mark = SITL_REPORT_MARK, .role = self->role };

  for (guint i = 0; i < self->n_values; i++)
    memcpy (&report.values[i], data + self->offsets[i], sizeof (double));
  orrery_writer_append (writer, &report, sizeof report);
}

static void
orrery_sitl_sensor_class_init (OrrerySitlSensorClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_sitl_sensor_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_sitl_sensor_encode;
  ORRERY_CLASS_SET_PROPERTIES (klass, sensor_properties);
}

/* --- actuators: outputs of the autopilot as fields of a record --- */

static void
add_controls_topic (OrreryPart *part)
{
  static const OrreryTopic topic = { .name = SITL_TOPIC_CONTROLS };

  orrery_datastream_add_topic (ORRERY_DATASTREAM (part), &topic);
}

static gboolean
read_controls (OrreryReader *reader, SitlControls *controls, GError **error)
{
  gsize length;
  const char *data = orrery_reader_get_data (reader, &length);

  if (length == sizeof *controls)
    memcpy (controls, data, sizeof *controls);
  if (length == sizeof *controls && controls->mark == SITL_CONTROLS_MARK &&
      controls->n <= SITL_MAX_CONTROLS)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "these are no outputs of an autopilot");
}

/* Outputs are counted from 1, as autopilots do. One that it does not send is at rest. */
static gboolean
read_output (const SitlControls *controls, const double *values, gint64 output, double *value,
             GError **error)
{
  *value = output <= controls->n ? values[output - 1] : 0;
  if (isfinite (*value))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "output %" G_GINT64_FORMAT " of the autopilot is no finite number",
                           output);
}

ORRERY_DEFINE_TYPE (OrrerySitlMotors, orrery_sitl_motors, ORRERY_TYPE_DATASTREAM)

static const OrreryProperty motors_properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrrerySitlMotors, max_rate, "max_rate", 0, 1e6, 1100,
                          "Rate of an engine at full output, rad/s"),
  ORRERY_PROPERTY_VARIANT (OrrerySitlMotors, outputs, "outputs", "[<3>, <1>, <4>, <2>]",
                           "The output of the autopilot for each engine, counted from 1",
                           .flags = ORRERY_PROPERTY_AT_START),
};

static gboolean
read_outputs (OrrerySitlMotors *self, GError **error)
{
  GVariant *list = self->outputs;
  g_autofree char *shown = orrery_variant_print (list);

  for (gsize i = 0;
       g_variant_is_container (list) && g_variant_n_children (list) == self->n && i < self->n;
       i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);

    if (g_variant_is_of_type (item, G_VARIANT_TYPE_VARIANT)) {
      GVariant *inner = g_variant_get_variant (item);

      g_variant_unref (item);
      item = inner;
    }
    self->output_of[i] = 0;
    if (g_variant_is_of_type (item, G_VARIANT_TYPE_INT64))
      self->output_of[i] = g_variant_get_int64 (item);
    if (g_variant_is_of_type (item, G_VARIANT_TYPE_INT32))
      self->output_of[i] = g_variant_get_int32 (item);
    if (self->output_of[i] < 1 || self->output_of[i] > SITL_MAX_CONTROLS)
      break;
    if (i + 1 == self->n)
      return TRUE;
  }
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "outputs is a list of %" G_GSIZE_FORMAT
                           " integers from 1 to %d, not %.60s",
                           self->n, SITL_MAX_CONTROLS, shown);
}

static void
orrery_sitl_motors_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySitlMotors *self = (OrrerySitlMotors *) part;
  OrreryRecord *record = orrery_setup_get_record (setup);
  OrreryArray *engines = orrery_record_find (record, "engines", ORRERY_FIELD_ARRAY);

  add_controls_topic (part);
  self->n = 0;
  if (engines != NULL)
    orrery_array_get (engines, &self->n);
  self->engines = orrery_schema_get_offset (orrery_record_get_schema (record), "engines");
  if (self->n == 0 || self->n > SITL_MAX_CONTROLS)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "it has no engines; a QuadrotorDynamicControl has");
  else
    read_outputs (self, error);
}

static void
orrery_sitl_motors_decode (OrreryDatastream *codec, OrreryReader *reader, OrreryRecord *record,
                           GError **error)
{
  OrrerySitlMotors *self = (OrrerySitlMotors *) codec;
  char *data = orrery_record_data (record);
  double rates[SITL_MAX_CONTROLS];
  SitlControls controls;

  if (!read_controls (reader, &controls, error))
    return;
  for (gsize i = 0; i < self->n; i++) {
    if (!read_output (&controls, controls.engine, self->output_of[i], &rates[i], error))
      return;
    rates[i] *= self->max_rate;
  }
  orrery_array_set ((OrreryArray *) (gpointer) (data + self->engines), rates, self->n);
}

static void
orrery_sitl_motors_class_init (OrrerySitlMotorsClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_sitl_motors_setup;
  ORRERY_DATASTREAM_CLASS (klass)->decode = orrery_sitl_motors_decode;
  ORRERY_CLASS_SET_PROPERTIES (klass, motors_properties);
}

/* --- rovers --- */

ORRERY_DEFINE_TYPE (OrrerySitlDrive, orrery_sitl_drive, ORRERY_TYPE_DATASTREAM)

static const OrreryProperty drive_properties[] = {
  ORRERY_PROPERTY_INT (OrrerySitlDrive, throttle, "throttle", 1, SITL_MAX_CONTROLS, 3,
                       "Output of the autopilot for the throttle, counted from 1"),
  ORRERY_PROPERTY_INT (OrrerySitlDrive, steering, "steering", 1, SITL_MAX_CONTROLS, 1,
                       "Output for the steering; to the right is positive"),
  ORRERY_PROPERTY_DOUBLE (OrrerySitlDrive, max_speed, "max_speed", 0, 1e3, 2,
                          "Speed at full throttle, m/s"),
  ORRERY_PROPERTY_DOUBLE (OrrerySitlDrive, max_turn, "max_turn", 0, 1e3, 1,
                          "Turn rate at full steering, rad/s"),
  ORRERY_PROPERTY_DOUBLE (OrrerySitlDrive, max_force, "max_force", 0, 1e6, 100,
                          "Force of a car's engine at full throttle"),
  ORRERY_PROPERTY_DOUBLE (OrrerySitlDrive, max_steer, "max_steer", 0, 1.5, 0.5,
                          "Angle of a car's wheels at full steering, rad"),
};

/* FALSE: the record lacks one of these numbers. */
static gboolean
find_numbers (OrrerySitlDrive *self, OrreryRecord *record, const char *forwards, const char *aside)
{
  OrrerySchema *schema = orrery_record_get_schema (record);

  self->forwards = orrery_schema_get_offset (schema, forwards);
  self->aside = orrery_schema_get_offset (schema, aside);
  return orrery_record_find_double (record, forwards) != NULL &&
         orrery_record_find_double (record, aside) != NULL;
}

static void
orrery_sitl_drive_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySitlDrive *self = (OrrerySitlDrive *) part;
  OrreryRecord *record = orrery_setup_get_record (setup);

  add_controls_topic (part);
  self->is_car = !find_numbers (self, record, "v", "w");
  if (self->is_car && !find_numbers (self, record, "force", "steer"))
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "its record has no speed and no force; those of MotionVW, MotionVWDiff and "
                      "SteerForce have");
}

static void
orrery_sitl_drive_decode (OrreryDatastream *codec, OrreryReader *reader, OrreryRecord *record,
                          GError **error)
{
  OrrerySitlDrive *self = (OrrerySitlDrive *) codec;
  char *data = orrery_record_data (record);
  double *forwards = (double *) (gpointer) (data + self->forwards);
  double *aside = (double *) (gpointer) (data + self->aside);
  double throttle, steering;
  SitlControls controls;

  if (!read_controls (reader, &controls, error) ||
      !read_output (&controls, controls.servo, self->throttle, &throttle, error) ||
      !read_output (&controls, controls.servo, self->steering, &steering, error))
    return;
  /* Of SteerForce a force below 0 drives forwards. */
  *forwards = self->is_car ? -throttle * self->max_force : throttle * self->max_speed;
  *aside = -steering * (self->is_car ? self->max_steer : self->max_turn);
}

static void
orrery_sitl_drive_class_init (OrrerySitlDriveClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_sitl_drive_setup;
  ORRERY_DATASTREAM_CLASS (klass)->decode = orrery_sitl_drive_decode;
  ORRERY_CLASS_SET_PROPERTIES (klass, drive_properties);
}
