# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.statistics`."""

from orrery.morse.helpers import Stats  # noqa: F401
