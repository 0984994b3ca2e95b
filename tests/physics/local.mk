# SPDX-License-Identifier: BSD-3-Clause
# These step a world by hand, with what the library keeps to itself: host and plugin are linked in
# whole, as one copy, instead of the shared objects.
physics_tests =
host_ldadd = host/libhost.a $(GLIB_LIBS) -lstdc++

physics_tests += %D%/test-friction
%C%_test_friction_SOURCES = %D%/test-friction.c
%C%_test_friction_LDADD = plugins/physics/libbodies.a $(host_ldadd)

physics_tests += %D%/test-tyres
%C%_test_tyres_SOURCES = %D%/test-tyres.c
%C%_test_tyres_LDADD = plugins/physics/libbodies.a $(host_ldadd)

physics_tests += %D%/test-kinematic
%C%_test_kinematic_SOURCES = %D%/test-kinematic.c %D%/scene.c %D%/scene.h \
  plugins/physics/kinematic.c
%C%_test_kinematic_LDADD = plugins/physics/libbodies.a $(host_ldadd)

physics_tests += %D%/test-joints
%C%_test_joints_SOURCES = %D%/test-joints.c %D%/scene.c %D%/scene.h \
  plugins/physics/kinematic.c
%C%_test_joints_LDADD = plugins/physics/libbodies.a $(host_ldadd)

if HAVE_BULLET
bullet_ldadd = plugins/physics/libbullet.a plugins/physics/libbodies.a $(BULLET_LIBS) $(host_ldadd)

physics_tests += %D%/test-bullet
%C%_test_bullet_SOURCES = %D%/test-bullet.c %D%/scene.c %D%/scene.h
%C%_test_bullet_LDADD = $(bullet_ldadd)

physics_tests += %D%/test-bullet-exact
%C%_test_bullet_exact_SOURCES = %D%/test-bullet-exact.c %D%/scene.c %D%/scene.h
%C%_test_bullet_exact_LDADD = $(bullet_ldadd)

physics_tests += %D%/test-bullet-joints
%C%_test_bullet_joints_SOURCES = %D%/test-bullet-joints.c %D%/scene.c %D%/scene.h
%C%_test_bullet_joints_LDADD = $(bullet_ldadd)

physics_tests += %D%/test-bullet-states
%C%_test_bullet_states_SOURCES = %D%/test-bullet-states.c %D%/scene.c %D%/scene.h
%C%_test_bullet_states_LDADD = $(bullet_ldadd)

physics_tests += %D%/test-facts
%C%_test_facts_SOURCES = %D%/test-facts.c %D%/scene.c %D%/scene.h
%C%_test_facts_CPPFLAGS = $(AM_CPPFLAGS) -DENGINE_TYPE=orrery_bullet_get_type
%C%_test_facts_LDADD = $(bullet_ldadd)

physics_tests += %D%/test-ground
%C%_test_ground_SOURCES = %D%/test-ground.c %D%/scene.c %D%/scene.h
%C%_test_ground_LDADD = $(bullet_ldadd)

physics_tests += %D%/test-steady
%C%_test_steady_SOURCES = %D%/test-steady.c %D%/scene.c %D%/scene.h
%C%_test_steady_LDADD = $(bullet_ldadd)

# The shared library and the shared object, as in a run.
physics_tests += %D%/test-scene
endif

if HAVE_MUJOCO
mujoco_ldadd = plugins/physics/libmujoco.a plugins/physics/libbodies.a $(MUJOCO_LIBS) $(host_ldadd)

physics_tests += %D%/test-mujoco
%C%_test_mujoco_SOURCES = %D%/test-mujoco.c %D%/scene.c %D%/scene.h
%C%_test_mujoco_LDADD = $(mujoco_ldadd)

physics_tests += %D%/test-trees
%C%_test_trees_LDADD = $(mujoco_ldadd)

physics_tests += %D%/test-mujoco-facts
%C%_test_mujoco_facts_SOURCES = %D%/test-facts.c %D%/scene.c %D%/scene.h
%C%_test_mujoco_facts_CPPFLAGS = $(AM_CPPFLAGS) -DENGINE_TYPE=orrery_mujoco_get_type
%C%_test_mujoco_facts_LDADD = $(mujoco_ldadd)
endif

check_PROGRAMS += $(physics_tests)
TESTS += $(physics_tests) %D%/test_articulated.py
EXTRA_DIST += %D%/test_articulated.py
