# SPDX-License-Identifier: BSD-3-Clause
"""Imports modules, whose code may do anything, and says what classes they have: a line of JSON for each pair of
arguments MODULE FILE. Not for people: `orrery plugins` runs it."""

import ctypes
import json
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1


def explain(error):
    return "Python cannot use Orrery: %s: %s" % (type(error).__name__, " ".join(str(error).split()))


def main(arguments):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.pop("PYTHONSAFEPATH", None)
    # What a module prints must not get between our lines.
    out = os.dup(1)
    os.dup2(2, 1)
    try:
        import orrery
        say = orrery.inspect_module
    except Exception as error:
        words = explain(error)

        def say(module, file):
            return json.dumps({"error": words})
    for module, file in zip(arguments[::2], arguments[1::2]):
        os.write(out, say(module, file).encode() + b"\n")
    # Nor what it does at the end of a process.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
