# SPDX-License-Identifier: BSD-3-Clause
# For the scripts that build the tree once more, with a sanitizer, and run tests in it. They define
# `watched DIRECTORY COMMAND...`, which runs a command so that each process's report lands there.

src=$ORRERY_TEST_SRCDIR
cc=${ORRERY_TEST_CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL
# Peers of npm are installed once.
NODE_PATH=$ORRERY_TEST_BUILDDIR/tests/peers/node_modules${NODE_PATH:+:$NODE_PATH}
export NODE_PATH
failed=0
n=0

# result CODE NAME: a line of TAP, with the end of the log where it failed.
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

# What these builds are for is no use where the tree has a sanitizer already.
skip_if_sanitized () {
  if grep -q '^S\["SANITIZER_FLAGS"\]="-f' "$ORRERY_TEST_BUILDDIR/config.status"; then
    echo "1..0 # SKIP this build has a sanitizer already"
    exit 0
  fi
}

# The programs among the tests in $1.
programs_of () {
  echo tests/isolate
  echo "$1" | tr ' ' '\n' | grep -v '[.]'
}

# build_in DIRECTORY CONFIGURE-OPTION...: configures where that was not done before, and builds; of the
# test programs only those that the function `choose_tests`, where there is one, prints. Reports need
# functions and lines only, which -g1 has; it compiles in four fifths of the time of -g. Test
# programs are compiled without optimisation, which saves more time than it costs them. Reports name
# files from the build on, which begin with $up: a compiler cache, which may give an object of another
# tree, has the compiler see such names, and so they are used without it, too.
build_in () {
  mkdir -p "$1" && cd "$1" || exit 1
  up=$(realpath --relative-to=. "$src")
  shift
  { test -f Makefile ||
      "$up/configure" -q --enable-silent-rules PYTHON="$ORRERY_TEST_PYTHON" CFLAGS="-O1 -g1" CXXFLAGS="-O1 -g1" "$@"
  } > "$work/log" 2>&1 && make -j"$(nproc)" all >> "$work/log" 2>&1 &&
    chosen=$(! command -v choose_tests > /dev/null || programs_of "$(choose_tests)") &&
    make -j"$(nproc)" check-programs CFLAGS="-O0 -g1" CXXFLAGS="-O0 -g1" ${chosen:+check_PROGRAMS="$(echo $chosen)"} >> "$work/log" 2>&1
  built=$?
}

failures () {
  sed -n -E 's/^(FAIL|ERROR): ([^ ]+) .*/\2/p' "$1" | sort -u
}

# run_suite [VARIABLE=VALUE...]: tests side by side, one more than there are processors, for a part of
# their time is waiting; then once more, alone, those that failed: some need the well-known ports, and
# all are slow here. Sets `suite` and `summary`.
run_suite () {
  watched suite make -k -j"$(($(nproc) + 1))" check-TESTS BENCHES= ${chosen:+check_PROGRAMS="$(echo $chosen)"} "$@" \
    > "$work/suite.log" 2>&1
  suite=$?
  summary=$(grep -E '^[0-9]+ passed' "$work/suite.log" | tail -n 1)
  tail -n 40 "$work/suite.log" > "$work/log"
  again=$(failures "$work/suite.log" | xargs)
  test -n "$again" || return 0
  watched suite make -k check-TESTS BENCHES= ${chosen:+check_PROGRAMS="$(echo $chosen)"} TESTS="$again" \
    > "$work/suite.log" 2>&1
  suite=$?
  summary="$summary; $again alone: $(grep -E '^[0-9]+ passed' "$work/suite.log" | tail -n 1)"
  grep -E '^(FAIL|ERROR)' "$work/suite.log" > "$work/log"
  for failure in $(failures "$work/suite.log"); do
    summary="$summary, $failure failed"
    sed -n '/^not ok/p; /^# /p' "${failure%.*}.log" 2>/dev/null | tail -n 20
  done >> "$work/log"
}
