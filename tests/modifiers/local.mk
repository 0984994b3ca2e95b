# SPDX-License-Identifier: BSD-3-Clause
modifiers_tests =
modifiers_tests += %D%/test-coordinates
modifiers_tests += %D%/test-former-methods
modifiers_tests += %D%/test-geographic
modifiers_tests += %D%/test-imu-noise
modifiers_tests += %D%/test-noise-follows
modifiers_tests += %D%/test-noise-messages
modifiers_tests += %D%/test-noise-pictures
modifiers_tests += %D%/test-noise-streams
modifiers_tests += %D%/test-noise-values
modifiers_tests += %D%/test-odometry-noise
modifiers_tests += %D%/test-pose-noise
modifiers_tests += %D%/test-robot-clock

EXTRA_DIST += %D%/noise-trial.h

check_PROGRAMS += $(modifiers_tests)
TESTS += $(modifiers_tests)

modifiers_fixture = %D%/plugins/trial/mixed.so %D%/plugins/trial/seen.so %D%/plugins/trial/turned.so
$(modifiers_fixture): %D%/plugins/trial/%.so: %D%/%.module.o | lib/liborrery-1.so
	$(link_module)
check_DATA += $(modifiers_fixture)
EXTRA_DIST += %D%/mixed.c %D%/seen.c %D%/turned.c
CLEANFILES += $(modifiers_fixture)
