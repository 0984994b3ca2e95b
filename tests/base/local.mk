# SPDX-License-Identifier: BSD-3-Clause
base_tests = \
  %D%/test-error

%C%_test_error_SOURCES = %D%/test-error.c
%C%_test_error_LDADD = $(test_ldadd)

check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)
