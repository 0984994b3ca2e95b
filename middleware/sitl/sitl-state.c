/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects what the sensors of a vehicle report, and turns it into the axes of an autopilot. */
#include "sitl-state.h"

#include <math.h>
#include <string.h>

/* ISO 2533:1975 */
#define SEA_LEVEL_PRESSURE 101325.0
#define SEA_LEVEL_TEMPERATURE 288.15
#define LAPSE 0.0065
#define EXPONENT 0.190263
#define USUAL_TEMPERATURE 15.0

void
sitl_state_init (SitlState *state)
{
  *state = (SitlState){ .rotation.w = 1,
                        .pressure = SEA_LEVEL_PRESSURE,
                        .temperature = USUAL_TEMPERATURE };
}

static OrreryVec3
get_vec3 (const double *values)
{
  return (OrreryVec3){ values[0], values[1], values[2] };
}

static void
take_imu (SitlState *state, const double *values)
{
  state->rates = get_vec3 (values);
  state->force = get_vec3 (values + 3);
  if (values[6] == 0 && values[7] == 0 && values[8] == 0)
    return;
  /* An IMU without a compass says 0. */
  state->field = get_vec3 (values + 6);
  state->known |= 1u << SITL_ROLE_MAGNETOMETER;
  state->fresh |= 1u << SITL_ROLE_MAGNETOMETER;
}

static void
take_values (SitlState *state, SitlRole role, const double *values)
{
  switch (role) {
  case SITL_ROLE_IMU:
    take_imu (state, values);
    break;
  case SITL_ROLE_VELOCITY:
    state->velocity = get_vec3 (values);
    break;
  case SITL_ROLE_GPS:
    state->geodetic = get_vec3 (values);
    state->gps_velocity = get_vec3 (values + 3);
    break;
  case SITL_ROLE_POSE:
    state->position = get_vec3 (values);
    orrery_quat_from_euler (values[5], values[4], values[3], &state->rotation);
    break;
  case SITL_ROLE_PRESSURE:
    state->pressure = values[0];
    break;
  case SITL_ROLE_AIRSPEED:
    state->diff_pressure = values[0];
    break;
  case SITL_ROLE_MAGNETOMETER:
    state->field = get_vec3 (values);
    break;
  default:
    state->temperature = values[0];
  }
}

gboolean
sitl_state_take (SitlState *state, gconstpointer data, gsize length)
{
  SitlReport report;

  if (length != sizeof report)
    return FALSE;
  memcpy (&report, data, sizeof report);
  if (report.mark != SITL_REPORT_MARK || report.role < SITL_ROLE_IMU ||
      report.role > SITL_ROLE_TEMPERATURE)
    return FALSE;
  take_values (state, (SitlRole) report.role, report.values);
  state->known |= 1u << report.role;
  state->fresh |= 1u << report.role;
  return TRUE;
}

OrreryVec3
sitl_to_frd (const OrreryVec3 *flu)
{
  return (OrreryVec3){ flu->x, -flu->y, -flu->z };
}

static OrreryVec3
to_enu (const OrreryGeodesy *geodesy, const OrreryVec3 *world)
{
  OrreryVec3 enu = *world;

  if (geodesy != NULL)
    orrery_geodesy_to_enu (geodesy, world, &enu);
  return enu;
}

OrreryVec3
sitl_to_ned (const OrreryGeodesy *geodesy, const OrreryVec3 *world)
{
  OrreryVec3 enu = to_enu (geodesy, world);

  return (OrreryVec3){ enu.y, enu.x, -enu.z };
}

OrreryQuat
sitl_rotation_to_ned (const OrreryGeodesy *geodesy, const OrreryQuat *world)
{
  /* East, North, up to North, East, down: half a turn about the line between North and East. */
  static const OrreryQuat to_ned = { 0, G_SQRT2 / 2, G_SQRT2 / 2, 0 };
  static const OrreryQuat from_frd = { 0, 1, 0, 0 };
  static const OrreryVec3 forward = { 1, 0, 0 };
  OrreryVec3 east = to_enu (geodesy, &forward);
  OrreryQuat q;

  orrery_quat_from_euler (0, 0, atan2 (east.y, east.x), &q);
  orrery_quat_multiply (&q, world, &q);
  orrery_quat_multiply (&to_ned, &q, &q);
  orrery_quat_multiply (&q, &from_frd, &q);
  if (q.w < 0)
    q = (OrreryQuat){ -q.w, -q.x, -q.y, -q.z };
  return q;
}

gboolean
sitl_state_get_velocity (const SitlState *state, const OrreryGeodesy *geodesy, OrreryVec3 *ned)
{
  if (sitl_state_knows (state, SITL_ROLE_VELOCITY))
    *ned = sitl_to_ned (geodesy, &state->velocity);
  else if (sitl_state_knows (state, SITL_ROLE_GPS))
    *ned = sitl_to_ned (NULL, &state->gps_velocity);
  else
    return FALSE;
  return TRUE;
}

double
sitl_pressure_to_altitude (double pressure)
{
  return SEA_LEVEL_TEMPERATURE / LAPSE *
         (1 - pow (MAX (pressure, 0) / SEA_LEVEL_PRESSURE, EXPONENT));
}
