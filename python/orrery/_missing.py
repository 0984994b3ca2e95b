# SPDX-License-Identifier: BSD-3-Clause
"""What is said of names that are not there, where Python itself says too little."""

import dis
import sys

IMPORT_FROM = dis.opmap["IMPORT_FROM"]


def as_import(module, name, words):
    """The ImportError with these words, if the `__getattr__` that calls is asked by a `from ... import`, where Python
    itself drops those of an AttributeError; else None."""
    asking = sys._getframe(2)
    if asking.f_lasti < 0 or asking.f_code.co_code[asking.f_lasti] != IMPORT_FROM:
        return None
    return ImportError("cannot import name %r from %r: %s" % (name, module, words), name=module)


def is_gi(error):
    """Whether it is PyGObject that cannot be imported."""
    return (getattr(error, "name", None) or "").partition(".")[0] == "gi"


def words_of_gi(error):
    """For an interpreter without PyGObject: what to install, or how to make the virtual environment that it is of."""
    if str(error).startswith(sys.executable or "-"):  # it says all that
        return str(error)
    words = "%s: Orrery needs PyGObject (python3-gi), which %s does not have" % (error, sys.executable or "this Python")
    if sys.prefix != sys.base_prefix:
        words += "; a virtual environment has it if it is made with --system-site-packages"
    return words
