# SPDX-License-Identifier: BSD-3-Clause
# Some hundred kills: of workers at each of their steps, of hosts; a thousand restarts.
ORRERY_TEST_LONG=1
export ORRERY_TEST_LONG
echo 1..6
run () {
  if "$@" > worker-kills.out 2>&1; then echo "ok - $*"; else sed 's/^/# /' worker-kills.out; echo "not ok - $*"; fi
  rm -f worker-kills.out
}
run sh "$ORRERY_TEST_SRCDIR/tests/worker/test_worker_program.sh"
run "$ORRERY_TEST_BUILDDIR/tests/worker/test-worker-faults" -p /worker/worker-faults/restarts
run "$ORRERY_TEST_BUILDDIR/tests/worker/test-worker-faults" -p /worker/worker-faults/stopped-a-while
run "$ORRERY_TEST_BUILDDIR/tests/worker/test-worker-scripts" -m slow -p /worker/worker-scripts/kills
run "$ORRERY_TEST_BUILDDIR/tests/worker/test-worker-scripts" -m slow -p /worker/worker-scripts/faults
run "$ORRERY_TEST_PYTHON" "$ORRERY_TEST_SRCDIR/tests/worker/test_worker_hosts.py"
