# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.robot`."""

from orrery.morse.components import Robot  # noqa: F401
