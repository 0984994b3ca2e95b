# SPDX-License-Identifier: BSD-3-Clause
middleware_tests =
middleware_tests += %D%/test-line-server
%C%_test_line_server_LDADD = middleware/libline.a $(GLIB_LIBS)

check_PROGRAMS += $(middleware_tests)
TESTS += $(middleware_tests)
