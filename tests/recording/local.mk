# SPDX-License-Identifier: BSD-3-Clause
recording_tests =
recording_tests += %D%/test-recording-file
recording_tests += %D%/test-recording-form

check_PROGRAMS += $(recording_tests)
TESTS += $(recording_tests)
