# SPDX-License-Identifier: BSD-3-Clause
# These step a world by hand, with what the library keeps to itself: host and plugin are linked in
# whole, as one copy, instead of the shared objects.
physics_tests =

if HAVE_BULLET
bullet_ldadd = plugins/physics/libbullet.a host/libhost.a $(BULLET_LIBS) $(GLIB_LIBS) -lstdc++

physics_tests += %D%/test-facts
%C%_test_facts_SOURCES = %D%/test-facts.c %D%/scene.c %D%/scene.h
%C%_test_facts_LDADD = $(bullet_ldadd)
endif

check_PROGRAMS += $(physics_tests)
TESTS += $(physics_tests)
