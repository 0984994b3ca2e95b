# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.overlay`."""

from orrery.morse.plugs import MorseOverlay  # noqa: F401
