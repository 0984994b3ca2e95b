# SPDX-License-Identifier: BSD-3-Clause
# The source of %D%/bench-x is %D%/bench-x.c; each prints lines `name value unit`.
EXTRA_PROGRAMS += %D%/bench-socket
BENCHES += %D%/bench-socket
%C%_bench_socket_LDADD = middleware/libline.a $(GLIB_LIBS)

EXTRA_PROGRAMS += %D%/bench-ros
BENCHES += %D%/bench-ros
%C%_bench_ros_LDADD = middleware/libros.a middleware/libline.a $(GLIB_LIBS)

EXTRA_PROGRAMS += %D%/bench-base
BENCHES += %D%/bench-base
EXTRA_PROGRAMS += %D%/bench-json
BENCHES += %D%/bench-json
EXTRA_PROGRAMS += %D%/bench-messages
BENCHES += %D%/bench-messages

if HAVE_BULLET
EXTRA_PROGRAMS += %D%/bench-physics
BENCHES += %D%/bench-physics
%C%_bench_physics_SOURCES = %D%/bench-physics.c tests/physics/scene.c tests/physics/scene.h
%C%_bench_physics_CPPFLAGS = $(AM_CPPFLAGS) -DENGINE=bullet
%C%_bench_physics_LDADD = $(bullet_ldadd)
endif

if HAVE_MUJOCO
EXTRA_PROGRAMS += %D%/bench-mujoco
BENCHES += %D%/bench-mujoco
%C%_bench_mujoco_SOURCES = %D%/bench-physics.c tests/physics/scene.c tests/physics/scene.h
%C%_bench_mujoco_CPPFLAGS = $(AM_CPPFLAGS) -DENGINE=mujoco
%C%_bench_mujoco_LDADD = $(mujoco_ldadd)

EXTRA_PROGRAMS += %D%/bench-articulated
BENCHES += %D%/bench-articulated
%C%_bench_articulated_SOURCES = %D%/bench-articulated.c %D%/quadruped.c %D%/quadruped.h
%C%_bench_articulated_SOURCES += %D%/scene.c %D%/scene.h
%C%_bench_articulated_LDADD = $(LDADD) $(MUJOCO_LIBS) -lm
endif

EXTRA_PROGRAMS += %D%/bench-plugins
BENCHES += %D%/bench-plugins

# Scenes of parts that do nothing, run by the real host.
bench_modules =
bench_modules += busy
bench_modules += frames
bench_modules += idle
bench_modules += stamp
bench_modules += typed
bench_module_files = $(bench_modules:%=%D%/plugins/bench/%.so)
$(bench_module_files): %D%/plugins/bench/%.so: %D%/modules/%.module.o | lib/liborrery-1.so
	$(link_module)
BENCH_FILES += $(bench_module_files)
CLEANFILES += $(bench_module_files)
EXTRA_DIST += $(bench_modules:%=%D%/modules/%.c)

EXTRA_PROGRAMS += %D%/bench-pipeline
BENCHES += %D%/bench-pipeline
%C%_bench_pipeline_SOURCES = %D%/bench-pipeline.c %D%/bare.c %D%/bare.h %D%/scene.c %D%/scene.h
EXTRA_PROGRAMS += %D%/bench-mapping
BENCHES += %D%/bench-mapping
%C%_bench_mapping_SOURCES = %D%/bench-mapping.c %D%/scene.c %D%/scene.h
EXTRA_PROGRAMS += %D%/bench-recording
BENCHES += %D%/bench-recording
%C%_bench_recording_SOURCES = %D%/bench-recording.c %D%/scene.c %D%/scene.h
EXTRA_PROGRAMS += %D%/bench-scale
BENCHES += %D%/bench-scale
%C%_bench_scale_SOURCES = %D%/bench-scale.c %D%/scene.c %D%/scene.h

if HAVE_BULLET
EXTRA_PROGRAMS += %D%/bench-driving
BENCHES += %D%/bench-driving
%C%_bench_driving_SOURCES = %D%/bench-driving.c %D%/scene.c %D%/scene.h
EXTRA_PROGRAMS += %D%/bench-vector
BENCHES += %D%/bench-vector
%C%_bench_vector_SOURCES = %D%/bench-vector.c %D%/quadruped.c %D%/quadruped.h
%C%_bench_vector_SOURCES += %D%/scene.c %D%/scene.h
EXTRA_PROGRAMS += %D%/bench-reset
BENCHES += %D%/bench-reset
%C%_bench_reset_SOURCES = %D%/bench-reset.c %D%/scene.c %D%/scene.h
EXTRA_PROGRAMS += %D%/bench-spawn
BENCHES += %D%/bench-spawn
%C%_bench_spawn_SOURCES = %D%/bench-spawn.c %D%/scene.c %D%/scene.h
endif

if HAVE_RENDERER
EXTRA_PROGRAMS += %D%/bench-cameras
BENCHES += %D%/bench-cameras
%C%_bench_cameras_SOURCES = %D%/bench-cameras.c %D%/scene.c %D%/scene.h \
  plugins/renderers/mujoco/gl.c plugins/renderers/mujoco/gl.h
%C%_bench_cameras_LDADD = $(LDADD) -lmujoco
EXTRA_PROGRAMS += %D%/bench-pictures
BENCHES += %D%/bench-pictures
%C%_bench_pictures_SOURCES = %D%/bench-pictures.c %D%/scene.c %D%/scene.h \
  plugins/renderers/mujoco/gl.c plugins/renderers/mujoco/gl.h
%C%_bench_pictures_LDADD = $(LDADD) -lmujoco
endif

# Publishers with a library of ROS or DDS and nothing else, which streams are compared with.
if HAVE_FASTDDS
EXTRA_PROGRAMS += %D%/bare-dds
BENCH_FILES += %D%/bare-dds
CLEANFILES += %D%/bare-dds
%C%_bare_dds_SOURCES = %D%/bare-dds.cpp
%C%_bare_dds_LDADD = $(FASTDDS_LIBS)
endif
if HAVE_ROSCPP
EXTRA_PROGRAMS += %D%/bare-roscpp
BENCH_FILES += %D%/bare-roscpp
CLEANFILES += %D%/bare-roscpp
%C%_bare_roscpp_SOURCES = %D%/bare-roscpp.cpp
%C%_bare_roscpp_CPPFLAGS = $(ROSCPP_CFLAGS)
%C%_bare_roscpp_LDADD = $(ROSCPP_LIBS)
endif
EXTRA_DIST += %D%/bare-dds.cpp %D%/bare-peer.h %D%/bare-roscpp.cpp
BENCHES += %D%/bench-peers.py %D%/bench-streams.py
EXTRA_DIST += %D%/bench-peers.py %D%/bench-streams.py %D%/peers.py

BENCHES += %D%/bench-batch.py %D%/bench-gym.py
EXTRA_DIST += %D%/bench-batch.py %D%/bench-gym.py
BENCHES += %D%/bench-environments.py
BENCHES += %D%/bench-start.py
BENCHES += %D%/bench-morse.py
BENCHES += %D%/bench-multinode.py
BENCHES += %D%/bench-recordings.py
EXTRA_DIST += %D%/bench-recordings.py
if HAVE_SOUP
BENCHES += %D%/bench-page.py %D%/bench-viewer.py
endif
EXTRA_DIST += %D%/bench-page.py
BENCHES += %D%/bench-python.py
EXTRA_DIST += %D%/bench-classes.py %D%/bench-environments.py
BENCHES += %D%/bench-builder.py
BENCHES += %D%/bench-classes.py
EXTRA_DIST += %D%/bench-builder.py %D%/bench-morse.py %D%/bench-multinode.py %D%/bench-start.py %D%/bench-viewer.py
EXTRA_DIST += %D%/bench-python.py
EXTRA_DIST += %D%/bench-classes.py

EXTRA_PROGRAMS += %D%/bench-scheduler
BENCHES += %D%/bench-scheduler

EXTRA_PROGRAMS += %D%/bench-channel
BENCHES += %D%/bench-channel

# Reaches into the host, so it is linked with its objects.
EXTRA_PROGRAMS += %D%/bench-order
BENCHES += %D%/bench-order
%C%_bench_order_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++

EXTRA_PROGRAMS += %D%/bench-worker
BENCHES += %D%/bench-worker
%C%_bench_worker_SOURCES = %D%/bench-worker.c %D%/scene.c %D%/scene.h

EXTRA_PROGRAMS += %D%/bench-scripts
BENCHES += %D%/bench-scripts
%C%_bench_scripts_SOURCES = %D%/bench-scripts.c %D%/scene.c %D%/scene.h

EXTRA_PROGRAMS += %D%/bench-threads
BENCHES += %D%/bench-threads
%C%_bench_threads_SOURCES = %D%/bench-threads.c %D%/scene.c %D%/scene.h

if HAVE_EMBREE
EXTRA_PROGRAMS += %D%/bench-rays
BENCHES += %D%/bench-rays
%C%_bench_rays_SOURCES = %D%/bench-rays.c %D%/scene.c %D%/scene.h
%C%_bench_rays_LDADD = $(test_ldadd) -lembree3
endif
