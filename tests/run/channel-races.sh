#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds channels and their tests with the thread sanitizer, and runs them.

src=$ORRERY_TEST_SRCDIR
build=$ORRERY_TEST_BUILDDIR
cc=${ORRERY_TEST_CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

cat > "$work/race.c" <<'END'
#include <pthread.h>
static int n;
static void *add (void *data) { n++; return data; }
int main (void)
{
  pthread_t t;
  pthread_create (&t, 0, add, 0);
  n++;
  return pthread_join (t, 0);
}
END
if ! $cc -fsanitize=thread "$work/race.c" -o "$work/race" -pthread 2>/dev/null; then
  echo "1..0 # SKIP no thread sanitizer"
  exit 0
fi
if grep -q -e -fsanitize= "$build/config.status"; then
  echo "1..0 # SKIP this build has a sanitizer already"
  exit 0
fi

glib="glib-2.0 gobject-2.0 gio-2.0 gio-unix-2.0 json-glib-1.0"
flags="-std=gnu11 -O1 -g -fsanitize=thread -DORRERY_COMPILATION -DG_LOG_USE_STRUCTURED -I$src/host -I$build/host
  $(pkg-config --cflags $glib)"
sources="$src/host/run/orrery-channel.c $src/host/run/orrery-channel-pass.c $src/host/run/orrery-emitter.c
  $src/host/run/orrery-memory.c $src/host/run/orrery-receiver.c $src/host/run/orrery-receiver-latest.c
  $src/host/run/orrery-receiver-ring.c $src/host/run/orrery-value.c $src/tests/run/channel-trial.c"
failed=0

try () {
  name=$1
  if $cc $flags "$src/tests/run/$name.c" $sources "$build/host/libhost.a" -o "$work/$name" \
       $(pkg-config --libs $glib) -lstdc++ -ldl -lm -pthread > "$work/log" 2>&1 &&
     TSAN_OPTIONS=halt_on_error=0 "$work/$name" > "$work/log" 2>&1; then
    echo "ok $n $name"
  else
    echo "not ok $n $name"
    tail -n 60 "$work/log" | sed 's/^/# /'
    failed=1
  fi
}

echo "1..4"
if "$work/race" >/dev/null 2>&1; then
  echo "not ok 1 control: a race is found"
  failed=1
else
  echo "ok 1 control: a race is found"
fi
n=2 && try test-channel
n=3 && try test-channel-process
n=4 && try test-channel-values
exit $failed
