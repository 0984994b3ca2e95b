#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A build of its own with the address, leak and undefined-behaviour sanitizers, and the suite
# in it, without those that are SLOW_TESTS unless ORRERY_TEST_ALL is set. What any process reports
# counts, whether its test heard of it or not.

. "$ORRERY_TEST_SRCDIR/tests/long/suite.sh"
ours=$ORRERY_TEST_BUILDDIR/tests/long/sanitized

# Allocators that keep what is freed would hide both leaks and uses after free. Tests run as other
# users, too. Leaks are judged by their reports, since libraries leak as well. The leak sanitizer
# misreads where the thread-local memory of some loaded libraries is, and would crash over it. Fast DDS
# gives back nodes of its pools with another size than it took them with.
watched () {
  reports=$work/$1
  shift
  mkdir -m 1777 -p "$reports"
  env G_SLICE=always-malloc LSAN_OPTIONS=exitcode=0 UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1 \
    ASAN_OPTIONS="log_path=$reports/report:detect_stack_use_after_return=1:detect_leaks=1:intercept_tls_get_addr=0:new_delete_type_mismatch=0" \
    "$@"
}
judge () {
  "$ORRERY_TEST_PYTHON" "$src/tests/long/reports.py" "$work/$1" \
    "$up/host/" "$up/middleware/" "$up/modifiers/" "$up/plugins/" > "$work/log" 2>&1
}

cat > "$work/fixture.c" <<'END'
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
int main (int argc, char **argv)
{
  char *volatile few = malloc (4);
  volatile int large = 2147483647;
  if (strcmp (argv[1], "leak") == 0)
    for (int i = 0; i < 100; i++)
      g_cancellable_new ();
  if (strcmp (argv[1], "overrun") == 0)
    few[argc + 2] = 0;
  if (strcmp (argv[1], "undefined") == 0)
    large += argc;
  free (few);
  return large == 0;
}
END
flags='-fsanitize=address,undefined -fno-sanitize-recover=all'
if ! $cc $flags -g "$work/fixture.c" -o "$work/fixture" $(pkg-config --cflags --libs gio-2.0) 2> "$work/log"; then
  echo "1..0 # SKIP no address sanitizer"
  exit 0
fi
skip_if_sanitized

echo "1..9"
watched none "$work/fixture" nothing > "$work/log" 2>&1 && judge none
result $? "control: nothing wrong, nothing reported"
for mistake in leak overrun; do
  # Its own exit code may be lost, as a test may lose it.
  watched $mistake "$work/fixture" $mistake > "$work/log" 2>&1
  ! judge $mistake
  result $? "control: $mistake is reported"
done
# This one writes to nothing but stderr, so it aborts, which no test takes for an exit code.
watched undefined "$work/fixture" undefined > "$work/log" 2>&1
test $? -gt 128 && grep -q 'signed integer overflow' "$work/log"
result $? "control: what is undefined aborts"

build_in "$ours" --enable-sanitizers
result $built "the tree with sanitizers is built"

cat > "$work/leak.py" <<'END'
import ctypes
import orrery

library = ctypes.CDLL("liborrery-1.so")
for _ in range(100):
    library.orrery_options_new()
END
watched python ./orrery python "$work/leak.py" > "$work/log" 2>&1 && ! judge python &&
  grep -q orrery_options_new "$work/log"
result $? "control: what Python makes the library leak is reported"
sed -i '/options_new/s/_new/_get_type/' "$work/leak.py"
watched python-only ./orrery python "$work/leak.py" > "$work/log" 2>&1 && judge python-only
result $? "control: what Python itself leaks is not"

suite=1
test $built = 0 && run_suite TESTS="$(make -s list-code-tests ${ORRERY_TEST_ALL:+SLOW_TESTS=})"
result $suite "the suite: $summary"
test $built = 0 && judge suite
result $? "no process of the suite reported anything"
exit $failed
