# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.transformation`."""

from orrery.morse.transformation import Transformation3d  # noqa: F401
