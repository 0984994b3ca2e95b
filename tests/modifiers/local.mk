# SPDX-License-Identifier: BSD-3-Clause
modifiers_tests =
modifiers_tests += %D%/test-coordinates
modifiers_tests += %D%/test-geographic
modifiers_tests += %D%/test-imu-noise
modifiers_tests += %D%/test-odometry-noise
modifiers_tests += %D%/test-pose-noise
modifiers_tests += %D%/test-robot-clock

check_PROGRAMS += $(modifiers_tests)
TESTS += $(modifiers_tests)

modifiers_fixture = %D%/plugins/trial/turned.so
$(modifiers_fixture): %D%/turned.c lib/liborrery-1.so
	$(build_module)
check_DATA += $(modifiers_fixture)
EXTRA_DIST += %D%/turned.c
CLEANFILES += $(modifiers_fixture) $(modifiers_fixture:.so=.d)
