# SPDX-License-Identifier: BSD-3-Clause
actuators_tests =
actuators_tests += %D%/test-armature
actuators_tests += %D%/test-armature-state
actuators_tests += %D%/test-bullet
actuators_tests += %D%/test-forces
actuators_tests += %D%/test-manipulation
actuators_tests += %D%/test-motion
actuators_tests += %D%/test-orientation
actuators_tests += %D%/test-robots
actuators_tests += %D%/test-rotorcraft
actuators_tests += %D%/test-teleport
actuators_tests += %D%/test-waypoint
actuators_tests += %D%/test-wheels

check_PROGRAMS += $(actuators_tests)
TESTS += $(actuators_tests)
EXTRA_DIST += %D%/name-engine.h
