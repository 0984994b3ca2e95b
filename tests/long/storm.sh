#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Signals and kills by hundreds, other ones each time; what fails says with which seed.

ORRERY_TEST_ROUNDS=${ORRERY_TEST_ROUNDS:-400}
ORRERY_TEST_SEED=${ORRERY_TEST_SEED:-$(date +%s)}
export ORRERY_TEST_ROUNDS ORRERY_TEST_SEED
exec "$ORRERY_TEST_PYTHON" "$ORRERY_TEST_SRCDIR/tests/simulation/test_storm.py"
