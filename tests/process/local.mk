# SPDX-License-Identifier: BSD-3-Clause
# Children that are really started and killed: scripts of the shell, and the test itself.
check_PROGRAMS += %D%/test-child
TESTS += %D%/test-child
%C%_test_child_SOURCES = %D%/test-child.c
%C%_test_child_LDADD = $(inside_ldadd)
