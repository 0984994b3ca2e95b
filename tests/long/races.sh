#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A build of its own with the thread sanitizer; in it the tests of all that has threads: hand-over of
# I/O, channels, scheduler, signals, and whole runs with clients.

src=$ORRERY_TEST_SRCDIR
ours=$ORRERY_TEST_BUILDDIR/tests/long/raced
cc=${ORRERY_TEST_CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL
failed=0
n=0

result () {
  n=$((n + 1))
  if test "$1" = 0; then
    echo "ok $n $2"
  else
    echo "not ok $n $2"
    tail -n 80 "$work/log" | sed 's/^/# /'
    failed=1
  fi
}

# What any process reports, each in a file of its own. An allocator of GLib's own would hand memory
# from thread to thread unseen.
watched () {
  reports=$work/$1
  shift
  mkdir -m 1777 -p "$reports"
  env LD_PRELOAD="$work/seen.so" G_SLICE=always-malloc TSAN_OPTIONS="log_path=$reports/report:halt_on_error=0:second_deadlock_stack=1:suppressions=$src/tests/long/glib.tsan" "$@"
}
nothing_reported () {
  ! cat "$work/$1"/* 2>/dev/null | head -n 200 | tee "$work/log" | grep -q .
}

cat > "$work/fixture.c" <<'END'
#include <glib.h>
#include <string.h>
static GMutex lock;
static GAsyncQueue *queue;
static gboolean locks;
static int n;
static gpointer add (gpointer data)
{
  if (locks) g_mutex_lock (&lock);
  n++;
  if (locks) g_mutex_unlock (&lock);
  return NULL;
}
static gpointer hand_over (gpointer data)
{
  int *value = g_new (int, 1);
  *value = 3;
  g_async_queue_push (queue, value);
  return NULL;
}
int main (int argc, char **argv)
{
  GThread *threads[2];
  locks = strcmp (argv[1], "locked") == 0;
  queue = g_async_queue_new ();
  for (int i = 0; i < 2; i++) threads[i] = g_thread_new ("add", add, NULL);
  for (int i = 0; i < 2; i++) g_thread_join (threads[i]);
  threads[0] = g_thread_new ("over", hand_over, NULL);
  int *value = g_async_queue_pop (queue);
  *value += n;
  g_free (value);
  g_thread_join (threads[0]);
  return 0;
}
END
if ! $cc -fsanitize=thread -g "$work/fixture.c" -o "$work/fixture" $(pkg-config --cflags --libs glib-2.0) \
  2> "$work/log"; then
  echo "1..0 # SKIP no thread sanitizer"
  exit 0
fi
if grep -q '^S\["SANITIZER_FLAGS"\]="-f' "$ORRERY_TEST_BUILDDIR/config.status"; then
  echo "1..0 # SKIP this build has a sanitizer already"
  exit 0
fi
$cc -O1 -fPIC -shared "$src/tests/long/seen-by-tsan.c" -o "$work/seen.so" \
  $(pkg-config --cflags --libs gobject-2.0) -ldl || exit 1

echo "1..5"
watched locked "$work/fixture" locked > "$work/log" 2>&1 && nothing_reported locked
result $? "control: locks and queues of GLib are seen"
watched bare "$work/fixture" bare > "$work/log" 2>&1
! nothing_reported bare
result $? "control: a race is reported"

mkdir -p "$ours" && cd "$ours" || exit 1
{ test -f Makefile ||
    "$src/configure" -q --enable-silent-rules --enable-sanitizers=thread --disable-introspection \
      PYTHON="$ORRERY_TEST_PYTHON" CFLAGS="-O1 -g" CXXFLAGS="-O1 -g"
} > "$work/log" 2>&1 && make -j"$(nproc)" all >> "$work/log" 2>&1 &&
  make -j"$(nproc)" check-programs >> "$work/log" 2>&1
built=$?
result $built "the tree with the thread sanitizer is built"

# Not those that kill processes or are held to a budget of time; nor test_signals.py, since the
# sanitizer holds a signal back while a system call blocks.
run='channel channel-process channel-values clocks context order pacer pipeline reset runner scheduler scheduler-wall workers'
tests="$(for name in $run; do echo tests/run/test-$name; done)
  $(ls tests/middleware/test-* tests/wiring/test-* | grep -v '\.')
  tests/middleware/test_pymorse.py tests/cli/test_run.py"
test $built = 0 &&
  watched suite make -k -j"$(nproc)" check-TESTS BENCHES= TESTS="$(echo $tests)" > "$work/suite.log" 2>&1
suite=$?
grep -E '^(FAIL|ERROR|[0-9]+ passed)' "$work/suite.log" > "$work/log"
summary=$(tail -n 1 "$work/log")
test $suite = 0 || for failure in $(sed -n 's/^ERROR: \([^ ]*\) - exited.*/\1/p' "$work/log"); do
  sed -n '/^not ok/p; /^# /p' "${failure%.*}.log" 2>/dev/null | tail -n 20
done >> "$work/log"
result $suite "the tests of what has threads: $summary"
test $built = 0 && nothing_reported suite
result $? "no process of them reported anything"
exit $failed
