#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes every harness for a while (ORRERY_FUZZ_SECONDS, 10 by default) with libFuzzer, the address
# and the undefined-behaviour sanitizer. Needs clang; a harness is one line of TAP.

src=$ORRERY_TEST_SRCDIR
seconds=${ORRERY_FUZZ_SECONDS:-10}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# Debian's packages of one version have no plain name.
clang=$(command -v clang || command -v clang-14)
clangxx=$(command -v clang++ || command -v clang++-14)
if test -z "$clang" || test -z "$clangxx"; then
  echo "1..0 # SKIP no clang"
  exit 0
fi
echo 'int LLVMFuzzerTestOneInput (const char *d, long n) { if (n > 1 && d[1] == 33) __builtin_trap (); return 0; }' \
  > "$work/try.c"
if ! "$clang" -fsanitize=fuzzer,address "$work/try.c" -o "$work/try" 2>/dev/null; then
  echo "1..0 # SKIP no libFuzzer"
  exit 0
fi

glib="glib-2.0 gobject-2.0 gio-2.0 gio-unix-2.0"
flags="-g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
  -DORRERY_COMPILATION -DG_LOG_DOMAIN=\"orrery\" -DORRERY_PYTHON=\"python3\" -DSANITIZER_RUNTIME=\"\" \
  -DORRERY_LIBDIR=\"lib\" -DORRERY_PREFIX_FROM_LIBDIR=\"..\" \
  -I$src -I$src/host -I$ORRERY_TEST_BUILDDIR/host $(pkg-config --cflags $glib)"

# What the library is linked with; of the compressions, those that are there.
libs="-lz -ldl -lm"
for library in zstd lz4; do
  pkg-config --exists "lib$library" || continue
  flags="$flags -DHAVE_$(echo "$library" | tr a-z A-Z)"
  libs="$libs -l$library"
done

# compile SOURCE prints the object of a file, which the harnesses share.
compile () {
  test -f "$src/$1" || { echo "no source $1" >&2; return 1; }
  object="$work/$(echo "$1" | tr / _).o"
  echo "$object"
  test -f "$object" && return
  case $1 in
    *.c) "$clang" -std=gnu11 $flags -c "$src/$1" -o "$object" ;;
    *) "$clangxx" -std=gnu++17 $flags -c "$src/$1" -o "$object" ;;
  esac
}

# The library is an archive of which a harness gets what it calls, so that no harness lists its files.
build_host () {
  mkdir "$work/host"
  (cd "$src/host" && ls */*.c) | grep -v ^cli/ |
    xargs -P "$(nproc)" -I NAME sh -c 'source=$1 object=$2/$(echo "$3" | tr / _).o; shift 3; "$@" -c "$source" -o "$object"' \
      compile "$src/host/NAME" "$work/host" NAME "$clang" -std=gnu11 $flags &&
    ar rcs "$work/libhost.a" "$work"/host/*.o $(compile host/base/orrery-number.cpp)
}

# packages_of HARNESS: what it needs beside GLib.
packages_of () {
  sed -n 's,^/\* packages: \(.*\) \*/$,\1,p' "$1"
}

build () {
  objects=
  for source in $(sed -n 's,^/\* sources: \(.*\) \*/$,\1,p' "$1"); do
    objects="$objects $(compile "$source")" || return 1
  done
  packages="$glib $(packages_of "$1")"
  "$clang" -std=gnu11 $flags $(pkg-config --cflags $packages) -c "$1" -o "$work/$2.o" &&
    "$clangxx" -fsanitize=fuzzer,address,undefined "$work/$2.o" $objects "$work/libhost.a" \
      $(pkg-config --libs $packages) $libs -o "$work/$2"
}

set -- "$src"/tests/fuzz/fuzz-*.c
echo "1..$(($# + 1))"
n=1
failed=0
if "$work/try" -max_total_time="$seconds" -artifact_prefix="$work/planted-" >/dev/null 2>&1; then
  echo "not ok 1 control: a planted mistake was not found"
  failed=1
else
  echo "ok 1 control: a planted mistake is found"
fi

# name_of HARNESS
name_of () {
  basename "$1" .c | sed 's/^fuzz-//'
}

# They are built one after the other, since they share objects, and run as many at once as there are
# processors.
build_host > "$work/host.log" 2>&1 || sed 's/^/# /' "$work/host.log"
for harness; do
  name=$(name_of "$harness")
  packages=$(packages_of "$harness")
  if test -n "$packages" && ! pkg-config --exists $packages; then
    echo "$packages" > "$work/$name.lacks"
    continue
  fi
  mkdir "$work/$name.d" "$work/$name.d/corpus"
  cp "$src/tests/fuzz/corpus/$name"/* "$work/$name.d/corpus" && build "$harness" "$name" > "$work/$name.log" 2>&1 &&
    echo "$name"
done > "$work/built"
export ASAN_OPTIONS=detect_leaks=1
xargs -P "$(nproc)" -I NAME sh -c '"$1/NAME" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 \
  -artifact_prefix="$1/NAME.d/" -print_final_stats=1 "$1/NAME.d/corpus" > "$1/NAME.log" 2>&1 && touch "$1/NAME.passed"' \
  fuzz "$work" "$seconds" < "$work/built"

for harness; do
  n=$((n + 1))
  name=$(name_of "$harness")
  if test -e "$work/$name.lacks"; then
    echo "ok $n $name # SKIP no $(cat "$work/$name.lacks")"
  elif test -e "$work/$name.passed"; then
    echo "ok $n $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log") runs"
  else
    echo "not ok $n $name"
    tail -n 60 "$work/$name.log" | sed 's/^/# /'
    for artifact in "$work/$name.d"/crash-* "$work/$name.d"/timeout-* "$work/$name.d"/oom-* "$work/$name.d"/leak-*; do
      test -f "$artifact" && echo "# input: $(base64 -w 0 "$artifact")"
    done
    failed=1
  fi
done
exit $failed
