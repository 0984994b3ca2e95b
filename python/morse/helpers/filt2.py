# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.helpers.filt2`."""

from orrery.morse.helpers import Filt2  # noqa: F401
