# SPDX-License-Identifier: BSD-3-Clause
# A harness is %D%/fuzz-NAME.c with its seeds in %D%/corpus/NAME; replay-NAME runs them, fuzz.sh
# goes on from there.
fuzz_replays =
fuzz_replays += %D%/replay-ardupilot
fuzz_replays += %D%/replay-blend
fuzz_replays += %D%/replay-definition
fuzz_replays += %D%/replay-descriptor
fuzz_replays += %D%/replay-expression
fuzz_replays += %D%/replay-literal
fuzz_replays += %D%/replay-mavlink
fuzz_replays += %D%/replay-message
fuzz_replays += %D%/replay-mqtt
if HAVE_MOSQUITTO
fuzz_replays += %D%/replay-mqttcall
else
EXTRA_DIST += %D%/fuzz-mqttcall.c
endif
fuzz_replays += %D%/replay-record
fuzz_replays += %D%/replay-recording
fuzz_replays += %D%/replay-ros2
fuzz_replays += %D%/replay-rosbridge
fuzz_replays += %D%/replay-scene
fuzz_replays += %D%/replay-request
fuzz_replays += %D%/replay-tcpros
fuzz_replays += %D%/replay-urdf
fuzz_replays += %D%/replay-websocket
fuzz_replays += %D%/replay-xmlrpc

# What it calls is not shown by the library; it has the file itself in it.
%C%_replay_ardupilot_SOURCES = %D%/replay.c %D%/fuzz-ardupilot.c middleware/sitl/sitl-state.c
%C%_replay_ardupilot_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++ -lm
%C%_replay_blend_SOURCES = %D%/replay.c %D%/fuzz-blend.c \
  plugins/importers/blend/blend-armature.c \
  plugins/importers/blend/blend-dna.c \
  plugins/importers/blend/blend-file.c \
  plugins/importers/blend/blend-image.c \
  plugins/importers/blend/blend-logic.c \
  plugins/importers/blend/blend-look.c \
  plugins/importers/blend/blend-mesh.c \
  plugins/importers/blend/blend-object.c \
  plugins/importers/picture/picture.c
%C%_replay_blend_LDADD = host/libhost.a $(GLIB_LIBS) $(PIXBUF_LIBS) -lstdc++
%C%_replay_definition_SOURCES = %D%/replay.c %D%/fuzz-definition.c
# What it calls is not shown by the library.
%C%_replay_definition_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_replay_descriptor_SOURCES = %D%/replay.c %D%/fuzz-descriptor.c
# What it looks at is not shown by the library.
%C%_replay_descriptor_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_replay_expression_SOURCES = %D%/replay.c %D%/fuzz-expression.c
%C%_replay_literal_SOURCES = %D%/replay.c %D%/fuzz-literal.c
%C%_replay_mavlink_SOURCES = %D%/replay.c %D%/fuzz-mavlink.c
%C%_replay_mavlink_LDADD = middleware/libmavlink.a $(GLIB_LIBS) -lm
%C%_replay_message_SOURCES = %D%/replay.c %D%/fuzz-message.c
%C%_replay_message_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_replay_mqtt_SOURCES = %D%/replay.c %D%/fuzz-mqtt.c middleware/mqtt/mqtt-request.c
%C%_replay_mqtt_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_replay_mqttcall_SOURCES = %D%/replay.c %D%/fuzz-mqttcall.c middleware/mqtt/mqtt-link.c \
  middleware/mqtt/mqtt-request.c middleware/mqtt/mqtt-settings.c middleware/message/backlog.c
%C%_replay_mqttcall_LDADD = host/libhost.a $(MOSQUITTO_LIBS) $(GLIB_LIBS) -lstdc++
%C%_replay_ros2_SOURCES = %D%/replay.c %D%/fuzz-ros2.c middleware/dds/dds-action.c \
  middleware/dds/goals.c middleware/dds/parameter-events.c middleware/dds/parameters.c \
  middleware/message/backlog.c middleware/message/call.c middleware/message/remote.c \
  middleware/message/variant.c
%C%_replay_ros2_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_replay_rosbridge_SOURCES = %D%/replay.c %D%/fuzz-rosbridge.c middleware/rosbridge/bridge.c \
  middleware/rosbridge/cbor.c middleware/rosbridge/fragment.c middleware/rosbridge/request.c \
  middleware/rosbridge/rosapi.c middleware/rosbridge/session.c middleware/rosbridge/subscription.c \
  middleware/message/backlog.c
%C%_replay_rosbridge_LDADD = middleware/libline.a host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_replay_record_SOURCES = %D%/replay.c %D%/fuzz-record.c
%C%_replay_recording_SOURCES = %D%/replay.c %D%/fuzz-recording.c
%C%_replay_scene_SOURCES = %D%/replay.c %D%/fuzz-scene.c
%C%_replay_urdf_SOURCES = %D%/replay.c %D%/fuzz-urdf.c \
  plugins/importers/mesh/mesh-store.c \
  plugins/importers/robot/file-reader.c \
  plugins/importers/robot/inertia.c \
  plugins/importers/robot/unread.c \
  plugins/importers/robot/urdf-files.c \
  plugins/importers/robot/urdf-gazebo.c \
  plugins/importers/robot/urdf-lump.c \
  plugins/importers/robot/urdf-tree.c \
  plugins/importers/robot/urdf.c
%C%_replay_urdf_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_replay_request_SOURCES = %D%/replay.c %D%/fuzz-request.c
%C%_replay_request_LDADD = host/libhost.a middleware/libline.a $(GLIB_LIBS) -lstdc++

%C%_replay_tcpros_SOURCES = %D%/replay.c %D%/fuzz-tcpros.c
%C%_replay_tcpros_LDADD = middleware/libros.a $(GLIB_LIBS)
%C%_replay_websocket_SOURCES = %D%/replay.c %D%/fuzz-websocket.c middleware/web/web-frame.c
%C%_replay_websocket_LDADD = $(GLIB_LIBS)
%C%_replay_xmlrpc_SOURCES = %D%/replay.c %D%/fuzz-xmlrpc.c
%C%_replay_xmlrpc_LDADD = middleware/libros.a $(GLIB_LIBS)

check_PROGRAMS += $(fuzz_replays)
TESTS += $(fuzz_replays)
LONG_TESTS += %D%/fuzz.sh
noinst_HEADERS += %D%/fuzz.h %D%/fuzz-node.h
EXTRA_DIST += %D%/corpus
