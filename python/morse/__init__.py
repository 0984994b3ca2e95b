# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's names for components that were written for it; `orrery.morse` has what is behind them, `modules.txt` the names."""

from orrery.morse import names as _names

_names.install()


def __getattr__(name):
    return _names.part_of_top(name)
