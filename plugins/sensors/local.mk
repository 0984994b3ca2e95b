# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/sensors/NAME.c builds orrery/sensors/NAME.so.
sensor_plugins =
sensor_plugins += accelerometer
sensor_plugins += airspeed
sensor_plugins += armature_pose
sensor_plugins += attitude
sensor_plugins += barometer
sensor_plugins += battery
sensor_plugins += clock
sensor_plugins += compound
sensor_plugins += contact
sensor_plugins += contact_force
sensor_plugins += depth_camera
sensor_plugins += depth_camera_aggregator
sensor_plugins += gps
sensor_plugins += gyroscope
sensor_plugins += human_posture
sensor_plugins += imu
sensor_plugins += joint_state
sensor_plugins += joint_wrench
sensor_plugins += laserscanner
sensor_plugins += magnetometer
sensor_plugins += normal_camera
sensor_plugins += odometry
sensor_plugins += pose
sensor_plugins += ptu_posture
sensor_plugins += search_and_rescue
sensor_plugins += proximity
sensor_plugins += radar_altimeter
sensor_plugins += segmentation_camera
sensor_plugins += semantic_camera
sensor_plugins += stereo_unit
sensor_plugins += thermometer
sensor_plugins += velocity
sensor_plugins += video_camera

MODULES += $(sensor_plugins:%=$(PLUGINTREE)/orrery/sensors/%.so)
EXTRA_DIST += $(sensor_plugins:%=%D%/%.c)

# What several of them share is compiled into each: how a sensor moves, the field of the Earth.
with_motion =
with_motion += accelerometer
with_motion += airspeed
with_motion += attitude
with_motion += imu
with_motion += odometry
with_motion += velocity
with_magnetic =
with_magnetic += imu
with_magnetic += magnetometer

with_camera =
with_camera += depth_camera
with_camera += normal_camera
with_camera += segmentation_camera
with_camera += semantic_camera
with_camera += video_camera
with_group =
with_group += depth_camera_aggregator
with_group += stereo_unit

$(with_camera:%=$(PLUGINTREE)/orrery/sensors/%.so): %D%/camera.module.o
$(with_group:%=$(PLUGINTREE)/orrery/sensors/%.so): %D%/group.module.o
$(with_motion:%=$(PLUGINTREE)/orrery/sensors/%.so): %D%/motion.module.o
$(with_magnetic:%=$(PLUGINTREE)/orrery/sensors/%.so): %D%/magnetic.module.o %D%/magnetic-models.module.o
EXTRA_DIST += %D%/camera.c %D%/group.c %D%/magnetic-models.c %D%/magnetic.c %D%/motion.c
noinst_HEADERS += %D%/camera.h %D%/group.h %D%/magnetic.h %D%/motion.h
