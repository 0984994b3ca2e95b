/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives or flies a vehicle by ArduPilot SITL, over its JSON interface. */
#define G_LOG_DOMAIN "orrery.middleware.sitl"
#include "sitl.h"

#include <math.h>

/*
 * The simulator's side of ArduPilot's JSON interface. A datagram of it has a number and the widths
 * of pulses; the answer is a line of JSON with what the sensors of the tick report. Each new number
 * lets one tick begin. The same number again gets the same answer, without a tick.
 */

#define BASE_PORT 9002
/* From one instance to the next. */
#define STRIDE 10
#define MAGIC_16 18458
#define MAGIC_32 29569
#define HEAD 8
/* us: pulses of servos and of engines. */
#define PULSE_LOW 1000.0
#define PULSE_MIDDLE 1500.0
#define PULSE_HIGH 2000.0
#define READ_SIZE 512
#define MAX_READS 64

ORRERY_DEFINE_TYPE (OrrerySitlArduPilot, orrery_sitl_ardupilot, orrery_sitl_manager_get_type ())

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_INT (OrrerySitlArduPilot, parent_instance.port, "port", 0, 65535, BASE_PORT,
                       "Port of instance 0; 0: any", .flags = ORRERY_PROPERTY_AT_START),
};

/* --- out --- */

static void
append_values (GString *text, const char *key, const double *values, guint n)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "\"%s\":[", key);
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (text, ',');
    g_string_append (text,
                     g_ascii_dtostr (number, sizeof number, isfinite (values[i]) ? values[i] : 0));
  }
  g_string_append_c (text, ']');
}

static void
append_vec3 (GString *text, const char *key, const OrreryVec3 *v)
{
  append_values (text, key, (const double[]){ v->x, v->y, v->z }, 3);
}

/* JSON has no NaN: with one, the answer before is sent again; in the first answer it is 0. */
static gboolean
is_finite (const OrreryVec3 *v)
{
  return isfinite (v->x) && isfinite (v->y) && isfinite (v->z);
}

static gboolean
can_tell (const SitlState *state, const OrreryQuat *q)
{
  return is_finite (&state->rates) && is_finite (&state->force) && is_finite (&state->position) &&
         is_finite (&state->velocity) && is_finite (&state->gps_velocity) &&
         isfinite (q->w + q->x + q->y + q->z);
}

static void
write_answer (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  const SitlState *state = &vehicle->state;
  GString *text = vehicle->answer;
  OrreryVec3 rates = sitl_to_frd (&state->rates);
  OrreryVec3 force = sitl_to_frd (&state->force);
  OrreryVec3 position = sitl_to_ned (self->geodesy, &state->position);
  OrreryQuat q = sitl_rotation_to_ned (self->geodesy, &state->rotation);
  OrreryVec3 velocity = { 0 };
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!can_tell (state, &q) && text->len > 0)
    return;
  sitl_state_get_velocity (state, self->geodesy, &velocity);
  g_string_assign (text, "{\"timestamp\":");
  g_string_append (text,
                   g_ascii_dtostr (number, sizeof number, orrery_time_to_seconds (self->elapsed)));
  g_string_append (text, ",\"imu\":{");
  append_vec3 (text, "gyro", &rates);
  g_string_append_c (text, ',');
  append_vec3 (text, "accel_body", &force);
  g_string_append (text, "},");
  append_vec3 (text, "position", &position);
  g_string_append_c (text, ',');
  append_values (text, "quaternion", (const double[]){ q.w, q.x, q.y, q.z }, 4);
  g_string_append_c (text, ',');
  append_vec3 (text, "velocity", &velocity);
  g_string_append (text, "}\n");
}

static void
report (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  if (!vehicle->owed)
    return;
  vehicle->owed = FALSE;
  vehicle->state.fresh = 0;
  write_answer (self, vehicle);
  mav_port_write (vehicle->port, vehicle->answer->str, vehicle->answer->len);
}

/* --- in --- */

static guint
get_whole (const guint8 *at, guint size)
{
  guint value = 0;

  for (guint i = 0; i < size; i++)
    value |= (guint) at[i] << 8 * i;
  return value;
}

/* A width of 0 is no pulse. */
static void
take_pulses (SitlVehicle *vehicle, const guint8 *at, guint n)
{
  SitlControls controls = { .mark = SITL_CONTROLS_MARK, .n = n };

  for (guint i = 0; i < n; i++) {
    double pulse = get_whole (at + 2 * i, 2);
    double middle = PULSE_MIDDLE;

    if (pulse == 0)
      continue;
    controls.engine[i] = CLAMP ((pulse - PULSE_LOW) / (PULSE_HIGH - PULSE_LOW), 0, 1);
    controls.servo[i] = CLAMP ((pulse - middle) / (PULSE_HIGH - middle), -1, 1);
  }
  sitl_vehicle_put_controls (vehicle, &controls);
}

static void
take_frame (SitlVehicle *vehicle, const guint8 *bytes, gsize length)
{
  guint magic = length >= HEAD ? get_whole (bytes, 2) : 0;
  guint n = magic == MAGIC_32 ? 32 : 16;
  guint32 number;

  if ((magic != MAGIC_16 && magic != MAGIC_32) || length != HEAD + 2 * n) {
    vehicle->parser.counts[MAV_COUNT_GARBAGE] += length;
    return;
  }
  number = get_whole (bytes + 4, 4);
  if (vehicle->begun && number == vehicle->frame) {
    /* Its answer was lost, or has yet to be made. */
    if (!vehicle->ready && vehicle->answer->len > 0)
      mav_port_write (vehicle->port, vehicle->answer->str, vehicle->answer->len);
    return;
  }
  vehicle->begun = TRUE;
  vehicle->frame = number;
  vehicle->ready = TRUE;
  take_pulses (vehicle, bytes + HEAD, n);
}

static void
begin (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  vehicle->begun = vehicle->ready = vehicle->owed = FALSE;
}

/* No further than the next frame, whose tick comes first. */
static void
read_all (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  guint8 bytes[READ_SIZE];

  for (guint i = 0; i < MAX_READS && !vehicle->ready; i++) {
    gsize n = sitl_vehicle_read (self, vehicle, bytes, sizeof bytes);

    if (n == 0)
      return;
    take_frame (vehicle, bytes, n);
  }
}

static gboolean
may_pass (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  return vehicle->ready;
}

static void
pass (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  vehicle->owed = vehicle->ready;
  vehicle->ready = FALSE;
}

static const SitlProtocol protocol = {
  .name = "ArduPilot",
  .kind = MAV_PORT_UDP_IN,
  .stride = STRIDE,
  .begin = begin,
  .read = read_all,
  .may_pass = may_pass,
  .pass = pass,
  .report = report,
};

static void
orrery_sitl_ardupilot_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ((OrrerySitlManager *) part)->protocol = &protocol;
  ORRERY_PART_CLASS (orrery_sitl_ardupilot_parent_class)->setup (part, setup, error);
}

static void
orrery_sitl_ardupilot_class_init (OrrerySitlArduPilotClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_sitl_ardupilot_setup;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}
