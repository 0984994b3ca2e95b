# SPDX-License-Identifier: BSD-3-Clause
# The source of %D%/test-x is %D%/test-x.c, linked with LDADD of tests/local.mk.
base_tests =
base_tests += %D%/test-error
base_tests += %D%/test-escape
%C%_test_escape_LDADD = $(inside_ldadd)
base_tests += %D%/test-message
base_tests += %D%/test-random
base_tests += %D%/test-transform
base_tests += %D%/test-twist
base_tests += %D%/test-types
base_tests += %D%/test-vec3

check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)
