# SPDX-License-Identifier: BSD-3-Clause
# The source of %D%/bench-x is %D%/bench-x.c; each prints lines `name value unit`.
EXTRA_PROGRAMS += %D%/bench-socket
BENCHES += %D%/bench-socket
%C%_bench_socket_LDADD = middleware/libline.a $(GLIB_LIBS)

EXTRA_PROGRAMS += %D%/bench-base
BENCHES += %D%/bench-base
EXTRA_PROGRAMS += %D%/bench-json
BENCHES += %D%/bench-json

if HAVE_BULLET
EXTRA_PROGRAMS += %D%/bench-physics
BENCHES += %D%/bench-physics
%C%_bench_physics_SOURCES = %D%/bench-physics.c tests/physics/scene.c tests/physics/scene.h
%C%_bench_physics_LDADD = $(bullet_ldadd)
endif

EXTRA_PROGRAMS += %D%/bench-plugins
BENCHES += %D%/bench-plugins
