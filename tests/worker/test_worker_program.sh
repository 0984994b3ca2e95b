# SPDX-License-Identifier: BSD-3-Clause
# A library whose program kills itself where it is told, or is missing: what a host makes of it.
tree=$(mktemp -d) || exit 99
trap 'rm -rf "$tree"' EXIT
build=$ORRERY_TEST_BUILDDIR

mkdir "$tree/lib" "$tree/bin"
cp "$build/lib/liborrery-1.so.0" "$tree/lib/"
ln -s liborrery-1.so.0 "$tree/lib/liborrery-1.so"
cp "$build/tests/worker/worker-points" "$tree/bin/orrery"
LD_LIBRARY_PATH="$tree/lib"
ORRERY_TEST_PLUGINS="$build/lib/orrery-1/plugins"
export LD_LIBRARY_PATH ORRERY_TEST_PLUGINS

echo 1..2
if "$build/tests/worker/worker-kills" 2>&1 | sed 's/^/# /' | tee "$tree/said" | tail -n 40; then :; fi
if grep -q '^# ok 1' "$tree/said" && grep -q '^# ok 2' "$tree/said"; then echo 'ok 1 - killed at each of its steps: a sensor, a script'; else echo 'not ok 1 - killed at each of its steps'; fi

# Without its program the library says so, and does not wait.
rm "$tree/bin/orrery"
sed -e 's/"placement": "worker", "transport": "latest", "free_running": true/"placement": "worker"/' \
  "$ORRERY_TEST_SRCDIR/examples/camera.json" > "$tree/scene.json"
if "$build/bin/orrery" run --quiet --plugin-dir "$build/examples/plugins" --plugin-dir "$ORRERY_TEST_PLUGINS" \
     --ticks 1 "$tree/scene.json" > "$tree/said" 2>&1
then echo 'not ok 2 - no program: the run went on'
elif grep -q 'worker robot.camera cannot be started: .*/bin/orrery cannot be run: No such file' "$tree/said"
then echo 'ok 2 - no program'
else sed 's/^/# /' "$tree/said"; echo 'not ok 2 - no program: another reason'
fi
