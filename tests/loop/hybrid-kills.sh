#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The faults of hybrid worlds by hundreds: the same test, told that it may take its time.

exec "$ORRERY_TEST_BUILDDIR/tests/loop/test-hybrid-faults" -m slow
