# SPDX-License-Identifier: BSD-3-Clause
"""Builds with sanitizers: a Python that loads the library needs their runtime from its start."""

import os
import re

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build"))


def configured(name):
    """What configure found for a variable."""
    with open(os.path.join(BUILD, "config.status"), encoding="utf-8", errors="replace") as file:
        return re.search(r'^S\["%s"\]="(.*)"$' % name, file.read(), re.M).group(1)


def is_sanitized():
    return bool(configured("SANITIZER_FLAGS"))


def is_raced():
    """With the thread sanitizer, which keeps a signal back while a system call blocks."""
    return "thread" in configured("SANITIZER_FLAGS")


def preloaded():
    """Variables for such a Python, none in other builds. `orrery python` sets them itself."""
    runtime = configured("SANITIZER_RUNTIME")
    options = {"ASAN_OPTIONS": "fast_unwind_on_malloc=0", "LSAN_OPTIONS": "exitcode=0"}
    variables = {name: os.environ.get(name, "") + ":" + value for name, value in options.items()}
    return dict(variables, LD_PRELOAD=runtime) if runtime else {}


def preload(program):
    """Starts the program anew if it needs that; call it before the library is loaded."""
    variables = preloaded()
    if variables and os.environ.get("LD_PRELOAD") != variables["LD_PRELOAD"]:
        os.execve(program[0], program, dict(os.environ, **variables))
