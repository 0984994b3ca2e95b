#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A build of its own with the thread sanitizer; in it the tests of all that has threads: hand-over of
# I/O, channels, scheduler, signals, and whole runs with clients.

. "$ORRERY_TEST_SRCDIR/tests/long/suite.sh"
ours=$ORRERY_TEST_BUILDDIR/tests/long/raced

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
skip_if_sanitized
$cc -O1 -fPIC -shared "$src/tests/long/seen-by-tsan.c" -o "$work/seen.so" \
  $(pkg-config --cflags --libs gobject-2.0) -ldl || exit 1

echo "1..5"
watched locked "$work/fixture" locked > "$work/log" 2>&1 && nothing_reported locked
result $? "control: locks and queues of GLib are seen"
watched bare "$work/fixture" bare > "$work/log" 2>&1
! nothing_reported bare
result $? "control: a race is reported"

# Not those that kill processes or are held to a budget of time; nor test_signals.py, since the
# sanitizer holds a signal back while a system call blocks.
threaded='channel/test-channel channel/test-channel-process channel/test-channel-values
  loop/test-scheduler loop/test-scheduler-wall simulation/test-reset
  tick/test-clocks tick/test-context tick/test-order tick/test-pacer tick/test-pipeline tick/test-runner
  worker/test-workers'
choose_tests () {
  # These take longest.
  echo tests/cli/test_run.py tests/middleware/test_pymorse.py
  for name in $threaded; do echo tests/$name; done
  make -s list-code-tests SLOW_TESTS= | tr ' ' '\n' |
    grep -E -e '^tests/(middleware|registry|scene|assembly|simulation)/test-' |
    grep -v -e simulation/test-reset -e simulation/test-saved
}

# What runs while it is built is not watched: the queues of GLib would be reported.
TSAN_OPTIONS=report_bugs=0
export TSAN_OPTIONS
build_in "$ours" --enable-sanitizers=thread --disable-introspection
unset TSAN_OPTIONS
result $built "the tree with the thread sanitizer is built"

suite=1
test $built = 0 && run_suite TESTS="$(echo $(choose_tests))"
result $suite "the tests of what has threads: $summary"
test $built = 0 && nothing_reported suite
result $? "no process of them reported anything"
exit $failed
