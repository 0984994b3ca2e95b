# SPDX-License-Identifier: BSD-3-Clause
"""Runs the unittest cases of a program and reports in TAP: `tap.main ()` at its end."""

import sys
import traceback
import unittest


class Result(unittest.TestResult):
    """One line per case; of a failure, what went wrong as comments above it."""

    def __init__(self):
        super().__init__()
        self.number = 0
        self.failed = 0

    def _line(self, test, passed, remark=""):
        self.number += 1
        self.failed += not passed
        print(
            "%s %d - %s%s"
            % ("ok" if passed else "not ok", self.number, test.id().partition(".")[2], remark),
            flush=True,
        )

    def _explain(self, error):
        for line in "".join(traceback.format_exception(*error)).rstrip().splitlines():
            print("# " + line)

    def addSuccess(self, test):
        self._line(test, True)

    def addFailure(self, test, err):
        self._explain(err)
        self._line(test, False)

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._explain(err)
            self._line(subtest, False)

    def addSkip(self, test, reason):
        self._line(test, True, " # SKIP " + reason)

    def addExpectedFailure(self, test, err):
        self._line(test, True)

    def addUnexpectedSuccess(self, test):
        self._line(test, False)


def main(module="__main__"):
    """Runs every case of the module; exits with 1 if one failed or there was none."""
    suite = unittest.defaultTestLoader.loadTestsFromName(module)
    result = Result()
    suite.run(result)
    print("1..%d" % result.number)
    sys.exit(1 if result.failed or not result.number else 0)
