# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.modifiers.abstract_modifier`."""

from orrery.morse.plugs import AbstractModifier  # noqa: F401
