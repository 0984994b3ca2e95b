# SPDX-License-Identifier: BSD-3-Clause
raycasters_tests =
raycasters_tests += %D%/test-casters

check_PROGRAMS += $(raycasters_tests)
TESTS += $(raycasters_tests)
