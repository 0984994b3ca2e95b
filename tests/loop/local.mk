# SPDX-License-Identifier: BSD-3-Clause
scheduler_tests = %D%/test-due-list %D%/test-scheduler %D%/test-scheduler-steady %D%/test-scheduler-wall
check_PROGRAMS += $(scheduler_tests)
TESTS += $(scheduler_tests)
%C%_test_due_list_LDADD = $(inside_ldadd)
%C%_test_scheduler_SOURCES = %D%/test-scheduler.c %D%/scheduler-support.h
%C%_test_scheduler_LDADD = $(inside_ldadd)

# Hybrid worlds: the tests run themselves again as their background processes.
hybrid_sources = %D%/hybrid-trial.c %D%/hybrid-trial.h
hybrid_tests = %D%/test-hybrid %D%/test-hybrid-faults
check_PROGRAMS += $(hybrid_tests)
TESTS += $(hybrid_tests)
%C%_test_hybrid_SOURCES = %D%/test-hybrid.c $(hybrid_sources)
%C%_test_hybrid_faults_SOURCES = %D%/test-hybrid-faults.c $(hybrid_sources)
LONG_TESTS += %D%/hybrid-kills.sh
EXTRA_DIST += %D%/hybrid-kills.sh

# Nothing of a simulation is linked: all of libloop.a is, so that a call out of it is an error.
check_PROGRAMS += %D%/test-alone
TESTS += %D%/test-alone
%C%_test_alone_SOURCES = %D%/test-alone.c
%C%_test_alone_LDFLAGS = $(AM_LDFLAGS) -Wl,--whole-archive,host/libloop.a,--no-whole-archive
%C%_test_alone_LDADD = $(GLIB_LIBS) -lstdc++
%C%_test_alone_DEPENDENCIES = host/libloop.a
