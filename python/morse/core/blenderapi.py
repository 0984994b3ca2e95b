# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.blenderapi`."""

from orrery.morse import blenderapi as _own


def __getattr__(name):
    return getattr(_own, name)
