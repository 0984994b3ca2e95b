# SPDX-License-Identifier: BSD-3-Clause
# The source of %D%/test-x is %D%/test-x.c, linked with LDADD of tests/local.mk.
base_tests = \
  %D%/test-error \
  %D%/test-types \
  %D%/test-transform

check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)
