# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.components`."""

from orrery.morse.declarations import add_data, add_level, add_property  # noqa: F401
