# SPDX-License-Identifier: BSD-3-Clause
"""Methods stay methods: who assigns to one has forgotten that it is called."""

from __future__ import annotations

import inspect
from typing import Any

from .errors import BuilderError

MAX_SHOWN = 60


def _arguments(value: Any) -> str:
    if isinstance(value, dict) and all(str(key).isidentifier() for key in value):
        text = ", ".join("%s=%r" % item for item in value.items())
    elif isinstance(value, (tuple, list)) and value:
        text = ", ".join(repr(item) for item in value)
    else:
        text = repr(value)
    return text if len(text) <= MAX_SHOWN else "..."


class Called:
    """What refuses to have a method replaced by a value."""

    def __setattr__(self, name: str, value: Any) -> None:
        known = inspect.getattr_static(type(self), name, None)
        is_method = inspect.isfunction(known) or isinstance(known, (staticmethod, classmethod))
        if is_method and not callable(value):
            raise BuilderError(
                "%s.%s is called: %s(%s)" % (type(self).__name__, name, name, _arguments(value))
            )
        super().__setattr__(name, value)
