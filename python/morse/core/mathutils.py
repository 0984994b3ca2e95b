# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.mathutils`."""

from orrery.morse.mathutils import Euler, Matrix, Quaternion, Vector  # noqa: F401
