# SPDX-License-Identifier: BSD-3-Clause
middleware_tests =
middleware_tests += %D%/test-line-input
%C%_test_line_input_LDADD = middleware/libline.a $(GLIB_LIBS)
middleware_tests += %D%/test-line-server
%C%_test_line_server_LDADD = middleware/libline.a $(GLIB_LIBS)

# These have a plugin's source inside, and the private side of the host.
middleware_tests += %D%/test-socket-requests
%C%_test_socket_requests_LDADD = host/libhost.a middleware/libline.a $(GLIB_LIBS) -lstdc++
middleware_tests += %D%/test-socket-streams
%C%_test_socket_streams_LDADD = host/libhost.a middleware/libline.a $(GLIB_LIBS) -lstdc++
middleware_tests += %D%/test-text-streams
%C%_test_text_streams_SOURCES = %D%/test-text-streams.c middleware/text-value.c
%C%_test_text_streams_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++

check_PROGRAMS += $(middleware_tests)
TESTS += $(middleware_tests)

# What the clients of these talk to has numbers that are easy to follow.
middleware_fixture = %D%/plugins/trial/arithmetic.so
$(middleware_fixture): %D%/fixtures/arithmetic.c lib/liborrery-1.so
	$(build_module)
middleware_astray = %D%/plugins/trial/astray.so
$(middleware_astray): %D%/fixtures/astray.c lib/liborrery-1.so
	$(build_module)
middleware_counter = %D%/plugins/count-allocations.so
$(middleware_counter): %D%/fixtures/count-allocations.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -shared -o $@ $< $(LDFLAGS)
middleware_failing = %D%/plugins/trial/failing.so
$(middleware_failing): %D%/fixtures/failing.c lib/liborrery-1.so
	$(build_module)
check_DATA += $(middleware_fixture) $(middleware_counter) $(middleware_astray) $(middleware_failing)
CLEANFILES += $(middleware_failing) $(middleware_failing:.so=.d)
CLEANFILES += $(middleware_astray) $(middleware_astray:.so=.d)
CLEANFILES += $(middleware_counter) $(middleware_fixture) $(middleware_fixture:.so=.d)

middleware_clients = %D%/test_clients.py %D%/test_pymorse.py %D%/test_pymorse_cameras.py %D%/test_steady.py %D%/test_steady_classes.py
middleware_clients += %D%/test_backends.py %D%/test_wrong_values.py
TESTS += $(middleware_clients)
EXTRA_DIST += %D%/fixtures/astray.c %D%/fixtures/failing.c
EXTRA_DIST += $(middleware_clients) %D%/clients.py %D%/fixtures/arithmetic.c %D%/fixtures/count-allocations.c
EXTRA_DIST += %D%/line-client.h %D%/line-fixture.h %D%/log-catcher.h
