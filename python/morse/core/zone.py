# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.zone`."""

from orrery.morse.zones import Zone, ZoneManager  # noqa: F401
