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
middleware_tests += %D%/test-remote
%C%_test_remote_SOURCES = %D%/test-remote.c middleware/message/remote.c middleware/message/variant.c
%C%_test_remote_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++

ros_ldadd = middleware/libros.a middleware/libline.a $(GLIB_LIBS)
middleware_tests += %D%/test-xmlrpc
%C%_test_xmlrpc_LDADD = $(ros_ldadd)
middleware_tests += %D%/test-tcpros
%C%_test_tcpros_LDADD = $(ros_ldadd)

middleware_tests += %D%/test-mavlink
%C%_test_mavlink_LDADD = middleware/libmavlink.a $(GLIB_LIBS) -lm
middleware_tests += %D%/test-mavlink-port
%C%_test_mavlink_port_LDADD = middleware/libmavlink.a middleware/libline.a $(GLIB_LIBS) -lm
middleware_tests += %D%/test-sitl-state
%C%_test_sitl_state_SOURCES = %D%/test-sitl-state.c middleware/sitl/sitl-state.c

# What the viewer writes.
middleware_tests += %D%/test-viewer
%C%_test_viewer_SOURCES = %D%/test-viewer.c middleware/viewer/view-data.c middleware/viewer/view-gltf.c \
  middleware/viewer/view-png.c
%C%_test_viewer_LDADD = $(test_ldadd) -lm

check_PROGRAMS += $(middleware_tests)
TESTS += $(middleware_tests)

# The node that the programs of ROS talk to.
check_PROGRAMS += %D%/ros-trial
%C%_ros_trial_LDADD = $(ros_ldadd)

# A node of roscpp.
if HAVE_ROSCPP_PEER
check_PROGRAMS += %D%/roscpp-peer
%C%_roscpp_peer_SOURCES = %D%/roscpp-peer.cpp
%C%_roscpp_peer_CPPFLAGS = $(ROSCPP_PEER_CFLAGS)
%C%_roscpp_peer_LDADD = $(ROSCPP_PEER_LIBS)
else
EXTRA_DIST += %D%/roscpp-peer.cpp
endif

# Nodes of ROS 2, and what imitates the two libraries that ROS 2 uses.
if HAVE_FASTDDS
check_PROGRAMS += %D%/dds-trial %D%/dds-peer
%C%_dds_trial_LDADD = middleware/libdds.a $(test_ldadd) $(FASTDDS_LIBS) -lstdc++
%C%_dds_peer_SOURCES = %D%/dds-peer.cpp
%C%_dds_peer_LDADD = $(FASTDDS_LIBS)
if HAVE_CYCLONE
check_PROGRAMS += %D%/cyclone-peer
%C%_cyclone_peer_SOURCES = %D%/cyclone-peer.c
nodist_%C%_cyclone_peer_SOURCES = %D%/cyclone-types.c
%C%_cyclone_peer_CPPFLAGS = -I%D% $(CYCLONE_CFLAGS)
%C%_cyclone_peer_LDADD = $(CYCLONE_LIBS)
%D%/cyclone-types.c: %D%/cyclone-types.idl
	$(AM_V_GEN)$(MKDIR_P) %D% && $(IDLC) -l c -x final -o %D% $<
%D%/cyclone-types.h: %D%/cyclone-types.c
%D%/cyclone_peer-cyclone-peer.$(OBJEXT): %D%/cyclone-types.h
CLEANFILES += %D%/cyclone-types.c %D%/cyclone-types.h
endif
endif
EXTRA_DIST += %D%/cyclone-types.idl
if HAVE_SOUP
# The server that clients of pages and WebSockets talk to.
check_PROGRAMS += %D%/web-trial
%C%_web_trial_LDADD = middleware/libweb.a middleware/libline.a $(SOUP_LIBS) $(GLIB_LIBS)
TESTS += %D%/test_rosbridge.py %D%/test_viewer.py %D%/test_viewer_commands.py %D%/test_viewer_graph.py %D%/test_viewer_page.py \
  %D%/test_viewer_beside.py %D%/test_viewer_cameras.py %D%/test_viewer_drive.py %D%/test_viewer_file.py %D%/test_viewer_log.py \
  %D%/test_viewer_many.py %D%/test_viewer_open.py %D%/test_viewer_playback.py %D%/test_web_server.py
else
EXTRA_DIST += %D%/web-trial.c
endif
EXTRA_DIST += %D%/test_rosbridge.py %D%/test_web_server.py %D%/websocket_client.py %D%/rosbridge_peer.js \
  %D%/mavlink_peer.js
EXTRA_DIST += %D%/browser.py %D%/test_viewer.py %D%/test_viewer_commands.py %D%/test_viewer_drive.py \
  %D%/test_viewer_beside.py %D%/test_viewer_cameras.py %D%/test_viewer_file.py %D%/test_viewer_log.py \
  %D%/test_viewer_many.py %D%/test_viewer_open.py %D%/test_viewer_page.py %D%/test_viewer_playback.py \
  %D%/test_viewer_graph.py %D%/viewer_commands_peer.js %D%/viewer_graph_peer.js %D%/viewer_peer.js

# What the clients of these talk to has numbers that are easy to follow.
# %D%/fixtures/NAME.c becomes trial.NAME.
middleware_fixtures = $(middleware_fixture_names:%=%D%/plugins/trial/%.so)
middleware_fixture_names = arithmetic astray failing gate latched lost
$(middleware_fixtures): %D%/plugins/trial/%.so: %D%/fixtures/%.module.o | lib/liborrery-1.so
	$(link_module)
middleware_counter = %D%/plugins/count-allocations.so
$(middleware_counter): %D%/fixtures/count-allocations.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -shared -o $@ $< $(LDFLAGS)
check_DATA += $(middleware_fixtures) $(middleware_counter)
CLEANFILES += $(middleware_fixtures) $(middleware_counter)
EXTRA_DIST += $(middleware_fixture_names:%=%D%/fixtures/%.c) %D%/fixtures/count-allocations.c

middleware_clients =
middleware_clients += %D%/test_access.py
middleware_clients += %D%/test_ardupilot.py
middleware_clients += %D%/test_backends.py
middleware_clients += %D%/test_clients.py
middleware_clients += %D%/test_dds_node.py
middleware_clients += %D%/test_mappings.py
middleware_clients += %D%/test_mavlink.py
middleware_clients += %D%/test_middleware_pages.py
middleware_clients += %D%/test_mqtt.py
middleware_clients += %D%/test_not_finite.py
middleware_clients += %D%/test_order.py
middleware_clients += %D%/test_stream_options.py
middleware_clients += %D%/test_px4.py
middleware_clients += %D%/test_pymorse.py
middleware_clients += %D%/test_pymorse_cameras.py
middleware_clients += %D%/test_ros2_calls.py
middleware_clients += %D%/test_ros2_navigation.py
middleware_clients += %D%/test_ros2_services.py
middleware_clients += %D%/test_ros2_simulation.py
middleware_clients += %D%/test_ros2_streams.py
middleware_clients += %D%/test_ros_calls.py
middleware_clients += %D%/test_ros_classes.py
middleware_clients += %D%/test_ros_node.py
middleware_clients += %D%/test_ros_python.py
middleware_clients += %D%/test_ros_scripts.py
middleware_clients += %D%/test_ros_services.py
middleware_clients += %D%/test_ros_streams.py
middleware_clients += %D%/test_held.py
middleware_clients += %D%/test_stalled.py
middleware_clients += %D%/test_several.py
middleware_clients += %D%/test_steady.py
middleware_clients += %D%/test_steady_classes.py
middleware_clients += %D%/test_wrong_values.py
TESTS += $(middleware_clients)
EXTRA_DIST += $(middleware_clients) %D%/autopilots.py %D%/broker.py %D%/cdr.py %D%/clients.py %D%/doors.py %D%/held.py %D%/ros2_command.py
EXTRA_DIST += %D%/ros_master.py %D%/ros1_peer.js %D%/ros2_peer.js
EXTRA_DIST += %D%/line-client.h %D%/line-fixture.h %D%/log-catcher.h
