# SPDX-License-Identifier: BSD-3-Clause
text_tests =
text_tests += %D%/test-literal
text_tests += %D%/test-node-json

%C%_test_node_json_LDADD = $(inside_ldadd)

check_PROGRAMS += $(text_tests)
TESTS += $(text_tests)

# What test_text_peers.py asks.
check_PROGRAMS += %D%/text-helper
TESTS += %D%/test_text_peers.py
EXTRA_DIST += %D%/test_text_peers.py
