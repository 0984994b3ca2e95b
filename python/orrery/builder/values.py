# SPDX-License-Identifier: BSD-3-Clause
"""Values that scripts hand over: what the scene and the tables can hold, and nothing else."""

from __future__ import annotations

import math
from typing import Any, Callable, List, Sequence, Union

from .errors import BuilderError, hint

INT64 = 2**63
DEPTH = 32


def plain(value: Any, where: str, depth: int = 0) -> Any:
    """A copy in the types of JSON; an error says at which place there is something else."""
    if depth > DEPTH:
        raise BuilderError("%s: nested deeper than %d" % (where, DEPTH))
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, where)
    if isinstance(value, int):
        return _integer(value, where)
    if isinstance(value, float):
        return number(value, where)
    if isinstance(value, (list, tuple)):
        return [plain(item, "%s[%d]" % (where, i), depth + 1) for i, item in enumerate(value)]
    if isinstance(value, dict):
        return {
            _key(key, where): plain(item, "%s.%s" % (where, key), depth + 1)
            for key, item in value.items()
        }
    raise BuilderError(
        "%s: a %s cannot be kept; use numbers, text, True, False, None, lists and dicts"
        % (where, type(value).__name__)
    )


def literal(value: Any, where: str) -> Any:
    """A copy for component_config: as `plain`, but tuples stay tuples."""
    plain(value, where)
    return _copy(value)


def _copy(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return (list if isinstance(value, list) else tuple)(_copy(item) for item in value)
    if isinstance(value, dict):
        return {str(key): _copy(item) for key, item in value.items()}
    return plain(value, "")


def number(value: Any, where: str) -> float:
    """The value as a finite float."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BuilderError(
            "%s: want a number, not the %s %r" % (where, type(value).__name__, value)
        )
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise BuilderError("%s: %r is not a finite number" % (where, value))
    return result


def positive(value: Any, where: str) -> Union[int, float]:
    """The value, an int or a float as it came, if it is above zero."""
    if number(value, where) <= 0:
        raise BuilderError("%s: want a number above 0, not %r" % (where, value))
    return int(value) if isinstance(value, int) else float(value)


def count(value: Any, where: str) -> int:
    """The value as an int of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < INT64:
        raise BuilderError("%s: want a whole number of at least 1, not %r" % (where, value))
    return int(value)


def not_negative(value: Any, where: str) -> float:
    """The value as a float, if it is not below zero."""
    result = number(value, where)
    if result < 0:
        raise BuilderError("%s: want a number of at least 0, not %r" % (where, value))
    return result


def at_least_one(value: Any, where: str, warn: Callable[[str], None]) -> int:
    """The value as an int; as in Blender what is below 1 counts as 1, and is warned of."""
    if isinstance(value, int) and not isinstance(value, bool) and value < 1:
        warn("%s: %d counts as 1, the least that there is" % (where, value))
        return 1
    return count(value, where)


def one_of(value: Any, words: Sequence[str], where: str) -> str:
    """The value, if it is one of the words."""
    if value not in words:
        raise BuilderError("%s: no %r%s" % (where, value, hint(str(value), words)))
    return str(value)


def vector(value: Any, where: str) -> List[float]:
    """Three finite floats."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise BuilderError("%s: want three numbers, not %r" % (where, value))
    items = list(value)
    if len(items) != 3:
        raise BuilderError("%s: want three numbers, not %d" % (where, len(items)))
    return [number(item, where) for item in items]


def _text(value: str, where: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise BuilderError("%s: the text %r is not valid Unicode" % (where, value)) from None
    if "\0" in value:
        raise BuilderError("%s: the text %r holds a NUL" % (where, value))
    return str(value)


def _integer(value: int, where: str) -> int:
    if not -INT64 <= value < INT64:
        raise BuilderError("%s: %d does not fit into 64 bits" % (where, value))
    return int(value)


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise BuilderError("%s: the key %r is not text" % (where, key))
    return _text(key, where)
