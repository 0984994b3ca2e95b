# SPDX-License-Identifier: BSD-3-Clause
"""What `orrery python --version` says: the interpreter, and how it reaches simulations."""

import platform


def describe_access():
    try:
        from . import _extension
    except (ImportError, ValueError) as error:
        return "simulations: none: %s" % error
    if _extension.access is None:
        return "simulations: slow access, without the extension module: %s" % _extension.why_not
    return "simulations: fast access, by %s" % _extension.access.__file__


if __name__ == "__main__":
    print("Python %s" % platform.python_version())
    print(describe_access())
