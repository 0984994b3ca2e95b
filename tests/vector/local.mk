# SPDX-License-Identifier: BSD-3-Clause
vector_tests = %D%/test-vector

check_PROGRAMS += $(vector_tests)
TESTS += $(vector_tests)
%C%_test_vector_SOURCES = %D%/test-vector.c $(stage_sources)
