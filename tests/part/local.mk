# SPDX-License-Identifier: BSD-3-Clause
part_tests =
part_tests += %D%/test-callee
%C%_test_callee_LDADD = $(inside_ldadd)
part_tests += %D%/test-properties
part_tests += %D%/test-states

check_PROGRAMS += $(part_tests)
TESTS += $(part_tests)

TESTS += %D%/test_member_types.py
EXTRA_DIST += %D%/test_member_types.py
