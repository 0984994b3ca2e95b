#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every test program, and the replay of every corpus, under valgrind's memcheck: what the sanitizers
# cannot see is memory that nobody has set. It runs the very objects that users get.

build=$ORRERY_TEST_BUILDDIR
cc=${ORRERY_TEST_CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$build" || exit 1

if ! command -v valgrind >/dev/null; then
  echo "1..0 # SKIP no valgrind"
  exit 0
fi
if grep -q '^S\["SANITIZER_FLAGS"\]="-f' config.status; then
  echo "1..0 # SKIP valgrind and sanitizers exclude each other"
  exit 0
fi

# What GLib keeps for ever is told by GLib itself.
supp=--suppressions=$ORRERY_TEST_SRCDIR/tests/long/libraries.supp
supp="$supp $(for directory in $(echo "${XDG_DATA_DIRS:-/usr/local/share:/usr/share}" | tr : ' '); do
  test -f "$directory/glib-2.0/valgrind/glib.supp" && echo "--suppressions=$directory/glib-2.0/valgrind/glib.supp"
done)"

cat > "$work/one.sh" <<'END'
program=$1
# A system call that this valgrind does not know fails as on a kernel without it, and is told of at length.
said () {
  cat "$WORK/$name".*.memcheck | grep -v -e 'unhandled .* syscall: [0-9]*$' -e 'You may be able to write your own handler' \
    -e 'Read the file README_MISSING_SYSCALL' -e 'Nevertheless we consider this a bug' -e 'it at http://valgrind.org'
}
name=$(echo "$program" | tr / _)
G_SLICE=always-malloc timeout 400 valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
  --errors-for-leak-kinds=definite --num-callers=30 $SUPP --log-file="$WORK/$name.%p.memcheck" "$@" > "$WORK/$name.out" 2>&1
code=$?
# Also what a child of it reported.
if test $code = 0 && ! said | grep -q .; then
  echo "ok $program"
else
  echo "not ok $program"
  said | head -n 60 | sed 's/^/# /'
  grep -v '^ok' "$WORK/$name.out" | tail -n 20 | sed 's/^/# /'
fi > "$WORK/$name.tap"
END
WORK=$work
SUPP=$supp
export WORK SUPP

cat > "$work/fixture.c" <<'END'
#include <gio/gio.h>
#include <stdlib.h>
int main (int argc, char **argv)
{
  int *few = malloc (4 * sizeof (int));
  int got = 0;
  if (*argv[1] == 'l')
    for (int i = 0; i < 100; i++)
      g_cancellable_new ();
  if (*argv[1] == 'o')
    got = ((volatile int *) few)[argc + 3];
  if (*argv[1] == 'u')
    got = few[argc] > 3 ? 1 : 2;
  free (few);
  return got > 1000;
}
END
$cc -O0 -g -w "$work/fixture.c" -o "$work/fixture" $(pkg-config --cflags --libs gio-2.0) || exit 1

# Not here: programs that count allocations have an allocator of their own; those that kill processes
# are held to a budget of time, or use system calls that valgrind does not know (test-child); and the
# physics that is compared with facts, or with runs of its own, takes too long, as do statistics, files of
# many megabytes, runs of thousands of ticks, and pictures, which spend nearly all of their time in Mesa. The
# sanitizers see all.
# ORRERY_TEST_PROGRAMS names others.
skipped='steady|simulation/test-again|-faults|-kills|test-channel-process|process/test-child|physics/test-(bullet|facts|ground|scene)|tick/test-budget|loop/test-scheduler-wall|base/test-(message|random)|recording/test-recording-file|sensors/test-(cameras|lamps|normal-camera|segmentation-camera)|tick/test-(frequencies|pool|script-order)'
set -- ${ORRERY_TEST_PROGRAMS:-$(ls tests/*/test-* tests/fuzz/replay-* | grep -v '\.' | grep -v -E -e "$skipped")}
echo "1..$((4 + $#))"
n=0
failed=0
for mistake in nothing leak overrun unset; do
  n=$((n + 1))
  sh "$work/one.sh" "$work/fixture" $mistake
  result=$(cat "$work"/*fixture.tap)
  rm -f "$work"/*.tap "$work"/*.memcheck
  case $mistake-$result in
  nothing-ok* | leak-not* | overrun-not* | unset-not*) echo "ok $n control: $mistake" ;;
  *) echo "not ok $n control: $mistake" && failed=1 ;;
  esac
done

echo "$@" | tr ' ' '\n' | xargs -P "$(nproc)" -n 1 sh "$work/one.sh"
for program; do
  n=$((n + 1))
  tap=$work/$(echo "$program" | tr / _).tap
  # A program is some thirty times as slow here: what failed beside another, but without a report of
  # memcheck, runs once more alone.
  if ! grep -q -e '^ok' -e '^# ==[0-9]' "$tap"; then
    sed 's/^/# alone again: /' "$tap"
    rm -f "$work/$(echo "$program" | tr / _)".*
    sh "$work/one.sh" "$program"
  fi
  result=$(cat "$tap")
  case $result in
  ok*) echo "ok $n ${result#ok }" ;;
  *) echo "not ok $n ${result#not ok }" && failed=1 ;;
  esac
done
exit $failed
