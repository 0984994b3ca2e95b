#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The faults between processes by hundreds: the same test, told that it may take its time.

exec "$ORRERY_TEST_BUILDDIR/tests/channel/test-channel-process" -m slow
