# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.actuator`."""

from orrery.morse.components import Actuator  # noqa: F401
