# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.status`."""

from orrery.morse.services import FAILED, PREEMPTED, SUCCESS  # noqa: F401
