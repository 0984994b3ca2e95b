# SPDX-License-Identifier: BSD-3-Clause
record_tests =
record_tests += %D%/test-buffer
record_tests += %D%/test-expression
record_tests += %D%/test-record
record_tests += %D%/test-record-hash
record_tests += %D%/test-record-json
record_tests += %D%/test-record-steady
record_tests += %D%/test-schema

check_PROGRAMS += $(record_tests)
TESTS += $(record_tests)
noinst_HEADERS += %D%/record-fixture.h
