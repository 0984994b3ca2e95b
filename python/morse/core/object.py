# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.object`."""

from orrery.morse.components import Object  # noqa: F401
