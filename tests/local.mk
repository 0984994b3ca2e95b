# SPDX-License-Identifier: BSD-3-Clause
# One line adds a test program. TESTS is `make check`, LONG_TESTS is `make check-long`.

test_ldadd = -Llib -lorrery-1 $(GLIB_LIBS) $(TEST_RPATH)

include tests/base/local.mk
