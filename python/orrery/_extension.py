# SPDX-License-Identifier: BSD-3-Clause
"""The extension module `_access`, if it is there: what it offers can all be done without it, slower."""

import importlib.machinery
import importlib.util
import os

from ._values import Orrery, TYPELIB, library_directories

FILE = os.path.join("orrery-1", "python", "_access.abi3.so")
# Tests set it, to see the package as it is without the module.
PLAIN = "ORRERY_PYTHON_PLAIN"


def find():
    """Its file, beside the library whose typelib is used; None if it was not built."""
    for directory in library_directories():
        if os.path.exists(os.path.join(directory, TYPELIB)):
            path = os.path.join(directory, FILE)
            return path if os.path.exists(path) else None
    return None


def load():
    """The module and "", or None and why there is none."""
    if os.environ.get(PLAIN):
        return None, "%s is set" % PLAIN
    path = find()
    if path is None:
        return None, "it was not built"
    # The typelib loads the library, which the module then shares.
    Orrery.error_quark()
    loader = importlib.machinery.ExtensionFileLoader("orrery._access", path)
    try:
        module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(loader.name, path, loader=loader))
        loader.exec_module(module)
    except ImportError as error:
        return None, "%s: %s" % (path, error)
    return module, ""


access, why_not = load()
