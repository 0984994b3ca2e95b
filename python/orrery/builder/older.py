# SPDX-License-Identifier: BSD-3-Clause
"""Words of MORSE's releases 1.0 to 1.3: they do what today's do, and name them."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional, TypeVar, cast

from . import session
from .linking import Linked
from .values import number

_Method = TypeVar("_Method", bound=Callable[..., Any])

#: Logic ticks per second, by which the releases counted delays.
TICKS = 60


def warn(what: str, instead: str) -> None:
    """Says once for each word what it is called today."""
    session.current().warn(("older", what), "%s is a word of older releases: today it is %s" % (what, instead))


def renamed(**words: str) -> Callable[[_Method], _Method]:
    """Of a method: an argument's word of older releases, and today's."""

    def decorate(method: _Method) -> _Method:
        @functools.wraps(method)
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
            for older, today in words.items():
                if older in kwargs and today not in kwargs and not args:
                    warn("%s (%s=...)" % (method.__name__, older), "%s (%s=...)" % (method.__name__, today))
                    kwargs[today] = kwargs.pop(older)
            return method(self, *args, **kwargs)

        return cast(_Method, wrapper)

    return decorate


def delay_to_frequency(delay: Any) -> float:
    """Hz, of a component that waits so many ticks between two steps."""
    warn("frequency (delay=...)", "frequency (HZ)")
    return TICKS / (1.0 + number(delay, "frequency: delay"))


class Older(Linked):
    """The methods of components."""

    def configure_mw(
        self,
        mw: str,
        config: Any = None,
        method: Optional[str] = None,
        path: Optional[str] = None,
        component: Optional[str] = None,
    ) -> None:
        """Today `add_stream`. A method of MORSE's that is no classpath is what fits by itself."""
        warn("configure_mw()", "add_stream()")
        known = list(config) + [None, None] if isinstance(config, (list, tuple)) else [None, method]
        codec = known[1] if isinstance(known[1], str) and "." in known[1] else None
        self.add_stream(mw, codec, classpath=component)

    def configure_service(
        self, interface: str, component: Any = None, config: Optional[str] = None
    ) -> None:
        """Today `add_service`."""
        warn("configure_service()", "add_service()")
        self.add_service(interface, component, config)

    def configure_modifier(
        self,
        mod: Optional[str] = None,
        classpath: Optional[str] = None,
        direction: Optional[str] = None,
        **kwargs: Any,
    ) -> None:
        """Today `alter`."""
        warn("configure_modifier()", "alter()")
        self.alter(mod, classpath, direction, **kwargs)

    def configure_overlay(
        self, datastream: str, overlay: str, config: Optional[str] = None, **kwargs: Any
    ) -> None:
        """Today `add_overlay`."""
        warn("configure_overlay()", "add_overlay()")
        self.add_overlay(datastream, overlay, config, **kwargs)
