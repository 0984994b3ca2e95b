# SPDX-License-Identifier: BSD-3-Clause
"""What a component says of the five tables: streams, services, modifiers, overlays."""

from __future__ import annotations

from typing import Any, Optional, Union

from . import session
from .catalogue import ClassInfo, written
from .configuration import Configuration
from .errors import BuilderError, MissingError
from .session import collects
from .values import plain


class Linked:
    """The half of a component that ends in component_config."""

    _classpath: Optional[str]
    _level: Optional[str]
    _exportable: bool
    role: Optional[str] = None
    #: Whether the script named a class that there is not.
    is_lost = False

    def own_name(self) -> str:
        """The name without those of its parents."""
        raise NotImplementedError

    @property
    def class_info(self) -> Optional[ClassInfo]:
        """What the list of plugins says of the class; None for a component without one."""
        return session.current().catalogue.require(self._classpath) if self._classpath else None

    def is_exportable(self) -> bool:
        """Whether the component has a record to put on a stream."""
        return self._exportable

    def mark_unexportable(self) -> None:
        """Makes `add_stream` an error, and default interfaces pass by."""
        self._exportable = False

    @collects
    def add_stream(
        self,
        datastream: str,
        method: Optional[str] = None,
        path: Optional[str] = None,
        classpath: Optional[str] = None,
        direction: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        """Puts the component's record on a stream, or fills it from there.

        `datastream` is the stream's name or its manager's classpath, `method` the codec where the
        fitting one is not wanted, `classpath` a class that the component shall be taken for; what
        remains are options of the stream.
        """
        if path is not None:
            session.current().warn(
                "path", "add_stream: path has no effect: plugins are found by their classpath"
            )
        self.link_stream(datastream, method, classpath, direction, **kwargs)

    def link_stream(
        self,
        datastream: str,
        method: Optional[str] = None,
        classpath: Optional[str] = None,
        direction: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        """What `add_stream` does; a stream that there is not is raised, not kept for the end."""
        if not self._exportable:
            raise BuilderError(
                "%s: %s has nothing to put on a stream" % (self.own_name(), type(self).__name__)
            )
        catalogue = session.current().catalogue
        manager = catalogue.manager(datastream)
        info = catalogue.require(classpath) if classpath else self._require_info("add_stream")
        way = self._direction(direction, info)
        codec: Optional[str]
        if method is not None:
            codec = catalogue.require(method, "datastream").classpath
        else:
            self._choose_default_level(info)
            codec = catalogue.codec(manager, info.classpath, self._level, way)
        if codec is None:
            raise MissingError(
                "%s: the stream %s has nothing to %s %s"
                % (
                    self.own_name(),
                    datastream,
                    "write" if way == "OUT" else "read",
                    written(info.classpath),
                )
            )
        Configuration.link_datastream(
            self, [written(manager.classpath), written(codec), way, kwargs]
        )

    def _require_info(self, what: str) -> ClassInfo:
        info = self.class_info
        if info is None:
            raise BuilderError("%s: %s needs a classpath" % (self.own_name(), what))
        return info

    def _direction(self, direction: Optional[str], info: ClassInfo) -> str:
        known = direction or {"sensor": "OUT", "actuator": "IN"}.get(info.role or "")
        if known is None or known not in ("IN", "OUT"):
            raise BuilderError(
                "%s: add_stream: the direction must be IN or OUT, not %r" % (self.own_name(), known)
            )
        return known

    def _choose_default_level(self, info: ClassInfo) -> None:
        """As in MORSE, a stream whose codec is looked up settles the level: it is written down."""
        if self._level is None and info.levels and info.classpath == self._classpath:
            self._level = info.default_level()

    @collects
    def add_service(
        self,
        interface: str,
        component: Union[None, str, "Linked"] = None,
        config: Optional[str] = None,
    ) -> None:
        """Offers the component's services through a request manager, by its name or classpath."""
        catalogue = session.current().catalogue
        if config is not None:
            manager = catalogue.require(config, "request_manager")
        else:
            manager = catalogue.request_manager(interface)
        Configuration.link_service(component or self, written(manager.classpath))

    def add_interface(self, interface: str, **kwargs: Any) -> None:
        """Both a service and, where the component has a record to show, a stream."""
        self.add_service(interface)
        if self._exportable and self.role != "robot":
            self.add_stream(interface, **kwargs)

    @collects
    def alter(
        self,
        modifier_name: Optional[str] = None,
        classpath: Optional[str] = None,
        direction: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        """Adds a modifier, by an alias that fits the component's class or by classpath.

        `direction` is IN, OUT or the name of a method of the modifier; the rest are its options.
        """
        catalogue = session.current().catalogue
        info = self._require_info("alter")
        if classpath:
            modifier = catalogue.require(classpath, "modifier")
        elif modifier_name:
            modifier = catalogue.modifier(modifier_name, info.classpath, self._level)
        else:
            raise BuilderError("%s: alter: want an alias or a classpath" % self.own_name())
        way = direction or modifier.direction or ("IN" if info.role == "actuator" else "OUT")
        Configuration.link_modifier(
            self, [written(modifier.classpath), plain(way, "direction"), kwargs]
        )

    @collects
    def add_overlay(
        self, datastream: str, overlay: str, config: Optional[str] = None, **kwargs: Any
    ) -> None:
        """Lays an overlay over the component on a request manager; the last one counts."""
        catalogue = session.current().catalogue
        if config is not None:
            manager = catalogue.require(config, "request_manager")
        else:
            manager = catalogue.request_manager(datastream)
        info = catalogue.require(overlay, "overlay")
        Configuration.link_overlay(
            self, written(manager.classpath), written(info.classpath), kwargs
        )
