# SPDX-License-Identifier: BSD-3-Clause
roles_tests =
roles_tests += %D%/test-properties

check_PROGRAMS += $(roles_tests)
TESTS += $(roles_tests)

TESTS += %D%/test_member_types.py
EXTRA_DIST += %D%/test_member_types.py
