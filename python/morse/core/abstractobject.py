# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.abstractobject`."""

from orrery.morse.components import AbstractObject  # noqa: F401
