/* SPDX-License-Identifier: BSD-3-Clause */
/* Flies a vehicle by PX4 SITL, over MAVLink. */
#define G_LOG_DOMAIN "orrery.middleware.sitl"
#include "sitl.h"

#include <math.h>

/*
 * The simulator's side of PX4's SITL interface. In each tick whose sensors have reported,
 * HIL_SENSOR goes out, and the next tick begins when HIL_ACTUATOR_CONTROLS has come in answer: the
 * time of PX4 is that of HIL_SENSOR. While PX4 starts, it needs sensors before it can answer;
 * `freewheel` lets ticks run until its first answer.
 */

#define BASE_PORT 4560
/* What this end is in MAVLink. */
#define SYSTEM 1
#define COMPONENT 200
/* Bytes that are read in one look. */
#define READ_SIZE 4096
#define MAX_READS 16
/* Pa, nT, degrees, m and so on in the units of the messages. */
#define HECTOPASCALS 0.01
#define GAUSS 1e-5
#define E7 1e7
#define CENTI 100.0
#define MILLI 1000.0
#define STANDARD_GRAVITY 9.80665
/* A GPS that is at its best. */
#define FIX_3D 3
#define SATELLITES 10
#define DILUTION 100
/* m/s: below that there is no course. */
#define SLOWEST 0.1
#define UNKNOWN_COURSE 65535
/* Of COMMAND_LONG and COMMAND_ACK. */
#define SET_MESSAGE_INTERVAL 511
#define RESULT_ACCEPTED 0
#define RESULT_UNSUPPORTED 3

ORRERY_DEFINE_TYPE (OrrerySitlPx4, orrery_sitl_px4, orrery_sitl_manager_get_type ())

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_INT (OrrerySitlPx4, parent_instance.port, "port", 0, 65535, BASE_PORT,
                       "Port of instance 0; 0: any", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrrerySitlPx4, parent_instance.freewheel, "freewheel", TRUE,
                           "Whether ticks run without answers until the first one has come",
                           .flags = ORRERY_PROPERTY_AT_START),
};

/* --- out --- */

static guint64
get_time_us (OrrerySitlManager *self)
{
  /* PX4 takes 0 for no time. */
  return (guint64) ((self->elapsed + self->next) / 1000);
}

static MavFrame
begin_message (OrrerySitlManager *self, const char *name)
{
  MavFrame frame = { .message = mav_message_find_by_name (name),
                     .version = 2,
                     .system = SYSTEM,
                     .component = COMPONENT };
  const MavField *time = mav_message_find_field (frame.message, "time_usec");

  if (time != NULL)
    mav_field_put_time (time, frame.payload, get_time_us (self));
  return frame;
}

static void
send_message (SitlVehicle *vehicle, MavFrame *frame)
{
  guint8 bytes[MAV_MAX_FRAME];

  frame->sequence = vehicle->sequence++;
  mav_port_write (vehicle->port, bytes, mav_frame_write (frame, bytes));
}

static void
put (MavFrame *frame, const char *name, double value)
{
  mav_message_put (frame->message, name, 0, frame->payload, value);
}

static void
put_vec3 (MavFrame *frame, const char *x, const char *y, const char *z, const OrreryVec3 *v,
          double scale)
{
  put (frame, x, v->x * scale);
  put (frame, y, v->y * scale);
  put (frame, z, v->z * scale);
}

/* The bits of fields_updated. */
#define UPDATED_ACCELEROMETER 0x007
#define UPDATED_GYROSCOPE 0x038
#define UPDATED_MAGNETOMETER 0x1c0
#define UPDATED_PRESSURE 0x1a00 /* with the altitude and the temperature */
#define UPDATED_AIRSPEED 0x400

static void
send_sensors (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  const SitlState *state = &vehicle->state;
  MavFrame frame = begin_message (self, "HIL_SENSOR");
  OrreryVec3 force = sitl_to_frd (&state->force);
  OrreryVec3 rates = sitl_to_frd (&state->rates);
  OrreryVec3 field = sitl_to_frd (&state->field);
  guint updated = 0;

  if (state->fresh & 1u << SITL_ROLE_IMU)
    updated |= UPDATED_ACCELEROMETER | UPDATED_GYROSCOPE;
  if (state->fresh & 1u << SITL_ROLE_MAGNETOMETER)
    updated |= UPDATED_MAGNETOMETER;
  if (state->fresh & 1u << SITL_ROLE_PRESSURE)
    updated |= UPDATED_PRESSURE;
  if (state->fresh & 1u << SITL_ROLE_AIRSPEED)
    updated |= UPDATED_AIRSPEED;
  if (updated == 0)
    return;
  put_vec3 (&frame, "xacc", "yacc", "zacc", &force, 1);
  put_vec3 (&frame, "xgyro", "ygyro", "zgyro", &rates, 1);
  put_vec3 (&frame, "xmag", "ymag", "zmag", &field, GAUSS);
  put (&frame, "abs_pressure", state->pressure * HECTOPASCALS);
  put (&frame, "diff_pressure", state->diff_pressure * HECTOPASCALS);
  put (&frame, "pressure_alt", sitl_pressure_to_altitude (state->pressure));
  put (&frame, "temperature", state->temperature);
  put (&frame, "fields_updated", updated);
  send_message (vehicle, &frame);
  vehicle->asked = mav_port_has_peer (vehicle->port);
}

static void
put_place (MavFrame *frame, const OrreryVec3 *geodetic)
{
  put (frame, "lat", geodetic->y * E7);
  put (frame, "lon", geodetic->x * E7);
  put (frame, "alt", geodetic->z * MILLI);
}

static void
send_gps (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  const SitlState *state = &vehicle->state;
  MavFrame frame = begin_message (self, "HIL_GPS");
  OrreryVec3 v = sitl_to_ned (NULL, &state->gps_velocity);
  double speed = hypot (v.x, v.y);
  double course = atan2 (v.y, v.x) * 180 / G_PI;

  if (!(state->fresh & 1u << SITL_ROLE_GPS))
    return;
  put_place (&frame, &state->geodetic);
  put_vec3 (&frame, "vn", "ve", "vd", &v, CENTI);
  put (&frame, "vel", speed * CENTI);
  put (&frame, "cog",
       speed < SLOWEST ? UNKNOWN_COURSE
                       : fmod (floor ((course < 0 ? course + 360 : course) * CENTI + 0.5), 36000));
  put (&frame, "fix_type", FIX_3D);
  put (&frame, "satellites_visible", SATELLITES);
  put (&frame, "eph", DILUTION);
  put (&frame, "epv", DILUTION);
  send_message (vehicle, &frame);
}

/* Where it really is, for whoever compares. */
static void
send_state (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  const SitlState *state = &vehicle->state;
  MavFrame frame = begin_message (self, "HIL_STATE_QUATERNION");
  OrreryQuat q = sitl_rotation_to_ned (self->geodesy, &state->rotation);
  const double elements[] = { q.w, q.x, q.y, q.z };
  OrreryVec3 rates = sitl_to_frd (&state->rates);
  OrreryVec3 force = sitl_to_frd (&state->force);
  OrreryVec3 geodetic, v;

  if (!(state->fresh & 1u << SITL_ROLE_POSE))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    mav_message_put (frame.message, "attitude_quaternion", i, frame.payload, elements[i]);
  put_vec3 (&frame, "rollspeed", "pitchspeed", "yawspeed", &rates, 1);
  if (self->geodesy != NULL) {
    orrery_geodesy_to_geodetic (self->geodesy, &state->position, &geodetic);
    put_place (&frame, &geodetic);
  }
  if (sitl_state_get_velocity (state, self->geodesy, &v))
    put_vec3 (&frame, "vx", "vy", "vz", &v, CENTI);
  put_vec3 (&frame, "xacc", "yacc", "zacc", &force, MILLI / STANDARD_GRAVITY);
  send_message (vehicle, &frame);
}

static void
report (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  if (vehicle->state.fresh == 0)
    return;
  send_gps (self, vehicle);
  send_state (self, vehicle);
  /* The last one: it is answered when all have come. */
  send_sensors (self, vehicle);
  vehicle->state.fresh = 0;
}

/* --- in --- */

static void
take_controls (SitlVehicle *vehicle, const MavFrame *frame)
{
  const MavField *field = mav_message_find_field (frame->message, "controls");
  SitlControls controls = { .mark = SITL_CONTROLS_MARK, .n = field->count };

  for (guint i = 0; i < field->count; i++) {
    double value = mav_field_get (field, i, frame->payload);

    controls.engine[i] = isnan (value) ? value : CLAMP (value, 0, 1);
    controls.servo[i] = isnan (value) ? value : CLAMP (value, -1, 1);
  }
  sitl_vehicle_put_controls (vehicle, &controls);
  vehicle->asked = FALSE;
  vehicle->answered = TRUE;
}

/* PX4 asks for the rate of HIL_STATE_QUATERNION; it is that of the sensors. */
static void
answer_command (OrrerySitlManager *self, SitlVehicle *vehicle, const MavFrame *frame)
{
  double command = mav_message_get (frame->message, "command", 0, frame->payload);
  double param1 = mav_message_get (frame->message, "param1", 0, frame->payload);
  gboolean known = command == SET_MESSAGE_INTERVAL &&
                   param1 == mav_message_find_by_name ("HIL_STATE_QUATERNION")->id;
  MavFrame ack = begin_message (self, "COMMAND_ACK");

  put (&ack, "command", command);
  put (&ack, "result", known ? RESULT_ACCEPTED : RESULT_UNSUPPORTED);
  put (&ack, "target_system", frame->system);
  put (&ack, "target_component", frame->component);
  send_message (vehicle, &ack);
}

static void
take_frame (OrrerySitlManager *self, SitlVehicle *vehicle, const MavFrame *frame)
{
  if (g_str_equal (frame->message->name, "HIL_ACTUATOR_CONTROLS"))
    take_controls (vehicle, frame);
  else if (g_str_equal (frame->message->name, "COMMAND_LONG"))
    answer_command (self, vehicle, frame);
}

static void
begin (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  mav_parser_begin (&vehicle->parser);
  vehicle->asked = FALSE;
  vehicle->answered = FALSE;
}

static void
read_all (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  guint8 bytes[READ_SIZE];
  MavFrame frame;
  gsize n;

  for (guint i = 0; i < MAX_READS; i++) {
    const guint8 *at = bytes;

    n = sitl_vehicle_read (self, vehicle, bytes, sizeof bytes);
    if (n == 0)
      return;
    while (mav_parser_next (&vehicle->parser, &at, &n, &frame))
      take_frame (self, vehicle, &frame);
  }
}

static gboolean
may_pass (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  if (self->freewheel && !vehicle->answered)
    return !mav_port_is_waiting (vehicle->port);
  return !vehicle->asked;
}

static void
pass (OrrerySitlManager *self, SitlVehicle *vehicle)
{
}

static const SitlProtocol protocol = {
  .name = "PX4",
  .kind = MAV_PORT_TCP_IN,
  .stride = 1,
  .begin = begin,
  .read = read_all,
  .may_pass = may_pass,
  .pass = pass,
  .report = report,
};

static void
orrery_sitl_px4_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ((OrrerySitlManager *) part)->protocol = &protocol;
  ORRERY_PART_CLASS (orrery_sitl_px4_parent_class)->setup (part, setup, error);
}

static void
orrery_sitl_px4_class_init (OrrerySitlPx4Class *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_sitl_px4_setup;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}
