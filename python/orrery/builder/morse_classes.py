# SPDX-License-Identifier: BSD-3-Clause
"""The names that MORSE's own scripts use, with their classpaths.

What has a plugin comes from the list of plugins, and that counts. This page is for the rest: such
a script is built all the same, and `orrery check` names the class that is not there.
"""

from __future__ import annotations

from typing import Dict, Tuple

SENSORS = """
accelerometer.Accelerometer airspeed.Airspeed armature_pose.ArmaturePose attitude.Attitude
barometer.Barometer battery.Battery clock.Clock collision.Collision compound.CompoundSensor
video_camera.VideoCamera depth_camera.DepthCamera depth_camera_aggregator.DepthCameraAggregator
semantic_camera.SemanticCamera gps.GPS gyroscope.Gyroscope imu.IMU magnetometer.Magnetometer
odometry.Odometry pose.Pose proximity.Proximity ptu_posture.PTUPosture
radar_altimeter.RadarAltimeter search_and_rescue.SearchAndRescue stereo_unit.StereoUnit
thermometer.Thermometer velocity.Velocity
depth_camera.DepthCameraRotationZ depth_camera.DepthVideoCamera laserscanner.LaserScanner
laserscanner.LaserScannerRotationZ
"""
ACTUATORS = """
armature.Armature human.HumanSkeleton arucomarker.Arucomarker destination.Destination drag.Drag
external_force.ExternalForce force_torque.ForceTorque gripper.Gripper joystick.Joystick
keyboard.Keyboard light.Light mocap_control.MocapControl v_omega.MotionVW
v_omega_diff_drive.MotionVWDiff xy_omega.MotionXYW orientation.Orientation pa_10.PA10 ptu.PTU
quadrotor_dynamic_control.QuadrotorDynamicControl rotorcraft_attitude.RotorcraftAttitude
rotorcraft_velocity.RotorcraftVelocity rotorcraft_waypoint.RotorcraftWaypoint sound.Sound
stabilized_quadrotor.StabilizedQuadrotor steer_force.SteerForce teleport.Teleport
waypoint.Waypoint
"""
ROBOTS = """
atrv.ATRV morsy.Morsy b21.B21 jido.Jido hummer.Hummer pioneer3dx.Pioneer3DX
patrolbot.PatrolBot segwayrmp400.SegwayRMP400 quadrotor_dynamic.Quadrotor rmax.RMax
submarine.Submarine victim.Victim human.Human fakerobot.FakeRobot
"""
#: Classes whose name in scripts is another than that of their classpath.
RENAMED = {
    "QUAD2012": "orrery.robots.quadrotor.Quadrotor",
    "BarePR2": "orrery.robots.pr2.PR2",
    "Velodyne": "orrery.sensors.depth_camera.DepthCameraRotationZ",
    "VelodyneZB": "orrery.sensors.depth_camera.DepthCameraRotationZ",
    "VelodyneRayCast": "orrery.sensors.laserscanner.LaserScannerRotationZ",
    "Sick": "orrery.sensors.laserscanner.LaserScanner",
    "Hokuyo": "orrery.sensors.laserscanner.LaserScanner",
    "SickLDMRS": "orrery.sensors.laserscanner.LaserScanner",
    "Infrared": "orrery.sensors.laserscanner.LaserScanner",
    "KukaLWR": "orrery.actuators.armature.Armature",
}


def _read() -> Tuple[Dict[str, str], Dict[str, str]]:
    """Classpaths by name, and roles by classpath."""
    names: Dict[str, str] = {}
    roles: Dict[str, str] = {}
    for role, text in (("sensor", SENSORS), ("actuator", ACTUATORS), ("robot", ROBOTS)):
        for path in text.split():
            classpath = "orrery.%ss.%s" % (role, path)
            names[path.rpartition(".")[2]] = classpath
            roles[classpath] = role
    for name, classpath in RENAMED.items():
        names[name] = classpath
        roles.setdefault(classpath, classpath.split(".")[1].rstrip("s"))
    return names, roles


NAMES, ROLES = _read()
