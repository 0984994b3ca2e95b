# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as Blender keeps them: in scripts of MORSE, what an object has is of single precision.

Options of streams, modifiers, services and managers, frequencies and times are not kept by Blender.
"""

from __future__ import annotations

import struct
from typing import Any, Sequence

from . import session

INT32 = 2**31


def kept(value: float) -> float:
    """The number as a float of 32 bits in a script of MORSE, else as it is."""
    if not session.current().is_morse:
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return value


def kept_vector(values: Sequence[float]) -> list[float]:
    """The same of several numbers."""
    return [kept(value) for value in values]


def kept_property(value: Any, where: str) -> Any:
    """The same of a property: a float; an int that 32 bits do not hold stays, with a warning."""
    if isinstance(value, float):
        return kept(value)
    is_large = isinstance(value, int) and not -INT32 <= value < INT32
    if is_large and session.current().is_morse:
        session.current().warn(
            ("int", where), "%s: %d is more than MORSE can keep, 32 bits" % (where, value)
        )
    return value
