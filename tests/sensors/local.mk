# SPDX-License-Identifier: BSD-3-Clause
sensors_tests =
sensors_tests += %D%/test-accelerometer
sensors_tests += %D%/test-added
sensors_tests += %D%/test-airspeed
sensors_tests += %D%/test-attitude
sensors_tests += %D%/test-barometer
sensors_tests += %D%/test-battery
sensors_tests += %D%/test-camera-groups
sensors_tests += %D%/test-cameras
sensors_tests += %D%/test-clock
sensors_tests += %D%/test-collision
sensors_tests += %D%/test-contact-force
sensors_tests += %D%/test-gps
sensors_tests += %D%/test-imu
sensors_tests += %D%/test-joint-wrench
sensors_tests += %D%/test-lamps
sensors_tests += %D%/test-laserscanner
sensors_tests += %D%/test-magnetic
sensors_tests += %D%/test-magnetometer
sensors_tests += %D%/test-normal-camera
sensors_tests += %D%/test-odometry
sensors_tests += %D%/test-pose
sensors_tests += %D%/test-posture
sensors_tests += %D%/test-search
sensors_tests += %D%/test-proximity
sensors_tests += %D%/test-segmentation-camera
sensors_tests += %D%/test-steep
sensors_tests += %D%/test-thermometer
sensors_tests += %D%/test-velocity

check_PROGRAMS += $(sensors_tests)
TESTS += $(sensors_tests)

# This one looks at what plugins share.
%C%_test_magnetic_SOURCES = %D%/test-magnetic.c plugins/sensors/magnetic.c plugins/sensors/magnetic-models.c
EXTRA_DIST += %D%/magnetic-values.csv

%C%_test_added_SOURCES = %D%/test-added.c $(stage_sources)
%C%_test_camera_groups_SOURCES = %D%/test-camera-groups.c $(stage_sources)
