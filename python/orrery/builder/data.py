# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's tables of streams and services, read from the list of plugins; they are not for writing."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, List

from . import session
from .catalogue import written

__all__ = ["MORSE_DATASTREAM_MODULE", "MORSE_SERVICE_DICT"]

#: Of MORSE's other tables, what to use instead.
_INSTEAD = {
    "MORSE_DATASTREAM_DICT": "a codec says itself what it fits; name one: add_stream(NAME, CODEC)",
    "MORSE_MODIFIER_DICT": "a modifier says itself what it fits; name one: alter('', CLASSPATH)",
}


def __getattr__(name: str) -> Any:
    catalogue = session.current().catalogue
    if name == "MORSE_DATASTREAM_MODULE":
        managers = catalogue.of_role("datastream_manager")
        return MappingProxyType(
            {info.stream: written(info.classpath) for info in managers if info.stream}
        )
    if name == "MORSE_SERVICE_DICT":
        return MappingProxyType(
            {known: written(catalogue.request_manager(known).classpath) for known in catalogue.interfaces()}
        )
    if name in _INSTEAD:
        raise AttributeError("no table %s: %s" % (name, _INSTEAD[name]))
    raise AttributeError("module %r has no attribute %r" % (__name__, name))


def __dir__() -> List[str]:
    return __all__
