# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.exceptions`."""

from orrery.morse.errors import *  # noqa: F401,F403
