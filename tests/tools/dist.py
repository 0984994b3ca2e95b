# SPDX-License-Identifier: BSD-3-Clause
"""What `make dist` packs, for the tests of it."""

import os
import subprocess

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build"))

# What is of the repository and not of the sources.
NOT_PACKED = (".ci/", ".github/", ".gitignore")


def make(*arguments, timeout=300):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("MAKE", "MFLAGS", "ORRERY_TEST_"))}
    return subprocess.run(["make", "-s", "-C", BUILD, *arguments], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)


def tracked_files():
    """None where there is no git or no history."""
    try:
        done = subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.splitlines() if done.returncode == 0 and done.stdout else None


def forgotten(tracked, packed):
    """Tracked files that the package lacks."""
    return sorted(name for name in tracked if name not in packed and not name.startswith(NOT_PACKED))
