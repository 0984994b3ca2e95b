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

# How each kind of file is compiled, for processes of their own: SOURCE OBJECT [FLAG...].
cat > "$work/compile" <<'END'
source=$1 object=$2
shift 2
case $source in
  *.c) exec "$CLANG" -std=gnu11 $FLAGS "$@" -c "$source" -o "$object" ;;
  *) exec "$CLANGXX" -std=gnu++17 $FLAGS "$@" -c "$source" -o "$object" ;;
esac
END
CLANG=$clang CLANGXX=$clangxx FLAGS=$flags
export CLANG CLANGXX FLAGS

# object_of SOURCE: below the sources
object_of () {
  echo "$work/objects/$(echo "$1" | tr / _).o"
}

# compile_all: sources from the input, as many at once as there are processors.
compile_all () {
  while read -r source; do
    echo "$src/$source" "$(object_of "$source")"
  done | xargs -P "$(nproc)" -L 1 sh "$work/compile"
}

# sources_of HARNESS: what it needs beside the library; packages_of: beside GLib.
sources_of () {
  sed -n 's,^/\* sources: \(.*\) \*/$,\1,p' "$1"
}
packages_of () {
  sed -n 's,^/\* packages: \(.*\) \*/$,\1,p' "$1"
}

# The library is an archive of which a harness gets what it calls, so that no harness lists its files.
build_host () {
  mkdir "$work/objects"
  hosts=$(cd "$src" && ls host/*/*.c | grep -v ^host/cli/; echo host/base/orrery-number.cpp)
  { echo "$hosts"; for harness; do sources_of "$harness" | tr ' ' '\n'; done; } | sort -u | compile_all &&
    ar rcs "$work/libhost.a" $(for source in $hosts; do object_of "$source"; done)
}

build () {
  objects=
  for source in $(sources_of "$1"); do
    objects="$objects $(object_of "$source")"
  done
  packages="$glib $(packages_of "$1")"
  sh "$work/compile" "$1" "$work/$2.o" $(pkg-config --cflags $packages) &&
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

# build_one HARNESS: prints its name if it can run.
build_one () {
  name=$(name_of "$1")
  packages=$(packages_of "$1")
  if test -n "$packages" && ! pkg-config --exists $packages; then
    echo "$packages" > "$work/$name.lacks"
    return
  fi
  mkdir -p "$work/$name.d/corpus"
  cp "$src/tests/fuzz/corpus/$name"/* "$work/$name.d/corpus" && build "$1" "$name" > "$work/$name.log" 2>&1 &&
    echo "$name"
}

# Two at once: each is a compiler, and then a linker, that waits for the disk.
build_host "$@" > "$work/host.log" 2>&1 || sed 's/^/# /' "$work/host.log"
half=0
for harness; do
  half=$((1 - half))
  test $half = 1 && build_one "$harness" >> "$work/built"
done &
half=0
for harness; do
  half=$((1 - half))
  test $half = 0 && build_one "$harness" >> "$work/built-too"
done
wait
cat "$work/built-too" >> "$work/built"
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
