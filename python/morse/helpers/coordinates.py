# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.coordinates`."""

from orrery.morse.coordinates import CoordinateConverter  # noqa: F401
