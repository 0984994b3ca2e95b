# SPDX-License-Identifier: BSD-3-Clause
"""What `from orrery import Poze` says: Python itself drops the words of an AttributeError there."""

import dis
import sys

IMPORT_FROM = dis.opmap["IMPORT_FROM"]


def as_import(module, name, words):
    """The ImportError with these words, if the `__getattr__` that calls is asked by a `from ... import`; else None."""
    asking = sys._getframe(2)
    if asking.f_lasti < 0 or asking.f_code.co_code[asking.f_lasti] != IMPORT_FROM:
        return None
    return ImportError("cannot import name %r from %r: %s" % (name, module, words), name=module)
