# SPDX-License-Identifier: BSD-3-Clause
message_tests =
message_tests += %D%/test-message-cbor
message_tests += %D%/test-message-definitions
message_tests += %D%/test-message-encoding
message_tests += %D%/test-message-json
message_tests += %D%/test-message-sums

check_PROGRAMS += $(message_tests)
TESTS += $(message_tests)
noinst_HEADERS += %D%/message-fixture.h
noinst_HEADERS += %D%/message-values.h
EXTRA_DIST += %D%/sums.txt

# What test_message_peers.py asks.
check_PROGRAMS += %D%/message-helper
TESTS += %D%/test_message_peers.py
EXTRA_DIST += %D%/test_message_peers.py

# What test_peers.py asks; `./bootstrap check` puts the modules into tests/peers of the build tree.
TESTS += %D%/test_peers.py
EXTRA_DIST += %D%/test_peers.py
EXTRA_DIST += tests/peers/messages.js
EXTRA_DIST += tests/peers/package-lock.json
EXTRA_DIST += tests/peers/package.json

# rosidl is a parser of these definitions, too.
TESTS += %D%/test_rosidl.py
EXTRA_DIST += %D%/test_rosidl.py
