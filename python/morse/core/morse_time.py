# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.morse_time`."""

from orrery.morse.helpers import TimeStrategies, time_isafter  # noqa: F401
