# SPDX-License-Identifier: BSD-3-Clause
"""The five tables of component_config, as a script fills them.

Entries are kept under the component itself, and its name is asked for only when the tables are
written: renaming a component, before or after, changes nothing here. A full name, or the word
`simulation`, may stand for a component.
"""

import pprint

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
    def link_datastream(component, datastream_cfg):
        """Adds [manager, serialiser, direction, {option: value}] to the component's streams."""
        _append(
            session.current().datastream,
            component,
            literal(list(datastream_cfg), _place(component)),
        )

    @staticmethod
    def link_modifier(component, modifier_cfg):
        """Adds [modifier, direction or method, {option: value}] to the component's modifiers."""
        _append(
            session.current().modifier, component, literal(list(modifier_cfg), _place(component))
        )

    @staticmethod
    def link_service(component, service_cfg):
        """Offers the component's services through that request manager."""
        entries = session.current().service.setdefault(component, [])
        if service_cfg not in entries:
            entries.append(service_cfg)

    @staticmethod
    def link_overlay(component, manager, overlay_cfg, kwargs=None):
        """Lays the overlay over the component on that request manager; the last one wins."""
        overlays = session.current().overlay.setdefault(manager, {})
        overlays[component] = [overlay_cfg, literal(dict(kwargs or {}), _place(component))]

    @staticmethod
    def link_stream_manager_config(stream_manager, kwargs):
        """Merges options of a datastream manager."""
        options = session.current().stream_manager.setdefault(stream_manager, {})
        options.update(literal(dict(kwargs), stream_manager))

    @staticmethod
    def has_datastream_configuration(component, stream_manager):
        return any(
            entry[0] == stream_manager for entry in session.current().datastream.get(component, [])
        )

    @staticmethod
    def has_service_configuration(component, service_cfg):
        return service_cfg in session.current().service.get(component, [])

    @staticmethod
    def set_frequency(component, frequency):
        session.current().frequency[component] = frequency

    @staticmethod
    def max_frequency():
        """The highest frequency that was asked for, in Hz; 60 if none was."""
        return max(session.current().frequency.values(), default=60)

    @staticmethod
    def update_name(old_name, new_name):
        """Moves what was entered under a full name; components themselves need no such move."""
        state = session.current()
        for table in (state.datastream, state.modifier, state.service, *state.overlay.values()):
            if old_name in table:
                table[new_name] = table.pop(old_name)

    @staticmethod
    def write_config(robot_list=None):
        """The text of component_config.py; with a list, only what belongs to those robots."""
        tables = Configuration.tables(robot_list)
        return "".join("%s = %s\n" % (name, pprint.pformat(tables[name])) for name in TABLES)

    @staticmethod
    def tables(robot_list=None):
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


def _append(table, component, entry):
    table.setdefault(component, []).append(entry)


def _place(component):
    return component if isinstance(component, str) else component.name


def _named(table, robots):
    named = {}
    for component, entry in table.items():
        name = _place(component)
        if robots is None or name.split(".")[0] in robots:
            named[name] = entry
    return named
