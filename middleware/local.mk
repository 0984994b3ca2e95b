# SPDX-License-Identifier: BSD-3-Clause
# The server for lines over TCP that both socket plugins are built with; it is no plugin itself.
noinst_LIBRARIES += %D%/libline.a
%C%_libline_a_SOURCES = \
  %D%/line-access.c %D%/line-access.h \
  %D%/line-block.c %D%/line-block.h \
  %D%/line-input.c %D%/line-io.c %D%/line-output.c %D%/line-peer.c \
  %D%/line-server.c %D%/line-server.h %D%/line-server-private.h \
  %D%/line-thread.c

# A node of ROS 1, without a library of ROS; who links it links libline.a too, which knows who may
# connect.
noinst_LIBRARIES += %D%/libros.a
%C%_libros_a_SOURCES = \
  %D%/message/backlog.c %D%/message/backlog.h \
  %D%/ros/ros-link.c %D%/ros/ros-link.h \
  %D%/ros/ros-loop.c %D%/ros/ros-loop.h \
  %D%/ros/ros-master.c \
  %D%/ros/ros-name.c %D%/ros/ros-name.h \
  %D%/ros/ros-node.c %D%/ros/ros-node.h %D%/ros/ros-node-private.h \
  %D%/ros/ros-share.c %D%/ros/ros-share.h \
  %D%/ros/ros-slave.c \
  %D%/ros/tcpros-header.c %D%/ros/tcpros-header.h \
  %D%/ros/tcpros-publisher.c %D%/ros/tcpros-server.c %D%/ros/tcpros-service.c \
  %D%/ros/tcpros-subscriber.c \
  %D%/ros/xmlrpc-client.c \
  %D%/ros/xmlrpc-http.c %D%/ros/xmlrpc-http.h \
  %D%/ros/xmlrpc-value.c %D%/ros/xmlrpc-value.h

# Nodes of ROS 2 over Fast DDS; only the shim is C++.
if HAVE_FASTDDS
noinst_LIBRARIES += %D%/libdds.a
%C%_libdds_a_SOURCES = \
  %D%/message/backlog.c %D%/message/backlog.h \
  %D%/dds/dds-action.c %D%/dds/dds-action.h \
  %D%/dds/dds-client.c \
  %D%/dds/dds-context.c \
  %D%/dds/dds-environment.c \
  %D%/dds/dds-graph.c \
  %D%/dds/dds-name.c %D%/dds/dds-name.h \
  %D%/dds/dds-node.h %D%/dds/dds-node-private.h \
  %D%/dds/dds-sample.c \
  %D%/dds/dds-service.c \
  %D%/dds/dds-share.c %D%/dds/dds-share.h \
  %D%/dds/dds-shim.cpp %D%/dds/dds-shim.h \
  %D%/dds/dds-topic.c \
  %D%/dds/dds-transforms.c %D%/dds/dds-transforms.h \
  %D%/dds/description.c %D%/dds/description.h %D%/dds/fast-dds.h %D%/dds/mesh-file.c %D%/dds/mesh-file.h
dds_users = $(PLUGINTREE)/orrery/middleware/ros2_datastream.so
dds_users += $(PLUGINTREE)/orrery/middleware/ros2_request_manager.so
dds_users += $(PLUGINTREE)/orrery/middleware/ros2_simulation.so
MODULES += $(dds_users)
$(dds_users): $(PLUGINTREE)/orrery/middleware/%.so: %D%/%.module.o %D%/libdds.a
	$(AM_V_CXXLD)$(MKDIR_P) $(@D) && $(CXX) $(AM_CXXFLAGS) $(CXXFLAGS) -o $@ $(filter %.o,$^) \
	  $(filter %.a,$^) -Wl,--as-needed \
	  $(FASTDDS_LIBS) $(MODULE_LINK)
endif
EXTRA_DIST += %D%/ros2_datastream.c %D%/ros2_request_manager.c

# Messages and frames of MAVLink.
noinst_LIBRARIES += %D%/libmavlink.a
%C%_libmavlink_a_SOURCES = \
  %D%/mavlink/mavlink-frame.c %D%/mavlink/mavlink-frame.h \
  %D%/mavlink/mavlink-message.c %D%/mavlink/mavlink-message.h \
  %D%/mavlink/mavlink-port.c %D%/mavlink/mavlink-port.h \
  %D%/mavlink/mavlink-watch.c %D%/mavlink/mavlink-watch.h

MODULES += $(PLUGINTREE)/orrery/middleware/message.so
MODULES += $(PLUGINTREE)/orrery/middleware/ros_datastream.so
# A connection to a broker of MQTT, for both plugins of MQTT.
mqtt_sources = %D%/mqtt/mqtt-deliver.c %D%/mqtt/mqtt-link.c %D%/mqtt/mqtt-request.c \
  %D%/mqtt/mqtt-settings.c %D%/mqtt/mqtt-thread.c %D%/message/backlog.c
if HAVE_MOSQUITTO
mqtt_modules = $(PLUGINTREE)/orrery/middleware/mqtt_datastream.so \
  $(PLUGINTREE)/orrery/middleware/mqtt_request_manager.so
MODULES += $(mqtt_modules)
$(mqtt_modules): $(mqtt_sources:.c=.module.o)
$(mqtt_modules): MODULE_LIBS = $(MOSQUITTO_LIBS)
endif
EXTRA_DIST += %D%/mqtt_datastream.c %D%/mqtt_request_manager.c $(mqtt_sources)
noinst_HEADERS += %D%/mqtt/mqtt-link.h %D%/mqtt/mqtt-link-private.h %D%/mqtt/mqtt-request.h \
  %D%/mqtt/mqtt-settings.h

MODULES += $(PLUGINTREE)/orrery/middleware/ros_request_manager.so
MODULES += $(PLUGINTREE)/orrery/middleware/ros/overlays/armatures.so
MODULES += $(PLUGINTREE)/orrery/middleware/ros/overlays/waypoints.so
MODULES += $(PLUGINTREE)/orrery/middleware/socket_datastream.so
MODULES += $(PLUGINTREE)/orrery/middleware/socket_request_manager.so
MODULES += $(PLUGINTREE)/orrery/middleware/text_datastream.so

# Streams over MAVLink: MORSE's codecs, and their manager.
MODULES += $(PLUGINTREE)/orrery/middleware/mavlink.so $(PLUGINTREE)/orrery/middleware/mavlink_datastream.so
mavlink_users = $(PLUGINTREE)/orrery/middleware/mavlink.so $(PLUGINTREE)/orrery/middleware/mavlink_datastream.so
$(mavlink_users): %D%/libmavlink.a %D%/libline.a
$(mavlink_users): MODULE_LIBS = %D%/libmavlink.a %D%/libline.a -lm
EXTRA_DIST += %D%/mavlink.c %D%/mavlink_datastream.c

# Autopilots: one module, one source for each class.
MODULES += $(PLUGINTREE)/orrery/middleware/sitl.so
sitl_sources = %D%/sitl/sitl-ardupilot.c %D%/sitl/sitl-codec.c %D%/sitl/sitl-manager.c \
  %D%/sitl/sitl-px4.c %D%/sitl/sitl-state.c
sitl_objects = $(sitl_sources:.c=.module.o)
$(PLUGINTREE)/orrery/middleware/sitl.so: $(sitl_objects) %D%/libmavlink.a %D%/libline.a
$(PLUGINTREE)/orrery/middleware/sitl.so: MODULE_LIBS = %D%/libmavlink.a %D%/libline.a -lm
$(sitl_objects): $(top_srcdir)/host/orrery.h
EXTRA_DIST += %D%/sitl.c $(sitl_sources) %D%/sitl/sitl.h %D%/sitl/sitl-state.h

line_users = $(PLUGINTREE)/orrery/middleware/socket_datastream.so \
  $(PLUGINTREE)/orrery/middleware/socket_request_manager.so
$(line_users): %D%/libline.a
$(line_users): MODULE_LIBS = %D%/libline.a
ros_users = $(PLUGINTREE)/orrery/middleware/ros_datastream.so \
  $(PLUGINTREE)/orrery/middleware/ros_request_manager.so
$(ros_users): %D%/libros.a %D%/libline.a
$(ros_users): MODULE_LIBS = %D%/libros.a %D%/libline.a
$(PLUGINTREE)/orrery/middleware/text_datastream.so: %D%/text-value.module.o
message_parts = assign expression function incoming lisp python source
$(PLUGINTREE)/orrery/middleware/message.so: $(message_parts:%=%D%/message/%.module.o)
# Services as typed messages, for request managers.
remote_parts = %D%/message/remote.module.o
call_parts = %D%/message/call.module.o %D%/message/variant.module.o
ros_parts = %D%/ros/action.module.o %D%/ros/ros-remote.module.o
$(PLUGINTREE)/orrery/middleware/ros_request_manager.so: $(call_parts) $(remote_parts) $(ros_parts)
ros2_parts = %D%/dds/dds-remote.module.o %D%/dds/goals.module.o %D%/dds/parameter-events.module.o \
  %D%/dds/parameters.module.o
$(PLUGINTREE)/orrery/middleware/ros2_request_manager.so: $(call_parts) $(remote_parts) \
  $(ros2_parts)
EXTRA_DIST += $(remote_parts:%.module.o=%.c) $(ros2_parts:%.module.o=%.c)
noinst_HEADERS += %D%/message/remote.h %D%/dds/dds-remote.h
noinst_HEADERS += %D%/dds/goals.h %D%/dds/parameter-events.h %D%/dds/parameters.h
# simulation_interfaces, apart from their transport.
sim_parts = answer entities filter run spawn
$(PLUGINTREE)/orrery/middleware/ros2_simulation.so: $(sim_parts:%=%D%/simulation/sim-%.module.o)
$(PLUGINTREE)/orrery/middleware/ros2_simulation.so: %D%/message/variant.module.o
$(PLUGINTREE)/orrery/middleware/ros2_datastream.so: %D%/dds/rosout.module.o %D%/message/variant.module.o
EXTRA_DIST += %D%/dds/rosout.c
noinst_HEADERS += %D%/dds/rosout.h
EXTRA_DIST += $(sim_parts:%=%D%/simulation/sim-%.c) %D%/ros2_simulation.c
noinst_HEADERS += $(sim_parts:%=%D%/simulation/sim-%.h)
$(PLUGINTREE)/orrery/middleware/ros/overlays/armatures.so: %D%/message/variant.module.o
EXTRA_DIST += %D%/ros/overlays/armatures.c %D%/ros/overlays/waypoints.c
EXTRA_DIST += $(call_parts:%.module.o=%.c) $(ros_parts:%.module.o=%.c) %D%/ros_request_manager.c
noinst_HEADERS += %D%/message/call.h %D%/message/variant.h %D%/ros/action.h %D%/ros/ros-remote.h
EXTRA_DIST += $(message_parts:%=%D%/message/%.c) %D%/message.c
noinst_HEADERS += %D%/message/assign.h %D%/message/expression.h %D%/message/incoming.h
EXTRA_DIST += %D%/ros_datastream.c %D%/socket_datastream.c %D%/socket_request_manager.c %D%/text_datastream.c
EXTRA_DIST += %D%/text-value.c %D%/text-value.h

# Codecs of their own for sockets: middleware/sockets/NAME.c builds orrery/middleware/sockets/NAME.so.
socket_codecs =
socket_codecs += depth_camera
socket_codecs += jointstate
socket_codecs += video_camera
MODULES += $(socket_codecs:%=$(PLUGINTREE)/orrery/middleware/sockets/%.so)
$(socket_codecs:%=$(PLUGINTREE)/orrery/middleware/sockets/%.so): %D%/sockets/picture.module.o
EXTRA_DIST += $(socket_codecs:%=%D%/sockets/%.c) %D%/sockets/picture.c
noinst_HEADERS += %D%/sockets/picture.h

# A server of pages and WebSockets; who links it links libline.a too.
web_sources = \
  %D%/web/web-access.c %D%/web/web-client.c %D%/web/web-door.c \
  %D%/web/web-frame.c %D%/web/web-frame.h %D%/web/web-mail.c \
  %D%/web/web-server.c %D%/web/web-server.h %D%/web/web-server-private.h
if HAVE_SOUP
noinst_LIBRARIES += %D%/libweb.a
%C%_libweb_a_SOURCES = $(web_sources)
%C%_libweb_a_CPPFLAGS = $(AM_CPPFLAGS) $(SOUP_CFLAGS)
endif
EXTRA_DIST += $(web_sources)

# Both plugins of rosbridge have this inside, and share what it makes.
rosbridge_sources = \
  %D%/rosbridge/bridge.c %D%/rosbridge/bridge.h %D%/rosbridge/bridge-private.h \
  %D%/rosbridge/cbor.c %D%/rosbridge/fragment.c %D%/rosbridge/request.c %D%/rosbridge/rosapi.c \
  %D%/rosbridge/session.c %D%/rosbridge/subscription.c
rosbridge_plugins = $(PLUGINTREE)/orrery/middleware/rosbridge_datastream.so \
  $(PLUGINTREE)/orrery/middleware/rosbridge_request_manager.so
if HAVE_SOUP
noinst_LIBRARIES += %D%/librosbridge.a
%C%_librosbridge_a_SOURCES = $(rosbridge_sources) %D%/message/backlog.c
MODULES += $(rosbridge_plugins)
rosbridge_libraries = %D%/librosbridge.a %D%/libweb.a %D%/libline.a
$(rosbridge_plugins): $(rosbridge_libraries)
$(rosbridge_plugins): MODULE_LIBS = $(rosbridge_libraries) $(SOUP_LIBS)
endif
EXTRA_DIST += $(rosbridge_sources) %D%/rosbridge_datastream.c %D%/rosbridge_request_manager.c

# The server of the viewer.
viewer_sources = \
  %D%/viewer/commands.c %D%/viewer/control.c %D%/viewer/kept-run.c %D%/viewer/page.c %D%/viewer/parameter.c %D%/viewer/updates.c \
  %D%/viewer/hub.c %D%/viewer/hub-asset.c %D%/viewer/hub-command.c %D%/viewer/hub-graph.c %D%/viewer/hub-log.c \
  %D%/viewer/hub-playback.c %D%/viewer/hub-session.c %D%/viewer/view.c %D%/viewer/view-data.c \
  %D%/viewer/view-foxglove.c %D%/viewer/view-gltf.c %D%/viewer/view-looks.c %D%/viewer/view-png.c %D%/viewer/view-scene.c
viewer_plugin = $(PLUGINTREE)/orrery/middleware/viewer.so
if HAVE_SOUP
MODULES += $(viewer_plugin)
$(viewer_plugin): $(viewer_sources:.c=.module.o) %D%/libweb.a %D%/libline.a
$(viewer_plugin): MODULE_LIBS = %D%/libweb.a %D%/libline.a $(SOUP_LIBS) -lm
$(viewer_sources:.c=.module.o): $(top_srcdir)/host/orrery.h
endif
EXTRA_DIST += %D%/viewer.c $(viewer_sources)
noinst_HEADERS += %D%/viewer/commands.h %D%/viewer/control.h \
  %D%/viewer/hub.h %D%/viewer/hub-log.h %D%/viewer/hub-private.h %D%/viewer/kept-run.h %D%/viewer/page.h %D%/viewer/view.h %D%/viewer/view-gltf.h
