# SPDX-License-Identifier: BSD-3-Clause
"""`orrery run` in Python, for scenes with classes in Python: `python3 -m orrery.run FILE [OPTION...]`.

The program itself is the one in C, called in this process. `orrery run` comes here by itself where a scene needs it.
"""

import atexit
import ctypes
import os
import sys
import traceback

from . import _missing

EXIT_MISSING = 69


def find_program():
    from . import _values
    for directory in _values.library_directories():
        file = os.path.join(directory, "orrery-1", "orrery-cli.so")
        if os.path.exists(file):
            return ctypes.CDLL(file)
    raise ImportError("orrery-cli.so is in none of %s" % ", ".join(_values.library_directories()))


def load():
    """The program, with the loader for classes in Python set; None after saying why there is none."""
    os.environ.pop("PYTHONSAFEPATH", None)
    try:
        program = find_program()
        from . import _native  # noqa: F401
        return program
    except Exception as error:
        words = _missing.words_of_gi(error) if _missing.is_gi(error) else " ".join(str(error).split())
        print("orrery: a class in Python needs PyGObject (python3-gi) and the typelib of Orrery: %s: %s"
              % (type(error).__name__, words), file=sys.stderr)
        return None


def finish(status):
    """Ends the process, whatever threads of plugins still run."""
    try:
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(status)


def main(arguments):
    """Runs the program with these arguments, the name of the command first, and ends as it does."""
    program = load()
    if program is None:
        finish(EXIT_MISSING)
    words = [b"orrery"] + [os.fsencode(argument) for argument in arguments]
    argv = (ctypes.c_char_p * (len(words) + 1))(*words, None)
    finish(program.orrery_cli_main(len(words), argv))


if __name__ == "__main__":
    main(["run"] + sys.argv[1:])
