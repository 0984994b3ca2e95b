# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.sensor`."""

from orrery.morse.components import Sensor  # noqa: F401
