# SPDX-License-Identifier: BSD-3-Clause
# These look inside: they are linked with the host's objects, not with the library.
run_inside = %D%/test-pacer

check_PROGRAMS += $(run_inside)
TESTS += $(run_inside)
inside_ldadd = host/libhost.a $(GLIB_LIBS) -lstdc++
tests_run_test_pacer_LDADD = $(inside_ldadd)
