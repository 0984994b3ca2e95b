/* SPDX-License-Identifier: BSD-3-Clause */
/* Autopilots that fly or drive robots: PX4 and ArduPilot SITL. */
#include "sitl/sitl.h"

#define SENSORS(name)                                                                              \
  { name, "orrery.sensors.imu.IMU" }, { name, "orrery.sensors.velocity.Velocity" },                \
      { name, "orrery.sensors.gps.GPS", "raw" }, { name, "orrery.sensors.gps.GPS", "extended" },   \
      { name, "orrery.sensors.pose.Pose" }, { name, "orrery.sensors.barometer.Barometer" },        \
      { name, "orrery.sensors.airspeed.Airspeed" },                                                \
      { name, "orrery.sensors.magnetometer.Magnetometer" },                                        \
  {                                                                                                \
    name, "orrery.sensors.thermometer.Thermometer"                                                 \
  }
#define MOTORS(name)                                                                               \
  {                                                                                                \
    name, "orrery.actuators.quadrotor_dynamic_control.QuadrotorDynamicControl"                     \
  }
#define DRIVES(name)                                                                               \
  { name, "orrery.actuators.v_omega.MotionVW" },                                                   \
      { name, "orrery.actuators.v_omega_diff_drive.MotionVWDiff" },                                \
  {                                                                                                \
    name, "orrery.actuators.steer_force.SteerForce"                                                \
  }

ORRERY_PLUGIN ("Autopilots that fly or drive robots", "BSD-3-Clause",
               ORRERY_CLASS (Px4, OrrerySitlPx4, orrery_sitl_px4,
                             .role = ORRERY_ROLE_DATASTREAM_MANAGER, .stream = "px4"),
               ORRERY_CLASS (ArduPilot, OrrerySitlArduPilot, orrery_sitl_ardupilot,
                             .role = ORRERY_ROLE_DATASTREAM_MANAGER, .stream = "ardupilot"),
               ORRERY_CLASS (Sensor, OrrerySitlSensor, orrery_sitl_sensor,
                             .role = ORRERY_ROLE_DATASTREAM, .direction = "OUT",
                             .aliases = ORRERY_ALIASES (SENSORS ("px4"), SENSORS ("ardupilot"))),
               ORRERY_CLASS (Motors, OrrerySitlMotors, orrery_sitl_motors,
                             .role = ORRERY_ROLE_DATASTREAM, .direction = "IN",
                             .aliases = ORRERY_ALIASES (MOTORS ("px4"), MOTORS ("ardupilot"))),
               ORRERY_CLASS (Drive, OrrerySitlDrive, orrery_sitl_drive,
                             .role = ORRERY_ROLE_DATASTREAM, .direction = "IN",
                             .aliases = ORRERY_ALIASES (DRIVES ("px4"), DRIVES ("ardupilot"))))
