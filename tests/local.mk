# SPDX-License-Identifier: BSD-3-Clause
# One line adds a test program. TESTS is `make check`, LONG_TESTS is `make check-long`.

test_ldadd = lib/liborrery-1.so $(GLIB_LIBS) $(TEST_RPATH)

# What a program without an LDADD of its own is linked with: the tests.
LDADD = $(test_ldadd)

include tests/actuators/local.mk
include tests/base/local.mk
include tests/builder/local.mk
include tests/cli/local.mk
include tests/python/local.mk
include tests/examples/local.mk
include tests/fuzz/local.mk
include tests/long/local.mk
include tests/importers/local.mk
include tests/middleware/local.mk
include tests/modifiers/local.mk
include tests/plugins/local.mk
include tests/raycasters/local.mk
include tests/roles/local.mk
include tests/run/local.mk
include tests/physics/local.mk
include tests/wiring/local.mk
include tests/world/local.mk
include tests/sensors/local.mk
include tests/tools/local.mk

EXTRA_DIST += tests/allocations.h tests/trial.h tests/sanitized.py tests/tap.py tests/test_tap.py
TESTS += tests/test_tap.py
