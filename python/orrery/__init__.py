# SPDX-License-Identifier: BSD-3-Clause
"""Orrery, a headless robot simulator: its Python package.

    sim = orrery.load("first_scene/")
    sim.step(600)
    print(sim["robot.pose"].data.x)

The names are those of the typelib, `gi.repository.Orrery`, and a few more, as `load` and `Sleep`.
`orrery.builder` needs no typelib: names are looked up at their first use.
"""

import importlib

from . import _missing


def _load_native():
    # Not `from . import`, which would ask this module for the name first.
    try:
        return importlib.import_module("._native", __name__)
    except ImportError as error:
        if not _missing.is_gi(error):
            raise
        raise ImportError(_missing.words_of_gi(error), name=error.name) from None


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if name == "builder":
        return importlib.import_module(".builder", __name__)
    _native = _load_native()
    if name in _native.NAMES:
        return _native.NAMES[name]
    if hasattr(_native.Orrery, name):
        thing = getattr(_native.Orrery, name)
        return _native.describe_values(thing) if type(thing) is type else thing
    words = "module 'orrery' has no attribute '%s'%s" % (name, _suggest(_native, name))
    raise _missing.as_import(__name__, name, words) or AttributeError(words)


def _suggest(_native, name):
    from .builder import morse_classes
    if name in morse_classes.NAMES or name in ("Environment", "PassiveObject", "Zone"):
        return "; builder scripts have it: from orrery.builder import %s" % name
    return _native.Orrery.nearest_names(name, [each for each in __dir__() if not each.startswith("_")])


def __dir__():
    _native = _load_native()
    return sorted(set(_native.NAMES) | set(dir(_native.Orrery)))
