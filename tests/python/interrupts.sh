#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hybrid worlds in Python, interrupted as often as is asked for.

ORRERY_TEST_INTERRUPTS=50 exec "$ORRERY_TEST_PYTHON" "$ORRERY_TEST_SRCDIR/tests/python/test_hybrid.py"
