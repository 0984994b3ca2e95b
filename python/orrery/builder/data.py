# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's tables of streams, services and modifiers, read from the list of plugins; what is written to them has no effect."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List

from . import models, session
from .catalogue import Catalogue, ClassInfo, written

#: What to use instead of a change.
_INSTEAD = {
    "MORSE_DATASTREAM_DICT": "a codec says itself what it fits; name one: add_stream(NAME, CODEC)",
    "MORSE_MODIFIER_DICT": "a modifier says itself what it fits; name one: alter('', CLASSPATH)",
}


class Table(Dict[str, Any]):
    """One of the tables."""

    name = ""

    def __setitem__(self, key: str, value: Any) -> None:
        instead = _INSTEAD.get(self.name, "plugins are found by their classpath")
        session.current().warn(
            ("data", self.name), "%s[%r] = ... has no effect: %s" % (self.name, key, instead)
        )


def _modifiers(catalogue: Catalogue) -> Dict[str, Any]:
    table: Dict[str, Any] = {}
    for info in catalogue.of_role("modifier"):
        for alias in info.aliases:
            table.setdefault(alias.name, {})[written(alias.component)] = written(info.classpath)
    return table


def _streams(catalogue: Catalogue) -> Dict[str, Any]:
    """Component -> level -> stream -> codec."""
    table: Dict[str, Any] = {}
    managers = [info for info in catalogue.of_role("datastream_manager") if info.stream]
    for role, way in (("sensor", "OUT"), ("actuator", "IN")):
        for info in catalogue.of_role(role):
            levels = info.level_names() or ["default"]
            table[written(info.classpath)] = {
                level: _codecs(catalogue, managers, info, level, way) for level in levels
            }
    return table


def _codecs(
    catalogue: Catalogue, managers: List[ClassInfo], info: ClassInfo, level: str, way: str
) -> Dict[str, str]:
    known = None if level == "default" else level
    found = {each.stream: catalogue.codec(each, info.classpath, known, way) for each in managers}
    return {stream: written(codec) for stream, codec in found.items() if stream and codec}


def _usual(catalogue: Catalogue, way: str) -> Dict[str, str]:
    codecs = {info.stream: getattr(info, way) for info in catalogue.of_role("datastream_manager")}
    return {stream: written(codec) for stream, codec in codecs.items() if stream and codec}


_MADE: Dict[str, Callable[[Catalogue], Dict[str, Any]]] = {
    "INTERFACE_DEFAULT_IN": lambda catalogue: _usual(catalogue, "reader"),
    "INTERFACE_DEFAULT_OUT": lambda catalogue: _usual(catalogue, "publisher"),
    "MORSE_DATASTREAM_DICT": _streams,
    "MORSE_DATASTREAM_MODULE": lambda catalogue: {
        info.stream: written(info.classpath)
        for info in catalogue.of_role("datastream_manager")
        if info.stream
    },
    "MORSE_MODIFIER_DICT": _modifiers,
    "MORSE_SERVICE_DICT": lambda catalogue: {
        known: written(catalogue.request_manager(known).classpath) for known in catalogue.interfaces()
    },
}


def _own_models() -> str:
    """Where MORSE's models are, or would be."""
    places = models.data_directories()
    return next((place for place in places if os.path.isdir(place)), places[-1])


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name == "MORSE_COMPONENTS":
        return _own_models()
    if name == "MORSE_RESOURCE_PATH":
        return ":".join([*models.resource_directories(), _own_models()])
    if name not in _MADE:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    table = Table(_MADE[name](session.current().catalogue))
    table.name = name
    return table


def __dir__() -> List[str]:
    return sorted([*_MADE, "MORSE_COMPONENTS", "MORSE_RESOURCE_PATH"])
