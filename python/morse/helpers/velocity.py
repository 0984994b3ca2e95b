# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.velocity`."""

from orrery.morse.helpers import angular_velocities, linear_velocities  # noqa: F401
