# SPDX-License-Identifier: BSD-3-Clause
# Channels, with real processes at their other ends: the tests run themselves again.
channel_sources = %D%/channel-trial.c %D%/channel-trial.h
channel_tests =
channel_tests += %D%/test-channel
channel_tests += %D%/test-channel-process
channel_tests += %D%/test-channel-rubbish
channel_tests += %D%/test-channel-values

check_PROGRAMS += $(channel_tests)
TESTS += $(channel_tests)
%C%_test_channel_SOURCES = %D%/test-channel.c $(channel_sources)
%C%_test_channel_process_SOURCES = %D%/test-channel-process.c $(channel_sources)
%C%_test_channel_process_LDADD = $(inside_ldadd)
%C%_test_channel_rubbish_SOURCES = %D%/test-channel-rubbish.c $(channel_sources)
%C%_test_channel_rubbish_LDADD = $(inside_ldadd)
%C%_test_channel_values_SOURCES = %D%/test-channel-values.c $(channel_sources)
LONG_TESTS += %D%/channel-kills.sh
EXTRA_DIST += %D%/channel-kills.sh
