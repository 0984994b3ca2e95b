# SPDX-License-Identifier: BSD-3-Clause
"""The five tables of component_config, as a script fills them.

Entries are kept under the component itself, and its name is asked for only when the tables are
written: renaming a component, before or after, changes nothing here. A full name, or the word
`simulation`, may stand for a component.
"""

from __future__ import annotations

import pprint
from typing import Any, Dict, List, Optional, Sequence

from . import session
from .values import literal

TABLES = (
    "component_datastream",
    "component_modifier",
    "component_service",
    "overlays",
    "stream_manager",
)


class Configuration:
    """MORSE's name for the tables; all of it is of the process, as there."""

    @staticmethod
    def link_datastream(component: Any, datastream_cfg: Sequence[Any]) -> None:
        """Adds [manager, serialiser, direction, {option: value}] to the component's streams."""
        _append("component_datastream", session.current().datastream, component, datastream_cfg)

    @staticmethod
    def link_modifier(component: Any, modifier_cfg: Sequence[Any]) -> None:
        """Adds [modifier, direction or method, {option: value}] to the component's modifiers."""
        _append("component_modifier", session.current().modifier, component, modifier_cfg)

    @staticmethod
    def link_service(component: Any, service_cfg: str) -> None:
        """Offers the component's services through that request manager."""
        entries = session.current().service.setdefault(component, [])
        if service_cfg not in entries:
            _note("component_service", component, len(entries))
            entries.append(service_cfg)

    @staticmethod
    def link_overlay(
        component: Any, manager: str, overlay_cfg: str, kwargs: Optional[Dict[str, Any]] = None
    ) -> None:
        """Lays the overlay over the component on that request manager; the last one wins."""
        _note("overlays", manager, component)
        overlays = session.current().overlay.setdefault(manager, {})
        overlays[component] = [overlay_cfg, literal(dict(kwargs or {}), _place(component))]

    @staticmethod
    def link_stream_manager_config(stream_manager: str, kwargs: Dict[str, Any]) -> None:
        """Merges options of a datastream manager."""
        _note("stream_manager", stream_manager)
        options = session.current().stream_manager.setdefault(stream_manager, {})
        options.update(literal(dict(kwargs), stream_manager))

    @staticmethod
    def has_datastream_configuration(component: Any, stream_manager: str) -> bool:
        """Whether the component is on a stream of that manager."""
        return any(
            entry[0] == stream_manager for entry in session.current().datastream.get(component, [])
        )

    @staticmethod
    def has_service_configuration(component: Any, service_cfg: str) -> bool:
        """Whether the component is offered through that request manager."""
        return service_cfg in session.current().service.get(component, [])

    @staticmethod
    def leave_out(component: Any) -> None:
        """Has what is entered of the component, and of all below it, left out of the files."""
        session.current().left_out.append(component)

    @staticmethod
    def set_frequency(component: Any, frequency: float) -> None:
        """Notes how often a component shall run, in Hz."""
        session.current().frequency[component] = frequency

    @staticmethod
    def max_frequency() -> float:
        """The highest frequency that was asked for, in Hz; 60 if none was."""
        return max(session.current().frequency.values(), default=60)

    @staticmethod
    def update_name(old_name: str, new_name: str) -> None:
        """Moves what was entered under a full name; components themselves need no such move."""
        state = session.current()
        for table in (state.datastream, state.modifier, state.service, *state.overlay.values()):
            if old_name in table:
                table[new_name] = table.pop(old_name)

    @staticmethod
    def write_config(robot_list: Optional[Sequence[str]] = None) -> str:
        """The text of component_config.py; with a list, only what belongs to those robots."""
        tables = Configuration.tables(robot_list)
        return "".join("%s = %s\n" % (name, pprint.pformat(tables[name])) for name in TABLES)

    @staticmethod
    def tables(robot_list: Optional[Sequence[str]] = None) -> Dict[str, Any]:
        """The five tables by name, keyed by full names."""
        state = session.current()
        overlays = {manager: _named(table, robot_list) for manager, table in state.overlay.items()}
        return {
            "component_datastream": _named(state.datastream, robot_list),
            "component_modifier": _named(state.modifier, robot_list),
            "component_service": _named(state.service, robot_list),
            "overlays": {manager: table for manager, table in overlays.items() if table},
            "stream_manager": dict(state.stream_manager),
        }


def _append(
    name: str, table: Dict[Any, List[Any]], component: Any, entry: Sequence[Any]
) -> None:
    entries = table.setdefault(component, [])
    _note(name, component, len(entries))
    entries.append(literal(list(entry), _place(component)))


def _note(*key: Any) -> None:
    """Keeps where the script said this; what comes of itself has the component's own place."""
    session.current().origins[key] = session.origin()


def _place(component: Any) -> str:
    return component if isinstance(component, str) else str(component.name)


def _named(table: Dict[Any, Any], robots: Optional[Sequence[str]]) -> Dict[str, Any]:
    named: Dict[str, Any] = {}
    left_out = [_place(component) for component in session.current().left_out]
    for component, entry in table.items():
        name = _place(component)
        robot = name.split(".")[0]
        if robot not in left_out and (robots is None or robot in robots):
            named[name] = entry
    return named
