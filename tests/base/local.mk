# SPDX-License-Identifier: BSD-3-Clause
# The source of %D%/test-x is %D%/test-x.c, linked with LDADD of tests/local.mk.
base_tests =
base_tests += %D%/test-buffer
base_tests += %D%/test-error
base_tests += %D%/test-message
base_tests += %D%/test-node-json
base_tests += %D%/test-literal
base_tests += %D%/test-record-json
base_tests += %D%/test-record-steady
base_tests += %D%/test-random
base_tests += %D%/test-record
base_tests += %D%/test-record-hash
base_tests += %D%/test-schema
base_tests += %D%/test-transform
base_tests += %D%/test-types

check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)

# What test_text_peers.py asks.
check_PROGRAMS += %D%/text-helper
TESTS += %D%/test_text_peers.py
EXTRA_DIST += %D%/record-fixture.h %D%/test_text_peers.py
