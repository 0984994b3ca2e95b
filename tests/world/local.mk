# SPDX-License-Identifier: BSD-3-Clause
world_tests =

# With what the library keeps to itself.
world_tests += %D%/test-commands
%C%_test_commands_LDADD = $(host_ldadd)

world_tests += %D%/test-cone
world_tests += %D%/test-geodesy
world_tests += %D%/test-look
world_tests += %D%/test-poses
world_tests += %D%/test-zone

# Against a geodesy that is not ours, where there is one.
if HAVE_GEOGRAPHICLIB
world_tests += %D%/test-geodesy-peer
%C%_test_geodesy_peer_SOURCES = %D%/test-geodesy-peer.cpp
%C%_test_geodesy_peer_CPPFLAGS = $(AM_CPPFLAGS) $(GEOGRAPHICLIB_CFLAGS:-I%=-isystem %)
%C%_test_geodesy_peer_LDADD = $(test_ldadd) $(GEOGRAPHICLIB_LIBS)
endif
EXTRA_DIST += %D%/test-geodesy-peer.cpp

check_PROGRAMS += $(world_tests)
TESTS += $(world_tests)
