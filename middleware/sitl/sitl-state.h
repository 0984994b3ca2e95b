/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* What passes between the codecs of a vehicle's components and the manager that talks to its
 * autopilot, and the axes of both sides: here x forward or East, y left or North, z up; there x
 * forward or North, y right or East, z down. */

typedef enum {
  SITL_ROLE_AUTO, /* as the fields of the record say */
  SITL_ROLE_IMU,
  SITL_ROLE_VELOCITY,
  SITL_ROLE_GPS,
  SITL_ROLE_POSE,
  SITL_ROLE_PRESSURE,
  SITL_ROLE_AIRSPEED,
  SITL_ROLE_MAGNETOMETER,
  SITL_ROLE_TEMPERATURE,
} SitlRole;

/* The numbers of a record, in the order of the fields of its role. */
#define SITL_MAX_VALUES 10
typedef struct {
  guint32 mark;
  guint32 role;
  double values[SITL_MAX_VALUES];
} SitlReport;
#define SITL_REPORT_MARK 0x53495431u

/* What an autopilot wants. The same output is read as that of an engine or as that of a servo. */
#define SITL_MAX_CONTROLS 32
typedef struct {
  guint32 mark;
  guint32 n;
  double engine[SITL_MAX_CONTROLS]; /* 0 to 1 */
  double servo[SITL_MAX_CONTROLS];  /* -1 to 1 */
} SitlControls;
#define SITL_CONTROLS_MARK 0x53495432u

/* The topics by which a manager knows its codecs. */
#define SITL_TOPIC_REPORT "/autopilot/report"
#define SITL_TOPIC_CONTROLS "/autopilot/controls"

/* What the sensors of a vehicle have reported last. */
typedef struct {
  guint known;             /* bits 1 << SitlRole: reported at all */
  guint fresh;             /* since it was last cleared */
  OrreryVec3 rates;        /* rad/s, the body's axes */
  OrreryVec3 force;        /* m/s2, the body's axes, up at rest */
  OrreryVec3 field;        /* nT, the body's axes */
  OrreryVec3 velocity;     /* m/s, the world's axes */
  OrreryVec3 geodetic;     /* longitude and latitude in deg, m */
  OrreryVec3 gps_velocity; /* m/s, East, North, up */
  OrreryVec3 position;     /* m, world */
  OrreryQuat rotation;     /* world */
  double pressure;         /* Pa */
  double diff_pressure;    /* Pa */
  double temperature;      /* degrees Celsius */
} SitlState;

void sitl_state_init (SitlState *state);
/* FALSE: those bytes are no report. */
gboolean sitl_state_take (SitlState *state, gconstpointer data, gsize length);
static inline gboolean
sitl_state_knows (const SitlState *state, SitlRole role)
{
  return (state->known & 1u << role) != 0;
}

OrreryVec3 sitl_to_frd (const OrreryVec3 *flu);
/* @geodesy: NULL: the world's x points East */
OrreryVec3 sitl_to_ned (const OrreryGeodesy *geodesy, const OrreryVec3 *world);
/* How a body lies: from its axes, forward, right, down, to North, East, down; w is not below 0. */
OrreryQuat sitl_rotation_to_ned (const OrreryGeodesy *geodesy, const OrreryQuat *world);
/* The velocity over ground, North, East, down, from whichever sensor knows it. FALSE: none does */
gboolean sitl_state_get_velocity (const SitlState *state, const OrreryGeodesy *geodesy,
                                  OrreryVec3 *ned);
/* m, of the standard atmosphere at that pressure */
double sitl_pressure_to_altitude (double pressure);
