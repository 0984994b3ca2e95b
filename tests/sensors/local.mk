# SPDX-License-Identifier: BSD-3-Clause
sensors_tests =
sensors_tests += %D%/test-clock
sensors_tests += %D%/test-odometry
sensors_tests += %D%/test-pose
sensors_tests += %D%/test-velocity

check_PROGRAMS += $(sensors_tests)
TESTS += $(sensors_tests)
