# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.morse_math`."""

from orrery.morse.helpers import normalise_angle, rotation_direction  # noqa: F401
