# SPDX-License-Identifier: BSD-3-Clause
message_tests = %D%/test-message-definitions %D%/test-message-sums

check_PROGRAMS += $(message_tests)
TESTS += $(message_tests)
noinst_HEADERS += %D%/message-fixture.h
EXTRA_DIST += %D%/sums.txt
